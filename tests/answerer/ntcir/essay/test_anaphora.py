"""Sentences that lean on the ones before them come with these, or are not taken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from answerer.formats.length_limit import Limit
from answerer.ntcir.essay.candidates import (
    EssayQuestion,
    find_candidates,
    preceding_sentences,
)
from answerer.ntcir.essay.concepts import essay_model
from answerer.ntcir.essay.language import essay_language
from answerer.ntcir.essay.writing import METHODS, write_essays
from indexer import build_textbook
from indexer.engines.opening import open_index
from indexer.languages.chinese import CHINESE
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language
from retriever.queries import analyser_of

OWN = essay_language(ENGLISH)


@pytest.mark.parametrize(
    ("language", "text", "leaning"),
    [
        (ENGLISH, "It fell to Murad.", True),
        (ENGLISH, "To combat these problems, the court raised taxes.", True),
        (ENGLISH, "Five years later, the war ended.", True),
        (ENGLISH, "When he returned, the city was gone.", True),
        (ENGLISH, "The following spring brought a famine.", True),
        (ENGLISH, "Those who paid the tax were spared.", False),
        (ENGLISH, "Trade in goods such as salt grew.", False),
        (ENGLISH, "Both Athens and Sparta lost.", False),
        (ENGLISH, "However, Rome fell.", False),  # its opening is left off
        (
            ENGLISH,
            "Italy was united in 1861, and this pleased Cavour.",
            False,
        ),  # what it points to stands in it
        (JAPANESE, "その後にはローマが栄えた。", True),
        (JAPANESE, "5年後にはさらに三国が加わった。", True),
        (JAPANESE, "同年に条約が結ばれた。", True),
        (JAPANESE, "中でもローマは栄えた。", True),
        (JAPANESE, "なかでもローマは栄えた。", True),
        (JAPANESE, "中東でも反乱が起きた。", False),
        (JAPANESE, "しかし、ローマは滅びた。", False),
        (JAPANESE, "ローマ帝国は395年に分裂した。", False),
        (CHINESE, "他于次年去世。", True),
        (CHINESE, "罗马帝国分裂。", False),
    ],
)
def test_what_points_back_is_told(language: Language, text: str, leaning: bool) -> None:
    assert essay_language(language).depends_on_previous(text) is leaning


TEXTS = {
    "p-001": "Rome grew.",
    "p-002": "It fought Carthage.",
    "p-003": "These wars were long.",
    "p-004": "They cost much.",
    "q-001": "It fell.",
    "q-002": "Did it?",
    "q-003": "It did.",
}


@pytest.mark.parametrize(
    ("doc_id", "before"),
    [
        ("p-001", ()),
        ("p-002", ("Rome grew.",)),
        ("p-003", ("Rome grew.", "It fought Carthage.")),
        ("p-004", None),  # its chain begins more than three sentences back
        ("q-001", None),  # nothing is before it
        ("q-003", None),  # a question is no sentence of an essay
    ],
)
def test_what_it_leans_on_is_followed_to_a_sentence_that_stands_by_itself(
    doc_id: str, before: tuple[str, ...] | None
) -> None:
    assert preceding_sentences(doc_id, TEXTS[doc_id], TEXTS, OWN) == before


def test_what_it_leans_on_may_be_missing() -> None:
    assert preceding_sentences("p-002", TEXTS["p-002"], {}, OWN) is None


@pytest.mark.parametrize("method", METHODS)
def test_an_essay_takes_a_leaning_sentence_with_the_one_before_and_neither_twice(
    method: str, tmp_path: Path
) -> None:
    book = tmp_path / "book.jsonl"
    text = "The canal joined two seas in the desert. It made the canal company of Suez rich and shares dear."
    book.write_text(
        json.dumps({"text": text})
        + "\n"
        + json.dumps({"text": "They sold the Suez canal shares."})
        + "\n"
    )
    build_textbook(book, tmp_path / "index", language="en")
    index = open_index(str(tmp_path / "index"))
    analyser, (model, _) = analyser_of(index), essay_model(None, ENGLISH)
    asked = EssayQuestion(dict.fromkeys(analyser.terms("Suez canal shares company"), 1.0), ())
    (pool,) = find_candidates(index, [asked], analyser)
    index.close()
    assert [one.before for one in pool.candidates] == [
        (),
        ("The canal joined two seas in the desert.",),
        None,
    ]
    tasks = [(pool, Limit(100, "words")), (pool, Limit(10, "words"))]
    essays = write_essays(tasks, analyser, model, method)
    assert [essay.text for essay in essays] == [text, text.split(". ")[0] + "."]
