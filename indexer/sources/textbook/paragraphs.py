"""The lines of pages put together to paragraphs, without running heads, running feet and page numbers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from indexer.sources.textbook.pdf import Fragment, Page, blocks, is_wide, lines

_DEEP = 3  # lines from the edge of a page among which heads and feet are looked for
_PAGES = 3  # that have a head or foot in common, at least; of a file of two pages both
_NEAR = 4  # pages from one with a head to the next: left and right pages differ, and a chapter's first has none
_NUMBER = re.compile(r"(?<![a-z\d.,])\d{1,5}(?![a-z\d]|[.,]\d)")
_ROMAN = re.compile(r"[\W_]*([ivxlcdm]{1,8})[\W_]*")
_BARE = re.compile(r"[\W_]*(?:(?:page|p|pp|seite|第)[\W_]*)?#(?:[\W_]*(?:of|von|/)[\W_]*\d+|ページ|頁|页)?[\W_]*")


class _LineKey(NamedTuple):
    """Key that lines of several pages share: their text, with `#` for a number that increases with the pages.

    `offset` is that number minus the page's position; None for text without such a number and for Roman numerals.
    """

    text: str
    offset: int | None = None

    @property
    def is_page_number(self) -> bool:
        return self.offset is not None and (self.text == "#" or self.text.startswith("#") != self.text.endswith("#"))


class _Row(NamedTuple):
    """A line at an edge of a page: the page's position, the edge ("heads" or "feet"), the number of lines further out,
    and its keys."""

    page: int
    edge: str
    depth: int
    line: Fragment
    keys: Sequence[_LineKey]


def without_margins(pages: Sequence[Page], counts: Counter[str]) -> list[Page]:
    """The pages without page numbers, running heads and running feet, which are counted in `counts`; page labels are
    taken from the numbers.

    A line is a head or foot if it is one of the three outermost, all further out are, and the same line is on at least
    three pages, each within four of the next, so that a heading such as `Exercises` on a page now and then is not. A
    number in it that increases with the pages may differ; once three pages have such a number, a line that begins or
    ends with it is one on any page. Pages without a number are labelled by counting on from the page before.
    """
    rows: list[_Row] = []
    for number, page in enumerate(pages):
        found = lines(page.fragments)  # whatever columns the page has
        for edge, outermost in (("heads", found[:_DEEP]), ("feet", found[: -_DEEP - 1 : -1])):
            for depth, line in enumerate(outermost):
                rows.append(_Row(number, edge, depth, line, list(_keys(line.text.casefold(), number))))
    repeated = _repeated_keys(rows, min(_PAGES, max(len(pages), 2)))
    removed: dict[int, list[Fragment]] = defaultdict(list)
    reached: Counter[tuple[int, str]] = Counter()
    offsets: dict[int, int] = {}
    labels: dict[int, str] = {}
    for row in rows:
        keys = [key for key in row.keys if row.page in repeated.get(key, ())]
        if not keys or reached[row.page, row.edge] != row.depth or row.line in removed[row.page]:
            continue
        reached[row.page, row.edge] += 1
        removed[row.page].append(row.line)
        offsets.update((row.page, key.offset) for key in keys if key.offset is not None)
        if keys[0].text == "roman":
            labels[row.page] = _ROMAN.sub(r"\1", row.line.text)
        counts["page numbers" if keys[0].text in ("#", "roman") else f"running {row.edge}"] += 1
    offset = offsets[min(offsets)] if offsets else 0
    for number in range(len(pages) if offsets else 0):
        offset = offsets.get(number, offset)
        labels.setdefault(number, str(max(number + offset, 0) or ""))
    kept = []
    for number, page in enumerate(pages):
        bands = [(line.top, line.bottom) for line in removed[number]]
        inner = [one for one in page.fragments if not any(t <= one.top and one.bottom <= b for t, b in bands)]
        kept.append(Page(labels.get(number, page.label), inner))
    return kept


def _keys(text: str, page: int) -> Iterator[_LineKey]:
    """Yields the keys of a line on the page at position `page`: a Roman numeral, the text with `#` for each number in
    turn, and the text itself."""
    if _ROMAN.fullmatch(text):
        yield _LineKey("roman")
    for found in _NUMBER.finditer(text):
        rest = f"{text[: found.start()]}#{text[found.end() :]}"
        yield _LineKey("#" if _BARE.fullmatch(rest) else rest, int(found[0]) - page)
    if any(map(str.isalnum, text)):
        yield _LineKey(text)


def _repeated_keys(rows: Sequence[_Row], least: int) -> Mapping[_LineKey, set[int]]:
    """Maps each key to the positions of the pages where it repeats: those in runs of at least `least` pages near each
    other.

    A page number counts on every page if its offset occurs in such a run, whatever text is beside it.
    """
    pages: dict[_LineKey, list[int]] = defaultdict(list)
    numbered: dict[int | None, list[int]] = defaultdict(list)
    for row in rows:
        for key in row.keys:
            pages[key].append(row.page)
            if key.is_page_number:
                numbered[key.offset].append(row.page)
    going = {offset for offset, numbers in numbered.items() if _in_runs(numbers, least)}
    return {
        key: set(numbers) if key.is_page_number and key.offset in going else _in_runs(numbers, least)
        for key, numbers in pages.items()
    }


def _in_runs(numbers: Sequence[int], least: int) -> set[int]:
    """Subset of ascending numbers that are in runs of at least `least` different ones, with steps of at most
    `_NEAR`."""
    found: set[int] = set()
    run: list[int] = []
    for number in [*dict.fromkeys(numbers), None]:
        if number is None or (run and number - run[-1] > _NEAR):
            found.update(run if len(run) >= least else ())
            run = []
        if number is not None:
            run.append(number)
    return found


# Paragraphs out of the lines of pages: divided words joined, sentences carried over columns and pages, headings.

SENTENCE_END = re.compile(r"[.!?。！？][\"'”’」』)）\]]*(?:\d{1,3}|\[\d{1,3}\])?$")
"""A line that may end a paragraph; the number of a note may stand behind the sentence."""

_HEADING = 120  # characters of a heading at most
_ALONE = 80  # and of one that is known by its being short and alone
_LARGER = 1.1  # times the size of most text: a heading, or another kind of text
_STEP = 1.35  # times the usual distance of lines: space between paragraphs
_INDENT = 0.8  # sizes of the type
_SHORT = 0.85  # of the column's width: what ends earlier may be a paragraph's last line
_LIST = 0.6  # of its width: what ends earlier without ending a sentence is a line of a list or a heading
_BACK = 4  # paragraphs over which a sentence may go on: notes, captions and boxes come between
_BULLET = re.compile(r"[•▪◦●■□▶‣⁃]\s?")
_WORD = re.compile(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")
_DIVIDED = re.compile(r"([^\W\d_]+)[-‐]$")
_LETTERS = re.compile(r"[^\W\d_]+")
_HANGING = frozenset(("and", "or", "to", "und", "oder", "bis"))  # pre- and post-war
_SPAN_MARK = re.compile(r"\w[–—/]$")
_PIECE = re.compile(r"\S+(?:\s{1,2}\S+)*")

DIVIDED = "hyphens at line ends"


class PageParagraph(NamedTuple):
    """A paragraph or heading, and its page, `212` or `212–213`, "" if unknown."""

    text: str
    page: str = ""
    is_heading: bool = False


@dataclass
class _ParagraphDraft:
    """An unfinished paragraph: its lines, its type size, and the labels of its first and last page."""

    lines: list[str]
    size: float
    first: str
    last: str

    @property
    def is_open(self) -> bool:
        return not SENTENCE_END.search(self.lines[-1])


def page_paragraphs(pages: Sequence[Page], counts: Counter[str], pitch: float | None = None) -> list[PageParagraph]:
    """The paragraphs of a book in reading order; `counts` counts what is left out, by its kind.

    `pitch` is the distance from line to line, by default the median for each type size. Lines are grouped by their
    distances, indents and lengths; an unfinished sentence continues in the next column or on the next page, over notes
    and captions. A word divided at a line's end is joined as the book writes it elsewhere. A heading is set larger than
    most of the text or, if all has one size, is a short single line that does not end a sentence.
    """
    kept = without_margins(pages, counts)
    counts["pages without text"] += sum(not page.fragments for page in pages)
    columns = [(page.label, column) for page in kept for column in blocks(page.fragments) if column]
    all_lines = [line for _, column in columns for line in column]
    sizes: Counter[float] = Counter()
    for line in all_lines:
        sizes[line.size] += len(line.text)
    steps: dict[float, list[float]] = defaultdict(list)  # from line to line for each size of type
    for _, column in columns:
        for line, after in pairwise(column):
            if line.size == after.size:
                steps[line.size].append(after.top - line.top)
    pitches = {size: median(found) for size, found in steps.items()}
    drafts = _drafts(columns, dict.fromkeys(sizes, pitch) if pitch else pitches)
    words = Counter(word.casefold() for line in all_lines for word in _WORD.findall(line.text.rstrip("-‐")))
    most = max(sizes, key=lambda size: (sizes[size], -size), default=0.0)
    paragraphs = []
    for draft in drafts:
        length = sum(map(len, draft.lines))
        if len(sizes) == 1:
            is_heading = len(draft.lines) == 1 and length <= _ALONE and draft.is_open
        else:
            is_heading = draft.size >= _LARGER * most and length <= _HEADING
        text = _join_lines(draft.lines, words, counts)
        if any(map(str.isalnum, text)):
            is_span = draft.last not in (draft.first, "")
            page_label = f"{draft.first}–{draft.last}".strip("–") if is_span else draft.first
            paragraphs.append(PageParagraph(text, page_label, is_heading))
    return paragraphs


def _drafts(columns: Iterable[tuple[str, Sequence[Fragment]]], pitch: Mapping[float, float]) -> list[_ParagraphDraft]:
    """Groups the lines of columns, given as (page label, lines), into paragraphs; `pitch` maps a type size to its usual
    distance from line to line."""
    drafts: list[_ParagraphDraft] = []
    is_full = False  # whether the last line of the column before fills it
    for label, column in columns:
        before: Fragment | None = None
        edges: dict[float, tuple[float, float]] = {}
        for line in column:
            least, most = edges.get(line.size, (line.left, line.right))
            edges[line.size] = min(least, line.left), max(most, line.right)
        for line in column:
            left, right = edges[line.size]
            if before is None:
                draft = _paragraph_to_continue(drafts, line, is_full)
            else:
                filled = (before.right - left) / max(right - left, 1)
                draft = None if _begins(before, line, filled, pitch.get(line.size, 0)) else drafts[-1]
            if draft is None:
                drafts.append(_ParagraphDraft([line.text], line.size, label, label))
            else:
                draft.lines.append(line.text)
                draft.last = label
                if draft is not drafts[-1]:  # what interrupted its sentence comes before it
                    drafts.append(drafts.pop(drafts.index(draft)))
            before = line
        is_full = before is not None and before.right - left >= _least(before) * (right - left)
    return drafts


def _begins(before: Fragment, line: Fragment, filled: float, pitch: float) -> bool:
    """Returns whether `line` begins a paragraph after the line `before`; `filled` is where that ends, as a fraction
    (0–1) of the column's width, `pitch` the usual distance from line to line (0: unknown)."""
    if not _alike(before.size, line.size) or _BULLET.match(line.text):
        return True
    is_ended, goes_on = SENTENCE_END.search(before.text), line.text[0].islower()
    if pitch and line.top - before.top > _STEP * pitch:
        return bool(is_ended or not goes_on)
    if _DIVIDED.search(before.text):
        return False
    if is_ended:
        return filled < _SHORT or line.left - before.left > _INDENT * line.size
    return not goes_on and filled < _least(line)


def _least(line: Fragment) -> float:
    """The share of a column's width that a line of running text fills at least; without blanks lines are even."""
    return _SHORT if is_wide(line.text[-1]) else _LIST


def _paragraph_to_continue(drafts: Sequence[_ParagraphDraft], line: Fragment, is_full: bool) -> _ParagraphDraft | None:
    """The paragraph whose sentence continues in the first line of a column or page, None if none does; `is_full` is
    whether the last line of the column before fills it."""
    goes_on = line.text[0].islower()
    for draft in reversed(drafts[-_BACK:]):
        if draft.is_open and _alike(draft.size, line.size) and not _BULLET.match(line.text):
            is_last = draft is drafts[-1] and (is_full or len(draft.lines) > 1)  # and no heading, nor line of a list
            return draft if goes_on or is_last else None
    return None


def _alike(size: float, other: float) -> bool:
    """Returns whether two sizes of type count as the same."""
    return max(size, other) < _LARGER * min(size, other)


def _join_lines(pieces: Sequence[str], words: Mapping[str, int], counts: Counter[str]) -> str:
    """Lines joined to a text; a word divided at a line's end is written in the form (with or without hyphen) that
    `words`, a count of the book's words, has more often. Words joined without hyphen are counted in `counts`."""
    text = pieces[0]
    for line in pieces[1:]:
        divided, rest = _DIVIDED.search(text), _LETTERS.match(line)
        if divided and rest and rest[0].casefold() not in _HANGING:
            whole, compound = f"{divided[1]}{rest[0]}", f"{divided[1]}-{rest[0]}"
            is_name = rest[0][0].isupper() and not divided[1].isupper()
            if is_name or words.get(compound.casefold(), 0) > words.get(whole.casefold(), 0):
                text += line
            else:
                counts[DIVIDED] += 1
                text = text[:-1] + line
        elif _SPAN_MARK.search(text) or is_wide(text[-1]) or is_wide(line[0]):
            text += line
        else:
            text += f" {line}"
    return text


def text_pages(lines: Iterable[str]) -> list[Page]:
    """Pages of a text with form feeds between them, as `pdftotext` writes it, labelled from 1.

    Coordinates are in characters and lines; text after three blanks, as with `-layout`, becomes a fragment that can be
    in another column.
    """
    pages: list[list[Fragment]] = [[]]
    number = 0
    for line in lines:
        for place, piece in enumerate(line.split("\f")):
            if place:
                pages.append([])
            number += 1
            for found in _PIECE.finditer(piece.expandtabs().rstrip("\u00ad")):
                text = found[0].replace("\u00ad", "")
                text += "-" if piece.endswith("\u00ad") and found.end() == len(piece) - 1 else ""
                pages[-1].append(Fragment(text, found.start(), number, found.end(), number + 1, 1.0))
    if not pages[-1]:
        pages.pop()  # a form feed ends the last page
    return [Page(str(place), page) for place, page in enumerate(pages, 1)]
