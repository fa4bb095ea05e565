"""JSON of any origin; the objects of a file, one a line, one after another or in a list, each with
its first line."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from indexer.files.encoding import QUESTION_LIMIT, read_text
from indexer.files.errors import bad_input
from indexer.files.plain_faults import json_fault, json_kind

LARGEST_NUMBER = 1e30  # in files of strangers: sums and products of larger ones overflow

_TOO_DEEP = "nested too deeply"  # for Python's parser, some thousand levels
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
# With the byte order mark, which files that were joined have in their middle.
_BLANK = " \t\r\n\ufeff"
_OBJECTS = re.compile(r"[\s\ufeff]*+(?:\{(?!\{)|\[\s*+[{\]])")


def parse_json(text: str, **options: Any) -> Any:
    """Parses JSON like `json.loads` (with its options); every error in the text is a ValueError.

    Also an error: values nested too deeply, half of a surrogate pair, which no file can hold, and
    an object with a key twice; with the options `TO_COMPUTE`, NaN, infinities and numbers beyond
    1e30, whose sums could be infinite.
    """
    try:
        value = json.loads(text, object_pairs_hook=_each_key_once, **options)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    except ValueError as error:
        raise ValueError(json_fault(error)) from error
    if _HALF.search(text):
        _refuse_halves(value)
    return value


def read_json(path: str | Path, what: str, expected: str, **options: Any) -> dict[str, Any]:
    """The JSON object of a file, read by `parse_json` with its options.

    Raises UserError, made of `what` (no ranking model), the reason and `expected`, for anything
    else.
    """
    text = read_text(path, QUESTION_LIMIT)
    try:
        value = parse_json(text, **options)
    except ValueError as error:
        raise bad_input(path, None, f"{what} ({error})", expected) from error
    if not isinstance(value, dict):
        raise bad_input(path, None, f"{what} (a JSON {json_kind(value)})", expected)
    return value


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Makes a dict of an object's (key, value) pairs. Raises ValueError if a key occurs twice."""
    members = dict(pairs)
    if len(members) < len(pairs):  # of two questions or answers one would be lost silently
        repeated = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise ValueError(f"the key {repeated[:60]!r} occurs twice in one object")
    return members


def _refuse_halves(value: Any) -> None:
    """Raises ValueError if a value contains half of a surrogate pair."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("half of a surrogate pair") from None


def _finite(written: str, kind: type[float] = float) -> float:
    """A number as `kind`. Raises ValueError for one beyond ±1e30, for NaN and for infinities."""
    if not abs(float(written)) <= LARGEST_NUMBER:  # nan compares false
        raise ValueError(f"{written[:20]} instead of a finite number below 1e30")
    return kind(written)


TO_COMPUTE: Mapping[str, Any] = {
    "parse_constant": _finite,
    "parse_float": _finite,
    "parse_int": partial(_finite, kind=int),
}
"""Options of `parse_json` for numbers that are computed with."""


def begins_as_json(text: str) -> bool:
    """Whether a text begins, behind white space, as a JSON object or a list of objects does: `{`
    but not `{{`, `[{`, or `[]`. Many a text begins with words in brackets, a wiki's page with
    `{{`."""
    return _OBJECTS.match(text) is not None


def in_a_list(text: str) -> bool:
    """Returns whether a text's objects are in one JSON list: it begins with `[` after white
    space."""
    return text.lstrip(_BLANK).startswith("[")


def json_objects(
    text: str, path: str | Path, expected: str
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yields (line number from 1, object) for the JSON objects of a file's text: one a line,
    concatenated, or in one list, where commas count as blanks.

    Nothing for a blank text. Raises UserError with file and line, ending in `expected`: not JSON, a
    key twice in an object, NaN or Infinity, half a surrogate pair, a value that is not an object, a
    list that does not end, or anything behind it."""
    decoder = json.JSONDecoder(object_pairs_hook=_each_key_once, parse_constant=_finite)
    is_list = in_a_list(text)
    position = len(text) - len(text.lstrip(_BLANK)) + is_list
    line, counted = 1, 0
    while True:
        while position < len(text) and (
            text[position] in _BLANK or (is_list and text[position] in ",")
        ):
            position += 1
        line += text.count("\n", counted, position)
        counted = position
        if position == len(text) or (is_list and text[position] == "]"):
            if is_list and text[position:].strip(_BLANK) != "]":
                raise bad_input(path, line, "the JSON list does not end there", expected)
            return
        try:
            value, end = decoder.raw_decode(text, position)
            if _HALF.search(text, position, end):
                _refuse_halves(value)
            position = end
        except (ValueError, RecursionError) as error:
            reason = _TOO_DEEP if isinstance(error, RecursionError) else json_fault(error)
            if isinstance(error, json.JSONDecodeError):
                line = error.lineno
            raise bad_input(path, line, f"no JSON ({reason})", expected) from error
        if not isinstance(value, dict):
            raise bad_input(path, line, f"a JSON {json_kind(value)} is no object", expected)
        yield line, value
