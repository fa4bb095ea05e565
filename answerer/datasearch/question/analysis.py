"""Analysis of a question on datasets: words, triggers of operators, focus, alternatives, numbers
and comparisons."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from math import inf, isfinite
from typing import NamedTuple

from answerer.datasearch.question.words import kinds_of, with_common_years, words
from indexer.analysis.text import ORDINALS, read_word_list
from indexer.analysis.years import ERA_YEAR, era_year

# Counters behind 何 ask how many: 何人 and 何色 differ by this list alone.
_COUNTERS = (
    "人|名|円|ドル|件|%|パーセント|ポイント|割|分|厘|トン|t|kg|g|キロ|グラム|リットル|l|ha|a"
    "|ヘクタール|アール|km|m|cm|mm|メートル|平方|立方|校|園|社"
    "|世帯|戸|棟|台|本|個|頭|羽|匹|冊|枚|部|隻|艘|便|票|議席|回|度|倍|歳|才|時間|秒|泊|床|店|箇所"
    "|か所|カ所|ヶ所|ケ所|施設|事業所|経営体|点|種類|単位|市町村|団体|人分|kwh|kw|mw|℃|mj|gj|kcal"
)
_QUESTION_WORDS = (
    ("when", r"いつ|何(?:年度?|月|日|曜日|世紀|時代)|どの(?:年度?|月|日|時期)"),
    (
        "how many",
        rf"いくら|いくつ|どれ(?:くらい|ぐらい|だけ|ほど)|どの(?:くらい|ぐらい|程度)|何(?:十|百|千"
        rf"|万|億|兆)*(?:{_COUNTERS})",
    ),
    ("where", r"どこ"),
    ("who", r"誰|だれ|どなた"),
    ("which", r"どの|どちら|どれ|いずれ"),
    ("what", r"何|なに|なん"),
)
# A noun from its beginning, for a search from each of its characters takes the square of its
# length.
_NOUN = r"(?<![^のがをはにでともや、。,\s])([^のがをはにでともや、。,\s]+)"
_BEFORE = re.compile(rf"{_NOUN}(?:は|が|を|って)、?\s*$")
_TOPIC = re.compile(rf"{_NOUN}(?:は|って)")
_TAIL = re.compile(r"(?<![^\u3040-\u309f])[^\u3040-\u309f]+$")
_WHICH = re.compile(
    r"どの([^のがをはにでと、。]+)|何という([^のがをはにでと、。]+)|どこの([^のがをはにでと、。]+)"
)
# Two things that are compared. Of several "or" the last: "is it true or false that A or B". A match
# begins where its clause does: anchored there, a long question is not searched from every
# character.
_OF_TWO = re.compile(
    r"(?<!.)(.*) or (.*)"
    r"|(?<![^、。])([^、。]+?)(?:と|または|あるいは)([^、。]+?)(?:では|のうち|を比べ|の(?:どちら"
    r"|いずれ))"
)
_REQUESTED = re.compile(
    rf"{_NOUN}を(?:教え|答え|示し|述べ|求め|挙げ|書)|{_NOUN}(?:は|を|って)?[??。.]*$"
)


def japanese_focus(plain: str) -> tuple[str, str]:
    """Question word as in English, and focus, of a question (NFKC, lower-cased), "" without one.

    函館市の人口は何人 asks "how many" and 人口.

    Of several question words the last one counts, for Japanese asks at the end; of two at one place
    the first listed.
    """
    places = [
        (match.start(), -rank, wh)
        for rank, (wh, pattern) in enumerate(_QUESTION_WORDS)
        for match in re.finditer(pattern, plain)
    ]
    start, _, wh = max(places, default=(0, 0, ""))
    if not places:
        noun = _REQUESTED.search(plain)
    else:
        # 人口は何人: the noun before the question word is asked for; else the topic of the
        # sentence.
        noun = (
            _WHICH.match(plain, start)
            or _BEFORE.search(plain[:start])
            or _TOPIC.search(plain[:start])
        )
    phrase = next(filter(None, noun.groups()), "") if noun else ""
    # What is behind the last hiragana, for a clause may precede the noun: 占める割合.
    tail = _TAIL.search(phrase)
    return wh, tail.group() if tail else phrase


# Function words of questions; also words of order, which call for an operator and are evidence for
# no cell.
_SPELT = (
    "the of in a an is was were are to on at for by with and or as from this that it its be been "
    "did do does"
    " had has have which what who whom whose when where how there their his her he she they them "
    "these those"
    " than many much one into about per each any all s t d name list tell me give please you can "
    "would so such"
    " only other same after before first last next previous more most less least"
)
_STOP = (
    frozenset(words(_SPELT))
    | frozenset("のはをにがでとへやもか年月日歳県市区町村")
    | frozenset(words(" ".join(read_word_list(__package__, "stop-ja.txt"))))
)


def is_stop(word: str) -> bool:
    """True for a function word, which is not evidence for a cell."""
    return word in _STOP


# Words that call for an operator, as regular expressions over the lower-cased question, by name.
TRIGGERS = {
    name: re.compile(pattern)
    for name, pattern in (
        line.split("\t", 1) for line in read_word_list(__package__, "triggers.tsv")
    )
}
_WH = re.compile(
    r"\b(how (?:many|much|long|old|tall|far|often|big|large|high)"
    r"|which|what|who|whom|whose|when|where|name|was|is|did)\b"
)
_WH_NAMES = {"whom": "who", "whose": "who", "how much": "how many"}
_WH_KINDS = {
    "who": "person",
    "where": "place",
    "when": "time",
    "how many": "number",
    "how": "number",
}
_KANA = re.compile(r"[\u3040-\u30ff]")
_ORDINALS = {
    word: number for word, number in ORDINALS.items() if number <= 10
}  # greater ones are of centuries
_ORDINAL = re.compile(
    rf"\b({'|'.join(_ORDINALS)})\b|\b(\d{{1,2}})(?:st|nd|rd|th)\b|(\d{{1,2}})番目"
)
_NUMBER = r"\$?(\d[\d,]*(?:\.\d+)?)\s*(thousand|million|billion|千|万|億)?"
_FACTORS = {
    None: 1.0,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "千": 1e3,
    "万": 1e4,
    "億": 1e8,
}
_UNIT = rf"(?:{_COUNTERS}|年度?)?"
# Inclusive comparisons first: "no more than 5" is not more than 5. Ages such as 65歳以上 are labels
# of tables.
_COMPARISONS = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        (
            "at least",
            rf"(?:at least|minimum of|no less than|not less than)\s+{_NUMBER}"
            rf"|{_NUMBER}\s*(?:[a-z%]+ )?or (?:more|greater|higher|better|over|above|larger|longer"
            rf"|older)\b"
            rf"|{_NUMBER}(?!歳|才){_UNIT}(?:以上|以降|以後)",
        ),
        (
            "at most",
            rf"(?:at most|maximum of|up to|no more than|not more than|no higher than|no greater "
            rf"than)\s+{_NUMBER}"
            rf"|{_NUMBER}\s*(?:[a-z%]+ )?or (?:less|fewer|lower|below|under|smaller|younger)\b"
            rf"|{_NUMBER}(?!歳|才){_UNIT}(?:以下|以前)",
        ),
        (
            "more than",
            r"(?:more than|over|above|greater than|higher than|larger than|longer than|exceed(?:s"
            r"|ed|ing)?|after|since)"
            rf"\s+(?:the year\s+)?{_NUMBER}|{_NUMBER}{_UNIT}(?:を超え|を上回|より(?:も)?(?:多|大き"
            rf"|高|長|後))",
        ),
        (
            "less than",
            r"(?:less than|under|below|fewer than|lower than|smaller than|shorter than|before"
            r"|prior to)"
            rf"\s+(?:the year\s+)?{_NUMBER}|{_NUMBER}(?!歳|才){_UNIT}(?:未満|を下回|より(?:も)?"
            rf"(?:少な|小さ|低|短|前))",
        ),
    )
)
# A comparison with a figure, which orders nothing.
_WITH_FIGURE = re.compile(
    rf"\b(?:more|less|fewer|greater|higher|larger|longer|lower|smaller|shorter) than\s+{_NUMBER}"
    rf"|{_NUMBER}\s*or (?:more|less|fewer)\b|\b(?:at least|at most|no less than|no more "
    rf"than)\s+{_NUMBER}"
)
# A function word and an ordinal: only a 1 in figures matches that of a cell.
_ONE = re.compile(r"\b(?:one|1st)\b")
_ERA = re.compile(rf"{ERA_YEAR}年?")
_SKIP = frozenset(
    words("total number amount name names listed type kind one person highest lowest largest most")
)


class NumberComparison(NamedTuple):
    """A condition on a number or year: it lies between `low` and `high`, ends excluded; `text` is
    its wording, `figure` is True for a number written as years never are (2,000)."""

    low: float
    high: float
    text: str
    figure: bool = False


def fulfils(moment: float | None, number: float | None, comparison: NumberComparison) -> bool:
    """True if a cell's date (`moment`, in years) or number lies between a comparison's bounds,
    which are excluded; False without either.

    If the larger bound looks like a year (1000 to 2100), the date is compared where there is one;
    otherwise the number alone is.
    """
    bounds = [abs(bound) for bound in (comparison.low, comparison.high) if isfinite(bound)]
    # Of a cell such as 12 May 2015 the number is 12, and a year asks for its place in time.
    year_like = 1000 <= max(bounds, default=0.0) <= 2100
    value = moment if year_like and moment is not None else number
    return value is not None and comparison.low < value < comparison.high


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysedQuestion:
    """A question with its words, question focus, triggers and conditions, from which table
    operations are derived."""

    text: str
    words: tuple[str, ...]
    """All words in order."""
    joined: str
    """The words with blanks between and around them."""
    content: tuple[str, ...]
    """The distinct words without function words, each of which has the bit of its position in
    masks."""
    triggers: tuple[str, ...]
    """Names of TRIGGERS, in their order."""
    wh: str
    """The question word, "" without one."""
    focus: tuple[str, ...]
    """The question focus, what is asked for: the first two content words after the question word,
    in Japanese the last two of the noun, last first."""
    kinds: frozenset[str]
    """The kinds of thing that the focus or the question word names (person, place, time, number
    …)."""
    halves: tuple[tuple[str, ...], tuple[str, ...]]
    """The words before an "or", the nearest first, and those after it, at most eight each; none
    without an "or"."""
    spoken: tuple[str, ...]
    """The distinct words of letters alone."""
    forms: tuple[str, ...]
    """The question without its contents: its question word, each trigger of an operator, all of
    these together."""
    orders: tuple[str, ...]
    """The texts that ask to order things (highest …)."""
    ordinal: int | None
    """The number of the first ordinal (third: 3)."""
    comparisons: tuple[NumberComparison, ...]

    @property
    def asked_by(self) -> str:
        """The question word in the names of features."""
        return self.wh or "no question word"

    @property
    def seeks_name(self) -> bool:
        """True if a name (of a row, a heading, a year) can answer the question and a figure cannot:
        it asks which, who, where or when, or for any kind of thing but a number."""
        if "number" in self.kinds:
            return False
        return self.wh in ("which", "who", "where", "when") or bool(self.kinds)

    @property
    def falls(self) -> bool:
        """True for a question about what became less, and not about what became more."""
        return "fall" in self.triggers and "rise" not in self.triggers


# Triggers that ask to order things.
ORDERS = frozenset(
    "most least highest lowest largest smallest longest shortest oldest newest nth second more "
    "less".split()
)
_FORMING = ORDERS.union(
    "next after previous before first last same other not only or than times".split()
)


@lru_cache(maxsize=4096)
def read_question(text: str) -> AnalysedQuestion:
    """The analysis of a question in English, Japanese or any language of words in Latin letters, in
    any case and width: its words, what it asks for (`wh`, `focus` of at most two words, `kinds`),
    the operations that its words trigger, the words on both sides of an "or", the first ordinal
    (None without) and comparisons; empty parts for a text without words."""
    lower = unicodedata.normalize("NFKC", text).lower().strip()
    question_words = words(text)
    # "Which one" asks for no 1.
    content = words(_ONE.sub(" ", lower))
    ordered = _WITH_FIGURE.sub(" ", lower)
    triggers = tuple(
        name
        for name, pattern in TRIGGERS.items()
        if pattern.search(ordered if name in ORDERS else lower)
    )
    orders = (TRIGGERS[name].finditer(lower) for name in triggers if name in ORDERS)
    if _KANA.search(lower):
        # the words of the noun that is asked for are taken from its end, where its head is
        wh, noun = japanese_focus(lower)
        focus = tuple(word for word in words(noun) if word not in _STOP)[::-1][:2]
    else:
        wh_match = _WH.search(lower)
        wh, rest = (wh_match.group(), lower[wh_match.end() :]) if wh_match else ("", lower)
        focus = tuple(word for word in words(rest) if word not in _STOP and word not in _SKIP)[:2]
        # "How tall" asks for tall.
        if wh.startswith("how ") and wh not in ("how many", "how much"):
            wh, focus = "how", (*words(wh.removeprefix("how ")), *focus)[:2]
        wh = _WH_NAMES.get(wh, wh)
    of_two = _OF_TWO.search(lower)
    left, right = (part for part in of_two.groups() if part is not None) if of_two else ("", "")
    ordinal = None
    if first_ordinal := _ORDINAL.search(lower):
        name, *figures = first_ordinal.groups()
        ordinal = _ORDINALS[name] if name else int(figures[0] or figures[1])
    forming = [trigger for trigger in triggers if trigger in _FORMING]
    return AnalysedQuestion(
        text=text,
        words=question_words,
        joined=f" {' '.join(question_words)} ",
        content=tuple(dict.fromkeys(word for word in content if word == "1" or word not in _STOP)),
        triggers=triggers,
        wh=wh,
        focus=focus,
        kinds=frozenset([_WH_KINDS[wh]])
        if wh in _WH_KINDS
        else kinds_of(focus[:1]) or kinds_of(focus),
        halves=(words(left)[::-1][:8], words(right)[:8]),
        spoken=tuple(dict.fromkeys(word for word in question_words if word.isalpha())),
        forms=(wh, *forming, " ".join((wh, *forming, "whole"))),
        orders=tuple(match.group() for matches in orders for match in matches),
        ordinal=ordinal,
        comparisons=tuple(_comparisons(lower)),
    )


def _comparisons(lower: str) -> list[NumberComparison]:
    """The comparisons with a number or a year of an era in a lower-cased question, pattern by
    pattern, eras last; inclusive bounds are moved outwards by 1e-9, exclusive ones inwards. A year
    of an era reaches up to the next year; ages in Japanese (65歳以上) are left out."""
    comparisons = []
    rest = with_common_years(lower)
    for name, pattern in _COMPARISONS:
        for match in pattern.finditer(rest):
            # Of the alternatives of a pattern one has a number, and perhaps a factor behind it.
            group = next(group for group, text in enumerate(match.groups(), 1) if text)
            digits, factor = match[group], match[group + 1]
            number = float(digits.replace(",", "")) * _FACTORS[factor]
            low = number + {"at least": -1e-9, "more than": 1e-9}.get(name, -inf)
            high = number + {"at most": 1e-9, "less than": -1e-9}.get(name, inf)
            comparisons.append(NumberComparison(low, high, f"{name} {number:g}", "," in digits))
        if name.startswith("at "):
            rest = pattern.sub(" ", rest)
    for match in _ERA.finditer(lower):
        year = era_year(match[1], match[2])
        # A year of an era is a comparison: the table may write it as a common year or in dates.
        comparisons.append(NumberComparison(year - 1e-9, year + 1, f"in {year}"))
    return comparisons
