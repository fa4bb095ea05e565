"""The methods of answering multiple-choice questions: adding one is a line here and the module that
it names."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cache, partial
from importlib.metadata import EntryPoint
from numbers import Number, Real
from os import PathLike
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import click

from answerer.formats.exam.parts import ExamQuestion
from answerer.models import UNTRAINED
from answerer.options import Function
from indexer.engines.scoring import round_score
from indexer.files.errors import UserError
from indexer.files.hashes import fingerprint
from indexer.files.validation import validate_choice, whole
from indexer.plug_ins import load_entries, place_and_help

if TYPE_CHECKING:
    from answerer.trace import TraceEvidence
    from indexer.engines.contract import Index
    from retriever.explain import Evidence
    from retriever.learning.model import Model

METHODS: dict[str, tuple[str, str]] = {
    "validation": (
        "answerer.ntcir.multiple_choice.validation:validation",
        "does the book support the choice as the answer to what is asked; learned weights",
    ),
    "names": (
        "answerer.ntcir.multiple_choice.names:names",
        "does each name belong where it stands; learned weights",
    ),
    "slqal": (
        "answerer.ntcir.multiple_choice.baselines:slqal",
        "the SLQAL paper: nouns, BM25, mean of the top k",
    ),
    "rank-bm25": (
        "answerer.ntcir.multiple_choice.baselines:rank_bm25",
        "the same with the rank-bm25 package, in memory",
    ),
    "slqal-proximity": (
        "answerer.ntcir.multiple_choice.baselines:proximity",
        "slqal with documents ranked by nearness of terms too",
    ),
}
"""Exam method → (the function that makes it, as `module:function`; one line of help). The
function's click options, declared beside it, are the method's own; it takes the values of all by
name, defaults where they are not given, and returns a `Method`. Its module loads whenever the
command does: what is heavy, it imports inside. Those of other distributions come by entry points
(`exam_methods`)."""
DEFAULT = "validation"
ENTRY_POINTS = "classical_qa.exam_methods"
TAKEN = frozenset(
    "exams index method k o output outputs metadata trace allow_unanswered team priority quiet "
    "verbose h help task evidence sources".split()
)
"""Names and spellings (without hyphens before them) of what `ntcir-mc` takes besides the methods'
options, on the command line and in Python: no method has such an option."""
# That a choice may be taken again: neither that it may not, nor what happened again.
_AGAIN = re.compile(
    r"(?:繰り?返し|何度|重複)[^。]{0,12}?(?:よい|良い|いい|かまわ|構わ)"
    r"|(?:^|[.;:,(])(?![^.;:,(]*\b(?:no|none|neither|not)\b)[^.;:,(]*\b(?:may|can) be \w+"
    r" (?:more than once|repeatedly|again|twice)\b",
    re.IGNORECASE,
)
_PARTS = ("features", "statements", "truth", "events", "pairs")  # of `Verdict.explained`
# alike in the columns of a question
_OF_ONE_QUESTION = ("together", "instruction", "data", "choices")


Outcome = Literal[
    "together",
    "likeliest",
    "elsewhere",
    "nearest",
    "nothing",
    "unknown",
    "refers",
    "open",
    "fails",
    "confirmed",
    "contradicted",
]
"""What was found of a choice in the book: its words are `together` in a sentence about what is
asked, or `elsewhere`; a sentence that is only the `nearest`, of the `likeliest` choice too;
`nothing`; a choice whose words are `unknown` to the book. A choice about others `refers` to ones
that the book supports, `fails` where it does not, or is `open`. True or false is `confirmed` or
`contradicted`."""
OUTCOME_WORDS: dict[Outcome, str] = {
    "together": "its words stand near the question's in",
    "likeliest": "no sentence says all of it, but the passages fit it best; the nearest",
    "elsewhere": "in the book, but not with what is asked",
    "nearest": "no passage says so; the nearest",
    "nothing": "no passage says so",
    "unknown": "not in the book",
    "refers": "follows from the other choices",
    "open": "may follow from the other choices",
    "fails": "does not follow from the other choices",
    "confirmed": "the book bears it out",
    "contradicted": "the book says otherwise",
}
"""An outcome in words; where there is a sentence, a colon and the sentence follow."""


class Support(NamedTuple):
    """What was found of a choice: the sentence (cut to 300 characters) with the title above it, ""
    without one."""

    outcome: Outcome
    sentence: str = ""
    title: str = ""


class Verdict(NamedTuple):
    """A method's judgement of one choice."""

    score: float
    """What decides, a finite number: see `choose`."""
    explained: Mapping[str, Any] = {}
    """What the score is made of, for a trace: `{"features": {name: number}}`, or other fields of a
    `TraceCandidate`: statements (of `TraceStatement`), truth, events (of `TraceEvent`), pairs."""
    evidence: Sequence[Evidence | TraceEvidence] = ()
    """The passages behind the score, best first; filled only where evidence is wanted."""
    query: Sequence[str] = ()
    """The terms searched for, if the method makes one query per choice."""
    says: str = ""
    """The verdict in words."""
    probability: float | None = None
    """How likely the choice is the answer, 0 to 1, None if unknown."""
    support: Support | None = None
    """What was found in the book, None if the method does not look for it."""


class AnsweredQuestion(NamedTuple):
    """A question with the number of the chosen choice (`system`, "" if blank) and a verdict on each
    choice, in order, or none on any. `way` is that of the question's plan, "" without a plan,
    `note` a message if the plan for the question's shape could not be used."""

    question: ExamQuestion
    system: str
    verdicts: tuple[Verdict, ...]
    way: str = ""
    note: str = ""


AnswerExam: TypeAlias = (
    "Callable[[Sequence[ExamQuestion], Index, int, bool], list[AnsweredQuestion]]"
)
"""Answers every question, in order: questions, index, k, whether evidence is wanted."""


class Method(NamedTuple):
    """A method, ready to answer. `answer(questions, index, k, evidence)` answers every question, in
    order: `k` documents count for a choice, `evidence` asks for the trace's. `parameters` are those
    of the run that a trace gives once for all answers, `packages` those of others that it computes
    with, besides the analyser's and the engine's. `model` is the model of a learned one, with
    its file."""

    answer: AnswerExam
    parameters: Mapping[str, Any] = {}
    packages: tuple[str, ...] = ()
    model: tuple[Model, str | Path] | None = None


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
        (model, path),
    )


@cache
def exam_methods() -> Mapping[str, tuple[str, str]]:
    """The methods of `METHODS`, then those of other distributions: entry points whose name is the
    method's and whose value is its function; the first line of the function's docstring is its
    line of help. One that cannot be loaded, whose name is taken or not of a-z, digits and hyphens,
    or with an option whose name the command has, or another method for an option of another kind,
    is left out, with a warning."""
    options: list[click.Option] = []

    def load(point: EntryPoint) -> tuple[str, str]:
        function, line = place_and_help(point)
        if not options:
            for built_in, _ in METHODS.values():
                options.extend(declared_options(built_in))
        added = declared_options(function)
        for option in added:
            if clash := _clash(option, options):
                raise ValueError(f"its option {option.opts[0]} is {clash}")
        options.extend(added)
        return function, line

    return METHODS | load_entries(ENTRY_POINTS, METHODS, load, ENTRY_POINTS)


def _clash(option: click.Option, others: Sequence[click.Option]) -> str:
    """Why an option conflicts with the command's or the `others` of other methods: it has a name or
    spelling of the command's, or of another method's option of another kind; "" if it does not."""
    if _names(option) & TAKEN:
        return "one of the command's"
    if any(_names(option) & _names(other) and _kind(option) != _kind(other) for other in others):
        return "another method's, of another kind"
    return ""


def _names(option: click.Option) -> set[str]:
    """The name of an option and its spellings, without hyphens before them, with `_` for those
    inside."""
    spellings = [*option.opts, *option.secondary_opts]
    return {str(option.name), *(text.lstrip("-").replace("-", "_") for text in spellings)}


def _kind(option: click.Option) -> tuple[object, ...]:
    """What options with the same name must have in common, since the command has them once: name,
    spellings, type and how many values."""
    kind = option.type.to_info_dict()
    return (option.name, option.opts, option.secondary_opts, kind, option.nargs, option.multiple)


def declared_options(function: str) -> list[click.Option]:
    """The click options declared at the function `module:function`, in the order of the help."""
    return list(getattr(resolve_name(function), "__click_params__", []))[::-1]


def method_options(function: Function) -> Function:
    """Decorator that adds the options of all methods to a command, of those with the same name the
    first, none of them required. One that is not given is None or (), never its default: defaults
    are the method's, as `method` adds them."""
    by_name: dict[str, click.Option] = {}
    for reference, _ in exam_methods().values():
        for option in declared_options(reference):
            optional = _not_required(option)
            optional.default = None
            by_name.setdefault(str(option.name), optional)
    params: list[click.Parameter] = getattr(function, "__click_params__", [])
    # Decorators add their options from the last to the first.
    params = [*params, *reversed(by_name.values())]
    function.__click_params__ = params  # type: ignore[attr-defined]
    return function


def _not_required(option: click.Option) -> click.Option:
    """A copy of an option that may be left out."""
    option = copy(option)
    option.required = False
    return option


def method(name: str, /, **options: object) -> Method:
    """Makes the method of a name; an option that is None or () is not given, any other value is,
    and those that are not have the defaults of their declarations. Values are converted by the
    declared types, numbers by their text, as the command does it.

    Raises UserError for an unknown name, for options that the method does not take or needs, for a
    value that is not of its option's type, also nan, for a function that makes no `Method`, and for
    the model `UNTRAINED` if the method takes a model (else it is left out). A method of another
    distribution raises UserError if its answers do not fit the questions (`with_checks`)."""
    function, _ = exam_methods()[validate_choice(name, exam_methods(), "method")]
    declared = {str(option.name): option for option in declared_options(function)}
    chosen = {
        option: value
        for option, value in options.items()
        if value is not None and not (isinstance(value, tuple) and not value)
    }
    if chosen.get("model") == UNTRAINED:
        if "model" in declared:
            raise UserError(
                f"--method {name} answers by learned weights; --method slqal is the untrained "
                f"baseline"
            )
        # Untrained is what the other methods are anyway.
        del chosen["model"]
    if unknown := chosen.keys() - declared:
        taken = ", ".join(option.opts[0] for option in declared.values()) or "no options"
        wrong = f"--{min(unknown).replace('_', '-')}"
        raise UserError(f"--method {name} does not take {wrong}: it takes {taken}")
    for option_name, option in declared.items():
        if option.required and option_name not in chosen:
            raise UserError(f"--method {name} needs {option.opts[0]}")
    defaults = click.Command(name, params=[*map(_not_required, declared.values())])
    context = defaults.make_context(name, [])
    converted = {key: _convert(declared[key], value, context) for key, value in chosen.items()}
    result = resolve_name(function)(**context.params | converted)
    if not isinstance(result, Method):
        raise UserError(f"--method {name}: its function made {result!r:.60}: expected a Method")
    return result if name in METHODS else with_checks(result)


def _convert(option: click.Option, value: object, context: click.Context) -> object:
    """The value by the option's type, a number by its text. Raises UserError, which begins with the
    option, for a value that is not of the type, and for nan."""
    label = option.opts[0]
    try:
        # The type of whole numbers would cut 2.7 to 2.
        text = str(value) if isinstance(value, Number) else value
        converted = option.type_cast_value(
            context, Path(value) if isinstance(value, PathLike) else text
        )
    except click.ClickException as error:
        raise UserError(f"{label}: {error.message}") from error
    except (AttributeError, TypeError, ValueError) as error:  # of types that expect a text
        raise UserError(f"{label}: {value!r:.60} is not a valid {option.type.name}.") from error
    if isinstance(converted, float) and math.isnan(converted):
        raise UserError(f"{label}: {value!r:.60} is not a number")
    return converted


def answer_all(
    method: Method, questions: Sequence[ExamQuestion], index: Index, k: int, evidence: bool
) -> list[AnsweredQuestion]:
    """Answers every question, in order; one without choices gets the answer "", no verdict and a
    note. `k` documents or passages count for a choice, `evidence` adds them. Consecutive answer
    columns `together` in one question get different choices, unless choices differ or may repeat,
    none is left or the method gave no verdicts."""
    with_choices = [question for question in questions if question.choices]
    results = iter(method.answer(with_choices, index, k, evidence))
    answered: list[AnsweredQuestion] = []
    taken: set[str] = set()
    for question in questions:
        answer = AnsweredQuestion(question, "", (), note="no choices: not answered")
        if question.choices:
            answer = next(results)
        if question.together:
            if not (answered and _shares_choices(question, answered[-1].question)):
                taken = set()
            answer = _with_another_choice(answer, taken)
            if answer.system:
                taken.add(answer.system)
        answered.append(answer)
    return answered


def _shares_choices(question: ExamQuestion, before: ExamQuestion) -> bool:
    """Whether two columns that follow each other are of one question (alike in `_OF_ONE_QUESTION`)
    whose instruction does not say that a choice may be taken more than once."""
    return (
        before.answer_column != question.answer_column
        and all(getattr(question, part) == getattr(before, part) for part in _OF_ONE_QUESTION)
        and not _AGAIN.search(question.instruction.plain)
    )


def _with_another_choice(answer: AnsweredQuestion, taken: Collection[str]) -> AnsweredQuestion:
    """The answer; where its choice is among the `taken` ones, with the best of the others by the
    verdicts, and a note if it has none. As it is if none is left, or without verdicts."""
    choices = answer.question.choices
    left = [number for number, choice in enumerate(choices) if choice.number not in taken]
    if not left or not answer.verdicts or answer.system not in taken:
        return answer
    rest = replace(answer.question, choices=tuple(choices[number] for number in left))
    note = (
        answer.note or f"choice {answer.system} is taken by another answer column of this question"
    )
    system = choose(rest, [answer.verdicts[number].score for number in left])
    return answer._replace(system=system, note=note)


def with_checks(method: Method) -> Method:
    """A method of others, whose `answer` raises UserError, which begins with its name, unless it
    gives an answer for each question, in order: one of its choices or "", with a verdict on each
    choice or none."""

    def answer(
        questions: Sequence[ExamQuestion], index: Index, k: int, evidence: bool
    ) -> list[AnsweredQuestion]:
        answers = method.answer(questions, index, k, evidence)
        name = f"the method {getattr(method.answer, '__name__', '')}".strip()
        _require_complete(questions, answers, name)
        return answers

    return method._replace(answer=answer)


def _require_complete(
    questions: Sequence[ExamQuestion], answers: Sequence[AnsweredQuestion], name: str
) -> None:
    """Raises UserError, which begins with `name`, unless the answers are one AnsweredQuestion for
    each question, with one of its choices or "", and with right verdicts on all choices or on
    none."""
    expected = "expected an AnsweredQuestion for each question, in order"
    if not isinstance(answers, Sequence):
        raise UserError(f"{name} returned {answers!r:.60}: {expected}")
    if len(answers) != len(questions):
        raise UserError(
            f"{name} gave {len(answers)} answers to {len(questions)} questions: {expected}"
        )
    for question, answer in zip(questions, answers, strict=True):
        column = question.answer_column
        if not isinstance(answer, AnsweredQuestion):
            raise UserError(f"{name} answered {column} by {answer!r:.60}: {expected}")
        if answer.question != question:
            raise UserError(
                f"{name} answered another question in the place of {column}: {expected}"
            )
        numbers = [choice.number for choice in question.choices]
        if answer.system not in ("", *numbers):
            raise UserError(
                f"{name} answered {column} by {answer.system!r}, which is not one "
                f"of its choices: {', '.join(numbers)}"
            )
        if len(answer.verdicts) not in (0, len(numbers)):
            raise UserError(
                f"{name} gave {len(answer.verdicts)} verdicts on the {len(numbers)} choices "
                f"of {column}: expected one for each choice"
            )
        for number, verdict in zip(numbers, answer.verdicts, strict=False):
            if fault := _fault(verdict):
                raise UserError(f"{name}: the verdict on choice {number} of {column} {fault}")


def _fault(verdict: Verdict) -> str:
    """What is wrong with a verdict of another distribution's method, and what is expected, as the
    end of a sentence; "" if nothing is."""
    from answerer.trace import TraceEvent, TraceEvidence, TraceStatement
    from retriever.explain import Evidence

    def is_list(values: object, kinds: type | tuple[type, ...]) -> bool:
        if isinstance(values, str) or not isinstance(values, Sequence):
            return False
        return all(isinstance(value, kinds) for value in values)

    def is_number(value: object) -> bool:
        return isinstance(value, Real) and math.isfinite(value)

    def are_numbers(values: object) -> bool:
        return isinstance(values, Mapping) and all(map(is_number, values.values()))

    if not isinstance(verdict, Verdict):
        return f"is {verdict!r:.60}: expected a Verdict"
    parts = verdict.explained
    if not isinstance(parts, Mapping) or parts.keys() - _PARTS:
        return (
            f'is explained by {parts!r:.60}: expected {{"features": {{NAME: NUMBER}}}}, or of '
            f"{', '.join(_PARTS)}"
        )
    passages = "a list of Evidence, as of explain_hits"
    checks = {
        "score": (is_number(verdict.score), "a finite number"),
        "evidence": (is_list(verdict.evidence, (Evidence, TraceEvidence)), passages),
        "query": (is_list(verdict.query, str), "a list of terms"),
        "says": (isinstance(verdict.says, str), "a text"),
        "probability": (is_number(verdict.probability or 0), "a number, or None"),
    }
    for part, value in parts.items():
        checks[part] = are_numbers(value), "{NAME: NUMBER}"
        if kind := {"statements": TraceStatement, "events": TraceEvent}.get(part):
            checks[part] = is_list(value, kind), f"a list of {kind.__name__}"
    values = {**verdict._asdict(), **parts}
    for field, (is_right, what) in checks.items():
        if not is_right:
            return f"has the {field} {values[field]!r:.60}: expected {what}"
    return ""


def probabilities(utilities: Sequence[float]) -> list[float]:
    """The probability of each choice of being the answer: softmax of `utilities`, as in the logit
    of training; [] for none."""
    # Less the greatest one, so that no power overflows.
    odds = [math.exp(utility - max(utilities)) for utility in utilities]
    return [value / sum(odds) for value in odds]


def choose(question: ExamQuestion, scores: Sequence[float]) -> str:
    """The number of the choice with the highest score, or the lowest if the question asks for the
    false choice. Scores are compared at 5 significant digits, so that both engines agree. Ties: the
    lowest number (SLQAL paper, Table 2); labels that are not numbers come last, in their order.
    ValueError without choices."""
    sign = -1 if question.asks == "T" else 1
    numbers = [whole(choice.number) for choice in question.choices]
    ranked = [
        (sign * round_score(score), n is None, n or 0)
        for n, score in zip(numbers, scores, strict=True)
    ]
    return question.choices[ranked.index(min(ranked))].number
