"""Names of persons: those of XBRL members, in Latin letters, compared with those of tables, in Japanese."""

from __future__ import annotations

import re
from functools import lru_cache

from answerer.u4.associations import bigrams, member_words

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
