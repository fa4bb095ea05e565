"""`make containers`: the documented ways with Docker, really run, answer as the embedded engine
does, byte for byte.

One node, three secured nodes and the demo; down and up with the data kept; a container killed while
it answers.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.places import ROOT, SAMPLES
from tests.programs import done

pytestmark = pytest.mark.skipif(
    not os.environ.get("CLASSICAL_QA_CONTAINERS"),
    reason="takes minutes and the ports 9200 to 9203: make containers",
)
FILES = os.environ.get("COMPOSE_FILE", "").split(":")[1:]
"""Compose files that a machine lays over the cluster's, as where no memory may be locked."""
ONE, CLUSTER = ["docker-compose.yml"], ["docker-compose.cluster.yml", *FILES]
MOST_BYTES = 700_000_000  # of the image that answers blind
PASSWORD = "only-for-these-tests"  # noqa: S105


def compose(files: list[str], *words: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "COMPOSE_FILE": ":".join(files),
        "ELASTIC_PASSWORD": PASSWORD,
        "NODE_MEMORY": "1500m",
    }
    command = ["docker", "compose", *words]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done


def answered(folder: Path, name: str, *, build: bool, **environment: str) -> bytes:
    """The sample exam's submission by an index of the sample textbook, which is built first where
    that is asked for."""
    book, exam, run = (
        SAMPLES / "textbook-en.jsonl",
        SAMPLES / "sample-exam-en.xml",
        folder / f"{name}.xml",
    )
    commands = [["indexer", "textbook", book, "--index", "containers-en"]] if build else []
    commands.append(["answerer", "ntcir-mc", exam, "--index", "containers-en", "-o", run])
    for words in commands:
        subprocess.run(
            [sys.executable, "-m", *map(str, words)],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
            check=True,
        )
    return run.read_bytes()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("containers")


@pytest.fixture(scope="module")
def embedded(folder: Path) -> bytes:
    return answered(folder, "embedded", build=True)


@pytest.fixture
def one_node() -> Iterator[dict[str, str]]:
    compose(ONE, "up", "-d", "--wait")
    yield {"ELASTICSEARCH_URL": "http://localhost:9200"}
    compose(ONE, "down", "-v")


@pytest.fixture
def cluster(folder: Path) -> Iterator[dict[str, str]]:
    compose(CLUSTER, "up", "-d", "--wait")
    authority = folder / "ca.crt"
    compose(CLUSTER, "cp", "es01:/usr/share/elasticsearch/config/certs/ca/ca.crt", str(authority))
    yield {
        "ELASTICSEARCH_URL": ",".join(f"https://localhost:{port}" for port in (9201, 9202, 9203)),
        "ELASTICSEARCH_PASSWORD": PASSWORD,
        "ELASTICSEARCH_CA_CERTS": str(authority),
    }
    compose(CLUSTER, "down", "-v")


def test_one_node_answers_alike_down_and_up_again_and_after_a_kill(
    folder: Path, embedded: bytes, one_node: dict[str, str]
) -> None:
    assert answered(folder, "one", build=True, **one_node) == embedded
    compose(ONE, "down")
    compose(ONE, "up", "-d", "--wait")
    assert answered(folder, "again", build=False, **one_node) == embedded
    compose(ONE, "kill", "elasticsearch")
    compose(ONE, "up", "-d", "--wait")
    assert answered(folder, "killed", build=False, **one_node) == embedded


def test_the_demo_ends_by_itself_with_its_scores_last_and_beside_another_index(
    folder: Path, embedded: bytes, one_node: dict[str, str]
) -> None:
    assert answered(folder, "beside", build=True, **one_node) == embedded
    done = compose(ONE, "run", "--rm", "-T", "demo")
    assert done.stdout.startswith("group")
    assert answered(folder, "after", build=False, **one_node) == embedded


def test_three_nodes_answer_alike_also_two_of_them(
    folder: Path, embedded: bytes, cluster: dict[str, str]
) -> None:
    assert answered(folder, "three", build=True, **cluster) == embedded
    compose(CLUSTER, "kill", "es01")
    assert answered(folder, "two", build=False, **cluster) == embedded
    compose(CLUSTER, "down")
    compose(CLUSTER, "up", "-d", "--wait")
    assert answered(folder, "up", build=False, **cluster) == embedded


def test_the_image_answers_blind_without_a_network(tmp_path: Path) -> None:
    def docker(*words: str) -> str:
        return subprocess.run(
            ["docker", *words], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout

    docker("build", "-q", "-t", "classical-qa-tested", ".")
    try:
        assert (
            int(docker("image", "inspect", "-f", "{{.Size}}", "classical-qa-tested")) <= MOST_BYTES
        )
        given = tmp_path / "given"
        given.mkdir()
        for name in ("documents", "queries"):
            shutil.copy(SAMPLES / f"ranking-en/{name}.jsonl", given)
        folders = ["-v", f"{given}:/input:ro", "-v", f"{tmp_path}/image:/output"]
        words = ["run", "ranking", "--input", "/input", "--output", "/output"]
        docker("run", "--rm", "--network", "none", *folders, "classical-qa-tested", *words)
        done("answerer", "run", "ranking", "--input", given, "--output", tmp_path / "here")
        assert (tmp_path / "image/run.txt").read_bytes() == (tmp_path / "here/run.txt").read_bytes()
    finally:
        docker("image", "rm", "-f", "classical-qa-tested")


def test_a_code_submission_to_tira_passes_its_dry_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`tira-cli code-submission --dry-run` (`pip install tira`) with a data set of this machine in
    place of a download.

    TIRA runs images `privileged`, which a daemon inside a container may not do.
    """
    tira = pytest.importorskip("tira.rest_api_client")
    containers = pytest.importorskip("docker.models.containers").ContainerCollection
    inputs = tmp_path / "inputs"
    inputs.mkdir()
    books = [
        json.loads(line) for line in (SAMPLES / "textbook-en.jsonl").read_text("utf-8").splitlines()
    ]
    documents = [
        json.dumps({"docno": str(number), "text": book["text"]})
        for number, book in enumerate(books)
    ]
    (inputs / "documents.jsonl").write_text("\n".join(documents), "utf-8")
    queries = [
        json.dumps({"qid": str(number), "query": book["title"]})
        for number, book in enumerate(books[:10])
    ]
    (inputs / "queries.jsonl").write_text("\n".join(queries), "utf-8")
    subprocess.run(["git", "clone", "-q", ROOT, tmp_path / "clone"], check=True)
    dataset = {"mirrors": {"inputs": {}}, "format": ["run.txt"]}
    monkeypatch.setattr(tira.Client, "get_dataset", lambda *_, **__: dataset)
    monkeypatch.setattr(tira.Client, "download_dataset", lambda *_, **__: inputs)
    run, folders = containers.run, []

    def unprivileged(*words: object, **options: Any) -> object:
        folders.extend(options.get("volumes", {}))
        return run(*words, **{**options, "privileged": False})

    monkeypatch.setattr(containers, "run", unprivileged)
    command = "classical-qa run ranking --input $inputDataset --output $outputDir"
    tira.Client().submit_code(
        tmp_path / "clone", "ranking", command=command, dataset_id="local", dry_run=True
    )
    [written] = [run for folder in folders if (run := Path(folder) / "run.txt").is_file()]
    assert {line.split()[0] for line in written.read_text("utf-8").splitlines()} == {
        str(qid) for qid in range(10)
    }
