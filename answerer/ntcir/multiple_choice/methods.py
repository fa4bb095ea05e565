"""The methods of answering multiple-choice questions: adding one is a line here and the module that it names."""

from __future__ import annotations

import importlib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from answerer.formats.exam.parts import ExamQuestion
from answerer.models import UNTRAINED
from indexer.engines.contract import Index
from indexer.engines.scoring import round_score
from indexer.files.errors import UserError
from indexer.formats.labels import whole
from retriever.federated import FederatedIndex, shares

if TYPE_CHECKING:
    from answerer.trace import TraceEvidence
    from retriever.explain import Evidence

Unit = Literal["sentence", "paragraph"]


class MethodEntry(NamedTuple):
    """A method: `module:function` that makes it from `Options`, the names of the options it takes, one line of help.

    The module loads when the method is chosen.
    """

    constructor: str
    takes: tuple[str, ...]
    help: str


_HERE = "answerer.ntcir.multiple_choice"
_OF_SLQAL = ("choice_only", "all_terms", "unit")
METHODS: dict[str, MethodEntry] = {
    "validation": MethodEntry(
        f"{_HERE}.validation.method:validation_method",
        ("model",),
        "does the book support the choice as the answer to what is asked; learned weights",
    ),
    "names": MethodEntry(
        f"{_HERE}.names.association:association_method",
        ("model",),
        "does each name belong where it stands; learned weights",
    ),
    "slqal": MethodEntry(f"{_HERE}.baselines:slqal", _OF_SLQAL, "the SLQAL paper: nouns, BM25, mean of the top k"),
    "rank-bm25": MethodEntry(
        f"{_HERE}.baselines:rank_bm25", _OF_SLQAL, "the same with the rank-bm25 package, in memory"
    ),
    "slqal-proximity": MethodEntry(
        f"{_HERE}.baselines:proximity", _OF_SLQAL, "slqal with documents ranked by nearness of terms too"
    ),
}
DEFAULT = "validation"
# That a choice may be taken again: neither that it may not, nor what happened again.
_AGAIN = re.compile(
    r"(?:繰り?返し|何度|重複)[^。]{0,12}?(?:よい|良い|いい|かまわ|構わ)"
    r"|(?:^|[.;:,(])(?![^.;:,(]*\b(?:no|none|neither|not)\b)[^.;:,(]*\b(?:may|can) be \w+"
    r" (?:more than once|repeatedly|again|twice)\b",
    re.IGNORECASE,
)


class Verdict(NamedTuple):
    """The judgement of a method on one choice: `score` decides, `explained` has the parts of the score.

    `explained` are fields of a `TraceCandidate`: features, or statements, or events and their pairs.
    `query` are the terms that were looked for, where the method asks one query a choice. `evidence` is filled only
    where a trace is wanted. For several indexes, `sources` has the judgement by each.
    """

    score: float
    explained: Mapping[str, Any] = {}
    evidence: Sequence[Evidence | TraceEvidence] = ()
    query: Sequence[str] = ()
    sources: Sequence[BySource] = ()
    says: str = ""
    probability: float | None = None


class BySource(NamedTuple):
    """The judgement of a method on a choice by one of several indexes, and its `share` of the combined score."""

    address: str
    share: float
    verdict: Verdict


class AnsweredQuestion(NamedTuple):
    """A question with the chosen number and a verdict on each choice, in the order of the choices.

    `way` is how a method that knows several answered it, `note` what it could not do as the question's shape asks.
    """

    question: ExamQuestion
    system: str
    verdicts: tuple[Verdict, ...]
    way: str = ""
    note: str = ""


class Options(NamedTuple):
    """Options of a method beside `k`; a method names those that it takes, and refuses the others.

    `model`: a file of weights; `choice_only`, `all_terms`: SLQAL's query without the problem's words, or of all terms
    instead of nouns; `unit`: its documents, the index's own where None.
    """

    model: str | None = None
    choice_only: bool = False
    all_terms: bool = False
    unit: Unit | None = None


class Method(Protocol):
    """A method, ready to answer."""

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages of others that it computes with, besides the analyser's and the engine's."""

    def answer(self, questions: Sequence[ExamQuestion], index: Index, k: int, evidence: bool) -> list[AnsweredQuestion]:
        """Every question answered, in order. `k` documents count for a choice; `evidence` asks for the trace's."""

    def parameters(self) -> Mapping[str, Any]:
        """Parameters of the run that a trace gives once for all answers."""


def method(name: str, options: Options | None = None) -> Method:
    """A method by its name. Raises KeyError for an unknown name, UserError for options that it does not take."""
    options = options or Options()
    constructor, takes, _ = METHODS[name]
    if options.model == UNTRAINED:
        if "model" in takes:
            raise UserError(f"--method {name} answers by learned weights; --method slqal is the untrained baseline")
        # Untrained is what the other methods are anyway.
        options = options._replace(model=None)
    for option, value in options._asdict().items():
        if value and option not in takes:
            raise UserError(f"--method {name} does not take --{option.replace('_', '-')}")
    module, _, function = constructor.partition(":")
    answering: Method = getattr(importlib.import_module(module), function)(options)
    return answering


def answer_all(
    method: Method, questions: Sequence[ExamQuestion], index: Index, k: int, evidence: bool
) -> list[AnsweredQuestion]:
    """Every question in order: those that have choices answered by the method, the others with the answer "".

    Where the index is several, each is asked by itself and the scores of each choice are combined. Answer columns
    in a row that ask one question of one list of choices get different choices: a later column takes the best of what
    the earlier ones left, unless choices may come again or none is left.
    """
    asked = [question for question in questions if question.choices]
    if isinstance(index, FederatedIndex):
        by_source = [method.answer(asked, source, k, evidence) for source in index.sources]
        results = iter([combine_sources(each, index) for each in zip(*by_source, strict=True)])
    else:
        results = iter(method.answer(asked, index, k, evidence))
    answered: list[AnsweredQuestion] = []
    taken: set[str] = set()
    for question in questions:
        answer = (
            next(results) if question.choices else AnsweredQuestion(question, "", (), note="no choices: not answered")
        )
        # Columns of one question follow each other in a file.
        if not answered or not _shares_choices(question, answered[-1].question):
            taken = set()
        left = [place for place, choice in enumerate(question.choices) if choice.number not in taken]
        if left and answer.system in taken:
            rest = replace(question, choices=tuple(question.choices[place] for place in left))
            note = answer.note or f"choice {answer.system} is taken by another answer column of this question"
            system = choose(rest, [answer.verdicts[place].score for place in left])
            answer = answer._replace(system=system, note=note)
        taken.add(answer.system)
        answered.append(answer)
    return answered


def _shares_choices(question: ExamQuestion, other: ExamQuestion) -> bool:
    """True if two answer columns are of one question each of whose choices may be chosen once."""
    return (
        question.together == other.together != ()
        and question.answer_column != other.answer_column
        and (question.instruction, question.data, question.choices) == (other.instruction, other.data, other.choices)
        and _AGAIN.search(question.instruction.plain) is None
    )


def combine_sources(by_source: Sequence[AnsweredQuestion], index: FederatedIndex) -> AnsweredQuestion:
    """A question answered by the combined scores of what each source of an index says of it, in their order."""
    first = by_source[0]
    scores = [[verdict.score for verdict in answer.verdicts] for answer in by_source]
    verdicts = []
    for choice, column in enumerate(zip(*shares(scores), strict=True)):
        each = [answer.verdicts[choice] for answer in by_source]
        sources = tuple(
            BySource(source.address, share, verdict)
            for source, share, verdict in zip(index.sources, column, each, strict=True)
        )
        # The words are those of the index that adds most to the combined score.
        leading = max(range(len(each)), key=lambda place: (abs(column[place]), -place))
        verdicts.append(Verdict(sum(column), {}, (), (), sources, each[leading].says))
    system = choose(first.question, [verdict.score for verdict in verdicts])
    if all(verdict.probability is not None for answer in by_source for verdict in answer.verdicts):
        sign = -1.0 if first.question.asks == "F" else 1.0
        likely = probabilities([sign * verdict.score for verdict in verdicts])
        verdicts = [verdict._replace(probability=p) for verdict, p in zip(verdicts, likely, strict=True)]
    return AnsweredQuestion(first.question, system, tuple(verdicts), first.way, first.note)


def probabilities(utilities: Sequence[float]) -> list[float]:
    """The probability of each choice of being right, by the conditional logit with which the weights were learned."""
    # Less the greatest one, so that no power overflows.
    odds = [math.exp(utility - max(utilities)) for utility in utilities]
    return [each / sum(odds) for each in odds]


def choose(question: ExamQuestion, scores: Sequence[float]) -> str:
    """The number of the choice with the highest score, of the lowest where the question asks for the false one.

    Scores are compared at 5 significant digits, the same on either engine. Ties go to the lowest number
    (SLQAL paper, Table 2), marks that are not numbers come after these, in their order.
    """
    sign = -1 if question.asks == "T" else 1
    numbers = [whole(choice.number) for choice in question.choices]
    ranked = [
        (sign * round_score(score), number is None, number or 0, position)
        for position, (number, score) in enumerate(zip(numbers, scores, strict=True))
    ]
    return question.choices[min(ranked)[-1]].number
