"""The pages of a PDF, and the reading order of a page: pieces of text put into columns and lines."""

from __future__ import annotations

import ctypes
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from statistics import median
from typing import Any, NamedTuple

from indexer.files.encoding import MIB, read_whole
from indexer.files.errors import bad_input
from indexer.files.progress import with_progress
from indexer.files.versions import install_hint
from indexer.sandbox import Sandbox, WorkerDiedError

_MOST = 2_000  # fragments of a page that columns are looked for among: a page of a book has a tenth of them
_COLUMN_LINES = 3  # a column has at least this many lines that begin at its left edge
_FULL = 0.5  # of a column's width its middle line fills at least; the cells of a table do not
_CLOSE = 2.5  # heights of a line from one line of a column to the next, in the middle; notes at the edge are sparser
_LEVEL = 0.5  # of the lower one's height two fragments share when they are in one line


_WIDE = re.compile("[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")


def is_wide(character: str) -> bool:
    """Returns whether a character is of Japanese or Chinese: no blanks separate it from others, wherever a line
    ends."""
    return _WIDE.match(character) is not None


class Fragment(NamedTuple):
    """A piece of a line: its text, its box (`top` < `bottom`, from the page's upper left), its type size.

    All lengths are in the page's unit: points, or characters and lines.
    """

    text: str
    left: float
    top: float
    right: float
    bottom: float
    size: float


class Page(NamedTuple):
    """A page: its label in the file ("" without one), and its fragments in any order."""

    label: str
    fragments: Sequence[Fragment]


def lines(fragments: Iterable[Fragment]) -> list[Fragment]:
    """Lines of one column from top to bottom: fragments side by side are joined, with blanks between them.

    A line has the box of all its fragments and the type size of the longest.
    """
    found: list[list[Fragment]] = []
    for one in sorted(fragments, key=lambda one: (one.top, one.left)):
        first = found[-1][0] if found else one
        shared = min(first.bottom, one.bottom) - max(first.top, one.top)
        if found and shared > _LEVEL * min(first.bottom - first.top, one.bottom - one.top):
            found[-1].append(one)
        else:
            found.append([one])
    joined = []
    for line in found:
        line.sort(key=lambda one: one.left)
        text = " ".join(" ".join(one.text for one in line).split())
        top, right = min(one.top for one in line), max(one.right for one in line)
        longest = max(line, key=lambda one: len(one.text))
        joined.append(Fragment(text, line[0].left, top, right, max(one.bottom for one in line), longest.size))
    return joined


def blocks(fragments: Sequence[Fragment]) -> list[list[Fragment]]:
    """Lines of a page in reading order, one list for each column or full-width band; [] for a page without text.

    Columns are read from left to right, between lines that run across them. A left edge begins a column if at least
    three lines begin there, others end before it, and both sides are filled; the cells of a table are not, and are read
    row by row.
    """
    if not fragments:
        return []
    edge = _gutter(fragments) if len(fragments) <= _MOST else None
    if edge is None:
        return [lines(fragments)]
    found: list[list[Fragment]] = []
    ordered = sorted(fragments, key=lambda one: (one.top, one.left))
    for spans, band in groupby(ordered, key=lambda one: one.left < edge < one.right):
        run = list(band)
        if spans:
            found.append(lines(run))
        else:
            found += blocks([one for one in run if one.right <= edge])
            found += blocks([one for one in run if one.left >= edge])
    return found


def _gutter(fragments: Sequence[Fragment]) -> float | None:
    """Left edge of a column that has another at its left; None if the page has one column.

    Of several, the one that divides the fragments most evenly, then the leftmost.
    """
    unit = median(one.size for one in fragments)
    starts = Counter(round(one.left / unit) for one in fragments)
    best: tuple[int, float] | None = None
    for start, count in sorted(starts.items()):
        if count < _COLUMN_LINES:
            continue
        edge = min(one.left for one in fragments if round(one.left / unit) == start)
        left = [one for one in fragments if one.right <= edge]
        right = [one for one in fragments if one.left >= edge]
        smaller = min(len(left), len(right))
        if smaller >= _COLUMN_LINES and _are_columns(left, right, edge) and (best is None or smaller > best[0]):
            best = smaller, edge
    return best[1] if best else None


def _are_columns(left: Sequence[Fragment], right: Sequence[Fragment], edge: float) -> bool:
    """Returns whether the fragments at the left and right of `edge` are columns beside each other: lines that follow
    each other closely and fill the width."""
    beside = min(max(one.bottom for one in side) for side in (left, right))
    if beside <= max(min(one.top for one in side) for side in (left, right)):
        return False
    widths = (edge - min(one.left for one in left), max(one.right for one in right) - edge)
    for side, width in zip((left, right), widths, strict=True):
        steps = [two.top - one.top for one, two in pairwise(sorted(side, key=lambda one: one.top))]
        is_close = median(steps) <= _CLOSE * median(one.bottom - one.top for one in side)
        if not is_close or median(one.right - one.left for one in side) < _FULL * width:
            return False
    return True


# The pages of a PDF, read with PDFium in a sandboxed process.

_LARGEST = 512 * MIB  # bytes of a file; it is held in memory beside what PDFium makes of it
_SECONDS = 900  # of the processor for a whole book; 600 pages take seven
_GAP = 1.2  # sizes of the type: text further off is in another column or cell
_ACROSS = 0.6  # sizes of the type by which a letter of a line may be higher or lower than the one before
_HYPHENS = "\x02\ufffe\u00ad"  # what PDFium gives for a hyphen that divides a word at the end of a line
_PASSWORD = 4  # FPDF_ERR_PASSWORD of PDFium's fpdfview.h


class _Letter(NamedTuple):
    """A letter: the origin of its base line (`x`, `y`), its box, its type size (0 for a blank); y grows downwards."""

    text: str
    x: float = 0
    y: float = 0
    left: float = 0
    top: float = 0
    right: float = 0
    bottom: float = 0
    size: float = 0


def pdf_pages(path: str) -> Iterator[Page]:
    """Yields the pages of a PDF in order, labelled as in the file, else by their numbers from 1.

    Raises UserError: the extra is not installed, protected by a password, damaged, too large, or its reader failed.
    """
    try:
        import pypdfium2  # noqa: F401  (it is used in the other process)
    except ImportError:
        raise bad_input(
            path, None, "a PDF, which takes the extra `documents` to read", f"`{install_hint('documents')}`"
        ) from None
    with Sandbox(_read, seconds=_SECONDS) as reader:
        answers = reader(path)
        try:
            total = next(answers)
            assert isinstance(total, int)  # noqa: S101
            for page in with_progress(answers, "pages", total, "pages"):
                assert isinstance(page, Page)  # noqa: S101
                yield page
        except WorkerDiedError as error:
            raise bad_input(
                path, None, f"not a PDF that can be read ({error})", "repair it, or save its text"
            ) from None


def _read(path: str) -> Iterator[int | Page]:
    """Yields the number of pages of a PDF, then each page; runs in the sandbox. Raises UserError for a damaged or
    protected PDF."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(read_whole(path, _LARGEST))
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", 0) == _PASSWORD or "password" in str(error).lower():
            raise bad_input(path, None, "a PDF protected by a password", "save a copy without it") from None
        raise bad_input(path, None, f"a damaged PDF ({error})", "fetch the file again, or save its text") from None
    yield len(document)
    for number in range(len(document)):
        try:
            page = document[number]
            text = page.get_textpage()
        except pypdfium2.PdfiumError as error:
            raise bad_input(path, None, f"a damaged PDF (page {number + 1}: {error})", "save its text") from None
        yield Page(document.get_page_label(number) or str(number + 1), _fragments(_letters(text)))
        text.close()
        page.close()


def _letters(page: Any) -> Iterator[_Letter]:
    """Yields the letters of a pypdfium2 text page in the order of its content; blanks and line ends have size 0."""
    from pypdfium2 import raw

    x, y, left, top, right, bottom = (ctypes.c_double() for _ in range(6))
    matrix = raw.FS_MATRIX()
    for number in range(page.count_chars()):
        # ligatures become their letters; control characters and halves of one have no text
        code = raw.FPDFText_GetUnicode(page, number)
        character = chr(code)
        if character in _HYPHENS:
            text = "-"
        elif character in "\r\n":
            text = "\n"
        elif "\ufb00" <= character <= "\ufb06":
            text = unicodedata.normalize("NFKC", character)
        else:
            text = " " if character.isspace() else character if character.isprintable() else ""
        if text.isspace():
            yield _Letter(text)
        elif text:
            raw.FPDFText_GetCharOrigin(page, number, x, y)
            raw.FPDFText_GetCharBox(page, number, left, right, bottom, top)
            raw.FPDFText_GetMatrix(page, number, matrix)
            size = raw.FPDFText_GetFontSize(page, number) * math.hypot(matrix.c, matrix.d)
            yield _Letter(text, x.value, -y.value, left.value, -top.value, right.value, -bottom.value, size or 1)


def _fragments(page: Iterable[_Letter]) -> list[Fragment]:
    """Joins the letters of a page to fragments of lines; a page with vertical or sideways text is turned first."""
    letters = list(page)
    # the right angles by which to turn the page so that most letters follow each other to the right: 1 where they
    # follow each other downwards, in vertical writing and on a page that lies on its side
    ways: Counter[int] = Counter()
    for one, other in pairwise([letter for letter in letters if letter.size]):
        across, down = other.x - one.x, other.y - one.y
        if math.hypot(across, down) < 2 * one.size:
            ways[(0 if across >= 0 else 2) if abs(across) >= abs(down) else (1 if down > 0 else 3)] += 1
    quarters = ways.most_common(1)[0][0] if ways else 0
    found: list[Fragment] = []
    piece: list[_Letter] = []
    blank = False
    for letter in letters:
        if not letter.size:
            blank = True
            if letter.text == "\n" and piece:
                found.append(_fragment(piece))
                piece = []
            continue
        for _ in range(quarters):
            turned = (letter.y, -letter.x, letter.top, -letter.right, letter.bottom, -letter.left)
            letter = _Letter(letter.text, *turned, letter.size)
        if piece:
            before = piece[-1]
            size = max(before.size, letter.size)
            # wide letters fill a square
            gap = letter.x - before.x - size if is_wide(before.text) else letter.left - before.right
            if abs(letter.y - before.y) > _ACROSS * size or not -size < gap < _GAP * size:
                found.append(_fragment(piece))
                piece = []
            elif blank and not (is_wide(before.text) or is_wide(letter.text)):
                letter = letter._replace(text=f" {letter.text}")
        piece.append(letter)
        blank = False
    return [*found, _fragment(piece)] if piece else found


def _fragment(piece: Sequence[_Letter]) -> Fragment:
    """Fragment of neighbouring letters; its height is that of their type at the first letter's base line, whichever
    letters it has."""
    text = "".join(letter.text for letter in piece)
    size = Counter(round(letter.size, 1) for letter in piece).most_common(1)[0][0]
    base = piece[0].y
    return Fragment(text, piece[0].left, base - 0.8 * size, piece[-1].right, base + 0.2 * size, size)
