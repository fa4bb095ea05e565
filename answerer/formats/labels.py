"""Labels of candidates: any number above 0 says that the candidate is right."""

from __future__ import annotations

import math
from pathlib import Path

from indexer.files.errors import bad_input


def is_number(text: str) -> bool:
    """Whether this is a finite number, as a label or a score is written."""
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def read_label(text: str, file: str | Path, line: int) -> tuple[bool, str]:
    """Whether the candidate is right, and a warning for a label other than 0 and 1 ("10" occurs); else "".

    UserError, with file and line, for a label that is no number.
    """
    if not is_number(text):
        raise bad_input(file, line, f"the label {text[:40]!r} is no number", "expected 0 or 1")
    value = float(text)
    warning = "" if value in (0, 1) else f"{file}:{line}: the label {text} counts as {int(value > 0)}"
    return value > 0, warning
