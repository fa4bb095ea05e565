"""ir_metadata 0.1 as it is read by repro_eval, which defined the header of a TREC run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.files.paths import SIDECAR, sidecar_of
from retriever.provenance import header_text, run_metadata, yaml_text

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


def test_the_file_beside_a_submission_is_read_by_repro_eval_as_a_template(
    tmp_path: Path, handler: Any
) -> None:
    (tmp_path / f"exam{SIDECAR}").write_text(
        yaml_text({"tag": "exam", "schema-version": 0.1}), "utf-8"
    )
    assert handler.read_metadata_template(str(tmp_path / f"exam{SIDECAR}")) == {
        "tag": "exam",
        "schema-version": 0.1,
    }


def test_where_the_metadata_of_a_run_stand() -> None:
    assert sidecar_of("out/exam.run.xml") == Path("out/exam.run.xml.ir-metadata.yml")
    assert sidecar_of("out/runs/") == Path("out/runs.ir-metadata.yml")
    assert sidecar_of(".") == Path.cwd().with_name(f"{Path.cwd().name}{SIDECAR}")
    assert sidecar_of("/") == Path("/.ir-metadata.yml")


def test_a_machine_is_told_by_the_names_of_the_schema() -> None:
    described = run_metadata("tag", {})["platform"]
    assert set(described["hardware"]["cpu"]) == {"architecture", "number of cores"}
    assert set(described["operating system"]) == {"kernel"}
    assert described["hardware"]["cpu"]["number of cores"] == os.cpu_count()
