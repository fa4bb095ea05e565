"""Japanese text to terms: MeCab with ipadic, base forms, no particles."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from indexer.analysis.name_finder import NameFinder
from indexer.analysis.text import (
    LONGEST_SENTENCE,
    NO_NAMES,
    NUMERALS,
    TERM_LIMIT,
    clean_term,
    is_katakana,
    normalise,
    numeral_value,
    split_long_text,
    split_sentences,
)

if TYPE_CHECKING:
    import MeCab

# MeCab with ipadic; the words of the last text are kept, for its terms and its names are read one
# after the other.

# ipadic's numbers of the parts of speech (its pos-id.def), much quicker to read than their names.
NOUNS = frozenset(range(36, 68))  # 名詞
PROPER_NOUNS = frozenset(range(41, 48))  # 名詞,固有名詞


@cache
def _tagger() -> MeCab.Tagger:
    """MeCab with ipadic, whose dictionary is read once a process."""
    import ipadic
    import MeCab

    return MeCab.Tagger(ipadic.MECAB_ARGS)


@lru_cache(maxsize=1)
def first_node(text: str) -> MeCab.Node:
    """First MeCab node of a parsed text; `next` of each node leads to the following one. Nodes are
    valid until the next text is parsed; a text parsed twice in a row is parsed once."""
    return _tagger().parseToNode(text)


def nodes(text: str) -> Iterator[MeCab.Node]:
    """Yields the MeCab node of each word of a text, without the begin and end nodes; nodes are
    valid until the next text is parsed."""
    node = first_node(text)
    while node:
        if node.surface:
            yield node
        node = node.next


def surfaces(text: str) -> list[str]:
    """The words of a text as they are written, without white space."""
    return [word for node in nodes(text) for word in node.surface.split()]


_ENDS = re.compile(r"[。！？!?]+[」』）)\]】]*")
_NO_TERMS = frozenset({*range(10), *range(13, 26)})  # その他, フィラー, 記号; 助詞, 助動詞
_NOUNS = NOUNS - {59, 60, 63, 64, 65, 66}  # without 代名詞 and 非自立
# 記号 of MeCab that are numerals after NFKC: numbers in circles, brackets and the like.
_NUMBER_SYMBOLS = re.compile("([²³¹¼-¾①-⒛⓪㆒-㆕㈠-㈩㉑-㉟㊀-㊉㊱-㊿🄀-🄊]+)")
# A line that is its own normal form, as most of a book's are: much quicker to tell than to make.
_NORMAL = re.compile("[ -@\\[-~ぁ-ゖァ-ヺ・ー、。「」『』々〆一-鿿]++")


@cache
def _clean(base: str) -> str:
    """The term of a base form; "" for one without a letter or digit, which is not a term."""
    term = clean_term(normalise(base))
    return term if any(map(str.isalnum, term)) else ""


@cache
def _base_term(feature: str) -> str | None:
    """The term of the base form that MeCab's features of a word give, "" for one that is not a
    term; None where the dictionary has no base form."""
    fields = feature.split(",")
    return _clean(fields[6]) if len(fields) > 6 and fields[6] != "*" else None


class JapaneseAnalyser:
    """Sentences end at 。！？!? with the brackets that close there; terms are base forms.

    Nouns are 名詞 but for 代名詞 and 非自立; 助詞, 助動詞 and 記号 are not terms, nor are symbols
    such as ①. A name of the glossary is one term and one noun more, the term that it names, before
    those of its words.

    In books numbers are one term each, the same in figures and in Chinese numerals: 二十三 and
    ２３, 5,200 and 五千二百, 3万 and 30000. Those of a chapter, section, page, figure or table are
    one term with its kind (図3.7, 7章).
    """

    def __init__(self, names: Mapping[str, str] = NO_NAMES, *, books: bool = False) -> None:
        """`names` maps each name that is to be found to its term; both are normalised here. With
        `books` a number is one term."""
        self._whole_numbers = books
        self._finder = NameFinder(names)
        self._names = {normalise(name): clean_term(normalise(term)) for name, term in names.items()}

    def sentences(self, text: str) -> list[str]:
        return split_sentences(text, _ENDS)

    def terms(self, text: str) -> list[str]:
        """Base forms of a text's words in order, repeats kept, without particles, auxiliary verbs
        and symbols, in books a number as one term; the term of a glossary name comes before the
        word in which the name begins, unless it is that word."""
        terms: list[str] = []
        for line in _lines(text):
            node = first_node(line)
            names = self._glossary_names(line) if self._names else None
            is_short = len(line) <= TERM_LIMIT
            end = 0  # of the word, in bytes
            while node:  # a build spends most of its time here
                if names:
                    end += node.rlength
                    terms += _names_begun(names, end, node.surface)
                speech = node.posid
                if speech in NOUNS:  # which do not inflect: the surface is the base form
                    term = node.surface
                    if speech == _NUMBER and self._whole_numbers and (number := _number_at(node)):
                        terms.append(number.term)
                        node, end = number.last, end + number.length
                    elif (is_short and term.isalnum()) or (term := _clean(term)):
                        terms.append(term)
                elif speech not in _NO_TERMS:
                    base = _base_term(node.feature)
                    if base or (base is None and (base := _clean(node.surface))):
                        terms.append(base)
                node = node.next
        return terms

    def nouns(self, text: str) -> list[str]:
        """Surfaces of a text's nouns in order, repeats kept, without pronouns and dependent nouns
        (非自立), in books a number as one term; the term of a glossary name comes before the word
        in which the name begins, unless it is that word."""
        nouns: list[str] = []
        for line in _lines(text):
            node, names = first_node(line), self._glossary_names(line)
            end = 0
            while node:
                if names:
                    end += node.rlength
                    nouns += _names_begun(names, end, node.surface)
                speech = node.posid
                if speech == _NUMBER and self._whole_numbers and (number := _number_at(node)):
                    nouns.append(number.term)
                    node, end = number.last, end + number.length
                elif speech in _NOUNS and (term := _clean(node.surface)):
                    nouns.append(term)
                node = node.next
        return nouns

    def _glossary_names(self, line: str) -> deque[tuple[int, str]]:
        """Beginning, in bytes, and term of each glossary name in a normalised line, in order, but
        for those cut out of a longer run."""
        return deque(
            (len(line[:start].encode()), self._names[line[start:end]])
            for start, end in self._finder.spans(line)
            if not any(map(_is_run, (line[max(0, start - 1) : start + 1], line[end - 1 : end + 1])))
        )


class _Number(NamedTuple):
    """A number as a term; `last` is its last node, `length` the bytes of its nodes behind the
    first."""

    term: str
    last: MeCab.Node
    length: int


def _number_at(node: MeCab.Node) -> _Number | None:
    """The number that begins at a node and goes on to the last numeral that no blank parts from it,
    with 図 or 表 before it and 章, 節, 課, 頁 or ページ after it in its term (neither is among its
    nodes); None where the node is no numeral (何, 数)."""
    text, last, length = node.surface, node, 0
    if text in ",." or not _is_numeral(text):
        return None
    following = node.next
    while following.rlength == following.length and _is_numeral(surface := following.surface):
        # a comma or point between digits alone
        if surface in ",." and not (text[-1].isdigit() and following.next.surface.isdigit()):
            break
        text, last, length = text + surface, following, length + following.rlength
        following = following.next
    kind = before if (before := node.prev.surface) in _FIGURES else ""
    counter = after if (after := following.surface) in _PLACES else ""
    return _Number(f"{kind}{in_figures(text)}{counter}"[:TERM_LIMIT], last, length)


_NUMBER = 48  # 名詞,数
_IN_NUMBER = re.compile(rf"[\d.,{NUMERALS}万億兆]+")
_FIGURES = ("図", "表")
_PLACES = ("章", "節", "課", "頁", "ページ")
_MYRIADS = {"万": 10**4, "億": 10**8, "兆": 10**12}
_PART = re.compile(rf"([\d.,{NUMERALS}]*)([万億兆]|\Z)")


@lru_cache(maxsize=10_000)
def _is_numeral(surface: str) -> bool:
    """Whether a word is of digits, points, commas and Chinese numerals alone."""
    return _IN_NUMBER.fullmatch(surface) is not None


@lru_cache(maxsize=10_000)
def in_figures(text: str) -> str:
    """A number of digits, points, commas and Chinese numerals in figures, 1.50万 as 15000; as it
    is, without its commas, where it is not one."""
    plain = text.replace(",", "")
    if plain.isdecimal() or not _is_numeral(plain):
        return plain
    total = Decimal(0)
    for digits, myriad in _PART.findall(plain):
        if digits or myriad:
            value = _part_value(digits or "1")
            if value is None:
                return plain
            total += value * _MYRIADS.get(myriad, 1)
    return f"{total.normalize():f}"


def _part_value(digits: str) -> Decimal | int | None:
    """The value of digits with a point, or of numerals below 万; None for other texts."""
    try:
        return Decimal(digits) if "." in digits else numeral_value(digits)
    except (ValueError, InvalidOperation):
        return None


def _lines(text: str) -> list[str]:
    """The lines of a text as MeCab reads them: normalised, but for symbols that the normal form
    would turn into numerals; a line of more than 5,000 characters, which MeCab parses slowly, is
    several pieces (`split_long_text`)."""
    if len(text) <= LONGEST_SENTENCE and _NORMAL.fullmatch(text):
        return [text]
    parts = enumerate(_NUMBER_SYMBOLS.split(text))
    normalised = "".join(part if number % 2 else normalise(part) for number, part in parts)
    return [piece for line in normalised.splitlines() for piece in split_long_text(line)]


def _names_begun(names: deque[tuple[int, str]], end: int, surface: str) -> list[str]:
    """Takes the glossary names that begin before the end of a word out of `names`; returns their
    terms, but for those equal to the word."""
    terms = []
    while names and names[0][0] < end:
        _, term = names.popleft()
        if term and term != surface:
            terms.append(term)
    return terms


def _is_run(pair: str) -> bool:
    """Returns whether two characters are of one run: katakana, or Latin letters and digits."""
    return len(pair) == 2 and (all(map(is_katakana, pair)) or (pair.isascii() and pair.isalnum()))


# Japanese names in Latin letters: the reading of a text in Hepburn's romaji.

# The rows of the syllabary by their consonants; Hepburn's exceptions, the rows that lack vowels,
# and small kana.
_KANA_ROWS = (
    "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモ"
    "ラリルレロガギグゲゴザジズゼゾダヂヅデドバビブベボパピプペポシチツフジヂヅ"
    "ヤユヨワヲンヴァィゥェォ"
)
_LATIN = [consonant + vowel for consonant in ["", *"kstnhmrgzdbp"] for vowel in "aiueo"]
_LATIN += "shi chi tsu fu ji ji zu ya yu yo wa o n v a i u e o".split()
_SYLLABLES = dict(zip(_KANA_ROWS, _LATIN, strict=True))
# Forms of characters that occur in names alone: ipadic knows the usual ones.
_VARIANTS = str.maketrans(
    "﨑髙濵濱邊邉齋齊澤廣櫻德惠壽國眞瀨嶋嵜靜榮", "崎高浜浜辺辺斎斉沢広桜徳恵寿国真瀬島崎静栄"
)
_KANA_IN_BRACKETS = re.compile(r"[(\[]([ぁ-んァ-ヶー・]{4,})[)\]]")


def romaji(katakana: str) -> str:
    """Katakana in Hepburn's spelling, long vowels and double consonants as single ones (ー and ッ
    are left out, and so is what is not katakana). Small vowels count as full ones: ファ is fua."""
    out = ""
    for character in katakana:
        if character in "ャュョ":
            # The small kana replaces the vowel i before it: シ + ャ is sha, キ + ャ is kya.
            vowel = "auo"["ャュョ".index(character)]
            out = out[:-1] + (
                vowel if out[-3:-1] in ("sh", "ch") or out[-2:-1] == "j" else "y" + vowel
            )
        else:
            out += _SYLLABLES.get(character, "")
    return short_vowels(out)


def short_vowels(text: str) -> str:
    """Lower case with ou, oo, uu, aa, and oh before no vowel, as one vowel, as names of members are
    spelt one way or the other."""
    text = re.sub(r"oh(?=[^aeiou]|$)", "o", text.lower())
    return re.sub("ou|oo", "o", text).replace("uu", "u").replace("aa", "a")


def reading(text: str) -> str:
    """The reading in romaji of a name in NFKC: that of four or more kana in brackets behind it,
    else what ipadic reads; characters without a reading are left out."""
    text = text.translate(_VARIANTS)
    kana = _KANA_IN_BRACKETS.search(text)
    read = ""
    for node in nodes(kana[1] if kana else text):
        # The eighth field of ipadic is the reading; words that it does not know lack it.
        parts = node.feature.split(",")
        read += parts[7] if len(parts) > 7 and parts[7] != "*" else node.surface
    return romaji("".join(chr(ord(sign) + 96) if "ぁ" <= sign <= "ゖ" else sign for sign in read))
