"""The words of an English claim or sentence, with parts of speech and the scope of negations.

The parts of speech are TextBlob's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

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
_SCOPE_ENDS = frozenset(", ; : . ( ) — – but and".split())
AUXILIARIES = frozenset(
    "do does did is are was were be been being has have had can could will would shall should may "
    "might must".split()
)


def tag_tokens(text: str, stem: Callable[[str], Sequence[str]]) -> list[Token]:
    """The words and marks of a text without question marks at its end, each with its stem ("" for a
    stop word), TextBlob's tag, and whether a negation, or "failed to", "refused to" or the like,
    comes before it, with no mark, "but" or "and" between; parts of hyphenated words are words,
    numbers in figures. [] for no text."""
    from textblob.en import tag as tags

    tokens: list[Token] = []
    negated = denying = False
    # The parts of "gram-negative" are separate words.
    figures = with_figures(_CONTRACTED.sub(" not", text.strip().rstrip("?")))
    parted = re.sub(r"(?<=[^\W\d_])-(?=[^\W\d_])", " ", figures)
    for word, kind in tags(parted, tokenize=True):
        lower = word.lower()
        if lower in _SCOPE_ENDS:
            negated = False
        terms = stem(word)
        tag = "CD" if word[0].isdigit() else kind  # TextBlob takes 2 for "to"
        tokens.append(Token(word, terms[0] if terms else "", tag, negated))
        denying = lower in _DENIALS or (denying and lower not in _SCOPE_ENDS)
        if lower in NEGATIONS or (denying and lower == "to"):
            negated = True
    return tokens
