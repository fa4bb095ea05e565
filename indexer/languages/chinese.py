"""Chinese: texts in Han characters without kana.

Named entities are recognised as in Japanese, by the glossary only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from indexer.languages.japanese import JAPANESE
from indexer.languages.language import east_asian

if TYPE_CHECKING:
    from indexer.analysis import Analyser


def _analyser(names: Mapping[str, str]) -> Analyser:
    from indexer.analysis.chinese import ChineseAnalyser

    return ChineseAnalyser(names)


def _claims(sample: str) -> bool:
    found = east_asian(sample)
    return found.han > 0 and not found.is_kana


CHINESE = replace(
    JAPANESE,
    code="zh",
    name="Chinese",
    make_analyser=_analyser,
    claims=_claims,
    encodings=("gb18030",),
    table_encodings=(),
    tried_encodings=("gb18030",),
    trusted_encodings=("utf-8",),
    packages=("rjieba", "jieba"),
)
