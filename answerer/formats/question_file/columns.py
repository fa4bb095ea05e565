"""Questions in columns, CSV and TSV with a header or without; JSON objects have keys that mean the
same."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import zip_longest

from answerer.formats.question_file.parts import (
    SERIES,
    LabelledChoice,
    Parsed,
    PlainQuestion,
    Remark,
    keep_askable,
)

_NAMES = {
    "id": "id qid questionid no number num 番号 問題番号",
    "question": "question stem prompt text questiontext 問題 問題文 質問 設問 問い 問",
    "answer": "answer correct correctanswer rightanswer key gold label answerkey correctoption 正解 "
    "正答 答え 解答",
    "choices": "choices options alternatives 選択肢",
}
_CHOICE = re.compile(r"(?:choice|option|answer|選択肢)?([a-j]|[1-9]|10|[アイウエオカキクケコ])")
_SIGNS = re.compile(r"[\s_\-.#:/()]+")
_ROWS = 20  # of a file without a header, by which its columns are recognised
_LABEL = re.compile(r"[A-Ja-j]|[1-9]|10|[アイウエオ]|[①-⑩]")


def read_table(text: str) -> Parsed | None:
    """Reads the questions of a text in columns separated by tabs, commas or semicolons; None for
    any other text.

    The first line that is not blank is a header with column names for question and choices. Without
    a header, the separators are tabs: perhaps an id, the question, a label or number, and the
    choices. A row with more cells than the header, or with an unclosed quote, is rejected.
    """
    first = next((line for line in text.split("\n") if line.strip()), "")
    for sign in "\t,;":
        names = next((cells for _, cells in _rows(first, sign)), [])
        if question_of(dict.fromkeys(names, ""), 1):
            rows = _rows(text, sign)[1:]
            break
    else:
        rows = _rows(text, "\t")
        names = _guess_names([cells for _, cells in rows[:_ROWS]])
        if not names:
            return None
    questions: list[PlainQuestion | Remark] = []
    for line, cells in rows:
        if not cells:
            questions.append(
                Remark(line, "a quote that is not closed: this and what follows is not read")
            )
        elif len(cells) > len(names):
            what = f"{len(cells)} cells, the header has {len(names)}"
            questions.append(
                Remark(line, f"{what}: put quotes around text that holds the separator")
            )
        elif found := question_of(dict(zip_longest(names, cells, fillvalue="")), line):
            questions.append(found)
    return keep_askable(questions, form="columns")


def _rows(text: str, sign: str) -> list[tuple[int, list[str]]]:
    """Pairs (line number, cells) of the rows that are not blank; `sign` is the separator. The last
    has no cells if its quote is not closed or a cell is beyond csv's limit of 131,072 characters.
    With tabs quotes are removed around whole cells only."""
    reader = csv.reader(
        io.StringIO(text),
        delimiter=sign,
        quoting=csv.QUOTE_NONE if sign == "\t" else csv.QUOTE_MINIMAL,
        skipinitialspace=True,
        strict=True,
    )
    found: list[tuple[int, list[str]]] = []
    begin = 1
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if sign == "\t":
                cells = [
                    cell[1:-1].replace('""', '"') if re.fullmatch('".*"', cell) else cell
                    for cell in cells
                ]
            if any(cells):
                found.append((begin, cells))
            begin = reader.line_num + 1
    except csv.Error:
        found.append((begin, []))
    return found


def _guess_names(rows: Sequence[Sequence[str]]) -> list[str]:
    """The names of the columns of rows without a header: perhaps an id, the question, a column of
    labels or of numbers, two choices or more; [] if the first rows are not such questions."""
    for answer in (1, 2):
        labelled = [row for row in rows if len(row) > answer + 2 and _LABEL.fullmatch(row[answer])]
        if (
            rows
            and all(len(row[answer - 1]) > 3 for row in labelled)
            and len(labelled) == len(rows)
        ):
            numbers = all(row[answer].isdecimal() for row in rows)
            labels = [*map(str, range(1, 11))] if numbers else [*SERIES[0][:10]]
            return [*["id"][: answer - 1], "question", "answer", *labels]
    return []


def _plain_name(name: str) -> str:
    return _SIGNS.sub("", unicodedata.normalize("NFKC", name).lower())


def question_of(record: Mapping[str, object], line: int) -> PlainQuestion | None:
    """Converts a row or JSON object, by names, to a question; `line` is its line number.

    Names are compared without case, blanks and signs. None unless there are a question and two or
    more choices, in one column each, or all as value of `choices`: a list of texts, or an object of
    labels to texts. Empty choices at the end are dropped.
    """
    values = {
        _plain_name(name): value
        for name, value in reversed(list(record.items()))
        if value is not None
    }
    name, asked, answer, together = (
        next((values[known] for known in _NAMES[role].split() if known in values), None)
        for role in ("id", "question", "answer", "choices")
    )
    pairs: list[tuple[str, object]] = []
    for printed, value in record.items():
        # `Choice A`, `option1` and `A` alike; the label keeps the case of the header.
        if found := _CHOICE.fullmatch(_plain_name(printed)):
            pairs.append((found[1].upper() if found[1].upper() in printed else found[1], value))
    if len(pairs) < 2 and isinstance(together, Mapping):
        pairs = list(together.items())
    elif len(pairs) < 2:
        pairs = list(zip(SERIES[0], together, strict=False)) if isinstance(together, list) else []
    if asked is None or not pairs:
        return None
    choices = [LabelledChoice(label, _text(value)) for label, value in pairs]
    while choices and not choices[-1].text:
        choices.pop()
    right = tuple(filter(None, map(_text, answer if isinstance(answer, list) else [answer])))
    return PlainQuestion(_text(name), _text(asked), tuple(choices), right, line)


def _text(cell: object) -> str:
    return "" if cell is None or isinstance(cell, dict | list) else " ".join(str(cell).split())
