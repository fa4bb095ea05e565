"""The lines of a numbered text in reading order: columns of choices unfolded, boxes and letters
that look like labels replaced by labels, feedback set apart."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from answerer.formats.question_file.parts import (
    EM_SPACE,
    SERIES,
    SYMBOLS,
    Lines,
    Remark,
    half_width,
)

_BEHIND_GAP = rf"(?:(?<=\s\s)|(?<=[\t{EM_SPACE}]))"
_CELL_LABEL = (
    rf"(?P<label>\(?(?:[A-Za-z]|\d{{1,2}}|[{SERIES[2]}])[.):]|\((?:[A-Za-z]|\d{{1,2}})\)"
    rf"|[{''.join(SYMBOLS)}])"
)
_CELL = re.compile(rf"(?:^\s*\*?|{_BEHIND_GAP}\*?){_CELL_LABEL}(?=\s|[^\x00-\x7f]|$)")

_LOOK_ALIKE = dict(zip("АВЕЅІЈКМНОРСТХаеіосрх", "ABESIJKMHOPCTXaeiocpx", strict=True))
_CYRILLIC_LABEL = re.compile(r"^(\s*[*(\[]?)([А-яЅІЈії])(?=\s?[).:\]])")

_BOX = re.compile(r"(?P<before>\s*(?:[-+*•]\s+)?)(?P<box>\[(?P<tick>[ xX✓✔*]?)\])\s+(?=\S)")
_ALWAYS_FEEDBACK = re.compile(r"[@~]\s+\S")
_FEEDBACK = re.compile(r"(?:\.{3}|[+@~!-])\s+\S")
_STARRED = re.compile(r"\s*(?:\*[A-Za-z][.)]|\[\*\])\s*\S")
_QUESTION = re.compile(r"\s*(\d{1,4})[.)]\s")
# The number of a question at the right of another, behind a gap or by itself.
_RIGHT_QUESTION = re.compile(r"(?<=\s\s\s)\d{1,3}[.)]\s+(?=[^\W\d_])")


def unfold_pages(lines: Lines) -> list[tuple[int, str]]:
    """The lines of a text whose questions are in two columns of a page, one question below the
    other: those of the left column come before those of the right one, or, where the numbers go
    from left to right, in their order.

    Changed only if the questions of both columns, put in one order, are numbered without a gap and
    no line runs across below the first. Lines above the first question and below the last stay.
    """
    texts = [line.expandtabs() for _, line in lines]
    starts = Counter(match.start() for line in texts if (match := _RIGHT_QUESTION.search(line)))
    if not starts:
        return list(lines)
    edge = max(starts, key=lambda start: (starts[start], -start))
    numbered = [
        row
        for row, line in enumerate(texts)
        if _QUESTION.match(line) or _QUESTION.match(line[edge:])
    ]
    first, last = numbered[0], len(texts)
    for row in range(first, len(texts)):
        if texts[row][edge - 2 : edge].strip():
            last = row
            break
    if numbered[-1] >= last:
        return list(lines)
    columns = [
        [(number, line[side].rstrip()) for (number, _), line in zip(lines, texts, strict=True)]
        for side in (slice(None, edge), slice(edge, None))
    ]
    questions: list[tuple[int, list[tuple[int, str]]]] = []  # number of a question, and its lines
    for column in columns:
        before = len(questions)
        for number, line in column[first:last]:
            if match := _QUESTION.match(line):
                questions.append((int(match[1]), []))
            elif len(questions) == before:
                if line.strip():  # above the first number of its column: nobody knows whose
                    return list(lines)
                continue
            questions[-1][1].append((number, line))
    questions.sort(key=lambda question: question[0])
    numbers = [number for number, _ in questions]
    if numbers != [*range(numbers[0], numbers[0] + len(numbers))]:
        return list(lines)
    inside = [line for _, question in questions for line in question]
    return [*lines[:first], *inside, *lines[last:]]


def unfold_columns(lines: Lines) -> list[tuple[int, str]]:
    """The lines with choices that are set in columns one below the other: `a. x c. z` above `b. y
    d. w` becomes four lines a to d, each with the number of its line. Only rows whose labels count
    down the columns are changed."""
    unfolded: list[tuple[int, str]] = []
    start = 0
    while start < len(lines):
        rows = [_cells(lines[start][1])]
        is_columns = len(rows[0]) > 1 and rows[0][0][0] == 1 and rows[0][1][0] > 2
        end = start + 1
        while is_columns and end < len(lines):
            cells = _cells(lines[end][1])
            if not cells or cells[0][0] != len(rows) + 1:
                break
            rows.append(cells)
            end += 1
        columns = [
            (lines[start + row][0], *cells[column])
            for column in range(len(rows[0]))
            for row, cells in enumerate(rows)
            if column < len(cells)
        ]
        if is_columns and [value for _, value, _ in columns] == [*range(1, len(columns) + 1)]:
            unfolded += [(number, text) for number, _, text in columns]
            start = end
        else:
            unfolded.append(lines[start])
            start += 1
    return unfolded


def _cells(line: str) -> list[tuple[int, str]]:
    """The cells of a row of choices: the position of each one's label in its series, from 1, and
    its text from the label on; [] if the line does not begin with a label, or if its labels are not
    all of one series."""
    narrow = half_width(line)
    matches = list(_CELL.finditer(narrow))
    if not matches or matches[0].start():
        return []
    positions = [_position(match["label"]) for match in matches]
    if len({series for series, _ in positions}) > 1:
        return []
    begins = [
        match.start("label") - (narrow[match.start("label") - 1 : match.start("label")] == "*")
        for match in matches
    ]
    texts = [line[begin:end].rstrip() for begin, end in pairwise([*begins, len(line)])]
    return [(value, text) for (_, value), text in zip(positions, texts, strict=True)]


def _position(label: str) -> tuple[int, int]:
    """The index of the series that a label is of, −1 for digits, and its position in it, from 1."""
    plain = label.strip("().:")
    if plain.isdecimal():
        return -1, int(plain)
    every = (*SERIES, *SYMBOLS)
    series = next(position for position, labels in enumerate(every) if plain in labels)
    return series, every[series].index(plain) + 1


def with_latin_labels(lines: Lines) -> list[tuple[int, str]]:
    """The lines with Cyrillic letters that look like Latin ones replaced where they are labels; not
    in a text whose lines also begin with labels that look like no Latin letter (Б, Г)."""
    labels = {match[2] for _, line in lines if (match := _CYRILLIC_LABEL.match(line))}
    if not labels or not labels <= _LOOK_ALIKE.keys():
        return list(lines)
    return [
        (number, _CYRILLIC_LABEL.sub(lambda match: match[1] + _LOOK_ALIKE[match[2]], line))
        for number, line in lines
    ]


def without_feedback(lines: Lines) -> tuple[list[tuple[int, str]], list[Remark]]:
    """The lines without those of feedback, which are below the first question, with a note that
    counts them. Those of text2qti begin with `...`, `+`, `-` or `!`, those of ExamSoft and
    Respondus with `@` or `~`; indented lines below go on with them. Of texts without starred
    choices (`*b)`) only the latter are feedback."""
    sign = _FEEDBACK if any(_STARRED.match(line) for _, line in lines) else _ALWAYS_FEEDBACK
    remaining: list[tuple[int, str]] = []
    left_out: list[tuple[int, str]] = []
    is_feedback = has_question = False
    for number, line in lines:
        has_question = has_question or _QUESTION.match(line) is not None
        goes_on = is_feedback and line[:2].isspace() and line.strip() and not _cells(line)
        is_feedback = has_question and bool(sign.match(line) or goes_on)
        is_feedback = is_feedback and not _BOX.match(line)
        (left_out if is_feedback else remaining).append((number, line))
    return remaining, counted_lines(left_out, "feedback")


def counted_lines(lines: Lines, what: str) -> list[Remark]:
    """A note that counts lines that are left out, with 60 characters of the first of them; none for
    no lines."""
    if not lines:
        return []
    (first, line), count = lines[0], len(lines)
    lines_of = "a line" if count == 1 else f"{count} lines"
    return [Remark(first, f"{lines_of} of {what} left out: {' '.join(line.split())[:60]!r}")]
