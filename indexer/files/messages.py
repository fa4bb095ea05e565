"""Messages to a person, on stderr: notes and warnings, by the standard library's logging.

A program prints them on stderr (`to_stderr`). Users of these packages as a library get warnings
only, as logging does by default, and may listen to the logger `classical_qa`.
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
    """Logging handler that writes each message as one line to the current `sys.stderr`, unencodable
    file names escaped; a warning begins with `warning: `."""

    def emit(
        self, record: logging.LogRecord
    ) -> None:  # not StreamHandler's: tests and notebooks replace sys.stderr
        mark = "warning: " if record.levelno >= logging.WARNING else ""
        print(f"{mark}{visible(self.format(record))}", file=sys.stderr)


STDERR = _Stderr()


def info(message: str) -> None:
    """Logs a note: what was done, what was odd and is mended. Not shown under --quiet."""
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


def counted(number: int, plural: str) -> str:
    """`1 record`, `1,858 records`: a number and its noun, for 1 the plural without its s."""
    return f"{number:,} {plural.removesuffix('s') if number == 1 else plural}"


def either(names: Sequence[str]) -> str:
    """`Rome`, `Rome or Greece`, `Rome, Greece or Egypt`; "" for none."""
    *others, last = names or ("",)
    return f"{', '.join(others)} or {last}" if others else last


def to_stderr(quiet: bool = False, verbose: bool = False) -> None:
    """Sends warnings, notes (unless `quiet`) and the progress of long work to stderr from now on.

    `verbose` adds details and every request to Elasticsearch.
    """
    if verbose:
        _requests_to_stderr()
    else:  # of an earlier command of the same program
        logging.getLogger("elastic_transport.transport").removeHandler(STDERR)
    if STDERR not in LOGGER.handlers:
        LOGGER.addHandler(STDERR)
        LOGGER.propagate = False
    if quiet:
        LOGGER.setLevel(logging.WARNING)
    elif verbose:
        LOGGER.setLevel(logging.DEBUG)
    else:
        LOGGER.setLevel(logging.INFO)


def _requests_to_stderr() -> None:
    """Sends a line for every request to Elasticsearch to stderr from now on."""
    requests = logging.getLogger("elastic_transport.transport")
    requests.addHandler(STDERR)
    requests.setLevel(logging.INFO)
    requests.propagate = False


@contextmanager
def capture_warnings() -> Iterator[list[str]]:
    """Context manager with a list that collects the warnings of the process while the block runs,
    which are not shown; notes are dropped. Not to be nested."""
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
