"""Trains any ranker from Python: files with answers in, a model file and its figures out."""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from answerer.answering import INDEX, inputs_of, options_of
from answerer.registry import trainings
from answerer.run import Asked
from answerer.task import load
from indexer.files.errors import UserError
from indexer.files.paths import STDOUT, register_claims
from indexer.files.validation import validate_path, validate_text
from indexer.parameters import checked_value, settings
from retriever.search import AnyIndex, using_index

FileName = str | os.PathLike[str]

if TYPE_CHECKING:
    import pandas

EACH_INDEX = "each_asked"
"""The parameter of a task that trains with an index for each of its inputs."""


@dataclass(frozen=True, repr=False)
class Trained:
    """A trained model's file at `path`, for the argument `model=`; `figures` are its measured figures.

    `rows` has a mapping column name → figure for each ranking that was measured, the model's own first; [figures] if
    only that was.
    """

    task: str
    path: str
    figures: Mapping[str, Any]
    rows: Sequence[Mapping[str, Any]]

    def to_frame(self) -> pandas.DataFrame:
        """The rows as a data frame of pandas. Raises UserError if pandas is not installed."""
        from indexer.frames import frame

        return frame(self.rows)

    def __repr__(self) -> str:
        measured = [f"{name} {value:.4f}" for name, value in self.rows[0].items() if isinstance(value, float)]
        return f"<Trained {self.task}: {', '.join([self.path, *measured[:1]])}>"


def train(
    task: str, *files: FileName, output: FileName, index: AnyIndex | Sequence[AnyIndex] | None = None, **options: Any
) -> Trained:
    """Trains a task's ranker on files with answers and writes it to `output`, whole or not at all.

    `files` are the arguments of `answerer train TASK`, in its order. `index` is an open index or an address, by default
    the task's own; ntcir-mc takes one for each folder. `options` are the command's, by their long names: `folds=3`,
    `seed=1`, `ablation=True`. Raises UserError for anything that the command refuses.
    """
    known = trainings()
    if validate_text(task, "task") not in known:
        raise UserError(f"{task}: nothing to train; expected one of {', '.join(known)}")
    parameters, learn = load(known[task].command).parameters, load(known[task].learn)
    accepted = inspect.signature(learn).parameters
    named = [*(["index"] if {INDEX, EACH_INDEX} & accepted.keys() else []), "output"]
    indexes = () if index is None else index if isinstance(index, list | tuple) else (index,)
    with register_claims(), ExitStack() as stack:  # paths are claimed, so that the output cannot be an input too
        place = next(one for one in parameters if one.name == "output")
        path = str(checked_value(place, validate_path(output, "output")))
        if path == STDOUT:
            raise UserError("output is the standard output: name a file")
        for file in files:
            if not isinstance(file, str | os.PathLike):
                raise UserError(f"{task} learns from files: expected paths, not {type(file).__name__}")
        inputs = inputs_of(task, parameters, files)
        values = settings(task, options_of(parameters, accepted), options, also=named)
        asked = [Asked(opened=stack.enter_context(using_index(one))) for one in indexes]
        # Exams of several books each have the index of their book.
        if EACH_INDEX in accepted:
            values[EACH_INDEX] = asked
        elif INDEX in accepted:
            if len(asked) > 1:
                raise UserError(f"{task} learns with one index: {len(asked)} were given")
            values[INDEX] = asked[0] if asked else Asked()
        elif asked:
            raise UserError(f"{task} asks no index: leave it out")
        learned = learn(*inputs, **values)
        # Only after learning has succeeded: an earlier model stays otherwise.
        from retriever.learning.model import save_model

        save_model(learned.model, path)
    figures = learned.model.figures
    return Trained(task, path, figures, learned.rows or [figures])
