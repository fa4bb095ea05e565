"""Default weights out of a package's file."""

from __future__ import annotations

import sys
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from retriever.learning.model import WEIGHTS_FILE, Model, packaged_weights, read_model, save_model


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
    model = Model(
        "task",
        "default",
        ("long name & more", "short"),
        np.array([-2.5, 1.0]),
        np.zeros(2),
        np.ones(2),
    )
    save_model(model, package / WEIGHTS_FILE)
    assert list(packaged_weights("weighed").items()) == [("long name & more", -2.5), ("short", 1.0)]


@pytest.mark.parametrize(
    ("package_name", "task"),
    [("answerer.datasearch", "datasearch-qa"), ("answerer.nlpcc.kbqa", "nlpcc-kbqa")],
)
def test_the_default_weights_are_models_of_their_task(package_name: str, task: str) -> None:
    path = resources.files(package_name).joinpath(WEIGHTS_FILE)
    assert read_model(str(path), task).feature_names == tuple(packaged_weights(package_name))
