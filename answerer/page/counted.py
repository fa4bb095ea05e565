"""What was counted of a name, in words: what it stands beside, whether it is where the rest leads, its rivals there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

_OTHERS = 3


def counted_words(counted: Mapping[str, Any], say: Callable[[str], str]) -> list[str]:
    """Lines on one name of a trace's `counted`; `say` gives what the statement calls a name."""
    shown = list(counted["beside"])[:_OTHERS]
    beside = [
        _beside(say(str(other)), int(paragraphs), float(times), int(sections))
        for other, paragraphs, times, sections in shown
        if paragraphs or sections
    ]
    never = [say(str(other)) for other, paragraphs, _, sections in shown if not paragraphs and not sections]
    led, held = map(float, counted["led"])
    rivals = ", ".join(_rival(str(name), float(ahead)) for name, ahead in counted.get("rivals", ()))
    return [
        *(["stands together with " + ", ".join(beside)] if beside else []),
        *(["never stands together with " + ", ".join(never)] if never else []),
        f"stands in {led:.0%} of what the rest of the statement leads to (in {held:.1%} of the book)",
        *([f"others of its kind there: {rivals}"] if rivals else []),
    ]


def _beside(name: str, paragraphs: int, times: float, sections: int) -> str:
    if paragraphs:
        return f"{name} in {paragraphs} paragraph{'s' * (paragraphs > 1)} ({times:.2g} times chance)"
    return f"{name} only in {sections} section{'s' * (sections > 1)}"


def _rival(name: str, ahead: float) -> str:
    return f"{name.removeprefix('y:')} (fits {'worse' if ahead >= 0 else 'better'} by {abs(ahead):.2g})"
