"""Validation of arguments given in Python (places, texts, numbers), before they fail deep
inside."""

from __future__ import annotations

import operator
import os
import re
import unicodedata
from collections.abc import Collection, Iterable

from indexer.files.errors import UserError

FileName = str | os.PathLike[str]
# JSON can write one (\ud83d alone), UTF-8 cannot encode it.
_HALF = re.compile("[\ud800-\udfff]")


def validate_path(value: object, named: str) -> str:
    """Validates a path or address and returns it as text. Raises UserError for others; `named` is
    the argument."""
    if not isinstance(value, str | os.PathLike):
        raise _wrong_type(named, "a path", value)
    return os.fspath(value)


def validate_paths(value: object, named: str) -> list[str]:
    """Validates a path or several and returns them as texts; [] for None. Raises UserError for
    anything else; `named` is the argument."""
    if value is None:
        return []
    if isinstance(value, str | os.PathLike) or not isinstance(value, Iterable):
        return [validate_path(value, named)]
    return [validate_path(item, f"{named}[{number}]") for number, item in enumerate(value)]


def validate_text(value: object, named: str) -> str:
    """Validates a text. Raises UserError for anything else, such as the NaN that pandas has for a
    missing one."""
    if not isinstance(value, str):
        raise _wrong_type(named, "a text", value)
    return value


def validate_plain_text(value: object, named: str) -> str:
    """Returns a text that is not empty and has no control characters. Raises UserError for anything
    else; `named` is the argument's name."""
    if not isinstance(value, str):
        raise _wrong_type(named, "a text", value)
    if not value.strip():
        raise UserError(f"{named} is empty: give a text, or leave it out")
    if any(
        unicodedata.category(character) in ("Cc", "Cs") and not character.isspace()
        for character in value
    ):
        raise UserError(f"{named} {value!r}: has characters that are not text")
    return value


def validate_texts(values: object, named: str) -> list[str]:
    """Validates an iterable of texts. Raises UserError for anything else, also for a single
    text."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise _wrong_type(named, "texts, one by one", values)
    return [validate_text(value, f"{named}[{number}]") for number, value in enumerate(values)]


def validate_choice(value: object, known: Collection[str], named: str) -> str:
    """Validates a name out of `known`. Raises UserError for any other name, and for a value that is
    not a string."""
    if validate_text(value, named) not in known:
        raise UserError(f"{value}: no such {named}; expected one of {', '.join(known)}")
    return str(value)


def validate_count(value: object, named: str, least: int = 1) -> int:
    """Validates a whole number from `least`, of any integer type (True is 1). Raises UserError for
    anything else."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]  # numpy's integers are taken too
    except TypeError:
        raise UserError(f"{named}: {value!r} is not a whole number") from None
    if number < least:
        raise UserError(f"{named} is {number}: expected {least} or more")
    return number


def refuse_halves(texts: Iterable[str], place: str) -> None:
    """Raises UserError where a text has half of a surrogate pair, which no file holds and no engine
    takes."""
    if any(map(_HALF.search, texts)):
        raise UserError(f"{place}: half of a surrogate pair, which is not text")


def _wrong_type(name: str, expected: str, value: object) -> UserError:
    return UserError(f"{name}: expected {expected}, not {type(value).__name__}")


def whole(text: str) -> int | None:
    """The whole number from 0 that digits of any script write, None for any other text and for over
    nine digits."""
    # Nine digits: longer numbers are ids or noise, and Python's int() takes thousands of digits
    # slowly.
    return int(text) if text.isdecimal() and len(text) <= 9 else None
