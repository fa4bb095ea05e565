"""Reads nugget files: the statements of gold essays and how highly evaluators scored each."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from answerer.formats.answer_sheet import Section
from indexer.files.errors import UserError, bad_input
from indexer.files.xml import by_id, line_of, parse_xml, require_attribute


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
    exams = []
    for exam_id, exam in elements.items():
        if exam.find("answer") is None:
            raise bad_input(path, line_of(exam), f'exam "{exam_id}" has no answer')
        nuggets = []
        for proposition in exam.iterfind("answer/proposition"):
            text = require_attribute(str(path), proposition, "value", "the text of the nugget")
            scores = []
            for evaluation in proposition.iterfind("evaluation"):
                value = (evaluation.get("value") or "").strip()
                if value not in ("1", "2", "3"):
                    raise bad_input(path, line_of(evaluation), f'evaluation value "{value}"', "1, 2 or 3")
                scores.append(int(value))
            # Evaluators score independently; a nugget that nobody scored counts as the lowest.
            nuggets.append((text, sum(scores) / len(scores) if scores else 1.0))
        exams.append(NuggetExam(exam_id, exam.get("type") or "", nuggets))
    return tuple(exams)


def exams_by_section(path: str | Path, sections: Iterable[Section]) -> dict[str, NuggetExam]:
    """The exam of each section that has one, by the section's id.

    An exam's id is the section's label, or the beginning of it up to a "_". Raises UserError if no exam of the
    file belongs to any of the sections.
    """
    exams = {exam.exam_id: exam for exam in read_nuggets(path)}
    exam_of = {}
    for section in sections:
        # Sheets cut an exam into sections: "1_2" belongs to exam "1" where there is no exam "1_2".
        labels = [exam_id for exam_id in exams if section.label == exam_id or section.label.startswith(f"{exam_id}_")]
        if labels:
            exam_of[section.section_id] = exams[max(labels, key=len)]
    if not exam_of:
        raise UserError(
            f"{path}: nuggets of other questions ({', '.join(exams)}); expected labels of the sheet's sections"
        )
    return exam_of
