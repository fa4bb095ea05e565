"""Members of a dimension beside the rows and columns of a table: names in romaji, one order laid over the other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from answerer.u4.associations import bigrams, member_words
from indexer.files.arrays import Float64Array

_LINES = (
    "アイウエオ カキクケコ サシスセソ タチツテト ナニヌネノ ハヒフヘホ マミムメモ ラリルレロ "
    "ガギグゲゴ ザジズゼゾ ダヂヅデド バビブベボ パピプペポ"
)
_CONSONANTS = ["", *"kstnhmrgzdbp"]
_SYLLABLES = {
    kana: consonant + vowel
    for line, consonant in zip(_LINES.split(), _CONSONANTS, strict=True)
    for kana, vowel in zip(line, "aiueo", strict=True)
}
_SYLLABLES |= dict(
    zip(
        "シチツフジヂヅヤユヨワヲンヴァィゥェォ",
        "shi chi tsu fu ji ji zu ya yu yo wa o n v a i u e o".split(),
        strict=True,
    )
)
_VARIANTS = str.maketrans("﨑髙濵濱邊邉齋齊澤廣櫻德惠壽國眞瀨嶋嵜靜榮", "崎高浜浜辺辺斎斉沢広桜徳恵寿国真瀬島崎静栄")
_KANA = re.compile(r"[(\[]([ぁ-んァ-ヶー・]{4,})[)\]]")
_DIAGONAL = 0.3  # worth of a row that is as far down its table as the member down its list; set by hand


def romaji(katakana: str) -> str:
    """Katakana in Hepburn's spelling, long vowels as short ones; characters other than kana are left out."""
    out = ""
    for character in katakana:
        if character in "ャュョ":
            vowel = "auo"["ャュョ".index(character)]
            out = out[:-1] + (vowel if out[-3:-1] in ("sh", "ch") or out[-2:-1] == "j" else "y" + vowel)
        else:
            out += _SYLLABLES.get(character, "")
    return short_vowels(out)


def short_vowels(text: str) -> str:
    """Lower case with ou, oo, oh, uu and aa as one vowel, as names of members are spelt one way or the other."""
    text = re.sub(r"oh(?=[^aeiou]|$)", "o", text.lower())
    return re.sub("ou|oo", "o", text).replace("uu", "u").replace("aa", "a")


@lru_cache(maxsize=1 << 15)
def reading(text: str) -> frozenset[str]:
    """The bigrams of a name's reading in romaji: the kana in brackets behind it, else what ipadic reads."""
    from indexer.analysis.japanese import nodes

    text = text.translate(_VARIANTS)
    given = _KANA.search(text)
    read = ""
    for node in nodes(given[1] if given else text):
        parts = node.feature.split(",")
        read += parts[7] if len(parts) > 7 and parts[7] != "*" else node.surface
    katakana = "".join(chr(ord(one) + 96) if "ぁ" <= one <= "ゖ" else one for one in read)
    return frozenset(bigrams(romaji(katakana)))


def closeness(member: str, text: str) -> float:
    """Dice of a member's name and a text's reading over bigrams of romaji, 0 to 1."""
    own = reading(text)
    said = {gram for word in member_words(member) for gram in bigrams(short_vowels(word)) if len(gram) == 2}
    return 2 * len(own & said) / (len(own) + len(said)) if own and said else 0.0


def lay_over(scores: Float64Array, units: Sequence[int]) -> dict[int, int]:
    """The row or column of each member, by the number of the member, for the order that the members and units keep.

    `scores` is (members, units). Of all ways to lay the one order over the other the one with the highest sum is
    taken (Needleman and Wunsch, 1970, without a price of gaps).
    """
    members, width = scores.shape
    if not members or not width:
        return {}
    down, across = np.indices(scores.shape)
    scores = scores + _DIAGONAL * (1 - np.abs(down / max(1, members - 1) - across / max(1, width - 1)))
    best = np.zeros((members + 1, width + 1))
    for row in range(members):
        best[row + 1, 1:] = np.maximum.accumulate(np.maximum(best[row, 1:], best[row, :-1] + scores[row]))
    found = {}
    row, column = members, width
    while row and column:
        if best[row, column] == best[row, column - 1]:
            column -= 1
        elif best[row, column] == best[row - 1, column]:
            row -= 1
        else:
            row, column = row - 1, column - 1
            found[row] = units[column]
    return found
