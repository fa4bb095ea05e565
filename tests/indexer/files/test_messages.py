"""What is said beside the data: notes, warnings, progress; --quiet leaves warnings and errors."""

from __future__ import annotations

import errno
import gzip
import logging
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from indexer.files import progress as progress_module
from indexer.files.encoding import open_lines
from indexer.files.errors import cannot_write
from indexer.files.messages import LOGGER, info, to_stderr, warn
from indexer.files.progress import listening, phase, progress, progress_line, reading
from tests.places import ROOT


@pytest.fixture(autouse=True)
def loud_afterwards() -> Iterator[None]:
    yield
    to_stderr()


def test_notes_are_lines_and_warnings_are_called_so(capsys: pytest.CaptureFixture[str]) -> None:
    info("36 questions")
    warn("100 % of them")
    assert capsys.readouterr() == ("", "36 questions\nwarning: 100 % of them\n")


def test_a_note_is_one_line_whatever_it_names(capsys: pytest.CaptureFixture[str]) -> None:
    warn("a\nb\x1b[2J.txt: odd")
    assert capsys.readouterr().err == "warning: a\\nb\\x1b[2J.txt: odd\n"


def test_quiet_leaves_warnings(capsys: pytest.CaptureFixture[str]) -> None:
    to_stderr(quiet=True)
    info("a note")
    warn("a warning")
    assert capsys.readouterr().err == "warning: a warning\n"


@pytest.mark.process
def test_a_library_says_nothing_but_warnings() -> None:
    code = "from indexer.files.messages import info, warn; info('a note'); warn('a warning')"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("", "a warning\n")


def test_whoever_listens_to_the_logger_gets_both(caplog: pytest.LogCaptureFixture) -> None:
    LOGGER.addHandler(caplog.handler)
    try:
        info("a note")
        warn("a warning")
    finally:
        LOGGER.removeHandler(caplog.handler)
    assert [(record.levelno, record.message) for record in caplog.records] == [
        (logging.INFO, "a note"),
        (logging.WARNING, "a warning"),
    ]


def test_progress_says_share_rate_and_time_left() -> None:
    assert (
        progress_line("read", 1000, 4000, " lines", 2.0)
        == "read: 1,000 of 4,000 lines, 25%, 500/s, 6 s left"
    )
    assert (
        progress_line("read", 1000, 601_000, "", 2.0)
        == "read: 1,000 of 601,000, 0%, 500/s, 20 min left"
    )
    assert (
        progress_line("read", 1000, 10_000_000, "", 1.0)
        == "read: 1,000 of 10,000,000, 0%, 1,000/s, 2 h 47 min left"
    )


def test_progress_never_says_that_all_is_done_while_work_goes_on() -> None:
    assert (
        progress_line("read", 3_999, 4_000, "", 1.0)
        == "read: 3,999 of 4,000, 99%, 3,999/s, 0 s left"
    )
    assert progress_line("read", 4_000, 4_000, " lines", 1.0) == "read: all 4,000 lines, finishing"


def test_a_phase_says_that_it_goes_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_module, "SECONDS_ELSEWHERE", 0.001)
    to_stderr(verbose=True)
    with phase("learning"):
        while "learning: 0 s" not in (said := capsys.readouterr().err):
            pass
    assert re.fullmatch(r"(learning: 0 s\n)+", said)
    assert re.search(r"learning: \d+\.\d s\n$", capsys.readouterr().err)


def test_progress_without_a_total_says_what_it_can() -> None:
    assert progress_line("read", 1000, 0, " lines", 2.0) == "read: 1,000 lines, 500/s"


def test_no_time_is_left_to_tell_before_anything_is_done() -> None:
    assert progress_line("read", 0, 4000, " lines", 2.0) == "read: 0 lines, 0/s"


def test_without_a_terminal_a_line_stands_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_module, "SECONDS_ELSEWHERE", 0.0)
    with progress("read", 2) as reach:
        reach(1)
    assert capsys.readouterr().err.startswith("read: 1 of 2, 50%, ")
    to_stderr(quiet=True)
    with progress("read", 2) as reach:
        reach(1)
    assert capsys.readouterr().err == ""


def test_a_listener_hears_how_work_goes_on_inside_its_block_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(progress_module, "SECONDS_ON_A_TERMINAL", 0.0)
    heard: list[tuple[str, int, int]] = []
    with listening(lambda *told: heard.append(told)), progress("read", 2) as reach:
        reach(1)
    with progress("written") as reach:
        reach(1)
    assert heard == [("read", 0, 2), ("read", 1, 2)]


def test_reading_a_file_has_its_bytes_on_disk_as_the_total(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"one line\n")
    told: list[tuple[str, int, int]] = []
    with listening(lambda *now: told.append(now)), reading(str(tmp_path / "a.txt"), "a"):
        pass
    assert told[0] == ("a", 0, 9)


def test_reading_reaches_the_end_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = tmp_path / "a.txt.gz"
    lines = (Random(line).randbytes(1_000).hex() for line in range(2_000))
    packed.write_bytes(gzip.compress("\n".join(lines).encode()))
    heard: list[tuple[str, int, int]] = []
    monkeypatch.setattr(
        "indexer.files.progress.SECONDS_ON_A_TERMINAL", -1
    )  # each position is reported
    with listening(lambda *now: heard.append(now)), reading(str(packed), "a") as (path, look):
        for _ in open_lines(path):
            look()
    assert any(0 < reached < packed.stat().st_size for _, reached, _ in heard)
    assert heard[-1] == ("a", packed.stat().st_size, packed.stat().st_size)
    assert heard == sorted(heard)


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "free space, or choose another place"),
        (errno.EROFS, "choose another place"),
        (errno.EACCES, "choose another place"),
    ],
)
def test_what_helps_where_an_output_cannot_be_written(number: int, advice: str) -> None:
    line = str(cannot_write("out.xml", OSError(number, "why")))
    assert line == f"out.xml: cannot be written (why); {advice}"
