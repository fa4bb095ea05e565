"""The terms of an exam in the passages of a book."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array, eye_array

from answerer.ntcir.multiple_choice.choices import QuestionTerms
from indexer.files.arrays import Float64Array
from indexer.statistics.part import CountedTerms
from retriever.association.counts import groups, windows
from retriever.association.features import pair_columns
from retriever.bm25 import documents_with, idf, term_score
from retriever.queries import union_query

if TYPE_CHECKING:
    from indexer.analysis.analyser import Analyser
    from indexer.engines.searching import Searcher

UNITS = ("sentence", "window", "paragraph")
"""Passages of three sizes; a window is a sentence with the one before and the one after it in its
paragraph."""

# Paragraphs retrieved by a question where the index has no statistics; 40 to 100 do as well.
QUESTION_DEPTH = 60
CHOICE_DEPTH = 10  # and by question and choice together


class TermPassages(NamedTuple):
    """The terms of an exam in the passages (of one size) of a book. `rows` maps a term that some
    passage contains to its row. `weights` (terms, passages) are BM25 term scores, a term counting
    once per sentence. `idf` (terms,) and `size`, the number of passages, are over the whole book,
    even if `weights` has only retrieved passages."""

    rows: Mapping[str, int]
    weights: csr_array
    idf: Float64Array
    size: float


def all_terms(questions: Sequence[QuestionTerms]) -> list[str]:
    """The terms of questions and choices, sorted, each once."""
    return sorted(
        {
            t
            for q in questions
            for terms in (q.terms, *(choice.terms for choice in q.choices))
            for t in terms
        }
    )


def from_retrieval(
    questions: Sequence[QuestionTerms], paragraphs: Searcher, analyser: Analyser
) -> dict[str, TermPassages]:
    """The term weights in the paragraphs retrieved for the questions, alone and with choices, by
    size of passage (`UNITS`), for an index without statistics. Document frequencies of paragraphs
    are those of the whole index; those of sentences and windows are estimated from the fraction of
    the terms' paragraphs that was retrieved."""
    queries = [union_query(question.terms) for question in questions]
    with_choices = [union_query(q.terms, choice.terms) for q in questions for choice in q.choices]
    hits = [
        *paragraphs.search(queries, QUESTION_DEPTH),
        *paragraphs.search(with_choices, CHOICE_DEPTH),
    ]
    # Each paragraph once, whatever retrieved it.
    texts = {hit.doc_id: hit.document.text for row in hits for hit in row}
    documents = documents_with(paragraphs, all_terms(questions))
    vocabulary = [term for term, number in documents.items() if number]
    rows = {term: row for row, term in enumerate(vocabulary)}
    postings: list[tuple[int, int]] = []
    lengths: list[int] = []
    sizes: list[int] = []
    for doc_id in sorted(texts):
        sentences = [analyser.terms(sentence) for sentence in analyser.sentences(texts[doc_id])]
        for terms in sentences:
            # A set: a term counts once a sentence, as in the statistics of an index.
            postings += [(rows[term], len(lengths)) for term in rows.keys() & terms]
            lengths.append(len(terms))
        sizes.append(len(sentences))
    at = csr_array((np.ones(len(postings)), pair_columns(postings)), (len(rows), len(lengths)))
    counted = CountedTerms(rows, at, np.array(lengths, np.int64), np.array(sizes, np.int64))
    frequency = np.array([documents[term] for term in vocabulary], float)
    return term_passages(counted, len(paragraphs) / max(1, len(texts)), frequency)


def term_passages(
    counted: CountedTerms, scale: float = 1.0, frequency: Float64Array | None = None
) -> dict[str, TermPassages]:
    """The term weights in passages of each size (keys `UNITS`), from counts per sentence. The book
    has `scale` times the passages that were counted, and `frequency` (terms,) paragraphs with each
    term; None: those counted are all."""
    paragraph_of = np.repeat(np.arange(len(counted.paragraphs)), counted.paragraphs).astype(
        np.int64
    )
    sentences, whole = csr_array(eye_array(len(paragraph_of))), groups(paragraph_of)
    in_paragraphs = np.maximum(np.diff((counted.at @ whole).indptr), 1)
    passages = {}
    for name, cut in zip(UNITS, (sentences, windows(paragraph_of), whole), strict=True):
        counts = csr_array(counted.at @ cut)
        counts.sort_indices()
        size = scale * counts.shape[1]
        df = np.diff(counts.indptr).astype(float)
        # A sentence or window holds a term at most as often as the retrieved share allows.
        with_term = (
            df
            if frequency is None
            else np.minimum(frequency * np.maximum(df / in_paragraphs, 1.0), size)
        )
        rarity = idf(size, with_term)
        lengths = np.maximum(counted.sentences.astype(float) @ cut, 1.0)
        average = float(lengths.mean()) if len(lengths) else 1.0
        row = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
        values = term_score(
            rarity[row], counts.data, lengths[counts.indices], np.full(len(row), average)
        )
        weights = csr_array((values, counts.indices, counts.indptr), counts.shape)
        passages[name] = TermPassages(counted.row, weights, rarity, size)
    return passages
