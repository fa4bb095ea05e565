"""Length limits of answers: reads every printed form of a limit, measures a text, never guesses."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal, NamedTuple

from indexer.analysis.text import NUMERALS, numeral_value
from indexer.files.validation import whole

Unit = Literal["characters", "words"]

FORMS = (
    "-1 (no limit), 510字, 60字以内, 30字程度, 50-60字, 50字以上60字以内, 255 English words, 50-60 "
    "English words, "
    "no more than 255 English words, approximately 255 English words, 225 English words or less"
)
# A thousands group is never read alone: 1,000字 is not a limit of 0.
_DIGITS = r"(?<!\d)(?<!\d,(?=\d{3}(?!\d)))(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)"
_BETWEEN = r"(?:[-~〜–]|文?字以上(?:[、,]|で)?| and | to )"
_NUMBER = rf"(?:(?P<least>{_DIGITS})\s*{_BETWEEN}\s*)?(?P<most>{_DIGITS})"
_JAPANESE = re.compile(rf"約?{_NUMBER}文?字(?P<form>以内|以下|程度|前後|未満|まで)?")
_ENGLISH = re.compile(
    r"(?P<before>(?:(?<!no )(?<!not )(?:less|fewer)|no more|not more) than |at most |up to "
    r"|within |in |approximately |about |between |under |not exceeding |max(?:imum|\.)?(?: of)? )?"
    rf"{_NUMBER}\s*(?:english )?words?\b"
    r"(?P<after>,? (?:or (?:less|fewer)|at most|max(?:imum)?)\b)?",
    re.IGNORECASE,
)
_NUMERALS = re.compile(
    rf"(?<![\d,数何{NUMERALS}])[\d{NUMERALS}]{{1,9}}(?=(?:[-~〜–][\d{NUMERALS}]{{1,9}})?"
    r"文?字(?:以内|以下|以上|程度|前後|未満|まで|$))"
)


class Limit(NamedTuple):
    """The greatest length of an answer (`most`, 60 for `50-60字`) in `unit`; None without a
    limit."""

    most: int | None = None
    unit: Unit | None = None

    def __str__(self) -> str:
        """The limit as in `60 words`, or `no limit`."""
        return "no limit" if self.most is None else f"{self.most} {self.unit}"


NO_LIMIT = Limit()


def read_limit(text: str) -> Limit | None:
    """Parses a `length_limit` attribute ([QALab3]) in either language; None if it cannot be read.
    An empty attribute and -1 give `NO_LIMIT`; 程度 and "approximately" mean at most the number; a
    least length is dropped."""
    folded = _fold(text)
    if match := _JAPANESE.fullmatch(folded.replace(" ", "")):
        return _limit(match, "characters")
    if match := _ENGLISH.fullmatch(folded):
        return _limit(match, "words")
    return NO_LIMIT if folded in ("", "-1") else None


def _fold(text: str) -> str:
    """The text in NFKC with half-width figures, those of Japanese numerals before 字 (二百字) too,
    and single blanks."""
    folded = " ".join(unicodedata.normalize("NFKC", text).split())
    return _NUMERALS.sub(lambda match: str(numeral_value(match[0])), folded)


def _limit(match: re.Match[str], unit: Unit) -> Limit | None:
    """The limit of a regular-expression match, one lower for 未満, "less than", "fewer than" and
    "under"; None if a number cannot be read, or least is greater than most."""
    groups = match.groupdict(default="")
    most, least = (whole(groups[name].replace(",", "") or "0") for name in ("most", "least"))
    if most is None or least is None:
        return None
    # 未満 and "less than" exclude the number itself.
    most -= groups.get("form") == "未満" or groups.get("before", "").casefold() in (
        "less than ",
        "fewer than ",
        "under ",
    )
    return Limit(most, unit) if most >= 0 and least <= most else None


def limits_in(instruction: str) -> list[Limit]:
    """The length limits that running text states: those in characters (Japanese, with 以内, 以下,
    程度, 前後, 未満 or まで), then those in words (English, with words such as "at most", not "in
    60 words"). Others are left out; [] without any."""
    folded = _fold(instruction)
    # Only an unmistakable limit counts here: "explain the two words" is not one.
    limits = [_limit(m, "characters") for m in _JAPANESE.finditer(folded) if m["form"]]
    english = [
        m
        for m in _ENGLISH.finditer(folded)
        if m["after"] or (m["before"] or "in ").casefold() != "in "
    ]
    return [
        limit for limit in (*limits, *(_limit(m, "words") for m in english)) if limit is not None
    ]


def stricter(attribute: Limit, others: list[Limit]) -> Limit:
    """The lowest of the attribute's limit and of those in its unit (in any unit when it does not
    set one)."""
    # A limit in words says nothing of one in characters.
    usable = [limit for limit in others if attribute.most is None or limit.unit == attribute.unit]
    return min(
        [attribute, *usable], key=lambda limit: float("inf") if limit.most is None else limit.most
    )


def measure(text: str, unit: Unit) -> int:
    """A text's length without its outer blanks: characters with punctuation, or words split at
    white space."""
    return len(text.split()) if unit == "words" else len(text.strip())


def exceeds(text: str, limit: Limit) -> bool:
    """True if a text is longer than its limit; False without a limit."""
    return (
        limit.most is not None and limit.unit is not None and measure(text, limit.unit) > limit.most
    )
