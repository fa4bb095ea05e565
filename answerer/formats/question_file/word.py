"""Quizzes in Word (DOCX) as lines of text: automatic numbers and letters, tables, choices in bold
type."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from answerer.formats.question_file.columns import question_of, roles_of
from answerer.formats.question_file.marked_lines import (
    MARKS,
    MarkedLine,
    lines_with_ticks,
    list_numeral,
    row_line,
)
from answerer.formats.question_file.parts import DocumentLines
from indexer.analysis.text import without_ignorable
from indexer.files.xml import parse_xml
from indexer.ingest_report import leave_out
from indexer.sources.textbook.markup import archive_texts, is_on, main_document, word_value

if TYPE_CHECKING:
    from lxml import etree

_WANTED = re.compile(r"_rels/\.rels|(?:.*/)?(?:document|styles|numbering)\d*\.xml")
_INSIDE = frozenset("sdt sdtContent customXml smartTag ins moveTo AlternateContent Choice".split())
_NOT_READ = frozenset("Fallback del moveFrom instrText delText pPr rPr".split())
_SIGNS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_SIGNS |= {"den": "/", "sup": "^", "sub": "_"}  # of formulas (ECMA-376, part 1, 22.1.2)
# Characters of the fonts Wingdings and Symbol, by which lists and forms draw boxes, and of Unicode.
_EMPTY_BOXES = frozenset("\uf06f\uf071\uf072\uf0a8\uf0a1\u2610")
_TICKED_BOXES = frozenset("\uf0fe\uf0fd\uf078\uf052\uf053\u2611\u2612")
_BOX = re.compile(f"[{''.join(_EMPTY_BOXES | _TICKED_BOXES)}]")
_WHITE = ("", "AUTO", "FFFFFF")  # FFFFFF behind text that is copied from web pages
_PLAIN_COLOURS = frozenset(("", "auto", "000000", "windowText", "text1", "tx1"))


class _Level(NamedTuple):
    """A level of a list: the number it begins with, its form (`lowerLetter`), what is printed
    around the numbers (`%1)`), and the style of its paragraphs."""

    start: int
    form: str
    text: str
    style: str


@dataclass
class _Numbering:
    """The lists of a document (ECMA-376, part 1, 17.9) and how far each has counted. A list is the
    levels of an abstract one, with other first numbers (`starts`)."""

    lists: dict[str, str]
    starts: dict[tuple[str, int], int]
    levels: dict[str, dict[int, _Level]]
    counted: dict[str, dict[int, int]] = field(default_factory=dict)
    begun: set[tuple[str, int]] = field(default_factory=set)

    def label(self, number: str, depth: int) -> str:
        """The label of the next paragraph of a list at a level, which is counted; `•` or `[ ]` in a
        list of bullets, "" for an unknown list or level."""
        abstract = self.lists.get(number, "")
        levels = self.levels.get(abstract, {})
        if depth not in levels:
            return ""
        counts = self.counted.setdefault(abstract, {})
        start = self.starts.get((number, depth))
        if start is not None and (number, depth) not in self.begun:
            self.begun.add((number, depth))
            counts[depth] = start
        else:
            counts[depth] = counts.get(depth, levels[depth].start - 1) + 1
        for deeper in [level for level in counts if level > depth]:
            del counts[deeper]

        def numeral_of(match: re.Match[str]) -> str:
            level = int(match[1]) - 1
            if level not in levels:
                return ""
            counted = counts.setdefault(level, levels[level].start)
            return list_numeral(counted, levels[level].form)

        if levels[depth].form == "bullet":
            sign = levels[depth].text[:1]
            return "[ ]" if sign in _EMPTY_BOXES else "•"
        return re.sub(r"%([1-9])", numeral_of, levels[depth].text)


class _Style(NamedTuple):
    """The style of a paragraph: the list and level of its paragraphs, "" without one, and the style
    that it is based on."""

    number: str
    depth: int | None
    base: str


def word_lines(data: bytes, path: str) -> DocumentLines:
    """The lines of a Word document, with the labels of its lists; the cells of a row of a table are
    one line with tabs between them, or follow each other where they have several lines.

    Hidden text is not read but counted; deleted text, heads, feet and notes are not read. Raises
    UserError for a file that is damaged.
    """
    book = archive_texts(path, lambda name: _WANTED.fullmatch(name) is not None, data)
    main = main_document(book, path)
    folder = main.rpartition("/")[0]

    def part(name: str) -> etree._Element | None:
        names = (other for other in sorted(book) if other.startswith(f"{folder}/{name}"))
        member = next(names, "")
        return parse_xml(book[member], (), f"{path}: {member}") if member else None

    styles = _styles_of(part("styles"))
    reader = _WordReader(styles, _numbering_of(part("numbering"), styles))
    root = parse_xml(book.get(main, b""), ("document",), f"{path}: {main}")
    body = root.find("body")
    lines = list(reader.lines(root if body is None else body))
    return DocumentLines(
        [line.text for line in lines],
        [f"paragraph {line.place}" for line in lines],
        lines_with_ticks(lines),
        reader.left_out,
    )


def _number(text: str, default: int) -> int:
    """The integer of a text of at most six digits, else `default`."""
    return int(text) if re.fullmatch(r"-?[0-9]{1,6}", text) else default


def _styles_of(root: etree._Element | None) -> dict[str, _Style]:
    """The styles of a document by their ids; none for None."""
    styles = {}
    if root is None:
        return {}
    for style in root.iter("style"):
        depth = word_value(style, "pPr/numPr/ilvl")
        styles[word_value(style, name="styleId")] = _Style(
            word_value(style, "pPr/numPr/numId"),
            _number(depth, 0) if depth else None,
            word_value(style, "basedOn"),
        )
    return styles


def _numbering_of(root: etree._Element | None, styles: Mapping[str, _Style]) -> _Numbering:
    """The lists of a document by their numbers: the levels of each, those of a list that a style
    holds, and changed starts; empty for a document without lists."""
    numbering = _Numbering({}, {}, {})
    if root is None:
        return numbering
    linked: dict[str, str] = {}
    for abstract in root.iter("abstractNum"):
        name = word_value(abstract, name="abstractNumId")
        linked[name] = word_value(abstract, "numStyleLink")
        numbering.levels[name] = {
            _number(word_value(level, name="ilvl"), 0): _Level(
                _number(word_value(level, "start"), 0),
                word_value(level, "numFmt") or "decimal",
                word_value(level, "lvlText"),
                word_value(level, "pStyle"),
            )
            for level in abstract.iter("lvl")
        }
    for listed in root.iter("num"):
        number = word_value(listed, name="numId")
        numbering.lists[number] = word_value(listed, "abstractNumId")
        for changed in listed.iter("lvlOverride"):
            depth = _number(word_value(changed, name="ilvl"), 0)
            if start := word_value(changed, "startOverride"):
                numbering.starts[number, depth] = _number(start, 1)
    for name, style in linked.items():  # a list that a style holds
        if style in styles and (other := numbering.lists.get(styles[style].number)):
            numbering.levels[name] = numbering.levels.get(other, {})
    return numbering


class _WordReader:
    """Reads the blocks of a document. `left_out` counts by reason what is not read."""

    def __init__(self, styles: Mapping[str, _Style], numbering: _Numbering) -> None:
        self._styles = styles
        self._numbering = numbering
        self._paragraphs = 0
        self.left_out: Counter[str] = Counter()

    def lines(self, block: etree._Element) -> Iterator[MarkedLine]:
        """Yields the lines of a body, a cell or a text box."""
        for child in block:
            if child.tag == "p":
                yield from self._paragraph(child)
            elif child.tag == "tbl":
                yield from self._table(child)
            elif child.tag in _INSIDE:
                yield from self.lines(child)

    def _table(self, table: etree._Element) -> Iterator[MarkedLine]:
        """Yields the lines of a table that are not blank: a row as one line where its heading names
        columns of questions or each cell is a line, else the lines of each cell, with words before
        those of one line in columns of numbers and answers."""
        rows = [
            [list(self.lines(cell)) for cell in row.iterfind(".//tc") if _row_of(cell) is row]
            for row in table.iter("tr")
            if _table_of(row) is table
        ]
        heads = ["\n".join(line.text for line in cell).strip() for cell in rows[0]] if rows else []
        is_columns = question_of(dict.fromkeys(heads, ""), 1) is not None
        roles = roles_of(heads) if not is_columns else []
        words = {"id": "Question ", "answer": "Answer: "} if "question" in roles else {}
        before = [words.get(role, "") for role in roles]
        for cells in rows:
            if not any(line.text.strip() for cell in cells for line in cell):
                continue
            if is_columns or all(len(cell) < 2 for cell in cells):
                yield row_line(cells)
            else:
                for position, cell in enumerate(cells):
                    word = "".join(before[position : position + 1]) if len(cell) == 1 else ""
                    for line in cell:
                        marks = [frozenset[str]()] * len(word) + list(line.marks)
                        yield MarkedLine(word + line.text, marks, line.place)

    def _paragraph(self, paragraph: etree._Element) -> Iterator[MarkedLine]:
        """Yields the lines of a paragraph, with its label, then those of the text boxes in it."""
        self._paragraphs += 1
        here = self._paragraphs
        text, marks = self._label_of(paragraph), list[frozenset[str]]()
        if text:
            text += "\t"
        marks += [frozenset[str]()] * len(text)
        for run_text, run_marks in self._runs(paragraph):
            text += run_text
            marks += [run_marks] * len(run_text)
        start = 0
        for line in text.split("\n"):
            yield MarkedLine(line.rstrip(), marks[start : start + len(line)], here)
            start += len(line) + 1
        for box in paragraph.iter("txbxContent"):
            if not any(ancestor.tag == "Fallback" for ancestor in box.iterancestors()):
                yield from self.lines(box)

    def _label_of(self, paragraph: etree._Element) -> str:
        """The label that a list gives to a paragraph, also by its style; the list counts on. ""
        without one."""
        number, depth = (
            word_value(paragraph, "pPr/numPr/numId"),
            word_value(paragraph, "pPr/numPr/ilvl"),
        )
        name = word_value(paragraph, "pPr/pStyle")
        style, seen = name, set[str]()
        while not number and style in self._styles and style not in seen:
            seen.add(style)
            number = self._styles[style].number
            level = self._styles[style].depth
            depth = depth or (str(level) if level is not None and number else "")
            style = self._styles[style].base
        if not number or number == "0":
            return ""
        levels = self._numbering.levels.get(self._numbering.lists.get(number, ""), {})
        if not depth:
            of_style = (str(at) for at, level in levels.items() if name and level.style == name)
            depth = next(of_style, "0")
        return self._numbering.label(number, _number(depth, 0))

    def _runs(self, element: etree._Element) -> Iterator[tuple[str, frozenset[str]]]:
        """Yields the pieces of text in a paragraph, with what marks each; boxes to tick as `[ ]` or
        `[x]`. Hidden text is counted in `left_out`; text boxes are not among the pieces."""
        for child in element:
            tag = str(child.tag)
            if tag in _NOT_READ or tag == "txbxContent":
                continue
            if tag == "t":
                run = child.getparent()
                text = without_ignorable((child.text or "").replace("\n", " "))
                text = _BOX.sub(_box, text)
                if is_on(run, "vanish"):
                    leave_out(self.left_out, "hidden text", text)
                else:
                    yield text, _marks_of(run)
            elif tag in _SIGNS:
                yield _SIGNS[tag], frozenset()
                yield from self._runs(child)
            elif tag == "sym":
                code = word_value(child, name="char")
                character = chr(int(code, 16)) if re.fullmatch("[0-9A-Fa-f]{4}", code) else ""
                yield _BOX.sub(_box, character), frozenset()
            elif tag == "checkBox":  # of a form (17.16.7)
                names = ("checked", "default")
                state = next((name for name in names if child.find(name) is not None), "")
                is_ticked = state and word_value(child, state) not in ("0", "false", "off", "none")
                yield "[x] " if is_ticked else "[ ] ", frozenset()
            else:
                yield from self._runs(child)


def _box(match: re.Match[str]) -> str:
    return "[ ]" if match[0] in _EMPTY_BOXES else "[x]"


def _row_of(cell: etree._Element) -> etree._Element | None:
    return next(cell.iterancestors("tr"), None)


def _table_of(row: etree._Element) -> etree._Element | None:
    return next(row.iterancestors("tbl"), None)


def _marks_of(run: etree._Element | None) -> frozenset[str]:
    """What marks a run of text, of `MARKS`: highlighting or shading (but white), colour (but
    black), underlining, bold type, italics; empty for None."""
    style = word_value(run, "rPr/rStyle")
    is_marked = (
        (is_on(run, "highlight") and word_value(run, "rPr/highlight") != "white")
        or word_value(run, "rPr/shd", "fill").upper() not in _WHITE,
        word_value(run, "rPr/color") not in _PLAIN_COLOURS,
        is_on(run, "u"),
        is_on(run, "b") or style == "Strong",
        is_on(run, "i") or style == "Emphasis",
    )
    return frozenset(mark for mark, is_on in zip(MARKS, is_marked, strict=True) if is_on)
