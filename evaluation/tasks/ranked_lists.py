"""Scoring of ranked candidates, shared by DBQA, TBQA and SelQA: options, figures by rule for ties and by type."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from evaluation.measures.ranking import (
    TIES,
    Ties,
    accuracy_at,
    average_precision,
    chance_reciprocal_rank,
    reciprocal_rank,
)
from evaluation.registry import GoldAnswer, Scoring
from evaluation.score_command import score_command
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


at_option = option("--at", type=TEXT, default="1,3,5", metavar="N,N", help="Ranks of Accuracy@N [1,3,5].")


def ranks(at: str) -> tuple[int, ...]:
    """Parses the ranks of --at. Raises UserError if they are not a list of whole numbers above 0."""
    numbers = tuple(whole(number.strip()) or 0 for number in at.split(","))
    if not all(numbers):
        raise UserError(f"--at {at}: expected ranks such as 1,3,5")
    return numbers


def measures(one: Ranked, ties: Ties, at: Sequence[int]) -> dict[str, float]:
    """MRR, MAP and Accuracy@N of one question."""
    values = {"MRR": reciprocal_rank(one.scores, one.gold, ties), "MAP": average_precision(one.scores, one.gold, ties)}
    return values | {f"Accuracy@{n}": accuracy_at(n, one.scores, one.gold, ties) for n in at}


def ranked_scoring(
    name: str,
    ranked: Callable[[Path, Path], list[Ranked]],
    asked_in: Callable[..., frozenset[str]],
    default: Ties,
    text: str,
    example: str,
    *options: Parameter,
    **arguments: Any,
) -> Scoring:
    """Builds the scoring of a task that ranks given candidates; `ranked` reads gold and a run.

    `default` is the rule for ties of the task's own scorer: all questions are shown under each rule, it first, types of
    question under it alone. Questions without gold count 0, with a warning; another names gold in which every candidate
    is right. `text`, `example`, `options` and `arguments` are those of `score_command`.
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

        def group(kind: str, value: str, chosen: Sequence[Ranked], rule: Ties) -> dict[str, object]:
            """The means of a group of questions under one rule for ties."""
            each = [measures(one, rule, cutoffs) for one in chosen]
            row: dict[str, object] = {"group": kind, "value": value, "ties": rule, "questions": len(chosen)}
            for measure in each[0] if each else ():
                values = [one[measure] for one in each]
                if interval:
                    bounds = estimate(values)
                    row |= {measure: bounds.mean, f"{measure} low": bounds.low, f"{measure} high": bounds.high}
                else:
                    row[measure] = sum(values) / len(values)
            return row

        def summary() -> Rows:
            rows = [group("all", "", lists, rule) for rule in rules]
            for division in dict.fromkeys(kind for one in lists for kind in one.kinds):
                for value in sorted({one.kinds.get(division, "") for one in lists} - {""}):
                    chosen = [one for one in lists if one.kinds.get(division) == value]
                    rows.append(group(division, value, chosen, rules[0]))
            return rows

        def by_question() -> Rows:
            return [
                {
                    "question": one.question,
                    **one.kinds,
                    "ties": rules[0],
                    "candidates": len(one.scores),
                    "gold": sum(map(bool, one.gold)),
                    **measures(one, rules[0], cutoffs),
                }
                for one in lists
            ]

        def trec_eval(each: bool) -> Rows:
            """The rows for trec_eval: one rule for ties, no types; questions are named by number, as in `export`."""
            if not each:
                return [group("all", "", lists, rules[0])]
            return [{"id": str(number), **measures(one, rules[0], cutoffs)} for number, one in enumerate(lists, 1)]

        return Tables(summary, by_question, trec_eval, lists)

    def report_questions(gold: Path, run: Path) -> Reported:
        """Every question by its number in the file, scored by reciprocal rank."""
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

    ties_option = option(
        "--ties",
        type=OneOf(TIES),
        help=f"How equal scores are ordered [{default} first, then the others for comparison].",
    )
    command = score_command(name, tables, text, example, *options, ties_option, at_option, **arguments)
    return Scoring(command=command, reported=report_questions, tables=tables, asked_in=asked_in, ranked=ranked)


def ranked_gold(lists: Iterable[tuple[str, Sequence[bool]]]) -> Iterator[GoldAnswer]:
    """Yields the right candidates of each question; ids are positions, of questions from 1, of candidates from 0."""
    for number, (question, marks) in enumerate(lists, 1):
        right = frozenset(str(place) for place, is_right in enumerate(marks) if is_right)
        yield GoldAnswer(str(number), candidate_ids=right, asked=question)
