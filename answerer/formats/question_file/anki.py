"""Notes that Anki exports as text: fields with HTML, under lines that say what the columns are."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from html import unescape

from answerer.formats.question_file.columns import read_table
from answerer.formats.question_file.numbered import read_numbered
from answerer.formats.question_file.parts import Parsed, PlainQuestion, Remark

# Anki's manual, "Text files": lines at the beginning of an export.
_SEPARATORS = {"tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " ", "colon": ":"}
_HEAD = re.compile(
    r"#\s?(separator|html|tags column|notetype column|deck column|guid column"
    r"|columns|notetype|deck|tags|if matches)\s?:(.*)",
    re.IGNORECASE,
)
_LINE_END = re.compile(r"<(?:br|/?div|/?p|/?li)\b[^>]*+>", re.IGNORECASE)
_PICTURE = re.compile(r"data:image/[a-z+.-]++;base64,[\w/+=]++")  # of any size
_TAG = re.compile(r"</?[A-Za-z][^>]*+>|\[sound:[^\]]*+\]")


def read_anki(text: str) -> Parsed | None:
    """Reads the notes of an export of Anki; None for a text that does not begin with `#separator:`.

    Columns of tags, decks and kinds of notes are left out, HTML becomes text. With names of
    columns, or a question, its choices and an answer in columns, notes are read as columns; else a
    field holds a question with its choices, and the next its answer. Raises csv.Error for a field
    of more than 131,072 characters, pictures in it not counted.
    """
    if not text.lower().startswith("#separator:"):
        return None
    lines = _PICTURE.sub("", text).split("\n")
    head: dict[str, str] = {}
    first = 0  # the row of the first note: a line of the head may be repeated
    while first < len(lines) and (match := _HEAD.match(lines[first])):
        head[match[1].lower()] = match[2].strip()
        first += 1
    separator = head["separator"].lower()
    sign = _SEPARATORS.get(separator, separator[:1] or "\t")
    without = {
        int(value) - 1
        for name, value in head.items()
        if name.endswith(" column") and re.fullmatch("[0-9]{1,4}", value)
    }
    reader = csv.reader(io.StringIO("\n".join(lines[first:])), delimiter=sign, strict=False)
    notes: list[tuple[int, list[str]]] = []
    line = first + 1
    for row in reader:
        fields = [_plain(cell) for column, cell in enumerate(row) if column not in without]
        if any(fields):
            notes.append((line, fields))
        line = first + 1 + reader.line_num
    names = head.get("columns", "").split(sign) if head.get("columns") else []
    names = [name for column, name in enumerate(names) if column not in without]
    rows = [[" ".join(cell.split()) for cell in cells] for _, cells in notes]
    lines_of = {row + bool(names): line for row, (line, _) in enumerate(notes, 1)}
    for delimiter in "\t,":
        table = io.StringIO()
        writer = csv.writer(table, delimiter=delimiter, lineterminator="\n")
        writer.writerows([names, *rows] if names else rows)
        parsed = read_table(table.getvalue())
        if parsed and parsed.questions:
            return _with_lines(parsed, lines_of)
    return _cards(notes)


def _plain(cell: str) -> str:
    """A field's HTML as text: a line for each line, div, paragraph and list item, without blank
    lines, other tags and `[sound:…]`."""
    lines = unescape(_TAG.sub("", _LINE_END.sub("\n", cell))).replace("\xa0", " ").split("\n")
    return "\n".join(filter(None, (line.strip() for line in lines)))


def _with_lines(parsed: Parsed, line_of: dict[int, int]) -> Parsed:
    """The questions, rejections and notes of a table with the lines of the export (`line_of`: line
    of the table → line of the export; others stay), as of the form "Anki"."""

    def at_notes(remarks: Sequence[Remark]) -> list[Remark]:
        return [Remark(line_of.get(line, line), text) for line, text in remarks]

    questions = [
        question._replace(line=line_of.get(question.line, question.line))
        for question in parsed.questions
    ]
    rejected, notes = at_notes(parsed.rejected), at_notes(parsed.notes)
    return parsed._replace(questions=questions, rejected=rejected, notes=notes, form="Anki")


def _cards(notes: list[tuple[int, list[str]]]) -> Parsed:
    """The questions of notes, pairs (line, fields), whose first field holds a question with its
    choices; the first line of the second is its answer. They are named by their position from 1.
    Other notes are rejected."""
    questions: list[PlainQuestion] = []
    rejected: list[Remark] = []
    for number, (line, (front, *behind)) in enumerate(notes, 1):
        answer = behind[0].partition("\n")[0] if behind else ""
        text = f"1. {front}\n" + (f"Answer: {answer}\n" if answer else "")
        parsed = read_numbered(text)
        if len(parsed.questions) == 1 and not parsed.rejected:
            questions.append(parsed.questions[0]._replace(name=str(number), line=line))
        else:
            rejected.append(Remark(line, f"note {number} holds no question with labelled choices"))
    return Parsed(questions, rejected, form="Anki")
