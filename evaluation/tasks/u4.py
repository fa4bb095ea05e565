"""What Table QA and Table Retrieval of NTCIR-18 U4 share: values as the organisers compare them,
and answers beside the gold.

Source: the evaluation scripts of [U4] (2024).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from answerer.formats.u4 import read_answers
from evaluation.runs import RunFile
from evaluation.tasks.results import Reported, ReportedQuestion
from indexer.files.errors import UserError
from indexer.files.messages import counted, first_few, warn
from indexer.languages.language import Language

_SIGNS = str.maketrans("▲△▴▵", "----")
_UNIT = re.compile(r"[円株個倍人年]$")


def normal_value(text: str) -> str:
    """A value as the organisers compare it.

    NFKC without white space and commas; triangles as minus signs; 百万円, 千円 and 千 at the end as
    zeros; a number with % divided by 100; one unit of 円株個倍人年 cut; a number with four
    decimals, −0 as 0.
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


def judged_answers(gold_path: Path, run_path: RunFile, cells: bool) -> Reported:
    """Every question of the gold in its order, scored by value (Table QA: `cells`; with the measure
    `cell` too) or by table; its cluster is the report of the right answer.

    Warns of gold answers that are empty. Raises UserError for ids that the run lacks or the gold
    does not know, and where every gold answer is empty.
    """
    gold, run = read_answers(gold_path, cells), read_answers(run_path, cells)
    if empty := [name for name, right in gold.items() if not right.answer_id]:
        if len(empty) == len(gold):
            raise UserError(
                f"{gold_path}: has no answer, as a blank answer sheet; expected the gold standard"
            )
        warn(f"{gold_path}: no answer to {counted(len(empty), 'questions')}: {first_few(empty)}")
    # Other tasks score a part of a run with a warning; the organisers' script stops.
    for what, names, other in (("lacks", gold, run), ("adds", run, gold)):
        if others := [name for name in names if name not in other]:
            ids = f"{counted(len(others), 'questions')} ({first_few(others)})"
            raise UserError(
                f"{run_path}: {what} {ids}; the organisers accept the ids of {gold_path} alone"
            )
    questions = []
    for name, right in gold.items():
        answer = run[name]
        measures = (
            {"value": float(normal_value(answer.value) == normal_value(right.value))}
            if cells
            else {}
        )
        measures["cell" if cells else "table"] = float(answer.answer_id == right.answer_id)
        # The first measure ranks the runs.
        score = next(iter(measures.values()))
        question = ReportedQuestion(
            name, score, (right.text,), answer=answer.text, measures=measures
        )
        questions.append(question._replace(cluster=right.answer_id.partition("-")[0]))  # the report
    return Reported("value" if cells else "table", questions)


def gold(path: Path, _language: Language | None) -> Iterator[ReportedQuestion]:
    """Yields the value or the table that answers each question."""
    for name, right in read_answers(path).items():
        yield ReportedQuestion(name, gold=(right.text,))
