"""Which paragraphs are like a question's section."""

from __future__ import annotations

import json
from math import log
from pathlib import Path

import pytest

from answerer.ntcir.essay.candidates import SIMILAR, EssayQuestion, find_candidates, of_other_titles, similar_query
from indexer import build_textbook
from indexer.address import open_index
from indexer.document import Document
from indexer.engines.contract import ScoredDocument
from retriever.queries import analyser_of


def test_the_query_holds_the_question_five_times_as_heavy_and_the_sections_terms() -> None:
    section = (("tea", "tax", "tax"), ("tax", "unknown"))
    query = similar_query(EssayQuestion({"tea": 0.5, "canal": 1.0}, ()), section, {"tea": 1, "tax": 3}, 10)
    weights = {term.term: term.weight for term in query.terms}
    assert weights == {"tea": 5 * 0.5 + 1, "canal": 5.0, "tax": pytest.approx(1 + log(3))}


def test_of_a_long_section_the_terms_that_tell_most_stand_in_the_query() -> None:
    # 41 terms once each: the one in every paragraph tells least; of equals the last in order of code points goes.
    words = [f"w{number:02d}" for number in range(41)]
    common = similar_query(EssayQuestion({}, ()), (tuple(words),), {**dict.fromkeys(words, 1), "w00": 9}, 9)
    equal = similar_query(EssayQuestion({}, ()), (tuple(words),), dict.fromkeys(words, 1), 9)
    assert [term.term for term in common.terms] == words[1:]
    assert [term.term for term in equal.terms] == words[:-1]


@pytest.mark.parametrize(("title", "kept"), [("Tea", ["b"]), ("", ["a", "b", "c"])])
def test_paragraphs_of_the_section_itself_are_not_like_it(title: str, kept: list[str]) -> None:
    found = {"a": "Tea", "b": "Coffee", "c": "Tea"}
    hits = [ScoredDocument(key, 1.0, Document(key, "", {}, {"title": (one,)})) for key, one in found.items()]
    assert [document.doc_id for document in of_other_titles(hits, title)] == kept


def test_no_more_than_so_many_are_kept() -> None:
    hits = [ScoredDocument(str(number), 1.0, Document(str(number), "", {}, {})) for number in range(SIMILAR + 1)]
    assert [document.doc_id for document in of_other_titles(hits, "Tea")] == [str(number) for number in range(SIMILAR)]


BOOKS = {
    "en": [
        ("Rome", "Rome fought Carthage for the sea and its trade."),
        ("Carthage", "Carthage feared the trade of Rome."),
    ],
    "ja": [
        ("ローマ", "ローマは海と貿易をめぐりカルタゴと戦った。"),
        ("カルタゴ", "カルタゴはローマの貿易を恐れた。"),
        ("カルタゴ", "船は遠く錫を求めた。"),
    ],
}


@pytest.mark.parametrize(
    ("language", "asked", "alike"),
    [("ja", "ローマについて、貿易を中心に述べよ。", [1]), ("en", "Rome. Discuss its trade.", [])],
)
def test_paragraphs_alike_are_of_another_title_with_words_of_the_section(
    tmp_path: Path, language: str, asked: str, alike: list[int]
) -> None:
    """Of the Japanese book the ships have no word in common with Rome; in English nothing asks for such paragraphs."""
    book = BOOKS[language]
    lines = [json.dumps({"title": title, "text": text}) for title, text in book]
    (tmp_path / "book.jsonl").write_text("\n".join(lines))
    build_textbook(tmp_path / "book.jsonl", tmp_path / "index", language=language)
    index = open_index(str(tmp_path / "index"))
    words = analyser_of(index)
    (pool,) = find_candidates(index, [EssayQuestion(dict.fromkeys(words.terms(asked), 1.0), (), asked)], words)
    index.close()
    assert pool.similar == tuple(frozenset(words.terms(book[number][1])) for number in alike)
