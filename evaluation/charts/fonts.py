"""Fonts of this machine that have the characters of a figure, Chinese and Japanese ones too."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from matplotlib.font_manager import fontManager, get_font

_FIRST = "DejaVu Sans"  # comes with matplotlib
_BOXES = "Last Resort"  # comes with it too, and has a box for every character
_PREFERRED = ("Noto Sans CJK JP", "Noto Sans JP", "IPAexGothic", "IPAGothic", "Noto Sans CJK SC", "WenQuanYi Zen Hei")


def families_for(text: str) -> tuple[list[str], str]:
    """The families to draw a text with, in the order in which they are tried, and the characters that none has."""
    missing = {character for character in text if not character.isspace()}
    families: list[str] = []
    for family, path in _fonts():
        found = missing & _characters(path)
        if found or not families:
            families.append(family)
            missing -= found
        if not missing:
            break
    return families, "".join(sorted(missing))


def _fonts() -> Iterator[tuple[str, str]]:
    """Upright fonts of common weight: the one that is always there, those made for Chinese and Japanese, all others."""
    order = {name: place for place, name in enumerate((_FIRST, *_PREFERRED))}
    plain = {
        entry.name: entry.fname
        for entry in fontManager.ttflist
        if entry.style == "normal" == entry.variant and not entry.name.startswith(_BOXES)
    }
    for name in sorted(plain, key=lambda name: (order.get(name, len(order)), name)):
        yield name, plain[name]


@cache
def _characters(path: str) -> frozenset[str]:
    try:
        return frozenset(map(chr, get_font(path).get_charmap()))
    except (OSError, RuntimeError):  # a font that cannot be read has nothing
        return frozenset()
