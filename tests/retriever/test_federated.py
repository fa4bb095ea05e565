"""Several indexes as one: each document with its own index's score, ties by source, doc_ids told
apart, routed home."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.address import open_index
from indexer.engines.contract import Index, Query, QueryTerm, ScoredDocument
from indexer.sources.textbook.schema import PARAGRAPH, PARAGRAPHS, SENTENCES, TITLE, decode_place
from retriever.federated import join, shares
from retriever.queries import (
    analyser_of,
    glossary_of,
    open_addresses,
    source_of,
    sources_of,
    union_query,
)
from tests.books import index_of

ROME = "Rome fell.\n\nThe emperor ruled Rome. Rome burned.\n\nGaul paid taxes.\n"
INDIA = "Ashoka ruled India.\n\nRome traded with India. India sold pepper.\n"


def built(folder: Path, name: str, text: str, *options: str, called: str = "") -> str:
    """The address of an index of a text, its file `called` as said."""
    return index_of(folder / name, text, *options, name=f"{called or name}.txt")


@pytest.fixture(scope="module")
def addresses(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    folder = tmp_path_factory.mktemp("joint")
    return built(folder, "rome", ROME), built(folder, "india", INDIA)


def asked(index: Index, *terms: str, k: int = 10) -> list[ScoredDocument]:
    return index.part().search([union_query(terms)], k)[0]


def test_one_address_is_that_very_index(addresses: tuple[str, str]) -> None:
    alone = open_addresses(addresses[:1])
    assert sources_of(alone) == (alone,)
    assert source_of(asked(alone, "rome")[0].document) == ""


def test_every_document_has_the_score_of_its_own_index(addresses: tuple[str, str]) -> None:
    joint = open_addresses(addresses)
    alone = {
        hit.doc_id: hit.score
        for address in addresses
        for hit in asked(open_index(address), "rome", "india")
    }
    hits = asked(joint, "rome", "india")
    assert {hit.doc_id: hit.score for hit in hits} == alone
    assert [hit.score for hit in hits] == sorted(alone.values(), reverse=True)
    assert {source_of(hit.document) for hit in hits} == set(addresses)
    assert len(asked(joint, "rome", "india", k=2)) == 2


def test_a_narrowed_query_changes_no_score(addresses: tuple[str, str]) -> None:
    joint = open_addresses(addresses)
    whole = {hit.doc_id: hit.score for hit in asked(joint, "rome", "india")}
    narrow = Query(
        (QueryTerm("text", "rome"), QueryTerm("text", "india")),
        ("doc_id", tuple(sorted(whole)[1:3])),
    )
    assert {hit.doc_id: hit.score for hit in joint.part().search([narrow], 10)[0]} == {
        doc_id: pytest.approx(whole[doc_id]) for doc_id in sorted(whole)[1:3]
    }


def test_an_explanation_adds_up_to_the_score(addresses: tuple[str, str]) -> None:
    joint = open_addresses(addresses)
    hits = asked(joint, "rome", "india")
    for hit, one in zip(
        hits,
        joint.part().explain(union_query(["rome", "india"]), [hit.doc_id for hit in hits]),
        strict=True,
    ):
        assert (one.doc_id, sum(one.terms.values())) == (
            hit.doc_id,
            pytest.approx(hit.score, rel=1e-4),
        )
    assert joint.part().explain(union_query(["rome"]), ["nowhere-0000001-001"])[0].score == 0.0


def test_equal_scores_come_in_the_order_of_the_sources(tmp_path: Path) -> None:
    last, first = built(tmp_path, "z", "Rome fell.\n"), built(tmp_path, "a", "Rome fell.\n")
    assert [hit.doc_id for hit in asked(open_addresses([last, first]), "rome")] == [
        "z-0000001-001",
        "a-0000001-001",
    ]


def test_files_of_one_name_are_told_apart_by_the_number_of_their_source(tmp_path: Path) -> None:
    """Both books are called `book`: doc_ids of the second, and what refers to them, begin with its
    number."""
    one = built(tmp_path, "one", ROME, called="book")
    joint = open_addresses([one, built(tmp_path, "two", INDIA, called="book")])
    hits = {hit.doc_id: hit for hit in asked(joint, "rome", "india")}
    assert "2:book-0000001-001" in hits
    assert decode_place(hits["2:book-0000001-001"].document).paragraph == "2:book-0000001"
    sentences, paragraphs = joint.part(SENTENCES.name), joint.part(PARAGRAPHS.name)
    ((found,),) = paragraphs.lookup("doc_id", ["2:book-0000001"])
    assert (found.doc_id, found.text) == ("2:book-0000001", "Ashoka ruled India.")
    ((own,),) = paragraphs.lookup("doc_id", ["book-0000001"])
    assert own.text == "Rome fell."
    inside = Query((QueryTerm("text", "india"),), (PARAGRAPH, ("2:book-0000002",)))
    assert [hit.doc_id for hit in sentences.search([inside], 10)[0]] == [
        "2:book-0000002-001",
        "2:book-0000002-002",
    ]
    assert len({document.doc_id for document in sentences.scan()}) == len(sentences) == 7
    assert joint.part().explain(union_query(["india"]), ["2:book-0000001-001"])[0].score > 0


def test_counts_and_lookups_are_of_all_sources(addresses: tuple[str, str]) -> None:
    joint = open_addresses(addresses)
    assert joint.part().count([union_query(["rome"]), union_query(["pepper"])]) == [4, 1]
    assert joint.part(PARAGRAPHS.name).lookup(TITLE, ["nothing"]) == [[]]
    assert joint.metadata.documents == {"sentences": 7, "paragraphs": 5}
    assert [Path(name).name for name, _ in joint.metadata.sources] == ["rome.txt", "india.txt"]
    with pytest.raises(KeyError, match="names"):
        joint.part("names")


def test_a_name_of_one_glossary_is_found_by_its_words_in_the_others(
    tmp_path: Path, addresses: tuple[str, str]
) -> None:
    (tmp_path / "names.csv").write_text("term,kind\nGaul paid,state\nAshoka,king\n", "utf-8")
    other = built(
        tmp_path, "other", "Gaul paid.\n\nGaul fell.\n", "--terms", str(tmp_path / "names.csv")
    )
    joint = open_addresses([addresses[0], other])
    assert [entry.term for entry in glossary_of(joint).entries] == ["Gaul paid", "Ashoka"]
    terms = analyser_of(joint).terms("Gaul paid taxes")
    assert terms == ["gaul_paid", "gaul", "paid", "tax"]
    hits = asked(joint, *terms)
    assert [(hit.document.text, source_of(hit.document)) for hit in hits] == [
        ("Gaul paid taxes.", addresses[0]),
        ("Gaul paid.", other),
        ("Gaul fell.", other),
    ]
    alone = asked(open_index(addresses[0]), "gaul", "paid", "tax")
    assert hits[0].score == alone[0].score
    explained = joint.part().explain(union_query(terms), [hits[0].doc_id])[0]
    assert set(explained.terms) == {"gaul", "paid", "tax"}


def test_open_indexes_are_joined_as_addresses_are(addresses: tuple[str, str]) -> None:
    joint = join([open_index(address) for address in addresses])
    assert joint.address == " + ".join(addresses)
    assert joint.engine == "embedded"
    joint.close()


def test_the_highest_score_of_a_choice_counts_of_equal_ones_the_first() -> None:
    assert shares([[4.0, 1.0, 2.0], [3.0, 3.0, 0.0]]) == [[4.0, 0.0, 2.0], [0.0, 3.0, 0.0]]
    assert shares([[1.0], [1.000001]]) == [[1.0], [0.0]]
