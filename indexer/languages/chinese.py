"""Chinese: texts in Han characters without kana.

Named entities are recognised as in Japanese, by the glossary only.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from indexer.languages.japanese import JAPANESE
from indexer.languages.language import is_written_in

CHINESE = replace(
    JAPANESE,
    code="zh",
    name="Chinese",
    analyser_class="indexer.analysis.chinese:ChineseAnalyser",
    claims=partial(is_written_in, "Han"),
    encodings=("gb18030",),
    packages=("rjieba", "jieba"),
)
