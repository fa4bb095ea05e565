"""MeCab, which one module makes for all."""

from __future__ import annotations

from pathlib import Path

import ipadic
import MeCab
from hypothesis import given
from hypothesis import strategies as st

from indexer.analysis.japanese import surfaces

ROOT = Path(__file__).parents[3]
ROOMS = ("indexer", "retriever", "answerer", "evaluation")


@given(st.text(st.sampled_from("東京都の人口は 1,2\n\u3000abcローマ。"), max_size=30))
def test_surfaces_are_what_mecab_writes_between_blanks(text: str) -> None:
    assert surfaces(text) == MeCab.Tagger(f"{ipadic.MECAB_ARGS} -Owakati").parse(text).split()


def test_only_one_module_makes_taggers() -> None:
    modules = (path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
    makers = [
        path.relative_to(ROOT).as_posix()
        for path in modules
        if "MeCab.Tagger(" in path.read_text("utf-8")
    ]
    assert makers == ["indexer/analysis/japanese.py"]
