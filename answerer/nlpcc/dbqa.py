"""NLPCC DBQA: a question and its document's sentences in, one score a line out [NLPCC2017]."""

from __future__ import annotations

from collections.abc import Iterable

from answerer.options import model_option, task_command
from answerer.ranked import method_option, score_candidates, trace_rows, warn_of_language
from answerer.run import Questions, Run, one_file
from indexer.formats.labels import CandidateList, Candidates, warn_of_labels
from indexer.formats.sentence_rows import RowFile, read_sentence_rows, row_file
from indexer.languages.chinese import CHINESE
from indexer.parameters import argument, input_path

TASK = "nlpcc-dbqa"


def answer(
    source: str | Iterable[CandidateList | Candidates],
    method: str | None,
    model_path: str | None,
    evidence: bool,
) -> Run:
    """A run with one score a line, for the sentences of a DBQA file (a path) or of questions
    with sentences.

    They are scored as by `score_candidates`.
    """
    from answerer.formats.ranked_results import scores_text
    from retriever.ranking.chinese import chinese_ranking

    read = read_file(source) if isinstance(source, str) else row_file(source)
    ranking = chinese_ranking(read.lists)
    made = score_candidates(ranking, method, model_path)
    texts = [text for one in read.lists for text in one.candidates]
    return Run(
        task=TASK,
        method=made.method,
        parameters=made.parameters,
        language=CHINESE,
        packages=made.packages,
        sources=[source] if isinstance(source, str) else [],
        files=one_file(scores_text(made.scores, read.places)),
        questions=Questions(trace_rows(ranking, made, texts) if evidence else ()),
    )


def read_file(file: str) -> RowFile:
    """The questions and sentences of a DBQA file; warns of unusual labels and of languages with
    blanks."""
    read = read_sentence_rows(file, dbqa=True)
    warn_of_labels(read.warnings)
    warn_of_language(file, (one.question for one in read.lists), CHINESE, "selqa")
    return read


command = task_command(
    answer,
    """Score the sentences of NLPCC DBQA questions: as many lines as the test file, one number each.

    Lines are question TAB sentence; a label, first or last, is not looked at.
    """,
    "nlpcc-dbqa samples/dbqa.dev.txt -o dbqa.scores.txt",
    argument("source", metavar="TEST.txt", type=input_path),
    method_option,
    model_option,
)
