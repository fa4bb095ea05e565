"""What a Chinese candidate covers of its question, late characters weighing most; what it says beyond; its looks."""

from __future__ import annotations

import re

import numpy as np

from indexer.analysis.numerals import ONES
from indexer.files.arrays import Float64Array
from retriever.learning.lists import summed
from retriever.ranking.chinese.texts import CODE_POINTS, ChineseTexts, late_weight
from retriever.ranking.coverage import LOW_B, bm25
from retriever.ranking.overlap import distinct


def chinese_coverage(texts: ChineseTexts) -> dict[str, Float64Array]:
    """Coverage of characters and pairs under list idf, idf over questions and the place in the question."""
    columns: dict[str, Float64Array] = {}
    for n, table in ((1, texts.single), (2, texts.pairs)):
        late = late_weight(table, texts.questions, n)
        list_idf, asked_idf = table.list_idf(), table.list_idf() * table.question_idf()
        log_length = np.log(table.lengths + 2)
        columns |= {
            f"{n}-grams: list idf": table.coverage(list_idf),
            f"{n}-grams: late × list idf": table.coverage(late * list_idf),
            f"{n}-grams: question idf": table.coverage(asked_idf),
            f"{n}-grams: late × question idf": table.coverage(late * asked_idf),
            f"{n}-grams: late × question idf density": table.coverage(late * asked_idf) / log_length,
            f"{n}-grams: late density": table.coverage(late * list_idf) / log_length,
            f"{n}-grams: bm25": bm25(table, LOW_B),
        }
    return columns


def novelty(texts: ChineseTexts) -> dict[str, Float64Array]:
    """log(1 + how many different characters a row has that its question lacks), (rows,); 0 for an empty row.

    A candidate that only repeats the question answers nothing.
    """
    tokens = texts.candidates
    unasked = texts.single.token_term < 0
    rows = distinct(tokens.rows[unasked] * CODE_POINTS + tokens.ids[unasked]) // CODE_POINTS
    return {"new characters": np.log1p(summed(rows, np.ones(len(rows)), texts.lists.rows))}


FLAGS = {
    "digits": re.compile(r"[0-9]"),
    "year": re.compile(rf"[0-9]{{3,4}}年|[零{ONES}〇十]+年|民国"),
    "starts with a year": re.compile(r"^[^\u4e00-\u9fff]{0,3}[0-9]{4}"),
    "month": re.compile(rf"[0-9{ONES}十]月"),
    "list": re.compile(r"、[^、]*、"),
    "one list mark": re.compile(r"、"),
    "title": re.compile(r"《"),
    "quoted": re.compile(r"[“「『\"]"),
    "brackets": re.compile(r"[(]"),
    "foreign": re.compile(r"[a-z]{3}"),
    "colon": re.compile(r":"),
    "ends as a sentence": re.compile(r"[。.!?;」”][^。]{0,6}$"),
    "footnote": re.compile(r"\[[0-9]+\]"),
    "is": re.compile(r"是|为"),
    "place": re.compile(r"位于|坐落|地处|位处|省|市|县|区|路|街|村|镇"),
    "person": re.compile(r"先生|女士|博士|教授|校长|院长|主席|·"),
    "quantity": re.compile(rf"[0-9{ONES}十百千万][余多]?[个所名位座届种条家次人间类岁辆亩年%万亿]"),
    "cause": re.compile(r"因|由于|为了|以便|目的|旨在"),
    "short for": re.compile(r"简称|称为|又称|全称|英语|英文"),
}


def chinese_flags(texts: ChineseTexts) -> dict[str, Float64Array]:
    """Flags of 0 or 1 for each row."""
    flags = {
        name: np.array([pattern.search(row) is not None for row in texts.candidate_texts], float)
        for name, pattern in FLAGS.items()
    }
    return {f"surface: {name}": values for name, values in flags.items()}
