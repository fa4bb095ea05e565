"""Scores NTCIR-18 U4 runs: accuracy of cells and values (Table QA) and of tables (Table Retrieval).

Source: the evaluation scripts of nlp-for-japanese-securities-reports/ntcir18-u4 (2024).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import click

from answerer.formats.u4 import read_cells, read_tables
from evaluation.registry import GoldAnswer, Scoring
from evaluation.score_command import score_command
from evaluation.significance import estimate
from evaluation.tables import Rows, Tables, measure_rows
from evaluation.tasks.results import Reported, ReportedQuestion
from indexer.files.errors import UserError
from indexer.files.messages import first_few
from indexer.languages.language import Language

_SIGNS = str.maketrans("▲△▴▵", "----")
_UNIT = re.compile(r"[円株個倍人年]$")


def normal_value(text: str) -> str:
    """Normalises a value for comparison as the organisers do ([U4]).

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
    """The number of a text; None if it is not a number."""
    try:
        return float(text)
    except ValueError:
        return None


class ReportAnswer(NamedTuple):
    """A gold answer and the run's, as texts for a report; the scores of the run's, and the id of the document."""

    question_id: str
    gold: str
    answer: str
    scores: Mapping[str, float]
    doc_id: str


def pair_cells(gold_path: Path, run_path: Path) -> list[ReportAnswer]:
    """Pairs every question of the gold, in its order, with the run's cell.

    Raises UserError if the run lacks ids of the gold or has others.
    """
    gold, run = read_cells(gold_path), read_cells(run_path)
    _require_same(gold_path, run_path, gold, run)
    judged = []
    for name, right in gold.items():
        given = run[name]
        values = normal_value(given.value) == normal_value(right.value)
        scores = {"value": float(values), "cell": float(given.cell_id == right.cell_id)}
        judged.append(ReportAnswer(name, right.value, given.value, scores, right.cell_id.partition("-")[0]))
    return judged


def pair_tables(gold_path: Path, run_path: Path) -> list[ReportAnswer]:
    """Pairs every question of the gold with the run's table; otherwise as `pair_cells`."""
    gold, run = read_tables(gold_path), read_tables(run_path)
    _require_same(gold_path, run_path, gold, run)
    return [
        ReportAnswer(name, right, run[name], {"table": float(run[name] == right)}, right.partition("-")[0])
        for name, right in gold.items()
    ]


def _require_same(gold_path: Path, run_path: Path, gold: Mapping[str, object], run: Mapping[str, object]) -> None:
    """Raises UserError if gold and run do not have the same ids."""
    for what, names in (
        ("lacks", [one for one in gold if one not in run]),
        ("adds", [one for one in run if one not in gold]),
    ):
        if names:
            raise UserError(
                f"{run_path}: {what} {len(names)} questions ({first_few(names)}); the organisers accept the ids of "
                f"{gold_path} alone"
            )


def _scoring(
    name: str, pair: Callable[[Path, Path], list[ReportAnswer]], ids: Callable[[Path], Mapping[str, object]]
) -> Scoring:
    """Builds the scoring of one of U4's tasks: `pair` joins gold and run, `ids` reads the ids of a file."""

    def tables(gold: Path, run: Path, interval: bool = False) -> Tables:
        """Scores a run; `standard error by report` takes the questions of one document as a cluster."""
        judged = pair(gold, run)

        def summary() -> Rows:
            rows = measure_rows([one.scores for one in judged], "questions", interval)
            return [row | {"standard error by report": _by_report(judged, str(row["measure"]))} for row in rows]

        return Tables(
            summary,
            lambda: [{"id": one.question_id, "gold": one.gold, "system": one.answer, **one.scores} for one in judged],
        )

    def report_questions(gold: Path, run: Path) -> Reported:
        """Every question with the gold answer and the run's, scored by the measure that ranks the runs."""
        measure = "value" if pair is pair_cells else "table"
        questions = [
            ReportedQuestion(one.question_id, one.scores[measure], (one.gold,), answer=one.answer)
            for one in pair(gold, run)
        ]
        return Reported(measure, questions)

    def asked_in(path: Path, gold: bool) -> frozenset[str]:
        """The ids of the questions that a file answers."""
        return frozenset(ids(path))

    command: click.Command = score_command(
        name,
        tables,
        """Accuracy of a run, compared as the organisers compare it; runs of Table QA are ranked by value.

        A run with a question too few or too many is refused.
        """,
        f"samples/{name}.gold.json {'cells' if pair is pair_cells else 'tables'}.json",
    )
    return Scoring(command=command, reported=report_questions, tables=tables, asked_in=asked_in)


def _by_report(judged: list[ReportAnswer], measure: str) -> float | None:
    """The cluster-robust standard error of a share (Liang and Zeger, 1986): questions of one report are alike.

    None for a single report.
    """
    reports: dict[str, list[float]] = {}
    mean = estimate([one.scores[measure] for one in judged], bounds=False).mean
    for one in judged:
        reports.setdefault(one.doc_id, []).append(one.scores[measure] - mean)
    if len(reports) < 2:
        return None
    squares = sum(sum(values) ** 2 for values in reports.values())
    return float((squares * len(reports) / (len(reports) - 1)) ** 0.5 / len(judged))


def gold_cells(path: Path, _language: Language | None) -> Iterator[GoldAnswer]:
    """Yields the value that answers each question."""
    for name, right in read_cells(path).items():
        yield GoldAnswer(name, (right.value,))


def gold_tables(path: Path, _language: Language | None) -> Iterator[GoldAnswer]:
    """Yields the table that answers each question."""
    for name, right in read_tables(path).items():
        yield GoldAnswer(name, (right,))


CELLS = _scoring("u4-tqa", pair_cells, read_cells)
TABLES = _scoring("u4-tr", pair_tables, read_tables)
