"""Numbers of questions and labels of choices in numbered text, and where a list of choices begins."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from answerer.formats.question_file.parts import EM_SPACE, SERIES, SYMBOLS, half_width

WORD = "Q"
"""The style of a question's number that a word announces: Q1, Question 1, 問1, 第1問."""


class Mark(NamedTuple):
    """A number or label at the beginning of a line, or inside it.

    `style` tells kinds of label apart: `A` (A. or A), which people mix), `(A)`, `1` (1. or 1)), `(1)`, `1 ` (no sign
    after it), `①`. `value` counts from 1 (0: no number). The label begins at `start` of the line, its text at `end`;
    `inside` is true if other text stands before it.
    """

    line: int
    style: str
    value: int
    label: str
    start: int
    end: int
    starred: bool = False
    inside: bool = False

    @property
    def is_number(self) -> bool:
        return "1" in self.style or self.style in "①⑴❶"


_KANA = "".join(SERIES[2:])
_LABEL = rf"[A-Za-z{_KANA}]|\d{{1,4}}(?:[.-]\d{{1,3}}){{0,2}}"
_MARK = re.compile(
    rf"[(\[<]\s?(?P<bracketed>{_LABEL})\s?[)\]>](?:\s?[.:])?"
    rf"|(?P<delimited>{_LABEL})(?:[)\]]\.?|\s?[.:]\)?(?!\d)(?![A-Za-z]\.)|、|\s[-–—](?=\s))"
    rf"|(?P<spaced>[{_KANA}]|\d{{1,2}}|[A-Za-z](?=\s\s|[\t\u2003]))\s+(?=\S)"
    rf"|(?P<symbol>[{''.join(SYMBOLS)}])\s?[.:、)]?"
)
_WORDS = r"question|problem|item|no(?=\.)|q|問題|設問|質問|問|问题|题目|问|题"
_NUMBERED = re.compile(
    rf"[\[(<]?\s*(?:(?:{_WORDS})\s?[.#]?\s?[(\[]?\s?(?P<number>\d{{1,4}}(?:[.-]\d{{1,3}})?)(?![\d%])"
    r"|第\s?(?P<ordinal>\d{1,4})\s?[問问題题])"
    r"(?:\s*of\s+\d+|\s*/\s*\d+)?\s*[.):、\]>]*"
    r"(?:\s*[(\[]\s*\d+(?:\.\d+)?\s*(?:points?|pts?|marks?|点|分)\s*[)\]])?(?:\s*[-–—](?=\s))?"
    rf"|(?:{_WORDS})\s?:",
    re.IGNORECASE,
)
_DECORATION = re.compile(r"(?:#{1,6}\s+|>\s+|[-+•·●・○□☐◯▪]\s+|\*\s+|\[\s\]\s+)*")
_EMPHASIS = re.compile(r"(?P<star>\*\*?|__|✓|✔|√|☑|\[[xX✓]\])?\s*")
_CONNECTIVES: tuple[list[str], ...] = ([], ["and"], ["or"], ["only"], ["と"], ["や"], ["及び"], ["または"])


def mark_at(line: str, number: int, start: int = 0) -> Mark | None:
    """The mark that begins at a character of a line (given in half width); None if there is none."""
    found = _MARK.match(line, start)
    if found is None:
        return None
    kind = found.lastgroup or ""
    label = found[kind]
    open_, close = ("(", ")") if kind == "bracketed" else ("", "")
    if kind == "symbol":
        series = next(series for series in SYMBOLS if label in series)
        return Mark(number, series[0], series.index(label) + 1, label, start, found.end())
    if label[0].isdecimal():
        if kind == "spaced" and not line[found.end() :].strip():
            return None
        parts = re.split("[.-]", label)
        style = f"{open_}{'1.' * (len(parts) - 1)}1{' ' if kind == 'spaced' else ''}{close}"
        return Mark(number, style, int(parts[-1]), label, start, found.end())
    series = next(series for series in SERIES if label in series)
    return Mark(number, f"{open_}{series[0]}{close}", series.index(label) + 1, label, start, found.end())


def _first_mark(line: str, number: int) -> Mark | None:
    """The mark with which a line begins, after bullets and emphasis; an emphasised or ticked one is `starred`."""
    start = _DECORATION.match(line.lstrip(), 0)
    begin = len(line) - len(line.lstrip()) + (start.end() if start else 0)
    starred = _EMPHASIS.match(line, begin)
    after = starred.end() if starred else begin
    if found := _NUMBERED.match(line, after):
        label = found["number"] or found["ordinal"] or ""
        value = int(re.split("[.-]", label)[-1]) if label else 0
        return Mark(number, WORD, value, label, begin, found.end())
    mark = mark_at(line, number, after)
    if mark is None:
        return None
    star = bool(starred and starred["star"]) or line[begin - 2 : begin] == "* "
    return mark._replace(start=begin, starred=star)


def _inside(line: str, number: int, first: Mark | None) -> Iterator[list[Mark]]:
    """The rows of labels inside a line that count on, from 1 or from the first mark: `A) x  B) y`."""
    begin = first.end if first else 0
    rows: dict[str, list[Mark]] = {first.style: [first]} if first and first.style != WORD else {}
    on_choice = first is not None and first.style != WORD and not first.is_number
    for place in range(begin, len(line)):
        before = line[place - 1 : place]
        glued = before.strip() and line[place] not in _SYMBOLS and (line[place] != "(" or before.isascii())
        if glued or not line[place].strip():
            continue
        mark = mark_at(line, number, place)
        mark = mark and mark._replace(inside=True)
        close = line[place - 2 : place].strip() and before != EM_SPACE
        if mark is None or (mark.style.endswith("1 ") and close):
            continue
        row = rows.get(mark.style)
        if row and mark.value == row[-1].value + 1 and {line[row[-1].end - 1], line[mark.end - 1]} != {")", "."}:
            row.append(mark)
        elif mark.value == 1 and not on_choice and mark.style not in rows:
            rows[mark.style] = [mark]
    done = begin
    for row in sorted(rows.values(), key=lambda row: row[0].start):
        texts = [line[one.end : other.start] for one, other in pairwise(row)] + [line[row[-1].end :]]
        bare = row[0] is not first and line[row[0].end - 1] == "."  # initials: `A. Lincoln and B. Franklin`
        apart = row[0] is first or row[0].start >= done  # not the labels that the choices of another row consist of
        words = [re.findall(r"\w+", text.lower()) for text in texts]
        if apart and len(row) > (2 if bare else 1) and not any(each in _CONNECTIVES for each in words):
            done = row[-1].end
            yield row


_SYMBOLS = frozenset("".join(SYMBOLS))


def marks_of(lines: Sequence[tuple[int, str]]) -> list[list[Mark]]:
    """The marks of each line (its place in the list is `Mark.line`), in order.

    Labels inside a line count unless the lines below have them at their beginnings: the number of a question, which
    a list follows, is no such label.
    """
    narrow = [half_width(text) for _, text in lines]
    firsts = [_first_mark(line, place) for place, line in enumerate(narrow)]
    following: dict[str, tuple[int, int]] = {}  # of each style, the values of the next two lines that have one
    found: list[list[Mark]] = [[] for _ in lines]
    for place in range(len(lines) - 1, -1, -1):
        first = firsts[place]
        own = [first] if first else []
        for row in _inside(narrow[place], place, first):
            value, after = following.get(row[0].style, (0, 0))
            if after == 1 or value not in [mark.value for mark in row if mark.value > 1 and mark is not first]:
                own += [mark for mark in row if mark is not first]
        found[place] = sorted(own, key=lambda mark: mark.start)
        if first:
            following[first.style] = (first.value, following.get(first.style, (0, 0))[0])
    for place, own in enumerate(found):
        before = next((one for one in reversed(found[max(place - _NEAR, 0) : place]) if one), [])
        if len(own) > 1 and own[0].value > 1 and own[0] is firsts[place] and not any(one.inside for one in before):
            found[place] = [one for one in own if not (one.inside and _is_initial(narrow[place], one))]
    return found


_NEAR = 3  # lines above, among which a list goes on


def _is_initial(line: str, mark: Mark) -> bool:
    """Whether a label inside a line looks like an initial: a capital, a full stop, and single blanks around."""
    return mark.style == "A" and line[mark.end - 1] == "." and bool(line[mark.start - 2 : mark.start].strip())


def unfolded(lines: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """The lines with choices that stand in two columns (`a. one    c. three` above `b. two    d. four`) one below
    another; each keeps its number."""
    firsts = [_first_mark(half_width(text), place) for place, (_, text) in enumerate(lines)]
    found: list[tuple[int, str]] = []
    place = 0
    while place < len(lines):
        rows: list[tuple[Mark, int]] = []  # the mark at the beginning of each line, and where its second column begins
        while place + len(rows) < len(lines) and (mark := firsts[place + len(rows)]):
            if (
                mark.style == WORD
                or mark.is_number
                or mark.value != len(rows) + 1
                or mark.style != (rows[0][0] if rows else mark).style
            ):
                break
            rows.append((mark, _second_column(half_width(lines[place + len(rows)][1]), mark)))
        count = sum(1 for _, second in rows if second)
        columns = [
            mark_at(half_width(lines[mark.line][1]), mark.line, second) for mark, second in rows[:count] if second
        ]
        values = [mark.value for mark in columns if mark]
        if count and values == list(range(len(rows) + 1, len(rows) + count + 1)):
            left = [(mark, second or len(lines[mark.line][1])) for mark, second in rows]
            found += [(lines[mark.line][0], lines[mark.line][1][:end]) for mark, end in left]
            found += [(lines[mark.line][0], lines[mark.line][1][second:]) for mark, second in rows[:count]]
            place += len(rows)
        else:
            found.append(lines[place])
            place += 1
    return found


_COLUMN = re.compile(r"(?:\s{2,}|[\t\u2003])(?=\S)")


def _second_column(line: str, first: Mark) -> int:
    """Where another label of the style of a line's first one begins after a wide blank; 0 if none does."""
    for gap in _COLUMN.finditer(line, first.end):
        mark = mark_at(line, first.line, gap.end())
        if mark and mark.style == first.style and mark.value > first.value + 1:
            return gap.end()
    return 0


def list_beginnings(marks: Sequence[Mark]) -> list[bool]:
    """Whether each mark begins a list: its value is 1, the next of its style is 2, and no other list begins between.

    So the numbers of questions, each of which has a list of its own, begin none.
    """
    begins = [False] * len(marks)
    next_of: dict[str, int] = {}
    next_list = len(marks)
    for place in range(len(marks) - 1, -1, -1):
        mark = marks[place]
        following = next_of.get(mark.style)
        if mark.style != WORD and mark.value == 1 and following is not None:
            begins[place] = marks[following].value == 2 and next_list > following
        next_of[mark.style] = place
        if begins[place]:
            next_list = place
    return begins


def lists_below(marks: Sequence[Mark], begins: Sequence[bool]) -> list[bool]:
    """Whether a list begins after each mark and not after the next mark of its style: so it does below a question."""
    found = [False] * len(marks)
    next_of: dict[str, int] = {}
    next_list = len(marks)
    for place in range(len(marks) - 1, -1, -1):
        found[place] = next_list < len(marks) and next_list <= next_of.get(marks[place].style, len(marks))
        next_of[marks[place].style] = place
        if begins[place]:
            next_list = place
    return found


def series_of_lists(marks: Sequence[Mark], below: Sequence[bool]) -> list[bool]:
    """Whether each mark is the first of several numbers with a list below each: so questions inside a question have."""
    found = [False] * len(marks)
    next_of: dict[str, int] = {}
    for place in range(len(marks) - 1, -1, -1):
        mark, following = marks[place], next_of.get(marks[place].style)
        next_of[mark.style] = place
        if mark.is_number and mark.value == 1 and below[place] and following is not None:
            found[place] = marks[following].value == 2 and below[following]
    return found


def usual_style(marks: Sequence[Mark], begins: Sequence[bool]) -> str:
    """The style of most lists of a file, of several the one that comes last: choices do; "" if there are no lists."""
    styles = [mark.style for mark, first in zip(marks, begins, strict=True) if first]
    counted, last = Counter(styles), {style: place for place, style in enumerate(styles)}
    return max(counted, key=lambda style: (counted[style], last[style]), default="")
