"""Questions in columns, CSV and TSV with a header or without, and in JSON objects whose keys mean the same."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from answerer.formats.question_file.numbered import marks_of
from answerer.formats.question_file.parts import (
    SERIES,
    LabelledChoice,
    Parsed,
    PlainQuestion,
    Remark,
    fold_answer,
    plain_label,
    sorted_out,
)

_NAMES = {
    "id": "id qid questionid no number num nr name 番号 問題番号 問番号 識別子",
    "question": "question stem prompt text questiontext questionstem q item 問題 問題文 質問 設問 設問文 問い 問 題",
    "answer": "answer ans correct correctanswer rightanswer key gold label solution answerkey correctoption"
    " correctchoice correctanswers answerindex correctindex correctlabel 正解 正答 答え 解答 答 正解番号",
    "choices": "choices options alternatives answers candidates 選択肢",
}
_ROLES = {name: role for role, names in _NAMES.items() for name in names.split()}
_CHOICE = re.compile(
    r"(?:choice|option|opt|alternative|alt|answer|ans|選択肢|肢|c|o)?([a-j]|[1-9]|10|[アイウエオカキクケコ])"
)
_WRONG = re.compile(r"(?:incorrect|wrong|distractor|誤答|不正解)(?:answer|choice|option)?s?(\d*)")
_SIGNS = re.compile(r"[\s_\-.#:/()]+")
_ROWS = 20  # of a file without a header, by which its columns are recognised
FEWEST_COLUMNS = 4  # of such a file: a question, two choices and an answer
_LABEL = re.compile(r"[A-Ja-j]|[0-9]|10|[アイウエオ]|[①-⑩]")


class QuestionColumns(NamedTuple):
    """The places of the columns, -1 for one that is missing.

    `choices` are labels with their columns, `together` is the column that holds them all. With `wrong` the columns of
    choices are those of the right answer and of the wrong ones.
    """

    question: int
    choices: Sequence[tuple[str, int]]
    together: int = -1
    answer: int = -1
    name: int = -1
    wrong: bool = False


class QuestionTable(NamedTuple):
    """The rows of a file with their lines; with a header `columns` are those that it names."""

    rows: Sequence[tuple[int, Sequence[str]]]
    columns: QuestionColumns
    width: int


def columns_named(names: Sequence[str]) -> QuestionColumns | None:
    """The columns by their names; None unless a question and choices are among them."""
    plain = [_SIGNS.sub("", unicodedata.normalize("NFKC", name.split(" - ")[0]).lower()) for name in names]
    roles = [_ROLES.get(name, "") for name in plain]
    place = {
        role: min(range(len(plain)), key=lambda one: known.index(plain[one]) if plain[one] in known else len(known))
        for role, known in ((role, names.split()) for role, names in _NAMES.items())
        if role in roles
    }
    labelled = [(_CHOICE.fullmatch(name), number) for number, name in enumerate(plain)]
    choices = [(_printed_label(names[number], found[1]), number) for found, number in labelled if found]
    wrong = [number for number, name in enumerate(plain) if _WRONG.fullmatch(name)]
    answer = place.get("answer", -1)
    if "question" not in place or (len(choices) < 2 and "choices" not in place and not (wrong and answer >= 0)):
        return None
    if len(choices) < 2 and "choices" not in place:
        both = [answer, *wrong]
        return QuestionColumns(
            place["question"], [("", number) for number in both], -1, answer, place.get("id", -1), True
        )
    together = place["choices"] if len(choices) < 2 else -1
    own = choices if together < 0 else []
    return QuestionColumns(place["question"], own, together, answer, place.get("id", -1))


def _printed_label(name: str, label: str) -> str:
    """The label of a choice's column as the header prints it."""
    return label.upper() if label.upper() in name else label


def read_table(text: str) -> QuestionTable | None:
    """The rows of a text of columns: parted by tabs, commas or semicolons, whichever header has a question and choices.

    Without a header: rows of at least four cells, all of one kind, tabs or commas between (a question, perhaps after
    an id, choices, and a column of labels or numbers). None for other texts.
    """
    first = next((line for line in text.split("\n") if line.strip()), "")
    for sign in ("\t", ",", ";"):
        names = _cells(first, sign)
        if columns := columns_named(names):
            rows = _rows(text, sign, len(names))
            return QuestionTable(rows[1:], columns, len(names))
    for sign in ("\t", ","):
        rows = _rows(text, sign, first.count(sign) + 1)
        if rows and (columns := _columns_of(rows)):
            return QuestionTable(rows, columns, 0)
    return None


def _cells(line: str, sign: str) -> list[str]:
    """The cells of one line, [] if it cannot be parsed."""
    try:
        return next(csv.reader([line], delimiter=sign), [])
    except csv.Error:
        return []


def _rows(text: str, sign: str, width: int) -> list[tuple[int, list[str]]]:
    """The rows that are not blank, [] for a line with a quote that is not closed; the lines below it are read plainly.

    Between tabs a quote may be one of the text: so it is where one begins a cell that does not end with one, unless
    more rows have the header's width otherwise.
    """
    quoted = _read_rows(text, sign, csv.QUOTE_MINIMAL)
    if sign != "\t":
        return quoted
    plain = _read_rows(text, sign, csv.QUOTE_NONE)
    opened = any(cell[:1] == '"' and (cell[-1] != '"' or len(cell) < 2) for _, row in plain for cell in row)
    ways = (plain, quoted) if opened else (quoted, plain)
    return max(ways, key=lambda rows: sum(len(row) == width for _, row in rows))


def _read_rows(text: str, sign: str, quoting: Literal[0, 3], before: int = 0) -> list[tuple[int, list[str]]]:
    """Rows with their line numbers, counted after `before`; lines after an unclosed quote are read without quotes."""
    reader = csv.reader(io.StringIO(text), delimiter=sign, quoting=quoting, skipinitialspace=sign != "\t")
    rows: list[tuple[int, list[str]]] = []
    begin = 1
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                rows.append((begin + before, [cell.strip() for cell in row]))
            last, begin = begin, reader.line_num + 1
        lines = text.split("\n")[last - 1 :] if rows else []
    except csv.Error:  # a cell beyond csv's limit of 131,072 characters
        last, lines = begin, [*text.split("\n")[begin - 1 :], '"']
        rows.append((begin + before, []))
    if quoting != csv.QUOTE_NONE and len(lines) > 1 and "\n".join(lines).count('"') % 2:
        rows[-1] = (last + before, [])
        rows += _read_rows("\n".join(text.split("\n")[last:]), sign, csv.QUOTE_NONE, before + last)
    return rows


def _columns_of(rows: Sequence[tuple[int, Sequence[str]]]) -> QuestionColumns | None:
    """The columns of rows without a header: the question is first, or second after ids that have no blanks."""
    sample = [row for _, row in rows[:_ROWS]]
    width = min(map(len, sample))
    if width < FEWEST_COLUMNS or max(map(len, sample)) - width > 8:
        return None
    named = all(row[0] and not re.search(r"\s", row[0]) and len(row[0]) < len(row[1]) for row in sample)
    question = int(named and len({row[0] for row in sample}) == len(sample))
    if not all(len(row[question]) > 3 for row in sample):
        return None
    last = all(len(row) == width for row in sample) and width - 1
    places = [place for place in (question + 1, last) if place and all(_LABEL.fullmatch(row[place]) for row in sample)]
    if not places:
        return None
    answer = places[0] if all(sample[0][place].isdecimal() for place in places) else places[-1]
    numbers = all(row[answer].isdecimal() for row in sample)
    cells = [place for place in range(question + 1, max(len(row) for _, row in rows)) if place != answer]
    labels = [str(number) for number in range(1, len(cells) + 1)] if numbers else list(SERIES[0])
    return QuestionColumns(question, list(zip(labels, cells, strict=False)), -1, answer, question - 1)


def read_columns(table: QuestionTable) -> Parsed:
    """The questions of a table's rows; a row with more cells than the header is named in `rejected`."""
    found: list[PlainQuestion | Remark] = []
    for line, row in table.rows:
        if not row:
            found.append(Remark(line, "a quote that is not closed: close it, or leave it out"))
        elif table.width and len(row) > table.width:
            what = f"{len(row)} cells, the header has {table.width}: put quotes around text that holds the separator"
            found.append(Remark(line, what))
        else:
            found.append(question_of(row, table.columns, line))
    return sorted_out(_from_one(found))


def question_of(row: Sequence[str], columns: QuestionColumns, line: int) -> PlainQuestion:
    """The question of a row. Empty cells at the end of the row are left out."""

    def cell(place: int) -> str:
        return " ".join(row[place].split()) if 0 <= place < len(row) else ""

    if columns.together >= 0:
        choices = split_choices(row[columns.together] if columns.together < len(row) else "")
    else:
        choices = [LabelledChoice(label, cell(place)) for label, place in columns.choices]
    while choices and not choices[-1].text:
        choices = choices[:-1]
    if columns.wrong:  # the right one has a separate column; its place there would give it away
        texts = sorted(choice.text for choice in choices if choice.text)
        choices = [LabelledChoice(label, text) for label, text in zip(SERIES[0], texts, strict=False)]
    answer = cell(columns.answer)
    return PlainQuestion(cell(columns.name), cell(columns.question), tuple(choices), (answer,) if answer else (), line)


def split_choices(text: str) -> list[LabelledChoice]:
    """The choices of one cell: labelled (`A) x B) y`), or parted by line ends, |, ; or commas, and numbered from 1."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1)]
    marks = [mark for row in marks_of(lines) for mark in row]
    if len(marks) > 1 and [mark.value for mark in marks] == list(range(1, len(marks) + 1)):
        starts = [sum(len(line) + 1 for _, line in lines[: mark.line]) for mark in marks]
        whole = "\n".join(line for _, line in lines)
        ends = [*[start + mark.start for start, mark in zip(starts, marks, strict=True)][1:], len(whole)]
        pieces = [whole[start + mark.end : end] for start, mark, end in zip(starts, marks, ends, strict=True)]
        return [
            LabelledChoice(mark.label, " ".join(piece.split()).rstrip(" ,;|"))
            for mark, piece in zip(marks, pieces, strict=True)
        ]
    if re.fullmatch(r"\s*\[.*\]\s*", text, re.DOTALL):  # a list of Python or JSON
        quoted = re.findall(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"", text)
        parts = [one or other for one, other in quoted]
    else:
        sign = next((sign for sign in ("\n", "|", ";", "；", "、", ",") if sign in text.strip()), "\n")
        parts = text.strip().split(sign)
    return [LabelledChoice(str(number), " ".join(part.split())) for number, part in enumerate(parts, 1)]


def _from_one(found: Sequence[PlainQuestion | Remark]) -> list[PlainQuestion | Remark]:
    """The questions with answers that count from 1, where those of the whole file are numbers from 0."""
    questions = [one for one in found if isinstance(one, PlainQuestion)]
    answers = [(answer, one) for one in questions for answer in one.answers]
    if "0" not in [answer for answer, _ in answers] or not all(
        answer.isdecimal() and int(answer) < len(one.choices) for answer, one in answers
    ):
        return list(found)
    if any(
        plain_label(choice.label) == "0" or fold_answer(choice.text) == "0"
        for one in questions
        for choice in one.choices
    ):
        return list(found)
    return [
        one._replace(answers=tuple(one.choices[int(answer)].label for answer in one.answers))
        if isinstance(one, PlainQuestion)
        else one
        for one in found
    ]


def read_objects(objects: Sequence[tuple[int, Mapping[str, object]]]) -> Parsed:
    """The questions of JSON objects: {question, choices, answer} under the names that columns have.

    `choices` are a list of texts, or of objects with label and text, or an object of labels and texts; `question` may
    be an object with stem and choices (as in ARC), a file one object with a list of `questions`.
    """
    found: list[PlainQuestion | Remark] = []
    for line, value in objects:
        inner = value.get("questions")
        for one in inner if isinstance(inner, list) else [value]:
            if isinstance(one, Mapping):
                found.append(_question_of_object(one, line))
            else:
                found.append(
                    Remark(line, f"a JSON {type(one).__name__} where an object with question and choices belongs")
                )
    return sorted_out(_from_one(found))


def _question_of_object(value: Mapping[str, object], line: int) -> PlainQuestion | Remark:
    """The question of a JSON object, or a remark on an object without question and choices."""
    asked = value.get("question")
    if isinstance(asked, Mapping):
        value = {**{key: one for key, one in value.items() if key != "question"}, **asked}
    names = [str(name) for name in value]
    columns = columns_named(names)
    if columns is None:
        return Remark(line, f"no question with choices: expected question and choices, got {', '.join(names)[:60]}")
    cells = list(value.values())
    row = [_text(cell) for cell in cells]
    question = question_of(row, columns._replace(together=-1) if columns.together >= 0 else columns, line)
    if columns.together >= 0:
        question = question._replace(choices=tuple(_choices(cells[columns.together])))
    if columns.wrong:  # as the Open Trivia Database has them
        texts = [text for _, place in columns.choices for text in _as_list(cells[place])]
        labelled = zip(SERIES[0], sorted(filter(None, texts)), strict=False)
        question = question._replace(choices=tuple(LabelledChoice(label, text) for label, text in labelled))
    answer = cells[columns.answer] if columns.answer >= 0 else None
    if isinstance(answer, list):
        question = question._replace(answers=tuple(_as_list(answer)))
    return question


def _as_list(cell: object) -> list[str]:
    """The texts of a cell that is a list, or of a single one."""
    return [_text(one) for one in (cell if isinstance(cell, list) else [cell])]


def _text(cell: object) -> str:
    return "" if cell is None or isinstance(cell, dict | list) else " ".join(str(cell).split())


def _choices(value: object) -> list[LabelledChoice]:
    """The choices of a JSON value: a text, an object of labels, labels and texts, or a list; [] for another."""
    if isinstance(value, str):
        return split_choices(value)
    if isinstance(value, Mapping):
        labels, texts = value.get("label"), value.get("text")
        if isinstance(labels, list) and isinstance(texts, list):
            return [LabelledChoice(_text(label), _text(text)) for label, text in zip(labels, texts, strict=False)]
        return [LabelledChoice(str(label), _text(text)) for label, text in value.items()]
    if not isinstance(value, list):
        return []
    found = []
    for label, one in zip(SERIES[0], value, strict=False):
        given = one if isinstance(one, Mapping) else {"text": one}
        found.append(LabelledChoice(_text(given.get("label")) or label, _text(given.get("text"))))
    return found
