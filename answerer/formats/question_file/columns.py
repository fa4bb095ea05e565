"""Questions in columns, CSV and TSV with a header or without, and in JSON objects whose keys mean the same."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import zip_longest
from typing import Any

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
    "id": "id qid questionid no number num 番号 問題番号",
    "question": "question stem prompt text questiontext 問題 問題文 質問 設問 問い 問",
    "answer": "answer correct correctanswer rightanswer key gold label answerkey correctoption 正解 正答 答え 解答",
    "choices": "choices options alternatives 選択肢",
}
_CHOICE = re.compile(r"(?:choice|option|answer|選択肢)?([a-j]|[1-9]|10|[アイウエオカキクケコ])")
_WRONG = re.compile(r"(?:incorrect|wrong|distractor|誤答)(?:answer|choice|option)?s?\d*")
_SIGNS = re.compile(r"[\s_\-.#:/()]+")
_ROWS = 20  # of a file without a header, by which its columns are recognised
_FEWEST_COLUMNS = 4  # of such a file: a question, two choices and an answer
_LABEL = re.compile(r"[A-Ja-j]|[0-9]|10|[アイウエオ]|[①-⑩]")


def read_table(text: str) -> Parsed | None:
    """Reads the questions of a text in columns separated by tabs, commas or semicolons; None for any other text.

    The first line that is not blank is a header with column names for question and choices. Without a header, the
    separators are tabs or commas, and rows have at least four cells: an optional id, the question, the choices, and a
    column of labels or numbers. A row with more cells than the header, or with an unclosed quote, is rejected.
    """
    first = next((line for line in text.split("\n") if line.strip()), "")
    for sign, has_header in (("\t", True), (",", True), (";", True), ("\t", False), (",", False)):
        names = next((cells for _, cells in _rows(first, sign)), []) if has_header else []
        if has_header and not question_of(dict.fromkeys(names, ""), 1):
            continue
        rows = _rows(text, sign)[has_header:]
        names = names or _guess_names([cells for _, cells in rows])
        if not names:
            continue
        questions: list[PlainQuestion | Remark] = []
        for line, cells in rows:
            found: PlainQuestion | Remark | None
            found = question_of(dict(zip_longest(names, cells[: len(names)], fillvalue="")), line)
            if not cells:
                found = Remark(line, "a quote that is not closed: this and what follows is not read")
            elif len(cells) > len(names):
                what = f"{len(cells)} cells, the header has {len(names)}"
                found = Remark(line, f"{what}: put quotes around text that holds the separator")
            questions += [found] if found else []
        return keep_askable(_count_from_one(questions), form="columns")
    return None


def _rows(text: str, sign: str) -> list[tuple[int, list[str]]]:
    """Pairs (line number, cells) of the rows that are not blank; `sign` is the separator. The last has no cells if its
    quote is not closed or a cell is beyond csv's limit of 131,072 characters. With tabs quotes are removed around whole
    cells only."""
    found: list[tuple[int, list[str]]] = []
    last = begin = 0  # lines above the last row, and above the next
    quoted: Any = {"quoting": csv.QUOTE_NONE} if sign == "\t" else {"skipinitialspace": True}
    reader = csv.reader(io.StringIO(text), delimiter=sign, **quoted)
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if sign == "\t":
                cells = [cell[1:-1].replace('""', '"') if re.fullmatch('".*"', cell) else cell for cell in cells]
            last, begin = begin, reader.line_num
            if any(cells):
                found.append((last + 1, cells))
        is_open = sign != "\t" and "\n".join(text.split("\n")[last:]).count('"') % 2
    except csv.Error:
        is_open, last = True, begin
    return [*(row for row in found if row[0] <= last), (last + 1, [])] if is_open else found


def _guess_names(rows: Sequence[Sequence[str]]) -> list[str]:
    """Guesses the names of the columns of rows without a header from the first rows; [] if these are no questions.

    The question is the first column, or the second if the first has different ids without blanks; the answer column
    contains labels or numbers, directly after the question or last; all remaining columns are choices.
    """
    sample = rows[:_ROWS]
    # Rows may have more choices than others, but prose with commas varies more than that.
    width = min(map(len, sample), default=0)
    if width < _FEWEST_COLUMNS or max(map(len, sample)) - width > 8:
        return []
    has_ids = all(row[0] and not re.search(r"\s", row[0]) and len(row[0]) < len(row[1]) for row in sample)
    question = int(has_ids and len({row[0] for row in sample}) == len(sample))
    last = all(len(row) == width for row in sample) and width - 1
    places = [place for place in (question + 1, last) if place and all(_LABEL.fullmatch(row[place]) for row in sample)]
    if not places or not all(len(row[question]) > 3 for row in sample):
        return []
    answer = places[0] if all(sample[0][place].isdecimal() for place in places) else places[-1]
    numbers = all(row[answer].isdecimal() for row in sample)
    names = [str(place) if numbers else SERIES[0][place - 1] for place in range(1, max(map(len, rows)) - question - 1)]
    names[answer - question - 1 : answer - question - 1] = ["answer"]
    return [*["id"][:question], "question", *names]


def read_objects(objects: Sequence[tuple[int, Mapping[str, object]]]) -> Parsed:
    """Reads questions from JSON objects, pairs (line number, object); keys are named as columns are (`question_of`).

    `question` may be an object with stem and choices (as in ARC), and an object may hold a list of `questions`. Items
    that cannot be read are rejected.
    """
    questions: list[PlainQuestion | Remark] = []
    for line, outer in objects:
        inner = outer.get("questions")
        for value in inner if isinstance(inner, list) else [outer]:
            found = None
            if isinstance(value, Mapping):
                asked = value.get("question")
                found = question_of({**value, "question": None, **asked} if isinstance(asked, Mapping) else value, line)
            names = ", ".join(value)[:60] if isinstance(value, Mapping) else f"a JSON {type(value).__name__}"
            what = f"no question with choices: expected question and choices, got {names}"
            questions.append(found or Remark(line, what))
    return keep_askable(_count_from_one(questions), form="JSON")


@cache
def _plain_name(name: str) -> str:
    return _SIGNS.sub("", unicodedata.normalize("NFKC", name).lower())


def question_of(record: Mapping[str, object], line: int) -> PlainQuestion | None:
    """Converts a row or JSON object, by names, to a question; `line` is its line number.

    Names are compared without case, blanks and signs. None unless there is a question, and two or more choices, one
    value of `choices`, or wrong answers beside an answer, which are put in alphabetical order: the first place would
    give the right one away. `choices` is a text (parted by line ends, `|` or `;`), a list of texts or of objects with
    label and text, or an object of labels to texts or with parallel lists `label` and `text`. Empty choices at the end
    are dropped.
    """
    values = {_plain_name(name): value for name, value in reversed(list(record.items())) if value is not None}
    name, asked, answer, together = (
        next((values[known] for known in _NAMES[role].split() if known in values), None)
        for role in ("id", "question", "answer", "choices")
    )
    answers = answer if isinstance(answer, list) else [answer]
    pairs: list[tuple[object, object]] = []
    for printed, value in record.items():
        # `Choice A`, `option1` and `A` alike; the label keeps the case of the header.
        if found := _CHOICE.fullmatch(_plain_name(printed)):
            pairs.append((found[1].upper() if found[1].upper() in printed else found[1], value))
    wrong = [value for plain, value in reversed(values.items()) if _WRONG.fullmatch(plain)]
    if asked is None or (len(pairs) < 2 and together is None and (answer is None or not wrong)):
        return None
    if len(pairs) < 2 and together is None:
        said = [text for value in (answers, *wrong) for text in (value if isinstance(value, list) else [value])]
        pairs = list(zip(SERIES[0], sorted(filter(None, map(_text, said))), strict=False))
    elif len(pairs) < 2 and isinstance(together, str):
        sign = next((sign for sign in ("\n", "|", ";") if sign in together.strip()), "\n")
        pairs = list(enumerate(together.strip().split(sign), 1))
    elif len(pairs) < 2 and isinstance(together, Mapping):
        labels, texts = together.get("label"), together.get("text")
        if isinstance(labels, list) and isinstance(texts, list):
            pairs = list(zip(labels, texts, strict=False))
        else:
            pairs = list(together.items())
    elif len(pairs) < 2:
        items = together if isinstance(together, list) else []
        items = [item if isinstance(item, Mapping) else {"text": item} for item in items]
        pairs = [(one.get("label") or label, one.get("text")) for label, one in zip(SERIES[0], items, strict=False)]
    choices = [LabelledChoice(_text(label), _text(text)) for label, text in pairs]
    while choices and not choices[-1].text:
        choices.pop()
    right = tuple(map(_text, answers))
    return PlainQuestion(_text(name), _text(asked), tuple(choices), right if right != ("",) else (), line)


def _text(cell: object) -> str:
    return "" if cell is None or isinstance(cell, dict | list) else " ".join(str(cell).split())


def _count_from_one(read: Sequence[PlainQuestion | Remark]) -> list[PlainQuestion | Remark]:
    """Replaces choice numbers by labels if all answers count from 0, one is 0, and no choice is called 0."""
    answered = [(answer, one) for one in read if isinstance(one, PlainQuestion) for answer in one.answers]
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
