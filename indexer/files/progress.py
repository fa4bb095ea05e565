"""Progress of long work, on stderr: a line that is rewritten on a terminal, elsewhere a line now and then."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from indexer.files.encoding import POSITIONS
from indexer.files.messages import LOGGER, STDERR, detail

Item = TypeVar("Item")
SECONDS_ON_A_TERMINAL = 0.2  # five times a second
SECONDS_ELSEWHERE = 30.0  # in a log, a line now and then

Listener = Callable[[str, int, int], None]
_listeners: list[Listener] = []


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Context manager in which every `Progress` also calls `listener(label, amount done, total)`; the total is 0 if
    unknown.

    The listener is called at the beginning, and then at most five times a second.
    """
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


class Progress:
    """Progress display of some work: the percentage done and the time left if `total` is known (not 0).

    `unit` names what is counted (lines, bytes). Nothing is shown if the program did not set up its stderr, or under
    --quiet.
    """

    last_shown = 0.0  # when any progress was shown, by the clock `time.monotonic`

    def __init__(self, label: str, total: int = 0, unit: str = "") -> None:
        self._label = label
        self._total = total
        self._unit = f" {unit}" if unit else ""
        self._done = 0
        self._begun = self._shown = self._told = time.monotonic()
        # Shown where a program set up its stderr, of which there may be none, and notes are not switched off.
        self._heard = sys.stderr is not None and STDERR in LOGGER.handlers and LOGGER.isEnabledFor(logging.INFO)
        self._live = self._heard and sys.stderr.isatty()
        self._period = SECONDS_ON_A_TERMINAL if self._live else SECONDS_ELSEWHERE
        self._tell()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            print("\r\x1b[K", end="", file=sys.__stderr__, flush=True)

    def add(self, count: int = 1) -> None:
        """Adds `count` to the amount done."""
        self.reach(self._done + count)

    def reach(self, done: int) -> None:
        """Sets the amount done, and updates the display and the listeners if their period has passed."""
        self._done = done
        now = time.monotonic()
        if _listeners and now - self._told > SECONDS_ON_A_TERMINAL:
            self._told = now
            self._tell()
        if self._heard and now - self._shown > self._period:
            self._shown = now
            self._show(progress_line(self._label, self._done, self._total, self._unit, now - self._begun))

    def tick(self, ended: threading.Event) -> None:
        """Shows the seconds since the beginning, until the end, whenever nothing else was shown for a period."""
        while not ended.wait(self._period):
            if self._heard and time.monotonic() - Progress.last_shown >= self._period:
                self._show(f"{self._label}: {_duration(time.monotonic() - self._begun)}")

    def _tell(self) -> None:
        """Calls the listeners with the progress."""
        for listener in _listeners:
            listener(self._label, self._done, self._total)

    def _show(self, line: str) -> None:
        """Prints a line of progress: on a terminal over the last one, else as a new line."""
        Progress.last_shown = time.monotonic()
        if self._live:
            print(f"\r\x1b[K{line}", end="", file=sys.__stderr__, flush=True)
        else:
            print(line, file=sys.stderr, flush=True)


def progress_line(label: str, done: int, total: int, unit: str, seconds: float) -> str:
    """`LABEL: 1,200 of 4,000 lines, 30 %, 400/s, 7 s left`; without a total only the amount and the rate.

    If all is done and the work still goes on: `LABEL: all 4,000 lines, finishing`. `unit` begins with a blank or is "".
    """
    rate = done / max(seconds, 1e-9)
    if 0 < total <= done:
        return f"{label}: all {total:,}{unit}, finishing"
    if not total:
        return f"{label}: {done:,}{unit}, {rate:,.0f}/s"
    left = _duration(max(total - done, 0) / max(rate, 1e-9))
    return f"{label}: {done:,} of {total:,}{unit}, {min(done / total, 0.99):.0%}, {rate:,.0f}/s, {left} left"


def _duration(seconds: float) -> str:
    """A duration rounded for a person: `42 s`, `7 min`, `3 h 20 min`."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


@contextmanager
def phase(label: str) -> Iterator[None]:
    """Context manager that shows `LABEL: 42 s` while the block runs and shows no other progress.

    The total time is reported as a detail (--verbose).
    """
    begun, ended, clock = time.monotonic(), threading.Event(), Progress(label)
    ticking = threading.Thread(target=clock.tick, args=(ended,), daemon=True)
    ticking.start()
    try:
        with clock:
            yield
    finally:
        ended.set()
        ticking.join()
    detail(f"{label}: {time.monotonic() - begun:.1f} s")


def with_progress(items: Iterable[Item], label: str, total: int = 0, unit: str = "") -> Iterator[Item]:
    """Yields the items unchanged and shows progress; `total` is their number (0: unknown), `unit` what they are."""
    with Progress(label, total, unit) as progress:
        for item in items:
            yield item
            progress.add()


@contextmanager
def reading(path: str | Path, label: str) -> Iterator[None]:
    """Context manager that shows the progress of reading a file, in bytes of the file on disk, compressed or not."""
    try:
        size = Path(path).stat().st_size
    except OSError:
        size = 0  # whoever opens it says what is wrong
    with Progress(label, size, "bytes") as progress:
        POSITIONS[str(path)] = progress.reach
        try:
            yield
        finally:
            del POSITIONS[str(path)]
