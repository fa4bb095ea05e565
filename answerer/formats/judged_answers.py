"""Evaluation-method files: given answers ranked and scored (TOPIC > ANSWER_SET > ANSWER), and experts' marks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from answerer.formats.answer_sheet import text_of
from answerer.formats.topics import NO_XML, as_number, held_by, rank_of, topic_elements, topics_text
from indexer.files.encoding import held_lines, numbered_lines
from indexer.files.errors import bad_input
from indexer.files.xml import line_of, require_attribute

if TYPE_CHECKING:
    from lxml.etree import _Element

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
    """The topics of an evaluation-method file (seed 002, "Evaluation method XML Format").

    UserError with file and line: damaged XML, a topic without id or with that of another, an answer without
    FILE_NAME or listed twice in a topic, a RANK that is not a whole number from 1 or is given twice, a SCORE
    that is not a number.
    """
    return tuple(JudgedTopic(topic_id, _answers(str(path), topic_id, one)) for topic_id, one in topic_elements(path))


def _answers(path: str, topic_id: str, topic: _Element) -> tuple[JudgedAnswer, ...]:
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

    Higher is better. A heading line, and lines that are blank or start with #, are passed over. UserError
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
