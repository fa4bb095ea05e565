"""Questions taken apart into tokens, texts into items, and names of persons compared in romaji."""

from __future__ import annotations

import re
import zlib
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from indexer.analysis.japanese import reading, short_vowels
from indexer.tables.reports import fold_text

_QUESTION = re.compile(
    r"(.*?)の(\d{4})年(時点)?(?:の(連結|個別)決算)?(?:の([A-Za-z0-9_]+))?における「(.*)」は?[?？]?\s*", re.DOTALL
)
_BRACKETS = re.compile(r"[(\[【][^()\[\]【】]*[)\]】]|[*※]\d*|^(?:[IVX]+|[0-9]{1,2}[.)]|[①-⑳])")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z]*|[0-9]+")
_DASH = re.compile("[－-]")
_LONGEST_BACK = 5  # the five years of the key figures, the longest series of a report


class ParsedQuestion(NamedTuple):
    """A question taken apart: `year` is 0 and `scope` (連結, 個別), `member`, `company` are "" if it does not say."""

    year: int
    instant: bool
    scope: str
    member: str
    label: str
    heads: tuple[str, ...]
    company: str = ""


def read_question(text: str) -> ParsedQuestion:
    """Parses a question by its grammar: COMPANYのYEAR年(時点)の(連結|個別)決算のMEMBERにおける「LABEL、HEADING…」は？.

    One that does not follow it is a label as a whole. The label's parts after a dash are headings too.
    """
    match = _QUESTION.fullmatch(text)
    if not match:
        return ParsedQuestion(0, False, "", "", fold_text(text), ())
    # A comma inside brackets is a part of a heading: (甲、乙).
    parts, depth = [""], 0
    for character in fold_text(match[6]):
        depth += (character == "(") - (character == ")")
        if character == "、" and depth <= 0:
            parts.append("")
        else:
            parts[-1] += character
    label, *heads = [part for part in parts if part] or [""]
    dashed = [part for part in _DASH.split(label)[1:] if part]
    company, year, instant, scope, member, _ = match.groups()
    return ParsedQuestion(int(year), bool(instant), scope or "", member or "", label, (*dashed, *heads), company)


@lru_cache(maxsize=1 << 16)
def plain(text: str) -> str:
    """A heading without brackets, marks of notes and numbering; unchanged if nothing else is left."""
    return _BRACKETS.sub("", text) or text


def bigrams(text: str) -> list[str]:
    """The different pairs of neighbouring characters in their order; a text of one character is its only item."""
    return list(dict.fromkeys(text[place : place + 2] for place in range(len(text) - 1))) or ([text] if text else [])


def items(text: str) -> list[str]:
    """The bigrams by which a plain heading is counted, and the whole of it behind "="."""
    return [*bigrams(text), "=" + text] if text else []


def member_words(member: str) -> list[str]:
    """The English words of an XBRL member's name."""
    return _WORD.findall(member.removesuffix("Member"))


def question_tokens(asked: ParsedQuestion, last_year: int) -> dict[str, list[str]]:
    """The tokens of a question on a report with this last year: of its label and headings, the bigrams of these, the
    XBRL member, and year and scope."""
    # Years count from the report's last: 2019 says nothing of a report of another year.
    back = last_year - asked.year if asked.year else 0
    when = f"{'i' if asked.instant else 'd'}{max(-1, min(back, _LONGEST_BACK))}"
    words, member = member_words(asked.member), asked.member
    label = ["l:" + asked.label, *("h:" + head for head in asked.heads)]
    grams = ["g:" + gram for gram in bigrams(plain(asked.label))]
    grams += ["G:" + gram for head in asked.heads for gram in bigrams(plain(head))]
    members = ["m:" + member, f"lm:{member}|{asked.label}", f"sm:{member}|{asked.scope}{when[0]}"]
    members += ["w:" + word for word in words] + ["W:" + first + second for first, second in pairwise(words)]
    time = ["t:" + when, "s:" + asked.scope, f"ts:{asked.scope}{when}", f"tl:{when}{asked.label}"]
    # A group has its own mean of PMI, so that the many bigrams do not drown the label as a whole.
    return {"label": label, "grams": grams, "member": members, "time": time}


def key(text: str) -> int:
    """The number of a token or an item (CRC-32), so that a model file holds no text of reports."""
    return zlib.crc32(text.encode())


@lru_cache(maxsize=1 << 15)
def reading_grams(text: str) -> frozenset[str]:
    """The bigrams of a name's reading."""
    return frozenset(bigrams(reading(text)))


def closeness(member: str, text: str) -> float:
    """Dice of a member's name and a text's reading over bigrams of romaji, 0 to 1."""
    own = reading_grams(text)
    said = {gram for word in member_words(member) for gram in bigrams(short_vowels(word)) if len(gram) == 2}
    return 2 * len(own & said) / (len(own) + len(said)) if own and said else 0.0
