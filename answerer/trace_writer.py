"""Writes traces, in the form of `answerer.trace`, which is loaded only if there is one to write."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any

from indexer.files.atomic import atomic_text

if TYPE_CHECKING:
    from answerer.trace import TraceQuestion
    from indexer.engines.contract import Index
    from indexer.languages.language import Language

_HEADERS: ContextVar[list[dict[str, Any]] | None] = ContextVar("headers", default=None)


class Trace:
    """Passes each row of a trace to `keep`; without `keep` rows are dropped, so that a task need
    not check. `active` is true if rows are kept; if not, a task need not compute them."""

    def __init__(self, keep: Callable[[dict[str, Any]], None] | None = None) -> None:
        self._keep = keep
        self.active = keep is not None

    def run(
        self,
        task: str,
        method: str,
        parameters: Mapping[str, Any],
        index: Index | None = None,
        language: Language | None = None,
        packages: Iterable[str] = (),
    ) -> None:
        """Writes the first line, the header of the run (see `run_header`), which metadata need even
        without a trace."""
        headers = _HEADERS.get()
        if self._keep or headers is not None:
            from answerer.trace import VERSION, rounded_values
            from retriever.provenance import run_header

            header = rounded_values(run_header(task, method, parameters, index, language, packages))
            if headers is not None:
                headers.append(header)
            if self._keep:
                self._keep({"run": header, "version": VERSION})

    def question(self, row: TraceQuestion) -> None:
        """Writes a question's line."""
        if self._keep:
            from answerer.trace import encode

            self._keep(encode(row))


@contextmanager
def headers_kept() -> Iterator[list[dict[str, Any]]]:
    """Context manager that yields a list for the headers of all runs made inside, even if no trace
    is written."""
    headers: list[dict[str, Any]] = []
    before = _HEADERS.set(headers)
    try:
        yield headers
    finally:
        _HEADERS.reset(before)


@contextmanager
def open_trace(path: str | Path | None) -> Iterator[Trace]:
    """Context manager that yields a trace writing to `path`; the file appears when the block ends
    without an error. None: a trace that drops its rows."""
    if path is None:
        yield Trace()
        return
    with atomic_text(path) as file:
        yield Trace(lambda row: print(json.dumps(row, ensure_ascii=False), file=file))
