"""What is said to a person beside the data: notes and warnings, by the standard library's logging.

A program prints them on stderr (`to_stderr`). Whoever uses these packages as a library hears warnings only, as logging
does by default, and may listen to the logger `classical_qa`.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from indexer.files.errors import visible

NAMED = 10  # names in one message
LOGGER = logging.getLogger("classical_qa")


class _Stderr(logging.Handler):
    """Writes each message as one line to whatever is the standard error now, whatever names of files it tells."""

    def emit(self, record: logging.LogRecord) -> None:
        mark = "warning: " if record.levelno >= logging.WARNING else ""
        print(f"{mark}{visible(self.format(record))}", file=sys.stderr)


_STDERR = _Stderr()


def info(message: str) -> None:
    """A note: what was done, what was found odd and mended."""
    LOGGER.info("%s", message)


def detail(message: str) -> None:
    """What --verbose shows: what was opened and how long it took."""
    LOGGER.debug("%s", message)


def warn(message: str) -> None:
    """What makes a result other than a user may think; it is said even where only that is wanted."""
    LOGGER.warning("%s", message)


def first_few(names: Sequence[str]) -> str:
    """The first ten names, and how many more there are."""
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def to_stderr(quiet: bool = False, verbose: bool = False) -> None:
    """From now on notes (unless `quiet`) and warnings are lines on stderr, and long work shows its progress there.

    `verbose` adds details, and every request to Elasticsearch.
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


def is_heard() -> bool:
    """Whether notes are shown to a person."""
    return _STDERR in LOGGER.handlers and LOGGER.isEnabledFor(logging.INFO)


@contextmanager
def captured_warnings() -> Iterator[list[str]]:
    """Warnings of the block go to this list instead of being told, notes nowhere: for what is told in sum."""
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
