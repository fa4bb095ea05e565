"""`python -m retriever`: what it prints, and why a document answered."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from indexer import build_collection, build_textbook
from indexer.cli.types import MOST
from indexer.engines.opening import open_index
from indexer.files.errors import UserError
from indexer.files.versions import commit
from indexer.sources.triples.build import command as index_triples
from retriever.__main__ import main
from retriever.collection import used_options
from tests.books import index_of
from tests.places import SAMPLES
from tests.programs import invoked


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    text = "Augustus ruled Rome.\n\nAshoka ruled India.\n\nThe Ganges flows.\n"
    return index_of(tmp_path_factory.mktemp("retriever"), text)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def rows(*arguments: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in run(*arguments, "--format", "jsonl").stdout.splitlines()]


def test_hits_come_best_first(address: str) -> None:
    found = rows(address, "Who ruled India?")
    assert [row["text"] for row in found] == ["Ashoka ruled India.", "Augustus ruled Rome."]
    assert [row["rank"] for row in found] == [1, 2]


def test_the_terms_explain_the_score(address: str) -> None:
    best = rows(address, "Who ruled India?", "--explain")[0]
    terms = best["terms"]
    assert isinstance(terms, dict)
    assert list(terms) == ["india", "rule"]
    assert sum(terms.values()) == pytest.approx(best["score"], rel=1e-4)


def test_k_cuts_the_list(address: str) -> None:
    assert len(rows(address, "ruled", "-k", "1")) == 1


def test_nothing_found_is_said_on_stderr(address: str) -> None:
    done = run(address, "Antarctica")
    assert (done.stdout, done.stderr) == ("", "nothing found\n")


@pytest.mark.parametrize("asked", [["ruled"], ["--questions", str(SAMPLES / "selqa.test.json")]])
@pytest.mark.parametrize("part", ["chapters", "names"])
def test_a_part_without_text_is_an_error(address: str, asked: list[str], part: str) -> None:
    with pytest.raises(UserError, match=f"'{part}'.* sentences, paragraphs$"):
        invoked(main, address, *asked, "--part", part)


def test_an_index_without_text_says_so(tmp_path: Path) -> None:
    address = str(tmp_path / "kb")
    invoked(index_triples, str(SAMPLES / "triples-zh.kb"), "--index", address)
    with pytest.raises(UserError, match=address):
        invoked(main, address, "x")


def test_as_many_as_there_are_can_be_asked_for(address: str) -> None:
    assert rows(address, "ruled", "-k", str(MOST)) == rows(address, "ruled", "-k", "50")


def test_a_missing_index_names_both_remedies(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"classical-qa index .*ELASTICSEARCH_URL"):
        invoked(main, str(tmp_path / "none"), "x")


def test_questions_that_find_nothing_are_named(address: str, tmp_path: Path) -> None:
    (tmp_path / "questions.tsv").write_text("A\tWho ruled India?\nB\tzzz?\nC\tqqq?\n", "utf-8")
    ended = run(address, "--questions", str(tmp_path / "questions.tsv"), "--format", "trec")
    assert "no hits for 2 of 3 questions: B, C" in ended.stderr


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> str:
    address = str(tmp_path_factory.mktemp("collection") / "cacm")
    build_collection(SAMPLES / "collection" / "corpus.jsonl", address)
    return address


TOPICS = ["--topics", str(SAMPLES / "collection" / "topics.trec")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*TOPICS, "--fb-docs", "5"], "--fb-docs has no effect here: it needs --rm3"),
        ([*TOPICS, "--weighting", "ql", "--k1", "5"], "--k1 .* --weighting bm25"),
        ([*TOPICS, "--mu", "5"], "--mu .* --weighting ql"),
        ([*TOPICS, "--format", "jsonl"], "--format .* a QUERY or --questions"),
        ([*TOPICS, "--explain"], "--explain .* a QUERY"),
        ([*TOPICS, "--model", TOPICS[1]], "--model .* --questions"),
        (["oven", "--rm3"], "--rm3 .* --topics"),
        (["oven", "-o", "file"], "-o .* --topics"),
        ([*TOPICS, "--metadata"], "--metadata .* -o"),
        ([*TOPICS, "-o", "run.gz"], "-o run.gz: nothing is written packed; name it run"),
    ],
)
def test_an_option_without_effect_is_refused(
    collection: str, arguments: list[str], message: str
) -> None:
    with pytest.raises(UserError, match=message):
        invoked(main, collection, *arguments)


@pytest.mark.parametrize("text", ["0,9", "nan"])
def test_what_is_no_number_is_answered_by_one(collection: str, text: str) -> None:
    done = run(collection, *TOPICS, "--k1", text)
    assert f"'{text}': expected a number such as 0.9" in done.stderr


def test_the_metadata_of_a_run_of_topics_stand_beside_it(collection: str, tmp_path: Path) -> None:
    for name, options in (("plain", []), ("told", ["--metadata"])):
        invoked(main, collection, *TOPICS, "--rm3", "-o", str(tmp_path / f"{name}.run"), *options)
    assert (tmp_path / "told.run").read_bytes() == (tmp_path / "plain.run").read_bytes()
    about = yaml.safe_load((tmp_path / "told.run.ir-metadata.yml").read_text("utf-8"))
    assert about["data"]["test collection"]["name"] == "cacm"
    assert about["method"]["retrieval"][0]["name"] == "bm25 and rm3"
    assert not (tmp_path / "plain.run.ir-metadata.yml").exists()
    (corpus,) = about["data"]["other"]
    with closing(open_index(collection)) as index:
        assert corpus["source"]["sha256"] == index.metadata.content
    assert about["implementation"]["source"].get("commit", "") == commit()


BM25 = {"weighting": "bm25", "k1": 1.2, "b": 0.75}
OF_RM3 = {"fb_docs": 10, "fb_terms": 10, "original_weight": 0.5}


@pytest.mark.parametrize(
    ("chosen", "used"),
    [
        ({"rm3": False}, {**BM25, "rm3": False}),
        ({"rm3": True}, {**BM25, "rm3": True, **OF_RM3}),
        (
            {"rm3": False, "weighting": "ql"},
            {"weighting": "ql", "mu": 1000.0, "rm3": False},
        ),
    ],
)
def test_the_options_of_other_methods_are_not_recorded(
    chosen: dict[str, object], used: dict[str, object]
) -> None:
    assert used_options({**BM25, "mu": 1000.0, **OF_RM3, **chosen}) == used


@pytest.mark.process
@pytest.mark.parametrize("form", ["jsonl", "table"])
def test_both_engines_print_the_same_bytes(
    tmp_path: Path, elasticsearch_address: str, form: str
) -> None:
    here = str(tmp_path / "book")
    for place in (here, elasticsearch_address):
        build_textbook(SAMPLES / "textbook-en.jsonl", place)
    for question in ("Who built the Taj Mahal?", "the Roman empire and trade in silk", "reform"):
        words = [question, "-k", "20", "--explain", "--format", form]
        printed = run(here, *words).stdout
        assert printed
        assert run(elasticsearch_address, *words).stdout == printed
