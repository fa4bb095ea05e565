"""Reads nugget files: the statements of gold essays and how highly evaluators scored each."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from answerer.formats.answer_sheet import Section
from indexer.files.errors import UserError, bad_input
from indexer.files.xml import by_id, line_of, parse_xml, require_attribute


class NuggetExam(NamedTuple):
    """One question of a nugget file; `exam_id` is the label of the sheet's section (blanks kept).

    `kind` is "complex essay" or "simple essay", "" if missing. `nuggets` are pairs (statement, weight) of all its gold
    answers; the weight is the mean of the evaluators' scores (1 to 3), 1 if nobody scored the statement.
    """

    exam_id: str
    kind: str
    nuggets: list[tuple[str, float]]


def read_nuggets(path: str | Path) -> tuple[NuggetExam, ...]:
    """Reads the questions of a nugget file ([QALab3], "Nugget XML Specification").

    Text outside the listed elements and the attribute `length`, which can be wrong, are ignored. Raises UserError with
    file and line for damaged XML, no exam, a missing or repeated exam id, an exam without answer, an empty proposition,
    a score other than 1, 2 or 3.
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
    """Maps section ids to the exam of a nugget file that belongs to the section; sections without exam are left out.

    An exam belongs if its id is the section's label, or the label up to a "_"; the longest such id counts. Raises
    UserError if no exam of the file belongs to any of the sections.
    """
    exams = {exam.exam_id: exam for exam in read_nuggets(path)}
    exam_of = {}
    for section in sections:
        # Sheets cut an exam into sections: "1_2" belongs to exam "1" unless an exam "1_2" exists.
        labels = [exam_id for exam_id in exams if section.label == exam_id or section.label.startswith(f"{exam_id}_")]
        if labels:
            exam_of[section.section_id] = exams[max(labels, key=len)]
    if not exam_of:
        raise UserError(
            f"{path}: nuggets of other questions ({', '.join(exams)}); expected labels of the sheet's sections"
        )
    return exam_of
