"""Loading Elasticsearch: aside, with retries, resumed after an interruption, swapped in at one stroke."""

from __future__ import annotations

import hashlib
import json
import os
import queue
import re
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from json.encoder import encode_basestring as quoted
from typing import Any, TypeVar

from elastic_transport import ObjectApiResponse
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
from indexer.engines.writing import Standing
from indexer.engines.writing import standing as describe_stored
from indexer.files.errors import RefusedInput, UserError
from indexer.files.messages import info
from indexer.location import Location, locate, nothing_there

CHUNK_DOCUMENTS = 2_000  # of one bulk request, and so are
CHUNK_BYTES = 8_000_000
CHUNKS_WAITING = 2  # bounds the memory of the queue between analysis and sending
LONGEST_ID_BYTES = 512  # Elasticsearch's limit of an _id
SECONDS_TO_HURRY = 10.0  # bounds the wait for the sending thread when a build is interrupted
SECONDS_FOR_A_PRIMARY = "10s"  # how long a server keeps a request for a shard that is away
CREATED, ALREADY_THERE = (200, 201), 409
GOES_ON = "mend that and give the same command again: it goes on from there"

Answer = TypeVar("Answer")
Line = tuple[str, str]  # of a bulk request: what is done, and the document
Progress = Mapping[str, Any]


_GONE = (
    "the index {} that was being built is gone: it was deleted, or another program has built it; "
    "give the same command again"
)


class BulkLoader:
    """Writes documents to the server in bulk requests, which a separate thread sends while the caller analyses the
    next.

    Documents that exist already are left unchanged. `indexes` maps each part to its concrete index; `note` stores a
    checkpoint's progress on the server. After an error nothing more is sent; the next call raises it.
    """

    def __init__(
        self,
        location: Location,
        client: Elasticsearch,
        parts: Mapping[str, Part],
        indexes: Mapping[str, str],
        note: Callable[[Progress], None],
    ) -> None:
        self._location, self._client, self._gone = location, client, _GONE.format(location.shown)
        self._parts, self._indexes, self._note = parts, indexes, note
        self._lines: dict[str, list[Line]] = {part: [] for part in parts}
        self._sizes = dict.fromkeys(parts, 0)
        self._error: BaseException | None = None
        self._hurried = threading.Event()
        # Each item sends something, in order; None ends the thread.
        self._queue: queue.Queue[Callable[[], None] | None] = queue.Queue(CHUNKS_WAITING)
        self._thread = threading.Thread(target=self._run, name="bulk", daemon=True)
        self._thread.start()

    def add(self, part: str, documents: Sequence[Document]) -> int:
        """Queues documents of a part and returns how many have terms in every term field; the others are not
        written."""
        added = 0
        for document in documents:
            line = bulk_lines(self._parts[part], document)
            if line is None:
                continue
            added += 1
            self._lines[part].append(line)
            self._sizes[part] += len(line[1])
            if len(self._lines[part]) >= CHUNK_DOCUMENTS or self._sizes[part] >= CHUNK_BYTES:
                self.flush(part)
        return added

    def flush(self, part: str | None = None) -> None:
        """Queues the collected documents of a part (None: of all parts) as requests, waiting while the queue is full.
        Raises the error of an earlier request."""
        for name in self._parts if part is None else [part]:
            if self._lines[name]:
                self._raise()
                self._queue.put(partial(self._send, self._indexes[name], self._lines[name]))
                self._lines[name], self._sizes[name] = [], 0  # not before: a signal may end the waiting for a place

    def checkpoint(self, progress: Progress) -> None:
        """Queues progress, to be stored once all that was queued before it is on the server."""
        self._raise()
        self._queue.put(partial(self._store, progress))

    def commit(self) -> None:
        """Sends what is left, and waits until all is on the server. Raises the error of what failed."""
        self.flush()
        self._queue.join()
        self._raise()

    def abandon(self, progress: Progress | None = None) -> None:
        """Ends the loader without waiting for a server that is away, and raises nothing.

        With `progress`, the collected documents are still sent and the progress is stored.
        """
        self._hurried.set()
        last: list[Callable[[], None] | None] = [None]
        if progress is not None:
            rest = [partial(self._send, self._indexes[part], lines) for part, lines in self._lines.items() if lines]
            last = [*rest, partial(self._store, progress), None]
        with suppress(queue.Full):
            for item in last if self._thread.is_alive() else ():
                self._queue.put(item, timeout=SECONDS_TO_HURRY)
            self._thread.join(SECONDS_TO_HURRY)

    def _raise(self) -> None:
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        """Body of the sending thread: runs queued requests until None comes; after the first error, which is kept, it
        only empties the queue."""
        while (item := self._queue.get()) is not None:
            try:
                if self._error is None:
                    item()
            except BaseException as error:
                self._error = error
            finally:
                self._queue.task_done()
        self._queue.task_done()

    def _store(self, progress: Progress) -> None:
        retry(self._location, lambda: self._note(progress), self._gone, self._hurried)

    def _send(self, index: str, lines: list[Line]) -> None:
        """Sends documents, as pairs of bulk lines, to an index, with retries. Raises UserError if a document is refused
        for good or the server stays away."""
        target, left = writing(index), list(lines)

        def load() -> None:
            """Sends the remaining lines in one request and removes those that were written from `left`."""
            answer = self._client.bulk(
                operations=[piece for line in left for piece in line],  # type: ignore[misc]  # JSON is sent verbatim
                index=target,
                require_alias=True,
                timeout=SECONDS_FOR_A_PRIMARY,
                filter_path=["errors", "items.create.status", "items.create.error"],
            )
            items = [item["create"] for item in answer["items"]] if answer["errors"] else []
            # Documents that are there already are as good as sent.
            refused = {n: item for n, item in enumerate(items) if item["status"] not in (*CREATED, ALREADY_THERE)}
            left[:] = [left[number] for number in refused]
            for item in sorted(refused.values(), key=lambda item: passes(item["status"])):  # for good first
                if item["status"] == NOT_FOUND:
                    raise UserError(self._gone)
                reason = f"status {item['status']}, {cause_of(item['error'])}"
                fault = f"the Elasticsearch of {self._location.shown} refused to write ({reason})"
                raise TransientError(fault) if passes(item["status"]) else UserError(f"{fault}; {GOES_ON}")

        try:
            retry(self._location, load, self._gone, self._hurried, lambda: why_it_waits(self._client, target))
        except TransientError as trouble:
            raise UserError(f"{trouble}; {GOES_ON}") from None


def bulk_lines(part: Part, document: Document) -> Line | None:
    """The action line and the document line of a bulk request; None if the document lacks terms in a term field.

    JSON is written piece by piece, three times as fast as `json.dumps`.
    """
    terms = []
    for name in part.term_fields:
        text = field_text(document.terms.get(name, ()))
        if not text:
            return None
        terms.append(f"{quoted(name)}:{quoted(text)}")
    keys = ",".join(
        f"{quoted(name)}:[{','.join(map(quoted, values))}]" for name, values in stored_keys(part, document).items()
    )
    doc_id = quoted(document.doc_id)
    stored = (
        f'{{"doc_id":{doc_id},"text":{quoted(document.text)},"payload":{quoted(document.payload)},'
        f'"terms":{{{",".join(terms)}}},"keys":{{{keys}}}}}'
    )
    if len(document.doc_id) > LONGEST_ID_BYTES // 4 and len(document.doc_id.encode()) > LONGEST_ID_BYTES:
        doc_id = f'"{hashlib.sha256(document.doc_id.encode()).hexdigest()}"'
    return f'{{"create":{{"_id":{doc_id}}}}}', stored


def writing(index: str) -> str:
    """The alias that a build writes through."""
    return f"{index}.writing"


BEAT_SECONDS = 5.0  # a third of WATCH_SECONDS, so that one lost beat does not count as death
WATCH_SECONDS = 15.0  # a builder without a heartbeat for this time is dead
LOOK_SECONDS = 0.5


class Heartbeat:
    """A thread that counts up every few seconds and stores the count on the server by `write`, which shows others that
    this process is still building."""

    def __init__(self, write: Callable[[], None]) -> None:
        self._write, self._beat, self._stopped = write, 0, threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)
        self.start = self._thread.start

    def stop(self) -> None:
        """No further beat; `builder` is empty from now on."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(BEAT_SECONDS)

    def builder(self) -> dict[str, Any]:
        """Identity of this process with its latest beat; empty once the heartbeat has stopped."""
        if self._stopped.is_set():
            return {}
        return {"host": socket.gethostname(), "process": os.getpid(), "beat": self._beat}

    def _run(self) -> None:
        """Body of the thread: counts and writes until stopped; errors of the server are ignored."""
        while not self._stopped.wait(BEAT_SECONDS):
            self._beat += 1
            with suppress(ApiError, TransportError):  # a server in trouble: the build itself reports it
                self._write()


def refuse_second(shown: str, said: Mapping[str, Any], again: Callable[[], Mapping[str, Any]]) -> None:
    """Raises UserError if another program is still building the index `shown`.

    `said` is the index's stored metadata with its `builder`; `again` fetches it again. A builder of this machine whose
    process has ended is dead; any other is watched for `WATCH_SECONDS` and counts as alive if its heartbeat changes.
    """
    builder = said.get("builder")
    if not builder or _has_died(builder):
        return
    who = "process {process} on {host}".format_map(builder)
    info(f"the index {shown} was being built by another program ({who}): checking whether it still is")
    until = time.monotonic() + WATCH_SECONDS
    while time.monotonic() < until:
        time.sleep(LOOK_SECONDS)
        now = again().get("builder")
        if not now or _has_died(now):
            return
        if now != builder:
            raise UserError(f"the index {shown} is being built by another program ({who})")


def _has_died(builder: Mapping[str, Any]) -> bool:
    """Returns whether the builder (its `host` and `process`) was a process of this machine that has ended."""
    if builder.get("host") != socket.gethostname():
        return False
    try:
        with suppress(PermissionError):  # it is another user's
            os.kill(int(builder["process"]), 0)
    except ProcessLookupError:
        return True
    return False


CHECKPOINT_DOCUMENTS = 5_000  # bounds the work that an interrupted build repeats
SECONDS_TO_MERGE = 7_200  # two hours: the longest wait for a force merge
SECONDS_FOR_COPIES = "20s"  # how long loading waits until every shard and its copies have their places
BYTES_A_SHARD = 10_000_000_000  # of the sources; the index is about thrice as large, and a shard best under 50 GB
MOST_SHARDS = 1024


class ElasticsearchWriter:
    """A build in concrete indexes `NAME.PART.NUMBER`, whose `_meta` holds the name of the index that they belong to.

    A separate thread sends while the caller analyses. Documents are created, never overwritten: one that exists already
    (an interrupted build, a request sent twice) is left unchanged, so that nothing is doubled and no deleted document
    disturbs the statistics. Writing goes through an alias that must exist, so that an index deleted during the build is
    an error and not created again by the server. Replicas exist from the start, so that losing a node while loading
    loses no shard.
    """

    def __init__(self, location: Location, metadata: Metadata, shards: int | None, replicas: int | None) -> None:
        self._location, self._metadata, self._client = location, metadata, connect(location)
        self._parts = {part.name: part for part in metadata.parts}
        self._main = metadata.parts[0].name
        shards = shards or usual_shards(metadata)
        # A short name for what a build is made of: another build never resumes it.
        made_of = json.dumps([build_identity(metadata), shards], sort_keys=True, ensure_ascii=False)
        self._identity = hashlib.sha256(made_of.encode()).hexdigest()
        self._heartbeat = Heartbeat(self._write_meta)
        self._meta = threading.Lock()
        with ExitStack() as refused, talking(location):
            refused.callback(self._client.close)
            greeting = self._client.options(request_timeout=SECONDS_TO_GREET)
            taken = [alias_of(location, metadata, part.name) for part in metadata.parts]
            for name, about in greeting.indices.get(index=taken, ignore_unavailable=True).items():
                if name in taken or our_metadata(about).get("name") != location.name:
                    raise UserError(
                        f"the index {name} on the server of {location.shown} was not built by this program: "
                        "choose another name with --index"
                    )
            status = self._client.options(request_timeout=STATUS_SECONDS).cluster
            nodes = 1  # where we may not ask
            with suppress(ApiError):
                nodes = int(status.health()["number_of_data_nodes"])
            self._replicas = int(nodes > 1) if replicas is None else replicas
            self._copies = 1 + min(self._replicas, nodes - 1)
            found = indexes_of(self._client, location)
            aside = {name: ours for name, (ours, aliases) in found.items() if not _serving(location, aliases)}
            for name, ours in aside.items():
                refuse_second(location.shown, ours, partial(self._stored_meta, name))
            self._concrete, self._progress = self._resume(aside)
            if not self._concrete:
                number = 1 + max((int(name.rpartition(".")[2]) for name in found), default=0)
                self._concrete = self._create(number, shards)
            self._write_meta()
            refused.pop_all()
        self._heartbeat.start()
        self.finished_sources: dict[str, None] = dict.fromkeys(self._progress.get("finished", ()))
        written = self._progress.get("documents", {})
        self.counts = {part: int(written.get(part, 0)) for part in self._parts}
        self._finished_counts = dict(self.counts)
        self._since_checkpoint = 0
        self._loader = BulkLoader(location, self._client, self._parts, self._concrete, self._write_meta)

    def add(self, part: str, documents: Sequence[Document]) -> None:
        added = self._loader.add(part, documents)
        self.counts[part] += added
        self._since_checkpoint += added

    def finish_source(self, source: str, costly: bool = False) -> None:
        """Records that a source is written; stores a checkpoint at once if it is `costly` or enough documents have been
        written since the last one."""
        self.finished_sources[source] = None
        self._finished_counts = dict(self.counts)
        if costly or self._since_checkpoint >= CHECKPOINT_DOCUMENTS:
            self._checkpoint()

    def searcher(self, part: str) -> ElasticsearchSearcher:
        self._loader.commit()
        self._ask_all_shards(self._client.indices.refresh, self._concrete[part])
        return ElasticsearchSearcher(self._location, self._client, self._parts[part], self._concrete[part])

    def publish(self) -> Metadata:
        """Checks the document counts, merges the segments, stores the metadata and moves the aliases to the new
        indexes.

        Returns the final metadata. Raises RefusedInput if a part holds another number of documents than were written.
        """
        self._checkpoint()
        self._loader.commit()
        metadata = self._metadata._replace(documents=dict(self.counts))
        merging = self._client.options(request_timeout=SECONDS_TO_MERGE).indices
        for part, index in self._concrete.items():
            self._ask_all_shards(self._client.indices.refresh, index)
            found, expected = int(self._ask_all_shards(self._client.count, index)["count"]), self.counts[part]
            if found != expected:
                reason = "some doc_ids repeat" if found < expected else "it holds documents of another build"
                raise RefusedInput(
                    f"the index {self._location.shown} was not put in place: {part} holds {found} documents "
                    f"instead of {expected} ({reason})"
                )
            self._ask(partial(merging.forcemerge, index=index, max_num_segments=1))
            self._ask_all_shards(self._client.indices.refresh, index)
            usual = {"index": {"refresh_interval": None}}
            self._ask(partial(self._client.indices.put_settings, index=index, settings=usual))
        self._heartbeat.stop()
        self._ask(partial(self._write_meta, final=metadata))
        self._ask(self._swap)
        self._loader.abandon()
        self._client.close()
        return metadata

    def abandon(self) -> None:
        """Closes without publishing: the progress is stored if a source is finished, else all that was written is
        deleted."""
        if self.finished_sources:
            self._heartbeat.stop()
            self._loader.abandon(self._state())
            self.finished_sources = dict.fromkeys(self._progress.get("finished", ()))  # what the server has stored
        if not self.finished_sources:
            self.discard()
            return
        self._client.close()

    def discard(self) -> None:
        """Closes without publishing and deletes the new indexes; if no server answers, the next build deletes them."""
        self._heartbeat.stop()
        self._loader.abandon()
        # Where no server answers, the next build of this name removes what lies there.
        with suppress(UserError), talking(self._location):
            for index in self._concrete.values():
                self._client.indices.delete(index=index, ignore_unavailable=True)
        self._client.close()

    def _ask(self, action: Callable[[], Answer]) -> Answer:
        """Runs an action on the server with retries."""
        return retry(self._location, action, _GONE.format(self._location.shown))

    def _ask_all_shards(self, action: Callable[..., ObjectApiResponse[Any]], index: str) -> ObjectApiResponse[Any]:
        """Runs an action (`index=…`) on an index, retried until no shard fails, and returns the response."""

        def ask() -> ObjectApiResponse[Any]:
            answer = action(index=index)
            if answer["_shards"]["failed"]:
                why = why_it_waits(self._client, index)
                raise TransientError(f"the Elasticsearch of {self._location.shown}: some shards gave no answer{why}")
            return answer

        return self._ask(ask)

    def _resume(self, aside: Mapping[str, Mapping[str, Any]]) -> tuple[dict[str, str], Mapping[str, Any]]:
        """Finds an interrupted build of the same sources and settings among unpublished indexes (`aside`: name → stored
        metadata).

        Returns its concrete index of each part and its stored progress, or two empty mappings; all other indexes of
        `aside` are deleted.
        """
        same = {name: ours for name, ours in aside.items() if ours.get("build") == self._identity}
        numbers = {name.rpartition(".")[2] for name in same}
        newest = max(numbers, key=int, default="")
        concrete = {part: f"{self._location.name}.{part}.{newest}" for part in self._parts}
        resumable = all(name in same for name in concrete.values())
        for name in aside:
            if not resumable or name not in concrete.values():
                self._client.indices.delete(index=name, ignore_unavailable=True)
        if not resumable:
            return {}, {}
        settings = {"index": {"number_of_replicas": self._replicas}}
        self._client.indices.put_settings(index=list(concrete.values()), settings=settings)
        return concrete, same[concrete[self._metadata.parts[0].name]].get("progress", {})

    def _create(self, number: int, shards: int) -> dict[str, str]:
        """Creates the concrete indexes of all parts, `NAME.PART.number`, and returns them by part.

        If one cannot be created, those created are deleted and the error is raised: UserError if another program has
        just created it.
        """
        concrete = {part: f"{self._location.name}.{part}.{number}" for part in self._parts}
        made: list[str] = []
        try:
            for part, index in concrete.items():
                try:
                    self._client.indices.create(
                        index=index,
                        aliases={writing(index): {"is_hidden": True}},
                        settings={
                            "number_of_shards": shards,
                            "number_of_replicas": self._replicas,
                            "refresh_interval": "-1",
                            "similarity": {"default": {"type": "BM25", "k1": K1, "b": B}},
                        },
                        mappings={**mapping(self._parts[part]), "_meta": {OURS: self._about(part)}},
                        wait_for_active_shards=self._copies,
                        timeout=SECONDS_FOR_COPIES,
                    )
                except BadRequestError as error:
                    if "resource_already_exists" not in str(error.body):
                        raise
                    ours, shown = self._stored_meta(index), self._location.shown
                    by_us = part != self._main or ours.get("builder") == self._heartbeat.builder()
                    if not by_us or ours.get("build") != self._identity:
                        raise UserError(
                            f"the index {shown} is being built by another program, begun this moment"
                        ) from None
                    # else this build has made it: the answer was lost, and the client asked once more
                made.append(index)
        except BaseException:
            with suppress(ApiError, TransportError):
                for index in made:
                    self._client.indices.delete(index=index, ignore_unavailable=True)
            raise
        return concrete

    def _about(self, part: str) -> dict[str, Any]:
        """Content of `_meta` for a part's index during the build: index name, part, build identity, and in the main
        part the builder."""
        about: dict[str, Any] = {"name": self._location.name, "part": part, "build": self._identity}
        if part == self._main and (builder := self._heartbeat.builder()):
            about["builder"] = builder
        return about

    def _stored_meta(self, index: str) -> dict[str, Any]:
        """The `_meta` of an index as the server has it now; empty if the index does not exist."""
        found = self._client.indices.get_mapping(index=index, ignore_unavailable=True)
        return next(map(our_metadata, found.values()), {})

    def _write_meta(self, progress: Progress | None = None, final: Metadata | None = None) -> None:
        """Stores builder, progress (by default the one last stored) and, at the end, the final metadata in `_meta` of
        the main part's index."""
        with self._meta:
            self._progress = self._progress if progress is None else progress
            ours = {**self._about(self._main), "progress": self._progress}
            if final is not None:
                ours["metadata"] = to_json(final)
            indices = self._client.options(request_timeout=SECONDS_TO_GREET).indices
            indices.put_mapping(index=self._concrete[self._main], meta={OURS: ours})

    def _state(self) -> dict[str, Any]:
        """Progress of the build for `_meta`: the finished sources. Documents of a source begun since then do no harm:
        they are met again as existing."""
        return {"finished": list(self.finished_sources), "documents": self._finished_counts}

    def _checkpoint(self) -> None:
        """Queues the collected documents of all parts and then a checkpoint."""
        self._loader.flush()
        self._loader.checkpoint(self._state())
        self._since_checkpoint = 0

    def _swap(self) -> None:
        """Points all aliases to the new indexes and deletes the old ones in one request; does nothing if that is
        already done."""
        ours = indexes_of(self._client, self._location)
        served = [name for name, (_, aliases) in ours.items() if _serving(self._location, aliases)]
        if set(served) == set(self._concrete.values()):
            return
        actions: list[dict[str, Any]] = [{"remove_index": {"index": index}} for index in sorted(served)]
        for part, index in self._concrete.items():
            actions.append({"add": {"index": index, "alias": alias_of(self._location, self._metadata, part)}})
            actions.append({"remove": {"index": index, "alias": writing(index)}})
        once = self._client.options(max_retries=0)  # where its answer is lost, it is looked first what is done
        once.indices.update_aliases(actions=actions)


def mapping(part: Part) -> dict[str, Any]:
    """Elasticsearch mapping of a part: term fields split at white space, key fields matched verbatim, text and payload
    stored only."""
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


def _serving(location: Location, aliases: Sequence[str]) -> bool:
    """Returns whether one of the aliases is that of the index or of one of its parts."""
    own = (alias for alias in aliases if alias == location.name or alias.startswith(f"{location.name}."))
    return any(not alias.endswith(".writing") for alias in own)


def usual_shards(metadata: Metadata) -> int:
    """Default number of primary shards for an index's sources: one for every 10 GB."""
    size = sum(size for _, size in metadata.sources)
    return min(MOST_SHARDS, max(1, -(-size // BYTES_A_SHARD)))


def indexes_of(client: Elasticsearch, location: Location) -> dict[str, tuple[dict[str, Any], list[str]]]:
    """This program's concrete indexes of the index at a location, published or not: name → (its `_meta`, its
    aliases)."""
    named = re.compile(rf"{re.escape(location.name)}\.[^.]+\.\d+")
    found = {}
    for name, about in client.indices.get(index=f"{location.name}.*", expand_wildcards="all").items():
        ours = our_metadata(about)
        if named.fullmatch(name) and ours.get("name") == location.name:
            found[name] = (ours, list(about.get("aliases", {})))
    return found


# What building and managing takes of an engine (`indexer.engines.writing.Builder`).


def standing(address: str) -> Standing | None:
    """Describes the index behind the alias; None if it does not exist or if this program did not build it."""
    location = locate(address)
    with open_client(location) as client:
        greeting = client.options(request_timeout=SECONDS_TO_GREET)
        found = greeting.indices.get(index=location.name, ignore_unavailable=True)
    for about in found.values():
        if "metadata" in (ours := our_metadata(about)):
            created = int(about["settings"]["index"]["creation_date"]) / 1000
            return describe_stored(ours["metadata"], created)
    return None


def size(address: str) -> int:
    """Bytes that an index takes on disk, including replicas and unpublished builds of the same name."""
    location = locate(address)
    with open_client(location) as client:
        found = client.indices.stats(index=f"{location.name},{location.name}.*", metric="store")
    return int(found["_all"]["total"]["store"]["size_in_bytes"])


def remove(address: str) -> None:
    """Deletes an index and unpublished builds of the same name. Raises UserError if it does not exist."""
    location = locate(address)
    with open_client(location) as client:
        found = list(indexes_of(client, location))
        if not found:
            raise nothing_there(location, names(location))
        client.indices.delete(index=found)


def build(
    address: str, metadata: Metadata, shards: int | None = None, replicas: int | None = None
) -> ElasticsearchWriter:
    """A build in concrete indexes that no alias points to yet; see `ElasticsearchWriter`."""
    return ElasticsearchWriter(locate(address), metadata, shards, replicas)
