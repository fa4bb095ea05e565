"""Sentences that lean on the ones before them ("It fell …", 「その後…」): what must come with them."""

from __future__ import annotations

from collections.abc import Mapping

from answerer.ntcir.essay.language import EssayLanguage
from indexer.sources.textbook.schema import sentences_before

LONGEST = 3
"""So many sentences in a row at most, the one that leans among them."""


def leans(text: str, own: EssayLanguage) -> bool:
    """Whether a sentence, without what is left off at its beginning, points to one before it."""
    return own.leans(own.bare(text).strip())


def asked_for(doc_id: str, text: str, own: EssayLanguage) -> list[str]:
    """The doc_ids of the sentences that one may lean on; none where it stands by itself."""
    return sentences_before(doc_id, LONGEST - 1) if leans(text, own) else []


def support(doc_id: str, text: str, texts: Mapping[str, str], own: EssayLanguage) -> tuple[str, ...] | None:
    """The sentences that have to stand before one, in reading order, the first of which leans on nothing.

    () where it stands by itself; None where they are not to be had: it opens its paragraph, leans over more
    than `LONGEST` sentences, or on one that is not fit for an essay or not among `texts` (by doc_id).
    """
    before: list[str] = []
    piece = text
    for doc_id_before in reversed(asked_for(doc_id, text, own)):
        piece = texts.get(doc_id_before, "")
        if not piece or not own.is_fit(piece):
            return None
        before.insert(0, piece)
        if not leans(piece, own):
            break
    return None if leans(piece, own) else tuple(before)
