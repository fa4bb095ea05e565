"""Fingerprints of files: which file it was, by its name, its size and a hash of its bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from indexer.files.errors import UserError


def fingerprint(path: str | Path) -> dict[str, Any]:
    """Record of a file that a model was trained on, or of a model: `file` (its name without
    folders), `bytes`, `sha256`. Raises OSError if it cannot be read."""
    with Path(path).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"file": Path(path).name, "bytes": Path(path).stat().st_size, "sha256": digest}


def fingerprints(paths: Sequence[str | Path]) -> list[dict[str, Any]]:
    """Fingerprints of several files, in order. Raises UserError for two files with the same bytes,
    whose questions would count twice."""
    records = [fingerprint(path) for path in paths]
    first: dict[str, str | Path] = {}
    for path, record in zip(paths, records, strict=True):
        if record["sha256"] in first:
            raise UserError(
                f"{path}: the same bytes as {first[record['sha256']]}: give each file once"
            )
        first[record["sha256"]] = path
    return records
