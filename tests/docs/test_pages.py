"""What holds for every page: its commands run, those that need more have known options, links lead
somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, check_page, commands, text_of, unknown_words
from tests.places import ROOT

NEED_MORE = [
    command for page in PAGES for mark in ("data", "docker") for command in commands(page, mark)
]
ELSEWHERE = ("README.md", "docs/pyterrier.md")
"""Pages whose modules go on in the folder where their commands were run."""

_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def anchor(heading: str) -> str:
    """A heading's name in links, as GitHub makes it: lower case, blanks as hyphens, other signs
    left out."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.process
@pytest.mark.parametrize(
    "page", [page for page in PAGES if page not in ELSEWHERE and [*commands(page)]]
)
def test_every_command_runs(page: str, tmp_path: Path) -> None:
    check_page(page, tmp_path)


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    for link in _LINK.findall(text_of(page)):
        place, _, section = link.partition("#")
        if not place.startswith("http"):
            target = (ROOT / page).parent / place if place else ROOT / page
            assert target.exists(), link
            assert not section or section in map(
                anchor, _HEADING.findall(target.read_text("utf-8"))
            ), link


@pytest.mark.parametrize("command", NEED_MORE)
def test_commands_that_need_more_have_known_options(command: str) -> None:
    assert unknown_words(command) == []


def test_an_option_that_a_command_does_not_have_is_told() -> None:
    assert unknown_words("classical-qa index triples KB --index x --jbos 2") == ["--jbos"]
