"""`python -m evaluation export TASK GOLD RUN`: gold and run of a ranking task as TREC qrels and run files."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click

from evaluation.registry import TASKS
from evaluation.tasks.ranked_lists import Ranked
from indexer.files.atomic import write_text
from indexer.files.errors import UserError

RUN_TAG = "classical-qa"


def qrels_lines(ranked: Sequence[Ranked]) -> Iterator[str]:
    """`query_id 0 doc_id relevance`, every candidate of every question; query n is the file's n-th question."""
    for number, one in enumerate(ranked, 1):
        for place, right in enumerate(one.gold):
            yield f"{number} 0 {number}-{place} {int(bool(right))}\n"


def run_lines(ranked: Sequence[Ranked], tag: str = RUN_TAG) -> Iterator[str]:
    """`query_id Q0 doc_id rank score tag`, best first, equal scores in file order.

    trec_eval ignores the rank and orders equal scores by doc_id: its figures can differ where scores tie.
    """
    for number, one in enumerate(ranked, 1):
        order = sorted(range(len(one.scores)), key=lambda place: (-one.scores[place], place))
        for rank, place in enumerate(order, 1):
            yield f"{number} Q0 {number}-{place} {rank} {one.scores[place]:.9g} {tag}\n"


@click.command(
    epilog="Example: python -m evaluation export nlpcc-dbqa samples/dbqa.dev.txt scores.txt --qrels q.txt --run r.txt"
)
@click.argument("task")
@click.argument("gold", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("run", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--qrels", "qrels_path", metavar="FILE", help="Where the gold goes.")
@click.option("--run", "run_path", metavar="FILE", help="Where the run goes.")
@click.option("--tag", default=RUN_TAG, help=f"The run's name in its last column [{RUN_TAG}].")
def command(task: str, gold: Path, run: Path, qrels_path: str | None, run_path: str | None, tag: str) -> None:
    """Write gold and run of nlpcc-dbqa, nlpcc-tbqa or selqa for trec_eval and its kin.

    Queries are numbered from 1 in file order; a document is QUERY-PLACE, its place in the list from 0.
    For selqa, GOLD can be the result file itself.
    """
    if not qrels_path and not run_path:
        raise UserError("nothing to write: name --qrels FILE, --run FILE or both")
    if not tag or any(character.isspace() for character in tag):
        raise UserError(f"--tag {tag!r}: a run's name has no blanks")
    ranked = _ranker(task)(gold, run)
    if qrels_path:
        write_text(qrels_path, "".join(qrels_lines(ranked)))
    if run_path:
        write_text(run_path, "".join(run_lines(ranked, tag)))


def _ranker(task: str) -> Callable[[Path, Path], list[Ranked]]:
    """What reads gold and run of a task; UserError for a task that ranks nothing."""
    found: Callable[[Path, Path], list[Ranked]] | None = None
    if task in TASKS:
        found = getattr(importlib.import_module(TASKS[task][0]), "ranked", None)
    if found is None:
        raise UserError(f"{task}: no ranking task; expected nlpcc-dbqa, nlpcc-tbqa or selqa")
    return found
