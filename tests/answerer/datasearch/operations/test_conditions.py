"""Figures that a question gives or compares with."""

from __future__ import annotations

import pytest

from tests.answerer.datasearch.tables import best, ranked

ENERGY = """|Electricity|||Heat
Year|Coal|Gas|Wind|Total
2017|12,100|8,400|950|19,800
2018|11,500|8,900|1,300|20,050
2019|9,700|9,600|2,150|20,300
2020|7,300|9,100|3,400|18,900"""

REGIONS = """|Rate|
Region|2021|2022
Norland|6.1%|5.2%
Southmark|8.2%|7.9%
Eastreach|4.5%|4.1%
Total|6.4%|4.1%"""


@pytest.mark.parametrize(
    ("question", "answer", "table"),
    [
        ("In what year did gas first exceed 9,000?", "2019", ENERGY),
        ("In what year was wind over 3,000?", "2020", ENERGY),
        ("In which year was coal 11,500?", "2018", ENERGY),
        ("Which region had a rate of 4.1% in 2022?", "Eastreach", REGIONS),
        ("In which year was the rate of Southmark below 8%?", "2022", REGIONS),
    ],
)
def test_figures_lead_to_labels_and_headings(question: str, answer: str, table: str) -> None:
    assert best(question, table) == answer


def test_a_figure_that_is_asked_for_is_not_looked_up() -> None:
    found = ranked("How much coal was there in 2019 of 9,700?", ENERGY)
    assert not any("where Electricity" in candidate.derivation.text for candidate in found)
