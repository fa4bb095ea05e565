"""Answer validation, the default method: support by the book for each choice as the answer to the question."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from answerer.formats.exam.parts import ExamQuestion
from answerer.ntcir.multiple_choice.methods import AnsweredQuestion, Options, Verdict, choose, probabilities
from answerer.ntcir.multiple_choice.names.association import association_method
from answerer.ntcir.multiple_choice.shapes import plan
from answerer.ntcir.multiple_choice.validation.features import (
    AMONG_FEATURES,
    FEATURES,
    among_features,
    choice_features,
    question_share,
)
from answerer.ntcir.multiple_choice.validation.passages import from_retrieval, from_statistics
from answerer.ntcir.multiple_choice.validation.question import (
    QuestionTerms,
    chooses_statements,
    has_sentences,
    question_terms,
)
from answerer.trace import TraceEvidence
from indexer.engines.contract import Index
from indexer.files.arrays import Float64Array
from indexer.files.hashes import fingerprint
from indexer.sources.textbook.schema import PARAGRAPHS
from retriever.association.counts import counted_by_this_version
from retriever.explain import Evidence
from retriever.learning.model import Model, load_model
from retriever.queries import analyser_of, language_of

TASK = "ntcir-mc"
WEIGHTS = Path(__file__).with_name("weights-ntcir-mc.json")  # those that come with the program
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


class ChoiceExample(NamedTuple):
    """The evidence on a question's choices: `rows` (choices, columns), higher means more likely to be true.

    `sign` is −1 if the false choice is asked for, else 1. `share` (0–1) is the weight of evidence for question and
    choice together; the rest, 1 − `share`, is that of the scores by entity association.
    """

    rows: Float64Array
    sign: float
    share: float

    @property
    def utilities(self) -> Float64Array:
        """The columns as evidence that a choice is to be chosen, scaled by `SCALES`: (choices, columns).

        If the false choice is asked for, signs are reversed, except for the columns of "all of the above" and "none of
        the above".
        """
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
    """Each column minus its mean, divided by its standard deviation, both over the rows `plain` (all rows if empty).

    A column that is constant over these rows becomes 0. `features` is (rows, features).
    """
    own = features[list(plain)] if plain else features
    deviation = own.std(axis=0)
    varied = deviation > 1e-9
    return np.where(varied, (features - own.mean(axis=0)) / np.where(varied, deviation, 1.0), 0.0)


class JudgedQuestion(NamedTuple):
    """A question with its search terms and the evidence on its choices.

    `by_names` is the answer by entity association; its verdicts are () if the index has no names in a language that the
    association weights serve.
    """

    terms: QuestionTerms
    example: ChoiceExample
    by_names: AnsweredQuestion


def judge_questions(
    questions: Sequence[ExamQuestion], index: Index, k: int = 0, evidence: bool = False
) -> list[JudgedQuestion]:
    """The evidence on the choices of each question, with the answer by entity association.

    With `evidence`, that answer has at most `k` passages per choice. Raises UserError if the index's names were counted
    by another version of the program.
    """
    analyser = analyser_of(index)
    plans = [plan(question) for question in questions]
    terms = [question_terms(question, each, analyser) for question, each in zip(questions, plans, strict=True)]
    answers = [AnsweredQuestion(q, "", (), each.way, each.note) for q, each in zip(questions, plans, strict=True)]
    if any(part.name == "names" for part in index.metadata.parts):
        with counted_by_this_version(index):
            passages = from_statistics(terms, index.part("names"))
        by_names = association_method(Options())
        if by_names.serves(language_of(index)):
            answers = by_names.answer(questions, index, k, evidence)
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


class ValidationMethod(NamedTuple):
    """Answer validation with learned weights; `path` is the file of the weights."""

    model: Model
    path: Path
    packages: tuple[str, ...] = ("numpy", "scipy")

    def parameters(self) -> dict[str, Any]:
        """The weights and their origin, given once in a trace."""
        weights = dict(zip(COLUMNS, map(float, self.model.weights), strict=True))
        return {"model": fingerprint(self.path), "weights": weights}

    def answer(self, questions: Sequence[ExamQuestion], index: Index, k: int, evidence: bool) -> list[AnsweredQuestion]:
        """Answers every question; with `evidence`, verdicts have at most `k` passages per choice.

        A score says how true a choice is; if the false choice is asked for, the lowest score is chosen. Combinations
        and orders of statements are answered by entity association, if the index has names.
        """
        judged = judge_questions(questions, index, k, evidence)
        examples = [each.example for each in judged]
        scores = [each.sign * (each.utilities @ self.model.weights) for each in examples]
        verdicts = [
            [
                Verdict(score, probability=probability)
                for score, probability in zip(own.tolist(), probabilities((each.sign * own).tolist()), strict=True)
            ]
            for each, own in zip(examples, scores, strict=True)
        ]
        if evidence:
            verdicts = self._explain(judged, scores, verdicts, index, k)
        answered = []
        for question, each, own, row in zip(questions, judged, scores, verdicts, strict=True):
            by_names = each.by_names
            # Combinations and orders need the truth or the time of each statement.
            if by_names.verdicts and by_names.way not in STATED_WAYS:
                answered.append(by_names)
            else:
                system = choose(question, own.tolist())
                answered.append(AnsweredQuestion(question, system, tuple(row), by_names.way, by_names.note))
        return answered

    def _explain(
        self,
        judged: Sequence[JudgedQuestion],
        scores: Sequence[Float64Array],
        verdicts: Sequence[Sequence[Verdict]],
        index: Index,
        k: int,
    ) -> list[list[Verdict]]:
        """The verdicts with contributions of features and names, a sentence of explanation, and at most `k` passages.

        The passages are those of entity association if it weighs more than half, else those with question and choice.
        `scores` and `verdicts` are parallel to `judged`.
        """
        from answerer.ntcir.multiple_choice.validation.verdict import supports_of

        asked, likely = [], []
        explained: list[list[Verdict]] = []
        for each, own in zip(judged, scores, strict=True):
            # Of statements to choose from the question says nothing that a passage would have to hold.
            asked.append(each.terms if each.example.share > LEAST_SHARE else each.terms._replace(terms=()))
            # Where the false one is asked for, most are true: only what is far less likely is called less supported.
            guess = (1.0 if each.example.sign > 0 else 0.5) / len(own)
            likely.append([probability >= guess for probability in probabilities(own.tolist())])
        for each, row, supports in zip(judged, verdicts, supports_of(asked, likely, index, k), strict=True):
            added = each.example.sign * each.example.utilities * self.model.weights
            explained.append([])
            for place, (verdict, support) in enumerate(zip(row, supports, strict=True)):
                parts: dict[str, Any] = {"features": dict(zip(COLUMNS, added[place].tolist(), strict=True))}
                passages: Sequence[Evidence | TraceEvidence] = support.passages
                if each.by_names.verdicts and each.example.share < 1:
                    by_names = each.by_names.verdicts[place]
                    parts |= by_names.explained
                    passages = by_names.evidence if each.example.share < 0.5 else passages
                explained[-1].append(verdict._replace(explained=parts, evidence=passages, says=support.verdict))
        return explained


def validation_method(options: Options) -> ValidationMethod:
    """The method with the weights in a file (by default the program's own)."""
    path = Path(options.model) if options.model else WEIGHTS
    return ValidationMethod(load_model(path, TASK, COLUMNS), path)
