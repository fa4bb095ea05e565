"""Fills an answer sheet: splices new expressions into its text; everything else keeps its bytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from answerer.formats.answer_sheet import Expression, Sheet
from answerer.formats.topics import NO_XML
from indexer.files.encoding import BYTE_ORDER_MARKS
from indexer.files.errors import bad_input
from indexer.files.xml import decode_xml

# The reader has already checked that the sheet is well-formed, so that its tags can be found one by one.
_TOKEN = re.compile(
    r"""<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>"""
    r"""|<(?P<close>/)?(?:[\w.-]+:)?(?P<name>[^\s/>"':]+)(?P<attributes>(?:[^>"']|"[^"]*"|'[^']*')*?)(?P<empty>/)?>""",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"""(?:^|\s)(?P<name>[^\s=]+)\s*=\s*(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)')""")
_SAID_OF_IT = re.compile(r"""\s(?:writer|is_gold_standard)\s*=\s*(?:"[^"]*"|'[^']*')""")
"""Attributes that describe the replaced text: its writer, and if it is a gold standard."""


class _Element(NamedTuple):
    """Character offsets of an XML element: begin and end of its opening tag, and its end (`opened` for `<a/>`)."""

    start: int
    opened: int
    end: int


class _SlotElement(NamedTuple):
    """The `expression_set` of one `answer`: its offsets (`outer`) and those of the expressions already in it."""

    section_id: str
    locale: str | None
    outer: _Element
    expressions: tuple[_Element, ...]


class _Edit(NamedTuple):
    """Replaces the characters from `start` up to `end` by `text`."""

    start: int
    end: int
    text: str


class _OpenTag(NamedTuple):
    """An opening tag whose element has not ended: name, attributes as written, offsets of its begin and end."""

    name: str
    attributes: str
    start: int
    opened: int


def write_sheet(sheet: Sheet, answers: Mapping[str, Sequence[Sequence[Expression]]], src: str | None = None) -> bytes:
    """The bytes of a sheet with new expressions in its own encoding; all other bytes are unchanged.

    `answers` maps a section id to the expressions of each `answer` element, in order; an empty sequence, and a section
    that `answers` lacks, leave the old expressions. New expressions replace the old ones in order; further new ones are
    appended, surplus old ones are removed, and so are attributes about an old expression (writer, gold). `source_ids`
    None keeps an old expression's `source_id`; `src`, the name of the extraction file, is set on the root element.
    Characters that the encoding lacks become character references (`&#8217;`).
    Raises UserError if a section has more or fewer `expression_set` elements than answers.
    """
    mark, encoding, text = _decode(sheet.data)
    root, slots = _locate(text)
    edits = []
    if src is not None:
        edits.append(_Edit(root.start, root.opened, _with_attribute(text[root.start : root.opened], "src", src)))
    places: dict[str, list[_SlotElement]] = {}
    for slot in slots:
        if slot.locale == sheet.locale:
            places.setdefault(slot.section_id, []).append(slot)
    # An answer without new expressions keeps what was there.
    for section_id, filled in answers.items():
        own = places.get(section_id, [])
        if len(own) != len(filled):
            what = f'section "{section_id}" has {len(own)} expression_sets for {len(filled)} answers'
            raise bad_input(sheet.file, None, what, "one in each answer, and none beside them")
        for slot, expressions in zip(own, filled, strict=True):
            edits += _fill(text, slot, expressions) if expressions else []
    # Edits of the text instead of the tree: what they do not touch keeps its bytes.
    pieces, position = [], 0
    for edit in sorted(edits):
        pieces += [text[position : edit.start], edit.text]
        position = edit.end
    return mark + "".join([*pieces, text[position:]]).encode(encoding, "xmlcharrefreplace")


def with_attribute_values(data: bytes, element: str, attribute: str, rename: Callable[[str], str]) -> bytes:
    """The bytes of an XML result file with `rename` applied to the attribute `attribute` of every `element`.

    All other bytes are unchanged; `data` itself comes back if no value changes.
    """
    mark, encoding, text = _decode(data)
    pieces, position = [], 0
    for token in _TOKEN.finditer(text):
        value = None if token["name"] != element or token["close"] else _value(token["attributes"], attribute)
        if value is not None and (renamed := rename(value)) != value:
            pieces += [text[position : token.start()], _with_attribute(token[0], attribute, renamed)]
            position = token.end()
    if not pieces:
        return data
    return mark + "".join([*pieces, text[position:]]).encode(encoding, "xmlcharrefreplace")


def _decode(data: bytes) -> tuple[bytes, str, str]:
    """Splits the bytes of a sheet into byte order mark (b"" without one), name of the encoding, and decoded text."""
    # A byte order mark is kept, and says the encoding.
    for mark, _, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return mark, encoding, data[len(mark) :].decode(encoding)
    return b"", *decode_xml(data, "the sheet")


def _locate(text: str) -> tuple[_Element, list[_SlotElement]]:
    """The offsets of the root element and of every `expression_set`, in document order.

    Raises ValueError for a text without a complete root element.
    """
    slots: list[_SlotElement] = []
    inner: list[_Element] = []
    root: _Element | None = None
    for path, element in _elements(text):
        name, parent = path[-1].name, path[-2].name if len(path) > 1 else ""
        if name == "expression" and parent == "expression_set":
            inner.append(element)
        elif name == "expression_set":
            around = {tag.name: _value(tag.attributes, "id") for tag in path}
            slots.append(_SlotElement(around.get("answer_section") or "", around.get("locale"), element, tuple(inner)))
            inner.clear()
        elif not parent:
            root = element
    if root is None:
        raise ValueError("the sheet has no root")
    return root, slots


def _elements(text: str) -> Iterator[tuple[list[_OpenTag], _Element]]:
    """Yields each XML element at its end tag, children before parents: the open tags from the root down to the element
    itself, and the element's offsets.
    """
    path: list[_OpenTag] = []
    for token in _TOKEN.finditer(text):
        if token["name"] is None:
            continue
        if not token["close"]:
            path.append(_OpenTag(token["name"], token["attributes"], token.start(), token.end()))
        if token["close"] or token["empty"]:
            yield path, _Element(path[-1].start, path[-1].opened, token.end())
            path.pop()


def _value(attributes: str, name: str) -> str | None:
    """The value of the attribute `name` in a tag's text: character references resolved, outer blanks removed.

    Returns None if the attribute is missing.
    """
    from html import unescape

    for match in _ATTRIBUTE.finditer(attributes):
        if match["name"] == name:
            return unescape(match["double"] if match["double"] is not None else match["single"]).strip()
    return None


def _fill(text: str, slot: _SlotElement, expressions: Sequence[Expression]) -> list[_Edit]:
    """The edits of a sheet's `text` that make `expressions` the expressions of one slot.

    Replaces old expressions in order, appends further new ones, and removes surplus old ones with the blanks before
    them.
    """
    there, outer = slot.expressions, slot.outer
    edits = []
    for old, new in zip(there, expressions, strict=False):
        # What is said of the old expression, its writer and whether it is gold, goes with it.
        tag, written = _SAID_OF_IT.sub("", text[old.start : old.opened]), escape(NO_XML.sub("", new.text))
        if new.source_ids is not None:
            tag = _with_attribute(tag, "source_id", ",".join(new.source_ids))
        if tag.endswith("/>"):
            edits.append(_Edit(old.start, old.end, f"{tag[:-2].rstrip()}>{written}</expression>"))
        else:
            edits.append(_Edit(old.start, text.rindex("<", old.opened, old.end), tag + written))
    for surplus in there[len(expressions) :]:
        # With the blanks before it, so that no empty line stays.
        before = text[outer.opened : surplus.start]
        edits.append(_Edit(surplus.start - (len(before) - len(before.rstrip())), surplus.end, ""))
    added = []
    for new in expressions[len(there) :]:
        tag = (
            "<expression>"
            if new.source_ids is None
            else _with_attribute("<expression>", "source_id", ",".join(new.source_ids))
        )
        added.append(f"{tag}{escape(NO_XML.sub('', new.text))}</expression>")
    if not added:
        return edits
    if there:
        # New expressions are set off as the first one is.
        gap = text[outer.opened : there[0].start]
        gap = "" if gap.strip() else gap
        edits.append(_Edit(there[-1].end, there[-1].end, "".join(gap + element for element in added)))
    elif outer.opened == outer.end:
        tag = text[outer.start : outer.opened - 2].rstrip()
        edits.append(_Edit(outer.start, outer.end, f"{tag}>{''.join(added)}</expression_set>"))
    else:
        edits.append(_Edit(outer.opened, outer.opened, "".join(added)))
    return edits


def _with_attribute(tag: str, name: str, value: str) -> str:
    """An opening tag with the attribute `name` set to `value`, in place if the tag has it, else added last."""
    written = f"{name}={quoteattr(NO_XML.sub('', value))}"
    pattern = re.compile(rf"""(?<=\s){name}\s*=\s*(?:"[^"]*"|'[^']*')""")
    # In its place, so that the other attributes keep their order.
    if pattern.search(tag):
        return pattern.sub(lambda _: written, tag, count=1)
    end = len(tag) - (2 if tag.endswith("/>") else 1)
    return f"{tag[:end].rstrip()} {written}{tag[end:]}"
