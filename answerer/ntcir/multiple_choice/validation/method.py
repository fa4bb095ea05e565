"""Answer validation, the default method: support by the book for each choice as the answer to the question."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from answerer.formats.exam.parts import Question
from answerer.ntcir.multiple_choice.methods import Answered, Options, Verdict, chosen, probabilities
from answerer.ntcir.multiple_choice.names import association
from answerer.ntcir.multiple_choice.names.counts import counted_by_this_version
from answerer.ntcir.multiple_choice.shapes import plan
from answerer.ntcir.multiple_choice.validation.features import (
    AMONG_FEATURES,
    among_features,
    choice_features,
    question_share,
)
from answerer.ntcir.multiple_choice.validation.model import (
    COLUMNS,
    LEAST_SHARE,
    STATED_WAYS,
    WEIGHTS,
    ChoiceExample,
    example,
    load_weights,
)
from answerer.ntcir.multiple_choice.validation.passages import from_retrieval, from_statistics
from answerer.ntcir.multiple_choice.validation.question import QuestionTerms, question_terms
from answerer.ntcir.multiple_choice.validation.verdict import Support, supports_of
from indexer.engines.contract import Index
from indexer.files.hashes import fingerprint
from indexer.sources.textbook.schema import PARAGRAPHS
from retriever.learning.model import Model
from retriever.queries import analyser_of, language_of

NAMES = "names"  # the part of an index with the statistics of its book
TAKES = frozenset(("model",))


class JudgedQuestion(NamedTuple):
    """A question with the terms that were looked for and the evidence on its choices.

    `by_names` is the answer of the method of names, which knows the shape of the question; its verdicts are empty
    where the index has no names of a language that they were learned on.
    """

    terms: QuestionTerms
    example: ChoiceExample
    by_names: Answered

    @property
    def is_by_names(self) -> bool:
        """True if the method of names answers: combinations and orders of statements, if the index has names."""
        return bool(self.by_names.verdicts) and self.by_names.way not in STATED_WAYS


class ValidationMethod(NamedTuple):
    """The method with weights; `path` is the file of these."""

    model: Model
    path: Path
    packages: tuple[str, ...] = ("numpy", "scipy")

    def parameters(self) -> dict[str, Any]:
        """The weights and their origin, given once in a trace."""
        weights = dict(zip(COLUMNS, map(float, self.model.weights), strict=True))
        return {"model": fingerprint(self.path), "weights": weights}

    def answer(self, questions: Sequence[Question], index: Index, k: int, evidence: bool) -> list[Answered]:
        """Every question answered. At most `k` passages a choice are shown as evidence.

        A score is how true a choice is; where the false one is asked for, the lowest is chosen. Combinations and orders
        of statements are answered by the method of names, where the index has these.
        """
        found = judge_questions(questions, index, k, evidence)
        scores = [one.example.sign * (one.example.utilities @ self.model.weights) for one in found]
        supports: list[list[Support]] = [[] for _ in found]
        if evidence:
            # Of statements to choose from the question says nothing that a passage would have to hold.
            asked = [one.terms if one.example.share > LEAST_SHARE else one.terms._replace(terms=()) for one in found]
            # Where the false one is asked for, most are true: only what is far less likely is called less supported.
            guesses = [
                1 / len(own) if one.example.sign > 0 else 0.5 / len(own) for one, own in zip(found, scores, strict=True)
            ]
            likely = [
                [p >= guess for p in probabilities(own.tolist())] for own, guess in zip(scores, guesses, strict=True)
            ]
            supports = supports_of(asked, likely, index, k)
        answered = []
        for question, one, own, support in zip(questions, found, scores, supports, strict=True):
            if one.is_by_names:
                answered.append(one.by_names)
                continue
            system = chosen(question, own.tolist())
            verdicts = [
                Verdict(score, probability=p)
                for score, p in zip(own.tolist(), probabilities((one.example.sign * own).tolist()), strict=True)
            ]
            if evidence:
                verdicts = [self._explain(one, *each) for each in zip(range(len(own)), verdicts, support, strict=True)]
            answered.append(Answered(question, system, tuple(verdicts), one.by_names.way, one.by_names.note))
        return answered

    def _explain(self, one: JudgedQuestion, place: int, verdict: Verdict, support: Support) -> Verdict:
        """A verdict with what each feature added, what names did, and the passages of whichever decides more."""
        added = (one.example.sign * one.example.utilities[place] * self.model.weights).tolist()
        by_names = one.by_names.verdicts[place] if one.by_names.verdicts and one.example.share < 1 else None
        explained: dict[str, Any] = {"features": dict(zip(COLUMNS, added, strict=True))}
        if by_names:
            explained |= by_names.explained
            if one.example.share < 0.5:
                return verdict._replace(explained=explained, evidence=by_names.evidence, says=support.verdict)
        return verdict._replace(explained=explained, evidence=support.passages, says=support.verdict)


def configured(options: Options) -> ValidationMethod:
    """The method with the weights in a file (by default the program's own)."""
    path = Path(options.model) if options.model else WEIGHTS
    return ValidationMethod(load_weights(path), path)


def judge_questions(
    questions: Sequence[Question], index: Index, k: int = 0, evidence: bool = False
) -> list[JudgedQuestion]:
    """The evidence on the choices of all questions. Raises UserError if another version counted the index's names."""
    analyser = analyser_of(index)
    plans = [plan(question) for question in questions]
    terms = [question_terms(question, each, analyser) for question, each in zip(questions, plans, strict=True)]
    by_names = association.configured(Options())
    counted = any(part.name == NAMES for part in index.metadata.parts)
    with counted_by_this_version(index):
        passages = (
            from_statistics(terms, index.part(NAMES))
            if counted
            else from_retrieval(terms, index.part(PARAGRAPHS.name), analyser)
        )
    if counted and by_names.serves(language_of(index)):
        answers = by_names.answer(questions, index, k, evidence)
    else:
        answers = [Answered(q, "", (), each.way, each.note) for q, each in zip(questions, plans, strict=True)]
    found = []
    for question, own, answer in zip(questions, terms, answers, strict=True):
        scores = [verdict.score for verdict in answer.verdicts] or None
        share = question_share(own, passages["window"])
        features, among = choice_features(own, passages), np.zeros((len(own.choices), len(AMONG_FEATURES)))
        if question.asks == "F":
            among = among_features(own, passages)
        found.append(JudgedQuestion(own, example(question, own, answer.way, features, among, share, scores), answer))
    return found
