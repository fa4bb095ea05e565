"""Runs as arguments of commands, and checks of gold against run."""

from __future__ import annotations

import filecmp
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from pathlib import Path

from indexer.files.encoding import held_content
from indexer.files.errors import UserError
from indexer.files.messages import first_few, warn
from indexer.parameters import TEXT, Parameter, argument, input_path, option

_FILES = partial(input_path, ("**/*.xml",), path_type=Path)


def run_arguments(metavar: str) -> tuple[Parameter, ...]:
    """Declares the arguments TASK, GOLD and RUNS, passed as `task`, `gold` and `runs`: files, or
    folders of XML."""
    return (
        argument("task", TEXT),
        argument("gold", _FILES),
        argument("runs", _FILES, metavar, multiple=True),
    )


def traces_option(why: str) -> Parameter:
    """Declares --trace of a command for several runs, passed as `traces`; `why` is a part of its
    help."""
    return option(
        "--trace",
        "traces",
        multiple=True,
        metavar="TRACE.jsonl",
        type=partial(input_path, path_type=Path),
        help=f"The trace of each run, in the order of the runs: {why}.",
    )


def unlike(names: Sequence[str]) -> Iterator[str]:
    """Yields the names, numbering repeated ones: `A1`, `A1 (2)`."""
    # `A1 (2)` may itself be a name.
    seen: set[str] = set()
    last: dict[str, int] = {}
    for name in names:
        new = name
        while new in seen:
            last[name] = last.get(name, 1) + 1
            new = f"{name} ({last[name]})"
        seen.add(new)
        yield new


def check_ids(
    gold: str | Path,
    run: str | Path,
    of_gold: Collection[str],
    of_run: Collection[str],
    what: str = "questions",
    missed: str = "which score 0",
) -> None:
    """Warns of the ids that only the gold or only the run has.

    `of_gold` are the ids with a right answer, `of_run` those that the run answers. `what` is the
    plural of what the ids name, `missed` says how those are scored that the run lacks. Raises
    UserError if the run answers some and the gold has none of these.
    """
    wanted, given = dict.fromkeys(of_gold), dict.fromkeys(of_run)
    missing = [one for one in wanted if one not in given]
    extra = [one for one in given if one not in wanted]
    # Nothing in common is the wrong file; a part in common may be a run of a part.
    if extra and len(extra) == len(given):
        raise UserError(f"{run}: answers none of the {what} of {gold}; expected the same ids")
    if missing:
        warn(
            f"{run}: no answer to {len(missing)} of {len(wanted)} {what}, {missed}: "
            f"{first_few(missing)}"
        )
    if extra:
        warn(
            f"{gold}: no gold for {len(extra)} of the {what} that {run} answers, not scored: "
            f"{first_few(extra)}"
        )


def check_run(gold: Path, run: Path) -> None:
    """Warns of a run with the same bytes as its gold, and of a gold with metadata
    (FILE.ir-metadata.yml) beside a run without, so that the two may be exchanged."""
    from retriever.provenance import sidecar_of

    # A mistake of the command line that would give a perfect score.
    if same_bytes(gold, run):
        warn(f"{run}: the same bytes as the gold {gold}, so the gold is scored against itself")
    elif sidecar_of(gold).is_file() and not sidecar_of(run).is_file():
        warn(
            f"{gold} has a run's metadata beside it, {run} has none: are they swapped? The gold "
            f"comes first"
        )


def same_bytes(one: Path, other: Path) -> bool:
    """Whether two files have the same bytes; False for folders."""
    if (held := held_content(one)) is not None:
        return held == held_content(other)
    return one.is_file() and other.is_file() and filecmp.cmp(one, other, shallow=False)
