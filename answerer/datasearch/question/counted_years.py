"""Years that a question counts from another: two years before 2021, the year after 2018-19,
平成30年の翌年."""

from __future__ import annotations

import re
import unicodedata

from answerer.datasearch.question.words import with_common_years, words

_COUNTED = re.compile(
    r"\b(?:in |for |during )?"
    r"(?:(?P<number>one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2}) (?:fiscal )?years?"
    r"|the (?:fiscal )?year) (?:immediately |right |directly )?"
    r"(?P<side>before|after|following|preceding|prior to|earlier than|later than)"
    r" (?:the )?(?:(?:fiscal )?year )?"
    r"(?P<year>(?:1[89]|20)\d\d)(?P<end>[-–/](?:\d{4}|\d\d))?(?!\d)",
    re.IGNORECASE,
)
_COUNTED_JAPANESE = re.compile(
    r"(?P<year>(?:1[89]|20)\d\d)\s*年(?P<fiscal>度?)の\s*"
    r"(?:(?P<near>翌年|前年|次の年)|(?P<number>\d{1,2})年(?P<side>後|前))度?"
)
_LATER = frozenset(("after", "following", "later than", "翌年", "次の年", "後"))


def with_counted_years(text: str) -> str:
    """A question with the years that it means in the place of those that it counts from; the same
    text where it counts none. One that counts in Japanese comes as NFKC, with common years for
    those of eras."""
    text = _COUNTED.sub(_english_year, text)
    if "年" in text:
        plain = with_common_years(unicodedata.normalize("NFKC", text))
        if _COUNTED_JAPANESE.search(plain):
            return _COUNTED_JAPANESE.sub(_japanese_year, plain).strip()
    return text


def _english_year(match: re.Match[str]) -> str:
    """The year that a match counts to, with its side and number of steps, as "in 2015" or "in
    2015-16"."""
    steps = int(words(match["number"])[0]) if match["number"] else 1
    steps *= 1 if match["side"].lower() in _LATER else -1
    return f"in {int(match['year']) + steps}{_year_end(match['end'], steps)}"


def _year_end(end: str | None, steps: int) -> str:
    """The end of a year that spans two, moved by the steps, in as many digits as before: -22
    becomes -20 for -2; "" for no end."""
    if not end:
        return ""
    digits = end[1:]
    return f"{end[0]}{(int(digits) + steps) % 10 ** len(digits):0{len(digits)}d}"


def _japanese_year(match: re.Match[str]) -> str:
    """The year that a match counts to, as 2015年 or 2015年度."""
    side = match["near"] or match["side"]
    steps = int(match["number"] or 1) * (1 if side in _LATER else -1)
    return f"{int(match['year']) + steps}年{match['fiscal']}"
