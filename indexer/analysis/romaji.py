"""Japanese names in Latin letters: the reading of a text in Hepburn's romaji."""

from __future__ import annotations

import re

# The rows of the syllabary by their consonants; Hepburn's exceptions, the rows that lack vowels, and small kana.
_KANA_ROWS = (
    "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモ"
    "ラリルレロガギグゲゴザジズゼゾダヂヅデドバビブベボパピプペポシチツフジヂヅヤユヨワヲンヴァィゥェォ"
)
_LATIN = [consonant + vowel for consonant in ["", *"kstnhmrgzdbp"] for vowel in "aiueo"]
_LATIN += "shi chi tsu fu ji ji zu ya yu yo wa o n v a i u e o".split()
_SYLLABLES = dict(zip(_KANA_ROWS, _LATIN, strict=True))
# Forms of characters that occur in names alone: ipadic knows the usual ones.
_VARIANTS = str.maketrans("﨑髙濵濱邊邉齋齊澤廣櫻德惠壽國眞瀨嶋嵜靜榮", "崎高浜浜辺辺斎斉沢広桜徳恵寿国真瀬島崎静栄")
_KANA = re.compile(r"[(\[]([ぁ-んァ-ヶー・]{4,})[)\]]")


def romaji(katakana: str) -> str:
    """Katakana in Hepburn's spelling, long vowels as short ones; characters other than kana are left out."""
    out = ""
    for character in katakana:
        if character in "ャュョ":
            # The small kana replaces the vowel i before it: シ + ャ is sha, キ + ャ is kya.
            vowel = "auo"["ャュョ".index(character)]
            out = out[:-1] + (vowel if out[-3:-1] in ("sh", "ch") or out[-2:-1] == "j" else "y" + vowel)
        else:
            out += _SYLLABLES.get(character, "")
    return short_vowels(out)


def short_vowels(text: str) -> str:
    """Lower case with ou, oo, oh, uu and aa as one vowel, as names of members are spelt one way or the other."""
    text = re.sub(r"oh(?=[^aeiou]|$)", "o", text.lower())
    return re.sub("ou|oo", "o", text).replace("uu", "u").replace("aa", "a")


def reading(text: str) -> str:
    """A name's reading in romaji: that of the kana in brackets behind it, else what ipadic reads."""
    from indexer.analysis.japanese import nodes

    text = text.translate(_VARIANTS)
    given = _KANA.search(text)
    read = ""
    for node in nodes(given[1] if given else text):
        # The eighth field of ipadic is the reading; words that it does not know lack it.
        parts = node.feature.split(",")
        read += parts[7] if len(parts) > 7 and parts[7] != "*" else node.surface
    return romaji("".join(chr(ord(one) + 96) if "ぁ" <= one <= "ゖ" else one for one in read))
