"""The command: how it starts, what it refuses before it starts, and how it ends."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from indexer.files.versions import install_hint
from tests.answerer.serve.server import LONG, built, post, request, sent, started, workers_of
from tests.places import ROOT
from tests.programs import refused, run

pytestmark = pytest.mark.process

QUESTION = {"question": "In which town did Shah Jahan build the Taj Mahal?"}


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_it_and_its_processes_with_a_line(
    book: str, number: int, status: int
) -> None:
    command = started("--index", book)
    workers = workers_of(command.process.pid)
    assert post(command.port, QUESTION).status == 200
    ended, said = command.end(number)
    line = f"stopped: nothing answers at http://127.0.0.1:{command.port}/ any more"
    logged = [text.split()[1:4] for text in said.splitlines()[:-1] if text]
    assert logged == [["GET", "/openapi.json", "200"], ["POST", "/answer", "200"]]
    assert (ended, said.splitlines()[-1]) == (status, line)
    assert len(workers) >= 2
    assert [worker for worker in workers if Path(f"/proc/{worker}").exists()] == []


def test_a_signal_ends_work_that_is_under_way(book: str) -> None:
    command = started("--index", book)
    for worker in workers_of(command.process.pid):
        os.kill(worker, signal.SIGSTOP)  # as if it worked for hours
    with socket.create_connection(("127.0.0.1", command.port)) as waiting:
        body = b'{"question": "Who?"}'
        head = f"POST /answer HTTP/1.1\r\nHost: 127.0.0.1:{command.port}\r\nContent-Type: application/json\r\n"
        waiting.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        assert post(command.port, {}).status == 400  # the first is under way by now
        status, err = command.end()
    assert status == 143
    assert "Traceback" not in err


def test_its_processes_end_where_it_is_killed(book: str) -> None:
    command = started("--index", book)
    workers = workers_of(command.process.pid)
    watched = [os.pidfd_open(worker) for worker in workers]
    command.end(signal.SIGKILL)
    for worker in watched:
        assert select.select([worker], [], [], LONG)[0]  # readable when it has ended
        os.close(worker)


def test_a_port_in_use_is_one_line(book: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert refused("answerer", "serve", "--index", book, "--port", str(port)).startswith(
            f"port {port} is in use:"
        )


def test_an_index_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    assert f" {tmp_path}/none" in refused("answerer", "serve", "--index", f"{tmp_path}/none")


def test_a_task_that_no_index_serves_is_one_line(book: str) -> None:
    assert refused("answerer", "serve", "--index", book, "--task", "nlpcc-kbqa") == (
        "nlpcc-kbqa asks an index of the kind 'triples', but none is served"
    )


def test_without_any_index_it_waits_for_a_book(tmp_path: Path) -> None:
    command = started(folder=tmp_path)
    page = request(command.port, "GET", "/").body.decode()
    assert "Drop your textbook here first" in page
    assert '<option value="ntcir-mc"' in page
    refusals = [
        post(command.port, QUESTION),
        post(command.port, {**QUESTION, "index": "my-book"}),
        post(command.port, sent("questions-en.txt")),
    ]
    assert [(told.status, told.value["error"]) for told in refusals] == [
        (400, "Drop your textbook here first: there is no index to answer from yet")
    ] * 3
    assert post(command.port, sent("textbook-en.pdf"), "/index").status == 200
    founder = post(command.port, {"question": "Who founded the Han dynasty?"}).value["answers"][0]
    assert founder["text"] == "Liu Bang"
    assert post(command.port, sent("quiz-en.txt", evidence=True)).value["check"]["counts"]
    command.end()


def test_without_a_name_it_takes_what_is_there(tmp_path: Path) -> None:
    built(tmp_path / "indexes" / "textbook-ja", "textbook-ja.jsonl")
    command = started(folder=tmp_path)
    assert (
        post(command.port, {"question": "アショーカ王が信じた宗教は何か。"}).value["address"]
        == "indexes/textbook-ja"
    )
    command.end()


@pytest.mark.parametrize("package", ["starlette", "uvicorn"])
def test_a_missing_extra_is_one_line_that_names_the_command(package: str) -> None:
    script = f"""
        import sys
        sys.modules[{package!r}] = None  # as if it were not installed
        from answerer.__main__ import main
        from indexer.cli.program import run_program
        sys.argv = ["answerer", "serve"]
        run_program(main, "python -m answerer")"""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (
        2,
        f"error: the live page needs the extra `web`: {install_hint('web')}\n",
    )


def test_an_index_of_elasticsearch_answers_the_same(book: str, elasticsearch_address: str) -> None:
    samples = str(ROOT / "samples" / "textbook-en.jsonl")
    assert run("indexer", "textbook", samples, "--index", elasticsearch_address).status == 0
    command = started("--index", book, "--index", elasticsearch_address)
    choices = {"question": "Who built the Taj Mahal?", "choices": ["Akbar", "Shah Jahan"]}
    for asked in (QUESTION, choices):
        here, there = (
            post(command.port, {**asked, "index": address}).value["answers"]
            for address in (book, elasticsearch_address)
        )
        assert here == there
    command.end()
