"""The sample PDF: it says what the sample textbook says, and an answer out of it shows its page."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from answerer.asking.command import command as ask
from indexer.ingest_report import IngestReport
from indexer.languages.registry import LANGUAGES
from indexer.sources.textbook.build import command as textbook
from indexer.sources.textbook.passages import open_records
from indexer.sources.textbook.schema import SourcePassage
from tests.places import ROOT

BOOK = ROOT / "samples/textbook-en.pdf"


def test_the_pdf_has_the_sentences_of_the_book_with_their_titles() -> None:
    lines = (ROOT / "samples/textbook-en.jsonl").read_text("utf-8").splitlines()
    told = {record["title"]: record["text"] for record in map(json.loads, lines)}
    found: dict[str, str] = {}
    for one in open_records(str(BOOK), "book", LANGUAGES["en"], IngestReport()):
        assert isinstance(one, SourcePassage)
        if one.text != one.title:
            found[one.title] = f"{found.get(one.title, '')} {one.text}".strip()
    assert len(found) == 12
    assert found == {title: told[title].replace("\n", " ") for title in found}


def test_ask_shows_the_page_of_a_pdf(tmp_path: Path) -> None:
    index = str(tmp_path / "index")
    built = CliRunner().invoke(textbook, [str(BOOK), "--index", index])
    assert (
        "left out of the text: hyphens at line ends 4, running feet 3, running heads 3"
        in built.stderr
    )
    asked = CliRunner().invoke(ask, ["Who built the largest pyramid?", "--index", index])
    assert " ".join(asked.stdout.split()).startswith(
        "1. King Khufu “The largest pyramid at Giza was built for King Khufu in the Old Kingdom.” — "
        "River civilizations: "
        "Egypt, p. 12"
    )
