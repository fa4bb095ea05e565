"""The models that come with the program: what answers where a user names none. docs/models.md says
what they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from indexer.files.errors import UserError
from indexer.files.hashes import fingerprint
from indexer.files.paths import claim

UNTRAINED = "none"
"""What `--model` takes for no model at all."""


MODELS = Path(__file__).parent  # has TASK.json, the model of each task that comes with one


def model_of(task: str, given: str | None, method: str | None = None) -> str | None:
    """Path of the model that answers a task: `given` by the user, else the packaged one; None if
    `given` is `none`, for an untrained `method`, or if the task has no packaged model.

    A packaged model is registered as an input of the running command. Raises UserError if both a
    method and a model are given.
    """
    if method and given not in (None, UNTRAINED):
        raise UserError("--model and --method exclude each other: a model is a method")
    if method or given is not None:
        return None if method or given == UNTRAINED else given
    path = MODELS / f"{task}.json"
    if not path.is_file():
        return None
    claim("the model that comes with the program", path, written=False)
    return str(path)


def model_parameters(path: str | Path | None, data: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What a trace says of the model that answered: its fingerprint, and what it was trained on."""
    return {"model": fingerprint(path), "training data": list(data)} if path else {"model": None}
