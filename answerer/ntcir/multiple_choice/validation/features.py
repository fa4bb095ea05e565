"""Features of a choice as the answer to a question: how the passages of a book hold the terms of both together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from answerer.formats.exam.parts import ExamQuestion
from answerer.ntcir.multiple_choice.methods import AnsweredQuestion
from answerer.ntcir.multiple_choice.names.association import answer_by_association, serves
from answerer.ntcir.multiple_choice.names.judgement import load_weights
from answerer.ntcir.multiple_choice.shapes import plan
from answerer.ntcir.multiple_choice.validation.question import (
    UNITS,
    QuestionTerms,
    TermPassages,
    chooses_statements,
    from_retrieval,
    from_statistics,
    has_sentences,
    question_terms,
)
from indexer.engines.contract import Index
from indexer.files.arrays import Float64Array, Int64Array
from indexer.sources.textbook.schema import PARAGRAPHS
from retriever.association.counts import counted_by_this_version
from retriever.bm25 import idf
from retriever.queries import analyser_of, language_of

_KINDS = ("bm25", "rank", "reverse")
FEATURES: tuple[str, ...] = tuple(f"{kind}_{unit}" for unit in UNITS for kind in _KINDS)
"""The features of `choice_features` in the order of their columns."""

_AMONG_KINDS = ("pmi_others", "listed")
AMONG_FEATURES: tuple[str, ...] = tuple(f"{kind}_{unit}" for unit in UNITS for kind in _AMONG_KINDS)
"""The features of `among_features` in the order of their columns."""

_PMI_SMOOTHING = 0.5  # passages beside those counted, as Haldane and Anscombe smooth log odds
_LISTED_DEPTH = 3  # passages in which a choice is looked for
_BM25_DEPTH = 5  # passages whose BM25 scores are averaged, as SLQAL's k
_RANK_DEPTH = 3  # passages averaged in `rank`; 1 to 5 do as well

_ABSOLUTE = [place for place, name in enumerate(FEATURES) if name.startswith("reverse")]
COLUMNS = (  # in the order of the weights
    *FEATURES,
    *(f"{FEATURES[place]} (absolute)" for place in _ABSOLUTE),
    *AMONG_FEATURES,
    "names",
    "all of them",
    "none of them",
)
_NAMES = COLUMNS.index("names")
_ABSOLUTE_SCALE = 0.13  # standard deviation within a question, the mean over those that the weights were learned on
# That a choice is "all of the above" is a fact, not a measurement: its weight is hardly penalised.
SCALES = np.array(
    [*np.ones(len(FEATURES)), *np.full(len(_ABSOLUTE), _ABSOLUTE_SCALE), *np.ones(len(AMONG_FEATURES) + 1), 0.1, 0.1]
)
# Of what fills a gap: its own names in the sentence say more; 0.5 costs 1 to 2 points of such questions.
_FILLER_SHARE = 0.3
LEAST_SHARE = 0.1  # of statements to choose from; not sensitive between .1 and .3 on pseudo-exams of unseen books
STATED_WAYS = ("statements", "fillers")  # in which every choice says something by itself


def choice_features(question: QuestionTerms, passages: Mapping[str, TermPassages]) -> Float64Array:
    """The features of each choice, (choices, features): how well passages support it as the answer to the question.

    For each size of passage, with Q the terms of the question and C those of the choice:
    `bm25`, the mean BM25 score of the five best passages for Q ∪ C;
    `rank`, the mean of the three greatest BM25(Q, d) / max BM25(Q, ·) · (fraction of the idf of C in d): how high
    passages with the choice rank for Q;
    `reverse`, the greatest such value with Q and C exchanged.
    After Magnini, Negri, Prevete and Tanev, Is It the Right Answer? Exploiting Web Redundancy for Answer Validation,
    ACL 2002: question and candidate answer are searched together. A choice without known terms gets the least value of
    every feature; a choice that refers to other choices gets their mean.
    """
    columns = []
    for name in UNITS:
        unit = passages[name]
        features = np.zeros((len(question.choices), len(_KINDS)))
        asked = _rows(question.terms, unit)
        scores, share = _sums(asked, unit)
        best = scores.max(initial=0.0)
        known = np.zeros(len(question.choices), bool)
        for place, choice in enumerate(question.choices):
            own = _rows(choice.terms, unit)
            if not len(own):
                continue
            known[place] = True
            unknown = sum(term not in unit.rows for term in choice.terms)
            holding, own_scores, own_share = _among_holding(own, unknown, unit)
            # Terms of both count once.
            together = scores + _sums(np.setdiff1d(own, asked), unit)[0]
            features[place] = (
                _mean_of_best(together, _BM25_DEPTH),
                _mean_of_best(scores[holding] / best * own_share, _RANK_DEPTH) if best > 0 else 0.0,
                float((own_scores / own_scores.max() * share[holding]).max(initial=0.0)) if len(holding) else 0.0,
            )
        features[~known] = features.min(axis=0, initial=0.0)
        columns.append(features)
    return _by_reference(question, np.hstack(columns))


def among_features(question: QuestionTerms, passages: Mapping[str, TermPassages]) -> Float64Array:
    """Association of each choice with the other choices, (choices, features).

    For questions that ask for the false choice, where three supported choices point to the fourth. For each size of
    passage, with C the terms of the choice and O those of the other choices:
    `pmi_others`, the pointwise mutual information of the terms of C and O, ln((n_co + k) / (n_c n_o / N + k)), mean
    over pairs weighted by their idf;
    `listed`, the greatest fraction of the idf of C in the three passages found by the question and the other choices
    (sum of BM25 scores, each divided by its maximum).
    Choices without known terms, and choices that refer to other choices, as in `choice_features`.
    """
    columns = []
    for name in UNITS:
        unit = passages[name]
        own = [_rows(choice.terms, unit) for choice in question.choices]
        asked = _rows(question.terms, unit)
        scores = [_sums(rows, unit)[0] for rows in (asked, *(np.setdiff1d(rows, asked) for rows in own))]
        shares = [each / max(float(each.max(initial=0.0)), 1e-9) for each in scores]
        together = np.sum(shares, axis=0)
        number = np.diff(unit.weights.indptr).astype(float)
        features = np.zeros((len(own), len(_AMONG_KINDS)))
        known = np.array([len(rows) > 0 for rows in own], bool)
        for place in np.flatnonzero(known).tolist():
            rows = own[place]
            others = np.setdiff1d(np.concatenate((rows, *(each for n, each in enumerate(own) if n != place))), rows)
            if len(others):
                both = (unit.weights[rows].sign() @ unit.weights[others].sign().T).toarray()
                expected = np.outer(number[rows], number[others]) / unit.weights.shape[1]
                weights = np.outer(unit.idf[rows], unit.idf[others])
                values = np.log((both + _PMI_SMOOTHING) / (expected + _PMI_SMOOTHING))
                features[place, 0] = (values * weights).sum() / max(float(weights.sum()), 1e-9)
            # Passages found by the question and the others, but not because of this choice.
            best = np.argsort(np.round(shares[place + 1] - together, 9), kind="stable")[:_LISTED_DEPTH]
            features[place, 1] = _sums(rows, unit)[1][best].max(initial=0.0)
        features[~known] = features.min(axis=0, initial=0.0)
        columns.append(features)
    return _by_reference(question, np.hstack(columns))


def _by_reference(question: QuestionTerms, rows: Float64Array) -> Float64Array:
    """Replaces, in place, the feature rows of choices that refer to other choices by the mean of those choices' rows.
    Returns `rows` (choices, features)."""
    plain = [place for place, choice in enumerate(question.choices) if not choice.aggregate]
    for place, choice in enumerate(question.choices):
        if choice.aggregate:
            members = [member for member in choice.members if member in plain] or plain
            rows[place] = rows[members].mean(axis=0) if members else 0.0
    return rows


def question_share(question: QuestionTerms, unit: TermPassages) -> float:
    """The question's idf as a fraction (0–1) of the idf of question and average choice. Returns 0 if neither has a
    known term."""
    asked = float(unit.idf[_rows(question.terms, unit)].sum())
    own = [float(unit.idf[_rows(choice.terms, unit)].sum()) for choice in question.choices if not choice.aggregate]
    total = asked + (sum(own) / len(own) if own else 0.0)
    return asked / total if total else 0.0


def _rows(terms: Sequence[str], unit: TermPassages) -> Int64Array:
    return np.array(sorted(unit.rows[term] for term in terms if term in unit.rows), np.int64)


def _sums(rows: Int64Array, unit: TermPassages) -> tuple[Float64Array, Float64Array]:
    """For every passage: BM25 score for the terms `rows`, and the fraction of their idf in the passage. `rows` are term
    indices of `unit`; both arrays are (passages,)."""
    scores, held_idf = np.zeros(unit.weights.shape[1]), np.zeros(unit.weights.shape[1])
    for row in rows.tolist():
        held = slice(unit.weights.indptr[row], unit.weights.indptr[row + 1])
        scores[unit.weights.indices[held]] += unit.weights.data[held]
        held_idf[unit.weights.indices[held]] += unit.idf[row]
    return scores, held_idf / max(float(unit.idf[rows].sum()), 1e-9)


def _among_holding(rows: Int64Array, unknown: int, unit: TermPassages) -> tuple[Int64Array, Float64Array, Float64Array]:
    """The passages with any of the terms `rows`: (passage indices, rising; BM25 scores; fractions of the idf). `rows`
    are term indices of `unit`, at least one; `unknown` is the number of further terms that no passage contains, which
    count in the total idf."""
    held = [slice(unit.weights.indptr[row], unit.weights.indptr[row + 1]) for row in rows.tolist()]
    passages, place = np.unique(np.concatenate([unit.weights.indices[each] for each in held]), return_inverse=True)
    weights = np.concatenate([unit.weights.data[each] for each in held])
    rarity = np.repeat(unit.idf[rows], [each.stop - each.start for each in held])
    total = float(unit.idf[rows].sum()) + unknown * idf(unit.size, 0.0)
    scores = np.asarray(np.bincount(place, weights, len(passages)), float)
    return passages.astype(np.int64), scores, np.bincount(place, rarity, len(passages)) / max(total, 1e-9)


def _mean_of_best(values: Float64Array, depth: int) -> float:
    """The mean of the greatest values; missing ones count as 0."""
    best = np.partition(values, -depth)[-depth:] if len(values) > depth else values
    return float(np.sort(best).sum()) / depth


class ChoiceExample(NamedTuple):
    """The evidence on a question's choices: `rows` (choices, columns), higher means more likely to be true. `sign` is
    −1 if the false choice is asked for, else 1. `share` (0–1) is the weight of evidence for question and choice
    together; the rest, 1 − `share`, is that of the scores by entity association."""

    rows: Float64Array
    sign: float
    share: float

    @property
    def utilities(self) -> Float64Array:
        """The columns as evidence that a choice is to be chosen, scaled by `SCALES`: (choices, columns). If the false
        choice is asked for, signs are reversed, except for the columns of "all of the above" and "none of the
        above"."""
        turned = np.where(np.arange(len(COLUMNS)) <= _NAMES, self.sign, 1.0)
        return np.asarray(self.rows * turned / SCALES)


def example(
    question: ExamQuestion,
    terms: QuestionTerms,
    way: str,
    features: Float64Array,
    among: Float64Array,
    question_share: float,
    names: Sequence[float] | None,
) -> ChoiceExample:
    """The evidence on each choice of a question whose plan is `way` (`shapes.Way`).

    `terms` are the question's and choices' terms; `names` are the choices' scores by entity association, None if the
    index has no names. `features` (`choice_features`) are standardised over the choices that do not refer to other
    choices; absolute features are only centred, so that an answer with little support stays unlikely. `among` are
    `among_features`, zeros if the true choice is asked for.
    `features` and `among` are multiplied by `share`, `names` by 1 − `share`. It is 1 if `names` is None or short
    choices answer a question, `_FILLER_SHARE` if they fill a gap, 0 for combinations and orders, `LEAST_SHARE` for
    sentences to choose from, max(`LEAST_SHARE`, `question_share`) for sentences that answer a question.
    """
    # A statement that answers no question is judged by its names alone as far as possible.
    if names is None or (way == "statements" and not has_sentences(question)):
        share = 1.0
    elif way == "statements":
        share = LEAST_SHARE if chooses_statements(question) else max(LEAST_SHARE, question_share)
    else:
        share = _FILLER_SHARE if way == "fillers" else 0.0
    plain = [place for place, choice in enumerate(terms.choices) if not choice.aggregate]
    rows = np.zeros((len(terms.choices), len(COLUMNS)))
    absolute = features[:, _ABSOLUTE]
    absolute = absolute - (absolute[plain] if plain else absolute).mean(axis=0)
    rows[:, :_NAMES] = np.hstack((standardise(features, plain), absolute, standardise(among, plain))) * share
    if names is not None and share < 1.0:
        # Centred, not standardised: how far apart the names' scores are is evidence.
        rows[:, _NAMES] = (np.asarray(names, float) - np.mean(names)) * (1.0 - share)
    for column, kind in enumerate(("all", "none"), _NAMES + 1):
        rows[:, column] = [float(choice.aggregate == kind) for choice in terms.choices]
    return ChoiceExample(rows, -1.0 if question.asks == "F" else 1.0, share)


def standardise(features: Float64Array, plain: Sequence[int]) -> Float64Array:
    """Each column minus its mean, divided by its standard deviation, both over the rows `plain` (all rows if empty). A
    column that is constant over these rows becomes 0. `features` is (rows, features)."""
    own = features[list(plain)] if plain else features
    deviation = own.std(axis=0)
    varied = deviation > 1e-9
    return np.where(varied, (features - own.mean(axis=0)) / np.where(varied, deviation, 1.0), 0.0)


class JudgedQuestion(NamedTuple):
    """A question with its search terms and the evidence on its choices. `by_names` is the answer by entity association;
    its verdicts are () if the index has no names in a language that the association weights serve."""

    terms: QuestionTerms
    example: ChoiceExample
    by_names: AnsweredQuestion


def judge_questions(
    questions: Sequence[ExamQuestion], index: Index, k: int = 0, evidence: bool = False
) -> list[JudgedQuestion]:
    """The evidence on the choices of each question, with the answer by entity association: an empty one if the index
    has no part `names`, or a language that the weights do not serve. With `evidence`, that answer has at most `k`
    passages per choice. Raises UserError if the index's names were counted by another version of the program."""
    analyser = analyser_of(index)
    plans = [plan(question) for question in questions]
    terms = [question_terms(question, each, analyser) for question, each in zip(questions, plans, strict=True)]
    answers = [AnsweredQuestion(q, "", (), each.way, each.note) for q, each in zip(questions, plans, strict=True)]
    if any(part.name == "names" for part in index.metadata.parts):
        with counted_by_this_version(index):
            passages = from_statistics(terms, index.part("names"))
        by_names = load_weights()
        if serves(by_names, language_of(index)):
            answers = answer_by_association(by_names, questions, index, k, evidence)
    else:
        passages = from_retrieval(terms, index.part(PARAGRAPHS.name), analyser)
    judged = []
    for question, own, answer in zip(questions, terms, answers, strict=True):
        scores = [verdict.score for verdict in answer.verdicts] or None
        share = question_share(own, passages["window"])
        features, among = choice_features(own, passages), np.zeros((len(own.choices), len(AMONG_FEATURES)))
        if question.asks == "F":
            among = among_features(own, passages)
        judged.append(JudgedQuestion(own, example(question, own, answer.way, features, among, share, scores), answer))
    return judged
