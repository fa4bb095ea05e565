"""Files of open data into grids: csv, tsv, html, json, xml, workbooks and, with an extra, pdf; told by content."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from indexer.languages.language import Language
from indexer.tables.grids.delimited import read_delimited
from indexer.tables.grids.html import read_html
from indexer.tables.grids.ods import is_ods
from indexer.tables.grids.records import BLANKS, capped, read_json, read_xml
from indexer.tables.grids.workbook import Grid, UnreadableTableError, read_workbook

FileKind = Literal["workbook", "html", "json", "xml", "pdf", "zip", "text", "empty", "binary"]

PACKAGES = ("python-calamine", "xlrd", "lxml", "pdfplumber")
"""What decides what stands in a cell of a file that is not plain text."""

_SNIFFED = 65536
_PDF_PAGES = 200
_ZIP = b"PK\x03\x04"
_COMMENT = re.compile(rb"<!--(?:.*?-->|.*)", re.DOTALL)  # one that is never closed reaches to the end
_TAG = re.compile(rb"<([a-z][\w:.-]*)")
_HTML_TAG = re.compile(rb"<(?:table|tr|body)(?=[\s>/])")
_HTML_ROOTS = frozenset(
    b"html head body table tr td th title meta link style script base center div span p br hr font form h1 h2 h3 h4"
    b" a b i u em strong ul ol li dl img section article main header footer nav pre small tbody thead caption".split()
)


def file_kind(data: bytes) -> FileKind:
    """What a file is, by its first bytes: names of open data often lie (HTML called .xls)."""
    start = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start:
        return "empty"
    if data[:4] == _ZIP:
        return "zip" if is_zip(data) else "workbook"
    if data[:8] == b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1":
        return "workbook"
    if start[:5] == b"%PDF-":
        return "pdf"
    if start[:1] == b"<":
        return _markup_kind(data[:_SNIFFED])
    if start[:1] in (b"{", b"["):
        return "json"
    if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        sample = data[:_SNIFFED].decode("utf-16", "ignore").encode("utf-8", "ignore").lstrip()
        return _markup_kind(sample) if sample[:1] == b"<" else "text"
    return "binary" if _is_binary(data[:_SNIFFED]) else "text"


def is_zip(data: bytes) -> bool:
    """Whether a file is a zip of files, not a workbook, which is one too."""
    if data[:4] != _ZIP or is_ods(data):
        return False
    return b"xl/workbook" not in _directory(data)


def _directory(data: bytes) -> bytes:
    """The list of a zip's own files at its end, for a workbook may lie in it unpacked; without one its beginning."""
    end = data.rfind(b"PK\x05\x06", max(0, len(data) - _SNIFFED))
    size = int.from_bytes(data[end + 12 : end + 16], "little")
    return data[max(0, end - size) : end] if end >= 0 else data[:4000]


def _markup_kind(sample: bytes) -> FileKind:
    """HTML by its root element, or by a doctype; another root makes XML, whatever tables its texts hold."""
    lower = sample.lower()
    found = _TAG.search(_COMMENT.sub(b"", lower))
    root = found[1] if found else b""
    if root == b"html" or b"<!doctype html" in lower:
        return "html"
    if b"<?xml" in lower[:200] and not (root == b"table" and re.search(rb"<tr[\s>]", lower)):
        return "xml"
    return "html" if root in _HTML_ROOTS and _HTML_TAG.search(lower) else "xml"


def _is_binary(sample: bytes) -> bool:
    """A NUL or two may stand in a damaged text; more, among other control characters, are no text."""
    if b"\x00" not in sample:
        return False
    controls = len(sample) - len(sample.translate(None, bytes((*range(9), *range(14, 32)))))
    return controls > max(1, len(sample) // 100)


def read_grids(data: bytes, language: Language) -> Iterator[Grid]:
    """The grids of a file's bytes. UnreadableTableError with the reason when it, or the rest of it, gives none."""
    kind = file_kind(data)
    readers: Mapping[FileKind, Callable[[bytes], Iterator[Grid]]] = {
        "workbook": lambda data: read_workbook(data, language),
        "html": lambda data: read_html(data, language),
        "json": lambda data: read_json(data, language),
        "xml": read_xml,
        "pdf": _read_pdf,
        "text": lambda data: read_delimited(data, language),
    }
    if kind not in readers:
        reasons = {"empty": "empty file", "zip": "a zip inside a zip", "binary": "binary data in no known format"}
        raise UnreadableTableError(reasons[kind])
    yield from readers[kind](data)


def _read_pdf(data: bytes) -> Iterator[Grid]:
    try:
        import pdfplumber
    except ImportError as error:
        raise UnreadableTableError("a pdf: install the extra classical-qa[pdf] to read its tables") from error
    found = False
    try:
        with pdfplumber.open(io.BytesIO(data)) as document:
            for page in document.pages[:_PDF_PAGES]:
                for table in page.extract_tables():
                    found = True
                    yield capped([[BLANKS.sub(" ", cell or "").strip() for cell in row] for row in table])
                page.close()
            if len(document.pages) > _PDF_PAGES:
                raise UnreadableTableError(
                    f"a pdf of {len(document.pages)} pages: only the first {_PDF_PAGES} are read"
                )
    except UnreadableTableError:
        raise
    except Exception as error:  # pdfminer fails in many ways on damaged files
        reason = "protected by a password" if "assword" in type(error).__name__ + str(error) else "damaged pdf"
        raise UnreadableTableError(f"{reason} ({type(error).__name__})") from error
    if not found:
        raise UnreadableTableError("a pdf without tables")
