"""XML read safely: no DTD, no entities, no network, bounded depth and size, errors with file and line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html.entities import html5
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from indexer.files.encoding import MIB, QUESTION_LIMIT, detect_encoding, open_bytes, read_whole, require_room
from indexer.files.errors import UserError, bad_input

if TYPE_CHECKING:
    from lxml import etree

SAFE: Any = {"resolve_entities": False, "load_dtd": False, "no_network": True, "huge_tree": False}
"""How lxml reads XML of any origin."""

_DECLARED = re.compile(rb"""^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_ENDING = re.compile(r"\.xml(?:\.(?:gz|bz2|xz))?$", re.IGNORECASE)
_ROOT = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*|<![A-Z][^>\[]*>\s*)*<([A-Za-z_][\w.-]*)", re.DOTALL
)
# Bytes in which the root element begins: declarations and comments before it are shorter.
_PEEK = 2**16
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_DECLARATION = re.compile(r"\s*<\?xml\s[^>]*\?>|\s*")
# An unclosed section reaches to the end: else each such beginning would be searched to the end in vain.
_OPAQUE_OR_ENTITY = re.compile(
    r"<!\[CDATA\[(?:.*?\]\]>|.*)|<!--(?:.*?-->|.*)|(?P<declaration><!ENTITY)|&(?P<name>[A-Za-z][A-Za-z0-9]*);",
    re.DOTALL,
)
_XML_NAMES = frozenset(("amp", "lt", "gt", "quot", "apos"))


def is_declared(data: bytes) -> bool:
    """Returns whether bytes begin with an XML declaration, in an encoding that has ASCII."""
    return data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<?xml")


def parse_xml(source: str | Path | bytes, roots: Sequence[str] = (), name: str = "") -> etree._Element:
    """Root element of an XML file, or of bytes, called `name` in errors.

    Tags are without name spaces, comments and processing instructions left out, HTML entities (`&nbsp;`) read as their
    characters, and characters that XML forbids as U+FFFD. A BOM decides the encoding; else UTF-8 if the bytes are valid
    UTF-8, whatever the declaration says; else the declared encoding; else the Japanese ones. A DOCTYPE is never
    followed. Raises UserError, with file and line: no such file, undecodable, not XML, declared or unknown entities,
    deeper than 256 elements, more than `QUESTION_LIMIT` bytes, too much memory, or a root element that is not among
    `roots` (if given).
    """
    from lxml import etree

    where = name or ("(bytes)" if isinstance(source, bytes) else str(source))
    text = require_room(where, decode_xml(xml_bytes(source, where), where)[1], "<=")
    text = text.lstrip("\ufeff")

    def replace_entity(found: re.Match[str]) -> str:
        """Replacement of a matched entity: its character for HTML's, unchanged for XML's own. Raises UserError for an
        unknown or declared one."""
        name = found["name"]
        if found["declaration"] or (name and name not in _XML_NAMES and f"{name};" not in html5):
            what, expected = f"unknown entity &{name};", "expected plain characters"
            if found["declaration"]:
                what, expected = "an entity declaration", "XML with entities of its own is not read"
            raise bad_input(where, text.count("\n", 0, found.start()) + 1, what, expected)
        if not name or name in _XML_NAMES:
            return found[0]
        return html5[f"{name};"].replace("&", "&amp;").replace("<", "&lt;")

    plain = _OPAQUE_OR_ENTITY.sub(replace_entity, text)
    # Blank lines take the place of the XML declaration, which no longer gives the encoding: lines keep their numbers.
    plain = _DECLARATION.sub(lambda found: "\n" * found[0].count("\n"), _FORBIDDEN.sub("\ufffd", plain), count=1)
    parser = etree.XMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, **SAFE)
    try:
        root = etree.fromstring(plain.encode(), parser)
    except etree.XMLSyntaxError as error:
        reason = re.sub(r", line \d+, column \d+$", "", str(error.msg))
        raise bad_input(where, error.lineno, f"not XML ({reason})", "expected XML") from None
    # Official files of one format come with and without a name space.
    for element in root.iter():
        if isinstance(element.tag, str) and "}" in element.tag:
            element.tag = _local(element.tag)
    if roots and root.tag not in roots:
        expected = " or ".join(f"<{tag}>" for tag in roots)
        raise bad_input(where, line_of(root), f"the root element is <{root.tag}>", f"expected {expected}")
    return root


def xml_bytes(source: str | Path | bytes, where: str = "") -> bytes:
    """All bytes of an XML file, decompressed by its name, or `source` itself if it is bytes; `where` names it in
    errors.

    Raises UserError: no such file, a damaged or empty one, more than `QUESTION_LIMIT` bytes.
    """
    where, mend = where or str(source), "expected a question file"
    data = source if isinstance(source, bytes) else read_whole(source, QUESTION_LIMIT, mend)
    if len(data) > QUESTION_LIMIT:
        raise bad_input(where, None, f"larger than {QUESTION_LIMIT // MIB} MiB", mend)
    if not data.strip():
        raise bad_input(where, None, "empty file", "expected XML")
    return data


def without_ending(name: str) -> str:
    """The name of an XML file without `.xml`, in capitals too, and without the ending of what packed it."""
    return _ENDING.sub("", name)


def other_root(path: str | Path, roots: Sequence[str]) -> bool:
    """Returns whether a file plainly begins with another root element than these: then it is of another format, not
    damaged."""
    with open_bytes(path) as file:
        found = _ROOT.match(file.read(_PEEK))
    return found is not None and found[1].decode() not in roots


def xml_pieces(file: IO[bytes], tags: Sequence[str]) -> Iterator[etree._Element]:
    """Yields the elements with these tags, in lxml's notation (`{*}row`), as they end; each is emptied after use, so
    that memory stays small. Raises etree.XMLSyntaxError, a SyntaxError, if the file is not XML."""
    from lxml import etree

    etree.clear_error_log()  # of the files before: `syntax_fault` reads it
    for _, element in etree.iterparse(file, events=("end",), tag=tags, **SAFE):
        yield element
        element.clear()
        before, parent = element.getprevious(), element.getparent()
        if before is not None and parent is not None:
            parent.remove(before)


def root_element(path: str | Path) -> tuple[str, int, Mapping[str, str]]:
    """(tag, line, attributes) of an XML file's root element, without name spaces; the file is decompressed by its name
    and read no further. Raises UserError with file and line if no element begins."""
    from lxml import etree

    etree.clear_error_log()  # of the files before: `syntax_fault` reads it
    with open_bytes(path) as file:
        events = etree.iterparse(file, events=("start",), **SAFE)
        try:
            _, root = next(events)
        except etree.XMLSyntaxError as error:
            raise syntax_fault(path, error) from None
        attributes = {_local(name): str(value) for name, value in root.attrib.items()}
        return _local(root.tag), line_of(root) or 1, attributes


def _local(name: object) -> str:
    """A name without its name space; lxml's QName refuses what its own parser lets pass (a prefix of no name space)."""
    return str(name).rpartition("}")[2]


def syntax_fault(path: str | Path, error: SyntaxError) -> UserError:
    """UserError for XML with a syntax error, with the line where it is."""
    reason, line = str(error.msg), error.lineno
    log = getattr(error, "error_log", ())
    if not line and log:  # lxml's own message says nothing of an unknown entity; its log of all files does, last
        reason, line = log[len(log) - 1].message, log[len(log) - 1].line
    reason = re.sub(r", line \d+, column \d+$", "", reason.strip())
    return bad_input(path, line or 1, f"not XML ({reason})", "fetch the file again")


def line_of(element: etree._Element) -> int | None:
    """The line of the file where an element starts, for messages; None when the parser does not know."""
    line: object = element.sourceline
    return line if isinstance(line, int) else None


def require_attribute(path: str | Path, element: etree._Element, attribute: str, expected: str) -> str:
    """Value of an element's attribute, stripped. Raises UserError with file and line, ending in `expected`, if it is
    missing or blank."""
    value = element.get(attribute, "").strip()
    if not value:
        raise bad_input(path, line_of(element), f"{element.tag} without {attribute}", expected)
    return value


def by_id(
    path: str | Path, elements: Iterable[etree._Element], attribute: str, expected: str
) -> dict[str, etree._Element]:
    """Maps the id of each element (its `attribute`) to the element, in order. Raises UserError with file and line for a
    missing or repeated id."""
    found: dict[str, etree._Element] = {}
    for element in elements:
        name = require_attribute(path, element, attribute, expected)
        if name in found:
            what = f'{element.tag} {attribute} "{name}" repeats line {line_of(found[name])}'
            raise bad_input(path, line_of(element), what, "ids differ")
        found[name] = element
    return found


def decode_xml(data: bytes, where: str) -> tuple[str, str]:
    """(encoding, text) of an XML file's bytes: the first that fits of byte order mark, UTF-8, the declared encoding,
    Japanese encodings. Raises UserError if none fits; `where` names the file."""
    first = detect_encoding(data, ())
    if first == "utf-8" and b"\0" in data[:4]:  # UTF-16 without a mark
        first = "utf-16-be" if data[:1] == b"\0" else "utf-16-le"
    declared = _DECLARED.match(data[:200])
    candidates = dict.fromkeys((first, declared[1].decode().lower() if declared else first, detect_encoding(data)))
    line = 1
    for encoding in candidates:
        try:
            return encoding, data.decode(encoding)
        except UnicodeDecodeError as error:
            if encoding == first:
                line = data.count(b"\n", 0, error.start) + 1
        except LookupError:
            continue
    raise bad_input(where, line, "bytes that are no text", f"expected {' or '.join(candidates)}")
