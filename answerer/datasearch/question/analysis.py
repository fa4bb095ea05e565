"""What a question asks: its words, the triggers of operators, the focus, numbers and comparisons."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from answerer.datasearch.question import japanese
from answerer.datasearch.question.words import kinds_of, with_common_years, words
from indexer.analysis.text import ORDINALS
from indexer.analysis.years import ERA_YEAR, era_year
from indexer.files.lists import read_word_list

_SPELT = (
    "the of in a an is was were are to on at for by with and or as from this that it its be been did do does"
    " had has have which what who whom whose when where how there their his her he she they them these those"
    " than many much one into about per each any all s t d name list tell me give please you can would so such"
    " only other same after before first last next previous more most less least"
)
_STOP = (
    frozenset(words(_SPELT))
    | frozenset("のはをにがでとへやもか年月日歳県市区町村")
    | frozenset(words(" ".join(read_word_list(__package__, "stop-ja.txt"))))
)

_CODE = re.compile(r"(?<![A-Za-z])[A-Z]{2}(?![A-Za-z])")
_CUT = frozenset(word for word in words(_SPELT) if len(word) > 1) - frozenset(_SPELT.split())
"""What is no function word, but what one becomes when it is stemmed: doe (does), wa (was)."""

TRIGGERS: dict[str, str] = dict(line.split("\t", 1) for line in read_word_list(__package__, "triggers.tsv"))
"""Words that call for an operator, as regular expressions over the lower-cased question, by name."""

_COMPILED = {name: re.compile(pattern) for name, pattern in TRIGGERS.items()}
_WH = re.compile(
    r"\b(how (?:many|much|long|old|tall|far|often|big|large|high)"
    r"|which|what|who|whom|whose|when|where|name|was|is|did)\b"
)
_OF_A_NOUN = re.compile(
    r" (?!(?:is|are|was|were|has|have|had|does|do|did|will|would|can|could|s|the|if|about)\b)[a-z]{3}"
)
"""What follows "what" where it asks as "which" does (what marital status is …)."""
_WH_NAMES = {"whom": "who", "whose": "who", "how much": "how many"}
_WH_KINDS = {
    "who": frozenset(("person",)),
    "where": frozenset(("place",)),
    "when": frozenset(("time",)),
    "how many": frozenset(("number",)),
    "how": frozenset(("number",)),
}
_KANA = re.compile(r"[\u3040-\u30ff]")
_ORDINALS = {word: number for word, number in ORDINALS.items() if number <= 10}  # greater ones are of centuries
_ORDINAL = re.compile(rf"\b({'|'.join(_ORDINALS)})\b|\b(\d{{1,2}})(?:st|nd|rd|th)\b|(\d{{1,2}})番目")
_LETTERS = re.compile(r"[a-z]+")
_NUMBER = r"\$?(\d[\d,]*(?:\.\d+)?)\s*(thousand|million|billion)?"
_OVER = re.compile(
    r"(?:more than|over|above|greater than|higher than|larger than|longer than|exceed(?:s|ed|ing)?|after|since)"
    r"\s+(?:the year\s+)?" + _NUMBER
)
_AT_LEAST = re.compile(
    rf"(?:at least|minimum of|no less than|not less than)\s+{_NUMBER}"
    rf"|{_NUMBER}\s*(?:[a-z%]+ )?or (?:more|greater|higher|better|over|above|larger|longer|older)\b"
)
_AT_MOST = re.compile(
    rf"(?:at most|maximum of|up to|no more than|not more than|no higher than|no greater than)\s+{_NUMBER}"
    rf"|{_NUMBER}\s*(?:[a-z%]+ )?or (?:less|fewer|lower|below|under|smaller|younger)\b"
)
_BELOW = re.compile(
    r"(?:less than|under|below|fewer than|lower than|smaller than|shorter than|before|prior to)\s+(?:the year\s+)?"
    + _NUMBER
)
_WITH_FIGURE = re.compile(
    rf"\b(?:more|less|fewer|greater|higher|larger|longer|lower|smaller|shorter) than\s+{_NUMBER}"
    rf"|{_NUMBER}\s*or (?:more|less|fewer)\b|\b(?:at least|at most|no less than|no more than)\s+{_NUMBER}"
)
"""A comparison with a figure, which orders nothing."""
_ORDER_WORDS = re.compile(
    r"\b(?:most|least|more|less) (?:common(?:ly)?|frequent(?:ly)?|likely|often|popular|prevalent)\b"
)
"""How often a thing is, as an order: of these words none stands for a cell or heading."""
_ONE = re.compile(r"\b(?:one|1st)\b")
"""A function word and a place: only a 1 in figures stands for that of a cell."""
_FIGURE = r"(\d[\d,]*(?:\.\d+)?)(?!\.?\d)"
_BETWEEN = re.compile(rf"(?:between|from)\s+{_FIGURE}\.?\s+(?:and|to|-)\s+{_FIGURE}")
_DECADE = re.compile(r"\b(1[0-9]\d|20\d)0'?s\b")
_ERA = re.compile(rf"{ERA_YEAR}年?")
_SKIP = frozenset(words("total number amount name names listed type kind one person highest lowest largest most"))
_FACTORS = {"": 1.0, "thousand": 1e3, "million": 1e6, "billion": 1e9}


@dataclass(frozen=True, slots=True)
class Comparison:
    """A condition on a number or year: it lies between `low` and `high`, ends excluded; `text` says it in words."""

    low: float
    high: float
    text: str
    figure: bool = False
    """Whether it is written as years never are (2,000)."""


def fulfils(moment: float | None, number: float | None, comparison: Comparison) -> bool:
    """Whether a cell, as a date or a number, fulfils a comparison."""
    bounds = [abs(bound) for bound in (comparison.low, comparison.high) if abs(bound) != float("inf")]
    year_like = 1000 <= max(bounds, default=0.0) <= 2100
    value = moment if year_like and moment is not None else number
    return value is not None and comparison.low < value < comparison.high


@dataclass(frozen=True, slots=True)
class Question:
    """A question as the derivations see it.

    `words` are all words in order, `content` the distinct ones that are no function words, each of which
    has the bit of its place in bit masks. `triggers` are names of TRIGGERS, in their order; `wh` the question
    word, "" without one; `focus` the first content words after it, what is asked for, and `kinds` what kind
    of thing that is; `halves` the words around an "or"; `spoken` its distinct words without numbers; `places`
    the triggers of orders and neighbours, each with the number of the word at which it begins; `forms` the
    question without its contents: its question word, each trigger that calls for an operator, all of these together.
    """

    text: str
    words: tuple[str, ...]
    joined: str
    content: tuple[str, ...]
    triggers: tuple[str, ...]
    wh: str
    focus: tuple[str, ...]
    kinds: frozenset[str]
    halves: tuple[tuple[str, ...], tuple[str, ...]] | None
    spoken: tuple[str, ...]
    places: tuple[tuple[str, int], ...]
    forms: tuple[str, ...]
    ordinal: int | None
    comparisons: tuple[Comparison, ...]

    @property
    def asked_by(self) -> str:
        """The question word, or that there is none, as features tell it."""
        return self.wh or "no question word"

    @property
    def seeks_name(self) -> bool:
        """Whether a name (of a row, a heading, a year) answers the question and a figure does not."""
        if "number" in self.kinds:
            return False
        return self.wh in ("which", "who", "where", "when") or bool(self.kinds)

    @property
    def falls(self) -> bool:
        """Whether the question speaks of what became less, and of nothing that became more."""
        return "fall" in self.triggers and "rise" not in self.triggers


ORDERS = frozenset(
    "most least highest lowest largest smallest longest shortest oldest newest nth second more less".split()
)
"""Triggers that ask to order things."""


_PLACES = 20
"""Times that a trigger is looked for: no question says one as often, and each time the words before it are counted."""

_PLACING = frozenset(("next", "previous", "first", "last"))
_HEADED = frozenset(words("name first last next previous"))
"""Function words that tell headings apart: First name, Last name, Next review."""

_NEIGHBOURS = frozenset(("next", "after", "previous", "before"))
_FORMING = ORDERS | _NEIGHBOURS | {"first", "last", "same", "other", "not", "only", "or", "than", "times"}


def spoken_orders(question: Question) -> Iterator[tuple[str, str]]:
    """The triggers that ask to order things, each with the text that is read so."""
    lower = unicodedata.normalize("NFKC", question.text).lower()
    for trigger in question.triggers:
        if trigger in ORDERS:
            for found in _COMPILED[trigger].finditer(lower):
                yield trigger, found.group()


@lru_cache(maxsize=4096)
def read_question(text: str) -> Question:
    """The analysis of a question in English, Japanese or any language of words in Latin letters."""
    lower = unicodedata.normalize("NFKC", text).lower().strip()
    found = words(text)
    triggers = _triggers(lower)
    name, focus = _asked_in_japanese(lower) if _KANA.search(lower) else _asked(lower)
    return Question(
        text,
        found,
        f" {' '.join(found)} ",
        _content(unicodedata.normalize("NFKC", text)),
        triggers,
        name,
        focus,
        _WH_KINDS.get(name) or kinds_of(focus[:1]) or kinds_of(focus),
        _halves(lower),
        tuple(dict.fromkeys(word for word in found if word.isalpha())),
        _places(lower),
        _forms(name, triggers),
        _ordinal(lower),
        tuple(_comparisons(lower)),
    )


def _content(plain: str) -> tuple[str, ...]:
    """The distinct words that may stand for cells and headings, in their order."""
    lower, named = plain.lower(), _named(plain)
    found = words(_ONE.sub(" ", _ORDER_WORDS.sub(" ", lower)))
    return tuple(dict.fromkeys(word for word in found if word == "1" or word not in _STOP or word in named))


def _named(plain: str) -> frozenset[str]:
    """The words that only look like function words: codes of two capitals among small letters (IN, OR, WA), and names
    that are written as a function word is stemmed (Doe)."""
    mixed = any(letter.isalpha() and not letter.isupper() for letter in plain)
    codes = words(" ".join(_CODE.findall(plain))) if mixed else ()
    return frozenset(codes) | _CUT.intersection(_LETTERS.findall(plain.lower()))


def _triggers(lower: str) -> tuple[str, ...]:
    without = _WITH_FIGURE.sub(" ", lower)
    return tuple(
        trigger for trigger, pattern in _COMPILED.items() if pattern.search(without if trigger in ORDERS else lower)
    )


def _places(lower: str) -> tuple[tuple[str, int], ...]:
    """The triggers of orders and neighbours with the number of the word at which each begins."""
    return tuple(
        (trigger, len(words(lower[: found.start()])))
        for trigger, pattern in _COMPILED.items()
        if trigger in ORDERS or trigger in _NEIGHBOURS
        for found in islice(pattern.finditer(lower), _PLACES)
    )


def _forms(name: str, triggers: tuple[str, ...]) -> tuple[str, ...]:
    told = [trigger for trigger in triggers if trigger in _FORMING]
    return (name, *told, " ".join((name, *told, "whole")))


def _asked(lower: str) -> tuple[str, tuple[str, ...]]:
    """The question word and the first content words after it."""
    wh = _WH.search(lower)
    name = wh.group() if wh else ""
    name = "how" if name.startswith("how ") and name[4:] not in ("many", "much") else _WH_NAMES.get(name, name)
    rest = lower[wh.end() :] if wh else lower
    focus = _focus(rest)
    if name == "what" and _OF_A_NOUN.match(rest) and "number" not in kinds_of(focus[:1]):
        name = "which"
    if wh and name == "how":
        focus = (*words(wh.group().removeprefix("how ")), *focus)[:2]
    return name, focus


def _asked_in_japanese(lower: str) -> tuple[str, tuple[str, ...]]:
    """The same; the words of the noun that is asked for are taken from its end, where its head stands."""
    wh, focus = japanese.asked(lower)
    return wh, tuple(word for word in words(focus) if word not in _STOP)[::-1][:2]


def saying_headings(question: Question, headings: Iterable[str]) -> Question:
    """The question where it says a heading of several words whole, such as "last name": all its words are meant, and
    "first", "last", "next" and "previous" in it pick no rows. Headings are words, blanks between."""
    said = [one for one in headings if " " in one and _HEADED & set(one.split()) and f" {one} " in question.joined]
    if not said:
        return question
    rest = question.joined
    for heading in sorted(said, key=lambda one: (-len(one), one)):
        rest = rest.replace(f" {heading} ", " ")
    meant = {*question.content, *(word for heading in said for word in heading.split() if word in _HEADED)}
    lower = unicodedata.normalize("NFKC", question.text).lower()
    wh = _WH.search(lower)
    asked = [word for word in words(lower[wh.end() :] if wh else lower) if word in meant]
    triggers = tuple(one for one in question.triggers if one not in _PLACING or _COMPILED[one].search(rest))
    return replace(
        question,
        content=tuple(dict.fromkeys(word for word in question.words if word in meant)),
        triggers=triggers,
        places=tuple(place for place in question.places if place[0] in triggers),
        forms=_forms(question.wh, triggers),
        focus=tuple(word for word in asked if word not in _SKIP - _HEADED)[:2],
    )


def is_stop(word: str) -> bool:
    """Whether a word is a function word, which is no evidence for a cell."""
    return word in _STOP


def _focus(rest: str) -> tuple[str, ...]:
    content = [word for word in words(rest) if word not in _STOP and word not in _SKIP]
    return tuple(content[:2])


def _halves(lower: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """The words on both sides of the last "or" (of と in AとBでは), the nearest first; None without one."""
    left, middle, right = lower.rpartition(" or ")
    if not middle:
        named = japanese.alternatives(lower)
        return (words(named[0])[::-1][:8], words(named[1])[:8]) if named else None
    return words(left)[::-1][:8], words(right)[:8]


def _ordinal(lower: str) -> int | None:
    found = _ORDINAL.search(lower)
    if not found:
        return None
    return _ORDINALS[found[1]] if found[1] else int(found[2] or found[3])


def _number(digits: str, factor: str | None) -> float:
    return float(digits.replace(",", "").rstrip(".")) * _FACTORS[factor or ""]


def _comparisons(lower: str) -> list[Comparison]:
    infinite = float("inf")
    found = []
    for match in _BETWEEN.finditer(lower):
        low, high = _number(match[1], None), _number(match[2], None)
        if low < high:
            found.append(Comparison(low - 1e-9, high + 1e-9, f"between {match[1]} and {match[2]}"))
    for match in _DECADE.finditer(lower):
        start = int(match[1]) * 10
        found.append(Comparison(start - 1e-9, start + 10, f"in the {start}s"))
    for match in _AT_LEAST.finditer(lower):
        number = _number(match[1] or match[3], match[2] or match[4])
        found.append(Comparison(number - 1e-9, infinite, f"at least {number:g}", "," in match[0]))
    for match in _AT_MOST.finditer(lower):
        number = _number(match[1] or match[3], match[2] or match[4])
        found.append(Comparison(-infinite, number + 1e-9, f"at most {number:g}", "," in match[0]))
    lower = _AT_LEAST.sub(" ", _AT_MOST.sub(" ", lower))  # "no more than 5" is not more than 5
    for match in _OVER.finditer(lower):
        number = _number(match[1], match[2])
        found.append(Comparison(number + 1e-9, infinite, f"more than {number:g}", "," in match[1]))
    for match in _BELOW.finditer(lower):
        number = _number(match[1], match[2])
        found.append(Comparison(-infinite, number - 1e-9, f"less than {number:g}", "," in match[1]))
    for name, number in japanese.conditions(with_common_years(lower)):
        low = number - 1e-9 if name == "at least" else number + 1e-9 if name == "over" else -infinite
        high = number - 1e-9 if name == "below" else number + 1e-9 if name == "at most" else infinite
        found.append(Comparison(low, high, f"{name} {number:g}"))
    for match in _ERA.finditer(lower):
        year = era_year(match[1], match[2])
        found.append(Comparison(year - 1e-9, year + 1, f"in {year}"))
    return found
