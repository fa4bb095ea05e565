"""Labels of choices (A, b, ア, ②): their series, and which choice an answer in a key means."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from answerer.formats.question_file.parts import LabelledChoice

SERIES = (
    *("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"),
    *("アイウエオカキクケコサシスセソ", "あいうえおかきくけこさしすせそ", "甲乙丙丁戊"),
)
SYMBOLS = tuple(
    "".join(map(chr, range(ord(first), ord(first) + count)))
    for first, count in (("①", 20), ("⑴", 20), ("❶", 10), ("Ⓐ", 26), ("ⓐ", 26), ("⒜", 26), ("㋐", 15))
)
"""Labels that need no bracket: circled and bracketed digits, letters and kana."""

EM_SPACE = "\u2003"
"""A wide blank in half-width text: it parts choices as two blanks do."""

_HALF_WIDTH = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
_HALF_WIDTH |= {code: ord(unicodedata.normalize("NFKC", chr(code))) for code in range(0xFF66, 0xFF9E)}
_HALF_WIDTH |= dict(zip(map(ord, "　【】〔〕［］〈〉《》"), map(ord, f"{EM_SPACE}[][][]<><>"), strict=True))
_AND = re.compile(r"\s*(?:[,;/&+、，・]|\band\b|\bor\b|と)\s*|\s+", re.IGNORECASE)
_OPTION = re.compile(r"\s*(?:option|choice|alternative|選択肢)\s+(?=\W*\w{1,2}\b)", re.IGNORECASE)
_COUNTED = re.compile(r"^\W*(\w{1,2})番目?\W*$")
_AROUND = " \t([<{)]>}.。:*_"


def half_width(text: str) -> str:
    """The text with ASCII signs, blanks, brackets and kana in one width; every character keeps its place."""
    return text.translate(_HALF_WIDTH)


def folded(text: str) -> str:
    """The text as answers are compared with choices: NFKC, lower case, single blanks, no full stop at its end."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split()).rstrip(".。 ")


def plain_label(label: str) -> str:
    """A label in plain characters: half-width, circled ones as digits or letters, without brackets."""
    if label and label in SYMBOLS[2]:
        return str(SYMBOLS[2].index(label) + 1)
    return unicodedata.normalize("NFKC", label).strip(_AROUND)


def right_choices(choices: Sequence[LabelledChoice], answer: str, first: int = 1) -> tuple[int, ...]:
    """The places (from 0) of the choices that an answer means; () if it means none.

    In this order: the label of a choice, the text of one, a position (`first`, `first` + 1, … or A, B, …), a label
    followed by text (`B) Paris`), several labels (`A, C`; `AC`).
    """
    answer = _COUNTED.sub(r"\1", _OPTION.sub("", answer))
    place = _place(choices, answer, first)
    if place is not None:
        return (place,)
    opened = re.match(r"\s*[(\[<]?\s*(\w{1,2}?)\s*(?:[)\]>.:、]|\s[-–—]\s)", half_width(answer))
    if opened and (place := _place(choices, opened[1], first)) is not None:
        return (place,)
    plain = unicodedata.normalize("NFKC", answer).strip(_AROUND)
    parts = [part for part in _AND.split(plain) if part]
    if len(parts) == 1 and plain.isalpha() and len(plain) <= len(choices):
        parts = list(plain)
    places = [_place(choices, part, first) for part in parts]
    found = tuple(dict.fromkeys(place for place in places if place is not None))
    return found if len(parts) > 1 and None not in places else ()


def _place(choices: Sequence[LabelledChoice], answer: str, first: int) -> int | None:
    """The place of the one choice of that label, text or position."""
    wanted = plain_label(answer.strip()).casefold()
    for keys in ([plain_label(one.label).casefold() for one in choices], None):
        compared, key = (keys, wanted) if keys else ([folded(one.text) for one in choices], folded(answer))
        if key and compared.count(key) == 1:
            return compared.index(key)
    position = int(wanted) - first if re.fullmatch(r"[0-9]{1,2}", wanted) else -1
    for series in SERIES[1:]:
        if len(wanted) == 1 and wanted in series:
            position = series.index(wanted)
    return position if 0 <= position < len(choices) else None
