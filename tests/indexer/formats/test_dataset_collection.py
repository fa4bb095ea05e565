"""The metadata of Data Search collections."""

from __future__ import annotations

import pytest

from indexer.formats.datasearch import readable


@pytest.mark.parametrize(
    ("name", "called"),
    [
        (f"{0:064x}-bus%20stops-2019.csv", "bus stops-2019"),
        (f"{0:064x}-a/b.tar.gz", "b.tar"),
        (f"{0:064x}-%E5%B8%82.xls", "市"),
        (f"{0:064x}", ""),
        ("plain.csv", "plain"),
    ],
)
def test_what_a_file_was_called(name: str, called: str) -> None:
    assert readable(name) == called
