"""SelQA sentence selection: JSON in, the same JSON with a probability for every sentence out
[SelQA-Challenge]."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from answerer.options import model_option, task_command
from answerer.ranked import Scored, method_option, score_candidates, trace_rows, warn_of_language
from answerer.run import Questions, Run, one_file
from indexer.files.errors import UserError
from indexer.formats.labels import CandidateList, Candidates, warn_of_labels
from indexer.formats.selqa import SelqaFile, selqa_file
from indexer.formats.sentence_rows import RowFile, read_sentence_file
from indexer.languages.english import ENGLISH
from indexer.parameters import argument, input_path

if TYPE_CHECKING:
    from retriever.ranking.ranker import Ranking

TASK = "selqa"


def answer_file(
    read: SelqaFile | RowFile, method: str | None, model_path: str | None
) -> tuple[str, Ranking, Scored]:
    """The result file of an input by a method or a model (default: the packaged one), with the
    ranking and the scores of its lists that have sentences. Raises UserError if none has.

    A result is the softmax of the scores of each question's sentences, 0 for an empty one.
    """
    import numpy as np

    from answerer.formats.ranked_results import results_text
    from retriever.ranking.english import english_ranking

    # A question without sentences has nothing to rank, and a layout of lists takes no empty one.
    lists = [one for one in read.lists if one.candidates]
    if not lists:
        raise UserError("no question has sentences to rank")
    ranking = english_ranking(lists)
    made = score_candidates(ranking, method, model_path)
    probabilities = []
    for one, scores in zip(lists, np.split(made.scores, ranking.lists.starts[1:]), strict=True):
        filled = np.array([bool(text.strip()) for text in one.candidates])
        # Scores less the greatest: exp() cannot overflow. The sum is 1 or more then, but for a list
        # of empty sentences.
        powers = np.where(filled, np.exp(scores - scores.max(initial=-np.inf, where=filled)), 0.0)
        probabilities.append(
            powers / max(float(powers.sum()), 1.0) if filled.any() else np.zeros(len(scores))
        )
    return results_text(read, probabilities), ranking, made


def answer(
    source: str | Iterable[CandidateList | Candidates],
    method: str | None,
    model_path: str | None,
    evidence: bool,
) -> Run:
    """A run with a probability for every sentence of a file (a path), or of questions with
    sentences."""
    read = read_file(source) if isinstance(source, str) else selqa_file(source)
    text, ranking, made = answer_file(read, method, model_path)
    questions = Questions()
    if evidence:
        # Numbers as in the file, where questions without sentences count too.
        numbers = [number for number, one in enumerate(read.lists, 1) if one.candidates]
        texts = [text for one in read.lists for text in one.candidates]
        questions = Questions(trace_rows(ranking, made, texts, numbers=numbers))
    return Run(
        task=TASK,
        method=made.method,
        parameters=made.parameters,
        language=ENGLISH,
        packages=("PyStemmer", *made.packages),
        sources=[source] if isinstance(source, str) else [],
        files=one_file(text),
        questions=questions,
    )


def read_file(file: str) -> SelqaFile | RowFile:
    """The questions of a SelQA, WikiQA or TrecQA file; warns of unusual labels and of questions not
    in English."""
    read = read_sentence_file(file)
    warn_of_labels(read.warnings)
    warn_of_language(file, (one.question for one in read.lists), ENGLISH, "nlpcc-dbqa")
    return read


command = task_command(
    answer,
    """Add `results` to every question of a SelQA file: one probability in [0, 1] a sentence, 0 for an empty one.

    JSON lines and JSON lists come back as they came, in the challenge's names or the corpus repository's.
    WikiQA and TrecQA files (tab-separated) come back with the probability as one more column.
    """,
    "selqa samples/selqa.test.json -o SelQA-ass-result.json",
    argument("source", metavar="TEST.json|TEST.tsv", type=input_path),
    method_option,
    model_option,
)
