"""How a run was made, line by line: what its trace tells, the commands, and what stands in the metadata beside it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from evaluation.report.data import Run
from retriever.provenance import SUBMISSION

Lines = list[tuple[str, str]]

_LISTED = 6  # values of a parameter that are listed; of more only the number
_DEEPEST = 4  # levels of metadata that are named; they may be anybody's, without end
_MOST_LINES = 60
_LONGEST = 1_000  # characters of a value of metadata
_TOLD_BY_TRACE = ("method",)  # of metadata what the trace's first line says too


def made(run: Run, task: str, gold: str, metadata: Mapping[str, Any] | None) -> Lines:
    """A run's file, what the first line of its trace says, the command that answered and the command that scores it.

    The command that answered stands in metadata (`--metadata`) as it was given. Without any it is put together from the
    trace, with `…` for the file of questions and the options, which the trace does not name.
    """
    return [("run", run.path), *_told(run.header), *_answered_by(run, task, metadata), _scored_by(run, task, gold)]


def beside(metadata: Mapping[str, Any] | None, traced: bool) -> Lines:
    """What metadata hold beyond that: a line for each mapping of plain values, named by where it stands.

    Values that are empty are left out, and where the run has a trace what this tells too. At most 60 lines.
    """
    known = (SUBMISSION, *(_TOLD_BY_TRACE if traced else ()))
    rest = {name: value for name, value in (metadata or {}).items() if name not in known}
    return list(islice(_lines(rest, ()), _MOST_LINES))


def _told(header: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in header.items():
        if name == "parameters" and isinstance(value, Mapping):
            yield from ((str(key), text) for key, one in value.items() if (text := _shown(one)))
        elif text := _shown(value):
            yield str(name), text


def _answered_by(run: Run, task: str, metadata: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
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
    found: object = metadata
    for name in path:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found


def _scored_by(run: Run, task: str, gold: str) -> tuple[str, str]:
    trace = ["--trace", run.trace] if run.trace and task in ("ntcir-mc", "ntcir-term") else []
    return "scored by", shlex.join(["python", "-m", "evaluation", task, gold, run.path, *trace])


def _lines(value: object, path: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and len(path) < _DEEPEST and not _plain(value):
        for name, one in value.items():
            yield from _lines(one, (*path, str(name)))
    elif isinstance(value, list) and len(path) < _DEEPEST and value and isinstance(value[0], Mapping):
        for one in value[:_LISTED]:
            yield from _lines(one, path)
    elif text := _shown(value, _DEEPEST - len(path))[:_LONGEST]:
        yield " / ".join(path), text


def _plain(value: Mapping[str, Any]) -> bool:
    return bool(value) and all(not isinstance(one, Mapping | list) for one in value.values())


def _shown(value: object, depth: int = _DEEPEST) -> str:
    """A value in one line; of long lists and tables, and of what lies too deep, only how many values they have."""
    if value is None or value == "":
        return ""
    if isinstance(value, Mapping):
        short = len(value) <= 2 * _LISTED and _plain(value)
        return " · ".join(f"{key} {one}" for key, one in value.items()) if short else _number(len(value))
    if isinstance(value, list):
        listed = len(value) <= _LISTED and depth > 0
        return ", ".join(_shown(one, depth - 1) for one in value) if listed else _number(len(value))
    return str(value)


def _number(values: int) -> str:
    return f"{values} values" if values else ""
