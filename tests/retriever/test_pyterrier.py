"""Our index and our rankers inside PyTerrier itself: its frames, its operators, its experiments."""

from __future__ import annotations

import math
import pickle
from pathlib import Path

import pandas as pd
import pyterrier as pt
import pytest
from pandas.testing import assert_frame_equal

from answerer.__main__ import main as answerer
from evaluation.trec_measures import query_scores
from indexer import build_collection
from indexer.__main__ import main as indexer
from indexer.engines.opening import open_index as open_engine
from indexer.files.errors import UserError
from indexer.formats.sentence_rows import read_sentence_file
from retriever.collection import rank_collection
from retriever.pyterrier import IndexRetriever, IndexTexts, ModelReranker, candidates
from retriever.rm3 import Rm3
from retriever.search import OpenIndex, open_index
from retriever.topics import Topic, read_topics
from retriever.weighting import Weighting
from tests.places import SAMPLES
from tests.programs import invoked

# PyTerrier's own code and advice
pytestmark = pytest.mark.filterwarnings(
    "ignore:The inplace keyword", "ignore:There are shared pipeline components"
)

TREC_TOPICS = SAMPLES / "collection" / "topics.trec"
COLUMNS = ["qid", "query", "docno", "score", "rank", "text", "source_id"]
RERANKED = ["qid", "query", "docno", "text"]
TOPICS = pd.DataFrame(
    [
        ["q1", "Who built the pyramid at Giza?"],
        ["q2", "???"],
        ["q3", "Which king issued a code of laws in Babylon?"],
    ],
    columns=["qid", "query"],
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the sample book, and a ranker of English sentences."""
    folder = tmp_path_factory.mktemp("pyterrier")
    invoked(
        indexer, "textbook", SAMPLES / "textbook-en.jsonl", "--index", folder / "book", "--no-names"
    )
    invoked(
        answerer,
        "train",
        "selqa",
        SAMPLES / "selqa.dev.json",
        "-o",
        folder / "model.json",
        "--folds",
        3,
    )
    return folder


@pytest.fixture(scope="module")
def book(folder: Path) -> IndexRetriever:
    return IndexRetriever(str(folder / "book"), k=5)


@pytest.fixture(scope="module")
def ranker(folder: Path) -> ModelReranker:
    return ModelReranker(folder / "model.json")


def rows(frame: pd.DataFrame, *columns: str) -> list[tuple[object, ...]]:
    return list(frame[list(columns)].itertuples(index=False, name=None))


def test_an_index_gives_the_frame_of_its_hits(book: IndexRetriever, folder: Path) -> None:
    found = book(TOPICS)
    expected = [
        (qid, query, hit.doc_id, pytest.approx(hit.score, rel=5e-5), rank, hit.text, hit.source_id)
        for qid, query in rows(TOPICS, "qid", "query")
        for rank, hit in enumerate(open_index(folder / "book").search(str(query), k=5))
    ]
    assert list(found.columns) == COLUMNS
    assert rows(found, *COLUMNS) == expected
    assert list(found["qid"].unique()) == ["q1", "q3"]  # "???" has no terms


def test_it_needs_no_java(book: IndexRetriever) -> None:
    assert len(book.search("Which kings and queens ruled?")) == 5
    assert not pt.java.started()


def test_columns_of_the_queries_are_kept_and_nothing_gives_an_empty_frame(
    book: IndexRetriever,
) -> None:
    topics = TOPICS.assign(qtype="who")
    assert list(book(topics).columns) == [
        "qid",
        "query",
        "qtype",
        "docno",
        "score",
        "rank",
        "text",
        "source_id",
    ]
    assert list(book(TOPICS.iloc[:0]).columns) == COLUMNS
    assert book(TOPICS.iloc[1:2]).empty
    assert book(TOPICS.iloc[:0]).dtypes["rank"] == "int64"


def test_a_query_without_text_is_refused(book: IndexRetriever) -> None:
    with pytest.raises(UserError, match="a query has no text"):
        book.transform(pd.DataFrame([["q1", math.nan]], columns=["qid", "query"]))


def test_a_frame_without_queries_is_refused_by_pyterrier(book: IndexRetriever) -> None:
    with pytest.raises(pt.validate.InputValidationError):
        book(TOPICS[["qid"]])
    with pytest.raises(pt.validate.InputValidationError):
        book(book(TOPICS))


def test_a_cutoff_is_asked_of_the_index(book: IndexRetriever) -> None:
    cut = (book % 2).compile()
    assert isinstance(cut, IndexRetriever)
    assert cut.k == 2
    assert rows(cut(TOPICS), *COLUMNS) == rows((book % 2)(TOPICS), *COLUMNS)
    assert (book % 9).compile().k == 5


def test_a_ranker_puts_hits_in_the_order_of_the_command(
    book: IndexRetriever, ranker: ModelReranker, folder: Path
) -> None:
    ranked = (book >> ranker)(TOPICS).sort_values(["qid", "rank"])
    asked = [Topic(str(qid), str(query)) for qid, query in rows(TOPICS, "qid", "query")]
    best = rank_collection(
        open_engine(str(folder / "book")), asked, 100, model_path=str(folder / "model.json")
    )
    hits = (IndexRetriever(folder / "book", k=100) >> ranker)(TOPICS).sort_values(["qid", "rank"])
    assert rows(hits, "qid", "docno", "score") == [
        (one.query_id, hit.doc_id, pytest.approx(score))
        for one in best
        for hit, score in one.documents
    ]
    assert set(ranked["docno"]) == set(book(TOPICS)["docno"])
    assert list(ranked["rank"]) == [*range(5), *range(5)]


def test_a_ranker_scores_candidates_as_the_answerer_does(
    ranker: ModelReranker, folder: Path
) -> None:
    invoked(
        answerer, f"selqa {SAMPLES}/selqa.dev.json --model {ranker.model} -o {folder}/result.json"
    )
    result = read_sentence_file(folder / "result.json")
    frame = pd.DataFrame(
        [
            (str(number), one.question, f"{number}-{place}", text, one.topic)
            for number, one in enumerate(result.lists)
            for place, text in enumerate(one.candidates)
        ],
        columns=["qid", "query", "docno", "text", "topic"],
    )
    scores = dict(rows(ranker(frame), "docno", "score"))
    interleaved = frame.assign(place=frame.groupby("qid").cumcount()).sort_values(
        "place", kind="stable"
    )
    assert dict(rows(ranker(interleaved), "docno", "score")) == pytest.approx(scores)
    for number, (one, results) in enumerate(zip(result.lists, result.results, strict=True)):
        powers = [
            math.exp(scores[f"{number}-{place}"]) * bool(text)
            for place, text in enumerate(one.candidates)
        ]
        assert results == pytest.approx([power / sum(powers) for power in powers], rel=1e-4)


def test_a_topic_that_is_missing_is_none() -> None:
    frame = pd.DataFrame(
        [("q", "Who?", "d", "Ann.", float("nan"))],
        columns=["qid", "query", "docno", "text", "topic"],
    )
    assert candidates(frame).topic == ""


def test_an_experiment_compares_them(book: IndexRetriever, ranker: ModelReranker) -> None:
    found = book(TOPICS)
    second = found[(found["qid"] == "q1") & (found["rank"] == 1)]["docno"].item()
    third = found[(found["qid"] == "q3") & (found["rank"] == 2)]["docno"].item()
    qrels = pd.DataFrame(
        [["q1", second, 1], ["q3", third, 1], ["q2", "x", 1]], columns=["qid", "docno", "label"]
    )
    table = pt.Experiment([book, book % 2, book >> ranker], TOPICS, qrels, ["recip_rank", "P_5"])
    assert list(table["recip_rank"][:2]) == pytest.approx([(1 / 2 + 1 / 3 + 0) / 3, (1 / 2) / 3])
    assert list(table["P_5"]) == pytest.approx([2 / 5 / 3, 1 / 5 / 3, 2 / 5 / 3])
    assert str(book) in table["name"][0]


def test_texts_lost_in_a_sum_are_looked_up(book: IndexRetriever, ranker: ModelReranker) -> None:
    summed = book % 1 + book % 5
    assert summed(TOPICS)["text"].isna().any()
    with pytest.raises(UserError, match="IndexTexts"):
        (summed >> ranker)(TOPICS)
    complete = (summed >> IndexTexts(book.index))(TOPICS)
    assert dict(rows(complete, "docno", "text")) == dict(rows(book(TOPICS), "docno", "text"))
    assert len((summed >> IndexTexts(book.index) >> ranker)(TOPICS)) == len(complete)
    assert not ((book % 1 | book % 5) >> ranker)(TOPICS).empty
    with pytest.raises(UserError, match="'nowhere'"):
        IndexTexts(book.index)(pd.DataFrame({"docno": ["nowhere"]}))


def test_a_file_that_is_no_ranker_of_sentences_is_one_line(tmp_path: Path) -> None:
    invoked(
        answerer,
        "train",
        "nlpcc-tbqa",
        SAMPLES / "tbqa.dev.txt",
        "-o",
        tmp_path / "model",
        "--folds",
        3,
    )
    with pytest.raises(UserError, match=r"nlpcc-tbqa.* selqa or nlpcc-dbqa"):
        ModelReranker(tmp_path / "model")


def test_a_chinese_ranker(tmp_path: Path) -> None:
    invoked(indexer, "textbook", SAMPLES / "dbqa.dev.txt", "--index", tmp_path / "ix")
    invoked(
        answerer,
        "train",
        "nlpcc-dbqa",
        SAMPLES / "dbqa.dev.txt",
        "-o",
        tmp_path / "model",
        "--folds",
        3,
    )
    found = (IndexRetriever(tmp_path / "ix") >> ModelReranker(tmp_path / "model")).search(
        "青石桥有多长？"
    )
    assert found["text"].iloc[0] == max(rows(found, "score", "text"))[1]


def test_pipelines_are_described_drawn_and_sent_to_other_processes(
    book: IndexRetriever, ranker: ModelReranker
) -> None:
    pipeline = book >> ranker
    assert pt.inspect.transformer_inputs(book) == [["qid", "query"]]
    assert pt.inspect.transformer_outputs(pipeline, ["qid", "query"]) == [
        "qid",
        "query",
        "docno",
        "text",
        "source_id",
        "score",
        "rank",
    ]
    assert "IndexRetriever" in pt.schematic.draw(
        book
    )  # of a pipeline it would look up its own documentation
    assert repr(pipeline).startswith("(IndexRetriever(index=<Index ")
    again = pickle.loads(pickle.dumps(book))  # noqa: S301 (our own bytes)
    assert rows(again(TOPICS), *COLUMNS) == rows(book(TOPICS), *COLUMNS)
    assert book == IndexRetriever(book.index, 5) != IndexRetriever(book.index, 6)


def test_both_engines_give_the_same_frame(book: IndexRetriever, elasticsearch_address: str) -> None:
    invoked(
        indexer, f"textbook {SAMPLES}/textbook-en.jsonl --index {elasticsearch_address} --no-names"
    )
    pd.testing.assert_frame_equal(
        IndexRetriever(elasticsearch_address, k=5)(TOPICS), book(TOPICS), check_exact=True
    )


def test_scores_are_those_that_both_engines_give_alike(
    book: IndexRetriever, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engines' own sums round apart once in 500 scores or so, and in none of the sample
    book's."""
    asked, search = [], OpenIndex.search

    def noted(self: OpenIndex, queries: list[str], k: int, **options: object) -> object:
        asked.append(options)
        return search(self, queries, k, **options)  # type: ignore[call-overload]  # as it was given

    monkeypatch.setattr(OpenIndex, "search", noted)
    book(TOPICS)
    assert asked == [{"part": None, "exact": True}]


@pytest.mark.parametrize(
    ("first", "second", "texts"), [("Who built it?", "Who sank it?", 2), (math.nan, math.nan, 0)]
)
def test_a_query_is_one_text(
    ranker: ModelReranker, first: object, second: object, texts: int
) -> None:
    """Rows of one qid that ask two things were all ranked for the first."""
    frame = pd.DataFrame(
        [["1", first, "a", "Ann."], ["1", second, "b", "It sank."]], columns=RERANKED
    )
    with pytest.raises(UserError, match=f"'1' has {texts} "):
        ranker(frame)


def test_a_query_whose_first_row_lost_it_in_a_sum_is_asked_as_its_others(
    ranker: ModelReranker,
) -> None:
    frame = pd.DataFrame(
        [["1", "Who built it?", "a", "Ann built it."], ["1", "Who built it?", "b", "It sank."]],
        columns=RERANKED,
    )
    lost = frame.assign(query=[math.nan, "Who built it?"])
    assert list(ranker(lost)["score"]) == list(ranker(frame)["score"])


@pytest.mark.parametrize("options", [{}, {"rm3": Rm3()}, {"weighting": Weighting("ql")}])
def test_an_experiment_on_a_collection_scores_its_runs(
    collection: str, tmp_path: Path, options: dict
) -> None:
    """By the collection's own ids, as `retriever --topics` and `evaluation trec` do it."""
    qrels = SAMPLES / "collection" / "qrels.txt"
    topics = {each.query_id: each.text for each in read_topics(TREC_TOPICS)}
    with open_index(collection) as index:
        (tmp_path / "run").write_text(index.rank(topics, **options).to_trec())
    frame = pd.DataFrame(list(topics.items()), columns=["qid", "query"])
    system = IndexRetriever(collection, **options)
    assert system.search(next(iter(topics.values())))["source_id"][0] == "bk-01"
    table = pt.Experiment([system], frame, pt.io.read_qrels(str(qrels)), ["map", "recip_rank"])
    (scored,) = query_scores(qrels, [tmp_path / "run"], ["AP", "RR"])
    means = [sum(values.values()) / len(values) for values in scored.values()]
    assert table.loc[0, ["map", "recip_rank"]].tolist() == pytest.approx(means)


def test_a_weighting_is_of_collections(folder: Path) -> None:
    with pytest.raises(UserError, match="no collection"):
        IndexRetriever(str(folder / "book"), rm3=Rm3()).search("Giza")


@pytest.mark.parametrize("options", [{}, {"rm3": Rm3()}])
def test_a_cutoff_keeps_the_weighting(collection: str, options: dict) -> None:
    whole = IndexRetriever(collection, **options)
    assert_frame_equal((whole % 2).compile().search("rye bread"), whole.search("rye bread")[:2])


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> str:
    address = str(tmp_path_factory.mktemp("collection") / "ix")
    build_collection(SAMPLES / "collection" / "corpus.jsonl", address)
    return address
