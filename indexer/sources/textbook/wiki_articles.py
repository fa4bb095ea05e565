"""Wikipedia as passages: MediaWiki's XML dumps, plain or packed, and what WikiExtractor makes of them."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from indexer.files.encoding import TextLine, numbered_lines, open_bytes, open_lines
from indexer.files.errors import bad_input
from indexer.files.xml import line_of, syntax_fault, xml_pieces
from indexer.ingest_report import IngestReport
from indexer.languages.language import Language
from indexer.sources.textbook.forms import EXTRACTED
from indexer.sources.textbook.schema import Redirect, SourcePassage
from indexer.sources.textbook.wiki_page import (
    DISAMBIGUATION,
    WITHOUT_TEXT,
    read_page,
    redirect_line,
    section_title,
    words,
)

if TYPE_CHECKING:
    from lxml import etree

# MediaWiki's XML dumps, plain or packed, page by page: whatever their size, one page is held in memory.

ARTICLES = "0"  # the number of the namespace of articles


class WikiPage(NamedTuple):
    """A page of a dump, its line, and the text of its last revision ("" without one), in wiki markup or in `model`.

    `namespace` is the name of its namespace, "" for articles. `redirect` is the title that it redirects to, "" for
    none.
    """

    line: int
    page_id: str
    title: str
    namespace: str
    redirect: str
    model: str
    text: str


def dump_pages(path: str) -> Iterator[WikiPage]:
    """Yields the pages of a dump in order; of a dump with page histories, the last revision of each page.

    Raises UserError with file and line: a dump that is truncated or not XML, one with a document type (dumps have none,
    and it could define entities), a page without a title.
    """
    from lxml import etree

    namespaces = {ARTICLES: ""}
    header: WikiPage | None = None
    with open_bytes(path) as file:
        try:
            for element in xml_pieces(file, ("{*}namespaces", "{*}revision", "{*}page")):
                if element.getroottree().docinfo.internalDTD is not None:
                    raise bad_input(path, 1, "a document type in a dump", "expected <mediawiki> without <!DOCTYPE>")
                name = str(element.tag).rpartition("}")[2]  # a QName refuses odd name spaces
                if name == "namespaces":
                    namespaces.update((each.get("key", ""), each.text or "") for each in element)
                elif name == "revision":  # the text before it is dropped once it was read
                    parent = element.getparent()
                    if header is None and parent is not None:
                        header = _header(parent, path, namespaces)
                    if header is not None:
                        model = (element.findtext("{*}model") or "wikitext").strip()
                        header = header._replace(model=model, text=element.findtext("{*}text") or "")
                else:
                    yield header or _header(element, path, namespaces)
                    header = None
        except etree.XMLSyntaxError as error:
            raise syntax_fault(path, error) from None


def _header(page: etree._Element, path: str, namespaces: dict[str, str]) -> WikiPage:
    """A page of a dump without its text; `namespaces` maps keys to names. Raises UserError for a page without a
    title."""
    title = (page.findtext("{*}title") or "").strip()
    if not title:
        raise bad_input(path, line_of(page), "a <page> without a <title>", "expected a MediaWiki dump")
    key = page.findtext("{*}ns")
    if key is None:  # dumps of before 2011 tell the namespace by the title only
        prefix, colon, _ = title.partition(":")
        namespace = prefix if colon and prefix in namespaces.values() else ""
    else:
        namespace = namespaces.get(key.strip(), f"namespace {key.strip()}")
    redirect = page.find("{*}redirect")
    leads_to = "" if redirect is None else redirect.get("title", "")
    page_id = (page.findtext("{*}id") or "").strip()
    return WikiPage(line_of(page) or 0, page_id, title, namespace, leads_to, "wikitext", "")


# WikiExtractor's output: `<doc id="" url="" title="">`, a page's text and `</doc>`, or a JSON object a line.

_ATTRIBUTE = re.compile(r'\b(id|title)="(.*?)"(?=\s+[a-z]+="|\s*>\s*$)')
_END = re.compile(r"\s*</doc>\s*$", re.IGNORECASE)
_EXPECTED = 'expected <doc id="…" url="…" title="…">, the lines of a page and </doc>, as WikiExtractor writes them'
_HEADING = 80  # characters: a longer line is a paragraph
_SENTENCE_END = re.compile(r"[.!?。！？:：;；][\"'”’」』)）]*$")
_HEADING_WORDS = 6  # a bare line of more words is a sentence


class Extracted(NamedTuple):
    """A page that WikiExtractor wrote: the number of its first line, its id and title, the non-blank lines of its
    text."""

    line: int
    page_id: str
    title: str
    lines: Sequence[str]


def extracted_pages(lines: Iterator[TextLine], path: str) -> Iterator[Extracted]:
    """Yields the pages between `<doc …>` and `</doc>`.

    Raises UserError with file and line: text outside of pages, a page that does not end before the next or before the
    end of the file, a page without a title, a line that cannot be read.
    """
    page: Extracted | None = None
    held: list[str] = []
    for number, text in numbered_lines(lines, path, _EXPECTED):
        if EXTRACTED.match(text):
            if page is not None:
                raise bad_input(path, page.line, "no </doc> before the next <doc>", _EXPECTED)
            found = dict(_ATTRIBUTE.findall(text))
            title = html.unescape(found.get("title", "")).strip()
            if not title:
                raise bad_input(path, number, "a <doc> without a title", _EXPECTED)
            page, held = Extracted(number, found.get("id", ""), title, ()), []
        elif page is not None and _END.match(text):
            yield page._replace(lines=_body(page.title, held))
            page = None
        elif page is not None:
            held.append(html.unescape(text))
        elif text.strip():
            raise bad_input(path, number, "text outside of a <doc>", _EXPECTED)
    if page is not None:
        raise bad_input(path, page.line, "no </doc> before the end of the file", _EXPECTED)


def json_page(record: Mapping[str, Any], line: int) -> Extracted:
    """The page of a JSON line of WikiExtractor, with the page's address, title and whole text."""
    title = " ".join(record["title"].split())
    return Extracted(line, str(record.get("id", "")), title, _body(title, record["text"].split("\n")))


def _body(title: str, lines: Sequence[str]) -> list[str]:
    """The lines that hold text, blanks folded, without the title above them."""
    found = [" ".join(line.split()) for line in lines if line.strip()]
    return found[1:] if found and found[0] == title else found


# The articles of Wikipedia as passages, and the titles that only lead to them; what is neither is passed over.


def dump_passages(path: str, language: Language, tally: IngestReport) -> Iterator[SourcePassage | Redirect]:
    """Yields the passages of a dump's articles, and its redirects; every page is counted as a record in the tally.

    Pages that are not articles (other namespaces, disambiguation, no text, another markup) and redirects to sections,
    which are parts of an article and not names of it, are skipped and counted by kind.
    """
    for page in dump_pages(path):
        tally.count()
        # the title, and the section behind `#`, that a page leads to
        told = redirect_line().match(page.text)
        redirect = told[1].replace("_", " ").strip() if told else page.redirect
        kind = ""
        if page.namespace:
            kind = f"{page.namespace} pages"
        elif redirect:
            kind = "redirects to sections" if "#" in redirect else ""
        elif page.model != "wikitext":
            kind = f"pages in {page.model}"
        if kind:
            tally.pass_over(path, page.line, kind, page.title)
        elif redirect:
            yield Redirect(page.title, redirect)
        else:
            found = read_page(page.title, page.text, language)
            tally.leave_out(found.left_out)
            if found.kind:
                tally.pass_over(path, page.line, found.kind, page.title)
            for title, text in found.passages:
                yield SourcePassage(text, title, page.page_id)


def extracted_passages(path: str, language: Language, tally: IngestReport) -> Iterator[SourcePassage]:
    """The passages of a file of `<doc …>` documents; each is a record."""
    for page in extracted_pages(open_lines(path), path):
        tally.count()
        yield from page_passages(page, path, language, tally)


def page_passages(page: Extracted, path: str, language: Language, tally: IngestReport) -> Iterator[SourcePassage]:
    """Yields the passages of one page that WikiExtractor wrote; a page without text or for disambiguation gives none
    and is counted as skipped.

    A heading is a passage too, as in plain text, and the title of those that follow.
    """
    first = page.lines[0].lower() if page.lines else ""
    if page.title.lower().endswith(words("title")) or first.endswith(words("refers")):
        tally.pass_over(path, page.line, DISAMBIGUATION, page.title)
    elif not page.lines:
        tally.pass_over(path, page.line, WITHOUT_TEXT, page.title)
    else:
        title = page.title
        for number, line in enumerate(page.lines, 1):
            # WikiExtractor ends headings with a full stop where nothing else does; neither the first line of a page,
            # its definition, nor the last, which names nothing, is one
            bare = line.removesuffix(".")
            is_short = len(line) <= _HEADING and not line.startswith(("-", "*", "•"))
            is_title = bare == line or (len(bare.split()) <= _HEADING_WORDS and ". " not in bare)
            if 1 < number < len(page.lines) and is_short and is_title and not _SENTENCE_END.search(bare):
                title = section_title(page.title, [line.rstrip(".")], language)
            yield SourcePassage(line, title, page.page_id)
