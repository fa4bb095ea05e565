"""The methods of answering multiple-choice questions: adding one is a line here and the module that it names."""

from __future__ import annotations

import importlib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, cast

from answerer.formats.exam.parts import Choice, Question
from answerer.models import UNTRAINED
from indexer.engines.contract import Index
from indexer.engines.scoring import round_score
from indexer.files.errors import UserError
from indexer.formats.labels import whole
from retriever.explain import Evidence
from retriever.federated import FederatedIndex, shares, sources_of

if TYPE_CHECKING:
    from answerer.ntcir.multiple_choice.names.explained.evidence import Cause

Unit = Literal["sentence", "paragraph"]

# name: (a module as `_Module` describes it, one line of help). The module loads when it is chosen.
METHODS: dict[str, tuple[str, str]] = {
    "validation": (
        "answerer.ntcir.multiple_choice.validation.method",
        "does the book support the choice as the answer to what is asked; learned weights",
    ),
    "names": (
        "answerer.ntcir.multiple_choice.names.association",
        "does each name belong where it stands; learned weights",
    ),
    "slqal": (
        "answerer.ntcir.multiple_choice.baselines.slqal",
        "the SLQAL paper: nouns, BM25, mean of the top k",
    ),
    "rank-bm25": (
        "answerer.ntcir.multiple_choice.baselines.rank_bm25",
        "the same with the rank-bm25 package, in memory",
    ),
    "slqal-proximity": (
        "answerer.ntcir.multiple_choice.baselines.proximity",
        "slqal with documents ranked by nearness of terms too",
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
    evidence: Sequence[Evidence | Cause] = ()
    query: Sequence[str] = ()
    sources: Sequence[BySource] = ()
    says: str = ""
    probability: float | None = None


class BySource(NamedTuple):
    """The judgement of a method on a choice by one of several indexes, and its `share` of the combined score."""

    address: str
    share: float
    verdict: Verdict


class Answered(NamedTuple):
    """A question with the chosen number and a verdict on each choice, in the order of the choices.

    `way` is how a method that knows several answered it, `note` what it could not do as the question's shape asks.
    """

    question: Question
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

    def answer(self, questions: Sequence[Question], index: Index, k: int, evidence: bool) -> list[Answered]:
        """Every question answered, in order. `k` documents count for a choice; `evidence` asks for the trace's."""

    def parameters(self) -> Mapping[str, Any]:
        """Parameters of the run that a trace gives once for all answers."""


class _Module(Protocol):
    """The interface of a method's module: its method, and the names of the options that it takes."""

    TAKES: frozenset[str]

    def configured(self, options: Options) -> Method: ...


def method(name: str, options: Options | None = None) -> Method:
    """A method by its name. Raises KeyError for an unknown name, UserError for options that it does not take."""
    options = options or Options()
    module = cast(_Module, importlib.import_module(METHODS[name][0]))
    if options.model == UNTRAINED:
        if "model" in module.TAKES:
            raise UserError(f"--method {name} answers by learned weights; --method slqal is the untrained baseline")
        options = options._replace(model=None)
    given = [option for option, value in options._asdict().items() if value]
    for option in given:
        if option not in module.TAKES:
            raise UserError(f"--method {name} does not take --{option.replace('_', '-')}")
    return module.configured(options)


def answer_all(method: Method, questions: Sequence[Question], index: Index, k: int, evidence: bool) -> list[Answered]:
    """Every question in order: those that have choices answered by the method, the others with the answer "".

    Where the index is several, each is asked by itself and the scores of each choice are combined. Answer columns
    of one question get different choices.
    """
    asked = [question for question in questions if question.choices]
    by_source = [method.answer(asked, one, k, evidence) for one in sources_of(index)]
    if isinstance(index, FederatedIndex):
        answered = iter([combine_sources(each, index) for each in zip(*by_source, strict=True)])
    else:
        answered = iter(by_source[0])
    return different_choices(
        [
            next(answered) if question.choices else Answered(question, "", (), note="no choices: not answered")
            for question in questions
        ]
    )


def different_choices(answered: Sequence[Answered]) -> list[Answered]:
    """The answers, where answer columns in a row ask one question of one list of choices each with another choice.

    A later column takes the best of what the earlier ones left, unless choices may come again or none is left.
    """
    done: list[Answered] = []
    taken: set[str] = set()
    for one in answered:
        before = done[-1].question if done else None
        if before is None or not _is_asked_with(one.question, before):
            taken = set()
        left = [place for place, choice in enumerate(one.question.choices) if choice.number not in taken]
        if taken and left and one.system in taken:
            rest = replace(one.question, choices=tuple(one.question.choices[place] for place in left))
            note = f"choice {one.system} is taken by another answer column of this question"
            one = one._replace(
                system=chosen(rest, [one.verdicts[place].score for place in left]), note=one.note or note
            )
        taken.add(one.system)
        done.append(one)
    return done


def _is_asked_with(question: Question, other: Question) -> bool:
    """True if two answer columns are of one question each of whose choices may be chosen once."""
    return (
        question.together == other.together != ()
        and question.answer_column != other.answer_column
        and (question.instruction, question.data, question.choices) == (other.instruction, other.data, other.choices)
        and _AGAIN.search(question.instruction.plain) is None
    )


def combine_sources(by_source: Sequence[Answered], index: FederatedIndex) -> Answered:
    """A question answered by the combined scores of what each source of an index says of it, in their order."""
    first = by_source[0]
    scores = [[verdict.score for verdict in one.verdicts] for one in by_source]
    verdicts = []
    for choice, column in enumerate(zip(*shares(scores), strict=True)):
        each = [one.verdicts[choice] for one in by_source]
        sources = tuple(
            BySource(one.address, share, verdict)
            for one, share, verdict in zip(index.sources, column, each, strict=True)
        )
        leading = max(range(len(each)), key=lambda place: (abs(column[place]), -place))
        verdicts.append(Verdict(sum(column), {}, (), (), sources, each[leading].says))
    system = chosen(first.question, [verdict.score for verdict in verdicts])
    if all(verdict.probability is not None for one in by_source for verdict in one.verdicts):
        sign = -1.0 if first.question.asks == "F" else 1.0
        likely = probabilities([sign * verdict.score for verdict in verdicts])
        verdicts = [verdict._replace(probability=p) for verdict, p in zip(verdicts, likely, strict=True)]
    return Answered(first.question, system, tuple(verdicts), first.way, first.note)


def probabilities(utilities: Sequence[float]) -> list[float]:
    """The probability of each choice of being right, by the conditional logit with which the weights were learned."""
    odds = [math.exp(utility - max(utilities)) for utility in utilities]
    return [each / sum(odds) for each in odds]


def chosen(question: Question, scores: Sequence[float]) -> str:
    """The number of the choice with the highest score, of the lowest where the question asks for the false one.

    Scores are compared at 5 significant digits, the same on either engine. Ties go to the lowest number
    (SLQAL paper, Table 2).
    """
    sign = -1 if question.asks == "T" else 1
    ranked = [
        (sign * round_score(score), _rank(choice, position), choice.number)
        for position, (choice, score) in enumerate(zip(question.choices, scores, strict=True))
    ]
    return min(ranked)[2]


def _rank(choice: Choice, position: int) -> tuple[int, int]:
    """Numbers before other marks, each in order."""
    number = whole(choice.number)
    return (1_000_000 if number is None else number), position
