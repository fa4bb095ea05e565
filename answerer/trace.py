"""The evidence behind every answer: JSON lines, first the run, then one object a question.

`docs/trace.schema.json` describes a line; `encode` and `decode` are its only writer and reader.
"""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from indexer.files.atomic import as_bytes
from indexer.files.errors import bad_input, one_line
from indexer.files.json_objects import TO_COMPUTE, parse_json

VERSION = 1  # that of docs/trace.schema.json
"""Of the form of a trace; it rises when a field changes its name or meaning, not when one is
added."""

# The smallest contribution shown by itself: one unit of the two decimals that people read.
_LEAST = 0.01
_ALWAYS = ("system", "candidates", "features", "evidence")  # written even if they are empty
_DIGITS = 7  # significant digits of the numbers written
_EXPECTED = "expected a trace written with --trace"
_LONGEST_ROW = 2**28  # bytes of a line
_PARTS: Mapping[str, type] = {
    "parameters": dict,
    "versions": dict,
}  # of a run's header

Features = Mapping[str, float]
"""Feature → what it adds to a score, or its value if the header has weights to multiply it by."""


@dataclass(frozen=True, kw_only=True)
class TraceMark:
    """A mark that the paper prints in a text, from the character offset `start` to `end`; a `label`
    is printed before it."""

    kind: str
    start: int
    end: int
    label: str = ""


@dataclass(frozen=True, kw_only=True)
class TraceEvidence:
    """A passage behind a candidate. `terms` maps its matched terms to what each gave to the score.
    `says` what it has to do with the answer,
    `names` the judged names that it holds."""

    doc_id: str = ""
    text: str = ""
    score: float = 0.0
    terms: Features = field(default_factory=dict)
    title: str = ""
    says: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class TraceCount:
    """Counts of a judged name in the book. `beside` has for other names of the statement:
    paragraphs where both occur within three sentences, how many times more often than by chance,
    sections with both. `led` is the share of the retrieved paragraphs that hold the name, and the
    share of the whole book."""

    beside: tuple[tuple[str, int, float, int], ...]
    led: tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class TraceStatement:
    """A statement that a choice makes. `names` maps each judged name to feature → contribution,
    with their total as "sum". `places` maps a name to its (start, end) character offsets in `text`,
    `counted` to its counts. `claimed` says whether the choice claims the statement to be true,
    `log_probability` how likely the claim is."""

    text: str = ""
    score: float = 0.0
    names: Mapping[str, Features] = field(default_factory=dict)
    places: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    counted: Mapping[str, TraceCount] = field(default_factory=dict)
    claimed: bool | None = None
    log_probability: float | None = None


@dataclass(frozen=True, kw_only=True)
class TraceEvent:
    """An event that choices put in order: its likeliest eras, each with its probability."""

    event: str = ""
    times: Features = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class TraceTable:
    """The part of a table that contains an answer: `columns` are paths of headings, `rows` numbers
    and cells. Cells are (row, column), rows from 0 below the headings, -1 for a heading. `size` is
    the whole table's, `labels` the number of columns that label rows; `used` cells led to the
    answer, `matched` ones hold words of the question."""

    title: str = ""
    size: tuple[int, int]
    columns: tuple[tuple[str, ...], ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    labels: int = 0
    answer: tuple[int, int] | None = None
    used: tuple[tuple[int, int], ...] = ()
    matched: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, kw_only=True)
class TraceCandidate:
    """A candidate answer.

    `chosen` marks the sentences of an essay. The score of a choice is made of `statements`, or of
    `events` with the log probabilities of their `pairs`; `truth` is the line that turns a
    statement's score into odds. `fact` is subject, predicate and objects, `through` the fact that
    led to it, `mention` the name in the question. `verdict` and `derivation` are in words; `query`
    are the terms that were searched for.
    """

    id: str = ""
    text: str = ""
    score: float = 0.0
    chosen: bool = False
    probability: float | None = None
    verdict: str = ""
    derivation: str = ""
    features: Features = field(default_factory=dict)
    statements: tuple[TraceStatement, ...] = ()
    truth: Features = field(default_factory=dict)
    events: tuple[TraceEvent, ...] = ()
    pairs: Features = field(default_factory=dict)
    query: tuple[str, ...] = ()
    fact: tuple[str, ...] = ()
    through: tuple[str, ...] = ()
    mention: str = ""
    table: TraceTable | None = None
    marks: tuple[TraceMark, ...] = ()
    evidence: tuple[TraceEvidence, ...] = ()


@dataclass(frozen=True, kw_only=True)
class TraceGap:
    """A gap that a question asks about: its label and the printed line that contains it."""

    label: str = ""
    text: str = ""
    marks: tuple[TraceMark, ...] = ()


@dataclass(frozen=True, kw_only=True)
class TraceMention:
    """A name found in a question, and how similar it is to the name in the knowledge base."""

    name: str = ""
    start: int = 0
    end: int = 0
    similarity: float = 0.0


@dataclass(frozen=True, kw_only=True)
class TraceQuestion:
    """A question as it was answered: `system` are the answers, as ids of candidates or texts.

    `asks` is "T" or "F" for questions of true and false choices, `shape` the kind of question.
    `keywords` maps each keyword of an essay to the sentence that uses it; `covered` is the share of
    the concepts' worth in the essay, `uncovered` the worth of concepts that are not. `unread`
    counts blocks of the dataset that were left out. `weights` are those of the question's features,
    if not the header's.
    """

    question_id: str
    exam: str = ""
    question: str = ""
    shape: str = ""
    asks: str = ""
    system: tuple[str, ...] = ()
    answered_as: str = ""
    note: str = ""
    marks: tuple[TraceMark, ...] = ()
    gaps: tuple[TraceGap, ...] = ()
    focus: str = ""
    classes: tuple[str, ...] = ()
    mentions: tuple[TraceMention, ...] = ()
    weights: Features = field(default_factory=dict)
    keywords: Mapping[str, str] = field(default_factory=dict)
    length: int | None = None
    limit: int | None = None
    unit: str = ""
    covered: float | None = None
    uncovered: Features = field(default_factory=dict)
    unread: int | None = None
    candidates: tuple[TraceCandidate, ...] = ()

    @property
    def answer(self) -> str:
        """The answers joined by ` / `."""
        return " / ".join(self.system)


def encode(question: TraceQuestion) -> dict[str, Any]:
    """A trace question as a JSON object: fields with their default are left out, unless numbers or
    in `_ALWAYS`; floats have 7 significant digits. Field `system` is a string for one answer or
    none, a list for several."""
    record: dict[str, Any] = rounded_values(question)
    if len(question.system) < 2:
        record["system"] = question.answer
    return record


def trace_text(run: Mapping[str, Any], questions: Iterable[TraceQuestion]) -> bytes:
    """The text of a trace in UTF-8: a line with the header `run` and the version of the format,
    then a line for each question."""
    rows = chain([{"run": run, "version": VERSION}], map(encode, questions))
    return b"".join(as_bytes(json.dumps(row, ensure_ascii=False) + "\n") for row in rows)


def decode(row: object) -> TraceQuestion:
    """The question of a JSON object; fields that are not known are ignored. Raises TypeError
    for a value of another type or no id, ValueError for a tuple of another length."""
    question: TraceQuestion = _read(TraceQuestion, row)
    return question


_hints = cache(typing.get_type_hints)


def _read(hint: Any, value: Any) -> Any:
    """A JSON value converted to the type `hint`, a field's annotation. An integer passes as a float
    or a text, and one text as a list of texts; unknown and null fields of objects are ignored.
    Raises TypeError for a value of another type, ValueError for a tuple of another length."""
    if hint is float:
        return value if type(value) is float else float(_require(value, int))
    if hint is str:  # an id may be a number
        return value if type(value) is str else str(_require(value, int))
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is Mapping:
        return {key: _read(args[1], item) for key, item in _require(value, dict).items()}
    if origin is tuple and args[-1] is Ellipsis:
        values = [value] * bool(value) if type(value) is str else value
        return tuple(_read(args[0], item) for item in _require(values, list))
    if origin is tuple:
        return tuple(
            _read(arg, item) for arg, item in zip(args, _require(value, list), strict=True)
        )
    if origin is types.UnionType:
        return None if value is None else _read(args[0], value)
    if is_dataclass(hint):
        row, kind = _require(value, dict), typing.cast("Any", hint)
        return kind(
            **{
                name: _read(annotation, row[name])
                for name, annotation in _hints(kind).items()
                if row.get(name) is not None
            }
        )
    return _require(value, hint)


def _require(value: Any, kind: type) -> Any:
    """The value unchanged. Raises TypeError if it is not exactly of this type (True is not an
    int)."""
    if type(value) is not kind:
        raise TypeError(f"expected {kind.__name__}, got {value!r:.60}")
    return value


def read_trace(path: str | Path) -> tuple[dict[str, Any], list[TraceQuestion]]:
    """The run's header and the questions of a trace file; of several joined traces the last header,
    {} without one. Empty lines are skipped. Raises UserError with file and line if one is not a
    line of a trace, or longer than 256 MiB."""
    from indexer.files.encoding import open_lines

    run: dict[str, Any] = {}
    questions: list[TraceQuestion] = []
    for number, line, reason in open_lines(path, limit=_LONGEST_ROW):
        if line is not None and not line.strip():
            continue
        try:
            if line is None:
                raise ValueError(reason)
            row = parse_json(line, **TO_COMPUTE)
            if not (isinstance(row, dict) and "run" in row):
                questions.append(decode(row))
                continue
        except (TypeError, ValueError) as error:
            raise bad_input(
                path, number, f"not a line of a trace ({one_line(error)})", _EXPECTED
            ) from None
        # Traces of several runs may be joined: the last header counts.
        run = row["run"]
        is_valid = isinstance(run, dict) and all(
            isinstance(run.get(name) or kind(), kind) for name, kind in _PARTS.items()
        )
        if not is_valid or row.get("version", VERSION) != VERSION:
            raise bad_input(path, number, "not the first line of a trace", _EXPECTED)
    return run, questions


def with_rest(added: Mapping[str, float]) -> dict[str, float]:
    """Contributions of features to a score as a trace has them: those under 0.01 in absolute value
    are summed up as "rest", which comes last and is left out if it is 0."""
    # The sum stays the score, so that bars of reasons add up.
    large = {name: value for name, value in added.items() if abs(value) >= _LEAST}
    rest = sum(added.values()) - sum(large.values())
    return {**large, "rest": rest} if len(large) < len(added) and rest else large


def rounded_values(value: Any, in_trace: bool = False) -> Any:
    """A nested value as JSON values, floats rounded to 7 significant digits; mappings become dicts
    with string keys, tuples lists, dataclasses objects without the fields that have their default,
    unless numbers or in `_ALWAYS`. Raises TypeError for other values, named tuples too. `in_trace`
    makes the integers of mappings floats, as in a dataclass."""
    if isinstance(value, bool | int | str) or value is None:
        return value
    if isinstance(value, Mapping):
        return {
            str(key): float(item)
            if in_trace and type(item) is int
            else rounded_values(item, in_trace)
            for key, item in value.items()
        }
    if type(value) in (list, tuple):  # not a NamedTuple: its names would be lost
        return [rounded_values(item, in_trace) for item in value]
    if not is_dataclass(value):
        return float(f"{float(value):.{_DIGITS}g}")
    record, kind = {}, typing.cast("Any", type(value))
    for name, default in _defaults(kind):
        field_value = getattr(value, name)
        if field_value != default or type(field_value) in (int, float) or name in _ALWAYS:
            record[name] = rounded_values(field_value, in_trace=True)
    return record


@cache
def _defaults(kind: Any) -> list[tuple[str, object]]:
    """The fields of a dataclass in order, each with its default."""
    return [
        (item.name, item.default_factory() if item.default_factory is not MISSING else item.default)
        for item in fields(kind)
    ]
