"""Changed inputs checked piece by piece in a process of their own, with limits on memory and time
(`indexer.sandbox`).

What kills that process, or takes over five seconds of the processor, is a finding like a traceback.
"""

from __future__ import annotations

import random
import resource
import shutil
import tempfile
import time
import traceback
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from indexer.sandbox import Sandbox, WorkerDiedError
from tests.fuzz.corpus import inside
from tests.fuzz.targets import Check, Corpus, check_of, commands, readers

PIECE = 500
MEMORY = 700_000  # KiB that may be taken for one input, beside the 100,000 to 300,000 of a program
SLOW = 5.0
COMMANDS_SHARE = 0.04
"""A command takes ten times as long as a reader, which takes 30 milliseconds."""


class Found(NamedTuple):
    """A changed input that was neither read nor clearly refused."""

    target: str
    number: int
    what: str


@cache
def _check(target: str, folder: str) -> Check:
    return check_of(target, Corpus(Path(folder)))


def _peak() -> int:
    """The most memory that this process held, in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _in_use() -> int:
    """What it holds now, with what the inputs before have left in caches, in KiB."""
    return (
        int(Path("/proc/self/statm").read_text("ascii").split()[1]) * resource.getpagesize() // 1024
    )


def piece(folder: str, target: str, seed: int, first: int, count: int) -> Iterator[tuple[int, str]]:
    """Check inputs of a target from a number on; before each its number, and after it what it
    failed for."""
    with tempfile.TemporaryDirectory() as place:
        if target in commands():
            shutil.copytree(
                folder, place, dirs_exist_ok=True, ignore=shutil.ignore_patterns("source")
            )
        with inside(Path(place)):
            check = _check(target, folder)
            for number in range(first, first + count):
                yield number, ""
                most = max(_in_use() + MEMORY, _peak())
                began = time.process_time()
                try:
                    check(random.Random(f"{seed} {target} {number}"))
                except Exception:
                    yield number, traceback.format_exc()
                spent = time.process_time() - began
                if spent > SLOW:
                    yield number, f"{spent:.0f} s of the processor"
                if _peak() > most:
                    # and the process ends: its peak tells nothing of the next input
                    raise MemoryError


def fuzz(folder: Path, targets: Mapping[str, int], seed: int, first: int = 0) -> Iterator[Found]:
    """So many changed inputs of each target; what was found."""
    with Sandbox(piece, memory=3 * 2**30, seconds=60) as worker:
        for target, count in targets.items():
            number, end = first, first + count
            while number < end:
                work = worker(str(folder), target, seed, number, min(PIECE, end - number))
                try:
                    for reached, what in work:
                        number = reached
                        if what:
                            yield Found(target, number, what)
                except WorkerDiedError as error:
                    yield Found(target, number, str(error))
                number += 1


def shared_out(count: int, only: str = "") -> dict[str, int]:
    """How many inputs each target gets: the commands a small share together, the readers the
    rest."""
    chosen: dict[str, int] = {}
    for names, share in ((commands(), COMMANDS_SHARE), (readers(), 1 - COMMANDS_SHARE)):
        for number, name in enumerate(names):
            chosen[name] = int(count * share * (number + 1) / len(names)) - int(
                count * share * number / len(names)
            )
    return {name: number for name, number in chosen.items() if only in name}
