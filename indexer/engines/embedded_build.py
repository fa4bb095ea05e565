"""Building an embedded index aside, resuming an interrupted build, and putting the result in place."""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from json.encoder import encode_basestring as quoted
from pathlib import Path
from typing import IO, Any

import tantivy

from indexer.document import Document, Part
from indexer.engines.contract import Metadata
from indexer.engines.doc_ids import DocIdHashes
from indexer.engines.embedded_search import (
    METADATA_FILE,
    TOKENIZER,
    EmbeddedSearcher,
    folder_of,
    open_part,
    read_metadata,
    register_tokenizer,
)
from indexer.engines.metadata import build_identity, to_json
from indexer.engines.terms import LONGEST_KEY, field_text, stored_keys
from indexer.files.errors import RefusedInput, UserError
from indexer.files.json_objects import parse_json
from indexer.location import Location

MEMORY = 128_000_000
LEAST_MEMORY = 16_000_000
CHECKPOINT_DOCUMENTS = 5_000
PROGRESS_FILE = "progress.json"


class EmbeddedWriter:
    """A build in the hidden folder `.NAME.building` beside the index's folder.

    Every part is a tantivy index with one writer thread, which makes segments reproducible. Progress is
    committed when a source is finished and it was costly or enough was written since the last time: tiny
    sources would otherwise pay more for the commits than for themselves. After a crash tantivy goes back to its last
    commit; where that and the progress file disagree (a crash between the two), the build starts anew.
    """

    def __init__(self, location: Location, metadata: Metadata) -> None:
        self._location = location
        self._folder = folder_of(location)
        self._metadata = metadata
        self._aside = self._folder.parent / f".{self._folder.name}.building"
        self._lock = self._start()
        self._finished: dict[str, None] = dict.fromkeys(self._resume())
        self._counts: dict[str, int] = {}
        self._doc_ids: dict[str, DocIdHashes] = {}
        self._indexes: dict[str, tantivy.Index] = {}
        self._writers: dict[str, tantivy.IndexWriter] = {}
        self._parts = {part.name: part for part in metadata.parts}
        self._uncommitted = self._unfinished = 0
        self._kept = bool(self._finished)  # whether a finished source is safe on the disk
        try:
            with self._on_disk():
                self._open_parts()
                self._save_progress()
        except BaseException:
            self._close(remove=not self._kept)
            raise

    def _open_parts(self) -> None:
        memory = max(MEMORY // len(self._parts), LEAST_MEMORY)
        for name, part in self._parts.items():
            index = _open_or_create(self._aside / name, part)
            self._indexes[name] = index
            self._counts[name] = index.searcher().num_docs
            written = index.searcher().terms_with_prefix("doc_id", "")
            self._doc_ids[name] = DocIdHashes(doc_id for doc_id, times in written for _ in range(times))
            self._writers[name] = index.writer(memory, 1)

    @property
    def finished(self) -> frozenset[str]:
        return frozenset(self._finished)

    @property
    def counts(self) -> Mapping[str, int]:
        return self._counts

    def add(self, part: str, documents: Sequence[Document]) -> None:
        schema, writer, doc_ids, added = self._parts[part], self._writers[part], self._doc_ids[part], 0
        with self._on_disk():
            for document in documents:
                entry = _entry(schema, document)
                if entry is not None:
                    writer.add_document(entry)
                    doc_ids.add(document.doc_id)
                    added += 1
        self._counts[part] += added
        self._uncommitted += added
        self._unfinished += added

    def finish_source(self, source: str, costly: bool = False) -> None:
        self._finished[source] = None
        self._unfinished = 0
        if costly or self._uncommitted >= CHECKPOINT_DOCUMENTS:
            self._checkpoint()

    def written(self, part: str) -> EmbeddedSearcher:
        if self._unfinished:
            with self._on_disk():
                self._writers[part].commit()
        else:
            self._checkpoint()
        index = self._indexes[part]
        index.reload()
        return EmbeddedSearcher(self._parts[part], index)

    def publish(self) -> Metadata:
        self._checkpoint()
        with self._on_disk():
            while self._writers:  # a writer is used up by this call, even where a signal ends it
                self._writers.popitem()[1].wait_merging_threads()
        for name, index in self._indexes.items():
            self._check(name, index)
        metadata = self._metadata._replace(documents=dict(self._counts))
        with self._on_disk():
            self._put_in_place(metadata)
        self._lock.close()
        return metadata

    def abandon(self) -> None:
        if self._writers and not self._unfinished:
            with suppress(UserError):  # the disk that ended the build is still full
                self._checkpoint()
        self._close(remove=not self._kept)

    def discard(self) -> None:
        self._close(remove=True)

    def _close(self, remove: bool) -> None:
        while self._writers:
            writer = self._writers.popitem()[1]
            with suppress(ValueError):  # it ended already
                writer.rollback()
                writer.wait_merging_threads()  # its threads still write and remove files
        self._indexes.clear()
        if remove:
            self._finished.clear()
            _remove(self._aside)
            for folder in self._new_folders:
                with suppress(OSError):  # another index is in it
                    folder.rmdir()
        self._lock.close()

    def _start(self) -> IO[str]:
        """The build's folder and its lock, which vanishes with the process that holds it."""
        if self._folder.exists() and not _may_hold_index(self._folder):
            raise UserError(f"{self._location.shown} exists and is no index: give --index another folder, or remove it")
        self._new_folders = [folder for folder in self._aside.parents if not folder.exists()]
        try:
            self._aside.mkdir(parents=True, exist_ok=True)
            lock = (self._aside / "lock").open("w")
        except OSError as error:
            raise UserError(f"cannot build the index {self._location.shown}: {error.strerror}") from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise UserError(f"the index {self._location.shown} is being built by another program") from None
        return lock

    def _resume(self) -> list[str]:
        """The finished sources of an interrupted build of the same; anything else that lies there is removed."""
        try:
            progress = parse_json((self._aside / PROGRESS_FILE).read_text(encoding="utf-8"))
            counts = {
                part.name: open_part(self._aside / part.name).searcher().num_docs for part in self._metadata.parts
            }
        except (OSError, ValueError):
            progress, counts = {}, {}
        same = json.loads(json.dumps(build_identity(self._metadata)))
        if progress.get("build") == same and progress.get("documents") == counts:
            return list(progress["finished"])
        for leftover in self._aside.iterdir():
            if leftover.name != "lock":
                _remove(leftover)
        return []

    def _checkpoint(self) -> None:
        with self._on_disk():
            for writer in self._writers.values():
                writer.commit()
            self._uncommitted = 0
            self._save_progress()

    @contextmanager
    def _on_disk(self) -> Iterator[None]:
        """Turns what the disk refuses into one line for the user; tantivy tells it as a ValueError."""
        try:
            yield
        except (OSError, ValueError) as error:
            reason = _refusal(error)
            if reason is None:
                raise
            raise UserError(
                f"the index {self._location.shown} cannot be written ({reason}): make room, or choose another place"
            ) from error

    def _save_progress(self) -> None:
        progress = {
            "build": build_identity(self._metadata),
            "finished": list(self._finished),
            "documents": self._counts,
        }
        _write_json(self._aside / PROGRESS_FILE, progress)
        self._kept = bool(self._finished)

    def _check(self, part: str, index: tantivy.Index) -> None:
        """Every document is there, and each has a doc_id of its own."""
        index.reload()
        searcher = index.searcher()
        if searcher.num_docs != self._counts[part]:
            raise UserError(
                f"the index {self._location.shown} holds {searcher.num_docs} of {self._counts[part]} documents "
                f"in {part}: it was not put in place, build it again"
            )
        if not self._doc_ids[part].repeat():
            return
        for doc_id, times in searcher.terms_with_prefix("doc_id", "", limit=1):
            if times > 1:
                raise RefusedInput(f"{times} documents of {part} are called {doc_id!r}: doc_ids must differ")

    def _put_in_place(self, metadata: Metadata) -> None:
        """Move the parts in under a new number; replacing `metadata.json` is what makes them the index."""
        try:
            generation = str(int(read_metadata(self._location)[0]) + 1)
        except (UserError, ValueError):
            generation = "1"
        new = self._folder / generation
        self._folder.mkdir(exist_ok=True)
        _remove(new)
        new.mkdir()
        for part in metadata.parts:
            _share(self._aside / part.name)
            (self._aside / part.name).rename(new / part.name)
        _write_json(self._folder / METADATA_FILE, {"generation": generation, **to_json(metadata)})
        for other in self._folder.iterdir():
            if other.name.isdigit() and other.name != generation:
                _remove(other)
        _remove(self._aside)


def _refusal(error: OSError | ValueError) -> str | None:
    """What the disk said, or None where an error is of another kind."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    told = re.search(r"'([^']*?) \(os error \d+\)", str(error))
    return told[1] if told else "its writer ended" if "writer was killed" in str(error) else None


def _may_hold_index(folder: Path) -> bool:
    """Whether an index is in the folder, or may be put there without harm to something else."""
    return folder.is_dir() and ((folder / METADATA_FILE).exists() or not any(folder.iterdir()))


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
    entry.add_bytes("stored", _stored(document, keys).encode())
    return entry


def _stored(document: Document, keys: Mapping[str, Sequence[str]]) -> str:
    """What a search gives back, as JSON `[doc_id, text, keys, payload]`, written piece by piece: thrice as quick."""
    held = ",".join(f"{quoted(name)}:[{','.join(map(quoted, values))}]" for name, values in keys.items())
    return f"[{quoted(document.doc_id)},{quoted(document.text)},{{{held}}},{quoted(document.payload)}]"


def _schema(part: Part) -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("doc_id", fast=True, tokenizer_name="raw", index_option="basic")
    for name in part.term_fields:
        builder.add_text_field(f"terms_{name}", tokenizer_name=TOKENIZER, index_option="freq")
    for name in part.key_fields:
        builder.add_text_field(f"key_{name}", tokenizer_name="raw", index_option="basic")
    builder.add_bytes_field("stored", stored=True)
    return builder.build()


def _open_or_create(folder: Path, part: Part) -> tantivy.Index:
    if folder.exists():
        return open_part(folder)
    folder.mkdir()
    index = tantivy.Index(_schema(part), path=str(folder))
    register_tokenizer(index)
    return index


def _write_json(path: Path, value: dict[str, Any]) -> None:
    """Write JSON beside the path and put it in place once it is on the disk."""
    aside = path.with_name(f".{path.name}.new")
    with aside.open("w", encoding="utf-8") as file:
        json.dump(value, file, ensure_ascii=False, indent=1)
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)


def _share(folder: Path) -> None:
    """Let whoever may read the folder read its files; tantivy keeps some of them to the user who builds."""
    for file in folder.iterdir():
        file.chmod(folder.stat().st_mode & 0o666)


def _remove(path: Path) -> None:
    """Remove a file or a folder, if it is there."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
