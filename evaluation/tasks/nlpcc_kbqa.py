"""Scores NLPCC KBQA answers by the measures of the guideline, or as the official tool does
([NLPCC2017])."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from answerer.formats.nlpcc_kbqa import KbqaQuestion, read_questions
from evaluation.contract import Figures
from evaluation.measures.answer_sets import (
    PrecisionRecall,
    accuracy_at,
    precision_recall,
    reciprocal_rank,
)
from evaluation.options import (
    format_option,
    interval_option,
    refuse_by_question,
    scored_files_arguments,
)
from evaluation.runs import RunFile, check_ids, exchange_error, gold_of
from evaluation.tasks.ranked_lists import RANKS, at_option, ranks_of
from evaluation.tasks.results import (
    Reported,
    ReportedQuestion,
    measure_figures,
    print_measures,
    printed_tree,
)
from indexer.analysis.text import without_ignorable
from indexer.cli.types import Command
from indexer.files.encoding import read_beginning
from indexer.files.errors import UserError
from indexer.files.messages import counted, first_few, warn
from indexer.files.validation import FileName, validate_choice
from indexer.languages.language import Language

if TYPE_CHECKING:
    from evaluation.runs import AnyRun

TASK = "nlpcc-kbqa"
GUIDELINE: Literal["guideline"] = "guideline"
TOOL: Literal["tool"] = "tool"
Rules = Literal["guideline", "tool"]


@click.command(
    cls=Command,
    example="evaluate nlpcc-kbqa samples/kbqa-zh.txt answers.txt --rules tool",
)
@scored_files_arguments("GOLD...", "RUN|TREE")
@click.option(
    "--rules",
    type=click.Choice([GUIDELINE, TOOL]),
    default=GUIDELINE,
    help="guideline: MRR, Accuracy@N, F1 over all gold, without case; tool: as the official "
    "program [guideline].",
)
@at_option
@interval_option("questions")
@format_option
def command(
    golds: tuple[Path, ...],
    run: Path,
    by_question: bool,
    rules: Rules,
    at: tuple[int, ...] | None,
    interval: bool,
    form: str,
) -> None:
    """MRR, Accuracy@N and averaged F1 of KBQA answers against the gold."""
    if printed_tree(
        TASK,
        golds,
        run,
        interval,
        form,
        {"-q": by_question, "--rules": rules != GUIDELINE, "--at": at},
    ):
        return
    refuse_by_question(by_question, interval)
    reported = report_questions(gold_of(golds, run), run, rules, _ranks(rules, at))
    print_measures(reported, by_question, interval, form)


def score(
    gold: FileName,
    run: AnyRun,
    *,
    rules: Rules = GUIDELINE,
    at: Sequence[int] | None = None,
    interval: bool = False,
) -> Figures:
    """The figures of a run by the `rules` of the guideline, MRR, the Accuracy@N of `at` (None: 1, 3
    and 5) and F1, or of the official tool, P, R and F1 of the answered questions; with `interval`
    also their 95 % bootstrap intervals. Raises UserError for what the command refuses."""
    validate_choice(rules, (GUIDELINE, TOOL), "rules")
    report = partial(report_questions, rules=rules, at=_ranks(rules, at))
    return measure_figures(TASK, report, gold, run, interval)


def _ranks(rules: Rules, at: Sequence[int] | None) -> tuple[int, ...]:
    """The N of Accuracy@N that are chosen (None: `RANKS`). Raises UserError as `ranks_of` does, and
    for any chosen with the rules of the official tool."""
    if at is not None and rules == TOOL:
        raise UserError("at: the official tool has no Accuracy@N; leave out the rules of the tool")
    return ranks_of(RANKS if at is None else at)


def _plain(text: str) -> str:
    """Normalises a text for comparison by the guideline: lower case, white space runs as one
    blank, no characters that nobody sees."""
    return " ".join(without_ignorable(text).lower().split())


def report_questions(
    gold_path: Path, run_path: RunFile, rules: Rules = GUIDELINE, at: Sequence[int] = RANKS
) -> Reported:
    """Every gold question that has an answer line (also an empty one), in its order, with the run's
    answers, scored by F1 ([NLPCC2017]).

    By the guideline: MRR, for the N of `at` Accuracy@N, and F1, compared ignoring case and runs of
    white space; by the official tool's rules P, R and F1 of the answered questions alone, split at
    tabs only, compared verbatim. Raises UserError if gold or run have no answer lines at all, for
    both exchanged, and as `check_ids` does. Warns of empty gold and of different texts of a
    question.
    """
    golds, runs = read_questions(gold_path), read_questions(run_path)
    # Gold has the facts that answer its questions.
    of_gold, of_run = ("\n<triple" in read_beginning(path) for path in (gold_path, run_path))
    if of_run and not of_gold:
        sign = f"has no `<triple id=N>` lines as gold has, which stand in {run_path}"
        raise exchange_error(gold_path, run_path, sign)
    for path, read in ((gold_path, golds), (run_path, runs)):
        if all(question.answers is None for question in read):
            raise UserError(
                f"{path}: no block has an `<answer id=N>` line; expected questions with answers"
            )
    # A block without an answer line is not gold; an empty answer line is, and its question counts.
    scored = [gold for gold in golds if gold.answers is not None]
    answered = {question.question_id: question for question in runs if question.answers is not None}
    check_ids(
        gold_path,
        run_path,
        [gold.question_id for gold in scored],
        answered,
        without_answer={gold.question_id for gold in golds},
    )
    if empty := [gold.question_id for gold in scored if not gold.answers]:
        warn(
            f"{gold_path}: the gold is empty, so by the guideline no answer is right: "
            f"{first_few(empty)}"
        )
    # Ids are line numbers in most files: the texts show whether two files belong together.
    pairs = [(gold, answered.get(gold.question_id)) for gold in scored]
    if other := [
        gold.question_id for gold, run in pairs if run and _plain(run.text) != _plain(gold.text)
    ]:
        warn(
            f"another text in the run: {counted(len(other), 'questions')} "
            f"(the first is id {other[0]})"
        )
    questions = []
    for gold, run in pairs:
        if rules != TOOL:
            measures = _measures(gold, run, at)
        elif run:
            measures = _tool_measures(gold, run)
        # The tool averages over the questions that the run answers: one that it leaves out does not
        # count at all.
        else:
            continue
        answer = " ||| ".join(run.answers or ()) if run else ""
        question = ReportedQuestion(
            gold.question_id,
            measures["F1"],
            gold.answers or (),
            answer=answer,
            text=gold.text,
            measures=measures,
        )
        questions.append(question)
    return Reported("F1", questions)


def _tool_measures(gold: KbqaQuestion, run: KbqaQuestion) -> dict[str, float]:
    """P, R and F1 of a question as the official tool computes them; it takes empty gold for
    answered rightly."""
    # It does not strip, fold or drop repeats: what it prints is to be got here too. A trailing tab
    # adds an empty answer.
    measured = PrecisionRecall(1.0, 1.0, 1.0)
    if gold.answer_text:
        ours = (run.answer_text or "").split("\t")
        measured = precision_recall(ours, gold.answer_text.split("\t"))
    return {"P": measured.precision, "R": measured.recall, "F1": measured.f1}


def _measures(gold: KbqaQuestion, run: KbqaQuestion | None, at: Sequence[int]) -> dict[str, float]:
    """MRR, Accuracy@N for the N of `at` and F1 of a question by the guideline; repeated answers
    count once, and one that the run lacks or leaves empty scores 0."""
    right = {_plain(text) for text in gold.answers or ()}
    answers = list(dict.fromkeys(map(_plain, run.answers or ()))) if run else []
    accuracy = {f"Accuracy@{n}": accuracy_at(answers, right, n) for n in at}
    f1 = precision_recall(answers, right).f1
    return {"MRR": reciprocal_rank(answers, right), **accuracy, "F1": f1}


def asked_in(path: Path, _gold: bool) -> frozenset[str]:
    """`ID TEXT` of every question with an answer line, as ids alone are the same in every file; the
    text is `_plain`. Raises UserError for a file that `read_questions` refuses."""
    return frozenset(
        f"{question.question_id} {_plain(question.text)}"
        for question in read_questions(path)
        if question.answers is not None
    )


def gold(path: Path, _language: Language | None) -> Iterator[ReportedQuestion]:
    """Yields each block's id and right answers, none for a block without."""
    for question in read_questions(path):
        yield ReportedQuestion(question.question_id, gold=tuple(question.answers or ()))
