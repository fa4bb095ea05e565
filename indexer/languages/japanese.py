"""Japanese: what is written with kana."""

from __future__ import annotations

from functools import partial

from indexer.languages.language import Language, is_written_in

JAPANESE = Language(
    "ja",
    "Japanese",
    "",
    "indexer.analysis.japanese:JapaneseAnalyser",
    "indexer.entities.japanese:JapaneseNames",
    partial(is_written_in, "kana"),
    encodings=("euc-jp", "cp932"),
    packages=("mecab-python3", "ipadic"),
)
