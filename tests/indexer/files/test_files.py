"""Outputs whole or not at all, errors in one line, batches in order, tallies that add up."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.build import batches
from indexer.engines.contract import Metadata, Part
from indexer.files.atomic import atomic_text, write_all, write_text
from indexer.ingest_report import ingest_report, log_summary
from indexer.sources.textbook.schema import PARAGRAPHS, SENTENCES
from tests.refusals import raises_at


def write_half(target: Path) -> None:
    """Begin an output and fail in the middle."""
    with pytest.raises(RuntimeError), atomic_text(target) as file:  # noqa: PT012
        file.write("half")
        raise RuntimeError


def test_an_output_appears_only_when_its_block_ends_well(tmp_path: Path) -> None:
    target = tmp_path / "new" / "run.xml"
    write_half(target)
    assert list(tmp_path.iterdir()) == []
    with atomic_text(target) as file:
        file.write("whole\n")
    assert target.read_bytes() == b"whole\n"


def test_an_old_output_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "run.xml"
    target.write_text("old")
    write_half(target)
    assert target.read_text() == "old"


def test_an_output_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with raises_at(tmp_path / "file" / "run.xml"), atomic_text(tmp_path / "file" / "run.xml"):
        pass


def test_outputs_whose_long_names_end_alike_are_two(tmp_path: Path) -> None:
    first, second = (tmp_path / f"{letter}{'x' * 60}.tsv" for letter in "ab")
    with atomic_text(first) as one, atomic_text(second) as other:
        one.write("one")
        other.write("other")
    assert (first.read_text(), second.read_text()) == ("one", "other")


@pytest.mark.parametrize("letter", ["x", "ü", "🏰"])
def test_an_output_may_have_the_longest_name(tmp_path: Path, letter: str) -> None:
    path = tmp_path / (letter * (255 // len(letter.encode())))
    write_text(path, "whole")
    assert path.read_text() == "whole"


def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    link = tmp_path / "link.xml"
    link.symlink_to("folder/run.xml")
    write_text(link, "new\n")
    assert link.is_symlink()
    assert (tmp_path / "folder" / "run.xml").read_text() == "new\n"


def test_a_file_that_is_replaced_keeps_its_permissions(tmp_path: Path) -> None:
    target = tmp_path / "private.xml"
    target.touch(mode=0o600)
    write_text(target, "new\n")
    assert target.stat().st_mode & 0o777 == 0o600


def test_files_that_belong_together_are_written_all_or_none(tmp_path: Path) -> None:
    (tmp_path / "exam.xml").write_text("old")
    (tmp_path / "gold.xml").mkdir()
    new: list[tuple[str | Path, str | bytes]] = [
        (tmp_path / name, "new") for name in ("exam.xml", "gold.xml")
    ]
    with raises_at("gold.xml"):
        write_all(new)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["exam.xml", "gold.xml"]
    assert (tmp_path / "exam.xml").read_text() == "old"
    (tmp_path / "gold.xml").rmdir()
    write_all(new)
    assert [(tmp_path / name).read_text() for name in ("exam.xml", "gold.xml")] == ["new", "new"]


def test_of_many_files_the_first_are_told_by_name_and_the_number_of_others(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    write_all([(tmp_path / f"{number}.py", "") for number in range(23)])
    assert caplog.messages[-2:] == [f"wrote {tmp_path / '19.py'}", "wrote 3 more files beside them"]
    assert len(caplog.messages) == 21
    assert len([*tmp_path.iterdir()]) == 23


def test_half_a_character_is_written_as_its_code(tmp_path: Path) -> None:
    write_text(tmp_path / "run.txt", "a\ud800b")
    assert (tmp_path / "run.txt").read_bytes() == b"a\\ud800b"


@pytest.mark.parametrize("name", ["x" * 255, "語" * 85])
def test_the_longest_names_can_be_written(tmp_path: Path, name: str) -> None:
    write_text(tmp_path / name, "text")
    assert (tmp_path / name).read_text() == "text"


def test_a_pipe_is_written_straight_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_text(pipe, "text\n")
    write_all([(pipe, b"bytes\n")])
    assert os.read(reader, 100) == b"text\nbytes\n"
    os.close(reader)
    assert pipe.is_fifo()


@given(st.lists(st.integers()), st.integers(1, 5))
def test_batches_keep_every_item_in_order(items: list[int], size: int) -> None:
    made = list(batches(items, size))
    assert [item for batch in made for item in batch] == items
    assert all(len(batch) == size for batch in made[:-1])


def test_the_first_rejects_are_named_and_the_rest_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with ingest_report() as tally:
        tally.read += 8
        for line in range(1, 8):
            tally.reject("book.txt", line, "binary noise")
        tally.documents.update(sentences=3, paragraphs=1, names=1)
        built = Metadata(
            "textbook",
            (SENTENCES, PARAGRAPHS, Part("names")),
            None,
            {},
            documents={"sentences": 2, "paragraphs": 1, "names": 1},
        )
        log_summary(tally, "textbook-en", built, size=2_000_000, seconds=0.5)
    said = capsys.readouterr().err
    assert "rejected book.txt:5: binary noise\nrejected 2 more" in said
    assert (
        "read: 8 records: 1 used, 7 rejected\n"
        "indexed: 1 paragraph, 2 sentences\n"
        "not indexed: 1 without a word to search for\n"
        "index: textbook-en, 2.0 MB, in 0.5 s\n"
    ) in said


def test_an_output_keeps_the_unfinished_file_of_one_whose_name_goes_on(tmp_path: Path) -> None:
    write_all([(tmp_path / "run.xml", "table"), (tmp_path / "run", "evidence")])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run", "run.xml"]
