"""NLPCC TBQA: a question and candidate tables in, one score a line out (seed 000)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from answerer.ranked import Training, method_option, training_options, warn
from answerer.run import model_option, output_option, trace_option
from answerer.trace import open_trace

if TYPE_CHECKING:
    from retriever.ranking.table_ranking import TableRanking
    from retriever.ranking.train import Problem

TASK = "nlpcc-tbqa"


@click.command(epilog="Example: python -m answerer nlpcc-tbqa samples/tbqa.test.txt -o scores.txt")
@click.argument("file", metavar="TEST.txt")
@output_option
@method_option
@model_option
@trace_option
def command(file: str, output: str | None, method: str | None, model_path: str | None, trace_path: str | None) -> None:
    """Score the candidate tables of NLPCC TBQA questions: as many lines as the test file, one number each.

    Lines are question TAB caption TAB attributes TAB cells; a label before them is not looked at.
    """
    from answerer.formats.scores import scores_text
    from answerer.ranked import Scored, scored, trace_candidates
    from indexer.files.atomic import write_text
    from indexer.files.errors import UserError
    from indexer.sources.table_rows import read_table_rows
    from retriever.ranking.table_ranking import rank_bm25_tables, table_ranking

    read = table_ranking(read_table_rows(file))
    with open_trace(trace_path) as trace:
        if method == "rank-bm25" and not model_path:
            made = Scored(rank_bm25_tables(read_table_rows(file)), method, {})
        elif method == "rank-bm25":
            raise UserError("--model and --method exclude each other: a model is a method")
        else:
            made = scored(read.ranking, method, model_path)
        trace.run(TASK, made.method, made.parameters, language="en")
        if trace.wanted:
            captions = {row.line - 1: row.caption for row in read_table_rows(file)}
            ids = [str(number + 1) for number in range(len(read.ranking.questions))]
            trace_candidates(trace, read.ranking, made.scores, [captions[line] for line in read.lines], ids)
        write_text(output, scores_text(made.scores, read.lines))


@click.command(epilog="Example: python -m answerer train nlpcc-tbqa samples/tbqa.dev.txt -o tbqa.model.json --folds 3")
@click.argument("files", nargs=-1, required=True, metavar="TRAIN.txt...")
@training_options
def train(
    files: tuple[str, ...], output: str, k: int, seed: int, ranker: str, without: tuple[str, ...], ablation: bool
) -> None:
    """Train the ranker of NLPCC TBQA; folds by the question's first right table."""
    from answerer.ranked import train_model
    from indexer.sources.table_rows import read_table_rows
    from retriever.ranking.table_ranking import table_ranking

    read = [table_ranking(read_table_rows(file)) for file in files]
    problems = [labelled_problem(one, file) for one, file in zip(read, files, strict=True)]
    rankings = [one.ranking for one in read]
    train_model(files, rankings, problems, Training(ranker, k, seed, without, ablation), output)


def labelled_problem(read: TableRanking, file: str) -> Problem:
    """The tables with their labels; questions with the same right table share a group."""
    import numpy as np

    from answerer.formats.labels import read_label
    from indexer.files.errors import UserError
    from retriever.ranking.train import Problem

    marks = []
    warnings = []
    for label, line in zip(read.labels, read.lines, strict=True):
        if label is None:
            raise UserError(f"{file}: no labels; training needs five columns, the label first")
        right, warning = read_label(label, file, line + 1)
        marks.append(right)
        warnings += [warning] if warning else []
    warn(warnings)
    lists = read.ranking.lists
    groups = []
    for number, (start, size) in enumerate(zip(lists.starts.tolist(), lists.sizes.tolist(), strict=True)):
        right_tables = [read.tables[row] for row in range(start, start + size) if marks[row]]
        groups.append(f"table {right_tables[0]}" if right_tables else f"question {number} of {file}")
    return Problem(lists, read.ranking.families, np.array(marks, bool), groups)
