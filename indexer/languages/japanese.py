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
    table_encodings=("euc-jp", "cp932"),
    tried_encodings=("cp932", "cp1252"),
    trusted_encodings=("utf-8", "cp932"),
    packages=("mecab-python3", "ipadic"),
)
