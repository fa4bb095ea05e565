"""Rivals (distractors) of a name: names of its type in the paragraphs that the rest of its statement retrieves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from answerer.ntcir.multiple_choice.names.counts import ExamCounts
from answerer.ntcir.multiple_choice.names.flat import Flat, flatten, with_rivals
from answerer.ntcir.multiple_choice.names.retrieval import retrieved_by
from answerer.ntcir.multiple_choice.names.signals import signal_rows
from answerer.ntcir.multiple_choice.names.statements import Claims
from indexer.engines.contract import Searcher
from indexer.entities import span_of_key
from indexer.files.arrays import BoolArray, Float64Array, Int64Array
from indexer.statistics.part import ParagraphNames, decode_paragraph_names, decode_standing

NAMES = ("contrast", "has_rivals")
_MOST = 6  # rivals of a name; twelve do no better
_ROUNDING = 9  # decimals of a share by which rivals are ordered


class Compared(NamedTuple):
    """The signals of all names of an exam, and of their rivals put in their places.

    `rows` has a row a name, `rival_rows` a row a rival, whose name's place is `of` (rising), its row among the counts
    `rivals`. `counts` know the rivals too.
    """

    rows: Float64Array
    of: Int64Array
    rivals: Int64Array
    rival_rows: Float64Array
    counts: ExamCounts


def compare_with_rivals(claims: Claims, searcher: Searcher) -> Compared:
    """The signals of the names of claims and of their rivals: two look-ups in the part `names`."""
    flat, counts = flatten(claims.claims, claims.home), claims.counts
    none = np.zeros(0, np.int64)
    of, rivals = none, none
    if len(flat.rows) and counts.sentences and counts.keys:
        of, rivals, counts = _rivals(flat, claims, searcher)
    spans = [span_of_key(counts.keys[row]) for row in rivals]
    rows = signal_rows(with_rivals(flat, of, rivals, spans), counts)
    size = len(flat.rows)
    return Compared(rows[:size], of, rivals, rows[size:], counts)


def contrast(u: Float64Array, of: Int64Array, of_rivals: Float64Array) -> Float64Array:
    """Two columns: u of a name − log mean exp u of its rivals, and whether it has any; 0 and 0 without."""
    size = len(u)
    number = np.bincount(of, minlength=size)
    greatest = np.full(size, -np.inf)
    np.maximum.at(greatest, of, of_rivals)
    has = number > 0
    total = np.bincount(of, np.exp(of_rivals - greatest[of]), size)
    mean = greatest[has] + np.log(total[has] / number[has])
    columns = np.zeros((size, 2))
    columns[has, 0], columns[has, 1] = u[has] - mean, 1.0
    return columns


def _rivals(flat: Flat, claims: Claims, searcher: Searcher) -> tuple[Int64Array, Int64Array, ExamCounts]:
    """The place of each rival's name, the row of each rival, and the counts with these rows."""
    counts = claims.counts
    judged = np.array([name.judged for claim in claims.claims for name in claim.names], bool)
    dated = np.array([span is not None for span in flat.spans], bool)
    asked = judged & ((flat.rows >= 0) | dated) & ~flat.whole
    retrieved = retrieved_by(counts.paragraph, flat)
    shares = np.where(asked[:, None], retrieved.shares, 0.0)
    used = np.unique(retrieved.passages[shares > 0])
    book = decode_paragraph_names(searcher, used, counts.paragraph.size)
    rows = np.repeat(np.arange(len(flat.rows)), shares.shape[1])
    places = (rows, retrieved.passages.ravel())
    leads = csr_array((shares.ravel(), places), (len(flat.rows), counts.paragraph.size))
    of, columns = _choose_rivals(csr_array(leads @ book.at), flat, counts, book)
    return of, *_with_rows(columns, counts, book, searcher)


def _choose_rivals(
    shares: csr_array, flat: Flat, counts: ExamCounts, book: ParagraphNames
) -> tuple[Int64Array, Int64Array]:
    """For each name (row) those names of the book (columns) with the greatest shares: of its kind, not beside it."""
    found = shares.tocoo()
    of, columns, data = found.row.astype(np.int64), found.col.astype(np.int64), found.data
    kinds = [
        _like(counts.kinds[row] if row >= 0 else "year", span)
        for row, span in zip(flat.rows.tolist(), flat.spans, strict=True)
    ]
    others = [_like(kind, span_of_key(key)) for key, kind in zip(book.keys, book.kinds, strict=True)]
    number = {kind: place for place, kind in enumerate(sorted({*kinds, *others}))}
    alike = np.array([number[kind] for kind in kinds])[of] == np.array([number[kind] for kind in others])[columns]
    keep = (data > 0) & alike & ~_beside(of, columns, flat, counts, book)
    of, columns, data = of[keep], columns[keep], np.round(data[keep], _ROUNDING)
    order = np.lexsort((columns, -data, of))
    of, columns = of[order], columns[order]
    first = np.arange(len(of)) - np.searchsorted(of, of, "left") < _MOST
    return of[first], columns[first]


def _like(kind: str, span: tuple[int, int] | None) -> str:
    """The group within which names are rivals: the entity type; for dates the number of years they span."""
    return kind if span is None else f"{span[1] - span[0]}"


def _beside(of: Int64Array, columns: Int64Array, flat: Flat, counts: ExamCounts, book: ParagraphNames) -> BoolArray:
    """For each name of the book, true if the statement itself contains it."""
    row_of = {key: row for row, key in enumerate(counts.keys)}
    rows = np.array([row_of.get(key, -1) for key in book.keys], np.int64)
    width = len(counts.keys) + 1
    there = flat.claim[flat.rows >= 0] * width + flat.rows[flat.rows >= 0]
    return np.asarray((rows[columns] >= 0) & np.isin(flat.claim[of] * width + rows[columns], there), bool)


def _with_rows(
    columns: Int64Array, counts: ExamCounts, book: ParagraphNames, searcher: Searcher
) -> tuple[Int64Array, ExamCounts]:
    """The rows of these names of the book among the counts, and the counts with those that were missing."""
    row_of = {key: row for row, key in enumerate(counts.keys)}
    wanted = np.unique(columns).tolist()
    missing = [column for column in wanted if book.keys[column] not in row_of]
    keys = [book.keys[column] for column in missing]
    if keys:
        at, beside = decode_standing(searcher, keys, counts.sentences)
        counts = counts.with_names(keys, [book.kinds[column] for column in missing], at, beside)
        row_of = {key: row for row, key in enumerate(counts.keys)}
    return np.array([row_of[book.keys[column]] for column in columns.tolist()], np.int64), counts
