"""The embedded engine's folder: what is beside it during a build, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from indexer.address import engine_for, open_index
from indexer.document import Document, Part
from indexer.engines.contract import Metadata
from indexer.files.errors import UserError

PART = Part("sentences", ("text",))
METADATA = Metadata("textbook", (PART,), "en", {})


def build(folder: Path, *doc_ids: str) -> None:
    writer = engine_for(str(folder)).build(str(folder), METADATA)
    writer.add("sentences", [Document(doc_id, "text", {"text": ["word"]}) for doc_id in doc_ids])
    writer.publish()


def test_a_build_leaves_one_generation_and_nothing_beside_it(tmp_path: Path) -> None:
    build(tmp_path / "index", "a")
    build(tmp_path / "index", "b")
    assert [path.name for path in tmp_path.iterdir()] == ["index"]
    assert sorted(path.name for path in (tmp_path / "index").iterdir()) == ["2", "metadata.json"]
    assert [document.doc_id for document in open_index(str(tmp_path / "index")).part().scan()] == ["b"]


def test_an_open_index_goes_on_answering_after_it_was_replaced(tmp_path: Path) -> None:
    build(tmp_path / "index", "a")
    before = open_index(str(tmp_path / "index"))
    build(tmp_path / "index", "b")
    assert [document.doc_id for document in before.part().scan()] == ["a"]


def test_two_builds_of_one_index_at_once_are_refused(tmp_path: Path) -> None:
    address = str(tmp_path / "index")
    first = engine_for(address).build(address, METADATA)
    with pytest.raises(UserError, match="is being built by another program"):
        engine_for(address).build(address, METADATA)
    first.abandon()
    engine_for(address).build(address, METADATA).publish()


def test_a_folder_with_other_things_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(UserError, match="exists and is no index"):
        engine_for(str(tmp_path)).build(str(tmp_path), METADATA)
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


def test_a_file_in_the_place_of_a_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    address = str(tmp_path / "thesis.txt")
    with pytest.raises(UserError, match="exists and is no index"):
        engine_for(address).build(address, METADATA)
    with pytest.raises(UserError, match="no index at"):
        open_index(address)


@pytest.mark.parametrize("damage", ["metadata", "segments", "version"])
def test_a_damaged_index_is_told_in_one_line(tmp_path: Path, damage: str) -> None:
    folder = tmp_path / "index"
    build(folder, "a")
    path = folder / "metadata.json"
    if damage == "metadata":
        path.write_text("{")
    elif damage == "version":
        path.write_text(json.dumps({**json.loads(path.read_text()), "version": 99}))
    else:
        (folder / "1" / "sentences" / "meta.json").unlink()
    with pytest.raises(UserError, match="build it again"):
        open_index(str(folder))
