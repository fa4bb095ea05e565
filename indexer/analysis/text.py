"""Text processing that all languages share: normal form, names, sentence ends."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from importlib import resources
from typing import TYPE_CHECKING

from indexer.files.messages import warn

if TYPE_CHECKING:
    from lxml import etree

LONGEST_SENTENCE = 5_000  # characters; what is longer is a list, a table or damage
_PIECE = re.compile(
    rf".{{1,{LONGEST_SENTENCE}}}(?:(?<=[\s,;、，；])|\Z)|.{{1,{LONGEST_SENTENCE}}}", re.DOTALL
)
NO_NAMES: Mapping[str, str] = {}
TERM_LIMIT = 255  # characters; Elasticsearch's whitespace tokenizer cuts longer ones


# Unicode's property Default_Ignorable_Code_Point (DerivedCoreProperties.txt, version 16): soft
# hyphens, joiners and zero-width spaces, marks of direction, variation selectors, fillers, tags.
_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)


def without_ignorable(text: str) -> str:
    """The text without the characters that nobody sees (Unicode's Default_Ignorable_Code_Point): a
    word with a soft hyphen or a zero-width space in it is the same word."""
    return text if text.isascii() else _IGNORABLE.sub("", text)


def normalise(text: str) -> str:
    """NFKC in lower case without ignorable characters, and with a blank for NUL (where MeCab would
    stop)."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", without_ignorable(text))
    return text.replace("\0", " ").lower()


def is_katakana(character: str) -> bool:
    """Returns whether a character is of full-width katakana, ー among it; False for "" too."""
    return "ァ" <= character <= "ヺ" or character == "ー"


_LIGATURES = str.maketrans({"æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe"})


def plain_letters(text: str) -> str:
    """A text in NFKD without accents and ignorable characters and with ligatures as two letters
    (Cæsar → Caesar), since books differ in printing them."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKD", without_ignorable(text).translate(_LIGATURES))
    return "".join(c for c in text if not unicodedata.combining(c))


def clean_term(term: str) -> str:
    """A term in the form both engines index: white space removed, at most 255 characters; "" when
    nothing is left."""
    return "".join(term[:TERM_LIMIT].split())


def split_sentences(
    text: str, ends: re.Pattern[str], is_end: Callable[[str, int], bool] | None = None
) -> list[str]:
    """The sentences of a text, stripped, none empty: it is cut at line breaks and behind each match
    of `ends` that `is_end(line, offset of the match's end)` accepts; a piece of punctuation alone
    is appended to the sentence before it, if any, and sentences of more than 5,000 characters are
    cut further (`split_long_text`)."""
    sentences: list[str] = []
    for line in text.splitlines():
        start = 0
        for end in [match.end() for match in ends.finditer(line)] + [len(line)]:
            if end < len(line) and is_end is not None and not is_end(line, end):
                continue
            piece, start = line[start:end].strip(), end
            if sentences and not any(map(str.isalnum, piece)):
                sentences[-1] += piece
            elif piece:
                sentences.append(piece)
    return [
        stripped
        for sentence in sentences
        for part in split_long_text(sentence)
        if (stripped := part.strip())
    ]


def split_long_text(text: str) -> list[str]:
    """The text itself, or of more than 5,000 characters (`LONGEST_SENTENCE`) all of it in pieces of
    at most that number, cut after blanks or commas if it can be: parsers and searches for names
    take time with the square of a text's length."""
    return [text] if len(text) <= LONGEST_SENTENCE else _PIECE.findall(text)


def read_word_list(package: str, name: str) -> list[str]:
    """The lines of a word list that comes with the program, in the folder `wordlists` of a package:
    an entry a line, without empty lines and those that begin with #."""
    lines = resources.files(package).joinpath("wordlists", name).read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


# Numbers in words: Chinese numerals, which Japanese writes too, and English ordinals.

ONES = "一二三四五六七八九"
PLACES = {"十": 10, "百": 100, "千": 1000}
NUMERALS = f"〇零{ONES}{''.join(PLACES)}"
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first"
)
ORDINALS = {word: number for number, word in enumerate(_ORDINALS.split(), 1)}
"""The number of each English ordinal, as far as centuries are counted."""

_DIGITS = {"〇": "0", "零": "0", **{numeral: str(number) for number, numeral in enumerate(ONES, 1)}}


def numeral_value(text: str) -> int:
    """The integer written in digits or Chinese numerals: 一九四五 and 千九百四十五 are 1945, １４
    and 十四 are 14.

    Raises ValueError for other texts, among them those with 万 or more, and "".
    """
    plain = unicodedata.normalize("NFKC", text)
    if not set(plain) & set(PLACES):
        return int("".join(_DIGITS.get(character, character) for character in plain))
    total = digit = 0
    for character in plain:
        if character in PLACES:
            total, digit = total + (digit or 1) * PLACES[character], 0
        else:
            digit = int(_DIGITS.get(character, character))
    return total + digit


# A question as somebody pastes it: broken in lines, in wide letters, with any blanks.

_WIDE_FORMS = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}  # the forms of ASCII
_EASTERN = r"[\u3001-\u30ff\u3400-\u9fff\uf900-\ufaff]"  # kana, Han and their punctuation
_BROKEN_LINE = re.compile(rf"(?<={_EASTERN})[^\S\n\r]*[\n\r]\s*(?={_EASTERN})")


def pasted_question(text: str) -> str:
    """A question on one line, without ignorable characters: a line break is a blank, or nothing
    between Japanese or Chinese characters; any blanks are one. In a text without such characters
    wide Latin letters, digits and signs become the usual ones."""
    text = _BROKEN_LINE.sub("", without_ignorable(text))
    if not re.search(_EASTERN, text):
        text = text.translate(_WIDE_FORMS)
    return " ".join(text.split())


# Long runs of one kind of mark inside a question: no word, number or gap is so long, and patterns
# labour at them.

# characters of one kind in a row that are read; no sentence has more, not even in classical Chinese
LONGEST = 500
LONGEST_QUESTION = 10_000  # characters

_KINDS = (
    r"(?:\d|[^\w\s])",  # digits and signs: 1,1,1,… is one number to some patterns
    "[A-Za-z\u00c0-\u024f]",
    "[\u3041-\u309f]",  # hiragana
    "[\u30a0-\u30ff\uff66-\uff9f]",  # katakana
    "[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]",  # Han
    r"[\W_]",
)
_RUN = re.compile("|".join(f"{kind}{{{LONGEST + 1},}}" for kind in _KINDS))


def without_long_runs(text: str, where: str) -> str:
    """A question's text with every run of one character class (digits and signs, Latin letters,
    hiragana, katakana, Han, blanks and signs) cut to `LONGEST` (500) characters. One warning, which
    begins with `where` (file and line), reports all cuts; usually nothing is cut."""
    cut = _RUN.sub(lambda run: run[0][:LONGEST], text)
    if cut != text:
        warn(
            f"{where}: a run of more than {LONGEST} marks of one kind; its first {LONGEST} are read"
        )
    return cut


def truncate_question(text: str, where: str) -> str:
    """A question's text without ignorable characters, cut to lengths that patterns can search in
    reasonable time, which grows with the square: long runs of one kind (`without_long_runs`), and
    all but the first 10,000 characters. Each cut is reported in a warning."""
    text = without_ignorable(text)
    if len(text) > LONGEST_QUESTION:
        warn(f"{where}: {len(text):,} characters; the first {LONGEST_QUESTION:,} are read")
    return without_long_runs(text[:LONGEST_QUESTION], where)


def cut_long_runs(elements: Iterable[etree._Element], file: str) -> None:
    """Applies `without_long_runs` to every text inside the elements, in place; warnings give `file`
    and the line."""
    for outer in elements:
        for element in outer.iter():
            where = f"{file}:{element.sourceline}"
            # The tail of an outer element is not inside it.
            names = ("text",) if element is outer else ("text", "tail")
            for name in names:
                if len(text := getattr(element, name) or "") > LONGEST:
                    setattr(element, name, without_long_runs(text, where))
