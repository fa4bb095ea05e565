"""What a passage tells of its names: noted where its sentences are analysed, on whichever process that is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from indexer.entities import Kind, Mention, Recogniser
from indexer.entities.beside import words_beside

KEY_LIMIT = 120  # characters; longer terms and names are none


class NameNote(NamedTuple):
    """A name in a sentence: its key, whether it is one for sure, the kind suggested here, the years of a date."""

    key: str
    sure: bool
    cue: Kind | None
    span: tuple[int, int] | None


class SentenceNotes(NamedTuple):
    """The terms and names of a sentence, in order, repeats kept; names that are too long are none.

    `beside` has two words a name: those right before and right after it.
    """

    terms: Sequence[str]
    names: Sequence[NameNote]
    beside: Sequence[str]


class PassageNotes(NamedTuple):
    """A paragraph's sentences with terms, and the title of its section."""

    doc_id: str
    title: str
    sentences: Sequence[SentenceNotes]


def mentions_of(text: str, recogniser: Recogniser) -> list[Mention]:
    """The names of a sentence that are counted, in order."""
    return [mention for mention in recogniser.mentions(text) if len(mention.key) <= KEY_LIMIT]


def sentence_notes(text: str, terms: Sequence[str], recogniser: Recogniser) -> SentenceNotes:
    """The notes of one sentence that has these terms."""
    mentions = mentions_of(text, recogniser)
    names = [NameNote(each.key, each.sure, recogniser.cue(text, each), each.span) for each in mentions]
    beside = [word for each in mentions for word in words_beside(text, each.start, each.end)]
    return SentenceNotes(terms, names, beside)
