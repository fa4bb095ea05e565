"""What a person types is read as the question that it means; names as the book writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from answerer.asking.textbook import ask_textbook
from answerer.asking.wording import declared, plain_question
from indexer.api import build_textbook
from indexer.engines.contract import Index
from indexer.engines.opening import open_index


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Could you tell me who built the mill?", "who built the mill?"),
        ("Hi, who built the mill?", "who built the mill?"),
        ("Who built the mill, please?", "Who built the mill?"),
        ("Okay, so who built the mill? Thank you!", "who built the mill"),
        ("I would like to know when the mill burned", "when the mill burned"),
        ("Can you tell me what osmosis is?", "what is osmosis?"),
        ("Do you know where Ann Holm was born?", "where was Ann Holm born?"),
        ("Do you know whether the mill burned?", "Is it true that the mill burned?"),
        ("can u tell me who built the mill plz", "who built the mill"),
        ("Ok Google, who built the mill?", "who built the mill?"),
        ("Briefly explain osmosis", "explain osmosis"),
        ("Could you explain osmosis?", "explain osmosis?"),
        ("osmosis", "What is osmosis?"),
        ("did the mill burn", "did the mill burn?"),
        ("capital of Peru", "What is the capital of Peru?"),
        ("the treaty that ended the war", "What is the treaty that ended the war?"),
        ("3. Who built the mill?", "Who built the mill?"),
        ("founder of Lund", "Who was the founder of Lund?"),
        ("Ann Holm's husband", "Who was Ann Holm's husband?"),
        ("ann holm date of birth", "When was ann holm born?"),
        ("Bo's birthday", "When was Bo born?"),
        ("What is the birthplace of Ann Holm?", "Where was Ann Holm born?"),
        ("lund mill fire date", "When was lund mill fire?"),
        ("What is a date?", "What is a date?"),
        ("What is a blind date?", "What is a blind date?"),
        ("Any idea who built the mill?", "who built the mill?"),
        ("Who’s the owner of the mill?", "Who is the owner of the mill?"),
        ("whats a tympan", "what is a tympan"),
        ("Could you tell me what's osmosis?", "what is osmosis?"),
        ("Can you tell me the owner of the mill?", "Name the owner of the mill?"),
        ("Please give me the owner of the mill", "Name the owner of the mill"),
        ("I'm looking for the owner of the mill", "Name the owner of the mill"),
        ("Do you know the capital of Peru?", "Name the capital of Peru?"),
        ("Name three rivers", "Name three rivers"),
        ("State the law of inertia", "Name the law of inertia"),
        ("The mill burned, right?", "Is it true that The mill burned?"),
        ("Ann was a smith, wasn't she?", "Is it true that Ann was a smith?"),
        ("The capital of Peru is …", "What is the capital of Peru?"),
        ("Can you tell me the date of birth of Ann Holm?", "When was Ann Holm born?"),
        ("Did the mill burn or not?", "Did the mill burn?"),
        ("Does the book say who built the mill?", "who built the mill?"),
        ("What does the book say about osmosis?", "Tell me about osmosis?"),
        # whole questions, sentences, gaps and other scripts stay
        ("Which number is prime or not?", "Which number is prime or not?"),
        ("Information on mills is in which book?", "Information on mills is in which book?"),
        ("Is the mill old, right?", "Is the mill old, right?"),
        ("There is the mill: where it is?", "There is the mill: where it is?"),
        ("Who's been at the mill?", "Who's been at the mill?"),
        ("Where is Doctor Who's box?", "Where is Doctor Who's box?"),
        ("state capital of Georgia", "What is the state capital of Georgia?"),
        ("Do you know the mill?", "Do you know the mill?"),
        ("Did the mill burn?", "Did the mill burn?"),
        ("The mill burned in 1830", "The mill burned in 1830"),
        ("____ built the mill", "____ built the mill"),
        ("in what year the mill burned", "in what year the mill burned"),
        ("タージ・マハルを建てたのは誰ですか", "タージ・マハルを建てたのは誰ですか"),
        ("", ""),
    ],
)
def test_the_question_that_is_meant(typed: str, meant: str) -> None:
    assert plain_question(typed) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Ann built the mill?", "Ann built the mill."),
        ("Did Ann build the mill?", "Did Ann build the mill?"),
        ("The mill was built by whom?", "The mill was built by whom?"),
        ("The mill was built by?", "The mill was built by?"),
        ("Ann built ____?", "Ann built ____?"),
        ("Ann built the mill.", "Ann built the mill."),
    ],
)
def test_a_statement_with_a_question_mark_is_a_statement(typed: str, meant: str) -> None:
    assert declared(typed) == meant


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Index:
    texts = (
        "The Second World War began in 1939. World War I had ended in 1918.",
        "Selective tidal pump reviews (STPRs) ended. The Guild of Oar Makers (GOM) met. Marcus Holm sang in 44 B.C. "
        "Tenochtitlán had a population of 200,000 people. Temeh was a land of the south.",
    )
    folder: Path = tmp_path_factory.mktemp("wording")
    documents = [{"id": str(number), "text": text} for number, text in enumerate(texts)]
    return open_index(build_textbook(documents, folder / "book", language="en").address)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When did WW2 begin?", "1939"),
        ("When did the First World War end?", "1918"),
        ("population of tenochtitlan", "200,000 people"),
        ("who sang in 44 bc", "Marcus Holm"),
        ("what does GOM stand for", "Guild of Oar Makers"),
        ("What is STPR short for?", "Selective tidal pump reviews"),
        ("Who sang in 44 B.C. and when did the war begin?", "Marcus Holm"),
    ],
)
def test_the_answer_in_the_words_of_the_book(question: str, answer: str, book: Index) -> None:
    assert ask_textbook(question, book, 1, evidence=False).answers[0].text == answer


def test_a_name_with_another_first_letter_is_not_a_slip_of_the_pen(book: Index) -> None:
    assert "read as" not in ask_textbook("Who was Warcus?", book, 1, evidence=False).doubt


def test_a_name_of_other_length_is_not_a_slip_of_the_pen(book: Index) -> None:
    assert ask_textbook("Who was Tecumseh?", book, 1, evidence=False).answers == ()
