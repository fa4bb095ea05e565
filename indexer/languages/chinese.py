"""Chinese: texts in Han characters without kana.

Named entities are recognised as in Japanese, by the glossary only.
"""

from __future__ import annotations

from dataclasses import replace

from indexer.languages.japanese import JAPANESE
from indexer.languages.language import has_han_alone

CHINESE = replace(
    JAPANESE,
    code="zh",
    name="Chinese",
    analyser_class="indexer.analysis.chinese:ChineseAnalyser",
    claims=has_han_alone,
    encodings=("gb18030",),
    table_encodings=(),
    tried_encodings=("gb18030",),
    trusted_encodings=("utf-8",),
    packages=("rjieba", "jieba"),
)
