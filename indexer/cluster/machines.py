"""Where the work of a build is done: on processes of this machine, or on the workers of a Dask scheduler."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, NamedTuple, Protocol

from indexer.cli.options import BuildOptions
from indexer.files.errors import UserError
from indexer.files.progress import watched
from indexer.location import locate
from indexer.parallel import serve_the_parent

Calls = Sequence[tuple[Any, ...]]


class Machines(Protocol):
    """Processes that call functions. What these give stays there: a promise, which other calls take in its place."""

    @property
    def size(self) -> int:
        """How many calls run at a time."""

    def share(self, value: object) -> Any:
        """A promise of a value that many calls need."""

    def each(self, function: Callable[..., object], calls: Calls, label: str = "") -> list[Any]:
        """A promise for each call's result, when all are done. Promises among the arguments, also in lists, are kept.

        An error of a call is raised here.
        """

    def each_many(self, function: Callable[..., Sequence[object]], calls: Calls, count: int, label: str = "") -> Any:
        """The same where a function gives `count` results: a list of as many promises for each call."""

    def value(self, promise: Any) -> Any:
        """What was promised, brought here."""

    def __enter__(self) -> Machines: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def machines_for(address: str, options: BuildOptions) -> Machines | None:
    """The machines that a build at an address is to use; None where one process does it all.

    An embedded index has one writer, which `--jobs` serves in its own way. UserError for one with a scheduler.
    """
    embedded = locate(address).folder is not None
    if options.scheduler and embedded:
        raise UserError(
            f"{address} is an embedded index, which one process writes: give --scheduler with an index on "
            "Elasticsearch, or --jobs"
        )
    if options.scheduler:
        from indexer.cluster.scheduler import DaskMachines

        return DaskMachines(options.scheduler)
    return LocalMachines(options.jobs) if options.jobs > 1 and not embedded else None


def in_pairs(machines: Machines, function: Callable[[Any, Any], object], promises: Sequence[Any], label: str) -> Any:
    """A promise of what a function makes of all that was promised, two by two, and again of what it made."""
    while len(promises) > 1:
        odd = promises[len(promises) - len(promises) % 2 :]
        pairs = list(zip(promises[0::2], promises[1::2], strict=False))
        promises = [*machines.each(function, pairs, label), *odd]
    return promises[0]


def absolute(paths: Sequence[str], named: str | None = None) -> list[str]:
    """Paths as every machine finds them. UserError for documents that a program gave, which only it has."""
    if named:
        raise UserError("documents of a program lie on no other machine: write them to a file for --scheduler")
    return [os.path.abspath(path) for path in paths]  # noqa: PTH100 - links stay as the user named them


class _Kept(NamedTuple):
    """A result that a process left in a file."""

    path: str


class LocalMachines:
    """Processes of this machine; what they give each other lies in a passing folder, not in this process's memory."""

    def __init__(self, jobs: int) -> None:
        self.size = jobs
        self._made = 0

    def __enter__(self) -> LocalMachines:
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        self._folder = TemporaryDirectory(prefix="classical-qa-")
        context = multiprocessing.get_context("forkserver" if os.name == "posix" else "spawn")
        self._pool = ProcessPoolExecutor(self.size, context, initializer=serve_the_parent)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(cancel_futures=True)
        self._folder.cleanup()

    def share(self, value: object) -> _Kept:
        kept = self._new()
        _write(kept, value)
        return kept

    def each(self, function: Callable[..., object], calls: Calls, label: str = "") -> list[_Kept]:
        return [kept[0] for kept in self._all(_call_for_one, function, calls, 1, label)]

    def each_many(
        self, function: Callable[..., Sequence[object]], calls: Calls, count: int, label: str = ""
    ) -> list[list[_Kept]]:
        return self._all(_call, function, calls, count, label)

    def value(self, promise: _Kept) -> Any:
        return _read(promise)

    def _all(
        self, call: Callable[..., None], function: Callable[..., object], calls: Calls, count: int, label: str
    ) -> list[list[_Kept]]:
        from concurrent.futures import as_completed
        from concurrent.futures.process import BrokenProcessPool

        kept = [[self._new() for _ in range(count)] for _ in calls]
        futures = [
            self._pool.submit(call, function, arguments, places) for arguments, places in zip(calls, kept, strict=True)
        ]
        try:
            for done in watched(as_completed(futures), label, len(futures), "pieces"):
                done.result()
        except BrokenProcessPool:
            raise UserError(
                "a process of the build was ended from outside, as when memory runs out: give the same command again, "
                "with fewer --jobs"
            ) from None
        return kept

    def _new(self) -> _Kept:
        self._made += 1
        return _Kept(str(Path(self._folder.name) / str(self._made)))


def _call(function: Callable[..., Sequence[object]], arguments: Sequence[object], places: Sequence[_Kept]) -> None:
    results = function(*map(_found, arguments))
    for place, result in zip(places, results, strict=True):
        _write(place, result)


def _call_for_one(function: Callable[..., object], arguments: Sequence[object], places: Sequence[_Kept]) -> None:
    _write(places[0], function(*map(_found, arguments)))


def _found(argument: object) -> object:
    """An argument, what was promised in the place of the promise."""
    if isinstance(argument, _Kept):
        return _read(argument)
    return [_found(each) for each in argument] if type(argument) is list else argument


def _write(place: _Kept, value: object) -> None:
    with Path(place.path).open("wb") as file:
        pickle.dump(value, file, pickle.HIGHEST_PROTOCOL)


def _read(place: _Kept) -> Any:
    with Path(place.path).open("rb") as file:
        return pickle.load(file)  # noqa: S301 - written by a process of this very build
