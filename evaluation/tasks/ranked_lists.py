"""What the evaluation of ranked candidates shares: options, figures by rule for ties, by question and by type."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

import click

from evaluation.measures.ranking import (
    TIES,
    Ties,
    accuracy_at,
    average_precision,
    chance_reciprocal_rank,
    reciprocal_rank,
)
from evaluation.overview.arguments import gold_and_run
from evaluation.significance import estimate
from evaluation.tables import TREC_EVAL, Rows, Tables, measures_format_option, print_rows
from evaluation.tasks.reported import Reported, ReportedQuestion
from indexer.cli.parameters import SEED, TEXT
from indexer.files.errors import UserError
from indexer.files.talk import warn
from indexer.formats.labels import whole


class Ranked(NamedTuple):
    """A question's candidates with scores and gold; `kinds`: name of a division of the questions → its class."""

    question: str
    scores: Sequence[float]
    gold: Sequence[bool]
    kinds: Mapping[str, str]


Read = Callable[[Path, Path], list[Ranked]]
"""Reads gold and a run: the questions of the one with the scores of the other."""


class Shown(NamedTuple):
    """What is to be printed: the options that all tasks of this kind have."""

    ties: Ties | None
    at: tuple[int, ...]
    by_question: bool
    interval: bool
    seed: int
    format: str


def at_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """--at N,N: the ranks of Accuracy@N, to be read by `ranks`."""
    return click.option("--at", type=TEXT, default="1,3,5", metavar="N,N", help="Ranks of Accuracy@N [1,3,5].")(command)


def ranks(at: str) -> tuple[int, ...]:
    """The ranks that --at names. UserError where it is not a list of whole numbers above 0."""
    numbers = tuple(whole(number.strip()) or 0 for number in at.split(","))
    if not all(numbers):
        raise UserError(f"--at {at}: expected ranks such as 1,3,5")
    return numbers


def ranked_options(default: Ties) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """--ties, --at, -q, --interval, --seed and --format, checked and handed to the command as `options`, a `Shown`."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def with_options(ties: Ties | None, at: str, **others: Any) -> Any:
            chosen = {name: others.pop(name) for name in ("by_question", "interval", "seed", "format")}
            return command(**others, options=Shown(ties, ranks(at), **chosen))

        checked: Callable[..., Any] = with_options
        for option in (
            measures_format_option,
            click.option("--seed", type=SEED, default=0, help="Seed of the bootstrap [0]."),
            click.option("--interval", is_flag=True, help="95 % bootstrap intervals over the questions."),
            click.option("-q", "by_question", is_flag=True, help="One row a question."),
            at_option,
            click.option(
                "--ties",
                type=click.Choice(TIES),
                help=f"How equal scores are ordered [{default} first, then the others for comparison].",
            ),
        ):
            checked = option(checked)
        return checked

    return add


def measures(one: Ranked, ties: Ties, at: Sequence[int]) -> dict[str, float]:
    """Every measure of one question."""
    values = {
        "MRR": reciprocal_rank(one.scores, one.gold, ties),
        "MAP": average_precision(one.scores, one.gold, ties),
    }
    return values | {f"Accuracy@{n}": accuracy_at(n, one.scores, one.gold, ties) for n in at}


def mean(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of every measure; an empty mapping without rows."""
    return {name: sum(row[name] for row in rows) / len(rows) for name in rows[0]} if rows else {}


def ranked_command(name: str, ranked: Read, default: Ties, text: str, example: str) -> click.Command:
    """`evaluation TASK GOLD SCORES` of a task whose candidates are in the gold; `text` is the help."""

    @click.command("command", help=text, epilog=f"Example: python -m evaluation {name} {example}")
    @gold_and_run(name, ("GOLD", "SCORES"))
    @ranked_options(default)
    def command(gold: Path, run: Path, options: Shown) -> None:
        report(ranked(gold, run), options, default)

    return command


def tables_by(ranked: Read, default: Ties) -> Callable[..., Tables]:
    """The figures of a run: the `tables` of a task."""

    def tables(gold: Path, run: Path, ties: Ties | None, at: str, interval: bool, seed: int) -> Tables:
        shown = Shown(ties, ranks(at), False, interval, seed, "table")
        return ranked_tables(ranked(gold, run), shown, default)

    return tables


def reported_by(ranked: Read, default: Ties) -> Callable[[Path, Path], Reported]:
    """What the report shows of every question, by its number in the file: the `reported` of a task."""

    def reported(gold: Path, run: Path) -> Reported:
        questions = [
            ReportedQuestion(
                str(number),
                reciprocal_rank(one.scores, one.gold, default),
                gold_ids=frozenset(str(place) for place, right in enumerate(one.gold) if right),
                text=one.question,
                chance=chance_reciprocal_rank(len(one.gold), sum(map(bool, one.gold))),
                kinds=one.kinds,
            )
            for number, one in enumerate(ranked(gold, run), 1)
        ]
        return Reported("reciprocal rank", questions)

    return reported


def report(ranked: Sequence[Ranked], options: Shown, default: Ties) -> None:
    """Print the figures: of all questions under each rule, then by type of question under the first.

    Questions without gold count 0 and are named on stderr, as are lists of nothing but gold.
    """
    found = ranked_tables(ranked, options, default)
    if options.format == TREC_EVAL:
        print_rows(_trec_eval_rows(ranked, _rules(options, default)[0], options), options.format)
    else:
        print_rows(found.by_question() if options.by_question else found.summary(), options.format)


def ranked_tables(ranked: Sequence[Ranked], options: Shown, default: Ties) -> Tables:
    """The figures as `report` says them."""
    without = sum(not any(one.gold) for one in ranked)
    if without:
        warn(f"{without} of {len(ranked)} questions have no right candidate: they count 0")
    rules = _rules(options, default)

    def summary() -> Rows:
        rows = [_row("all", "", ranked, rule, options) for rule in rules]
        for division in dict.fromkeys(name for one in ranked for name in one.kinds):
            for value in sorted({one.kinds.get(division, "") for one in ranked} - {""}):
                chosen = [one for one in ranked if one.kinds.get(division) == value]
                rows.append(_row(division, value, chosen, rules[0], options))
        return rows

    return Tables(summary, lambda: [_question_row(one, rules[0], options.at) for one in ranked])


def _rules(options: Shown, default: Ties) -> list[Ties]:
    """The rules for ties, that which counts first."""
    return [options.ties] if options.ties else [default, *(rule for rule in TIES if rule != default)]


def _row(group: str, value: str, ranked: Sequence[Ranked], ties: Ties, options: Shown) -> dict[str, object]:
    each = [measures(one, ties, options.at) for one in ranked]
    row: dict[str, object] = {"group": group, "value": value, "ties": ties, "questions": len(ranked)}
    if not options.interval:
        return row | mean(each)
    for name in each[0]:
        own = estimate([one[name] for one in each], options.seed)
        row |= {name: own.mean, f"{name} low": own.low, f"{name} high": own.high}
    return row


def _trec_eval_rows(ranked: Sequence[Ranked], ties: Ties, options: Shown) -> list[dict[str, object]]:
    """One rule for ties, no classes of questions; these are named by their numbers, as `export` names them."""
    if not options.by_question:
        return [_row("all", "", ranked, ties, options)]
    return [{"id": str(number), **measures(one, ties, options.at)} for number, one in enumerate(ranked, 1)]


def _question_row(one: Ranked, ties: Ties, at: Sequence[int]) -> dict[str, object]:
    counts = {"candidates": len(one.scores), "gold": sum(map(bool, one.gold))}
    return {"question": one.question, **one.kinds, "ties": ties, **counts, **measures(one, ties, at)}
