"""Loading Elasticsearch: aside, with retries, resumed after an interruption, swapped in at one
stroke."""

from __future__ import annotations

import hashlib
import json
import os
import queue
import re
import socket
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from datetime import datetime
from functools import partial
from json.encoder import encode_basestring as quoted
from typing import Any

from elasticsearch import ApiError, BadRequestError, Elasticsearch, TransportError

from indexer.document import LONGEST_KEY, Document, Part, field_text, stored_keys
from indexer.engines.connection import (
    NOT_FOUND,
    OURS,
    SECONDS_TO_GREET,
    STATUS_SECONDS,
    TransientError,
    cause_of,
    connect,
    passes,
    retry,
    talking,
    why_it_waits,
)
from indexer.engines.contract import Metadata
from indexer.engines.elasticsearch import ElasticsearchSearcher, alias_of, open_client, our_metadata
from indexer.engines.elasticsearch import names as names  # of a `Builder`
from indexer.engines.metadata import build_identity, to_json
from indexer.engines.scoring import K1, B
from indexer.files.errors import RefusedInput, UserError
from indexer.files.messages import info
from indexer.location import Location, locate, nothing_there

CHUNK_DOCUMENTS = 2_000  # of one bulk request, and so are
CHUNK_BYTES = 8_000_000
REQUESTS_WAITING = 2  # bounds the memory of the queue between analysis and sending
CHECKPOINT_DOCUMENTS = 5_000  # bounds the work that an interrupted build repeats
LONGEST_ID_BYTES = 512  # Elasticsearch's limit of an _id
SECONDS_TO_HURRY = 10.0  # bounds the wait for the sending thread when a build is interrupted
SECONDS_FOR_A_PRIMARY = "10s"  # how long a server keeps a request for a shard that is away
SECONDS_FOR_COPIES = (
    "20s"  # how long loading waits until every shard and its copies have their places
)
SECONDS_TO_MERGE = 7_200  # two hours: the longest wait for a force merge
BEAT_SECONDS = 5.0  # a third of WATCH_SECONDS, so that one lost beat does not count as death
WATCH_SECONDS = 15.0  # a builder without a heartbeat for this time is dead
LOOK_SECONDS = 0.5
# of the sources; the index is about thrice as large, and a shard best under 50 GB
BYTES_A_SHARD = 10_000_000_000
MOST_SHARDS = 1024
WRITING = (
    ".writing"  # ends the alias that a build writes through, which begins with the index's name
)
CREATED, ALREADY_THERE = (200, 201), 409
GOES_ON = "mend that and give the same command again: it goes on from there"

Line = tuple[str, str]  # of a bulk request: what is done, and the document


class ElasticsearchWriter:
    """A build in concrete indexes `NAME.PART.NUMBER`, whose `_meta` holds the name of the index
    that they belong to.

    A thread sends while the caller analyses; another counts up in the main part's `_meta`, which
    shows other programs that this one is still building. Documents are created, never overwritten:
    one that exists already (an interrupted build, a request sent twice) is left unchanged, so that
    nothing is doubled and no deleted document disturbs the statistics. Writing goes through an
    alias that must exist, so that an index deleted during the build is an error and not created
    again by the server. Replicas exist from the start, so that losing a node while loading loses no
    shard.
    """

    def __init__(
        self,
        address: str | Location,
        metadata: Metadata,
        shards: int | None = None,
        replicas: int | None = None,
    ) -> None:
        location = locate(address)
        self._location, self._metadata, self._client = location, metadata, connect(location)
        self._parts = {part.name: part for part in metadata.parts}
        self._main = metadata.parts[0].name
        self._gone = (
            f"the index {location.shown} that was being built is gone: it was deleted, or another "
            f"program has built "
            "it; give the same command again"
        )
        shards = shards or usual_shards(metadata)
        # A short name for what a build is made of: another build never resumes it.
        made_of = json.dumps([build_identity(metadata), shards], sort_keys=True, ensure_ascii=False)
        self._identity = hashlib.sha256(made_of.encode()).hexdigest()
        self._progress: Mapping[str, Any] = {}
        self._final: Metadata | None = None
        self._meta, self._beat, self._stopped = threading.Lock(), 0, threading.Event()
        with ExitStack() as refused, talking(location):
            refused.callback(self._client.close)
            greeting = self._client.options(request_timeout=SECONDS_TO_GREET)
            taken = [alias_of(location, metadata, part) for part in self._parts]
            for name, about in greeting.indices.get(index=taken, ignore_unavailable=True).items():
                if name in taken or our_metadata(about).get("name") != location.name:
                    raise UserError(
                        f"the index {name} on the server of {location.shown} was not built by "
                        f"this program: "
                        "choose another name with --index"
                    )
            nodes = 1  # where we may not ask
            with suppress(ApiError):
                health = self._client.options(request_timeout=STATUS_SECONDS).cluster.health()
                nodes = int(health["number_of_data_nodes"])
            replicas = int(nodes > 1) if replicas is None else replicas
            self._take_up_or_create(shards, replicas, 1 + min(replicas, nodes - 1))
            self._write_meta()
            refused.pop_all()
        self._heart = threading.Thread(target=self._run_heart, name="heartbeat", daemon=True)
        self._heart.start()
        self._sender = Sender()
        self._lines: dict[str, list[Line]] = {part: [] for part in self._parts}
        self._sizes = dict.fromkeys(self._parts, 0)
        self.finished_sources: dict[str, None] = dict.fromkeys(self._progress.get("finished", ()))
        written = self._progress.get("documents", {})
        self.counts = {part: int(written.get(part, 0)) for part in self._parts}
        self._finished_counts = dict(self.counts)
        self._since_checkpoint = 0

    def add(self, part: str, documents: Sequence[Document]) -> None:
        for document in documents:
            line = bulk_lines(self._parts[part], document)
            if line is None:
                continue
            self.counts[part] += 1
            self._since_checkpoint += 1
            self._lines[part].append(line)
            self._sizes[part] += len(line[1])
            if len(self._lines[part]) >= CHUNK_DOCUMENTS or self._sizes[part] >= CHUNK_BYTES:
                self._flush([part])

    def finish_source(self, source: str, costly: bool = False) -> None:
        self.finished_sources[source] = None
        self._finished_counts = dict(self.counts)
        if costly or self._since_checkpoint >= CHECKPOINT_DOCUMENTS:
            self._checkpoint()

    def searcher(self, part: str) -> ElasticsearchSearcher:
        self._flush(self._parts)
        self._sender.wait()
        self._ask(self._client.indices.refresh, index=self._concrete[part])
        return ElasticsearchSearcher(
            self._location, self._client, self._parts[part], self._concrete[part]
        )

    def publish(self) -> Metadata:
        """Checks the document counts, merges the segments, stores the metadata and moves the
        aliases to the new indexes.

        Returns the final metadata. Raises RefusedInput if a part holds another number of documents
        than were written.
        """
        self._checkpoint()
        self._sender.wait()
        indices, merging = (
            self._client.indices,
            self._client.options(request_timeout=SECONDS_TO_MERGE).indices,
        )
        for part, index in self._concrete.items():
            self._ask(indices.refresh, index=index)
            found, expected = (
                int(self._ask(self._client.count, index=index)["count"]),
                self.counts[part],
            )
            if found != expected:
                reason = (
                    "some doc_ids repeat"
                    if found < expected
                    else "it holds documents of another build"
                )
                raise RefusedInput(
                    f"the index {self._location.shown} was not put in place: {part} holds {found} "
                    f"documents "
                    f"instead of {expected} ({reason})"
                )
            self._ask(merging.forcemerge, index=index, max_num_segments=1)
            self._ask(indices.refresh, index=index)
            self._ask(
                indices.put_settings, index=index, settings={"index": {"refresh_interval": None}}
            )
        self._stop_heart()
        # From now on whatever writes `_meta` writes this too: a signal may come when the index is
        # already in place.
        self._final = self._metadata._replace(documents=dict(self.counts))
        self._ask(self._write_meta)
        self._ask(self._swap)
        self._sender.end()
        self._client.close()
        return self._final

    def abandon(self) -> None:
        """Closes without publishing: the progress is stored if a source is finished, else all that
        was written is deleted."""
        if self.finished_sources:
            self._stop_heart()
            left = [
                partial(self._send, self._concrete[part], lines)
                for part, lines in self._lines.items()
                if lines
            ]
            self._sender.end(*left, self._store_progress())
            self.finished_sources = dict.fromkeys(
                self._progress.get("finished", ())
            )  # what the server has stored
        if self.finished_sources:
            self._client.close()
        else:
            self.discard()

    def discard(self) -> None:
        """Closes without publishing and deletes the new indexes; if no server answers, the next
        build deletes them."""
        self._stop_heart()
        self._sender.end()
        self._delete(list(self._concrete.values()))
        self._client.close()

    def _take_up_or_create(self, shards: int, replicas: int, copies: int) -> None:
        """Takes up the concrete indexes of an interrupted build of the same sources and settings,
        or creates new ones, waiting for `copies` of each shard. All other unpublished indexes are
        deleted.

        Raises UserError if another program is building the index; what was created is then deleted.
        """
        found = indexes_of(self._client, self._location)
        aside = {name: ours for name, (ours, serves) in found.items() if not serves}
        for name, ours in aside.items():
            self._refuse_second(name, ours)
        same = [name for name, ours in aside.items() if ours.get("build") == self._identity]
        newest = max((int(name.rpartition(".")[2]) for name in same), default=0)
        self._concrete = {part: f"{self._location.name}.{part}.{newest}" for part in self._parts}
        resumable = all(name in same for name in self._concrete.values())
        for name in aside:
            if not resumable or name not in self._concrete.values():
                self._client.indices.delete(index=name, ignore_unavailable=True)
        if resumable:
            settings = {"index": {"number_of_replicas": replicas}}
            self._client.indices.put_settings(
                index=list(self._concrete.values()), settings=settings
            )
            self._progress = aside[self._concrete[self._main]].get("progress", {})
            return
        number = 1 + max((int(name.rpartition(".")[2]) for name in found), default=0)
        self._concrete = {part: f"{self._location.name}.{part}.{number}" for part in self._parts}
        with ExitStack() as undone:
            for part, index in self._concrete.items():
                about = self._about(part)
                try:
                    self._client.indices.create(
                        index=index,
                        aliases={f"{index}{WRITING}": {"is_hidden": True}},
                        settings={
                            "number_of_shards": shards,
                            "number_of_replicas": replicas,
                            "refresh_interval": "-1",
                            "similarity": {"default": {"type": "BM25", "k1": K1, "b": B}},
                        },
                        mappings={**mapping(self._parts[part]), "_meta": {OURS: about}},
                        wait_for_active_shards=copies,
                        timeout=SECONDS_FOR_COPIES,
                    )
                except BadRequestError as error:
                    if "resource_already_exists" not in str(error.body):
                        raise
                    # Where the answer was lost the client has asked once more, and this build has
                    # made it.
                    if self._stored_meta(index) != about:
                        shown = self._location.shown
                        raise UserError(
                            f"the index {shown} is being built by another program, begun this "
                            f"moment"
                        ) from None
                undone.callback(self._delete, [index])
            undone.pop_all()

    def _refuse_second(self, index: str, ours: Mapping[str, Any]) -> None:
        """Raises UserError if another program is still building the unpublished `index`, whose
        `_meta` was `ours`.

        A builder of this machine whose process has ended is dead; any other is watched for
        `WATCH_SECONDS` and counts as alive if its heartbeat changes.
        """
        builder, shown = ours.get("builder"), self._location.shown
        if not builder or _has_died(builder):
            return
        who = "process {process} on {host}".format_map(builder)
        info(
            f"the index {shown} was being built by another program ({who}): checking whether it "
            f"still is"
        )
        until = time.monotonic() + WATCH_SECONDS
        while time.monotonic() < until:
            time.sleep(LOOK_SECONDS)
            now = self._stored_meta(index).get("builder")
            if not now or _has_died(now):
                return
            if now != builder:
                raise UserError(f"the index {shown} is being built by another program ({who})")

    def _run_heart(self) -> None:
        """Body of the heartbeat's thread: counts and writes until stopped; errors of the server are
        ignored."""
        while not self._stopped.wait(BEAT_SECONDS):
            self._beat += 1
            with suppress(
                ApiError, TransportError
            ):  # a server in trouble: the build itself reports it
                self._write_meta()

    def _stop_heart(self) -> None:
        """No further beat; `_meta` names no builder from now on."""
        self._stopped.set()
        self._heart.join(BEAT_SECONDS)

    def _about(self, part: str) -> dict[str, Any]:
        """Content of `_meta` for a part's index during the build: index name, part, build identity,
        and in the main part this process with its latest beat, until the heartbeat has stopped."""
        about: dict[str, Any] = {"name": self._location.name, "part": part, "build": self._identity}
        if part == self._main and not self._stopped.is_set():
            about["builder"] = {
                "host": socket.gethostname(),
                "process": os.getpid(),
                "beat": self._beat,
            }
        return about

    def _stored_meta(self, index: str) -> dict[str, Any]:
        """The `_meta` of an index as the server has it now; empty if the index does not exist."""
        found = self._client.indices.get_mapping(index=index, ignore_unavailable=True)
        return next(map(our_metadata, found.values()), {})

    def _write_meta(self, progress: Mapping[str, Any] | None = None) -> None:
        """Stores builder, progress (by default the one last stored) and, once known, the final
        metadata in `_meta` of the main part's index."""
        with self._meta:
            self._progress = self._progress if progress is None else progress
            ours = {**self._about(self._main), "progress": self._progress}
            if self._final is not None:
                ours["metadata"] = to_json(self._final)
            indices = self._client.options(request_timeout=SECONDS_TO_GREET).indices
            indices.put_mapping(index=self._concrete[self._main], meta={OURS: ours})

    def _flush(self, parts: Iterable[str]) -> None:
        """Queues the collected documents of some parts as requests. Raises the error of an earlier
        request."""
        for part in parts:
            if self._lines[part]:
                self._sender.enqueue(partial(self._send, self._concrete[part], self._lines[part]))
                self._lines[part], self._sizes[part] = (
                    [],
                    0,
                )  # not before: a signal may end the waiting for a place

    def _checkpoint(self) -> None:
        """Queues the collected documents of all parts and then the progress, which is stored once
        they are written."""
        self._flush(self._parts)
        self._sender.enqueue(self._store_progress())
        self._since_checkpoint = 0

    def _store_progress(self) -> Callable[[], object]:
        """A request that stores which sources are finished by now. Documents of a source begun
        since then do no harm: they are met again as existing."""
        progress = {"finished": list(self.finished_sources), "documents": self._finished_counts}
        return partial(self._ask, self._write_meta, progress=progress)

    def _send(self, index: str, lines: list[Line]) -> None:
        """Sends documents, as pairs of bulk lines, to an index, with retries. Raises UserError if a
        document is refused for good or the server stays away."""
        target, left = f"{index}{WRITING}", list(lines)

        def load() -> None:
            """Sends the remaining lines in one request and removes those that were written from
            `left`."""
            answer = self._client.bulk(
                operations=[piece for line in left for piece in line],  # type: ignore[misc]  # JSON is sent verbatim
                index=target,
                require_alias=True,
                timeout=SECONDS_FOR_A_PRIMARY,
                filter_path=["errors", "items.create.status", "items.create.error"],
            )
            items = [item["create"] for item in answer["items"]] if answer["errors"] else []
            # Documents that are there already are as good as sent.
            refused = {
                n: item
                for n, item in enumerate(items)
                if item["status"] not in (*CREATED, ALREADY_THERE)
            }
            left[:] = [left[number] for number in refused]
            for item in sorted(
                refused.values(), key=lambda item: passes(item["status"])
            ):  # for good first
                if item["status"] == NOT_FOUND:
                    raise UserError(self._gone)
                reason = f"status {item['status']}, {cause_of(item['error'])}"
                fault = f"the Elasticsearch of {self._location.shown} refused to write ({reason})"
                raise (
                    TransientError(fault)
                    if passes(item["status"])
                    else UserError(f"{fault}; {GOES_ON}")
                )

        try:
            retry(
                self._location,
                load,
                self._gone,
                self._sender.hurried,
                partial(why_it_waits, self._client, target),
            )
        except TransientError as trouble:
            raise UserError(f"{trouble}; {GOES_ON}") from None

    def _ask(self, action: Callable[..., Any], **asked: Any) -> Any:
        """The server's answer to an action with these arguments, which is retried, also while a
        shard fails."""

        def ask() -> Any:
            answer = action(**asked)
            if answer and "_shards" in answer and answer["_shards"]["failed"]:
                raise TransientError(
                    f"the Elasticsearch of {self._location.shown}: some shards gave no answer"
                )
            return answer

        why = partial(why_it_waits, self._client, asked.get("index", self._concrete[self._main]))
        return retry(self._location, ask, self._gone, self._sender.hurried, why)

    def _swap(self) -> None:
        """Points all aliases to the new indexes and deletes the old ones in one request; does
        nothing if that is already done."""
        served = [
            name for name, (_, serves) in indexes_of(self._client, self._location).items() if serves
        ]
        if set(served) == set(self._concrete.values()):
            return
        actions: list[dict[str, Any]] = [
            {"remove_index": {"index": index}} for index in sorted(served)
        ]
        for part, index in self._concrete.items():
            actions.append(
                {"add": {"index": index, "alias": alias_of(self._location, self._metadata, part)}}
            )
            actions.append({"remove": {"index": index, "alias": f"{index}{WRITING}"}})
        once = self._client.options(
            max_retries=0
        )  # where its answer is lost, it is looked first what is done
        once.indices.update_aliases(actions=actions)

    def _delete(self, indexes: list[str]) -> None:
        """Deletes new indexes. Where no server answers, the next build of this name does."""
        with suppress(ApiError, TransportError):
            self._client.indices.delete(index=indexes, ignore_unavailable=True)


class Sender:
    """A thread that makes requests in order. After an error no further one is made, and the next
    call raises it."""

    def __init__(self) -> None:
        self.hurried = threading.Event()  # set when no server is to be waited for any more
        self._error: BaseException | None = None
        self._queue: queue.Queue[Callable[[], object] | None] = queue.Queue(
            REQUESTS_WAITING
        )  # None ends the thread
        self._thread = threading.Thread(target=self._run, name="bulk", daemon=True)
        self._thread.start()

    def enqueue(self, request: Callable[[], object]) -> None:
        """Queues a request, waiting while the queue is full. Raises the error of an earlier one."""
        if self._error is not None:
            raise self._error
        self._queue.put(request)

    def wait(self) -> None:
        """Waits until all requests are made. Raises the error of one that failed."""
        self._queue.join()
        if self._error is not None:
            raise self._error

    def end(self, *last: Callable[[], object]) -> None:
        """Ends the thread after these requests, without waiting for a server that is away, and
        raises nothing."""
        self.hurried.set()
        with suppress(queue.Full):
            for request in (*last, None) if self._thread.is_alive() else ():
                self._queue.put(request, timeout=SECONDS_TO_HURRY)
            self._thread.join(SECONDS_TO_HURRY)

    def _run(self) -> None:
        """Body of the thread: makes the requests until None comes; after an error it only empties
        the queue."""
        while (request := self._queue.get()) is not None:
            try:
                if self._error is None:
                    request()
            except BaseException as error:
                self._error = error
            finally:
                self._queue.task_done()
        self._queue.task_done()


def bulk_lines(part: Part, document: Document) -> Line | None:
    """The action line and the document line of a bulk request; None if the document lacks terms in
    a term field.

    JSON is written piece by piece, three times as fast as `json.dumps`.
    """
    terms = []
    for name in part.term_fields:
        text = field_text(document.terms.get(name, ()))
        if not text:
            return None
        terms.append(f"{quoted(name)}:{quoted(text)}")
    keys = ",".join(
        f"{quoted(name)}:[{','.join(map(quoted, values))}]"
        for name, values in stored_keys(part, document).items()
    )
    doc_id = quoted(document.doc_id)
    stored = (
        f'{{"doc_id":{doc_id},"text":{quoted(document.text)},"payload":{quoted(document.payload)},'
        f'"terms":{{{",".join(terms)}}},"keys":{{{keys}}}}}'
    )
    if (
        len(document.doc_id) > LONGEST_ID_BYTES // 4
        and len(document.doc_id.encode()) > LONGEST_ID_BYTES
    ):
        doc_id = f'"{hashlib.sha256(document.doc_id.encode()).hexdigest()}"'
    return f'{{"create":{{"_id":{doc_id}}}}}', stored


def _has_died(builder: Mapping[str, Any]) -> bool:
    """Returns whether the builder (its `host` and `process`) was a process of this machine that has
    ended."""
    if builder.get("host") != socket.gethostname():
        return False
    try:
        with suppress(PermissionError):  # it is another user's
            os.kill(int(builder["process"]), 0)
    except ProcessLookupError:
        return True
    return False


def mapping(part: Part) -> dict[str, Any]:
    """Elasticsearch mapping of a part: term fields split at white space, key fields matched
    verbatim, text and payload stored only."""
    kept = {"type": "keyword", "index": False, "doc_values": False}
    terms = {"type": "text", "analyzer": "whitespace", "index_options": "freqs"}
    keys = {"type": "keyword", "ignore_above": LONGEST_KEY, "doc_values": False}
    return {
        "dynamic": "strict",
        "properties": {
            "doc_id": {"type": "keyword"},
            "text": kept,
            "payload": kept,
            "terms": {"properties": dict.fromkeys(part.term_fields, terms)},
            "keys": {"properties": dict.fromkeys(part.key_fields, keys)},
        },
    }


def usual_shards(metadata: Metadata) -> int:
    """Default number of primary shards for an index's sources: one for every 10 GB."""
    size = sum(size for _, size in metadata.sources)
    return min(MOST_SHARDS, max(1, -(-size // BYTES_A_SHARD)))


def indexes_of(client: Elasticsearch, location: Location) -> dict[str, tuple[dict[str, Any], bool]]:
    """This program's concrete indexes of the index at a location: name → (its `_meta`, whether it
    is published, that is, has the alias of the index or of one of its parts)."""
    named = re.compile(rf"{re.escape(location.name)}\.[^.]+\.\d+")
    found = {}
    for name, about in client.indices.get(
        index=f"{location.name}.*", expand_wildcards="all"
    ).items():
        ours = our_metadata(about)
        if named.fullmatch(name) and ours.get("name") == location.name:
            own = [
                alias
                for alias in about.get("aliases", {})
                if f"{alias}.".startswith(f"{location.name}.")
            ]
            found[name] = (ours, any(not alias.endswith(WRITING) for alias in own))
    return found


# What building and managing takes of an engine (`indexer.engines.writing.Builder`).


def standing(address: str | Location) -> dict[str, Any] | None:
    """The stored metadata of the index behind the alias; None if it does not exist or this program
    did not build it."""
    location = locate(address)
    with open_client(location) as client:
        greeting = client.options(request_timeout=SECONDS_TO_GREET)
        found = greeting.indices.get(index=location.name, ignore_unavailable=True)
    for about in found.values():
        if "metadata" in (ours := our_metadata(about)):
            created = int(about["settings"]["index"]["creation_date"]) / 1000
            return {
                **ours["metadata"],
                "built": f"{datetime.fromtimestamp(created):%Y-%m-%d %H:%M}",
            }
    return None


def unfinished(location: Location) -> list[str]:
    """Sorted names of the indexes on the location's servers of which a build is under way or was
    interrupted."""
    with open_client(location) as client:
        found = client.indices.get(index="*", expand_wildcards="all")
    return sorted(
        {
            str(our_metadata(about)["name"])
            for about in found.values()
            if any(alias.endswith(WRITING) for alias in about.get("aliases", {}))
            and our_metadata(about).get("name")
        }
    )


def size(address: str | Location) -> int:
    """Bytes that an index takes on disk, including replicas and unpublished builds of the same
    name."""
    location = locate(address)
    with open_client(location) as client:
        found = client.indices.stats(index=f"{location.name}.*", metric="store")
    return int(found["_all"]["total"]["store"]["size_in_bytes"])


def remove(address: str | Location) -> None:
    """Deletes an index and unpublished builds of the same name. Raises UserError if it does not
    exist."""
    location = locate(address)
    with open_client(location) as client:
        found = list(indexes_of(client, location))
        if not found:
            raise nothing_there(location, names(location))
        client.indices.delete(index=found)


build = ElasticsearchWriter
