"""The title that a question states whole, and what it does to the pool."""

from __future__ import annotations

import json

import pytest

from answerer.ntcir.essay.candidates import (
    CandidateSentence,
    EssayQuestion,
    find_candidates,
    named_title,
    shortlist,
)
from indexer import build_textbook
from indexer.engines.opening import open_index
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language
from retriever.queries import analyser_of


@pytest.mark.parametrize(
    ("language", "asked", "titles", "named"),
    [
        (
            ENGLISH,
            "The Roman Republic. Discuss its laws.",
            ("Rome", "The Roman Republic", "The Roman Empire"),
            True,
        ),
        (
            ENGLISH,
            "Explain the trade of Rome.",
            ("Trade", "Roman Trade"),
            False,
        ),  # not as it is written
        (ENGLISH, "Explain Romanticism.", ("Roman",), False),  # no whole word
        (ENGLISH, "Explain the Qing.", ("", "The"), False),  # a title without terms names nothing
        (ENGLISH, "The Seven Years War in Asia.", ("The Seven Years War in Asia", "Asia"), True),
        (
            JAPANESE,
            "フランスの歴史について、300字以内で説明しなさい。",
            ("フランス", "フランスの歴史"),
            True,
        ),
        (JAPANESE, "日本語について説明しなさい。", ("日本",), False),
    ],
)
def test_the_longest_title_that_is_stated_whole(
    language: Language, asked: str, titles: tuple[str, ...], named: bool
) -> None:
    found = named_title(asked, titles, language.analyser())
    assert found == (max(titles, key=len) if named else "")


BOOK = [
    ("Rome", "Rome fought Carthage for the sea and its trade."),
    ("Rome", "Senators kept many large farms."),
    ("Carthage", "Carthage traded along the coast of the sea. Rome feared the trade of Carthage."),
    ("Carthage", "Its fleet sailed far for tin and for the trade of Rome."),
]


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("book")
    lines = [json.dumps({"title": title, "text": text}) for title, text in BOOK]
    (folder / "book.jsonl").write_text("\n".join(lines))
    build_textbook(folder / "book.jsonl", folder / "index", language="en")
    return str(folder / "index")


@pytest.mark.parametrize(
    ("asked", "titles", "section"),
    [
        (
            "Rome. Discuss its trade by sea with Carthaginians.",
            ["Rome", "Rome", "Carthage", "Carthage", "Carthage"],
            0,
        ),
        ("Discuss the trade by sea.", ["Rome", "Carthage", "Carthage", "Carthage"], 2),
    ],
)
def test_a_named_title_brings_its_whole_section(
    book: str, asked: str, titles: list[str], section: int
) -> None:
    """The sentence on farms has no word of the question. Without a name the title that scores best
    is the section."""
    index = open_index(book)
    words = analyser_of(index)
    terms = dict.fromkeys(words.terms(asked), 1.0)
    (pool,) = find_candidates(index, [EssayQuestion(terms, (), asked)], words)
    index.close()
    assert [one.title for one in pool.candidates] == titles
    assert pool.section == tuple(
        tuple(words.terms(text)) for _, text in BOOK[section : section + 2]
    )


def found(number: int, title: str, score: float) -> CandidateSentence:
    return CandidateSentence(
        doc_id=f"d{number:03d}",
        source_id="s",
        paragraph="p",
        title=title,
        text="A.",
        terms=("a", "b", "c"),
        position=0,
        sentence_score=score,
        paragraph_score=score,
    )


@pytest.mark.parametrize(
    ("title", "named", "first"),
    [("Carthage", "Carthage", True), ("Carthage", "", False), ("", "", False)],
)
def test_sentences_of_the_named_title_are_shortlisted_first(
    title: str, named: str, first: bool
) -> None:
    """A sentence without a title is not under the title that nobody named."""
    many = [found(number, "Rome", 1.0) for number in range(80)]
    weak = found(80, title, 0.0)
    assert (weak in shortlist([*many, weak], EssayQuestion({}, ()), named)) is first
