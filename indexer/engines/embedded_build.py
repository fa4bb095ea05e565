"""Building an embedded index aside, in one process or several; resuming an interrupted build; putting it in place."""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import blake2b
from json.encoder import encode_basestring as quoted
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import tantivy

from indexer.document import LONGEST_KEY, Document, Part, field_text, stored_keys
from indexer.engines.embedded_files import METADATA_FILE, TOKENIZER, folder_of, open_part, read_metadata
from indexer.engines.embedded_files import names as names  # of a `Builder`
from indexer.engines.metadata import Metadata, build_identity, to_json
from indexer.engines.metadata import standing as describe_stored
from indexer.files.errors import RefusedInput, UserError
from indexer.files.json_objects import parse_json
from indexer.files.messages import info
from indexer.location import Location, locate

if TYPE_CHECKING:
    from indexer.engines.contract import Searcher
    from indexer.engines.writing import Standing
    from indexer.workers import BuildWorkers

MEMORY = 128_000_000  # bytes for the writers of all parts together
LEAST_MEMORY = 16_000_000  # bytes; tantivy refuses less than 15 MB
CHECKPOINT_DOCUMENTS = 5_000  # bounds the work that an interrupted build repeats
HASH_BYTES = 8  # of a doc_id: two of ten million share a hash in three of a million builds
PROGRESS_FILE = "progress.json"
LOCK_FILE = "lock"
SHARE = ".share-"

SECONDS_TO_LEAVE = 60.0  # longest wait for a process whose build was killed
SILENT_SECONDS = 2.0  # a process whose build was killed ends at once, or when the call that it is at is done
LOOK_SECONDS = 0.05

# tantivy lists an index's segments in `meta.json` and the files that it may remove in `.managed.json`; the files of a
# segment carry its id in their names. Quickwit joins indexes so, before it merges them (`combine_index_meta` in its
# `merge_executor.rs`).
META_FILE = "meta.json"
MANAGED_FILE = ".managed.json"
_META = {"index_settings", "segments", "schema", "opstamp"}
_SEGMENT = {"segment_id", "max_doc", "deletes"}


class EmbeddedWriter:
    """A build in the hidden folder `.NAME.building` beside the index's folder (beside what that leads to, if a link).

    Every part has one writer thread, which makes segments reproducible. Progress is committed when a source is finished
    and it was costly or enough was written since the last time. After a crash tantivy goes back to its last commit;
    where that and the progress file disagree (a crash between the two), the build starts from the beginning. Other
    processes may write too, each its share in a separate folder; they commit when this process does.
    """

    def __init__(self, location: Location, metadata: Metadata) -> None:
        self._location, self._metadata, self._parts = location, metadata, {part.name: part for part in metadata.parts}
        self._folder = Path(os.path.realpath(folder_of(location)))  # what a link leads to may lie on another disk
        self.aside = self._folder.parent / f".{self._folder.name}.building"
        self._new_folders = [folder for folder in self.aside.parents if not folder.exists()]
        self._lock = _lock_build(location, self._folder, self.aside)
        self.finished_sources: dict[str, None] = {}
        self.counts = {part.name: 0 for part in metadata.parts}
        # Doc_ids must differ over all processes; a set of the doc_ids themselves would take 100 bytes each.
        self._doc_ids = {part.name: bytearray() for part in metadata.parts}
        self._uncommitted = self._unfinished = 0
        self.kept = True  # whether a finished source is safe on the disk, as may be until it was looked
        self._crew: BuildWorkers[Any] | None = None
        self._indexes: dict[str, tantivy.Index] = {}
        self._writers: Writers = {}

    def open(self) -> None:
        """Moves the segments that worker processes wrote into the build's parts, opens the writers of these, and
        counts what an interrupted build wrote."""
        with on_disk(self._location):
            for share in self.aside.glob(f"{SHARE}*"):
                for part in self.counts:
                    if (share / part).exists():
                        join(self.aside / part, share / part)
                        _remove(share / part)
                _remove(share)
            self._indexes, self._writers = open_writers(self.aside, self._metadata.parts)
        for part, doc_ids in self._doc_ids.items() if self.kept and not any(self.counts.values()) else ():
            for doc_id, times in self._indexes[part].searcher().terms_with_prefix("doc_id", ""):
                doc_ids += hash_of(doc_id) * times
            self.counts[part] = len(doc_ids) // HASH_BYTES
        self._checkpoint()

    def _reloaded(self, part: str) -> tantivy.Index:
        """The index of a part in its present state on disk."""
        self._indexes[part].reload()
        return self._indexes[part]

    def add(self, part: str, documents: Sequence[Document]) -> None:
        with on_disk(self._location):
            self.count(part, add_documents(self._parts[part], self._writers[part], documents))

    def count(self, part: str, written: bytes) -> None:
        """Adds documents that a worker process has written: `written` is the concatenated hashes of their doc_ids."""
        self._doc_ids[part] += written
        number = len(written) // HASH_BYTES
        self.counts[part] += number
        self._uncommitted += number
        self._unfinished += number

    def finish_source(self, source: str, costly: bool = False) -> None:
        """Records that a source is written; commits at once if it is `costly` or enough documents are not yet
        committed."""
        self.finished_sources[source] = None
        self._unfinished = 0
        if costly or self._uncommitted >= CHECKPOINT_DOCUMENTS:
            self._checkpoint()

    def share(self, number: int) -> Callable[[], EmbeddedShare] | None:
        """A picklable function that opens the writers of worker process `number`, in a separate folder of the build;
        None if segments of this version of tantivy cannot be joined."""
        if not can_join(self.aside / self._metadata.parts[0].name):
            return None
        folder = self.aside / f"{SHARE}{os.getpid()}-{number}"
        return partial(EmbeddedShare, self._location, folder, self._metadata.parts)

    def lead(self, crew: BuildWorkers[Any]) -> None:
        self._crew = crew

    def join(self) -> None:
        self._checkpoint()
        self._end_crew()
        with on_disk(self._location):
            end_writers(self._writers)
        self.open()

    def searcher(self, part: str) -> Searcher:
        """A searcher over the documents of a part written so far, which are committed first."""
        from indexer.engines.embedded import EmbeddedSearcher

        if self._unfinished:
            with on_disk(self._location):
                self._writers[part].commit()
        else:
            self._checkpoint()
        return EmbeddedSearcher(self._parts[part], self._reloaded(part))

    def publish(self) -> Metadata:
        """Checks counts and doc_ids, moves the parts into a new generation folder and replaces `metadata.json`, which
        makes them the index; removes older generations and the build's folder. Returns the final metadata.

        Raises UserError if documents are missing, RefusedInput if a doc_id occurs twice in a part.
        """
        self._checkpoint()
        metadata = self._metadata._replace(documents=dict(self.counts))
        with on_disk(self._location):
            end_writers(self._writers)
            for part, doc_ids in self._doc_ids.items():
                _check_documents(self._reloaded(part).searcher(), self._location, part, doc_ids)
            _put_in_place(self._folder, self.aside, metadata)
        self._lock.close()
        return metadata

    def abandon(self) -> None:
        """Closes without publishing; the build's folder is kept for the next build if a source is finished, else
        deleted."""
        if self._writers and not self._unfinished:
            with suppress(UserError):  # what ended the build goes on: its disk is full, its crew is gone
                self._checkpoint()
        self.close(remove=not self.kept)

    def discard(self) -> None:
        self.close(remove=True)

    def close(self, remove: bool) -> None:
        """Ends the build's processes and writers; with `remove`, deletes its folder and the empty folders made for the
        index."""
        self._end_crew()
        roll_back(self._writers)
        self._indexes.clear()
        if remove:
            self.finished_sources.clear()
            _remove(self.aside)
            for folder in self._new_folders:
                with suppress(OSError):  # another index is in it
                    folder.rmdir()
        self._lock.close()

    def _end_crew(self) -> None:
        if self._crew is not None:
            self._crew.close()
            self._crew = None

    def _checkpoint(self) -> None:
        """Commits the documents of all processes, those of the workers first, and stores the progress file: identity of
        sources and settings, finished sources, number of documents in each part."""
        if self._crew is not None:
            self._crew.commit()
        finished = list(self.finished_sources)
        progress = {"build": build_identity(self._metadata), "finished": finished, "documents": self.counts}
        with on_disk(self._location):
            commit(self._writers)
            self._uncommitted = 0
            write_json(self.aside / PROGRESS_FILE, progress)
            self.kept = bool(finished)


def _lock_build(location: Location, folder: Path, aside: Path) -> IO[str]:
    """Makes the folder `aside` of a build and returns its lock, which vanishes with the process that holds it. Raises
    UserError if `folder` exists and is not an index, if it cannot be written, or if a build is running there."""
    if folder.exists() and not (folder.is_dir() and ((folder / METADATA_FILE).exists() or not any(folder.iterdir()))):
        raise UserError(
            f"{location.shown} exists and is not an index: choose another folder with --index, or remove it"
        )
    try:
        aside.mkdir(parents=True, exist_ok=True)
        lock = (aside / LOCK_FILE).open("w")
    except OSError as error:
        raise UserError(f"cannot build the index {location.shown}: {error.strerror}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise UserError(f"the index {location.shown} is being built by another program") from None
    return lock


def _finished(aside: Path, metadata: Metadata) -> dict[str, None]:
    """The finished sources of an interrupted build of the same sources and settings in a folder, as keys, if its
    documents are all there; else {}."""
    try:
        progress = parse_json((aside / PROGRESS_FILE).read_text(encoding="utf-8"))
        counts = {}
        for part in metadata.parts:
            folders = [aside / part.name, *aside.glob(f"{SHARE}*/{part.name}")]
            counts[part.name] = sum(open_part(folder).searcher().num_docs for folder in folders)
        same = json.loads(json.dumps(build_identity(metadata)))
        if progress.get("build") == same and progress.get("documents") == counts:
            return dict.fromkeys(progress["finished"])
    except (OSError, ValueError):
        pass
    return {}


def _put_in_place(folder: Path, aside: Path, metadata: Metadata) -> None:
    """Moves the parts of a build into a new generation of the index and removes what is left of older ones and of the
    build. Replacing `metadata.json` is what makes them the index."""
    folder.mkdir(exist_ok=True)
    older = [path for path in folder.iterdir() if path.name.isdigit()]
    new = folder / str(1 + max((int(path.name) for path in older), default=0))
    new.mkdir()
    for part in metadata.parts:
        # whoever may read the folder may read its files, of which tantivy keeps some to the user who builds
        built = aside / part.name
        for file in built.iterdir():
            file.chmod(built.stat().st_mode & 0o666)
        built.rename(new / part.name)
    write_json(folder / METADATA_FILE, {"generation": new.name, **to_json(metadata)})
    for path in (*older, aside):
        _remove(path)


def _check_documents(searcher: tantivy.Searcher, location: Location, part: str, doc_ids: bytearray) -> None:
    """Raises UserError if a part lacks some of the documents written, RefusedInput if a doc_id occurs twice; `doc_ids`
    are the concatenated hashes of all, which are put in order."""
    import numpy as np

    count = len(doc_ids) // HASH_BYTES
    if searcher.num_docs != count:
        raise UserError(
            f"the index {location.shown} holds {searcher.num_docs} of {count} documents "
            f"in {part}: it was not published; build it again"
        )
    hashes = np.frombuffer(doc_ids, np.uint64)
    hashes.sort()
    if (hashes[1:] == hashes[:-1]).any():
        for doc_id, times in searcher.terms_with_prefix("doc_id", "", limit=1):
            if times > 1:
                raise RefusedInput(f"{times} documents of {part} are called {doc_id!r}: doc_ids must differ")


class EmbeddedShare:
    """The documents of one of several processes, in a new folder, which is locked until they end or the process
    does."""

    def __init__(self, location: Location, folder: Path, parts: Sequence[Part]) -> None:
        self._location, self._parts = location, {part.name: part for part in parts}
        with on_disk(location):
            folder.mkdir()
            self._lock = (folder / LOCK_FILE).open("w")
            fcntl.flock(self._lock, fcntl.LOCK_EX)
            print(os.getpid(), end="", file=self._lock, flush=True)
            self._writers = open_writers(folder, parts)[1]

    def add(self, part: str, documents: Sequence[Document]) -> bytes:
        with on_disk(self._location):
            return add_documents(self._parts[part], self._writers[part], documents)

    def commit(self) -> None:
        with on_disk(self._location):
            commit(self._writers)

    def end(self) -> None:
        with on_disk(self._location):
            end_writers(self._writers)
        self._lock.close()


# The tantivy writers of an index's parts in a folder, one thread each; errors are those of tantivy (`on_disk`).

Writers = dict[str, "tantivy.IndexWriter"]


def open_writers(folder: Path, parts: Sequence[Part]) -> tuple[dict[str, tantivy.Index], Writers]:
    """The tantivy indexes of the parts in a folder, and their writers; those that do not exist are created, with the
    part's fields."""
    indexes: dict[str, tantivy.Index] = {}
    for part in parts:
        if not (folder / part.name).exists():
            (folder / part.name).mkdir()
            builder = tantivy.SchemaBuilder()
            builder.add_text_field("doc_id", fast=True, tokenizer_name="raw", index_option="basic")
            for name in part.term_fields:
                builder.add_text_field(f"terms_{name}", tokenizer_name=TOKENIZER, index_option="freq")
            for name in part.key_fields:
                builder.add_text_field(f"key_{name}", tokenizer_name="raw", index_option="basic")
            builder.add_bytes_field("stored", stored=True)
            tantivy.Index(builder.build(), path=str(folder / part.name))
        indexes[part.name] = open_part(folder / part.name)
    memory = max(MEMORY // len(parts), LEAST_MEMORY)
    return indexes, {name: index.writer(memory, 1) for name, index in indexes.items()}


def add_documents(part: Part, writer: tantivy.IndexWriter, documents: Sequence[Document]) -> bytes:
    """Writes documents of a part; returns the concatenated hashes of the doc_ids of those written. A document that
    lacks terms in a term field is not written."""
    added = bytearray()
    for document in documents:
        entry = _entry(part, document)
        if entry is not None:
            writer.add_document(entry)
            added += hash_of(document.doc_id)
    return bytes(added)


def commit(writers: Writers) -> None:
    """Makes the written documents durable."""
    for writer in writers.values():
        writer.commit()


def end_writers(writers: Writers) -> None:
    """Ends the writers; what is not committed is lost."""
    while writers:  # a writer is used up by this call, even where a signal ends it
        writers.popitem()[1].wait_merging_threads()


def roll_back(writers: Writers) -> None:
    """Ends the writers in whatever state they are, dropping what is not committed, and waits for their threads."""
    while writers:
        writer = writers.popitem()[1]
        with suppress(ValueError):  # it ended already
            writer.rollback()
            writer.wait_merging_threads()  # its threads still write and remove files


def _entry(part: Part, document: Document) -> tantivy.Document | None:
    """The document as tantivy stores it; None if it lacks terms in a term field."""
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
    # The stored result of a search, as JSON `[doc_id, text, keys, payload]`, written piece by piece: thrice as quick.
    held = ",".join(f"{quoted(name)}:[{','.join(map(quoted, values))}]" for name, values in keys.items())
    entry.add_bytes(
        "stored", f"[{quoted(document.doc_id)},{quoted(document.text)},{{{held}}},{quoted(document.payload)}]".encode()
    )
    return entry


def hash_of(doc_id: str) -> bytes:
    """The 64-bit BLAKE2 hash of a doc_id."""
    return blake2b(doc_id.encode("utf-8", "surrogatepass"), digest_size=HASH_BYTES).digest()


def wait_until_left(location: Location, share: Path) -> None:
    """Waits until the worker process of an earlier, killed build that wrote the folder `share` has ended.

    A long wait is reported. Raises UserError if that process still runs after a minute, as a stopped process does.
    """
    with suppress(FileNotFoundError), (share / LOCK_FILE).open("r+") as lock:
        who = f"process {lock.read()} of an earlier build of {location.shown}"
        begun, reported = time.monotonic(), False
        while True:
            with suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            waited = time.monotonic() - begun
            if waited > SECONDS_TO_LEAVE:
                raise UserError(f"{who} does not stop: stop it with `kill -KILL`, and give the same command again")
            if waited > SILENT_SECONDS and not reported:
                info(f"waiting, at most {SECONDS_TO_LEAVE:.0f} seconds, for {who} to end")
                reported = True
            time.sleep(LOOK_SECONDS)


def can_join(folder: Path) -> bool:
    """Returns whether the tantivy index in a folder has the file format that `join` can handle."""
    try:
        meta, managed = (json.loads((folder / name).read_bytes()) for name in (META_FILE, MANAGED_FILE))
        known = set(meta) == _META and all(set(segment) == _SEGMENT for segment in meta["segments"])
    except (OSError, ValueError, TypeError):
        return False
    return known and isinstance(managed, list)


def join(target: Path, source: Path) -> None:
    """Moves the segments of the tantivy index in `source` into that in `target`; nothing may be writing to either.

    Files are moved, not read or copied. If interrupted, `source` cannot be opened any more. Raises ValueError if the
    two have different schemas.
    """
    ours, theirs = (json.loads((folder / META_FILE).read_bytes()) for folder in (target, source))
    if any(ours[key] != theirs[key] for key in ("schema", "index_settings")):
        raise ValueError(f"{source} and {target} have different schemas")
    ids = {segment["segment_id"].replace("-", "") for segment in theirs["segments"]}
    files = [file for file in source.iterdir() if file.name.partition(".")[0] in ids]
    managed = {*json.loads((target / MANAGED_FILE).read_bytes()), *(file.name for file in files)}
    write_json(target / MANAGED_FILE, sorted(managed))
    for file in files:
        file.rename(target / file.name)
    ours["segments"] += theirs["segments"]
    ours["opstamp"] = max(ours["opstamp"], theirs["opstamp"])
    write_json(target / META_FILE, ours)


def write_json(path: Path, value: object) -> None:
    """Writes a value as JSON to a file, in one step: to a temporary file beside it, which replaces it once it is on the
    disk."""
    aside = path.with_name(f".{path.name}.new")
    with aside.open("w", encoding="utf-8") as file:
        json.dump(value, file, ensure_ascii=False, indent=1)
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)


@contextmanager
def on_disk(location: Location) -> Iterator[None]:
    """Context manager that turns errors of the disk, which tantivy raises as ValueError, into a UserError of one line;
    other ValueErrors pass."""
    try:
        yield
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else "") or str(error)
        if isinstance(error, ValueError):
            quoted_reason = re.search(r"'([^']*?) \(os error \d+\)", reason)
            if not quoted_reason and "writer was killed" not in reason:
                raise  # not what the disk said: a bug
            reason = quoted_reason[1] if quoted_reason else "its writer ended"
        raise UserError(
            f"the index {location.shown} cannot be written ({reason}): free space, or choose another place"
        ) from error


def _remove(path: Path) -> None:
    """Deletes a file or a folder with its content; nothing if it does not exist."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


# What building and managing takes of an engine (`indexer.engines.writing.Builder`).


def build(address: str, metadata: Metadata, shards: int | None = None, replicas: int | None = None) -> EmbeddedWriter:
    """Begins a build in a hidden folder beside the index, or resumes an interrupted one. It has neither shards nor
    replicas."""
    location = locate(address)
    writer = EmbeddedWriter(location, metadata)
    try:
        for share in writer.aside.glob(f"{SHARE}*"):
            wait_until_left(location, share)
        if (writer.aside / PROGRESS_FILE).exists():
            writer.finished_sources = _finished(writer.aside, metadata)
        writer.kept = bool(writer.finished_sources)
        for leftover in () if writer.kept else writer.aside.iterdir():
            if leftover.name != LOCK_FILE:
                _remove(leftover)
        writer.open()
    except BaseException:
        writer.close(remove=not writer.kept)
        raise
    return writer


def standing(address: str) -> Standing | None:
    """Describes the index by its metadata file; None if that does not exist or cannot be read."""
    path = folder_of(locate(address)) / METADATA_FILE
    try:
        return describe_stored(json.loads(path.read_text("utf-8")), path.stat().st_mtime)
    except (OSError, ValueError, AttributeError, TypeError):
        return None


def size(address: str) -> int:
    """The bytes that an index takes on disk."""
    return sum(path.stat().st_size for path in folder_of(locate(address)).rglob("*") if path.is_file())


def remove(address: str) -> None:
    """Deletes an index and what an interrupted build of it left. Raises UserError if the index does not exist or is
    being built."""
    location = locate(address)
    read_metadata(location)
    folder = Path(os.path.realpath(folder_of(location)))
    aside = folder.parent / f".{folder.name}.building"
    from indexer.files.atomic import is_abandoned

    if (aside / LOCK_FILE).exists() and not is_abandoned(aside / LOCK_FILE):
        raise UserError(f"the index {location.shown} is being built by another program")
    with on_disk(location):
        (folder / METADATA_FILE).unlink()
        for generation in folder.iterdir():
            if generation.name.isdigit():
                _remove(generation)
        with suppress(OSError):  # files of somebody else's are in it
            folder.rmdir()
        _remove(aside)
