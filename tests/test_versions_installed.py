"""The versions in constraints.txt are ones that the oldest Python we promise may install."""

from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

from packaging.specifiers import SpecifierSet

OLDEST_PYTHON = "3.11.0"  # pyproject.toml's requires-python
CONSTRAINTS = Path(__file__).parent.parent / "constraints.txt"


def _pinned() -> dict[str, str]:
    """The version of each package by its name, as constraints.txt pins it."""
    lines = [
        line
        for line in CONSTRAINTS.read_text(encoding="utf-8").splitlines()
        if "==" in line and not line.startswith("#")
    ]
    return dict(line.split("==") for line in lines)


def test_the_oldest_python_may_install_each_pinned_version() -> None:
    refusals = []
    for name, version in _pinned().items():
        try:
            declared = metadata(name)
        except PackageNotFoundError:
            continue  # pinned for another system
        asked = (
            declared.get_all("Requires-Python") or []
        )  # by [] it fails where importlib_metadata stands in
        refused = [one for one in asked if OLDEST_PYTHON not in SpecifierSet(one)]
        if declared["Version"] == version and refused:
            refusals.append(f"{name} {version} asks for Python {refused}")
    assert refusals == []
