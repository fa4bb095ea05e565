"""The frame that extraction and evaluation-method files share: a bare TOPIC, or a TOPIC_SET of many."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from indexer.files.errors import bad_input
from indexer.files.xml import by_id, line_of, parse_xml
from indexer.formats.labels import is_number, whole

if TYPE_CHECKING:
    from lxml.etree import _Element

Topic = TypeVar("Topic")
# XML 1.0 has no place for these: a source text that holds one must not break the file.
NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def topic_elements(path: str | Path) -> list[tuple[str, _Element]]:
    """Each TOPIC element with its id, in order; UserError without any, and for an id that is missing or repeated."""
    root = parse_xml(Path(path), ("TOPIC", "TOPIC_SET"))
    elements = [root] if root.tag == "TOPIC" else root.findall("TOPIC")
    if not elements:
        raise bad_input(path, line_of(root), "no TOPIC", "at least one")
    return list(by_id(path, elements, "ID", "the id of a section of the answer sheet").items())


def held_by(path: str, topic_id: str, topic: _Element, tag: str) -> list[_Element]:
    """The elements in the set of a topic (`PASSAGE` in its PASSAGE_SET); UserError where some stand outside it."""
    inside = topic.findall(f"{tag}_SET/{tag}")
    known = set(inside)
    outside = next((one for one in topic.iter(tag) if one not in known), None)
    if outside is not None:
        raise bad_input(path, line_of(outside), f'{tag} of topic "{topic_id}" outside {tag}_SET', f"{tag}s stand in it")
    return inside


def rank_of(path: str, element: _Element) -> int:
    """The RANK of an element. UserError for one that is not a whole number from 1."""
    rank = whole((element.get("RANK") or "").strip())
    if not rank:
        raise bad_input(path, line_of(element), f'RANK "{element.get("RANK") or ""}"', "a whole number from 1")
    return rank


def topics_text(topics: Sequence[tuple[str, Topic]], fill: Callable[[Topic, _Element], None]) -> str:
    """An XML file with a bare TOPIC for one topic, a TOPIC_SET for any other number."""
    from lxml import etree

    elements = []
    for topic_id, topic in topics:
        element = etree.Element("TOPIC", ID=topic_id)
        fill(topic, element)
        elements.append(element)
    root = elements[0] if len(elements) == 1 else etree.Element("TOPIC_SET")
    if len(elements) != 1:
        root.extend(elements)
    etree.indent(root)
    text = etree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def as_number(text: str) -> float | None:
    """The finite number that a text says, None where it does not say one."""
    return float(text) if is_number(text) else None
