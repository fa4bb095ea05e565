"""Answers any task from Python: official files or plain objects in, a run out that can be read,
saved and scored."""

from __future__ import annotations

import os
from importlib import import_module
from numbers import Number
from typing import Any

from answerer.registry import tasks
from answerer.run import Run, log_messages, require_answers
from indexer.files.errors import UserError
from indexer.files.paths import require_input
from indexer.files.validation import validate_choice


def answer(
    task: str,
    *sources: object,
    evidence: bool = True,
    allow_unanswered: bool = False,
    **options: Any,
) -> Run:
    """Answers a task's questions; returns the run with the evidence behind every answer.

    >>> answer("ntcir-mc", "exam.xml", index="textbook-en", method="slqal", k=3).answers["A1"]
    '2'

    It calls the function `answer` of the task's module. `sources` are the command's arguments:
    paths of official files, or objects in their place (docs/python.md lists those of each task).
    `options` are the task's own, named as the command's: `index`, an open index, an address, or
    several, by default the task's own; `method="slqal"`, `k=3`, `model="mine.json"`. Without
    `evidence` answering is faster, and the run has the official files alone. The run's warnings and
    notes are logged. Raises UserError for anything that the command refuses, also if more than half
    of the questions find nothing to be answered from, unless `allow_unanswered` is true; TypeError
    for an option that the task does not have.
    """
    record = tasks()[validate_choice(task, tasks(), "task")]
    for source in sources:
        if isinstance(source, str | os.PathLike):
            require_input(os.fspath(source), "the file of questions")
        elif source is None or isinstance(source, Number | bytes):
            raise UserError(f"{task}: {source!r} is given: give a file, or questions")
    run: Run = import_module(record.module).answer(*sources, evidence=evidence, **options)
    if run.unanswered is not None and not allow_unanswered:
        require_answers(run.unanswered, run.sources)
    log_messages(run)
    return run
