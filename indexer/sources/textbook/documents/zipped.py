"""EPUB and DOCX: books that are zip files, read member by member."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote

from indexer.files.archive import members
from indexer.files.errors import bad_input
from indexer.files.packed import MIB, Limits
from indexer.files.xml import parse_xml
from indexer.sources.textbook.documents.markup import markup_paragraphs, xhtml_root
from indexer.sources.textbook.documents.paragraphs import Paragraph

if TYPE_CHECKING:
    from lxml import etree

ZippedForm = Literal["epub", "docx"]

_LIMITS = Limits(member_size=64 * MIB, total_size=512 * MIB, members=50_000, ratio=200, ratio_from=MIB)
_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_DOCUMENT, _STYLES = "word/document.xml", "word/styles.xml"
_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""How e-books hide fonts (EPUB 3.3, 4.2.6.3): no reader needs a key for their text."""


def zipped_form(path: str) -> ZippedForm | None:
    """Which book a zip file is; None for any other zip. UserError where it is damaged."""
    names = _texts(path, lambda name: name in (_CONTAINER, _DOCUMENT))
    return "epub" if _CONTAINER in names else "docx" if _DOCUMENT in names else None


def _texts(path: str, wanted: Callable[[str], bool]) -> Mapping[str, bytes]:
    """The wanted members by name. UserError for one that cannot be read, and for a damaged zip or a bomb."""
    found: dict[str, bytes] = {}
    for member in members(path, wanted, _LIMITS):
        if member.data is None:
            inside = "" if member.name == Path(path).name else f"{member.name}: "
            raise bad_input(path, None, f"{inside}{member.reason}", "fetch the file again, or save its text")
        found[member.name] = member.data
    return found


def epub_paragraphs(path: str, counts: Counter[str]) -> Iterator[Paragraph]:
    """The paragraphs of an e-book in the order of its spine (EPUB 3.3, 5.6), without its own table of contents.

    UserError: no package document, a chapter that is missing, one that is locked.
    """
    book = _texts(path, lambda name: name.lower().endswith((".xml", ".opf", ".xhtml", ".html", ".htm")))
    container = parse_xml(book.get(_CONTAINER, b""), ("container",), f"{path}: {_CONTAINER}")
    place = next((one.get("full-path") or "" for one in container.iter("rootfile")), "")
    if place not in book:
        raise bad_input(path, None, f"an EPUB without its package document ({place})", "fetch the file again")
    package = parse_xml(book[place], ("package",), f"{path}: {place}")
    items = {item.get("id"): item for item in package.iter("item")}
    locked = _locked(book, path)
    for reference in package.iter("itemref"):
        item = items.get(reference.get("idref"))
        if item is None or "nav" in (item.get("properties") or "").split():
            continue
        name = posixpath.normpath(posixpath.join(posixpath.dirname(place), unquote(item.get("href") or "")))
        if name in locked:
            raise bad_input(path, None, f"an EPUB whose text is locked ({name})", "take a copy without DRM")
        if name in book:
            yield from markup_paragraphs(xhtml_root(book[name], f"{path}: {name}"), counts)
        else:
            counts["chapters that are no text"] += 1


def _locked(book: Mapping[str, bytes], path: str) -> frozenset[str]:
    if _ENCRYPTION not in book:
        return frozenset()
    root = parse_xml(book[_ENCRYPTION], (), f"{path}: {_ENCRYPTION}")
    return frozenset(
        unquote(reference.get("URI") or "")
        for data in root.iter("EncryptedData")
        if not any(method.get("Algorithm") in _FONTS for method in data.iter("EncryptionMethod"))
        for reference in data.iter("CipherReference")
    )


def docx_paragraphs(path: str, counts: Counter[str]) -> Iterator[Paragraph]:
    """The paragraphs of a DOCX; headings by style, pages as Word last laid them out (ECMA-376, part 1, 17.3).

    Running heads and feet are other members of the file and are not read; notes are counted as left out.
    """
    book = _texts(path, lambda name: name in (_DOCUMENT, _STYLES))
    headings = _heading_styles(book, path)
    root = parse_xml(book[_DOCUMENT], ("document",), f"{path}: {_DOCUMENT}")
    has_pages = next(root.iter("lastRenderedPageBreak"), None) is not None
    page = 1
    for paragraph in root.iter("p"):
        if any(one.tag == "Fallback" for one in paragraph.iterancestors()):
            continue  # the same as in the Choice beside it
        first, pieces = page, list[str]()
        for element in paragraph.iter(
            "t", "tab", "br", "cr", "noBreakHyphen", "lastRenderedPageBreak", "footnoteReference"
        ):
            if next(element.iterancestors("p")) is not paragraph:
                continue  # of a text box in the paragraph
            if element.tag == "t":
                pieces.append(element.text or "")
            elif element.tag == "noBreakHyphen":
                pieces.append("-")
            elif element.tag == "lastRenderedPageBreak":
                page += 1
                first = first if "".join(pieces).strip() else page
            elif element.tag == "footnoteReference":
                counts["footnotes"] += 1
            else:
                pieces.append(" ")
        text = " ".join("".join(pieces).split())
        if any(map(str.isalnum, text)):
            shown = str(first) if first == page else f"{first}–{page}"
            style = next((_value(one) for one in paragraph.iterfind("pPr/pStyle")), "")
            level = next(paragraph.iterfind("pPr/outlineLvl"), None)
            yield Paragraph(text, shown if has_pages else "", style in headings or _is_level(level))


def _heading_styles(book: Mapping[str, bytes], path: str) -> frozenset[str]:
    """The ids of the styles of headings, which a file may call by words of its language: by name, level or basis."""
    if _STYLES not in book:
        return frozenset(("Title", *(f"Heading{level}" for level in range(1, 10))))
    found: set[str] = set()
    for style in parse_xml(book[_STYLES], (), f"{path}: {_STYLES}").iter("style"):
        name = next((_value(one).lower() for one in style.iterfind("name")), "")
        basis = next((_value(one) for one in style.iterfind("basedOn")), "")
        is_heading = name == "title" or name.startswith("heading ") or basis in found
        if is_heading or _is_level(next(style.iterfind("pPr/outlineLvl"), None)):
            found.add(next((str(value) for key, value in style.attrib.items() if str(key).endswith("}styleId")), ""))
    return frozenset(found)


def _is_level(element: etree._Element | None) -> bool:
    """Whether this is the level of a heading; 9 is that of running text."""
    return element is not None and _value(element) in "012345678"


def _value(element: etree._Element) -> str:
    """The `w:val` of an element, "" where it has none."""
    return next((str(value) for key, value in element.attrib.items() if str(key).rpartition("}")[2] == "val"), "")
