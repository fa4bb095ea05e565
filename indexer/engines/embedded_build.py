"""Building an embedded index aside, resuming an interrupted build, putting it in place."""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from json.encoder import encode_basestring as quoted
from pathlib import Path
from typing import IO, Any

import tantivy

from indexer.document import Document, Part, field_text, findable, stored_keys
from indexer.engines.embedded import (
    TOKENIZER,
    EmbeddedSearcher,
    folder_of,
    open_part,
    read_metadata,
)
from indexer.engines.embedded import names as names  # of a `Builder`
from indexer.engines.metadata import Metadata, build_identity, to_json
from indexer.files.errors import RefusedInput, UserError
from indexer.files.json_objects import parse_json
from indexer.files.paths import INDEX_METADATA
from indexer.files.seen_names import HASH_BYTES, hash_of
from indexer.location import Location, locate

MEMORY = 128_000_000  # bytes for the writers of all parts together
LEAST_MEMORY = 16_000_000  # bytes; tantivy refuses less than 15 MB
CHECKPOINT_DOCUMENTS = 5_000  # bounds the work that an interrupted build repeats
PROGRESS_FILE = "progress.json"
LOCK_FILE = "lock"
_BUILDING = ".building"  # ends the name of a build's folder, which begins with a point


class EmbeddedWriter:
    """A build in the hidden folder `.NAME.building` beside the index's folder (beside what that
    leads to, if a link).

    Every part has one writer thread, which makes segments reproducible. Progress is committed when
    a source is finished and it was costly or enough was written since the last time. After a crash
    tantivy goes back to its last commit; where that and the progress file disagree (a crash between
    the two), the build starts from the beginning. There are neither shards nor replicas.
    """

    def __init__(
        self,
        address: str | Location,
        metadata: Metadata,
        shards: int | None = None,
        replicas: int | None = None,
    ) -> None:
        self._location, self._metadata = locate(address), metadata
        self._parts = {part.name: part for part in metadata.parts}
        self._folder, self._aside = _folders(self._location)
        self._new_folders = [folder for folder in self._aside.parents if not folder.exists()]
        self._lock = _lock_build(self._location, self._folder, self._aside)
        self.finished_sources: dict[str, None] = {}
        # Doc_ids must differ; a set of the doc_ids themselves would take 100 bytes each.
        self._hashes = {part: bytearray() for part in self._parts}
        self._uncommitted = 0
        self._unfinished = False  # whether documents of a source that is not finished are written
        self._kept = (
            True  # whether a finished source is safe on the disk, as may be until it was looked
        )
        self._indexes: dict[str, tantivy.Index] = {}
        self._writers: dict[str, tantivy.IndexWriter] = {}
        try:
            # What an interrupted build of the same sources and settings finished is taken up,
            # anything else removed.
            self.finished_sources = _finished_sources(self._aside, metadata)
            self._kept = bool(self.finished_sources)
            for leftover in () if self._kept else self._aside.iterdir():
                if leftover.name != LOCK_FILE:
                    _remove(leftover)
            memory = max(MEMORY // len(self._parts), LEAST_MEMORY)
            with on_disk(self._location):
                for name, part in self._parts.items():
                    if not self._kept:
                        _create_part(self._aside / name, part)
                    self._indexes[name] = open_part(self._aside / name)
                    self._writers[name] = self._indexes[name].writer(memory, 1)
            for name, index in self._indexes.items() if self._kept else ():
                for doc_id, times in index.searcher().terms_with_prefix("doc_id", ""):
                    self._hashes[name] += hash_of(doc_id) * times
            self._checkpoint()
        except BaseException:
            self._close(remove=not self._kept)
            raise

    @property
    def counts(self) -> dict[str, int]:
        return {part: len(hashes) // HASH_BYTES for part, hashes in self._hashes.items()}

    def add(self, part: str, documents: Sequence[Document]) -> None:
        before, self._unfinished = self.counts[part], True
        with on_disk(self._location):
            for document in documents:
                entry = _entry(self._parts[part], document)
                if entry is not None:
                    self._writers[part].add_document(entry)
                    self._hashes[part] += hash_of(document.doc_id)
        self._uncommitted += self.counts[part] - before

    def finish_source(self, source: str, costly: bool = False) -> None:
        self.finished_sources[source] = None
        self._unfinished = False
        if costly or self._uncommitted >= CHECKPOINT_DOCUMENTS:
            self._checkpoint()

    def searcher(self, part: str) -> EmbeddedSearcher:
        """A searcher over the documents of a part written so far, which are committed first."""
        if self._unfinished:
            with on_disk(self._location):
                self._writers[part].commit()
        else:
            self._checkpoint()
        self._indexes[part].reload()
        return EmbeddedSearcher(self._parts[part], self._indexes[part])

    def publish(self) -> Metadata:
        """Checks counts and doc_ids, moves the parts into a new generation folder and replaces
        `metadata.json`, which makes them the index; removes older generations and the build's
        folder. Returns the final metadata.

        Raises UserError if documents are missing, RefusedInput if a doc_id occurs twice in a part.
        """
        import numpy as np

        self._checkpoint()
        metadata = self._metadata._replace(documents=self.counts)
        with on_disk(self._location):
            while self._writers:  # a writer is used up by this call, even where a signal ends it
                self._writers.popitem()[1].wait_merging_threads()
            for part, index in self._indexes.items():
                index.reload()
                searcher, count = index.searcher(), metadata.documents[part]
                if searcher.num_docs != count:
                    raise UserError(
                        f"the index {self._location.shown} holds {searcher.num_docs} of {count} "
                        f"documents in {part}: "
                        "it was not published; build it again"
                    )
                hashes = np.frombuffer(self._hashes[part], np.uint64)
                hashes.sort()
                if (hashes[1:] == hashes[:-1]).any():
                    ((doc_id, times),) = searcher.terms_with_prefix(
                        "doc_id", "", limit=1
                    )  # the most frequent one
                    if times > 1:
                        raise RefusedInput(
                            f"{times} documents of {part} are called {doc_id!r}: doc_ids must "
                            f"differ"
                        )
            self._folder.mkdir(exist_ok=True)
            older = [path for path in self._folder.iterdir() if path.name.isdigit()]
            new = self._folder / str(1 + max((int(path.name) for path in older), default=0))
            new.mkdir()
            for part in self._parts:
                # whoever may read the folder may read its files, of which tantivy keeps some to the
                # user who builds
                built = self._aside / part
                for file in built.iterdir():
                    file.chmod(built.stat().st_mode & 0o666)
                built.rename(new / part)
            _write_json(
                self._folder / INDEX_METADATA, {"generation": new.name, **to_json(metadata)}
            )
            for path in (*older, self._aside):
                _remove(path)
        self._lock.close()
        return metadata

    def abandon(self) -> None:
        """Closes without publishing; the build's folder is kept for the next build if a source is
        finished, else deleted."""
        if self._writers and not self._unfinished:
            with suppress(UserError):  # what ended the build goes on: its disk is full
                self._checkpoint()
        self._close(remove=not self._kept)

    def discard(self) -> None:
        self._close(remove=True)

    def _close(self, remove: bool) -> None:
        """Ends the writers in whatever state they are, dropping what is not committed; with
        `remove`, deletes the build's folder and the empty folders made for the index."""
        while self._writers:
            writer = self._writers.popitem()[1]
            with suppress(ValueError):  # it ended already
                writer.rollback()
                writer.wait_merging_threads()  # its threads still write and remove files
        self._indexes.clear()
        if remove:
            self.finished_sources.clear()
            _remove(self._aside)
            for folder in self._new_folders:
                with suppress(OSError):  # another index is in it
                    folder.rmdir()
        self._lock.close()

    def _checkpoint(self) -> None:
        """Commits all documents and stores the progress file: identity of sources and settings,
        finished sources, number of documents in each part."""
        finished = list(self.finished_sources)
        progress = {
            "build": build_identity(self._metadata),
            "finished": finished,
            "documents": self.counts,
        }
        with on_disk(self._location):
            for writer in self._writers.values():
                writer.commit()
            self._uncommitted = 0
            _write_json(self._aside / PROGRESS_FILE, progress)
            self._kept = bool(finished)


def _folders(location: Location) -> tuple[Path, Path]:
    """The folder of an index, where a link leads to it (that may be another disk), and the one of
    its build."""
    folder = Path(os.path.realpath(folder_of(location)))
    return folder, folder.parent / f".{folder.name}{_BUILDING}"


def _lock_build(location: Location, folder: Path, aside: Path) -> IO[str]:
    """Makes the folder `aside` of a build and returns its lock, which vanishes with the process
    that holds it. Raises UserError if `folder` exists and is not an index, if it cannot be written,
    or if a build is running there."""
    if folder.exists() and not (
        folder.is_dir() and ((folder / INDEX_METADATA).exists() or not any(folder.iterdir()))
    ):
        raise UserError(
            f"{location.shown} exists and is not an index: choose another folder with --index, or "
            f"remove it"
        )
    with on_disk(location):
        aside.mkdir(parents=True, exist_ok=True)
        lock = (aside / LOCK_FILE).open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise UserError(f"the index {location.shown} is being built by another program") from None
    return lock


def _finished_sources(aside: Path, metadata: Metadata) -> dict[str, None]:
    """The finished sources of an interrupted build of the same sources and settings in a folder, as
    keys, if its documents are all there; else {}."""
    try:
        progress = parse_json((aside / PROGRESS_FILE).read_text(encoding="utf-8"))
        counts = {
            part.name: open_part(aside / part.name).searcher().num_docs for part in metadata.parts
        }
        same = json.loads(json.dumps(build_identity(metadata)))
        if progress.get("build") == same and progress.get("documents") == counts:
            return dict.fromkeys(progress["finished"])
    except (OSError, ValueError):
        pass
    return {}


def _create_part(folder: Path, part: Part) -> None:
    """Creates an empty tantivy index with the fields of a part."""
    folder.mkdir()
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("doc_id", fast=True, tokenizer_name="raw", index_option="basic")
    for name in part.term_fields:
        builder.add_text_field(f"terms_{name}", tokenizer_name=TOKENIZER, index_option="freq")
    for name in part.key_fields:
        builder.add_text_field(f"key_{name}", tokenizer_name="raw", index_option="basic")
    builder.add_bytes_field("stored", stored=True)
    tantivy.Index(builder.build(), path=str(folder))


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
        for value in findable(values):
            entry.add_text(f"key_{name}", value)
    # The stored result of a search, as JSON `[doc_id, text, keys, payload]`, written piece by
    # piece: thrice as quick.
    held = ",".join(
        f"{quoted(name)}:[{','.join(map(quoted, values))}]" for name, values in keys.items()
    )
    entry.add_bytes(
        "stored",
        f"[{quoted(document.doc_id)},{quoted(document.text)},{{{held}}},{quoted(document.payload)}]".encode(),
    )
    return entry


def _write_json(path: Path, value: object) -> None:
    """Writes a value as JSON to a file, in one step: to a temporary file beside it, which replaces
    it once it is on the disk."""
    aside = path.with_name(f".{path.name}.new")
    with aside.open("w", encoding="utf-8") as file:
        json.dump(value, file, ensure_ascii=False, indent=1)
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)


@contextmanager
def on_disk(location: Location) -> Iterator[None]:
    """Context manager that turns errors of the disk, which tantivy raises as ValueError, into a
    UserError of one line; other ValueErrors pass."""
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
            f"the index {location.shown} cannot be written ({reason}): free space, or choose "
            f"another place"
        ) from error


def _remove(path: Path) -> None:
    """Deletes a file or a folder with its content; nothing if it does not exist."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


# What building and managing takes of an engine (`indexer.engines.writing.Builder`).


build = EmbeddedWriter


def standing(address: str | Location) -> dict[str, Any] | None:
    """The index's metadata file; None if that does not exist or cannot be read."""
    path = folder_of(locate(address)) / INDEX_METADATA
    try:
        built = datetime.fromtimestamp(path.stat().st_mtime)
        return {**json.loads(path.read_text("utf-8")), "built": f"{built:%Y-%m-%d %H:%M}"}
    except (OSError, ValueError, TypeError):
        return None


def unfinished(location: Location) -> list[str]:
    """The names of the indexes beside a location of which a build is under way or was interrupted,
    sorted."""
    return sorted(
        path.name[1 : -len(_BUILDING)]
        for path in folder_of(location).parent.glob(f".*{_BUILDING}")
        if path.is_dir()
    )


def size(address: str | Location) -> int:
    """The bytes that an index and an unfinished build of it take on disk."""
    return sum(
        path.stat().st_size
        for folder in _folders(locate(address))
        for path in folder.rglob("*")
        if path.is_file()
    )


def remove(address: str | Location) -> None:
    """Deletes an index and what an interrupted build of it left. Raises UserError if neither is
    there, or if the index is being built."""
    location = locate(address)
    folder, aside = _folders(location)
    if (folder / INDEX_METADATA).exists() or not aside.is_dir():
        read_metadata(location)
    with _lock_build(location, folder, aside), on_disk(location):
        if folder.is_dir():
            (folder / INDEX_METADATA).unlink(missing_ok=True)
            for generation in folder.iterdir():
                if generation.name.isdigit():
                    _remove(generation)
            with suppress(OSError):  # files of somebody else's are in it
                folder.rmdir()
        _remove(aside)
