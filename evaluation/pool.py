"""`python -m evaluation pool TASK GOLD... TREE`: the answers of a tree of runs, each once, for
assessors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click

from evaluation.options import format_option
from evaluation.overview import SystemRun, score_tree
from evaluation.registry import scoring, tasks
from evaluation.tables import print_rows
from indexer.cli.types import Command, InputFile

_PRIORITY = re.compile(r"_(\d{2})$")  # at the end of a RUN_ID


class Pooled(NamedTuple):
    """An answer of a pool, the number of runs that give it, and the best priority among these."""

    answer: str
    runs: int
    priority: int


def priority_of(run: SystemRun) -> int:
    """The best (lowest) priority in the names of a run's files (RUN_ID: `…_TEAM_TYPE_01`); 1 if no
    name has one."""
    found = [_PRIORITY.search(path.stem) for path in run.results.values()]
    return min((int(one[1]) for one in found if one), default=1)


def pool(runs: Sequence[tuple[int, str]]) -> list[Pooled]:
    """The different answers of runs, given as (priority, answer), better priorities (lower numbers)
    first; answers are compared ignoring case and blanks, empty ones left out."""
    found: dict[str, list[tuple[int, str]]] = {}
    for priority, answer in sorted(runs, key=lambda one: one[0]):
        if answer.strip():
            found.setdefault(" ".join(answer.casefold().split()), []).append((priority, answer))
    return [Pooled(given[0][1], len(given), given[0][0]) for given in found.values()]


@click.command(
    cls=Command, example="evaluation pool ntcir-essay samples/essay-en.gold.xml worse --priority 1"
)
@click.argument("task", type=click.Choice([*tasks()]))
@click.argument("golds", nargs=-1, required=True, metavar="GOLD...", type=InputFile("**"))
@click.argument("tree", type=InputFile("**", files=False))
@click.option(
    "--priority",
    type=click.IntRange(1, 99),
    default=99,
    help="Only runs of this priority or better [all].",
)
@format_option
def command(task: str, golds: tuple[Path, ...], tree: Path, priority: int, form: str) -> None:
    """The answers of all runs in a tree, each once a question, for assessors to judge.

    Each has the number of runs that give it and the best priority among them, never the names of
    the runs. A run's priority is that of its RUN_ID; a run without one has priority 1.
    """
    scored, exams = score_tree(scoring(task), golds, tree)
    ranked = [(own, run) for run in scored if (own := priority_of(run)) <= priority]
    rows: list[dict[str, object]] = []
    for exam in exams:
        given: dict[str, list[tuple[int, str]]] = {}
        for own, run in ranked:
            for question in run.exams[exam].questions if exam in run.exams else ():
                given.setdefault(question.question_id, []).append((own, question.answer))
        for name, answers in given.items():
            shown = {**({"exam": exam} if len(exams) > 1 else {}), "question": name}
            rows += [{**shown, **pooled._asdict()} for pooled in pool(answers)]
    print_rows(rows, form)
