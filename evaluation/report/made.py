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

    Empty fields of the header are left out. The command that answered is taken from the metadata (`--metadata`).
    Without metadata it is built from the trace, with `…` for the file of questions and the options, which the trace
    does not name.
    """
    lines = [("run", run.path)]
    for name, value in run.header.items():
        inside = value if name == "parameters" and isinstance(value, Mapping) else {name: value}
        lines += [(str(key), text) for key, one in inside.items() if (text := _value_text(one))]
    command: Any = metadata
    for name in ("implementation", "executable", "cmd"):  # others' metadata may have anything in these places
        command = command.get(name) if isinstance(command, Mapping) else None
    if isinstance(command, str) and command:
        lines.append(("answered by", command[:_LONGEST]))
    elif run.header:
        sources = run.header.get("sources") or [run.header]
        indexes = [str(one["index"]) for one in sources if isinstance(one, Mapping) and one.get("index")]
        options = [word for index in indexes for word in ("--index", index)]
        words = shlex.join([*options, "-o", run.path, "--trace", run.trace])
        lines.append(("answered by, as far as the trace tells", f"python -m answerer {shlex.quote(task)} … {words}"))
    trace = ["--trace", run.trace] if run.trace and task in ("ntcir-mc", "ntcir-term") else []
    lines.append(("scored by", shlex.join(["python", "-m", "evaluation", task, gold, run.path, *trace])))
    return lines


def beside(metadata: Mapping[str, Any] | None, traced: bool) -> Lines:
    """The metadata beside a run as lines (label, values): one for each mapping of plain values, labelled by its path.

    Empty values are left out, the data of the submission and, for a run with a trace (`traced`), fields that its header
    has too. At most 60 lines; [] without metadata.
    """
    known = (SUBMISSION, *(_IN_TRACE if traced else ()))
    rest = {name: value for name, value in (metadata or {}).items() if name not in known}
    return list(islice(_lines(rest, ()), _MOST_LINES))


def _lines(value: object, path: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yields (path joined by ` / `, values as text) for each mapping of plain values and each other value in nested
    metadata."""
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
    """A value of metadata as one line; lists and mappings that are long or deeper than `depth` as the number of their
    values. "" for None and empty values."""
    if value is None or value == "":
        return ""
    if isinstance(value, Mapping):
        if len(value) <= 2 * _LISTED and _plain(value):
            return " · ".join(f"{key} {one}" for key, one in value.items())
    elif isinstance(value, list):
        if len(value) <= _LISTED and depth > 0:
            return ", ".join(_value_text(one, depth - 1) for one in value)
    else:
        return str(value)
    return f"{len(value)} values" if value else ""
