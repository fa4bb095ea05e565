"""Notes on a passage's names, made in the process that analyses its sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from indexer.entities import neighbour_words

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
            names.append(NameNote(key, sure, recogniser.cue(text, mention), span))
            beside += neighbour_words(text, start, end)
    return SentenceNotes(terms, names, beside)


def passage_notes(
    doc_id: str, title: str, sentences: Sequence[str], analysis: Analyser, recogniser: Recogniser
) -> PassageNotes:
    """The notes of a paragraph of these sentences; sentences without terms are in no index and left
    out."""
    noted = (sentence_notes(text, analysis.terms(text), recogniser) for text in sentences)
    return PassageNotes(doc_id, title, [note for note in noted if note.terms])
