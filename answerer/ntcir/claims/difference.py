"""A part of a claim that a sentence contradicts."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Difference(NamedTuple):
    """A part of a claim that a sentence contradicts, with a reason in words."""

    part: Literal["roles", "negation", "opposite", "rival", "number", "quantifier"]
    reason: str
