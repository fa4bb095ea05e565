"""Every command of the pages on multiple choice runs, and the sample's Table 2 is what they
print."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.pages import check_page, commands, run, text_of

pytestmark = pytest.mark.process


def test_every_command_runs(tmp_path: Path) -> None:
    check_page("docs/tasks/ntcir-mc.md", tmp_path)


def test_the_table_of_the_sample_exam_is_what_its_commands_print(tmp_path: Path) -> None:
    check_page("docs/figures/notes/ntcir-mc.md", tmp_path)
    *_, last = commands("docs/figures/notes/ntcir-mc.md")
    table = run(last, tmp_path).stdout
    assert table.startswith("id ")
    assert table in text_of("docs/figures/notes/ntcir-mc.md")
