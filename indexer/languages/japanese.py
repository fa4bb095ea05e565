"""Japanese: what is written with kana."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from indexer.files.encoding import JAPANESE_ENCODINGS
from indexer.languages.language import Language, east_asian_script

if TYPE_CHECKING:
    from indexer.analysis import Analyser
    from indexer.entities import Recogniser


def _analyser(names: Mapping[str, str]) -> Analyser:
    from indexer.analysis.japanese import JapaneseAnalyser

    return JapaneseAnalyser(names)


def _recogniser(names: Sequence[str]) -> Recogniser:
    from indexer.entities.japanese import JapaneseNames

    return JapaneseNames(names)


def _claims(sample: str) -> bool:
    return east_asian_script(sample) == "kana"


JAPANESE = Language(
    "ja",
    "Japanese",
    "",
    _analyser,
    _recogniser,
    _claims,
    encodings=JAPANESE_ENCODINGS,
    table_encodings=JAPANESE_ENCODINGS,
    tried_encodings=("cp932", "cp1252"),
    trusted_encodings=("utf-8", "cp932"),
    packages=("mecab-python3", "ipadic"),
)
