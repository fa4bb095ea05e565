"""Question numbers and choice labels in the lines of a numbered text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence, Set
from itertools import pairwise
from typing import NamedTuple

from answerer.formats.question_file.parts import EM_SPACE, SERIES, SYMBOLS, Lines, half_width

# The style of a question's number that a word announces: Q1, Question 1, 問1, 第1問.
WORD = "Q"


class LineMark(NamedTuple):
    """A question number or choice label of a line. `style` is its kind: `A` (A. or A), which people
    mix), `(A)`, `1`, `(1)`, `1 ` (no sign after it), `①`, or `WORD`. `value` is its position in its
    series, from 1 (0: no number). The label begins at character `start`, 0 for one with which the
    line begins, the text after it at `end`. `begins_list`: a list of choices begins with it;
    `has_list`: a list begins between it and the next of its style, as after a question's number."""

    style: str
    value: int
    label: str
    start: int
    end: int
    begins_list: bool = False
    has_list: bool = False

    @property
    def is_digit(self) -> bool:
        """Whether the label is a number, plain or circled."""
        return "1" in self.style or self.style == "①"


KANA = SERIES[2]
LETTERS = "".join(SERIES[2:])
SIGNS = "".join(SYMBOLS)
_LABEL = rf"[A-Za-z{LETTERS}]|\d{{1,4}}(?:[.-]\d{{1,3}}){{0,2}}"
MARK = re.compile(
    rf"[(\[<]\s?(?P<bracketed>{_LABEL})\s?[)\]>](?:\s?[.:])?"
    rf"|(?P<delimited>{_LABEL})(?:[)\]]\.?|\s?[.:]\)?(?!\d)(?![A-Za-z]\.)|、|\s[-–—](?=\s)"
    rf"|(?<=[A-Za-z])[/-](?=\s)|(?<=\d)/(?=\s*$|\s+[^\s\d])"
    rf"|(?<=\d)-(?=\s+[^\W\d]|(?![a-z])[^\W\d_]{{2}}))"
    rf"|(?P<spaced>[{KANA}]|\d{{1,2}}|[A-Za-z](?=\s\s|[\t\u2003]))\s+(?=\S)"
    rf"|(?P<symbol>[{SIGNS}])\s?[.:、)]?"
)
# A label inside a line follows a blank, but for symbols, brackets in Japanese, and capitals that
# copying has put right behind a word.
_INSIDE = re.compile(
    rf"(?:(?<!\S)|(?=[{SIGNS}])|(?<=[^\x00-\x7f])(?=\()|(?<=[a-z])(?=[B-Z][.)]\s))"
    rf"(?:{MARK.pattern})"
)
_WORDS = (
    r"question|problem|item|exercise|no(?=\.)|q|設問|小問|問題|問|题|第"
    r"|frage|aufgabe|pregunta|questão|domanda|pytanie|vraag|вопрос|задание|soru|문제|문항"
)
_NUMBERED = re.compile(
    rf"[\[(<]?\s*(?:[A-Z]{{1,4}}_)?(?:{_WORDS})\s?\.?\s?(?:n[°ºo]\.?\s?)?"
    rf"(?P<number>\d{{1,4}}(?:[.-]\d{{1,3}}){{0,2}})"
    rf"(?![\d%])\s?[問题題]?\s*[.):、\]>]*(?:\s[-–—](?=\s))?",
    re.IGNORECASE,
)
# What comes before a label or number and says nothing: bullets, emphasis, boxes to tick, places for
# an answer, bubbles to fill in.
_BEFORE = re.compile(
    r"\s*(?:[#>+•●・○□✓✔√☑*-]\s*|\[[\sxX✓✔*]?\]\s*|_{2,}\s*(?=\d)|\(\s*\)\s*(?=\d))*"
    r"(?:(?:[0Oo]\s){2,}+(?=\d))?"
)
_IDEOGRAPHS = "一二三四五六七八九十"
# Questions numbered in ideographs: 問一, 第一問; 一、 with choices below.
_AFTER_WORD = re.compile(
    rf"(?:^|(?<=\s))(?P<before>[\s(\[]*+(?:問題?|設問|小問)\s?|第\s?(?=[{_IDEOGRAPHS}]{{1,3}}\s?[問題]))"
    rf"(?P<number>[{_IDEOGRAPHS}]{{1,3}})(?=\W|[問題{KANA}]|$)"
)
_BEFORE_COMMA = re.compile(rf"(?:^|(?<=\s))(?P<before>)(?P<number>[{_IDEOGRAPHS}]{{1,3}})(?=、)")
_JOINS = re.compile(r"\W*(?:and|or|と|や|または)?\W*", re.IGNORECASE)


def mark_of(match: re.Match[str]) -> LineMark:
    """The question number or choice label that `MARK` or `_INSIDE` found in a line in half width:
    its style (one "1." a part of a number, else the first label of its series; in brackets if the
    label is), its value, its text and its bounds."""
    kind = match.lastgroup or ""
    label = match[kind]
    if label[0].isdecimal() and kind != "symbol":
        parts = re.split("[.-]", label)
        style = f"{'1.' * (len(parts) - 1)}1{' ' if kind == 'spaced' else ''}"
        value = int(parts[-1])
    else:
        every = SYMBOLS if kind == "symbol" else SERIES
        series = next(series for series in every if label in series)
        style, value = series[0], series.index(label) + 1
    style = f"({style})" if kind == "bracketed" else style
    return LineMark(style, value, label, match.start(), match.end())


def first_mark(line: str) -> LineMark | None:
    """The question number or choice label with which a line in half width begins, after bullets and
    emphasis; None without one."""
    before = _BEFORE.match(line)
    begin = before.end() if before else 0
    if match := _NUMBERED.match(line, begin):
        number = match["number"]
        return LineMark(WORD, int(re.split("[.-]", number)[-1]), number, 0, match.end())
    label = MARK.match(line, begin)
    return mark_of(label)._replace(start=0) if label else None


def with_arabic_numbers(lines: Lines) -> list[tuple[int, str]]:
    """The lines with digits for the ideographs that number questions, where a line begins with
    them and in rows of several (a key). Those behind a word (問一, 第一問) if they are two and no
    other number has such a word; those before a comma (一、) if two have choices below them, and no
    line begins with another number than a circled one. Other lines are unchanged."""
    narrows = [half_width(line) for _, line in lines]
    if sum(len(_AFTER_WORD.findall(narrow)) for narrow in narrows) > 1:
        pattern, others = _AFTER_WORD, {WORD}
    elif sum(_BEFORE_COMMA.match(narrow) is not None for narrow in narrows) > 1:
        pattern, others = _BEFORE_COMMA, {WORD, "1", "(1)", "1 "}
    else:
        return list(lines)
    marks = [first_mark(narrow) for narrow in narrows]
    following = [*marks[1:], None]
    have_lists = [
        pattern.match(narrow) and after and after.value == 1
        for narrow, after in zip(narrows, following, strict=True)
    ]
    if others & {mark.style for mark in marks if mark}:
        return list(lines)
    if pattern is _BEFORE_COMMA and sum(map(bool, have_lists)) < 2:
        return list(lines)
    changed: list[tuple[int, str]] = []
    for (number, line), narrow in zip(lines, narrows, strict=True):
        matches = list(pattern.finditer(narrow))
        is_row = len(matches) > 1
        for match in reversed(matches if is_row or pattern.match(narrow) else []):
            if is_row or not match.start():
                start, end = match.span("number")
                line = f"{line[:start]}{_value_of_ideographs(match['number'])}{line[end:]}"
        changed.append((number, line))
    return changed


def _value_of_ideographs(number: str) -> int:
    """The value of a number below 100 in ideographs: 12 for 十二; digits alone are in tens and
    ones."""
    tens, ten, ones = number.rpartition("十")
    value = 0
    for digit in ones:
        value = 10 * value + _IDEOGRAPHS.index(digit) + 1
    return value + (10 * (_IDEOGRAPHS.index(tens[-1]) + 1 if tens else 1) if ten else 0)


def marks_inside(line: str, begin: int = 0) -> list[LineMark]:
    """What may be numbers and labels in a line in half width from character `begin` on, in order of
    position."""
    return list(map(mark_of, _INSIDE.finditer(line, begin)))


def _rows_inside(line: str, first: LineMark | None) -> list[list[LineMark]]:
    """Sequences of at least two labels inside a line (`A) x B) y`), each counting up from its label
    `first` or, unless that is a choice's letter, from 1; none inside another, none that look like
    initials (two with full stops) or that words such as "and" connect."""
    begin = first.end if first else 0
    rows = {first.style: [first]} if first and first.style != WORD else {}
    on_choice = first is not None and first.style != WORD and not first.is_digit
    for mark in marks_inside(line, begin):
        before = line[max(mark.start - 2, 0) : mark.start]
        # A digit without a sign after it is a label only behind a wide blank.
        if mark.style.endswith("1 ") and before.strip() and not before.endswith(EM_SPACE):
            continue
        row = rows.get(mark.style)
        if (
            row
            and mark.value == row[-1].value + 1
            and {line[row[-1].end - 1], line[mark.end - 1]} != {")", "."}
        ):
            row.append(mark)
        elif mark.value == 1 and not on_choice and not row:
            rows[mark.style] = [mark]
    sequences, done = [], begin
    for row in sorted(rows.values(), key=lambda row: row[0].start):
        texts = [line[mark.end : other.start] for mark, other in pairwise(row)]
        texts.append(line[row[-1].end :])
        is_first = row[0] is first
        # initials: `A. Lincoln and B. Franklin`
        is_initial = line[row[0].end - 1] == "." and not row[0].label.islower()
        least = 3 if is_initial and not is_first else 2
        # not the labels that the choices of another row consist of
        is_apart = is_first or row[0].start >= done
        is_joined = any(text and _JOINS.fullmatch(text) for text in texts)
        if is_apart and len(row) >= least and not is_joined:
            done = row[-1].end
            sequences.append(row)
    return sequences


def marks_of(lines: Sequence[str], answers: Set[int] = frozenset()) -> list[list[LineMark]]:
    """The question numbers and choice labels of each line, in order of position; the result is
    parallel to `lines`: that with which a line begins, and sequences inside it (`_rows_inside`),
    but no initials of a line that counts on from the one above (`C. John D. Rockefeller`), and none
    that a label which begins a line below repeats (`A. see B. Franklin` above `B. other`).
    `answers` are the indexes of lines that held an answer: no list goes on behind one."""
    narrow = list(map(half_width, lines))
    firsts = [first_mark(line) for line in narrow]
    # Of each style, the values of the labels that begin lines, above and below the current one.
    above: dict[str, list[int]] = defaultdict(list)
    below: dict[str, list[int]] = defaultdict(list)
    for mark in filter(None, firsts):
        above[mark.style].append(mark.value)
    # The next label of a style: its position, from the end, its value, the answers below it.
    following: dict[str, tuple[int, int, int]] = {}
    position = next_list = answers_below = 0
    marks: list[list[LineMark]] = []
    for index in range(len(lines) - 1, -1, -1):
        line, first = narrow[index], firsts[index]
        answers_below += index in answers
        line_marks = [first] if first else []
        if first:
            above[first.style].pop()
        for row in _rows_inside(line, first):
            values = below[row[0].style][-2:]
            inside = [mark for mark in row if mark is not first]
            # A label that the next lines count on from is one; otherwise that inside the line is
            # not one.
            if values[:-1] != [1] and {*values[-1:]} & {mark.value for mark in inside}:
                continue
            if row[0] is first and above[first.style][-1:] == [first.value - 1]:
                # One choice a line: `C. John D. Rockefeller`.
                inside = [
                    mark
                    for mark in inside
                    if line[mark.end - 1] != "." or not line[mark.start - 2].strip()
                ]
            line_marks += inside
        if first:
            below[first.style].append(first.value)
        # A list begins with a label 1 if the next label of its style is 2 and no other list begins
        # between the two; so question numbers do not form a list.
        row = []
        for mark in sorted(line_marks, key=lambda mark: -mark.start):
            position += 1
            after, value, answers_after = following.get(mark.style, (0, 0, 0))
            following[mark.style] = position, mark.value, answers_below
            begins_list = (
                mark.style != WORD
                and (mark.value, value) == (1, 2)
                and after > next_list
                and answers_after == answers_below
            )
            has_list = next_list > 0 and next_list >= after
            row.append(mark._replace(begins_list=begins_list, has_list=has_list))
            next_list = position if begins_list else next_list
        marks.append(row[::-1])
    return marks[::-1]
