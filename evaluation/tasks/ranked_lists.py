"""Scoring of ranked candidates, shared by DBQA, TBQA and SelQA: options, figures by rule for ties and by type."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from evaluation.measures.ranking import (
    TIES,
    Ties,
    accuracy_at,
    average_precision,
    chance_reciprocal_rank,
    reciprocal_rank,
)
from evaluation.registry import GoldAnswer
from evaluation.significance import estimate
from evaluation.tables import Rows, Tables
from evaluation.tasks.results import Reported, ReportedQuestion
from indexer.files.errors import UserError
from indexer.files.messages import warn
from indexer.formats.labels import whole
from indexer.parameters import TEXT, OneOf, Parameter, option


class Ranked(NamedTuple):
    """A question's candidates with scores and gold; `kinds`: name of a division of the questions → its class."""

    question: str
    scores: Sequence[float]
    gold: Sequence[bool]
    kinds: Mapping[str, str]


Read = Callable[[Path, Path], list[Ranked]]
"""Reads gold and a run into the gold's questions with the run's scores."""


at_option = option("--at", type=TEXT, default="1,3,5", metavar="N,N", help="Ranks of Accuracy@N [1,3,5].")


def ranks(at: str) -> tuple[int, ...]:
    """Parses the ranks of --at. Raises UserError if they are not a list of whole numbers above 0."""
    numbers = tuple(whole(number.strip()) or 0 for number in at.split(","))
    if not all(numbers):
        raise UserError(f"--at {at}: expected ranks such as 1,3,5")
    return numbers


def ties_option(default: Ties) -> Parameter:
    """Adds --ties RULE; without it all rules are shown, the default first."""
    return option(
        "--ties",
        type=OneOf(TIES),
        help=f"How equal scores are ordered [{default} first, then the others for comparison].",
    )


def measures(one: Ranked, ties: Ties, at: Sequence[int]) -> dict[str, float]:
    """MRR, MAP and Accuracy@N of one question."""
    values = {"MRR": reciprocal_rank(one.scores, one.gold, ties), "MAP": average_precision(one.scores, one.gold, ties)}
    return values | {f"Accuracy@{n}": accuracy_at(n, one.scores, one.gold, ties) for n in at}


def mean(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of every measure; an empty mapping without rows."""
    return {name: sum(row[name] for row in rows) / len(rows) for name in rows[0]} if rows else {}


def tables_by(ranked: Read, default: Ties) -> Callable[..., Tables]:
    """Builds the `tables` of a task: all questions under each rule for ties, then by type of question under the first.

    These count questions without gold 0 and warn of them, and of gold in which every candidate is right.
    """

    def tables(gold: Path, run: Path, ties: Ties | None, at: str, interval: bool) -> Tables:
        cutoffs = ranks(at)
        lists = ranked(gold, run)
        without = sum(not any(one.gold) for one in lists)
        if without:
            warn(f"{without} of {len(lists)} questions have no right candidate: they count 0")
        elif all(all(one.gold) for one in lists):
            warn("every candidate of every question is right: any order has the highest score")
        rules = [ties] if ties else [default, *(rule for rule in TIES if rule != default)]

        def summary() -> Rows:
            rows = [_row("all", "", lists, rule, cutoffs, interval) for rule in rules]
            for division in dict.fromkeys(name for one in lists for name in one.kinds):
                for value in sorted({one.kinds.get(division, "") for one in lists} - {""}):
                    chosen = [one for one in lists if one.kinds.get(division) == value]
                    rows.append(_row(division, value, chosen, rules[0], cutoffs, interval))
            return rows

        def trec_eval(by_question: bool) -> Rows:
            """The rows for trec_eval: one rule for ties, no types; questions are named by number, as in `export`."""
            if not by_question:
                return [_row("all", "", lists, rules[0], cutoffs, interval)]
            return [{"id": str(number), **measures(one, rules[0], cutoffs)} for number, one in enumerate(lists, 1)]

        return Tables(summary, lambda: [_question_row(one, rules[0], cutoffs) for one in lists], trec_eval, lists)

    return tables


def reported_by(ranked: Read, default: Ties) -> Callable[[Path, Path], Reported]:
    """Builds the `reported` of a task: every question by its number in the file, scored by reciprocal rank."""

    def report_questions(gold: Path, run: Path) -> Reported:
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

    return report_questions


def ranked_gold(lists: Iterable[tuple[str, Sequence[bool]]]) -> Iterator[GoldAnswer]:
    """Yields the right candidates of each question; ids are positions, of questions from 1, of candidates from 0."""
    for number, (question, marks) in enumerate(lists, 1):
        right = frozenset(str(place) for place, is_right in enumerate(marks) if is_right)
        yield GoldAnswer(str(number), candidate_ids=right, asked=question)


def _row(
    group: str, value: str, ranked: Sequence[Ranked], ties: Ties, at: Sequence[int], interval: bool
) -> dict[str, object]:
    """The means of a group of questions under one rule for ties."""
    each = [measures(one, ties, at) for one in ranked]
    row: dict[str, object] = {"group": group, "value": value, "ties": ties, "questions": len(ranked)}
    if not interval:
        return row | mean(each)
    for name in each[0]:
        own = estimate([one[name] for one in each])
        row |= {name: own.mean, f"{name} low": own.low, f"{name} high": own.high}
    return row


def _question_row(one: Ranked, ties: Ties, at: Sequence[int]) -> dict[str, object]:
    counts = {"candidates": len(one.scores), "gold": sum(map(bool, one.gold))}
    return {"question": one.question, **one.kinds, "ties": ties, **counts, **measures(one, ties, at)}
