"""`--metadata`: a file beside the submission says how it was made, and changes nothing of the submission."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

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
    assert not Path("plain.ir-metadata.yml").exists()


def test_who_made_a_run_and_what_for_is_told_by_its_maker(folder: Path) -> None:
    Path("about.yml").write_text("actor: {team: ADA, fullname: [Ada]}\nresearch goal: {hypothesis: 2 > 1}\n", "utf-8")
    done("answerer", "nlpcc-dbqa", DEV, "-o", "scores.txt", "--about", "about.yml")
    told = read("scores.ir-metadata.yml")
    assert told["actor"] == {"team": "ADA", "role": "experimenter", "fullname": ["Ada"]}
    assert told["research goal"]["hypothesis"] == "2 > 1"
    done("indexer", "textbook", SAMPLES / "selqa.dev.json", "--index", "book/", "--no-names")
    asked = ("book/", "--questions", str(SAMPLES / "selqa.dev.json"), "--format", "trec", "--about", "about.yml")
    assert "#   team: ADA" in run("retriever", *asked).out.splitlines()


@pytest.mark.parametrize("text", ["method: {}", "actor: Ada", "- Ada", "actor: {"])
def test_what_is_not_for_a_person_to_say_is_refused(text: str, folder: Path) -> None:
    Path("about.yml").write_text(text, "utf-8")
    assert "about.yml: " in refused("answerer", "nlpcc-dbqa", str(DEV), "-o", "scores.txt", "--about", "about.yml")
    assert not Path("scores.txt").exists()


def test_what_is_told_of_a_run(folder: Path) -> None:
    err = done("answerer", "nlpcc-dbqa", DEV, "-o", "scores.txt", "--method", "bm25", "--metadata").err
    assert "wrote scores.ir-metadata.yml" in err
    told = read("scores.ir-metadata.yml")
    assert told["tag"] == "scores"
    assert told["schema-version"] == 0.1
    assert {"platform", "research goal", "implementation", "method", "actor", "data"} < set(told)
    assert told["implementation"]["executable"]["cmd"] == (
        f"python -m answerer nlpcc-dbqa {shlex.quote(str(DEV))} -o scores.txt --method bm25 --metadata"
    )
    assert told["method"]["retrieval"][0]["name"] == "bm25"
    assert told["data"]["test collection"] == {"name": "nlpcc-dbqa", "topics": [fingerprint(DEV)]}
    assert told["data"]["training data"] == []
    assert told["submission"] == [fingerprint("scores.txt")]
    assert set(told["resources"]) == {"seconds", "processor seconds", "peak memory in MB"}
    assert any(one.startswith("python==") for one in told["platform"]["software"]["libraries"]["python"])


def test_the_training_data_of_the_model_are_told(folder: Path) -> None:
    done("answerer", "train", "nlpcc-dbqa", DEV, "-o", "model.json", "--folds", "2")
    done("answerer", "nlpcc-dbqa", SAMPLES / "dbqa.test.txt", "-o", "scores.txt", "--model", "model.json", "--metadata")
    told = read("scores.ir-metadata.yml")
    assert told["data"]["training data"] == [fingerprint(DEV)]
    assert told["method"]["retrieval"][0]["params"]["model"]["sha256"] == fingerprint("model.json")["sha256"]


def test_an_index_is_told_by_what_it_was_made_of(folder: Path) -> None:
    done("indexer", "textbook", SAMPLES / "textbook-en.jsonl", "--index", "book/", "--no-names")
    exam = SAMPLES / "sample-exam-en.xml"
    done("answerer", "ntcir-mc", exam, "--index", "book/", "--method", "slqal", "-o", "runs/", "--metadata")
    told = read("runs.ir-metadata.yml")
    assert told["data"]["other"][0]["source"]["documents"]["paragraphs"] == 41
    assert len(told["data"]["other"][0]["source"]["sha256"]) == 64
    assert told["platform"]["software"]["retrieval toolkit"][0].startswith("tantivy==")
    assert [one["file"] for one in told["submission"]] == sorted(path.name for path in Path("runs").iterdir())


def test_a_submission_tree_takes_the_metadata_along_under_the_run_s_new_name(folder: Path) -> None:
    done("indexer", "textbook", SAMPLES / "textbook-en.jsonl", "--index", "book/", "--no-names")
    exam = SAMPLES / "sample-exam-en.xml"
    words = ("--index", "book/", "--method", "slqal", "-o", "run.xml", "--trace", "run.jsonl", "--metadata")
    done("answerer", "ntcir-mc", exam, *words)
    done("answerer", "submit", "run.xml", "--team", "T", "-o", "tree")
    sent = Path("tree/phase1/mutiple_choice/run1")
    told = read(str(sent / "sample-exam-en_T_EN_01.ir-metadata.yml"))
    assert told["tag"] == "sample-exam-en_T_EN_01"
    assert told["submission"] == [fingerprint(sent / "sample-exam-en_T_EN_01.xml")]


def test_the_metadata_of_a_folder_of_results_go_with_each_of_them(folder: Path) -> None:
    done("indexer", "textbook", SAMPLES / "textbook-en.jsonl", "--index", "book/", "--no-names")
    words = ("--index", "book/", "--method", "slqal", "-o", "runs/", "--trace", "runs.jsonl", "--metadata")
    done("answerer", "ntcir-mc", SAMPLES / "sample-exam-en.xml", *words)
    done("answerer", "submit", "runs", "--team", "T", "-o", "tree")
    sent = Path("tree/phase1/mutiple_choice/run1")
    told = read(str(sent / "sample-exam-en_T_EN_01.ir-metadata.yml"))
    assert told["submission"] == [fingerprint(sent / "sample-exam-en_T_EN_01.xml")]


def test_the_standard_output_has_no_place_beside_it(folder: Path) -> None:
    for extra in ((), ("-o", "/dev/null")):
        assert "--metadata" in refused("answerer", "nlpcc-dbqa", str(DEV), "--metadata", *extra)


def test_metadata_never_go_where_the_command_reads_or_writes(folder: Path) -> None:
    words = ("answerer", "nlpcc-dbqa", str(DEV), "-o", "a.txt", "--metadata", "--trace", "a.ir-metadata.yml")
    assert "a.ir-metadata.yml" in refused(*words)
    assert list(folder.iterdir()) == []


def test_no_password_of_an_address_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from retriever import provenance

    monkeypatch.setattr(provenance, "machine", dict)
    with_password = ["answerer", "--index", "http://me:s@cret@localhost:9200/books"]
    import click

    with click.Context(click.Command("x"), info_name="python -m answerer", obj=with_password):
        told = provenance.run_metadata("t", {})["implementation"]["executable"]["cmd"]
    assert told == "python -m answerer answerer --index http://localhost:9200/books"


def test_an_exported_run_begins_with_what_stands_beside_the_scores(folder: Path) -> None:
    """repro_eval reads the header and the run behind it; without metadata beside the scores it is refused."""
    handler = pytest.importorskip("repro_eval.metadata").MetadataHandler
    done("answerer", "nlpcc-dbqa", DEV, "-o", "scores.txt", "--metadata")
    words = ("evaluation", "export", "nlpcc-dbqa", str(DEV), "scores.txt", "--run")
    done(*words, "plain.run")
    done(*words, "told.run", "--metadata", "--tag", "ours")
    told = handler.read_metadata("told.run")
    assert (told["tag"], told["method"]["retrieval"][0]["name"]) == ("ours", "listwise")
    assert set(told) >= {"platform", "research goal", "implementation", "method", "actor", "data"}
    assert handler.strip_metadata("told.run") == handler.strip_metadata("plain.run")
    assert "--run" in refused(*words[:-1], "--qrels", "qrels", "--metadata")
    Path("scores.ir-metadata.yml").unlink()
    assert "scores.ir-metadata.yml" in refused(*words, "other.run", "--metadata")
    assert not Path("other.run").exists()


def test_a_trec_run_begins_with_its_metadata_where_asked(folder: Path) -> None:
    from retriever.provenance import read_metadata

    done("indexer", "textbook", SAMPLES / "selqa.dev.json", "--index", "sentences/", "--no-names")
    words = ["retriever", "sentences/", "--questions", str(SAMPLES / "selqa.dev.json"), "--format", "trec"]
    plain, told = run(*words), run(*words, "--metadata")
    head, _, lines = told.out.partition("# ir_metadata.end\n")
    assert lines == plain.out
    assert head.startswith("# ir_metadata.start\n# schema-version: 0.1\n")
    Path("run.txt").write_text(told.out, "utf-8")
    metadata = read_metadata("run.txt")
    assert metadata is not None
    assert metadata["method"]["retrieval"][0]["params"]["k1"] == "1.2"
    assert "--format trec" in refused(*words[:4], "--metadata")
