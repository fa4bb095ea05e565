"""What WikiExtractor writes: `<doc id="" url="" title="">`, a page's text and `</doc>`, or a JSON object a line."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from indexer.files.encoding import Line, numbered
from indexer.files.errors import bad_input
from indexer.languages.language import Language
from indexer.sources.textbook.wikipedia.page import DISAMBIGUATION, WITHOUT_TEXT, section_title
from indexer.sources.textbook.wikipedia.words import words

BEGINNING = re.compile(r'<doc\s[^<>]*?\btitle="', re.IGNORECASE)
"""How a document of WikiExtractor begins; TREC's `<DOC>` has no title there."""

_ATTRIBUTE = re.compile(r'\b(id|title)="(.*?)"(?=\s+[a-z]+="|\s*>\s*$)')
_END = re.compile(r"\s*</doc>\s*$", re.IGNORECASE)
_EXPECTED = 'expected <doc id="…" url="…" title="…">, the lines of a page and </doc>, as WikiExtractor writes them'
_HEADING = 80
_SENTENCE_END = re.compile(r"[.!?。！？:：;；][\"'”’」』)）]*$")
_HEADING_WORDS = 6


class Extracted(NamedTuple):
    """A page: the line where it begins, its id and title, the lines of its text that are not blank."""

    line: int
    page_id: str
    title: str
    lines: Sequence[str]


def extracted_pages(lines: Iterator[Line], path: str) -> Iterator[Extracted]:
    """The pages between `<doc …>` and `</doc>`.

    UserError with file and line: text outside of them, a page that does not end before the next or before the end of
    the file, a page without a title, a line that cannot be read.
    """
    page: Extracted | None = None
    held: list[str] = []
    for number, text in numbered(lines, path, _EXPECTED):
        if BEGINNING.match(text):
            if page is not None:
                raise bad_input(path, page.line, "no </doc> before the next <doc>", _EXPECTED)
            page, held = _begun(text, number, path), []
        elif page is not None and _END.match(text):
            yield page._replace(lines=_body(page.title, held))
            page = None
        elif page is not None:
            held.append(html.unescape(text))
        elif text.strip():
            raise bad_input(path, number, "text outside of a <doc>", _EXPECTED)
    if page is not None:
        raise bad_input(path, page.line, "no </doc> before the end of the file", _EXPECTED)


def _begun(text: str, number: int, path: str) -> Extracted:
    found = dict(_ATTRIBUTE.findall(text))
    title = html.unescape(found.get("title", "")).strip()
    if not title:
        raise bad_input(path, number, "a <doc> without a title", _EXPECTED)
    return Extracted(number, found.get("id", ""), title, ())


def json_page(record: Mapping[str, Any], line: int) -> Extracted | None:
    """The page of a JSON line that has a page's address, title and whole text, as WikiExtractor's have; else None."""
    if not all(isinstance(record.get(name), str) for name in ("url", "title", "text")):
        return None
    title = " ".join(record["title"].split())
    return Extracted(line, str(record.get("id", "")), title, _body(title, record["text"].split("\n")))


def _body(title: str, lines: Sequence[str]) -> list[str]:
    """The lines that hold text, blanks folded, without the title that stands above them."""
    found = [" ".join(line.split()) for line in lines if line.strip()]
    return found[1:] if found and found[0] == title else found


def kind_without_text(page: Extracted) -> str:
    """What kind of page this is, where it has no text of its own; "" where it has."""
    if page.title.lower().endswith(words("title")) or (page.lines and page.lines[0].lower().endswith(words("refers"))):
        return DISAMBIGUATION
    return "" if page.lines else WITHOUT_TEXT


def titled_lines(page: Extracted, language: Language) -> Iterator[tuple[str, str]]:
    """(title, paragraph) of each line; a heading is a passage too, as in plain text, and names those that follow.

    The first line of a page is none, for an article begins with what it is about, nor the last, which names nothing.
    """
    title = page.title
    for number, line in enumerate(page.lines, 1):
        if 1 < number < len(page.lines) and _is_heading(line):
            title = section_title(page.title, [line.rstrip(".")], language)
        yield title, line


def _is_heading(line: str) -> bool:
    """Short and no sentence; WikiExtractor ends headings with a full stop where nothing else does."""
    if len(line) > _HEADING or line.startswith(("-", "*", "•")):
        return False
    bare = line.removesuffix(".")
    return not _SENTENCE_END.search(bare) and (
        bare == line or (len(bare.split()) <= _HEADING_WORDS and ". " not in bare)
    )
