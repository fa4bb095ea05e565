"""Lines of a document whose letters are marked (bold type, colour), and the labels of its lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from answerer.formats.question_file.lines import Line
from answerer.formats.question_file.marks import marks_of
from answerer.formats.question_file.parts import SERIES, SYMBOLS
from answerer.formats.question_file.statements import truth_words

# What may set a right choice apart, the plainest first.
MARKS = ("highlighting", "colour", "underlining", "bold type", "italics")
PAGE_MARK = "the page's own marks"
"""What the elements of a web page have that are classed as right."""


class MarkedLine(NamedTuple):
    """A line of a document: its text, what marks each of its characters, and the paragraph or line
    of the file where it begins."""

    text: str
    marks: Sequence[frozenset[str]]
    place: int


def row_line(cells: Sequence[Sequence[MarkedLine]]) -> MarkedLine:
    """The cells of a row as one line, with tabs between them; lines inside a cell are parted by
    blanks, and tabs become blanks, except in the first cell."""
    text, marks = "", list[frozenset[str]]()
    for position, cell in enumerate(cells):
        for number, line in enumerate(cell):
            before = "\t" if position else ""
            if number:
                before = " "
            inside = line.text.replace("\t", " ") if position else line.text
            text += before + inside
            marks += [frozenset[str]()] * len(before) + list(line.marks[: len(line.text)])
        if not cell and position:
            text += "\t"
            marks.append(frozenset())
    return MarkedLine(text, marks, next((line.place for cell in cells for line in cell), 0))


def lines_with_ticks(lines: Sequence[MarkedLine]) -> dict[str, Sequence[str]]:
    """By each mark that some text has, the lines with `✓` at the labels and bullets, and in the
    boxes, whose text is marked as a whole, and `Answer: …` below a pair of words for true and false
    of which one is; {} without marks."""
    marks_used = frozenset().union(*(marks for line in lines for marks in line.marks))
    labels = marks_of([Line(0, line.text) for line in lines])
    ticked: dict[str, Sequence[str]] = {}
    for mark in (PAGE_MARK, *MARKS):
        if mark not in marks_used:
            continue
        changed = []
        for line, row in zip(lines, labels, strict=True):
            text = line.text
            end = len(text)
            for label in reversed(row):
                if _is_marked(line, label.end, end, mark):
                    behind = len(text[:end].rstrip())
                    text = f"{text[:behind]} ✓{text[behind:]}" if label.start else f"✓{text}"
                end = label.start
            if not row and text.startswith("•") and _is_marked(line, 1, end, mark):
                text += " ✓"
            elif not row and text.startswith("[ ]") and _is_marked(line, 3, end, mark):
                text = f"[✓]{text[3:]}"
            words = [
                word
                for word, start, end in truth_words(line.text)
                if _is_marked(line, start, end, mark)
            ]
            if len(words) == 1:
                text += f"\nAnswer: {words[0]}"
            changed.append(text)
        ticked[mark] = changed
    return ticked


def _is_marked(line: MarkedLine, start: int, end: int, mark: str) -> bool:
    """Whether all letters and digits of a piece of a line have a mark; False without any."""
    marks = line.marks[start:end]
    inside = [
        letter
        for character, letter in zip(line.text[start:end], marks, strict=False)
        if character.isalnum()
    ]
    return bool(inside) and all(mark in letter for letter in inside)


_SERIES = {
    "upperLetter": SERIES[0],
    "lowerLetter": SERIES[1],
    "aiueo": SERIES[2],
    "aiueoFullWidth": SERIES[2],
    "russianUpper": SERIES[3],
    "russianLower": SERIES[4],
    "decimalEnclosedCircle": SYMBOLS[0],
    "decimalEnclosedCircleChinese": SYMBOLS[0],
    "ganada": "가나다라마바사아자차카타파하",
    "iroha": "イロハニホヘトチリヌルヲワカ",
    "irohaFullWidth": "イロハニホヘトチリヌルヲワカ",
}
_ROMAN = (
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
)


def list_numeral(number: int, form: str) -> str:
    """A number as a list of a form prints it (ECMA-376, part 1, 17.18.59), "" for the form `none`;
    in digits where the form is not known, or has no such label (letters behind Z, Roman numerals
    from 400 on, numbers below 1)."""
    series = _SERIES.get(form, "")
    if 0 < number <= len(series):
        return series[number - 1]
    if form in ("upperRoman", "lowerRoman") and 0 < number < 400:
        roman = ""
        for value, letters in _ROMAN:
            roman += letters * (number // value)
            number %= value
        return roman.upper() if form == "upperRoman" else roman
    return "" if form == "none" else str(number)
