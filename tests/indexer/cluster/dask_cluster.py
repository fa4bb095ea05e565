"""A Dask scheduler and workers as processes of one's own, which may be killed."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from indexer.statistics.counting import NameCounter
from tests.node import free_port
from tests.places import ROOT

SECONDS_TO_START = 120.0  # on a machine at work


class DaskCluster:
    """A scheduler and its workers, of a thread each; `address` is what --scheduler takes."""

    def __init__(self, folder: Path, workers: int = 2, threads: int = 1, port: int = 0) -> None:
        self.port = port or free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        own = ["--no-dashboard", "--host", "127.0.0.1"]
        self.scheduler = _started(folder, "dask_scheduler", "--port", str(self.port), *own)
        _wait_for(self.port)
        worker = [self.address, "--nthreads", str(threads), "--no-nanny", *own]
        self.workers = [_started(folder, "dask_worker", *worker) for _ in range(workers)]

    def __enter__(self) -> DaskCluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in (*self.workers, self.scheduler):
            with suppress(ProcessLookupError):
                process.kill()
            process.wait()


class Harmed(NameCounter):
    """Counts as a build does; before the second batch that it sees something happens."""

    _batches = -1  # the first time is that of `__init__`

    def __init__(self, harm: Callable[[], object]) -> None:
        self._harm = harm
        super().__init__()

    def __setattr__(self, name: str, value: object) -> None:
        """`saw_all` is set for every batch."""
        if name == "saw_all":
            self._batches += 1
            if self._batches == 2:
                self._harm()
        super().__setattr__(name, value)


def is_first(marker: Path) -> bool:
    """Whether nobody came here before."""
    try:
        marker.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def _wait_for(port: int) -> None:
    """Until something listens on a port."""
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline:
        with socket.socket() as listener:
            if listener.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)


def _started(folder: Path, program: str, *arguments: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DASK_TEMPORARY_DIRECTORY": str(folder)}
    command = [sys.executable, "-m", f"distributed.cli.{program}", *arguments]
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
