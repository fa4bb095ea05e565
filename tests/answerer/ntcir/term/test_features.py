"""Signals of term candidates, computed by hand on a book of six short paragraphs."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from answerer.ntcir.term.candidates import TermCandidate, find_candidates, retrieve
from answerer.ntcir.term.language import TermLanguage, index_language
from answerer.ntcir.term.questions import TermQuestion, analyse, query_terms
from answerer.ntcir.term.ranking import (
    ASKED,
    ASSOCIATION,
    GAP,
    HAND,
    KINDS_IN_BOOK,
    rank_candidates,
    set_text_features,
    weights_of,
)
from indexer.engines.contract import Index
from indexer.engines.opening import open_index
from indexer.languages.english import ENGLISH
from indexer.sources.textbook.build import command as index_textbook
from tests.books import index_of
from tests.programs import invoked

_BOOK = [
    "The emperor Trajan conquered Dacia.",
    "The emperor Nero burned Rome.",
    "Later Trajan ruled Dacia.",
    "Cicero spoke in Rome.",
    "Virgil sang of farms.",
    "Horace sang of wine.",
]


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Index:
    lines = [
        json.dumps({"id": f"b{n}", "title": "Rome", "text": text}) for n, text in enumerate(_BOOK)
    ]
    address = index_of(
        tmp_path_factory.mktemp("book"), "\n".join(lines), "--language", "en", name="book.jsonl"
    )
    return open_index(address, "textbook", ENGLISH)


@pytest.fixture(scope="module")
def english(book: Index) -> TermLanguage:
    return index_language(book)


def _question(text: str) -> TermQuestion:
    return analyse("q", ENGLISH, ((text, 1.0),))


def _candidates(
    book: Index, english: TermLanguage, question: TermQuestion
) -> dict[str, TermCandidate]:
    (retrieved,) = retrieve([question], book, english.analyser)
    found = find_candidates(question, retrieved, english)
    set_text_features(question, found, english)
    return {candidate.text: candidate for candidate in found}


def test_the_terms_of_the_heaviest_text_count_and_requests_do_not(english: TermLanguage) -> None:
    question = analyse(
        "q", ENGLISH, (("Write the name of the emperor.", 1.0), ("The emperor took Dacia.", 0.3))
    )
    assert query_terms(question, english.analyser) == {"emperor": 1.0, "took": 0.3, "dacia": 0.3}


def test_what_the_question_names_is_no_candidate(book: Index, english: TermLanguage) -> None:
    found = _candidates(book, english, _question("Which emperor conquered Dacia?"))
    assert set(found) == {"Trajan", "Nero", "Rome"}


def test_coverage_is_the_share_of_the_question_s_idf_in_the_sentence(
    book: Index, english: TermLanguage
) -> None:
    found = _candidates(book, english, _question("Which emperor conquered Dacia?"))
    # six sentences; emperor and dacia stand in two, conquer in one
    twice, once = math.log(1 + (6 - 2 + 0.5) / (2 + 0.5)), math.log(1 + (6 - 1 + 0.5) / (1 + 0.5))
    assert found["Trajan"].features["coverage"] == pytest.approx(1.0)
    assert found["Nero"].features["coverage"] == pytest.approx(twice / (twice + once + twice))


def test_the_best_candidate_stands_first_with_the_passage_it_comes_from(
    book: Index, english: TermLanguage
) -> None:
    (ranked,) = rank_candidates([_question("Which emperor conquered Dacia?")], book, english)
    assert ranked[0].text == "Trajan"
    assert ranked[0].best.text == _BOOK[0]
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)


def test_a_question_of_unknown_words_has_no_candidates(book: Index, english: TermLanguage) -> None:
    assert rank_candidates([_question("Qwxyz zzyzx?")], book, english) == [[]]


def test_the_whole_book_is_asked_as_for_the_names_of_an_exam(
    book: Index, english: TermLanguage
) -> None:
    (ranked,) = rank_candidates([_question("Which emperor conquered Dacia?")], book, english)
    found = {one.text: one.features for one in ranked}
    # one section of six paragraphs; Dacia is the question's name: Trajan 2, Nero 1, together 2 and
    # 0, so by windows of a sentence each log((2 + .4) / (2 * 2 / 6 + .4)) and log((0 + .4) / (1 * 2
    # / 6 + .4))
    assert found["Trajan"]["beside names"] == pytest.approx(math.log(2.4 / (4 / 6 + 0.4)), abs=1e-4)
    assert found["Nero"]["beside names"] == pytest.approx(math.log(0.4 / (2 / 6 + 0.4)), abs=1e-4)
    # the best paragraph of all names Trajan
    assert found["Trajan"]["best paragraph"] == 0.0 > found["Nero"]["best paragraph"]
    assert found["Trajan"]["found with"] > 0 > found["Nero"]["found with"]


def test_a_name_of_the_book_is_of_the_kind_that_the_book_shows(
    book: Index, english: TermLanguage
) -> None:
    (ranked,) = rank_candidates([_question("Who conquered Dacia in Rome?")], book, english)
    found = {one.text: [one.features[name] for name in KINDS_IN_BOOK] for one in ranked}
    # The emperor Trajan: a person, as asked
    assert found["Trajan"] == [1.0, 1.0, 0.0]
    (ranked,) = rank_candidates([_question("Where did the emperor of Dacia rule?")], book, english)
    found = {one.text: [one.features[name] for name in KINDS_IN_BOOK] for one in ranked}
    assert found["Nero"] == [1.0, 0.0, 1.0]


def test_an_index_without_names_leaves_the_signals_of_the_book_0(tmp_path: Path) -> None:
    (tmp_path / "book.jsonl").write_text(
        json.dumps({"id": "b", "title": "Rome", "text": _BOOK[0]}), "utf-8"
    )
    arguments = [
        str(tmp_path / "book.jsonl"),
        "--index",
        str(tmp_path / "index"),
        "--language",
        "en",
        "--no-names",
    ]
    invoked(index_textbook, *arguments)
    index = open_index(str(tmp_path / "index"), "textbook", ENGLISH)
    (ranked,) = rank_candidates(
        [_question("Which emperor conquered Dacia?")], index, index_language(index)
    )
    assert [one.text for one in ranked] == ["Trajan"]
    assert {ranked[0].features[name] for name in (*ASSOCIATION, *KINDS_IN_BOOK)} == {0.0}


def test_a_gap_has_weights_of_its_own() -> None:
    assert weights_of(_question("Which emperor conquered Dacia?")) is ASKED
    assert weights_of(_question("The emperor ____ conquered Dacia.")) is GAP
    assert list(ASKED) == list(GAP)
    assert set(HAND) | set(ASSOCIATION) | set(KINDS_IN_BOOK) < set(GAP)
