"""The regular expressions of the rooms, and for each the texts that would take it longest."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

LENGTHS = (40, 200)
"""Pieces in a row: what doubles with each ends at the first, what takes the fourth power at the
second."""

TAILS = ("\x01", "a", "1", " ", "国")
_OF_CATEGORIES = {
    "DIGIT": "1",
    "SPACE": " ",
    "WORD": "a",
    "NOT_DIGIT": "a",
    "NOT_SPACE": "a",
    "NOT_WORD": "-",
}


def expressions(room: str) -> dict[str, re.Pattern[str]]:
    """The expressions for texts that the modules of a room hold or write out, by what they are."""
    found: dict[str, re.Pattern[str]] = {}
    package = importlib.import_module(room)
    for module in pkgutil.walk_packages(package.__path__, f"{room}."):
        if module.name.endswith("__main__"):
            continue
        file = importlib.import_module(module.name).__file__
        written = _written_out(Path(str(file)).read_text("utf-8"))
        for each in (*_held(vars(sys.modules[module.name]).values()), *map(re.compile, written)):
            if isinstance(each.pattern, str):
                found.setdefault(each.pattern, each)
    return found


def _held(values: Iterable[object]) -> Iterator[re.Pattern[Any]]:
    for value in values:
        if isinstance(value, re.Pattern):
            yield value
        elif isinstance(value, Mapping):
            yield from _held(list(value.values()))
        elif type(value) in (list, tuple):
            yield from _held(value)  # type: ignore[call-overload]


def _written_out(source: str) -> Iterator[str]:
    """The expressions that stand in calls of `re` themselves."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            of, first = node.func.value, node.args[0]
            named = (
                isinstance(of, ast.Name)
                and of.id == "re"
                and node.func.attr not in ("escape", "compile")
            )
            if named and isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield first.value


def hostile_texts(expression: re.Pattern[str], length: int) -> set[str]:
    """What stands before each repetition of an expression, a piece of it so many times, and
    something else."""
    tree = parser.parse(expression.pattern, expression.flags)
    made = set()
    for choice in range(3):
        for before, piece in _repetitions(tree, _Sample(choice), ""):
            made |= {
                f"{start}{piece * (length // len(piece) + 1)}{tail}"
                for start in (before, "")
                for tail in TAILS
            }
    return made


def _repetitions(tree: Any, sample: _Sample, before: str) -> Iterator[tuple[str, str]]:
    """A text before each repetition without a small bound, and a piece that it repeats."""
    for code, value in tree:
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            _, most, inside = value
            piece = sample.of(inside)
            if most > 20 and piece:
                yield before, piece
            yield from _repetitions(inside, sample, before)
        for inside in _inner(code, value):
            yield from _repetitions(inside, sample, before)
        before += sample.one(code, value)


def _inner(code: Any, value: Any) -> list[Any]:
    """The expressions inside of one that is no repetition."""
    if code == codes.SUBPATTERN:
        return [value[3]]
    if code == codes.BRANCH:
        return list(value[1])
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [value[1]]
    return [value] if code == codes.ATOMIC_GROUP else []


class _Sample:
    """Short texts that expressions match; of alternatives the one of the number `choice`."""

    def __init__(self, choice: int) -> None:
        self._choice = choice

    def of(self, tree: Any) -> str:
        return "".join(self.one(code, value) for code, value in tree)

    def one(self, code: Any, value: Any) -> str:
        if code == codes.LITERAL:
            return chr(value)
        if code == codes.IN:
            found = _characters(value)
            return found[self._choice % len(found)]
        if code in (codes.ANY, codes.NOT_LITERAL):
            return "b" if value == ord("a") else "a"
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            least, most, inside = value
            return self.of(inside) * max(least, min(1, most))
        if code == codes.BRANCH:
            return self.of(value[1][self._choice % len(value[1])])
        inner = _inner(code, value) if code in (codes.SUBPATTERN, codes.ATOMIC_GROUP) else []
        return "".join(map(self.of, inner))


def _characters(items: Any) -> list[str]:
    """Characters of a class, or outside of it where it is negated; at least one."""
    negated, named = False, []
    for code, value in items:
        negated = negated or code == codes.NEGATE
        if code == codes.LITERAL:
            named.append(chr(value))
        elif code == codes.RANGE:
            named.append(chr(value[0]))
        elif code == codes.CATEGORY:
            named.append(_OF_CATEGORIES[str(value).removeprefix("CATEGORY_")])
    return ([each for each in "a1 -国" if each not in named] if negated else named) or ["z"]


def tried_one(expression: re.Pattern[str]) -> Iterator[str]:
    """An expression's texts of each length, named before they are tried."""
    for length in LENGTHS:
        yield f"{expression.pattern} on {length} pieces"
        for text in hostile_texts(expression, length):
            expression.search(text)
            expression.fullmatch(text)
