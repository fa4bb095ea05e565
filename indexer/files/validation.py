"""Validation of arguments given in Python (places, texts, numbers), before they fail deep inside."""

from __future__ import annotations

import operator
import os
import re
from collections.abc import Collection, Iterable
from typing import TypeVar

from indexer.files.errors import UserError

Item = TypeVar("Item")
_HALF = re.compile("[\ud800-\udfff]")


def path_given(value: object, named: str) -> str:
    """A path or address as text. UserError for anything else; `named` is what it is given as."""
    if not isinstance(value, str | os.PathLike):
        raise _other(named, "a path", value)
    return os.fspath(value)


def text_given(value: object, named: str) -> str:
    """A text. UserError for anything else, such as the NaN that pandas has for a missing one."""
    if not isinstance(value, str):
        raise _other(named, "a text", value)
    return value


def texts_given(values: object, named: str) -> list[str]:
    """Texts, one by one. UserError for anything else, one text too."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise _other(named, "texts, one by one", values)
    return [text_given(value, f"{named}[{place}]") for place, value in enumerate(values)]


def named_given(value: object, known: Collection[str], named: str) -> str:
    """Validates a name out of `known`. Raises UserError for any other name, and for a value that is not a string."""
    if text_given(value, named) not in known:
        raise UserError(f"{value}: no such {named}; expected one of {', '.join(known)}")
    return str(value)


def each_given(values: Iterable[Item], named: str) -> Iterable[Item]:
    """Yields the items of an argument. Raises UserError if it is not iterable."""
    if not isinstance(values, Iterable):
        raise _other(named, "them one by one", values)
    return values


def refuse_halves(texts: Iterable[str], named: str) -> None:
    """UserError where a text has half of a surrogate pair, which no file holds and no engine takes."""
    if any(map(_HALF.search, texts)):
        raise UserError(f"{named}: half of a surrogate pair, which is no text")


def whole_given(value: object, named: str) -> int:
    """A whole number, of whatever type. UserError for anything else."""
    try:
        return operator.index(value)  # type: ignore[arg-type]  # other types raise
    except TypeError:
        raise _other(named, "a whole number", value) from None


def _other(named: str, expected: str, value: object) -> UserError:
    return UserError(f"{named}: expected {expected}, not {type(value).__name__}")
