"""Two tantivy indexes made one by moving files: what is found, what tantivy does with it later, what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from indexer.document import Document, Part
from indexer.engines.contract import Query, QueryTerm
from indexer.engines.embedded import EmbeddedSearcher
from indexer.engines.embedded_build import (
    MANAGED_FILE,
    META_FILE,
    EmbeddedShare,
    add_documents,
    can_join,
    commit,
    end_writers,
    join,
    open_writers,
)
from indexer.engines.embedded_files import open_part
from indexer.location import locate

PART = Part("sentences", ("text",))
OTHER = Part("sentences", ("title", "text"))


def written(folder: Path, *commits: list[str], part: Part = PART) -> EmbeddedShare:
    """Writers of a part that wrote documents of these doc_ids, a segment a list; a doc_id's letters are its terms."""
    writers = EmbeddedShare(locate(f"{folder}/"), folder, [part])
    for doc_ids in commits:
        documents = [Document(doc_id, "", {field: list(doc_id) for field in part.term_fields}) for doc_id in doc_ids]
        writers.add(part.name, documents)
        writers.commit()
    return writers


def two(tmp_path: Path, other: Part = PART) -> tuple[Path, Path]:
    written(tmp_path / "one", ["ab", "ac"], ["ad"]).end()
    written(tmp_path / "two", ["ae", "b"], part=other).end()
    return tmp_path / "one" / "sentences", tmp_path / "two" / "sentences"


def test_a_joined_index_answers_as_one_that_was_written_at_once(tmp_path: Path) -> None:
    one, other = two(tmp_path)
    join(one, other)
    written(tmp_path / "whole", ["ab", "ac", "ad", "ae", "b"]).end()
    query = Query((QueryTerm("text", "a"), QueryTerm("text", "b")))
    found = [
        EmbeddedSearcher(PART, open_part(folder)).search([query], 9)[0]
        for folder in (one, tmp_path / "whole" / "sentences")
    ]
    assert [hit.doc_id for hit in found[0]] == ["ab", "b", "ac", "ad", "ae"]
    assert found[0] == found[1]


def test_tantivy_goes_on_with_a_joined_index_and_removes_what_it_merges(tmp_path: Path) -> None:
    one, other = two(tmp_path)
    join(one, other)
    _, writers = open_writers(tmp_path / "one", [PART])
    for number in range(8):  # as many small segments as are merged
        add_documents(PART, writers["sentences"], [Document(f"n{number}", "", {"text": ["n"]})])
        commit(writers)
    end_writers(writers)
    assert open_part(one).searcher().num_docs == 13
    segments = json.loads((one / META_FILE).read_text())["segments"]
    assert len(segments) < 11
    lying = {file.name.partition(".")[0] for file in one.iterdir() if not file.name.startswith((".", "meta"))}
    assert lying == {segment["segment_id"].replace("-", "") for segment in segments}


def test_indexes_that_are_not_alike_are_not_joined(tmp_path: Path) -> None:
    one, other = two(tmp_path, OTHER)
    with pytest.raises(ValueError, match="have different schemas"):
        join(one, other)
    assert open_part(one).searcher().num_docs == 3
    assert open_part(other).searcher().num_docs == 2


@pytest.mark.parametrize("damage", ["nothing", "key", "segment", "managed", "gone"])
def test_lists_of_another_form_are_known_for_that(tmp_path: Path, damage: str) -> None:
    """As another version of tantivy may write them."""
    written(tmp_path / "one", ["a"]).end()
    folder = tmp_path / "one" / "sentences"
    meta = json.loads((folder / META_FILE).read_text())
    if damage == "key":
        (folder / META_FILE).write_text(json.dumps({**meta, "generation": 1}))
    elif damage == "segment":
        (folder / META_FILE).write_text(json.dumps({**meta, "segments": [{"id": "a"}]}))
    elif damage == "managed":
        (folder / MANAGED_FILE).write_text("{}")
    elif damage == "gone":
        (folder / MANAGED_FILE).unlink()
    assert can_join(folder) == (damage == "nothing")
