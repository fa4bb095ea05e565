"""A glossary adds: what is found without it is found with it, in the samples and in any text, on
both engines."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.analysis.glossary import Glossary
from indexer.analysis.glossary_file import parse_entry, read_glossary
from indexer.api import build_textbook
from indexer.engines.contract import Index
from indexer.engines.opening import open_index
from indexer.languages.registry import LANGUAGES
from retriever.queries import analyser_of, union_query
from tests.places import ROOT

SAMPLES = ROOT / "samples"
GLOSSARIES = {code: read_glossary([SAMPLES / f"glossary-{code}.csv"]) for code in ("en", "ja")}
ANALYSERS = {
    code: (LANGUAGES[code].analyser(), LANGUAGES[code].analyser(glossary.terms()))
    for code, glossary in GLOSSARIES.items()
}


def texts_of(code: str) -> list[str]:
    lines = (SAMPLES / f"textbook-{code}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line)["text"] for line in lines]


def queries(code: str) -> Iterator[str]:
    """The sentences of the samples, pieces of them, and the glossary's names with their words."""
    for text in texts_of(code):
        for sentence in ANALYSERS[code][0].sentences(text):
            yield sentence
            yield from (
                sentence.split()
                if code == "en"
                else (sentence[n : n + 4] for n in range(0, len(sentence), 4))
            )
    for name in GLOSSARIES[code].names():
        yield from (name, *name.split(), name[: len(name) // 2])


def found(index: Index, asked: Iterable[str]) -> dict[str, set[str]]:
    """The ids of what each query that has terms finds, all asked at a time."""
    analyser = analyser_of(index)
    sought = {query: union_query(terms) for query in asked if (terms := analyser.terms(query))}
    rankings = index.part().search([*sought.values()], 1_000)
    return {
        query: {hit.doc_id for hit in hits} for query, hits in zip(sought, rankings, strict=True)
    }


@pytest.fixture(scope="module", params=["embedded", "elasticsearch"])
def address_for(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[], str]:
    if request.param == "embedded":
        return lambda: str(tmp_path_factory.mktemp("index") / "index")
    url, new_name = (
        request.getfixturevalue("elasticsearch_url"),
        request.getfixturevalue("new_name"),
    )
    return lambda: f"{url}/{new_name()}"


@pytest.mark.parametrize("code", GLOSSARIES)
def test_hits_without_a_glossary_are_among_those_with_it(
    code: str, address_for: Callable[[], str]
) -> None:
    file, terms = SAMPLES / f"textbook-{code}.jsonl", SAMPLES / f"glossary-{code}.csv"
    plain = open_index(build_textbook(file, address_for(), names=False).address)
    named = open_index(build_textbook(file, address_for(), names=False, terms=str(terms)).address)
    asked = [*dict.fromkeys(queries(code))]
    assert len(asked) > 500
    if plain.engine != "embedded":  # asked for the same terms, which takes ten times as long
        asked = asked[::5]
    without, within = found(plain, asked), found(named, asked)
    assert {
        query: lost for query, hits in without.items() if (lost := hits - within.get(query, set()))
    } == {}


@pytest.mark.parametrize(
    ("code", "query", "text"),
    [
        ("en", "Hammurabi", "King Hammurabi of Babylon"),
        ("en", "King Hammurabi", "Hammurabi's code"),
        ("en", "UN", "The United Nations was officially established"),
        ("en", "Great Charter", "King John accepted Magna Carta"),
        ("ja", "ハンムラビ", "ハンムラビ王の法典"),
        ("ja", "国連", "国際連合が発足した"),
    ],
)
def test_a_part_and_an_alias_find_the_term(code: str, query: str, text: str) -> None:
    terms = ANALYSERS[code][1].terms
    assert set(terms(query)) & set(terms(text))


WORDS = {
    "en": "King Hammurabi's UN United Nations Great Charter's of the Twelve Tables Law",
    "ja": "ハンムラビ王国際連合の十二表法は国連。 ",
}


@pytest.mark.parametrize("code", GLOSSARIES)
@settings(max_examples=200)
@given(data=st.data())
def test_the_terms_of_any_text_are_all_among_those_with_any_glossary(
    code: str, data: st.DataObject
) -> None:
    pieces = st.lists(
        st.sampled_from(WORDS[code].split() if code == "en" else WORDS[code]), max_size=8
    )
    joiner = " " if code == "en" else ""
    text = joiner.join(data.draw(pieces))
    lines = data.draw(
        st.lists(st.tuples(pieces.map(joiner.join), pieces.map(joiner.join)), max_size=4)
    )
    glossary = Glossary(tuple(parse_entry(term, aliases=alias) for term, alias in lines))
    named = LANGUAGES[code].analyser(glossary.terms())
    added = named.terms(text)
    for term in ANALYSERS[code][0].terms(text):
        added.remove(term)
    assert all(name.split() == [name] for name in added)
    nouns = named.nouns(text)
    for noun in ANALYSERS[code][0].nouns(text):
        nouns.remove(noun)
