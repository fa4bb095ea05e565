"""The HTTP server: access control (this machine's names, the server's own page), limits on
connections, and the form of refusals."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable

import uvicorn
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from answerer.serve.pool import ServerLimits
from indexer.files.messages import info

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
_LONGEST_PATH = 100  # characters of a path in the log
NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


def own_hosts(port: int) -> frozenset[str]:
    """The values of a Host header that mean this server: localhost, 127.0.0.1 and [::1] with the
    port, at port 80 also without it."""
    names = ("localhost", "127.0.0.1", "[::1]")
    return frozenset(f"{name}:{port}" for name in names) | (
        frozenset(names) if port == 80 else frozenset()
    )


class Guard:
    """Middleware that accepts requests to one of the `hosts`, from the server's own page or no
    page.

    A name that an attacker's domain server points at this machine fails by its Host (DNS
    rebinding), a page of another site by its Origin. Every response gets headers that keep it out
    of other pages and, by default, a policy that loads nothing; it is logged with time, method,
    path, status and seconds, but for a health that is good.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self._app = app
        self._hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes an allowed HTTP request on (and what is not HTTP unchanged), answers any other
        with its refusal, one under way when the server ends with 503, adds the security headers,
        and logs method, path, status and time."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status, started = 0, time.monotonic()

        async def send_guarded(message: Message) -> None:
            """Sends a message of the response, its start with the security headers; keeps the
            status for the log."""
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                added = MutableHeaders(scope=message)
                added.update(HEADERS)
                # The page has its own policy; all else is data, which must not load anything when
                # opened as a page.
                added.setdefault("Content-Security-Policy", NOTHING)
            await send(message)

        try:
            await (self._refusal(scope["method"], Headers(scope=scope)) or self._app)(
                scope, receive, send_guarded
            )
        except asyncio.CancelledError:  # the server ends: no traceback of what was under way
            if not status:
                await refusal(503, "the server ends")(scope, receive, send_guarded)
        finally:  # questions and files are private: they are not logged
            now, taken = time.strftime("%Y-%m-%dT%H:%M:%S"), time.monotonic() - started
            if (scope["path"], status) != ("/health", 200):  # Docker asks four times a minute
                info(
                    f"{now} {scope['method']} {scope['path'][:_LONGEST_PATH]} {status or 500} "
                    f"{taken:.2f} s"
                )

    def _refusal(self, method: str, headers: Headers) -> Response | None:
        """The refusal (status 421 or 403) by the Host, Origin or Sec-Fetch-Site header; None if
        allowed, as is a GET or HEAD without Origin from anywhere."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return refusal(421, f"this server answers at {', '.join(sorted(self._hosts))} only")
        origin = headers.get("origin")
        if origin is None:
            # Browsers send no Origin with some requests, but say where these come from. Reading the
            # page by a link of another site is harmless: only methods that make work are refused.
            foreign = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
            foreign = foreign and method not in ("GET", "HEAD")
        else:
            foreign = origin.lower() != f"http://{hosts[0].lower()}"
        return refusal(403, "pages of other sites may not ask here") if foreign else None


def refusal(status: int, line: str, **more: bool) -> Response:
    """A JSON response whose `error` says in one line what is wrong and what to do; `more` is added
    to it."""
    return JSONResponse({"error": line, **more}, status)


def server(app: ASGIApp, limits: ServerLimits) -> uvicorn.Server:
    """Builds the server of an application. Its `run` ends on SIGINT and SIGTERM and then raises
    them again; answers under way have one second. Give `run` the listening sockets. Of uvicorn's
    log only warnings are shown."""
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    config = uvicorn.Config(
        app,
        # Requests are logged by the guard alone; no header names the server, none says who the
        # client is.
        limit_concurrency=limits.connections,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=1,  # second for answers under way at SIGINT or SIGTERM
    )
    return uvicorn.Server(config)
