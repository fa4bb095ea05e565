"""Question numbers and choice labels in the lines of a numbered text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Set
from itertools import pairwise

from answerer.formats.question_file.lines import (
    KANA,
    MARK,
    SIGNS,
    WORD,
    Line,
    LineMark,
    Lines,
    mark_of,
)
from answerer.formats.question_file.parts import EM_SPACE

# A label inside a line follows a blank, but for symbols, brackets in Japanese, and capitals that
# copying has put right behind a word.
_INSIDE = re.compile(
    rf"(?:(?<!\S)\*?|(?=[{SIGNS}])|(?<=[^\x00-\x7f])(?=\()|(?<=[a-z])(?=[B-Z][.)]\s))"
    rf"(?:{MARK.pattern})"
)
_IDEOGRAPHS = "一二三四五六七八九十"
# Questions numbered in ideographs: 問一, 第一問; 一、 with choices below.
_AFTER_WORD = re.compile(
    rf"(?:^|(?<=\s))(?P<before>[\s(\[]*+(?:問題?|設問|小問)\s?|第\s?(?=[{_IDEOGRAPHS}]{{1,3}}\s?[問題]))"
    rf"(?P<number>[{_IDEOGRAPHS}]{{1,3}})(?=\W|[問題{KANA}]|$)"
)
_BEFORE_COMMA = re.compile(rf"(?:^|(?<=\s))(?P<before>)(?P<number>[{_IDEOGRAPHS}]{{1,3}})(?=、)")
_ROMAN = "I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX".split()
_BEFORE_STOP = re.compile(r"(?:^\s*+|(?<=\s))(?P<before>)(?P<number>[IVX]{1,5})(?=[.)]\s)")
_SECTION = re.compile(r"(\s*第\s?(?P<number>[\d一二三四五六七八九十]{1,3})\s?)問(?=\W|$)")
_IN_SECTION = re.compile(r"[\s【(\[]*問\s?(?P<number>\d{1,3})")
_JOINS = re.compile(r"\W*(?:and|or|と|や|または)?\W*", re.IGNORECASE)


def with_sections(lines: Lines) -> Lines:
    """The lines with headings of sections (第1部), on lines of their own, for 第1問 where the
    next number is of 問1."""
    sections = [_SECTION.match(line.narrow) for line in lines]
    numbers = [
        match["number"]
        for line, section in zip(lines, sections, strict=True)
        if (match := section or _IN_SECTION.match(line.narrow))
    ]
    if not any(sections) or numbers[:2] not in (["1", "1"], ["一", "1"]):
        return lines
    return [
        line.with_text(text)
        for line, match in zip(lines, sections, strict=True)
        for text in ([f"{match[1]}部", line.text[match.end() :]] if match else [line.text])
    ]


def with_arabic_numbers(lines: Lines) -> Lines:
    """The lines with digits for the ideographs or Roman numerals that number questions, where a
    line begins with them and in rows of several (a key). Those behind a word (問一, 第一問) if they
    are two and no other number has such a word; those before a comma (一、), and Roman ones that
    count up, if two have choices below them, and no line begins with another number than a circled
    one. Other lines are unchanged."""
    others = {WORD, "1", "(1)", "1 "}
    if sum(len(_AFTER_WORD.findall(line.narrow)) for line in lines) > 1:
        pattern, others = _AFTER_WORD, {WORD}
    elif len(_with_lists(lines, _BEFORE_COMMA)) > 1:
        pattern = _BEFORE_COMMA
    elif len(numbers := _with_lists(lines, _BEFORE_STOP)) > 1 and numbers == _ROMAN[: len(numbers)]:
        pattern = _BEFORE_STOP
    else:
        return lines
    if any(line.mark and line.mark.style in others for line in lines):
        return lines
    return [line.with_text(_with_digits(line, pattern)) for line in lines]


def _with_lists(lines: Lines, pattern: re.Pattern[str]) -> list[str]:
    """The numbers that begin a line with a list of choices right below."""
    return [
        match["number"]
        for line, after in pairwise(lines)
        if (match := pattern.match(line.narrow)) and after.mark and after.mark.value == 1
    ]


def _with_digits(line: Line, pattern: re.Pattern[str]) -> str:
    """The text of a line with digits for the ideographs of a pattern, at its beginning or where it
    has several."""
    text = line.text
    matches = list(pattern.finditer(line.narrow))
    for match in reversed(matches):
        if len(matches) > 1 or not match.start():
            start, end = match.span("number")
            text = f"{text[:start]}{_value_of(match['number'])}{text[end:]}"
    return text


def _value_of(number: str) -> int | str:
    """The value of a Roman numeral up to XX (another one unchanged), or of a number below 100 in
    ideographs: 12 for 十二; digits alone are in tens and ones."""
    if number.isascii():
        return _ROMAN.index(number) + 1 if number in _ROMAN else number
    tens, ten, ones = number.rpartition("十")
    value = 0
    for digit in ones:
        value = 10 * value + _IDEOGRAPHS.index(digit) + 1
    if ten:
        value += 10 * (_IDEOGRAPHS.index(tens[-1]) + 1 if tens else 1)
    return value


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


def marks_of(lines: Lines, answers: Set[int] = frozenset()) -> list[list[LineMark]]:
    """The question numbers and choice labels of each line, in order of position; the result is
    parallel to `lines`: that with which a line begins, and sequences inside it (`_rows_inside`),
    but no initials of a line that counts on from the one above (`C. John D. Rockefeller`), and none
    that a label which begins a line below repeats (`A. see B. Franklin` above `B. other`).
    `answers` are the indexes of lines that held an answer: no list goes on behind one."""
    # Of each style, the values of the labels that begin lines, above and below the current one.
    above: dict[str, list[int]] = defaultdict(list)
    below: dict[str, list[int]] = defaultdict(list)
    for line in lines:
        if line.mark:
            above[line.mark.style].append(line.mark.value)
    # The next label of a style: its position, from the end, its value, the answers below it.
    following: dict[str, tuple[int, int, int]] = {}
    position = next_list = answers_below = 0
    marks: list[list[LineMark]] = []
    for index in range(len(lines) - 1, -1, -1):
        narrow, first = lines[index].narrow, lines[index].mark
        answers_below += index in answers
        line_marks = [first] if first else []
        if first:
            above[first.style].pop()
        for row in _rows_inside(narrow, first):
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
                    if narrow[mark.end - 1] != "." or not narrow[mark.start - 2].strip()
                ]
            line_marks += inside
        if first:
            below[first.style].append(first.value)
        # A list begins with a label 1 if the next label of its style is 2 and no other list begins
        # between the two; so question numbers do not form a list.
        marks.append([])
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
            marks[-1].insert(0, mark._replace(begins_list=begins_list, has_list=has_list))
            next_list = position if begins_list else next_list
    return marks[::-1]
