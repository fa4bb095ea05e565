"""The terms of what a question asks and of its choices, and of an exam in the passages of a
book."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from scipy.sparse import csr_array, eye_array

from answerer.formats.exam.parts import ExamQuestion, expand
from answerer.ntcir.multiple_choice.shapes import Plan
from indexer.files.arrays import Float64Array
from indexer.statistics.part import CountedTerms
from retriever.association.counts import groups, windows
from retriever.association.features import pair_columns
from retriever.bm25 import documents_with, idf, term_score
from retriever.queries import union_query

if TYPE_CHECKING:
    from indexer.analysis.analyser import Analyser
    from indexer.engines.contract import Searcher

Aggregate = Literal["", "all", "none"]

_ITEM = r"[(（\[]?([a-hａ-ｈア-ク1-8１-８①-⑧])[)）\].．]?"
_ITEMS = re.compile(
    rf"\W*(?:both\s+)?{_ITEM}(?:\s*[,、・]\s*{_ITEM})*,?\s*(?:and|&|or|[,、と・])\s*{_ITEM}\W*",
    re.IGNORECASE,
)
_NEITHER = re.compile(rf"\W*neither\s+{_ITEM}\s+nor\s+{_ITEM}\W*", re.IGNORECASE)
_KINDS: tuple[tuple[re.Pattern[str], Aggregate], ...] = ((_ITEMS, "all"), (_NEITHER, "none"))
_ONE_ITEM = re.compile(rf"(?<![a-zａ-ｚ]){_ITEM}(?![a-zａ-ｚ])", re.IGNORECASE)
_OF_ALL = (
    r"(?: of)?(?: the)?(?: above| these| those| choices| answers| options| others| statements| "
    r"them)?"
    r"(?: (?:is |are )?(?:correct|true|apply))?"
)
_ALL = re.compile(
    rf"\W*(?:all|both|either|any|every one)(?: two| three| four)?{_OF_ALL}\W*"
    r"|\W*(?:上記|以上|これら)?の?(?:すべて|全て|全部|どれも|いずれも)(?:が?正しい|当てはまる|である)?\W*",
    re.IGNORECASE,
)
_NONE = re.compile(
    rf"\W*(?:none|neither)(?: one)?{_OF_ALL}\W*"
    r"|\W*(?:上記|以上|これら)?の?(?:どれ|いずれ)(?:でも|にも|も)?(?:ない|該当しない|当てはまらない|正しくない)\W*",
    re.IGNORECASE,
)
_LABELS = ("abcdefgh", "アイウエオカキク", "12345678")
_SENTENCE = (".", "。", "．", "!", "！")
_CHOOSE = re.compile(
    r"\b(?:choose|select|pick|identify|indicate|mark)\b|選|答え|マーク", re.IGNORECASE
)
_ASKS = re.compile(r"[?？]|か[。．]?\s*$|_{3}")

UNITS = ("sentence", "window", "paragraph")
"""Passages of three sizes; a window is a sentence with the one before and the one after it in its
paragraph."""

QUESTION_DEPTH = (
    60  # paragraphs retrieved by a question where the index has no statistics; 40 to 100 do as well
)
CHOICE_DEPTH = 10  # and by question and choice together


class ChoiceTerms(NamedTuple):
    """The terms of one choice that not every choice has, each once; none where it refers to other
    choices ("both a and b", "none of the above"): then `aggregate` is "all" or "none", and
    `members` are the positions of those."""

    terms: tuple[str, ...]
    aggregate: Aggregate = ""
    members: tuple[int, ...] = ()


class QuestionTerms(NamedTuple):
    """The distinct terms of what is asked, and the terms of each choice, in order."""

    terms: tuple[str, ...]
    choices: tuple[ChoiceTerms, ...]


def question_terms(question: ExamQuestion, plan: Plan, analyser: Analyser) -> QuestionTerms:
    """The terms of a question and of each of its choices, without those that all choices share. If
    the plan makes statements, a choice's terms are those of what it puts into a gap or asserts; the
    rest count as the question's."""
    asked = [
        term
        for text in (question.instruction, *question.data)
        for term in analyser.terms(expand(text).plain)
    ]
    own: list[list[str]] = []
    for choice, row in zip(question.choices, plan.rows, strict=True):
        terms: list[str] = []
        for number in row if plan.way in ("statements", "fillers") else ():
            statement, done = plan.statements[number], 0
            for start, end in (
                statement.fillers or statement.asserted or ((0, len(statement.text)),)
            ):
                asked += analyser.terms(statement.text[done:start])
                terms += analyser.terms(statement.text[start:end])
                done = end
            asked += analyser.terms(statement.text[done:])
        own.append(terms or analyser.terms(expand(choice.text).plain))
    texts = [choice.text.plain for choice in question.choices]
    labels = [choice.number for choice in question.choices]
    aggregates = [aggregate_of(texts, labels, position) for position in range(len(texts))]
    # Terms that every choice has do not tell one from another.
    plain = [set(terms) for terms, (kind, _) in zip(own, aggregates, strict=True) if not kind]
    common = plain[0].intersection(*plain[1:]) if len(plain) > 1 else set()
    choices = []
    for terms, (kind, members) in zip(own, aggregates, strict=True):
        apart = () if kind else tuple(dict.fromkeys(term for term in terms if term not in common))
        choices.append(ChoiceTerms(apart, kind, members))
    return QuestionTerms(tuple(dict.fromkeys(asked)), tuple(choices))


def aggregate_of(
    texts: Sequence[str], labels: Sequence[str], position: int
) -> tuple[Aggregate, tuple[int, ...]]:
    """Detects a choice that refers to other choices: (kind of reference, positions of those
    choices). ("all", …) for "all of the above" and "both a and b", ("none", …) for "none of the
    above" and "neither a nor b", else ("", ()). A letter or number means the choice with that
    label, or else at that position. `position` is that of the choice."""
    text = unicodedata.normalize("NFKC", texts[position]).strip()
    others = tuple(number for number in range(len(texts)) if number != position)
    # The position of the choice that a letter or number refers to: by its label or else by
    # counting.
    named = {item: place for row in _LABELS for place, item in enumerate(row)}
    named |= {
        unicodedata.normalize("NFKC", labels[n]).lower(): n for n in reversed(range(len(labels)))
    }
    for pattern, kind in _KINDS:
        if pattern.fullmatch(text):
            places = [named.get(match[1].lower()) for match in _ONE_ITEM.finditer(text)]
            members = tuple(dict.fromkeys(place for place in places if place in others))
            if len(members) > 1:
                return kind, members
    if len(text) > 1 and _ALL.fullmatch(text):
        return "all", others
    if _NONE.fullmatch(text):
        return "none", others
    return "", ()


def chooses_statements(question: ExamQuestion) -> bool:
    """True if most choices are sentences among which one is to be chosen, without a question that
    they would answer."""
    problem = " ".join(text.plain for text in (question.instruction, *question.data))
    return (
        has_sentences(question)
        and _CHOOSE.search(problem) is not None
        and _ASKS.search(problem) is None
    )


def has_sentences(question: ExamQuestion) -> bool:
    """True if most choices are whole sentences by their end."""
    ends = sum(choice.text.plain.rstrip().endswith(_SENTENCE) for choice in question.choices)
    return ends * 2 > len(question.choices)


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
    known = [term for term, number in documents.items() if number]
    rows = {term: row for row, term in enumerate(known)}
    held: list[tuple[int, int]] = []
    lengths: list[int] = []
    sizes: list[int] = []
    for doc_id in sorted(texts):
        sentences = [analyser.terms(sentence) for sentence in analyser.sentences(texts[doc_id])]
        for terms in sentences:
            # A set: a term counts once a sentence, as in the statistics of an index.
            held += [(rows[term], len(lengths)) for term in rows.keys() & terms]
            lengths.append(len(terms))
        sizes.append(len(sentences))
    at = csr_array((np.ones(len(held)), pair_columns(held)), (len(rows), len(lengths)))
    counted = CountedTerms(rows, at, np.array(lengths, np.int64), np.array(sizes, np.int64))
    frequency = np.array([documents[term] for term in known], float)
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
    each, whole = csr_array(eye_array(len(paragraph_of))), groups(paragraph_of)
    in_paragraphs = np.maximum(np.diff((counted.at @ whole).indptr), 1)
    passages = {}
    for name, cut in zip(UNITS, (each, windows(paragraph_of), whole), strict=True):
        held = csr_array(counted.at @ cut)
        held.sort_indices()
        size = scale * held.shape[1]
        own = np.diff(held.indptr).astype(float)
        # A sentence or window holds a term at most as often as the retrieved share allows.
        with_term = (
            own
            if frequency is None
            else np.minimum(frequency * np.maximum(own / in_paragraphs, 1.0), size)
        )
        rarity = idf(size, with_term)
        lengths = np.maximum(counted.sentences.astype(float) @ cut, 1.0)
        average = float(lengths.mean()) if len(lengths) else 1.0
        row = np.repeat(np.arange(held.shape[0]), np.diff(held.indptr))
        values = term_score(
            rarity[row], held.data, lengths[held.indices], np.full(len(row), average)
        )
        weights = csr_array((values, held.indices, held.indptr), held.shape)
        passages[name] = TermPassages(counted.row, weights, rarity, size)
    return passages
