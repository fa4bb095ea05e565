"""What the evaluation of ranked candidates shares: options, figures by rule for ties, by question and by type."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import click

from evaluation.measures.ranking import TIES, Ties, accuracy_at, average_precision, reciprocal_rank
from evaluation.significance import estimate
from evaluation.tables import format_option, print_rows
from indexer.files.errors import UserError


class Ranked(NamedTuple):
    """A question's candidates with scores and gold; `kinds`: name of a division of the questions → its class."""

    question: str
    scores: Sequence[float]
    gold: Sequence[bool]
    kinds: Mapping[str, str]


class Shown(NamedTuple):
    """What is to be printed: the options that all tasks of this kind have."""

    ties: Ties | None
    at: tuple[int, ...]
    by_question: bool
    interval: bool
    seed: int
    form: str


def ranked_options(default: Ties) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """--ties, --at, -q, --interval, --seed and --format."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in (
            format_option,
            click.option("--seed", type=int, default=0, help="Seed of the bootstrap [0]."),
            click.option("--interval", is_flag=True, help="95 % bootstrap intervals over the questions."),
            click.option("-q", "by_question", is_flag=True, help="One row a question."),
            click.option("--at", default="1,3,5", metavar="N,N", help="Ranks of Accuracy@N [1,3,5]."),
            click.option(
                "--ties",
                type=click.Choice(TIES),
                help=f"How equal scores are ordered [{default} first, then the others for comparison].",
            ),
        ):
            command = option(command)
        return command

    return add


def shown(ties: str | None, at: str, by_question: bool, interval: bool, seed: int, form: str) -> Shown:
    """The options, checked. UserError where --at is no list of whole numbers above 0."""
    numbers = [number.strip() for number in at.split(",")]
    if not all(number.isdecimal() and int(number) > 0 for number in numbers):
        raise UserError(f"--at {at}: expected ranks such as 1,3,5")
    rule = next((known for known in TIES if known == ties), None)
    return Shown(rule, tuple(int(number) for number in numbers), by_question, interval, seed, form)


def measures(one: Ranked, ties: Ties, at: Sequence[int]) -> dict[str, float]:
    """Every measure of one question."""
    found = {
        "MRR": reciprocal_rank(one.scores, one.gold, ties),
        "MAP": average_precision(one.scores, one.gold, ties),
    }
    return found | {f"Accuracy@{n}": accuracy_at(n, one.scores, one.gold, ties) for n in at}


def mean(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of every measure; no rows give none."""
    return {name: sum(row[name] for row in rows) / len(rows) for name in rows[0]} if rows else {}


def report(ranked: Sequence[Ranked], options: Shown, default: Ties) -> None:
    """Print the figures: of all questions under each rule, then by type of question under the first.

    Questions without gold count 0 and are named on stderr, as are lists of nothing but gold.
    """
    without = sum(not any(one.gold) for one in ranked)
    if without:
        click.echo(f"{without} of {len(ranked)} questions have no right candidate: they count 0", err=True)
    rules = [options.ties] if options.ties else [default, *(rule for rule in TIES if rule != default)]
    if options.by_question:
        print_rows([_question_row(one, rules[0], options.at) for one in ranked], options.form)
        return
    rows = [_row("all", "", ranked, rule, options) for rule in rules]
    for division in dict.fromkeys(name for one in ranked for name in one.kinds):
        for value in sorted({one.kinds.get(division, "") for one in ranked} - {""}):
            chosen = [one for one in ranked if one.kinds.get(division) == value]
            rows.append(_row(division, value, chosen, rules[0], options))
    print_rows(rows, options.form)


def _row(group: str, value: str, ranked: Sequence[Ranked], ties: Ties, options: Shown) -> dict[str, object]:
    each = [measures(one, ties, options.at) for one in ranked]
    row: dict[str, object] = {"group": group, "value": value, "ties": ties, "questions": len(ranked)}
    if not options.interval:
        return row | mean(each)
    for name in each[0]:
        own = estimate([one[name] for one in each], options.seed)
        row |= {name: own.mean, f"{name} low": own.low, f"{name} high": own.high}
    return row


def _question_row(one: Ranked, ties: Ties, at: Sequence[int]) -> dict[str, object]:
    counts = {"candidates": len(one.scores), "gold": sum(map(bool, one.gold))}
    return {"question": one.question, **one.kinds, "ties": ties, **counts, **measures(one, ties, at)}
