"""Progress of long work, on stderr and only where a person watches."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import TypeVar

Item = TypeVar("Item")
_PERIOD = 0.2


class Progress:
    """One line that is rewritten a few times a second; silent when stderr is no terminal.

    `total` may be 0 where it is not known. `unit` is what is counted.
    """

    def __init__(self, label: str, total: int = 0, unit: str = "") -> None:
        self._label = label
        self._total = total
        self._unit = unit
        self._done = 0
        self._shown = 0.0
        self._begun = time.monotonic()
        self._live = sys.stderr.isatty()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def add(self, count: int = 1) -> None:
        self._done += count
        now = time.monotonic()
        if self._live and now - self._shown > _PERIOD:
            self._shown = now
            print(f"\r\x1b[K{self._line(now)}", end="", file=sys.stderr, flush=True)

    def _line(self, now: float) -> str:
        rate = self._done / max(now - self._begun, 1e-9)
        if self._total:
            return f"{self._label}: {self._done:,} of {self._total:,} {self._unit} ({rate:,.0f}/s)"
        return f"{self._label}: {self._done:,} {self._unit} ({rate:,.0f}/s)"


def watched(items: Iterable[Item], label: str, total: int = 0, unit: str = "") -> Iterator[Item]:
    """The items as they come, with progress shown."""
    with Progress(label, total, unit) as progress:
        for item in items:
            yield item
            progress.add()
