"""The workers of a Dask scheduler as machines of a build. Source: https://distributed.dask.org."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from operator import itemgetter
from types import TracebackType
from typing import Any

from indexer.cluster.machines import Calls
from indexer.files.errors import UserError
from indexer.files.progress import watched
from indexer.files.versions import versions

SECONDS_TO_CONNECT = 20
SECONDS_FOR_A_WORKER = 60


class DaskMachines:
    """One thread of each worker is used: analysers are not made for more. Promises are Dask's futures."""

    def __init__(self, address: str) -> None:
        self._address = address
        try:
            import distributed
            from distributed.comm.core import CommClosedError
        except ImportError:
            raise UserError("--scheduler needs Dask: pip install 'classical-qa[cluster]'") from None
        _silence("distributed")
        self._distributed: Any = distributed
        self._gone = (CancelledError, CommClosedError)

    def __enter__(self) -> DaskMachines:
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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()

    @property
    def size(self) -> int:
        return max(1, len(self._client.scheduler_info(n_workers=-1)["workers"]))

    def share(self, value: object) -> Any:
        with self._told():  # a call's result is made again where its worker is lost, what is scattered is not
            return self._client.submit(_itself, value, pure=False)

    def each(self, function: Callable[..., object], calls: Calls, label: str = "") -> list[Any]:
        with self._told():
            futures = [self._client.submit(function, *arguments, pure=False) for arguments in calls]
            self._wait(futures, label)
        return futures

    def each_many(
        self, function: Callable[..., Sequence[object]], calls: Calls, count: int, label: str = ""
    ) -> list[list[Any]]:
        with self._told():
            futures = [self._client.submit(function, *arguments, pure=False) for arguments in calls]
            found = [[self._client.submit(itemgetter(n), all_of_it) for n in range(count)] for all_of_it in futures]
            self._wait(futures, label)
        return found

    def value(self, promise: Any) -> Any:
        with self._told():
            return promise.result()

    def _wait(self, futures: Sequence[Any], label: str) -> None:
        for done in watched(
            self._distributed.as_completed(futures, loop=self._client.loop), label, len(futures), "pieces"
        ):
            done.result()

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
