"""Describes how a run was made, as lines: the header of its trace, the commands, and the metadata beside it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from evaluation.report.data import ReportRun
from retriever.provenance import SUBMISSION

Lines = list[tuple[str, str]]

_LISTED = 6  # values of a parameter that are listed; longer lists are counted
_DEEPEST = 4  # levels of metadata that are shown; metadata of others may be nested without limit
_MOST_LINES = 60  # of metadata
_LONGEST = 1_000  # characters of a value of metadata
_IN_TRACE = ("method",)  # fields of metadata that the header of a trace has too


def describe_run(run: ReportRun, task: str, gold: str, metadata: Mapping[str, Any] | None) -> Lines:
    """Lines (label, value): a run's file, its trace's header, the command that answered and the one that scores it.

    The command that answered is taken from the metadata (`--metadata`). Without metadata it is built from the trace,
    with `…` for the file of questions and the options, which the trace does not name.
    """
    return [
        ("run", run.path),
        *_header_lines(run.header),
        *_answered_by(run, task, metadata),
        _scored_by(run, task, gold),
    ]


def beside(metadata: Mapping[str, Any] | None, traced: bool) -> Lines:
    """The other metadata: a line for each mapping of plain values, labelled by its path.

    Empty values are left out and, for a run with a trace, fields that its header has too. At most 60 lines.
    """
    known = (SUBMISSION, *(_IN_TRACE if traced else ()))
    rest = {name: value for name, value in (metadata or {}).items() if name not in known}
    return list(islice(_lines(rest, ()), _MOST_LINES))


def _header_lines(header: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yields a line for each field of a trace's header and each parameter; empty ones are left out."""
    for name, value in header.items():
        if name == "parameters" and isinstance(value, Mapping):
            yield from ((str(key), text) for key, one in value.items() if (text := _value_text(one)))
        elif text := _value_text(value):
            yield str(name), text


def _answered_by(run: ReportRun, task: str, metadata: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
    """Yields the line of the command that answered: from metadata, else built from the trace's header."""
    command = _at(metadata, "implementation", "executable", "cmd")
    if isinstance(command, str) and command:
        yield "answered by", command[:_LONGEST]
    elif run.header:
        sources = run.header.get("sources") or [run.header]
        indexes = [str(one["index"]) for one in sources if isinstance(one, Mapping) and one.get("index")]
        options = [word for index in indexes for word in ("--index", index)]
        written = shlex.join([*options, "-o", run.path, "--trace", run.trace])
        yield "answered by, as far as the trace tells", f"python -m answerer {shlex.quote(task)} … {written}"


def _at(metadata: Mapping[str, Any] | None, *path: str) -> object:
    """The value at a path of keys; None if a key is missing."""
    found: object = metadata
    for name in path:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found


def _scored_by(run: ReportRun, task: str, gold: str) -> tuple[str, str]:
    trace = ["--trace", run.trace] if run.trace and task in ("ntcir-mc", "ntcir-term") else []
    return "scored by", shlex.join(["python", "-m", "evaluation", task, gold, run.path, *trace])


def _lines(value: object, path: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yields a line (path, values) for each mapping of plain values and each other value."""
    if isinstance(value, Mapping) and len(path) < _DEEPEST and not _plain(value):
        for name, one in value.items():
            yield from _lines(one, (*path, str(name)))
    elif isinstance(value, list) and len(path) < _DEEPEST and value and isinstance(value[0], Mapping):
        for one in value[:_LISTED]:
            yield from _lines(one, path)
    elif text := _value_text(value, _DEEPEST - len(path))[:_LONGEST]:
        yield " / ".join(path), text


def _plain(value: Mapping[str, Any]) -> bool:
    return bool(value) and all(not isinstance(one, Mapping | list) for one in value.values())


def _value_text(value: object, depth: int = _DEEPEST) -> str:
    """A value in one line; long or deeply nested lists and mappings as the number of their values."""
    if value is None or value == "":
        return ""
    if isinstance(value, Mapping):
        short = len(value) <= 2 * _LISTED and _plain(value)
        return " · ".join(f"{key} {one}" for key, one in value.items()) if short else _number(len(value))
    if isinstance(value, list):
        listed = len(value) <= _LISTED and depth > 0
        return ", ".join(_value_text(one, depth - 1) for one in value) if listed else _number(len(value))
    return str(value)


def _number(values: int) -> str:
    return f"{values} values" if values else ""
