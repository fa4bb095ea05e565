"""The embedded engine's folder: what is beside it during a build, and what is refused."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from indexer.engines.contract import Document, Metadata, Part, Query, QueryTerm
from indexer.engines.opening import builder_for, open_index
from indexer.files.errors import UserError
from indexer.languages.english import ENGLISH
from tests.distribution import open_to_all
from tests.places import ROOT, SAMPLES

pytestmark = pytest.mark.process

PART = Part("sentences", ("text",))
METADATA = Metadata("textbook", (PART,), ENGLISH, {})


def build(folder: Path, *doc_ids: str) -> None:
    writer = builder_for(str(folder)).build(str(folder), METADATA)
    writer.add("sentences", [Document(doc_id, "text", {"text": ["word"]}) for doc_id in doc_ids])
    writer.publish()


def test_a_build_leaves_one_generation_and_nothing_beside_it(tmp_path: Path) -> None:
    build(tmp_path / "index", "a")
    build(tmp_path / "index", "b")
    assert [path.name for path in tmp_path.iterdir()] == ["index"]
    assert sorted(path.name for path in (tmp_path / "index").iterdir()) == [
        "2",
        "lock",
        "metadata.json",
    ]
    assert [document.doc_id for document in open_index(str(tmp_path / "index")).part().scan()] == [
        "b"
    ]


def test_an_open_index_goes_on_answering_after_it_was_replaced(tmp_path: Path) -> None:
    build(tmp_path / "index", "a")
    before = open_index(str(tmp_path / "index"))
    build(tmp_path / "index", "b")
    assert [document.doc_id for document in before.part().scan()] == ["a"]


def test_a_folder_with_other_things_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(UserError, match="exists and is not an index"):
        builder_for(str(tmp_path)).build(str(tmp_path), METADATA)
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


def test_folders_called_by_years_are_no_generations(tmp_path: Path) -> None:
    photo = tmp_path / "2024" / "spring" / "photo.jpg"
    photo.parent.mkdir(parents=True)
    photo.write_bytes(b"a picture")
    with pytest.raises(UserError, match="exists and is not an index"):
        build(tmp_path, "a")
    build(tmp_path / "index", "a")
    shutil.copytree(tmp_path / "2024", tmp_path / "index" / "2024")
    build(tmp_path / "index", "b")
    builder_for(str(tmp_path / "index")).remove(str(tmp_path / "index"))
    assert [path.name for path in (tmp_path / "index").iterdir()] == ["2024"]
    assert len(list(tmp_path.rglob("photo.jpg"))) == 2


def test_a_file_in_the_place_of_a_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    address = str(tmp_path / "thesis.txt")
    with pytest.raises(UserError, match=address):
        builder_for(address).build(address, METADATA)
    with pytest.raises(UserError, match=address):
        open_index(address)


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        ("metadata", r"metadata\.json is not JSON"),
        ("list", "its metadata: list indices must be integers"),
        ("parts", r"\(its metadata: no 'term_fields'\)"),
        ("segments", "meta.json"),
        ("version", r"\(its metadata: version 99, expected 1\)"),
        ("language", r"\(its metadata: no 'tlh'\)"),
    ],
)
def test_a_damaged_index_is_told_in_one_line(tmp_path: Path, damage: str, reason: str) -> None:
    folder = tmp_path / "index"
    build(folder, "a")
    path = folder / "metadata.json"
    if damage == "metadata":
        path.write_text("{")
    elif damage == "list":
        path.write_text("[]")
    elif damage == "parts":
        path.write_text(
            json.dumps({**json.loads(path.read_text()), "parts": [{"name": "sentences"}]})
        )
    elif damage == "version":
        path.write_text(json.dumps({**json.loads(path.read_text()), "version": 99}))
    elif damage == "language":
        path.write_text(json.dumps({**json.loads(path.read_text()), "language": "tlh"}))
    else:
        (folder / "1" / "sentences" / "meta.json").unlink()
    with pytest.raises(UserError, match=rf"^the index {folder} is damaged.*{reason}.*build it"):
        open_index(str(folder))


@pytest.mark.parametrize("damaged", ["pos", "store"])
def test_what_tantivy_finds_damaged_late_or_panics_over_is_told(
    tmp_path: Path, damaged: str
) -> None:
    build(tmp_path / "index", "a")
    (file,) = (tmp_path / "index" / "1" / "sentences").glob(f"*.{damaged}")
    whole = file.read_bytes()
    if damaged == "pos":
        file.unlink()
    else:
        file.write_bytes(b"\xff" * 40 + whole[40:])
    with pytest.raises(UserError, match=r"is damaged .*: build it again"):
        open_index(str(tmp_path / "index")).part().search([Query((QueryTerm("text", "word"),))], 1)


@pytest.mark.parametrize("limit", [0, 20_000])
def test_a_full_disk_is_one_line_the_old_index_stays_and_the_same_build_goes_on(
    tmp_path: Path, limit: int
) -> None:
    """A limit on the size of a file is what a full disk is to a program: it refuses in the middle
    of the work."""
    address = str(tmp_path / "index")
    first = [
        sys.executable,
        "-m",
        "indexer",
        "textbook",
        str(SAMPLES / "textbook-en.jsonl"),
        "--index",
        address,
    ]
    subprocess.run(first, capture_output=True, check=True, cwd=ROOT)
    before = [document.doc_id for document in open_index(address).part().scan()]
    done = subprocess.run(
        [*first, "--unit", "paragraph", "--replace"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert done.returncode == 2, done.stderr
    reasons = (
        "File too large",
        "its writer ended, as on a full disk",
    )  # which of tantivy's threads meets the limit first is open
    assert done.stderr.splitlines()[-1] in [
        f"error: the index {address} cannot be written ({reason}): free space, or choose another "
        f"place"
        for reason in reasons
    ]
    assert [document.doc_id for document in open_index(address).part().scan()] == before
    again = [*first, "--unit", "paragraph", "--replace"]
    subprocess.run(again, capture_output=True, check=True, cwd=ROOT)
    assert [path.name for path in tmp_path.iterdir()] == ["index"]
    assert len(open_index(address).part()) == 41


def test_a_build_that_is_given_up_takes_the_folders_it_made_with_it(tmp_path: Path) -> None:
    address = str(tmp_path / "indexes" / "new")
    builder_for(address).build(address, METADATA).discard()
    assert not list(tmp_path.iterdir())


def test_a_build_that_is_given_up_leaves_the_indexes_beside_it(tmp_path: Path) -> None:
    build(tmp_path / "indexes" / "kept", "a")
    address = str(tmp_path / "indexes" / "new")
    builder_for(address).build(address, METADATA).discard()
    assert [path.name for path in (tmp_path / "indexes").iterdir()] == ["kept"]


def test_a_link_is_built_beside_what_it_leads_to_which_may_be_another_disk(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "index").symlink_to("disk/large")
    writer = builder_for(str(tmp_path / "index")).build(str(tmp_path / "index"), METADATA)
    (building,) = (tmp_path / "disk").iterdir()
    assert building.name.startswith(".large.building-")
    writer.publish()
    assert (tmp_path / "index").is_symlink()
    assert len(open_index(str(tmp_path / "disk" / "large")).part()) == 0


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    """A folder on a file system that can only be read, with the index `index` on it."""
    build(tmp_path / "disk" / "index", "a", "b")
    place = tmp_path / "mounted"
    place.mkdir()
    if subprocess.run(
        ["mount", "--bind", tmp_path / "disk", place], capture_output=True, check=False
    ).returncode:
        pytest.skip("this user may not mount")
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", place], check=True)
        yield place
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


def test_an_index_on_a_read_only_file_system_answers(read_only: Path) -> None:
    with pytest.raises(OSError, match="Read-only"):
        (read_only / "index" / "file").touch()
    searcher = open_index(str(read_only / "index")).part()
    assert [document.doc_id for document in searcher.scan()] == ["a", "b"]
    assert len(searcher.search([Query((QueryTerm("text", "word"),))], 9)[0]) == 2


def test_without_a_temporary_folder_the_line_says_what_lacks(
    read_only: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(read_only))
    with pytest.raises(UserError, match="set TMPDIR to a"):
        open_index(str(read_only / "index"))


_OTHER_USER = """
import os, sys
from indexer.engines.opening import open_index
from indexer.files import atomic
from indexer.files.errors import UserError
open_index(sys.argv[1])  # imports, which another user may not be let at
os.setuid(65534)
try:
    print([document.doc_id for document in open_index(sys.argv[1]).part().scan()])
except UserError as error:
    print(error)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")
def test_an_index_of_another_user_answers_whoever_may_read_it() -> None:
    with tempfile.TemporaryDirectory(dir=open_to_all()) as place:
        Path(place).chmod(0o755)
        before = os.umask(0o022)
        build(Path(place) / "index", "a")
        os.umask(before)
        told = subprocess.run(
            [sys.executable, "-c", _OTHER_USER, f"{place}/index"], capture_output=True, check=False
        )
        assert told.stdout.decode() == "['a']\n", told.stderr
        file = Path(place) / "index" / "1" / "sentences" / "meta.json"
        file.chmod(0o600)
        told = subprocess.run(
            [sys.executable, "-c", _OTHER_USER, f"{place}/index"], capture_output=True, check=False
        )
        assert told.stdout.decode().endswith(f"cannot be read ({file}): no permission\n"), (
            told.stderr
        )


_LISTED = """
import os, sys
from indexer.engines.opening import builder_for
from indexer.address import locate
from indexer.files.messages import capture_warnings
folder = locate(sys.argv[1])
engine = builder_for(folder)
os.setuid(65534)
with capture_warnings() as warnings:
    print(engine.names(folder), warnings)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")
def test_a_folder_of_another_user_is_named_where_indexes_are_listed() -> None:
    with tempfile.TemporaryDirectory(dir=open_to_all()) as place:
        Path(place).chmod(0o755)
        before = os.umask(0o022)
        build(Path(place) / "mine", "a")
        os.umask(before)
        closed = Path(place) / "closed"
        closed.mkdir(0o700)
        told = subprocess.run(
            [sys.executable, "-c", _LISTED, f"{place}/mine"], capture_output=True, check=False
        )
        warning = f"no permission to read {closed}: an index there is not listed"
        assert told.stdout.decode() == f"['mine'] {[warning]}\n", told.stderr
