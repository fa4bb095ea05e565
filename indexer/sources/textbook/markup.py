"""Documents with markup (HTML, EPUB, DOCX) and PDF into paragraphs, with their headings and
pages."""

from __future__ import annotations

import posixpath
import quopri
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from indexer.files.archive import Limits, members
from indexer.files.encoding import JAPANESE_ENCODINGS, SAMPLE_SIZE, detect_encoding, read_whole
from indexer.files.errors import UserError, bad_input
from indexer.files.inputs import MIB
from indexer.files.signatures import is_web_archive
from indexer.files.xml import ATTRIBUTE_LIMIT, has_crowded_tag, parse_xml
from indexer.ingest_report import SHOWN_PIECES, leave_out
from indexer.sources.textbook.pages import (
    SENTENCE_END,
    PageParagraph,
    is_power,
    number_of_note,
    page_paragraphs,
    pages_with_text,
    pdf_pages,
)
from indexer.tables.files import lay_out
from indexer.tables.workbook import UnreadableTableError

if TYPE_CHECKING:
    from lxml import etree

_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
BLOCKS = _HEADINGS | frozenset(
    "address article aside blockquote body caption center dd details dialog div dl dt figcaption "
    "figure form header "
    "hr html legend li main ol p pre section summary table tbody tfoot thead tr ul".split()
)
NO_TEXT = frozenset(
    "annotation annotation-xml audio button canvas datalist iframe input map noscript rp "
    "rt script select "
    "style svg template textarea title video".split()
)
_CODE = frozenset(("script", "style", "title", "rp"))  # of these, what nobody reads
_AROUND = frozenset(("nav", "footer"))
_BOLD = frozenset(("b", "strong", "dfn"))
_PARTED = frozenset(("br", "td", "th"))  # from the text before, inside of a paragraph or row
_HIDDEN = re.compile(
    r"display:\s*none|visibility:\s*(?:hidden|collapse)|font-size:\s*0(?![.\d]*[1-9])",
    re.IGNORECASE,
)
_NOTE = re.compile(r"\s*(?:\d{1,3}|[*†‡§¶]{1,3}|[\[(](?:\d{1,3}|[a-z]{1,2}|[*†‡§¶]+)[\])])\s*")
_EXPONENT = re.compile(r"\s*[-−–]?\d{1,3}\s*")
_CHARSET = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
# A tag whose attributes have the = of quoted-printable (RFC 2045, 6.7).
_QUOTED_PRINTABLE = re.compile(rb"<[A-Za-z][^<>=]{1,80}=3D[\"'\w]")
NAVIGATION = "navigation and page feet"


def html_root(data: bytes, encodings: tuple[str, ...], name: str) -> etree._Element:
    """Root element of a web page, parsed as leniently as in a browser; `name` is the file's name in
    errors.

    Of a web archive (MHT) the first page is read. Decoded as UTF-8 if valid, else as a `<meta>`
    declares, else by the first of `encodings` that fits, and from quoted-printable. Raises
    UserError for a page without elements, an unknown encoding, too deep nesting, and a
    tag of too many attributes.
    """
    from lxml import etree, html

    if is_web_archive(data):
        data = _page_of_archive(data)
    elif _QUOTED_PRINTABLE.search(data[:SAMPLE_SIZE]):
        data = quopri.decodestring(data)
    declared = [name.decode("ascii") for name in _CHARSET.findall(data[:4096])[:1]]
    try:
        text = data.decode(detect_encoding(data, (*declared, *encodings)), "replace")
        if has_crowded_tag(text):
            what = f"a tag of more than {ATTRIBUTE_LIMIT:,} attributes"
            raise bad_input(name, None, what, "save its text")
        parser = html.HTMLParser(
            encoding="utf-8", no_network=True, huge_tree=True, remove_comments=True, remove_pis=True
        )
        root = html.document_fromstring(
            re.sub(r"^\s*<\?xml[^>]*>", "", text, count=1).encode(), parser=parser
        )
    except (LookupError, etree.ParserError, etree.XMLSyntaxError, ValueError):
        raise bad_input(
            name, None, "damaged HTML", "fetch the file again, or save it as UTF-8"
        ) from None
    if any("depth" in fault.message for fault in parser.error_log):  # nothing behind that is read
        raise bad_input(name, None, "HTML of too many elements inside each other", "save its text")
    return root


def _page_of_archive(data: bytes) -> bytes:
    """The first page of HTML in a web archive or other message (RFC 2557), in UTF-8 where the
    message names its encoding; b"" without one."""
    from email import message_from_bytes

    parts = message_from_bytes(data).walk()
    page = next((part for part in parts if part.get_content_subtype() == "html"), None)
    content = page.get_payload(decode=True) if page else None
    if page is None or not isinstance(content, bytes):
        return b""
    charset = page.get_content_charset()
    with suppress(LookupError, UnicodeDecodeError):
        return content.decode(charset).encode() if charset else content
    return content


def markup_paragraphs(root: etree._Element, counts: Counter[str]) -> list[PageParagraph]:
    """Paragraphs, list items, table rows and headings of a page in order; the headings of a table's
    columns are written into its cells, in `root` too. What has no letter or digit is dropped.

    Hidden text, `<nav>`, `<footer>`, controls, drawings, raised numbers of notes and readings of
    words (ruby) are left out and counted in `counts`. A term of a `<dl>` precedes each of its
    definitions ("tympan: a frame"), in `root` too. A paragraph's page is known if breaks of printed
    pages are marked (`epub:type="pagebreak"`, `role="doc-pagebreak"`), else "".
    """
    from lxml import etree

    _write_headings(root)
    _write_terms(root)
    paragraphs: list[PageParagraph] = []
    page = shown = ""
    heading = False
    pieces: list[str] = []
    term = ""  # with which the paragraph begins: in bold type, or written by `_write_terms`
    bold: etree._Element | None = None  # the element of bold type at its beginning

    def begin_block(name: str) -> None:
        """Ends the current paragraph; the next one is a heading if its block element `name` is h1
        to h6."""
        nonlocal heading, term
        text = " ".join("".join(pieces).split())
        if any(map(str.isalnum, text)):
            paragraphs.append(PageParagraph(text, shown, heading, term if term != text else ""))
        pieces.clear()
        term = ""
        heading = name in _HEADINGS

    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        tag = str(element.tag).lower()
        if event == "end":
            if tag in BLOCKS:
                begin_block("")
            elif element is bold:
                term = " ".join("".join(pieces).split())
            shown = shown if any(map(str.strip, pieces)) else page
            pieces.append(element.tail or "")
            continue
        label = _page_label(element)
        reason = _reason_to_leave_out(element, tag)
        raised = _superscript(element, "".join(pieces[-_BEFORE:])) if tag == "sup" else None
        if label or reason is not None or raised is not None:
            page = label or page
            text = _text_in(element)
            if raised == "" and not reason:
                leave_out(counts, "notes", number_of_note(text, "".join(pieces)))
            elif reason and (text or tag in _AROUND or tag == "rt"):
                leave_out(counts, reason, text)
            pieces.append(raised or "")
            walker.skip_subtree()
            continue
        if tag in BLOCKS:
            begin_block(tag)
        elif tag in _BOLD and not any(map(str.strip, pieces)):
            bold = element
        term = term or element.get(_TERM, "")
        shown = shown if any(map(str.strip, pieces)) else page
        pieces.append(f"{' ' if tag in _PARTED else ''}{element.text or ''}")
    return paragraphs


def _reason_to_leave_out(element: etree._Element, tag: str) -> str | None:
    """Why an element is left out with all that it holds, "" for code, which is not counted; None
    for text."""
    if tag in _AROUND:
        return NAVIGATION
    if element.get("hidden") is not None or _HIDDEN.search(element.get("style") or ""):
        return "hidden text"
    if tag == "rt":
        return "readings of words"
    if tag in NO_TEXT:
        return "" if tag in _CODE else "controls and drawings"
    return None


def _text_in(element: etree._Element) -> str:
    """The text of an element and of all in it, blanks squeezed."""
    return " ".join("".join(map(str, element.itertext())).split())


_TERM = "data-term"  # attribute with the term written before a definition


def _page_label(element: etree._Element) -> str:
    """The number of the printed page that begins at an element, as it is written; "" for an element
    that is not a break of pages, and for one without a number at its end."""
    attributes: Any = element.attrib
    names = ("type", "role", "epub:type")
    if not any(
        "pagebreak" in str(value)
        for key, value in attributes.items()
        if str(key).rpartition("}")[2] in names
    ):
        return ""
    text = (
        element.get("title") or element.get("aria-label") or "".join(map(str, element.itertext()))
    )
    number = re.search(r"(?:\d+|\b[ivxlcdmIVXLCDM]+)\Z", text.strip().strip(" ."))
    return number[0] if number else ""


def _term_text(term: etree._Element) -> str:
    """The text of a term of a `<dl>` as `markup_paragraphs` reads it, without a colon at its
    end."""
    from lxml import etree

    text = ""
    walker = etree.iterwalk(term, events=("start", "end"))
    for event, element in walker:
        tag = str(element.tag).lower()
        if event == "end":
            text += "" if element is term else element.tail or ""
            continue
        raised = _superscript(element, text) if tag == "sup" else None
        if raised is not None or _reason_to_leave_out(element, tag) is not None:
            text += raised or ""
            walker.skip_subtree()
        else:
            text += f"{' ' if tag in _PARTED | BLOCKS else ''}{element.text or ''}"
    return " ".join(text.split()).rstrip(": ")


def _write_terms(root: etree._Element) -> None:
    """Writes the terms of a `<dl>` before each of their definitions and leaves their own elements
    empty; those of over 60 characters or with the end of a sentence, as questions, stay."""
    for dl in root.iter("dl"):
        terms: list[str] = []
        waiting: list[etree._Element] = []  # terms without a definition so far
        for part in dl.iter("dt", "dd"):
            if next(part.iterancestors("dl"), None) is not dl:
                continue
            if part.tag == "dt" and part.find(".//dd") is None and part.find(".//dt") is None:
                terms = terms if waiting else []
                text = _term_text(part)
                if text and len(text) <= _LONGEST_HEADING and not SENTENCE_END.search(text):
                    terms.append(text)
                    waiting.append(part)
            elif terms and part.tag == "dd":
                node = part
                while not (node.text or "").strip() and len(node) and node[0].tag in BLOCKS:
                    node = node[0]
                node.set(_TERM, f"{', '.join(terms)}:")
                node.text = f"{', '.join(terms)}: {node.text or ''}"
                for term in waiting:
                    term[:] = []
                    term.text = None
                waiting.clear()


_LONGEST_HEADING = 60  # characters of a column's heading, and of a cell that is repeated
# What HTML may hold and lxml refuses as new text (XML 1.0, 2.2).
_CONTROLS = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TABLE_SIZE = 500_000  # cells of the largest table whose rows get headings: bounds the memory


class _TableCell(NamedTuple):
    """What a row of a table shows in its columns from `left` to `right`, the last one included;
    `is_repeated` where a cell of a row above reaches down."""

    left: int
    right: int
    text: str
    element: etree._Element
    is_repeated: bool


def _column_headings(rows: Sequence[Sequence[_TableCell]], depth: int) -> list[str]:
    """The headings of a table's columns: the different texts of its first `depth` rows in each,
    joined by commas (`Bridges, stone`), without a row of one cell, which is a title.

    [] for a table of fewer than two columns or without other rows, and where a text has more than
    60 characters or a column but the first no heading.
    """
    columns: list[list[str]] = [
        [] for _ in range(max((r[-1].right + 1 for r in rows if r), default=0))
    ]
    for row in rows[:depth]:
        if len(row) < 2:
            continue
        for cell in row:
            for texts in columns[cell.left : cell.right + 1]:
                texts += [cell.text] if cell.text and cell.text not in texts else []
    headings = list(map(", ".join, columns))
    longest = max((len(text) for texts in columns for text in texts), default=0)
    is_headed = 0 < depth < len(rows) and len(columns) > 1 and longest <= _LONGEST_HEADING
    return headings if is_headed and all(headings[1:]) else []


def _is_head(row: etree._Element) -> bool:
    """Whether a row of HTML is in a `<thead>`, or has `<th>` only."""
    return row.find("td") is None or next(row.iterancestors("thead"), None) is not None


def _write_headings(root: etree._Element) -> None:
    """Writes the headings of its column before each cell of a table of data ("Year: 1950; Bridges,
    stone: 4"), for a row is read alone; a cell of at most 60 characters that covers several rows is
    repeated in each.

    Such a table has no table inside and begins with rows that are in a `<thead>` or have `<th>`
    only (`_column_headings`). Rows with other than one cell in each column, or with blocks in them,
    and empty cells stay as they are.
    """
    for table in root.iter("table"):
        elements = [row for row in table.iter("tr") if len(row)]
        heads = takewhile(_is_head, elements)
        depth = sum(1 for _ in heads)
        if not depth or table.find(".//table") is not None:
            continue
        rows: list[list[_TableCell]] = [[] for _ in elements]
        cells = [list(row.iterchildren("td", "th")) for row in elements]
        with suppress(UnreadableTableError):  # too large
            for cell, span in lay_out(cells, _TABLE_SIZE):
                text = _text_in(cell)
                for number in range(span.top, span.bottom + 1):
                    rows[number].append(
                        _TableCell(span.left, span.right, text, cell, number > span.top)
                    )
        for line in rows:
            line.sort(key=lambda cell: cell.left)
        headings = _column_headings(rows, depth)
        for element, line in zip(elements[depth:], rows[depth:], strict=True):
            has_blocks = any(node.tag in BLOCKS for node in element.iterdescendants())
            if len(line) != len(headings) or has_blocks:
                continue
            filled = []
            for heading, table_cell in zip(headings, line, strict=True):
                node = table_cell.element
                text = node.text or ""
                if table_cell.is_repeated:
                    if len(table_cell.text) > _LONGEST_HEADING:
                        continue
                    node, text = element.makeelement("td"), table_cell.text
                    element.insert(table_cell.left, node)
                if table_cell.text:
                    lead = f"{heading}: " if heading else ""
                    node.text = _CONTROLS.sub("", f"{lead}{text}")
                    filled += [node] if heading else []
            for node in filled[:-1]:
                node.tail = ";"


_BEFORE = 8  # pieces of text before a raised number in which its word is


def _superscript(element: etree._Element, before: str) -> str | None:
    """What a raised number or mark (`*`, `†`, `[a]`), a `<sup>`, is in the text: "" for that of a
    note, and in any link, `^2` or `^-2` for a power; None for other text (`th`, `2+`), and where
    nothing or white space is `before` it."""
    text = "".join(map(str, element.itertext()))
    if not before or before[-1].isspace():
        return None
    is_link = any(
        node.tag == "a" for node in (*element.iterdescendants(), *element.iterancestors())
    )
    if _EXPONENT.fullmatch(text) and not is_link and is_power(before):
        return f"^{text.strip()}"
    return "" if _NOTE.fullmatch(text) else None


# EPUB and DOCX: books that are zip files, read member by member.

_LIMITS = Limits(member_size=64 * MIB, total_size=512 * MIB, ratio=200, ratio_from=MIB)
_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_RELATIONS, _DOCUMENT = "_rels/.rels", "word/document.xml"
_NO_CHAPTER = "chapters that are no text"
_LEVELS = frozenset("012345678")  # of headings; level 9 is running text
_SIGNS = {"noBreakHyphen": "-", "tab": " ", "br": " ", "cr": " "}  # elements of a DOCX as text
_CHAPTERS = (".xhtml", ".html", ".htm")
# What a DOCX has beside its text, by the names of members and of the elements in them.
_BESIDE = {
    "comments": ("comments", "comment"),
    "header": ("running heads", "hdr"),
    "footer": ("running feet", "ftr"),
}


def zipped_form(path: str) -> str | None:
    """Form of a book in a zip file, `epub` or `docx`; None for any other zip. Raises UserError
    where it is damaged."""
    names = archive_texts(path, lambda name: name in (_CONTAINER, _DOCUMENT, _RELATIONS))
    if _CONTAINER in names:
        return "epub"
    return "docx" if _DOCUMENT in names or main_document(names, path) != _DOCUMENT else None


def main_document(book: Mapping[str, bytes], path: str) -> str:
    """Name of the member that holds a DOCX's text, as its relations say (ECMA-376, part 2, 9.3);
    the usual `word/document.xml` if they say nothing of a text document. It may not be there."""
    if _RELATIONS in book:
        for relation in parse_xml(book[_RELATIONS], (), f"{path}: {_RELATIONS}").iter(
            "Relationship"
        ):
            target = posixpath.normpath((relation.get("Target") or "").lstrip("/"))
            is_main = (relation.get("Type") or "").endswith("/officeDocument")
            if is_main and posixpath.basename(target).startswith("document"):
                return target
    return _DOCUMENT


def archive_texts(
    path: str, wanted: Callable[[str], bool], data: bytes | None = None
) -> Mapping[str, bytes]:
    """Name → content of the members of an archive whose names `wanted` accepts; from `data`, where
    its bytes are known. Raises UserError for a damaged one, a member over 64 MiB, 512 MiB in all,
    and over 200 bytes for each packed."""
    contents: dict[str, bytes] = {}
    for member in members(path if data is None else data, wanted, _LIMITS):
        if member.data is None:
            inside = "" if member.name in ("", Path(path).name) else f"{member.name}: "
            remedy = "fetch the file again, or save its text"
            raise bad_input(path, None, f"{inside}{member.reason}", remedy)
        contents[member.name] = member.data
    return contents


def epub_paragraphs(path: str, counts: Counter[str]) -> Iterator[PageParagraph]:
    """Yields the paragraphs of an e-book in the order of its spine (EPUB 3.3, 5.6), each chapter
    once, without its table of contents; chapters in `<object>` follow the one that holds them.

    Chapters that are not text, and those outside of the spine, are left out and counted in
    `counts`. Raises UserError: no package document, damage, a chapter that is encrypted.
    """
    book = archive_texts(path, lambda name: name.lower().endswith((".xml", ".opf", *_CHAPTERS)))
    container = parse_xml(book.get(_CONTAINER, b""), ("container",), f"{path}: {_CONTAINER}")
    paths = (rootfile.get("full-path") or "" for rootfile in container.iter("rootfile"))
    package_path = next(paths, "")
    if package_path not in book:
        what = f"an EPUB without its package document ({package_path})"
        raise bad_input(path, None, what, "fetch the file again")
    package = parse_xml(book[package_path], ("package",), f"{path}: {package_path}")
    items = {item.get("id"): item for item in package.iter("item")}
    locked = set[str]()  # fonts are too in books without DRM
    if _ENCRYPTION in book:
        root = parse_xml(book[_ENCRYPTION], (), f"{path}: {_ENCRYPTION}")
        locked = {unquote(reference.get("URI") or "") for reference in root.iter("CipherReference")}
    seen = set[str]()  # chapters that were read; the spine may name parts of one
    for reference in package.iter("itemref"):
        item = items.get(reference.get("idref"))
        if item is None:
            leave_out(counts, _NO_CHAPTER, reference.get("idref") or "")
            continue
        name = _member(package_path, item.get("href"))
        if name in seen:
            continue
        seen.add(name)
        if "nav" in (item.get("properties") or "").split():
            leave_out(counts, "tables of contents", name)
        elif name in locked:
            what = f"an EPUB whose text is locked ({name})"
            raise bad_input(path, None, what, "take a copy without DRM")
        elif name not in book:
            leave_out(counts, _NO_CHAPTER, name)
        else:
            root = _chapter(book[name], f"{path}: {name}")
            inner_names = _take_objects(root, name, book)
            yield from markup_paragraphs(root, counts)
            for inner in inner_names:
                if inner not in seen:
                    seen.add(inner)
                    chapter = _chapter(book[inner], f"{path}: {inner}")
                    yield from markup_paragraphs(chapter, counts)
    for name in book:
        if name not in seen and name.lower().endswith(_CHAPTERS):
            leave_out(counts, "chapters outside of the reading order", name)


def _member(base: str, address: str | None) -> str:
    """The name of the member of a zip that an address in the member `base` leads to."""
    relative = unquote((address or "").partition("#")[0])
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), relative))


def _take_objects(root: etree._Element, name: str, book: Mapping[str, bytes]) -> list[str]:
    """The names of the members of `book` that the `<object>` elements of the chapter `name` show,
    in order; what these elements hold instead, for readers that show none, is removed."""
    names = []
    for element in root.iter("object"):
        inner = _member(name, element.get("data"))
        if inner in book:
            element.text = ""
            element[:] = []
            names.append(inner)
    return names


def _chapter(data: bytes, name: str) -> etree._Element:
    """Root element of a chapter; where it is not XML, as a browser would read it. Raises UserError
    if that fails too."""
    try:
        return parse_xml(data, (), name)
    except UserError:
        return html_root(data, (), name)


def word_value(element: etree._Element | None, xpath: str = "", name: str = "val") -> str:
    """The attribute `w:val`, or another, of a DOCX's element, or of the first one that `xpath`
    leads to from it; "" without it."""
    node = element.find(xpath) if element is not None and xpath else element
    attributes = node.attrib.items() if node is not None else ()
    values = (str(value) for key, value in attributes if str(key).rpartition("}")[2] == name)
    return next(values, "")


def is_on(run: etree._Element | None, name: str) -> bool:
    """Whether a run of a DOCX has a property that is on or off, as `b`, and has it on (ECMA-376,
    part 1, 17.17.4): its value is not 0, false, off or none. False for None."""
    is_there = run is not None and run.find(f"rPr/{name}") is not None
    return is_there and word_value(run, f"rPr/{name}") not in ("0", "false", "off", "none")


def _heading_styles(book: Mapping[str, bytes], main: str, path: str) -> set[str]:
    """The ids of the styles of headings of a DOCX whose text is the member `main`, recognised by
    name, level or the style that they are based on: an id may be a word of the writer's language.
    Without a member of styles Word's own ids."""
    beginning = posixpath.join(posixpath.dirname(main), "styles")
    styles = next((name for name in sorted(book) if name.startswith(beginning)), "")
    if not styles:
        return {"Title", *(f"Heading{level}" for level in range(1, 10))}
    headings = set[str]()
    based: dict[str, list[str]] = defaultdict(list)  # the styles that are based on each
    for style in parse_xml(book[styles], (), f"{path}: {styles}").iter("style"):
        is_named = re.match(r"title$|heading ", word_value(style, "name").lower())
        identifier = word_value(style, name="styleId")
        based[word_value(style, "basedOn")].append(identifier)
        if identifier and (is_named or word_value(style, "pPr/outlineLvl") in _LEVELS):
            headings.add(identifier)
    waiting = list(headings)
    while waiting:
        further = set(filter(None, based[waiting.pop()])) - headings
        headings |= further
        waiting += further
    return headings


def docx_paragraphs(path: str, counts: Counter[str]) -> Iterator[PageParagraph]:
    """Yields the paragraphs of a DOCX; headings by style, pages as Word last laid them out
    (ECMA-376, part 1, 17.3), "" if it did not.

    Running heads, running feet and comments are other members of the file: they are not part of the
    text, and are counted in `counts`, as are hidden text, readings, raised numbers of notes and
    notes that no paragraph of the text refers to. Other notes follow the paragraph that does.
    Letters of symbol fonts (`w:sym`) are left out and counted; deleted text, and the former place
    of moved text, of tracked changes are left out.
    A row of a table of data is one paragraph, with the headings of its columns before the cells;
    paragraphs without a letter or digit are dropped.
    """
    members = "|".join(("document", "styles", "footnotes", "endnotes", *_BESIDE))
    pattern = rf"_rels/\.rels|(?!.*glossary/)(?:.*/)?(?:{members})\d*\.xml"
    book = archive_texts(path, lambda name: re.fullmatch(pattern, name) is not None)
    main = main_document(book, path)
    headings = _heading_styles(book, main, path)
    _count_beside(book, path, counts)
    notes = _notes(book, path)
    root = parse_xml(book.get(main, b""), ("document",), f"{path}: {main}")
    cells = _cells_of(root)
    row: list[str] = []  # the texts of the cells of a row up to here
    references: list[etree._Element] = []  # to notes, in the paragraphs since the last text
    has_pages = next(root.iter("lastRenderedPageBreak"), None) is not None
    page = 1
    for paragraph in root.iter("p"):
        if any(ancestor.tag == "Fallback" for ancestor in paragraph.iterancestors()):
            continue  # the same as in the Choice beside it
        text, bold, breaks_before, breaks = _paragraph_text(paragraph, counts)
        first, page = page + breaks_before, page + breaks
        references += paragraph.iter("footnoteReference", "endnoteReference")
        if cell := cells.get(paragraph):
            text = text or cell.repeated
            row.append(f"{cell.heading}: {text}" if cell.heading and text else text)
            if not cell.ends_row:
                continue
            text = ("; " if any(": " in part for part in row) else " ").join(filter(None, row))
            row = []
        if any(map(str.isalnum, text)):
            shown = str(first) if first == page else f"{first}–{page}"
            is_heading = word_value(paragraph, "pPr/pStyle") in headings
            is_heading = is_heading or word_value(paragraph, "pPr/outlineLvl") in _LEVELS
            shown = shown if has_pages else ""
            yield PageParagraph(text, shown, is_heading, bold if bold != text else "")
            for reference in references:
                kind = str(reference.tag).removesuffix("Reference")
                texts = notes.pop((kind, word_value(reference, name="id")), ())
                yield from (PageParagraph(note, shown) for note in texts)
            references.clear()
    for (kind, _), texts in notes.items():  # to which nothing refers
        for text in texts:
            leave_out(counts, f"{kind}s", text)


def _paragraph_text(paragraph: etree._Element, counts: Counter[str]) -> tuple[str, str, int, int]:
    """The text of a DOCX's paragraph, what is in bold type at its beginning, how many pages end
    before its text, and how many in all of it; what is left out is counted."""
    pieces = list[str]()
    bold = ""
    breaks_before = breaks = 0
    for element in paragraph.iter("t", "sym", "lastRenderedPageBreak", *_SIGNS):
        if next(element.iterancestors("p")) is not paragraph:
            continue  # of a text box in the paragraph
        if element.tag == "lastRenderedPageBreak":
            breaks += 1
            breaks_before = breaks_before if "".join(pieces).strip() else breaks
        pieces.append(_SIGNS.get(str(element.tag), ""))
        run = element.getparent()
        text, before = element.text or "", "".join(pieces[-_BEFORE:])
        around = next(element.iterancestors("rt", "moveFrom", "del"), None)
        is_behind = bool(before) and not before[-1].isspace()
        is_raised = is_behind and word_value(run, "rPr/vertAlign") == "superscript"
        is_exponent = is_raised and _EXPONENT.fullmatch(text) is not None and is_power(before)
        if around is not None:
            if around.tag == "rt":
                leave_out(counts, "readings of words", text)
        elif element.tag == "sym":  # a code of a font of symbols, as Wingdings
            leave_out(counts, "letters that cannot be told", before)
        elif text and is_on(run, "vanish"):
            leave_out(counts, "hidden text", text)
        elif is_raised and not is_exponent and _NOTE.fullmatch(text):
            leave_out(counts, "notes", number_of_note(text, before))
        else:
            is_beginning = "".join(pieces) == bold and is_on(run, "b")
            pieces.append(f"^{text.strip()}" if is_exponent else text)
            bold = "".join(pieces) if is_beginning else bold
    text, bold = (" ".join(joined.split()) for joined in ("".join(pieces), bold))
    return text, bold, breaks_before, breaks


def _notes(book: Mapping[str, bytes], path: str) -> dict[tuple[str, str], list[str]]:
    """Maps the kind (`footnote`, `endnote`) and id of each note of a DOCX to its paragraphs with a
    letter or digit; a damaged member holds none."""
    notes: dict[tuple[str, str], list[str]] = {}
    for name in book:
        kind = re.fullmatch(r"(?:.*/)?(footnote|endnote)s\d*\.xml", name)
        if kind is None:
            continue
        with suppress(UserError):
            for note in parse_xml(book[name], (), f"{path}: {name}").iter(kind[1]):
                texts = map(_plain_text, note.iter("p"))
                notes[kind[1], word_value(note, name="id")] = [
                    t for t in texts if any(map(str.isalnum, t))
                ]
    return notes


class _MarkupCell(NamedTuple):
    """A paragraph that is the text of a table's cell: the heading of its column, "" without one,
    the text of a merged cell above that is repeated in it, and whether it is the last of its
    row."""

    heading: str
    repeated: str
    ends_row: bool


def _cells_of(root: etree._Element) -> dict[etree._Element, _MarkupCell]:
    """Maps the paragraphs of a DOCX that are cells of tables of data to the heading of the column
    ("" for none), what is repeated and whether the cell ends its row. Such a table has two columns
    or more, no table inside and one paragraph with text in a cell at most; others lay out a page:
    their cells are separate paragraphs."""
    cells: dict[etree._Element, _MarkupCell] = {}
    for table in root.iter("tbl"):
        elements = [list(row.iter("tc")) for row in table.iter("tr")]
        paragraphs = {
            cell: [p for p in cell.iter("p") if _plain_text(p)] or cell.findall("p")[:1]
            for row in elements
            for cell in row
        }
        if table.find(".//tbl") is not None or max(map(len, elements), default=0) < 2:
            continue
        if any(len(texts) > 1 for texts in paragraphs.values()):
            continue
        rows: list[list[_TableCell]] = []
        for row in elements:
            above = {table_cell.left: table_cell.text for table_cell in rows[-1]} if rows else {}
            rows.append([])
            column = 0
            for cell in row:
                span = word_value(cell, "tcPr/gridSpan")
                across = (
                    min(int(span), _MOST_ACROSS) if re.fullmatch("[1-9][0-9]{0,3}", span) else 1
                )
                merge = cell.find("tcPr/vMerge")  # ECMA-376, part 1, 17.4.84
                is_repeated = merge is not None and word_value(cell, "tcPr/vMerge") != "restart"
                text = above.get(column, "") if is_repeated else _plain_text(cell)
                rows[-1].append(_TableCell(column, column + across - 1, text, cell, is_repeated))
                column += across
        headings = _column_headings(rows, depth := _heading_depth(table, rows))
        for number, line in enumerate(rows):
            is_labelled = number >= depth and len(line) == len(headings)
            filled = [table_cell.left for table_cell in line if paragraphs[table_cell.element]]
            for table_cell in line:
                repeated = table_cell.text if is_labelled and table_cell.is_repeated else ""
                for paragraph in paragraphs[table_cell.element]:
                    cells[paragraph] = _MarkupCell(
                        headings[table_cell.left] if is_labelled else "",
                        repeated if len(repeated) <= _LONGEST_HEADING else "",
                        table_cell.left == filled[-1],
                    )
    return cells


_MOST_ACROSS = 63  # columns of a table (Word's limit)


def _heading_depth(table: etree._Element, rows: Sequence[Sequence[_TableCell]]) -> int:
    """How many rows head a DOCX's table: those at the top that are marked, else the first and those
    below it that merged cells join to it, if none of their cells begins with a digit while a cell
    below does, else 0."""
    marked = [row.find("trPr/tblHeader") is not None for row in table.iter("tr")]
    has_figures = [any(cell.text[:1].isdigit() for cell in row) for row in rows]
    if depth := [*marked, False].index(False):
        return depth
    depth = 1
    while (
        depth < len(rows)
        and not has_figures[depth]
        and (
            any(cell.left < cell.right for cell in rows[depth - 1])
            or any(cell.is_repeated for cell in rows[depth])
        )
    ):
        depth += 1
    return depth if any(has_figures[depth:]) and not any(has_figures[:depth]) else 0


def _plain_text(element: etree._Element) -> str:
    """The text of a paragraph or cell, with all that is in it, blanks squeezed."""
    return " ".join("".join(piece.text or "" for piece in element.iter("t")).split())


def _count_beside(book: Mapping[str, bytes], path: str, counts: Counter[str]) -> None:
    """Counts in `counts` each comment, running head and foot with text that the members of a
    DOCX beside its text hold; a damaged one holds nothing."""
    for name in book:
        kind = re.fullmatch(rf"(?:.*/)?({'|'.join(_BESIDE)})\d*\.xml", name)
        if kind is None:
            continue
        reason, tag = _BESIDE[kind[1]]
        with suppress(UserError):
            for element in parse_xml(book[name], (), f"{path}: {name}").iter(tag):
                if text := "".join(piece.text or "" for piece in element.iter("t")).strip():
                    leave_out(counts, reason, text)


# The paragraphs of a document other than plain text, and a sample of it for language detection.

_PAGE_SIZE = 64 * MIB  # bytes of a web page
_SAMPLE = 5_000  # characters


def document_paragraphs(
    path: str, form: str, counts: Counter[str], encodings: tuple[str, ...] = JAPANESE_ENCODINGS
) -> Iterator[PageParagraph]:
    """Yields the paragraphs and headings of a document of the form `pdf`, `html`, `epub` or `docx`
    in order; `counts` counts what is left out, by its kind.

    `encodings` are tried for a web page that is not UTF-8 and does not declare an encoding. Raises
    UserError for a document that cannot be read, a PDF of images only, a web page over 64 MiB.
    """
    if form == "pdf":
        yield from page_paragraphs(pages_with_text(path), counts)
    elif form == "html":
        yield from markup_paragraphs(
            html_root(read_whole(path, _PAGE_SIZE), encodings, path), counts
        )
    else:
        yield from (epub_paragraphs if form == "epub" else docx_paragraphs)(path, counts)


class _Unshown(Counter[str]):
    """Counts of pieces left out that `leave_out` does not show: the text is read again."""

    def __missing__(self, key: str) -> int:
        return SHOWN_PIECES


def document_sample(path: str, form: str) -> str:
    """Beginning of a document's text, at least 5,000 characters if there are as many, a line for
    each paragraph (of a PDF each fragment, margins too). Errors as `document_paragraphs`; "" for a
    PDF of images only."""
    if form == "pdf":
        texts = (fragment.text for page in pdf_pages(path) for fragment in page.fragments)
    else:
        texts = (paragraph.text for paragraph in document_paragraphs(path, form, _Unshown()))
    sample = ""
    while len(sample) < _SAMPLE and (text := next(texts, None)) is not None:
        sample += f"{text}\n"
    return sample
