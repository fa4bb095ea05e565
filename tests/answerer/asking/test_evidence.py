"""Evidence for an answer: definitions, words around a gap, forms, acronyms; computed by hand."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

from answerer.asking.candidates import expand_acronyms, read_candidates
from answerer.asking.evidence import match_of, question_pattern, validate
from answerer.asking.phrases import spans_of
from answerer.asking.ranker import calibrated_probability
from answerer.ntcir.term.candidates import retrieve
from answerer.ntcir.term.language import TermLanguage, index_language
from answerer.ntcir.term.questions import read_question
from indexer import build_textbook
from indexer.analysis.glossary import Glossary
from indexer.engines.opening import open_index
from indexer.languages.english import ENGLISH
from indexer.statistics.part import CountedTerms
from retriever.queries import analyser_of, union_query

LANGUAGE = TermLanguage(ENGLISH, Glossary())


def test_a_match_is_the_mean_of_cover_and_reverse() -> None:
    # 3 of the question's 4, 3 of the sentence's 6: √(3/4 · 1/2)
    assert match_of(3.0, 4.0, 6.0) == (0.75, 0.5, pytest.approx(math.sqrt(0.375)))
    assert match_of(0.0, 0.0, 0.0) == (0.0, 0.0, 0.0)


def test_a_question_is_read_in_the_order_of_its_answer() -> None:
    gap = question_pattern(read_question("The gland ____ makes tears.", ENGLISH), LANGUAGE)
    assert (gap.left, gap.right[:2], gap.has_gap) == (("the", "gland"), ("makes", "tears"), True)
    asked = question_pattern(read_question("What did Ellen build in Oslo?", ENGLISH), LANGUAGE)
    assert (asked.left, asked.right) == (("ellen", "build"), ("in", "oslo"))
    assert not asked.has_gap


def test_a_gap_weighs_what_its_passages_say_by_weights_of_its_own(tmp_path: Path) -> None:
    book = [{"text": "The weir at Orsa was built by Ines Holm. The ferry sank."}]
    index = open_index(build_textbook(book, tmp_path / "book", language="en").address)
    language = index_language(index)
    questions = [
        read_question(text, ENGLISH)
        for text in ("The weir at Orsa was built by ____.", "Who built the weir at Orsa?")
    ]
    retrieved = retrieve(questions, index, language.analyser)
    gap, asked = (
        next(candidate.features for candidate in read.candidates if candidate.text == "Ines Holm")
        for read in read_candidates(questions, retrieved, index, language)
    )
    assert gap["gap coverage"] == gap["coverage"] == 1.0
    assert asked["coverage"] == 1.0
    assert "gap coverage" not in asked
    # nothing is behind the gap; before it is "by", as before the name, once of 1 + 2
    assert (gap["left bigram"], gap["aligned"]) == (pytest.approx(1 / 3), 1.0)
    assert "question left bigram" not in asked


def test_what_stands_with_the_question_is_validated() -> None:
    # three sentences, each a paragraph and a section: "tear gland", "tear duct", "bone"
    at = csr_array(np.array([[1, 1, 0], [1, 0, 0], [0, 0, 1]]))
    ones = np.ones(3, np.int64)
    counted = CountedTerms({"tear": 0, "gland": 1, "bone": 2}, at, ones * 2, ones, ones)
    gland, bone, none = validate([["gland"], ["bone"], ["unknown"]], {"tear": 1.0}, counted)
    assert gland["ranks sentence"] == pytest.approx(1 / 3)  # the best sentence, of three
    assert bone["ranks sentence"] == 0.0
    assert (gland["reverse paragraph"], bone["reverse paragraph"]) == (1.0, 0.0)
    assert (gland["section"], bone["section"]) == (1.0, 0.0)
    assert none == {}


@pytest.mark.parametrize(
    ("sentence", "answer", "not_answer"),
    [
        ("They met on 12 May 1705 in Leeds.", "12 May 1705", "1705"),
        ("Some 68,511 settlers came.", "68,511", "68"),
        ("She sailed with Robert Lane and Benjamin Vail.", "Robert Lane and Benjamin Vail", "and"),
        ("It is named Bertrand's postulate.", "Bertrand's postulate", "'s postulate"),
        ("Some 7 to 10 percent left.", "7 to 10 percent", "7 to"),
        ("The storm—a long one—ended.", "storm", "storm—"),
    ],
)
def test_an_answer_is_a_whole_phrase(sentence: str, answer: str, not_answer: str) -> None:
    texts = [span.text for span in spans_of(sentence, LANGUAGE)]
    assert answer in texts
    assert not_answer not in texts


def test_an_acronym_is_read_as_the_book_explains_it(tmp_path: Path) -> None:
    book = [
        {"text": "The League was weak. In 1945 the United Nations (UN) took its place."},
        {"text": "The UN has a council. The Upper Nile is a river."},
    ]
    index = open_index(build_textbook(book, tmp_path / "book", language="en").address)
    read = expand_acronyms(
        read_question("When did the UN begin?", ENGLISH), index, index_language(index)
    )
    assert [text for text, _ in read.texts] == ["When did the UN begin?", "United Nations"]


def test_numbers_in_words_and_digits_meet_and_numbers_of_sections_do_not(tmp_path: Path) -> None:
    book = tmp_path / "book.html"
    book.write_text("<h2>3.16 Mills</h2><p>The old mill has sixteen sails.</p>", "utf-8")
    build_textbook([str(book)], str(tmp_path / "index"))
    index = open_index(str(tmp_path / "index"))
    hits = index.part("sentences").search([union_query(analyser_of(index).terms("16"))], 10)[0]
    assert [hit.document.text for hit in hits] == ["The old mill has sixteen sails."]


def test_odds_become_a_probability() -> None:
    plain = {"slope": 1.0, "intercept": 0.0}
    assert calibrated_probability(0.5, plain, {"coverage": 1.0}) == 0.5
    assert calibrated_probability(0.8, plain, {"gap": 1.0}) == 0.8
    # log odds ln 3, which are .75
    learned = {"slope": 1.0, "intercept": 0.0, "gap": math.log(3), "coverage": 2 * math.log(3)}
    assert calibrated_probability(0.5, learned, {"gap": 1.0}) == pytest.approx(0.75)
    assert calibrated_probability(0.5, learned, {"coverage": 0.5}) == pytest.approx(0.75)
