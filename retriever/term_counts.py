"""Term counts of a test collection in arrays, counted once and kept in files beside an embedded
index."""

from __future__ import annotations

import shutil
import tempfile
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.format import open_memmap

from indexer.engines.contract import Document
from indexer.files.arrays import Int32Array, Int64Array

if TYPE_CHECKING:
    from indexer.engines.contract import Index

_FOLDER = "term-counts-1"  # with the version of the files in it
_ARRAYS = ("lengths", "starts", "documents", "counts")
_TERMS_AT_ONCE = 20_000_000  # terms of documents that are sorted at once: 500 MB


@dataclass(frozen=True)
class TermCounts:
    """Which document of a collection has which term how often. Documents are numbered in the order
    of their doc_ids; the postings of term t are at `starts[t]` to `starts[t + 1]`, in the order of
    their documents."""

    doc_ids: Sequence[str]
    vocabulary: Mapping[str, int]
    """the number of each term"""
    lengths: Int32Array
    """of each document, in terms"""
    starts: Int64Array
    documents: Int32Array
    """the document of each posting"""
    counts: Int32Array
    """the term's count of each posting"""

    def document_frequency(self, term: str) -> int:
        """Number of documents that have a term; 0 for an unknown one."""
        number = self.vocabulary.get(term)
        return 0 if number is None else int(self.starts[number + 1] - self.starts[number])


def term_counts_of(index: Index) -> TermCounts:
    """The term counts of a collection's main part.

    They are counted from all its documents, in somewhat less time than indexing them took, and for
    an embedded index kept in its folder, from which they are read next time. Where that cannot be
    written, or what is there is damaged, they are only counted.
    """
    if index.folder is None:
        return count_terms(index.part().scan())
    folder = index.folder / _FOLDER
    if (stored_counts := _read(folder)) is not None:
        return stored_counts
    counts = count_terms(index.part().scan())
    try:
        _write(counts, folder)
    except OSError:
        return counts
    return _read(folder) or counts  # the files' arrays take no memory


def count_terms(documents: Iterator[Document]) -> TermCounts:
    """The term counts of documents, which must come in the order of their doc_ids and whose
    payloads are their terms, parted by blanks (`indexer.sources.collection.schema`)."""
    vocabulary: dict[str, int] = {}
    doc_ids, lengths, terms = list[str](), array("i"), array("i")
    pieces: list[tuple[Int32Array, Int32Array, Int32Array]] = []
    first = 0  # document of the piece under way

    def sort_terms() -> None:
        """Turns the documents read since the last time into postings, ordered by term."""
        sizes = np.asarray(lengths[first:], np.int64)
        numbers = np.repeat(np.arange(first, len(lengths)), sizes)
        keys, counts = np.unique((np.asarray(terms, np.int64) << 32) | numbers, return_counts=True)
        of_term = (keys >> 32).astype(np.int32)
        pieces.append((of_term, keys.astype(np.int32), counts.astype(np.int32)))
        del terms[:]

    for document in documents:
        words = document.payload.split(" ")
        doc_ids.append(document.doc_id)
        lengths.append(len(words))
        terms.extend([vocabulary.setdefault(word, len(vocabulary)) for word in words])
        if len(terms) >= _TERMS_AT_ONCE:
            sort_terms()
            first = len(lengths)
    sort_terms()

    sizes = sum(np.bincount(of_term, minlength=len(vocabulary)) for of_term, _, _ in pieces)
    starts = np.concatenate(([0], np.cumsum(sizes)))
    documents_of, counts_of = np.empty((2, starts[-1]), np.int32)
    free = starts[:-1].copy()  # where the next posting of each term goes
    while pieces:
        of_term, numbers, counts = pieces.pop(0)
        df = np.bincount(of_term, minlength=len(vocabulary))
        positions = np.arange(len(of_term)) + np.repeat(free - np.cumsum(df) + df, df)
        documents_of[positions], counts_of[positions] = numbers, counts
        free += df
    return TermCounts(
        doc_ids, vocabulary, np.array(lengths, np.int32), starts, documents_of, counts_of
    )


def _write(counts: TermCounts, folder: Path) -> None:
    """Writes term counts to a new folder, in one step: it is there whole or not at all. Raises
    OSError if it cannot be written, or the folder has term counts, which stay; damaged ones are
    replaced."""
    aside = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        aside.chmod(folder.parent.stat().st_mode & 0o777)  # whoever reads the index reads them
        for name in _ARRAYS:
            np.save(aside / f"{name}.npy", getattr(counts, name))
        for name, lines in (("doc_ids", counts.doc_ids), ("terms", counts.vocabulary)):
            (aside / f"{name}.txt").write_text("\n".join(lines), encoding="utf-8", newline="\n")
        if folder.exists() and _read(folder) is None:
            shutil.rmtree(folder)
        aside.rename(folder)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _read(folder: Path) -> TermCounts | None:
    """The term counts in a folder, their arrays mapped into memory; None without them, and where
    files are damaged."""
    try:
        doc_ids, terms = (
            (folder / f"{name}.txt").read_text(encoding="utf-8").split("\n")
            for name in ("doc_ids", "terms")
        )
        # Not `np.load`, which has other errors for an empty file and for another form.
        arrays = {name: open_memmap(folder / f"{name}.npy", mode="r") for name in _ARRAYS}
    except (OSError, ValueError):
        return None
    starts = arrays["starts"]
    whole = len(arrays["lengths"]) == len(doc_ids) and len(starts) == len(terms) + 1
    if not whole or {len(arrays["documents"]), len(arrays["counts"])} != {int(starts[-1])}:
        return None
    # Plain arrays over the mapped files: slices of `memmap` cost ten times as much.
    views = {name: np.asarray(mapped) for name, mapped in arrays.items()}
    return TermCounts(doc_ids, {term: number for number, term in enumerate(terms)}, **views)
