"""The names of each paragraph of a book, with their kinds: blocks of paragraphs as documents of the part `names`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from indexer.document import Document
from indexer.engines.contract import Searcher
from indexer.entities import KINDS, Kind
from indexer.files.arrays import Int64Array
from indexer.statistics.packed import decode_numbers, encode_numbers
from indexer.statistics.spilled import Table

BLOCK = 64  # paragraphs of a document


class ParagraphNames(NamedTuple):
    """Names in the order of their keys; `at` has a row a paragraph of the book, 1 where a name (column) stands in it.

    Paragraphs that were not asked for hold none.
    """

    keys: list[str]
    kinds: list[Kind]
    at: csr_array


def encode_paragraph_names(at: Table, keys: Sequence[str], kinds: Mapping[str, Kind]) -> Iterator[Document]:
    """A document a block: its names and their kinds, how many each paragraph holds, and which. Keys are in order."""
    for start in range(0, at.shape[0], BLOCK):
        block = at[start : start + BLOCK]
        block.sort_indices()
        there, held = np.unique(block.indices, return_inverse=True)
        names = [keys[number] for number in there]
        payload = {
            "names": names,
            "kinds": "".join(str(KINDS.index(kinds.get(key, "other"))) for key in names),
            "sizes": encode_numbers(np.diff(block.indptr)),
            "held": encode_numbers(held),
        }
        yield Document(_doc_id(start // BLOCK), "", {}, {}, json.dumps(payload, ensure_ascii=False))


def decode_paragraph_names(searcher: Searcher, paragraphs: Int64Array, size: int) -> ParagraphNames:
    """What `encode_paragraph_names` encoded of these paragraphs, of a book of `size`. One look-up."""
    wanted = np.unique(paragraphs)
    blocks, starts = np.unique(wanted // BLOCK, return_index=True)
    found = searcher.lookup("doc_id", [_doc_id(block) for block in blocks.tolist()])
    kind_of: dict[str, int] = {}
    held: list[tuple[list[str], Int64Array]] = []
    sizes = np.zeros(size, np.int64)
    for documents, own in zip(found, np.split(wanted, starts)[1:], strict=True):
        block = _Block(json.loads(documents[0].payload), own % BLOCK)
        kind_of.update(block.kinds)
        sizes[own] = block.sizes
        held.append((list(block.kinds), block.held))
    keys = sorted(kind_of)
    number = {key: place for place, key in enumerate(keys)}
    columns = [np.array([number[key] for key in names], np.int64)[places] for names, places in held]
    column = np.concatenate([np.zeros(0, np.int64), *columns])
    at = csr_array((np.ones(len(column)), column, np.concatenate(([0], np.cumsum(sizes)))), (size, len(keys)))
    return ParagraphNames(keys, [KINDS[kind_of[key]] for key in keys], at)


class _Block:
    """Some paragraphs of a block: their names with the kinds, how many each holds, and which, as places among these."""

    def __init__(self, payload: Mapping[str, Any], paragraphs: Int64Array) -> None:
        sizes = decode_numbers(payload["sizes"])
        wanted = np.zeros(len(sizes), bool)
        wanted[paragraphs] = True
        there, self.held = np.unique(decode_numbers(payload["held"])[np.repeat(wanted, sizes)], return_inverse=True)
        self.sizes = sizes[paragraphs]
        names, kinds = payload["names"], payload["kinds"]
        self.kinds = {names[place]: int(kinds[place]) for place in there.tolist()}


def _doc_id(block: int) -> str:
    return f"p:{block:06}"
