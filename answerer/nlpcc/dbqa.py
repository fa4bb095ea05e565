"""NLPCC DBQA: a question and its document's sentences in, one score a line out [NLPCC2017]."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from answerer import ranked
from answerer.submission import Submission, one_file
from answerer.trace_writer import Trace
from indexer.formats.labels import CandidateList, Candidates, warn_of_labels
from indexer.formats.sentence_rows import RowFile, read_sentence_rows, row_file
from indexer.languages.chinese import CHINESE

if TYPE_CHECKING:
    from retriever.learning.conditional_logit import LearningProblem
    from retriever.ranking.ranker import Ranking

TASK = "nlpcc-dbqa"


def answer(
    source: str | Iterable[CandidateList | Candidates], method: str | None, model_path: str | None, trace: Trace
) -> Submission:
    """A submission with one score a line: for the sentences of a DBQA file (path `source`) in its lines' order, or of
    questions with their sentences."""
    from answerer.formats.ranked_results import scores_text
    from answerer.ranking_methods import score_candidates
    from retriever.ranking.chinese import chinese_ranking

    read = _read(source) if isinstance(source, str) else row_file(source)
    ranking = chinese_ranking(read.lists)
    made = score_candidates(ranking, method, model_path)
    trace.run(TASK, made.method, made.parameters, language=CHINESE, packages=made.packages)
    texts = [text for one in read.lists for text in one.candidates]
    ranked.trace_candidates(trace, ranking, made, texts)
    return one_file(scores_text(made.scores, read.places))


command = ranked.rank_command(
    answer,
    "TEST.txt",
    "nlpcc-dbqa samples/dbqa.dev.txt -o dbqa.scores.txt",
    """Score the sentences of NLPCC DBQA questions: as many lines as the test file, one number each.

    Lines are question TAB sentence; a label, first or last, is not looked at.
    """,
)


def learnable(file: str) -> tuple[Ranking, LearningProblem]:
    """The ranking of a labelled DBQA file and its learning problem. Raises UserError for a file without labels."""
    from indexer.files.errors import UserError
    from retriever.ranking.chinese import chinese_ranking

    lists = _read(file).lists
    if lists[0].gold is None:
        raise UserError(f"{file}: no labels; training needs question, sentence and label")
    return ranked.sentences_to_learn(lists, chinese_ranking(lists))


learn = ranked.training_of(learnable)
train = ranked.ranker_command(
    learn,
    "TRAIN.txt...",
    "nlpcc-dbqa samples/dbqa.dev.txt -o dbqa.model.json --folds 3",
    "Train the ranker of NLPCC DBQA; folds by question.",
)


def _read(file: str) -> RowFile:
    """The questions and sentences of a DBQA file; warns of unusual labels, and of questions in a language that puts
    blanks between words."""
    read = read_sentence_rows(file, dbqa=True)
    warn_of_labels(read.warnings)
    ranked.warn_of_language(file, (one.question for one in read.lists), CHINESE, "selqa")
    return read
