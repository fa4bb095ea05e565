"""Small tables and the ways to answers over them, for the tests of Data Search."""

from __future__ import annotations

from answerer.datasearch.operations.selection import Match
from answerer.datasearch.question.analysis import read_question
from answerer.datasearch.tables.view import View
from answerer.datasearch.task import DEFAULT_WEIGHTS, DerivedAnswer, derive, rank, score_all
from indexer.tables.table import read_table
from indexer.tables.workbook import Grid

RACES = """Race|Date|Winner|Team|Points
Grand Opening|March 3, 2010|Ann Lee|Red|12
Harbour Run|April 11, 2010|Bo Berg|Blue|25
Hill Climb|May 2, 2010|Ann Lee|Red|8
Night Sprint|June 20, 2010|Cy Young|Green|31
Last Lap|July 4, 2010|Ann Lee|Red|17"""

FARMS = """|Farms||Area|
|2019|2020|2019|2020
Goat|46|60|716|900
Sheep|86|90|4,557|4,100
All farm types|132|150|5,273|5,000"""


def view(text: str, title: str = "") -> View:
    """A table of lines of cells between bars."""
    rows = [line.split("|") for line in text.split("\n")]
    table = read_table(Grid("", rows))
    return View(table, title)


def match(question: str, text: str) -> Match:
    return Match(read_question(question), view(text))


def ranked(question: str, *texts: str) -> list[DerivedAnswer]:
    """The answers by the hand weights."""
    derivations = derive(question, [view(text) for text in texts])
    return rank(derivations, score_all(derivations, DEFAULT_WEIGHTS))


def best(question: str, *texts: str) -> str:
    return ranked(question, *texts)[0].answer
