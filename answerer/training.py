"""Any ranker trained from Python: files with answers in, a model file and its figures out."""

from __future__ import annotations

import importlib
import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import click

from answerer.answering import INDEX, inputs_of
from answerer.learned import Learned
from answerer.registry import TRAINABLE
from answerer.run import Asked
from indexer.cli.given_values import path_given, text_given
from indexer.cli.settings import settings
from indexer.files.errors import UserError
from indexer.files.output_paths import STDOUT
from retriever.search import AnyIndex, opened

FileName = str | os.PathLike[str]

if TYPE_CHECKING:
    import pandas

EACH_INDEX = "each_asked"
"""The parameter of a task that learns with an index for each of its inputs."""


@runtime_checkable
class TrainableTask(Protocol):
    """What a module that learns offers beside its command: the same from Python.

    `trained` takes the command's arguments in order and its options by their parameters' names, but for the output;
    the index as `asked`, or several, one for each input, as `each_asked`. It gives what is to be written.
    """

    train: click.Command
    trained: Callable[..., Learned]


@dataclass(frozen=True, repr=False)
class Trained:
    """A model that was written: `path` is what `model=` takes, `figures` what the file says of how good it is.

    `rows` has a row for each way to rank that was measured, the model's own first; where that is all, it is the
    figures.
    """

    task: str
    path: str
    figures: Mapping[str, Any]
    rows: Sequence[Mapping[str, Any]]

    def to_frame(self) -> pandas.DataFrame:
        """The rows as a table of pandas. UserError where pandas is not installed."""
        from indexer.frames import frame

        return frame(self.rows)

    def __repr__(self) -> str:
        measured = [f"{name} {value:.4f}" for name, value in self.rows[0].items() if isinstance(value, float)]
        return f"<Trained {self.task}: {', '.join([self.path, *measured[:1]])}>"


def train(
    task: str, *files: FileName, output: FileName, index: AnyIndex | Sequence[AnyIndex] | None = None, **options: Any
) -> Trained:
    """Learn a task's ranker from files with answers and write it to `output`, whole or not at all.

    `files` are what `answerer train TASK` takes, in its order. `index` is an open index or an address, by default the
    task's own; ntcir-mc takes one for each folder. `options` are the command's, by their long names: `folds=3`,
    `seed=1`, `ablation=True`. UserError for what the command would refuse.
    """
    module = _task(task)
    accepted = inspect.signature(module.trained).parameters
    named = [*(["index"] if {INDEX, EACH_INDEX} & accepted.keys() else []), "output"]
    with click.Context(module.train), ExitStack() as stack:  # in a context, so that no output is an input too
        path = _output(module.train, output)
        for file in files:
            if not isinstance(file, str | os.PathLike):
                raise UserError(f"{task} learns from files: expected paths, not {type(file).__name__}")
        inputs = inputs_of(task, module.train.params, files)
        taken = [param for param in module.train.params if param.name in accepted]
        given = settings(task, taken, options, also=named)
        found = [Asked(opened=stack.enter_context(opened(one))) for one in _each(index)]
        if EACH_INDEX in accepted:
            given[EACH_INDEX] = found
        elif INDEX in accepted:
            if len(found) > 1:
                raise UserError(f"{task} learns with one index: {len(found)} were given")
            given[INDEX] = found[0] if found else Asked()
        elif found:
            raise UserError(f"{task} asks no index: leave it out")
        learned = module.trained(*inputs, **given)
        from retriever.learning.model import save_model

        save_model(learned.model, path)
    figures = learned.model.figures
    return Trained(task, path, figures, learned.rows or [figures])


def _task(name: str) -> TrainableTask:
    """The module of a task that learns. UserError for a name that is not in the registry."""
    if text_given(name, "task") not in TRAINABLE:
        raise UserError(f"{name}: nothing to train; expected one of {', '.join(TRAINABLE)}")
    module = importlib.import_module(TRAINABLE[name][0])
    if not isinstance(module, TrainableTask):
        raise TypeError(f"{TRAINABLE[name][0]} has no `trained`")
    return module


def _output(command: click.Command, output: FileName) -> str:
    """Where the model goes, as the command takes it. UserError for the standard output, which is the program's own."""
    param = next(param for param in command.params if param.name == "output")
    path = str(param.type.convert(path_given(output, "output"), param, None))
    if path == STDOUT:
        raise UserError("output is the standard output: name a file")
    return path


def _each(index: AnyIndex | Sequence[AnyIndex] | None) -> Sequence[AnyIndex]:
    """The indexes one by one."""
    if index is None:
        return ()
    return index if isinstance(index, list | tuple) else (index,)
