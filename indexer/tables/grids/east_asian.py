"""Which East Asian encoding a text is in whose language is not known: the one in which its characters are common."""

from __future__ import annotations

from functools import cache

from indexer.files.encoding import IDEOGRAPH_IN_A_WORD, SAMPLE_SIZE, text_in, utf8_share

_COMMON_SHARE = 0.9
_UTF8_LINES = 0.1
_LEAST = 4
"""Different characters beyond ASCII that a text needs: fewer may be common by chance."""

_RARE = (frozenset((1, 4, 8, 10, 13)), frozenset((3, 10, 15)), frozenset(range(28)) - {0, 1, 4, 8, 16, 17, 19, 20, 21})
"""Beginnings (ㄲㄸㅃㅆㅉ), vowels (ㅒㅙㅞ) and ends (all but ㄱㄴㄹㅁㅂㅅㅆㅇ) that few Korean words have, as Unicode
numbers them: kanji in EUC-JP are Korean syllables too, but of any kind."""

_TRAIL = range(0xA1, 0xFF)
_KANJI = ("euc-jp", (range(0xA4, 0xA6), range(0xB0, 0xD0)), (_TRAIL,))
_COMMON = {
    "euc-kr": ("euc-kr", (range(0xB0, 0xC9),), (_TRAIL,)),
    "euc-jp": _KANJI,
    "cp932": _KANJI,
    "big5": ("big5", (range(0xA4, 0xC7),), (range(0x40, 0x7F), _TRAIL)),
    "gb18030": ("gb2312", (range(0xB0, 0xD8),), (_TRAIL,)),
}
"""Of each encoding the plane of its common characters, as their standards order them: the character set, first and
second bytes. Of several that fit alike the first is meant: it has fewer of them."""


def east_asian_encoding(sample: bytes) -> str | None:
    """The encoding in which a sample (the first `SAMPLE_SIZE` bytes of a text) is read whole and to common characters.

    Common are nine in ten of its letters beyond ASCII, of at least four different ones, and not most of them stand
    alone in words of Latin letters. None where none is so, as of Western texts, and for one of which more than one line
    in ten is UTF-8.
    """
    if utf8_share(sample) > _UTF8_LINES:
        return None
    shares = {name: share for name in _COMMON if (share := _common_share(sample[:SAMPLE_SIZE], name)) >= _COMMON_SHARE}
    return max(shares, key=lambda name: shares[name], default=None)


def _common_share(sample: bytes, encoding: str) -> float:
    text = text_in(sample, encoding)
    letters = [character for character in text or "" if not character.isascii() and character.isalpha()]
    if text is None or len(set(letters)) < _LEAST or 2 * len(IDEOGRAPH_IN_A_WORD.findall(text)) > len(letters):
        return 0.0
    common = _common(encoding)
    return sum(letter in common for letter in letters) / len(letters)


@cache
def _common(encoding: str) -> frozenset[str]:
    charset, leads, trails = _COMMON[encoding]
    pairs = (bytes((lead, trail)) for part in leads for lead in part for second in trails for trail in second)
    characters = (pair.decode(charset, "replace") for pair in pairs)
    return frozenset(one for one in characters if one != "\ufffd" and (encoding != "euc-kr" or _is_plain(one)))


def _is_plain(syllable: str) -> bool:
    """Whether no part of a Korean syllable is rare."""
    number = ord(syllable) - 0xAC00
    parts = number // 588, number % 588 // 28, number % 28
    return not any(part in rare for part, rare in zip(parts, _RARE, strict=True))
