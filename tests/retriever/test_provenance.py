"""ir_metadata 0.1 written and read back: by us, and by repro_eval, which defined the header of a TREC run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.files.messages import capture_warnings
from retriever.provenance import (
    MODEL,
    SIDECAR,
    SUBMISSION,
    described_files,
    header_from,
    header_text,
    machine,
    read_metadata,
    resources_since,
    seconds_used,
    sidecar_of,
    training_data,
    yaml_text,
)
from tests.refusals import raises_at

TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), max_size=30)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
METADATA = st.dictionaries(TEXTS, VALUES, min_size=1, max_size=5)
RUN = "1 Q0 d-1 1 2.5 ours\n1 Q0 d-2 2 1.5 ours\n"


@pytest.fixture
def handler() -> Any:
    return pytest.importorskip("repro_eval.metadata").MetadataHandler


@pytest.mark.process
@given(METADATA)
@settings(max_examples=100, deadline=None)
def test_repro_eval_reads_what_a_header_says_and_the_run_behind_it(
    tmp_path_factory: pytest.TempPathFactory, metadata: dict[str, Any]
) -> None:
    handler = pytest.importorskip("repro_eval.metadata").MetadataHandler
    run = tmp_path_factory.mktemp("run") / "run.txt"
    run.write_text(header_text(metadata) + RUN, "utf-8")
    assert handler.read_metadata(str(run)) == metadata
    assert handler.strip_metadata(str(run)) == {"1": {"d-1": 2.5, "d-2": 1.5}}


@given(METADATA)
@settings(max_examples=100, deadline=None)
def test_our_reader_gives_the_same_with_every_scalar_as_text(
    tmp_path_factory: pytest.TempPathFactory, metadata: dict[str, Any]
) -> None:
    run = tmp_path_factory.mktemp("run") / "run.txt"
    run.write_text(header_text(metadata) + RUN, "utf-8")
    assert read_metadata(run) == texts(metadata)


def texts(value: Any) -> Any:
    """As YAML prints scalars."""
    if isinstance(value, dict):
        return {texts(key): texts(each) for key, each in value.items()}
    if isinstance(value, list):
        return [texts(each) for each in value]
    return (
        {None: "null", True: "true", False: "false"}[value]
        if value is None or value is True or value is False
        else str(value)
    )


def test_the_file_beside_a_submission_is_read_by_repro_eval_as_a_template(tmp_path: Path, handler: Any) -> None:
    (tmp_path / f"exam{SIDECAR}").write_text(yaml_text({"tag": "exam", "schema-version": 0.1}), "utf-8")
    assert handler.read_metadata_template(str(tmp_path / f"exam{SIDECAR}")) == {"tag": "exam", "schema-version": 0.1}


def test_where_the_metadata_of_a_run_stand() -> None:
    assert sidecar_of("out/exam.run.xml") == Path("out/exam.run.ir-metadata.yml")
    assert sidecar_of("out/runs/") == Path("out/runs.ir-metadata.yml")
    assert sidecar_of(".") == Path.cwd().with_name(f"{Path.cwd().name}{SIDECAR}")
    assert sidecar_of("/") == Path("/.ir-metadata.yml")


def write_described(folder: Path, text: str = "0.5\n") -> Path:
    run = folder / "run.txt"
    run.write_text(text)
    sidecar_of(run).write_text(yaml_text({"tag": "run", SUBMISSION: described_files(run)}), "utf-8")
    return run


def test_metadata_count_for_the_file_that_they_were_written_for(tmp_path: Path) -> None:
    run = write_described(tmp_path)
    assert (read_metadata(run) or {})["tag"] == "run"
    run.write_text("0.7\n")
    with capture_warnings() as warnings:
        assert read_metadata(run) is None
    assert "made with another run.txt" in warnings[0]


def test_metadata_beside_a_folder_count_for_its_files(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    (folder / "a.xml").write_text("<answerTable/>")
    sidecar_of(folder).write_text(yaml_text({"tag": "runs", SUBMISSION: described_files(folder)}), "utf-8")
    assert (read_metadata(folder / "a.xml") or {})["tag"] == "runs"
    assert (read_metadata(folder) or {})["tag"] == "runs"
    (folder / "b.xml").write_text("<answerTable>2</answerTable>")
    assert read_metadata(folder / "b.xml") is None


@pytest.mark.parametrize(
    "text",
    [
        "[" * 5000,
        "a: &a [x]\nb: {<<: [*a, *a]}\n- broken",
        "!!python/object/apply:os.system ['touch hacked']",
        "just a text",
        "a: b: c",
        "a: &a [x]\nb: [*a, *a]",
        "submission:\n- sha256: [1]",
    ],
)
def test_metadata_of_anybody_do_no_harm(tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = tmp_path / "run.txt"
    run.write_text("0.5\n")
    sidecar_of(run).write_text(text)
    with capture_warnings():
        assert read_metadata(run) is None
    assert not (tmp_path / "hacked").exists()


def test_the_header_of_a_run_takes_what_somebody_added_by_hand(tmp_path: Path) -> None:
    run = write_described(tmp_path)
    with sidecar_of(run).open("a") as file:
        file.write("schema-version: 0.1\nday: 2026-11-23\nof: !!set {one}\n")
    assert "# schema-version: 0.1\n# day: '2026-11-23'\n" in header_from(run, "mine")


@pytest.mark.parametrize("text", ["2026-11-23: x\n", f"a: 0x{'f' * 5000}\n"])
def test_what_no_header_holds_is_told(tmp_path: Path, text: str) -> None:
    run = write_described(tmp_path)
    with sidecar_of(run).open("a") as file:
        file.write(text)
    with raises_at("run.ir-metadata.yml"):
        header_from(run, "mine")


def test_a_link_in_the_place_of_metadata_is_not_followed(tmp_path: Path) -> None:
    run = write_described(tmp_path)
    sidecar_of(run).rename(tmp_path / "elsewhere.yml")
    sidecar_of(run).symlink_to(tmp_path / "elsewhere.yml")
    assert read_metadata(run) is None


def test_a_machine_is_told_by_the_names_of_the_schema() -> None:
    described = machine()
    assert set(described["hardware"]["cpu"]) == {"model", "architecture", "operation mode", "number of cores"}
    assert set(described["operating system"]) == {"kernel", "distribution"}
    assert described["hardware"]["cpu"]["number of cores"] == os.cpu_count()


def test_what_work_takes_grows_with_it() -> None:
    begun = seconds_used()
    sum(range(3_000_000))
    found = resources_since(begun)
    assert found["processor seconds"] > 0
    assert found["seconds"] > 0
    assert found["peak memory in MB"] > 1


@pytest.mark.parametrize("text", ["{%s}\n{}\n", "[{%s}]", '{%s, "data": [1]}', "{%s}\xff"])
def test_a_file_that_begins_like_a_model_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "questions.json").write_text(text.replace("%s", MODEL), "latin-1")
    assert training_data([tmp_path / "questions.json"]) == []
