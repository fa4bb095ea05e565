"""Scores Data Search QA runs: exact match (primary) and macro-averaged F1 over sets of words ([DataSearch2])."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from answerer.formats.datasearch import read_answers
from evaluation.measures.answer_sets import exact_match, word_f1
from evaluation.registry import GoldAnswer, Scoring
from evaluation.runs import check_ids
from evaluation.score_command import score_command
from evaluation.tables import Rows, Tables, measure_rows
from evaluation.tasks.results import Reported, ReportedQuestion
from indexer.files.errors import UserError
from indexer.files.messages import warn
from indexer.formats.datasearch import DatasetQuestion
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language


class AnswerPair(NamedTuple):
    """A gold answer beside the run's; `answer` is None where the run lacks the question."""

    question_id: str
    gold: str
    answer: str | None


def pair(gold_path: Path, run_path: Path) -> list[AnswerPair]:
    """Pairs every gold question that has an answer, in its order, with the run's answer.

    Warns if only the gold describes a system. Raises UserError as `check_ids` does, and if a gold answer contains a
    tab, as the lines of a question file do.
    """
    (described, gold), (description, run) = read_answers(gold_path), read_answers(run_path)
    tabbed = next((question_id for question_id, answer in gold.items() if "\t" in answer), None)
    if tabbed is not None:
        raise UserError(f"{gold_path}: the answer to {tabbed} contains a tab; expected gold, QUESTION_ID TAB ANSWER")
    if described and not description:
        warn(f"{gold_path} begins with <SYSDESC> as a run does, and {run_path} does not: gold comes first")
    # Questions without a gold answer cannot be scored.
    gold = {question_id: answer for question_id, answer in gold.items() if answer}
    check_ids(gold_path, run_path, gold, run)
    return [AnswerPair(question_id, answer, run.get(question_id)) for question_id, answer in gold.items()]


def words(text: str, language: Language) -> frozenset[str]:
    """The different words of an answer: MeCab's surfaces if the question is Japanese, else split at white space."""
    if language != JAPANESE:
        return frozenset(text.split())
    from indexer.analysis.japanese import surfaces

    return frozenset(surfaces(text))


def scores(row: AnswerPair) -> dict[str, float]:
    """Exact match and F1 of one question; both 0 if the run lacks it."""
    # A question that the run lacks counts as wrong: to leave one out must not help.
    if row.answer is None:
        return {"exact match": 0.0, "F1": 0.0}
    # The id of a question says its language.
    language = DatasetQuestion(row.question_id, row.gold, "").language
    f1 = word_f1(words(row.answer, language), words(row.gold, language))
    return {"exact match": exact_match(row.answer, row.gold), "F1": f1}


def asked_in(path: Path, gold: bool) -> frozenset[str]:
    """The ids of the questions that a file answers."""
    return frozenset(read_answers(path).answers)


def report_questions(gold: Path, run: Path) -> Reported:
    """Every question with the gold answer and the run's, scored by exact match."""
    questions = [
        ReportedQuestion(row.question_id, exact_match(row.answer or "", row.gold), (row.gold,), answer=row.answer or "")
        for row in pair(gold, run)
    ]
    return Reported("exact match", questions)


def tables(gold: Path, run: Path, interval: bool = False) -> Tables:
    """Scores a run: rows of measures over all questions (with intervals if `interval`), and a row for each question."""
    rows = pair(gold, run)

    def by_question() -> Rows:
        return [{"id": row.question_id, "gold": row.gold, "system": row.answer or "", **scores(row)} for row in rows]

    return Tables(lambda: measure_rows([scores(row) for row in rows], "questions", interval), by_question)


def gold(path: Path, _language: Language | None) -> Iterator[GoldAnswer]:
    """Yields the answer to each question."""
    for question_id, answer in read_answers(path).answers.items():
        yield GoldAnswer(question_id, (answer,))


command = score_command(
    "datasearch-qa",
    tables,
    """Exact match and macro-averaged F1 over sets of words of a Data Search QA run.

    Words of Japanese questions (J in the id) are MeCab's, of others what blanks separate.
    """,
    "samples/datasearch-gold.tsv answers.tsv",
)

SCORING = Scoring(command=command, reported=report_questions, tables=tables, asked_in=asked_in)
