"""Small books made for a test, and their indexes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.sparse import csr_array

from indexer.engines.contract import Index
from indexer.engines.opening import open_index
from indexer.sources.textbook.build import command
from indexer.statistics.part import CountedBook
from tests.programs import invoked


def index_of(folder: Path, text: str, *options: str, name: str = "book.txt") -> str:
    """The address of the index of a text: that of the file that is written in the folder, without
    its ending."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, "utf-8")
    address = str(folder / Path(name).stem)
    invoked(command, folder / name, "--index", address, *options)
    return address


def build(folder: Path, *arguments: object) -> tuple[Index, str]:
    """The index of textbook files, and what the command said."""
    address = str(folder / "index")
    told = invoked(command, *arguments, "--index", address).stderr
    return open_index(address), told


def texts(index: Index, part: str = "sentences") -> list[str]:
    """The texts of an index, in its order."""
    return [document.text for document in index.part(part).scan()]


def incidence(*rows: list[int]) -> csr_array:
    """A matrix of four columns with ones where the rows say."""
    ends = np.cumsum([0, *map(len, rows)])
    return csr_array((np.ones(ends[-1]), np.concatenate(rows).astype(int), ends), (len(rows), 4))


EMPTY_BOOK = CountedBook(
    names=[],
    kinds=[],
    name_row={},
    at_names=csr_array((0, 4)),
    beside=[],
    words={},
    term_row={},
    at_terms=csr_array((0, 4)),
    paragraphs=np.ones(4, np.int64),
    sections=np.ones(4, np.int64),
    dates=np.zeros((0, 3), np.int64),
    size=4,
    vectors=np.zeros((4, 1)),
    doc_ids=[],
)
"""Of four sentences, each a paragraph and a section, without names and terms."""
