"""Runs as arguments of commands, and checks of gold against run."""

from __future__ import annotations

import filecmp
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from indexer.files.encoding import held_content
from indexer.files.errors import UserError
from indexer.files.messages import first_few, warn
from indexer.parameters import TEXT, Parameter, argument, input_path, option

_FILES = partial(input_path, ("**/*.xml",), path_type=Path)


def run_arguments(metavar: str) -> tuple[Parameter, ...]:
    """Declares the arguments TASK, GOLD and RUNS, passed as `task`, `gold` and `runs`: files, or folders of XML."""
    return argument("task", TEXT), argument("gold", _FILES), argument("runs", _FILES, metavar, multiple=True)


def traces_option(why: str) -> Parameter:
    """Declares --trace of a command for several runs, passed as `traces`; `why` is a part of its help."""
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

    `of_gold` are the ids with a right answer, `of_run` those that the run answers. `what` is the plural of what the ids
    name, `missed` says how those are scored that the run lacks. Raises UserError if the run answers some and the gold
    has none of these.
    """
    wanted, given = dict.fromkeys(of_gold), dict.fromkeys(of_run)
    missing = [one for one in wanted if one not in given]
    extra = [one for one in given if one not in wanted]
    # Nothing in common is the wrong file; a part in common may be a run of a part.
    if extra and len(extra) == len(given):
        raise UserError(f"{run}: answers none of the {what} of {gold}; expected the same ids")
    if missing:
        warn(f"{run}: no answer to {len(missing)} of {len(wanted)} {what}, {missed}: {first_few(missing)}")
    if extra:
        warn(f"{gold}: no gold for {len(extra)} of the {what} that {run} answers, not scored: {first_few(extra)}")


def check_run(gold: Path, run: Path) -> None:
    """Warns of a run that seems to be something else, and of a model trained on the data it is scored on.

    These are a run with the same bytes as its gold; a gold with metadata (FILE.ir-metadata.yml) beside a run without,
    so that the two may be exchanged; a run whose metadata list the gold or the questions among its training data.
    """
    from retriever.provenance import read_metadata, sidecar_of

    # A mistake of the command line that would give a perfect score.
    if same_bytes(gold, run):
        warn(f"{run}: the same bytes as the gold {gold}, so the gold is scored against itself")
    elif sidecar_of(gold).is_file() and not sidecar_of(run).is_file():
        warn(f"{gold} has a run's metadata beside it, {run} has none: are they swapped? The gold comes first")
    if metadata := read_metadata(run):
        warn_of_training(gold, run, metadata)


def same_bytes(one: Path, other: Path) -> bool:
    """Whether two files have the same bytes; False for folders."""
    if (held := held_content(one)) is not None:
        return held == held_content(other)
    return one.is_file() and other.is_file() and filecmp.cmp(one, other, shallow=False)


def warn_of_training(gold: Path, run: Path, metadata: Any) -> None:
    """Warns if a run's metadata (None without any) list its gold, or the questions that it answers, among its training
    data."""
    trained = _hashes(metadata, "training data") if metadata else {}
    if not trained:
        return
    from indexer.files.hashes import fingerprint

    # A gold file that a model learned from shows the answers, whatever the questions file is called.
    files = gold.rglob("*") if gold.is_dir() else [gold]
    scored = {str(fingerprint(file)["sha256"]) for file in files if file.is_file()}
    scored |= _hashes(metadata, "test collection", "topics").keys()
    if seen := [file for digest, file in trained.items() if digest in scored]:
        warn(f"{run}: made by a model that was trained on {seen[0]}: this score says nothing about new data")


def _hashes(metadata: Any, *path: str) -> dict[str, str]:
    """SHA-256 → file of the files that metadata, of any form, list under `data` and the keys `path`."""
    for name in ("data", *path):
        metadata = metadata.get(name) if isinstance(metadata, Mapping) else None
    listed = metadata if isinstance(metadata, list) else []
    return {str(one.get("sha256")): str(one.get("file")) for one in listed if isinstance(one, Mapping)}
