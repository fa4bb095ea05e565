"""Scores SelQA as the challenge does ([SelQA-Challenge]), and result files of WikiQA and TrecQA.

A result file contains the gold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from evaluation.contract import Figures, PoolItem
from evaluation.measures.ranking import Ties
from evaluation.options import by_option, format_option, interval_option, scored_files_arguments
from evaluation.runs import RunFile, gold_of
from evaluation.tasks.ranked_lists import (
    RANKS,
    at_option,
    pooled_candidates,
    print_figures,
    ranked_figures,
    ranked_question,
    right_candidates,
    rules_shown,
    ties_option,
)
from evaluation.tasks.results import Reported, ReportedQuestion, printed_tree
from indexer.cli.types import Command, OutputPath
from indexer.files.atomic import write_text
from indexer.files.errors import UserError
from indexer.files.messages import info, warn
from indexer.files.validation import FileName
from indexer.formats.labels import warn_of_labels
from indexer.formats.sentence_rows import read_sentence_file
from indexer.languages.language import Language

if TYPE_CHECKING:
    from evaluation.runs import AnyRun

TASK = "selqa"
RANKS_CANDIDATES = True  # the candidates come with the question
SKIP = "published figures of WikiQA leave these out: --skip-unanswerable (skip_unanswerable=True)"
TIES_OF_TASK: Ties = "average"  # as the challenge ranks equal scores


@click.command(cls=Command, example="evaluate selqa SelQA-ass-result.json")
@scored_files_arguments("[GOLD...]", "RESULT|TREE")
@click.option(
    "--mrr",
    metavar="FILE",
    type=OutputPath(),
    help="Write the MRR here too: the challenge's mrr.txt.",
)
@ties_option(TIES_OF_TASK)
@at_option
@click.option(
    "--skip-unanswerable",
    is_flag=True,
    help="Leave out questions without a right candidate, as figures published for WikiQA do.",
)
@interval_option("questions")
@by_option("ties", "type", "paraphrase", "asks-for")
@format_option
def command(
    golds: tuple[Path, ...],
    run: Path,
    by_question: bool,
    mrr: str | None,
    ties: Ties | None,
    at: tuple[int, ...] | None,
    skip_unanswerable: bool,
    interval: bool,
    by: tuple[str, ...],
    form: str,
) -> None:
    """Score a result file of `classical-qa answer selqa`: MRR with average ranks of ties, MAP
    and Accuracy@N.

    The gold is read from RESULT itself, where GOLD is not given.
    """
    if printed_tree(
        TASK,
        golds,
        run,
        interval,
        form,
        {
            **{"-q": by_question, "--ties": ties, "--at": at, "--by": by, "--mrr": mrr},
            "--skip-unanswerable": skip_unanswerable,
        },
    ):
        return
    # The result file of SelQA holds the gold ([SelQA-Challenge]).
    gold = run if golds in ((), (run,)) else gold_of(golds, run)
    questions = scored_questions(gold, run, skip_unanswerable).questions
    print_figures(
        questions,
        rules_shown(ties, TIES_OF_TASK),
        at or RANKS,
        by_question,
        interval,
        by,
        form,
        SKIP,
    )
    if mrr:
        scores = [question.score for question in questions]
        write_text(mrr, f"{sum(scores) / len(scores):.6f}\n")
    # Right answers as scores give an MRR of 1: most often the gold file was given in place of the
    # run.
    if gold != run and all(
        list(map(float, question.labels)) == list(question.scores) for question in questions
    ):
        warn(
            f"{run}: its scores are the labels of {gold}; expected those of "
            f"`classical-qa answer selqa`"
        )


def score(
    gold: FileName,
    run: AnyRun,
    *,
    ties: Ties | None = None,
    at: Sequence[int] = RANKS,
    interval: bool = False,
    skip_unanswerable: bool = False,
) -> Figures:
    """MRR, MAP and Accuracy@N of a result file under one rule for ties, by default under each, with
    `interval` also their 95 % bootstrap intervals, with `skip_unanswerable` over the questions that
    have a right candidate. Raises UserError for what the command refuses, and for a result as its
    own gold."""
    read = partial(scored_questions, skip_unanswerable=skip_unanswerable)
    return ranked_figures(TASK, read, gold, run, ties, TIES_OF_TASK, at, interval, SKIP)


def scored_questions(gold: Path, result: RunFile, skip_unanswerable: bool) -> Reported:
    """The questions of `report_questions`, with `skip_unanswerable` only those with a right
    candidate. Raises UserError without any such."""
    reported = report_questions(gold, result)
    if not skip_unanswerable:
        return reported
    answerable = [question for question in reported.questions if any(question.labels)]
    if not answerable:
        raise UserError(f"{gold}: no question has a right candidate; leave out --skip-unanswerable")
    left_out = len(reported.questions) - len(answerable)
    info(f"left out, without a right candidate: {left_out} of {len(reported.questions)} questions")
    return reported._replace(questions=answerable)


def is_result(path: Path) -> bool:
    """Whether a file is a result of `classical-qa answer selqa` with the gold in it."""
    from answerer.formats import ranked_results

    try:
        read, _ = ranked_results.read_results(path)
    except UserError:
        return False
    return all(entry.gold is not None for entry in read.lists)


def report_questions(gold: Path, result: RunFile) -> Reported:
    """Reads the questions of a result file (JSON, or WikiQA and TrecQA rows with a last column of
    scores).

    `gold` may be the result file itself, which contains the gold. Raises UserError for a question
    without results or gold, and if the two files have different questions or sentences.
    """
    from answerer.formats import ranked_results
    from retriever.question_types import english_type

    read, scores = ranked_results.read_results(result)
    # A result file repeats the labels of its input, and so is its own gold.
    right = read if gold == result else read_sentence_file(gold)
    # Blanks aside: a result file may have been written by another program.
    ours, theirs = (
        [[text.split() for text in (entry.question, *entry.candidates)] for entry in file.lists]
        for file in (read, right)
    )
    if ours != theirs:
        raise UserError(
            f"{result}: other questions or sentences than in {gold}; expected a result of that file"
        )
    if any(entry.gold is None for entry in right.lists):
        raise UserError(f"{gold}: no gold; expected labels in the file")
    warn_of_labels(right.warnings)
    questions = []
    for number, (entry, of_question) in enumerate(zip(right.lists, scores, strict=True), 1):
        kinds = {**entry.kinds, "asks for": english_type(entry.question).name}
        questions.append(ranked_question(number, entry, of_question, kinds, "average"))
    return Reported("reciprocal rank", questions)


def pool_items(gold: Path, run: Path) -> Iterator[tuple[str, list[PoolItem]]]:
    """Yields each question's id with its candidates as a run ranks them, best first, equal scores
    in file order (`pooled_candidates`)."""
    yield from pooled_candidates(
        read_sentence_file(gold).lists, report_questions(gold, run).questions
    )


def asked_in(path: Path, gold: bool) -> frozenset[str]:
    """The questions of a gold file (only those with labels) or a result file, each after the number
    of its candidates. Raises UserError for any other file."""
    lists = read_sentence_file(path, scored=not gold).lists
    return frozenset(
        f"{len(entry.candidates)} {entry.question}"
        for entry in lists
        if not gold or entry.gold is not None
    )


def gold(path: Path, _language: Language | None) -> Iterator[ReportedQuestion]:
    """Yields the right candidates of each question (`right_candidates`)."""
    yield from right_candidates(read_sentence_file, path)
