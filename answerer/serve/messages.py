"""The protocol of the server and its worker processes: a line with a kind and a length in bytes, then the body."""

from __future__ import annotations

import asyncio
from typing import BinaryIO, Literal, NamedTuple, cast

Kind = Literal["ready", "note", "progress", "result", "refused", "failed"]
LAST = ("result", "refused", "failed")
"""The kinds that end a piece of work."""


class Message(NamedTuple):
    """A message of a worker: `body` is JSON in UTF-8.

    ready: it takes work (null). note: a line of text. progress: {label, done, total}. result: the answer. refused: a
    line that says what the user can mend. failed: a line for what was a bug.
    """

    kind: Kind
    body: bytes


def write(stream: BinaryIO, kind: Kind, body: bytes) -> None:
    """Writes a message and flushes the stream."""
    stream.write(b"%s %d\n%s" % (kind.encode(), len(body), body))
    stream.flush()


async def read(stream: asyncio.StreamReader) -> Message:
    """Reads the next message from the worker. Raises EOFError if the worker process has ended."""
    try:
        kind, length = (await stream.readuntil(b"\n")).split()
        return Message(cast(Kind, kind.decode()), await stream.readexactly(int(length)))
    except (asyncio.IncompleteReadError, ConnectionError):
        raise EOFError from None
