"""A proxy between the program and a real Elasticsearch that does harm when it is told to, request
by request."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple
from urllib.parse import urlsplit

from tests.node import free_port


class Answer(NamedTuple):
    """What a server answers; of `cut` bytes of the body only these are sent before the connection
    ends."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes
    cut: int | None = None


Ask = Callable[[], Answer]
Harm = Callable[[str, Ask], Answer]
"""Gets a request's path and what asks the server for its answer; gives the answer that the program
is to get."""


class Proxy:
    """`harms` are used up one by one by the requests whose path holds `where`; all others go
    through as they are."""

    def __init__(self, url: str) -> None:
        self._server = urlsplit(url)
        self.url = f"http://localhost:{free_port()}"
        self.where = "_msearch"
        self.harms: list[Harm] = []
        self.asked: list[str] = []
        self._lock = threading.Lock()

    def answer(self, method: str, path: str, headers: dict[str, str], body: bytes) -> Answer:
        def ask() -> Answer:
            connection = http.client.HTTPConnection(
                self._server.hostname or "", self._server.port, timeout=600
            )
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            told = Answer(response.status, response.getheaders(), response.read())
            connection.close()
            return told

        with self._lock:
            self.asked.append(path)
            harm = self.harms.pop(0) if self.where in path and self.harms else None
        return harm(path, ask) if harm else ask()


@contextmanager
def proxy(url: str) -> Iterator[Proxy]:
    """A proxy to a server, listening as long as the block runs."""
    made = Proxy(url)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            kept = {
                name: value
                for name, value in self.headers.items()
                if name.lower() != "accept-encoding"
            }
            answer = made.answer(self.command, self.path, kept, body)
            self.send_response(answer.status)
            for name, value in answer.headers:
                if name.lower() not in ("content-length", "transfer-encoding"):
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            if answer.cut is None:
                self.wfile.write(answer.body)
                return
            self.wfile.write(answer.body[: answer.cut])
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True

        do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = handle_any  # noqa: N815

        def log_message(self, *_: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", urlsplit(made.url).port or 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()


def too_many(path: str, ask: Ask) -> Answer:
    """A server that has too much to do."""
    error = {"type": "es_rejected_execution_exception", "reason": "rejected execution"}
    return refused(429, {**error, "root_cause": [error]})


def refused(status: int, error: dict[str, object]) -> Answer:
    """An error as Elasticsearch tells it."""
    headers = [("X-elastic-product", "Elasticsearch"), ("Content-Type", "application/json")]
    return Answer(status, headers, json.dumps({"error": error, "status": status}).encode())


def cut(path: str, ask: Ask) -> Answer:
    """The connection ends in the middle of an answer."""
    whole = ask()
    return whole._replace(cut=len(whole.body) // 2)


def lost(path: str, ask: Ask) -> Answer:
    """The server does what it is asked; of its answer not a byte arrives."""
    return ask()._replace(cut=0)


def away(path: str, ask: Ask) -> Answer:
    """A server that is gone: it does nothing, and of its answer not a byte arrives."""
    return Answer(503, [], b"gone", cut=0)


def one_part_failed(path: str, ask: Ask) -> Answer:
    """One part of an `msearch` says that its shards are not there now."""
    whole = ask()
    told = json.loads(whole.body)
    error = {"type": "no_shard_available_action_exception", "reason": "no shard"}
    failed = {
        "type": "search_phase_execution_exception",
        "reason": "all shards failed",
        "root_cause": [error],
    }
    told["responses"][len(told["responses"]) // 2] = {"error": failed, "status": 503}
    return whole._replace(body=json.dumps(told).encode())
