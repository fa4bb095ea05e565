"""Loading Elasticsearch: aside, with retries, resumed after an interruption, swapped in at one stroke."""

from __future__ import annotations

import hashlib
import json
import queue
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from json.encoder import encode_basestring as quoted
from typing import Any, NamedTuple, TypeVar

from elastic_transport import ObjectApiResponse
from elasticsearch import ApiError, BadRequestError, Elasticsearch, TransportError

from indexer.document import Document, Part
from indexer.engines.connection import (
    NOT_FOUND,
    OURS,
    SECONDS_TO_GREET,
    TransientError,
    cause_of,
    connect,
    passes,
    talking,
)
from indexer.engines.contract import Crew, Metadata
from indexer.engines.elasticsearch import ElasticsearchSearcher, alias_of
from indexer.engines.heartbeat import Heartbeat, data_nodes, refuse_second, retry, why_it_waits
from indexer.engines.metadata import build_identity, to_json
from indexer.engines.scoring import K1, B
from indexer.engines.terms import LONGEST_KEY, field_text, stored_keys
from indexer.files.errors import RefusedInput, UserError
from indexer.location import Location

# A thread that sends documents to Elasticsearch while the caller analyses the next ones.

CHUNK_DOCUMENTS = 2_000
CHUNKS_WAITING = 2  # bounds the memory of the queue between analysis and sending
SECONDS_TO_HURRY = 10.0  # bounds the wait for the sending thread when a build is interrupted
SECONDS_FOR_A_PRIMARY = "10s"  # how long a server keeps a request for a shard that is away
CREATED, ALREADY_THERE = (200, 201), 409
GOES_ON = "mend that and give the same command again: it goes on from there"

Line = tuple[str, str]
Progress = Mapping[str, Any]


def missing_while_built(location: Location) -> str:
    """The message for an index that disappeared while it was being built."""
    return (
        f"the index {location.shown} that was being built is gone: it was deleted, or another program has built it; "
        "give the same command again"
    )


class Chunk(NamedTuple):
    """Documents of one part on their way to the server, as the lines of a bulk request."""

    target: str
    lines: list[Line]


class Checkpoint(NamedTuple):
    """A mark in the queue of chunks: progress to be stored once all chunks before it are on the server."""

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

    def enqueue(self, item: Chunk | Checkpoint) -> None:
        """Queues an item, waiting for a free place. Raises the error of an earlier item."""
        self._raise()
        self._queue.put(item)

    def wait(self) -> None:
        """Waits until every queued item is on the server. Raises the error of a failed one."""
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
                    self._send_with_retries(item)
            except BaseException as error:
                self._error = error
            finally:
                self._queue.task_done()
        self._queue.task_done()

    def _send_with_retries(self, item: Chunk | Checkpoint) -> None:
        """Sends a chunk's documents, or stores a checkpoint's progress, with retries."""
        gone = missing_while_built(self._location)
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
            operations=[piece for line in left for piece in line],  # type: ignore[misc]  # JSON is sent verbatim
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
            raise self._write_error(min((items[number] for number in refused), key=lambda item: passes(item["status"])))

    def _write_error(self, item: Mapping[str, Any]) -> UserError:
        """The user's error for a document that was not written."""
        if item["status"] == NOT_FOUND:
            return UserError(missing_while_built(self._location))
        line = (
            f"the Elasticsearch of {self._location.shown} refused to write (status {item['status']}, "
            f"{cause_of(item['error'])})"
        )
        return TransientError(line) if passes(item["status"]) else UserError(f"{line}; {GOES_ON}")


# Documents on their way into a build on Elasticsearch: gathered into requests, by the build or any other process.

CHUNK_BYTES = 8_000_000
LONGEST_ID_BYTES = 512  # Elasticsearch's limit of an _id


class Chunks:
    """Gathers the documents of each part, and hands them on when they fill a request."""

    def __init__(self, parts: Mapping[str, Part], indexes: Mapping[str, str], put: Callable[[Chunk], None]) -> None:
        self._parts = parts
        self._indexes = indexes
        self._put = put
        self._lines: dict[str, list[Line]] = {part: [] for part in parts}
        self._sizes = dict.fromkeys(parts, 0)

    def add(self, part: str, documents: Sequence[Document]) -> int:
        """Gather documents; how many of them have terms, without which none is written."""
        schema, lines, size, added = self._parts[part], self._lines[part], self._sizes[part], 0
        for document in documents:
            line = bulk_lines(schema, document)
            if line is None:
                continue
            added += 1
            lines.append(line)
            size += len(line[1])
            if len(lines) >= CHUNK_DOCUMENTS or size >= CHUNK_BYTES:
                self.flush(part)
                lines, size = self._lines[part], 0
        self._sizes[part] = size
        return added

    def flush(self, part: str) -> None:
        """Hand on what is gathered of a part."""
        lines = self._lines[part]
        if lines:
            self._put(Chunk(writing(self._indexes[part]), lines))
            self._lines[part], self._sizes[part] = [], 0  # not before: a signal may end the waiting for a place

    def rest(self) -> list[Chunk]:
        """The chunks of all parts that are not full yet."""
        return [Chunk(writing(self._indexes[part]), lines) for part, lines in self._lines.items() if lines]


class BulkLoader:
    """Writes documents into a build that another process began; what is there already is left unchanged.

    `indexes` maps each part to its concrete index. `counts` are the documents of each part that were written, or were
    there: the same whenever the same is done again.
    """

    def __init__(self, location: Location, parts: Mapping[str, Part], indexes: Mapping[str, str]) -> None:
        self._client = connect(location)
        self._sender = Sender(location, self._client, lambda progress: None)
        self._chunks = Chunks(parts, indexes, self._sender.enqueue)
        self.counts = dict.fromkeys(parts, 0)

    def add(self, part: str, documents: Sequence[Document]) -> int:
        """Write documents; how many of them have terms, without which none is written."""
        added = self._chunks.add(part, documents)
        self.counts[part] += added
        return added

    def commit(self) -> None:
        """Send what is left, and wait until all is on the server."""
        for part in self.counts:
            self._chunks.flush(part)
        self._sender.wait()

    def end(self) -> None:
        """Write no more."""
        self._sender.end()
        self._client.close()

    def abandon(self) -> None:
        """End without waiting for a server to come back."""
        self._sender.hurry([])
        self._client.close()


def bulk_lines(part: Part, document: Document) -> Line | None:
    """A document as the two lines of a bulk request, written piece by piece (thrice as quick as `json.dumps`).

    None when it lacks terms in a term field.
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


Answer = TypeVar("Answer")

CHECKPOINT_DOCUMENTS = 5_000  # bounds the work that an interrupted build repeats
SECONDS_TO_MERGE = 7_200  # two hours: the longest wait for a force merge
SECONDS_FOR_COPIES = "20s"  # how long loading waits until every shard and its copies have their places
BYTES_A_SHARD = 10_000_000_000  # of the sources; the index is about thrice as large, and a shard best under 50 GB
PACKED, PACKED_BYTES = (".gz", ".bz2", ".xz", ".zip", ".tgz"), 4
MOST_SHARDS = 1024


class ElasticsearchWriter:
    """A build in concrete indexes `NAME.PART.NUMBER`, whose `_meta` names the index that they belong to.

    A separate thread sends while the caller analyses. Documents are created, never overwritten: one that is there
    already (an interrupted build, a request sent twice) is left unchanged, so that nothing is doubled and no deleted
    document disturbs the statistics. The writing goes through an alias that must exist, so that an index deleted under
    way is an error and not created again by the server. Copies are there from the start: a node lost while loading
    takes no shard along. Other processes may send, too; a checkpoint waits until all is there that they were given.
    """

    def __init__(self, location: Location, metadata: Metadata, shards: int | None, replicas: int | None) -> None:
        self._location = location
        self._metadata = metadata
        self._client = connect(location)
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
            _refuse_foreign(self._client.options(request_timeout=SECONDS_TO_GREET), location, metadata)
            nodes = data_nodes(self._client)
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
        self._checked = self._progress  # what the latest checkpoint says
        self._go_back()
        self._counts = dict(self._finished_counts)
        self._since_checkpoint = 0
        self._crew: Crew | None = None
        self._sender = Sender(location, self._client, self._note)
        self._chunks = Chunks(self._parts, self._concrete, self._sender.enqueue)

    def _go_back(self) -> None:
        """Take for finished what the latest checkpoint says."""
        self._finished: dict[str, None] = dict.fromkeys(self._checked.get("finished", ()))
        written = self._checked.get("documents", {})
        self._finished_counts = {part: int(written.get(part, 0)) for part in self._parts}

    @property
    def finished_sources(self) -> frozenset[str]:
        return frozenset(self._finished)

    @property
    def counts(self) -> Mapping[str, int]:
        return self._counts

    def add(self, part: str, documents: Sequence[Document]) -> None:
        self.count(part, self._chunks.add(part, documents))

    def count(self, part: str, written: int) -> None:
        self._counts[part] += written
        self._since_checkpoint += written

    def share(self, number: int) -> Callable[[], BulkLoader]:
        return partial(BulkLoader, self._location, self._parts, self._concrete)

    def lead(self, crew: Crew) -> None:
        self._crew = crew

    def join(self) -> None:
        if self._crew is not None:
            self._crew.close()
            self._crew = None

    def finish_source(self, source: str, costly: bool = False) -> None:
        self._finished[source] = None
        self._finished_counts = dict(self._counts)
        if costly or self._since_checkpoint >= CHECKPOINT_DOCUMENTS:
            self._checkpoint()

    def searcher(self, part: str) -> ElasticsearchSearcher:
        self._chunks.flush(part)
        self._sender.wait()
        self._ask(partial(self._refresh, self._concrete[part]))
        return ElasticsearchSearcher(self._location, self._client, self._parts[part], self._concrete[part])

    def publish(self) -> Metadata:
        self._checkpoint()
        self._sender.end()
        metadata = self._metadata._replace(documents=dict(self._counts))
        merging = self._client.options(request_timeout=SECONDS_TO_MERGE).indices
        for part, index in self._concrete.items():
            self._ask(partial(self._refresh, index))
            self._check(part, self._ask(partial(self._count, index)))
            self._ask(partial(merging.forcemerge, index=index, max_num_segments=1))
            self._ask(partial(self._refresh, index))
            settings = {"index": {"refresh_interval": None}}
            self._ask(partial(self._client.indices.put_settings, index=index, settings=settings))
        self._heartbeat.stop()
        self._ask(partial(self._note, {**self._state(), "metadata": to_json(metadata)}))
        self._ask(self._swap)
        self._client.close()
        return metadata

    def abandon(self) -> None:
        if self._crew is not None:  # what it was given and has not sent is lost
            self.join()
            self._go_back()
        if self._finished:
            self._heartbeat.stop()
            self._sender.hurry([*self._chunks.rest(), Checkpoint(self._state())])
            self._finished = dict.fromkeys(self._progress.get("finished", ()))  # what the server has stored
        if not self._finished:
            self.discard()
            return
        self._client.close()

    def discard(self) -> None:
        self.join()
        self._heartbeat.stop()
        self._sender.hurry([])
        # Where no server answers, the next build of this name removes what lies there.
        with suppress(UserError), talking(self._location):
            for index in self._concrete.values():
                self._client.indices.delete(index=index, ignore_unavailable=True)
        self._client.close()

    def _ask(self, action: Callable[[], Answer]) -> Answer:
        """Runs an action on the server with retries."""
        return retry(self._location, action, missing_while_built(self._location))

    def _refresh(self, index: str) -> None:
        self._require_all_shards(index, self._client.indices.refresh(index=index))

    def _count(self, index: str) -> int:
        counted = self._client.count(index=index)
        self._require_all_shards(index, counted)
        return int(counted["count"])

    def _require_all_shards(self, index: str, answer: ObjectApiResponse[Any]) -> None:
        if answer["_shards"]["failed"]:
            why = why_it_waits(self._client, index)
            raise TransientError(f"the Elasticsearch of {self._location.shown}: some shards gave no answer{why}")

    def _resume(self, aside: Mapping[str, Mapping[str, Any]]) -> tuple[dict[str, str], Mapping[str, Any]]:
        """The indexes of an interrupted build of the same and how far it came; other leftovers are deleted."""
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
        """New indexes of all parts, or none."""
        concrete = {part: f"{self._location.name}.{part}.{number}" for part in self._parts}
        made: list[str] = []
        try:
            for part, index in concrete.items():
                try:
                    answer = self._client.indices.create(
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
                    if not answer["shards_acknowledged"]:
                        self._copies = 0  # the first documents wait, with retries
                except BadRequestError as error:
                    if "resource_already_exists" not in str(error.body):
                        raise
                    ours = self._stored_meta(index)
                    by_us = part != self._main or ours.get("builder") == self._heartbeat.builder()
                    if not by_us or ours.get("build") != self._identity:
                        message = (
                            f"the index {self._location.shown} is being built by another program, begun this moment"
                        )
                        raise UserError(message) from None
                    # else this build has made it: the answer was lost, and the client asked once more
                made.append(index)
        except BaseException:
            with suppress(ApiError, TransportError):
                for index in made:
                    self._client.indices.delete(index=index, ignore_unavailable=True)
            raise
        return concrete

    def _about(self, part: str) -> dict[str, Any]:
        """`_meta` of a part's index while it is built."""
        about: dict[str, Any] = {"name": self._location.name, "part": part, "build": self._identity}
        if part == self._main and (builder := self._heartbeat.builder()):
            about["builder"] = builder
        return about

    def _stored_meta(self, index: str) -> dict[str, Any]:
        """The `_meta` of an index as the server has it now; empty if the index does not exist."""
        found = self._client.indices.get_mapping(index=index, ignore_unavailable=True)
        return next((about["mappings"].get("_meta", {}).get(OURS, {}) for about in found.values()), {})

    def _note(self, progress: Mapping[str, Any]) -> None:
        """Remember on the server how far the build is."""
        self._progress = progress
        self._write_meta()

    def _write_meta(self) -> None:
        """Stores the state of the build in the main part's index: builder, progress and, at the end, metadata."""
        with self._meta:
            progress = {key: self._progress[key] for key in ("finished", "documents") if key in self._progress}
            ours = {**self._about(self._main), "progress": progress}
            if "metadata" in self._progress:
                ours["metadata"] = self._progress["metadata"]
            greeting = self._client.options(request_timeout=SECONDS_TO_GREET)
            greeting.indices.put_mapping(index=self._concrete[self._main], meta={OURS: ours})

    def _state(self) -> dict[str, Any]:
        """Progress of the build for `_meta`: the finished sources. Documents of a source begun since then do no harm:
        they are met again as existing."""
        return {"finished": list(self._finished), "documents": self._finished_counts}

    def _checkpoint(self) -> None:
        """Queues what is left of all parts, and then a checkpoint."""
        for part in self._parts:
            self._chunks.flush(part)
        if self._crew is not None:
            self._crew.commit()
        self._checked = self._state()
        self._sender.enqueue(Checkpoint(self._checked))
        self._since_checkpoint = 0

    def _check(self, part: str, found: int) -> None:
        """Raises RefusedInput if a part holds another number of documents than were written."""
        expected = self._counts[part]
        if found == expected:
            return
        reason = "some doc_ids repeat" if found < expected else "it holds documents of another build"
        raise RefusedInput(
            f"the index {self._location.shown} was not put in place: {part} holds {found} documents "
            f"instead of {expected} ({reason})"
        )

    def _swap(self) -> None:
        """Point all aliases to the new indexes and delete the old ones, in one step; nothing if that is done."""
        ours = indexes_of(self._client, self._location)
        served = [name for name, (_, aliases) in ours.items() if _serving(self._location, aliases)]
        if set(served) == set(self._concrete.values()):
            return
        actions: list[dict[str, Any]] = []
        for part, index in self._concrete.items():
            alias = alias_of(self._location, self._metadata, part)
            actions.append({"add": {"index": index, "alias": alias}})
            actions.append({"remove": {"index": index, "alias": writing(index)}})
        actions += [{"remove_index": {"index": index}} for index in sorted(served)]
        once = self._client.options(max_retries=0)  # where its answer is lost, it is looked first what is done
        once.indices.update_aliases(actions=actions)


def mapping(part: Part) -> dict[str, Any]:
    """Elasticsearch mapping of a part: term fields split at white space, keys verbatim, the rest only stored."""
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
    """Default number of primary shards for an index's sources: one for every 10 GB; packed files count four times their
    size."""
    size = sum(size * (PACKED_BYTES if name.endswith(PACKED) else 1) for name, size in metadata.sources)
    return min(MOST_SHARDS, max(1, -(-size // BYTES_A_SHARD)))


def _refuse_foreign(client: Elasticsearch, location: Location, metadata: Metadata) -> None:
    """Raises UserError when a name that the index takes, or one of its parts, is that of another index, or leads to
    one."""
    taken = [alias_of(location, metadata, part.name) for part in metadata.parts]
    for name, about in client.indices.get(index=taken, ignore_unavailable=True).items():
        if name in taken or about["mappings"].get("_meta", {}).get(OURS, {}).get("name") != location.name:
            raise UserError(
                f"the index {name} on the server of {location.shown} is one that this program did not build for it: "
                "choose another name with --index"
            )


def indexes_of(client: Elasticsearch, location: Location) -> dict[str, tuple[dict[str, Any], list[str]]]:
    """The concrete indexes of ours under a name, served or not: what they say of themselves, and their aliases."""
    named = re.compile(rf"{re.escape(location.name)}\.[^.]+\.\d+")
    found = {}
    for name, about in client.indices.get(index=f"{location.name}.*", expand_wildcards="all").items():
        ours = about["mappings"].get("_meta", {}).get(OURS, {})
        if named.fullmatch(name) and ours.get("name") == location.name:
            found[name] = (ours, list(about.get("aliases", {})))
    return found
