"""Notes on a passage's names, made in the process that analyses its sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from indexer.analysis.analyser import Analyser, Recogniser
    from indexer.entities import Kind

KEY_LIMIT = 120  # characters; longer terms and names, mostly damage, are ignored


class NameNote(NamedTuple):
    """A name in a sentence: its key, whether it is surely a name, the kind suggested by its
    context, first and last year of a date."""

    key: str
    sure: bool
    cue: Kind | None
    span: tuple[int, int] | None


class SentenceNotes(NamedTuple):
    """Terms and names of a sentence, in order, repeats kept; `beside` has the words before and
    after each name."""

    terms: Sequence[str]
    names: Sequence[NameNote]
    beside: Sequence[str]


class PassageNotes(NamedTuple):
    """A paragraph's doc_id, the title of its section, and the notes of its sentences."""

    doc_id: str
    title: str
    sentences: Sequence[SentenceNotes]


def sentence_notes(text: str, terms: Sequence[str], recogniser: Recogniser) -> SentenceNotes:
    """Notes of a sentence: `terms`, its names as found by the recogniser, but for those whose keys
    have more than 120 characters, and the two words beside each."""
    names, beside = list[NameNote](), list[str]()
    for mention in recogniser.mentions(text):
        start, end, _, key, sure, span, _, _ = mention
        if len(key) <= KEY_LIMIT:
            names.append(_note(key, sure, recogniser.cue(text, mention), span))
            beside += neighbour_words(text, start, end)
    return SentenceNotes(terms, names, beside)


_note = lru_cache(maxsize=100_000)(NameNote)


def passage_notes(
    doc_id: str, title: str, sentences: Sequence[str], analysis: Analyser, recogniser: Recogniser
) -> PassageNotes:
    """The notes of a paragraph of these sentences; sentences without terms are in no index and left
    out."""
    noted = (sentence_notes(text, analysis.terms(text), recogniser) for text in sentences)
    return PassageNotes(doc_id, title, [note for note in noted if note.terms])


# Left and right neighbours of names: a word on either side, or a character in languages without
# blanks.

EDGE = "<edge>"
"""Neighbour of a name that begins or ends its text; no word, for words have no such signs."""

_REACH = 60  # characters that a word has at most
_UNPARTED = (
    "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"  # kana and Han
)
_WORD = re.compile(rf"\s*([^\W{_UNPARTED}]+|\S)")


def neighbour_words(text: str, start: int, end: int) -> tuple[str, str]:
    """The words right before and right after text[start:end], in lower case, cut to 60 characters
    with the blanks between; a sign, and a character of kana or Han, is a word. `EDGE` for none."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if not _is_unparted(before):  # else it is the word, and no pattern need look for it
        word = _WORD.match(text[max(0, start - _REACH) : start][::-1])
        before = word[1][::-1].lower() if word else EDGE
    if not _is_unparted(after):
        word = _WORD.match(text, end, end + _REACH)
        after = word[1].lower() if word else EDGE
    return before, after


@cache
def _is_unparted(character: str) -> bool:
    """Returns whether a character is of kana or Han, by the two ranges that hold most of them;
    False for ""."""
    return "\u3040" <= character <= "\u30ff" or "\u4e00" <= character <= "\u9fff"
