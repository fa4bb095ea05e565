"""SelQA sentence selection: JSON in, the same JSON with a probability for every sentence out
[SelQA-Challenge]."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from answerer.options import model_option, output_options
from answerer.ranked import Scored, method_option, score_candidates, trace_rows, warn_of_language
from answerer.run import Outputs, Run, one_file, paths_of, write_run
from indexer.cli.types import Command, InputFile
from indexer.files.errors import UserError
from indexer.files.validation import FileName
from indexer.formats.labels import CandidateList, Candidates, warn_of_labels
from indexer.formats.selqa import SelqaFile, selqa_file
from indexer.formats.sentence_rows import RowFile, read_sentence_file
from indexer.languages.english import ENGLISH

if TYPE_CHECKING:
    from answerer.trace import TraceQuestion
    from retriever.ranking.ranker import Ranking

TASK = "selqa"


@click.command(
    cls=Command,
    example="answer selqa samples/selqa.test.json -o SelQA-ass-result.json",
)
@click.argument("source", metavar="TEST.json|TEST.tsv", type=InputFile())
@method_option
@model_option
@output_options()
def command(source: Path, outputs: Outputs, **options: Any) -> None:
    """Add `results` to every question of a SelQA file: one probability in [0, 1] a sentence, 0 for
    an empty one.

    JSON lines and JSON lists come back as they came, in the challenge's names or the corpus
    repository's. WikiQA and TrecQA files (tab-separated) come back with the probability as one more
    column.
    """
    write_run(answer(source, evidence=outputs.trace is not None, **options), outputs)


def answer_file(
    read: SelqaFile | RowFile,
    method: str | None,
    model: FileName | None,
    sources: Sequence[str] = (),
) -> tuple[str, Ranking, Scored]:
    """The result file of an input by a method or a model (default: the packaged one), with the
    ranking and the scores of its lists that have sentences. `sources` are the input's files. Raises
    UserError if none has.

    A result is the softmax of the scores of each question's sentences, 0 for an empty one.
    """
    import numpy as np

    from answerer.formats.ranked_results import results_text
    from retriever.ranking.english import english_ranking

    # A question without sentences has nothing to rank, and a layout of lists takes no empty one.
    lists = [entry for entry in read.lists if entry.candidates]
    if not lists:
        raise UserError("no question has sentences to rank")
    ranking = english_ranking(lists)
    scored = score_candidates(ranking, method, model, sources)
    probabilities = []
    for entry, scores in zip(lists, np.split(scored.scores, ranking.lists.starts[1:]), strict=True):
        filled = np.array([bool(text.strip()) for text in entry.candidates])
        # Scores less the greatest: exp() cannot overflow. The sum is 1 or more then, but for a list
        # of empty sentences.
        powers = np.where(filled, np.exp(scores - scores.max(initial=-np.inf, where=filled)), 0.0)
        probabilities.append(
            powers / max(float(powers.sum()), 1.0) if filled.any() else np.zeros(len(scores))
        )
    return results_text(read, probabilities), ranking, scored


def answer(
    source: FileName | Iterable[CandidateList | Candidates],
    *,
    method: str | None = None,
    model: FileName | None = None,
    evidence: bool = True,
) -> Run:
    """A run with a probability for every sentence of a file (a path), or of questions with
    sentences; by the packaged model where neither `method` nor `model` names another. Without
    `evidence` the run has no trace. UserError as of `answer_file`."""
    read = read_file(source) if isinstance(source, str | PathLike) else selqa_file(source)
    text, ranking, scored = answer_file(read, method, model, paths_of(source))
    questions: tuple[TraceQuestion, ...] = ()
    if evidence:
        # Numbers as in the file, where questions without sentences count too.
        numbers = [number for number, entry in enumerate(read.lists, 1) if entry.candidates]
        texts = [text for entry in read.lists for text in entry.candidates]
        questions = tuple(trace_rows(ranking, scored, texts, numbers=numbers))
    return Run(
        task=TASK,
        method=scored.method,
        parameters=scored.parameters,
        language=ENGLISH,
        packages=("PyStemmer", *scored.packages),
        sources=paths_of(source),
        files=one_file(text),
        questions=questions,
    )


def read_file(file: FileName) -> SelqaFile | RowFile:
    """The questions of a SelQA, WikiQA or TrecQA file; warns of unusual labels and of questions
    without blanks between words. Raises UserError as `read_sentence_file` does."""
    read = read_sentence_file(Path(file))
    warn_of_labels(read.warnings)
    warn_of_language(Path(file), (entry.question for entry in read.lists), ENGLISH, "nlpcc-dbqa")
    return read
