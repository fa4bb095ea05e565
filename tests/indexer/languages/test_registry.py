"""The languages: told by their letters, asked for by their codes, and nowhere else told apart."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from indexer.files.errors import UserError
from indexer.languages.chinese import CHINESE
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language
from indexer.languages.registry import LANGUAGES, detect_language, offered_for
from tests.places import ROOT

ROOMS = ("indexer", "retriever", "answerer", "evaluation")
_LANGUAGE = r"(?:\b(?:ENGLISH|JAPANESE|CHINESE)\b|[\"'](?:en|ja|zh)[\"'])"
TEST = re.compile(
    rf"(?:[=!]=|\bis|\bis not|\bin|\bcase)\s*[(\[{{]?\s*{_LANGUAGE}|{_LANGUAGE}[ \t]*(?:[=!]=|:"
    rf"|\bin\b|\bif\b)"
)
"""Code that tests a language: compares one, or keeps something by language (`ENGLISH: …`)."""

TESTING = {
    "answerer/asking/command.py",
    "answerer/formats/exam/parts.py",
    "answerer/ntcir/essay/language.py",
    "answerer/asking/ranker.py",
    "answerer/ntcir/claims/coverage.py",
    "answerer/ntcir/claims/verdict.py",
    "answerer/ntcir/multiple_choice/validation/amounts.py",
    "answerer/serve/choosing.py",
    "evaluation/tasks/datasearch_qa.py",
    "indexer/files/charset.py",
    "indexer/sources/datasets/encodings.py",
    "retriever/collection.py",
}
"""The only files that may: one a room's subject. What differs by language belongs to the language's
own object."""


def test_codes_and_languages_are_one_to_one() -> None:
    assert [(code, language.code) for code, language in LANGUAGES.items()] == [
        (c, c) for c in ("ja", "en", "zh")
    ]
    assert LANGUAGES == {"ja": JAPANESE, "en": ENGLISH, "zh": CHINESE}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("ローマ帝国の皇帝", JAPANESE),
        ("罗马帝国的皇帝是谁", CHINESE),
        ("The Roman emperor", ENGLISH),
        ("Ῥωμαῖος", ENGLISH),
        ("", ENGLISH),
        ("A long English text, " * 20 + "with one 漢 in it", ENGLISH),
        ("罗马帝国" * 30 + "の", CHINESE),
        ("x" * 10_000 + "の" * 10_000, ENGLISH),
    ],
)
def test_a_language_is_told_by_the_letters_of_the_beginning(text: str, language: Language) -> None:
    assert detect_language(text) == language


def test_what_is_not_offered_for_a_language_says_for_which_it_is() -> None:
    assert offered_for({ENGLISH: 1, JAPANESE: 2}, JAPANESE, "essays are written") == 2
    with pytest.raises(
        UserError, match="essays are written in English, Japanese, and not in Chinese"
    ):
        offered_for({ENGLISH: 1, JAPANESE: 2}, CHINESE, "essays are written")


def test_every_language_answers_for_itself() -> None:
    for language in LANGUAGES.values():
        assert language.analyser({"Rome": "Rome"}).terms("Rome") == ["rome"]
        assert [mention.key for mention in language.recogniser().mentions("1492")] in (
            ["y:1492"],
            [],
        )
        assert language.uses_spaces is (language.joiner == " ")
    assert str(replace(ENGLISH, code="tok")) == "tok"


@pytest.mark.parametrize(
    ("code", "tests"),
    [
        ('if language == "en":', True),
        ("    if language != JAPANESE:", True),
        ('if code in ("ja", "en"):', True),
        ("case 'zh':", True),
        ('WORDS = {"en": "yes"}', True),
        ("_OWN = {ENGLISH: english}", True),
        ('" " if "en" == code else ""', True),
        ("trace.run(TASK, language=CHINESE)", False),
        ("from indexer.languages.english import ENGLISH", False),
        ('_LANGUAGES = {"J": JAPANESE, "E": ENGLISH}', False),
    ],
)
def test_the_expression_finds_what_tests_a_language(code: str, tests: bool) -> None:
    assert bool(TEST.search(code)) is tests


def test_no_other_file_tests_a_language() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        if TEST.search(path.read_text("utf-8"))
    }
    assert {name for name in found if not name.startswith("indexer/languages/")} == TESTING
    assert len(TESTING) <= 12
