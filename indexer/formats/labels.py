"""Numbers as official files write them, and labels: any number above 0 says that a candidate is right."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path

from indexer.files.errors import bad_input
from indexer.files.messages import warn

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def is_number(text: str) -> bool:
    """Whether this is a finite number, as a label or a score is written."""
    return _NUMBER.fullmatch(text) is not None and math.isfinite(float(text))


def whole(text: str) -> int | None:
    """The whole number from 0 that digits of any script write, None for any other text and for over nine digits."""
    return int(text) if text.isdecimal() and len(text) <= 9 else None


def read_label(text: str, file: str | Path, line: int) -> tuple[bool, str]:
    """Whether the candidate is right, and a warning for a label other than 0 and 1 ("10" occurs); else "".

    UserError, with file and line, for a label that is no number.
    """
    if not is_number(text):
        raise bad_input(file, line, f"the label {text[:40]!r} is no number", "expected 0 or 1")
    value = float(text)
    warning = "" if value in (0, 1) else f"{file}:{line}: the label {text} counts as {int(value > 0)}"
    return value > 0, warning


def warn_of_labels(warnings: Sequence[str]) -> None:
    """The first few warnings of `read_label` that there are any of, and how many there are more."""
    told = [warning for warning in warnings if warning]
    for warning in told[:5]:
        warn(warning)
    if len(told) > 5:
        warn(f"{len(told) - 5} more labels like these")
