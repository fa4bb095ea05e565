"""What is remembered of the files that were read, in the index itself, so that a resumed build counts them too."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from indexer.document import Document
from indexer.formats.dataset_collection import file_key
from indexer.sources.datasets.schema import FileRead, decode_file
from indexer.tally import Tally


def tell(file: FileRead, tally: Tally) -> None:
    """Put a file with a reason among the rejects; one that gave tables is used in part."""
    if file.reason:
        tally.reject(f"{file.archive}/{file.name}", 0, file.reason, in_part=file.tables > 0)


class FilesRead:
    """The files that were met so far: a second copy of one is not read."""

    def __init__(self, known: Iterable[bytes] = ()) -> None:
        """`known` are the keys of files that count as met."""
        self._keys = set(known)

    def first(self, name: str) -> bool:
        """Whether a file was not met before; from now on it was."""
        key = file_key(name)
        new = key not in self._keys
        self._keys.add(key)
        return new

    def recall(self, documents: Iterable[Document], finished: Collection[str], tally: Tally) -> None:
        """Count what an interrupted build read of the archives that it finished, in their order."""
        places = {archive: place for place, archive in enumerate(finished)}
        reasons: list[FileRead] = []
        for document in documents:
            one = decode_file(document.payload)
            if one.archive in places:
                tally.count()
                self._keys.add(file_key(one.name))
                if one.reason:
                    reasons.append(one)
        for one in sorted(reasons, key=lambda one: (places[one.archive], one.number)):
            tell(one, tally)
