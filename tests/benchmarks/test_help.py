"""Every benchmark says what it is for, and without the collections says so in one line."""

from __future__ import annotations

import importlib

import click
import pytest
from click.testing import CliRunner

from tests.places import ROOT
from tests.programs import refusal

PROGRAMS = [
    path.stem
    for path in sorted((ROOT / "benchmarks").glob("*.py"))
    if '__name__ == "__main__"' in path.read_text("utf-8")
]
NEED_DATA = [
    name
    for name in PROGRAMS
    if "from packs import" in (ROOT / "benchmarks" / f"{name}.py").read_text("utf-8")
]
ARGUMENTS = {
    "ask_questions": ["work"],
    "review_questions": ["work"],
    "yes_no_questions": ["work"],
    "pseudo_exams": ["work"],
    "wrong_keys": ["work"],
}


def command_of(name: str) -> click.Command:
    main = importlib.import_module(name).main
    assert isinstance(main, click.Command)
    return main


@pytest.mark.parametrize("name", PROGRAMS)
def test_help_says_what_it_is_for(name: str) -> None:
    said = CliRunner().invoke(command_of(name), ["--help"], catch_exceptions=False)
    usage, _, purpose = said.stdout.partition("\n\n")
    assert usage.startswith("Usage: ")
    assert purpose.startswith("  ")


@pytest.mark.parametrize("name", NEED_DATA)
def test_without_the_collections_one_line_says_so(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("QA_DATA", raising=False)
    assert refusal(command_of(name), *ARGUMENTS.get(name, [])) == (
        "QA_DATA is not set: it names the folder of the collections, see docs/figures/README.md"
    )
