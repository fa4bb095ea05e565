"""`--metadata`: a file beside the submission says how it was made, and changes nothing of the
submission."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from indexer.cli.program import running_command
from indexer.files.hashes import fingerprint
from tests.places import SAMPLES
from tests.programs import done, refused, run

DEV = SAMPLES / "dbqa.dev.txt"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read(path: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(Path(path).read_text("utf-8"))
    return found


def test_submission_and_trace_are_the_same_with_metadata_and_without(folder: Path) -> None:
    for name, extra in (("plain", ()), ("told", ("--metadata",))):
        done("answerer", "nlpcc-dbqa", DEV, "-o", f"{name}.txt", "--trace", f"{name}.jsonl", *extra)
    assert Path("plain.txt").read_bytes() == Path("told.txt").read_bytes()
    assert Path("plain.jsonl").read_bytes() == Path("told.jsonl").read_bytes()
    assert not Path("plain.txt.ir-metadata.yml").exists()


def test_what_is_told_of_a_run(folder: Path) -> None:
    err = done(
        "answerer", "nlpcc-dbqa", DEV, "-o", "scores.txt", "--method", "bm25", "--metadata"
    ).err
    assert "wrote scores.txt.ir-metadata.yml" in err
    told = read("scores.txt.ir-metadata.yml")
    assert told["tag"] == "scores"
    assert told["schema-version"] == 0.1
    assert {"platform", "research goal", "implementation", "method", "actor", "data"} < set(told)
    assert told["implementation"]["executable"]["cmd"] == (
        f"python -m answerer nlpcc-dbqa {shlex.quote(str(DEV))} -o scores.txt --method bm25 "
        f"--metadata"
    )
    assert told["method"]["retrieval"][0]["name"] == "bm25"
    assert told["data"]["test collection"] == {"name": "nlpcc-dbqa", "topics": [fingerprint(DEV)]}
    assert told["data"]["training data"] == []
    assert any(
        one.startswith("python==") for one in told["platform"]["software"]["libraries"]["python"]
    )


def test_the_training_data_of_the_model_are_told(folder: Path) -> None:
    done("answerer", "train", "nlpcc-dbqa", DEV, "-o", "model.json", "--folds", "2")
    done(f"answerer nlpcc-dbqa {SAMPLES}/dbqa.test.txt -o scores.txt --model model.json --metadata")
    told = read("scores.txt.ir-metadata.yml")
    assert told["data"]["training data"] == [fingerprint(DEV)]
    assert (
        told["method"]["retrieval"][0]["params"]["model"]["sha256"]
        == fingerprint("model.json")["sha256"]
    )


def test_an_index_is_told_by_what_it_was_made_of(folder: Path) -> None:
    done("indexer", "textbook", SAMPLES / "textbook-en.jsonl", "--index", "book/", "--no-names")
    exam = SAMPLES / "sample-exam-en.xml"
    done(f"answerer ntcir-mc {exam} --index book/ --method slqal -o runs/ --metadata")
    told = read("runs.ir-metadata.yml")
    assert told["data"]["other"][0]["source"]["documents"]["paragraphs"] == 41
    assert len(told["data"]["other"][0]["source"]["sha256"]) == 64
    assert told["platform"]["software"]["retrieval toolkit"][0].startswith("tantivy==")


def test_the_standard_output_has_no_place_beside_it(folder: Path) -> None:
    for extra in ((), ("-o", "/dev/null")):
        assert "--metadata" in refused("answerer", "nlpcc-dbqa", str(DEV), "--metadata", *extra)


def test_metadata_never_go_where_the_command_reads_or_writes(folder: Path) -> None:
    words = (
        "answerer",
        "nlpcc-dbqa",
        str(DEV),
        "-o",
        "a.txt",
        "--metadata",
        "--trace",
        "a.txt.ir-metadata.yml",
    )
    assert "a.txt.ir-metadata.yml" in refused(*words)
    assert list(folder.iterdir()) == []


def test_no_password_of_an_address_is_told() -> None:
    words = ["answerer", "--index", "http://me:s@cret@localhost:9200/books"]
    with click.Context(click.Command("x"), info_name="python -m answerer", obj=words):
        command = running_command()
    assert command == "python -m answerer answerer --index http://localhost:9200/books"


def test_a_trec_run_begins_with_its_metadata_where_asked(folder: Path) -> None:
    """repro_eval reads the header and the run behind it."""
    handler = pytest.importorskip("repro_eval.metadata").MetadataHandler
    done("indexer", "textbook", SAMPLES / "selqa.dev.json", "--index", "sentences/", "--no-names")
    words = [
        "retriever",
        "sentences/",
        "--questions",
        str(SAMPLES / "selqa.dev.json"),
        "--format",
        "trec",
    ]
    plain, told = run(*words), run(*words, "--metadata")
    head, _, lines = told.out.partition("# ir_metadata.end\n")
    assert lines == plain.out
    assert head.startswith("# ir_metadata.start\n# schema-version: 0.1\n")
    Path("run.txt").write_text(told.out, "utf-8")
    assert handler.read_metadata("run.txt")["method"]["retrieval"][0]["params"]["k1"] == 1.2
    Path("plain.txt").write_text(plain.out, "utf-8")
    assert handler.strip_metadata("run.txt") == handler.strip_metadata("plain.txt")
    assert "--format trec" in refused(*words[:4], "--metadata")
