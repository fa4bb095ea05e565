"""A whole collection ranked for many questions: the engine's hits, put in order by a trained ranker."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from indexer.engines.contract import Hit, Index
from indexer.files.encoding import CHINESE, open_lines
from indexer.files.errors import UserError, bad_input
from indexer.sources.sentence_files import is_sentence_file, read_sentence_lists
from indexer.sources.table_rows import TableRow, read_table_rows
from retriever.queries import analyser_of, union_query

if TYPE_CHECKING:
    from retriever.ranking.ranking import Ranking

DEPTH = 100
BATCH = 100
RUN_TAG = "classical-qa"
TOPICS = "expected a question a line, ID TAB question, or a file of DBQA, TBQA, SelQA, WikiQA or TrecQA"


class Question(NamedTuple):
    """A question of a topics file."""

    query_id: str
    text: str


class Ranked(NamedTuple):
    """The documents of one question, best first, with their scores."""

    query_id: str
    documents: Sequence[tuple[Hit, float]]


def read_topics(path: str | Path) -> list[Question]:
    """The questions of a file, in the file's order.

    One a line, or `query_id TAB question`; without an id, the line's number is taken. Files of a ranking task
    (DBQA, TBQA, SelQA, WikiQA, TrecQA) are read for their questions, which are numbered from 1 as `evaluation
    export` does. UserError with file and line: an unreadable or empty line, more than two columns, an id that
    repeats or has blanks, what is no row of the task's file, and for a file without questions.
    """
    if is_sentence_file(path):
        return _numbered(one.question for one in read_sentence_lists(path))
    if _holds_tables(path):
        return _numbered(question for question, _ in groupby(row.question.strip() for row in read_table_rows(path)))
    return _plain_topics(path)


def _numbered(questions: Iterable[str]) -> list[Question]:
    return [Question(str(number), text) for number, text in enumerate(questions, 1)]


def _holds_tables(path: str | Path) -> bool:
    """Whether the first line has the columns of a TBQA row, which no list of questions has."""
    first = next(iter(open_lines(path)), None)
    return first is not None and len((first.text or "").split("\t")) in (4, 5)


def _plain_topics(path: str | Path) -> list[Question]:
    questions: dict[str, Question] = {}
    for line in open_lines(path, CHINESE):
        cells = [cell.strip() for cell in (line.text or "").split("\t")]
        query_id = cells[0] if len(cells) == 2 else str(line.number)
        if line.text is None or len(cells) > 2 or not cells[-1]:
            raise bad_input(path, line.number, line.reason or "no question", TOPICS)
        if query_id in questions or not query_id or len(query_id.split()) != 1:
            raise bad_input(path, line.number, f"the id {query_id!r}", "expected ids without blanks, each once")
        questions[query_id] = Question(query_id, cells[-1])
    if not questions:
        raise bad_input(path, None, "no questions", TOPICS)
    return list(questions.values())


def rank_collection(
    index: Index, questions: Sequence[Question], k: int, part: str | None = None, model_path: str | None = None
) -> Iterator[Ranked]:
    """The k best documents of each question, in the order of the questions.

    Without a model they come as the engine ranks them. A model puts the engine's 100 best (k, where that is
    more) in its own order; it must be of the task that fits the index: nlpcc-tbqa for tables, else nlpcc-dbqa
    for Chinese and selqa for English text. UserError for another.
    """
    searcher = index.part(part)
    terms = analyser_of(index).terms
    for start in range(0, len(questions), BATCH):
        batch = questions[start : start + BATCH]
        queries = [union_query(terms(one.text)) for one in batch]
        found = searcher.search(queries, max(k, DEPTH) if model_path else k)
        if model_path:
            yield from _ranked_by_model(index, batch, found, k, model_path)
        else:
            yield from (
                Ranked(one.query_id, [(hit, hit.score) for hit in hits]) for one, hits in zip(batch, found, strict=True)
            )


def _ranked_by_model(
    index: Index, questions: Sequence[Question], found: Sequence[Sequence[Hit]], k: int, model_path: str
) -> Iterator[Ranked]:
    import numpy as np

    hits_of = {one.text: hits for one, hits in zip(questions, found, strict=True) if hits}
    scores_of: dict[str, list[float]] = {}
    if hits_of:
        ranking = _ranking(index, list(hits_of), list(hits_of.values()))
        scores = ranking.by_model(ranking.load(model_path)).tolist()
        ends = np.cumsum(ranking.lists.sizes).tolist()
        scores_of = {text: scores[end - len(hits_of[text]) : end] for text, end in zip(hits_of, ends, strict=True)}
    for one in questions:
        hits, own = hits_of.get(one.text, ()), scores_of.get(one.text, [])
        order = sorted(range(len(hits)), key=lambda place: (-own[place], place))
        yield Ranked(one.query_id, [(hits[place], own[place]) for place in order[:k]])


def _ranking(index: Index, questions: Sequence[str], found: Sequence[Sequence[Hit]]) -> Ranking:
    """The hits as lists of candidates; the questions are different ones."""
    if index.metadata.kind == "tables":
        return _table_ranking(questions, found)
    from retriever.ranking.lists import CandidateList

    lists = [
        CandidateList(question, tuple(hit.document.text for hit in hits))
        for question, hits in zip(questions, found, strict=True)
    ]
    if index.metadata.language == "zh":
        from retriever.ranking.chinese_ranking import chinese_ranking

        return chinese_ranking(lists)
    if index.metadata.language == "en":
        from retriever.ranking.english_ranking import english_ranking

        return english_ranking(lists)
    raise UserError(f"the index {index.address} is in {index.metadata.language!r}: --model ranks English and Chinese")


def _table_ranking(questions: Sequence[str], found: Sequence[Sequence[Hit]]) -> Ranking:
    from retriever.ranking.table_ranking import table_ranking

    rows = (
        TableRow(place, None, question, *hit.document.payload.split("\t"))
        for question, hits in zip(questions, found, strict=True)
        for place, hit in enumerate(hits, 1)
    )
    return table_ranking(rows).ranking


def trec_lines(ranked: Ranked, tag: str = RUN_TAG) -> Iterator[str]:
    """`query_id Q0 doc_id rank score tag`, one line a document."""
    for rank, (hit, score) in enumerate(ranked.documents, 1):
        yield f"{ranked.query_id} Q0 {hit.doc_id} {rank} {score:.7g} {tag}"
