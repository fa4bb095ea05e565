"""The one model file of every ranker: readable JSON with its features, data and figures inside."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from indexer.files.errors import UserError, bad_input
from indexer.files.hashes import fingerprint
from indexer.files.json_objects import LARGEST_NUMBER, TO_COMPUTE, parse_json, read_json
from indexer.files.messages import warn

if TYPE_CHECKING:
    from indexer.files.arrays import Float64Array


FORMAT = "classical-qa ranking model"
VERSION = 1  # of the format; raised when an older reader would misread the file
_warn_once = cache(warn)  # a model may be read several times by one command


@dataclass(frozen=True)
class Model:
    """A trained linear ranker: score = Σ weight · (feature − mean) / scale.

    It fits only the `task` and `feature_names` that it was trained on. `data` holds a fingerprint
    of each training file, `figures` the results of cross-validation, `settings` those of training
    (penalty, folds, seed), `learned` a task's other learned data (templates, lexicons).
    """

    task: str
    ranker: str
    feature_names: tuple[str, ...]
    weights: Float64Array
    means: Float64Array
    scales: Float64Array
    data: Sequence[Mapping[str, Any]] = ()
    figures: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    learned: Mapping[str, Any] = field(default_factory=dict)

    @property
    def factors(self) -> Float64Array:
        """What one unit of each raw feature adds to a score, (features,): weight / scale."""
        return self.weights / self.scales

    @property
    def factor_of(self) -> dict[str, float]:
        """Feature → what one unit of it adds to a score."""
        return dict(zip(self.feature_names, self.factors.tolist(), strict=True))

    def score(self, columns: Iterable[Float64Array]) -> Float64Array:
        """One score a row, (rows,), from the raw values of every feature, (rows,) each, in the
        order of their names; higher is better. A matrix (rows, features) is given as its
        transpose."""
        factors = self.factors
        total = np.asarray(-float(self.means @ factors))
        for factor, values in zip(factors, columns, strict=True):
            total = total + factor * values
        return total

    def contributions(self, columns: Iterable[Float64Array]) -> dict[str, Float64Array]:
        """Feature → what all of its columns, `NAME` and `NAME | …`, add to the score of each row,
        (rows,); `columns` as for `score`.

        Less the mean: a feature at its training mean adds nothing, and the parts sum to the score.
        """
        added: dict[str, Float64Array] = {}
        factors = self.factors
        for number, values in enumerate(columns):
            feature = self.feature_names[number].partition(" | ")[0]
            part = factors[number] * (values - self.means[number])
            added[feature] = added[feature] + part if feature in added else part
        return added


def column_scales(features: Float64Array) -> tuple[Float64Array, Float64Array]:
    """The mean and the standard deviation of each column, both (features,), of features (rows,
    features).

    A constant column's deviation is given as 1, so that it weighs 0.
    """
    means = features.mean(axis=0)
    scales = features.std(axis=0)
    # Relative to the mean: rounding leaves a large constant a small deviation.
    constant = scales <= 1e-9 * np.maximum(1.0, np.abs(means))
    return means, np.where(constant, 1.0, scales)


def model_text(model: Model) -> str:
    """The model as JSON text with one feature a line; raises ValueError if a number is not
    finite."""
    numbers = zip(model.weights, model.means, model.scales, strict=True)
    rows = [
        json.dumps([name, *map(float, column)], ensure_ascii=False, allow_nan=False)
        for name, column in zip(model.feature_names, numbers, strict=True)
    ]
    head = {
        "format": FORMAT,
        "version": VERSION,
        "task": model.task,
        "ranker": model.ranker,
        "data": list(model.data),
        "settings": dict(model.settings),
        "figures": dict(model.figures),
        "learned": dict(model.learned),
    }
    text = json.dumps(head, ensure_ascii=False, indent=1, allow_nan=False)
    # `indent` would spread each feature over six lines: their rows are put in before the closing
    # brace.
    listed = ",\n  ".join(rows)
    return f'{text[:-2]},\n "features: name, weight, mean, scale": [\n  {listed}\n ]\n}}\n'


def save_model(model: Model, path: str | Path) -> None:
    """Writes the model as JSON to `path`, atomically: the file appears complete or not at all."""
    from indexer.files.atomic import write_text

    write_text(path, model_text(model))


def unfit(path: str | Path, what: str, task: str) -> UserError:
    """The error for the model file `path`: `what` is wrong with it, and the advice to train a model
    of `task` again."""
    return bad_input(path, None, what, f"train it again: answerer train {task}")


def damage_error(path: str | Path, error: Exception, task: str) -> UserError:
    """The error for a model of a task whose reading raised another: what is missing, or that it is
    not as training writes it."""
    what = f"without {error}" if isinstance(error, KeyError) else "a value of another kind"
    return unfit(path, f"damaged model ({error if type(error) is DamageError else what})", task)


class DamageError(ValueError):
    """Raised for a damaged model where a value says what is wrong."""


def load_model(path: str | Path, task: str, feature_names: Sequence[str]) -> Model:
    """Reads a model file as `read_model` does; raises UserError if its features (names and order)
    are others, too."""
    model = read_model(path, task)
    if tuple(feature_names) != model.feature_names:
        raise unfit(path, "the model's features are not those of this program", task)
    return model


def read_model(path: str | Path, *tasks: str) -> Model:
    """Reads a model file of one of the tasks, without checking its feature names; raises UserError
    if it cannot be read, is damaged, or of another task or version."""
    written = "expected a file written by `classical-qa answer train`"
    content = read_json(path, "no ranking model", written, **TO_COMPUTE)
    if content.get("format") != FORMAT:
        raise bad_input(path, None, "no ranking model", written)
    if content.get("version") != VERSION:
        raise bad_input(
            path,
            None,
            f"a model of version {content.get('version')}",
            f"expected version {VERSION}",
        )
    task = content.get("task")
    if task not in tasks:
        raise bad_input(path, None, f"a model for {task}", f"expected one for {' or '.join(tasks)}")
    try:
        model = decode_model(content)
        for file in model.data:
            int(file["bytes"]), str(file["sha256"])
    except (LookupError, TypeError, ValueError, OverflowError) as error:
        raise damage_error(path, error, task) from error
    return model


def warn_if_trained_on(path: str | Path, model: Model, files: Iterable[str | Path]) -> None:
    """Warns, once in a process, for each of the files to be answered on which the model of the file
    `path` was trained, by size and hash; passes over paths that are not files."""
    trained_on = {(int(file["bytes"]), str(file["sha256"])) for file in model.data}
    # Files are hashed only where one of the model's has their size.
    sizes = {size for size, _ in trained_on}
    for file in map(Path, files):
        if file.is_file() and file.stat().st_size in sizes:
            read = fingerprint(file)
            if (read["bytes"], read["sha256"]) in trained_on:
                _warn_once(
                    f"{file}: {path} was trained on this very file: this score says nothing about "
                    f"new data"
                )


def decode_model(content: Mapping[str, Any]) -> Model:
    """The model from the parsed JSON of a model file, whatever its format, version and task. Raises
    LookupError, TypeError or ValueError for a damaged one."""
    rows = content["features: name, weight, mean, scale"]
    names = tuple(str(row[0]) for row in rows)
    numbers = np.array([row[1:] for row in rows], float).reshape(len(rows), 3)
    parts = {part: content[part] for part in ("data", "figures", "settings", "learned")}
    if [*map(type, parts.values())] != [list, dict, dict, dict]:
        raise DamageError(f"{', '.join(parts)}: not a list and three objects")
    if not np.all(numbers[:, 2] > 1 / LARGEST_NUMBER):
        raise DamageError("a scale is not above 0")
    return Model(content["task"], str(content["ranker"]), names, *numbers.T.copy(), **parts)


WEIGHTS_FILE = "default_weights.json"


@cache
def packaged_weights(package: str, file: str = WEIGHTS_FILE) -> Mapping[str, float]:
    """Feature → weight (what one unit of it adds) of a package's own model file: what answers
    untrained, and the prior of training."""
    content = parse_json(resources.files(package).joinpath(file).read_text("utf-8"), **TO_COMPUTE)
    model = decode_model(content)
    return model.factor_of
