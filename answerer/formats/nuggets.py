"""Reads nugget files: the statements of gold essays and how highly evaluators scored each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from answerer.formats.answer_sheet import Section
from indexer.files.errors import UserError, bad_input
from indexer.files.xml import by_id, line_of, parse_xml, require_attribute

if TYPE_CHECKING:
    from lxml.etree import _Element


class NuggetExam(NamedTuple):
    """A question of a nugget file; `exam_id` is the label of the sheet's section (blanks kept).

    `kind` is "complex essay" or "simple essay", "" if the file does not say. `nuggets` are the statements of all
    answers with their weights: the mean of the evaluators' scores (1 to 3), 1 if nobody scored it.
    """

    exam_id: str
    kind: str
    nuggets: list[tuple[str, float]]


def read_nuggets(path: str | Path) -> tuple[NuggetExam, ...]:
    """The questions of a nugget file ([QALab3], "Nugget XML Specification").

    Stray text is ignored, and so is `length`, which can be off. Raises UserError with file and line for damaged XML,
    no exam, an exam without id or with that of another, one without answer, an empty proposition, a score
    that is not 1, 2 or 3.
    """
    root = parse_xml(Path(path), ("doc",))
    elements = by_id(path, root.iterfind("exam"), "id", "the label of a section of the answer sheet")
    if not elements:
        raise bad_input(path, line_of(root), "no exam", "a nugget file holds at least one")
    return tuple(_exam(str(path), exam_id, element) for exam_id, element in elements.items())


def _exam(path: str, exam_id: str, element: _Element) -> NuggetExam:
    """Parses an `exam`; raises UserError for one without an answer."""
    if element.find("answer") is None:
        raise bad_input(path, line_of(element), f'exam "{exam_id}" has no answer')
    nuggets = [_nugget(path, one) for one in element.iterfind("answer/proposition")]
    return NuggetExam(exam_id, element.get("type") or "", nuggets)


def _nugget(path: str, element: _Element) -> tuple[str, float]:
    """The text and the mean score of a proposition, 1 without scores."""
    text = require_attribute(path, element, "value", "the text of the nugget")
    scores = []
    for evaluation in element.iterfind("evaluation"):
        value = (evaluation.get("value") or "").strip()
        if value not in ("1", "2", "3"):
            raise bad_input(path, line_of(evaluation), f'evaluation value "{value}"', "1, 2 or 3")
        scores.append(int(value))
    return text, sum(scores) / len(scores) if scores else 1.0


def exams_by_section(path: str | Path, sections: Iterable[Section]) -> dict[str, NuggetExam]:
    """The exam of each section that has one, by the section's id.

    An exam's id is the section's label, or the beginning of it up to a "_". Raises UserError if no exam of the
    file belongs to any of the sections.
    """
    exams = {exam.exam_id: exam for exam in read_nuggets(path)}
    exam_of = {}
    for section in sections:
        exam = _exam_of(section.label, exams)
        if exam is not None:
            exam_of[section.section_id] = exam
    if not exam_of:
        raise UserError(
            f"{path}: nuggets of other questions ({', '.join(exams)}); expected labels of the sheet's sections"
        )
    return exam_of


def _exam_of(label: str, exams: Mapping[str, NuggetExam]) -> NuggetExam | None:
    """The exam with a section's label as id, else the one with its longest beginning; None without either."""
    if label in exams:
        return exams[label]
    beginnings = [exam_id for exam_id in exams if label.startswith(f"{exam_id}_")]
    return exams[max(beginnings, key=len)] if beginnings else None
