"""Hand weights out of a package's file."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from retriever.learning.model import FILE, hand_weights


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty package called `weighed`."""
    folder = tmp_path / "weighed"
    folder.mkdir()
    (folder / "__init__.py").write_text("", "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "weighed", raising=False)
    return folder


def test_names_and_numbers_in_the_order_of_the_file(package: Path) -> None:
    (package / FILE).write_text("# remarks\n\nlong name & more\t-2.5\nshort\t1\n", "utf-8")
    assert list(hand_weights("weighed").items()) == [("long name & more", -2.5), ("short", 1.0)]
    (package / "others.tsv").write_text("short\t3\n", "utf-8")
    assert hand_weights("weighed", "others.tsv") == {"short": 3.0}


def test_a_name_that_stands_twice_is_refused(package: Path) -> None:
    (package / FILE).write_text("short\t1\nshort\t2\n", "utf-8")
    with pytest.raises(ValueError, match="stands twice"):
        hand_weights("weighed")
