"""The models that come with the program: numbers only, named with their data, and what answers
where none is named."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from answerer import answer
from answerer.models import MODELS, UNTRAINED
from indexer import build_datasets, build_triples
from indexer.files.hashes import fingerprint
from tests.places import ROOT, SAMPLES
from tests.programs import done, refused, run

FILES = sorted((ROOT / "answerer" / "models").glob("*.json"))
RANKED = {"selqa": "selqa.dev.json", "nlpcc-dbqa": "dbqa.dev.txt", "nlpcc-tbqa": "tbqa.dev.txt"}
LARGEST = 300_000
LARGEST_WITH_WORDS = 1_000_000


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> str:
    return build_triples(
        SAMPLES / "triples-zh.kb", tmp_path_factory.mktemp("own") / "facts"
    ).address


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> str:
    files = [SAMPLES / "datasearch-collection.jsonl.bz2", SAMPLES / "datasearch-data.tar.bz2"]
    return build_datasets(files, tmp_path_factory.mktemp("own") / "data").address


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_model_says_whose_data_it_was_learned_from_and_holds_none(path: Path) -> None:
    held = json.loads(path.read_text("utf-8"))
    page = (ROOT / "docs" / "models.md").read_text("utf-8")
    # keys and counts of words, in base 64
    numbers = "".join(
        text
        for part in held["learned"].values()
        for text in ([part] if isinstance(part, str) else part)
    )
    assert re.fullmatch("[0-9a-zA-Z+/=]*", numbers)
    assert path.stat().st_size < (LARGEST_WITH_WORDS if numbers else LARGEST)
    for one in held["data"]:
        assert {"file", "bytes", "sha256", "origin", "licence"} <= set(one)
        assert one["sha256"][:16] in page


def test_every_task_of_candidates_facts_and_tables_has_one() -> None:
    assert {path.stem for path in FILES} == {
        *RANKED,
        "nlpcc-kbqa",
        "datasearch-qa",
        "u4-tqa",
        "u4-tr",
    }


@pytest.mark.parametrize("task", RANKED)
def test_candidates_are_ranked_by_the_own_model(task: str) -> None:
    own, untrained = (
        answer(task, SAMPLES / RANKED[task]),
        answer(task, SAMPLES / RANKED[task], model=UNTRAINED),
    )
    assert (own.header["method"], untrained.header["method"]) == ("listwise", "sum")
    assert own.header["parameters"]["model"] == fingerprint(MODELS / f"{task}.json")
    assert own.text != untrained.text
    assert answer(task, SAMPLES / RANKED[task], method="bm25").header["method"] == "bm25"
    assert answer(task, SAMPLES / RANKED[task], model=MODELS / f"{task}.json").text == own.text


def test_a_table_with_a_word_of_the_question_stands_well_above_those_without() -> None:
    """A stand-in whose other tables BM25 had found teaches that common words tell a table wrong; so
    .02 was left."""
    tables = [
        ("Rivers of the east", ["River", "Length"], [["Arle", "210 km"], ["Tovey", "95 km"]]),
        ("Mayors of Northvale", ["Name", "From"], [["Ada Brand", "1950"], ["Tom Hale", "1962"]]),
        (
            "Timeline of element discoveries",
            ["Element", "Year"],
            [["Phosphorus", "1669"], ["Cobalt", "1735"]],
        ),
    ]
    first, second, _ = (
        answer("nlpcc-tbqa", [("who discovered phosphorus?", tables)]).questions[0].candidates
    )
    assert first.text == "Timeline of element discoveries"
    assert first.score - second.score > 0.3


def test_facts_are_ranked_by_the_own_model(facts: str) -> None:
    asked = SAMPLES / "kbqa-zh.txt"
    own, untrained = (
        answer("nlpcc-kbqa", asked, index=facts, **more) for more in ({}, {"model": UNTRAINED})
    )
    assert own.header["parameters"]["model"] == fingerprint(MODELS / "nlpcc-kbqa.json")
    assert untrained.header["parameters"]["model"] is None
    assert own.questions[0].candidates[0].features != untrained.questions[0].candidates[0].features
    plain = answer("nlpcc-kbqa", asked, index=facts, method="overlap", model=UNTRAINED)
    assert plain.header["parameters"]["model"] is None


@pytest.mark.process
def test_derivations_are_ranked_by_the_own_model(data: str) -> None:
    asked = SAMPLES / "datasearch-questions.tsv"
    own, untrained = (
        answer("datasearch-qa", asked, index=data, **more) for more in ({}, {"model": UNTRAINED})
    )
    assert own.header["parameters"]["model"] == fingerprint(MODELS / "datasearch-qa.json")
    assert untrained.header["parameters"]["model"]["file"] == "default_weights.json"
    assert own.questions != untrained.questions


def test_what_has_no_untrained_weights_says_what_is_there_instead(sample_book: str) -> None:
    exam = (
        "ntcir-mc",
        str(SAMPLES / "sample-exam-en.xml"),
        "--index",
        sample_book,
        "--model",
        UNTRAINED,
    )
    assert "--method slqal" in refused("answerer", *exam)
    done("answerer", *exam, "--method", "slqal")
    essay = (
        "ntcir-essay",
        str(SAMPLES / "essay-en.xml"),
        "--index",
        sample_book,
        "--model",
        UNTRAINED,
    )
    assert "--method keywords-first" in refused("answerer", *essay)


def test_the_own_model_is_told_of_when_it_has_seen_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stood in for by a model of the samples: the data that the own ones were learned from are not
    at hand."""
    dev, model = SAMPLES / "selqa.dev.json", tmp_path / "selqa.json"
    done("answerer", "train", "selqa", dev, "-o", model, "--folds", "3")
    monkeypatch.setattr("answerer.models.MODELS", tmp_path)
    monkeypatch.chdir(tmp_path)
    assert f"{dev}: " in run("answerer", "selqa", str(dev), "-o", "run.json", "--metadata").err
    assert f"{dev}: " not in run("answerer", "selqa", str(dev), "--model", UNTRAINED).err


def test_so_it_is_from_python(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    dev, model = SAMPLES / "selqa.dev.json", tmp_path / "python.json"
    done("answerer", "train", "selqa", dev, "-o", model, "--folds", "3")
    answer("selqa", dev, model=model)
    assert f"{dev}: " in caplog.text
