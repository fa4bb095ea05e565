"""An index asked in plain words from Python: what it finds, how it is closed, and who may share
it."""

from __future__ import annotations

import math
import multiprocessing
import pickle
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest

from indexer.engines.scoring import round_score
from indexer.files.errors import UserError
from indexer.sources.tables.build import command as index_tables
from indexer.sources.textbook.build import command as index_textbook
from indexer.sources.triples.build import command as index_triples
from retriever.search import Hit, OpenIndex, open_index
from tests.books import index_of
from tests.places import SAMPLES
from tests.programs import invoked

BOOK = """{"title": "Rome", "text": "Augustus ruled Rome."}
{"title": "India", "text": "Ashoka ruled India. The Ganges flows."}
"""
QUESTIONS = ["Who ruled India?", "What flows?", "", "Who ruled?"]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    return index_of(tmp_path_factory.mktemp("search"), BOOK, name="book.jsonl")


@pytest.fixture
def index(address: str) -> Iterator[OpenIndex]:
    with open_index(address) as opened:
        yield opened


def test_hits_come_best_first_with_their_titles(index: OpenIndex) -> None:
    found = index.search("Who ruled India?")
    assert [(hit.title, hit.text) for hit in found] == [
        ("India", "Ashoka ruled India."),
        ("Rome", "Augustus ruled Rome."),
    ]
    assert found[0].score > found[1].score


def test_many_queries_give_what_each_gives_alone(index: OpenIndex) -> None:
    assert index.search(QUESTIONS, k=1) == [index.search(question, k=1) for question in QUESTIONS]
    assert index.search(iter(QUESTIONS), k=1) == index.search(QUESTIONS, k=1)
    assert index.search([]) == []


def test_exact_scores_have_five_digits(index: OpenIndex) -> None:
    exact, plain = (index.search(QUESTIONS, exact=exact) for exact in (True, False))
    assert [[hit.score for hit in hits] for hits in exact] == [
        [round_score(hit.score) for hit in hits] for hits in plain
    ]
    assert exact != plain


def test_nothing_is_found_without_terms(index: OpenIndex) -> None:
    assert index.search("") == index.search("the of") == []


def test_the_terms_of_an_explanation_add_up(index: OpenIndex) -> None:
    best = index.explain("Who ruled India?", k=1)
    assert [one.text for one in best] == ["Ashoka ruled India."]
    assert sum(best[0].terms.values()) == pytest.approx(
        index.search("Who ruled India?")[0].score, rel=1e-5
    )


def test_another_part_is_searched_by_its_name(index: OpenIndex) -> None:
    assert index.search("Ganges", part="paragraphs")[0].doc_id in {
        one.doc_id for one in index.part("paragraphs").scan()
    }
    with pytest.raises(UserError, match="'chapters'"):
        index.search("Ganges", part="chapters")


@pytest.mark.parametrize(
    ("k", "said"), [(0, "k is 0: "), (-1, "k is -1: "), ("5", "k: '5' is not")]
)
def test_fewer_than_one_document_are_refused(index: OpenIndex, k: int, said: str) -> None:
    with pytest.raises(UserError, match=said):
        index.search("India", k)


def test_a_query_that_is_no_text_is_named_by_its_topic(index: OpenIndex) -> None:
    with pytest.raises(UserError, match="topic q2: expected a text, not float"):
        index.search({"q1": "India", "q2": math.nan})  # type: ignore[dict-item]  # as of pandas


def test_an_index_says_what_it_is(index: OpenIndex, address: str) -> None:
    counted = len(index.part("sentences")) + len(
        index.part("paragraphs")
    )  # not what `names` counts
    assert repr(index) == f"<Index {address}: textbook, en, {counted} documents>"
    assert (index.metadata.kind, str(index.metadata.language), index.engine) == (
        "textbook",
        "en",
        "embedded",
    )


def test_a_closed_index_says_so_however_often_it_is_closed(address: str) -> None:
    with open_index(address) as index:
        index.close()
    for ask in (index.search, index.explain, index.part):
        with pytest.raises(UserError, match=address):
            ask("sentences")


def test_a_path_is_a_folder_even_where_it_is_a_bare_name(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(address).parent)
    with open_index(Path("book")) as index:
        assert index.address == "./book"


def test_threads_share_an_index(index: OpenIndex) -> None:
    asked = QUESTIONS * 50
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(index.search, asked)) == index.search(asked)


def test_an_index_sent_to_a_process_opens_there_anew(index: OpenIndex) -> None:
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        assert list(pool.map(index.search, QUESTIONS)) == index.search(QUESTIONS)


def ask_inherited(question: str) -> list[Hit]:
    return INHERITED[0].search(question)


INHERITED: list[OpenIndex] = []


@pytest.mark.process
def test_a_fork_asks_the_embedded_index_that_it_inherits(index: OpenIndex) -> None:
    INHERITED[:] = [index]
    # Processes that fork here would inherit what the tests do on SIGTERM, by which the pool ends
    # them.
    with multiprocessing.get_context("fork").Pool(
        2, signal.signal, (signal.SIGTERM, signal.SIG_DFL)
    ) as pool:
        assert pool.map(ask_inherited, QUESTIONS) == index.search(QUESTIONS)


def test_an_index_of_tables_gives_their_captions(tmp_path: Path) -> None:
    address = str(tmp_path / "tables")
    invoked(index_tables, str(SAMPLES / "tbqa.dev.txt"), "--index", address)
    with open_index(address) as index:
        captions = {hit.title for hit in index.search("Which bridge is longest?", k=3)}
        assert captions
        assert all(caption in (SAMPLES / "tbqa.dev.txt").read_text("utf-8") for caption in captions)


def test_an_index_without_text_says_so(tmp_path: Path) -> None:
    address = str(tmp_path / "kb")
    invoked(index_triples, str(SAMPLES / "triples-zh.kb"), "--index", address)
    with open_index(address) as index, pytest.raises(UserError, match=address):
        index.search("x")


def test_elasticsearch_finds_the_same(elasticsearch_address: str, index: OpenIndex) -> None:
    book = str(index.metadata.sources[0][0])
    invoked(index_textbook, book, "--index", elasticsearch_address)
    with open_index(elasticsearch_address) as other:
        assert pickle.loads(pickle.dumps(other)).address == other.address  # noqa: S301
        ours, theirs = index.search(QUESTIONS), other.search(QUESTIONS)
    assert [[(hit.doc_id, hit.title, hit.text) for hit in hits] for hits in ours] == [
        [(hit.doc_id, hit.title, hit.text) for hit in hits] for hits in theirs
    ]
