"""Refusal of commands that would write over what they read, or two outputs in one place."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from indexer.files.errors import UserError
from indexer.files.paths import STDOUT


class PathClaim(NamedTuple):
    """A path that a command reads or writes: the option's name for messages, and the path with
    links resolved, every name of the standard output as "-".

    `inside` is None for a file, for a folder the patterns of the files in it (a last part `**`
    means everything below).
    """

    label: str
    path: str
    written: bool
    inside: tuple[str, ...] | None = None


def refuse_shared(claims: Sequence[PathClaim]) -> None:
    """Raises UserError if a written path is also read, or written for another option, by itself or
    in a folder. What is written to /dev/null is in nobody's way."""
    outputs = [claim for claim in claims if claim.written and claim.path != os.devnull]
    for output in outputs:
        for other in claims:
            if other is output or not (_covers(output, other) or _covers(other, output)):
                continue
            shown = _display_path(other.path)
            if other.written:
                raise UserError(
                    f"{output.label} and {other.label} would both write to {shown}: give each a "
                    f"different place"
                )
            raise UserError(
                f"{output.label} would write to {shown}, which is read ({other.label}): choose "
                f"another place"
            )


def _covers(claim: PathClaim, other: PathClaim) -> bool:
    """Whether `claim` is of the path of `other`, by any name of the file, or of a folder in which
    that path matches a pattern of `claim.inside`."""
    if claim.path == other.path:
        return True
    if STDOUT in (claim.path, other.path):
        return False
    with suppress(OSError, ValueError):  # nothing is there yet
        if Path(claim.path).samefile(other.path):
            return True
    if claim.inside is None or not other.path.startswith(claim.path.rstrip("/") + "/"):
        return False
    return _matches(os.path.relpath(other.path, claim.path), claim.inside)


def _matches(path: str, inside: Sequence[str]) -> bool:
    """Whether a path in a folder matches one of the patterns of `PathClaim.inside`."""
    parts = path.split("/")
    for pattern in inside:
        patterns, compared = pattern.split("/"), parts
        if patterns[-1] == "**":  # whatever lies there
            patterns = patterns[:-1]
            compared = parts[: len(patterns)]
        if len(compared) == len(patterns) and all(map(fnmatchcase, compared, patterns)):
            return True
    return False


def _display_path(path: str) -> str:
    """A path as messages show it: relative to the working directory if it is below; "-" as the
    standard output."""
    if path == STDOUT:
        return "the standard output"
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative
