"""Runs as arguments of commands and of Python: files or runs in memory, and checks of gold against run."""

from __future__ import annotations

import filecmp
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from indexer.files.atomic import as_bytes
from indexer.files.errors import UserError
from indexer.files.hashes import fingerprint
from indexer.files.memory import held_content, held_files
from indexer.files.messages import first_few, warn
from indexer.files.paths import require_input
from indexer.files.validation import validate_path
from indexer.parameters import TEXT, InputPath, Parameter, argument, option

_FILES = InputPath(("**/*.xml",), path_type=Path)


def run_arguments(metavar: str) -> tuple[Parameter, ...]:
    """Declares the arguments TASK, GOLD and RUNS, passed as `task`, `gold` and `runs`: files, or folders of XML."""
    return argument("task", TEXT), argument("gold", _FILES), argument("runs", _FILES, metavar, multiple=True)


def traces_option(why: str) -> Parameter:
    """Declares --trace of a command for several runs, passed as `traces`; `why` is a part of its help."""
    return option(
        "--trace",
        "traces",
        multiple=True,
        metavar="TRACE.jsonl",
        type=InputPath(path_type=Path),
        help=f"The trace of each run, in the order of the runs: {why}.",
    )


if TYPE_CHECKING:
    from answerer.trace import TraceQuestion

FileName = str | os.PathLike[str]


@runtime_checkable
class RunInMemory(Protocol):
    """A run that is not in a file yet, as `answerer.answer` returns it."""

    @property
    def files(self) -> Mapping[str, bytes]: ...

    @property
    def header(self) -> Mapping[str, Any]: ...

    @property
    def questions(self) -> Sequence[TraceQuestion]: ...

    def contents(self, place: FileName, trace: FileName | None = None) -> list[tuple[str | Path, str | bytes]]: ...


AnyRun = FileName | RunInMemory
"""A run: a file, a folder of files for several exams, or a result of `answerer.answer`."""


class RunFiles(NamedTuple):
    """A run in files: its name, its path, and the path of its trace, if it has one."""

    name: str
    place: Path
    trace: Path | None


@contextmanager
def in_files(runs: Sequence[AnyRun], traced: bool) -> Iterator[list[RunFiles]]:
    """Yields the files of each run, under different names; those of runs in memory are held there, not written.

    `traced` adds the traces of runs in memory that have evidence. A UserError inside calls a run in memory by its name.
    """
    for run in runs:
        if not isinstance(run, RunInMemory):
            validate_path(run, "run")
    called = [str(one.header.get("method", "run")) if isinstance(one, RunInMemory) else os.fspath(one) for one in runs]
    names = list(unlike(called))
    found: list[RunFiles] = []
    held: dict[Path, bytes] = {}
    for run, name in zip(runs, names, strict=True):
        if not isinstance(run, RunInMemory):
            found.append(RunFiles(name, readable(run, "run"), None))
            continue
        place = Path("memory:", name)  # not a folder that exists
        trace = Path("memory:", f"{name}.jsonl") if traced and run.questions else None
        held |= {Path(path): as_bytes(content) for path, content in run.contents(place, trace)}
        found.append(RunFiles(name, place, trace))
    with held_files(held):
        try:
            yield found
        except UserError as error:
            raise UserError(str(error).replace("memory:/", "")) from error


def readable(path: FileName, named: str) -> Path:
    """The path of an existing file or folder. Raises UserError if it does not exist; `named` is what the message calls
    it."""
    require_input(validate_path(path, named), named, ("**",))
    return Path(path)


def unlike(names: Sequence[str]) -> Iterator[str]:
    """Yields the names, numbering repeated ones: `A1`, `A1 (2)`."""
    # `A1 (2)` may itself be a name.
    seen: set[str] = set()
    last: dict[str, int] = {}
    for name in names:
        new = name
        while new in seen:
            last[name] = last.get(name, 1) + 1
            new = f"{name} ({last[name]})"
        seen.add(new)
        yield new


def check_ids(
    gold: str | Path,
    run: str | Path,
    of_gold: Collection[str],
    of_run: Collection[str],
    what: str = "questions",
    missed: str = "which score 0",
) -> None:
    """Warns of the ids that only the gold or only the run has.

    `of_gold` are the ids with a right answer, `of_run` those that the run answers. `what` is the plural of what the ids
    name, `missed` says how those are scored that the run lacks. Raises UserError if the run answers some and the gold
    has none of these.
    """
    wanted, given = dict.fromkeys(of_gold), dict.fromkeys(of_run)
    missing = [one for one in wanted if one not in given]
    extra = [one for one in given if one not in wanted]
    # Nothing in common is the wrong file; a part in common may be a run of a part.
    if extra and len(extra) == len(given):
        raise UserError(f"{run}: answers none of the {what} of {gold}; expected the same ids")
    if missing:
        warn(f"{run}: no answer to {len(missing)} of {len(wanted)} {what}, {missed}: {first_few(missing)}")
    if extra:
        warn(f"{gold}: no gold for {len(extra)} of the {what} that {run} answers, not scored: {first_few(extra)}")


def check_run(gold: Path, run: Path) -> None:
    """Warns of a run that seems to be something else, and of a model trained on the data it is scored on.

    These are a run with the same bytes as its gold; a gold with metadata (FILE.ir-metadata.yml) beside a run without,
    so that the two may be exchanged; a run whose metadata list the gold or the questions among its training data.
    """
    from retriever.provenance import read_metadata, sidecar_of

    # A mistake of the command line that would give a perfect score.
    if same_bytes(gold, run):
        warn(f"{run}: the same bytes as the gold {gold}, so the gold is scored against itself")
    elif sidecar_of(gold).is_file() and not sidecar_of(run).is_file():
        warn(f"{gold} has a run's metadata beside it, {run} has none: are they swapped? The gold comes first")
    warn_of_training(gold, run, read_metadata(run))


def same_bytes(one: Path, other: Path) -> bool:
    """Whether two files have the same bytes; False for folders."""
    if (held := held_content(one)) is not None:
        return held == held_content(other)
    return one.is_file() and other.is_file() and filecmp.cmp(one, other, shallow=False)


def warn_of_training(gold: Path, run: Path, metadata: Mapping[str, Any] | None) -> None:
    """Warns if a run's metadata list its gold, or the questions that it answers, among its training data."""
    if metadata is None:
        return
    data = _mapping(metadata.get("data"))
    trained = {str(one.get("sha256")): str(one.get("file")) for one in _mappings(data.get("training data"))}
    if not trained:
        return
    scored = {str(one.get("sha256")) for one in _mappings(_mapping(data.get("test collection")).get("topics"))}
    # A gold file that a model learned from shows the answers, whatever the questions file is called.
    scored |= {
        str(fingerprint(file)["sha256"]) for file in (gold.rglob("*") if gold.is_dir() else [gold]) if file.is_file()
    }
    seen = [trained[digest] for digest in trained if digest in scored]
    if seen:
        warn(f"{run}: made by a model that was trained on {seen[0]}: this score says nothing about new data")


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _mappings(value: Any) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []
