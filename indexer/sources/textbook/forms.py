"""Which form of running text a file has; what looks like a known form and is none is refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from indexer.files.encoding import PACKED, open_bytes, open_lines, read_beginning
from indexer.files.errors import bad_input
from indexer.files.xml import root_element
from indexer.formats.sentence_lists import is_sentence_file
from indexer.formats.table_rows import is_table_file
from indexer.sources.textbook.documents.reading import DocumentForm
from indexer.sources.textbook.documents.zipped import zipped_form
from indexer.sources.textbook.wikipedia import dump, extracted

Form = Literal["candidates", "json", "trec", "textbook", "dump", "extracted", "plain", "pages"] | DocumentForm

FORMS = (
    "plain text, PDF, EPUB, DOCX, HTML, JSON lines, TREC documents, textbook XML, a MediaWiki dump or WikiExtractor's "
    "output"
)
WIKI_FILES = ("wiki_[0-9]*", "*/wiki_[0-9]*")
"""Where WikiExtractor's files lie in its folder: AA/wiki_00."""

_SHOWN = 60
_HEAD = 1024  # bytes among which a PDF begins (ISO 32000, note 13 of annex H)
_PAGE = 20_000  # characters of a page at most: a large one has a fifth; what has fewer form feeds is no text of pages
_PDF = re.compile(rb"%PDF-\d")
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*|<!--.*?-->\s*)*<(?:!doctype\s+)?html\b", re.IGNORECASE | re.DOTALL
)
_MARKUP = re.compile(r"<[A-Za-z!?/]")
_WIKI_FILE = re.compile(r"wiki_\d+")
_NO_TEXT = (
    (re.compile(rb"\xd0\xcf\x11\xe0|\{\\rtf"), "a document of a word processor", "save it as DOCX or plain text"),
    (re.compile(rb"PK\x03\x04"), "a zip file, and no EPUB or DOCX", "unpack it, or save its text"),
    (re.compile(rb"(?s:.{257})ustar"), "a tar file", "unpack it"),
    (re.compile(rb"\x1f\x8b|BZh\d|\xfd7zXZ|\x28\xb5\x2f\xfd|7z\xbc\xaf"), "a packed file", "unpack it"),
)
"""What people have books in beside text: how such a file begins, what it is, the way out."""


def form_of(path: str) -> Form:
    """The form of a file, told from its beginning.

    UserError with file and line for another kind's file, for what is no text, for XML of another root element, and for
    a file whose name says JSON, XML or WikiExtractor and whose beginning does not.
    """
    with open_bytes(path) as file:
        head = file.read(_HEAD)
    if document := _document_form(path, head):
        return document
    line, beginning = _first_text(path)
    if beginning.startswith("<") and _MARKUP.match(beginning):
        return _marked_up(path, beginning)
    _refuse_other_than_named(path, line, beginning)
    if _is_paged(read_beginning(path)):
        return "pages"
    if is_sentence_file(path):
        return "candidates"
    if is_table_file(path):
        raise bad_input(path, None, "tables of NLPCC TBQA, not running text", "index them with `indexer tables`")
    return "json" if beginning.startswith(("{", "[")) else "plain"


def _is_paged(text: str) -> bool:
    """Whether a text has form feeds as often as pages end."""
    return len(text) <= _PAGE * text.count("\f")


def is_dump(path: str) -> bool:
    """Whether a file is a MediaWiki dump by its root element. UserError as in `form_of`."""
    return form_of(path) == "dump"


def _document_form(path: str, head: bytes) -> DocumentForm | None:
    """The form of a file that is no plain text by its first bytes; None for any other."""
    if _PDF.search(head):
        return "pdf"
    if _HTML.match(head):
        _refuse_other_than_named(path, 1, "<html>")
        return "html"
    return zipped_form(path) if head.startswith(b"PK\x03\x04") and not path.endswith(PACKED) else None


def _first_text(path: str) -> tuple[int, str]:
    """The number and the beginning of the first line that is not blank. UserError where the file is no text."""
    with open_bytes(path) as file:
        head = file.read(_HEAD)
    for beginning, what, remedy in _NO_TEXT:
        if beginning.match(head):
            raise bad_input(path, None, f"{what}, not running text", f"{remedy}; expected {FORMS}")
    for line in open_lines(path):
        if line.text and line.text.strip():
            return line.number, line.text.strip()[:2_000]
    return 0, ""


def _marked_up(path: str, beginning: str) -> Form:
    if extracted.BEGINNING.match(beginning):
        return "extracted"
    if re.match(r"<DOC\b", beginning, re.IGNORECASE):
        return "trec"
    root, line, _ = root_element(path)
    if root == dump.ROOT:
        return "dump"
    if root == "textbook":
        return "textbook"
    raise bad_input(path, line, f"the root element is <{root[:_SHOWN]}>", f"expected {FORMS}")


def _refuse_other_than_named(path: str, line: int, beginning: str) -> None:
    name = Path(path).name.lower()
    for suffix in PACKED:
        name = name.removesuffix(suffix)
    if name.endswith((".json", ".jsonl", ".ndjson")) and not beginning.startswith(("{", "[")):
        expected = 'expected JSON lines such as {"id": …, "title": …, "text": …}'
    elif name.endswith(".xml"):
        expected = "expected <textbook> or <mediawiki>"
    elif _WIKI_FILE.fullmatch(name) and not beginning.startswith("{"):
        expected = "expected WikiExtractor's <doc …> or JSON lines"
    else:
        return
    if beginning:
        raise bad_input(path, line, f"not what the name says ({beginning[:_SHOWN]})", expected)
