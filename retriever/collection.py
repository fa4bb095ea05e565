"""A whole collection ranked for many questions: the engine's hits, put in order by a trained
ranker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from pkgutil import resolve_name
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from indexer.engines.contract import Index, ScoredDocument
from indexer.engines.scoring import K1, B, round_score
from indexer.files.errors import UserError
from indexer.formats.labels import CandidateList
from indexer.formats.table_rows import TableRow
from indexer.formats.trec_run import RUN_TAG, run_lines
from indexer.languages.chinese import CHINESE
from indexer.languages.english import ENGLISH
from indexer.languages.registry import detect_language, offered_for
from indexer.sources.tables.schema import decode_table
from retriever.queries import counted_query, language_of, terms_of, text_part
from retriever.topics import Topic

if TYPE_CHECKING:
    from retriever.ranking.ranker import Ranking

DEPTH = 100  # hits of a question that a model reranks, as `--help` says; a larger k reranks k
BATCH = 100  # questions searched in one request; limits memory, not the result


class RankedDocuments(NamedTuple):
    """The (hit, score) pairs of one question, best first."""

    query_id: str
    documents: Sequence[tuple[ScoredDocument, float]]


# The functions that prepare lists of candidate sentences for ranking, by the task whose models rank
# them.
SENTENCE_RANKINGS = {
    "selqa": "retriever.ranking.english:english_ranking",
    "nlpcc-dbqa": "retriever.ranking.chinese:chinese_ranking",
}
_TASKS = {ENGLISH: "selqa", CHINESE: "nlpcc-dbqa"}


def rank_sentences(task: str, lists: Sequence[CandidateList]) -> Ranking:
    """Lists of candidate sentences, prepared for the models of a task of `SENTENCE_RANKINGS`
    (KeyError for another)."""
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
    model_path: str | Path | None = None,
    sources: Sequence[str | Path] = (),
) -> Iterator[RankedDocuments]:
    """Yields the k best documents of each question, in the order of the questions.

    Without a model they have the engine's order and scores, which are the same from both engines to
    5 significant digits. A model reranks the engine's 100 best (k, if that is more); its task must
    be nlpcc-tbqa for tables, else nlpcc-dbqa for Chinese and selqa for English text. Raises
    UserError for another model, and as `check_language` does. Warns if the model was trained on
    one of the files of the questions (`sources`).
    """
    check_language(index, [topic.text for topic in questions])
    if model_path:
        from retriever.learning.model import read_model, warn_if_trained_on

        # Refused also where no hits are found to be ranked.
        model = read_model(model_path, model_task(index))
        warn_if_trained_on(model_path, model, sources)
    # Exact scores: a run is the same from both engines.
    searcher, terms = text_part(index, part), terms_of(index)
    for start in range(0, len(questions), BATCH):
        batch = questions[start : start + BATCH]
        queries = [counted_query(terms(topic.text)) for topic in batch]
        hits_by_question = searcher.search(queries, max(k, DEPTH) if model_path else k, exact=True)
        if model_path:
            yield from rerank(index, batch, hits_by_question, k, model_path)
        else:
            for topic, hits in zip(batch, hits_by_question, strict=True):
                yield RankedDocuments(
                    topic.query_id, [(hit, round_score(hit.score)) for hit in hits]
                )


def check_language(index: Index, texts: Sequence[str]) -> None:
    """Raises UserError if the language of the questions (of all together) puts blanks between words
    and that of the index does not, or the reverse; never for questions without letters, or an index
    without a language."""
    language, script = index.metadata.language, detect_language("\n".join(texts))
    if language is None or not any(map(str.isalpha, "".join(texts))):
        return
    if script.uses_spaces != language.uses_spaces:
        raise UserError(
            f"the questions are in {script.name}, the index {index.address} is in {language.name}: "
            f"choose an index in their language"
        )


def rerank(
    index: Index,
    questions: Sequence[Topic],
    hits_by_question: Sequence[Sequence[ScoredDocument]],
    k: int,
    model_path: str | Path,
) -> Iterator[RankedDocuments]:
    """Yields for each question, in order, its k best documents by the model's scores, ties in the
    engine's order, an empty list for one without hits; hits_by_question[i] are the hits of
    questions[i]."""
    # A question that is asked twice is ranked once; one without hits has no list.
    hits_of = {
        topic.text: hits for topic, hits in zip(questions, hits_by_question, strict=True) if hits
    }
    ranked_of: dict[str, list[tuple[ScoredDocument, float]]] = {}
    if hits_of:
        from retriever.ranking.ranker import score_by_model

        if index.metadata.kind == "tables":
            from retriever.ranking.tables import table_ranking

            rows = [
                TableRow(rank, None, question, *decode_table(hit.document.payload))
                for question, hits in hits_of.items()
                for rank, hit in enumerate(hits, 1)
            ]
            ranking = table_ranking(rows)[0]
        else:
            lists = [
                CandidateList(text, tuple(hit.document.text for hit in hits))
                for text, hits in hits_of.items()
            ]
            ranking = rank_sentences(model_task(index), lists)
        scores = score_by_model(ranking, str(model_path))[1].tolist()
        for (text, hits), start, size in zip(hits_of.items(), *ranking.lists.spans(), strict=True):
            scored = zip(hits, scores[start : start + size], strict=True)
            ranked_of[text] = sorted(scored, key=lambda pair: -pair[1])
    for topic in questions:
        yield RankedDocuments(topic.query_id, ranked_of.get(topic.text, [])[:k])


def trec_text(ranked: RankedDocuments) -> str:
    """The lines of a question in a TREC run called RUN_TAG, one a document; ties are broken as in
    `run_lines`."""
    return "".join(
        run_lines(
            ranked.query_id, ((hit.doc_id, score) for hit, score in ranked.documents), RUN_TAG
        )
    )


def used_options(weighting: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a weighting without those of others that have no effect beside them: of BM25
    those of query likelihood, of query likelihood those of BM25, without RM3 those of RM3."""
    others = {"k1", "b"} if weighting.get("weighting") == "ql" else {"mu"}
    if not weighting.get("rm3"):
        others |= {"fb_docs", "fb_terms", "original_weight"}
    return {name: value for name, value in weighting.items() if name not in others}


def retrieval_metadata(
    index: Index,
    k: int,
    part: str | None = None,
    model_path: str | Path | None = None,
    command: str = "",
    questions: Sequence[str | Path] = (),
    *,
    tag: str = RUN_TAG,
    weighting: Mapping[str, Any] = MappingProxyType({"k1": K1, "b": B}),
) -> dict[str, Any]:
    """Description of a run called `tag` in the form of [ir_metadata] 0.1: index, options of the
    `weighting`, depth k, model. `command` is the command that makes it, `questions` are the files
    of its questions, which are hashed, as the model's file is."""
    from indexer.files.hashes import fingerprint
    from retriever.provenance import describe, run_header, run_metadata

    method = str(weighting.get("weighting", "bm25")) + (" and rm3" if weighting.get("rm3") else "")
    method += ", reranked by a model" if model_path else ""
    model = {"model": fingerprint(model_path), "reranks": max(k, DEPTH)} if model_path else {}
    parameters = {"k": k, "part": part, **used_options(weighting), **model}
    packages = index.metadata.language.packages if index.metadata.language else ()
    header = run_header("retrieval", method, parameters, describe(index), packages=packages)
    return run_metadata(tag, header, command, questions)
