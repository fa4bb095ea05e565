"""Analysis of a question on datasets: words, triggers of operators, focus, alternatives, numbers and comparisons."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from answerer.datasearch.question import japanese
from answerer.datasearch.question.words import kinds_of, with_common_years, words
from indexer.analysis.text import ORDINALS
from indexer.analysis.years import ERA_YEAR, era_year
from indexer.files.lists import read_word_list

# Function words of questions; also words of order, which call for an operator and are evidence for no cell.
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

# Words that call for an operator, as regular expressions over the lower-cased question, by name.
TRIGGERS: dict[str, str] = dict(line.split("\t", 1) for line in read_word_list(__package__, "triggers.tsv"))

_COMPILED = {name: re.compile(pattern) for name, pattern in TRIGGERS.items()}
_WH = re.compile(
    r"\b(how (?:many|much|long|old|tall|far|often|big|large|high)"
    r"|which|what|who|whom|whose|when|where|name|was|is|did)\b"
)
# The beginning of a noun behind "what", which then asks as "which" does (what marital status is …).
_OF_A_NOUN = re.compile(
    r" (?!(?:is|are|was|were|has|have|had|does|do|did|will|would|can|could|s|the|if|about)\b)[a-z]{3}"
)
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
# A comparison with a figure, which orders nothing.
_WITH_FIGURE = re.compile(
    rf"\b(?:more|less|fewer|greater|higher|larger|longer|lower|smaller|shorter) than\s+{_NUMBER}"
    rf"|{_NUMBER}\s*or (?:more|less|fewer)\b|\b(?:at least|at most|no less than|no more than)\s+{_NUMBER}"
)
# A function word and an ordinal: only a 1 in figures matches that of a cell.
_ONE = re.compile(r"\b(?:one|1st)\b")
_ERA = re.compile(rf"{ERA_YEAR}年?")
_SKIP = frozenset(words("total number amount name names listed type kind one person highest lowest largest most"))
_FACTORS = {"": 1.0, "thousand": 1e3, "million": 1e6, "billion": 1e9}


@dataclass(frozen=True, slots=True)
class NumberComparison:
    """A condition on a number or year: it lies between `low` and `high`, ends excluded; `text` is its wording."""

    low: float
    high: float
    text: str
    figure: bool = False
    """True for a number written as years never are (2,000)."""


def fulfils(moment: float | None, number: float | None, comparison: NumberComparison) -> bool:
    """True if a cell's date (`moment`, in years) or number lies within a comparison's bounds; False without either.

    If the bounds look like years (1000 to 2100), the date is compared where there is one.
    """
    bounds = [abs(bound) for bound in (comparison.low, comparison.high) if abs(bound) != float("inf")]
    # Of a cell such as 12 May 2015 the number is 12, and a year asks for its place in time.
    year_like = 1000 <= max(bounds, default=0.0) <= 2100
    value = moment if year_like and moment is not None else number
    return value is not None and comparison.low < value < comparison.high


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysedQuestion:
    """A question with its words, question focus, triggers and conditions, from which table operations are derived."""

    text: str
    words: tuple[str, ...]
    """All words in order."""
    joined: str
    """The words with blanks between and around them."""
    content: tuple[str, ...]
    """The distinct words without function words, each of which has the bit of its place in bit masks."""
    triggers: tuple[str, ...]
    """Names of TRIGGERS, in their order."""
    wh: str
    """The question word, "" without one."""
    focus: tuple[str, ...]
    """The question focus: the first two content words after the question word, what is asked for."""
    kinds: frozenset[str]
    """The kinds of thing that the focus or the question word names (person, place, time, number …)."""
    halves: tuple[tuple[str, ...], tuple[str, ...]] | None
    """The words before an "or", the nearest first, and those after it."""
    spoken: tuple[str, ...]
    """The distinct words without numbers."""
    places: tuple[tuple[str, int], ...]
    """The triggers of orders and neighbours, each with the number of the word at which it begins."""
    forms: tuple[str, ...]
    """The question without its contents: its question word, each trigger of an operator, all of these together."""
    ordinal: int | None
    """The number of the first ordinal (third: 3)."""
    comparisons: tuple[NumberComparison, ...]

    @property
    def asked_by(self) -> str:
        """The question word in the names of features."""
        return self.wh or "no question word"

    @property
    def seeks_name(self) -> bool:
        """True if a name (of a row, a heading, a year) can answer the question and a figure cannot."""
        if "number" in self.kinds:
            return False
        return self.wh in ("which", "who", "where", "when") or bool(self.kinds)

    @property
    def falls(self) -> bool:
        """True for a question about what became less, and not about what became more."""
        return "fall" in self.triggers and "rise" not in self.triggers


# Triggers that ask to order things.
ORDERS = frozenset(
    "most least highest lowest largest smallest longest shortest oldest newest nth second more less".split()
)


# Matches of a trigger that are used: no question has as many, and each costs a pass over the words before it.
_PLACES = 20

_NEIGHBOURS = frozenset(("next", "after", "previous", "before"))
_FORMING = ORDERS | _NEIGHBOURS | {"first", "last", "same", "other", "not", "only", "or", "than", "times"}


def spoken_orders(question: AnalysedQuestion) -> Iterator[tuple[str, str]]:
    """Yields (trigger, matching text) for each match in the question of a trigger that asks to order things (highest
    …)."""
    lower = unicodedata.normalize("NFKC", question.text).lower()
    for trigger in question.triggers:
        if trigger in ORDERS:
            for found in _COMPILED[trigger].finditer(lower):
                yield trigger, found.group()


@lru_cache(maxsize=4096)
def read_question(text: str) -> AnalysedQuestion:
    """The analysis of a question in English, Japanese or any language of words in Latin letters."""
    lower = unicodedata.normalize("NFKC", text).lower().strip()
    found = words(text)
    # "Which one" asks for no 1.
    content = words(_ONE.sub(" ", lower))
    ordered = _WITH_FIGURE.sub(" ", lower)
    triggers = tuple(
        trigger for trigger, pattern in _COMPILED.items() if pattern.search(ordered if trigger in ORDERS else lower)
    )
    if _KANA.search(lower):
        # the words of the noun that is asked for are taken from its end, where its head is
        wh, noun = japanese.question_focus(lower)
        focus = tuple(word for word in words(noun) if word not in _STOP)[::-1][:2]
    else:
        wh, focus = _question_word_and_focus(lower)
    # The last one: "is it true or false that A or B".
    left, middle, right = lower.rpartition(" or ")
    named = (left, right) if middle else japanese.alternatives(lower)
    ordinal = _ORDINAL.search(lower)
    forming = [trigger for trigger in triggers if trigger in _FORMING]
    return AnalysedQuestion(
        text=text,
        words=found,
        joined=f" {' '.join(found)} ",
        content=tuple(dict.fromkeys(word for word in content if word == "1" or word not in _STOP)),
        triggers=triggers,
        wh=wh,
        focus=focus,
        kinds=_WH_KINDS.get(wh) or kinds_of(focus[:1]) or kinds_of(focus),
        # Eight words: what is farther away is not a part of the name beside the "or".
        halves=(words(named[0])[::-1][:8], words(named[1])[:8]) if named else None,
        spoken=tuple(dict.fromkeys(word for word in found if word.isalpha())),
        places=tuple(
            (trigger, len(words(lower[: match.start()])))
            for trigger, pattern in _COMPILED.items()
            if trigger in ORDERS or trigger in _NEIGHBOURS
            for match in islice(pattern.finditer(lower), _PLACES)
        ),
        forms=(wh, *forming, " ".join((wh, *forming, "whole"))),
        ordinal=(_ORDINALS[ordinal[1]] if ordinal[1] else int(ordinal[2] or ordinal[3])) if ordinal else None,
        comparisons=tuple(_comparisons(lower)),
    )


def _question_word_and_focus(lower: str) -> tuple[str, tuple[str, ...]]:
    """The question word of a lower-cased English question ("" without one) and its focus: the first two content words
    after the question word, stemmed."""
    wh = _WH.search(lower)
    name = wh.group() if wh else ""
    name = "how" if name.startswith("how ") and name[4:] not in ("many", "much") else _WH_NAMES.get(name, name)
    rest = lower[wh.end() :] if wh else lower
    focus = tuple([word for word in words(rest) if word not in _STOP and word not in _SKIP][:2])
    # "What city" asks as "which city" does, but "what number" asks how many.
    if name == "what" and _OF_A_NOUN.match(rest) and "number" not in kinds_of(focus[:1]):
        name = "which"
    if wh and name == "how":
        focus = (*words(wh.group().removeprefix("how ")), *focus)[:2]
    return name, focus


def is_stop(word: str) -> bool:
    """True for a function word, which is not evidence for a cell."""
    return word in _STOP


def _number(digits: str, factor: str | None) -> float:
    return float(digits.replace(",", "").rstrip(".")) * _FACTORS[factor or ""]


def _comparisons(lower: str) -> list[NumberComparison]:
    """The comparisons with a number or a year of an era in a lower-cased question; inclusive bounds are moved outwards
    by 1e-9, exclusive ones inwards."""
    infinite = float("inf")
    found = []
    for match in _AT_LEAST.finditer(lower):
        number = _number(match[1] or match[3], match[2] or match[4])
        found.append(NumberComparison(number - 1e-9, infinite, f"at least {number:g}", "," in match[0]))
    for match in _AT_MOST.finditer(lower):
        number = _number(match[1] or match[3], match[2] or match[4])
        found.append(NumberComparison(-infinite, number + 1e-9, f"at most {number:g}", "," in match[0]))
    # "no more than 5" is not more than 5.
    lower = _AT_LEAST.sub(" ", _AT_MOST.sub(" ", lower))
    for match in _OVER.finditer(lower):
        number = _number(match[1], match[2])
        found.append(NumberComparison(number + 1e-9, infinite, f"more than {number:g}", "," in match[1]))
    for match in _BELOW.finditer(lower):
        number = _number(match[1], match[2])
        found.append(NumberComparison(-infinite, number - 1e-9, f"less than {number:g}", "," in match[1]))
    for name, number in japanese.conditions(with_common_years(lower)):
        low = number - 1e-9 if name == "at least" else number + 1e-9 if name == "over" else -infinite
        high = number - 1e-9 if name == "below" else number + 1e-9 if name == "at most" else infinite
        found.append(NumberComparison(low, high, f"{name} {number:g}"))
    for match in _ERA.finditer(lower):
        year = era_year(match[1], match[2])
        # A year of an era is a comparison: the table may write it as a common year or in dates.
        found.append(NumberComparison(year - 1e-9, year + 1, f"in {year}"))
    return found
