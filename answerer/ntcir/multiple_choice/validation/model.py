"""The model of answer validation: the weights of a choice's features, and how much of it the question decides."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from answerer.formats.exam.parts import Question
from answerer.ntcir.multiple_choice.validation.features import AMONG_FEATURES, FEATURES
from answerer.ntcir.multiple_choice.validation.question import QuestionTerms, chooses_statements, has_sentences
from indexer.files.arrays import Float64Array
from retriever.learning.model import Model, load_model

TASK = "ntcir-mc"
_ABSOLUTE = tuple(place for place, name in enumerate(FEATURES) if name.startswith("reverse"))
COLUMNS = (  # in the order of the weights
    *FEATURES,
    *(f"{FEATURES[place]} (absolute)" for place in _ABSOLUTE),
    *AMONG_FEATURES,
    "names",
    "all of them",
    "none of them",
)
WEIGHTS = Path(__file__).with_name("weights-ntcir-mc.json")  # those that come with the program
_NAMES = COLUMNS.index("names")
_ABSOLUTE_SCALE = 0.13  # standard deviation within a question, the mean over those that the weights were learned on
# Whether a choice is "all of the above" is a fact, not a measurement: its weight is hardly penalised.
SCALES = np.array(
    [*np.ones(len(FEATURES)), *np.full(len(_ABSOLUTE), _ABSOLUTE_SCALE), *np.ones(len(AMONG_FEATURES) + 1), 0.1, 0.1]
)
# Of what fills a gap: its own names in the sentence say more; 0.5 costs 1 to 2 points of such questions.
_FILLER_SHARE = 0.3
LEAST_SHARE = 0.1  # of statements to choose from; not sensitive between .1 and .3 on pseudo-exams of unseen books
STATED_WAYS = ("statements", "fillers")  # in which every choice says something by itself


class ChoiceExample(NamedTuple):
    """A question's choices as `rows`, (choices, columns), of evidence that each is true.

    `sign` is −1 if the false choice is asked for. `share` is the share of the evidence taken together with the
    question, the rest being that of the choices' names alone.
    """

    rows: Float64Array
    sign: float
    share: float

    @property
    def utilities(self) -> Float64Array:
        """The columns by which a choice is to be chosen, which for a false one are those of a true one turned round;
        but "all of the above" is a choice like others then."""
        turned = np.where(np.arange(len(COLUMNS)) <= _NAMES, self.sign, 1.0)
        return np.asarray(self.rows * turned / SCALES)


def example(
    question: Question,
    terms: QuestionTerms,
    way: str,
    features: Float64Array,
    among: Float64Array,
    question_share: float,
    names: Sequence[float] | None,
) -> ChoiceExample:
    """The evidence on each choice of a question that is answered in this way (`shapes.Way`).

    Features are standardised over the question's choices, those that refer to others left out; absolute ones are only
    centred, so that an answer that the book hardly supports is less likely. `among` are `among_features`, or zeros
    where the true choice is asked for. `names` are the scores of the method of names; None if the index has none,
    and then the features decide alone.
    """
    share = _share(question, way, question_share) if names is not None else 1.0
    plain = [place for place, choice in enumerate(terms.choices) if not choice.aggregate]
    rows = np.zeros((len(terms.choices), len(COLUMNS)))
    absolute = features[:, list(_ABSOLUTE)]
    absolute = absolute - (absolute[plain] if plain else absolute).mean(axis=0)
    rows[:, :_NAMES] = np.hstack((standardise(features, plain), absolute, standardise(among, plain))) * share
    if names is not None and share < 1.0:
        rows[:, _NAMES] = (np.asarray(names, float) - np.mean(names)) * (1.0 - share)
    for column, kind in enumerate(("all", "none"), _NAMES + 1):
        rows[:, column] = [float(choice.aggregate == kind) for choice in terms.choices]
    return ChoiceExample(rows, -1.0 if question.asks == "F" else 1.0, share)


def _share(question: Question, way: str, question_share: float) -> float:
    """The share of the evidence that is taken together with the question, in [0, 1].

    All of it where choices answer a question, some where they fill a gap, nothing where they combine or order
    statements; of sentences to choose from hardly any; of sentences that answer a question the question's share of the
    idf.
    """
    if way not in STATED_WAYS:
        return 0.0
    if way == "fillers":
        return _FILLER_SHARE
    if not has_sentences(question):
        return 1.0
    return LEAST_SHARE if chooses_statements(question) else max(LEAST_SHARE, question_share)


def standardise(features: Float64Array, plain: Sequence[int]) -> Float64Array:
    """Each column less its mean and divided by its deviation over the `plain` rows; 0 if all these are equal."""
    own = features[list(plain)] if plain else features
    deviation = own.std(axis=0)
    varied = deviation > 1e-9
    return np.where(varied, (features - own.mean(axis=0)) / np.where(varied, deviation, 1.0), 0.0)


def load_weights(path: str | Path = WEIGHTS) -> Model:
    """The weights in a file, by default those that come with the program. UserError for a file of another kind."""
    return load_model(path, TASK, COLUMNS)
