"""What is fuzzed: every reader of a file and every command, found in the packages and the
registries.

A reader is a public function whose only needed argument is a path or bytes. A command runs the
example of its help, one of whose files, or the metadata beside one, is changed. So a new one of
either is covered without a line here; an option that reads a file has its line in `further`.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import click

from answerer.serve.served import Served
from indexer.cli.types import Address, OutputPath
from indexer.files.errors import UserError, one_line
from indexer.ingest_report import IngestReport
from indexer.languages.registry import LANGUAGES
from indexer.sandbox import Sandbox, WorkerDiedError
from indexer.sources.datasets.build import table_blocks
from tests.extended import ROOMS
from tests.fuzz.further import FURTHER
from tests.fuzz.mutations import mutated
from tests.programs import ELSEWHERE, Program, every_command, run, words_of

SEVERAL = "Sequence[str | Path]"
PATHS = ("str", "Path", "str | Path", "str | Path | bytes")
NO_READERS = (
    *(
        "indexer.cli.",
        "indexer.files.atomic",
        "indexer.files.paths",
        "indexer.files.errors",
        "indexer.files.messages",
    ),
    *(
        "indexer.engines.",
        "indexer.build.",
        "answerer.selqa.submission",
        "evaluation.overview",
        "evaluation.tasks.ntcir_mc.is_single_run",
    ),
    *("answerer.serve.worker", "answerer.serve.http", "answerer.serve.pool"),
    *(
        f"indexer.tables.{m}."
        for m in ("delimited", "files", "number_formats", "records", "workbook")
    ),  # read by `table_blocks`, in a process of its own
)
"""Modules and functions whose paths are places to write, indexes and folders, or whose bytes the
program made."""

Check = Callable[[random.Random], None]


class Finding(AssertionError):  # noqa: N818
    """What is neither a right answer nor a clear error."""


class Corpus:
    """The files of a folder, as they were at the beginning."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files = {
            str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
            and not {"indexes", "source"} & {*path.parts}  # the latter our own, in a submission
        }
        self.texts = [data for data in self.files.values() if data]

    def changed(self, names: Sequence[str], draw: random.Random) -> tuple[str, bytes]:
        """One of these files and what it holds now."""
        name = draw.choice(names)
        return name, mutated(self.files[name], draw, self.texts)


class Reader(NamedTuple):
    """A reader of a file, or of bytes in memory, which needs nothing else; one of foreign code
    works `apart`."""

    read: Callable[[Any], object]
    in_memory: bool = False
    apart: bool = False


@cache
def readers() -> dict[str, Reader]:
    """Every reader by its name."""
    found = {}
    for room in ROOMS:
        package = importlib.import_module(room)
        for module in pkgutil.walk_packages(package.__path__, f"{room}."):
            if module.name.endswith("__main__"):
                continue
            for name, function in vars(importlib.import_module(module.name)).items():
                if (
                    not inspect.isfunction(function)
                    or function.__module__ != module.name
                    or name.startswith("_")
                ):
                    continue
                if f"{module.name}.{name}".startswith(NO_READERS):
                    continue
                if (reader := _reader(function)) is not None:
                    found[f"{module.name}.{name}"] = reader
    return found


def _reader(function: Callable[..., object]) -> Reader | None:
    signature = inspect.signature(function)
    first, *rest = [*signature.parameters.values()] or [None]
    if (
        first is None
        or first.annotation not in (*PATHS, SEVERAL, "bytes")
        or signature.return_annotation in ("None", "Path")
    ):
        return None
    if first.annotation == "str" and first.name not in ("path", "file"):
        return None
    fillers: Mapping[str, Callable[[], object]] = {
        "Language": lambda: LANGUAGES["en"], "IngestReport": IngestReport, "label: str": lambda: "label",
        "Sequence[Served]": lambda: [Served("book", "book", "textbook", "en")], "is_run: bool": lambda: True,
    }  # fmt: skip
    needed = [
        one for one in rest if one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD
    ]
    filled = [
        fillers.get(str(one.annotation)) or fillers.get(f"{one.name}: {one.annotation}")
        for one in needed
    ]
    if not all(filled):
        return None

    def read(source: Any) -> object:
        given = {"Path": Path, SEVERAL: lambda path: [path]}.get(
            first.annotation, lambda path: path
        )(source)
        result = function(given, *(make() for make in filled if make))
        return list(result) if isinstance(result, Iterator) else result

    return Reader(read, first.annotation == "bytes", function is table_blocks)


@cache
def commands() -> dict[str, list[str]]:
    """The words of every command's example, by its name; of the further ones by program, command
    and number."""
    found = {}
    for one in every_command():
        example = re.search(r"Example: (.*)", f"{one.command.epilog}\n{one.command.help}")
        assert example, f"{one} has no example"
        if str(one) not in ELSEWHERE:
            found[str(one)] = words_of(example[1])
    for number, words in enumerate(FURTHER, 1):
        found[f"{words[0]}-{words[1]}-further-{number}"] = words
    return found


def program_of(words: Sequence[str]) -> Program:
    """The command that words call."""
    called = (one for one in every_command() if one.words == tuple(words[: len(one.words)]))
    return max(called, key=lambda one: len(one.words))


def _is_written(param: click.Parameter) -> bool:
    return isinstance(param.type, OutputPath | Address)


def check_of(target: str, corpus: Corpus) -> Check:
    """The check of one changed input of a target; the working folder holds the corpus, for a
    command to work on."""
    if target in commands():
        return _command_check(commands()[target], corpus)
    return reader_check(readers()[target], corpus)


def reader_check(reader: Reader, corpus: Corpus) -> Check:
    """The check of one changed input of a reader."""
    own = [
        name
        for name, data in corpus.files.items()
        if _reads(reader, data if reader.in_memory else str(corpus.folder / name))
    ]
    elsewhere = Sandbox(table_blocks, seconds=20)

    def check(draw: random.Random) -> None:
        name, data = corpus.changed(
            own if own and draw.random() < 0.85 else list(corpus.files), draw
        )
        place = Path("changed") / Path(name).name
        with suppress(UserError, WorkerDiedError):
            if reader.apart:
                list(elsewhere(data, draw.choice(list(LANGUAGES.values()))))
            elif reader.in_memory:
                reader.read(data)
            else:
                place.parent.mkdir(exist_ok=True)
                place.write_bytes(data)
                _read_file(reader, place, data)

    return check


def _reads(reader: Reader, source: str | bytes) -> bool:
    try:
        return bool(reader.read(source))
    except Exception:
        return False


def _read_file(reader: Reader, place: Path, data: bytes) -> None:
    """An error that names a line names one that the file has."""
    try:
        reader.read(str(place))
    except UserError as error:
        named = re.match(re.escape(str(place)) + r":(\d+):", str(error))
        most = max(data.count(b"\n"), data.count(b"\r")) + 1
        if (
            named
            and not data.startswith((b"BZh", b"\x1f\x8b", b"\xfd7zXZ"))
            and int(named[1]) > most
        ):
            raise Finding(f"a line beyond the {most} of the file: {error}") from error
        if not one_line(error).isprintable():
            raise Finding(f"an unreadable error: {error!r}") from error
        raise


def _command_check(words: list[str], corpus: Corpus) -> Check:
    written = [
        name
        for param in program_of(words).command.params
        for name in param.opts
        if _is_written(param)
    ]
    read = [word for before, word in pairwise(words) if before not in written]
    given = [
        name
        for name in corpus.files
        if name in read or any(name.startswith(f"{word.rstrip('/')}/") for word in read)
    ]

    def check(draw: random.Random) -> None:
        if not given:
            return
        name, data = corpus.changed(given, draw)
        Path(name).write_bytes(data)
        try:
            _run(words)
        finally:
            for file in given:
                Path(file).write_bytes(corpus.files[file])

    return check


def _run(words: list[str]) -> None:
    """Run a command, and see that it ends well, or with one clear line, and leaves nothing half
    written."""
    ended = run(*words)
    last = ended.err.removesuffix("\n").rpartition("\n")[2]
    if ended.status not in (0, 2):
        raise Finding(f"status {ended.status}: {ended.err[-500:]}")
    if ended.status == 2 and not (
        last.startswith("error: ") and last.isprintable() and len(last) <= 1010
    ):
        raise Finding(f"no clear line: {last[:2000]!r}")
    if "memory does not suffice" in last:
        raise Finding(last)
    if left := list(Path().rglob("*.part")):
        raise Finding(f"half written: {left}")
