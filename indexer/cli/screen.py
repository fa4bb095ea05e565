"""Text for a terminal: how many columns a text takes, cutting and wrapping it to them, bars."""

from __future__ import annotations

import re
import shutil
import sys
import unicodedata
from collections.abc import Sequence

_PLAIN_WIDTH = 100  # columns without a terminal
_NARROWEST, _WIDEST = 40, 120


def width() -> int:
    """The columns that a screen is laid out for: the terminal's, but 40 at least and 120 at most;
    100 if stdout is not a terminal."""
    if not sys.stdout.isatty():
        return _PLAIN_WIDTH
    return min(max(shutil.get_terminal_size().columns, _NARROWEST), _WIDEST)


_CLOSING = "、。，．！？：；）］｝」』】〉》〕〗”’%％"  # what does not begin a line
# What is not broken: a word, or one full-width character, with the marks that close it.
_UNIT = re.compile(
    rf"[^\S\n]*(?:[^\s\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef]+|\S)[{_CLOSING}]*"
)
_EIGHTHS = " ▏▎▍▌▋▊▉"


def columns(text: str) -> int:
    """Width of a text in columns: full-width characters take two, combining marks and format
    characters none."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(character: str) -> int:
    """Columns of one character: 0 for marks and format characters, 2 for wide ones, else 1."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def pad(text: str, width: int, right: bool = False) -> str:
    """The text with blanks up to a width, before it (`right`) or after it; a longer text
    unchanged."""
    blanks = " " * (width - columns(text))
    return blanks + text if right else text + blanks


def beginning(text: str, width: int) -> str:
    """The longest prefix of a text that takes at most `width` columns (full-width characters take
    two)."""
    left = width
    for position, character in enumerate(text):
        left -= _columns(character)
        if left < 0:
            return text[:position]
    return text


def shorten(text: str, width: int) -> str:
    """The text, cut to `width` columns (at least one) with … at its end if it is longer."""
    return text if columns(text) <= width else beginning(text, width - 1).rstrip() + "…"


def wrap(text: str, widths: Sequence[int], most: int = 0) -> list[str]:
    """The text in lines of at most these widths in columns (one at least), the last width for all
    further lines; runs of white space are one blank; [""] for an empty text.

    Lines break between words, and anywhere between full-width characters but before closing marks;
    a word longer than a line goes on in the next. A positive `most` limits the number of lines; the
    last then ends in … if text is left out.
    """
    lines = [""]

    def limit() -> int:
        """Columns of the last of the lines."""
        return max(1, widths[min(len(lines), len(widths)) - 1])

    for unit in _UNIT.findall(" ".join(text.split())):
        if columns(lines[-1] + unit) <= limit():
            lines[-1] += unit
            continue
        rest = unit.lstrip()
        lines += [""] if lines[-1] else []
        while columns(rest) > limit():
            lines[-1] = beginning(rest, limit()) or rest[0]
            rest = rest[len(lines[-1]) :]
            lines.append("")
        lines[-1] = rest
    if most and len(lines) > most:
        del lines[most:]
        lines[-1] = beginning(lines[-1], limit() - 1).rstrip() + "…"
    return lines


def bar(value: float, low: float, high: float, width: int) -> str:
    """A horizontal bar of `width` columns from zero to a value, on the scale from `low` (≤ 0) to
    `high` (≥ 0), to an eighth of a column.

    If `low` is negative, │ marks zero and a negative value is drawn to its left, in whole columns.
    Any value but 0 is seen: it has the smallest bar at least. The value lies on the scale.
    """
    before = 0  # columns to the left of zero
    if low < 0:
        before = max(1, round((width - 1) * -low / (high - low)))
        before = min(before, width - 2) if high > 0 else before
    mark = "│" if low < 0 else ""
    after = width - before - len(mark)
    if value < 0:
        size = min(before, max(1, round(before * value / low)))
        return " " * (before - size) + "█" * size + mark + " " * after
    eighths = max(round(value / high * after * 8), 1) if value > 0 and after else 0
    whole, part = divmod(eighths, 8)
    return " " * before + mark + ("█" * whole + _EIGHTHS[part].strip()).ljust(after)
