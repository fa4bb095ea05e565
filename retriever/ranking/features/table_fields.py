"""What a table holds of its question: coverage by field, exact phrases and whole cells, its best row."""

from __future__ import annotations

import numpy as np

from retriever.ranking.features.coverage import bm25
from retriever.ranking.lists import summed
from retriever.ranking.listwise import FloatArray
from retriever.ranking.overlap import Overlap
from retriever.ranking.tables import TableTexts


def question_idf(table: Overlap) -> FloatArray:
    """The idf of each question term over the questions of the file: what many questions say tells little."""
    questions = len(table.lists.sizes)
    df = np.bincount(table.term_key, minlength=1)[table.term_key]
    return np.log1p((questions - df + 0.5) / (df + 0.5))


def table_idf(table: Overlap, tables: int) -> FloatArray:
    """The idf of each question term over the different tables of the file."""
    return np.log1p((tables - table.file_df + 0.5) / (table.file_df + 0.5))


def field_coverage(table: Overlap, name: str, tables: int) -> dict[str, FloatArray]:
    """Coverage of the question's terms by one field under several weights."""
    list_idf, asked = table.list_idf(), question_idf(table)
    return {
        f"{name}: coverage": table.coverage(np.ones_like(list_idf)),
        f"{name}: list idf": table.coverage(list_idf),
        f"{name}: both idf": table.coverage(list_idf * asked),
        f"{name}: sum": table.sums(list_idf * asked),
        f"{name}: bm25": bm25(table, 1.2, 0.3),
    }


def table_fields(texts: TableTexts) -> dict[str, FloatArray]:
    """Coverage by caption, header, cells, caption and header, all, and the best row."""
    columns: dict[str, FloatArray] = {}
    for names in (("caption",), ("header",), ("cells",), ("caption", "header"), ("caption", "header", "cells")):
        columns |= field_coverage(texts.field(*names), " + ".join(names), texts.tables)
    best = texts.best_row
    columns["best row: both idf"] = best.coverage(best.list_idf() * question_idf(best))
    columns["best row: coverage"] = best.coverage(np.ones(len(best.term_list)))
    return columns


def table_phrases(texts: TableTexts) -> dict[str, FloatArray]:
    """Words of the longest question phrase that is a whole cell, of header phrases in the question, their number."""
    length = texts.lists.of_rows(np.maximum(texts.questions.lengths(), 1.0))
    whole = np.array([match.whole_cell for match in texts.matches], float)
    phrase = np.array([match.header_phrase for match in texts.matches], float)
    inside = np.array([match.headers_in_question for match in texts.matches], float)
    return {
        "whole cell": whole,
        "whole cell / question": whole / length,
        "header phrase": phrase,
        "headers in question": inside,
        "headers touched": np.array([m.headers_touched for m in texts.matches], float),
        "share of headers touched": np.array(
            [m.headers_touched / max(1, m.header_cells) for m in texts.matches], float
        ),
        "whole cells": np.array([match.whole_cells for match in texts.matches], float),
        "phrase in cells": np.array([match.in_cells for match in texts.matches], float),
        "phrase in caption": np.array([match.in_caption for match in texts.matches], float),
    }


def table_terms(texts: TableTexts) -> dict[str, FloatArray]:
    """The question's first, second and last content words and its numbers by field, and the rarest missing term."""
    columns: dict[str, FloatArray] = {}
    lengths = np.bincount(texts.questions.rows, minlength=texts.questions.texts)
    place = np.arange(len(texts.questions.ids)) - (np.cumsum(lengths) - lengths)[texts.questions.rows]
    names = {number: stem for stem, number in texts.stems.items()}
    digit = np.array([names[int(i)][0].isdigit() for i in texts.questions.ids])
    marks = {
        "first": place == 0,
        "second": place == 1,
        "last": place == lengths[texts.questions.rows] - 1,
        "numbers": digit,
    }
    for fields in (("caption",), ("header",), ("cells",), ("caption", "header", "cells")):
        table = texts.field(*fields)
        idf = table.list_idf() * question_idf(table)
        for name, mark in marks.items():
            weight = summed(table.question_term, mark, len(table.term_list))
            columns[f"{'+'.join(fields)}: {name}"] = table.coverage(weight * idf)
        missing = np.zeros(texts.lists.rows)
        held = np.zeros((texts.lists.rows, int(lengths.max(initial=1))), bool)
        starts = np.searchsorted(table.term_list, np.arange(len(texts.lists.sizes)))
        held[table.pair_row, table.pair_term - starts[table.term_list[table.pair_term]]] = True
        rare = np.zeros((len(texts.lists.sizes), held.shape[1]))
        rare[table.term_list, np.arange(len(table.term_list)) - starts[table.term_list]] = table_idf(
            table, texts.tables
        )
        per_row = rare[texts.lists.list_of]
        missing = np.where(held, 0, per_row).max(axis=1)
        columns[f"{'+'.join(fields)}: rarest missing"] = missing
        columns[f"{'+'.join(fields)}: rarest held"] = np.where(held, per_row, 0).max(axis=1)
    return columns
