"""An embedded build that several processes write: joined, resumed, broken off, its doc_ids checked over all shares."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from indexer.document import Document, Part
from indexer.engines import embedded_build
from indexer.engines.contract import Metadata
from indexer.engines.embedded_build import SHARE, EmbeddedShare, EmbeddedWriter, build, wait_until_left
from indexer.files import messages
from indexer.files.errors import RefusedInput, UserError
from indexer.languages.english import ENGLISH
from indexer.location import locate
from tests.places import ROOT

PART = Part("sentences", ("text",))
METADATA = Metadata("textbook", (PART,), ENGLISH, {})


class Shares:
    """Two shares of a build, written by this process."""

    def __init__(self, writer: EmbeddedWriter) -> None:
        self._writer = writer
        opened = [writer.share(number) for number in (0, 1)]
        self.shares: list[EmbeddedShare] = [share() for share in opened if share]
        writer.lead(self)

    def add(self, number: int, *doc_ids: str) -> None:
        documents = [Document(doc_id, "", {"text": ["word"]}) for doc_id in doc_ids]
        self._writer.count("sentences", self.shares[number].add("sentences", documents))

    def commit(self) -> None:
        for share in self.shares:
            share.commit()

    def end(self) -> None:
        self.commit()
        for share in self.shares:
            share.end()

    def close(self) -> None:
        for share in self.shares:
            share.end()


def begun(tmp_path: Path) -> EmbeddedWriter:
    return build(f"{tmp_path}/index", METADATA)


def held(tmp_path: Path) -> list[str]:
    writer = begun(tmp_path)
    try:
        return [document.doc_id for document in writer.searcher("sentences").scan()]
    finally:
        writer.abandon()


def test_what_shares_hold_is_joined_in_the_build(tmp_path: Path) -> None:
    writer = begun(tmp_path)
    shares = Shares(writer)
    shares.add(0, "a", "d")
    shares.add(1, "b")
    writer.finish_source("one")
    shares.end()
    writer.join()
    writer.add("sentences", [Document("c", "", {"text": ["word"]})])
    assert [document.doc_id for document in writer.searcher("sentences").scan()] == ["a", "b", "c", "d"]
    assert writer.publish().documents == {"sentences": 4}
    assert [path.name for path in tmp_path.iterdir()] == ["index"]


def test_a_doc_id_in_two_shares_is_refused(tmp_path: Path) -> None:
    writer = begun(tmp_path)
    shares = Shares(writer)
    shares.add(0, "a", "b")
    shares.add(1, "b", "c")
    writer.finish_source("one")
    shares.end()
    writer.join()
    with pytest.raises(RefusedInput, match="2 documents of sentences are called 'b'"):
        writer.publish()
    writer.discard()
    assert not list(tmp_path.iterdir())


def test_a_build_goes_on_from_what_shares_had_committed(tmp_path: Path) -> None:
    writer = begun(tmp_path)
    shares = Shares(writer)
    shares.add(0, "a")
    shares.add(1, "b")
    writer.finish_source("one", costly=True)
    shares.add(0, "c")  # of a source that is not finished
    writer.abandon()
    again = begun(tmp_path)
    assert list(again.finished_sources) == ["one"]
    assert again.counts == {"sentences": 2}
    again.add("sentences", [Document("a", "", {"text": ["word"]})])
    again.finish_source("two")
    with pytest.raises(RefusedInput, match="'a'"):
        again.publish()
    again.discard()


def test_a_source_finished_before_the_end_is_committed_by_the_crew_too(tmp_path: Path) -> None:
    writer = begun(tmp_path)
    Shares(writer).add(1, "a")
    writer.finish_source("one")  # too small to be made safe at once
    writer.abandon()
    assert held(tmp_path) == ["a"]


@pytest.mark.parametrize("moment", ["committed", "moved"])
def test_a_build_killed_between_its_shares_and_its_progress_begins_anew(tmp_path: Path, moment: str) -> None:
    writer = begun(tmp_path)
    shares = Shares(writer)
    shares.add(0, "a")
    writer.finish_source("one", costly=True)
    if moment == "committed":
        shares.add(0, "b")
        shares.commit()
    else:
        (share,) = (tmp_path / ".index.building").glob(".share-*-0")
        moved = next((share / "sentences").glob("*.store"))
        moved.rename(tmp_path / ".index.building" / "sentences" / moved.name)
    shares.close()
    writer._lock.close()  # as when the process is gone
    again = begun(tmp_path)
    assert not again.finished_sources
    assert again.counts == {"sentences": 0}
    again.abandon()
    assert not list(tmp_path.iterdir())


def test_a_crew_that_is_gone_leaves_what_it_had_committed(tmp_path: Path) -> None:
    writer = begun(tmp_path)
    shares = Shares(writer)
    shares.add(0, "a")
    writer.finish_source("one", costly=True)
    shares.add(0, "b")
    writer.finish_source("two")

    def gone() -> None:
        raise UserError("a process of the build was ended")

    shares.commit = gone  # type: ignore[method-assign]
    writer.abandon()
    assert held(tmp_path) == ["a"]


def test_shares_are_not_begun_where_they_could_not_be_joined(tmp_path: Path) -> None:
    writer = begun(tmp_path)
    managed = tmp_path / ".index.building" / "sentences" / ".managed.json"
    before = managed.read_text()
    managed.write_text("{}")
    assert writer.share(0) is None
    managed.write_text(before)
    writer.abandon()


_HOLDS = """
import sys, time
from pathlib import Path
from indexer.engines.embedded_build import EmbeddedShare
from tests.indexer.engines.test_segment_parts import PART
from indexer.location import locate
share = EmbeddedShare(locate(sys.argv[1]), Path(sys.argv[1]), [PART])
print("open", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that writes the share in the folder `share`, until its standard input ends."""
    command = [sys.executable, "-c", _HOLDS, str(tmp_path / "share")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        yield process
        process.kill()


@pytest.mark.process
def test_a_share_is_waited_for_while_a_process_holds_it(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    assert subprocess.run(["flock", "-n", str(tmp_path / "share" / "lock"), "true"], check=False).returncode == 1
    assert holder.stdin is not None
    holder.stdin.close()  # it ends
    wait_until_left(locate(f"{tmp_path}/"), tmp_path / "share")
    assert holder.wait(30) == 0
    wait_until_left(locate(f"{tmp_path}/"), tmp_path / "none")


@pytest.mark.process
def test_a_process_of_an_earlier_build_that_does_not_end_is_named(
    tmp_path: Path, holder: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    holder.send_signal(signal.SIGSTOP)
    monkeypatch.setattr(embedded_build, "SECONDS_TO_LEAVE", 0.2)
    monkeypatch.setattr(embedded_build, "SILENT_SECONDS", 0.0)
    monkeypatch.setattr(messages.LOGGER, "propagate", True)
    building = tmp_path / ".index.building"
    building.mkdir()
    (tmp_path / "share").rename(building / f"{SHARE}1-0")
    who = f"process {holder.pid} of an earlier build of {tmp_path}/index"
    with caplog.at_level("INFO"), pytest.raises(UserError, match=who):
        begun(tmp_path)
    assert f"waiting, at most 0 seconds, for {who} to end" in caplog.messages
    assert (building / f"{SHARE}1-0").exists()
    holder.kill()
    holder.wait()
    begun(tmp_path).discard()
    assert [path.name for path in tmp_path.iterdir()] == []


def test_a_folder_of_another_is_no_share(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=str(tmp_path)):
        EmbeddedShare(locate(f"{tmp_path}/"), tmp_path, [PART])
