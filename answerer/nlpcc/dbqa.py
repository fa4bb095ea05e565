"""NLPCC DBQA: a question and its document's sentences in, one score a line out (seed 000)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from answerer.ranked import Training, method_option, training_options, warn
from answerer.run import model_option, output_option, trace_option
from answerer.trace import open_trace

if TYPE_CHECKING:
    from answerer.formats.nlpcc_sentences import SentenceFile

TASK = "nlpcc-dbqa"


@click.command(epilog="Example: python -m answerer nlpcc-dbqa samples/dbqa.test.txt -o scores.txt")
@click.argument("file", metavar="TEST.txt")
@output_option
@method_option
@model_option
@trace_option
def command(file: str, output: str | None, method: str | None, model_path: str | None, trace_path: str | None) -> None:
    """Score the sentences of NLPCC DBQA questions: as many lines as the test file, one number each.

    Lines are question TAB sentence; a label, first or last, is not looked at.
    """
    from answerer.formats.scores import scores_text
    from answerer.ranked import scored, trace_candidates
    from indexer.files.atomic import write_text
    from retriever.ranking.chinese_ranking import chinese_ranking

    read = _read(file)
    ranking = chinese_ranking(read.lists)
    with open_trace(trace_path) as trace:
        made = scored(ranking, method, model_path)
        trace.run(TASK, made.method, made.parameters, language="zh")
        texts = [text for one in read.lists for text in one.candidates]
        trace_candidates(trace, ranking, made.scores, texts, [str(n + 1) for n in range(len(read.lists))])
        write_text(output, scores_text(made.scores, read.lines))


@click.command(epilog="Example: python -m answerer train nlpcc-dbqa samples/dbqa.dev.txt -o dbqa.model.json --folds 3")
@click.argument("files", nargs=-1, required=True, metavar="TRAIN.txt...")
@training_options
def train(
    files: tuple[str, ...], output: str, k: int, seed: int, ranker: str, without: tuple[str, ...], ablation: bool
) -> None:
    """Train the ranker of NLPCC DBQA; folds by question."""
    from answerer.ranked import train_model
    from indexer.files.errors import UserError
    from retriever.ranking.chinese_ranking import chinese_ranking
    from retriever.ranking.lists import gold_rows
    from retriever.ranking.train import Problem

    read = [_read(file) for file in files]
    for file, one in zip(files, read, strict=True):
        if one.lists[0].gold is None:
            raise UserError(f"{file}: no labels; training needs question, sentence and label")
    rankings = [chinese_ranking(one.lists) for one in read]
    problems = [
        Problem(ranking.lists, ranking.families, gold_rows(one.lists), [each.group for each in one.lists])
        for ranking, one in zip(rankings, read, strict=True)
    ]
    train_model(files, rankings, problems, Training(ranker, k, seed, without, ablation), output)


def _read(file: str) -> SentenceFile:
    from answerer.formats.nlpcc_sentences import read_sentences

    read = read_sentences(file)
    warn(read.warnings)
    return read
