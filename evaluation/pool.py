"""`python -m evaluation pool TASK GOLD... TREE`: the answers of the runs of a tree, each once, for assessors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from evaluation.overview import ScoredRun, SystemRun, read_exams, read_runs, score_runs
from evaluation.registry import scorable, scoring
from evaluation.tables import format_option, print_rows
from indexer.files.messages import warn
from indexer.parameters import InputPath, OneOf, WholeNumber, argument, command_line, option

_PRIORITY = re.compile(r"_(\d{2})$")  # at the end of a RUN_ID


class Pooled(NamedTuple):
    """An answer of a pool, the number of runs that give it, and the best priority among these."""

    answer: str
    runs: int
    priority: int


def priority_of(run: SystemRun) -> int:
    """The best (lowest) priority in the names of a run's files (RUN_ID: `…_TEAM_TYPE_01`); 1 if no name has one."""
    found = [_PRIORITY.search(path.stem) for path in run.results.values()]
    return min((int(one[1]) for one in found if one), default=1)


def pool(runs: Sequence[tuple[int, str]], depth: int | None) -> list[Pooled]:
    """Pools the different answers of runs, given as (priority, answer), better priorities (lower numbers) first.

    Answers are compared ignoring case and blanks; empty ones are left out. A priority that begins before `depth`
    answers are found is pooled whole, so that no run of it is preferred; None for no limit.
    """
    found: dict[str, list[tuple[int, str]]] = {}
    for priority in sorted({one for one, _ in runs}):
        # Whole priorities only: a part of one would prefer some systems.
        if depth is not None and len(found) >= depth:
            break
        for own, answer in runs:
            if own == priority and answer.strip():
                found.setdefault(" ".join(answer.casefold().split()), []).append((priority, answer))
    return [Pooled(given[0][1], len(given), given[0][0]) for given in found.values()]


def pools(scored: Sequence[ScoredRun], exams: Sequence[str], most: int, depth: int | None) -> list[dict[str, object]]:
    """A row for each different answer to each question, by exam and question, as by `pool`; runs with a priority above
    `most` are left out."""
    chosen = [(priority_of(one.run), one) for one in scored]
    several = len(exams) > 1
    rows: list[dict[str, object]] = []
    for exam in exams:
        given: dict[str, list[tuple[int, str]]] = {}
        for priority, one in chosen:
            for question in one.exams.get(exam, ()) if priority <= most else ():
                given.setdefault(question.question_id, []).append((priority, question.answer))
        for name, answers in given.items():
            shown = {**({"exam": exam} if several else {}), "question": name}
            rows += [{**shown, **one._asdict()} for one in pool(answers, depth)]
    return rows


@command_line(
    "evaluation pool ntcir-essay samples/essay-en.gold.xml worse --priority 1",
    argument("task", type=OneOf(scorable())),
    argument("golds", multiple=True, metavar="GOLD...", type=InputPath(("**",), path_type=Path)),
    argument("tree", type=InputPath(("**",), files=False, path_type=Path)),
    option("--priority", type=WholeNumber(1, 99), default=99, help="Only runs of this priority or better [all]."),
    option(
        "--depth",
        type=WholeNumber(1),
        help="Answers a question: priorities are pooled one after the other up to this number [all].",
    ),
    format_option,
)
def command(task: str, golds: tuple[Path, ...], tree: Path, priority: int, depth: int | None, format: str) -> None:  # noqa: A002
    """The answers of all runs in a tree, each once a question, for assessors to judge.

    Each has the number of runs that give it and the best priority among them, never the names of the runs. A run's
    priority is that of its RUN_ID; a run without one has priority 1.
    """
    scored_by = scoring(task)
    exams = read_exams(scored_by, golds, {})
    scored, answered = score_runs(scored_by, read_runs(scored_by, tree, exams, {}), exams, {})
    rows = pools(scored, [exam.name for exam in answered], priority, depth)
    if not rows:
        warn(f"{tree}: no answer by a run of priority {priority} or better")
    print_rows(rows, format)
