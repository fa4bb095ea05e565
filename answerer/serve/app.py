"""The server's application: its page, answering, indexing of textbooks, health and API description."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route

from answerer.asking.command import KINDS
from answerer.ntcir.multiple_choice.methods import METHODS
from answerer.page.frame import page
from answerer.registry import tasks
from answerer.serve.http import BUSY, Guard, refusal
from answerer.serve.pool import KIB, MIB, BusyError, ServerLimits, ServerPool, TooSlowError
from answerer.serve.requests import IndexQuestion, Message, SentBook, Work, methods_of, read_book, read_request, to_line
from answerer.serve.served import Served, new_book
from indexer.files.errors import UserError, one_line


def live_page(indexes: Sequence[Served], limits: ServerLimits) -> str:
    """The server's page as HTML, with the indexes and the tasks that these can answer; its policy allows connections to
    its own server only."""
    largest = (limits.body - limits.small_body) * 3 // 4  # of a file, whose base64 is a third longer
    kinds = {index.kind for index in indexes}
    answerable = [task for task in tasks().values() if not task.index or task.index in kinds]
    return page(
        "answerer.serve",
        "live.html",
        ("answer.css", "live.css"),
        ("answer.js", "live.js"),
        {
            "largest": largest,
            "methods": {"": tuple(METHODS), **{task.name: methods_of(task) for task in answerable}},
            "indexes": [{"shown": one.shown, "address": one.address, "language": one.language} for one in indexes],
        },
        "connect-src 'self'; img-src data:",
        title="classical-qa",
        indexes=indexes,
        tasks=answerable,
        largest=largest // MIB,
    )


_LINES = "application/x-ndjson"
_POLL_SECONDS = 1.0  # how soon it is noticed that nobody waits for an answer any more
_STATUS = {"result": 200, "refused": 422, "failed": 500}


class _End(NamedTuple):
    """The last event of a piece of work: HTTP status, and as JSON the answer (status 200) or the error message."""

    status: int
    body: bytes


def application(
    indexes: Sequence[Served],
    hosts: Iterable[str],
    origins: Iterable[str] = (),
    limits: ServerLimits | None = None,
    books: Path | None = None,
) -> Starlette:
    """The server's ASGI application over these indexes, for requests whose Host is one of `hosts`, from its own page
    and from pages of `origins`.

    Uploaded textbooks become indexes in the folder `books`; without a folder they are refused.
    """
    server = _Server(indexes, limits or ServerLimits(), books)
    return Starlette(
        routes=[
            Route("/", server.page),
            Route("/answer", server.answer, methods=["POST"]),
            Route("/index", server.index, methods=["POST"]),
            Route("/health", server.health),
            Route("/openapi.json", server.openapi),
        ],
        middleware=[Middleware(Guard, hosts=hosts, origins=origins)],
        exception_handlers={HTTPException: _http_error},
        lifespan=server.lifespan,
    )


def api_description() -> bytes:
    """The OpenAPI description as JSON, with the methods for choices and the tasks that are installed."""
    described = json.loads(files(__package__).joinpath("openapi.json").read_bytes())
    schemas = described["components"]["schemas"]
    schemas["Question"]["properties"]["method"]["enum"] = list(METHODS)
    schemas["File"]["properties"]["task"]["enum"] = list(tasks())
    return json.dumps(described, ensure_ascii=False).encode()


class _Server:
    def __init__(self, indexes: Sequence[Served], limits: ServerLimits, books: Path | None) -> None:
        self._indexes = list(indexes)
        self._limits = limits
        self._books = books
        self._large = 0
        self._page = live_page(indexes, limits)
        self._openapi = api_description()

    @contextlib.asynccontextmanager
    async def lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        """Starts the worker processes before the first request and ends them with the server."""
        # Workers load the modules of these kinds before the first question, which would wait for the imports.
        kinds = sorted({one.kind for one in self._indexes} & set(KINDS))
        self._pool = ServerPool(self._limits, kinds)
        await self._pool.start()
        try:
            yield
        finally:
            await self._pool.close()

    async def page(self, _request: Request) -> Response:
        # The page contains its own policy; framing can be forbidden by a header only.
        return HTMLResponse(self._page, headers={"Content-Security-Policy": "frame-ancestors 'none'"})

    async def openapi(self, _request: Request) -> Response:
        return Response(self._openapi, media_type="application/json")

    async def health(self, _request: Request) -> Response:
        health = {"status": "ok", "indexes": [one.shown for one in self._indexes], "under_way": self._pool.under_way}
        return Response(json.dumps(health), media_type="application/json")

    async def answer(self, request: Request) -> Response:
        """Replies to POST /answer, a question or a task's file: with progress as JSON lines if the client accepts
        these, else with one JSON object at the end."""
        return await self._reply(request, lambda body: read_request(body, self._indexes))

    async def index(self, request: Request) -> Response:
        """Replies to POST /index: builds an index from the textbook in the body and serves it from then on, with
        progress as JSON lines if the client accepts these."""

        def read(body: bytes) -> SentBook:
            """The textbook of the body with the path of its new index as address. Raises UserError if the server takes
            no (more) textbooks."""
            if self._books is None:
                raise UserError("this server takes no textbooks")
            if len(self._indexes) >= self._limits.indexes:
                raise UserError(f"this server has {self._limits.indexes} indexes, its maximum")
            book = read_book(body)
            return book._replace(address=str(new_book(self._books, book.file.name)))

        return await self._reply(request, read)

    async def _reply(self, request: Request, read: Callable[[bytes], Work]) -> Response:
        """Runs the work that `read` parses from the request's body, and replies as one JSON object or as JSON lines, by
        the Accept header.

        Refuses a body that is not JSON, is too large or slow, or for which `read` raises UserError (status 400).
        """
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return refusal(415, "send the request as JSON, with Content-Type: application/json")
        async with self._body(request) as body:
            if isinstance(body, Response):
                return body
            try:
                asked = read(body)
            except UserError as error:
                return refusal(400, one_line(error))
        # The body is checked before it takes a place in the queue.
        events = self._events(request, to_line(asked), not isinstance(asked, IndexQuestion))
        # The folder was made when the request was read: from here on it has to be removed if no index comes of it.
        if isinstance(asked, SentBook):
            events = self._with_book(events, Path(asked.address).parent)
        if _LINES in request.headers.get("accept", ""):
            return StreamingResponse(_as_lines(events), media_type=_LINES)
        async for message in events:
            if isinstance(message, _End):
                body = message.body if message.status == 200 else b'{"error":%s}' % message.body
                return Response(body, message.status, media_type="application/json")
        return refusal(499, "nobody waits for the answer")

    async def _with_book(self, events: AsyncGenerator[Message | _End], folder: Path) -> AsyncGenerator[Message | _End]:
        """Yields the events unchanged, but for the server's folder, which is cut from messages; after success adds the
        built index to the served ones, else removes the book's folder."""
        built = False
        try:
            async with contextlib.aclosing(events):
                async for message in events:
                    if isinstance(message, _End) and message.status == 200:
                        built = True
                        self._indexes.append(Served(**json.loads(message.body)))
                        self._page = live_page(self._indexes, self._limits)
                    else:  # messages name the file without the server's folder
                        message = message._replace(body=message.body.replace(f"{folder}/".encode(), b""))
                    yield message
        finally:
            if not built:
                shutil.rmtree(folder, ignore_errors=True)

    @contextlib.asynccontextmanager
    async def _body(self, request: Request) -> AsyncIterator[bytes | Response]:
        """Yields the request's body, or the refusal to send if it is too large, too slow, or already `limits.large`
        large bodies are in memory."""
        try:
            length = int(request.headers.get("content-length", ""))
        except ValueError:
            length = 0
        # Large bodies are counted before they are read: memory is what they cost.
        large = length > self._limits.small_body
        if length > self._limits.body:
            yield refusal(413, f"the body is larger than {self._limits.body // MIB} MiB")
        elif large and self._large >= self._limits.large:
            yield refusal(503, BUSY)
        else:
            self._large += large
            try:
                yield await self._read(request, length if large else self._limits.small_body)
            finally:
                self._large -= large

    async def _read(self, request: Request, most: int) -> bytes | Response:
        """The request's body if it has at most `most` bytes; a refusal if it is longer, slower than `limits.body_rate`,
        or the client disconnects."""
        read = bytearray()
        started = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout_at(started + self._limits.body_seconds) as deadline:
                async for chunk in request.stream():
                    read += chunk
                    # Moves with the bytes that came: a slow line may send a large file, a silent one is cut.
                    deadline.reschedule(started + self._limits.body_seconds + len(read) / self._limits.body_rate)
                    if len(read) > most:
                        small = self._limits.small_body // KIB
                        return refusal(413, f"over {small} KiB a body needs a Content-Length that is true")
        except TimeoutError:
            return refusal(408, "the body came too slowly")
        except ClientDisconnect:
            return refusal(499, "nobody waits for the answer")
        return bytes(read)

    async def _events(self, request: Request, work: bytes, is_file: bool) -> AsyncGenerator[Message | _End]:
        """Yields the messages of a piece of work (`work`: a line of `to_line`) as they come, its end last; cancels the
        work and stops if the client has disconnected."""
        messages: asyncio.Queue[Message | None] = asyncio.Queue()
        # A task, so that the loop below can look whether the client is still there while the work goes on.
        running = asyncio.create_task(self._pool.run(work, messages.put_nowait, is_file))
        running.add_done_callback(lambda _task: messages.put_nowait(None))
        try:
            while True:
                try:
                    message = await asyncio.wait_for(messages.get(), _POLL_SECONDS)
                except TimeoutError:
                    if await request.is_disconnected():
                        return
                    continue
                if message is not None:
                    yield message
                    continue
                try:
                    last = running.result()
                    yield _End(_STATUS[last.kind], last.body)
                except BusyError:
                    yield _End(503, json.dumps(BUSY).encode())
                except TooSlowError:
                    line = "this takes longer than the server allows: the work was ended"
                    yield _End(504, json.dumps(line).encode())
                return
        finally:
            running.cancel()


async def _as_lines(events: AsyncGenerator[Message | _End]) -> AsyncIterator[bytes]:
    """Yields notes and progress as JSON lines; the last line has the result, or the error and its status."""
    async with contextlib.aclosing(events):
        async for message in events:
            if isinstance(message, Message):
                yield b'{"%s":%s}\n' % (message.kind.encode(), message.body)
            elif message.status == 200:
                yield b'{"result":%s}\n' % message.body
            else:
                yield b'{"error":%s,"status":%d}\n' % (message.body, message.status)


async def _http_error(_request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return refusal(status, "not found" if status == 404 else f"HTTP status {status}")
