"""Features of term candidates, from their passages and from what the index says of them, and their
ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from answerer.ntcir.term.candidates import (
    Retrieval,
    TermCandidate,
    find_candidates,
    retrieve,
    set_hypernyms,
)
from answerer.ntcir.term.entity_types import ANSWERS, NAMED, OF_KIND
from answerer.ntcir.term.japanese import head_of
from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.questions import TermQuestion, without_gaps
from indexer.analysis.analyser import Recogniser
from indexer.engines.contract import Index
from indexer.engines.scoring import round_score
from indexer.files.arrays import Float64Array
from indexer.statistics.part import decode_book
from retriever.association.counts import EntityCounts, entity_counts, phrase_row, unit_of
from retriever.association.features import (
    RaggedNames,
    latent_features,
    mutual_information,
    pair_columns,
    pooled_by_name,
    retrieval_features,
    retrieved_by,
)
from retriever.learning.model import packaged_weights

HAND = packaged_weights(__package__)
ASKED = packaged_weights(__package__, "question_weights.json")
# Learned by benchmarks/term_weights.py from real questions, and from sentences with a gap.
GAP = packaged_weights(__package__, "gap_weights.json")

# candidates of a question that the index is asked about; 40 to 80 answered the same within 0.5 %
RANKED = 100
# Features of the association with the whole book, by the names that the exam method has for them.
ASSOCIATION = {
    "found with": "relevance_paragraph",
    "ranked with": "share_paragraph",
    "best paragraph": "best_paragraph",
    "found beside": "near_paragraph",
    "beside names": "pmi_window",
    "names' sections": "pmi_section",
    "latent": "latent_rest",
    "latent log": "latent_log_rest",
}
KINDS_IN_BOOK = ("name of the book", "kind in the book", "other kind in the book")
_AT_ONCE = 25  # questions whose counts are in memory at once
_DIGITS = 4  # of features that are differences of scores rounded to 5 significant digits


def set_text_features(
    question: TermQuestion, candidates: Sequence[TermCandidate], language: TermLanguage
) -> None:
    """Adds the features that come from the question and the passages, and 0 for those still to
    come from the index."""
    focus, terms = language.fold(question.focus), set(language.terms(question.text))
    for candidate in candidates:
        key = language.fold(candidate.text)
        proper = candidate.span.shape in NAMED and candidate.span.speech in language.proper_speech
        candidate.features = {
            **dict.fromkeys(ASKED, 0.0),
            **candidate.features,
            "type": type_share(question, candidate, language),
            "ends with focus": float(bool(focus) and key != focus and key.endswith(focus)),
            "proper noun": float(proper),
            "question's words": float(not terms.isdisjoint(language.terms(candidate.text))),
            "unasked name": float(not question.firm and bool(focus) and proper),
        }


def type_share(question: TermQuestion, candidate: TermCandidate, language: TermLanguage) -> float:
    """The probability that a candidate is of an entity class that the question asks for.

    For names, 0.5 if the question does not state the class. 1 for a date or number if that is asked
    for; 0 for any other candidate that is not a name.
    """
    if ANSWERS.get(candidate.span.shape, frozenset()) & question.classes:
        return 1.0
    if candidate.span.shape not in NAMED:
        return 0.0
    if not question.firm:
        return 0.5
    shares = language.kinds.classes(candidate.text, candidate.span.speech)
    return sum(shares.get(label, 0.0) for label in sorted(question.classes))


def set_association(
    candidate_lists: Sequence[tuple[TermQuestion, Sequence[TermCandidate], Retrieval]],
    index: Index,
    language: TermLanguage,
) -> None:
    """Sets `ASSOCIATION` and `KINDS_IN_BOOK` of the candidates of each question, with two requests
    to the index.

    These are the features of entity association with the question as statement. A candidate is the
    entity that it names, or else occurs where all its terms occur in one sentence. 0 for a
    candidate that does not occur; nothing is set in an index without names or sentences. Raises
    UserError if the index was counted by another version of the program.
    """
    recogniser = language.language.recogniser(language.glossary)
    # The possible keys of each name in a question.
    names_of = [
        [
            (name.key, *recogniser.parts(name.key))
            for name in recogniser.mentions(without_gaps(question.text))
        ]
        for question, _, _ in candidate_lists
    ]
    terms_of = [
        [term for term, weight in retrieval.terms.items() if weight >= 1]
        for _, _, retrieval in candidate_lists
    ]
    listed = [
        _ListedCandidate(
            number, candidate, _keys(candidate.text, recogniser), language.terms(candidate.text)
        )
        for number, (_, candidates, _) in enumerate(candidate_lists)
        for candidate in candidates
    ]
    keys = {key for names in names_of for keys in names for key in keys}
    terms = {term for words in terms_of for term in words}
    for entry in listed:
        keys.update(entry.keys)
        terms.update(entry.terms)
    counts = entity_counts(decode_book(index, sorted(keys), sorted(terms)))
    rows = [_row(entry.keys, entry.terms, counts) for entry in listed]
    if not counts.keys or not len(counts.paragraph_of) or not rows:
        return
    flat = _ragged_names(listed, rows, names_of, terms_of, counts)
    features = _association_features(flat, counts)
    columns = np.column_stack(
        [np.where(flat.rows >= 0, features[name], 0.0) for name in ASSOCIATION.values()]
    )
    for entry, values in zip(listed, np.round(columns, _DIGITS).tolist(), strict=True):
        entry.candidate.features |= dict(zip(ASSOCIATION, values, strict=True))
        question = candidate_lists[entry.number][0]
        row = _row(entry.keys, (), counts) if entry.candidate.span.shape in NAMED else -1
        entry.candidate.features |= _kind_features(question, counts.kinds[row] if row >= 0 else "")


class _ListedCandidate(NamedTuple):
    """A candidate of the question `number`: the keys that it may have in the book, and its
    terms."""

    number: int
    candidate: TermCandidate
    keys: tuple[str, ...]
    terms: list[str]


def _keys(text: str, recogniser: Recogniser) -> tuple[str, ...]:
    """The keys under which the book may have a text, the best first: the key of the name that the
    whole text is, then the text in small letters, then the text itself."""
    mentions = recogniser.mentions(text)
    whole = (mention.key for mention in mentions if mention.surface == text)
    return (*whole, text.casefold(), text)


def _ragged_names(
    listed: Sequence[_ListedCandidate],
    rows: Sequence[int],
    names_of: Sequence[Sequence[Sequence[str]]],
    terms_of: Sequence[Sequence[str]],
    counts: EntityCounts,
) -> RaggedNames:
    """The candidates, with these rows, as names beside those of their questions; `names_of` are the
    possible keys of each question's names, `terms_of` its terms."""
    claim = np.array([entry.number for entry in listed], np.int64)
    # Of each the first candidate of its question, whose terms they share.
    first = np.searchsorted(claim, claim)
    contexts = [dict.fromkeys(_row(keys, (), counts) for keys in names) for names in names_of]
    pairs, shared, term_row = list[tuple[int, int]](), list[tuple[int, int]](), counts.book.term_row
    for position, number in enumerate(claim.tolist()):
        row = rows[position]
        pairs += [
            (position, other) for other in contexts[number] if row >= 0 and other not in (-1, row)
        ]
        if position == first[position]:
            shared += [(position, term_row[term]) for term in terms_of[number] if term in term_row]
    pair_of, pair_with = pair_columns(pairs)
    term_of, term = pair_columns(shared)
    return RaggedNames(
        rows=np.array(rows, np.int64),
        claim=claim,
        pair_of=pair_of,
        pair_with=pair_with,
        term_of=term_of,
        term=term,
        rest=first,
    )


def _association_features(flat: RaggedNames, counts: EntityCounts) -> dict[str, Float64Array]:
    """Feature of entity association → values of the candidates, (candidates,)."""
    paragraph = unit_of(counts, "paragraph")
    features = retrieval_features(paragraph, flat, retrieved_by(paragraph, flat))
    features |= latent_features(paragraph, counts.book.vectors, flat)
    for name, unit in (
        ("window", unit_of(counts, "window")),
        ("section", unit_of(counts, "section")),
    ):
        information = mutual_information(name, unit, flat.rows[flat.pair_of], flat.pair_with)
        features[f"pmi_{name}"] = pooled_by_name(information, flat.pair_of, len(flat.rows))[0]
    return features


def _kind_features(question: TermQuestion, kind: str) -> dict[str, float]:
    """`KINDS_IN_BOOK` of a candidate, 0 or 1, by the kind of the name that it is in the book, "" if
    it is not: it is one, its kind fits the question's classes, or does not (both 0 for a year, and
    for a question without certain classes)."""
    typed = kind not in ("", "year") and question.firm and bool(question.classes)
    fits = typed and not OF_KIND.get(kind, frozenset()).isdisjoint(question.classes)
    kinds = (kind != "", fits, typed and not fits)
    return dict(zip(KINDS_IN_BOOK, map(float, kinds), strict=True))


def _row(keys: Sequence[str], terms: Sequence[str], counts: EntityCounts) -> int:
    """Row of an entity in `counts`: of the first of `keys` in the book, else of sentences with all
    `terms`, else −1."""
    row = next((counts.book.name_row[key] for key in keys if key in counts.book.name_row), -1)
    if row < 0 and terms and all(term in counts.book.term_row for term in terms):
        row = phrase_row(counts, frozenset(counts.book.term_row[term] for term in terms))
    return row


def weights_of(question: TermQuestion) -> Mapping[str, float]:
    """The weights of a question: others for one with a gap to fill."""
    return GAP if question.has_gap else ASKED


def set_scores(candidates: list[TermCandidate], weights: Mapping[str, float]) -> None:
    """Scores the candidates (Σ weight · feature, 5 significant digits) and sorts them, ties by
    text."""
    for candidate in candidates:
        candidate.score = round_score(
            sum([weight * candidate.features[name] for name, weight in weights.items()])
        )
    candidates.sort(key=lambda candidate: (-candidate.score, candidate.text))


def candidates_with_features(
    questions: Sequence[TermQuestion], index: Index, language: TermLanguage
) -> list[list[TermCandidate]]:
    """The `RANKED` (100) best candidates of each question by default weights, best first, with all
    their features set, those of the book's names 0 in an index without names."""
    retrieved = retrieve(questions, index, language.analyser)
    lists = [
        find_candidates(question, retrieval, language)
        for question, retrieval in zip(questions, retrieved, strict=True)
    ]
    for question, candidates in zip(questions, lists, strict=True):
        set_text_features(question, candidates, language)
    heads = [head_of(language.fold(question.focus)) for question in questions]
    set_hypernyms("hypernym", list(zip(heads, lists, strict=True)), index, language)
    for candidates in lists:
        set_scores(candidates, HAND)
    # What follows asks the index about each candidate.
    ranked = [candidates[:RANKED] for candidates in lists]
    # Indexes built with --no-names have no counts of the book.
    if index.metadata.has_part("names"):
        every = list(zip(questions, ranked, retrieved, strict=True))
        for start in range(0, len(every), _AT_ONCE):  # bounds the size of the matrices
            set_association(every[start : start + _AT_ONCE], index, language)
    return ranked


def rank_candidates(
    questions: Sequence[TermQuestion], index: Index, language: TermLanguage
) -> list[list[TermCandidate]]:
    """Up to `RANKED` (100) candidates of each question with their features and scores, best
    first."""
    ranked = candidates_with_features(questions, index, language)
    for question, candidates in zip(questions, ranked, strict=True):
        set_scores(candidates, weights_of(question))
    return ranked
