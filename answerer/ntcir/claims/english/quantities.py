"""How much of a noun a claim speaks of, and how much of it a sentence does: all, half, some, none.

A quantity is the least and greatest share of the noun that it can mean: "most" is .51 to .99.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import Literal, NamedTuple

from answerer.ntcir.claims.english.tokens import AUXILIARIES, Token
from indexer.analysis.english_numbers import ONES

# Shares of what is neither none nor all, and of the words of `_SHARES`: chosen by hand.
_LEAST, _MOST = 0.01, 0.99
_ALL = frozenset("all every each entire whole always entirely completely".split())
_NONE = frozenset("no none neither".split())
_SHARES = dict.fromkeys("some many several various numerous partly".split(), (_LEAST, _MOST)) | {
    **dict.fromkeys("sometimes often usually".split(), (_LEAST, _MOST)),
    "few": (_LEAST, 0.4),
    "majority": (0.51, _MOST),
    "minority": (_LEAST, 0.49),
}
_DENOMINATORS = {
    word: number
    for number, words in enumerate(
        ("quarter", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"), start=4
    )
    for word in (words, f"{words}s")
} | {"third": 3, "thirds": 3, "halves": 2, "fourth": 4, "fourths": 4}
_ONES = ["no", *ONES]
_FRACTION = re.compile(r"(\d+)-([a-z]+)")
_DETERMINERS = frozenset("the its their his her our my your these those".split())
_SUPERLATIVE_BEHIND = _DETERMINERS | {"a", "an", "'s", "’s"}
_MORE = (["more", "than"], ["at", "least"], ["over"])
_LESS = (["less", "than"], ["fewer", "than"], ["under"], ["at", "most"])
_NOT = (["no"], ["not"])  # before "more than": a greatest one
_NEARLY = (["almost"], ["nearly"])
_SKIPPED = ("DT", "PRP$", "CD", "RB", "JJ", "VBG", "VBN")  # tags between a quantity and its noun
_PHRASE = 6  # words behind a quantity, among which its noun is
_LIMITS = frozenset("before until till after since".split())
_POSTMODIFIERS = frozenset("of who that which with whose from in at".split())


class Quantity(NamedTuple):
    """The least and greatest share of a noun, the words that say so, and the stems of the nouns."""

    low: float
    high: float
    words: str
    nouns: frozenset[str]

    @property
    def claimed(self) -> float:
        """The greatest share that supports a claim of it: what is said of some holds of all."""
        return 1.0 if self.high == _MOST and self.low > 0 else self.high


def quantities(tokens: Sequence[Token]) -> list[Quantity]:
    """The quantities of a text that have a noun behind them, in order."""
    return [quantity for quantity in _with_noun_or_without(tokens) if quantity.nouns]


def _with_noun_or_without(tokens: Sequence[Token]) -> list[Quantity]:
    """The quantities of a text, also those without a noun ("and a few carried salt")."""
    read = []
    for position in range(len(tokens)):
        share = _share(tokens, position)
        if share is None:
            continue
        low, high, words = share
        nouns = _nouns_behind(tokens, position)
        read.append(Quantity(low, high, words, nouns))
    return read


def _share(tokens: Sequence[Token], position: int) -> tuple[float, float, str] | None:
    """The least and greatest share that the word at a position, of several the last ("50 percent"),
    means with a bound before it, and its words; None for a word that is not a quantity: "the most
    useful", "a third branch", "fell by half"."""
    word = tokens[position].text.lower()
    before = [token.text.lower() for token in tokens[max(0, position - 3) : position]]
    behind = [token.text.lower() for token in tokens[position + 1 : position + 4]]
    last, following = (before or [""])[-1], (behind or [""])[0]
    share: tuple[float, float] | None = None
    if word in _ALL:
        if last in ("not", "n't"):
            return 0.0, _MOST, "not all"
        share = (1.0, 1.0)
    elif word in _NONE:
        is_bound = behind[1:2] == ["than"]  # no more than half
        share = None if is_bound else (0.0, 0.0)
    elif word == "most":
        is_adverb = tokens[position + 1 : position + 2] and tokens[position + 1].tag[:2] == "RB"
        if last not in _SUPERLATIVE_BEHIND and last != "at" and not is_adverb:
            share = (0.51, _MOST)
    elif word in _SHARES:
        share = _SHARES[word]
    elif word == "half" and (following in ("of", "all") or following in _DETERMINERS):
        share = (0.5, 0.5)
    elif word in ("percent", "%") or (word == "cent" and last == "per"):
        share = _percentage(before, following)
    elif fraction := _FRACTION.fullmatch(word):
        share = _fraction(fraction[1], fraction[2])
        # as most write it, not 2-thirds
        word = f"{_ONES[int(fraction[1]) % 10]}-{fraction[2]}" if share else word
    elif following == "of" and word in _DENOMINATORS:
        share = _fraction("1" if last in ("a", "one") else last, word)
    elif tokens[position].tag == "CD" and following == "of" and behind[1:2]:
        share = (_LEAST, _MOST) if behind[1] in _DETERMINERS else None
    if share is None:
        return None
    low, high = share
    width = 2 if word == "cent" else int(word in ("percent", "%") or word in _DENOMINATORS)
    start = position - width  # of "50 percent", "50 per cent" or "a third"
    words = " ".join([*before[len(before) - width :], word])
    limit = bound(tokens, start)
    sign = [token.text.lower() for token in tokens[max(0, start - 3) : start]]
    # "at least half" and "no less than half" are also half itself
    step = 0.0 if sign[-2:-1] == ["at"] or sign[:-2] in _NOT else 0.01
    if limit == "more":
        return min(low + step, _MOST), _MOST, f"{'more than' if step else 'at least'} {words}"
    is_nearly = sign[-1:] in _NEARLY
    if limit == "less" or is_nearly:
        least, step = (0.51 if low == 1 else _LEAST), 0.01 if is_nearly else step
        name = "less than" if step else "at most"
        if is_nearly:
            name = sign[-1]
        return least, max(high - step, _LEAST), f"{name} {words}"
    return low, high, words


def bound(tokens: Sequence[Token], position: int) -> Literal["more", "less", ""]:
    """Whether the quantity or number that begins at a position is a least ("at least two", "no
    fewer than two") or a greatest one ("fewer than two", "no more than two"); "" for neither."""
    before = [token.text.lower() for token in tokens[max(0, position - 3) : position]]
    is_more = any(before[-len(sign) :] == sign for sign in _MORE)
    is_less = any(before[-len(sign) :] == sign for sign in _LESS)
    if before[:-2] in _NOT and before[-1] == "than":
        is_more, is_less = is_less, is_more
    if is_more:
        return "more"
    return "less" if is_less else ""


def _percentage(before: Sequence[str], following: str) -> tuple[float, float] | None:
    """The share of "N percent of", the words before it given; None without a number or "of"."""
    numbers = [word for word in before[-2:] if re.fullmatch(r"\d+(?:\.\d+)?", word)]
    return (float(numbers[-1]) / 100,) * 2 if numbers and following == "of" else None


def _fraction(numerator: str, denominator: str) -> tuple[float, float] | None:
    """The share of "2 thirds" as (least, most), both the same; None for other words, a numerator
    that is not in figures, and for the whole or more."""
    if not numerator.isdigit() or denominator not in _DENOMINATORS:
        return None
    share = int(numerator) / _DENOMINATORS[denominator]
    return (share, share) if share < 1 else None


def _nouns_behind(tokens: Sequence[Token], position: int) -> frozenset[str]:
    """The stems of the nouns of the first noun phrase within `_PHRASE` (6) words behind a
    quantity, with "of", articles and adjectives between at most."""
    phrase = list(tokens[position + 1 : position + 1 + _PHRASE])
    while phrase and not phrase[0].tag.startswith("NN"):
        is_skipped = phrase[0].tag[:2] in _SKIPPED or phrase[0].tag in _SKIPPED
        if not is_skipped and phrase[0].text.lower() != "of":
            return frozenset()
        phrase = phrase[1:]
    return _nouns(list(takewhile(lambda token: token.tag.startswith("NN"), phrase)))


def _nouns(tokens: Sequence[Token]) -> frozenset[str]:
    return frozenset(token.stem for token in tokens if token.tag.startswith("NN") and token.stem)


def contradicting(claim: Sequence[Token], sentence: Sequence[Token]) -> str:
    """Why a sentence contradicts how much of a noun a claim says something of: both have quantities
    of it that cannot both hold, none of the sentence's agrees, and the sentence has half of the
    claim's other words; "" otherwise."""
    theirs, stems = _with_noun_or_without(sentence), {token.stem for token in sentence}
    for ours in quantities(claim):
        others = {token.stem for token in claim if token.stem and token.stem not in ours.nouns}
        others -= {token.stem for token in claim if token.text.lower() in AUXILIARIES}
        # one without a noun may be of this noun
        shared = [
            quantity for quantity in theirs if quantity.nouns & ours.nouns or not quantity.nouns
        ]
        apart = [
            quantity
            for quantity in shared
            if quantity.high < ours.low or quantity.low > ours.claimed
        ]
        is_about_it = 2 * len(others & stems) >= len(others)
        if len(apart) == len(shared) and any(quantity.nouns for quantity in apart) and is_about_it:
            contrary = next(quantity for quantity in apart if quantity.nouns)
            return f"the sentence says “{contrary.words}”, not “{ours.words}”"
    return ""


def leaves_open(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """True if a sentence cannot confirm how much of a noun a claim says something of: it has a
    quantity of the noun that may be more or less, of "all" only the noun with a word or phrase that
    the claim lacks (third-class passengers); or it does not bound in time
    what the claim denies of a time ("no … before")."""
    theirs, stems = _with_noun_or_without(sentence), {token.stem for token in claim}
    for ours in quantities(claim):
        shared = [quantity for quantity in theirs if quantity.nouns & ours.nouns]
        # one without a noun may be of this noun
        fitting = [quantity for quantity in theirs if quantity in shared or not quantity.nouns]
        if shared and not any(
            ours.low <= quantity.low and quantity.high <= ours.claimed for quantity in fitting
        ):
            return True
        if ours.low == 1 and not shared:
            places = [n for n, token in enumerate(sentence) if token.stem in ours.nouns]
            places = [n for n in places if sentence[n].tag.startswith("NN")]
            if places and all(_is_restricted(sentence, n, stems) for n in places):
                return True
    return _lacks_limit(claim, sentence)


def _lacks_limit(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """True if a claim with a negation or "none" has "before", "until", "till", "after" or "since",
    which the sentence lacks."""
    limits = {token.text.lower() for token in claim if token.text.lower() in _LIMITS}
    is_denied = any(token.negated for token in claim) or any(
        quantity.high == 0 for quantity in quantities(claim)
    )
    return is_denied and not limits <= {token.text.lower() for token in sentence}


def _is_restricted(tokens: Sequence[Token], position: int, stems: set[str]) -> bool:
    """True if a noun, number, adjective or participle right before the noun at a position, or one
    of three words behind an "of", "who", "in" or the like behind it, is not among `stems`."""
    before = takewhile(
        lambda token: token.tag[:2] in ("JJ", "NN", "CD") or token.tag in ("VBN", "VBG"),
        tokens[position - 1 :: -1] if position else [],
    )
    if any(token.stem and token.stem not in stems for token in before):
        return True
    behind = tokens[position + 1 : position + 5]
    if not behind or behind[0].text.lower() not in _POSTMODIFIERS:
        return False
    return any(token.stem and token.stem not in stems for token in behind[1:])


def is_of_part(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """True if a claim says of a noun with "the", and no quantity, what the sentence says of a part
    of it (half of the wages)."""
    ours = {noun for quantity in quantities(claim) for noun in quantity.nouns}
    definite = {
        token.stem
        for before, token in pairwise(claim)
        if before.text.lower() == "the" and token.tag.startswith("NN")
    }
    return any(
        quantity.high < 1 and quantity.nouns & definite - ours for quantity in quantities(sentence)
    )
