"""Reads multiple-choice questions that are not exam XML: tells the form of a file, and makes an exam of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from answerer.formats.exam.parts import Choice, Exam, Question
from answerer.formats.exam.shape import asked_for, shape_of, slots_of
from answerer.formats.exam.text import Text
from answerer.formats.question_file.columns import read_columns, read_objects, read_table
from answerer.formats.question_file.gift import is_gift, read_gift
from answerer.formats.question_file.labels import plain_label
from answerer.formats.question_file.lines import beginning, text_of_file
from answerer.formats.question_file.numbered import read_numbered
from answerer.formats.question_file.parts import Parsed, PlainQuestion
from indexer.analysis.runs import bearable_question
from indexer.files.errors import bad_input
from indexer.files.json_objects import json_objects
from indexer.languages.registry import detect_language

ENDINGS = (".txt", ".csv", ".tsv", ".gift", ".aiken", ".json", ".jsonl", ".md", ".text")
"""Endings of names that are cut from an exam's name; the form of a file is recognised by its content."""

EXPECTED = "expected numbered questions with labelled choices, GIFT, columns with a header, or exam XML"
_XML = re.compile(r"[\ufeff\s]*<[?!A-Za-z]")
_JSON = re.compile(r"[\ufeff\s]*(?:\[\s*)?\{\s*\"")


class QuestionFile(NamedTuple):
    """A question file: `names` are the questions' ids, all different; `form` says in words how it was read."""

    form: str
    names: Sequence[str]
    parsed: Parsed

    def numbered(self) -> Iterator[tuple[str, PlainQuestion]]:
        """Each question with its id."""
        return zip(self.names, self.parsed.questions, strict=True)


def is_xml(data: bytes) -> bool:
    """Whether a file's bytes begin as XML does, in any encoding; an empty file counts as XML."""
    text = beginning(data)
    return not text.strip("\ufeff \t\r\n") or _XML.match(text) is not None


def looks_like_questions(text: str) -> bool:
    """Whether a text, or the beginning of one, holds multiple-choice questions that are not XML."""
    if "\0" in text or _XML.match(text):
        return False
    if _JSON.match(text):
        return re.search(r'"(?:choices|options)"\s*:', text) is not None
    return bool(_parsed(text.replace("\r\n", "\n").replace("\r", "\n"), "")[1].questions)


def read_question_file(data: bytes, path: str | Path) -> QuestionFile:
    """The questions in the bytes of a file that is not XML, with their answers.

    The form is recognised by the content: JSON by its first bracket; GIFT by answers in braces; columns by a header
    with a question and choices, or by rows of one kind; all else is numbered text. Ids are those printed; a
    question without one gets its place in the file, and an id that came before gets -2, -3, … UserError, with file
    and line, for a file without a question.
    """
    form, parsed = _parsed(text_of_file(data, path), path)
    if not parsed.questions:
        first = min(parsed.rejected, default=None)
        said = f"; {first.text}" if first else ""
        raise bad_input(path, first.line if first else 1, f"no multiple-choice question{said}", EXPECTED)
    return QuestionFile(form, _unlike([one.name for one in parsed.questions]), parsed)


def _parsed(text: str, path: str | Path) -> tuple[str, Parsed]:
    if _JSON.match(text):
        expected = "expected objects with question and choices"
        return "JSON", read_objects(list(json_objects(text, path, expected)))
    if is_gift(text):
        return "GIFT", read_gift(text)
    if (table := read_table(text)) is not None:
        return "columns", read_columns(table)
    return "numbered text", read_numbered(text)


def _unlike(names: Sequence[str]) -> list[str]:
    """Ids without blanks, all different: a place where there is no name, a number behind one that came before."""
    printed = {"-".join(name.split()) for name in names}
    seen: set[str] = set()
    last: dict[str, int] = {}
    found = []
    for place, name in enumerate(names, 1):
        plain = "-".join(name.split()) or str(place)
        own = plain
        while own in seen or (own in printed and (own != plain or not name)):
            last[plain] = last.get(plain, 1) + 1
            own = f"{plain}-{last[plain]}"
        seen.add(own)
        found.append(own)
    return found


def exam_name(path: str | Path) -> str:
    """The name of a question file as an exam: without its ending, and that of packing."""
    name = Path(path).name
    for endings in ((".gz", ".bz2", ".xz"), ENDINGS):
        name = next((name[: -len(end)] for end in endings if name.lower().endswith(end) and name != end), name)
    return name


def exam_of(file: QuestionFile, path: str | Path) -> Exam:
    """The questions of a file as an exam. Answers, feedback and marks of what is right are not in it.

    `notes` name what was rejected and what belongs to no question, and count questions used and rejected.
    """
    questions = tuple(_question(name, one, f"{path}:{one.line}") for name, one in file.numbered())
    words = [text.plain for q in questions for text in (q.instruction, *(c.text for c in q.choices))]
    used, rejected = len(questions), len(file.parsed.rejected)
    remarks = sorted((*file.parsed.rejected, *file.parsed.notes))
    read = f"{used + rejected} question{'s' * (used + rejected != 1)}"
    return Exam(
        name=exam_name(path),
        title=exam_name(path),
        language=detect_language("\n".join(words)),
        questions=questions,
        notes=(
            *(f"{path}:{one.line}: {one.text}" for one in remarks),
            f"{path}: read as {file.form}: {read}, {used} used, {rejected} rejected",
        ),
        is_plain=True,
    )


def _question(name: str, asked: PlainQuestion, where: str) -> Question:
    instruction = Text(bearable_question(asked.text, where))
    texts = [Text(bearable_question(choice.text, where)) for choice in asked.choices]
    slots = slots_of(texts, "", {}, ())
    numbers = [plain_label(choice.label) or str(place) for place, choice in enumerate(asked.choices, 1)]
    if len(set(numbers)) < len(numbers):
        numbers = [str(place) for place in range(1, len(numbers) + 1)]
    choices = tuple(
        Choice(number, text, row, choice.label)
        for number, text, row, choice in zip(numbers, texts, slots, asked.choices, strict=True)
    )
    return Question(
        answer_column=name,
        answer_type="",
        shape=shape_of(choices, "", instruction, False, False),
        asks=asked_for(asked.text[:10_000]),
        instruction=instruction,
        data=(),
        choices=choices,
        passages=(),
        underlines=(),
        gaps=(),
        statements=(),
    )
