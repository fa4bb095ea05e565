"""Answer validation, the default method: support of the book for each choice as the answer to the
question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from answerer.formats.exam.parts import ExamQuestion
from answerer.ntcir.multiple_choice.choices import (
    QuestionTerms,
    chooses_statements,
    has_sentences,
    question_terms,
)
from answerer.ntcir.multiple_choice.methods import AnsweredQuestion
from answerer.ntcir.multiple_choice.names.judgement import load_weights
from answerer.ntcir.multiple_choice.names.method import answer_by_association
from answerer.ntcir.multiple_choice.shapes import plan
from answerer.ntcir.multiple_choice.validation.amounts import with_amounts
from answerer.ntcir.multiple_choice.validation.passages import (
    UNITS,
    TermPassages,
    all_terms,
    from_retrieval,
    term_passages,
)
from indexer.files.arrays import Float64Array, Int64Array
from indexer.statistics.part import decode_terms
from retriever.bm25 import idf
from retriever.queries import analyser_of, language_of

if TYPE_CHECKING:
    from indexer.engines.contract import Index

TASK = "ntcir-mc"
WEIGHTS = Path(__file__).with_name("weights-ntcir-mc.json")  # those that come with the program

_KINDS = ("bm25", "rank", "reverse", "pmi_others", "listed")
FEATURES: tuple[str, ...] = tuple(f"{kind}_{unit}" for unit in UNITS for kind in _KINDS)
"""The features of `choice_features` in the order of their columns."""
COLUMNS = (*FEATURES, "names", "all of them", "none of them")  # in the order of the weights

_PMI_SMOOTHING = 0.5  # passages beside those counted, as Haldane and Anscombe smooth log odds
_LISTED_DEPTH = 3  # passages in which a choice is looked for
_BM25_DEPTH = 5  # passages whose BM25 scores are averaged, as SLQAL's k
_RANK_DEPTH = 3  # passages averaged in `rank`; 1 to 5 do as well

# Not standardised within a question: an answer that the book hardly supports stays unlikely.
_CENTRED = np.array([name.startswith("reverse") for name in FEATURES])
# their standard deviation within a question, the mean over those that were learned on
_CENTRED_SCALE = 0.13
# That a choice is "all of the above" is a fact, not a measurement: its weight is hardly penalised.
SCALES = np.array([*np.where(_CENTRED, _CENTRED_SCALE, 1.0), 1.0, 0.1, 0.1])
# Of what fills a gap: its own names in the sentence say more; 0.5 costs 1 to 2 points of such
# questions.
_FILLER_SHARE = 0.3
# of sentences that answer a question; the share of the question's idf did no better
_SENTENCE_SHARE = 0.5
# of statements to choose from; not sensitive between .1 and .3 on pseudo-exams of unseen books
LEAST_SHARE = 0.1


def choice_features(
    question: QuestionTerms, passages: Mapping[str, TermPassages], asks_false: bool = False
) -> Float64Array:
    """The features of each choice, (choices, features): how well passages support it as the answer
    to the question.

    After [Magnini]: question and candidate answer are searched together. For each size of passage,
    with Q the terms of the question, C those of the choice and O those of the other choices:
    `bm25`, the mean BM25 score of the five best passages for Q ∪ C; `rank`, the mean of the three
    greatest BM25(Q, d) / max BM25(Q, ·) · (fraction of the idf of C in d): how high passages with
    the choice rank for Q; `reverse`, the greatest such value with Q and C exchanged. If the false
    choice is asked for, where three supported choices point to the fourth (else 0): `pmi_others`,
    the pointwise mutual information of the terms of C and O, ln((n_co + k) / (n_c n_o / N + k)),
    mean over pairs weighted by their idf; `listed`, the greatest fraction of the idf of C in the
    three passages found by the question and the other choices (sum of BM25 scores, each divided by
    its maximum). A choice without known terms gets the least value of each, at most 0, one that
    refers to other choices their mean."""
    values = np.hstack([_unit_features(question, passages[name], asks_false) for name in UNITS])
    plain = [position for position, choice in enumerate(question.choices) if not choice.aggregate]
    for position, choice in enumerate(question.choices):
        if choice.aggregate:
            members = [member for member in choice.members if member in plain] or plain
            values[position] = values[members].mean(axis=0) if members else 0.0
    return values


def _unit_features(question: QuestionTerms, unit: TermPassages, asks_false: bool) -> Float64Array:
    """The features of each choice in passages of one size, (choices, `_KINDS`), as
    `choice_features` describes them, but for choices that refer to others."""
    question_rows, *choice_rows = (
        np.array(sorted(unit.rows[term] for term in terms if term in unit.rows), np.int64)
        for terms in (question.terms, *(choice.terms for choice in question.choices))
    )
    scores, share = _sums(question_rows, unit)
    best = scores.max(initial=0.0)
    # Terms of both count once.
    of_choices = [_sums(np.setdiff1d(rows, question_rows), unit)[0] for rows in choice_rows]
    features = np.zeros((len(choice_rows), len(_KINDS)))
    has_terms = np.array([len(rows) > 0 for rows in choice_rows], bool)
    for position in np.flatnonzero(has_terms).tolist():
        rows = choice_rows[position]
        unknown = sum(term not in unit.rows for term in question.choices[position].terms)
        choice_scores, choice_share = _sums(rows, unit, unknown)
        holding = np.flatnonzero(choice_share)
        features[position, 0] = _mean_of_best(scores + of_choices[position], _BM25_DEPTH)
        if best > 0:
            ranks = scores[holding] / best * choice_share[holding]
            features[position, 1] = _mean_of_best(ranks, _RANK_DEPTH)
        if len(holding):
            reverse = (choice_scores / choice_scores.max() * share)[holding]
            features[position, 2] = reverse.max(initial=0.0)
        if asks_false:
            features[position, 3:] = _support_of_others(
                unit, position, choice_rows, (scores, *of_choices)
            )
    features[~has_terms] = features.min(axis=0, initial=0.0)
    return features


def _support_of_others(
    unit: TermPassages,
    position: int,
    choice_rows: Sequence[Int64Array],
    scores: Sequence[Float64Array],
) -> tuple[float, float]:
    """`pmi_others` and `listed` of the choice at a position, which has terms (`choice_features`).
    `choice_rows` are the terms of each choice, `scores` those of passages for the question and for
    each choice, (passages,)."""
    rows, pmi = choice_rows[position], 0.0
    others = np.setdiff1d(np.concatenate(choice_rows), rows)
    if len(others):
        both = (unit.weights[rows].sign() @ unit.weights[others].sign().T).toarray()
        number = np.diff(unit.weights.indptr).astype(float)
        expected = np.outer(number[rows], number[others]) / unit.weights.shape[1]
        weights = np.outer(unit.idf[rows], unit.idf[others])
        values = np.log((both + _PMI_SMOOTHING) / (expected + _PMI_SMOOTHING))
        pmi = (values * weights).sum() / max(float(weights.sum()), 1e-9)
    # Passages found by the question and the others, but not because of this choice.
    normalised = [row / max(float(row.max(initial=0.0)), 1e-9) for row in scores]
    together = np.round(normalised[position + 1] - np.sum(normalised, axis=0), 9)
    first = np.argsort(together, kind="stable")[:_LISTED_DEPTH]
    return pmi, _sums(rows, unit)[1][first].max(initial=0.0)


def _sums(
    rows: Int64Array, unit: TermPassages, unknown: int = 0
) -> tuple[Float64Array, Float64Array]:
    """For every passage, (passages,) each: its BM25 score for the terms `rows` of `unit`, and the
    fraction of their idf in it. `unknown` is the number of further terms that no passage contains,
    which count in the total idf."""
    scores, present_idf = np.zeros(unit.weights.shape[1]), np.zeros(unit.weights.shape[1])
    for row in rows.tolist():
        part = slice(unit.weights.indptr[row], unit.weights.indptr[row + 1])
        scores[unit.weights.indices[part]] += unit.weights.data[part]
        present_idf[unit.weights.indices[part]] += unit.idf[row]
    total = float(unit.idf[rows].sum()) + unknown * idf(unit.size, 0.0)
    return scores, present_idf / max(total, 1e-9)


def _mean_of_best(values: Float64Array, depth: int) -> float:
    """The mean of the `depth` greatest values; missing ones count as 0."""
    best = np.partition(values, -depth)[-depth:] if len(values) > depth else values
    return float(np.sort(best).sum()) / depth


def example(
    question: ExamQuestion,
    terms: QuestionTerms,
    way: str,
    features: Float64Array,
    names: Sequence[float] | None,
) -> tuple[Float64Array, float]:
    """The evidence that each choice of a question is to be chosen, (choices, `COLUMNS`), scaled by
    `SCALES`, and `share` (0–1), the weight in it of the evidence for question and choice together.

    `way` is the question's plan (`shapes.Way`), `terms` are its terms; `names` are the choices'
    scores by entity association, None if the index has no names. `features` (`choice_features`) are
    standardised over the choices that do not refer to other choices, but for those that are only
    centred; a constant one becomes 0. They are multiplied by `share`, `names` by 1 − `share`. It is
    1 if `names` is None or short choices answer a question, `_FILLER_SHARE` if they fill a gap, 0
    for combinations and orders, `LEAST_SHARE` for sentences to choose from, `_SENTENCE_SHARE` for
    sentences that answer a question. If the false choice is asked for, signs are reversed but for
    "all of the above" and "none of the above"."""
    # A statement that answers no question is judged by its names alone as far as possible.
    if names is None or (way == "statements" and not has_sentences(question)):
        share = 1.0
    elif way == "statements":
        share = LEAST_SHARE if chooses_statements(question) else _SENTENCE_SHARE
    else:
        share = _FILLER_SHARE if way == "fillers" else 0.0
    sign = -1.0 if question.asks == "F" else 1.0
    plain = [position for position, choice in enumerate(terms.choices) if not choice.aggregate]
    plain_features = features[plain] if plain else features
    deviation = plain_features.std(axis=0)
    varied = deviation > 1e-9
    spread = np.where(varied & ~_CENTRED, deviation, 1.0)
    # Of names how far apart their scores are is evidence: they are centred, too.
    by_names = (
        np.zeros(len(features)) if names is None else np.asarray(names, float) - np.mean(names)
    )
    columns = (
        *(
            sign * share * np.where(varied, (features - plain_features.mean(axis=0)) / spread, 0.0)
        ).T,
        sign * (1.0 - share) * by_names,
        *(
            [float(choice.aggregate == kind) for choice in terms.choices]
            for kind in ("all", "none")
        ),
    )
    return np.column_stack(columns) / SCALES, share


class JudgedQuestion(NamedTuple):
    """A question with its search terms and the evidence on its choices, `utilities` and `share`
    (see `example`). `by_names` is the answer by entity association; its verdicts are () if the
    index has no names in a language that the association weights serve. `sign` is −1 if the false
    choice is asked for, else 1."""

    terms: QuestionTerms
    utilities: Float64Array
    share: float
    by_names: AnsweredQuestion
    sign: float


def judge_questions(
    questions: Sequence[ExamQuestion], index: Index, k: int = 0, evidence: bool = False
) -> list[JudgedQuestion]:
    """The evidence on the choices of each question. With `evidence`, the answer by entity
    association has at most `k` passages per choice. Raises UserError if the index's names were
    counted by another version of the program."""
    analyser = analyser_of(index)
    plans = [plan(question) for question in questions]
    terms = [
        question_terms(question, question_plan, analyser)
        for question, question_plan in zip(questions, plans, strict=True)
    ]
    terms = with_amounts(questions, terms, index)
    answers = [
        AnsweredQuestion(q, "", (), question_plan.way, question_plan.note)
        for q, question_plan in zip(questions, plans, strict=True)
    ]
    if index.metadata.has_part("names"):
        passages = term_passages(decode_terms(index, all_terms(terms)))
        by_names = load_weights()
        if language_of(index).code in by_names.settings.get("languages", []):
            answers = answer_by_association(by_names, questions, index, k, evidence, plans)
    else:
        from indexer.sources.textbook.schema import PARAGRAPHS

        passages = from_retrieval(terms, index.part(PARAGRAPHS.name), analyser)
    judged = []
    for question, term_set, answer in zip(questions, terms, answers, strict=True):
        scores = [verdict.score for verdict in answer.verdicts] or None
        features = choice_features(term_set, passages, question.asks == "F")
        utilities, share = example(question, term_set, answer.way, features, scores)
        sign = -1.0 if question.asks == "F" else 1.0
        judged.append(JudgedQuestion(term_set, utilities, share, answer, sign))
    return judged
