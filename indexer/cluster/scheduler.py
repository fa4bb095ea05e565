"""The machines of a build: the workers of a Dask scheduler. Source: https://distributed.dask.org."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from operator import itemgetter
from typing import Any

from indexer.cli.commands import install_hint
from indexer.cli.options import BuildOptions
from indexer.files.errors import UserError
from indexer.files.progress import watched
from indexer.files.versions import versions
from indexer.location import locate

SECONDS_TO_CONNECT = 20
SECONDS_FOR_A_WORKER = 60

Calls = Sequence[tuple[Any, ...]]


class Machines:
    """Workers that call functions. What these give stays there: a promise, which other calls take in its place.

    One thread of each worker is used: analysers are not made for more. Promises are Dask's futures.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        try:
            import distributed
            from distributed.comm.core import CommClosedError
        except ImportError:
            raise UserError(f"--scheduler needs Dask: {install_hint('cluster')}") from None
        _silence("distributed")
        self._distributed: Any = distributed
        self._gone = (CancelledError, CommClosedError)

    def __enter__(self) -> Machines:
        if (
            self._address.startswith("tls:")
            and not self._distributed.Security().get_tls_config_for_role("client")["ca_file"]
        ):
            raise UserError(
                f"{self._address} needs certificates: name them to Dask (DASK_DISTRIBUTED__COMM__TLS__CA_FILE and "
                "what else `distributed.comm.tls` has), or give a tcp:// address"
            )
        try:
            self._client = self._distributed.Client(self._address, timeout=SECONDS_TO_CONNECT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise UserError(
                f"no Dask scheduler answers at {self._address} ({type(error).__name__}): start one with "
                f"`dask scheduler`, and workers with `dask worker {self._address} --nthreads 1`"
            ) from None
        try:
            self._check_workers()
        except BaseException:
            self._client.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    @property
    def size(self) -> int:
        """How many calls run at a time."""
        return max(1, len(self._client.scheduler_info(n_workers=-1)["workers"]))

    def share(self, value: object) -> Any:
        """A promise of a value that many calls need."""
        with self._told():  # a call's result is made again where its worker is lost, what is scattered is not
            return self._client.submit(_itself, value, pure=False)

    def each(self, function: Callable[..., object], calls: Calls, label: str = "") -> list[Any]:
        """A promise for each call's result, when all are done. Promises among the arguments, also in lists, are kept.

        An error of a call is raised here.
        """
        with self._told():
            futures = [self._client.submit(function, *arguments, pure=False) for arguments in calls]
            self._wait(futures, label)
        return futures

    def each_many(
        self, function: Callable[..., Sequence[object]], calls: Calls, count: int, label: str = ""
    ) -> list[list[Any]]:
        """The same where a function gives `count` results: a list of as many promises for each call."""
        with self._told():
            futures = [self._client.submit(function, *arguments, pure=False) for arguments in calls]
            found = [[self._client.submit(itemgetter(n), all_of_it) for n in range(count)] for all_of_it in futures]
            self._wait(futures, label)
        return found

    def _wait(self, futures: Sequence[Any], label: str) -> None:
        completed = self._distributed.as_completed(futures, loop=self._client.loop)
        for done in watched(completed, label, len(futures), "pieces"):
            done.result()

    def value(self, promise: Any) -> Any:
        """What was promised, brought here."""
        with self._told():
            return promise.result()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turns what goes wrong with the machines into one line for the user."""
        try:
            yield
        except self._distributed.KilledWorker as error:
            raise UserError(
                f"workers of {self._address} ended one after the other over the same piece ({error.task}), as when "
                "memory runs out: give them more, or cut the sources into more files"
            ) from None
        except (*self._gone, OSError) as error:
            if self._client.status == "running" and not isinstance(error, self._gone):
                raise  # of the work itself, on a machine
            raise UserError(
                f"the Dask scheduler at {self._address} was lost ({type(error).__name__}): give the same command again "
                "when it is back"
            ) from None

    def _check_workers(self) -> None:
        """UserError unless there are workers, of one thread each, with this very program and its packages."""
        with self._told():
            try:
                self._client.wait_for_workers(1, timeout=SECONDS_FOR_A_WORKER)
            except TimeoutError:
                raise UserError(
                    f"the scheduler at {self._address} has no worker: start some with "
                    f"`dask worker {self._address} --nthreads 1`"
                ) from None
            threads = {about["nthreads"] for about in self._client.scheduler_info(n_workers=-1)["workers"].values()}
            if threads != {1}:
                raise UserError(f"the workers of {self._address} have several threads: start them with --nthreads 1")
            ours = own_versions()
            try:
                theirs = self._client.run(own_versions)
            except (ImportError, AttributeError) as error:
                raise UserError(
                    f"the workers of {self._address} lack this program ({error}): install the same on every machine"
                ) from None
            for worker, found in theirs.items():
                other = sorted(name for name in ours | found if ours.get(name) != found.get(name))
                if other:
                    raise UserError(
                        f"the worker {worker} has another version of {', '.join(other)}: install the same everywhere"
                    )


def machines_for(address: str, options: BuildOptions) -> Machines | None:
    """The machines that a build at an address is to use; None where this machine does it all.

    UserError for an embedded index.
    """
    if not options.scheduler:
        return None
    if locate(address).folder is not None:
        raise UserError(
            f"{address} is an embedded index, which one machine writes: give --scheduler with an index on "
            "Elasticsearch, or --jobs"
        )
    return Machines(options.scheduler)


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


def _itself(value: object) -> object:
    return value


def _silence(name: str) -> None:
    """Let no logger of a package speak: what goes wrong is told in one line here."""
    for logger in [each for each in logging.root.manager.loggerDict if each.split(".")[0] == name]:
        logging.getLogger(logger).setLevel(logging.CRITICAL + 1)


def own_versions() -> dict[str, str]:
    """The versions of this program and of all that it analyses text with."""
    from indexer.languages.registry import LANGUAGES

    packages = {package for language in LANGUAGES.values() for package in language.packages}
    return dict(versions({*packages, "numpy", "scipy"}))
