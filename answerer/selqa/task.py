"""SelQA sentence selection: JSON in, the same JSON with a probability for every sentence out [SelQA-Challenge]."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from answerer import ranked
from answerer.submission import Submission, one_file
from answerer.trace_writer import Trace
from indexer.formats.labels import CandidateList, Candidates, warn_of_labels
from indexer.formats.selqa import SelqaFile, selqa_file
from indexer.languages.english import ENGLISH

if TYPE_CHECKING:
    from indexer.formats.sentence_rows import RowFile
    from retriever.learning.conditional_logit import LearningProblem
    from retriever.ranking.ranker import Ranking

TASK = "selqa"


def answer(
    source: str | Iterable[CandidateList | Candidates], method: str | None, model_path: str | None, trace: Trace
) -> Submission:
    """A submission with a probability for every sentence of a file (path `source`), or of questions with their
    sentences."""
    from answerer.selqa import answering

    read = read_file(source) if isinstance(source, str) else selqa_file(source)
    answered = answering.answer(read, method, model_path)
    if answered.ranking and answered.made:
        packages = ("PyStemmer", *answered.made.packages)
        trace.run(TASK, answered.made.method, answered.made.parameters, language=ENGLISH, packages=packages)
        texts = [text for one in answered.lists for text in one.candidates]
        # Numbers as in the file, where questions without sentences count too.
        numbers = [number for number, one in enumerate(read.lists, 1) if one.candidates]
        ranked.trace_candidates(trace, answered.ranking, answered.made, texts, numbers=numbers)
    return one_file(answered.text)


def read_file(file: str) -> SelqaFile | RowFile:
    """The questions of a SelQA, WikiQA or TrecQA file; warns on stderr of unusual labels and of questions that are not
    in English."""
    from indexer.formats.sentence_rows import RowFile, read_sentence_file

    read = read_sentence_file(file)
    if isinstance(read, RowFile):
        warn_of_labels(read.warnings)
    ranked.warn_of_language(file, (one.question for one in read.lists), ENGLISH, "nlpcc-dbqa")
    return read


command = ranked.rank_command(
    answer,
    "TEST.json|TEST.tsv",
    "selqa samples/selqa.test.json -o SelQA-ass-result.json",
    """Add `results` to every question of a SelQA file: one probability in [0, 1] a sentence, 0 for an empty one.

    JSON lines and JSON lists come back as they came, in the challenge's names or the corpus repository's.
    WikiQA and TrecQA files (tab-separated) come back with the probability as one more column.
    """,
)


def learnable(file: str) -> tuple[Ranking, LearningProblem]:
    """The ranking of a file with gold and its learning problem, without questions that have no sentences. Raises
    UserError for a file without gold."""
    from indexer.files.errors import UserError
    from retriever.ranking.english import english_ranking

    lists = [one for one in read_file(file).lists if one.candidates]
    if not any(one.gold is not None for one in lists):
        raise UserError(f"{file}: no gold; training needs the indices or labels of the right sentences")
    return ranked.sentences_to_learn(lists, english_ranking(lists))


learn = ranked.training_of(learnable)
train = ranked.ranker_command(
    learn,
    "TRAIN.json|TRAIN.tsv...",
    "selqa samples/selqa.dev.json -o selqa.model.json --folds 3",
    "Train the ranker of SelQA, WikiQA or TrecQA; folds by article, else by question.",
)
