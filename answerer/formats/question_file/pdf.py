"""Quizzes in PDF as lines of text, their columns of questions one after the other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby, pairwise
from statistics import median

from answerer.formats.question_file.parts import DocumentLines
from indexer.sources.textbook.pages import pages_with_text, without_margins
from indexer.sources.textbook.reading_order import Fragment, is_wide, rows_of

Row = list[Fragment]
"""Pieces of text side by side, from left to right."""

# A question's number at the beginning of a line, and of a line that is one of a quiz: a number or a
# label.
_NUMBER = re.compile(
    r"(\s*\(?(?:[Qq](?:uestion)?\s?|問|第)?)(\d{1,3})(\s?[問题題]?[.):、．）]|(?=\s|$))"
)
_LABELLED = re.compile(r"\s*(?:[(\[（]?\w{1,2}[.):\]、．）]|\w\s\s|\d{1,3}\s?[.)]|[①-⑳]|問|Q\d)")
_APART = 1.2  # sizes of the type: text further off is set apart, as the next choice of a line
_HANGING = 1.5  # sizes of the type by which a number may precede its column
_NARROWEST = 8  # sizes of the type: a column of questions is as wide at least
_SPACE = 1.5  # times the usual distance of lines: space between paragraphs


def pdf_lines(data: bytes, path: str, most: int | None = None) -> DocumentLines:
    """The lines of a PDF, or of its first `most` pages, in reading order; those in the margins of
    pages are left out and counted, an empty line parts pages if no sentence goes on. Columns of
    questions are recognised by their numbers, which count down the columns or along the rows; other
    text side by side is one line, with three blanks between its pieces. Raises UserError for a PDF
    that cannot be read, and for one of pictures."""
    counts: Counter[str] = Counter()
    pages = without_margins(
        pages_with_text(path, data, most, keeps_wide_blanks=True),
        counts,
        is_drawn=True,
        is_text=_LABELLED.match,
    )
    texts: list[str] = []
    places: list[str] = []
    for number, page in enumerate(pages, 1):
        for group in (page.fragments, *page.turned):
            written = _page_lines(group)
            if texts and written and not _goes_on(texts[-1], written[0]):
                texts.append("")
                places.append(f"page {number}")
            texts += written
            places += [f"page {number}"] * len(written)
    return DocumentLines(texts, places, {}, counts)


def _goes_on(line: str, following: str) -> bool:
    """Whether a page's first line `following` goes on with the last `line` of the page before: it
    begins in lower case without a label, and `line` ends no sentence."""
    return following[:1].islower() and not _LABELLED.match(following) and line[-1:] not in ".?!:。"


def _page_lines(fragments: Sequence[Fragment]) -> list[str]:
    """The lines of a page, blank ones between its paragraphs; [] without fragments."""
    if not fragments:
        return []
    unit = median(fragment.size for fragment in fragments)
    rows = _in_reading_order(rows_of(fragments), unit)
    steps = [
        lower[0].top - upper[0].top
        for upper, lower in pairwise(rows)
        if lower[0].top > upper[0].top
    ]
    usual = median(steps) if steps else 0.0
    lines = [_text_of(row, unit) for row in rows[:1]]
    for upper, lower in pairwise(rows):
        step = lower[0].top - upper[0].top
        if step < 0 or step > _SPACE * usual:
            lines.append("")
        lines.append(_text_of(lower, unit))
    return lines


def _text_of(row: Row, unit: float) -> str:
    """The text of fragments side by side: wide characters close together are joined, other
    fragments parted by a blank, or three from a gap of 1.2 units on."""
    text = row[0].text
    for first, second in pairwise(row):
        gap = second.left - first.right
        is_whole = is_wide(first.text[-1:]) and is_wide(second.text[:1]) and gap < unit / 2
        if not is_whole:
            text += " " if gap < _APART * unit else "   "
        text += second.text
    return text


def _in_reading_order(rows: list[Row], unit: float) -> list[Row]:
    """The rows of a page with columns of questions one after the other. The numbers of questions
    are those that look like the first of the page."""
    numbers = [
        (fragment.left, match)
        for row in rows
        for fragment in row
        if (match := _NUMBER.match(fragment.text))
    ]
    margin = min(row[0].left for row in rows)
    style = next((_style_of(match) for left, match in numbers if left < margin + unit), "")
    edges = sorted(
        left - unit / 2
        for left, match in numbers
        if _style_of(match) == style and left > margin + _NARROWEST * unit
    )
    for position, edge in enumerate(edges):
        if position and edge - edges[position - 1] < _HANGING * unit:
            continue
        ordered: list[Row] = []
        is_across = [any(part.left < edge < part.right - unit for part in row) for row in rows]
        for across, band in groupby(zip(is_across, rows, strict=True), key=lambda item: item[0]):
            run = [row for _, row in band]
            ordered += run if across else _columns_apart(run, edge, unit, style)
        if ordered != rows:
            return ordered
    return rows


def _style_of(number: re.Match[str]) -> str:
    """What is printed around a question's number, which becomes #, in lower case without blanks:
    `question#.`"""
    return f"{number[1]}#{number[3]}".replace(" ", "").lower()


def _columns_apart(rows: list[Row], edge: float, unit: float, style: str) -> list[Row]:
    """Rows with the questions of both sides of an edge in the order of their numbers; unchanged if
    these are not one series, down the columns or along the rows."""
    left = [side for row in rows if (side := [part for part in row if part.left < edge])]
    right = [side for row in rows if (side := [part for part in row if part.left >= edge])]
    if not left or not right:
        return rows
    right = _in_reading_order(right, unit)
    numbers = [[_number_of(row, style) for row in side] for side in (left, right)]
    down = [number for side in numbers for number in side if number]
    if any(numbers[0]) and any(numbers[1]) and _counts_up(down):
        return left + right
    if not numbers[0][0] or not numbers[1][0] or not _counts_up(sorted(down)):
        return rows
    questions: list[tuple[int, list[Row]]] = []
    for row, number in zip(left + right, numbers[0] + numbers[1], strict=True):
        if number:
            questions.append((number, []))
        questions[-1][1].append(row)
    questions.sort(key=lambda question: question[0])
    return [row for _, question in questions for row in question]


def _number_of(row: Row, style: str) -> int:
    """The number of the question that a row begins, 0 for other rows."""
    match = _NUMBER.match(row[0].text)
    return int(match[2]) if match and _style_of(match) == style else 0


def _counts_up(numbers: Sequence[int]) -> bool:
    """Whether each number is one more than that before it; True for fewer than two."""
    return all(after == before + 1 for before, after in pairwise(numbers))
