"""What an index counts of names: where they stand; the same on every build."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from indexer.analysis.glossary import Entry, Glossary
from indexer.engines.contract import Document
from indexer.engines.opening import open_index
from indexer.entities import KINDS
from indexer.languages.english import ENGLISH
from indexer.statistics import counting, lsa
from indexer.statistics.counting import NameCounter, book_documents
from indexer.statistics.forms import EVERY, doc_id_at, encode_block
from indexer.statistics.notes import passage_notes
from indexer.statistics.part import CountedBook, NeighbourCounts, decode_book, decode_kinds
from tests.books import index_of

BOOK = [
    ("Rome", ["In 1313 Constantine ruled Rome.", "Rome traded with Carthage."]),
    ("Rome", ["Carthage fell."]),
    ("India", ["Later Ashoka met Carthage in Rome."]),
]


def counter_of(book: list[tuple[str, list[str]]]) -> NameCounter:
    """The counts of a book: for each paragraph its title and its sentences."""
    names, counter = ENGLISH.recogniser(), NameCounter()
    for number, (title, sentences) in enumerate(book):
        counter.count([passage_notes(f"p{number}", title, sentences, ENGLISH.analyser(), names)])
    return counter


def documents(book: list[tuple[str, list[str]]], glossary: Sequence[str] = ()) -> list[Document]:
    """What is written of a book."""
    names = ENGLISH.recogniser(Glossary(tuple(map(Entry, glossary))))
    return list(book_documents(counter_of(book), ENGLISH, names, ENGLISH.analyser(), glossary))


def counted(
    field: str, book: list[tuple[str, list[str]]], glossary: Sequence[str] = ()
) -> list[str]:
    """The names, terms or words that are written of a book."""
    return [key for document in documents(book, glossary) for key in document.keys.get(field, ())]


class Written:
    """Documents that are found as an index finds them."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents

    def lookup(self, field: str, values: Sequence[str]) -> list[list[Document]]:
        """Those that have each value, as their doc_id or among their keys."""
        return [
            [
                d
                for d in self._documents
                if value in ((d.doc_id,) if field == "doc_id" else d.keys.get(field, ()))
            ]
            for value in values
        ]


def read(
    book: list[tuple[str, list[str]]],
    names: Sequence[str] = (),
    terms: Sequence[str] = (),
    words: Sequence[str] = (),
) -> CountedBook:
    """What an exam reads of a book that was written."""
    return decode_book(
        cast(Any, SimpleNamespace(part=lambda _: Written(documents(book)))), names, terms, words
    )


def test_the_lengths_and_the_dates_are_read_as_they_were_counted() -> None:
    book = read(BOOK)
    assert book.paragraphs.tolist() == [2, 1, 1]
    assert [doc_id_at(book.doc_ids, paragraph) for paragraph in range(3)] == ["p0", "p1", "p2"]
    assert book.sections.tolist() == [2, 1]
    assert book.dates.tolist() == [[0, 1313, 1313]]


def test_a_name_has_its_sentences_in_the_order_of_the_keys() -> None:
    book = read(BOOK, ["rome", "atlantis", "carthage"])
    assert book.names == ["carthage", "rome"]
    assert book.name_row == {"carthage": 0, "rome": 1}
    # Carthage is sure in the second sentence, so that it counts where it opens one
    assert book.at_names.toarray().tolist() == [[0, 1, 1, 1], [1, 1, 0, 1]]


def test_a_name_is_found_by_its_alias() -> None:
    book = read([("", ["The general Mark Antony fled.", "Then Antony fell."])], ["antony"])
    assert book.names == ["mark antony"]
    assert book.name_row["antony"] == 0
    assert book.kinds == ["person"]


def test_the_kind_of_a_name_that_is_an_alias_of_another_is_its_own() -> None:
    kinds = encode_block(kinds=["person", "place"], alias_of=[0, 0])
    block = Document("n1", "", {}, {"name": ("mark antony", "antony", "antony", "mark")}, kinds)
    searcher = cast(Any, Written([block]))
    assert decode_kinds(searcher, ["antony", "mark", "zeno"]) == ["place", "person", ""]


def test_terms_and_names_of_more_than_120_characters_are_not_counted() -> None:
    long = "B" * 121
    book = [("", [f"Then {long} met Rome."])]
    assert counted("name", book) == ["rome", "vectors:"]
    assert counted("term", book) == ["met", "rome"]
    assert sorted(counted("word", book)) == [".", "<every>", "met"]


def test_the_words_right_beside_a_name_are_counted_by_it_and_by_its_kind() -> None:
    book = read(BOOK, ["rome", "carthage"], words=["ruled", "in", "seldom", EVERY])
    # "Carthage fell." opens a sentence, "with Carthage." ends one, "met Carthage in" stands inside
    assert book.beside[0] == NeighbourCounts(
        3, {"<edge>": 1, "with": 1, "met": 1}, {"fell": 1, ".": 1, "in": 1}
    )
    assert book.beside[1] == NeighbourCounts(
        3, {"ruled": 1, "<edge>": 1, "in": 1}, {".": 2, "traded": 1}
    )
    assert sorted(book.words) == ["<every>", "in", "ruled"]
    assert book.kinds == ["other", "place"]
    of_kind = dict(zip(KINDS, book.words["in"].T.tolist(), strict=True))  # before and after
    assert (of_kind["other"], of_kind["place"], of_kind["year"]) == ([0, 1], [1, 0], [1, 0])
    assert book.words["ruled"].sum(axis=1).tolist() == [1, 1]  # before Rome and after Constantine
    assert book.words[EVERY].sum(axis=1).tolist() == [9, 9]  # mentions of names and dates


def test_what_is_not_asked_for_is_not_read() -> None:
    book = read(BOOK)
    assert (book.names, book.kinds, book.term_row, book.beside, book.words) == ([], [], {}, [], {})
    assert book.at_names.shape == book.at_terms.shape == (0, 4)


def test_a_book_has_sixty_dimensions_at_most() -> None:
    assert read(
        [("", [f"Then Rome fought Carthage in {1000 + n}."]) for n in range(70)]
    ).vectors.shape == (70, 60)


def test_vectors_of_many_paragraphs_are_read_in_their_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = read(BOOK).vectors
    monkeypatch.setattr(lsa, "_BLOCK", 1)
    assert np.array_equal(read(BOOK).vectors, whole)


def test_a_term_has_its_sentences() -> None:
    book = read(BOOK, terms=["carthag", "unknown"])
    assert book.term_row == {"carthag": 0}
    assert book.at_terms.toarray().tolist() == [[0, 1, 1, 1]]


def test_a_word_with_a_capital_only_where_sentences_begin_is_no_name() -> None:
    assert "later" not in counted("name", BOOK)
    assert "traders" not in counted("name", [("", ["Traders came.", "Traders left Rome."])])


SMALL = [("", ["Rome lost the War.", *["A war began." for _ in range(20)]])]


def test_a_word_that_is_nearly_always_written_small_is_no_name() -> None:
    assert "war" not in counted("name", SMALL)
    assert "war" in counted("name", [("", SMALL[0][1][:5])])


def test_a_glossary_keeps_a_word_that_is_nearly_always_written_small() -> None:
    assert "war" in counted("name", SMALL, ["War"])


def test_both_units_hold_the_same_names(tmp_path: Path) -> None:
    text = "Rome fought Carthage. It won.\n\nThen Ashoka of India ruled.\n"
    found = []
    for unit in ("sentence", "paragraph"):
        address = index_of(tmp_path / unit, text, "--unit", unit)
        found.append(
            [(d.doc_id, d.payload, d.keys) for d in open_index(address).part("names").scan()]
        )
    assert found[0] == found[1]
    assert "ashoka" in [key for _, _, keys in found[0] for key in keys.get("name", ())]


def test_blocks_count_in_the_order_of_their_doc_ids() -> None:
    names, counted = ENGLISH.recogniser(), []
    notes = [
        passage_notes(f"p{n}", title, texts, ENGLISH.analyser(), names)
        for n, (title, texts) in enumerate(BOOK)
    ]
    for order in (notes, notes[::-1]):
        counter = NameCounter()
        for each in order:
            counter.count([each])
        counted.append(list(book_documents(counter, ENGLISH, names, ENGLISH.analyser())))
    assert counted[0] == counted[1]


def test_a_book_without_names_has_terms() -> None:
    assert counted("name", [("", ["traders came"])]) == ["vectors:"]
    assert counted("term", [("", ["traders came"])]) == ["came", "trader"]


def test_names_and_terms_of_several_documents_are_read_as_those_of_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = read(BOOK, ["ashoka", "carthage", "rome"], ["fell", "carthag"], ["in", "ruled"])
    monkeypatch.setattr(counting, "ROWS", 1)
    assert len(documents(BOOK)) > 20  # each name, term and word has a document of its own
    parted = read(BOOK, ["ashoka", "carthage", "rome"], ["fell", "carthag"], ["in", "ruled"])
    assert (parted.names, parted.beside, parted.term_row) == (
        ["ashoka", "carthage", "rome"],
        whole.beside,
        {"carthag": 0, "fell": 1},
    )
    assert np.array_equal(parted.at_names.toarray(), whole.at_names.toarray())
    assert parted.at_terms.toarray().tolist() == [[0, 1, 1, 1], [0, 0, 1, 0]]
    assert parted.words["in"].tolist() == whole.words["in"].tolist()


def test_without_names_the_part_is_not_there(tmp_path: Path) -> None:
    address = index_of(tmp_path, "Rome fought Carthage.\n", "--no-names")
    assert [part.name for part in open_index(address).metadata.parts] == ["sentences", "paragraphs"]
