"""QTI 1.2 and 2.x, in which learning platforms such as Canvas export quizzes: XML, or a zip of
it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from answerer.formats.question_file.parts import (
    Parsed,
    PlainQuestion,
    Remark,
    keep_askable,
    lettered_question,
    other_kind,
    without_tags,
)
from indexer.analysis.text import without_ignorable
from indexer.files.archive import Limits, Member, members
from indexer.files.encoding import QUESTION_LIMIT, SAMPLE_SIZE
from indexer.files.errors import UserError, bad_input
from indexer.files.xml import line_of, parse_xml

if TYPE_CHECKING:
    from lxml import etree

_BEGINNING = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*+(?:<\?[^>]*+>\s*+|<!--(?:(?!-->).)*+-->\s*+|<!DOCTYPE\s[^>\[]*+>\s*+)*+"
    rb"<(?:\w++:)?(?:questestinterop|assessmentItem)[\s>]",
    re.DOTALL,
)
_LIMITS = Limits(member_size=QUESTION_LIMIT, total_size=4 * QUESTION_LIMIT)
_OTHER_KINDS = re.compile(r"response_(?!lid$|label$)\w+|(?!choice)\w+Interaction")
_CHOICES = ("response_label", "simpleChoice")
_BESIDE = frozenset((*_CHOICES, "rubricBlock", "feedbackBlock", "feedbackInline"))

_INLINE = frozenset("a b em i q span strong sub sup u".split())


def is_qti(data: bytes) -> bool:
    """Whether bytes begin, within 1 MiB, as QTI does, or are a zip with the manifest of a package,
    which may hold QTI."""
    is_package = data.startswith(b"PK\x03\x04") and b"imsmanifest.xml" in data
    return is_package or _BEGINNING.match(data[:SAMPLE_SIZE]) is not None


def read_qti(data: bytes, path: str | Path) -> Parsed:
    """Reads the multiple-choice and true-false questions of QTI 1.2 or 2.x [QTI], of a zip those of
    all its files, of equal identifiers the first.

    Choices are labelled A, B, C in the order of the file; right are the correct response, or those
    that bring the most points. An item's title is its question's name, but `Question`. Pictures,
    feedback and HTML tags are left out; items of other kinds and damaged files of a zip are
    rejected. Raises UserError for damaged XML, and without items.
    """
    items: list[PlainQuestion | Remark] = []
    places: list[str] = []
    seen: set[str] = set()  # of items: a Common Cartridge holds a quiz twice
    for name, content, reason in _files(data):
        try:
            if content is None:
                raise UserError(f"{name}: {reason}")
            root = parse_xml(content, name=name or str(path))
        except UserError as error:
            if not name:
                raise
            places.append(name)
            items.append(Remark(len(places), str(error).partition(": ")[2]))
            continue
        for item in root.iter("item", "assessmentItem"):
            identifier = item.get("ident") or item.get("identifier")
            if identifier is None or identifier not in seen:
                places.append(f"{name}, line {line_of(item)}".removeprefix(", "))
                items.append(_question(item, len(places)))
                seen.update([identifier] if identifier else [])
    if not items:
        what = "a package without questions in QTI 1.2 or 2.x"
        raise bad_input(path, None, what, "export the quiz as QTI 1.2, Moodle XML, CSV or text")
    return keep_askable(items, form="QTI")._replace(places=places)


def _files(data: bytes) -> Iterator[Member]:
    """Yields the QTI files of a zip, and those that cannot be unpacked; bytes that
    are no zip with the name ""."""
    if not data.startswith(b"PK"):
        yield Member("", data)
        return
    for member in members(data, lambda name: name.lower().endswith((".xml", ".qti")), _LIMITS):
        if member.data is None or _BEGINNING.match(member.data[:SAMPLE_SIZE]):
            yield member._replace(name=member.name or "the zip")


def _question(item: etree._Element, line: int) -> PlainQuestion | Remark:
    """Converts an item; a remark unless it has one list of choices and no other place for an
    answer. Several choices may be right. The name is the title, "" for Canvas's "Question"."""
    title = _text(item.get("title") or "")
    name = "" if title == "Question" else title  # as Canvas calls all of them
    lists = list(item.iter("response_lid", "choiceInteraction"))
    if len(lists) != 1 or any(_OTHER_KINDS.fullmatch(str(part.tag)) for part in item.iter()):
        return other_kind(name, line)
    right = _right(item)
    choices = [
        (
            _text("".join(_pieces(choice))),
            (choice.get("ident") or choice.get("identifier")) in right,
        )
        for choice in lists[0].iter(*_CHOICES)
    ]
    text = " ".join("".join(_pieces(part)) for part in item.iter("presentation", "itemBody"))
    return lettered_question(name, _text(text), choices, line)


def _right(item: etree._Element) -> list[str]:
    """The identifiers of the right choices: of 2.x the correct response, of 1.2 what brings most
    points, more than 0."""
    if correct := [value.text or "" for value in item.iterfind(".//correctResponse/value")]:
        return list(map(str.strip, correct))
    rights: dict[float, list[str]] = {0.0: []}
    for condition in item.iter("respcondition"):
        points = max(
            (_points(setting.text or "") for setting in condition.iter("setvar")), default=0
        )
        rights.setdefault(points, []).extend(
            (equal.text or "").strip()
            for equal in condition.iter("varequal")
            if next(equal.iterancestors("not"), None) is None
        )
    return rights[max(rights)] if max(rights) > 0 else []


def _points(text: str) -> float:
    """A number of points; 100 for a word in .max (Blackboard's `SCORE.max`), 0 for other words."""
    with suppress(ValueError):
        return float(text) if math.isfinite(float(text)) else 0.0
    return 100.0 if text.strip().endswith(".max") else 0.0


def _pieces(element: etree._Element) -> Iterator[str]:
    """Yields the texts in an element, but for choices, feedback and rubrics inside it, without the
    tags of a `mattext` that is not plain."""
    is_html = element.tag == "mattext" and element.get("texttype") != "text/plain"
    yield without_tags(element.text or "") if is_html else element.text or ""
    for child in element:
        blank = "" if child.tag in _INLINE else " "
        yield blank
        if child.tag not in _BESIDE:
            yield from _pieces(child)
        yield f"{blank}{child.tail or ''}"


def _text(text: str) -> str:
    """A text without characters that nobody sees, blanks squeezed."""
    return " ".join(without_ignorable(text).split())
