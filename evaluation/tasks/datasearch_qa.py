"""Scores Data Search QA runs: exact match (primary) and macro-averaged F1 over sets of words
([DataSearch2])."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from answerer.formats.datasearch import read_answers
from evaluation.contract import Figures
from evaluation.measures.answer_sets import precision_recall
from evaluation.runs import RunFile, check_ids, exchange_error
from evaluation.tasks.results import (
    Reported,
    ReportedQuestion,
    measure_figures,
    measures_command,
)
from indexer.files.encoding import read_beginning
from indexer.files.errors import UserError
from indexer.files.validation import FileName
from indexer.formats.datasearch import DatasetQuestion
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language

if TYPE_CHECKING:
    from evaluation.runs import AnyRun

TASK = "datasearch-qa"


def score(gold: FileName, run: AnyRun, *, interval: bool = False) -> Figures:
    """The means of exact match and F1 of a run, and both for each question; with `interval` also
    the means' 95 % bootstrap intervals. Raises UserError for what the command refuses."""
    return measure_figures(TASK, report_questions, gold, run, interval)


def words(text: str, language: Language) -> frozenset[str]:
    """The different words of an answer: MeCab's surfaces if the question is Japanese, else split at
    white space."""
    if language != JAPANESE:
        return frozenset(text.split())
    from indexer.analysis.japanese import surfaces

    return frozenset(surfaces(text))


def report_questions(gold_path: Path, run_path: RunFile) -> Reported:
    """Every gold question that has an answer, in its order, scored by exact match (but for blanks
    at the ends), with F1 over sets of words; one that the run lacks scores 0.

    Raises UserError as `check_ids` does, for gold and run exchanged, and if a gold answer contains
    a tab, as the lines of a question file do.
    """
    of_gold, of_run = (
        read_beginning(path).lstrip().upper().startswith("<SYSDESC>")
        for path in (gold_path, run_path)
    )
    if of_gold and not of_run:
        raise exchange_error(gold_path, run_path, "begins with <SYSDESC> as a run does")
    gold, run = read_answers(gold_path).answers, read_answers(run_path).answers
    tabbed = next((question_id for question_id, answer in gold.items() if "\t" in answer), None)
    if tabbed is not None:
        raise UserError(
            f"{gold_path}: the answer to {tabbed} contains a tab; expected gold, QUESTION_ID TAB "
            f"ANSWER"
        )
    # Questions without a gold answer cannot be scored.
    question_ids = gold.keys()
    gold = {question_id: answer for question_id, answer in gold.items() if answer}
    check_ids(gold_path, run_path, gold, run, without_answer=question_ids)
    questions = []
    for question_id, right in gold.items():
        # Exact match ranks the runs of the task; F1 is its second measure [DataSearch2].
        measures, answer = {"exact match": 0.0, "F1": 0.0}, run.get(question_id)
        if answer is not None:
            # The id of a question says its language.
            language = DatasetQuestion(question_id, right, "").language
            # Macro-averaged F1 score and exact match, apart from blanks at the ends, as in
            # [DataSearch2].
            f1 = precision_recall(words(answer, language), words(right, language)).f1
            measures = {"exact match": float(answer.strip() == right.strip()), "F1": f1}
        score = measures["exact match"]
        questions.append(
            ReportedQuestion(question_id, score, (right,), answer=answer or "", measures=measures)
        )
    return Reported("exact match", questions)


command = measures_command(
    TASK,
    "Exact match and macro-averaged F1 over sets of words of a Data Search QA run.\n\n"
    "Words of Japanese questions (J in the id) are MeCab's, of others what blanks separate.",
    "evaluate datasearch-qa samples/datasearch-gold.tsv answers.tsv",
    report_questions,
)


def gold(path: Path, _language: Language | None) -> Iterator[ReportedQuestion]:
    """Yields the right answer to each question, also an empty one, as a question of one gold
    text."""
    for question_id, answer in read_answers(path).answers.items():
        yield ReportedQuestion(question_id, gold=(answer,))


def asked_in(path: Path, _gold: bool) -> frozenset[str]:
    """The ids of the questions that a file answers."""
    return frozenset(read_answers(path).answers)
