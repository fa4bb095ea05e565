"""`python -m answerer.serve.worker FOLDER KIND…`: a process that answers one request at a time until its server ends.

Work arrives as lines of JSON on standard input, messages leave on standard output. A separate process can be ended at
any moment, has its own taggers and open indexes, and shares no lock with the others.
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
from answerer.asking.command import ask, plain
from answerer.page.drawn import NO_GOLD, draw_question, draw_row
from answerer.page.frame import page_values
from answerer.registry import tasks
from answerer.serve.requests import File, IndexQuestion, Kind, Message, Sent, SentBook, from_line, write_message
from answerer.serve.served import Served
from answerer.submission import ending
from answerer.trace import encode, rounded_values, trace_text
from indexer.api import build_textbook
from indexer.engines.contract import IndexGone
from indexer.files.errors import UserError, one_line
from indexer.files.messages import LOGGER
from indexer.files.progress import listening

GIVEN = "given"  # the folder, in a worker's own, of the file that was sent


def answer_line(line: bytes, folder: Path) -> bytes:
    """The answer to the request of a line, as JSON in UTF-8. Raises UserError if the index or the file cannot be used.

    An index is opened for each request, which takes a millisecond or two, so that a rebuilt index is used at once and a
    removed one is reported. Files of the request are written to `folder`, which belongs to this process.
    """
    request = from_line(line)
    if isinstance(request, SentBook):
        return json.dumps(_of_book(request), ensure_ascii=False).encode()
    answered = partial(_of_file, request, folder) if isinstance(request, File) else partial(_of_question, request)
    try:
        value = answered()
    except IndexGone:  # it was replaced between opening and reading: the new one answers
        value = answered()
    return json.dumps(value, ensure_ascii=False).encode()


def _of_question(asked: IndexQuestion) -> Any:
    """The reply to a question as JSON values; if it has evidence, also the trace row ("task", "row") and what the page
    draws of it ("drawn")."""
    reply = ask(asked.question, asked.addresses, asked.choices, asked.k, method=asked.method, evidence=asked.evidence)
    told = {"task": reply.task, "row": encode(reply.row)} if reply.row else {}
    answered = rounded_values({**plain(reply), **told})
    if reply.row:
        answered["drawn"] = page_values(draw_question(reply.task, reply.row, weights=reply.weights))
    return answered


def _of_file(asked: File, folder: Path) -> dict[str, Any]:
    """The task and its submission as JSON values, the submission with the bytes that the command would write; with
    evidence also the run's header, its trace, and what the page draws ("questions")."""
    options: dict[str, Any] = {"method": asked.method} if asked.method else {}
    with _write_files(asked.files, folder / GIVEN) as paths:
        given, sources = paths[0], paths
        if further := tasks()[asked.task].further:
            sources, options[further] = paths[:1], paths[1:]
        run = answer(asked.task, *sources, index=asked.addresses or None, evidence=asked.evidence, **options)
    # A request has one file, or several of one run.
    (submission,) = run.files.values()
    kind = ending(submission) if asked.task == "ntcir-mc" else given.suffix
    told: dict[str, Any] = {"task": asked.task, "submission": _attachment(f"{given.stem}.run{kind}", submission)}
    if asked.evidence:
        lines = trace_text(run.header, run.questions).encode()
        told |= {
            "run": run.header,
            "trace": _attachment(f"{given.stem}.trace.jsonl", lines),
            "questions": _draw_questions(run),
        }
    return told


def _of_book(asked: SentBook) -> dict[str, str]:
    """Builds the index of a sent textbook and returns its `Served` fields as a dict; the textbook's file is saved
    beside the index."""
    address = Path(asked.address)
    source = address.parent / asked.file.name
    source.write_bytes(base64.b64decode(asked.file.content))
    options: dict[str, Any] = {"language": asked.language} if asked.language else {}
    index = build_textbook([str(source)], asked.address, **options)
    language = index.metadata.language
    return Served(asked.address, address.parent.name, "textbook", language.code if language else "")._asdict()


@contextmanager
def _write_files(files: Sequence[Sent], folder: Path) -> Iterator[list[Path]]:
    """Context manager that writes the sent files to `folder` under their names, yields their paths, and removes them
    afterwards."""
    folder.mkdir(exist_ok=True)
    paths = [folder / file.name for file in files]
    try:
        for path, file in zip(paths, files, strict=True):
            path.write_bytes(base64.b64decode(file.content))
        yield paths
    finally:
        for path in paths:
            path.unlink(missing_ok=True)


def _attachment(name: str, content: bytes) -> dict[str, str]:
    return {"name": name, "content": base64.b64encode(content).decode()}


def _draw_questions(run: Run) -> list[dict[str, Any]]:
    """The questions of a run as the page's data."""
    return [
        {"name": row.question_id, "drawn": page_values(draw_row(run.header, row, NO_GOLD))} for row in run.questions
    ]


def main(folder: Path, kinds: list[str]) -> None:
    """Runs a worker process: answers the requests of standard input, one a line, until it ends; files are written to
    `folder`. Loads the modules for `kinds` of index before it reports "ready"."""
    # Messages keep the pipe; what is printed by mistake goes to the terminal of the server.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not get among the messages
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(lines, folder), daemon=True).start()
    LOGGER.addHandler(_Notes(out, folder))
    LOGGER.setLevel(logging.INFO)
    LOGGER.propagate = False
    for kind in kinds:
        importlib.import_module(f"answerer.asking.{kind}")
    write_message(out, "ready", b"null")
    with listening(lambda label, count, total: _tell(out, "progress", {"label": label, "done": count, "total": total})):
        while True:
            write_message(out, *_outcome(lines.get(), folder))


def _listen(lines: queue.SimpleQueue[bytes], folder: Path) -> None:
    """Puts each line of standard input in the queue; at the end of input removes `folder` and exits the process, even
    during a request."""
    for line in sys.stdin.buffer:
        lines.put(line)
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)


class _Notes(logging.Handler):
    """Logging handler that sends notes and warnings to the client of the request."""

    def __init__(self, out: BinaryIO, folder: Path) -> None:
        super().__init__()
        self._out = out
        self._folder = folder

    def emit(self, record: logging.LogRecord) -> None:
        _tell(self._out, "note", _without_folder(record.getMessage(), self._folder))


def _tell(out: BinaryIO, kind: Kind, value: Any) -> None:
    write_message(out, kind, json.dumps(value, ensure_ascii=False).encode())


def _outcome(line: bytes, folder: Path) -> Message:
    """The last message for a request line: kind "result" with the answer, "refused" with the reason for an error that
    the user can mend, or "failed" for a bug, whose traceback goes to stderr."""
    kind: Kind = "refused"
    try:
        return Message("result", answer_line(line, folder))
    except UserError as error:
        reason = str(error)
    except MemoryError:
        reason = "the memory does not suffice; give less at a time"
    except OSError as error:
        reason = f"{error.filename}: {error.strerror}" if error.filename else str(error)
    except Exception:
        traceback.print_exc()
        kind, reason = "failed", "a fault of the program: the terminal of the server shows it"
    return Message(kind, json.dumps(_without_folder(reason, folder), ensure_ascii=False).encode())


def _without_folder(text: str, folder: Path) -> str:
    """The text as one line, with the client's file names instead of this process's paths."""
    return one_line(text.replace(f"{folder / GIVEN}/", ""))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
