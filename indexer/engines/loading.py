"""Documents on their way into a build on Elasticsearch: gathered into requests, by the build or any other process."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from json.encoder import encode_basestring as quoted

from indexer.document import Document, Part
from indexer.engines.connection import connect
from indexer.engines.sender import CHUNK_DOCUMENTS, Chunk, Line, Sender
from indexer.engines.terms import field_text, stored_keys
from indexer.location import Location

CHUNK_BYTES = 8_000_000
LONGEST_ID_BYTES = 512


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
        """What is gathered of all parts, and not handed on."""
        return [Chunk(writing(self._indexes[part]), lines) for part, lines in self._lines.items() if lines]


class Loader:
    """Writes documents into a build that another process began; what is there already is left as it is.

    `indexes` are those of the parts. `counts` are the documents of each part that were written, or were there: the
    same whenever the same is done again.
    """

    def __init__(self, location: Location, parts: Mapping[str, Part], indexes: Mapping[str, str]) -> None:
        self._client = connect(location)
        self._sender = Sender(location, self._client, lambda progress: None)
        self._chunks = Chunks(parts, indexes, self._sender.put)
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
