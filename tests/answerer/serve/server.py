"""A live server of our own for a test: the command in a process, or the application in a thread
with other limits."""

from __future__ import annotations

import base64
import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from answerer.serve.app import application
from answerer.serve.http import own_hosts, server
from answerer.serve.pool import ServerLimits
from answerer.serve.served import Served, find_indexes
from tests.places import ROOT, SAMPLES
from tests.programs import run

LONG = 300  # seconds for what takes one or two: a machine at work is no failure


def indexed(kind: str, folder: Path, *files: str) -> str:
    """The address of an index of samples in a new folder."""
    done = run("indexer", kind, *(str(SAMPLES / name) for name in files), "--index", str(folder))
    assert done.status == 0, done.err
    return str(folder)


def built(folder: Path, *files: str) -> str:
    """The address of a textbook of samples."""
    return indexed("textbook", folder, *files)


class Answer(NamedTuple):
    """What an HTTP request gave; `headers` have small letters."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def value(self) -> Any:
        return json.loads(self.body)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.body.splitlines()]


def request(
    port: int,
    method: str,
    path: str,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
) -> Answer:
    """One request to a port of this machine, with the headers that are given and no others of
    note."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LONG)
    try:
        connection.request(method, path, body, dict(headers or {}))
        got = connection.getresponse()
        return Answer(
            got.status, {name.lower(): value for name, value in got.getheaders()}, got.read()
        )
    finally:
        connection.close()


def post(port: int, value: object, path: str = "/answer", **headers: str) -> Answer:
    """POST a value as JSON; `accept="…"` and its like are further headers."""
    sent = {
        "Content-Type": "application/json",
        **{name.replace("_", "-"): text for name, text in headers.items()},
    }
    return request(port, "POST", path, json.dumps(value).encode(), sent)


def begun(port: int, value: object) -> http.client.HTTPResponse:
    """The answer to POST /answer as its lines begin: the server has read the value and is at work
    on it."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LONG)
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/x-ndjson",
        "Connection": "close",
    }
    connection.request("POST", "/answer", json.dumps(value).encode(), headers)
    return connection.getresponse()


def status_at_last(answer: http.client.HTTPResponse) -> int:
    """How an answer ends that came line by line."""
    return int(json.loads(answer.read().splitlines()[-1]).get("status", 200))


def sent(name: str, content: bytes | None = None, **fields: Any) -> dict[str, Any]:
    """The request that sends a sample, or other bytes by that name."""
    own = (SAMPLES / name).read_bytes() if content is None else content
    return {"file": {"name": name, "content": base64.b64encode(own).decode()}, **fields}


@contextmanager
def serving(
    addresses: Sequence[str],
    limits: ServerLimits | None = None,
    books: Path = Path("no books"),
    task: str | None = None,
    more: Sequence[Served] = (),
) -> Iterator[int]:
    """The application in a thread; the port it answers at. `more` are indexes that are not opened
    before they are asked."""
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    own = limits or ServerLimits()
    app = application([*find_indexes(addresses), *more], own_hosts(port), own, books, task)
    running = server(app, own)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        _wait_until_it_answers(port)
        yield port
    finally:
        running.should_exit = True
        thread.join(timeout=LONG)
        assert not thread.is_alive()


def _wait_until_it_answers(port: int) -> None:
    """The socket takes connections from the start: the first answer comes when all is ready."""
    assert request(port, "GET", "/openapi.json").status == 200


class Command(NamedTuple):
    """`python -m answerer serve` in a process of its own."""

    process: subprocess.Popen[str]
    port: int

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """Send a signal; the exit status, and what was said after the first line."""
        self.process.send_signal(number)
        _, err = self.process.communicate(timeout=LONG)
        return self.process.returncode, err


def started(*words: str, folder: Path = ROOT) -> Command:
    """The command, when it answers."""
    process = subprocess.Popen(
        [sys.executable, "-m", "answerer", "serve", "--port", "0", *words],
        cwd=folder,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    said = process.stderr.readline()
    found = re.search(r"http://127\.0\.0\.1:(\d+)/", said)
    assert found, said + process.stderr.read()
    port = int(found[1])
    _wait_until_it_answers(port)
    return Command(process, port)


def workers_of(process_id: int) -> list[int]:
    """The process ids of a server's workers: what the process that forks them has as children."""
    children: dict[int, list[int]] = {}
    forking = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int(folder.joinpath("stat").read_text().rpartition(")")[2].split()[1])
            words = folder.joinpath("cmdline").read_bytes()
        except OSError:
            continue  # it has ended
        children.setdefault(parent, []).append(int(folder.name))
        if parent == process_id and b"multiprocessing.forkserver" in words:
            forking.append(int(folder.name))
    return [child for process in forking for child in children.get(process, [])]
