"""Books with pages: the pages of a PDF, and their lines put together to paragraphs."""

from __future__ import annotations

import ctypes
import math
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby, islice, pairwise
from statistics import median
from typing import Any, NamedTuple, cast

from indexer.files.encoding import read_whole
from indexer.files.errors import bad_input
from indexer.files.inputs import MIB
from indexer.files.messages import warn
from indexer.files.progress import with_progress
from indexer.files.versions import install_hint
from indexer.ingest_report import leave_out
from indexer.sandbox import Sandbox, WorkerDiedError
from indexer.sources.textbook.apparatus import is_in_glossary
from indexer.sources.textbook.cut_pdf import complete_pdf, is_cut
from indexer.sources.textbook.reading_order import LARGER, Fragment, Page, blocks, is_wide, lines

# Running heads, running feet and page numbers, which are left out.

_DEEP = 3  # lines from the edge of a page among which heads and feet are looked for
_PAGES = 3  # that have a head or foot in common, at least; of a file of two pages both
# pages from one with a head to the next: left and right pages differ, and a chapter's first has
# none
_NEAR = 4
# not the parts of a date or time
_NUMBER = re.compile(r"(?<![a-z\d.,])(?<!\d[/:–-])\d{1,5}(?![a-z\d]|[.,]\d|[/:–-]\d+[/:–-]\d)")
# what counts chapters and not pages, in the languages of page numbers
_CHAPTER = re.compile(
    r"\W*(?:chapter|section|part|unit|lesson|book|act|scene|kapitel|teil|abschnitt|chapitre|partie"
    r"|capítulo|capitolo|parte)\W*#\W*|\W*第?\W*#\W*[章節节課课部編编回講讲巻卷].*"
)
_SAME_PLACE = 3.0  # sizes of the type by which the height of a head may differ from page to page
_BARE = re.compile(
    r"[\W_]*(?:(?:page|p|pp|seite|第)[\W_]*)?#(?:[\W_]*(?:of|von|/)[\W_]*\d+|ページ|頁|页)?[\W_]*"
)


# What lines of several pages share: their text, with `#` for a number that increases with the
# pages, and that number minus the page's position; None for text without such a number.
_LineKey = tuple[str, int | None]


class _MarginLine(NamedTuple):
    """A line at the edge of a page: its page and edge, the number of lines further out, and the
    keys that it may share with lines of other pages."""

    page: int
    edge: str
    depth: int
    line: Fragment
    keys: Sequence[_LineKey]


def _margin_lines(pages: Sequence[Page]) -> Iterator[_MarginLine]:
    """Yields the three outermost lines at the head of each page, the three at its foot, outermost
    first, and all turned ones, with their keys: a line of type 1.1 times that of most text or
    larger has no page number, it is a heading."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for fragment in page.fragments:
            sizes[fragment.size] += len(fragment.text)
    largest = LARGER * max(sizes, key=lambda size: (sizes[size], -size), default=0.0)
    for number, page in enumerate(pages):
        upright = lines(page.fragments)  # whatever columns the page has
        turned = [line for group in page.turned for line in lines(group)]
        for edge, outermost in (
            ("heads", upright[:_DEEP]),
            ("feet", upright[: -_DEEP - 1 : -1]),
            ("sides", turned),
        ):
            for depth, line in enumerate(outermost):
                text = line.text.casefold()
                keys = list[_LineKey]()
                if line.size < largest:
                    for match in _NUMBER.finditer(text):
                        rest = f"{text[: match.start()]}#{text[match.end() :]}"
                        if not _CHAPTER.fullmatch(rest):
                            bare = "#" if _BARE.fullmatch(rest) else rest
                            keys.append((bare, int(match[0]) - number))
                keys += [(text, None)] if any(map(str.isalnum, text)) else []
                yield _MarginLine(number, edge, depth, line, keys)


def without_margins(
    pages: Sequence[Page],
    counts: Counter[str],
    is_drawn: bool = False,
    is_text: Callable[[str], object] = lambda line: False,
) -> list[Page]:
    """The pages without page numbers, running heads and running feet, which are counted in
    `counts`; page labels are taken from the numbers.

    A line is a head or foot if it is one of the three outermost, all further out are, and the same
    line is on at least three pages (of two both), each within four of the next, so that a heading
    such as `Exercises` on a page now and then is not. A number in it that increases with the pages
    may differ; once three pages have such a number in the same form, a line that begins or ends
    with it is one on any page. On pages that are drawn (`is_drawn`) it is at the same height on all
    of them. Lines for which `is_text` is true stay. Pages without a number are labelled by counting
    on from the page before, the first ones back from the first number, "" below 1. Where most pages
    would have no text left, all are returned unchanged.
    """
    rows = list(_margin_lines(pages))
    repeated = _repeated(rows, min(_PAGES, max(len(pages), 2)))
    tops: dict[tuple[str, _LineKey], list[float]] = defaultdict(list)
    for row in rows:
        for key in row.keys:
            tops[row.edge, key].append(row.line.top)
    heights = {key: median(positions) for key, positions in tops.items()} if is_drawn else {}
    removed: dict[int, list[Fragment]] = defaultdict(list)
    reached: Counter[tuple[int, str]] = Counter()
    offsets: dict[int, int] = {}
    reasons = list[tuple[str, str]]()
    for row in rows:
        line = row.line
        keys = [
            key
            for key in row.keys
            if row.page in repeated[key]
            and abs(line.top - heights.get((row.edge, key), line.top)) <= _SAME_PLACE * line.size
        ]
        is_next = row.edge == "sides" or reached[row.page, row.edge] == row.depth
        if not keys or not is_next or line in removed[row.page] or is_text(line.text):
            continue
        reached[row.page, row.edge] += 1
        removed[row.page].append(line)
        offsets.update((row.page, offset) for _, offset in keys if offset is not None)
        reason = f"running {'heads' if row.edge == 'sides' else row.edge}"
        reasons.append(("page numbers" if keys[0][0] == "#" else reason, line.text))
    offset = offsets[min(offsets)] if offsets else 0
    bodies = []
    for number, page in enumerate(pages):
        offset = offsets.get(number, offset)
        counted = str(max(number + offset, 0) or "") if offsets else page.label
        groups = [_outside(group, removed[number]) for group in (page.fragments, *page.turned)]
        bodies.append(page._replace(label=counted, fragments=groups[0], turned=groups[1:]))
    filled = sum(bool(page.fragments) for page in pages)
    if sum(bool(page.fragments) for page in bodies) * 2 < filled:
        return list(pages)
    for reason, text in reasons:
        leave_out(counts, reason, text)
    return bodies


def _repeated(rows: Sequence[_MarginLine], least: int) -> Mapping[_LineKey, set[int]]:
    """Maps each key of lines to the pages on which it is a head, foot or page number: those in runs
    of at least `least` pages, or all where page numbers in its forms together are in such a run."""
    pages_of: dict[_LineKey, list[int]] = defaultdict(list)
    for row in rows:
        for key in row.keys:
            pages_of[key].append(row.page)
    repeated = {key: _in_runs(numbers, least) for key, numbers in pages_of.items()}
    numbered: dict[int | None, list[_LineKey]] = defaultdict(list)  # page numbers by their offsets
    for text, offset in pages_of:
        if offset is not None and (text == "#" or text.startswith("#") != text.endswith("#")):
            numbered[offset].append((text, offset))
    for keys in numbered.values():
        # heads of left and right pages and of chapters differ, but one of the forms comes again
        is_form = any(len(set(pages_of[key])) > 1 for key in keys)
        if is_form and _in_runs([number for key in keys for number in pages_of[key]], least):
            repeated.update((key, set(pages_of[key])) for key in keys)
    return repeated


def _outside(fragments: Sequence[Fragment], removed: Sequence[Fragment]) -> list[Fragment]:
    """The fragments, in order, that do not lie wholly between the top and the bottom of one of the
    removed lines."""
    bands = [(line.top, line.bottom) for line in removed]
    return [
        fragment
        for fragment in fragments
        if not any(t <= fragment.top and fragment.bottom <= b for t, b in bands)
    ]


def _in_runs(numbers: Sequence[int], least: int) -> set[int]:
    """The numbers in runs of at least `least` different ones, with steps of at most 4."""
    runs: list[list[int]] = [[]]
    for number in sorted(set(numbers)):
        if runs[-1] and number - runs[-1][-1] > _NEAR:
            runs.append([])
        runs[-1].append(number)
    return {number for run in runs if len(run) >= least for number in run}


# Paragraphs out of the lines of pages: divided words joined, sentences carried over columns and
# pages, headings.

SENTENCE_END = re.compile(r"[.!?。！？][\"'”’」』)）\]]*(?:\d{1,3}|\[\d{1,3}\])?$")
"""A line that may end a paragraph; the number of a note may be behind the sentence."""

_HEADING = 120  # characters of a heading at most
_SECTION = re.compile(r"\d+(?:\.\d+)+\.?\s+[^\W\d_]")  # the number of a section and its title
_LARGER_SECTION = 1.05  # times the size of most text such a heading has at least: 12 to 11 points
_ALONE = 80  # and of one that is known by its being short and alone
_STEP = 1.35  # times the usual distance of lines: space between paragraphs
_INDENT = 0.8  # sizes of the type
_SHORT = 0.85  # of the column's width: what ends earlier may be a paragraph's last line
# of its width: what ends earlier without ending a sentence is a line of a list or a heading
_LIST = 0.6
_BACK = 4  # paragraphs over which a sentence may go on: notes, captions and boxes come between
_BULLET = re.compile(r"[•▪◦●■□▶‣⁃]\s?")
_WORD = re.compile(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")
_DIVIDED = re.compile(r"([^\W\d_]+)[-‐]$")
_LETTERS = re.compile(r"[^\W\d_]+")
_TAIL = 100  # characters at a paragraph's end in which its last word is
_HANGING = frozenset(("and", "or", "to", "und", "oder", "bis"))  # pre- and post-war
_SPAN_MARK = re.compile(r"\w[–—/]$")
_PIECE = re.compile(r"\S+(?:\s{1,2}\S+)*")


class PageParagraph(NamedTuple):
    """A paragraph or heading, and its page, `212` or `212–213`, "" if unknown. `term` is its
    beginning in bold type before other text, in a list of definitions the term with its colon; ""
    without such."""

    text: str
    page: str = ""
    is_heading: bool = False
    term: str = ""


@dataclass
class _ParagraphDraft:
    """An unfinished paragraph: its lines, its type size, the labels of its first and last page,
    what is set in bold at its beginning, and whether it is a table's row."""

    lines: list[str]
    size: float
    first: str
    last: str
    bold: str
    is_row: bool

    @property
    def is_open(self) -> bool:
        """True if its last line does not end in `.`, `!`, `?` or `。`, perhaps with quotes,
        brackets or the number of a note behind it, and is no table's row."""
        return not self.is_row and not SENTENCE_END.search(self.lines[-1])


def page_paragraphs(
    pages: Sequence[Page], counts: Counter[str], pitch: float | None = None
) -> list[PageParagraph]:
    """The paragraphs of a book in reading order, without margins; `counts` counts what is left out,
    by its kind. Paragraphs without a letter or digit are dropped.

    `pitch` is the distance from line to line (of a text, not drawn pages), by default the median
    for each type size. Lines are grouped by their distances, indents and lengths; an unfinished
    sentence continues in the next column or on the next page, over notes and captions. A word
    divided at a line's end is joined as the book writes it elsewhere. A heading is set 1.1 times as
    large as most of the text (1.05 if it is a line with a number as 4.2.1 before it that does not
    end a sentence) and has at most 120 characters or, if all has one size, is a single line of at
    most 80 that does not end a sentence.
    """
    for page in pages:
        for reason, text in page.left_out:
            leave_out(counts, reason, text)
        if not page.fragments and not page.left_out:
            leave_out(counts, "pages without text", f"page {page.label}")
    bodies = without_margins(pages, counts, is_drawn=pitch is None)
    columns = [
        (page.label, column)
        for page in bodies
        for group in (page.fragments, *page.turned)
        for column in blocks(group)
        if column
    ]
    sizes: Counter[float] = Counter()
    words: Counter[str] = Counter()
    steps: dict[float, list[float]] = defaultdict(list)  # from line to line for each size of type
    for _, column in columns:
        for line in column:
            sizes[line.size] += len(line.text)
            words.update(word.casefold() for word in _WORD.findall(line.text.rstrip("-‐")))
        for line, after in pairwise(column):
            if line.size == after.size:
                steps[line.size].append(after.top - line.top)
    pitches = (
        dict.fromkeys(sizes, pitch)
        if pitch
        else {size: median(distances) for size, distances in steps.items()}
    )
    most = max(sizes, key=lambda size: (sizes[size], -size), default=0.0)
    paragraphs = []
    for draft in _drafts(columns, pitches):
        length = sum(map(len, draft.lines))
        if len(sizes) == 1:
            is_heading = len(draft.lines) == 1 and length <= _ALONE and draft.is_open
        else:
            is_numbered = len(draft.lines) == 1 and _SECTION.match(draft.lines[0])
            larger = _LARGER_SECTION if is_numbered and draft.is_open else LARGER
            is_heading = draft.size >= larger * most and length <= _HEADING
        text = _join_lines(draft.lines, words, counts)
        if any(map(str.isalnum, text)):
            is_span = draft.last not in (draft.first, "")
            page_label = f"{draft.first}–{draft.last}".strip("–") if is_span else draft.first
            term = draft.bold if draft.bold != text else ""
            paragraphs.append(PageParagraph(text, page_label, is_heading, term))
    return paragraphs


def _drafts(
    columns: Iterable[tuple[str, Sequence[Fragment]]], pitch: Mapping[float, float]
) -> list[_ParagraphDraft]:
    """Groups the lines of columns, given as (page label, lines), into paragraphs; `pitch` maps a
    type size to its usual distance from line to line (0: unknown).

    A line begins a paragraph as a table's row, at another type size, a bullet, a beginning in bold
    type (in a glossary or at a larger distance) or, in type 1.05 times as large, the number of a
    section; else, unless a sentence or a divided word goes on, at a larger distance, after a short
    line, or (after a sentence's end) at an indent. In the first line of a column the sentence of
    one of the last paragraphs may go on; that paragraph is then the last."""
    drafts: list[_ParagraphDraft] = []
    is_full = False  # whether the last line of the column before fills it
    glossary = 0.0  # size of the type of the entries of a glossary; 0 outside of one
    for label, column in columns:
        before: Fragment | None = None
        edges: dict[float, tuple[float, float]] = {}
        for line in column:
            least, most = edges.get(line.size, (line.left, line.right))
            edges[line.size] = min(least, line.left), max(most, line.right)
        for line in column:
            left, right = edges[line.size]
            # The share of a column's width that running text fills at least; without blanks lines
            # are even.
            shortest = _SHORT if is_wide(line.text[-1]) else _LIST
            if drafts and is_in_glossary(drafts[-1].lines[0]):
                glossary = line.size
            elif line.size >= LARGER * glossary:
                glossary = 0.0
            distance = line.top - before.top if before else 0.0
            is_apart = 0 < _STEP * pitch.get(line.size, 0) < distance
            is_section = before is not None and line.size >= _LARGER_SECTION * before.size
            is_item = (
                line.is_row
                or _BULLET.match(line.text) is not None
                or (line.bold > 0 and (glossary > 0 or is_apart))
                or (is_section and _SECTION.match(line.text) is not None)
            )
            draft: _ParagraphDraft | None = None
            if before is None and not is_item:
                draft = _draft_before(drafts, line, is_full=is_full)
            elif before and not is_item and _alike(before.size, line.size):
                filled = (before.right - left) / max(right - left, 1)
                is_begun = _begins(before, line, filled, shortest, is_apart=is_apart)
                draft = None if is_begun else drafts[-1]
            if draft is None:
                bold = line.text[: line.bold]
                drafts.append(
                    _ParagraphDraft([line.text], line.size, label, label, bold, line.is_row)
                )
            else:
                draft.lines.append(line.text)
                draft.last = label
                if draft is not drafts[-1]:  # what interrupted its sentence comes before it
                    drafts.append(drafts.pop(drafts.index(draft)))
            before = line
            is_full = line.right - left >= shortest * (right - left)
    return drafts


def _draft_before(
    drafts: Sequence[_ParagraphDraft], line: Fragment, *, is_full: bool
) -> _ParagraphDraft | None:
    """Which of the last four paragraphs goes on in the first line of a column: the last of its type
    whose sentence is open; None without one. A line that does not begin with a small letter goes on
    only in the last paragraph, if that has several lines or its last one fills the column
    (`is_full`): not in a heading or list."""
    waiting = (
        draft
        for draft in reversed(drafts[-_BACK:])
        if draft.is_open and _alike(draft.size, line.size)
    )
    draft = next(waiting, None)
    if draft is None or line.text[0].islower():
        return draft
    return draft if draft is drafts[-1] and (is_full or len(draft.lines) > 1) else None


def _begins(
    before: Fragment, line: Fragment, filled: float, shortest: float, *, is_apart: bool
) -> bool:
    """Whether a line begins a paragraph below one of its type, which fills the share `filled` of
    the column. If there is space between them (`is_apart`): unless a sentence goes on in a small
    letter. Else not behind a divided word; behind a sentence's end if that line is short (0.85) or
    the new one indented; elsewhere if that fills less than `shortest` and no small letter follows.
    """
    is_ended, goes_on = SENTENCE_END.search(before.text) is not None, line.text[0].islower()
    if is_apart:
        return is_ended or not goes_on
    if _DIVIDED.search(before.text):
        return False
    if is_ended:
        return filled < _SHORT or line.left - before.left > _INDENT * line.size
    return not goes_on and filled < shortest


def _alike(size: float, other: float) -> bool:
    """Returns whether two sizes of type count as the same: the larger is under 1.1 times the
    other."""
    return max(size, other) < LARGER * min(size, other)


def _join_lines(pieces: Sequence[str], words: Mapping[str, int], counts: Counter[str]) -> str:
    """Lines (one or more) joined to a text, with a blank except beside Japanese or Chinese letters
    and behind a dash or slash; a word divided at a line's end is written in the form (with or
    without hyphen, which ties leave out) that `words`, a count of the book's words, has more often.
    The hyphen stays before a capital, and with a blank before "and", "or" and "to", in German too.
    Words joined without hyphen are counted in `counts`."""
    text = pieces[0]
    for line in pieces[1:]:
        divided, rest = _DIVIDED.search(text, max(len(text) - _TAIL, 0)), _LETTERS.match(line)
        if divided and rest and rest[0].casefold() not in _HANGING:
            whole, compound = f"{divided[1]}{rest[0]}", f"{divided[1]}-{rest[0]}"
            is_name = rest[0][0].isupper() and not divided[1].isupper()
            if is_name or words.get(compound.casefold(), 0) > words.get(whole.casefold(), 0):
                text += line
            else:
                counts["hyphens at line ends"] += 1
                text = text[:-1] + line
        elif _SPAN_MARK.search(text[-2:]) or is_wide(text[-1]) or is_wide(line[0]):
            text += line
        else:
            text += f" {line}"
    return text


def text_pages(lines: Iterable[str]) -> list[Page]:
    """Pages of a text with form feeds between them, as `pdftotext` writes it, labelled from 1.

    Coordinates are in characters and lines, which are counted on from page to page; text after
    three blanks, as with `-layout`, becomes a fragment that can be in another column. A last page
    without text is dropped; soft hyphens are hyphens at a line's end, else dropped.
    """
    pages: list[list[Fragment]] = [[]]
    number = 0
    for line in lines:
        for position, piece in enumerate(line.split("\f")):
            if position:
                pages.append([])
            number += 1
            # soft hyphens show at the end
            shown = re.sub("\u00ad$", "-", piece.expandtabs()).replace("\u00ad", "")
            for match in _PIECE.finditer(shown):
                start, end = match.span()
                pages[-1].append(Fragment(match[0], start, number, end, number + 1, 1.0))
    if not pages[-1]:
        pages.pop()  # a form feed ends the last page
    return [Page(str(number), page) for number, page in enumerate(pages, 1)]


# Raised numbers: of a note behind a word, or a power of what is before them.

_LAST_WORD = re.compile(r"(?:[^\W\d_]+|\d)$")
_UNITS = frozenset("in km cm mm dm nm ft mi yd sec kg".split())  # that occur in powers


def is_power(text: str) -> bool:
    """Whether a raised number behind a text is a power: of a digit, a variable (one letter) or a
    unit of length, mass or time in `_UNITS`. Behind a word, a punctuation mark or nothing it is
    that of a note."""
    word = _LAST_WORD.search(text)
    return word is not None and (len(word[0]) == 1 or word[0] in _UNITS)


def number_of_note(number: str, before: str) -> str:
    """How a raised number of a note that is left out is shown: with what is before it."""
    return f"{number.strip()} behind “{before[-20:].lstrip()}”"


# The pages of a PDF, read with PDFium in a sandboxed process.

_LARGEST = 512 * MIB  # bytes of a file; it is held in memory beside what PDFium makes of it
_SECONDS = 900  # of the processor for a whole book; 600 pages take seven
_GAP = 1.2  # sizes of the type: text further off is in another column or cell
_RAISED = 0.2  # sizes of the type by which the base line of a note's number is higher, at least
_SMALLER = 0.85  # of the size of the type before it such a number has at most
_INITIAL = 1.8  # times the size of the text behind it an initial over several lines has, at least
_SIDEWAYS = 1.5  # sizes of the type: longer pieces that run the other way are separate lines
_SPACED = 1.25  # sizes of the type from letter to letter of a line downwards, at most
_SLANT = 15  # degrees: text that runs in directions this far apart is read by itself
_NOTE = re.compile(r"[\d*†‡§¶,]+")
_ACROSS = (
    0.6  # sizes of the type by which a letter of a line may be higher or lower than the one before
)
PICTURES = "pages that are pictures"
_UNTOLD = "letters that cannot be told"
_CUT_OFF = "pages behind the end of a file that is cut off"
_UNREAD = "pages that cannot be read"
_DEATHS = 3  # pages of a book that may end its reader
WIDE_BLANK = "\u3000"
_HYPHENS = (
    "\x02\ufffe\u00ad"  # what PDFium gives for a hyphen that divides a word at the end of a line
)


class _PdfSource(NamedTuple):
    """A PDF to read: its path, or `data`, its bytes, which the path then names; and whether blanks
    between Japanese or Chinese letters, of which running text has none, are kept."""

    path: str
    data: bytes | None = None
    keeps_wide_blanks: bool = False


def pdf_pages(
    path: str, data: bytes | None = None, *, keeps_wide_blanks: bool = False
) -> Iterator[Page]:
    """Yields the pages of a PDF in order, labelled as in the file, else by their numbers from 1.

    A page on which the reader fails has no text. Of a file whose end is missing, the pages that are
    in it. Raises UserError: the extra is not installed, protected by a password, damaged, over 512
    MiB, or its reader failed at the start, on more than three pages, or took over 900 s.
    """
    source = _PdfSource(path, data, keeps_wide_blanks)
    try:
        import pypdfium2  # noqa: F401  (it is used in the other process)
    except ImportError:
        what = "a PDF, which takes the extra `documents` to read"
        raise bad_input(path, None, what, f"`{install_hint('documents')}`") from None
    with Sandbox(_read, seconds=_SECONDS) as reader:
        try:
            answers = reader(source)
            total = cast("int", next(answers))
        except WorkerDiedError as error:
            what = f"not a PDF that can be read ({error})"
            raise bad_input(path, None, what, "repair it, or save its text") from None
        pages = _remaining(source, reader, cast("Iterator[Page]", answers), total)
        yield from with_progress(pages, "pages", total, "pages")


def pages_with_text(
    path: str,
    data: bytes | None = None,
    limit: int | None = None,
    *,
    keeps_wide_blanks: bool = False,
) -> list[Page]:
    """The pages of a PDF, the first `limit` (None: all), as `pdf_pages` yields them; warns of one
    whose end is missing if its last page is among them. Raises UserError too if none has text."""
    pages = list(islice(pdf_pages(path, data, keeps_wide_blanks=keeps_wide_blanks), limit))
    if not any(page.fragments for page in pages):
        pictures = sum(reason == PICTURES for page in pages for reason, _ in page.left_out)
        what = f"a PDF whose {len(pages):,} pages hold no text"
        if pictures:
            what = f"no text layer: {pictures:,} of {len(pages):,} pages are pictures"
        raise bad_input(path, None, what, "recognise its text first, for example with `ocrmypdf`")
    if any(reason == _CUT_OFF for reason, _ in pages[-1].left_out):
        warn(f"{path}: its end is missing, {len(pages):,} pages are read; download it again")
    return pages


def _remaining(
    source: _PdfSource, reader: Sandbox[int | Page], answers: Iterator[Page], total: int
) -> Iterator[Page]:
    """Yields the pages of a PDF, of which `total` are expected; where its reader dies on a page,
    that has no text, and another begins at the next. Raises UserError when it dies for the fourth
    time."""
    path, number, deaths = source.path, 0, 0
    while True:
        try:
            for page in answers:
                yield page
                number += 1
            return
        except WorkerDiedError as error:
            deaths += 1
            if deaths > _DEATHS:
                what = f"not a PDF that can be read after page {number + 1} ({error})"
                raise bad_input(path, None, what, "repair it, or save its text") from None
            yield Page(str(number + 1), (), (), [(_UNREAD, f"page {number + 1} ({error})")])
            number += 1
            if number >= total:
                return
            answers = _pages_from(source, reader, number)


def _pages_from(source: _PdfSource, reader: Sandbox[int | Page], first: int) -> Iterator[Page]:
    """Yields the pages from the number `first` (from 0), without their number, which comes first;
    opens the PDF only when they are asked for."""
    answers = reader(source, first)
    next(answers)
    yield from cast("Iterator[Page]", answers)


def _read(source: _PdfSource, first: int = 0) -> Iterator[int | Page]:
    """Yields a PDF's number of pages, then each page from the position `first` (from 0); in the
    sandbox. A page that cannot be read has no text. Raises UserError for a damaged file, one with a
    password and one over 512 MiB."""
    import pypdfium2

    path, data = source.path, source.data
    document, ends_early = _open_document(
        path, read_whole(path, _LARGEST) if data is None else data
    )
    yield len(document)
    with suppress(pypdfium2.PdfiumError):
        document.init_forms()
    for number in range(first, len(document)):
        label = document.get_page_label(number) or str(number + 1)
        try:
            page = _read_page(document[number], label, source.keeps_wide_blanks)
        except pypdfium2.PdfiumError:
            page = Page(label, (), (), [(_UNREAD, f"page {label}")])
        if ends_early and number == len(document) - 1:
            left_out = [*page.left_out, (_CUT_OFF, f"after page {label}")]
            page = page._replace(left_out=left_out)
        yield page


def _open_document(path: str, data: bytes) -> tuple[Any, bool]:
    """The pypdfium2 document of a file's bytes, and whether its end is missing, then with the whole
    pages alone. Raises UserError, which names `path`, for a damaged one and one with a password."""
    import pypdfium2
    from pypdfium2 import raw

    try:
        return pypdfium2.PdfDocument(data), False
    except pypdfium2.PdfiumError as error:
        if error.err_code == raw.FPDF_ERR_PASSWORD:
            what = "a PDF that is locked with a password"
            raise bad_input(path, None, what, "save a copy without a password") from None
    what, remedy = "a damaged PDF", "repair it, or save its text"
    if is_cut(data):
        what, remedy = "a PDF whose end is missing, with no whole page", "download it again"
        with suppress(pypdfium2.PdfiumError):
            whole = complete_pdf(data)
            if whole:
                return pypdfium2.PdfDocument(whole), True
    raise bad_input(path, None, what, remedy)


def _read_page(page: Any, label: str, keeps_wide_blanks: bool) -> Page:
    """The text of a pypdfium2 page, which is closed, and the values of the fields of its form below
    it. `turned` is the text of directions with fewer letters, most first; `left_out` has hidden
    text, numbers of notes and letters that cannot be determined, and of a page without text whether
    it is such letters or a picture."""
    from pypdfium2 import raw

    unreadable = _widen_lines(page)
    text = page.get_textpage()
    try:
        letters, left_out = _letters(text)
    finally:
        text.close()
    groups: dict[tuple[int, bool], list[_Letter]] = defaultdict(list)
    for letter in letters:
        groups[letter.direction].append(letter)
    written = [
        part
        for direction, group in groups.items()
        for part in _by_writing(_upright(group, direction))
        if part
    ]
    written.sort(key=len, reverse=True)
    upright = [_with_initials(_fragments(part, left_out, keeps_wide_blanks)) for part in written]
    fragments = upright[0] if upright else []
    below = max((fragment.bottom for fragment in fragments), default=0.0)
    for value in _field_values(page):
        below += 2.0 * _FIELD
        fragments.append(
            Fragment(value, 0.0, below, len(value) * _FIELD / 2, below + _FIELD, _FIELD)
        )
    if not fragments and next(page.get_objects([raw.FPDF_PAGEOBJ_TEXT], max_depth=3), None):
        left_out.append(("pages whose letters cannot be told", f"page {label}"))
    elif unreadable:
        left_out += [(_UNTOLD, f"page {label}")] * unreadable
    elif not fragments and next(page.get_objects([raw.FPDF_PAGEOBJ_IMAGE], max_depth=3), None):
        left_out.append((PICTURES, f"page {label}"))
    page.close()
    return Page(label, fragments, upright[1:], left_out)


_THIN = 0.01  # points: PDFium takes no text that is less wide
_SHEAR = 0.002  # of the height of a line downwards: wide enough, and not to be seen


def _widen_lines(page: Any) -> int:
    """Shears the lines downwards of a pypdfium2 page in a font that is not in the file, for which
    PDFium takes a width of 0; returns the number of those of one letter, which stay without
    text."""
    from pypdfium2 import raw

    left, bottom = ctypes.c_float(), ctypes.c_float()
    right, top = ctypes.c_float(), ctypes.c_float()
    matrix = raw.FS_MATRIX()
    unreadable = 0
    for number in range(raw.FPDFPage_CountObjects(page)):
        item = raw.FPDFPage_GetObject(page, number)
        if raw.FPDFPageObj_GetType(item) != raw.FPDF_PAGEOBJ_TEXT:
            continue
        raw.FPDFPageObj_GetBounds(item, left, bottom, right, top)
        if right.value - left.value >= _THIN:
            continue
        raw.FPDFPageObj_GetMatrix(item, matrix)
        # a letter hangs below the middle of its upper edge; what is empty has no place
        is_letter = top.value - bottom.value < _THIN and 0 < left.value < matrix.e - _THIN
        unreadable += is_letter
        raw.FPDFPageObj_Transform(item, 1, 0, _SHEAR, 1, -_SHEAR * bottom.value, 0)
    return unreadable


_FIELD = 10.0  # points: the size of the type of a field's value, which a form draws by itself


def _field_values(page: Any) -> Iterator[str]:
    """Yields what is written in the text and combo fields of a page, as `NAME: VALUE`, the value
    alone without a name; empty ones are skipped."""
    from pypdfium2 import raw

    form = page.formenv
    if form is None:
        return
    for number in range(raw.FPDFPage_GetAnnotCount(page)):
        annotation = raw.FPDFPage_GetAnnot(page, number)
        if not annotation:
            continue
        kind = raw.FPDFAnnot_GetFormFieldType(form, annotation)
        if kind in (raw.FPDF_FORMFIELD_TEXTFIELD, raw.FPDF_FORMFIELD_COMBOBOX):
            name, value = (
                _wide_text(read, form, annotation)
                for read in (raw.FPDFAnnot_GetFormFieldName, raw.FPDFAnnot_GetFormFieldValue)
            )
            if value.strip():
                yield f"{name}: {value}" if name.strip() else value
        raw.FPDFPage_CloseAnnot(annotation)


def _wide_text(read: Callable[..., int], *of: object) -> str:
    """What a function of PDFium writes in UTF-16 with a NUL behind it."""
    size = read(*of, None, 0)
    buffer = ctypes.create_string_buffer(size)
    read(*of, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), size)
    return buffer.raw.decode("utf-16-le", "ignore").rstrip("\0")


class _Letter(NamedTuple):
    """A letter of a page: the origin of its base line and its box in the page's points (downwards),
    the size of its type, its direction (in steps of `_SLANT` degrees, and whether it is mirrored),
    what stood before it: "" or a blank or line end, and whether the name of its font says bold."""

    text: str
    x: float
    y: float
    left: float
    top: float
    right: float
    bottom: float
    size: float
    direction: tuple[int, bool]
    before: str
    is_bold: bool


_ADDRESSES = (ctypes.c_void_p,) * 4


def _plain_function(function: Any, result: Any, *arguments: Any) -> Callable[..., Any]:
    """A function of PDFium that takes addresses as numbers."""
    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    return ctypes.PYFUNCTYPE(result, *arguments)(address)


def _letters(page: Any) -> tuple[list[_Letter], list[tuple[str, str]]]:
    """The printable letters of a pypdfium2 text page in the order of its content, with origin, box,
    size, direction and the blank before; hyphens and ligatures are plain. A letter that its font
    does not name is U+FFFD; if over a third are, none is returned. Second, pairs (reason, text):
    letters smaller than half a point, which are not among them, all as one, and each that is not
    named."""
    from pypdfium2 import raw

    address = ctypes.cast(page.raw, ctypes.c_void_p).value
    x, y, left, right, top, bottom = (ctypes.c_double() for _ in range(6))
    matrix = raw.FS_MATRIX()
    origin = tuple(map(ctypes.addressof, (x, y)))
    box = tuple(map(ctypes.addressof, (left, right, bottom, top)))
    # called for each letter, which takes a third of the time with plain addresses
    number_type, arguments = ctypes.c_uint, (ctypes.c_void_p, ctypes.c_int)
    unicode_of = _plain_function(raw.FPDFText_GetUnicode, number_type, *arguments)
    origin_of = _plain_function(
        raw.FPDFText_GetCharOrigin, number_type, *arguments, *_ADDRESSES[:2]
    )
    box_of = _plain_function(raw.FPDFText_GetCharBox, number_type, *arguments, *_ADDRESSES)
    object_of = _plain_function(raw.FPDFText_GetTextObject, ctypes.c_void_p, *arguments)
    letters: list[_Letter] = []
    hidden: list[str] = []
    unknown: list[str] = []  # what is before the letters that are not known
    before, half = "", 0
    run = object()
    size, direction, is_bold = 1.0, (0, False), False
    name, flags = ctypes.create_string_buffer(_FONT_NAME), ctypes.c_int()
    for number in range(page.count_chars()):
        code = unicode_of(address, number)
        if 0xD800 <= code < 0xDC00:  # of a letter above U+FFFF, whose other half follows
            half = code
            continue
        if 0xDC00 <= code < 0xE000:
            if not half:
                continue
            code = 0x10000 + ((half - 0xD800) << 10) + (code - 0xDC00)
        half = 0
        if code > sys.maxunicode:  # what a damaged font maps to is not a letter
            continue
        text = chr(code)
        if text in _HYPHENS:
            text = "-"
        elif 0xFB00 <= code <= 0xFB06:  # ligatures become their letters
            text = unicodedata.normalize("NFKC", text)
        if text.isspace():
            before = "\n" if text in "\r\n" or before == "\n" else " "
            continue
        if 0x80 <= code <= 0x9F:  # of a font that numbers its letters as Windows does
            text = bytes([code]).decode("cp1252", "ignore") or _UNKNOWN
        elif unicodedata.category(text) == "Cc":  # of a font that does not say which letter it is
            text = _UNKNOWN
        elif not text.isprintable():
            continue
        origin_of(address, number, *origin)
        box_of(address, number, *box)
        if text == _UNKNOWN:
            if right.value <= left.value:
                continue
            unknown.append("".join(letter.text for letter in letters[-10:]))
        owner = object_of(address, number)
        if owner != run or owner is None:
            run = owner
            raw.FPDFText_GetMatrix(page.raw, number, matrix)
            font_size = raw.FPDFText_GetFontSize(page.raw, number)
            size = abs(font_size) * math.hypot(matrix.c, matrix.d)
            angle = math.degrees(math.atan2(matrix.b, matrix.a))
            if font_size < 0:  # turns the letters upside down, as often the matrix does again
                angle += 180
            is_mirrored = matrix.a * matrix.d < matrix.b * matrix.c
            raw.FPDFText_GetFontInfo(page.raw, number, name, _FONT_NAME, flags)
            is_bold = _BOLD.search(name.value) is not None
            direction = round(angle / _SLANT) % (360 // _SLANT), is_mirrored
        height = max(top.value - bottom.value, right.value - left.value)
        if size < _LEAST and height < _LEAST:
            hidden.append(text)
            continue
        at = x.value, -y.value, left.value, -top.value, right.value, -bottom.value
        shown = size if size >= _LEAST else height
        letters.append(_Letter(text, *at, shown, direction, before, is_bold))
        before = ""
    left_out = [("hidden text", "".join(hidden))] if hidden else []
    if 3 * len(unknown) > len(letters):
        return [], left_out
    return letters, left_out + [(_UNTOLD, f"behind “{before}”") for before in unknown]


_FONT_NAME = 128  # bytes of the name of a font
_UNKNOWN = "\ufffd"
_BOLD = re.compile(rb"bold|black|heavy|demi|cmbx", re.IGNORECASE)
_LEAST = 0.5  # points: type that is smaller is not to be seen


def _turn_letter(letter: _Letter, cosine: float, sine: float, is_mirrored: bool) -> _Letter:
    """A letter turned by the angle of this cosine and sine, and upside down if mirrored, so that
    its text runs to the right and downwards."""
    down = -1.0 if is_mirrored else 1.0

    def turn(x: float, y: float) -> tuple[float, float]:
        return x * cosine - y * sine, down * (x * sine + y * cosine)

    at_x, at_y = turn(letter.x, letter.y)
    corners = [turn(x, y) for x in (letter.left, letter.right) for y in (letter.top, letter.bottom)]
    xs, ys = zip(*corners, strict=True)
    return letter._replace(x=at_x, y=at_y, left=min(xs), right=max(xs), top=min(ys), bottom=max(ys))


def _upright(group: Sequence[_Letter], direction: tuple[int, bool]) -> Sequence[_Letter]:
    """Letters that all run in `direction` (steps of 15°, mirrored), turned upright."""
    step, is_mirrored = direction
    if not step and not is_mirrored:
        return group
    angle = math.radians(step * _SLANT)
    cosine, sine = round(math.cos(angle), 6), round(math.sin(angle), 6)
    return [_turn_letter(letter, cosine, sine, is_mirrored) for letter in group]


def _by_writing(letters: Sequence[_Letter]) -> tuple[list[_Letter], list[_Letter]]:
    """The letters written from left to right, and those written from top to bottom, turned by a
    right angle.

    Most letters of a page follow each other one way; some lines of it may run the other way, as the
    heads of a book in vertical writing. Two digits side by side in such a line are part of it.
    """
    steps = []
    for before, after in pairwise(letters):
        across, along = after.x - before.x, after.y - before.y
        is_near = math.hypot(across, along) < 2 * before.size
        if not is_near:
            steps.append(0)
        elif along > abs(across):
            steps.append(1)
        else:
            steps.append(-1)
    usual = 1 if sum(steps) > 0 else -1
    is_down = [usual > 0] * len(letters)
    start = 0
    for step, run in groupby(steps):
        end = start + len(list(run))
        if step == -usual:
            first, last = letters[start], letters[end]
            length = last.x - first.x if usual > 0 else last.y - first.y
            line = letters[start : end + 1]
            # in a page from left to right only wide letters, close together, are a line downwards
            is_close = length <= (end - start) * _SPACED * first.size
            is_line = usual > 0 or (is_close and all(is_wide(letter.text) for letter in line))
            if is_line and length > _SIDEWAYS * first.size:
                is_down[start : end + 1] = [usual < 0] * len(line)
        start = end
    level = [letter for letter, down in zip(letters, is_down, strict=True) if not down]
    vertical = [
        letter._replace(
            x=letter.y,
            y=-letter.x,
            left=letter.top,
            top=-letter.right,
            right=letter.bottom,
            bottom=-letter.left,
        )
        for letter, down in zip(letters, is_down, strict=True)
        if down
    ]
    return level, vertical


def _fragments(
    letters: Sequence[_Letter], left_out: list[tuple[str, str]], keeps_wide_blanks: bool
) -> list[Fragment]:
    """Fragments of upright letters: neighbouring letters of a line, in the order of the content; a
    gap of 1.2 sizes of the type, a line end and an initial end a fragment. Its height is that of
    its type at the first letter's base line, whichever letters it has. Raised numbers of notes are
    added to `left_out`."""
    pieces: list[list[_Letter]] = []
    for letter in letters:
        last = pieces[-1][-1] if pieces else letter
        # PDFium may begin a line at the raised number of a note
        is_raised = (
            _NOTE.fullmatch(letter.text)
            and letter.size <= _SMALLER * last.size
            and last.y - letter.y >= _RAISED * last.size
        )
        if letter.before == "\n" and is_raised and letter.left >= last.right:
            letter = letter._replace(before="")
        if pieces and letter.before != "\n":
            size = max(last.size, letter.size)
            # wide letters fill a square
            gap = letter.x - last.x - size if is_wide(last.text) else letter.left - last.right
            is_initial = len(pieces[-1]) == 1 and last.size >= _INITIAL * letter.size
            is_level = abs(letter.y - last.y) <= _ACROSS * size
            if is_level and -size < gap < _GAP * size and not is_initial:
                pieces[-1].append(letter)
                continue
        pieces.append([letter])
    return [_fragment(piece, left_out, keeps_wide_blanks) for piece in pieces]


def _length_of_note_number(piece: Sequence[_Letter], size: float) -> int:
    """How many letters at the beginning of a piece of a line, of type of this `size`, are the
    raised number of a note whose text follows: a blank, or a word of three letters or more, which
    no sign of an element is (²³Na)."""
    count = 0
    while count < len(piece) and (
        _NOTE.fullmatch(piece[count].text) and piece[count].size <= _SMALLER * size
    ):
        count += 1
    if not 0 < count < len(piece) or piece[count].y - piece[0].y < _RAISED * size:
        return 0
    word = "".join(letter.text for letter in piece[count : count + 3])
    is_broken = any(letter.before for letter in piece[count + 1 : count + 3])
    return (
        count if piece[count].before or (len(word) == 3 and word.isalpha() and not is_broken) else 0
    )


_BLANK = 0.2  # sizes of the type between two words, at least; narrower than most blanks (0.25)
_NARROW_BLANK = 4.0  # times the usual gap between letters
_EVEN_STEP = 0.05  # sizes of the type by which the steps of a typewriter's letters differ, at most
_TYPEWRITER = 0.8  # of the steps of a line that are even in such type, at least


def _with_blanks(piece: Sequence[_Letter], size: float) -> list[_Letter]:
    """The letters of a line, with a blank before those that are as far behind the one before as a
    word, but that PDFium gives none; not between wide letters, which fill a square, nor inside of a
    number, nor in a typewriter's type, whose narrow letters are far from each other."""
    joined = [
        (before, after)
        for before, after in pairwise(piece)
        if not (after.before or is_wide(before.text) or is_wide(after.text))
    ]
    if not joined:
        return [*piece]
    gap = median(after.left - before.right for before, after in joined)
    step = median(after.x - before.x for before, after in joined)
    even = sum(abs(after.x - before.x - step) <= _EVEN_STEP * size for before, after in joined)
    if even >= _TYPEWRITER * len(joined):
        return [*piece]
    least = max(_BLANK * size, _NARROW_BLANK * gap)
    apart = {
        after
        for before, after in joined
        if after.left - before.right >= least
        and not (before.text.isdecimal() and after.text.isdecimal())
    }
    return [letter._replace(before=" ") if letter in apart else letter for letter in piece]


def _fragment(
    piece: Sequence[_Letter], left_out: list[tuple[str, str]], keeps_wide_blanks: bool
) -> Fragment:
    """The fragment of some letters of a line, without raised numbers of notes, which are added to
    `left_out`, and that of a note before its text; powers get a `^` (`10^-5`), another raised
    number before its word (¹⁴C) stays."""
    size = Counter(round(letter.size, 1) for letter in piece).most_common(1)[0][0] or piece[0].size
    piece = _with_blanks(piece, size)
    if count := _length_of_note_number(piece, size):
        number = "".join(letter.text for letter in piece[:count])
        left_out.append(("notes", f"{number} before its note"))
        piece = [piece[count]._replace(before=piece[0].before), *piece[count + 1 :]]
    base = piece[0].y
    text = raised = before = ""  # `before` is what stood before the raised letters
    bold = 0
    for letter in (*piece, None):
        is_raised = (
            letter is not None
            and letter.size <= _SMALLER * size
            and (text or raised)
            and (_NOTE.fullmatch(letter.text) or _is_minus(letter, text, raised))
            and base - letter.y >= _RAISED * size
        )
        if letter is not None and is_raised:
            before = before if raised else letter.before
            raised += letter.text
            continue
        if raised:
            if raised in _MINUS:  # of an ion: Cl−
                text += raised
            elif before and letter is not None and not letter.before:  # raised before its word: ¹⁴C
                text += f" {raised}"
            elif before or not is_power(text):
                left_out.append(("notes", number_of_note(raised, text)))
            else:  # a power: of a number, a variable or a unit
                text += f"^{raised}"
            raised = ""
        if letter is not None:
            if letter.before and text:
                is_whole = is_wide(text[-1]) or is_wide(letter.text)
                if not is_whole:
                    text += " "
                elif keeps_wide_blanks:
                    text += WIDE_BLANK
            is_beginning = letter.is_bold and bold == len(text.rstrip())
            text += letter.text
            bold = len(text) if is_beginning else bold
    last = piece[-1]
    right = max(last.right, last.x + last.size) if is_wide(last.text) else last.right
    return Fragment(text, piece[0].left, base - 0.8 * size, right, base + 0.2 * size, size, bold)


_MINUS = frozenset("-−–")


def _is_minus(letter: _Letter, text: str, raised: str) -> bool:
    """Whether a letter behind `text` begins a negative power: a minus, no letters `raised` before
    it."""
    return letter.text in _MINUS and not (letter.before or raised) and is_power(text)


def _with_initials(fragments: list[Fragment]) -> list[Fragment]:
    """Fragments of which an initial (one capital, at least 1.8 times as large as those at its
    right) is joined to the first of these, with a blank behind it if it is a word, I or A."""
    joined = list(fragments)
    for initial in fragments:
        if len(initial.text) > 1 or not initial.text.isupper():
            continue
        beside = [
            fragment
            for fragment in joined
            if initial.size >= _INITIAL * fragment.size
            and -0.5 * fragment.size <= fragment.left - initial.right <= 1.5 * fragment.size
            and initial.top - fragment.size <= fragment.top
            and fragment.bottom <= initial.bottom + 0.5 * fragment.size
        ]
        if not beside:
            continue
        first = min(beside, key=lambda fragment: (fragment.top, fragment.left))
        # I and A may be whole words
        is_word = initial.text in "AI" and first.left - initial.right > 0.25 * first.size
        text = f"{initial.text}{' ' if is_word else ''}{first.text}"
        joined[joined.index(first)] = first._replace(text=text, bold=0)
        joined.remove(initial)
    return joined
