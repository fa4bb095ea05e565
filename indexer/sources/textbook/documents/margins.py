"""Running heads, running feet and page numbers: recognised by their repetition over pages, and taken out."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from indexer.sources.textbook.documents.layout import Fragment, Page, lines

_DEEP = 3  # lines from the edge of a page among which heads and feet are looked for
_PAGES = 3  # that have a head or foot in common, at least; of a file of two pages both
_NEAR = 4  # pages from one with a head to the next: left and right pages differ, and a chapter's first has none
_NUMBER = re.compile(r"(?<![a-z\d.,])\d{1,5}(?![a-z\d]|[.,]\d)")
_ROMAN = re.compile(r"[\W_]*([ivxlcdm]{1,8})[\W_]*")
_BARE = re.compile(r"[\W_]*(?:(?:page|p|pp|seite|第)[\W_]*)?#(?:[\W_]*(?:of|von|/)[\W_]*\d+|ページ|頁|页)?[\W_]*")


class _Key(NamedTuple):
    """What lines of several pages have in common: their text, or it with `#` for a number that goes with the pages.

    `offset` is that number less the page's position; of Roman numbers, which stand by themselves, it is not asked for.
    """

    text: str
    offset: int | None = None

    @property
    def is_page_number(self) -> bool:
        return self.offset is not None and (self.text == "#" or self.text.startswith("#") != self.text.endswith("#"))


class _Row(NamedTuple):
    """A line at an edge of a page: the page's position, the edge, how many lines are further out, and its keys."""

    page: int
    edge: str
    depth: int
    line: Fragment
    keys: Sequence[_Key]


def without_margins(pages: Sequence[Page], counts: Counter[str]) -> list[Page]:
    """The pages without page numbers, running heads and running feet, which are counted.

    A line is taken for a head or foot where it is one of the three outermost, all further out are, and the same stands
    on three pages at least, each within four of the next: a heading such as `Exercises` that opens a page now and then
    is none. A number in it that grows with the pages may differ; once three pages have such a number, a line that
    begins or ends with it is one on any page. These numbers become the labels of the pages, and of those without one
    as they are counted from the page before.
    """
    rows = [row for number, page in enumerate(pages) for row in _edge_rows(number, page)]
    repeated = _repeated(rows, min(_PAGES, max(len(pages), 2)))
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
    return [
        Page(
            labels.get(number, page.label),
            [one for one in page.fragments if not any(_is_of(one, line) for line in removed[number])],
        )
        for number, page in enumerate(pages)
    ]


def _is_of(fragment: Fragment, line: Fragment) -> bool:
    return line.top <= fragment.top and fragment.bottom <= line.bottom


def _edge_rows(number: int, page: Page) -> Iterator[_Row]:
    """The outermost lines of a page, whatever columns it has, from its edges inwards."""
    found = lines(page.fragments)
    for edge, outermost in (("heads", found[:_DEEP]), ("feet", found[: -_DEEP - 1 : -1])):
        for depth, line in enumerate(outermost):
            yield _Row(number, edge, depth, line, list(_keys(line.text.casefold(), number)))


def _keys(text: str, page: int) -> Iterator[_Key]:
    if _ROMAN.fullmatch(text):
        yield _Key("roman")
    for found in _NUMBER.finditer(text):
        rest = f"{text[: found.start()]}#{text[found.end() :]}"
        yield _Key("#" if _BARE.fullmatch(rest) else rest, int(found[0]) - page)
    if any(map(str.isalnum, text)):
        yield _Key(text)


def _repeated(rows: Sequence[_Row], least: int) -> Mapping[_Key, set[int]]:
    """The pages on which each key repeats: in runs of `least` pages or more that are near each other.

    A page number counts on any page where it goes with those of such a run, whatever stands beside it on each.
    """
    pages: dict[_Key, list[int]] = defaultdict(list)
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
    """Of rising numbers those in runs of `least` or more different ones, with steps of `_NEAR` at most."""
    found: set[int] = set()
    run: list[int] = []
    for number in [*dict.fromkeys(numbers), None]:
        if number is None or (run and number - run[-1] > _NEAR):
            found.update(run if len(run) >= least else ())
            run = []
        if number is not None:
            run.append(number)
    return found
