"""The HTTP server that carries the application."""

from __future__ import annotations

import asyncio
import json
import logging

import h11
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from answerer.serve.guard import BUSY, HEADERS, NOTHING, refusal
from answerer.serve.limits import ServerLimits

_SECONDS_TO_END = 1  # for answers under way when the server receives SIGINT or SIGTERM


class _Protocol(H11Protocol):
    """Closes a connection on which no request was under way for `limits.idle_seconds`.

    uvicorn's own protocol waits for ever for a first request and for the rest of a head, so that enough idle
    connections would lock everybody else out. Requests refused before the application sees them get its form of
    refusal: a line of JSON, with the same headers.
    """

    limits: ServerLimits
    _closing: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accepts a connection and starts its idle timer; beyond `limits.connections` its requests get the refusal
        `_busy`."""
        super().connection_made(transport)
        if len(self.connections) >= self.limits.connections:
            self.app = _busy
        self._update_timer()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._update_timer()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._update_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop()

    def send_400_response(self, msg: str) -> None:
        """Answers a malformed request with status 400 and a JSON object {"error": …} instead of uvicorn's plain text,
        and closes the connection."""
        headers = {
            **HEADERS,
            "Content-Security-Policy": NOTHING,
            "Content-Type": "application/json",
            "Connection": "close",
        }
        body = json.dumps({"error": f"not HTTP as expected here: {msg}"}).encode()
        response = h11.Response(status_code=400, headers=[*headers.items(), ("Content-Length", str(len(body)))])
        for event in (response, h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _update_timer(self) -> None:
        """Starts the idle timer if no request is under way, else stops it."""
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop()
        elif self._closing is None:
            self._closing = self.loop.call_later(self.limits.idle_seconds, self.transport.close)

    def _stop(self) -> None:
        """Stops the idle timer."""
        if self._closing is not None:
            self._closing.cancel()
            self._closing = None


async def _busy(scope: Scope, receive: Receive, send: Send) -> None:
    """The application of a connection too many: refuses every request."""
    answer = refusal(503, BUSY)
    answer.headers.update({**HEADERS, "Content-Security-Policy": NOTHING, "Connection": "close"})
    await answer(scope, receive, send)


def server(app: ASGIApp, limits: ServerLimits) -> uvicorn.Server:
    """Builds the server of an application. Its `run` ends on SIGINT and SIGTERM and then raises them again."""
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    config = uvicorn.Config(
        app,
        http=type("Protocol", (_Protocol,), {"limits": limits}),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_SECONDS_TO_END,
    )
    return uvicorn.Server(config)
