"""Terms and key values reach both engines as the same strings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.engines.contract import (
    LONGEST_KEY,
    Document,
    Part,
    Query,
    QueryTerm,
    clauses,
    engine_term,
    field_text,
    findable,
    group_by_value,
)

PART = Part("sentences", ("text", "title"))
any_term = st.text(st.characters(exclude_categories=["Cs"]))


@given(any_term)
def test_a_term_is_one_word_of_at_most_255_units(term: str) -> None:
    made = engine_term(term)
    assert len(made.split()) == (1 if term.strip() else 0)
    assert len(made.encode("utf-16-le")) <= 2 * 255
    assert engine_term(made) == made


@given(st.lists(any_term, max_size=8))
def test_a_field_holds_each_term_that_is_not_blank(terms: list[str]) -> None:
    assert field_text(terms).split(" ") == [
        engine_term(term) for term in terms if term.strip()
    ] or [""]
    assert field_text(terms).split() == [engine_term(term) for term in terms if term.strip()]


def test_a_long_term_is_cut_between_characters() -> None:
    assert engine_term("𠮷" * 200) == "𠮷" * 127  # 2 units each: 254 of 255
    assert engine_term("a" * 300) == "a" * 255


def test_weights_of_repeated_terms_add_up() -> None:
    query = Query(
        (
            QueryTerm("text", "a"),
            QueryTerm("text", "b", 0.5),
            QueryTerm("text", "a", 2.0),
            QueryTerm("text", ""),
        )
    )
    assert clauses(query, PART) == {
        "a": QueryTerm("text", "a", 3.0),
        "b": QueryTerm("text", "b", 0.5),
    }


def test_a_negative_weight_is_refused() -> None:
    with pytest.raises(ValueError, match=r"-1\.0"):
        clauses(Query((QueryTerm("text", "a", -1.0),)), PART)


def test_explanations_name_the_field_where_there_are_several() -> None:
    assert list(clauses(Query((QueryTerm("text", "a"), QueryTerm("title", "a"))), PART)) == [
        "text:a",
        "title:a",
    ]


def test_values_to_find_are_not_blank_not_endless_and_asked_once() -> None:
    assert findable(["b", "", "a", "b", "x" * (LONGEST_KEY + 1)]) == ["b", "a"]


def test_documents_are_given_to_every_value_that_they_hold() -> None:
    documents = [
        Document("2", "", keys={"alias": ["x", "y", "x"]}),
        Document("1", "", keys={"alias": ["x"]}),
    ]
    groups = group_by_value(documents, "alias", ["y", "x", "z", "x"])
    assert [[document.doc_id for document in group] for group in groups] == [
        ["2"],
        ["1", "2"],
        [],
        ["1", "2"],
    ]
    assert group_by_value(documents, "doc_id", ["2"]) == [[documents[0]]]
