"""A question asked of open data: the dataset that speaks of it, and the text of its tables that
answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from answerer.asking.replies import Answer, Reply, Source
from answerer.datasearch.operations.selection import Match
from answerer.datasearch.question.analysis import read_question
from answerer.datasearch.question.words import words
from answerer.datasearch.tables.library import datasets_of
from answerer.datasearch.tables.view import View
from answerer.datasearch.task import DerivedAnswer, derive, load_weights, rank, score_all, trace_row
from indexer.engines.contract import Index
from indexer.files.messages import either
from indexer.formats.datasearch import DatasetQuestion
from indexer.languages.registry import detect_language
from indexer.sources.datasets.schema import DATASET, TABLES
from retriever.queries import union_query

DATASETS_READ = 3  # datasets that are asked: those whose tables match the question's words best
LIKELY = 0.3  # probability below which the best answer is doubted

_NAME = re.compile(r"(?<=\s)[A-Z][\w'’-]*|\b(?:1[89]|20)\d\d\b|[ァ-ヶー]{3,}")


class _DatasetCandidate(NamedTuple):
    """An answer derived from a dataset, with what is needed to show it.

    `position` is the dataset's among those that match the question, from 0; `views` are the
    dataset's tables, `source` the table row of the answer.
    """

    position: int
    answer: DerivedAnswer
    source: Source
    views: Sequence[View]


def ask_datasets(text: str, index: Index, k: int, evidence: bool) -> Reply:
    """The k best answers, each with its table row, of the `DATASETS_READ` (3) datasets that match
    best: those of the best dataset first, within a dataset the more probable first.

    The reply's doubt says that the best answer is improbable, or which name of the question the
    answer's table lacks; with `evidence` it has a trace row. No answers, and a reason, if no table
    contains a word of the question.
    """
    terms = detect_language(text).analyser().terms(text)
    hits = index.part(TABLES.name).search([union_query(terms)], 20 * DATASETS_READ)[0]
    matching = list(
        dict.fromkeys(name for hit in hits for name in hit.document.keys.get(DATASET, ()))
    )
    questions = [DatasetQuestion("ask", text, name) for name in matching[:DATASETS_READ]]
    weights = load_weights(None)[0]
    candidates: list[_DatasetCandidate] = []
    for position, (dataset, group) in enumerate(datasets_of(index, questions)):
        derivations = derive(group[0].text, dataset.views)
        for candidate in rank(derivations, score_all(derivations, weights))[:k]:
            table, (row_number, _) = (
                dataset.views[candidate.derivation.table].table,
                candidate.derivation.position,
            )
            line = table.title  # of an answer outside the body
            if 0 <= row_number < len(table.rows):
                headed = zip(table.columns, table.rows[row_number], strict=False)
                line = " | ".join(
                    f"{' / '.join(path)}: {cell}" if path else cell for path, cell in headed if cell
                )
            source = Source(dataset.dataset_id, dataset.title, line)
            candidates.append(_DatasetCandidate(position, candidate, source, dataset.views))
    if not candidates:
        return Reply(index.address, "datasets", (), "no table holds a word of the question")
    # probabilities of two datasets cannot be compared, so the dataset that matches the words better
    # comes first
    best = sorted(
        candidates, key=lambda candidate: (candidate.position, -candidate.answer.probability)
    )[:k]
    answers = tuple(
        Answer(
            candidate.answer.answer,
            candidate.answer.probability,
            candidate.answer.derivation.text,
            (candidate.source,),
        )
        for candidate in best
    )
    doubt = _doubt(text, best[0].answer, best[0].views)
    reply = Reply(index.address, "datasets", answers, doubt)
    if not evidence:
        return reply
    row = trace_row(
        "ask",
        text,
        answers[0].text,
        [(candidate.answer, candidate.views) for candidate in best],
        weights,
    )
    return replace(reply, task="datasearch-qa", row=row)


def _doubt(text: str, best: DerivedAnswer, views: Sequence[View]) -> str:
    """Reason to doubt the best answer, "" without one: its probability is below `LIKELY` (0.3), or
    its table lacks a name of the question (a capitalised word but the first, a year from 1800,
    katakana)."""
    if best.probability < LIKELY:
        return f"the best answer has a probability of {best.probability:.2f} only"
    view = views[best.derivation.table]
    match = Match(read_question(text), view)
    content = enumerate(match.question.content)
    lacking = {
        word
        for position, word in content
        if not (match.matched >> position & 1 or view.speaks_of(word))
    }
    names = [
        name for name in _NAME.findall(text) if (terms := words(name)) and lacking.issuperset(terms)
    ]
    return f"the table does not mention {either([*dict.fromkeys(names)])}" if names else ""
