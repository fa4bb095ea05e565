"""NTCIR QA Lab's topic files: passages extracted for essay questions, and answers judged by an evaluation method."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from answerer.formats.answer_sheet import text_of
from answerer.formats.length_limit import Limit, measure
from indexer.files.encoding import held_lines, numbered_lines
from indexer.files.errors import bad_input
from indexer.files.xml import by_id, line_of, parse_xml, require_attribute
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
    """The elements in the set of a topic (`PASSAGE` in its PASSAGE_SET); raises UserError for one outside it."""
    inside = topic.findall(f"{tag}_SET/{tag}")
    known = set(inside)
    outside = next((one for one in topic.iter(tag) if one not in known), None)
    if outside is not None:
        raise bad_input(path, line_of(outside), f'{tag} of topic "{topic_id}" outside {tag}_SET', f"{tag}s stand in it")
    return inside


def rank_of(path: str, element: _Element) -> int:
    """The RANK of an element. Raises UserError for one that is not a whole number from 1."""
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
    """The finite number that a text says, None if it does not say one."""
    return float(text) if is_number(text) else None


SOURCE_TYPES = ("WEB", "QALAB3", "PARTICIPANT")
TIMES_THE_LIMIT = 10  # [QALab3], "Extraction XML Format"
"""Greatest length of all passages together, in lengths of the answer."""


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
    """The topics of an extraction file, one TOPIC or a TOPIC_SET ([QALab3], "Extraction XML Format").

    SOURCE_ID_TYPE is read without regard to case; teams also write their own name there. Raises UserError with
    file and line: damaged XML, a topic without id or with that of another, a passage without text or
    SOURCE_ID, a RANK that is not a whole number from 1 or is given twice, a NORMALIZED_SCORE outside [0, 1].
    """
    return tuple(
        ExtractedTopic(topic_id, line_of(element) or 0, _passages(str(path), topic_id, element))
        for topic_id, element in topic_elements(path)
    )


def _passages(path: str, topic_id: str, topic: _Element) -> tuple[ExtractedPassage, ...]:
    """The passages of a topic by rank; raises UserError for a rank given twice."""
    passages: dict[int, ExtractedPassage] = {}
    for element in held_by(path, topic_id, topic, "PASSAGE"):
        passage = _passage(path, element)
        if passage.rank in passages:
            raise bad_input(path, line_of(element), f'RANK {passage.rank} twice in topic "{topic_id}"', "ranks differ")
        passages[passage.rank] = passage
    return tuple(passages[rank] for rank in sorted(passages))


def _passage(path: str, element: _Element) -> ExtractedPassage:
    """Parses a PASSAGE; raises UserError for one without text or source id, or with a score outside [0, 1]."""
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
    """Message on passages that together exceed ten times the answer's limit; "" if they do not."""
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


Marks = dict[tuple[str, str], float]


class JudgedAnswer(NamedTuple):
    """An answer by the name of the file that holds it; ranks count from 1, a higher score is better."""

    file_name: str
    rank: int
    score: float
    text: str


class JudgedTopic(NamedTuple):
    """The answers to one question, best first."""

    topic_id: str
    answers: tuple[JudgedAnswer, ...]


def read_judged(path: str | Path) -> tuple[JudgedTopic, ...]:
    """The topics of an evaluation-method file ([QALab3], "Evaluation method XML Format").

    Raises UserError with file and line for damaged XML, a topic without id or with that of another, an answer without
    FILE_NAME or listed twice in a topic, a RANK that is not a whole number from 1 or is given twice, a SCORE
    that is not a number.
    """
    return tuple(JudgedTopic(topic_id, _answers(str(path), topic_id, one)) for topic_id, one in topic_elements(path))


def _answers(path: str, topic_id: str, topic: _Element) -> tuple[JudgedAnswer, ...]:
    """The answers of a topic by rank; raises UserError for a rank or a file name given twice."""
    by_rank: dict[int, JudgedAnswer] = {}
    names: set[str] = set()
    for element in held_by(path, topic_id, topic, "ANSWER"):
        answer = _answer(path, element)
        if answer.rank in by_rank:
            other = by_rank[answer.rank].file_name
            what = f'RANK {answer.rank} in topic "{topic_id}" is also that of {other}'
            raise bad_input(path, line_of(element), what, "ranks differ")
        if answer.file_name in names:
            what = f'{answer.file_name} is listed twice in topic "{topic_id}"'
            raise bad_input(path, line_of(element), what, "each answer file once")
        by_rank[answer.rank] = answer
        names.add(answer.file_name)
    return tuple(by_rank[rank] for rank in sorted(by_rank))


def _answer(path: str, element: _Element) -> JudgedAnswer:
    """Parses an ANSWER; raises UserError for one without file name, rank or score."""
    name = require_attribute(path, element, "FILE_NAME", "the name of a result file")
    rank = rank_of(path, element)
    printed = (element.get("SCORE") or "").strip()
    score = as_number(printed)
    if score is None:
        raise bad_input(path, line_of(element), f'SCORE "{printed}"', "a number")
    return JudgedAnswer(name, rank, score, text_of(element))


def judged_text(topics: Sequence[JudgedTopic]) -> str:
    """An evaluation-method file: a bare TOPIC for one topic, a TOPIC_SET for several."""

    def fill(topic: JudgedTopic, parent: _Element) -> None:
        from lxml.etree import SubElement

        answers = SubElement(parent, "ANSWER_SET")
        for answer in topic.answers:
            element = SubElement(answers, "ANSWER")
            element.set("FILE_NAME", answer.file_name)
            element.set("RANK", str(answer.rank))
            element.set("SCORE", f"{answer.score:.6g}")
            element.text = NO_XML.sub("", answer.text)

    return topics_text([(topic.topic_id, topic) for topic in topics], fill)


def read_marks(path: str | Path) -> Marks:
    """Experts' marks by (topic, file name): an evaluation-method file, or lines `topic TAB file name TAB mark`.

    Higher is better. A heading line, and lines that are blank or start with #, are passed over. Raises UserError
    with file and line: a line that cannot be read or has not three fields, a mark that is not a number, an
    answer marked twice.
    """
    if Path(path).suffix.lower() == ".xml":
        return {(topic.topic_id, one.file_name): one.score for topic in read_judged(path) for one in topic.answers}
    marks: Marks = {}
    expected = "topic TAB file name TAB mark (a number)"
    for number, text in numbered_lines(held_lines(path), path, expected):
        if not text.strip() or text.startswith("#"):
            continue
        fields = [field.strip() for field in text.split("\t")]
        mark = as_number(fields[2]) if len(fields) == 3 else None
        if mark is None and number == 1 and len(fields) == 3:
            continue
        if mark is None:
            raise bad_input(path, number, "no mark", expected)
        if (fields[0], fields[1]) in marks:
            raise bad_input(path, number, f"{fields[1]} is marked twice for {fields[0]}", "one mark each")
        marks[fields[0], fields[1]] = mark
    if not marks:
        raise bad_input(path, None, "no marks", "lines of topic TAB file name TAB mark")
    return marks
