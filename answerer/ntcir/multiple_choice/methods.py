"""The methods of answering multiple-choice questions: adding one is a line here and the module that it names."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, cast

from answerer.formats.exam_parts import Choice, Question
from indexer.engines.contract import Index
from indexer.files.errors import UserError
from retriever.explain import Evidence

# name: (module that has `answer` as in `Method`, one line of help). The module loads when it is chosen.
METHODS: dict[str, tuple[str, str]] = {
    "names": ("answerer.ntcir.multiple_choice.association", "does each name belong where it stands; learned weights"),
    "slqal": ("answerer.ntcir.multiple_choice.slqal", "the SLQAL paper to the letter: nouns, BM25, mean of the top k"),
    "rank-bm25": ("answerer.ntcir.multiple_choice.rank_bm25", "the same with the rank-bm25 package, in memory"),
    "slqal-proximity": (
        "answerer.ntcir.multiple_choice.proximity",
        "slqal with documents ranked by nearness of terms too",
    ),
}
DEFAULT = "names"


class Verdict(NamedTuple):
    """What a method says of one choice: `score` decides, `signals` are what it was made of.

    `evidence` is filled only where a trace is wanted.
    """

    score: float
    signals: Mapping[str, Any] = {}
    evidence: Sequence[Evidence] = ()


class Answered(NamedTuple):
    """A question with the chosen number and a verdict on each choice, in the order of the choices.

    `way` is how a method that knows several answered it, `note` what it could not do as the question's shape asks.
    """

    question: Question
    system: str
    verdicts: tuple[Verdict, ...]
    way: str = ""
    note: str = ""


class Method(Protocol):
    """What a method's module offers."""

    def answer(self, questions: Sequence[Question], index: Index, k: int, evidence: bool) -> list[Answered]:
        """Every question answered, in order. `k` documents count for a choice; `evidence` asks for the trace's."""


def method(name: str, model: str | None = None, background: str | None = None) -> Method:
    """A method by its name. KeyError for an unknown name.

    `model` (a file of weights) and `background` (an index of another text) go to a method that has
    `configured(model, background)`; UserError for one that has not.
    """
    module = importlib.import_module(METHODS[name][0])
    if model is None and background is None:
        return cast(Method, module)
    if not hasattr(module, "configured"):
        raise UserError(f"--method {name} takes no --model and no --background; they go with --method {DEFAULT}")
    return cast(Method, module.configured(model, background))


def parameters_of(method: Method) -> dict[str, Any]:
    """What a method says of itself in a trace's first line; nothing where it has no `parameters()`."""
    return cast(dict[str, Any], method.parameters()) if hasattr(method, "parameters") else {}


def chosen(question: Question, scores: Sequence[float]) -> str:
    """The number of the choice with the highest score, of the lowest where the question asks for the false one.

    Scores are compared at 5 significant digits, the same on either engine. Ties go to the lowest number
    (SLQAL paper, Table 2).
    """
    sign = -1 if question.asks == "T" else 1
    ranked = [
        (sign * float(f"{score:.5g}"), _rank(choice, position), choice.number)
        for position, (choice, score) in enumerate(zip(question.choices, scores, strict=True))
    ]
    return min(ranked)[2]


def _rank(choice: Choice, position: int) -> tuple[int, int]:
    """Numbers before other marks, each in order."""
    return (int(choice.number), position) if choice.number.isdecimal() else (1_000_000, position)
