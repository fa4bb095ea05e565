"""Builds and answers ended at random moments, and a full disk: what was there serves on, nothing is
half written."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from elasticsearch import Elasticsearch

from indexer.engines.opening import open_index
from indexer.files.errors import UserError
from tests.places import SAMPLES

pytestmark = pytest.mark.process

LONG = "CLASSICAL_QA_LONG_TESTS" in os.environ
KILLS, SIGNALS, SENTENCES = 20 if LONG else 4, 6 if LONG else 1, 30_000
BOOK = SAMPLES / "textbook-en.jsonl"
EXAM = SAMPLES / "sample-exam-en.xml"
Held = list[list[str]]


@pytest.fixture
def moments(request: pytest.FixtureRequest) -> random.Random:
    """Other moments in every run; a failure shows the seed."""
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    return random.Random(seed)


@pytest.fixture(params=["embedded", "elasticsearch"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "elasticsearch":
        return str(request.getfixturevalue("elasticsearch_address"))
    (tmp_path / "place").mkdir()
    return str(tmp_path / "place" / "index")


def halves(folder: Path) -> list[str]:
    """The sample textbook as two files, its first paragraph changed."""
    lines = BOOK.read_text("utf-8").replace("The", "These", 1).splitlines(keepends=True)
    paths = [folder / "one.jsonl", folder / "two.jsonl"]
    for path, half in zip(paths, (lines[:20], lines[20:]), strict=True):
        path.write_text("".join(half), "utf-8")
    return list(map(str, paths))


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", *map(str, words)]


def build(address: str, *files: object) -> list[str]:
    return command(
        "indexer", "textbook", *files, "--index", address, "--language", "en", "--replace"
    )


def done(words: list[str]) -> None:
    subprocess.run(words, check=True, capture_output=True)


def held(address: str) -> Held:
    """All that an index holds, by part; read again where a server puts a killed build's index in
    place meanwhile."""
    try:
        return read_once(address)
    except UserError as error:
        if "replaced while it was in use" not in str(error):
            raise
        return read_once(address)


def read_once(address: str) -> Held:
    index = open_index(address)
    found = [[f"{one}" for one in index.part(part.name).scan()] for part in index.metadata.parts]
    index.close()
    return found


def ended(words: list[str], after: float, number: int) -> tuple[int, str]:
    """A program that gets a signal after some seconds: its status as a shell tells it, and what it
    said.

    A signal that finds Python itself still starting, before a line of the program, counts as one
    that ended it.
    """
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        time.sleep(after)
        process.send_signal(number)
        _, said = process.communicate(timeout=600)
    if process.returncode < 0:
        return 128 - process.returncode, said
    starting = "Fatal Python error: init_" in said or "Could not import runpy" in said
    return 128 + number if starting else process.returncode, said


def left(address: str) -> list[str]:
    """What lies about an index: files beside it, or indexes of its name on a server."""
    if "://" not in address:
        return sorted(path.name for path in Path(address).parent.iterdir())
    server, _, name = address.rpartition("/")
    with Elasticsearch(server) as client:
        return sorted(client.indices.get(index=f"{name}*", expand_wildcards="all"))


def test_builds_killed_at_random_moments_leave_the_index_whole(
    address: str, tmp_path: Path, moments: random.Random
) -> None:
    done(build(address, BOOK))
    old, files = held(address), halves(tmp_path)
    began = time.monotonic()
    done(build(f"{tmp_path}/whole/index" if "://" not in address else f"{address}-whole", *files))
    takes = time.monotonic() - began
    new = held(f"{tmp_path}/whole/index" if "://" not in address else f"{address}-whole")
    assert old != new
    for kill in range(KILLS):
        jobs = ["--jobs", str(1 + kill % 2)]
        ended([*build(address, *files), *jobs], moments.uniform(0, takes), signal.SIGKILL)
        assert held(address) in (old, new)
    done(build(address, *files))
    assert held(address) == new
    done(build(address, *files))  # the last request of a killed build may have come meanwhile
    assert len(left(address)) == (
        1 if "://" not in address else 6
    )  # three parts of this index, three of the other


def test_a_signal_at_any_moment_leaves_nothing_half_written(
    address: str, tmp_path: Path, moments: random.Random
) -> None:
    place, run = tmp_path / "runs", tmp_path / "runs" / "run.xml"
    place.mkdir()
    files = halves(tmp_path)
    done(build(address, BOOK))
    answer = command("answerer", "ntcir-mc", EXAM, "--index", address, "-o", run)
    began = time.monotonic()
    done(answer)
    takes = time.monotonic() - began
    done(build(f"{tmp_path}/whole/index", *files))
    whole, old, new = run.read_bytes(), held(address), held(f"{tmp_path}/whole/index")
    for number in (signal.SIGINT, signal.SIGTERM) * SIGNALS:
        run.write_bytes(b"old")
        status, said = ended(answer, moments.uniform(0, takes), number)
        assert (status, run.read_bytes()) in (
            (128 + number, b"old"),
            (128 + number, whole),
            (0, whole),
        ), said
        status, said = ended(build(address, *files), moments.uniform(0, 2 * takes), number)
        assert status in (0, 128 + number), said
        assert held(address) in (old, new)
        assert [path.name for path in place.iterdir()] == ["run.xml"]
        if "://" not in address:
            assert all(re.fullmatch(r"index|\.index\..*", name) for name in left(address))
    if "://" in address:  # what an ended build left lies there until the next one
        done(build(address, *files))
        assert len(left(address)) == 3


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of two megabytes."""
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)]
    told = subprocess.run(mount, capture_output=True, text=True, check=False)
    if os.geteuid() != 0 or told.returncode:
        pytest.skip(f"a file system of one's own needs root: {told.stderr.strip()}")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_full_disk_is_one_line_and_the_same_command_completes_when_there_is_room(
    small_disk: Path, tmp_path: Path, jobs: str
) -> None:
    address, large = f"{small_disk}/index", tmp_path / "large.txt"
    sentences = [
        f"The {n} kings of {n * 7} towns met {n * 13} times in {n * 17} years."
        for n in range(SENTENCES)
    ]
    large.write_text("\n\n".join(sentences))
    done(build(address, BOOK))
    old = held(address)
    full = subprocess.run(
        build(address, large, "--no-names", "--jobs", jobs),
        capture_output=True,
        text=True,
        check=False,
    )
    assert full.returncode == 2, full.stderr
    (line,) = [line for line in full.stderr.splitlines() if line.startswith("error: ")]
    assert address in line
    assert "Traceback" not in full.stderr
    assert held(address) == old
    assert left(address) == ["index"]
    subprocess.run(["mount", "-o", "remount,size=200m", str(small_disk)], check=True)
    done(build(address, large, "--no-names", "--jobs", jobs))
    assert len(held(address)[0]) == SENTENCES
    assert left(address) == ["index"]
