"""Numbers in English words and figures, as one word each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

# Figures with a point or comma between digits are one number, as by the rule MidNum of Unicode's
# word boundaries (UAX 29); so Lucene's standard tokenizer has them.
WORD = r"[^\W_]+(?:(?:'|(?<=\d)[.,](?=\d))[^\W_]+)*"

ONES = "one two three four five six seven eight nine".split()
TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
"""The words of one to nine, and of ten to nineteen."""
_TENS = {
    word: 10 * number
    for number, word in enumerate(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2
    )
}
_SMALL = {word: number for number, word in enumerate(["zero", *ONES, *TEENS])} | _TENS
POWERS = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_ORDINAL_ONES = "first second third fourth fifth sixth seventh eighth ninth".split()
_ORDINALS = dict(
    enumerate(
        [
            *_ORDINAL_ONES,
            *"tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth".split(),
            *"seventeenth eighteenth nineteenth twentieth".split(),
        ],
        start=1,
    )
) | {number: f"{word[:-1]}ieth" for word, number in _TENS.items()}
ORDINALS = frozenset(_ORDINALS.values())
"""Ordinals of one word, up to ninetieth."""
_SUFFIXES = {1: "st", 2: "nd", 3: "rd"}
# What a number behind it names: a part of the book, no amount.
_REFERENCES = {
    form: word
    for word in "figure table section chapter page box exercise appendix".split()
    for form in (word, f"{word}s")
} | {"fig": "figure", "figs": "figure", "p": "page", "pp": "page"}
_PLURALS = frozenset(word for word in _REFERENCES if word.endswith(("s", "pp")))
_JOINTS = frozenset(("and", "or", "to"))
_UNITS = {"m": "metre", "km": "kilometre", "cm": "centimetre", "mm": "millimetre", "kg": "kilogram"}
_SPELLINGS = {
    f"{prefix}meter{ending}": f"{prefix}metre"
    for prefix in ("", "kilo", "centi", "milli")
    for ending in ("", "s")
}
_WORD = re.compile(WORD)
_RUN = re.compile(rf"{WORD}(?:[ -]{WORD})*+")
NUMBER_WORDS = frozenset((*_SMALL, "hundred", *POWERS))
"""Words of which numbers are written."""
WORDS = NUMBER_WORDS.union(_SPELLINGS)
"""Words that `in_figures` reads otherwise; a text without them and without digits stays."""
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_DECIMAL = re.compile(r"\d+(?:\.\d+)?")
_ORDINAL = re.compile(r"(\d{1,9})(?:st|nd|rd|th)")


def in_figures(words: Sequence[str]) -> list[str]:
    """The words of a text, in lower case and cut at blanks and hyphens, with every number as one
    word in figures: eleven, four hundred and twelve and 5,200 are 11, 412 and 5200, 8 million is
    8000000 (nineteen forty-five is 19 and 45). The other words of a number are "", so that places
    stay.

    "One" alone stays a word, and "hundred" without a number or "a" before it; of "half a million"
    every word stays. Ordinals are words if they are one word (30th is thirtieth), else 21st. A
    number of a figure, table, section, chapter, page, box, exercise or appendix is one word with
    its kind (figure_3.7). A unit of metres or kilograms behind a number is spelt out (80 m), and
    "meter" is "metre"."""
    read, end = list(words), 0
    kind = ""  # of the places that a plural goes on naming: sections 7.4 and 7.5
    for position, word in enumerate(words):
        if position < end or not (word in WORDS or word[:1].isdigit()):
            continue
        if not _JOINTS.issuperset(words[end:position]):
            kind = ""
        before = words[position - 1] if position else ""
        is_a_power = before == "a" and (word == "hundred" or word in POWERS)
        if is_a_power and words[max(0, position - 2)] == "half":  # half a million
            continue
        if is_a_power:
            number, length = _number_at(["one", *words[position:]], 0)
            end = position + length - 1
        else:
            number, end = _number_at(words, position)
        if not number:
            read[position] = _SPELLINGS.get(word, word)
            continue
        reference = _REFERENCES.get(before, kind)
        kind = reference if kind or before in _PLURALS else ""
        read[position] = f"{reference}_{number}" if reference else number
        read[position + 1 : end] = [""] * (end - position - 1)
        if end < len(words) and words[end] in _UNITS:
            read[end] = _UNITS[words[end]]
    return read


def with_figures(text: str) -> str:
    """An English text with its number words in figures ("twenty-four" as 24, "8 million" as
    8000000, "a hundred" as a 100), but for those of `in_figures` that stay words."""
    return _RUN.sub(lambda run: _run_with_figures(run[0]), text)


def _run_with_figures(run: str) -> str:
    """A run of words, with one blank or hyphen between two, with its number words in figures."""
    matches = list(_WORD.finditer(run))
    words = [match[0].lower() for match in matches]
    if WORDS.isdisjoint(words):
        return run
    read, text, done = [*in_figures(words), "."], "", 0
    for position, match in enumerate(matches):
        figures = read[position].rpartition("_")[2]
        is_longer = not read[position + 1]
        if figures[:1].isdigit() and (words[position] in WORDS or is_longer):
            text += run[done : match.start()] + figures
            done = match.end()
        elif not read[position]:
            done = match.end()
    return text + run[done:]


def _number_at(words: Sequence[str], position: int) -> tuple[str, int]:
    """The number that begins at a position, in figures (3rd as third, 21st so), and the position
    behind it; "" and the next position if none does, or only "one"."""
    word = words[position]
    if not word[:1].isdigit():
        tens, following = _TENS.get(word, 0), words[position + 1 : position + 2]
        if tens and following and following[0] in _ORDINAL_ONES:  # twenty-first
            unit = _ORDINAL_ONES.index(following[0]) + 1
            return f"{tens + unit}{_SUFFIXES.get(unit, 'th')}", position + 2
        value, end = _value_at(words, position)
        if end == position or words[position:end] == ["one"]:
            return "", position + 1
        return str(value), end
    if ordinal := _ORDINAL.fullmatch(word):
        return _ORDINALS.get(int(ordinal[1]), word), position + 1
    figures = word.replace(",", "") if _THOUSANDS.fullmatch(word) else word
    power = POWERS.get(words[position + 1], 0) if position + 1 < len(words) else 0
    if power and _DECIMAL.fullmatch(figures):
        return f"{(Decimal(figures) * power).normalize():f}", position + 2
    return figures, position + 1


def _value_at(words: Sequence[str], position: int) -> tuple[int, int]:
    """The value of the number in words that begins at a position, and the position behind it; 0 and
    the position itself if none does."""
    value, end = _hundreds_at(words, position)
    total, least = 0, 0
    while end > position and end < len(words) and (power := POWERS.get(words[end], 0)):
        if least and power >= least:  # the next number's: "two thousand, five million"
            break
        total, least, end = total + value * power, power, end + 1
        start = end + (words[end : end + 1] == ["and"])
        value, stop = _hundreds_at(words, start)
        if stop == start or POWERS.get((*words, "")[stop], 0) >= least:
            value = 0
            break
        end = stop
    return total + value, end


def _hundreds_at(words: Sequence[str], position: int) -> tuple[int, int]:
    """The value of the hundreds and what is below them at a position, and the position behind it;
    0 and the position itself if no number begins there."""
    value, end = _small_at(words, position)
    if end == position or words[end : end + 1] != ["hundred"]:
        return value, end
    value, end = 100 * value, end + 1
    start = end + (words[end : end + 1] == ["and"])
    rest, stop = _small_at(words, start)
    if stop > start and words[stop : stop + 1] != ["hundred"]:  # "one hundred and two hundred"
        return value + rest, stop
    return value, end


def _small_at(words: Sequence[str], position: int) -> tuple[int, int]:
    """The value of the number below a hundred at a position, and the position behind it; 0 and the
    position itself if none begins there."""
    word, following = (*words[position : position + 2], "", "")[:2]
    if word in _TENS and following in ONES:
        return _TENS[word] + _SMALL[following], position + 2
    return (_SMALL[word], position + 1) if word in _SMALL else (0, position)
