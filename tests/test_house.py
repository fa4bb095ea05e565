"""One home for what all use, and benchmarks that run from a checkout."""

from __future__ import annotations

import re

from tests.extended import ROOMS
from tests.places import ROOT

MODULES = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]


def lines_with(pattern: str) -> dict[str, list[str]]:
    """The lines of each module in which something stands."""
    found: dict[str, list[str]] = {}
    for path in MODULES:
        for line in path.read_text("utf-8").splitlines():
            if re.search(pattern, line):
                found.setdefault(str(path.relative_to(ROOT)), []).append(line)
    return found


def test_the_types_of_arrays_have_one_home() -> None:
    assert list(lines_with(r"NDArray\[")) == ["indexer/files/arrays.py"]


def test_what_a_value_can_do_is_known_by_its_type() -> None:
    assert lines_with(r"\bhasattr\(") == {}


def test_rounding_to_five_digits_stands_once() -> None:
    assert lines_with(r":\.5g|:\.4e").keys() == {"indexer/engines/scoring.py"}


def test_benchmarks_run_as_scripts_from_a_checkout() -> None:
    """Only their own folder is on the path of a script, and the installed rooms."""
    scripts = sorted((ROOT / "benchmarks").rglob("*.py"))
    assert [
        str(path)
        for path in scripts
        if re.search(r"^\s*(?:from|import) benchmarks\b", path.read_text("utf-8"), re.M)
    ] == []
