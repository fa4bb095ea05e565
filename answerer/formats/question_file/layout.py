"""The lines of a numbered text in reading order: columns of choices unfolded, boxes and letters
that look like labels replaced by labels, feedback set apart."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import NamedTuple

from answerer.formats.question_file.marks import MARK, LineMark, first_mark, mark_of
from answerer.formats.question_file.parts import EM_SPACE, MOST, Lines, Remark, half_width

# A label in a row of choices, and the blank before it that parts columns.
_CELL = re.compile(rf"(?<!\S)\*?(?:{MARK.pattern})")
GAP = re.compile(rf"(?:\s\s|[\t{EM_SPACE}])$")

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


def numbers_apart(lines: Lines) -> list[tuple[int, str]]:
    """The lines with the next question's number, where it is behind a choice in a line and the next
    line begins a list of choices, at the beginning of a separate line of the same number."""
    apart: list[tuple[int, str]] = []
    counted = 0
    marks = [first_mark(half_width(line)) for _, line in lines]
    begins_list = False
    below: list[bool] = []  # whether the next line that is not blank begins a list
    for (_, line), mark in zip(reversed(lines), reversed(marks), strict=True):
        below.append(begins_list)
        if line.strip():
            begins_list = mark is not None and not mark.is_digit and mark.value == 1
    for (number, line), mark, has_list in zip(lines, marks, reversed(below), strict=True):
        if mark is not None and mark.is_digit:
            counted = mark.value
        elif mark is not None and has_list:
            following = rf"(?<=\S)\s+(?={counted + 1}[.)]\s+[^\W\d_])"
            if parted := re.search(following, line):
                apart.append((number, line[: parted.start()]))
                line = line[parted.end() :]
                counted += 1
        apart.append((number, line))
    return apart


def unfold_columns(lines: Lines) -> list[tuple[int, str]]:
    """The lines with choices that are set in columns one below the other: `a. x c. z` above `b. y
    d. w` becomes four lines a to d, each with the number of its line. Only labels that count down
    columns and make a complete list are put in order; blank lines between them are left out."""
    unfolded: list[tuple[int, str]] = []
    row = 0
    while row < len(lines):
        end, choices = _columns(lines, row, needs_gap=True)
        if not end:
            end, choices = _columns(lines, row, needs_gap=False)
        unfolded += choices if end else [lines[row]]
        row = end or row + 1
    return unfolded


class _Row(NamedTuple):
    """A line that begins with a choice's label: its number, its text, and its labels of that
    style."""

    number: int
    text: str
    marks: list[LineMark]


def _columns(lines: Lines, start: int, *, needs_gap: bool) -> tuple[int, list[tuple[int, str]]]:
    """The row behind the choices in columns that begin in row `start`, and these in the order of
    their labels; (0, []) where the labels are not such. With `needs_gap` a wide blank parts
    them; without, two labels at least are inside of lines."""
    rows: list[_Row] = []
    end = start
    for row in range(start, len(lines)):
        number, line = lines[row]
        marks = _row_marks(line, needs_gap)
        is_same = not rows or (marks and marks[0].style == rows[0].marks[0].style)
        if marks and is_same and (marks[0].value > 1) == bool(rows):
            seen = {mark.value for other in rows for mark in other.marks}
            if marks[0].value in seen and marks[0].is_digit:
                break  # the number of the next question
            rows.append(_Row(number, line, marks))
        elif rows and not marks and not rows[-1].text[rows[-1].marks[-1].end :].strip():
            rows[-1] = rows[-1]._replace(text=f"{rows[-1].text} {line.strip()}")
        elif line.strip() or not rows:
            break
        if len(rows) == 2 and len(rows[0].marks) == 1 and rows[1].marks[0].value == 2:
            break
        end = row + 1 if line.strip() else end
    if len(rows) < 2:
        return 0, []
    for depth in range(2, MOST):
        choices = [choice for row_of in rows for choice in _choices_of(row_of, depth)]
        values = [value for value, _, _ in choices]
        in_rows = [
            value for row in range(depth) for value in range(row + 1, len(values) + 1, depth)
        ]
        # One label behind a single blank may be an initial: `A. John C. Calhoun`.
        if values == in_rows and len(values) > depth + (not needs_gap):
            return end, [(number, text) for _, number, text in sorted(choices)]
    return 0, []


def _row_marks(line: str, needs_gap: bool) -> list[LineMark]:
    """The labels of the style of that with which a line begins; [] for another line. With
    `needs_gap` only those behind a wide blank."""
    narrow = half_width(line)
    matches = list(_CELL.finditer(narrow))
    if not matches or narrow[: matches[0].start()].strip():
        return []
    first = mark_of(matches[0])
    inside = [
        mark_of(match)
        for match in matches[1:]
        if not needs_gap or GAP.search(narrow, max(match.start() - 2, 0), match.start())
    ]
    return [first, *(mark for mark in inside if mark.style == first.style)]


def _choices_of(row: _Row, depth: int) -> list[tuple[int, int, str]]:
    """The choices of a row of columns of that depth: the value of the label, the line's number,
    the text from the label on; [] if one has two labels of a value. Other labels are text."""
    marks = row.marks[:1]
    for mark in row.marks[1:]:
        if mark.value == marks[-1].value + depth:
            marks.append(mark)
        elif mark.value in [other.value for other in marks]:
            return []
    starts = [*(mark.start for mark in marks), len(row.text)]
    return [
        (mark.value, row.number, row.text[begin:end].rstrip())
        for mark, (begin, end) in zip(marks, pairwise(starts), strict=True)
    ]


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
    Respondus with `@` or `~`; indented lines below without labels go on with them; boxes (`- [ ]
    x`) are none. Of texts without starred choices (`*b)`) only the latter are feedback."""
    sign = _FEEDBACK if any(_STARRED.match(line) for _, line in lines) else _ALWAYS_FEEDBACK
    remaining: list[tuple[int, str]] = []
    left_out: list[tuple[int, str]] = []
    is_feedback = has_question = False
    for number, line in lines:
        has_question = has_question or _QUESTION.match(line) is not None
        goes_on = (
            is_feedback and line[:2].isspace() and line.strip() and not first_mark(half_width(line))
        )
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
