"""The files that fuzzing begins with, made anew for each module that fuzzes; of the inputs each
takes a part."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.corpus import make_corpus


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fuzz") / "corpus"
    make_corpus(folder)
    return folder
