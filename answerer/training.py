"""Trains any ranker, by a command or from Python: files with answers in, a model file and its
figures out."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from answerer.registry import TRAININGS
from indexer.cli.types import Address, InputFile, OutputPath
from indexer.files.errors import UserError
from indexer.files.paths import (
    PathClaim,
    is_stdout,
    output_fault,
    refuse_shared,
    require_input,
    resolve_path,
)
from indexer.files.progress import phase
from indexer.files.validation import FileName, validate_path, validate_text

if TYPE_CHECKING:
    import pandas

    from retriever.learning.model import Model

RANKING = "ranking"  # the key of a row that names the way of ranking

pairs_argument = click.argument(
    "files",
    nargs=-1,
    required=True,
    metavar="QUESTIONS GOLD [QUESTIONS GOLD]...",
    type=InputFile(),
)
"""Adds the files of one collection or several, each with its gold."""
folder_index_option = click.option(
    "--index",
    metavar="ADDRESS",
    type=Address(),
    multiple=True,
    help="The index of each folder, in order.",
)
model_output_option = click.option(
    "-o",
    "output",
    metavar="MODEL",
    required=True,
    type=OutputPath(),
    help="Where the model goes.",
)


def pair_files(files: Sequence[FileName]) -> list[tuple[str, str]]:
    """The files in pairs (questions, gold): the first with the second, the third with the fourth,
    and so on; [] for none. Raises UserError where a file is left over."""
    if len(files) % 2:
        raise UserError("training takes pairs of files: QUESTIONS GOLD [QUESTIONS GOLD]...")
    paths = [os.fspath(file) for file in files]
    return list(zip(paths[::2], paths[1::2], strict=True))


class Learned(NamedTuple):
    """A trained model, with its measured figures inside, and what the training report prints.

    `rows` has column name → figure for each ranking that was measured, the model's own first; empty
    if the model's figures suffice, and `ways` then names the ranking that these are of. `how` opens
    the report (folds, seed).
    """

    model: Model
    rows: Sequence[Mapping[str, Any]] = ()
    ways: str = "listwise, cross-validated"
    how: str = ""


def write_learned(learn: Callable[[], Learned], output: str) -> None:
    """Learns, prints how it was measured and a table with a row for each way of ranking and its
    figures, floats with 4 decimals, and writes the model to `output`."""
    from retriever.learning.model import save_model

    with phase("learning"):
        learned = learn()
    if learned.how:
        print(learned.how)
    rows = learned.rows or [{RANKING: learned.ways, **learned.model.figures}]
    names = [name for name in rows[0] if name != RANKING]
    lines = [["", *names]]
    for row in rows:
        cells = [
            f"{row[name]:.4f}" if isinstance(row[name], float) else str(row[name]) for name in names
        ]
        lines.append([str(row[RANKING]), *cells])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for way, *cells in lines:
        print("  ".join([way.ljust(widths[0]), *map(str.rjust, cells, widths[1:])]))
    save_model(learned.model, output)


@dataclass(frozen=True, repr=False)
class Trained:
    """A trained model's file at `path`, for the argument `model=`; `figures` are its measured
    figures.

    `rows` has column name → figure for each ranking that was measured, the model's own first;
    [figures] if alone.
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
        measured = [
            f"{name} {value:.4f}"
            for name, value in self.rows[0].items()
            if isinstance(value, float)
        ]
        return f"<Trained {self.task}: {', '.join([self.path, *measured[:1]])}>"


def train(task: str, *files: FileName, output: FileName, **options: Any) -> Trained:
    """Trains a task's ranker on files with answers and writes it to `output`, whole or not at all.

    `files` are the arguments of `answerer train TASK`, in its order; `options` its options by their
    long names: `index`, `folds=3`, `seed=1`. `index` is an open index or an address, by default the
    task's own; ntcir-mc takes one for each folder. Raises UserError for anything that the command
    refuses, TypeError for an option that it does not have.
    """
    if validate_text(task, "task") not in TRAININGS:
        raise UserError(f"{task}: nothing to train; expected one of {', '.join(TRAININGS)}")
    path = validate_path(output, "output")
    if is_stdout(path):
        raise UserError("output is the standard output: name a file")
    if fault := output_fault(path):
        raise UserError(f"output {path}: {fault}")
    if not files:
        raise UserError(f"{task}: no file is given to learn from")
    for file in files:
        require_input(validate_path(file, f"{task}: file"), f"{task}: file", ("**",))
    sources = [
        PathClaim("a source", resolve_path(file), False, ("**",) if Path(file).is_dir() else None)
        for file in files
    ]
    refuse_shared([*sources, PathClaim("output", resolve_path(path), True)])
    learned: Learned = import_module(TRAININGS[task][0]).train(*files, **options)
    # Only after learning has succeeded: an earlier model stays otherwise.
    from retriever.learning.model import save_model

    save_model(learned.model, path)
    figures = learned.model.figures
    return Trained(task, path, figures, learned.rows or [figures])
