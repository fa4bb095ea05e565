"""docs/first-steps.ipynb is what its script writes: the same cells, and the same outputs when they
are run."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

from tests.places import ROOT

pytestmark = pytest.mark.process

nbformat = pytest.importorskip("nbformat")
pytest.importorskip("nbclient")


def script() -> Any:
    spec = importlib.util.spec_from_file_location("notebook", ROOT / "benchmarks" / "notebook.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def outputs(cells: Any) -> list[list[object]]:
    """What each code cell gave as text, streams too; pictures are named only."""
    return [
        [
            one["text"]
            if one["output_type"] == "stream"
            else one["data"].get("text/plain", one["output_type"])
            for one in cell["outputs"]
        ]
        for cell in cells
        if cell["cell_type"] == "code"
    ]


def test_the_notebook_holds_the_cells_of_its_script_and_what_they_give() -> None:
    module = script()
    kept = nbformat.read(module.NOTEBOOK, 4)
    made = module.executed(module.notebook())
    assert [(cell["cell_type"], cell["source"]) for cell in kept.cells] == list(module.CELLS)
    assert outputs(kept.cells) == outputs(made.cells)
