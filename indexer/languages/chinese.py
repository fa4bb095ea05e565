"""Chinese: texts in Han characters without kana.

Named entities are recognised as in Japanese, by the glossary only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from indexer.files.encoding import CHINESE_ENCODINGS
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import east_asian_script

if TYPE_CHECKING:
    from indexer.analysis import Analyser


def _analyser(names: Mapping[str, str]) -> Analyser:
    from indexer.analysis.chinese import ChineseAnalyser

    return ChineseAnalyser(names)


def _claims(sample: str) -> bool:
    return east_asian_script(sample) == "han"


CHINESE = replace(
    JAPANESE,
    code="zh",
    name="Chinese",
    make_analyser=_analyser,
    claims=_claims,
    encodings=CHINESE_ENCODINGS,
    table_encodings=(),
    tried_encodings=CHINESE_ENCODINGS,
    trusted_encodings=("utf-8",),
    packages=("rjieba", "jieba"),
)
