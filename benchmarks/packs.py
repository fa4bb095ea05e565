"""Where the collections are that benchmarks read."""

from __future__ import annotations

import os
from pathlib import Path

from indexer.files.errors import UserError


def pack(*parts: str) -> Path:
    """A file or folder of $QA_DATA. UserError where the variable is not set or the file is not
    there."""
    folder = os.environ.get("QA_DATA")
    if not folder:
        raise UserError(
            "QA_DATA is not set: it names the folder of the collections, see docs/figures/README.md"
        )
    path = Path(folder).joinpath(*parts)
    if not path.exists():
        raise UserError(
            f"{path} is not there: docs/figures/README.md says where to get each collection"
        )
    return path
