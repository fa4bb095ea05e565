"""The evidence behind every answer: JSON lines, first the run, then one object a question."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from indexer.engines.contract import Index
from indexer.engines.metadata import corpus
from indexer.files.archive import Limits
from indexer.files.atomic import atomic_text
from indexer.files.errors import bad_input
from indexer.files.json_objects import TO_COMPUTE, parse_json
from indexer.files.versions import versions
from indexer.languages.language import Language
from retriever.federated import FederatedIndex, sources_of

_HEADERS: ContextVar[list[dict[str, Any]] | None] = ContextVar("headers", default=None)
_LEAST = 0.01
_DIGITS = 7  # significant digits of the numbers written
_EXPECTED = "expected a trace written with --trace"
_HELD = {"{": 250, "[": 64, ":": 100, ",": 32}  # bytes that a value takes in memory for each of its marks
_PARTS: Mapping[str, type] = {"parameters": dict, "versions": dict, "sources": list}  # of a run's header
_ENGINES = {"embedded": ("tantivy",), "elasticsearch": ("elasticsearch",)}  # the packages of each


class Trace:
    """Hands on each row of a trace, or nothing where the user does not want one, so that a task need not ask.

    Numbers are written with 7 significant digits, so that they do not depend on the engine's last bit.
    """

    def __init__(self, keep: Callable[[dict[str, Any]], None] | None = None) -> None:
        self._keep = keep

    @property
    def wanted(self) -> bool:
        return self._keep is not None

    def run(
        self,
        task: str,
        method: str,
        parameters: Mapping[str, Any],
        index: Index | None = None,
        language: Language | None = None,
        packages: Iterable[str] = (),
    ) -> None:
        """The first line: `{"run": {task, method, parameters, engine, index, corpus, language, versions}}`.

        Where several indexes are asked as one, `sources` has each one's index, engine,
        kind, language and corpus.

        `parameters` are all that shaped the answers besides questions and index, a model by its fingerprint; `packages`
        those of others that the task computes with, whose versions are written beside the engine's. `corpus` says what
        the index was built from, and with which versions; it does not depend on where the index is.
        """
        headers = _HEADERS.get()
        if self._keep is None and headers is None:
            return
        sources = sources_of(index) if index else ()
        spoken = index.metadata.language if index else language
        header = {
            "task": task,
            "method": method,
            "parameters": dict(parameters),
            "engine": index.engine if index else None,
            "index": index.address if index else None,
            "corpus": corpus(index.metadata) if index else None,
            "language": spoken.code if spoken else None,
            **(_several(index) if isinstance(index, FederatedIndex) else {}),
            "versions": versions({*packages, *(name for one in sources for name in _ENGINES[one.engine])}),
        }
        if headers is not None:
            headers.append(rounded_values(header))
        if self._keep is not None:
            self._keep(rounded_values({"run": header}))

    def question(self, row: Mapping[str, Any]) -> None:
        """A question's line: `{question_id, shape, asks, question, system, candidates: [{id, text, score,
        signals, evidence: [{doc_id, text, score, terms}]}]}`."""
        if self._keep is not None:
            self._keep(rounded_values(row))


def _several(index: FederatedIndex) -> dict[str, Any]:
    """The sources of an index that is several, in order."""
    return {
        "sources": [
            {
                "index": one.address,
                "engine": one.engine,
                "kind": one.metadata.kind,
                "language": one.metadata.language.code if one.metadata.language else None,
                "corpus": corpus(one.metadata),
            }
            for one in index.sources
        ],
    }


@contextmanager
def headers_kept() -> Iterator[list[dict[str, Any]]]:
    """The headers of the runs made inside, whether or not their traces are written, go to this list too."""
    headers: list[dict[str, Any]] = []
    before = _HEADERS.set(headers)
    try:
        yield headers
    finally:
        _HEADERS.reset(before)


@contextmanager
def open_trace(path: str | Path | None) -> Iterator[Trace]:
    """A trace that takes its name when the block ends well; None writes nothing."""
    if path is None:
        yield Trace()
        return
    with atomic_text(path) as file:

        def write(row: dict[str, Any]) -> None:
            file.write(trace_line(row))

        yield Trace(write)


def trace_line(row: Mapping[str, Any]) -> str:
    """A row of a trace as its line."""
    return json.dumps(row, ensure_ascii=False) + "\n"


def read_trace(path: str | Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The run's header and the questions of a trace. UserError with file and line where it is not a trace."""
    from indexer.files.encoding import MemoryBudget, open_lines

    run: dict[str, Any] = {}
    questions = []
    room = MemoryBudget(path, Limits().run_held)
    for number, line, reason in open_lines(path, limit=Limits().member_size):
        if line is not None and not line.strip():
            continue
        try:
            if line is None:
                raise ValueError(reason)
            room.take(2 * sys.getsizeof(line) + sum(size * line.count(mark) for mark, size in _HELD.items()), number)
            row = parse_json(line, **TO_COMPUTE)
        except ValueError as error:
            raise bad_input(path, number, f"not JSON ({error})", _EXPECTED) from None
        if _is_header(row):
            run = row["run"]
        elif _is_question(row):
            questions.append(row)
        else:
            raise bad_input(path, number, "neither a run nor a question", _EXPECTED)
    return run, questions


def _is_header(row: object) -> bool:
    run = row.get("run") if isinstance(row, dict) else None
    return isinstance(run, dict) and all(isinstance(run.get(name) or kind(), kind) for name, kind in _PARTS.items())


def _is_question(row: object) -> bool:
    if not isinstance(row, dict) or not isinstance(row.get("question_id"), str | int):
        return False
    candidates = row.get("candidates", [])
    listed = isinstance(candidates, list) and all(isinstance(one, dict) for one in candidates)
    return listed and isinstance(row.get("exam", ""), str)


def asks_otherwise(row: Mapping[str, Any], text: str) -> bool:
    """Whether a question's row asks something else than a text, in whatever blanks; not where either has no text."""
    asked, words = str(row.get("question") or "").split(), text.split()
    return bool(asked and words) and asked != words


def with_rest(added: Mapping[str, float]) -> dict[str, float]:
    """What signals add to a score, as a trace tells it: those that add less than 0.01 stand together as "rest"."""
    large = {name: value for name, value in added.items() if abs(value) >= _LEAST}
    rest = sum(added.values()) - sum(large.values())
    return {**large, "rest": rest} if len(large) < len(added) and rest else large


def rounded_values(value: Any) -> Any:
    """A value as a trace holds it: plain JSON, numbers with 7 significant digits."""
    if isinstance(value, bool | int | str) or value is None:
        return value
    if isinstance(value, Mapping):
        return {str(key): rounded_values(each) for key, each in value.items()}
    if type(value) in (list, tuple):  # not a NamedTuple: its names would be lost
        return [rounded_values(each) for each in value]
    return float(f"{float(value):.{_DIGITS}g}")
