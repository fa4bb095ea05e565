"""The lines of a numbered text in reading order: columns of choices unfolded, labels that look like
Latin letters replaced."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from answerer.formats.question_file.lines import Line, LineMark, Lines
from answerer.formats.question_file.marks import marks_inside
from answerer.formats.question_file.parts import EM_SPACE, MOST

# The blank before a label that parts columns of choices.
GAP = re.compile(rf"(?:\s\s|[\t{EM_SPACE}])$")

_LOOK_ALIKE = dict(zip("АВЕЅІЈКМНОРСТХаеіосрх", "ABESIJKMHOPCTXaeiocpx", strict=True))
_CYRILLIC_LABEL = re.compile(r"^(\s*[*(\[]?)([А-яЅІЈії])(?=\s?[).:\]])")
_CYRILLIC_INSIDE = re.compile(r"(\s[(\[]?)([А-яЅІЈії])(?=\s?[)\]])")
_CYRILLIC_ROW = re.compile(r"\s*[Аа]\.\s*\S.*\s[Бб]\.\s")

_QUESTION = re.compile(r"\s*(\d{1,4})[.)]\s")
# The number of a question at the right of another, behind a gap or by itself.
_RIGHT_QUESTION = re.compile(r"(?<=\s\s\s)\d{1,3}[.)]\s+(?=[^\W\d_])")


def unfold_pages(lines: Lines) -> Lines:
    """The lines of a text whose questions are in two columns of a page, one question below the
    other: those of the left column come before those of the right one, or, where the numbers go
    from left to right, in their order.

    Changed only if the questions of both columns, put in one order, are numbered without a gap and
    no line runs across below the first. Lines above the first question and below the last stay.
    """
    texts = [line.text.expandtabs() for line in lines]
    starts = Counter(match.start() for text in texts if (match := _RIGHT_QUESTION.search(text)))
    if not starts:
        return lines
    edge = max(starts, key=lambda start: (starts[start], -start))
    numbered = [
        row
        for row, text in enumerate(texts)
        if _QUESTION.match(text) or _QUESTION.match(text[edge:])
    ]
    first = last = numbered[0]
    while last < len(texts) and not texts[last][edge - 2 : edge].strip():
        last += 1
    if numbered[-1] >= last:
        return lines
    questions: list[tuple[int, list[Line]]] = []  # number of a question, and its lines
    for side in (slice(None, edge), slice(edge, None)):
        before = len(questions)
        for row in range(first, last):
            text = texts[row][side].rstrip()
            if match := _QUESTION.match(text):
                questions.append((int(match[1]), []))
            if len(questions) > before:
                questions[-1][1].append(Line(lines[row].number, text))
            elif text:  # above the first number of its column: nobody knows whose
                return lines
    questions.sort(key=lambda question: question[0])
    numbers = [number for number, _ in questions]
    if numbers != [*range(numbers[0], numbers[0] + len(numbers))]:
        return lines
    return [
        *lines[:first],
        *(line for _, question in questions for line in question),
        *lines[last:],
    ]


def next_lines(lines: Lines) -> list[Line]:
    """For each line the next one that is not blank, a blank one behind the last."""
    following = [Line(0, "")]
    for line in reversed(lines[1:]):
        following.append(following[-1] if line.is_blank else line)
    return following[::-1]


# Choices in brackets behind a question: `(a. Jin, b. Song)`.
_IN_BRACKETS = re.compile(
    r"[(\[](?P<choices>\s*+(?:[Aa]|ア|①)(?:\s?[.:)、]|(?<=①))[^()\[\]]{3,300})[)\]]"
)


def choices_out_of_brackets(lines: Lines) -> list[Line]:
    """The lines, choices in brackets on the line of a question's number moved to lines of their own
    below it, unless a list of choices follows."""
    apart: list[Line] = []
    for line, following in zip(lines, next_lines(lines), strict=True):
        match = _IN_BRACKETS.search(line.narrow) if line.is_numbered else None
        marks = marks_inside(match["choices"]) if match else []
        marks = [mark for mark in marks if mark.style == marks[0].style]
        is_list = [mark.value for mark in marks] == [*range(1, len(marks) + 1)]
        is_above_list = following.mark is not None and not following.is_numbered
        if match is None or len(marks) < 2 or not is_list or is_above_list:
            apart.append(line)
            continue
        begin, end = match.span("choices")
        apart.append(line.with_text(f"{line.text[: begin - 1].rstrip()} {line.text[end + 1 :]}"))
        starts = [*(begin + mark.start for mark in marks), end]
        apart += [
            line.with_text(line.text[start:stop].rstrip(" ,;/、，\u3000"))
            for start, stop in pairwise(starts)
        ]
    return apart


def numbers_apart(lines: Lines) -> list[Line]:
    """The lines with the next question's number, where it is behind a choice in a line and the next
    line begins a list of choices, at the beginning of a separate line of the same number."""
    apart: list[Line] = []
    counted = 0
    for line, following in zip(lines, next_lines(lines), strict=True):
        mark, below = line.mark, following.mark
        if mark and mark.is_digit:
            counted = mark.value
        elif mark and below and not below.is_digit and below.value == 1:
            number = rf"(?<=\S)\s+(?={counted + 1}[.)]\s+[^\W\d_])"
            if parted := re.search(number, line.text):
                apart.append(line.with_text(line.text[: parted.start()]))
                line = line.with_text(line.text[parted.end() :])
                counted += 1
        apart.append(line)
    return apart


def unfold_columns(lines: Lines) -> list[Line]:
    """The lines with choices that are set in columns one below the other: `a. x c. z` above `b. y
    d. w` becomes four lines a to d, each with the number of its line. Only labels that count down
    columns and make a complete list are put in order; blank lines between them are left out."""
    unfolded: list[Line] = []
    row = 0
    while row < len(lines):
        end, choices = _columns(lines, row, needs_gap=True)
        if not end:
            end, choices = _columns(lines, row, needs_gap=False)
        unfolded += choices if end else [lines[row]]
        row = end or row + 1
    return unfolded


def _columns(lines: Lines, start: int, *, needs_gap: bool) -> tuple[int, list[Line]]:
    """The row behind the choices in columns that begin in row `start`, and these in the order of
    their labels; (0, []) where the labels are not such. With `needs_gap` a wide blank parts
    them; without, two labels at least are inside of lines."""
    rows: list[tuple[Line, list[LineMark]]] = []  # lines that begin with a label, and their labels
    end = start
    for row in range(start, len(lines)):
        line = lines[row]
        marks = _row_marks(line, needs_gap)
        if (
            marks
            and (not rows or marks[0].style == rows[0][1][0].style)
            and (marks[0].value > 1) == bool(rows)
        ):
            seen = {mark.value for _, others in rows for mark in others}
            if marks[0].value in seen and marks[0].is_digit:
                break  # the number of the next question
            rows.append((line, marks))
        elif rows and not marks and not rows[-1][0].text[rows[-1][1][-1].end :].strip():
            last, marks = rows[-1]
            rows[-1] = last.with_text(f"{last.text} {line.text.strip()}"), marks
        elif not line.is_blank or not rows:
            break
        if len(rows) == 2 and len(rows[0][1]) == 1 and rows[1][1][0].value == 2:
            break
        end = end if line.is_blank else row + 1
    if len(rows) < 2:
        return 0, []
    for depth in range(2, MOST):
        choices = [choice for row_of in rows for choice in _choices_of(*row_of, depth)]
        values = [value for value, _ in choices]
        in_rows = [
            value for row in range(depth) for value in range(row + 1, len(values) + 1, depth)
        ]
        # One label behind a single blank may be an initial: `A. John C. Calhoun`.
        if values == in_rows and len(values) > depth + (not needs_gap):
            return end, [line for _, line in sorted(choices, key=lambda choice: choice[0])]
    return 0, []


def _row_marks(line: Line, needs_gap: bool) -> list[LineMark]:
    """The labels of the style of that with which a line begins; [] for another line. With
    `needs_gap` only those behind a wide blank."""
    marks = marks_inside(line.narrow)
    if not marks or line.text[: marks[0].start].strip():
        return []
    return [
        mark
        for mark in marks
        if mark.style == marks[0].style
        and not (
            needs_gap and mark is not marks[0] and not GAP.search(line.narrow[: mark.start][-2:])
        )
    ]


def _choices_of(line: Line, labels: list[LineMark], depth: int) -> list[tuple[int, Line]]:
    """The choices of a row of columns of that depth: the value of the label, and a line from the
    label on; [] if one has two labels of a value. Other labels are text."""
    marks = labels[:1]
    for mark in labels[1:]:
        if mark.value == marks[-1].value + depth:
            marks.append(mark)
        elif mark.value in [other.value for other in marks]:
            return []
    starts = [*(mark.start for mark in marks), len(line.text)]
    return [
        (mark.value, line.with_text(line.text[begin:end].rstrip()))
        for mark, (begin, end) in zip(marks, pairwise(starts), strict=True)
    ]


def with_latin_labels(lines: Lines) -> Lines:
    """The lines with Cyrillic letters that look like Latin ones replaced where they are labels, at
    the beginning of a line or, with a bracket, behind such a label; not in a text that also has
    labels that look like no Latin letter (Б, Г)."""
    rows = [line for line in lines if line.mark and not line.mark.is_numeral]
    labels = {match[2] for line in lines if (match := _CYRILLIC_LABEL.match(line.text))}
    labels |= {match[2] for line in rows for match in _CYRILLIC_INSIDE.finditer(line.text)}
    is_cyrillic = any(_CYRILLIC_ROW.match(line.text) for line in rows)
    if is_cyrillic or not labels or not labels <= _LOOK_ALIKE.keys():
        return lines

    def latin(match: re.Match[str]) -> str:
        return match[1] + _LOOK_ALIKE[match[2]]

    changed = {line: _CYRILLIC_INSIDE.sub(latin, line.text) for line in rows}
    return [
        line.with_text(_CYRILLIC_LABEL.sub(latin, changed.get(line, line.text))) for line in lines
    ]
