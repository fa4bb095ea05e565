"""NLPCC TBQA: a question and candidate tables in, one score a line out [NLPCC2017]."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import click

from answerer.excerpt import shorten, window
from answerer.options import model_option, output_options
from answerer.ranked import method_option, score_candidates, trace_rows, warn_of_language
from answerer.run import Outputs, Run, one_file, paths_of, write_run
from answerer.trace import TraceQuestion, TraceTable
from indexer.cli.types import Command, InputFile
from indexer.files.messages import warn
from indexer.files.validation import FileName
from indexer.formats.table_rows import (
    CELL_MARK,
    ROW_MARK,
    TableCandidates,
    TableRow,
    is_table_file,
    read_table_rows,
    table_rows,
)
from indexer.languages.english import ENGLISH

_ROWS, _COLUMNS = 6, 8


def shown_table(row: TableRow, terms: Collection[str]) -> TraceTable:
    """The part of a table to show in a trace: its headings and at most 6 rows, of 8 columns,
    preferring those with cells that contain one of the stemmed `terms`, then the first, in the
    table's order; cells are cut to 60 characters.

    `matched` are the positions [row, column] in that part of the cells with a term, row −1 for a
    heading. No cell is marked as the answer; the title is empty, since the caption is the
    candidate's text.
    """
    from retriever.ranking.tables import stem, words_of

    # Headings have row −1, in the table and in what is shown of it.
    lines = dict(enumerate([row.header(), *row.rows()], -1))
    positions = [
        (r, c)
        for r, cells in lines.items()
        for c, cell in enumerate(cells)
        if terms and any(stem(word) in terms for word in words_of(cell))
    ]
    height, width = len(lines) - 1, max(map(len, lines.values()))
    columns = window([c for _, c in positions], 0, width, _COLUMNS)
    numbers = [-1, *window([r for r, _ in positions], 0, height, _ROWS)]
    # A row may end before the last column.
    shown = [[shorten(lines[r][c]) if c < len(lines[r]) else "" for c in columns] for r in numbers]
    row_at = {r: position for position, r in enumerate(numbers, -1)}
    column_at = {c: position for position, c in enumerate(columns)}
    return TraceTable(
        size=(height, width),
        columns=tuple((cell,) for cell in shown[0]),
        rows=tuple((r, tuple(cells)) for r, cells in zip(numbers[1:], shown[1:], strict=True)),
        matched=tuple(
            (row_at[r], column_at[c]) for r, c in positions if r in row_at and c in column_at
        ),
    )


TASK = "nlpcc-tbqa"


@click.command(cls=Command, example="answer nlpcc-tbqa samples/tbqa.dev.txt -o tbqa.scores.txt")
@click.argument("source", metavar="TEST.txt", type=InputFile())
@method_option
@model_option
@output_options()
def command(source: Path, outputs: Outputs, **options: Any) -> None:
    """Score the candidate tables of NLPCC TBQA questions: as many lines as the test file, one
    number each.

    Lines are question TAB caption TAB attributes TAB cells; a label before them is not looked at.
    """
    write_run(answer(source, evidence=outputs.trace is not None, **options), outputs)


def answer(
    source: FileName | Iterable[TableCandidates],
    *,
    method: str | None = None,
    model: FileName | None = None,
    evidence: bool = True,
) -> Run:
    """A run with one score a line, for the tables of a TBQA file (a path) or of questions
    with tables.

    They are scored by an untrained `method` or a `model` file (UserError for both), by default the
    packaged model; without `evidence` the run has the scores alone.
    """
    from answerer.formats.ranked_results import scores_text
    from retriever.ranking.tables import table_ranking

    if isinstance(source, str | PathLike):
        ranking, rows = table_ranking(read_table_rows(Path(source)))
        warn_of_others(source, ranking.questions)
    else:
        ranking, rows = table_ranking(table_rows(source))
    scored = score_candidates(ranking, method, model, paths_of(source))
    questions: tuple[TraceQuestion, ...] = ()
    if evidence:
        matched = [terms for block in ranking.blocks() for terms in block.matched()]
        shown = [shown_table(row, terms) for row, terms in zip(rows, matched, strict=True)]
        questions = tuple(trace_rows(ranking, scored, [row.caption for row in rows], shown))
    return Run(
        task=TASK,
        method=scored.method,
        parameters=scored.parameters,
        language=ENGLISH,
        packages=("PyStemmer", *scored.packages),
        sources=paths_of(source),
        files=one_file(scores_text(scored.scores, [row.line - 1 for row in rows])),
        questions=questions,
    )


def warn_of_others(file: FileName, questions: Sequence[str]) -> None:
    """Warns if a file's questions have no blanks between words, or if most of its tables have a
    single cell."""
    warn_of_language(Path(file), questions, ENGLISH)
    if not is_table_file(Path(file)):
        warn(
            f"{file}: most of its tables have a single cell; expected {CELL_MARK} and {ROW_MARK} "
            f"between cells and rows"
        )
