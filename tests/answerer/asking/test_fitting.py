"""Open questions of a short chapter: the answer is of the kind that is asked for, of the sentence
with the question's verb, and doubted where a name is missing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from answerer.asking.command import ask
from answerer.asking.doubts import unfit
from answerer.asking.fitting import fits
from answerer.asking.rules import first_with_verb
from answerer.ntcir.term.candidates import Retrieval, TermCandidate
from answerer.ntcir.term.entity_types import Shape, Span
from answerer.ntcir.term.language import index_language
from answerer.ntcir.term.questions import read_question
from indexer import build_textbook
from indexer.engines.contract import Index
from indexer.engines.opening import open_index
from indexer.languages.english import ENGLISH
from retriever.passages import Passage
from retriever.queries import union_query

TEXTS = {
    "1 The weaver": "Ane Holte sold her looms in 1741. She ran the mill of Brenna from 1725. "
    "The council gave Ane Holte a small house in 1748. She died in Brenna on 7 May 1752. The "
    "town lost its bridge in 1760.",
    "2 The dyes": "The plants were madder, safflower and orchil. Wool takes up a red dye slowly. "
    "Madder is a plant that gives a red dye. Two dyers worked at each vat in Brenna. Forty vats were heated for nine days.",
}


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Index:
    documents = [{"title": title, "text": text} for title, text in TEXTS.items()]
    place = tmp_path_factory.mktemp("fitting") / "book"
    return open_index(build_textbook(documents, place, language="en").address)


def candidate(sentence: str, text: str) -> TermCandidate:
    start = sentence.index(text)
    shape: Shape = "number" if text.startswith("fifty") else "name"
    span = Span(text, start, start + len(text), shape, "")
    return TermCandidate(text, span, Passage("b-1-1", "b-1", "", sentence, 1.0, 1.0))


@pytest.mark.parametrize(
    ("question", "sentence", "text", "right"),
    [
        ("Who opened the first inn?", "The first inn was opened in Brenna by Ola Vik.", "Brenna", False),
        ("Who opened the first inn?", "The first inn was opened in Brenna by Ola Vik.", "Ola Vik", True),
        ("Who printed the paper?", "The newspaper, called Argus, was printed by Ola Vik.", "Argus", False),
        ("Who built the mill?", "A boy called Ola Vik built the mill.", "Ola Vik", True),
        ("Who built the mill?", "The news had reached Norway late.", "reached Norway", False),
        ("Where was the paper printed?", "The paper, called Argus, was printed near Brenna.", "Argus", False),
        ("Where was the paper printed?", "The paper, called Argus, was printed near Brenna.", "Brenna", True),
        ("Where was Ola Vik buried?", "The church of his grave, St Olav, is lost.", "St Olav", True),
        ("Who owned the mill?", "The Water Act owned the mill.", "Water Act", False),
        ("The mill was owned by whom?", "The Water Act owned the mill.", "Water Act", False),
        ("Who built the mill?", "The mill was built by Ola (also called Olav) Vik.", "Olav", True),
        ("Who married Ola Vik?", "In 1612 Ola (also called Olav) married.", "Olav", False),
        ("How old was Ola Vik?", "Ola Vik was fifty years old.", "fifty years", True),
        ("How old was Ola Vik?", "Ola Vik fell fifty feet.", "fifty feet", False),
        ("At what age did Ola Vik die?", "Ola Vik fell fifty feet.", "fifty feet", False),
        ("How long did the fair last?", "The fair had fifty stalls.", "fifty stalls", False),
        ("How far is the mill?", "The mill has fifty stalls.", "fifty stalls", False),
        ("How far is the mill?", "The mill is fifty miles off.", "fifty miles", True),
        ("How many sons had Ola Vik?", "In fifty years he built two mills.", "fifty years", False),
        ("How many years did Ola Vik build?", "In fifty years he built two mills.", "fifty years", True),
    ],
)  # fmt: skip
def test_a_candidate_fits_what_is_asked(
    book: Index, question: str, sentence: str, text: str, right: bool
) -> None:
    language = index_language(book)
    read = read_question(question, language.language)
    assert fits(candidate(sentence, text), read, language) == right


def test_the_sentence_with_the_verb_answers_by_its_pronoun(book: Index) -> None:
    assert ask("When did Ane Holte die?", book).answers[0].text == "7 May 1752"


@pytest.mark.parametrize(("person", "answer"), [("Ane Holte", "7 May 1752"), ("Per Lind", "1741")])
def test_a_pronoun_names_who_is_in_the_sentences_before(
    book: Index, person: str, answer: str
) -> None:
    language = index_language(book)
    (hits,) = book.part("paragraphs").search([union_query(language.terms("Brenna looms"))], 1)
    first = candidate(f"{person} came in 1741.", "1741")
    dead = candidate("She died in Brenna on 7 May 1752.", "7 May 1752")
    dead = replace(dead, best=dead.best._replace(paragraph=hits[0].doc_id))
    question = read_question(f"When did {person} die?", language.language)
    best = first_with_verb([first, dead], question, book, language) or first
    assert best.text == answer


def test_three_that_are_asked_for_are_those_of_one_series(book: Index) -> None:
    reply = ask("Which three plants give the red dye?", book)
    assert [answer.text for answer in reply.answers] == ["madder", "safflower", "orchil"]


def test_a_name_that_the_book_lacks(book: Index) -> None:
    reply = ask("When did Ane Holte sell her looms in Portugal?", book)
    assert (reply.answers, reply.doubt) == ((), "the book does not mention Portugal")


def test_a_name_of_several_words_is_said_whole(book: Index) -> None:
    doubt = ask("When did Ane Holte sell her looms to Tordis Berit Moe?", book).doubt
    assert doubt == "the book does not mention Tordis Berit Moe"


def test_a_name_that_the_passage_lacks(book: Index) -> None:
    doubt = ask("How many vats were heated for days in Holte?", book).doubt
    assert doubt == "the passage does not mention Holte"


def test_a_number_of_other_things_is_doubted(book: Index) -> None:
    reply = ask("How many helpers worked at each vat?", book)
    assert reply.doubt == "“Two dyers” may not count what is asked"


def test_a_number_of_the_place_that_is_named(tmp_path: Path) -> None:
    documents = [
        {"title": "Mills", "text": "By 1760 about 90 mills were at work in Brenna."},
        {"title": "A table", "text": "Town: Sunde; Reeve: Ola Vik; Mills in 1760: 12"},
        {"title": "Rain", "text": "It rained."},
    ]
    built = build_textbook(documents, tmp_path / "book", language="en")
    reply = ask("How many mills were at work in Sunde in 1760?", open_index(built.address))
    assert reply.answers[0].text == "12"


def test_a_longer_name_of_the_person_who_asks_is_doubted(book: Index) -> None:
    found = candidate("Ane Holte taught Per.", "Ane Holte")
    language, question = index_language(book), read_question("Holte was taught by whom?", ENGLISH)
    doubt = unfit(question, found, Retrieval({}, {}, []), language)
    assert doubt == "“Ane Holte” may be the Holte of the question"
