"""`python -m evaluation pool TASK GOLD... TREE`: what a tree of runs answers or ranks, each once,
for assessors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from evaluation.contract import PoolItem, Scoring
from evaluation.options import format_option
from evaluation.overview import GoldExam, SystemRun, score_tree
from evaluation.registry import scoring, tasks
from evaluation.tables import print_rows
from indexer.cli.types import COUNT, Command, InputFile
from indexer.files.errors import UserError
from indexer.files.messages import capture_warnings

DEPTH = 10  # of a ranking; TREC's tracks pool 10 to 100
_PRIORITY = re.compile(r"_(\d{2})$")  # at the end of a RUN_ID


class Pooled(NamedTuple):
    """An item of a pool, the number of runs that give it, and the best priority among these."""

    item: PoolItem
    runs: int
    priority: int


def priority_of(run: SystemRun) -> int:
    """The best (lowest) priority of a run's files: the two digits at the end of a name
    (`…_TEAM_TYPE_01`); 1 if no name has them."""
    matches = [_PRIORITY.search(path.stem) for path in run.results.values()]
    return min((int(match[1]) for match in matches if match), default=1)


def pool(runs: Sequence[tuple[int, Sequence[PoolItem]]]) -> list[Pooled]:
    """The different items of runs, as (priority, items), on one question, sorted by their `order`,
    equal ones by priority (lower numbers first).

    Items with the same `key`, or without one the same answer but for case and blanks, are one, in
    the first wording. Empty answers are left out.
    """
    answers: dict[str, Pooled] = {}
    for priority, items in sorted(runs, key=lambda run: run[0]):
        of_run: dict[str, PoolItem] = {}
        for item in items:
            if item.answer.strip():
                key = item.key or " ".join(item.answer.casefold().split())
                of_run.setdefault(key, item)
        for key, item in of_run.items():
            before = answers.get(key, Pooled(item, 0, priority))
            answers[key] = before._replace(runs=before.runs + 1)
    return sorted(answers.values(), key=lambda pooled: pooled.item.order)


def items_of(
    task: Scoring, exam: GoldExam, run: SystemRun, depth: int
) -> Iterator[tuple[str, Sequence[PoolItem]]]:
    """Yields the id of each question of an exam, and what assessors judge of a run that was scored:
    the first `depth` of its ranking, or its answer ("" too). Raises KeyError for an exam that the
    run lacks."""
    pool_items = getattr(task, "pool_items", None)
    if pool_items is None:
        for question in run.exams[exam.name].questions:
            yield question.question_id, [PoolItem(question.answer)]
        return
    with capture_warnings():  # these were printed when it was scored
        for question_id, items in pool_items(exam.path, run.results[exam.name]):
            yield question_id, items[:depth]


def pool_rows(
    name: str, golds: Sequence[Path], tree: Path, priority: int, depth: int
) -> list[dict[str, object]]:
    """The pool of the runs of priority number `priority` or lower in a tree, a row for each item of
    each question of the task called `name`; of rankings the first `depth`.

    Raises UserError without gold, if nothing can be scored, for a task whose runs have nothing that
    assessors judge, and if no run has an answer.
    """
    task = scoring(name)
    if reason := getattr(task, "NOT_POOLED", ""):
        raise UserError(f"{name} has nothing to pool: {reason}")
    scored, exams = score_tree(task, golds, tree)
    rows: list[dict[str, object]] = []
    for exam in exams:
        by_question: dict[str, list[tuple[int, Sequence[PoolItem]]]] = {}
        for run in scored:
            if exam.name in run.exams and (run_priority := priority_of(run)) <= priority:
                for question_id, items in items_of(task, exam, run, depth):
                    by_question.setdefault(question_id, []).append((run_priority, items))
        for question_id, runs in by_question.items():
            shown = {**({"exam": exam.name} if len(exams) > 1 else {}), "question": question_id}
            for item, count, best in pool(runs):
                rows.append(
                    {**shown, **item.cells, "answer": item.answer, "runs": count, "priority": best}
                )
    if not rows:
        raise UserError(f"{tree}: no run has an answer to pool")
    return rows


@click.command(
    cls=Command,
    example="evaluate pool ntcir-essay samples/essay-en.gold.xml worse --priority 1",
)
@click.argument("task", type=click.Choice([*tasks()]))
@click.argument("golds", nargs=-1, required=True, metavar="GOLD...", type=InputFile(inside=("**",)))
@click.argument("tree", type=InputFile(inside=("**",), files=False))
@click.option(
    "--priority",
    type=click.IntRange(1, 99),
    default=99,
    help="Only runs of this priority or better [all].",
)
@click.option(
    "--depth",
    type=COUNT,
    default=DEPTH,
    help=f"Of ranked candidates and passages the first so many of each run [{DEPTH}].",
)
@format_option
def command(
    task: str, golds: tuple[Path, ...], tree: Path, priority: int, depth: int, form: str
) -> None:
    """What assessors judge of all runs in a tree, each once a question: answers, passages, ranked
    candidates.

    Each has the number of runs that give it and the best priority among them, never the names of
    the runs. A run's priority is that of its RUN_ID; a run without one has priority 1.
    """
    print_rows(pool_rows(task, golds, tree, priority, depth), form)
