"""What an index counts of names: where they stand, what stands beside them; the same on every build."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from indexer.address import open_index
from indexer.analysis import analyser
from indexer.names import recogniser
from indexer.sources.names import Passage, name_documents
from indexer.sources.textbook import command as index_textbook

BOOK = [
    Passage("In 1313 Constantine ruled Rome.", "p1", "Rome"),
    Passage("Rome traded with Carthage.", "p1", "Rome"),
    Passage("Carthage fell.", "p2", "Rome"),
    Passage("Later Ashoka met Carthage in Rome.", "p3", "India"),
]


def documents(book: list[Passage]) -> dict[str, Any]:
    made = name_documents(iter(book), "en", analyser("en"), recogniser("en"))
    return {document.doc_id: json.loads(document.payload) for document in made}


def test_layout_gives_the_lengths_and_the_dates() -> None:
    layout = documents(BOOK)["layout"]
    assert layout["sentences"] == 4
    assert layout["paragraphs"] == [2, 1, 1]
    assert layout["sections"] == [2, 1]
    assert layout["dates"] == [[0, 1313, 1313]]


def test_a_name_has_the_steps_between_its_sentences() -> None:
    made = documents(BOOK)
    assert made["n:rome"]["at"] == [0, 1, 3 - 1]
    assert made["n:carthage"]["at"] == [1, 1, 1]  # sure in the second sentence, so it counts where it opens one


def test_names_beside_are_counted_by_window_and_by_paragraph() -> None:
    beside = {name: (windows, paragraphs) for name, windows, paragraphs in documents(BOOK)["n:rome"]["beside"]}
    # windows of Rome's sentences 0, 1, 3: Carthage stands in those of 0 and 1 (one paragraph) and of 3
    assert beside["carthage"] == (3, 2)
    assert beside["ashoka"] == (1, 1)


def test_a_term_has_its_sentences() -> None:
    assert documents(BOOK)["t:carthag"] == [1, 1, 1]


def test_a_word_with_a_capital_only_where_sentences_begin_is_no_name() -> None:
    assert "n:later" not in documents([Passage("Traders came.", "p1", ""), Passage("Traders left Rome.", "p1", "")])
    assert "n:trader" not in documents([Passage("Traders came.", "p1", ""), Passage("Traders left Rome.", "p1", "")])


def test_both_units_hold_the_same_names(tmp_path: Path) -> None:
    book = tmp_path / "book.txt"
    book.write_text("Rome fought Carthage. It won.\n\nThen Ashoka of India ruled.\n", "utf-8")
    found = []
    for unit in ("sentence", "paragraph"):
        address = str(tmp_path / unit)
        done = CliRunner().invoke(index_textbook, [str(book), "--index", address, "--unit", unit])
        assert done.exception is None
        found.append([(d.doc_id, d.payload, d.keys) for d in open_index(address).part("names").scan()])
    assert found[0] == found[1]
    assert "n:ashoka" in [doc_id for doc_id, _, _ in found[0]]
