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

_AT_ONCE = 25  # nouns whose sentences are in memory at once


def set_hypernyms(
    questions: Sequence[TermQuestion], ranked: Sequence[Sequence[Candidate]], index: Index, language: TermLanguage
) -> None:
    """Fill "hypernym" of each question's candidates, log(1 + places that say so), in a round trip for 25 nouns.

    The patterns are those of Hearst (1992, Automatic acquisition of hyponyms), in the words of each language; a noun
    asked for that is made of several counts by its head (三大宗教: 宗教). 0 where no noun is asked for.
    """
    named: dict[str, list[Candidate]] = {}
    for question, candidates in zip(questions, ranked, strict=True):
        head = language.tools.reader.head_of(language.fold(question.focus))
        named.setdefault(head, []).extend(one for one in candidates if one.span.shape in NAMED)
    part = index.part((SENTENCES if holds_sentences(index.metadata) else PARAGRAPHS).name)
    asked = [head for head in sorted(named) if language.terms(head)]
    for start in range(0, len(asked), _AT_ONCE):
        heads = asked[start : start + _AT_ONCE]
        hits = part.search([union_query(sorted(set(language.terms(head)))) for head in heads], READ)
        for head, found in zip(heads, hits, strict=True):
            sentences = [language.fold(hit.document.text) for hit in found]
            for one in named[head]:
                one.signals["hypernym"] = math.log1p(_said(language.fold(one.text), head, sentences, language))


def _said(name: str, head: str, sentences: Sequence[str], language: TermLanguage) -> int:
    """In how many places of the sentences a name is said to be one of what the noun names."""
    found = 0
    for sentence in sentences:
        start = sentence.find(name)
        while start >= 0:
            end = start + len(name)
            found += language.finder.is_said_to_be(sentence[:start], sentence[end:], head)
            start = sentence.find(name, end)
    return found
