"""JSON objects of a file, one a line, one after another, or in one list, each with the line on which it begins."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from indexer.files.errors import bad_input

_BLANK = " \t\r\n\ufeff"


def in_a_list(text: str) -> bool:
    """Whether the objects stand in one JSON list."""
    return text.lstrip(_BLANK).startswith("[")


def json_objects(text: str, path: str | Path, expected: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file's text, each with its line (from 1); none for a text of blanks.

    UserError with file and line, ending in `expected`: no JSON, NaN or Infinity, something that is no object,
    a list that does not end.
    """
    decoder = json.JSONDecoder(parse_constant=_refuse)
    is_list = in_a_list(text)
    place = len(text) - len(text.lstrip(_BLANK)) + is_list
    line, counted = 1, 0
    while True:
        while place < len(text) and (text[place] in _BLANK or (is_list and text[place] in ",")):
            place += 1
        line += text.count("\n", counted, place)
        counted = place
        if place == len(text) or (is_list and text[place] == "]"):
            if is_list and text[place:].strip(_BLANK) != "]":
                raise bad_input(path, line, "the JSON list does not end there", expected)
            return
        try:
            found, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            raise bad_input(path, line, f"no JSON ({error})", expected) from error
        if not isinstance(found, dict):
            raise bad_input(path, line, f"a JSON {type(found).__name__} is no object", expected)
        yield line, found


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no number")
