"""HTML and XHTML into paragraphs under their headings, with the pages that an e-book marks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from indexer.files.encoding import detect_encoding
from indexer.files.errors import UserError, bad_input
from indexer.files.xml import parse_xml
from indexer.sources.textbook.documents.paragraphs import Paragraph

if TYPE_CHECKING:
    from lxml import etree

_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_BLOCKS = _HEADINGS | frozenset(
    "address article aside blockquote body caption center dd details dialog div dl dt figcaption figure form header "
    "hr html legend li main ol p pre section summary table tbody tfoot thead tr ul".split()
)
_NO_TEXT = frozenset(
    "annotation annotation-xml audio button canvas datalist iframe input map noscript object rp rt script select "
    "style svg template textarea title video".split()
)
_AROUND = frozenset(("nav", "footer"))
_PARTED = frozenset(("br", "td", "th"))  # from what stands before, inside of a paragraph or row
_HIDDEN = re.compile(r"display:\s*none", re.IGNORECASE)
_CHARSET = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_NAVIGATION = "navigation and page feet"


def html_root(data: bytes, encodings: tuple[str, ...], name: str) -> etree._Element:
    """The root element of a web page, as forgiving as a browser.

    UTF-8 where the bytes are valid UTF-8, else as a `<meta>` says, else the first of the encodings that fits.
    UserError where there is no element.
    """
    from lxml import etree, html

    encoding = detect_encoding(data, ())
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        declared = _CHARSET.search(data[:4096])
        encoding = declared[1].decode("ascii") if declared else detect_encoding(data, encodings)
    try:
        text = data.decode(encoding, "replace")
        parser = html.HTMLParser(
            encoding="utf-8", no_network=True, huge_tree=True, remove_comments=True, remove_pis=True
        )
        root = html.document_fromstring(re.sub(r"^\s*<\?xml[^>]*>", "", text, count=1).encode(), parser=parser)
    except LookupError:
        raise bad_input(name, None, f"in the encoding {encoding}, which is not known", "save it as UTF-8") from None
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise bad_input(name, None, f"damaged HTML ({error})", "fetch the file again") from None
    if any("depth" in fault.message for fault in parser.error_log):  # nothing behind that is read
        raise bad_input(name, None, "HTML of too many elements inside each other", "save its text")
    return root


def xhtml_root(data: bytes, name: str) -> etree._Element:
    """The root element of a chapter of an e-book: as XML, and where it is none, as a browser would read it."""
    try:
        return parse_xml(data, (), name)
    except UserError:
        return html_root(data, (), name)


def markup_paragraphs(root: etree._Element, counts: Counter[str]) -> Iterator[Paragraph]:
    """The paragraphs, list items, rows of tables and headings of a page in order; what is hidden is left out.

    `<nav>` and `<footer>` are left out and counted. A page is known where a break of a printed page is marked
    (`epub:type="pagebreak"`, `role="doc-pagebreak"`).
    """
    page = shown = ""
    heading = False
    pieces: list[str] = []
    for kind, value in _events(root, counts):
        if kind == "text":
            if not pieces:
                shown = page
            pieces.append(value)
        elif kind == "page":
            page = value
        else:
            text = " ".join("".join(pieces).split())
            if any(map(str.isalnum, text)):
                yield Paragraph(text, shown, heading)
            pieces = []
            heading = value in _HEADINGS


def _events(root: etree._Element, counts: Counter[str]) -> Iterator[tuple[str, str]]:
    """Texts, breaks of pages and the borders of blocks, these with the name of the block that begins (or "")."""
    from lxml import etree

    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        tag = str(element.tag).lower()
        if event == "end":
            yield ("border", "") if tag in _BLOCKS else ("text", "")
            yield "text", element.tail or ""
            continue
        label = _page_label(element)
        if label:
            yield "page", label
        if label or tag in _NO_TEXT or tag in _AROUND or _is_hidden(element):
            counts[_NAVIGATION] += tag in _AROUND
            walker.skip_subtree()
            continue
        if tag in _BLOCKS:
            yield "border", tag
        yield "text", f"{' ' if tag in _PARTED else ''}{element.text or ''}"


def _is_hidden(element: etree._Element) -> bool:
    return element.get("hidden") is not None or _HIDDEN.search(element.get("style") or "") is not None


def _page_label(element: etree._Element) -> str:
    """The label of a break of a page; "" for any other element."""
    attributes: Any = element.attrib
    kinds = " ".join(
        str(value)
        for name, value in attributes.items()
        if str(name).rpartition("}")[2] in ("type", "role", "epub:type")
    )
    if "pagebreak" not in kinds:
        return ""
    text = element.get("title") or element.get("aria-label") or "".join(map(str, element.itertext()))
    found = re.search(r"[ivxlcdmIVXLCDM\d]+\s*\Z", text.strip(" ."))
    return found[0].strip() if found else ""
