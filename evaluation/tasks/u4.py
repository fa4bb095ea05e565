"""Scores NTCIR-18 U4 runs: accuracy of cells and values (Table QA) and of tables (Table Retrieval).

Source: the evaluation scripts of nlp-for-japanese-securities-reports/ntcir18-u4 (2024).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from answerer.formats.u4 import read_answers
from evaluation.registry import GoldAnswer, Scoring
from evaluation.score_command import score_command
from evaluation.significance import estimate
from evaluation.tables import Rows, Tables, measure_rows
from evaluation.tasks.results import Reported, ReportedQuestion
from indexer.files.errors import UserError
from indexer.files.messages import first_few
from indexer.languages.language import Language
from indexer.parameters import CommandLine

_SIGNS = str.maketrans("▲△▴▵", "----")
_UNIT = re.compile(r"[円株個倍人年]$")


def normal_value(text: str) -> str:
    """A value as the organisers compare it.

    NFKC without white space and commas; triangles as minus signs; 百万円, 千円 and 千 at the end as zeros; a number
    with % divided by 100; one unit of 円株個倍人年 cut; a number with four decimals, −0 as 0.
    """
    value = re.sub(r"[\s,]", "", unicodedata.normalize("NFKC", text)).translate(_SIGNS)
    value = re.sub("百万円$", "000000", value)
    value = re.sub("千円?$", "000", value)
    if value.endswith("%") and (number := _number(value[:-1])) is not None:
        value = str(number / 100)
    value = _UNIT.sub("", value)
    number = _number(value)
    shown = value if number is None else f"{number:.4f}"
    return "0.0000" if shown == "-0.0000" else shown


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


class PairedAnswer(NamedTuple):
    """A gold answer beside the run's: the texts that a report shows, its scores, and the id of its report."""

    question_id: str
    gold: str
    answer: str
    scores: Mapping[str, float]
    doc_id: str


def pair_answers(gold_path: Path, run_path: Path, cells: bool) -> list[PairedAnswer]:
    """Every question of the gold in its order. UserError for ids that the run lacks or the gold does not know."""
    gold, run = read_answers(gold_path, cells), read_answers(run_path, cells)
    lacking, more = [one for one in gold if one not in run], [one for one in run if one not in gold]
    for what, names in (("lacks", lacking), ("adds", more)):
        if names:
            raise UserError(
                f"{run_path}: {what} {len(names)} questions ({first_few(names)}); the organisers accept the ids of "
                f"{gold_path} alone"
            )
    paired = []
    for name, right in gold.items():
        given = run[name]
        scores = {"cell" if cells else "table": float(given.answer_id == right.answer_id)}
        if cells:
            scores = {"value": float(normal_value(given.value) == normal_value(right.value))} | scores
        paired.append(PairedAnswer(name, right.text, given.text, scores, right.answer_id.partition("-")[0]))
    return paired


def _scoring(name: str, cells: bool) -> Scoring:
    def tables(gold: Path, run: Path, interval: bool = False) -> Tables:
        """The figures of a run; `standard error by report` takes the questions of a report together."""
        paired = pair_answers(gold, run, cells)

        def summary() -> Rows:
            rows = measure_rows([one.scores for one in paired], "questions", interval)
            return [row | {"standard error by report": _by_report(paired, str(row["measure"]))} for row in rows]

        return Tables(
            summary,
            lambda: [{"id": one.question_id, "gold": one.gold, "system": one.answer, **one.scores} for one in paired],
        )

    def reported(gold: Path, run: Path) -> Reported:
        """What the report shows of every question; the first measure ranks the runs."""
        measure = "value" if cells else "table"
        questions = [
            ReportedQuestion(one.question_id, one.scores[measure], (one.gold,), answer=one.answer)
            for one in pair_answers(gold, run, cells)
        ]
        return Reported(measure, questions)

    def asked_in(path: Path, gold: bool) -> frozenset[str]:
        """The ids of the questions that a file answers."""
        return frozenset(read_answers(path, cells))

    command: CommandLine = score_command(
        name,
        tables,
        """Accuracy of a run, compared as the organisers compare it; runs of Table QA are ranked by value.

        A run with a question too few or too many is refused.
        """,
        f"samples/{name}.gold.json {'cells' if cells else 'tables'}.json",
    )
    return Scoring(command=command, reported=reported, tables=tables, asked_in=asked_in)


def _by_report(paired: list[PairedAnswer], measure: str) -> float | None:
    """The standard error of a share over clusters: reports, whose questions are alike (Liang and Zeger, 1986).

    None for a single report.
    """
    reports: dict[str, list[float]] = {}
    mean = estimate([one.scores[measure] for one in paired], bounds=False).mean
    for one in paired:
        reports.setdefault(one.doc_id, []).append(one.scores[measure] - mean)
    if len(reports) < 2:
        return None
    squares = sum(sum(values) ** 2 for values in reports.values())
    return float((squares * len(reports) / (len(reports) - 1)) ** 0.5 / len(paired))


def gold_answers(path: Path, _language: Language | None) -> Iterator[GoldAnswer]:
    """The value or the table that answers each question."""
    for name, right in read_answers(path).items():
        yield GoldAnswer(name, (right.text,))


CELLS = _scoring("u4-tqa", cells=True)
TABLES = _scoring("u4-tr", cells=False)
