"""Essays: never over any limit, every keyword used wherever it fits, and the same text every
time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answerer.formats.answer_sheet import read_sheet
from answerer.formats.keywords import uses
from answerer.formats.length_limit import Limit, Unit, measure
from answerer.ntcir.essay.candidates import CandidatePool, find_candidates, read_question
from answerer.ntcir.essay.concepts import essay_model
from answerer.ntcir.essay.language import essay_language
from answerer.ntcir.essay.writing import METHODS, Essay, write_essays
from indexer.analysis.analyser import Analyser
from indexer.engines.opening import open_index
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language
from retriever.learning.model import Model
from retriever.queries import analyser_of
from tests.answerer.ntcir.books import SAMPLES, build_sample


class Desk(NamedTuple):
    """All that is needed to write essays in a language."""

    pools: list[CandidatePool]
    analyser: Analyser
    model: Model
    unit: Unit


@pytest.fixture(scope="module")
def desks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Desk]:
    found: dict[str, Desk] = {}
    for language in (ENGLISH, JAPANESE):
        index = open_index(build_sample(tmp_path_factory.mktemp("essays"), language.code))
        analyser = analyser_of(index)
        sections = read_sheet(SAMPLES / f"essay-{language}.xml").sections
        questions = [read_question(section, analyser, language) for section in sections]
        unit: Unit = "words" if language.uses_spaces else "characters"
        model, _ = essay_model(None, language)
        found[language.code] = Desk(
            find_candidates(index, questions, analyser), analyser, model, unit
        )
    return found


def write(desk: Desk, which: int, most: int, keywords: tuple[str, ...], method: str) -> Essay:
    """An essay with keywords and a limit of the test's own."""
    pool = desk.pools[which]
    pairs = tuple(
        (keyword, tuple(desk.analyser.terms(keyword))) for keyword in dict.fromkeys(keywords)
    )
    pool = replace(pool, question=pool.question._replace(keywords=pairs))
    return write_essays([(pool, Limit(most, desk.unit))], desk.analyser, desk.model, method)[0]


WORDS: dict[str, list[str]] = {
    "en": [
        "Suez Canal",
        "the Boxers",
        "Meiji Restoration",
        "steamship",
        "Baghdad Railway",
        "Gandhi",
        "x-ray",
    ],
    "ja": [
        "スエズ運河",
        "義和団",
        "ダライ＝ラマ",
        "汽船",
        "バグダード鉄道",
        "アヘン戦争",
        "マルコ一ニ",
    ],
}
ASKED = st.tuples(
    st.sampled_from(["en", "ja"]),
    st.integers(0, 1),
    st.lists(st.integers(0, 6), max_size=5, unique=True),
    st.lists(st.integers(0, 320) | st.integers(0, 40), min_size=8, max_size=8),
)


def check(
    desks: dict[str, Desk], asked: tuple[str, int, list[int], list[int]], method: str
) -> None:
    """Limits kept, keywords used as far as their bare list fits, the report true, for each
    limit."""
    language, which, picked, limits = asked
    desk = desks[language]
    keywords = tuple(WORDS[language][number] for number in picked)
    for most in limits:
        essay = write(desk, which, most, keywords, method)
        assert measure(essay.text, desk.unit) == essay.length <= most
        assert essay.unused == tuple(
            keyword for keyword in keywords if not uses(keyword, essay.text)
        )
        between = 1 if desk.unit == "characters" else 0
        if sum(measure(keyword, desk.unit) + between for keyword in keywords) <= most:
            assert not essay.unused
        assert all(option.text in essay.text for option in essay.chosen)


@pytest.mark.parametrize(("method", "times"), [("ilp", 60), ("keywords-first", 100)])
def test_no_essay_exceeds_its_limit_and_keywords_are_used_wherever_they_fit(
    desks: dict[str, Desk], method: str, times: int
) -> None:
    @settings(deadline=None, max_examples=times)
    @given(ASKED)
    def every_limit(asked: tuple[str, int, list[int], list[int]]) -> None:
        check(desks, asked, method)

    every_limit()
    assert set(METHODS) == {"ilp", "keywords-first"}


@pytest.mark.parametrize(("language", "most"), [("en", 75), ("ja", 150)])
def test_keywords_stand_in_sentences_where_these_fit(
    desks: dict[str, Desk], language: str, most: int
) -> None:
    keywords = desks[language].pools[0].question.printed_keywords
    essay = write(desks[language], 0, most, keywords, "ilp")
    assert (len(keywords), essay.in_clause, essay.unused) == (3, (), ())


def test_no_sentence_fits_so_nothing_is_written(desks: dict[str, Desk]) -> None:
    assert (
        write(desks["en"], 1, 3, (), "ilp").text == write(desks["en"], 1, 0, (), "ilp").text == ""
    )


def test_the_limit_names_as_many_keywords_as_it_holds(desks: dict[str, Desk]) -> None:
    essay = write(desks["en"], 0, 3, ("Suez Canal", "Gandhi", "Opium War"), "ilp")
    assert (essay.in_clause, essay.unused) == (("Suez Canal", "Gandhi"), ("Opium War",))
    assert essay.text == "Suez Canal, Gandhi."


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("However, the canal (opened in 1869) was long.", ENGLISH, "The canal was long."),
        ("And it fell", ENGLISH, "It fell."),
        ("しかし、運河（1869年）は長かった。", JAPANESE, "運河は長かった。"),
        ("運河は長かった", JAPANESE, "運河は長かった。"),
    ],
)
def test_asides_and_openings_go(text: str, language: Language, expected: str) -> None:
    assert essay_language(language).clean(text) == expected


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("The canal was opened in 1869.", ENGLISH, True),
        ("Why was it built?", ENGLISH, False),
        ("We saw the canal.", ENGLISH, False),
        ("THE NEW OVERSEAS EMPIRES OF THE STEAMSHIP 393.", ENGLISH, False),
        ("Chapter one", ENGLISH, False),
        ("「運河を見よ」と言った。", JAPANESE, False),
        ("運河は1869年に開通した。", JAPANESE, True),
    ],
)
def test_questions_quotations_and_headings_do_not_stand_in_essays(
    text: str, language: Language, expected: bool
) -> None:
    assert essay_language(language).is_fit(text) is expected


def test_the_same_pool_gives_the_same_essay(desks: dict[str, Desk]) -> None:
    writing: Callable[[], str] = lambda: write(desks["en"], 0, 70, ("Gandhi",), "ilp").text  # noqa: E731
    assert writing() == writing()
