"""The parts of an embedded index while they are written: a tantivy index each, in the folder of one process."""

from __future__ import annotations

import fcntl
import json
import os
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from json.encoder import encode_basestring as quoted
from pathlib import Path
from typing import IO, Any

import tantivy

from indexer.document import Document, Part
from indexer.engines.embedded import TOKENIZER, open_part, register_tokenizer
from indexer.engines.terms import LONGEST_KEY, field_text, stored_keys
from indexer.files.errors import UserError
from indexer.files.messages import info
from indexer.location import Location

# Detection of doc_ids that two documents of a build share, in 8 bytes a document.

_BYTES = 8


class DocIdHashes:
    """The 64-bit BLAKE2 hashes of doc_ids; a dictionary of the doc_ids themselves would take 100 bytes each."""

    def __init__(self, doc_ids: Iterable[str] = ()) -> None:
        self._hashes = bytearray()
        for doc_id in doc_ids:
            self.add(doc_id)

    def add(self, doc_id: str) -> None:
        self._hashes += blake2b(doc_id.encode("utf-8", "surrogatepass"), digest_size=_BYTES).digest()

    def __len__(self) -> int:
        return len(self._hashes) // _BYTES

    def take(self, others: DocIdHashes) -> None:
        """Add those of other doc_ids, as another process found them."""
        self._hashes += others._hashes

    def repeat(self) -> bool:
        """Returns whether two of the doc_ids are equal, or (three times in a million builds of ten million) seem so."""
        import numpy as np

        hashes = np.frombuffer(self._hashes, np.uint64)
        hashes.sort()
        return bool((hashes[1:] == hashes[:-1]).any())


# Several tantivy indexes of one schema made one: their segments' files are moved together, none is read or copied.
#
# tantivy lists an index's segments in `meta.json` and the files that it may remove in `.managed.json`; the files of a
# segment carry its id in their names. Quickwit joins indexes so, before it merges them (`combine_index_meta` in its
# `merge_executor.rs`).

META_FILE = "meta.json"
MANAGED_FILE = ".managed.json"
_META = {"index_settings", "segments", "schema", "opstamp"}
_SEGMENT = {"segment_id", "max_doc", "deletes"}


def can_join(folder: Path) -> bool:
    """Returns whether the tantivy that made the index in a folder writes its files in the format known here."""
    try:
        meta, managed = _read(folder / META_FILE), _read(folder / MANAGED_FILE)
        known = set(meta) == _META and all(set(segment) == _SEGMENT for segment in meta["segments"])
    except (OSError, ValueError, TypeError):
        return False
    return known and isinstance(managed, list)


def join(target: Path, source: Path) -> None:
    """Move the segments of the index in one folder into that in another; nobody may be writing either.

    When it is broken off, `source` cannot be opened any more. Raises ValueError where the two are not alike.
    """
    ours, theirs = _read(target / META_FILE), _read(source / META_FILE)
    if any(ours[key] != theirs[key] for key in ("schema", "index_settings")):
        raise ValueError(f"{source} is no index like {target}")
    ids = {segment["segment_id"].replace("-", "") for segment in theirs["segments"]}
    files = [file for file in source.iterdir() if file.name.partition(".")[0] in ids]
    managed = {*_read(target / MANAGED_FILE), *(file.name for file in files)}
    write_json(target / MANAGED_FILE, sorted(managed))
    for file in files:
        file.rename(target / file.name)
    ours["segments"] += theirs["segments"]
    ours["opstamp"] = max(ours["opstamp"], theirs["opstamp"])
    write_json(target / META_FILE, ours)


def write_json(path: Path, value: object) -> None:
    """Write JSON beside the path and put it in place once it is on the disk."""
    aside = path.with_name(f".{path.name}.new")
    with aside.open("w", encoding="utf-8") as file:
        json.dump(value, file, ensure_ascii=False, indent=1)
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


MEMORY = 128_000_000  # bytes for the writers of all parts together
LEAST_MEMORY = 16_000_000  # bytes; tantivy refuses less than 15 MB
LOCK_FILE = "lock"

SECONDS_TO_LEAVE = 60.0  # longest wait for a process whose build was killed
SILENT_SECONDS = 2.0  # a process whose build was killed ends at once, or when the call that it is at is done
LOOK_SECONDS = 0.05


class PartWriters:
    """The writers of an index's parts in a folder, one thread each, once they are open."""

    def __init__(self, location: Location, folder: Path, parts: Sequence[Part]) -> None:
        self._location = location
        self._folder = folder
        self._parts = {part.name: part for part in parts}
        self._memory = max(MEMORY // len(self._parts), LEAST_MEMORY)
        self._indexes: dict[str, tantivy.Index] = {}
        self._writers: dict[str, tantivy.IndexWriter] = {}

    def open(self) -> None:
        """Opens the writers; existing documents in the folder are kept."""
        with on_disk(self._location):
            for name, part in self._parts.items():
                self._indexes[name] = _open_or_create(self._folder / name, part)
                self._writers[name] = self._indexes[name].writer(self._memory, 1)

    @property
    def writing(self) -> bool:
        """Returns whether the writers are open."""
        return bool(self._writers)

    def add(self, part: str, documents: Sequence[Document]) -> DocIdHashes:
        """Write documents; the doc_ids of those that have terms, without which none is written."""
        schema, writer, added = self._parts[part], self._writers[part], DocIdHashes()
        with on_disk(self._location):
            for document in documents:
                entry = _entry(schema, document)
                if entry is not None:
                    writer.add_document(entry)
                    added.add(document.doc_id)
        return added

    def commit(self, part: str | None = None) -> None:
        """Make what is written of a part, or of all, safe on the disk."""
        with on_disk(self._location):
            for writer in self._writers.values() if part is None else [self._writers[part]]:
                writer.commit()

    def end(self) -> None:
        """End the writers; what is not committed is lost."""
        with on_disk(self._location):
            while self._writers:  # a writer is used up by this call, even where a signal ends it
                self._writers.popitem()[1].wait_merging_threads()

    def roll_back(self) -> None:
        """End the writers, whatever became of them; their threads write no more."""
        while self._writers:
            writer = self._writers.popitem()[1]
            with suppress(ValueError):  # it ended already
                writer.rollback()
                writer.wait_merging_threads()  # its threads still write and remove files
        self._indexes.clear()

    def index(self, part: str) -> tantivy.Index:
        """Opens the index of a part in its present state on disk."""
        self._indexes[part].reload()
        return self._indexes[part]


class ShareWriters(PartWriters):
    """Writes one worker process's share of an index, in a new folder, locked until it ends or its process does."""

    def __init__(self, location: Location, folder: Path, parts: Sequence[Part]) -> None:
        super().__init__(location, folder, parts)
        with on_disk(location):
            folder.mkdir()
            self._lock = (folder / LOCK_FILE).open("w")
            fcntl.flock(self._lock, fcntl.LOCK_EX)
            print(os.getpid(), end="", file=self._lock, flush=True)
        self.open()

    def end(self) -> None:
        super().end()
        self._lock.close()

    def roll_back(self) -> None:
        super().roll_back()
        self._lock.close()


def wait_until_left(location: Location, share: Path) -> None:
    """Wait for the process that wrote a share to end, as it does when the build that it works for was killed.

    A long wait is reported. Raises UserError if that process still runs after a minute, as a stopped process does.
    """
    with suppress(FileNotFoundError), (share / LOCK_FILE).open("r+") as lock:
        who = f"process {lock.read()} of an earlier build of {location.shown}"
        begun, told = time.monotonic(), False
        while not _is_left(lock):
            waited = time.monotonic() - begun
            if waited > SECONDS_TO_LEAVE:
                raise UserError(f"{who} does not end: end it with `kill -KILL`, and give the same command again")
            if waited > SILENT_SECONDS and not told:
                info(f"waiting, at most {SECONDS_TO_LEAVE:.0f} seconds, for {who} to end")
                told = True
            time.sleep(LOOK_SECONDS)


def _is_left(lock: IO[str]) -> bool:
    """Returns whether nobody holds a share's lock; takes it if so."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def on_disk(location: Location) -> Iterator[None]:
    """Turns errors of the disk into one line for the user; tantivy raises them as ValueError."""
    try:
        yield
    except (OSError, ValueError) as error:
        # tantivy reports what the disk said as a ValueError; another ValueError is a bug
        reason: str | None
        if isinstance(error, OSError):
            reason = error.strerror or str(error)
        else:
            told = re.search(r"'([^']*?) \(os error \d+\)", str(error))
            reason = told[1] if told else "its writer ended" if "writer was killed" in str(error) else None
        if reason is None:
            raise
        raise UserError(
            f"the index {location.shown} cannot be written ({reason}): make room, or choose another place"
        ) from error


def _entry(part: Part, document: Document) -> tantivy.Document | None:
    """A document as tantivy stores it; None when it lacks terms in a term field."""
    entry = tantivy.Document()
    for name in part.term_fields:
        text = field_text(document.terms.get(name, ()))
        if not text:
            return None
        entry.add_text(f"terms_{name}", text)
    entry.add_text("doc_id", document.doc_id)
    keys = stored_keys(part, document)
    for name, values in keys.items():
        for value in values if len(values) == 1 else dict.fromkeys(values):
            if 0 < len(value) <= LONGEST_KEY:
                entry.add_text(f"key_{name}", value)
    # The stored result of a search, as JSON `[doc_id, text, keys, payload]`, written piece by piece: thrice
    # as quick.
    held = ",".join(f"{quoted(name)}:[{','.join(map(quoted, values))}]" for name, values in keys.items())
    entry.add_bytes(
        "stored", f"[{quoted(document.doc_id)},{quoted(document.text)},{{{held}}},{quoted(document.payload)}]".encode()
    )
    return entry


def _open_or_create(folder: Path, part: Part) -> tantivy.Index:
    """The tantivy index of a part in a folder, created with the part's fields if the folder does not exist."""
    if folder.exists():
        return open_part(folder)
    folder.mkdir()
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("doc_id", fast=True, tokenizer_name="raw", index_option="basic")
    for name in part.term_fields:
        builder.add_text_field(f"terms_{name}", tokenizer_name=TOKENIZER, index_option="freq")
    for name in part.key_fields:
        builder.add_text_field(f"key_{name}", tokenizer_name="raw", index_option="basic")
    builder.add_bytes_field("stored", stored=True)
    index = tantivy.Index(builder.build(), path=str(folder))
    register_tokenizer(index)
    return index
