"""Answer validation, the default method: support by the book for each choice as the answer to the question."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from answerer.formats.exam.parts import ExamQuestion
from answerer.ntcir.multiple_choice.methods import AnsweredQuestion, Method, Options, Verdict, choose, probabilities
from answerer.ntcir.multiple_choice.validation.features import COLUMNS, STATED_WAYS, judge_questions
from indexer.files.hashes import fingerprint
from retriever.learning.model import Model, load_model

if TYPE_CHECKING:
    from indexer.engines.contract import Index

TASK = "ntcir-mc"
WEIGHTS = Path(__file__).with_name("weights-ntcir-mc.json")  # those that come with the program


def validation_method(options: Options) -> Method:
    """The method with the weights in a file (by default the program's own)."""
    path = Path(options.model) if options.model else WEIGHTS
    model = load_model(path, TASK, COLUMNS)
    weights = dict(zip(COLUMNS, map(float, model.weights), strict=True))
    return Method(partial(_answer, model), {"model": fingerprint(path), "weights": weights}, ("numpy", "scipy"))


def _answer(
    model: Model, questions: Sequence[ExamQuestion], index: Index, k: int, evidence: bool
) -> list[AnsweredQuestion]:
    """Answers every question; with `evidence`, verdicts have at most `k` passages per choice. A score says how true a
    choice is; if the false choice is asked for, the lowest score is chosen. Combinations and orders of statements are
    answered by entity association, if the index has names."""
    judged = judge_questions(questions, index, k, evidence)
    scores = [each.example.sign * (each.example.utilities @ model.weights) for each in judged]
    verdicts = []
    for each, own in zip(judged, scores, strict=True):
        likely = probabilities((each.example.sign * own).tolist())
        verdicts.append([Verdict(s, probability=p) for s, p in zip(own.tolist(), likely, strict=True)])
    if evidence:
        from answerer.ntcir.multiple_choice.validation.verdict import explain

        verdicts = explain(judged, scores, verdicts, model, index, k)
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
