"""How to install what an extra brings, wherever the program came from."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from indexer.files import versions
from indexer.files.versions import install_hint
from tests.places import ROOT


def test_the_packages_of_an_extra_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    declared = ["click>=8.1", 'starlette>=0.49.1; extra == "web"', "uvicorn>=0.34; extra == 'web'"]
    monkeypatch.setattr(versions, "requires", lambda name: declared)
    assert install_hint("web") == "pip install 'starlette>=0.49.1' 'uvicorn>=0.34'"


def test_a_checkout_that_is_not_installed_is_installed_with_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(name: str) -> list[str]:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(versions, "requires", missing)
    assert install_hint("web") == "pip install -e '.[web]'"


def test_no_text_installs_the_project_from_a_registry() -> None:
    wanted = "pip install " + "'classical-qa"
    files = [
        path
        for folder in ("indexer", "retriever", "answerer", "evaluation", "docs")
        for path in (ROOT / folder).rglob("*")
    ]
    texts = (
        path
        for path in [*files, Path(ROOT / "README.md")]
        if path.suffix in (".py", ".md", ".html", ".ipynb")
    )
    assert [path for path in texts if wanted in path.read_text("utf-8")] == []
