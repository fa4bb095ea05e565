"""The weights that are shipped are those of features that the program computes: one of another name
counts for nothing, and nobody would see it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import answerer.models
from answerer.datasearch.tables.library import datasets_of
from answerer.datasearch.task import TASK, WEIGHTS_PATH, Derivation, derive
from indexer.engines.opening import open_index
from indexer.formats.datasearch import read_questions
from retriever.learning.model import read_model
from tests.answerer.datasearch.tables import FARMS, RACES, view
from tests.places import SAMPLES
from tests.programs import done

RANKED = """Rank|Runner|Team|Time|Prize|Share|Note
1|Ann Lee|Red|2:10:46|$900|60%|held twice
2|Bo Berg|Blue|2:11:02|$400|30%|
3|Cy Young|Red|2:12:30|$100|10%|–
|Di Fox|Green|2:15:00|$50|–|"""
SHARES = """Region|Sales||Change|Share
|2019|2020|2020|2020
North||||
Wheat|$46|60|14|12%
Rye|86|90|-4|30%
South||||
Wheat|132|$150|18|40%
Rye|20|–|2|18%
All regions|284|300|30|100%"""
# What the questions of the samples lack.
QUESTIONS = (
    (RANKED, "which team has 25 or 60 time, not?"),
    (SHARES, "name all crops with second share below 90"),
    (RACES, "what year, before May 1, 2010 points of Hill Climb and Harbour Run?"),
    (RANKED, "who was second Red or Bo Berg in time?"),
    (RACES, "not Hill Climb, which race?"),
    (SHARES, "which crop has 25 or 60 share, rise?"),
    (RANKED, "name all teams with percent time below 90"),
    (RACES, "what year, third points of Hill Climb and Harbour Run?"),
    (RANKED, "percent Red, which team?"),
    (RANKED, "over 20 Red, which team?"),
    (SHARES, "which crop has the title share?"),
    (FARMS, "who was not Goat or 2019 in area?"),
    (RANKED, "before May 1, 2010 Red, which team?"),
    (RANKED, "which runner has 25 or 60 prize, not?"),
)
# Names that need tables and questions which neither have: look them up before one is added here.
RARE = frozenset(
    name.strip()
    for name in """
    alternatives max|alternatives min|among alternatives|among alternatives strength|
    among like rows|among like rows strength|answer missing|asks thing|asks work|column of text|
    filter alternatives, 3+ rows|filter blank|filter blank, 1 rows|filter blank, 2 rows|
    filter blank, 3+ rows|filter column, 1 rows|filter filled|filter filled, 1 rows|
    filter filled, 2 rows|filter filled, 3+ rows|filter third, 2 rows|
    form all rows, frequent, first date|form all rows, frequent, first text|
    form all rows, frequent, named date|form all rows, frequent, other date|
    form all rows, min, ordered by mixed|form filter, frequent, filtered date|
    form filter, frequent, filtered text|form filter, frequent, first date|
    form filter, frequent, first text|form filter, frequent, named date|
    form filter, frequent, named number|form filter, min, filtered mixed|
    form filter, next, first date|form filter, only, first date|form filter, only, other mixed|
    form filter, previous, first date|form filter, same, filtered date|
    form filter, same, ordered by date|form filter, same, ordered by number|
    frequent target in filter|like rows max|like rows min|matrix answer missing|
    matrix asks group|matrix asks thing|meets figure, first|op max by few|op max by mixed|
    op max tied|op min by few|op min by mixed|op min tied|op nth max by text|op same by rank|
    op same by rising|op same by up and down|same answer in question|target kind thing|
    target kind work|target mixed|target repeats|target shape long|target shape quoted|
    target shape with commas|target value
    """.split("|")
)


def base(name: str) -> str:
    """A feature's name without what it is combined with: triggers, words, forms of questions."""
    return re.split(" [&~@] ", name)[0]


def bases(derivations: list[Derivation]) -> set[str]:
    blocks = {id(block): block for one in derivations for block in one.blocks}
    return {base(name) for block in blocks.values() for name, _ in block}


@pytest.fixture(scope="module")
def computed(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The features of the answers to the samples' questions and those above."""
    address = str(tmp_path_factory.mktemp("datasets") / "index")
    files = (f"datasearch-{name}.bz2" for name in ("collection.jsonl", "data.tar"))
    done("indexer", "datasets", *(str(SAMPLES / file) for file in files), "--index", address)
    index = open_index(address)
    names: set[str] = set()
    for dataset, questions in datasets_of(
        index, read_questions(SAMPLES / "datasearch-questions.tsv")
    ):
        for question in questions:
            names |= bases(derive(question.text, dataset.views))
    for table, text in QUESTIONS:
        names |= bases(derive(text, [view(table, "Races and farms (unit: points)")]))
    return names


@pytest.mark.parametrize(
    "path", [WEIGHTS_PATH, Path(answerer.models.__file__).with_name(f"{TASK}.json")]
)
def test_weights_of_data_search_are_of_features_that_it_computes(
    path: Path, computed: set[str]
) -> None:
    weighed = set(map(base, read_model(path, TASK).feature_names))
    assert weighed - computed <= RARE


def test_rare_features_are_weighed_and_rare(computed: set[str]) -> None:
    assert not RARE & computed
