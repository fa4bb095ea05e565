"""A whole collection ranked for many questions: the engine's hits, put in order by a trained
ranker."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from indexer.engines.contract import Index, ScoredDocument
from indexer.engines.scoring import K1, B, round_score
from indexer.files.encoding import open_lines
from indexer.files.errors import UserError, bad_input
from indexer.formats.labels import CandidateList
from indexer.formats.sentence_rows import is_sentence_file, read_sentence_file
from indexer.formats.table_rows import TableRow, is_table_file, read_table_rows
from indexer.formats.trec_run import RUN_TAG, run_lines
from indexer.languages.chinese import CHINESE
from indexer.languages.english import ENGLISH
from indexer.languages.registry import detect_language, offered_for
from indexer.sources.tables.schema import decode_table
from retriever.queries import language_of, terms_of, text_part, union_query

if TYPE_CHECKING:
    from retriever.ranking.ranker import Ranking

DEPTH = 100  # hits of a question that a model reranks, as `--help` says; a larger k reranks k
BATCH = 100  # questions searched in one request; limits memory, not the result
TOPICS = (
    "expected a question a line, ID TAB question, or a file of DBQA, TBQA, SelQA, WikiQA or TrecQA"
)


class Topic(NamedTuple):
    """A question of a topics file."""

    query_id: str
    text: str


class RankedDocuments(NamedTuple):
    """The (hit, score) pairs of one question, best first."""

    query_id: str
    documents: Sequence[tuple[ScoredDocument, float]]


def read_topics(path: str | Path) -> list[Topic]:
    """The questions of a topics file, in the file's order.

    A line is a question, whose id is its line number, or `query_id TAB question`; blank lines are
    skipped. Files of a ranking task (DBQA, TBQA, SelQA, WikiQA, TrecQA) are read for their
    questions, which are numbered from 1 as in `evaluation export`. Raises UserError with file and
    line: an unreadable line, one without a question or with more than two columns, an id that
    repeats or has blanks, a line that is not a row of the task's file; no questions.
    """
    listed: Iterable[str] = ()
    if is_sentence_file(path):
        listed = (each.question.strip() for each in read_sentence_file(path).lists)
    elif is_table_file(path):
        listed = dict.fromkeys(row.question for row in read_table_rows(path))
    if topics := [Topic(str(number), text) for number, text in enumerate(listed, 1)]:
        return topics
    questions: dict[str, Topic] = {}
    for line in open_lines(path, CHINESE.encodings):
        if line.text is not None and not line.text.strip():
            continue
        cells = [cell.strip() for cell in (line.text or "").split("\t")]
        query_id = cells[0] if len(cells) == 2 else str(line.number)
        if line.text is None or len(cells) > 2 or not cells[-1]:
            raise bad_input(path, line.number, line.reason or "no question", TOPICS)
        if query_id in questions or not query_id or len(query_id.split()) != 1:
            raise bad_input(
                path, line.number, f"the id {query_id!r}", "expected ids without blanks, each once"
            )
        questions[query_id] = Topic(query_id, cells[-1])
    if not questions:
        raise bad_input(path, None, "no questions", TOPICS)
    return list(questions.values())


# The functions that prepare lists of candidate sentences for ranking, by the task whose models rank
# them.
SENTENCE_RANKINGS = {
    "selqa": "retriever.ranking.english:english_ranking",
    "nlpcc-dbqa": "retriever.ranking.chinese:chinese_ranking",
}
_TASKS = {ENGLISH: "selqa", CHINESE: "nlpcc-dbqa"}


def rank_sentences(task: str, lists: Sequence[CandidateList]) -> Ranking:
    """Lists of candidate sentences, prepared for the models of a task of `SENTENCE_RANKINGS`."""
    return cast("Ranking", resolve_name(SENTENCE_RANKINGS[task])(lists))


def model_task(index: Index) -> str:
    """The task whose models rank what an index holds. Raises UserError if there is not one."""
    if index.metadata.kind == "tables":
        return "nlpcc-tbqa"
    return offered_for(_TASKS, language_of(index), "models rank sentences")


def rank_collection(
    index: Index,
    questions: Sequence[Topic],
    k: int,
    part: str | None = None,
    model_path: str | None = None,
) -> Iterator[RankedDocuments]:
    """Yields the k best documents of each question, in the order of the questions.

    Without a model they have the engine's order and scores, which are the same from both engines to
    5 significant digits. A model reranks the engine's 100 best (k, if that is more); its task must
    be nlpcc-tbqa for tables, else nlpcc-dbqa for Chinese and selqa for English text. Raises
    UserError for another model, and for questions whose script is not that of the index's language.
    """
    language, asked = (
        index.metadata.language,
        detect_language("\n".join(each.text for each in questions)),
    )
    if language is not None and asked.uses_spaces != language.uses_spaces:
        raise UserError(
            f"the questions are in {asked.name}, the index {index.address} is in {language.name}: "
            f"choose an index in "
            "their language"
        )
    if model_path:
        from retriever.learning.model import read_model

        read_model(
            model_path, model_task(index)
        )  # refused also where no hits are found to be ranked
    # Exact scores: a run is the same from both engines.
    searcher, terms = text_part(index, part), terms_of(index)
    for start in range(0, len(questions), BATCH):
        batch = questions[start : start + BATCH]
        queries = [union_query(terms(each.text)) for each in batch]
        hits_by_question = searcher.search(queries, max(k, DEPTH) if model_path else k, exact=True)
        if model_path:
            yield from rerank(index, batch, hits_by_question, k, model_path)
        else:
            for each, hits in zip(batch, hits_by_question, strict=True):
                yield RankedDocuments(
                    each.query_id, [(hit, round_score(hit.score)) for hit in hits]
                )


def rerank(
    index: Index,
    questions: Sequence[Topic],
    hits_by_question: Sequence[Sequence[ScoredDocument]],
    k: int,
    model_path: str,
) -> Iterator[RankedDocuments]:
    """Yields the k best documents of each question by the model's scores, ties in the engine's
    order; hits_by_question[i] are the hits of questions[i]."""
    # A question that is asked twice is ranked once; one without hits has no list.
    hits_of = {
        each.text: hits for each, hits in zip(questions, hits_by_question, strict=True) if hits
    }
    ranked_of: dict[str, list[tuple[ScoredDocument, float]]] = {}
    if hits_of:
        from retriever.ranking.ranker import score_by_model

        if index.metadata.kind == "tables":
            from retriever.ranking.tables import table_ranking

            rows = [
                TableRow(place, None, question, *decode_table(hit.document.payload))
                for question, hits in hits_of.items()
                for place, hit in enumerate(hits, 1)
            ]
            ranking = table_ranking(rows)[0]
        else:
            lists = [
                CandidateList(text, tuple(hit.document.text for hit in hits))
                for text, hits in hits_of.items()
            ]
            ranking = rank_sentences(model_task(index), lists)
        scores = score_by_model(ranking, model_path)[1].tolist()
        for (text, hits), start, size in zip(hits_of.items(), *ranking.lists.spans(), strict=True):
            scored = zip(hits, scores[start : start + size], strict=True)
            ranked_of[text] = sorted(scored, key=lambda pair: -pair[1])
    for each in questions:
        yield RankedDocuments(each.query_id, ranked_of.get(each.text, [])[:k])


def trec_text(ranked: RankedDocuments) -> str:
    """The lines of a question in a TREC run, one a document; ties are broken as in `run_lines`."""
    return "".join(
        run_lines(
            ranked.query_id, ((hit.doc_id, score) for hit, score in ranked.documents), RUN_TAG
        )
    )


def retrieval_metadata(
    index: Index,
    k: int,
    part: str | None = None,
    model_path: str | None = None,
    command: str = "",
    questions: Sequence[str | Path] = (),
) -> dict[str, Any]:
    """Description of a run of `rank_collection` in the form of [ir_metadata] 0.1: index, BM25,
    depth k, model. `command` is the command that makes it, `questions` are the files of its
    questions."""
    from indexer.files.hashes import fingerprint
    from retriever.provenance import describe, run_header, run_metadata

    method = "bm25, reranked by a model" if model_path else "bm25"
    model = {"model": fingerprint(model_path), "reranks": max(k, DEPTH)} if model_path else {}
    parameters = {"k": k, "part": part, "k1": K1, "b": B, **model}
    packages = index.metadata.language.packages if index.metadata.language else ()
    header = run_header("retrieval", method, parameters, describe(index), packages=packages)
    return run_metadata(RUN_TAG, header, command, questions)
