"""Loading Elasticsearch: aside, in bulk requests with retries, swapped in at one stroke."""

from __future__ import annotations

import hashlib
import os
import re
import socket
import threading
import uuid
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from datetime import datetime
from functools import partial
from typing import Any

from elasticsearch import ApiError, BadRequestError, Elasticsearch, TransportError
from elasticsearch.helpers import streaming_bulk

from indexer.address import Location, locate, nothing_there
from indexer.engines.connection import (
    NOT_FOUND,
    OURS,
    SECONDS_TO_GREET,
    STATUS_SECONDS,
    cause_of,
    connect,
    passes,
    retry,
    talking,
    why_it_waits,
)
from indexer.engines.contract import (
    LONGEST_KEY,
    Document,
    Metadata,
    Part,
    field_text,
    stored_keys,
    to_json,
)
from indexer.engines.elasticsearch import ElasticsearchSearcher, alias_of, open_client, our_metadata
from indexer.engines.elasticsearch import names as names  # of a `Builder`
from indexer.engines.errors import TransientError
from indexer.engines.scoring import K1, B
from indexer.files.errors import RefusedInput, UserError
from indexer.files.messages import counted, info

CHUNK_DOCUMENTS = 2_000  # of one bulk request, and so are
CHUNK_BYTES = 8_000_000
REQUESTS_WAITING = 2  # bounds the memory of what is analysed and not yet sent
LONGEST_ID_BYTES = 512  # Elasticsearch's limit of an _id
SECONDS_FOR_A_PRIMARY = "10s"  # how long a server keeps a request for a shard that is away
SECONDS_FOR_COPIES = (
    "20s"  # how long loading waits until every shard and its copies have their places
)
SECONDS_TO_MERGE = 7_200  # two hours: the longest wait for a force merge
# of the sources; the index is about thrice as large, and a shard best under 50 GB
BYTES_A_SHARD = 10_000_000_000
MOST_SHARDS = 1024
WRITING = (
    ".writing"  # ends the alias that a build writes through, which begins with the index's name
)
ALREADY_THERE = 409
AGAIN = "mend that and give the same command again"
SHOWN_IDS = 3  # doc_ids in a message about refused documents

Action = dict[str, Any]  # a document as the client's bulk helpers take it


class ElasticsearchWriter:
    """A build in concrete indexes `NAME.PART.NUMBER`, whose `_meta` holds the name of the index
    that they belong to, and the program that builds them.

    A thread sends while the caller analyses. Documents are created, never overwritten: one that
    exists already (a request sent twice) is left unchanged, so that nothing is doubled and no
    deleted document disturbs the statistics. Writing goes through an alias that must exist, so that
    an index deleted during the build is an error and not created again by the server. Replicas
    exist from the start, so that losing a node while loading loses no shard. Two programs that
    build one index write each to their own concrete indexes; the one that publishes last is served.
    """

    def __init__(
        self,
        address: str | Location,
        metadata: Metadata,
        shards: int | None = None,
        replicas: int | None = None,
    ) -> None:
        """Creates the concrete indexes, with `usual_shards` and, if the server has several data
        nodes, one replica by default, and deletes those of builds that died on this
        machine.

        Raises UserError for a name that is taken and for every error of the server.
        """
        location = locate(address)
        self._location, self._metadata, self._client = location, metadata, connect(location)
        self._parts = {part.name: part for part in metadata.parts}
        self._main = metadata.parts[0].name
        self._gone = (
            f"the index {location.shown} that was being built is gone: it was deleted; give the "
            f"same command again"
        )
        self._builder = {
            "host": socket.gethostname(),
            "process": os.getpid(),
            "build": uuid.uuid4().hex,
        }
        self._swapping = False
        with ExitStack() as refused, talking(location):
            refused.callback(self._client.close)
            self._refuse_taken_names()
            nodes = 1  # where we may not ask
            with suppress(ApiError):
                health = self._client.options(request_timeout=STATUS_SECONDS).cluster.health()
                nodes = int(health["number_of_data_nodes"])
            replicas = int(nodes > 1) if replicas is None else replicas
            there = indexes_of(self._client, location)
            self._served = {name for name, (_, serves) in there.items() if serves}
            for name, (ours, serves) in there.items():
                if not serves and _has_died(ours.get("builder", {})):
                    self._client.indices.delete(index=name, ignore_unavailable=True)
            number = 1 + max((int(name.rpartition(".")[2]) for name in there), default=0)
            copies = 1 + min(replicas, nodes - 1)
            self._create(number, shards or usual_shards(metadata), replicas, copies)
            refused.pop_all()
        self._hurried = threading.Event()  # set when no server is to be waited for any more
        self._sender = ThreadPoolExecutor(1, "bulk")
        self._waiting = deque[Future[None]]()
        self._actions: dict[str, list[Action]] = {part: [] for part in self._parts}
        self._sizes = dict.fromkeys(self._parts, 0)
        self.counts = dict.fromkeys(self._parts, 0)

    def add(self, part: str, documents: Sequence[Document]) -> None:
        """Collects and counts the documents of a part that have terms in every term field, leaving
        out the others; sends them from `CHUNK_DOCUMENTS` (2,000) or 8 million characters on."""
        for document in documents:
            action = bulk_action(self._parts[part], document)
            if action is None:
                continue
            self.counts[part] += 1
            self._actions[part].append(action)
            self._sizes[part] += len(document.text) + len(document.payload)
            if len(self._actions[part]) >= CHUNK_DOCUMENTS or self._sizes[part] >= CHUNK_BYTES:
                self._flush(part, REQUESTS_WAITING)

    def searcher(self, part: str) -> ElasticsearchSearcher:
        """A searcher over the documents of a part written so far, which are sent and made visible
        first."""
        self._flush_all()
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
        self._flush_all()
        indices, merging = (
            self._client.indices,
            self._client.options(request_timeout=SECONDS_TO_MERGE).indices,
        )
        for part, index in self._concrete.items():
            self._ask(indices.refresh, index=index)
            count, expected = (
                int(self._ask(self._client.count, index=index)["count"]),
                self.counts[part],
            )
            if count != expected:
                reason = (
                    "some doc_ids repeat"
                    if count < expected
                    else "it holds documents of another build"
                )
                raise RefusedInput(
                    f"the index {self._location.shown} was not put in place: {part} holds {count} "
                    f"documents "
                    f"instead of {expected} ({reason})"
                )
            self._ask(merging.forcemerge, index=index, max_num_segments=1)
            self._ask(indices.refresh, index=index)
            self._ask(
                indices.put_settings, index=index, settings={"index": {"refresh_interval": None}}
            )
        final = self._metadata._replace(documents=dict(self.counts))
        about = {**self._about(self._main), "metadata": to_json(final)}
        del about["builder"]
        self._ask(indices.put_mapping, index=self._concrete[self._main], meta={OURS: about})
        # From now on nothing is deleted: a signal may come when the index is already in place.
        self._swapping = True
        if self._ask(self._swap) - self._served:
            info(
                f"the index {self._location.shown} was built by another program in the meantime: "
                f"this build has replaced it"
            )
        self._sender.shutdown()
        self._client.close()
        return final

    def discard(self) -> None:
        """Closes without publishing and deletes the new indexes, unless `publish` has begun to move
        the aliases; if no server answers, the next build on this machine deletes them."""
        self._hurried.set()
        self._sender.shutdown(cancel_futures=True)
        if not self._swapping:
            self._delete(list(self._concrete.values()))
        self._client.close()

    def _refuse_taken_names(self) -> None:
        """Raises UserError if an index or alias of somebody else has the name of one of ours."""
        location = self._location
        greeting = self._client.options(request_timeout=SECONDS_TO_GREET)
        taken = [alias_of(location, self._metadata, part) for part in self._parts]
        for name, about in greeting.indices.get(index=taken, ignore_unavailable=True).items():
            if name in taken or our_metadata(about).get("name") != location.name:
                raise UserError(
                    f"the index {name} on the server of {location.shown} was not built by "
                    f"this program: "
                    "choose another name with --index"
                )

    def _create(self, number: int, shards: int, replicas: int, copies: int) -> None:
        """Creates the concrete indexes, waiting up to 20 seconds for `copies` of each shard (fewer
        are not an error); with the first number from `number` at which nobody else has created one.
        An error that the server answers leaves none behind."""
        self._concrete = {part: f"{self._location.name}.{part}.{number}" for part in self._parts}
        with ExitStack() as undone:
            for part, index in self._concrete.items():
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
                        mappings={
                            **mapping(self._parts[part]),
                            "_meta": {OURS: self._about(part)},
                        },
                        wait_for_active_shards=copies,
                        timeout=SECONDS_FOR_COPIES,
                    )
                except BadRequestError as error:
                    if "resource_already_exists" not in str(error.body):
                        raise
                    # Where the answer was lost the client has asked once more, and this build has
                    # made it.
                    mappings = self._client.indices.get_mapping(
                        index=index, ignore_unavailable=True
                    )
                    if self._about(part) not in map(our_metadata, mappings.values()):
                        break
                undone.callback(self._delete, [index])
            else:
                undone.pop_all()
                return
        self._create(number + 1, shards, replicas, copies)

    def _about(self, part: str) -> dict[str, Any]:
        """Content of `_meta` of a part's index during the build: index name, part, this process."""
        return {"name": self._location.name, "part": part, "builder": self._builder}

    def _flush(self, part: str, waiting: int) -> None:
        """Sends the collected documents of a part, once no more than `waiting` requests are to be
        made before. Raises the error of an earlier request."""
        while len(self._waiting) > waiting:
            self._waiting[0].result()
            self._waiting.popleft()
        if self._actions[part]:
            send = partial(self._send, self._concrete[part], self._actions[part])
            self._waiting.append(self._sender.submit(send))
            self._actions[part], self._sizes[part] = [], 0

    def _flush_all(self) -> None:
        """Sends all collected documents and waits until they are written."""
        for part in self._parts:
            self._flush(part, REQUESTS_WAITING)
        for part in self._parts:
            self._flush(part, 0)

    def _send(self, index: str, actions: Sequence[Action]) -> None:
        """Sends documents to an index; those that a busy server refuses are sent again. Raises
        UserError if documents are refused for good or the server stays away."""
        target, left = f"{index}{WRITING}", list(actions)

        def load() -> None:
            """Sends the documents in `left`, which then holds those that were refused."""
            answers = streaming_bulk(
                self._client,
                left,
                chunk_size=CHUNK_DOCUMENTS,
                max_chunk_bytes=2 * CHUNK_BYTES,
                raise_on_error=False,
                index=target,
                require_alias=True,
                timeout=SECONDS_FOR_A_PRIMARY,
                filter_path=["items.create.status", "items.create.error"],
            )
            refused = [
                (action, item["create"])
                for action, (accepted, item) in zip(left, answers, strict=True)
                # Documents that are there already are as good as sent.
                if not accepted and item["create"]["status"] != ALREADY_THERE
            ]
            left[:] = [action for action, _ in refused]
            if refused:
                raise self._refusal(refused)

        try:
            retry(
                self._location,
                load,
                self._gone,
                self._hurried,
                partial(why_it_waits, self._client, target),
            )
        except TransientError as trouble:
            raise UserError(f"{trouble}; {AGAIN}") from None

    def _refusal(self, refused: Sequence[tuple[Action, Mapping[str, Any]]]) -> UserError:
        """The error for one or more documents, each with the server's answer: TransientError if all
        may be taken later, else UserError for those refused for good (or for the index, if it is
        missing), with the first three doc_ids and the first reason."""
        for_good = [(action, item) for action, item in refused if not passes(item["status"])]
        shown = for_good or refused
        (_, item), number = shown[0], len(shown)
        if item["status"] == NOT_FOUND:
            return UserError(self._gone)
        ids = ", ".join(action["_id"] for action, _ in shown[:SHOWN_IDS])
        which = f"{counted(number, 'documents')} ({ids}{', …' if number > SHOWN_IDS else ''})"
        fault = (
            f"the Elasticsearch of {self._location.shown} refused to write {which}: status "
            f"{item['status']}, {cause_of(item['error'])}"
        )
        return UserError(f"{fault}; {AGAIN}") if for_good else TransientError(fault)

    def _ask(self, action: Callable[..., Any], **arguments: Any) -> Any:
        """The server's answer to an action with these arguments, which is retried, also while a
        shard fails."""

        def ask() -> Any:
            answer = action(**arguments)
            if answer and "_shards" in answer and answer["_shards"]["failed"]:
                raise TransientError(
                    f"the Elasticsearch of {self._location.shown}: some shards gave no answer"
                )
            return answer

        why = partial(
            why_it_waits, self._client, arguments.get("index", self._concrete[self._main])
        )
        return retry(self._location, ask, self._gone, self._hurried, why)

    def _swap(self) -> set[str]:
        """Points all aliases to the new indexes and deletes the old ones in one request; does
        nothing if that is already done. Returns the names of those deleted."""
        served = {
            name for name, (_, serves) in indexes_of(self._client, self._location).items() if serves
        }
        if served == set(self._concrete.values()):
            return set()
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
        return served

    def _delete(self, indexes: list[str]) -> None:
        """Deletes new indexes, ignoring every error: the next build on this machine tries again."""
        with suppress(ApiError, TransportError):
            self._client.indices.delete(index=indexes, ignore_unavailable=True)


def bulk_action(part: Part, document: Document) -> Action | None:
    """A document as the client's bulk helpers take it, its `_id` the doc_id (of one over 512 bytes
    the SHA-256); None if it lacks terms in a term field."""
    terms = {name: field_text(document.terms.get(name, ())) for name in part.term_fields}
    if not all(terms.values()):
        return None
    stored_id = document.doc_id
    if len(stored_id.encode()) > LONGEST_ID_BYTES:
        stored_id = hashlib.sha256(stored_id.encode()).hexdigest()
    source = {
        "doc_id": document.doc_id,
        "text": document.text,
        "payload": document.payload,
        "terms": terms,
        "keys": stored_keys(part, document),
    }
    return {"_op_type": "create", "_id": stored_id, "_source": source}


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
    verbatim up to `LONGEST_KEY` (8,000) characters, text and payload stored only."""
    stored = {"type": "keyword", "index": False, "doc_values": False}
    terms = {"type": "text", "analyzer": "whitespace", "index_options": "freqs"}
    keys = {"type": "keyword", "ignore_above": LONGEST_KEY, "doc_values": False}
    return {
        "dynamic": "strict",
        "properties": {
            "doc_id": {"type": "keyword"},
            "text": stored,
            "payload": stored,
            "terms": {"properties": dict.fromkeys(part.term_fields, terms)},
            "keys": {"properties": dict.fromkeys(part.key_fields, keys)},
        },
    }


def usual_shards(metadata: Metadata) -> int:
    """Default number of primary shards: one for every 10 GB begun of an index's source files, at
    least 1, at most `MOST_SHARDS` (1,024)."""
    size = sum(size for _, size in metadata.sources)
    return min(MOST_SHARDS, max(1, -(-size // BYTES_A_SHARD)))


def indexes_of(client: Elasticsearch, location: Location) -> dict[str, tuple[dict[str, Any], bool]]:
    """This program's concrete indexes of the index at a location: name → (its `_meta`, whether it
    is published, that is, has the alias of the index or of one of its parts)."""
    pattern = re.compile(rf"{re.escape(location.name)}\.[^.]+\.\d+")
    indexes = {}
    for name, about in client.indices.get(
        index=f"{location.name}.*", expand_wildcards="all"
    ).items():
        ours = our_metadata(about)
        if pattern.fullmatch(name) and ours.get("name") == location.name:
            aliases = [
                alias
                for alias in about.get("aliases", {})
                if f"{alias}.".startswith(f"{location.name}.")
            ]
            indexes[name] = (ours, any(not alias.endswith(WRITING) for alias in aliases))
    return indexes


# What building and managing takes of an engine (`indexer.engines.writing.Builder`).


def standing(address: str | Location) -> dict[str, Any] | None:
    """The stored metadata of the index behind the alias, and when it was `built` (local time,
    2026-01-31 23:59); None if it does not exist or this program did not build it."""
    location = locate(address)
    with open_client(location) as client:
        greeting = client.options(request_timeout=SECONDS_TO_GREET)
        indexes = greeting.indices.get(index=location.name, ignore_unavailable=True)
    for about in indexes.values():
        if "metadata" in (ours := our_metadata(about)):
            created = int(about["settings"]["index"]["creation_date"]) / 1000
            return {
                **ours["metadata"],
                "built": f"{datetime.fromtimestamp(created):%Y-%m-%d %H:%M}",
            }
    return None


def unfinished_builds(location: Location) -> list[str]:
    """Sorted names of the indexes on the location's servers of which a build is under way or was
    interrupted."""
    with open_client(location) as client:
        indexes = client.indices.get(index="*", expand_wildcards="all")
    return sorted(
        {
            str(our_metadata(about)["name"])
            for about in indexes.values()
            if any(alias.endswith(WRITING) for alias in about.get("aliases", {}))
            and our_metadata(about).get("name")
        }
    )


def size(address: str | Location) -> int:
    """Bytes that an index takes on disk, including replicas and unpublished builds of the same
    name; 0 if it does not exist."""
    location = locate(address)
    with open_client(location) as client:
        stats = client.indices.stats(index=f"{location.name}.*", metric="store")
    total = stats["_all"]["total"]  # empty where the index has just been removed
    return int(total["store"]["size_in_bytes"]) if total else 0


def remove(address: str | Location) -> None:
    """Deletes an index and unpublished builds of the same name. Raises UserError if it does not
    exist."""
    location = locate(address)
    with open_client(location) as client:
        indexes = list(indexes_of(client, location))
        if not indexes:
            raise nothing_there(location, names(location))
        client.indices.delete(index=indexes)


build = ElasticsearchWriter
