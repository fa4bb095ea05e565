"""What holds for every page: a test runs its commands, the others have known options, links lead
somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, commands, text_of, unknown_words
from tests.places import ROOT

NEED_MORE = [
    command for page in PAGES for mark in ("data", "docker") for command in commands(page, mark)
]
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def anchor(heading: str) -> str:
    """A heading's name in links, as GitHub makes it: lower case, blanks as hyphens, other signs
    left out."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", [page for page in PAGES if list(commands(page))])
def test_a_page_with_commands_has_a_test_that_runs_them(page: str) -> None:
    module = f"test_{Path(page).stem.lower().replace('-', '_')}.py"
    assert f'check_page("{page}"' in (ROOT / "tests" / "docs" / module).read_text("utf-8")


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
