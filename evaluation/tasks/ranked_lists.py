"""What the scorings of ranked candidates share: measures under each rule for ties, their rows, and
files of scores line by line ([NLPCC2017])."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from evaluation.contract import Figures, PoolItem
from evaluation.measures.ranking import TIES, Ties, accuracy_at, average_precision, reciprocal_rank
from evaluation.options import (
    by_option,
    format_option,
    interval_option,
    refuse_by_question,
    scored_files_arguments,
)
from evaluation.runs import RunFile, gold_of, scored_files
from evaluation.significance import estimate
from evaluation.tables import print_rows, rows_of_groups
from evaluation.tasks.results import Reported, ReportedQuestion, printed_tree, question_classes
from indexer.cli.types import Command
from indexer.files.errors import UserError
from indexer.files.messages import warn
from indexer.files.validation import FileName, validate_choice, validate_count
from indexer.formats.labels import CandidateList, warn_of_labels
from indexer.formats.selqa import SelqaFile
from indexer.formats.sentence_rows import RowFile

if TYPE_CHECKING:
    from evaluation.runs import AnyRun

Function = TypeVar("Function", bound=Callable[..., Any])

RANKS = (1, 3, 5)
"""The N of Accuracy@N where none are chosen."""


class Ranks(click.ParamType[tuple[int, ...]]):
    """Ranks as the user writes them, with commas: `1,2,7`; sorted, each once."""

    name = "ranks"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """What help shows for a value."""
        return "N,N…"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """The ranks; fails for anything but whole numbers from 1 of at most nine digits."""
        if isinstance(value, tuple):
            return ranks_of(value)
        parts = [part.strip() for part in str(value).split(",")]
        if not all(re.fullmatch("0*[1-9][0-9]{0,8}", part) for part in parts):
            self.fail(f"{value!r}: expected whole numbers from 1, such as 1,2,7", param, ctx)
        return ranks_of(map(int, parts))


def ranks_of(ranks: Iterable[int]) -> tuple[int, ...]:
    """The N of Accuracy@N, sorted, each once. Raises UserError for none, and for anything but whole
    numbers from 1."""
    if not isinstance(ranks, Iterable) or not (ranks := tuple(ranks)):
        raise UserError(f"at: {ranks!r}; expected whole numbers from 1, such as 1, 2, 7")
    return tuple(sorted({validate_count(rank, "at") for rank in ranks}))


at_option = click.option(
    "--at", type=Ranks(), help=f"The N of Accuracy@N [{','.join(map(str, RANKS))}]."
)
"""Adds the option of the tasks that measure Accuracy@N; None where it is not given."""


def measures(question: ReportedQuestion, ties: Ties, at: Sequence[int]) -> dict[str, float]:
    """MRR, MAP and, for the N of `at`, Accuracy@N of one question, name → value, under a rule for
    ties."""
    scores, labels = question.scores, question.labels
    values = {
        "MRR": reciprocal_rank(scores, labels, ties),
        "MAP": average_precision(scores, labels, ties),
    }
    return values | {f"Accuracy@{n}": accuracy_at(n, scores, labels, ties) for n in at}


def ranked_question(
    number: int, entry: CandidateList, scores: Sequence[float], kinds: Mapping[str, str], ties: Ties
) -> ReportedQuestion:
    """The question of an entry of the file, called by its number, with its candidates' scores and
    labels, scored by reciprocal rank; its chance is that of equal scores."""
    labels = entry.gold or ()
    name, score = str(number), reciprocal_rank(scores, labels, ties)
    right = frozenset(str(position) for position, is_right in enumerate(labels) if is_right)
    chance = reciprocal_rank([0.0] * len(labels), labels, "expected")
    return ReportedQuestion(
        name,
        score,
        gold_ids=right,
        text=entry.question,
        chance=chance,
        kinds=kinds,
        scores=scores,
        labels=labels,
    )


def ties_option(default: Ties) -> Callable[[Function], Function]:
    """Adds --ties, passed as `ties` (None if it is not used); its help names `default`, the rule of
    the task's score."""
    return click.option(
        "--ties",
        type=click.Choice(TIES),
        help=f"How equal scores are ordered [{default}; --by ties shows all].",
    )


def print_figures(
    questions: Sequence[ReportedQuestion],
    rules: Sequence[Ties],
    at: Sequence[int],
    by_question: bool,
    interval: bool,
    by: Sequence[str],
    form: str,
    remedy: str = "",
) -> None:
    """Prints the rows of a run in a form of `print_rows`, of the groups `by` as `rows_of_groups`
    says: the rows of further rules for ties are the group `ties`.

    With `by_question` the rows of its questions under the first rule. Warns as `warn_of_gold` does;
    raises UserError for `by_question` together with `by` or `interval`.
    """
    refuse_by_question(by_question, interval, by)
    warn_of_gold(questions, remedy)
    if by_question:
        print_rows(question_rows(questions, rules[0], at), form)
        return
    rows = [
        (str(row["group"]) if row["ties"] == rules[0] else "ties", row)
        for row in rule_rows(questions, rules, at, interval)
    ]
    print_rows(rows_of_groups(rows, by, form), form)


def ranked_figures(
    task: str,
    report_questions: Callable[[Path, RunFile], Reported],
    gold: FileName,
    run: AnyRun,
    ties: Ties | None,
    default: Ties,
    at: Sequence[int],
    interval: bool,
    remedy: str = "",
) -> Figures:
    """The rows of a run for Python, under the rule `ties`, by default under each, the task's
    `default` first; warns as `warn_of_gold` does. Raises UserError for an unknown rule, and for
    what `scored_files` and `report_questions` refuse."""
    if ties is not None:
        validate_choice(ties, TIES, "ties")
    gold_path, run_path, _ = scored_files(task, gold, run)
    questions = report_questions(gold_path, run_path).questions
    rules, ranks = rules_shown(ties, default), ranks_of(at)
    warn_of_gold(questions, remedy)
    return Figures(
        task,
        rule_rows(questions, rules, ranks, interval),
        question_rows(questions, rules[0], ranks),
    )


def rules_shown(ties: Ties | None, default: Ties) -> list[Ties]:
    """The rules for ties by which a run is scored: the one asked for, else all, the `default`
    first."""
    # Scorers differ in how they order equal scores, and runs of few features have many: all
    # rules are shown.
    return [ties] if ties else [default, *(rule for rule in TIES if rule != default)]


def warn_of_gold(questions: Sequence[ReportedQuestion], remedy: str = "") -> None:
    """Warns of questions without a right candidate, which count 0, with the `remedy`, what to do
    about them; else of gold in which every candidate is right."""
    without = sum(not any(question.labels) for question in questions)
    # The mean is over all questions of the gold: one that no run can answer lowers every run
    # alike.
    if without:
        then = f"; {remedy}" if remedy else ""
        warn(f"no right candidate, which counts 0: {without} of {len(questions)} questions{then}")
    elif all(all(question.labels) for question in questions):
        warn("every candidate of every question is right: any order has the highest score")


def rule_rows(
    questions: Sequence[ReportedQuestion],
    rules: Sequence[Ties],
    at: Sequence[int],
    interval: bool,
) -> list[dict[str, object]]:
    """The means of the measures over all questions, a row for each rule for ties, then under the
    first rule over the questions of each class; with the number of questions, and with `interval`
    the bounds of each mean's 95 % bootstrap interval."""
    every, *classes = question_classes(questions)
    rows: list[dict[str, object]] = []
    for (group, value, members), rule in [
        *((every, rule) for rule in rules),
        *((question_class, rules[0]) for question_class in classes),
    ]:
        row: dict[str, object] = {
            "group": group,
            "value": value,
            "ties": rule,
            "questions": len(members),
        }
        by_question = [measures(question, rule, at) for question in members]
        for name in dict.fromkeys(name for scores in by_question for name in scores):
            values = [scores[name] for scores in by_question]
            row[name] = sum(values) / len(values)
            if interval:
                mean = estimate(values)
                row |= {name: mean.mean, f"{name} low": mean.low, f"{name} high": mean.high}
        rows.append(row)
    return rows


def question_rows(
    questions: Sequence[ReportedQuestion], ties: Ties, at: Sequence[int]
) -> list[dict[str, object]]:
    """A row for each question: its text, classes, the rule for ties, the numbers of its candidates
    and of the right ones, and its measures under that rule."""
    rows = []
    for question in questions:
        counts = {"candidates": len(question.scores), "gold": sum(map(bool, question.labels))}
        fields = {"question": question.text, **question.kinds, "ties": ties}
        rows.append({**fields, **counts, **measures(question, ties, at)})
    return rows


def right_candidates(
    read: Callable[[Path], RowFile | SelqaFile], path: Path
) -> Iterator[ReportedQuestion]:
    """Yields the right candidates of each question of a file with labels, which `read` reads;
    questions are called by their numbers (from 1), candidates by their positions (from 0)."""
    for number, entry in enumerate(read(path).lists, 1):
        right = frozenset(
            str(position) for position, is_right in enumerate(entry.gold or ()) if is_right
        )
        yield ReportedQuestion(str(number), gold_ids=right, text=entry.question)


def pooled_candidates(
    lists: Sequence[CandidateList], questions: Sequence[ReportedQuestion]
) -> Iterator[tuple[str, list[PoolItem]]]:
    """Yields each question's id with its candidates as a run ranks them, equal scores in file
    order; each has the question's text and its place among the candidates in the file (from 1)."""
    for entry, question in zip(lists, questions, strict=True):
        yield (
            question.question_id,
            [
                PoolItem(
                    entry.candidates[position],
                    {"asked": entry.question, "candidate": position + 1},
                    key=str(position),
                    order=(position,),
                )
                for position in question.ranking
            ],
        )


# DBQA and TBQA: a score for each line of the gold.

FILE_ORDER: Ties = "file"
"""The rule for ties of these tasks: as the official program orders equal scores."""


def lines_command(
    task: str, what: str, example: str, report_questions: Callable[[Path, RunFile], Reported]
) -> click.Command:
    """The command that scores a file of scores of a task against a file with labels, called `what`
    in its help."""

    @click.command(
        cls=Command,
        example=example,
        help=f"Score SCORES, one number a line, against a {what} file with labels: MRR, MAP and "
        "Accuracy@N.",
    )
    @scored_files_arguments("GOLD...", "SCORES|TREE")
    @ties_option(FILE_ORDER)
    @at_option
    @interval_option("questions")
    @by_option("ties", "asks-for")
    @format_option
    def command(
        golds: tuple[Path, ...],
        run: Path,
        by_question: bool,
        ties: Ties | None,
        at: tuple[int, ...] | None,
        interval: bool,
        by: tuple[str, ...],
        form: str,
    ) -> None:
        for_one_run = {"-q": by_question, "--ties": ties, "--at": at, "--by": by}
        if printed_tree(task, golds, run, interval, form, for_one_run):
            return
        questions = report_questions(gold_of(golds, run), run).questions
        rules = rules_shown(ties, FILE_ORDER)
        print_figures(questions, rules, at or RANKS, by_question, interval, by, form)

    return command


def report_lines(
    read: Callable[[Path], RowFile], chinese: bool, gold: Path, run: RunFile
) -> Reported:
    """Reads a labelled file with the scores of a run, one on each line; `read` reads the labelled
    file.

    Questions are typed as Chinese or as English, and scored by reciprocal rank in file order. Warns
    of odd labels. Raises UserError if the two files do not fit together, or without labels.
    """
    from answerer.formats.ranked_results import read_scores
    from retriever.question_types import chinese_type, english_type

    file, type_of = read(gold), chinese_type if chinese else english_type
    if any(entry.gold is None for entry in file.lists):
        raise UserError(f"{gold}: no labels; expected a file with gold")
    warn_of_labels(file.warnings)
    # Places follow the lists one after another; rows of a question need not be adjacent in the
    # file.
    scores = iter(read_scores(run, len(file.positions), gold)[file.positions].tolist())
    questions = []
    for number, entry in enumerate(file.lists, 1):
        of_question = [next(scores) for _ in entry.candidates]
        kinds = {"asks for": type_of(entry.question).name}
        questions.append(ranked_question(number, entry, of_question, kinds, "file"))
    return Reported("reciprocal rank", questions)


def lines_in(path: Path, gold: bool, read: Callable[[Path], RowFile]) -> frozenset[str]:
    """A single `N lines`: the length of a labelled file (`gold`) or of a file of scores, the only
    thing that these have in common."""
    from answerer.formats.ranked_results import read_scores

    return frozenset([f"{len(read(path).positions) if gold else len(read_scores(path))} lines"])
