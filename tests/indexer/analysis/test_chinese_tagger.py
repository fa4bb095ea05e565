"""jieba's tagger reads its dictionary, never a file that lies in the temporary folder under its
name."""

from __future__ import annotations

import marshal
import tempfile
import warnings
from pathlib import Path

import pytest

from indexer.analysis.chinese import ChineseAnalyser


def test_a_planted_cache_is_neither_read_nor_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    planted = tmp_path / "jieba.cache"
    planted.write_bytes(marshal.dumps(({"范": 10**9, "仲": 10**9, "淹": 10**9}, 1)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings(
            "ignore", "invalid escape sequence"
        )  # jieba's own, where it is compiled for the first time
        assert ChineseAnalyser().nouns("范仲淹写了岳阳楼记") == ["范仲淹", "岳阳楼记"]
    planted.unlink()
    ChineseAnalyser().nouns("北京")
    assert list(tmp_path.iterdir()) == []
