"""Progress of long work, on stderr: a line that is rewritten on a terminal, elsewhere a line now
and then."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from indexer.files.inputs import MemoryFile, WatchedFile
from indexer.files.messages import LOGGER, STDERR, detail

Item = TypeVar("Item")
Reach = Callable[[int], None]
SECONDS_ON_A_TERMINAL = 0.2  # five times a second
SECONDS_ELSEWHERE = 30.0  # in a log, a line now and then

Listener = Callable[[str, int, int], None]
_listeners: list[Listener] = []
_last_shown = 0.0  # when any progress was shown, by the clock `time.monotonic`


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Context manager in which every `progress` also calls `listener(label, amount done, total)`;
    the total is 0 if unknown.

    The listener is called at the beginning, and then at most five times a second.
    """
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def _show(line: str) -> bool:
    """Prints a line of progress, on a terminal over the last one; with "", clears that. Nothing is
    shown if the program did not set up its stderr, or under --quiet; returns whether it is a
    terminal."""
    global _last_shown  # noqa: PLW0603
    if sys.stderr is None or STDERR not in LOGGER.handlers or not LOGGER.isEnabledFor(logging.INFO):
        return False
    live = sys.stderr.isatty()
    if line:
        _last_shown = time.monotonic()
    if live:
        print(f"\r\x1b[K{line}", end="", file=sys.__stderr__, flush=True)
    elif line:
        print(line, file=sys.stderr, flush=True)
    return live


@contextmanager
def progress(label: str, total: int = 0, unit: str = "") -> Iterator[Reach]:
    """Context manager that shows the progress of its block: the percentage done and the time left
    if `total` is known (not 0). It gives a function to call with the amount done, which prints at
    most every 0.2 s on a terminal, elsewhere every 30 s; `unit` names what is counted (lines,
    bytes)."""
    begun = shown = told = time.monotonic()
    period = SECONDS_ON_A_TERMINAL if _show("") else SECONDS_ELSEWHERE

    def reach(done: int) -> None:
        nonlocal shown, told
        now = time.monotonic()
        if now - told > SECONDS_ON_A_TERMINAL:
            told = now
            for listener in _listeners:
                listener(label, done, total)
        if now - shown > period:
            shown = now
            _show(progress_line(label, done, total, unit and f" {unit}", now - begun))

    for listener in _listeners:
        listener(label, 0, total)
    try:
        yield reach
    finally:
        _show("")


def progress_line(label: str, done: int, total: int, unit: str, seconds: float) -> str:
    """`LABEL: 1,200 of 4,000 lines, 30%, 400/s, 7 s left`; without a total, and as long as nothing
    is done, only the amount and the rate.

    If all is done and the work still goes on: `LABEL: all 4,000 lines, finishing`. `unit` begins
    with a blank or is "".
    """
    rate = done / max(seconds, 1e-9)
    if 0 < total <= done:
        return f"{label}: all {total:,}{unit}, finishing"
    if not total or not done:
        return f"{label}: {done:,}{unit}, {rate:,.0f}/s"
    left = _duration((total - done) / rate)
    return (
        f"{label}: {done:,} of {total:,}{unit}, {min(done / total, 0.99):.0%}, "
        f"{rate:,.0f}/s, {left} left"
    )


def _duration(seconds: float) -> str:
    """A duration rounded for a person: `42 s` below 100 s, `7 min` below 100 min, `3 h 20 min`."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


@contextmanager
def phase(label: str) -> Iterator[None]:
    """Context manager that shows `LABEL: 42 s` while the block runs and shows no other progress,
    and reports the total time as a detail (--verbose)."""
    begun, ended = time.monotonic(), threading.Event()
    period = SECONDS_ON_A_TERMINAL if _show("") else SECONDS_ELSEWHERE

    def tick() -> None:
        while not ended.wait(period):
            if time.monotonic() - _last_shown >= period:
                _show(f"{label}: {_duration(time.monotonic() - begun)}")

    ticking = threading.Thread(target=tick, daemon=True)
    ticking.start()
    try:
        with progress(label):
            yield
    finally:
        ended.set()
        ticking.join()
    detail(f"{label}: {time.monotonic() - begun:.1f} s")


def with_progress(
    items: Iterable[Item], label: str, total: int = 0, unit: str = ""
) -> Iterator[Item]:
    """Yields the items unchanged and shows progress; `total` is their number (0: unknown), `unit`
    what they are."""
    with progress(label, total, unit) as reach:
        for number, item in enumerate(items, 1):
            yield item
            reach(number)


@contextmanager
def reading(path: str, label: str) -> Iterator[tuple[str, Callable[[], None]]]:
    """Context manager that shows the progress of reading a file, in bytes of the file on disk,
    compressed or not. It gives the path to read from, and a function to call now and then, which
    looks how far the file is read."""
    try:
        size = Path(path).stat().st_size
    except OSError:
        size = 0  # a file in memory, or one of which whoever opens it says what is wrong
    watched = path if isinstance(path, MemoryFile) else WatchedFile(path)
    with progress(label, size, "bytes") as reach:

        def look() -> None:
            file = watched.file if isinstance(watched, WatchedFile) else None
            if file and not file.closed and (position := file.tell()):
                reach(position)

        yield watched, look
        reach(size)
