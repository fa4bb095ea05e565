"""Who builds an index on a server, told by a pulse, so that two builds of one index never mix."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from elasticsearch import ApiError, TransportError

from indexer.files.errors import UserError
from indexer.files.talk import say

BEAT_SECONDS = 5.0
WATCH_SECONDS = 15.0  # a builder whose pulse stands still for so long is dead
LOOK_SECONDS = 0.5


class Pulse:
    """A thread that says every few seconds that this process still builds; `write` puts it on the server."""

    def __init__(self, write: Callable[[], None]) -> None:
        self._write = write
        self._beat = 0
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pulse", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """No further beat; `builder` is empty from now on."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(BEAT_SECONDS)

    def builder(self) -> dict[str, Any]:
        """This process and its latest beat; nothing once the pulse has stopped."""
        if self._stopped.is_set():
            return {}
        return {"machine": _machine(), "host": socket.gethostname(), "process": os.getpid(), "beat": self._beat}

    def _run(self) -> None:
        while not self._stopped.wait(BEAT_SECONDS):
            self._beat += 1
            with suppress(ApiError, TransportError):  # a server in trouble: the build itself tells of it
                self._write()


def refuse_second(shown: str, said: Mapping[str, Any], again: Callable[[], Mapping[str, Any]]) -> None:
    """UserError where the builder that an index names still builds; `again` asks once more what the index says.

    One of this machine whose process is gone is dead; any other is watched for a while.
    """
    builder = said.get("builder")
    if not builder or _died(builder):
        return
    say(f"the index {shown} was being built by another program ({_named(builder)}): watching whether it still is")
    until = time.monotonic() + WATCH_SECONDS
    while time.monotonic() < until:
        time.sleep(LOOK_SECONDS)
        now = again().get("builder")
        if not now or _died(now):
            return
        if now != builder:
            raise UserError(f"the index {shown} is being built by another program ({_named(now)})")


def _named(builder: Mapping[str, Any]) -> str:
    return f"process {builder.get('process')} on {builder.get('host')}"


def _died(builder: Mapping[str, Any]) -> bool:
    """Whether the builder was a process of this machine that is no more."""
    if builder.get("machine") != _machine():
        return False
    try:
        os.kill(int(builder["process"]), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


def _machine() -> str:
    """What tells this machine, since it was started, and its numbering of processes from others."""
    told = [socket.gethostname()]
    with suppress(OSError):  # not Linux: the name must do
        told.append(Path("/proc/sys/kernel/random/boot_id").read_text().strip())
        told.append(str(Path("/proc/self/ns/pid").readlink()))
    return " ".join(told)
