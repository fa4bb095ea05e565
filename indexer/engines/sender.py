"""A thread that sends documents to Elasticsearch while the caller analyses the next ones."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from elasticsearch import Elasticsearch

from indexer.engines.connection import NOT_FOUND, TransientError, cause_of, passes
from indexer.engines.heartbeat import retry, why_it_waits
from indexer.files.errors import UserError
from indexer.location import Location

CHUNK_DOCUMENTS = 2_000
CHUNKS_WAITING = 2
SECONDS_TO_HURRY = 10.0
SECONDS_FOR_A_PRIMARY = "10s"  # how long a server keeps a request for a shard that is away
CREATED, ALREADY_THERE = (200, 201), 409
GOES_ON = "mend that and give the same command again: it goes on from there"

Line = tuple[str, str]
Progress = Mapping[str, Any]


def gone_while_built(location: Location) -> str:
    """What a missing index means to its build."""
    return (
        f"the index {location.shown} that was being built is gone: it was deleted, or another program has built it; "
        "give the same command again"
    )


class Chunk(NamedTuple):
    """Documents of one part on their way to the server, as the lines of a bulk request."""

    target: str
    lines: list[Line]


class Checkpoint(NamedTuple):
    """How far the build is, to be noted once all that was put before is on the server."""

    progress: Progress


class Sender:
    """Sends in order what is put into its short queue. After an error it sends nothing more; the next call raises it.

    `note` writes a checkpoint's progress to the server.
    """

    def __init__(self, location: Location, client: Elasticsearch, note: Callable[[Progress], None]) -> None:
        self._location = location
        self._client = client
        self._note = note
        self._error: BaseException | None = None
        self._hurried = threading.Event()
        self._queue: queue.Queue[Chunk | Checkpoint | None] = queue.Queue(CHUNKS_WAITING)
        self._thread = threading.Thread(target=self._run, name="bulk", daemon=True)
        self._thread.start()

    def put(self, item: Chunk | Checkpoint) -> None:
        self._raise()
        self._queue.put(item)

    def wait(self) -> None:
        """Until all that was put is on the server."""
        self._queue.join()
        self._raise()

    def end(self) -> None:
        """Send what is left, and end the thread."""
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()
        self._raise()

    def hurry(self, last: Sequence[Chunk | Checkpoint]) -> None:
        """Send what is left and these last ones, but wait for no server to come back, and raise nothing."""
        self._hurried.set()
        if not self._thread.is_alive():
            return
        for item in (*last, None):
            try:
                self._queue.put(item, timeout=SECONDS_TO_HURRY)
            except queue.Full:
                return
        self._thread.join(SECONDS_TO_HURRY)

    def _raise(self) -> None:
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        while (item := self._queue.get()) is not None:
            try:
                if self._error is None:
                    self._patiently(item)
            except BaseException as error:
                self._error = error
            finally:
                self._queue.task_done()
        self._queue.task_done()

    def _patiently(self, item: Chunk | Checkpoint) -> None:
        gone = gone_while_built(self._location)
        if isinstance(item, Checkpoint):
            retry(self._location, lambda: self._note(item.progress), gone, self._hurried)
            return
        left, why = list(item.lines), lambda: why_it_waits(self._client, item.target)
        try:
            retry(self._location, lambda: self._load(item.target, left), gone, self._hurried, why)
        except TransientError as trouble:
            raise UserError(f"{trouble}; {GOES_ON}") from None

    def _load(self, target: str, left: list[Line]) -> None:
        """Send lines in one request, and take what is written off them.

        Documents that are there already are as good as sent. TransientError where some were refused for now, UserError
        where one was for good.
        """
        answer = self._client.bulk(
            operations=[piece for line in left for piece in line],  # type: ignore[misc]  # JSON is sent as it is
            index=target,
            require_alias=True,
            timeout=SECONDS_FOR_A_PRIMARY,
            filter_path=["errors", "items.create.status", "items.create.error"],
        )
        if not answer["errors"]:
            return
        items = [item["create"] for item in answer["items"]]
        refused = [number for number, item in enumerate(items) if item["status"] not in (*CREATED, ALREADY_THERE)]
        left[:] = [left[number] for number in refused]
        if refused:
            raise self._refused(min((items[number] for number in refused), key=lambda item: passes(item["status"])))

    def _refused(self, item: Mapping[str, Any]) -> UserError:
        """The user's error for a document that was not written."""
        if item["status"] == NOT_FOUND:
            return UserError(gone_while_built(self._location))
        line = (
            f"the Elasticsearch of {self._location.shown} refused to write (status {item['status']}, "
            f"{cause_of(item['error'])})"
        )
        return TransientError(line) if passes(item["status"]) else UserError(f"{line}; {GOES_ON}")
