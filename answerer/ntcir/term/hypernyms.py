"""Hypernyms: how often the whole book says that a candidate is one of what the question asks for."""

from __future__ import annotations

import math
from collections.abc import Sequence

from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.languages.spans import NAMED
from answerer.ntcir.term.questions import TermQuestion
from answerer.ntcir.term.signals import Candidate
from indexer.engines.contract import Index
from indexer.sources.textbook.schema import PARAGRAPHS, SENTENCES, holds_sentences
from retriever.queries import union_query

READ = 300
"""So many sentences with the noun that is asked for, the best by BM25, are read for what they say is one."""


def set_hypernyms(
    questions: Sequence[TermQuestion], ranked: Sequence[Sequence[Candidate]], index: Index, language: TermLanguage
) -> None:
    """Fill "hypernym" of each question's candidates, in one round trip for all: log(1 + places that say so).

    The patterns are those of Hearst (1992, Automatic acquisition of hyponyms), in the words of each language; a noun
    asked for that is made of several counts by its head (三大宗教: 宗教). 0 where no noun is asked for.
    """
    heads = [language.tools.reader.head_of(language.fold(question.focus)) for question in questions]
    asked = sorted({head for head in heads if language.terms(head)})
    part = index.part((SENTENCES if holds_sentences(index.metadata) else PARAGRAPHS).name)
    hits = part.search([union_query(sorted(set(language.terms(head)))) for head in asked], READ)
    sentences = {
        head: [language.fold(hit.document.text) for hit in found] for head, found in zip(asked, hits, strict=True)
    }
    for head, candidates in zip(heads, ranked, strict=True):
        for candidate in candidates:
            if candidate.span.shape in NAMED:
                said = _said(language.fold(candidate.text), head, sentences.get(head, ()), language)
                candidate.signals["hypernym"] = math.log1p(said)


def _said(name: str, head: str, sentences: Sequence[str], language: TermLanguage) -> int:
    """In how many places of the sentences a name is said to be one of what the noun names."""
    found = 0
    for sentence in sentences:
        start = sentence.find(name)
        while start >= 0:
            end = start + len(name)
            found += language.is_said_to_be(sentence[:start], sentence[end:], head)
            start = sentence.find(name, end)
    return found
