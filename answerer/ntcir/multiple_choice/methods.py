"""The methods of answering multiple-choice questions: adding one is a line here and the module that
it names."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from answerer.formats.exam.parts import ExamQuestion
from answerer.models import UNTRAINED
from indexer.engines.scoring import round_score
from indexer.files.errors import UserError
from indexer.files.hashes import fingerprint
from indexer.files.validation import whole

if TYPE_CHECKING:
    from answerer.trace import TraceEvidence
    from indexer.engines.contract import Index
    from retriever.explain import Evidence
    from retriever.learning.model import Model

_OF_SLQAL = ("choice_only", "all_terms")
METHODS: dict[str, tuple[str, tuple[str, ...], str]] = {
    "validation": (
        "validation.features:validation_method",
        ("model",),
        "does the book support the choice as the answer to what is asked; learned weights",
    ),
    "names": (
        "names.judgement:names_method",
        ("model",),
        "does each name belong where it stands; learned weights",
    ),
    "slqal": ("baselines:slqal", _OF_SLQAL, "the SLQAL paper: nouns, BM25, mean of the top k"),
    "rank-bm25": (
        "baselines:rank_bm25",
        _OF_SLQAL,
        "the same with the rank-bm25 package, in memory",
    ),
    "slqal-proximity": (
        "baselines:proximity",
        _OF_SLQAL,
        "slqal with documents ranked by nearness of terms too",
    ),
}
"""Method → its constructor (`module:function` of this package) from options to `Method`, imported
when it is chosen; the names of the options that it takes besides `k`; one line of help. `model` is
a file of weights; `choice_only` leaves the words of the problem out of SLQAL's query; `all_terms`
uses all terms instead of nouns."""
DEFAULT = "validation"
# That a choice may be taken again: neither that it may not, nor what happened again.
_AGAIN = re.compile(
    r"(?:繰り?返し|何度|重複)[^。]{0,12}?(?:よい|良い|いい|かまわ|構わ)"
    r"|(?:^|[.;:,(])(?![^.;:,(]*\b(?:no|none|neither|not)\b)[^.;:,(]*\b(?:may|can) be \w+"
    r" (?:more than once|repeatedly|again|twice)\b",
    re.IGNORECASE,
)
_OF_ONE_QUESTION = (
    "together",
    "instruction",
    "data",
    "choices",
)  # alike in the columns of a question


Outcome = Literal["together", "elsewhere", "nearest", "nothing", "unknown", "refers"]
"""What was found of a choice in the book: its words stand `together` in a sentence about what is
asked, or `elsewhere`; a sentence that is only the `nearest`; `nothing`; a choice whose words are
`unknown` to the book; one that `refers` to other choices."""


class Support(NamedTuple):
    """What was found of a choice: the sentence (cut to 300 characters) with the title above it, ""
    without one."""

    outcome: Outcome
    sentence: str = ""
    title: str = ""


class Verdict(NamedTuple):
    """A method's judgement of one choice. `score` decides; `explained` are its parts as fields of a
    `TraceCandidate` (features, statements, or events with pairs). `query` are the terms searched
    for if the method makes one query per choice. `evidence` is filled only for a trace. `says` is the verdict in words, `probability` None if unknown; `support` is what was
    found, None if the method does not look for it."""

    score: float
    explained: Mapping[str, Any] = {}
    evidence: Sequence[Evidence | TraceEvidence] = ()
    query: Sequence[str] = ()
    says: str = ""
    probability: float | None = None
    support: Support | None = None


class AnsweredQuestion(NamedTuple):
    """A question with the number of the chosen choice (`system`, "" if blank) and a verdict on each
    choice, in order. `way` is the answering plan, `note` a message if the plan for the question's
    shape could not be used."""

    question: ExamQuestion
    system: str
    verdicts: tuple[Verdict, ...]
    way: str = ""
    note: str = ""


class Method(NamedTuple):
    """A method, ready to answer. `answer(questions, index, k, evidence)` answers every question, in
    order: `k` documents count for a choice, `evidence` asks for the trace's. `parameters` are those
    of the run that a trace gives once for all answers, `packages` those of others that it computes
    with, besides the analyser's and the engine's."""

    answer: Callable[[Sequence[ExamQuestion], Index, int, bool], list[AnsweredQuestion]]
    parameters: Mapping[str, Any] = {}
    packages: tuple[str, ...] = ()


def learned_method(
    answer: Callable[[Model, Sequence[ExamQuestion], Index, int, bool], list[AnsweredQuestion]],
    model: Model,
    path: str | Path,
) -> Method:
    """The method that answers by a model, which was loaded from `path`; a trace has its fingerprint
    and weights."""
    weights = dict(zip(model.feature_names, map(float, model.weights), strict=True))
    return Method(
        partial(answer, model),
        {"model": fingerprint(Path(path)), "weights": weights},
        ("numpy", "scipy"),
    )


def method(name: str, **options: str | bool | None) -> Method:
    """Makes the method of a name; options that are None or False count as not given. Raises
    KeyError for an unknown name, UserError for options that the method does not take."""
    constructor, takes, _ = METHODS[name]
    if options.get("model") == UNTRAINED:
        if "model" in takes:
            raise UserError(
                f"--method {name} answers by learned weights; --method slqal is the untrained "
                f"baseline"
            )
        # Untrained is what the other methods are anyway.
        options["model"] = None
    given = {option: value for option, value in options.items() if value}
    if unknown := given.keys() - set(takes):
        raise UserError(f"--method {name} does not take --{min(unknown).replace('_', '-')}")
    made: Method = resolve_name(f"answerer.ntcir.multiple_choice.{constructor}")(**given)
    return made


def answer_all(
    method: Method, questions: Sequence[ExamQuestion], index: Index, k: int, evidence: bool
) -> list[AnsweredQuestion]:
    """Answers every question, in order; one without choices gets the answer "". `k` documents or
    passages count for a choice, `evidence` adds them. Consecutive answer columns of one question get different choices, unless
    choices differ or may repeat, or none is left."""
    asked = [question for question in questions if question.choices]
    results = iter(method.answer(asked, index, k, evidence))
    answered: list[AnsweredQuestion] = []
    taken: set[str] = set()
    for question in questions:
        answer = AnsweredQuestion(question, "", (), note="no choices: not answered")
        if question.choices:
            answer = next(results)
        # Columns of one question follow each other in a file.
        before = answered[-1].question if answered else None
        if (
            before is None
            or not question.together
            or before.answer_column == question.answer_column
            or any(getattr(question, part) != getattr(before, part) for part in _OF_ONE_QUESTION)
            or _AGAIN.search(question.instruction.plain)
        ):
            taken = set()
        left = [
            place for place, choice in enumerate(question.choices) if choice.number not in taken
        ]
        if left and answer.system in taken:
            rest = replace(question, choices=tuple(question.choices[place] for place in left))
            note = (
                answer.note
                or f"choice {answer.system} is taken by another answer column of this question"
            )
            system = choose(rest, [answer.verdicts[place].score for place in left])
            answer = answer._replace(system=system, note=note)
        taken.add(answer.system)
        answered.append(answer)
    return answered


def probabilities(utilities: Sequence[float]) -> list[float]:
    """The probability of each choice of being the answer: softmax of `utilities`, as in the logit
    of training."""
    # Less the greatest one, so that no power overflows.
    odds = [math.exp(utility - max(utilities)) for utility in utilities]
    return [each / sum(odds) for each in odds]


def choose(question: ExamQuestion, scores: Sequence[float]) -> str:
    """The number of the choice with the highest score, or the lowest if the question asks for the
    false choice. Scores are compared at 5 significant digits, so that both engines agree. Ties: the
    lowest number (SLQAL paper, Table 2); labels that are not numbers come last, in their order."""
    sign = -1 if question.asks == "T" else 1
    numbers = [whole(choice.number) for choice in question.choices]
    ranked = [
        (sign * round_score(score), n is None, n or 0)
        for n, score in zip(numbers, scores, strict=True)
    ]
    return question.choices[ranked.index(min(ranked))].number
