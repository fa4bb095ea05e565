"""The models that come with the program: what answers where a user names none. docs/models.md says
what they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from indexer.files.errors import UserError
from indexer.files.hashes import fingerprint
from indexer.files.paths import require_input
from indexer.files.validation import FileName, validate_path

UNTRAINED = "none"
"""What `--model` takes for no model at all."""


MODELS = Path(__file__).parent  # has TASK.json, the model of each task that comes with one


def model_path(model: FileName) -> str:
    """The path of a user's model as text. Raises UserError for anything but a readable file."""
    path = validate_path(model, "model")
    require_input(path, "model")
    return path


def model_of(task: str, model: FileName | None, method: str | None = None) -> str | None:
    """Path of the model that answers a task: `model`, the user's (not opened here), else the
    packaged one; None if a `method` is given, if `model` is `none`, or if the task has no packaged
    model.

    Raises UserError if both a method and a model other than `none` are given, and for a model that
    is no readable file.
    """
    if method and model not in (None, UNTRAINED):
        raise UserError("--model and --method exclude each other: a model is a method")
    if method or model == UNTRAINED:
        return None
    if model is not None:
        return model_path(model)
    path = MODELS / f"{task}.json"
    return str(path) if path.is_file() else None


def model_parameters(path: str | Path | None, data: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What a trace says of the model that answered: the file's fingerprint as "model", and `data`,
    what it was trained on, as "training data"; {"model": None} without a path."""
    return {"model": fingerprint(path), "training data": list(data)} if path else {"model": None}
