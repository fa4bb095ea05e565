"""Runs as Python gives them, files or what `answerer.answer` gave, put into files for as long as they are read."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol, runtime_checkable

from answerer.trace import TraceQuestion
from evaluation.tasks.reported import unlike
from indexer.files.atomic import as_bytes, temporary_folder
from indexer.files.errors import UserError
from indexer.files.validation import path_given
from indexer.paths import require_input

FileName = str | os.PathLike[str]


@runtime_checkable
class Answered(Protocol):
    """A run that is not in a file yet: what `answerer.answer` gives."""

    @property
    def files(self) -> Mapping[str, bytes]: ...

    @property
    def header(self) -> Mapping[str, Any]: ...

    @property
    def questions(self) -> Sequence[TraceQuestion]: ...

    def contents(self, place: FileName, trace: FileName | None = None) -> list[tuple[str | Path, str | bytes]]: ...


AnyRun = FileName | Answered
"""A run: a file, a folder of files for several exams, or what `answerer.answer` gave."""


class RunFiles(NamedTuple):
    """A run in files: what it is called, where it is, and where its trace is, if there is one."""

    name: str
    place: Path
    trace: Path | None


@contextmanager
def in_files(runs: Sequence[AnyRun], traced: bool) -> Iterator[list[RunFiles]]:
    """The files of each run, and of its trace where that is wanted and there; names are all different.

    An error that tells of a passing file calls it by the name of its run.
    """
    with ExitStack() as folders:
        found = [_files(run, folders.enter_context(temporary_folder()), traced) for run in runs]
        names = list(unlike([one.name for one in found]))
        try:
            yield [one._replace(name=name) for one, name in zip(found, names, strict=True)]
        except UserError as error:
            said = str(error)
            for run, one, name in zip(runs, found, names, strict=True):
                said = said.replace(str(one.place), name) if isinstance(run, Answered) else said
            raise UserError(said) from error


def _files(run: AnyRun, folder: Path, traced: bool) -> RunFiles:
    if not isinstance(run, Answered):
        return RunFiles(path_given(run, "run"), readable(run, "run"), None)
    place, trace = folder / "run", folder / "trace.jsonl" if traced and run.questions else None
    for path, content in run.contents(place, trace):  # without a word: nobody asked for these files
        Path(path).parent.mkdir(exist_ok=True)
        Path(path).write_bytes(as_bytes(content))
    return RunFiles(str(run.header.get("method", "run")), place, trace)


def readable(path: FileName, named: str) -> Path:
    """A file or folder that is there. UserError for none; `named` is what it is given as."""
    require_input(path_given(path, named), named, ("**",))
    return Path(path)
