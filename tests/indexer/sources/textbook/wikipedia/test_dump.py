"""MediaWiki dumps into an index: pages, redirects, what is passed over, damaged dumps, interrupted
builds."""

from __future__ import annotations

import bz2
import gzip
from pathlib import Path

import pytest

from indexer.engines.contract import Index
from indexer.ingest_report import IngestReport
from indexer.languages.registry import LANGUAGES
from indexer.sources.textbook import wikipedia
from indexer.sources.textbook.build import command
from indexer.sources.textbook.passages import language_of
from indexer.sources.textbook.schema import Redirect, SourcePassage
from indexer.sources.textbook.wikipedia import WITHOUT_TEXT, dump_passages
from indexer.statistics.part import decode_book
from tests.books import build, texts
from tests.ingest_counts import indexed, records
from tests.places import SAMPLES
from tests.programs import json_lines, refusal

HEAD = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="en">'
SPACES = (
    '<siteinfo><namespaces><namespace key="0" /><namespace key="1">Talk</namespace>'
    '<namespace key="10">Template</namespace></namespaces></siteinfo>'
)


def page(title: str, *texts: str, ns: str = "0", redirect: str = "") -> str:
    leads = f'<redirect title="{redirect}" />' if redirect else ""
    revisions = "".join(f"<revision><id>9</id><text>{text}</text></revision>" for text in texts)
    return f"<page><title>{title}</title><ns>{ns}</ns><id>7</id>{leads}{revisions}</page>\n"


def dump(tmp_path: Path, *pages: str, name: str = "wiki.xml", head: str = HEAD + SPACES) -> str:
    path = tmp_path / name
    data = (head + "".join(pages) + "</mediawiki>").encode()
    path.write_bytes({".bz2": bz2.compress, ".gz": gzip.compress}.get(path.suffix, bytes)(data))
    return str(path)


def aliases(index: Index, key: str) -> list[str]:
    book = decode_book(index, [key], [])
    return [name for name in book.name_row if name != key]


@pytest.mark.parametrize("name", ["wiki.xml", "wiki.xml.bz2", "wiki.xml.gz"])
def test_articles_become_sentences(tmp_path: Path, name: str) -> None:
    path = dump(
        tmp_path,
        page("Akbar", "Akbar ruled [[Agra]]. He built a fort.\n== Fort ==\nIt is red."),
        name=name,
    )
    index, _ = build(tmp_path, path)
    assert texts(index) == ["Akbar ruled Agra.", "He built a fort.", "It is red."]


def test_a_passage_knows_its_page_and_its_section(tmp_path: Path) -> None:
    index, _ = build(tmp_path, dump(tmp_path, page("Akbar", "Text one.\n== Fort ==\nIt is red.")))
    (document,) = index.part("paragraphs").lookup("doc_id", ["wiki-0000002"])[0]
    assert {name: list(values) for name, values in document.keys.items()} == {
        "paragraph": ["wiki-0000002"],
        "title": ["Akbar: Fort"],
        "source_id": ["7"],
    }


def test_every_page_is_counted_and_what_is_no_article_is_passed_over(tmp_path: Path) -> None:
    pages = [
        page("Akbar", "Akbar ruled.&lt;ref>a&lt;/ref>"),
        page("Talk:Akbar", "Really?", ns="1"),
        page("Template:A", "a", ns="10"),
        page("Template:B", "b", ns="10"),
        page("Agra (disambiguation)", "* [[Agra]]"),
        page("Empty", ""),
        page("Great Akbar", "#REDIRECT [[Akbar]]", redirect="Akbar"),
        page("Fort", "#REDIRECT [[Akbar#Fort]]", redirect="Akbar"),
    ]
    _, said = build(tmp_path, dump(tmp_path, *pages))
    assert (
        "read: 8 records: 2 used, 6 rejected (passed over: Template pages 2, Talk pages 1, "
        "disambiguation pages 1, "
        "pages without text 1, redirects to sections 1)" in said
    )
    assert "references 1" in said


def test_what_is_passed_over_is_kept_with_the_rejects(tmp_path: Path) -> None:
    rejects = tmp_path / "rejects.jsonl"
    path = dump(tmp_path, page("Akbar", "Akbar ruled."), page("Talk:Akbar", "Really?", ns="1"))
    build(tmp_path, path, "--rejects", str(rejects))
    (entry,) = json_lines(rejects)
    assert entry == {"file": path, "line": 2, "reason": "Talk pages", "record": "Talk:Akbar"}


def test_a_redirect_is_another_name_of_what_it_leads_to(tmp_path: Path) -> None:
    pages = [
        page("Akbar", "The emperor Akbar ruled Agra."),
        page("Jalal of Umarkot", "", redirect="Akbar"),
    ]
    index, _ = build(tmp_path, dump(tmp_path, *pages))
    assert "jalal of umarkot" in aliases(index, "akbar")


def test_mentions_of_a_redirect_count_for_what_it_leads_to(tmp_path: Path) -> None:
    text = "The town of Shahpur was rich. Many went to Khurrampur by sea."
    pages = [page("Cities", text), page("Khurrampur", "#REDIRECT [[Shahpur]]")]
    index, _ = build(tmp_path, dump(tmp_path, *pages))
    book = decode_book(index, ["khurrampur"], [])
    assert book.names == ["shahpur"]
    assert book.at_names.toarray().tolist() == [[1, 1]]


def test_without_names_redirects_are_left_out_as_asked(tmp_path: Path) -> None:
    pages = [page("Akbar", "Akbar ruled."), page("Jalal", "", redirect="Akbar")]
    index, said = build(tmp_path, dump(tmp_path, *pages), "--no-names")
    assert [part.name for part in index.metadata.parts] == ["sentences", "paragraphs"]
    assert indexed(said) == {"sentence": 1, "paragraph": 1}
    assert "left out as asked: 1\n" in said


@pytest.mark.parametrize("word", ["#REDIRECT", "#redirect:", "#転送", "#リダイレクト", "#重定向"])
def test_redirects_of_old_dumps_are_told_by_their_text(tmp_path: Path, word: str) -> None:
    path = dump(tmp_path, page("甲", f"{word} [[乙_丙]]"), page("丙", "乙丙は国である。"))
    records = list(wikipedia.dump_passages(path, LANGUAGES["ja"], IngestReport()))
    assert records[0] == Redirect("甲", "乙 丙")


def test_of_a_pages_history_the_last_revision_counts(tmp_path: Path) -> None:
    path = dump(tmp_path, page("Akbar", "old", "older still", "new"))
    assert list(dump_passages(path, LANGUAGES["en"], IngestReport())) == [
        SourcePassage("new", "Akbar", "7")
    ]


def test_a_page_without_a_revision_has_no_text(tmp_path: Path) -> None:
    tally = IngestReport()
    assert list(dump_passages(dump(tmp_path, page("Akbar")), LANGUAGES["en"], tally)) == []
    assert tally.passed_over == {WITHOUT_TEXT: 1}


def test_a_dump_says_its_language(tmp_path: Path) -> None:
    index, _ = build(
        tmp_path, dump(tmp_path, page("甲", "Latin."), head=HEAD.replace('"en"', '"ja"') + SPACES)
    )
    assert str(index.metadata.language) == "ja"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            HEAD + "\n" + page("Akbar", "Akbar ruled."),
            "wiki.xml:3: not XML (<mediawiki> of line 1 does not end",
        ),
        (
            HEAD + "\n<page><title>A</title><revision><text>a",
            "wiki.xml:2: not XML (<text> of line 2 does not end",
        ),
        (HEAD + "\n<page><ns>0</ns></page></mediawiki>", "wiki.xml:2: a <page> without a <title>"),
        ("<?xml version='1.0'?>\n<osm></osm>", "wiki.xml:2: the root element is <osm>"),
        (
            HEAD.replace('"en"', '"de"') + "\n</mediawiki>",
            "wiki.xml:1: a dump in the language de; known are ja, en, zh",
        ),
        (HEAD + "</mediawiki>", "wiki.xml: no text in it"),
        (
            "<!DOCTYPE mediawiki [<!ENTITY a 'b'>]>" + HEAD + page("A", "&a;") + "</mediawiki>",
            "wiki.xml:1: a document type in a dump",
        ),
        (HEAD + page("A", "&nosuch;") + "</mediawiki>", "wiki.xml:1: not XML"),
    ],
)
def test_what_is_no_dump_is_refused_by_its_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "wiki.xml"
    path.write_text(content, "utf-8")
    assert refusal(command, path, "--index", tmp_path / "index").startswith(f"{tmp_path}/{message}")
    assert not (tmp_path / "index").exists()


def test_a_dump_in_an_unknown_language_is_read_as_the_chosen_one(tmp_path: Path) -> None:
    path = tmp_path / "wiki.xml"
    content = HEAD.replace('"en"', '"de"') + page("Akbar", "Akbar ruled.") + "</mediawiki>"
    path.write_text(content, "utf-8")
    assert language_of([str(path)], LANGUAGES["en"]) == LANGUAGES["en"]


def test_a_packed_dump_that_is_cut_is_refused(tmp_path: Path) -> None:
    path = Path(
        dump(
            tmp_path,
            *[page(f"A{n}", f"Text {n * n * 7919}.") for n in range(2000)],
            name="wiki.xml.bz2",
        )
    )
    path.write_bytes(path.read_bytes()[:-200])
    assert refusal(command, path, "--index", tmp_path / "index").startswith(
        f"{path}: cannot be unpacked (its end is missing)"
    )


@pytest.mark.process
def test_two_processes_build_the_same_index(tmp_path: Path) -> None:
    path = dump(
        tmp_path,
        *[page(f"King {n}", f"King {n} ruled [[Agra]] in {1000 + n}.") for n in range(300)],
    )
    alone, _ = build(tmp_path, path)
    (tmp_path / "two").mkdir()
    both, _ = build(tmp_path / "two", path, "--jobs", "2")
    assert [
        tuple(each.part(part).scan()) for each in (alone,) for part in ("sentences", "names")
    ] == [tuple(each.part(part).scan()) for each in (both,) for part in ("sentences", "names")]


def test_the_sample_dump(tmp_path: Path) -> None:
    index, said = build(tmp_path, str(SAMPLES / "wiki-en.xml"))
    assert len(texts(index, "paragraphs")) == 7
    assert records(said) == (8, 4, 4)
    assert aliases(index, "taj mahal") == ["crown of palaces"]
