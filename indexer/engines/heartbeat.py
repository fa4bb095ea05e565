"""Heartbeat of the process that builds an index on a server, so that two builds of one index never mix."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from elasticsearch import ApiError, Elasticsearch, TransportError

from indexer.engines.connection import TransientError, talking
from indexer.files.errors import UserError
from indexer.files.messages import info
from indexer.location import Location

STATUS_SECONDS = 10  # longest wait for a server's answer about itself


def data_nodes(client: Elasticsearch) -> int:
    """Number of nodes that hold data; 1 if we may not ask."""
    try:
        return int(client.options(request_timeout=STATUS_SECONDS).cluster.health()["number_of_data_nodes"])
    except ApiError:
        return 1


def why_it_waits(client: Elasticsearch, index: str) -> str:
    """Reason why shards of an index are without a primary, as the end of a line ("; …"); "" if not known."""
    asking = client.options(request_timeout=STATUS_SECONDS)
    try:
        (concrete, *_) = asking.indices.get_alias(index=index)
        health = asking.cluster.health(index=concrete, level="shards")
        nodes = health["number_of_data_nodes"]
        if health["status"] != "red":
            return ""
        shards = health["indices"][concrete]["shards"]
        lost = sorted(int(number) for number, shard in shards.items() if not shard["primary_active"])
        said = asking.cluster.allocation_explain(index=concrete, shard=lost[0], primary=True)
    except (ApiError, TransportError, LookupError, ValueError):
        return ""
    which = f"{', '.join(map(str, lost))} of {len(shards)}"
    return f"; the index is red: shard {which} has no primary, nodes that hold data: {nodes} ({_reason(said.body)})"


def _reason(said: Mapping[str, Any]) -> str:
    """Reason why a primary is not on any node: the decision against it, else how it was lost."""
    for node in said.get("node_allocation_decisions", ()):
        for decider in node.get("deciders", ()):
            if decider.get("decision") == "NO":
                return str(decider["explanation"])[:300]
    unassigned = said.get("unassigned_info", {})
    return f"{unassigned.get('reason', 'unassigned')}: {said.get('allocate_explanation', '')}"[:300]


RETRY_SECONDS = 90.0  # longest time over which an action is retried
FIRST_WAIT_SECONDS = 0.5  # doubled after each attempt
LONGEST_WAIT_SECONDS = 8.0
SILENT_SECONDS = 2.0  # what is over by then is not worth a word

Answer = TypeVar("Answer")


def retry(
    location: Location,
    action: Callable[[], Answer],
    gone: str = "",
    hurried: threading.Event | None = None,
    why: Callable[[], str] = str,
) -> Answer:
    """Returns the result of an action on a server, retried while its error is transient.

    The action may be done twice: an answer that got lost on its way counts as not given. Raises UserError when the
    error lasts, at once when it is not transient or `hurried` is set. `gone` is passed to `talking`; `why` is called
    once, and its result follows the line about the error.
    """
    started, wait, more = time.monotonic(), FIRST_WAIT_SECONDS, None
    pause = hurried or threading.Event()
    while True:
        try:
            with talking(location, gone):
                return action()
        except TransientError as trouble:
            if pause.is_set():
                raise
            passed = time.monotonic() - started
            if more is None and passed + wait > SILENT_SECONDS:
                if passed > RETRY_SECONDS:  # a long merge, say, that went well until now
                    started, passed = time.monotonic(), 0.0
                more = why()
                info(f"waiting, at most {RETRY_SECONDS:.0f} seconds: {trouble}{more}")
            if passed + wait > RETRY_SECONDS:
                raise TransientError(f"{trouble}{more or ''}; waited for {passed:.0f} seconds") from None
        pause.wait(wait)
        wait = min(LONGEST_WAIT_SECONDS, 2 * wait)


BEAT_SECONDS = 5.0  # a third of WATCH_SECONDS, so that one lost beat does not count as death
WATCH_SECONDS = 15.0  # a builder without a heartbeat for this time is dead
LOOK_SECONDS = 0.5


class Heartbeat:
    """A thread that says every few seconds that this process still builds; `write` puts it on the server."""

    def __init__(self, write: Callable[[], None]) -> None:
        self._write = write
        self._beat = 0
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """No further beat; `builder` is empty from now on."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(BEAT_SECONDS)

    def builder(self) -> dict[str, Any]:
        """Identity of this process with its latest beat; empty once the heartbeat has stopped."""
        if self._stopped.is_set():
            return {}
        return {"machine": _machine(), "host": socket.gethostname(), "process": os.getpid(), "beat": self._beat}

    def _run(self) -> None:
        while not self._stopped.wait(BEAT_SECONDS):
            self._beat += 1
            with suppress(ApiError, TransportError):  # a server in trouble: the build itself reports it
                self._write()


def refuse_second(shown: str, said: Mapping[str, Any], again: Callable[[], Mapping[str, Any]]) -> None:
    """Raises UserError where the builder that an index names still builds; `again` asks once more what the index says.

    One of this machine whose process is gone is dead; any other is watched for a while.
    """
    builder = said.get("builder")
    if not builder or _has_died(builder):
        return
    info(
        f"the index {shown} was being built by another program ({_process_name(builder)}): watching whether it still is"
    )
    until = time.monotonic() + WATCH_SECONDS
    while time.monotonic() < until:
        time.sleep(LOOK_SECONDS)
        now = again().get("builder")
        if not now or _has_died(now):
            return
        if now != builder:
            raise UserError(f"the index {shown} is being built by another program ({_process_name(now)})")


def _process_name(builder: Mapping[str, Any]) -> str:
    return f"process {builder.get('process')} on {builder.get('host')}"


def _has_died(builder: Mapping[str, Any]) -> bool:
    """Returns whether the builder was a process of this machine that has ended."""
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
    """Identifies this machine, since it was started, and its numbering of processes."""
    told = [socket.gethostname()]
    with suppress(OSError):  # not Linux: the name must do
        told.append(Path("/proc/sys/kernel/random/boot_id").read_text().strip())
        told.append(str(Path("/proc/self/ns/pid").readlink()))
    return " ".join(told)
