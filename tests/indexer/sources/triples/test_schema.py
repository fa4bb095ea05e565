"""Facts, entities and counts go into payloads and come back the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from indexer.sources.triples.schema import (
    StoredFact,
    decode_entities,
    decode_facts,
    encode_counts,
    encode_entities,
    encode_fact,
    fact_beginning,
    numbered_id,
)

text = st.text(st.characters(exclude_characters="\t\n", exclude_categories=["Cs"]), min_size=1)
facts = st.lists(st.builds(StoredFact, text, text, text), min_size=1)


@given(facts)
def test_facts_come_back(listed: list[StoredFact]) -> None:
    lines = [
        encode_fact(fact_beginning(fact.predicate, fact.cleaned), fact.value) for fact in listed
    ]
    assert list(decode_facts("\n".join(lines))) == listed


def test_tabs_in_an_object_become_blanks() -> None:
    line = encode_fact(fact_beginning("国 籍", "国籍"), "美\t国")
    assert list(decode_facts(line)) == [StoredFact("国 籍", "国籍", "美 国")]


@given(st.lists(text, min_size=1))
def test_entities_come_back(entities: list[str]) -> None:
    assert decode_entities(encode_entities(entities)) == entities


def test_the_layout_of_existing_indexes() -> None:
    assert encode_fact(fact_beginning("国 籍", "国籍"), "美国") == "国 籍\t国籍\t美国"
    assert encode_fact(fact_beginning("职业", "职业"), "作家") == "职业\t\t作家"
    assert encode_counts(("人人", "人口")) == '{"predicates": 2, "frequency": {"人": 2, "口": 1}}'
    assert numbered_id("kb", 7) == "kb-00000007"
