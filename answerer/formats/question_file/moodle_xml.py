"""Moodle XML: the questions of a question bank as Moodle exports them."""

from __future__ import annotations

import re
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
from indexer.files.encoding import SAMPLE_SIZE
from indexer.files.xml import line_of, parse_xml

if TYPE_CHECKING:
    from lxml import etree

# The root comes first, but for the declaration and comments; `<quiz` in ASCII, as Moodle writes it.
_BEGINNING = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:(?!-->).)*+-->\s*)*<quiz[\s>]", re.DOTALL
)
_KINDS = ("multichoice", "truefalse")


def is_moodle_xml(data: bytes) -> bool:
    """Whether bytes begin, within 1 MiB, as Moodle's XML does: with the root element `quiz`."""
    return _BEGINNING.match(data[:SAMPLE_SIZE]) is not None


def read_moodle_xml(data: bytes, path: str | Path) -> Parsed:
    """Reads the multiple-choice and true-false questions of a file in Moodle's XML [Moodle-XML].

    Choices are labelled A, B, C in the order of the file; right are those with the fraction 100.
    The name of a question is its id. Categories, feedback and HTML tags are left out; questions of
    other kinds are rejected. Raises UserError with file and line for damaged XML.
    """
    root = parse_xml(data, name=str(path))
    items = (item for item in root.iterfind("question") if item.get("type") != "category")
    return keep_askable(map(_question, items), form="Moodle XML")


def _question(item: etree._Element) -> PlainQuestion | Remark:
    line = line_of(item) or 1
    name = _text(item, "name")
    if item.get("type") not in _KINDS:
        return other_kind(name, line)
    choices = [(_text(answer), _is_right(answer)) for answer in item.findall("answer")]
    return lettered_question(name, _text(item, "questiontext"), choices, line)


def _is_right(answer: etree._Element) -> bool:
    return re.fullmatch(r"\s*100(?:\.0*)?\s*", answer.get("fraction", "")) is not None


def _text(element: etree._Element, part: str = "") -> str:
    """The `text` of an element, or of its element `part`: without HTML tags, blanks squeezed; ""
    without one."""
    text = element.findtext(f"{part}/text" if part else "text", "")
    return " ".join(without_ignorable(without_tags(text)).split())
