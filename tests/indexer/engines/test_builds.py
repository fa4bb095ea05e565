"""Builds in both engines: aside, swapped in; the old index answers until then."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest

from indexer.engines.contract import Document, Metadata, Part, Query, QueryTerm
from indexer.engines.opening import builder_for, open_index
from indexer.engines.writing import Writer
from indexer.files.errors import RefusedInput, UserError
from indexer.files.messages import to_stderr
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE

SENTENCES = Part("sentences", ("text",), ("title",))
PARAGRAPHS = Part("paragraphs", ("text",))
METADATA = Metadata(
    "textbook", (SENTENCES, PARAGRAPHS), ENGLISH, {"unit": "sentence"}, (("a", 1), ("b", 2))
)


@pytest.fixture(params=["embedded", "elasticsearch"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A place where nothing is yet, in each engine."""
    if request.param == "elasticsearch":
        return str(request.getfixturevalue("elasticsearch_address"))
    return str(tmp_path / "index")


def documents(source: str, count: int, text: str = "word") -> list[Document]:
    return [
        Document(
            f"{source}-{number:03d}",
            text,
            {"text": [text, f"n{number}"]},
            {"title": [source]},
            f"payload {number}",
        )
        for number in range(count)
    ]


def start(address: str, metadata: Metadata = METADATA) -> Writer:
    return builder_for(address).build(address, metadata)


def ids(address: str, part: str = "sentences") -> list[str]:
    index = open_index(address)
    found = [document.doc_id for document in index.part(part).scan()]
    index.close()
    return found


def publish(address: str, sentences: Sequence[Document], metadata: Metadata = METADATA) -> Metadata:
    writer = start(address, metadata)
    writer.add("sentences", sentences)
    writer.add("paragraphs", documents("p", 2))
    return writer.publish()


@pytest.mark.process
def test_what_is_published_is_what_was_added(address: str) -> None:
    final = publish(address, documents("a", 3))
    assert final.documents == {"sentences": 3, "paragraphs": 2}
    index = open_index(address, "textbook", ENGLISH)
    assert index.metadata == final
    assert [len(index.part()), len(index.part("paragraphs"))] == [3, 2]
    ((found,),) = index.part().search([Query((QueryTerm("text", "n1"),))], 5)
    assert found.document == Document("a-001", "word", {}, {"title": ["a"]}, "payload 1")
    index.close()


def test_documents_without_terms_are_left_out(address: str) -> None:
    without = [
        Document("x", "…", {"text": []}),
        Document("y", "…"),
        Document("z", "…", {"text": [" ", ""]}),
    ]
    assert publish(address, [*documents("a", 2), *without]).documents == {
        "sentences": 2,
        "paragraphs": 2,
    }
    assert ids(address) == ["a-000", "a-001"]


def test_the_old_index_answers_until_the_new_one_is_there(address: str) -> None:
    publish(address, documents("a", 1))
    writer = start(address)
    writer.add("sentences", documents("b", 2))
    assert ids(address) == ["a-000"]
    writer.publish()
    assert ids(address) == ["b-000", "b-001"]
    assert ids(address, "paragraphs") == []


def test_what_is_discarded_leaves_nothing(address: str, tmp_path: Path) -> None:
    writer = start(address)
    writer.add("sentences", documents("a", 3))
    writer.discard()
    assert list(tmp_path.iterdir()) == []
    assert builder_for(address).standing(address) is None


def test_of_two_builds_at_once_the_one_published_last_stays_and_says_so(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    to_stderr()
    publish(address, documents("old", 1))
    first, second = start(address), start(address)
    first.add("sentences", documents("first", 1))
    second.add("sentences", documents("second", 2))
    first.publish()
    assert "in the meantime" not in capsys.readouterr().err
    assert ids(address) == ["first-000"]
    second.publish()
    assert "was built by another program in the meantime" in capsys.readouterr().err
    assert ids(address) == ["second-000", "second-001"]


def test_a_build_that_is_given_up_leaves_another_of_the_same_index_alone(address: str) -> None:
    first, second = start(address), start(address)
    first.discard()
    second.add("sentences", documents("a", 1))
    second.publish()
    assert ids(address) == ["a-000"]


def test_what_stands_at_an_address(address: str) -> None:
    assert builder_for(address).standing(address) is None
    publish(address, documents("a", 1))
    standing = builder_for(address).standing(address)
    assert standing is not None
    assert (standing["kind"], standing["language"]) == ("textbook", "en")
    assert [name for name, _ in standing["sources"]] == ["a", "b"]
    assert (
        abs((datetime.now() - datetime.fromisoformat(standing["built"])).total_seconds()) < 3 * 3600
    )  # in summer time, or just after


def test_the_counts_of_a_build_rise_as_documents_come(address: str) -> None:
    writer = start(address)
    writer.add("sentences", [*documents("a", 3), Document("x", "…", {"text": []})])
    assert writer.counts == {"sentences": 3, "paragraphs": 0}
    writer.discard()


def test_what_was_written_can_be_read_back(address: str) -> None:
    writer = start(address)
    writer.add("sentences", documents("a", 3))
    titles = {
        title
        for document in writer.searcher("sentences").scan()
        for title in document.keys["title"]
    }
    assert titles == {"a"}
    writer.add("paragraphs", documents("derived", 1))
    assert writer.publish().documents == {"sentences": 3, "paragraphs": 1}


def test_repeated_doc_ids_are_refused_and_the_old_index_stays(address: str) -> None:
    publish(address, documents("a", 2))
    writer = start(address)
    writer.add("sentences", [*documents("b", 2), *documents("b", 1)])
    with pytest.raises(RefusedInput):
        writer.publish()
    writer.discard()
    assert ids(address) == ["a-000", "a-001"]


def test_an_index_of_another_kind_or_language_is_refused(address: str) -> None:
    publish(address, documents("a", 1))
    with pytest.raises(UserError, match="is of the kind 'textbook', this needs 'triples'"):
        open_index(address, "triples")
    with pytest.raises(UserError, match="is of the language 'en', this needs 'ja'"):
        open_index(address, "textbook", JAPANESE)


def test_unknown_fields_are_a_programmers_error(address: str) -> None:
    publish(address, documents("a", 1))
    index = open_index(address)
    with pytest.raises(KeyError, match="title"):
        index.part().search([Query((QueryTerm("title", "a"),))], 1)
    with pytest.raises(KeyError, match="text"):
        index.part().lookup("text", ["a"])
    with pytest.raises(KeyError):
        index.part("nothing")
    index.close()


def test_nothing_asked_finds_nothing(address: str) -> None:
    publish(address, documents("a", 1))
    part = open_index(address).part()
    assert part.search([], 5) == []
    assert part.search([Query(()), Query((QueryTerm("text", "absent"),))], 5) == [[], []]
    assert part.search([Query((QueryTerm("text", "word"),))], 0) == [[]]
    assert part.search([Query((QueryTerm("text", "word"),), ("title", ()))], 5) == [[]]
    assert part.count([Query(())]) == [0]
    assert part.lookup("title", []) == []
    assert part.explain(Query(()), ["a-000"]) == [{}]
    assert part.explain(Query((QueryTerm("text", "word"),)), []) == []
