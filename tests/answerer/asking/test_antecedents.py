"""What a sentence says without the question's word: a name by a pronoun, a verb in the past."""

from __future__ import annotations

from pathlib import Path

import pytest

from answerer.asking.antecedents import antecedents, in_past
from answerer.ntcir.term.candidates import retrieve
from answerer.ntcir.term.language import index_language
from answerer.ntcir.term.questions import read_question
from indexer import build_textbook
from indexer.engines.contract import Index
from indexer.engines.opening import open_index
from indexer.languages.english import ENGLISH

TEXT = (
    "Siri Aune drew maps of the coast. She sold forty of them. In 1803 she sold the press to Per "
    "Moe. The harbour was deep. It sold salt."
)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Index:
    place: Path = tmp_path_factory.mktemp("antecedents") / "book"
    documents = [{"title": "Maps", "text": TEXT}]
    return open_index(build_textbook(documents, place, language="en").address)


def meant_in(book: Index, text: str) -> dict[str, dict[str, list[tuple[int, int]]]]:
    language = index_language(book)
    question = read_question(text, language.language)
    (retrieved,) = retrieve([question], book, language.analyser)
    return antecedents(question, retrieved, book, language)


def test_a_pronoun_stands_for_the_name_of_the_sentence_before(book: Index) -> None:
    meant = meant_in(book, "How many maps were sold by Siri Aune?")
    she = {"siri": [(0, 3)], "aun": [(0, 3)]}
    assert meant["She sold forty of them."] == she


def test_a_chain_of_pronouns_goes_back_to_the_name(book: Index) -> None:
    meant = meant_in(book, "How many maps were sold by Siri Aune?")
    assert meant["In 1803 she sold the press to Per Moe."]["aun"] == [(8, 11)]


def test_a_pronoun_behind_another_subject_does_not_stand_for_the_name(book: Index) -> None:
    assert "It sold salt." not in meant_in(book, "How many maps were sold by Siri Aune?")


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("When did Siri Aune sell the press?", "When did Siri Aune sold the press?"),
        ("When did Siri Aune die?", "When did Siri Aune died?"),
        ("When did Siri Aune show the maps?", "When did Siri Aune show the maps?"),
        ("Did Siri Aune sell the press?", "Did Siri Aune sell the press?"),
    ],
)
def test_the_verb_behind_did_is_looked_for_in_the_past(asked: str, read: str) -> None:
    assert in_past(read_question(asked, ENGLISH)).text == read
