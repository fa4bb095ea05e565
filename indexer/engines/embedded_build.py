"""Building an embedded index aside, resuming an interrupted build, and putting the result in place."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import tantivy

from indexer.document import Document
from indexer.engines.contract import Crew, Metadata
from indexer.engines.embedded import METADATA_FILE, EmbeddedSearcher, folder_of, open_part, read_metadata
from indexer.engines.metadata import build_identity, to_json
from indexer.engines.segments import (
    LOCK_FILE,
    DocIdHashes,
    PartWriters,
    ShareWriters,
    can_join,
    join,
    on_disk,
    wait_until_left,
    write_json,
)
from indexer.files.atomic import is_abandoned
from indexer.files.errors import RefusedInput, UserError
from indexer.files.json_objects import parse_json
from indexer.location import Location

CHECKPOINT_DOCUMENTS = 5_000  # bounds the work that an interrupted build repeats
PROGRESS_FILE = "progress.json"
SHARE = ".share-"


class EmbeddedWriter:
    """A build in the hidden folder `.NAME.building` beside the index's folder (beside what that leads to, if a link).

    Every part is a tantivy index with one writer thread, which makes segments reproducible. Progress is committed when
    a source is finished and it was costly or enough was written since the last time: tiny sources would otherwise pay
    more for the commits than for themselves. After a crash tantivy goes back to its last commit; where that and the
    progress file disagree (a crash between the two), the build starts from the beginning.

    Other processes may write too, each its share in a separate folder, whose segments are joined to the build's when
    all sources are written. They commit when this process does.
    """

    def __init__(self, location: Location, metadata: Metadata) -> None:
        self._location = location
        self._folder = Path(os.path.realpath(folder_of(location)))  # what a link leads to may lie on another disk
        self._metadata = metadata
        self._aside = self._folder.parent / f".{self._folder.name}.building"
        # The build's folder and its lock, which vanishes with the process that holds it.
        if self._folder.exists() and not (
            self._folder.is_dir() and ((self._folder / METADATA_FILE).exists() or not any(self._folder.iterdir()))
        ):
            raise UserError(f"{self._location.shown} exists and is no index: give --index another folder, or remove it")
        self._new_folders = [folder for folder in self._aside.parents if not folder.exists()]
        try:
            self._aside.mkdir(parents=True, exist_ok=True)
            lock = (self._aside / LOCK_FILE).open("w")
        except OSError as error:
            raise UserError(f"cannot build the index {self._location.shown}: {error.strerror}") from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise UserError(f"the index {self._location.shown} is being built by another program") from None
        self._lock = lock
        self._parts = {part.name: part for part in metadata.parts}
        self._uncommitted = self._unfinished = 0
        self._kept = True  # whether a finished source is safe on the disk, as may be until it was looked
        self._crew: Crew | None = None
        self._own = PartWriters(location, self._aside, metadata.parts)
        try:
            # The finished sources of an interrupted build of the same; anything else that lies there is
            # removed.
            for share in self._aside.glob(f"{SHARE}*"):
                wait_until_left(self._location, share)
            try:
                progress = parse_json((self._aside / PROGRESS_FILE).read_text(encoding="utf-8"))
                counts = {part.name: self._leftover_documents(part.name) for part in self._metadata.parts}
            except (OSError, ValueError):
                progress, counts = {}, {}
            same = json.loads(json.dumps(build_identity(self._metadata)))
            if progress.get("build") == same and progress.get("documents") == counts:
                resume = list(progress["finished"])
            else:
                for leftover in self._aside.iterdir():
                    if leftover.name != LOCK_FILE:
                        _remove(leftover)
                resume = []
            self._finished: dict[str, None] = dict.fromkeys(resume)
            self._kept = bool(self._finished)
            with on_disk(location):
                self._join_shares()
                self._own.open()
                self._counts: dict[str, int] = {}
                self._doc_ids: dict[str, DocIdHashes] = {}
                for name in self._parts:
                    searcher = self._own.index(name).searcher()
                    self._counts[name] = searcher.num_docs
                    written = searcher.terms_with_prefix("doc_id", "")
                    self._doc_ids[name] = DocIdHashes(doc_id for doc_id, times in written for _ in range(times))
                self._save_progress()
        except BaseException:
            self._close(remove=not self._kept)
            raise

    @property
    def finished_sources(self) -> frozenset[str]:
        return frozenset(self._finished)

    @property
    def counts(self) -> Mapping[str, int]:
        return self._counts

    def add(self, part: str, documents: Sequence[Document]) -> None:
        self.count(part, self._own.add(part, documents))

    def count(self, part: str, written: DocIdHashes) -> None:
        self._doc_ids[part].take(written)
        self._counts[part] += len(written)
        self._uncommitted += len(written)
        self._unfinished += len(written)

    def finish_source(self, source: str, costly: bool = False) -> None:
        self._finished[source] = None
        self._unfinished = 0
        if costly or self._uncommitted >= CHECKPOINT_DOCUMENTS:
            self._checkpoint()

    def share(self, number: int) -> Callable[[], PartWriters] | None:
        if not can_join(self._aside / self._metadata.parts[0].name):
            return None
        folder = self._aside / f"{SHARE}{os.getpid()}-{number}"
        return partial(ShareWriters, self._location, folder, self._metadata.parts)

    def lead(self, crew: Crew) -> None:
        self._crew = crew

    def join(self) -> None:
        self._commit()
        self._end_crew()
        self._own.end()
        with on_disk(self._location):
            self._join_shares()
            self._own.open()

    def _join_shares(self) -> None:
        """Moves the segments of all shares into the build's parts, and removes the shares."""
        for share in self._aside.glob(f"{SHARE}*"):
            for part in self._metadata.parts:
                if (share / part.name).exists():
                    join(self._aside / part.name, share / part.name)
                    _remove(share / part.name)
            _remove(share)

    def searcher(self, part: str) -> EmbeddedSearcher:
        if self._unfinished:
            self._own.commit(part)
        else:
            self._checkpoint()
        return EmbeddedSearcher(self._parts[part], self._own.index(part))

    def publish(self) -> Metadata:
        self._checkpoint()
        self._own.end()
        for part in self._parts:
            self._check(part, self._own.index(part))
        metadata = self._metadata._replace(documents=dict(self._counts))
        # The parts are moved in under a new number; replacing `metadata.json` is what makes them the index.
        with on_disk(self._location):
            try:
                generation = str(int(read_metadata(self._location)[0]) + 1)
            except (UserError, ValueError):
                generation = "1"
            new = self._folder / generation
            self._folder.mkdir(exist_ok=True)
            _remove(new)
            new.mkdir()
            for name in self._parts:
                # whoever may read the folder may read its files, of which tantivy keeps some to the user who builds
                folder = self._aside / name
                for file in folder.iterdir():
                    file.chmod(folder.stat().st_mode & 0o666)
                folder.rename(new / name)
            write_json(self._folder / METADATA_FILE, {"generation": generation, **to_json(metadata)})
            for other in self._folder.iterdir():
                if other.name.isdigit() and other.name != generation:
                    _remove(other)
            _remove(self._aside)
        self._lock.close()
        return metadata

    def abandon(self) -> None:
        if self._own.writing and not self._unfinished:
            with suppress(UserError):  # what ended the build goes on: its disk is full, its crew is gone
                self._checkpoint()
        self._close(remove=not self._kept)

    def discard(self) -> None:
        self._close(remove=True)

    def _close(self, remove: bool) -> None:
        """Ends the build; with `remove`, deletes its folder and the empty folders that were made for it."""
        self._end_crew()
        self._own.roll_back()
        if remove:
            self._finished.clear()
            _remove(self._aside)
            for folder in self._new_folders:
                with suppress(OSError):  # another index is in it
                    folder.rmdir()
        self._lock.close()

    def _end_crew(self) -> None:
        if self._crew is not None:
            self._crew.close()
            self._crew = None

    def _leftover_documents(self, part: str) -> int:
        """Number of documents of a part that an interrupted build left, in the part and in its shares."""
        shares = [share / part for share in self._aside.glob(f"{SHARE}*") if (share / part).exists()]
        return sum(open_part(folder).searcher().num_docs for folder in (self._aside / part, *shares))

    def _checkpoint(self) -> None:
        """Commits all processes, the other ones first."""
        if self._crew is not None:
            self._crew.commit()
        self._commit()

    def _commit(self) -> None:
        """Commits the documents and stores the progress."""
        self._own.commit()
        with on_disk(self._location):
            self._uncommitted = 0
            self._save_progress()

    def _save_progress(self) -> None:
        """Writes the progress file: build, finished sources, documents of each part."""
        progress = {
            "build": build_identity(self._metadata),
            "finished": list(self._finished),
            "documents": self._counts,
        }
        write_json(self._aside / PROGRESS_FILE, progress)
        self._kept = bool(self._finished)

    def _check(self, part: str, index: tantivy.Index) -> None:
        """Checks that every document was written. Raises UserError if some are missing, RefusedInput for a doc_id that
        occurs twice."""
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


def remove(location: Location) -> None:
    """Remove an index, and what an interrupted build of it left. Raises UserError where one is being built there."""
    folder = Path(os.path.realpath(folder_of(location)))
    aside = folder.parent / f".{folder.name}.building"
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


def _remove(path: Path) -> None:
    """Remove a file or a folder, if it is there."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
