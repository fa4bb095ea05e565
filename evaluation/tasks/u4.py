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
from evaluation.significance import clustered_error
from evaluation.tables import Rows, Tables, measure_rows
from evaluation.tasks.results import Reported, ReportedQuestion
from indexer.files.errors import UserError
from indexer.files.messages import first_few
from indexer.languages.language import Language

_SIGNS = str.maketrans("▲△▴▵", "----")
_UNIT = re.compile(r"[円株個倍人年]$")

# By id the gold answer, the run's, and the run's scores by measure, the one that ranks first.
Paired = dict[str, tuple[ReportAnswer, ReportAnswer, dict[str, float]]]


def normal_value(text: str) -> str:
    """A value as the organisers compare it.

    NFKC without white space and commas; triangles as minus signs; 百万円, 千円 and 千 at the end as zeros; a number
    with % divided by 100; one unit of 円株個倍人年 cut; a number with four decimals, −0 as 0.
    """
    value = re.sub(r"[\s,]", "", unicodedata.normalize("NFKC", text)).translate(_SIGNS)
    # Their script multiplies these alone: 億円 and 百万 without 円 stay texts, here too.
    value = re.sub("千円?$", "000", re.sub("百万円$", "000000", value))
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


def pair_answers(gold_path: Path, run_path: Path, cells: bool) -> Paired:
    """Every question of the gold in its order. UserError for ids that the run lacks or the gold does not know."""
    gold, run = read_answers(gold_path, cells), read_answers(run_path, cells)
    # Other tasks score a part of a run with a warning; the organisers' script stops.
    for what, names, known in (("lacks", gold, run), ("adds", run, gold)):
        if others := [name for name in names if name not in known]:
            ids = f"{len(others)} questions ({first_few(others)})"
            raise UserError(f"{run_path}: {what} {ids}; the organisers accept the ids of {gold_path} alone")
    paired: Paired = {}
    for name, right in gold.items():
        given = run[name]
        scores = {"value": float(normal_value(given.value) == normal_value(right.value))} if cells else {}
        scores["cell" if cells else "table"] = float(given.answer_id == right.answer_id)
        paired[name] = (right, given, scores)
    return paired


def _scoring(name: str, cells: bool) -> Scoring:
    """Builds the scoring of Table QA (`cells`) or of Table Retrieval."""

    def tables(gold: Path, run: Path, interval: bool = False) -> Tables:
        """The figures of a run; `standard error by report` takes the questions of a report together."""
        paired = pair_answers(gold, run, cells)

        def summary() -> Rows:
            reports = [right.answer_id.partition("-")[0] for right, _, _ in paired.values()]
            rows = measure_rows([scores for _, _, scores in paired.values()], "questions", interval)
            for row in rows:
                scores = [scores[str(row["measure"])] for _, _, scores in paired.values()]
                row["standard error by report"] = clustered_error(scores, reports)
            return rows

        def by_question() -> Rows:
            return [
                {"id": name, "gold": right.text, "system": given.text, **scores}
                for name, (right, given, scores) in paired.items()
            ]

        return Tables(summary, by_question)

    def report_questions(gold: Path, run: Path) -> Reported:
        """The answers that the report shows; the first measure ranks the runs."""
        measure = "value" if cells else "table"
        questions = [
            ReportedQuestion(name, scores[measure], (right.text,), answer=given.text)
            for name, (right, given, scores) in pair_answers(gold, run, cells).items()
        ]
        return Reported(measure, questions)

    text = """Accuracy of a run, compared as the organisers compare it; runs of Table QA are ranked by value.

    A run with a question too few or too many is refused.
    """
    return Scoring(
        command=score_command(name, tables, text, f"samples/{name}.gold.json {'cells' if cells else 'tables'}.json"),
        reported=report_questions,
        tables=tables,
        asked_in=lambda path, _: frozenset(read_answers(path, cells)),
    )


def gold_answers(path: Path, _language: Language | None) -> Iterator[GoldAnswer]:
    """The value or the table that answers each question."""
    return (GoldAnswer(name, (right.text,)) for name, right in read_answers(path).items())


CELLS, TABLES = _scoring("u4-tqa", cells=True), _scoring("u4-tr", cells=False)
