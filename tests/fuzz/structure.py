"""Inputs made worse by their structure: a value of JSON (or of a line of it), or an element or
attribute of XML."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from typing import Any

ODD_VALUES: Sequence[Any] = (
    *(
        None,
        True,
        0,
        -1,
        0.5,
        10**29,
        10**400,
        "",
        "\n",
        "\x1b[2J",
        "NaN",
        "inf",
        "\u202e",
        "\ufeff1",
        " a ",
    ),
    *(
        [],
        {},
        [None],
        [[]],
        ["a"],
        {"": None},
        {"a": {"a": []}},
        [0] * 500,
        "a" * 5_000,
        float("nan"),
        float("inf"),
    ),
)
_ATTRIBUTE = re.compile(rb"""\s[\w:-]+\s*=\s*("[^"]*"|'[^']*')""")
_ELEMENT = re.compile(rb"<([\w:-]+)[^<>]*>([^<]*)</\1>")


def in_json(data: bytes, draw: random.Random, others: Sequence[bytes]) -> bytes:
    """One value, or a line's whole, replaced, left out, or put where another stood; what is no JSON
    as it is."""
    lines = data.splitlines(keepends=True) or [b""]
    place = draw.randrange(len(lines))
    for start, end in ((0, len(lines)), (place, place + 1)):
        try:
            value = json.loads(b"".join(lines[start:end]))
        except (ValueError, RecursionError):
            continue
        changed = json.dumps(_changed(value, draw), ensure_ascii=draw.random() < 0.5).encode(
            "utf-8", "replace"
        )
        return b"".join([*lines[:start], changed, b"\n", *lines[end:]])
    return data


def _changed(value: Any, draw: random.Random) -> Any:
    """The value with one inside of it changed; itself replaced where it holds none, or one time in
    six."""
    pairs = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    inside = list[Any](pairs)
    if not inside or draw.random() < 0.16:
        return draw.choice(ODD_VALUES)
    key, one = draw.choice(inside)
    if draw.random() < 0.1:
        del value[key]
    elif draw.random() < 0.1:
        value[key] = draw.choice(inside)[1]
    else:
        value[key] = _changed(one, draw)
    return value


def in_xml(data: bytes, draw: random.Random, others: Sequence[bytes]) -> bytes:
    """An attribute left out, doubled or with another's value, or an element left out, doubled or
    emptied."""
    found = list((_ATTRIBUTE if draw.random() < 0.6 else _ELEMENT).finditer(data[: 2**17]))
    if not found:
        return data
    one, other = draw.choice(found), draw.choice(found)
    inside = one.span(one.re.groups)
    match draw.randrange(5):
        case 0:
            return data[: one.start()] + data[one.end() :]
        case 1:
            return data[: other.end()] + one[0] + data[other.end() :]
        case 2:
            return data[: inside[0]] + other[one.re.groups] + data[inside[1] :]
        case 3:
            return data[: one.start()] + other[0] + data[one.end() :]
        case _:
            odd = draw.choice(
                (b'""', b'"-1"', b'"9999999999"', b'"&#10;"', b'"a&#x202e;"', b"'1.5'")
            )
            return (
                data[: inside[0]] + (odd if one.re is _ATTRIBUTE else odd[1:-1]) + data[inside[1] :]
            )
