"""Builds on several machines: the index of one process document for document, whoever is killed on the way."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from indexer import cluster as dask_builds
from indexer.__main__ import main
from indexer.address import open_index
from indexer.build import SourceFile
from indexer.cluster import SourcePiece, count_records
from indexer.document import Document
from indexer.files.errors import UserError
from indexer.languages.english import ENGLISH
from indexer.sources.textbook import build as textbook
from indexer.sources.textbook.passages import open_records
from tests.faults.proxy import Answer, Ask, Harm, away, proxy, too_many
from tests.indexer.cluster.dask_cluster import DaskCluster, Harmed, is_first
from tests.places import SAMPLES
from tests.programs import invoked

pytestmark = pytest.mark.process

Alone = tuple[dict[str, dict[str, Document]], str, str]


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine at work takes its time to start a scheduler and its workers."""
    monkeypatch.setattr(dask_builds, "SECONDS_TO_CONNECT", 120)
    monkeypatch.setattr(dask_builds, "SECONDS_FOR_A_WORKER", 300)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    with DaskCluster(tmp_path_factory.mktemp("dask")) as cluster:
        yield cluster


def index(*arguments: str | Path) -> str:
    """What the command says; its error is raised."""
    return invoked(main, *arguments).output


def everything(address: str) -> dict[str, dict[str, Document]]:
    """All documents of an index, by part and doc_id."""
    found = open_index(address)
    try:
        return {
            part.name: {each.doc_id: each for each in found.part(part.name).scan()} for part in found.metadata.parts
        }
    finally:
        found.close()


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A sample book, a dump with redirects, a book of 900 short paragraphs, and one of which two lines are no texts."""
    folder = tmp_path_factory.mktemp("books")
    kings = ("Ashoka", "Akbar", "Shah Jahan", "Aurangzeb", "Babur")
    long = [
        f"In {1000 + n} the army of {kings[n % 5]} met {kings[n * 7 % 5]}. {kings[n % 5]} ruled {n % 9} towns. It fell."
        for n in range(900)
    ]
    lines = [json.dumps({"title": f"Chapter {n // 40}", "text": text}) for n, text in enumerate(long)]
    (folder / "a-long.jsonl").write_text("\n".join(lines), "utf-8")
    good = json.dumps({"text": "Rome fought Carthage."})
    (folder / "bad.jsonl").write_text(f'{good}\n{{"text": ""}}\n{good}\n{{}}\n', "utf-8")
    return [SAMPLES / "textbook-en.jsonl", folder / "a-long.jsonl", SAMPLES / "wiki-en.xml", folder / "bad.jsonl"]


@pytest.fixture(scope="module")
def alone(books: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Alone:
    """What one process makes of the books: the documents, what it says, the rejected records."""
    folder = tmp_path_factory.mktemp("alone")
    said = index("textbook", *books, "--index", folder / "index", "--rejects", folder / "rejects")
    return everything(str(folder / "index")), said, (folder / "rejects").read_text("utf-8")


def summary(said: str) -> list[str]:
    """The lines of records, documents and rejects."""
    return [line for line in said.splitlines() if line.startswith(("records", "documents", "rejected", "left out"))]


@pytest.mark.parametrize("by", ["jobs", "scheduler"])
def test_the_index_is_that_of_one_process(
    by: str,
    books: list[Path],
    alone: Alone,
    cluster: DaskCluster,
    elasticsearch_address: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dask_builds, "LEAST_BYTES", 10_000)  # so that the books are cut
    machines = ("--jobs", "2") if by == "jobs" else ("--scheduler", cluster.address)
    said = index("textbook", *books, "--index", elasticsearch_address, "--rejects", tmp_path / "rejects", *machines)
    documents, said_alone, rejects = alone
    found = everything(elasticsearch_address)
    assert {part: sorted(of_part) for part, of_part in found.items()} == {
        part: sorted(of_part) for part, of_part in documents.items()
    }
    assert found == documents
    assert summary(said) == summary(said_alone)
    assert (tmp_path / "rejects").read_text("utf-8") == rejects


def knowledge_base(folder: Path) -> list[str | Path]:
    """A knowledge base of 700 subjects, some of which come again far behind, with a line that is damaged; mentions."""
    lines = [f"罗马{n % 700} ||| 国家{n % 7} ||| 意大利{n}\n" for n in range(2_000)]
    (folder / "facts.kb").write_text("".join([*lines, "damaged\n"]), "utf-8")
    (folder / "mentions.txt").write_text("永恒之城 ||| 罗马1\t罗马2\n ||| 罗马3\n", "utf-8")
    return ["triples", folder / "facts.kb", "--mentions", folder / "mentions.txt"]


def open_data(folder: Path) -> list[str | Path]:
    """The sample collection with its archive twice: every file of the second was met before."""
    archives = [folder / "first.tar.bz2", folder / "second.tar.bz2"]
    for archive in archives:
        shutil.copy(SAMPLES / "datasearch-data.tar.bz2", archive)
    return ["datasets", SAMPLES / "datasearch-collection.jsonl.bz2", *archives, "--allow-rejects"]


@pytest.mark.parametrize("corpus", [knowledge_base, open_data])
def test_other_kinds_are_those_of_one_process(
    corpus: Callable[[Path], list[str | Path]],
    cluster: DaskCluster,
    elasticsearch_address: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dask_builds, "LEAST_BYTES", 1_000)  # so that the knowledge base is cut
    command, rejects = corpus(tmp_path), [tmp_path / "rejects-alone", tmp_path / "rejects"]
    alone = index(*command, "--index", tmp_path / "alone", "--rejects", rejects[0])
    said = index(*command, "--index", elasticsearch_address, "--rejects", rejects[1], "--scheduler", cluster.address)
    assert everything(elasticsearch_address) == everything(str(tmp_path / "alone"))
    assert summary(said) == summary(alone)
    assert rejects[0].read_text("utf-8") == rejects[1].read_text("utf-8") != ""


def test_a_server_that_refuses_for_a_while_and_a_node_that_is_lost_change_nothing(
    books: list[Path],
    alone: Alone,
    cluster: DaskCluster,
    elasticsearch_url: str,
    unique_name: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dask_builds, "LEAST_BYTES", 10_000)
    with proxy(elasticsearch_url) as one, proxy(elasticsearch_url) as other:

        def lost(path: str, ask: Ask) -> Answer:
            one.where, one.harms = "", [away] * 10_000
            return away(path, ask)

        harms: list[Harm] = [too_many] * 5 + [away] * 5 + [lost]  # the client itself asks four times at once
        one.where = other.where = "_bulk"
        one.harms, other.harms = list(harms), list(harms)
        said = index(
            "textbook", *books, "--index", f"{one.url},{other.url}/{unique_name}", "--scheduler", cluster.address
        )
        assert (one.where, other.harms) == ("", [])
    assert everything(f"{elasticsearch_url}/{unique_name}") == alone[0]
    assert summary(said) == summary(alone[1])


def test_a_large_source_is_cut_and_small_ones_are_not(
    books: list[Path], cluster: DaskCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    from indexer.cluster import Machines

    monkeypatch.setattr(dask_builds, "LEAST_BYTES", 10_000)
    sources = [SourceFile(str(path), partial(open_records, str(path), path.stem, ENGLISH)) for path in books]
    with Machines(cluster.address) as machines:
        found, told = dask_builds.cut_pieces(machines, sources, keep_rejects=False)
    long = [(piece.start, piece.stop) for piece in found if piece.source.path.endswith("a-long.jsonl")]
    assert len(long) > 2
    assert (long[0][0], long[-1][1]) == (0, 900)
    assert [stop for _, stop in long[:-1]] == [start for start, _ in long[1:]]
    assert [piece.stop for piece in found if piece.source.path.endswith("bad.jsonl")] == [None]
    assert sum(one.read for one in told.values()) >= 900


def die(marker: Path) -> None:
    """Kill the machine that is the first to come here."""
    if is_first(marker):
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_killed_in_the_middle_of_a_piece_changes_nothing(
    books: list[Path],
    alone: Alone,
    elasticsearch_address: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    marker = tmp_path / "killed"
    monkeypatch.setattr(textbook, "NameCounter", partial(Harmed, partial(die, marker)))
    with DaskCluster(tmp_path, workers=3) as cluster:
        said = index("textbook", *books, "--index", elasticsearch_address, "--scheduler", cluster.address)
        assert [worker.poll() for worker in cluster.workers].count(-signal.SIGKILL) == 1
    assert marker.exists()
    assert everything(elasticsearch_address) == alone[0]
    assert summary(said) == summary(alone[1])


def test_what_machines_share_outlives_the_one_that_holds_it(tmp_path: Path) -> None:
    with DaskCluster(tmp_path, workers=2) as cluster, dask_builds.Machines(cluster.address) as machines:
        shared = machines.share([1, 2, 3])
        (holder,) = machines.each(process_of, [(shared,)])
        os.kill(machines.value(holder), signal.SIGKILL)
        assert [machines.value(each) for each in machines.each(len, [(shared,), (shared,)])] == [3, 3]


def process_of(value: object) -> int:
    """The process that has a value, once it has it."""
    return os.getpid()


def test_an_error_of_the_work_is_not_told_as_a_lost_scheduler(cluster: DaskCluster) -> None:
    with dask_builds.Machines(cluster.address) as machines, pytest.raises(FileNotFoundError):
        machines.each(os.stat, [("/no/such/file",)])


def end(process: int) -> None:
    """End a process, once."""
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def test_a_scheduler_that_is_lost_is_one_line_and_the_same_command_completes(
    books: list[Path],
    alone: Alone,
    elasticsearch_address: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    command = ("textbook", *books, "--index", elasticsearch_address)
    with DaskCluster(tmp_path) as cluster, monkeypatch.context() as patched:
        patched.setattr(textbook, "NameCounter", partial(Harmed, partial(end, cluster.scheduler.pid)))
        with pytest.raises(UserError, match=r"the Dask scheduler at tcp://.* was lost .* the same command"):
            index(*command, "--scheduler", cluster.address)
    with pytest.raises(UserError):
        open_index(elasticsearch_address)
    with DaskCluster(tmp_path, port=cluster.port) as cluster:
        index(*command, "--scheduler", cluster.address)
    assert everything(elasticsearch_address) == alone[0]


def test_a_source_that_a_machine_does_not_have_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    source = SourceFile(str(path), partial(open_records, str(path), "book", ENGLISH))
    with pytest.raises(UserError, match=r"book.txt: is not there on .*: machines need the sources at the same paths"):
        count_records(SourcePiece(source, 5), keep_rejects=False)
    path.write_text("Another book.", "utf-8")
    with pytest.raises(UserError, match=r"book.txt: is another file there on "):
        count_records(SourcePiece(source, 5), keep_rejects=False)


def test_a_scheduler_builds_no_embedded_index(tmp_path: Path) -> None:
    command = (
        "textbook",
        SAMPLES / "textbook-en.jsonl",
        "--index",
        tmp_path / "here",
        "--scheduler",
        "tcp://localhost:1",
    )
    with pytest.raises(UserError, match="is an embedded index, which one machine writes"):
        index(*command)
    assert not (tmp_path / "here").exists()


@pytest.mark.parametrize("address", ["localhost:8786", "tcp://localhost", "http://localhost:8786", "tcp://a b:1"])
def test_what_is_no_address_of_a_scheduler_is_refused(address: str) -> None:
    with pytest.raises(
        UserError, match=f"'{address}' is not the address of a Dask scheduler, such as tcp://localhost:8786"
    ):
        index("textbook", SAMPLES / "textbook-en.jsonl", "--scheduler", address)


def test_a_scheduler_with_tls_needs_certificates() -> None:
    with (
        pytest.raises(UserError, match="needs certificates: name them to Dask"),
        dask_builds.Machines("tls://127.0.0.1:1"),
    ):
        pass


def test_no_scheduler_and_workers_of_several_threads_are_one_line(
    tmp_path: Path, elasticsearch_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("textbook", SAMPLES / "textbook-en.jsonl", "--index", elasticsearch_address, "--scheduler")
    with (
        DaskCluster(tmp_path, workers=1, threads=2) as cluster,
        pytest.raises(UserError, match="have several threads: start them with --nthreads 1"),
    ):
        index(*command, cluster.address)
    monkeypatch.setattr(dask_builds, "SECONDS_TO_CONNECT", 1)
    with pytest.raises(UserError, match=r"no Dask scheduler answers at tcp://127.0.0.1:\d+"):
        index(*command, cluster.address)
