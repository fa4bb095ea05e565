"""The words of an English claim or sentence, with parts of speech and the scope of negations.

The parts of speech are TextBlob's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import NamedTuple

from answerer.ntcir.claims.wording import irregular_pasts
from indexer.analysis.english_numbers import with_figures


class Token(NamedTuple):
    """A word of a text with its stem and part of speech; `negated` in the scope of a negation."""

    text: str
    stem: str
    tag: str
    negated: bool


NEGATIONS = frozenset("not no never neither nor without n't cannot hardly nobody nothing".split())
_DENIALS = frozenset(  # before "to" (failed to reach it)
    "refuse refused refuses refusal fail failed fails failure decline declined unable "
    "inability".split()
)
# The tagger parts "isn't" at its apostrophe and leaves no negation.
_CONTRACTED = re.compile(r"(?<!ca)(?<=\w)n['’]t\b|(?<=can)['’]t\b", re.IGNORECASE)
NO_NEGATION = re.compile(r"only\b|(?:more|less|fewer) than\b")  # behind a "not" or "no"
_SCOPE_ENDS = frozenset(", ; : . ( ) — – but and".split())
AUXILIARIES = frozenset(
    "do does did is are was were be been being has have had can could will would shall should may "
    "might must".split()
)


def tag_tokens(text: str, stem: Callable[[str], Sequence[str]]) -> list[Token]:
    """The words and marks of a text without question marks at its end, each with its stem ("" for a
    stop word), TextBlob's tag (CD if it begins with a digit, VBD for one of `irregular_pasts` that
    it takes for a noun), and whether a negation (but "not only", "no more than"), or "failed to",
    "refused to" or the like, comes before it, with no mark, "but" or "and" between; parts of
    hyphenated words are words, numbers in figures. [] for no text."""
    from textblob.en import tag as tags

    tokens: list[Token] = []
    negated = denying = False
    # The parts of "gram-negative" are separate words.
    figures = with_figures(_CONTRACTED.sub(" not", text.strip().rstrip("?")))
    parted = re.sub(r"(?<=[^\W\d_])-(?=[^\W\d_])", " ", figures)
    tagged = tags(parted, tokenize=True)
    for position, (word, kind) in enumerate(tagged):
        lower = word.lower()
        following = " ".join(other.lower() for other, _ in tagged[position + 1 : position + 3])
        if lower in _SCOPE_ENDS:
            negated = False
        terms = stem(word)
        tag = "CD" if word[0].isdigit() else kind  # TextBlob takes 2 for "to"
        if tag == "NN" and lower in irregular_pasts():  # and "overthrew" for a noun
            tag = "VBD"
        tokens.append(Token(word, terms[0] if terms else "", tag, negated))
        denying = lower in _DENIALS or (denying and lower not in _SCOPE_ENDS)
        is_negation = lower in NEGATIONS and not NO_NEGATION.match(following)
        if is_negation or (denying and lower == "to"):
            negated = True
    return tokens


BE = frozenset("is are was were be been being".split())
PHRASE = 4  # words of a noun phrase behind a preposition


def content(tokens: Sequence[Token]) -> frozenset[str]:
    """The stems of nouns, adjectives and capitalised words, stop words left out."""
    return frozenset(
        token.stem
        for token in tokens
        if token.stem and (token.tag[:2] in ("NN", "JJ") or token.text[0].isupper())
    )


def is_of_phrase(token: Token) -> bool:
    """True if a word can be of a noun phrase: a noun, adjective, article, number, pronoun or a word
    with a capital."""
    return token.tag[:2] in ("NN", "JJ", "DT", "CD", "PR") or token.text[0].isupper()


def nouns_behind(tokens: Sequence[Token], preposition: str) -> frozenset[str]:
    """The stems of nouns, names and adjectives of the noun phrases, up to `PHRASE` (4) words,
    right behind every occurrence of a preposition, or an auxiliary behind it ("than are girls")."""
    stems: set[str] = set()
    for position, token in enumerate(tokens):
        if token.text.lower() == preposition:
            start = position + 1
            if start < len(tokens) and tokens[start].text.lower() in AUXILIARIES:
                start += 1  # than are girls
            phrase = takewhile(is_of_phrase, tokens[start : start + PHRASE])
            stems |= content(list(phrase))
    return frozenset(stems)


def has_by(tokens: Sequence[Token]) -> bool:
    return any(token.text.lower() == "by" for token in tokens)
