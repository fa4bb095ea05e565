"""Long runs of one kind of mark inside a question: no word, number or gap is so long, and patterns labour at them.

A search for a number tries every digit as its beginning and goes on to the end of the run: its work grows with the
square of the run. Questions are read through here, so that they take time in proportion to their length.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from indexer.files.messages import warn

if TYPE_CHECKING:
    from lxml import etree

LONGEST = 500
"""Characters of one kind in a row that are read; no sentence has so many, not even in classical Chinese."""

LONGEST_QUESTION = 10_000

_KINDS = (
    r"(?:\d|[^\w\s])",  # digits and signs: 1,1,1,… is one number to some patterns
    "[A-Za-z\u00c0-\u024f]",
    "[\u3041-\u309f]",  # hiragana
    "[\u30a0-\u30ff\uff66-\uff9f]",  # katakana
    "[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]",  # Han
    r"[\W_]",
)
_RUN = re.compile("|".join(f"{kind}{{{LONGEST + 1},}}" for kind in _KINDS))


def without_long_runs(text: str, where: str) -> str:
    """A question's text with runs of one kind (digits and signs, Latin letters, kana, Han) cut at `LONGEST` characters.

    A cut is told as a warning that begins with `where`. A text without such runs, as all are, comes back as it is.
    """
    cut = _RUN.sub(lambda run: run[0][:LONGEST], text)
    if cut != text:
        warn(f"{where}: a run of more than {LONGEST} marks of one kind; its first {LONGEST} are read")
    return cut


def bearable_question(text: str, where: str) -> str:
    """A question's text without long runs, and of one that is longer than any question the first 10,000 characters.

    What is left out is told. Patterns that may begin anywhere and go on to a word behind take time with the square.
    """
    if len(text) > LONGEST_QUESTION:
        warn(f"{where}: {len(text):,} characters; the first {LONGEST_QUESTION:,} are read")
    return without_long_runs(text[:LONGEST_QUESTION], where)


def cut_long_runs(elements: Iterable[etree._Element], file: str) -> None:
    """The same for all texts inside XML elements, in place."""
    for outer in elements:
        for element in outer.iter():
            where = f"{file}:{element.sourceline}"
            if element.text and len(element.text) > LONGEST:
                element.text = without_long_runs(element.text, where)
            if element is not outer and element.tail and len(element.tail) > LONGEST:
                element.tail = without_long_runs(element.tail, where)
