"""What stands right before and right after a name: a word on either side, or a sign where words are not parted."""

from __future__ import annotations

import re

EDGE = "<edge>"
"""What stands before a name that begins its text, and after one that ends it; no word, for words have no such signs."""
_REACH = 60  # characters that a word has at most
_UNPARTED = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"  # kana and Han
_WORD = re.compile(rf"\s*([^\W{_UNPARTED}]+|\S)")


def words_beside(text: str, start: int, end: int) -> tuple[str, str]:
    """The words, or signs, right before and right after what stands at [start, end), in small letters; else `EDGE`."""
    before = _WORD.match(text[max(0, start - _REACH) : start][::-1])
    after = _WORD.match(text[end : end + _REACH])
    return before[1][::-1].lower() if before else EDGE, after[1].lower() if after else EDGE
