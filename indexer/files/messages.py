"""Messages to a person, on stderr: notes and warnings (by the standard library's logging), and progress of long work.

A program prints them on stderr (`to_stderr`). Users of these packages as a library get warnings only, as logging
does by default, and may listen to the logger `classical_qa`.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from indexer.files.errors import visible

NAMED = 10  # names in one message
LOGGER = logging.getLogger("classical_qa")


class _Stderr(logging.Handler):
    """Logging handler that writes each message as one line to the current `sys.stderr`, unencodable file names
    escaped."""

    def emit(self, record: logging.LogRecord) -> None:  # not StreamHandler's: tests and notebooks replace sys.stderr
        mark = "warning: " if record.levelno >= logging.WARNING else ""
        print(f"{mark}{visible(self.format(record))}", file=sys.stderr)


_STDERR = _Stderr()


def info(message: str) -> None:
    """A note: what was done, what was found odd and mended."""
    LOGGER.info("%s", message)


def detail(message: str) -> None:
    """Logs a detail, shown with --verbose: what was opened and how long it took."""
    LOGGER.debug("%s", message)


def warn(message: str) -> None:
    """Logs a warning: the result may differ from what the user expects. Shown under --quiet too."""
    LOGGER.warning("%s", message)


def first_few(names: Sequence[str]) -> str:
    """The first ten names, and how many more there are."""
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def to_stderr(quiet: bool = False, verbose: bool = False) -> None:
    """Sends warnings, notes (unless `quiet`) and the progress of long work to stderr from now on.

    `verbose` adds details and every request to Elasticsearch.
    """
    if verbose:
        requests = logging.getLogger("elastic_transport.transport")
        requests.addHandler(_STDERR)
        requests.setLevel(logging.INFO)
        requests.propagate = False
    if _STDERR not in LOGGER.handlers:
        LOGGER.addHandler(_STDERR)
        LOGGER.propagate = False
    LOGGER.setLevel(logging.WARNING if quiet else logging.DEBUG if verbose else logging.INFO)


@contextmanager
def capture_warnings() -> Iterator[list[str]]:
    """Context manager with a list that collects the block's warnings, which are not shown; its notes are dropped."""
    warnings: list[str] = []

    def keep(record: logging.LogRecord) -> bool:
        if record.levelno >= logging.WARNING:
            warnings.append(record.getMessage())
        return False

    LOGGER.addFilter(keep)
    try:
        yield warnings
    finally:
        LOGGER.removeFilter(keep)


# Progress of long work, on stderr: a line that is rewritten on a terminal, elsewhere a line now and then.

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
        self._heard = sys.stderr is not None and _STDERR in LOGGER.handlers and LOGGER.isEnabledFor(logging.INFO)
        self._live = self._heard and sys.stderr.isatty()
        self._period = SECONDS_ON_A_TERMINAL if self._live else SECONDS_ELSEWHERE
        self._tell()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            print("\r\x1b[K", end="", file=sys.__stderr__, flush=True)

    def add(self, count: int = 1) -> None:
        """Adds `count` to the amount done, and updates the display and the listeners if their period has passed."""
        self._done += count
        now = time.monotonic()
        if _listeners and now - self._told > SECONDS_ON_A_TERMINAL:
            self._told = now
            self._tell()
        if self._heard and now - self._shown > self._period:
            self._shown = now
            self._show(progress_line(self._label, self._done, self._total, self._unit, now - self._begun))

    def reach(self, done: int) -> None:
        """Sets the amount done."""
        self.add(done - self._done)

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


POSITIONS: dict[str, Progress] = {}
"""Progress of the files that are being read, by path: `files.archive` reports here what it has read of them."""


@contextmanager
def reading(path: str | Path, label: str) -> Iterator[None]:
    """Context manager that shows the progress of reading a file, in bytes of the file on disk, compressed or not."""
    try:
        size = Path(path).stat().st_size
    except OSError:
        size = 0  # whoever opens it says what is wrong
    with Progress(label, size, "bytes") as POSITIONS[str(path)]:
        try:
            yield
        finally:
            del POSITIONS[str(path)]
