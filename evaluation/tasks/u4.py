"""Scores NTCIR-18 U4 runs: accuracy of cells and values (Table QA) and of tables (Table Retrieval).

Source: the evaluation scripts of nlp-for-japanese-securities-reports/ntcir18-u4 (2024).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from answerer.formats.u4 import ReportAnswer, read_answers
from evaluation.registry import GoldAnswer, Scoring
from evaluation.score_command import score_command
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
    # Before units are cut: the 円 behind 百万 or 千 belongs to the multiplier.
    value = re.sub("百万円$", "000000", value)
    value = re.sub("千円?$", "000", value)
    if value.endswith("%") and (number := _number(value[:-1])) is not None:
        value = str(number / 100)
    value = _UNIT.sub("", value)
    number = _number(value)
    shown = value if number is None else f"{number:.4f}"
    # Python prints the sign of a negative number that rounds to zero.
    return "0.0000" if shown == "-0.0000" else shown


def _number(text: str) -> float | None:
    """The number that a text writes for Python; None for any other text."""
    try:
        return float(text)
    except ValueError:
        return None


Paired = dict[str, tuple[ReportAnswer, ReportAnswer, dict[str, float]]]
"""By id the gold answer, the run's, and the run's scores by measure, the one that ranks first."""


def pair_answers(gold_path: Path, run_path: Path, cells: bool) -> Paired:
    """Every question of the gold in its order. UserError for ids that the run lacks or the gold does not know."""
    gold, run = read_answers(gold_path, cells), read_answers(run_path, cells)
    lacking, more = [one for one in gold if one not in run], [one for one in run if one not in gold]
    for what, names in (("lacks", lacking), ("adds", more)):
        if names:
            ids = f"{len(names)} questions ({first_few(names)})"
            raise UserError(f"{run_path}: {what} {ids}; the organisers accept the ids of {gold_path} alone")
    paired: Paired = {}
    for name, right in gold.items():
        given = run[name]
        scores = {"value": float(normal_value(given.value) == normal_value(right.value))} if cells else {}
        scores["cell" if cells else "table"] = float(given.answer_id == right.answer_id)
        paired[name] = (right, given, scores)
    return paired


def error_by_report(paired: Paired, measure: str) -> float | None:
    """The standard error of a share over clusters: reports, whose questions are alike (Liang and Zeger, 1986).

    None for a single report.
    """
    by_report: dict[str, list[float]] = {}
    for right, _, scores in paired.values():
        by_report.setdefault(right.answer_id.partition("-")[0], []).append(scores[measure])
    reports = len(by_report)
    if reports < 2:
        return None
    mean = sum(map(sum, by_report.values())) / len(paired)
    # Deviations are summed within a report before they are squared: those of its questions are not independent.
    squares = sum((sum(values) - mean * len(values)) ** 2 for values in by_report.values())
    return float((squares * reports / (reports - 1)) ** 0.5 / len(paired))


def _scoring(name: str, cells: bool) -> Scoring:
    """Builds the scoring of Table QA (`cells`) or of Table Retrieval."""

    def tables(gold: Path, run: Path, interval: bool = False) -> Tables:
        """The figures of a run; `standard error by report` takes the questions of a report together."""
        paired = pair_answers(gold, run, cells)

        def summary() -> Rows:
            rows = measure_rows([scores for _, _, scores in paired.values()], "questions", interval)
            return [row | {"standard error by report": error_by_report(paired, str(row["measure"]))} for row in rows]

        return Tables(
            summary,
            lambda: [
                {"id": name, "gold": right.text, "system": given.text, **scores}
                for name, (right, given, scores) in paired.items()
            ],
        )

    def questions_of(gold: Path, run: Path) -> Reported:
        """The answers that the report shows; the first measure ranks the runs."""
        measure = "value" if cells else "table"
        questions = [
            ReportedQuestion(name, scores[measure], (right.text,), answer=given.text)
            for name, (right, given, scores) in pair_answers(gold, run, cells).items()
        ]
        return Reported(measure, questions)

    command: CommandLine = score_command(
        name,
        tables,
        """Accuracy of a run, compared as the organisers compare it; runs of Table QA are ranked by value.

        A run with a question too few or too many is refused.
        """,
        f"samples/{name}.gold.json {'cells' if cells else 'tables'}.json",
    )
    return Scoring(
        command=command,
        reported=questions_of,
        tables=tables,
        asked_in=lambda path, _: frozenset(read_answers(path, cells)),
    )


def gold_answers(path: Path, _language: Language | None) -> Iterator[GoldAnswer]:
    """The value or the table that answers each question."""
    for name, right in read_answers(path).items():
        yield GoldAnswer(name, (right.text,))


CELLS = _scoring("u4-tqa", cells=True)
TABLES = _scoring("u4-tr", cells=False)
