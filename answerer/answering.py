"""Answers any task from Python: official files or plain objects in, a run out that can be read,
saved and scored."""

from __future__ import annotations

import inspect
import os
from collections.abc import Collection, Sequence
from numbers import Number
from typing import Literal, TypedDict, Unpack

from answerer.options import Asked
from answerer.registry import tasks
from answerer.run import Run
from answerer.task import load
from answerer.unanswered import require_answers
from indexer.files.errors import UserError
from indexer.files.messages import info, warn
from indexer.files.paths import register_claims
from indexer.files.validation import FileName, validate_choice
from indexer.parameters import Parameter, settings
from retriever.search import Address, AnyIndex, using_index

INDEX = "asked"  # the parameter of a task that takes its index or indexes


class AnswerOptions(TypedDict, total=False):
    """The options of answering, named like the commands' long options; each task accepts some of
    them."""

    method: str
    model: FileName
    k: int
    choice_only: bool
    all_terms: bool
    linking: Literal["fuzzy", "exact"]
    top: int
    sysdesc: str
    language: str
    answers: Sequence[FileName]
    nuggets: FileName
    reports: FileName


def answer(
    task: str,
    *sources: object,
    index: AnyIndex | Sequence[Address] | None = None,
    evidence: bool = True,
    allow_unanswered: bool = False,
    **options: Unpack[AnswerOptions],
) -> Run:
    """Answers a task's questions; returns the run with the evidence behind every answer.

    >>> answer("ntcir-mc", "exam.xml", index="textbook-en", method="slqal", k=3).answers["A1"]
    '2'

    `sources` are the command's arguments: paths of official files, or objects in their place
    (docs/python.md lists those of each task). `index` is an open index, an address, or several,
    which are searched as one; by default the task's own. `options` are the command's, by their long
    names: `method="slqal"`, `k=3`, `model="mine.json"`, `choice_only=True`. Without `evidence`
    answering is faster, and the run has the official files alone. Raises UserError for anything
    that the command refuses, also if more than half of the questions find nothing to be answered
    from, unless `allow_unanswered` is true.
    """
    record = tasks()[validate_choice(task, tasks(), "task")]
    parameters, answering = load(record.command).parameters, load(record.answer)
    accepted = inspect.signature(answering).parameters
    with register_claims():  # inputs are claimed: a model warns if it was trained on them
        inputs = inputs_of(task, parameters, sources)
        values = settings(task, options_of(parameters, accepted), options, also=["index"])
        if INDEX not in accepted:
            if index is not None:
                raise UserError(f"{task} asks no index: leave it out")
            run = answering(*inputs, **values, evidence=evidence)
        elif index is None:
            run = answering(*inputs, **values, asked=Asked(), evidence=evidence)
        else:
            with using_index(index) as opened:
                run = answering(*inputs, **values, asked=Asked(opened=opened), evidence=evidence)
    if not allow_unanswered:
        require_answers(run.unanswered, run.sources)
    for warning in run.warnings:
        warn(warning)
    for note in run.notes:
        info(note)
    return run


def options_of(parameters: Sequence[Parameter], accepted: Collection[str]) -> list[Parameter]:
    """The options that a function accepts, without those of which the command line alone makes the
    function's value."""
    return [one for one in parameters if one.flags and one.name in accepted and one.collect is None]


def inputs_of(
    task: str, parameters: Sequence[Parameter], sources: Sequence[object]
) -> list[object]:
    """The values of the command's arguments, in order, taken from `sources`: paths checked by the
    argument's type, other objects unchanged; a tuple for an argument that takes several.

    Raises UserError for too few or too many sources, None, numbers and bytes, and a path that
    cannot be read.
    """
    left = list(sources)
    inputs: list[object] = []
    arguments = [one for one in parameters if not one.flags]
    for one in arguments:
        # As click: an argument of several values takes all that are left.
        taken, left = (left, []) if one.multiple else (left[:1], left[1:])
        if one.required and not taken:
            raise UserError(f"{task}: {one.metavar} is missing")
        for place, source in enumerate(taken):
            if isinstance(source, os.PathLike | str):
                taken[place] = one.type(value=os.fspath(source), named=one.display_name)
            elif source is None or isinstance(source, Number | bytes):
                raise UserError(f"{one.display_name} is {source!r}: give a file, or questions")
        inputs.append(tuple(taken) if one.multiple else taken[0])
    if left:
        expected = " ".join(str(one.metavar) for one in arguments)
        raise UserError(f"{task} takes {expected}; {len(sources)} were given")
    return inputs
