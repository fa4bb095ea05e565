"""`python -m answerer.serve.worker FOLDER KIND…`: one process that answers, one thing at a time, until its server ends.

Work comes as lines of JSON on the standard input, messages leave by the standard output. A process of its own can be
ended in the middle of anything, holds its own taggers and open indexes, and shares no lock with the others.
"""

from __future__ import annotations

import base64
import importlib
import json
import logging
import os
import queue
import shutil
import sys
import threading
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from answerer.answering import Run, answer
from answerer.asking.command import ask
from answerer.asking.reply import plain
from answerer.page.drawn import NO_GOLD, drawn, drawn_row
from answerer.page.frame import page_values
from answerer.registry import tasks
from answerer.serve.messages import Kind, Message, write
from answerer.serve.requests import Book, File, Question, Sent, from_line
from answerer.serve.served import Served
from answerer.submission import ending
from answerer.trace import encode, rounded_values, trace_text
from indexer.api import build_textbook
from indexer.engines.contract import IndexGone
from indexer.files.errors import UserError, one_line
from indexer.files.messages import LOGGER, listening

GIVEN = "given"  # the folder, in a worker's own, of the file that was sent


def done(line: bytes, folder: Path) -> bytes:
    """The answer to the request of a line, as JSON in UTF-8. UserError where the index or the file does not give any.

    An index is opened for each request, which costs a millisecond or two: so one that was built anew answers at once,
    and one that is gone is told. What files are needed stand in the folder, which is this process's own.
    """
    request = from_line(line)
    if isinstance(request, Book):
        return json.dumps(_of_book(request), ensure_ascii=False).encode()
    answered = partial(_of_file, request, folder) if isinstance(request, File) else partial(_of_question, request)
    try:
        value = answered()
    except IndexGone:  # it was replaced in this moment: what stands there now answers
        value = answered()
    return json.dumps(value, ensure_ascii=False).encode()


def _of_question(asked: Question) -> Any:
    reply = ask(asked.question, asked.addresses, asked.choices, asked.k, method=asked.method, evidence=asked.evidence)
    told = {"task": reply.task, "row": encode(reply.row)} if reply.row else {}
    answered = rounded_values({**plain(reply), **told})
    if reply.row:
        answered["drawn"] = page_values(drawn(reply.task, reply.row, weights=reply.weights))
    return answered


def _of_file(asked: File, folder: Path) -> dict[str, Any]:
    """The submission byte for byte as the command writes it; with the evidence, its trace and what the page draws."""
    options: dict[str, Any] = {"method": asked.method} if asked.method else {}
    with _written(asked.files, folder / GIVEN) as paths:
        given, sources = paths[0], paths
        several = tasks()[asked.task].several
        if several and several.option:
            sources, options[several.option] = paths[:1], paths[1:]
        run = answer(asked.task, *sources, index=asked.addresses or None, evidence=asked.evidence, **options)
    (submission,) = run.files.values()
    kind = ending(submission) if asked.task == "ntcir-mc" else given.suffix
    told: dict[str, Any] = {"task": asked.task, "submission": _attached(f"{given.stem}.run{kind}", submission)}
    if asked.evidence:
        lines = trace_text(run.header, run.questions).encode()
        told |= {"run": run.header, "trace": _attached(f"{given.stem}.trace.jsonl", lines), "questions": _drawn(run)}
    return told


def _of_book(asked: Book) -> dict[str, str]:
    """The index that a textbook became, as `Served` describes it. The file stays beside it, as its source."""
    address = Path(asked.address)
    source = address.parent / asked.file.name
    source.write_bytes(base64.b64decode(asked.file.content))
    options: dict[str, Any] = {"language": asked.language} if asked.language else {}
    index = build_textbook([str(source)], asked.address, **options)
    language = index.metadata.language
    return Served(asked.address, address.parent.name, "textbook", language.code if language else "")._asdict()


@contextmanager
def _written(files: Sequence[Sent], folder: Path) -> Iterator[list[Path]]:
    """The files by their names in a folder, as long as they are needed."""
    folder.mkdir(exist_ok=True)
    paths = [folder / file.name for file in files]
    try:
        for path, file in zip(paths, files, strict=True):
            path.write_bytes(base64.b64decode(file.content))
        yield paths
    finally:
        for path in paths:
            path.unlink(missing_ok=True)


def _attached(name: str, content: bytes) -> dict[str, str]:
    return {"name": name, "content": base64.b64encode(content).decode()}


def _drawn(run: Run) -> list[dict[str, Any]]:
    return [
        {"name": row.question_id, "drawn": page_values(drawn_row(run.header, row, NO_GOLD))} for row in run.questions
    ]


def main(folder: Path, kinds: list[str]) -> None:
    """Answer what comes. What `kinds` of index need is loaded before the first question; the folder is for files."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not get among the messages
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(lines, folder), daemon=True).start()
    LOGGER.addHandler(_Notes(out, folder))
    LOGGER.setLevel(logging.INFO)
    LOGGER.propagate = False
    for kind in kinds:
        importlib.import_module(f"answerer.asking.{kind}")
    write(out, "ready", b"null")
    with listening(lambda label, count, total: _tell(out, "progress", {"label": label, "done": count, "total": total})):
        while True:
            write(out, *_outcome(lines.get(), folder))


def _listen(lines: queue.SimpleQueue[bytes], folder: Path) -> None:
    """Hand on the lines of the standard input; its end, whatever is under way, is the end of this process."""
    for line in sys.stdin.buffer:
        lines.put(line)
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)


class _Notes(logging.Handler):
    """Notes and warnings are told to the one who asked."""

    def __init__(self, out: BinaryIO, folder: Path) -> None:
        super().__init__()
        self._out = out
        self._folder = folder

    def emit(self, record: logging.LogRecord) -> None:
        _tell(self._out, "note", _told(record.getMessage(), self._folder))


def _tell(out: BinaryIO, kind: Kind, value: Any) -> None:
    write(out, kind, json.dumps(value, ensure_ascii=False).encode())


def _outcome(line: bytes, folder: Path) -> Message:
    kind: Kind = "refused"
    try:
        return Message("result", done(line, folder))
    except UserError as error:
        reason = str(error)
    except MemoryError:
        reason = "the memory does not suffice; give less at a time"
    except OSError as error:
        reason = f"{error.filename}: {error.strerror}" if error.filename else str(error)
    except Exception:
        traceback.print_exc()
        kind, reason = "failed", "a fault of the program: the terminal of the server shows it"
    return Message(kind, json.dumps(_told(reason, folder), ensure_ascii=False).encode())


def _told(text: str, folder: Path) -> str:
    """One line that calls a file by the name it came with."""
    return one_line(text.replace(f"{folder / GIVEN}/", ""))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
