"""The server's application: its page, answering, indexing of textbooks, health and API
description."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Sequence
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import anyio
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from answerer.asking.kinds import kinds
from answerer.ntcir.multiple_choice.methods import exam_methods
from answerer.page.frame import PageFiles, page
from answerer.quiz_check.written import PAGE as CHECK_PAGE
from answerer.registry import tasks
from answerer.serve.http import Guard, refusal
from answerer.serve.pool import BUSY, MIB, ServerLimits, server_pool
from answerer.serve.requests import (
    File,
    IndexQuestion,
    NoQuestions,
    SentBook,
    api_description,
    methods_of,
    read_book,
    request_value,
    work_of,
)
from answerer.serve.served import Served, fault_of, new_book, short_names
from answerer.serve.worker import AWAY, Message
from indexer.address import locate
from indexer.engines.errors import TransientError
from indexer.files.errors import UserError, one_line
from indexer.files.messages import info, warn

Parsed = TypeVar("Parsed")

_PAGE = PageFiles(__package__, "live.html", ("answer.css", "live.css"), ("answer.js", "live.js"))
_LINES = "application/x-ndjson"
_STATUS = {
    "result": 200,
    "refused": 422,
    "no_questions": 422,
    "failed": 500,
    "away": 503,
    "busy": 503,
    "slow": 504,
}


def application(
    indexes: Sequence[Served],
    hosts: Iterable[str],
    limits: ServerLimits,
    books: Path,
    task: str | None = None,
) -> Starlette:
    """The server's ASGI application over these indexes, for requests whose Host is one of `hosts`;
    uploaded textbooks become indexes in the folder `books`. Files that are sent without a task are
    of `task`, by default the one that their beginning indicates."""
    server = _Server(indexes, limits, books, task)
    return Starlette(
        routes=[
            Route("/", server.page),
            Route("/answer", server.answer, methods=["POST"]),
            Route("/index", server.index, methods=["POST"]),
            Route("/index", server.remove, methods=["DELETE"]),
            Route("/health", server.health),
            Route("/openapi.json", lambda _request: JSONResponse(api_description())),
        ],
        middleware=[Middleware(Guard, hosts=hosts)],
        exception_handlers={
            HTTPException: lambda _request, error: refusal(error.status_code, error.detail),
            NoQuestions: lambda _request, error: refusal(400, one_line(error), no_questions=True),
            UserError: lambda _request, error: refusal(400, one_line(error)),
            ClientDisconnect: lambda *_: refusal(499, "nobody waits for the answer"),
        },
        lifespan=server.lifespan,
    )


class _Server:
    """The indexes, worker processes and limits of a server, and its replies."""

    def __init__(
        self, indexes: Sequence[Served], limits: ServerLimits, books: Path, task: str | None
    ) -> None:
        self._indexes = list(indexes)
        self._missing: dict[Served, str] = {}  # those that cannot be opened, and why
        self._task = task
        self._limits = limits
        self._books = books
        # Its base64 is a third longer.
        self._largest_file = (limits.body - limits.small_body) * 3 // 4
        self._large_bodies = 0  # that are being read

    @asynccontextmanager
    async def lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        """Starts the worker processes before the first request and ends them with the server."""
        served = {index.kind for index in self._indexes}
        modules = [
            where.partition(":")[0] for kind, (where, _) in kinds().items() if kind in served
        ]
        async with server_pool(self._limits, modules) as self._pool:
            yield

    async def page(self, _request: Request) -> Response:
        """The page, with the indexes that are not missing and the tasks that those served can
        answer (without any, those of a textbook); its policy allows connections to its own server
        only."""
        # Without any index a textbook is what will be dropped.
        served = {index.kind for index in self._indexes} or {"textbook"}
        answerable = [task for task in tasks().values() if not task.index or task.index in served]
        methods = {task.name: methods_of(task) for task in answerable}
        present = await self._present()
        indexes = [
            # As replies give the address: without a password.
            {**index._asdict(), "address": locate(index.address).shown, "name": name}
            for index, name in zip(present, short_names(present), strict=True)
        ]
        html = page(
            _PAGE,
            {
                "largest": self._largest_file,
                "methods": {"": tuple(exam_methods()), **methods},
                "indexes": indexes,
            },
            "connect-src 'self'; img-src data:",
            opens=[CHECK_PAGE],
            title="classical-qa",
            indexes=indexes,
            tasks=answerable,
            task=self._task,
            largest=self._largest_file // MIB,
        )
        # The page contains its own policy; framing can be forbidden by a header only.
        return HTMLResponse(html, headers={"Content-Security-Policy": "frame-ancestors 'none'"})

    async def health(self, _request: Request) -> Response:
        """Replies to GET /health: the indexes that are not missing, and how many requests are under
        way; with status 503 and the faults if an Elasticsearch is away, or no index is left."""
        faults = [*dict.fromkeys(await self._look_at(self._indexes))]  # of one server, one fault
        present = [index.shown for index in self._indexes if index not in self._missing]
        state = {"indexes": present, "under_way": self._pool.under_way}
        if faults := faults or ([] if present else [*self._missing.values()]):
            return JSONResponse({"status": "away", **state, "faults": faults}, 503)
        return JSONResponse({"status": "ok", **state})

    async def _look_at(self, indexes: Iterable[Served]) -> list[str]:
        """Opens indexes, logs which are missing and which are there again, and returns why others
        are away: their server may be back soon."""
        looked_at = list(indexes)
        faults = await asyncio.gather(
            *(run_in_threadpool(fault_of, served) for served in looked_at)
        )
        away = []
        for index, fault in zip(looked_at, faults, strict=True):
            if isinstance(fault, TransientError):
                away.append(one_line(fault))
            elif fault is None:
                if self._missing.pop(index, None):
                    info(f"{index.shown} is served again")
            elif index not in self._missing:
                self._missing[index] = one_line(fault)
                warn(f"{index.shown} is not served any more: {one_line(fault)}")
        return away

    async def _present(self) -> list[Served]:
        """The indexes that are not known to be missing; those that are, are looked at again."""
        if self._missing:
            await self._look_at(self._missing)
        return [index for index in self._indexes if index not in self._missing]

    async def answer(self, request: Request) -> Response:
        """Replies (`_reply`) to POST /answer, a question or a task's file. Raises HTTPException as
        `_read` does, UserError for another value, an unknown index, or if none fits."""
        present = await self._present()

        def parse(body: bytes) -> tuple[dict[str, Any], IndexQuestion | File]:
            value = request_value(body)
            return value, work_of(value, present, self._task)

        return await _reply(request, self._answer(*await self._read(request, parse)))

    async def _answer(
        self, value: dict[str, Any], work: IndexQuestion | File
    ) -> AsyncGenerator[Message]:
        """Yields the messages of the work of a request; done again without the indexes that turn
        out to be missing, at most once for each index, then "away", as for work that was too slow
        and whose search server does not answer; "refused" if no index is left that fits."""
        for _ in range(len(self._indexes) + 1):
            is_gone = False
            async with aclosing(self._pool.run(work)) as messages:
                async for message in messages:
                    is_gone = message.kind == "gone"
                    # A worker may still be waiting for its search server when its time is over.
                    if message.kind == "slow" and await self._look_at(_indexes_of(work)):
                        yield Message("away", json.dumps(AWAY).encode())
                    elif not is_gone:
                        yield message
            if not is_gone:
                return
            await self._look_at(self._indexes)
            try:
                work = work_of(value, await self._present(), self._task)
            except UserError as error:
                yield Message("refused", json.dumps(one_line(error)).encode())
                return
        yield Message("away", json.dumps(AWAY).encode())

    async def index(self, request: Request) -> Response:
        """Replies to POST /index: builds an index from the textbook in the body and serves it from
        then on. Raises UserError if `limits.indexes` are served already and as `read_book` does,
        HTTPException as `_read` does."""
        if len(self._indexes) >= self._limits.indexes:
            raise UserError(f"this server has {self._limits.indexes} indexes, its maximum")
        book = await self._read(request, read_book)
        served = tuple(await self._present())
        address = str(new_book(self._books, book.file.name, self._indexes))
        return await _reply(request, self._build(book._replace(address=address, served=served)))

    async def remove(self, request: Request) -> Response:
        """Replies to DELETE /index with the fields of the textbook called `name` (of the query),
        which it removes with its folder. Raises UserError for one that was not sent to this
        server."""
        name = request.query_params.get("name", "")
        for index in self._indexes:
            if index.shown == name and Path(index.address).is_relative_to(self._books):
                self._indexes.remove(index)
                self._missing.pop(index, None)
                await run_in_threadpool(shutil.rmtree, Path(index.address).parent, True)
                return JSONResponse(index._asdict())
        raise UserError(f"{name!r} was not sent to this server: it is not removed")

    async def _build(self, book: SentBook) -> AsyncGenerator[Message]:
        """Yields the messages of a build, and serves its index from the last on; removes the book's
        folder if no index was built, as where the book is there already."""
        built = False
        try:
            async with aclosing(self._pool.run(book)) as messages:
                async for message in messages:
                    if message.kind == "result":
                        index = Served(**json.loads(message.body))
                        built = index not in self._indexes
                        if built:
                            self._indexes.append(index)
                    yield message
        finally:
            if not built:
                shutil.rmtree(Path(book.address).parent, ignore_errors=True)

    async def _read(self, request: Request, parse: Callable[[bytes], Parsed]) -> Parsed:
        """The request parsed from a JSON body within the limits. Raises HTTPException for another
        media type (415), no Content-Length (411), a larger body than `limits.body` (413), while
        `limits.large` large ones are read (503), and as `_body` does; what `parse` raises."""
        limits = self._limits
        media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media_type != "application/json":
            raise HTTPException(
                415, "send the request as JSON, with Content-Type: application/json"
            )
        if "content-length" not in request.headers:
            raise HTTPException(411, "send the request with its Content-Length")
        length = int(request.headers["content-length"])  # uvicorn holds the client to it
        if length > limits.body:
            raise HTTPException(
                413,
                f"the request is larger than {limits.body // MIB} MiB, which a file of "
                f"{self._largest_file // MIB} MiB makes",
            )
        if length <= limits.small_body:
            return parse(await _body(request, limits))
        # Large bodies are counted before they are read: memory is what they cost.
        if self._large_bodies >= limits.large:
            raise HTTPException(503, BUSY)
        self._large_bodies += 1
        try:
            return parse(await _body(request, limits))
        finally:
            self._large_bodies -= 1


def _indexes_of(work: IndexQuestion | File) -> Sequence[Served]:
    """The indexes that work asks."""
    if isinstance(work, IndexQuestion):
        return work.indexes
    return [work.served] if work.served else []


async def _body(request: Request, limits: ServerLimits) -> bytes:
    """The body of a request. Raises HTTPException (408) if it takes longer than
    `limits.body_seconds` and its bytes at `limits.body_rate` a second."""
    body = bytearray()
    deadline = asyncio.get_running_loop().time() + limits.body_seconds
    try:
        async with asyncio.timeout_at(deadline) as timeout:
            async for chunk in request.stream():
                body += chunk
                # Moves with the bytes that came: a slow line may send a large file, a silent one is
                # cut.
                timeout.reschedule(deadline + len(body) / limits.body_rate)
    except TimeoutError:
        raise HTTPException(408, "the body came too slowly") from None
    return bytes(body)


async def _reply(request: Request, messages: AsyncGenerator[Message]) -> Response:
    """Replies with messages, progress too, as JSON lines if the Accept header has these, else with
    the last message as JSON and its status; closes them, and raises ClientDisconnect, if nobody
    waits."""
    if _LINES in request.headers.get("accept", ""):
        return StreamingResponse(_as_lines(messages), media_type=_LINES)
    last: Message | None = None
    async with aclosing(messages), anyio.create_task_group() as group:

        async def stop_without_client() -> None:
            """Cancels the group when the client has disconnected; nothing else comes after the
            body."""
            await request.receive()
            group.cancel_scope.cancel()

        group.start_soon(stop_without_client)
        async for message in messages:
            last = message
        group.cancel_scope.cancel()
    if last is None or last.kind not in _STATUS:
        raise ClientDisconnect
    body = last.body if last.kind == "result" else b'{"error":%s%s}' % (last.body, _more(last))
    return Response(body, _STATUS[last.kind], media_type="application/json")


def _more(message: Message) -> bytes:
    """What a reply says of an error beside its line."""
    return b',"no_questions":true' if message.kind == "no_questions" else b""


async def _as_lines(messages: AsyncGenerator[Message]) -> AsyncIterator[bytes]:
    """Yields messages as JSON lines, a warning as a note with `"warning":true`, an error with its
    status."""
    async with aclosing(messages):
        async for kind, body in messages:
            if kind in ("note", "progress", "result"):
                yield b'{"%s":%s}\n' % (kind.encode(), body)
            elif kind == "warning":
                yield b'{"note":%s,"warning":true}\n' % body
            else:
                more = _more(Message(kind, body))
                yield b'{"error":%s,"status":%d%s}\n' % (body, _STATUS[kind], more)
