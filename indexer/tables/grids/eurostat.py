"""Eurostat's TSV: a line a time series, its keys joined by commas in the first column, flags behind its figures."""

from __future__ import annotations

import re
from collections.abc import Sequence

_KEY = r"[^\t\r\n,\\]+"
_HEADER = re.compile(rf"(?:{_KEY}(?:,{_KEY})+\\{_KEY}|{_KEY}\\time(?:_period)?)\t", re.IGNORECASE)
_FLAGGED = re.compile(r"([-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?) [a-z]{1,4}")


def is_eurostat(text: str) -> bool:
    r"""Whether a text begins as such a file does: `freq,unit,geo\TIME_PERIOD`, a tab; of one key only `geo\time`."""
    return _HEADER.match(text) is not None


def parted(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The rows with a column for every key, and figures without the flags (`12.3 p`) that tell how they were made.

    What is not available stays as it is written (`:`, `: c`); a row with more or fewer keys than the heading has keeps
    them in one cell.
    """
    keys = rows[0][0].partition("\\")[0].split(",") if rows else []
    found = [[*map(str.strip, keys), *map(str.strip, rows[0][1:])]] if rows else []
    for row in rows[1:]:
        own = [key.strip() for key in row[0].split(",")] if row else [""]
        own = own if len(own) == len(keys) else [row[0] if row else "", *[""] * (len(keys) - 1)]
        found.append([*own, *(_FLAGGED.sub(r"\1", cell.strip()) for cell in row[1:])])
    return found
