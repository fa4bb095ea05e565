"""Validation of arguments of Python calls (paths, texts, numbers), before they fail deep
inside."""

from __future__ import annotations

import math
import operator
import os
import re
import unicodedata
from collections.abc import Collection, Iterable

from indexer.files.errors import UserError

FileName = str | os.PathLike[str]
# JSON can write one (\ud83d alone), UTF-8 cannot encode it.
_HALF = re.compile("[\ud800-\udfff]")


def validate_path(value: object, label: str) -> str:
    """Returns a path or address, a text or path object, as text; it may be "" and need not exist.
    Raises UserError for other types; `label` is the argument's name."""
    if not isinstance(value, str | os.PathLike):
        raise _wrong_type(label, "a path", value)
    return os.fspath(value)


def validate_paths(value: object, label: str) -> list[str]:
    """Validates a path or several and returns them as texts; [] for None. Raises UserError for
    anything else; `label` is the argument."""
    if value is None:
        return []
    if isinstance(value, str | os.PathLike) or not isinstance(value, Iterable):
        return [validate_path(value, label)]
    return [validate_path(item, f"{label}[{number}]") for number, item in enumerate(value)]


def validate_text(value: object, label: str) -> str:
    """Returns a text unchanged, also "". Raises UserError for anything else, such as the NaN that
    pandas has for a missing one."""
    if not isinstance(value, str):
        raise _wrong_type(label, "a text", value)
    return value


def validate_plain_text(value: object, label: str) -> str:
    """Returns a text that is not blank and has no control characters but white space, nor half of a
    surrogate pair. Raises UserError for anything else; `label` is the argument's name."""
    if not isinstance(value, str):
        raise _wrong_type(label, "a text", value)
    if not value.strip():
        raise UserError(f"{label} is empty: give a text, or leave it out")
    if any(
        unicodedata.category(character) in ("Cc", "Cs") and not character.isspace()
        for character in value
    ):
        raise UserError(f"{label} {value!r}: has characters that are not text")
    return value


def validate_texts(values: object, label: str) -> list[str]:
    """Validates an iterable of texts. Raises UserError for anything else, also for a single
    text."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise _wrong_type(label, "texts, one by one", values)
    return [validate_text(value, f"{label}[{number}]") for number, value in enumerate(values)]


def validate_choice(value: object, names: Collection[str], label: str) -> str:
    """Validates a name out of `names`. Raises UserError for any other name, and for a value that is
    not a string."""
    if not isinstance(value, str):
        raise _wrong_type(label, "a text", value)
    if value not in names:
        raise UserError(f"{value}: no such {label}; expected one of {', '.join(names)}")
    return value


def validate_count(value: object, label: str, least: int = 1) -> int:
    """Validates a whole number from `least`, of any integer type (True is 1). Raises UserError for
    anything else."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]  # numpy's integers are taken too
    except TypeError:
        raise UserError(f"{label}: {value!r} is not a whole number") from None
    if number < least:
        raise UserError(f"{label} is {number}: expected {least} or more")
    return number


def refuse_halves(texts: Iterable[str], label: str) -> None:
    """Raises UserError where a text has half of a surrogate pair, which no file holds and no engine
    takes; `label` names the texts."""
    if any(map(_HALF.search, texts)):
        raise UserError(f"{label}: half of a surrogate pair, which is not text")


def _wrong_type(label: str, expected: str, value: object) -> UserError:
    """The error, not raised, for an argument of another type than expected."""
    return UserError(f"{label}: expected {expected}, not {type(value).__name__}")


def whole(text: str) -> int | None:
    """The whole number from 0 that digits of any script write, None for any other text and for over
    nine digits."""
    # Nine digits: longer numbers are ids or noise, and Python's int() takes thousands of digits
    # slowly.
    return int(text) if text.isdecimal() and len(text) <= 9 else None


# float() alone would also take nan, inf, 1_000 and blanks around a number.
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def is_number(text: str) -> bool:
    """Returns whether a text is a finite number, in the notation of labels and scores: ASCII
    digits, perhaps with a sign, point or exponent, without blanks."""
    return _NUMBER.fullmatch(text) is not None and math.isfinite(float(text))
