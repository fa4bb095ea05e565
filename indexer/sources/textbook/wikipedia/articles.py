"""The articles of Wikipedia as passages, and the titles that only lead to them; what is neither is passed over."""

from __future__ import annotations

from collections.abc import Iterator

from indexer.files.encoding import open_lines
from indexer.ingest_report import IngestReport
from indexer.languages.language import Language
from indexer.sources.textbook.schema import Passage, Redirect
from indexer.sources.textbook.wikipedia.dump import WikiPage, dump_pages
from indexer.sources.textbook.wikipedia.extracted import Extracted, extracted_pages, kind_without_text, titled_lines
from indexer.sources.textbook.wikipedia.page import read_page
from indexer.sources.textbook.wikipedia.words import redirect_line

_MARKED_UP = "wikitext"


def of_dump(path: str, language: Language, tally: IngestReport) -> Iterator[Passage | Redirect]:
    """The passages of a dump's articles, and its redirects from title to title; every page is a record.

    Passed over are pages that are no articles (other namespaces, disambiguation, no text, another markup) and redirects
    to sections: these are parts of what they lead to, not other names of it.
    """
    for page in dump_pages(path):
        tally.count()
        redirect = _redirect(page)
        kind = _kind(page, redirect)
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
                yield Passage(text, title, page.page_id)


def _redirect(page: WikiPage) -> str:
    """The title, and the section behind `#`, that a page leads to; "" for a page with text of its own."""
    told = redirect_line().match(page.text)
    return told[1].replace("_", " ").strip() if told else page.redirect


def _kind(page: WikiPage, redirect: str) -> str:
    """What a page is that is no article and no redirect to one; "" for these."""
    if page.namespace:
        return f"{page.namespace} pages"
    if redirect:
        return "redirects to sections" if "#" in redirect else ""
    return "" if page.model == _MARKED_UP else f"pages in {page.model}"


def of_extracted(path: str, language: Language, tally: IngestReport) -> Iterator[Passage]:
    """The passages of a file of `<doc …>` documents; each is a record."""
    for page in extracted_pages(open_lines(path), path):
        tally.count()
        yield from of_page(page, path, language, tally)


def of_page(page: Extracted, path: str, language: Language, tally: IngestReport) -> Iterator[Passage]:
    """The passages of one page that WikiExtractor wrote; none, and the page passed over, where it has no text."""
    kind = kind_without_text(page)
    if kind:
        tally.pass_over(path, page.line, kind, page.title)
        return
    for title, text in titled_lines(page, language):
        yield Passage(text, title, page.page_id)
