"""Modules are imported; a string names one only in a registry, and never one of a package to the
right, which import-linter could not see."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.extended import ROOMS
from tests.places import ROOT

REGISTRIES = {
    "answerer/ntcir/multiple_choice/methods.py",
    "answerer/registry.py",
    "evaluation/registry.py",
    "indexer/registry.py",
    "retriever/collection.py",  # languages → rankings
}
"""Tables of names and modules, beside the languages and the lazy names of each package."""

ALL_PROGRAMS = "indexer/cli/groups.py"
"""`classical-qa`, the one command that names the four packages."""

MODULE = re.compile(rf"(?:{'|'.join(ROOMS)})(?:\.\w+)+(?::\w+)?")


def named_modules() -> Iterator[tuple[str, str]]:
    """Each file of the packages with each string in it that names a module, by its path from the
    root."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            file = str(path.relative_to(ROOT))
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                value = node.value if isinstance(node, ast.Constant) else None
                if isinstance(value, str) and MODULE.fullmatch(value):
                    yield file, value


def is_of_own_package(file: str, name: str) -> bool:
    """Whether a string names the package of its file, as readers of data do, or a module in it."""
    package = ".".join(Path(file).parent.parts)
    return package in (name, name.rpartition(".")[0])


def is_registry(file: str) -> bool:
    return (
        file in REGISTRIES
        or file == ALL_PROGRAMS
        or file.startswith("indexer/languages/")
        or file in {f"{room}/__init__.py" for room in ROOMS}
    )


def test_modules_are_named_in_registries_alone() -> None:
    others = [
        (file, name)
        for file, name in named_modules()
        if not is_registry(file) and not is_of_own_package(file, name)
    ]
    assert others == []


def test_no_string_points_to_the_right() -> None:
    pointing = [
        (file, name)
        for file, name in named_modules()
        if ROOMS.index(name.split(".")[0]) > ROOMS.index(file.split("/")[0])
    ]
    assert {file for file, _ in pointing} == {ALL_PROGRAMS}
