"""The server that `make elasticsearch` runs: where its indexes stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.distribution import data_folder


def test_a_user_s_indexes_stay_where_programs_keep_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert data_folder() == tmp_path / ".local/share/classical-qa/elasticsearch"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert data_folder() == tmp_path / "data/classical-qa/elasticsearch"
    assert data_folder().is_dir()
