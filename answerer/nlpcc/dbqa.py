"""NLPCC DBQA: a question and its document's sentences in, one score a line out [NLPCC2017]."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import Any

import click

from answerer.options import model_option, output_options
from answerer.ranked import method_option, score_candidates, trace_rows, warn_of_language
from answerer.run import Outputs, Run, one_file, paths_of, write_run
from indexer.cli.types import Command, InputFile
from indexer.files.validation import FileName
from indexer.formats.labels import CandidateList, Candidates, warn_of_labels
from indexer.formats.sentence_rows import RowFile, read_sentence_rows, row_file
from indexer.languages.chinese import CHINESE

TASK = "nlpcc-dbqa"


@click.command(cls=Command, example="answer nlpcc-dbqa samples/dbqa.dev.txt -o dbqa.scores.txt")
@click.argument("source", metavar="TEST.txt", type=InputFile())
@method_option
@model_option
@output_options()
def command(source: Path, outputs: Outputs, **options: Any) -> None:
    """Score the sentences of NLPCC DBQA questions: as many lines as the test file, one number each.

    Lines are question TAB sentence; a label, first or last, is not looked at.
    """
    write_run(answer(source, evidence=outputs.trace is not None, **options), outputs)


def answer(
    source: FileName | Iterable[CandidateList | Candidates],
    *,
    method: str | None = None,
    model: FileName | None = None,
    evidence: bool = True,
) -> Run:
    """A run with one score a line, for the sentences of a DBQA file (a path) or of questions
    with sentences.

    They are scored by an untrained `method` or a `model` file (UserError for both), by default the
    packaged model; without `evidence` the run has the scores alone.
    """
    from answerer.formats.ranked_results import scores_text
    from retriever.ranking.chinese import chinese_ranking

    read = read_file(source) if isinstance(source, str | PathLike) else row_file(source)
    ranking = chinese_ranking(read.lists)
    scored = score_candidates(ranking, method, model, paths_of(source))
    texts = [text for entry in read.lists for text in entry.candidates]
    return Run(
        task=TASK,
        method=scored.method,
        parameters=scored.parameters,
        language=CHINESE,
        packages=scored.packages,
        sources=paths_of(source),
        files=one_file(scores_text(scored.scores, read.positions)),
        questions=tuple(trace_rows(ranking, scored, texts)) if evidence else (),
    )


def read_file(file: FileName) -> RowFile:
    """The questions and sentences of a DBQA file; warns of unusual labels and of languages with
    blanks. Raises UserError as `read_sentence_rows` does."""
    read = read_sentence_rows(Path(file), dbqa=True)
    warn_of_labels(read.warnings)
    warn_of_language(Path(file), (entry.question for entry in read.lists), CHINESE, "selqa")
    return read
