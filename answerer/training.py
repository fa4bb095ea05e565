"""Trains any ranker, by a command or from Python: files with answers in, a model file and its
figures out."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from answerer.answering import INDEX, inputs_of, options_of
from answerer.options import Asked
from answerer.registry import trainings
from answerer.task import load
from indexer.files.errors import UserError
from indexer.files.paths import STDOUT, register_claims
from indexer.files.progress import phase
from indexer.files.validation import FileName, validate_path, validate_text
from indexer.parameters import (
    SEED,
    CommandLine,
    Parameter,
    address_option,
    argument,
    checked_value,
    input_path,
    integer,
    option,
    output_path,
    settings,
)
from retriever.search import AnyIndex, using_index

if TYPE_CHECKING:
    import pandas

    from retriever.learning.model import Model

RANKING = "ranking"  # the key of a row that names the way of ranking
EACH_INDEX = (
    "each_asked"  # the parameter of a task that trains with an index for each of its inputs
)

# A model may learn from several collections, each with its gold.
pairs_argument = argument(
    "files", multiple=True, metavar="QUESTIONS GOLD [QUESTIONS GOLD]...", type=input_path
)
folds_option = option(
    "--folds", "k", type=partial(integer, 2), default=5, help="Folds of the cross-validation [5]."
)
seed_option = option("--seed", type=SEED, default=0, help="Seed of the folds [0].")
# In Python an index is given for each folder as an open index or an address.
each_index_option = address_option(
    "The index of each folder, in order.",
    EACH_INDEX,
    multiple=True,
    collect=lambda addresses: [Asked((one,)) for one in addresses],
)


def pair_files(files: Sequence[str]) -> list[tuple[str, str]]:
    """The pairs of files, questions and gold, of `pairs_argument`. Raises UserError where a file is
    left over."""
    if len(files) % 2:
        raise UserError("training takes pairs of files: QUESTIONS GOLD [QUESTIONS GOLD]...")
    return list(zip(files[::2], files[1::2], strict=True))


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


def train_command(
    learn: Callable[..., Learned], text: str, example: str, *parameters: Parameter
) -> CommandLine:
    """Builds the command `answerer train TASK`, which calls `learn`, prints its figures and writes
    its model to -o.

    The parameters have the names of `learn`'s arguments; `text` is the help, `example` its example
    call.
    """

    def train(output: str, **given: Any) -> None:
        """Learns, prints how it was measured and a table with a row for each way of ranking and its
        figures, floats with 4 decimals, and writes the model to `output`."""
        from retriever.learning.model import save_model

        with phase("learning"):
            learned = learn(**given)
        if learned.how:
            print(learned.how)
        rows = learned.rows or [{RANKING: learned.ways, **learned.model.figures}]
        names = [name for name in rows[0] if name != RANKING]
        lines = [["", *names]]
        for row in rows:
            cells = [
                f"{row[name]:.4f}" if isinstance(row[name], float) else str(row[name])
                for name in names
            ]
            lines.append([str(row[RANKING]), *cells])
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        for way, *cells in lines:
            print("  ".join([way.ljust(widths[0]), *map(str.rjust, cells, widths[1:])]))
        save_model(learned.model, output)

    model = option(
        "-o",
        "output",
        metavar="MODEL",
        required=True,
        type=output_path,
        help="Where the model goes.",
    )
    example = f"answerer train {example}"
    return CommandLine(
        run=train, help=text, example=example, parameters=(*parameters, model), call=learn
    )


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


def train(
    task: str,
    *files: FileName,
    output: FileName,
    index: AnyIndex | Sequence[AnyIndex] | None = None,
    **options: Any,
) -> Trained:
    """Trains a task's ranker on files with answers and writes it to `output`, whole or not at all.

    `files` are the arguments of `answerer train TASK`, in its order. `index` is an open index or an
    address, by default the task's own; ntcir-mc takes one for each folder. `options` are the
    command's, by their long names: `folds=3`, `seed=1`. Raises UserError for anything that the
    command refuses.
    """
    known = trainings()
    if validate_text(task, "task") not in known:
        raise UserError(f"{task}: nothing to train; expected one of {', '.join(known)}")
    command = load(known[task][0])
    assert command.call is not None  # noqa: S101 (made by train_command)
    accepted = inspect.signature(command.call).parameters
    named = [*(["index"] if {INDEX, EACH_INDEX} & accepted.keys() else []), "output"]
    indexes = () if index is None else index if isinstance(index, list | tuple) else (index,)
    with (
        register_claims(),
        ExitStack() as stack,
    ):  # paths are claimed, so that the output cannot be an input too
        place = next(one for one in command.parameters if one.name == "output")
        path = str(checked_value(place, validate_path(output, "output")))
        if path == STDOUT:
            raise UserError("output is the standard output: name a file")
        inputs = inputs_of(
            task, command.parameters, [validate_path(file, f"{task}: file") for file in files]
        )
        values = settings(task, options_of(command.parameters, accepted), options, also=named)
        asked = [Asked(opened=stack.enter_context(using_index(one))) for one in indexes]
        # Exams of several books each have the index of their book.
        if EACH_INDEX in accepted:
            values[EACH_INDEX] = asked
        elif len(asked) > (INDEX in accepted):
            most = "one index" if INDEX in accepted else "no index"
            raise UserError(f"{task} learns with {most}: {len(asked)} were given")
        elif INDEX in accepted:
            values[INDEX] = asked[0] if asked else Asked()
        learned = command.call(*inputs, **values)
        # Only after learning has succeeded: an earlier model stays otherwise.
        from retriever.learning.model import save_model

        save_model(learned.model, path)
    figures = learned.model.figures
    return Trained(task, path, figures, learned.rows or [figures])
