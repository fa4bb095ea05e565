"""The files that the benchmark of time against length makes: each is read, or refused where it is
meant to be."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from benchmarks.long_runs import READ, pieces_of
from tests.refusals import raises_at

NOT_XML = {"xml levels", "xml comments begun", "xml CDATA begun", "xml ampersands"}


@pytest.mark.parametrize("shape", READ)
def test_a_shape_is_read(tmp_path: Path, shape: str) -> None:
    module, _, name = READ[shape][0].partition(":")
    read = getattr(importlib.import_module(module), name)
    file = tmp_path / "file"
    file.write_text(pieces_of(shape, 30), "utf-8")
    if shape in NOT_XML:
        with raises_at(file, 1):
            read(str(file))
    else:
        assert read(str(file)) is not None


def test_pieces_have_numbers() -> None:
    assert pieces_of("kbqa questions", 2) == "<question id=0>\twho?\n<question id=1>\twho?\n"
