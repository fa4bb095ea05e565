"""Questions in columns, CSV and TSV with a header or without, and in JSON objects whose keys mean the same."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from answerer.formats.question_file.numbered import marks_of
from answerer.formats.question_file.parts import (
    SERIES,
    LabelledChoice,
    Parsed,
    PlainQuestion,
    Remark,
    fold_answer,
    keep_askable,
    plain_label,
)

_NAMES = {
    "id": "id qid questionid no number num nr name 番号 問題番号 問番号 識別子",
    "question": "question stem prompt text questiontext questionstem q item 問題 問題文 質問 設問 設問文 問い 問 題",
    "answer": "answer ans correct correctanswer rightanswer key gold label solution answerkey correctoption"
    " correctchoice correctanswers answerindex correctindex correctlabel 正解 正答 答え 解答 答 正解番号",
    "choices": "choices options alternatives answers candidates 選択肢",
}
_CHOICE = re.compile(
    r"(?:choice|option|opt|alternative|alt|answer|ans|選択肢|肢|c|o)?([a-j]|[1-9]|10|[アイウエオカキクケコ])"
)
_WRONG = re.compile(r"(?:incorrect|wrong|distractor|誤答|不正解)(?:answer|choice|option)?s?(\d*)")
_SIGNS = re.compile(r"[\s_\-.#:/()]+")
_ROWS = 20  # of a file without a header, by which its columns are recognised
_FEWEST_COLUMNS = 4  # of such a file: a question, two choices and an answer
_LABEL = re.compile(r"[A-Ja-j]|[0-9]|10|[アイウエオ]|[①-⑩]")


class QuestionColumns(NamedTuple):
    """Column indices of a question table, from 0; -1 for a column that is missing.

    `choices` are pairs (label, column); `together` is the column that contains all choices of a question; `name` is the
    column of ids. If `wrong` is true, `choices` are the columns of the right answer and of the wrong answers.
    """

    question: int
    choices: Sequence[tuple[str, int]]
    together: int = -1
    answer: int = -1
    name: int = -1
    wrong: bool = False


def columns_named(names: Sequence[str]) -> QuestionColumns | None:
    """Finds the columns of a question table by their names (header cells, in any of the usual spellings).

    Returns None unless there is a question column and a column of choices, two choice columns, or columns of wrong
    answers beside an answer column.
    """
    plain = [_SIGNS.sub("", unicodedata.normalize("NFKC", name.split(" - ")[0]).lower()) for name in names]
    place = {
        role: next((plain.index(name) for name in known.split() if name in plain), -1) for role, known in _NAMES.items()
    }
    choices = []
    for column, name in enumerate(plain):
        # `Choice A`, `option1` and `A` alike; the label keeps the case of the header.
        if labelled := _CHOICE.fullmatch(name):
            label = labelled[1].upper()
            choices.append((label if label in names[column] else labelled[1], column))
    found = QuestionColumns(place["question"], choices, -1, place["answer"], place["id"])
    wrong = [column for column, name in enumerate(plain) if _WRONG.fullmatch(name)]
    if found.question < 0 or len(choices) > 1:
        return found if len(choices) > 1 and found.question >= 0 else None
    if place["choices"] >= 0:
        return found._replace(choices=[], together=place["choices"])
    if wrong and found.answer >= 0:
        return found._replace(choices=[("", column) for column in (found.answer, *wrong)], wrong=True)
    return None


def read_table(text: str) -> Parsed | None:
    """Reads the questions of a text in columns separated by tabs, commas or semicolons; None for any other text.

    The first line that is not blank is a header with column names for question and choices. Without a header, the
    separators are tabs or commas, and rows have at least four cells: an optional id, the question, the choices, and a
    column of labels or numbers. A row with more cells than the header, or with an unclosed quote, is rejected.
    """
    first = next((line for line in text.split("\n") if line.strip()), "")
    for sign, has_header in (("\t", True), (",", True), (";", True), ("\t", False), (",", False)):
        names = _cells(first, sign) if has_header else []
        rows = [] if has_header else _rows(text, sign)
        columns = columns_named(names) if has_header else _guess_columns(rows)
        if columns is None:
            continue
        questions: list[PlainQuestion | Remark] = []
        for line, row in _rows(text, sign)[1:] if has_header else rows:
            if not row:
                questions.append(Remark(line, "a quote that is not closed: close it, or leave it out"))
            elif names and len(row) > len(names):
                what = f"{len(row)} cells, the header has {len(names)}: put quotes around text that holds the separator"
                questions.append(Remark(line, what))
            else:
                questions.append(_question_of(row, columns, line))
        return keep_askable(_count_from_one(questions))._replace(form="columns")
    return None


def _cells(line: str, sign: str) -> list[str]:
    """The cells of one line separated by `sign`, stripped; [] if the line is not valid CSV."""
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=sign), [])]
    except csv.Error:
        return []


def _rows(text: str, sign: str) -> list[tuple[int, list[str]]]:
    """Pairs (line number, cells) of the rows that are not blank; cells are [] for a row whose quote is not closed.

    `sign` is the separator. With tabs every line is a row, and quotes are removed only around a whole cell. Lines below
    an unclosed quote are read one by one.
    """
    lines = text.split("\n")
    found: list[tuple[int, list[str]]] = []
    if sign == "\t":
        for number, line in enumerate(lines, 1):
            matches = [(cell, re.fullmatch(r'"(.*)"', cell)) for cell in map(str.strip, line.split(sign))]
            found.append((number, [match[1].replace('""', '"') if match else cell for cell, match in matches]))
        return [(number, row) for number, row in found if any(row)]
    begin = last = 0  # the lines of the next row and of the last one read, from 0
    reader = csv.reader(io.StringIO(text), delimiter=sign, skipinitialspace=True)
    try:
        for row in reader:
            found.append((begin + 1, [cell.strip() for cell in row]))
            last, begin = begin, reader.line_num
    except csv.Error:  # a cell beyond csv's limit of 131,072 characters
        last = begin
    # A quote that is not closed must not swallow the rows below: they are read line by line.
    unclosed: list[tuple[int, list[str]]] = []
    if last == begin or "\n".join(lines[last:]).count('"') % 2:
        below = enumerate(lines[last + 1 :], last + 2)
        found = [(number, row) for number, row in found if number <= last]
        unclosed = [(last + 1, []), *((number, row) for number, line in below if any(row := _cells(line, sign)))]
    return [*((number, row) for number, row in found if any(row)), *unclosed]


def _guess_columns(rows: Sequence[tuple[int, Sequence[str]]]) -> QuestionColumns | None:
    """Guesses the columns of rows without a header from the first rows; None if these are not a question table.

    The question is the first column, or the second if the first has different ids without blanks; the answer column
    contains labels or numbers, directly after the question or last; all remaining columns are choices. `rows` are pairs
    (line number, cells).
    """
    sample = [row for _, row in rows[:_ROWS]]
    # Rows may have more choices than others, but prose with commas varies more than that.
    width = min(map(len, sample), default=0)
    if width < _FEWEST_COLUMNS or max(map(len, sample)) - width > 8:
        return None
    named = all(row[0] and not re.search(r"\s", row[0]) and len(row[0]) < len(row[1]) for row in sample)
    question = int(named and len({row[0] for row in sample}) == len(sample))
    last = all(len(row) == width for row in sample) and width - 1
    places = [place for place in (question + 1, last) if place and all(_LABEL.fullmatch(row[place]) for row in sample)]
    if not places or not all(len(row[question]) > 3 for row in sample):
        return None
    answer = places[0] if all(sample[0][place].isdecimal() for place in places) else places[-1]
    cells = [place for place in range(question + 1, max(len(row) for _, row in rows)) if place != answer]
    numbers = all(row[answer].isdecimal() for row in sample)
    labels = map(str, range(1, len(cells) + 1)) if numbers else SERIES[0]
    return QuestionColumns(question, list(zip(labels, cells, strict=False)), -1, answer, question - 1)


def read_objects(objects: Sequence[tuple[int, Mapping[str, object]]]) -> Parsed:
    """Reads questions from JSON objects, pairs (line number, object); keys are named as columns are (`columns_named`).

    `choices` is a list of texts, a list of objects with label and text, or an object of labels and texts; `question`
    may be an object with stem and choices (as in ARC), and an object may hold a list of `questions`. Items that cannot
    be read are rejected.
    """
    questions: list[PlainQuestion | Remark] = []
    for line, outer in objects:
        inner = outer.get("questions")
        for value in inner if isinstance(inner, list) else [outer]:
            if not isinstance(value, Mapping):
                what = f"a JSON {type(value).__name__} where an object with question and choices belongs"
                questions.append(Remark(line, what))
                continue
            asked = value.get("question")
            if isinstance(asked, Mapping):
                value = {**{key: item for key, item in value.items() if key != "question"}, **asked}
            names = [str(name) for name in value]
            if columns := columns_named(names):
                questions.append(_question_of(list(value.values()), columns, line))
            else:
                what = f"no question with choices: expected question and choices, got {', '.join(names)[:60]}"
                questions.append(Remark(line, what))
    return keep_askable(_count_from_one(questions))


def _question_of(row: Sequence[object], columns: QuestionColumns, line: int) -> PlainQuestion:
    """Converts the cells of a row, or the values of a JSON object, to a question; `line` is its line number. Empty
    choices at the end are dropped. Of a right choice and wrong ones the order is alphabetical."""

    def texts(place: int) -> list[str]:
        """The text of a cell, or the texts of a cell that is a list; [] for a missing cell."""
        cell = row[place] if 0 <= place < len(row) else []
        return [_text(item) for item in (cell if isinstance(cell, list) else [cell])]

    def text(place: int) -> str:
        return _text(row[place]) if 0 <= place < len(row) else ""

    if columns.wrong:  # the first place would give the right one away
        wrong = sorted(filter(None, (item for _, place in columns.choices for item in texts(place))))
        choices = [LabelledChoice(label, item) for label, item in zip(SERIES[0], wrong, strict=False)]
    elif columns.together >= 0:
        choices = _choices(row[columns.together] if columns.together < len(row) else "")
    else:
        choices = [LabelledChoice(label, text(place)) for label, place in columns.choices]
    # Rows with fewer choices than the header has columns leave the last cells empty.
    while choices and not choices[-1].text:
        choices.pop()
    answers = tuple(texts(columns.answer))
    return PlainQuestion(
        text(columns.name), text(columns.question), tuple(choices), answers if answers != ("",) else (), line
    )


def _text(cell: object) -> str:
    return "" if cell is None or isinstance(cell, dict | list) else " ".join(str(cell).split())


def _choices(value: object) -> list[LabelledChoice]:
    """Converts the value of a `choices` column or key to choices; [] for a number, boolean or null.

    The value is a text (split by `split_choices`), an object of labels to texts, an object with parallel lists `label`
    and `text`, or a list of texts or of objects with label and text (labels A, B, C … where missing).
    """
    if isinstance(value, str):
        return split_choices(value)
    if isinstance(value, Mapping):
        labels, texts = value.get("label"), value.get("text")
        pairs = zip(labels, texts, strict=False) if isinstance(labels, list) and isinstance(texts, list) else None
        return [LabelledChoice(_text(label), _text(text)) for label, text in pairs or value.items()]
    items = [
        item if isinstance(item, Mapping) else {"text": item} for item in (value if isinstance(value, list) else ())
    ]
    return [
        LabelledChoice(_text(item.get("label")) or label, _text(item.get("text")))
        for label, item in zip(SERIES[0], items, strict=False)
    ]


def split_choices(text: str) -> list[LabelledChoice]:
    """Splits a cell with all choices of a question at its labels (`A) x B) y`).

    Without labels, the cell is split as a JSON or Python list of quoted texts (items without quotation marks are left
    out), or else at line ends, |, ;, 、 or commas (the first of these that occurs), and the choices are labelled 1, 2,
    ….
    """
    lines = text.splitlines()
    text = "\n".join(lines)
    marks = [mark for row in marks_of(lines) for mark in row]
    if len(marks) > 1 and [mark.value for mark in marks] == list(range(1, len(marks) + 1)):
        places = [sum(len(line) + 1 for line in lines[: mark.line]) for mark in marks]
        ends = [*(place + mark.start for place, mark in zip(places[1:], marks[1:], strict=True)), len(text)]
        return [
            LabelledChoice(mark.label, " ".join(text[place + mark.end : end].split()).rstrip(" ,;|"))
            for mark, place, end in zip(marks, places, ends, strict=True)
        ]
    if re.fullmatch(r"\s*\[.*\]\s*", text, re.DOTALL):  # a list of Python or JSON
        quoted = re.findall(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"", text)
        parts = [single or double for single, double in quoted]
    else:
        sign = next((sign for sign in ("\n", "|", ";", "；", "、", ",") if sign in text.strip()), "\n")
        parts = text.strip().split(sign)
    return [LabelledChoice(str(number), " ".join(part.split())) for number, part in enumerate(parts, 1)]


def _count_from_one(read: Sequence[PlainQuestion | Remark]) -> list[PlainQuestion | Remark]:
    """Replaces answers that are choice numbers from 0 by labels, if all answers of the file are such numbers.

    The items come back unchanged if any answer is not a number below its count of choices, no answer is 0, or a choice
    has the label or text 0.
    """
    answered = [(answer, one) for one in read if isinstance(one, PlainQuestion) for answer in one.answers]
    # Data sets of programs count answers from 0; a 0 anywhere shows it, unless a choice is called 0.
    from_zero = "0" in [answer for answer, _ in answered] and all(
        answer.isdecimal()
        and int(answer) < len(one.choices)
        and not any("0" in (plain_label(choice.label), fold_answer(choice.text)) for choice in one.choices)
        for answer, one in answered
    )
    return [
        one._replace(answers=tuple(one.choices[int(answer)].label for answer in one.answers))
        if from_zero and isinstance(one, PlainQuestion)
        else one
        for one in read
    ]
