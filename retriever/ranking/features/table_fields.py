"""What a table holds of its question: coverage by field, exact phrases and whole cells."""

from __future__ import annotations

import numpy as np

from retriever.ranking.features.coverage import bm25
from retriever.ranking.listwise import FloatArray
from retriever.ranking.overlap import Overlap
from retriever.ranking.tables import TableTexts


def field_coverage(table: Overlap, name: str) -> dict[str, FloatArray]:
    """Coverage of the question's terms by one field under several weights."""
    list_idf, asked = table.list_idf(), table.question_idf()
    return {
        f"{name}: coverage": table.coverage(np.ones_like(list_idf)),
        f"{name}: list idf": table.coverage(list_idf),
        f"{name}: both idf": table.coverage(list_idf * asked),
        f"{name}: sum": table.sums(list_idf * asked),
        f"{name}: bm25": bm25(table, 1.2, 0.3),
    }


def table_fields(texts: TableTexts, view: str) -> dict[str, FloatArray]:
    """Coverage by caption, header, cells, caption and header, and all, in one view of the words."""
    columns: dict[str, FloatArray] = {}
    for names in (("caption",), ("header",), ("cells",), ("caption", "header"), ("caption", "header", "cells")):
        columns |= field_coverage(texts.field(*names, view=view), f"{' + '.join(names)}, {view}")
    return columns


def table_phrases(texts: TableTexts) -> dict[str, FloatArray]:
    """Lengths, in words, of phrases that question and table share, and how many headers the question touches."""
    columns = {
        "whole cell": [match.whole_cell for match in texts.matches],
        "whole cells": [match.whole_cells for match in texts.matches],
        "phrase in cells": [match.in_cells for match in texts.matches],
        "phrase in caption": [match.in_caption for match in texts.matches],
        "header phrase": [match.header_phrase for match in texts.matches],
        "headers in question": [match.headers_in_question for match in texts.matches],
        "headers touched": [match.headers_touched for match in texts.matches],
        "share of headers touched": [match.headers_touched / max(1, match.header_cells) for match in texts.matches],
    }
    return {name: np.array(values, float) for name, values in columns.items()}
