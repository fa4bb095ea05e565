"""Building an embedded index aside, and putting it in place."""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import tempfile
from array import array
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from json.encoder import encode_basestring as quoted
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import tantivy

from indexer.address import Location, locate
from indexer.engines.contract import (
    TOKENIZER,
    Document,
    Metadata,
    Part,
    field_text,
    findable,
    to_json,
)
from indexer.files.errors import RefusedInput, UserError, another_place
from indexer.files.messages import first_few, info, warn
from indexer.files.paths import INDEX_METADATA, index_names

if TYPE_CHECKING:
    from indexer.engines.embedded import EmbeddedSearcher

MEMORY = 128_000_000  # bytes for the writers of all parts together
LEAST_MEMORY = 16_000_000  # bytes; tantivy refuses less than 15 MB
LOCK_FILE = "lock"  # of a build's folder, and of an index's while a build is put in its place
_TANTIVY_FILE = re.compile(r"meta\.json|\.managed\.json|\.tantivy-.*\.lock|[0-9a-f]{32}\..*")
_TERM_COUNTS = re.compile(r"\.?term-counts-.*")  # what `retriever.term_counts` keeps in an index
_BUILDING = ".building-"  # in the name of a build's folder, between the index's name and letters


class EmbeddedWriter:
    """A build in a hidden folder `.NAME.building-…` beside the index's folder (beside what that
    leads to, if a link).

    Every part has one writer thread, which makes segments reproducible. Two programs that build one
    index write each to their own folder; what the last one publishes stays. There are neither
    shards nor replicas.
    """

    def __init__(
        self,
        address: str | Location,
        metadata: Metadata,
        shards: int | None = None,
        replicas: int | None = None,
    ) -> None:
        """Makes the build's folder and an empty tantivy index for each part, and deletes the
        folders of builds of this index that died; `shards` and `replicas` are ignored.

        Raises UserError if the index's folder holds other things or the disk refuses.
        """
        self._location, self._metadata = locate(address), metadata
        self._parts = {part.name: part for part in metadata.parts}
        self._folder = _index_folder(self._location)
        self._before = standing(self._location)
        parents = self._folder.parents
        self._new_folders = [folder for folder in parents if not folder.exists()]
        self.counts = dict.fromkeys(self._parts, 0)
        # Doc_ids must differ; a set of the doc_ids themselves would take 100 bytes each.
        self._hashes = {part: array("q") for part in self._parts}
        self._indexes: dict[str, tantivy.Index] = {}
        self._writers: dict[str, tantivy.IndexWriter] = {}
        with on_disk(self._location):
            for leftover in _build_folders(self._folder):
                if (lock := _lock(leftover / LOCK_FILE)) is not None:
                    _remove(leftover)
                    lock.close()
            self._aside, self._lock = _build_folder(self._folder)
        try:
            memory = max(MEMORY // len(self._parts), LEAST_MEMORY)
            with on_disk(self._location):
                for name, part in self._parts.items():
                    self._indexes[name] = _create_part(self._aside / name, part)
                    self._writers[name] = self._indexes[name].writer(memory, 1)
        except BaseException:
            self.discard()
            raise

    def add(self, part: str, documents: Sequence[Document]) -> None:
        """Writes the documents of a part that have terms in every term field, leaving out the
        others. Raises UserError if the disk refuses."""
        layout, writer, hashes = self._parts[part], self._writers[part], self._hashes[part]
        with on_disk(self._location):
            for document in documents:
                if entry := _entry(layout, document):
                    writer.add_document(entry)
                    hashes.append(hash(document.doc_id))
                    self.counts[part] += 1

    def searcher(self, part: str) -> EmbeddedSearcher:
        """A searcher over the documents of a part written so far, which are committed first."""
        from indexer.engines.embedded import EmbeddedSearcher

        with on_disk(self._location):
            self._writers[part].commit()
        index = self._indexes[part]
        index.reload()
        return EmbeddedSearcher(self._parts[part], index.schema, index.searcher())

    def publish(self) -> Metadata:
        """Checks counts and doc_ids, moves the parts into a new generation folder and replaces
        `metadata.json`, which makes them the index; removes older generations and the build's
        folder. Returns the final metadata.

        Raises UserError if documents are missing, RefusedInput if a doc_id occurs twice in a part.
        """
        metadata = self._metadata._replace(documents=dict(self.counts))
        with on_disk(self._location):
            while self._writers:  # a writer is used up by this call, even where a signal ends it
                _, writer = self._writers.popitem()
                writer.commit()
                writer.wait_merging_threads()
            for part, index in self._indexes.items():
                index.reload()
                searcher, count = index.searcher(), metadata.documents[part]
                if searcher.num_docs != count:
                    raise UserError(
                        f"the index {self._location.shown} holds {searcher.num_docs} of {count} "
                        f"documents in {part}: "
                        "it was not published; build it again"
                    )
                _refuse_repeated(part, self._hashes[part], searcher)
            self._folder.mkdir(exist_ok=True)
            with (self._folder / LOCK_FILE).open("w") as publishing:
                fcntl.flock(publishing, fcntl.LOCK_EX)  # one program at a time
                latest = standing(self._location)
                _swap(self._aside, self._folder, metadata)
        self._lock.close()
        if latest not in (None, self._before):
            info(
                f"the index {self._location.shown} was built by another program in the meantime: "
                f"this build has replaced it"
            )
        return metadata

    def discard(self) -> None:
        """Ends the writers in whatever state they are, and deletes the build's folder and the empty
        folders made for the index."""
        while self._writers:
            writer = self._writers.popitem()[1]
            with suppress(ValueError):  # it ended already
                writer.rollback()
                writer.wait_merging_threads()  # its threads still write and remove files
        self._indexes.clear()
        _remove(self._aside)
        for folder in self._new_folders:
            with suppress(OSError):  # another index is in it
                folder.rmdir()
        self._lock.close()


def _refuse_repeated(part: str, doc_id_hashes: array[int], searcher: tantivy.Searcher) -> None:
    """Raises RefusedInput, naming the most frequent, if a doc_id occurs twice in a part. Looks for
    that only if two of its doc_ids' 64-bit hashes, which it sorts in place, are equal."""
    import numpy as np

    hashes = np.frombuffer(doc_id_hashes, np.int64)
    hashes.sort()
    if not (hashes[1:] == hashes[:-1]).any():
        return
    # the most frequent one
    ((doc_id, times),) = searcher.terms_with_prefix("doc_id", "", limit=1)
    if times > 1:
        raise RefusedInput(
            f"{times} documents of {part} are called {doc_id!r}: doc_ids must differ"
        )


def _swap(aside: Path, folder: Path, metadata: Metadata) -> None:
    """Moves the parts of a build from the folder `aside` to a new generation of an index's folder,
    makes it the index, and removes older generations and `aside`."""
    numbered = [path for path in folder.iterdir() if path.name.isdecimal()]
    older = list(filter(_is_generation, numbered))
    new = folder / str(1 + max((int(path.name) for path in numbered), default=0))
    new.mkdir()
    for part in (part.name for part in metadata.parts):
        # whoever may read the folder may read its files, of which tantivy keeps some to the
        # user who builds
        built = aside / part
        for file in built.iterdir():
            file.chmod(built.stat().st_mode & 0o666)
        built.rename(new / part)
    # In one step: to a temporary file beside it, which replaces the old one once it is on the disk.
    written = folder / f".{INDEX_METADATA}.new"
    with written.open("w", encoding="utf-8") as output:
        stored = {"generation": new.name, **to_json(metadata)}
        json.dump(stored, output, ensure_ascii=False, indent=1)
        output.flush()
        os.fsync(output.fileno())
    written.replace(folder / INDEX_METADATA)
    for path in (*older, aside):
        _remove(path)


def _index_folder(location: Location) -> Path:
    """The folder of an index, where a link leads to it (that may be another disk). It need not
    exist. Raises UserError for a file, and for a folder that is not an index and holds something
    else than what a build leaves."""
    folder = Path(os.path.realpath(folder_of(location)))
    if folder.exists() and not (
        folder.is_dir()
        and ((folder / INDEX_METADATA).exists() or all(map(_is_ours, folder.iterdir())))
    ):
        raise UserError(
            f"{location.shown} exists and is not an index: choose another folder with --index, or "
            f"remove it"
        )
    return folder


def _is_ours(path: Path) -> bool:
    """Whether a program that was killed while it published a first build may have left this: a
    generation or the lock file."""
    return path.name == LOCK_FILE or _is_generation(path)


def _is_generation(path: Path) -> bool:
    """Whether this is a folder with a number as its name and nothing in it but tantivy indexes,
    which may be half deleted, and term counts: not one of a user's that is called by a year."""
    return (
        path.name.isdecimal()
        and path.is_dir()
        and all(
            part.is_dir()
            and (
                _TERM_COUNTS.fullmatch(part.name)
                or all(_TANTIVY_FILE.fullmatch(file.name) for file in part.iterdir())
            )
            for part in path.iterdir()
        )
    )


def _build_folders(folder: Path) -> list[Path]:
    """The folders of builds, under way or dead, of the index in a folder, sorted."""
    beginning = f".{folder.name}{_BUILDING}"
    if not folder.parent.is_dir():
        return []
    return sorted(path for path in folder.parent.iterdir() if path.name.startswith(beginning))


def _build_folder(folder: Path) -> tuple[Path, IO[str]]:
    """Makes the folder of a build of the index in a folder; returns it and its lock, which vanishes
    with the process that holds it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    # It gets its name when it is locked: without a lock it would be taken for that of a dead build.
    unnamed = Path(tempfile.mkdtemp(prefix=f".{folder.name}.new-", dir=folder.parent))
    lock = _lock(unnamed / LOCK_FILE)
    assert lock is not None, "nobody else knows it"  # noqa: S101 (for types)
    ending = unnamed.name.rpartition("-")[2]
    return unnamed.rename(folder.parent / f".{folder.name}{_BUILDING}{ending}"), lock


def _lock(path: Path) -> IO[str] | None:
    """The open lock file at a path, made if it does not exist; None if another program holds it."""
    lock = path.open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        return None
    return lock


def _create_part(folder: Path, part: Part) -> tantivy.Index:
    """Creates a folder with an empty tantivy index: the fields doc_id, terms_NAME and key_NAME for
    the part's term and key fields, and stored."""
    folder.mkdir()
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("doc_id", fast=True, tokenizer_name="raw", index_option="basic")
    for name in part.term_fields:
        builder.add_text_field(f"terms_{name}", tokenizer_name=TOKENIZER, index_option="freq")
    for name in part.key_fields:
        builder.add_text_field(f"key_{name}", tokenizer_name="raw", index_option="basic")
    builder.add_bytes_field("stored", stored=True)
    index = tantivy.Index(builder.build(), path=str(folder))
    # terms come joined by single spaces; nothing else may be done to them
    whitespace = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    index.register_tokenizer(TOKENIZER, whitespace)
    return index


def _entry(part: Part, document: Document) -> tantivy.Document | None:
    """The document as tantivy stores it, its result of a search as JSON (doc_id, text, all keys,
    payload), looked up by the `findable` keys; None if it lacks terms in a term field."""
    entry = tantivy.Document()
    for name in part.term_fields:
        text = field_text(document.terms.get(name, ()))
        if not text:
            return None
        entry.add_text(f"terms_{name}", text)
    entry.add_text("doc_id", document.doc_id)
    # The stored result of a search, as JSON `[doc_id, text, keys, payload]`, written piece by
    # piece: thrice as quick.
    json_keys = []
    for name in part.key_fields:
        if values := document.keys.get(name):
            for value in findable(values):
                entry.add_text(f"key_{name}", value)
            json_keys.append(f"{quoted(name)}:[{','.join(map(quoted, values))}]")
    doc_id, text, payload = map(quoted, (document.doc_id, document.text, document.payload))
    entry.add_bytes("stored", f"[{doc_id},{text},{{{','.join(json_keys)}}},{payload}]".encode())
    return entry


@contextmanager
def on_disk(location: Location) -> Iterator[None]:
    """Context manager that turns OSErrors and tantivy's ValueErrors about the disk or a writer that
    ended into a UserError of one line; other ValueErrors pass."""
    try:
        yield
    except (OSError, ValueError) as error:
        if not (fault := _disk_fault(error)):
            raise  # not what the disk said: a bug
        raise UserError(f"the index {location.shown} cannot be written {fault}") from error


def _disk_fault(error: OSError | ValueError) -> str:
    """What an error says of the disk, with the remedy; "" for a ValueError about something else
    than the disk or a writer that ended."""
    if isinstance(error, OSError):
        return f"({error.strerror or error}): {another_place(error.errno)}"
    if by_system := re.search(r"'([^']*?) \(os error (\d+)\)", str(error)):
        return f"({by_system[1]}): {another_place(int(by_system[2]))}"
    if "writer was killed" in str(error):
        return f"(its writer ended, as on a full disk): {another_place(None)}"
    return ""


def _remove(path: Path) -> None:
    """Deletes a file or a folder with its content; nothing if it does not exist."""
    if not path.is_dir():
        path.unlink(missing_ok=True)
        return
    try:
        shutil.rmtree(path)
    except OSError:  # a search that was under way kept what it had counted there: nothing lasts
        shutil.rmtree(path)


# What building and managing takes of an engine (`indexer.engines.writing.Builder`).


build = EmbeddedWriter


def folder_of(location: Location) -> Path:
    """The folder of an embedded index's location (AssertionError for one on a server)."""
    assert location.folder is not None  # noqa: S101 - `builder_for` has seen to it
    return location.folder


def standing(address: str | Location) -> dict[str, Any] | None:
    """The content of the index's metadata file, and when it was `built` (local time, 2026-01-31
    23:59); None if the file does not exist or cannot be read. Other versions are not refused."""
    path = folder_of(locate(address)) / INDEX_METADATA
    try:
        built = datetime.fromtimestamp(path.stat().st_mtime)
        return {**json.loads(path.read_text("utf-8")), "built": f"{built:%Y-%m-%d %H:%M}"}
    except (OSError, ValueError, TypeError):
        return None


def names(location: Location) -> list[str]:
    """The `index_names` beside a location's folder, its own included; warns of folders there, or of
    the one that they are in, that this user may not look into."""
    folder = folder_of(location).parent
    folders = [folder] if folder.is_dir() else []
    with suppress(OSError):
        folders += sorted(p for p in folder.iterdir() if not p.name.startswith(".") and p.is_dir())
    if closed := [str(path) for path in folders if not os.access(path, os.R_OK | os.X_OK)]:
        warn(f"no permission to read {first_few(closed)}: an index there is not listed")
    return index_names(folder)


def unfinished_builds(location: Location) -> list[str]:
    """The names of the indexes in a location's parent folder, its own included, of which a build is
    under way or was interrupted, sorted."""
    folders = folder_of(location).parent.glob(f".*{_BUILDING}*")
    return sorted({path.name[1:].rpartition(_BUILDING)[0] for path in folders if path.is_dir()})


def size(address: str | Location) -> int:
    """The bytes that an index and unfinished builds of it take on disk; 0 if neither exists."""
    folder = Path(os.path.realpath(folder_of(locate(address))))
    return sum(
        path.stat().st_size
        for part in (folder, *_build_folders(folder))
        for path in part.rglob("*")
        if path.is_file()
    )


def remove(address: str | Location) -> None:
    """Deletes an index and what interrupted builds of it left, but no other files in its folder.
    Raises UserError if neither is there, if the index is being built, or if its metadata is damaged
    or of another version: it may be another program's."""
    from indexer.engines.embedded import read_metadata

    location = locate(address)
    folder = _index_folder(location)
    builds = _build_folders(folder)
    if (folder / INDEX_METADATA).exists() or not builds:
        read_metadata(location)
    with on_disk(location), ExitStack() as locks:
        for build in builds:
            if (lock := _lock(build / LOCK_FILE)) is None:
                raise UserError(f"the index {location.shown} is being built by another program")
            locks.enter_context(lock)
        if folder.is_dir():
            (folder / INDEX_METADATA).unlink(missing_ok=True)
            for path in folder.iterdir():
                if _is_ours(path):
                    _remove(path)
            with suppress(OSError):  # files of somebody else's are in it
                folder.rmdir()
        for build in builds:
            _remove(build)
