"""XML read safely: no DTD, no entities, no network, bounded depth and size, errors with file and
line."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from indexer.files.encoding import (
    QUESTION_LIMIT,
    decode_text,
    detect_encoding,
    open_bytes,
    read_whole,
)
from indexer.files.errors import UserError, bad_input
from indexer.files.inputs import MIB
from indexer.files.plain_faults import xml_fault

if TYPE_CHECKING:
    from lxml import etree

SAFE: Any = {"resolve_entities": False, "load_dtd": False, "no_network": True, "huge_tree": False}
"""How lxml reads XML of any origin."""

_BEGINNING = 2**16  # bytes in which a root element begins: what comes before it is shorter
_DECLARED = re.compile(rb"""^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_DECLARATION = re.compile(r"^\ufeff?\s*<\?xml\s[^>]*\?>")
_ENDING = re.compile(r"\.xml(?:\.(?:gz|bz2|xz))?$", re.IGNORECASE)


ATTRIBUTE_LIMIT = 10_000  # a choice: by that square less than a tenth of a second
"""Attributes of one HTML tag: libxml2's time grows with their square, 300,000 take a minute."""

_TAG = re.compile(r"""<[A-Za-z](?:[^"'>]++|"[^"]*+"|'[^']*+')*+""")
_QUOTED = re.compile(r""""[^"]*+"|'[^']*+'""")
_ATTRIBUTE = re.compile(r"""["\s/][^\s=>/"]""")


def has_crowded_tag(text: str) -> bool:
    """True for HTML that has a tag of more than `ATTRIBUTE_LIMIT` (10,000) attributes."""
    for tag in _TAG.finditer(text):
        if tag.end() - tag.start() > ATTRIBUTE_LIMIT:
            unquoted = _QUOTED.sub('""', tag[0])
            if sum(1 for _ in _ATTRIBUTE.finditer(unquoted)) > ATTRIBUTE_LIMIT:
                return True
    return False


def is_declared(data: bytes, other_than: Sequence[str] = ()) -> bool:
    """Returns whether bytes begin with an XML declaration, and not with one of the elements
    `other_than` in their first 1,000."""
    declared = data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<?xml")
    return declared and not any(f"<{name}".encode() in data[:1_000] for name in other_than)


def parse_xml(
    source: str | Path | bytes,
    roots: Sequence[str] = (),
    name: str = "",
    *,
    namespaces: bool = False,
) -> etree._Element:
    """Root element of an XML file, or of bytes, called `name` in errors.

    Tags are without name spaces (but with `namespaces`), comments and processing instructions left
    out. The encoding is UTF-8 if the bytes are valid UTF-8, whatever the declaration says; else the
    declared encoding; else the Japanese ones. A DOCTYPE is never followed. Raises UserError, with
    file and line: no such file, empty, undecodable, not XML, entities but XML's own, deeper than
    256 elements, more than `QUESTION_LIMIT` bytes, or a root element that is not among `roots` (if
    given).
    """
    from lxml import etree

    where = name or ("(bytes)" if isinstance(source, bytes) else str(source))
    data = source if isinstance(source, bytes) else read_whole(source, QUESTION_LIMIT)
    if len(data) > QUESTION_LIMIT:
        raise bad_input(where, None, f"larger than {QUESTION_LIMIT // MIB} MiB")
    if not data.strip():
        raise bad_input(where, None, "empty file", "expected XML")
    _, text = decode_xml(data, where)
    parser = etree.XMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, **SAFE)
    try:
        root = etree.fromstring(_DECLARATION.sub("", text, count=1).encode(), parser)
    except etree.XMLSyntaxError as error:
        raise syntax_fault(where, error) from None
    declared: Any = root.getroottree().docinfo.internalDTD
    used = next(root.iter(etree.Entity), None)
    if used is not None or (declared is not None and declared.entities()):
        line = 1 if used is None else line_of(used)
        raise bad_input(where, line, "an entity that is not XML's own", "expected plain characters")
    # Official files of one format come with and without a name space.
    if not namespaces:
        for element in root.iter():
            if isinstance(element.tag, str) and "}" in element.tag:
                element.tag = _local(element.tag)
    if roots and root.tag not in roots:
        expected = " or ".join(f"<{tag}>" for tag in roots)
        raise bad_input(
            where, line_of(root), f"the root element is <{root.tag}>", f"expected {expected}"
        )
    return root


def without_ending(name: str) -> str:
    """The name of an XML file without `.xml`, in capitals too, and without the ending of what
    packed it."""
    return _ENDING.sub("", name)


def other_root(path: str | Path, roots: Sequence[str]) -> bool:
    """Returns whether a file plainly begins with a root element that is not among `roots`: then it
    is of another format, not damaged. False if no root element can be read."""
    try:
        return root_element(path)[0] not in roots
    except UserError:
        return False


def xml_pieces(file: IO[bytes], tags: Sequence[str]) -> Iterator[etree._Element]:
    """Yields the elements with these tags, in lxml's notation (`{*}row`), as they end, inner ones
    first; after use each is emptied and the element before it removed, so that memory stays small.
    Raises etree.XMLSyntaxError, a SyntaxError, if the file is not XML."""
    from lxml import etree

    for _, element in etree.iterparse(file, events=("end",), tag=tags, **SAFE):
        yield element
        element.clear()
        before, parent = element.getprevious(), element.getparent()
        if before is not None and parent is not None:
            parent.remove(before)


def root_element(path: str | Path) -> tuple[str, int, Mapping[str, str]]:
    """(tag, line, attributes) of an XML file's root element, without name spaces; the file is
    decompressed by its name. Raises UserError with file and line if no element begins in its first
    64 KiB."""
    from lxml import etree

    with open_bytes(path) as file:
        # Without the file's name, which lxml cannot encode if it is not text.
        events = etree.iterparse(io.BytesIO(file.read(_BEGINNING)), events=("start",), **SAFE)
        try:
            _, root = next(events)
        except etree.XMLSyntaxError as error:
            raise syntax_fault(path, error) from None
        attributes = {_local(name): str(value) for name, value in root.attrib.items()}
        return _local(root.tag), line_of(root) or 1, attributes


def _local(name: object) -> str:
    """A name without its name space; lxml's QName refuses what its own parser lets pass (a prefix
    of no name space)."""
    return str(name).rpartition("}")[2]


def syntax_fault(path: str | Path, error: SyntaxError) -> UserError:
    """UserError for XML with a syntax error, with the line where it is."""
    return bad_input(path, error.lineno or 1, f"not XML ({xml_fault(error)})", "expected XML")


def line_of(element: etree._Element) -> int | None:
    """The line of the file where an element starts, for messages; None when the parser does not
    know."""
    return cast("int | None", element.sourceline)


def require_attribute(
    path: str | Path, element: etree._Element, attribute: str, expected: str
) -> str:
    """Value of an element's attribute, stripped. Raises UserError with file and line, ending in
    `expected`, if it is missing or blank."""
    value = element.get(attribute, "").strip()
    if not value:
        raise bad_input(path, line_of(element), f"{element.tag} without {attribute}", expected)
    return value


def by_id(
    path: str | Path, elements: Iterable[etree._Element], attribute: str, expected: str
) -> dict[str, etree._Element]:
    """Maps the id of each element (its `attribute`) to the element, in order. Raises UserError with
    file and line for a missing or repeated id."""
    mapping: dict[str, etree._Element] = {}
    for element in elements:
        name = require_attribute(path, element, attribute, expected)
        if name in mapping:
            what = f'{element.tag} {attribute} "{name}" repeats line {line_of(mapping[name])}'
            raise bad_input(path, line_of(element), what, "ids differ")
        mapping[name] = element
    return mapping


def decode_xml(data: bytes, where: str) -> tuple[str, str]:
    """(encoding, text) of an XML file's bytes: the first that fits of UTF-8, the encoding of a byte
    order mark or of ISO-2022-JP's escapes, the declared one, Japanese ones. Raises UserError if
    none fits; `where` names the file."""
    if b"\x1b" not in data and not data.startswith(codecs.BOM_UTF8):  # no ISO-2022-JP
        with suppress(UnicodeDecodeError):
            return "utf-8", data.decode()
    return _decode_other(data, where)


def _decode_other(data: bytes, where: str) -> tuple[str, str]:
    """`decode_xml` of bytes that are not plain UTF-8: as their byte order mark or their escapes
    say, in the declared encoding, in a Japanese one. Raises UserError if none fits."""
    declared = _DECLARED.match(data[:200])
    first = detect_encoding(data, ())
    for encoding in (
        first,
        declared[1].decode().lower() if declared else first,
        detect_encoding(data),
    ):
        with suppress(UnicodeError, LookupError):
            return encoding, data.decode(encoding)
    return first, decode_text(data, first, where)
