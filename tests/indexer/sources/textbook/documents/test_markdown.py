"""Markdown as it is shown, and web pages that were saved as one file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from indexer.ingest_report import IngestReport
from indexer.languages.english import ENGLISH
from indexer.sources.textbook.markdown import without_marks
from indexer.sources.textbook.passages import open_records
from indexer.sources.textbook.schema import SourcePassage


def passages(path: Path) -> list[tuple[str, str]]:
    """The titles and texts of a book's passages."""
    records = open_records(str(path), "a", ENGLISH, IngestReport())
    return [(one.title, one.text) for one in records if isinstance(one, SourcePassage)]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("**Akbar** was *an* __old__ _man_.", "Akbar was an old man."),
        ('He [built](http://a.example/x_y "A fort") [forts][1].', "He built forts."),
        ("A ![fort](a.png) is <b>red</b><!-- note -->.[^2]", "A  is red."),
        ("Call **`a`**, `*b*` and ``<b>x`y``.", "Call a, *b* and <b>x`y."),
        (
            "Of 2 * 3 * 4, snake_case_names and \\*stars\\*.",
            "Of 2 * 3 * 4, snake_case_names and *stars*.",
        ),
        ("> > He ruled.", "He ruled."),
        ("| Year | *Forts* |", "Year; Forts"),
        ("|:--|--:|", ""),
        ("[1]: http://a.example", ""),
        ("***", ""),
        ("# A *heading*", "# A heading"),
    ],
)
def test_a_line_is_as_it_is_shown(line: str, shown: str) -> None:
    assert list(without_marks([line], Counter())) == [shown]


def test_a_book_in_markdown(tmp_path: Path) -> None:
    (path := tmp_path / "book.md").write_text(
        "---\ntitle: Forts\n---\n<p align=center>\n\nRulers\n======\n\nAkbar **ruled**\nlong.\n"
        "- He built.\n- He [won](x).\n\n~~~\nSay *1*.\n~~~\nHe died.\n"
    )
    tally = IngestReport()
    records = open_records(str(path), "a", ENGLISH, tally)
    assert [(one.title, one.text) for one in records if isinstance(one, SourcePassage)] == [
        ("Rulers", "Rulers"),
        ("Rulers", "Akbar ruled long."),
        ("Rulers", "He built."),
        ("Rulers", "He won."),
        ("Rulers", "Say *1*."),
        ("Rulers", "He died."),
    ]
    assert tally.pieces == {"front matter": 2}


def test_a_web_archive_is_its_first_page(tmp_path: Path) -> None:
    (path := tmp_path / "book.mht").write_text(
        "From: <Saved>\nSubject: Forts\nMIME-Version: 1.0\nContent-Type: multipart/related;\n"
        ' boundary="X"\n\n--X\nContent-Type: text/html; charset="iso-8859-1"\n'
        'Content-Transfer-Encoding: quoted-printable\n\n<html><h1 id=3D"a">Rulers</h1><p>Zo=EB ru=\nled.</p>'
        "</html>\n--X\nContent-Type: text/html\n\n<p>An advertisement.</p>\n--X--\n"
    )
    assert passages(path) == [("Rulers", "Rulers"), ("Rulers", "Zoë ruled.")]


def test_a_page_in_quoted_printable_is_decoded(tmp_path: Path) -> None:
    (path := tmp_path / "book.html").write_text(
        '<html><p class=3D"a">Zo=C3=AB ru=\nled.</p></html>'
    )
    assert passages(path) == [("", "Zoë ruled.")]
