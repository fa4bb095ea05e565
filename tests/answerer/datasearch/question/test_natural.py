"""Rules that no development question tells from their absence: each makes a question right that people ask."""

from __future__ import annotations

import pytest

from tests.answerer.datasearch.tables import best

FILMS = "Film|Director|Year\nOld Mill|Ann Lee|1948\nHigh Road|Bo Berg|1957\nNew Moon|Cy Young|1963"
BRIDGES = "Bridge|Length (m)|Opened\nNorth|120|1899\nMill|85|1912\nHarbour|210|1934\nWest|96|1951\nPark|40|1978"
CRIMES = "community|totalPopulation|violentCrimeCount|propertyCrimeCount\nAldon|5100|12|310\nBeck|4200|55|120"
LIBRARIES = "図書館名|開館日|蔵書数\n青葉図書館|H30.4.1|52,000\n若葉図書館|R2.5.3|31,000\n双葉図書館|R3.11.9|44,000"
AGES = "年齢|男|女\n15歳未満|120|118\n15歳|31|33\n65歳|44|47\n65歳以上|90|99"
HOUSEHOLDS = "区分||\n市|世帯数|構成比\n|世帯|%\n青葉市|1,200|31.1\n若葉市|900|28.8"


@pytest.mark.parametrize(
    ("question", "table", "answer"),
    [
        ("Which film was made in the 1950s?", FILMS, "High Road"),
        ("Which bridge opened between 1930 and 1940?", BRIDGES, "Harbour"),
        ("Which community had the most violent crimes?", CRIMES, "Beck"),
        ("令和2年に開館した図書館はどこですか。", LIBRARIES, "若葉図書館"),
        ("15才の男の人数は？", AGES, "31"),
        ("若葉市の世帯のパーセントを教えてください。", HOUSEHOLDS, "28.8"),
    ],
    ids=["decade", "between", "names of fields", "dates of eras", "another character for years of age", "percent"],
)
def test_a_question_as_people_ask(question: str, table: str, answer: str) -> None:
    assert best(question, table) == answer
