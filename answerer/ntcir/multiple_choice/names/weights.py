"""The weights file of the default method: read and checked before anything is answered."""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import NamedTuple

import numpy as np

from answerer.ntcir.multiple_choice.names import rivals, signals
from indexer.files.arrays import Float64Array
from retriever.learning.model import Model, load_model, unfit

TASK = "ntcir-mc-names"
NAMES = (*signals.NAMES, *rivals.NAMES)  # the signals in the order of their columns
WEIGHTS = Path(__file__).with_name("weights-ntcir-mc-names.json")  # those that come with the program


class TruthLine(NamedTuple):
    """The log odds that a statement is true: slope × its score + middle."""

    slope: float
    middle: float


def load_weights(path: str | Path = WEIGHTS) -> Model:
    """The weights in a file, by default those that come with the program. UserError for a file of another kind."""
    return _check_model(load_model(path, TASK, NAMES), path)


def truth_of(model: Model) -> TruthLine:
    """The line of truth that was learned with the weights. Raises ValueError if the model does not have one."""
    line = model.learned.get("truth")
    if not isinstance(line, list) or len(line) != len(TruthLine._fields) or not all(map(_is_number, line)):
        raise ValueError("learned.truth is no slope and middle")
    return TruthLine(*map(float, line))


def alone_of(model: Model) -> Float64Array:
    """The weights of the signals without contrast, by which names are compared. Raises ValueError without them."""
    found = model.learned.get("alone")
    if not isinstance(found, list) or len(found) != len(signals.NAMES) or not all(map(_is_number, found)):
        raise ValueError("learned.alone has not a weight for each signal")
    return np.array(found, float)


def _check_model(model: Model, path: str | Path) -> Model:
    """The model, where it holds all that answering asks for."""
    languages = model.settings.get("languages", [])
    try:
        truth_of(model)
        alone_of(model)
        if not isinstance(languages, list) or not all(isinstance(each, str) for each in languages):
            raise ValueError("settings.languages is no list of languages")
    except ValueError as error:
        raise unfit(path, f"damaged model ({error})", TASK) from None
    return model


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
