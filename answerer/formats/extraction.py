"""Extraction files: the passages found for each essay question (TOPIC > PASSAGE_SET > PASSAGE)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from answerer.formats.answer_sheet import text_of
from answerer.formats.length_limit import Limit, measure
from answerer.formats.topics import NO_XML, as_number, held_by, rank_of, topic_elements, topics_text
from indexer.files.errors import bad_input
from indexer.files.xml import line_of, require_attribute

if TYPE_CHECKING:
    from lxml.etree import _Element

SOURCE_TYPES = ("WEB", "QALAB3", "PARTICIPANT")
TIMES_THE_LIMIT = 10
"""Passages together may be so many times as long as the answer (seed 002, "Extraction XML Format")."""


class ExtractedPassage(NamedTuple):
    """A passage: `source_type` in upper case, `score` any text, `normalized` in [0, 1], higher is better."""

    rank: int
    source_id: str
    source_type: str
    score: str
    normalized: float
    text: str


class ExtractedTopic(NamedTuple):
    """The passages of a question, by rank; `topic_id` is the id of the sheet's section."""

    topic_id: str
    line: int
    passages: tuple[ExtractedPassage, ...]


def read_extraction(path: str | Path) -> tuple[ExtractedTopic, ...]:
    """The topics of an extraction file, one TOPIC or a TOPIC_SET (seed 002, "Extraction XML Format").

    SOURCE_ID_TYPE is read without regard to case; teams also write their own name there. UserError with
    file and line: damaged XML, a topic without id or with that of another, a passage without text or
    SOURCE_ID, a RANK that is not a whole number from 1 or is given twice, a NORMALIZED_SCORE outside [0, 1].
    """
    return tuple(
        ExtractedTopic(topic_id, line_of(element) or 0, _passages(str(path), topic_id, element))
        for topic_id, element in topic_elements(path)
    )


def _passages(path: str, topic_id: str, topic: _Element) -> tuple[ExtractedPassage, ...]:
    passages: dict[int, ExtractedPassage] = {}
    for element in held_by(path, topic_id, topic, "PASSAGE"):
        passage = _passage(path, element)
        if passage.rank in passages:
            raise bad_input(path, line_of(element), f'RANK {passage.rank} twice in topic "{topic_id}"', "ranks differ")
        passages[passage.rank] = passage
    return tuple(passages[rank] for rank in sorted(passages))


def _passage(path: str, element: _Element) -> ExtractedPassage:
    text = text_of(element)
    if not text:
        raise bad_input(path, line_of(element), "PASSAGE without text", "the words of the passage")
    source_id = require_attribute(path, element, "SOURCE_ID", "a document id or a URL")
    rank = rank_of(path, element)
    printed = (element.get("NORMALIZED_SCORE") or "").strip()
    normalized = as_number(printed)
    if normalized is None or not 0 <= normalized <= 1:
        raise bad_input(path, line_of(element), f'NORMALIZED_SCORE "{printed}"', "a number from 0 to 1")
    kind = (element.get("SOURCE_ID_TYPE") or "").strip().upper()
    return ExtractedPassage(rank, source_id, kind, element.get("SCORE") or "", normalized, text)


def excess(passages: Sequence[ExtractedPassage], limit: Limit) -> str:
    """By what the passages together exceed ten times the answer's limit, in words; "" where they do not."""
    if limit.most is None or limit.unit is None:
        return ""
    length, most = sum(measure(one.text, limit.unit) for one in passages), TIMES_THE_LIMIT * limit.most
    return f"{length} {limit.unit}, at most {most} are allowed" if length > most else ""


def extraction_text(topics: Sequence[ExtractedTopic]) -> str:
    """An extraction file: a bare TOPIC for one topic, a TOPIC_SET for several."""

    def fill(topic: ExtractedTopic, parent: _Element) -> None:
        from lxml.etree import SubElement

        passages = SubElement(parent, "PASSAGE_SET")
        for passage in topic.passages:
            element = SubElement(passages, "PASSAGE")
            element.set("RANK", str(passage.rank))
            element.set("SOURCE_ID", passage.source_id)
            element.set("SOURCE_ID_TYPE", passage.source_type)
            element.set("SCORE", passage.score)
            element.set("NORMALIZED_SCORE", f"{passage.normalized:.6g}")
            element.text = NO_XML.sub("", passage.text)

    return topics_text([(topic.topic_id, topic) for topic in topics], fill)
