"""The work of a server's processes: each answers one request at a time until its server ends.

A process can be ended at any moment, has its own taggers and open indexes, and shares no lock with
the others.
"""

from __future__ import annotations

import base64
import json
import logging
import multiprocessing
import os
import re
import shutil
import signal
import sys
import threading
import traceback
from collections import Counter
from contextlib import closing, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Literal, NamedTuple

from answerer.answering import answer
from answerer.asking.command import ask, plain
from answerer.formats.exam.read import read_exam
from answerer.formats.question_file.read import is_quiz
from answerer.ntcir.multiple_choice.methods import DEFAULT
from answerer.page.drawn import NO_GOLD, draw_question, draw_row
from answerer.page.frame import page_values
from answerer.quiz_check.judge import STATUSES, CheckedQuiz
from answerer.quiz_check.task import answer_quiz
from answerer.quiz_check.written import as_csv, as_page, key_of
from answerer.registry import tasks
from answerer.run import Run, ending
from answerer.serve.books import same_book
from answerer.serve.choosing import best_books, best_reply, book_of_quiz
from answerer.serve.requests import (
    NO_QUESTIONS,
    File,
    IndexQuestion,
    NoQuestions,
    SentBook,
    Work,
)
from answerer.serve.served import NotServed, Served, open_served, short_names
from answerer.trace import encode, rounded_values
from indexer.api import build_textbook
from indexer.engines.errors import IndexGone, TransientError
from indexer.files.errors import UserError, one_line
from indexer.files.messages import LOGGER, info
from indexer.files.progress import listening

LAST = ("result", "refused", "no_questions", "failed", "away", "gone", "busy", "slow")
"""The kinds of the message that ends a piece of work."""
_OPTIONS = re.compile(r"; --[a-z][^;()]*+| \(--[a-z][^()]*+\)|: [^:`]*+`classical-qa [^`]*+`")
AWAY = "The search server does not answer; try again in a minute"


class Message(NamedTuple):
    """A message about a piece of work: `body` is JSON in UTF-8.

    note: a line of text; warning: one on what may be wrong. progress: {label, done, total}.
    result: the answer. refused: a line that says what the user can mend. no_questions: the same of
    a document that may be a textbook. failed: a line for what was a bug. away: a line for a search
    server that does not answer. gone: an index cannot be opened any more. busy, slow: a line for
    what the server does not take on or ends.
    """

    kind: Literal[
        "note",
        "warning",
        "progress",
        "result",
        "refused",
        "no_questions",
        "failed",
        "away",
        "gone",
        "busy",
        "slow",
    ]
    body: bytes


def work_until_the_end(connection: Connection, folder: Path) -> None:
    """Runs a worker process: does the `Work` that comes through the connection, and sends a
    `Message` for each note, progress and end. Ends with the server, during a request too; files are
    written to `folder`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends its workers

    def end_with_the_server() -> None:
        if (server := multiprocessing.parent_process()) is not None:
            server.join()
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)

    ending = threading.Thread(target=end_with_the_server, daemon=True)
    ending.start()
    LOGGER.setLevel(logging.INFO)
    with suppress(EOFError, ConnectionError):
        while True:
            _do_and_tell(connection.recv(), connection, folder)
    ending.join()


def _do_and_tell(work: Work, connection: Connection, folder: Path) -> None:
    """Does a piece of work, and sends its notes, warnings and progress as they come, then its
    outcome."""
    private = Path(work.address).parent if isinstance(work, SentBook) else folder

    def note(record: logging.LogRecord) -> bool:
        kind: Literal["note", "warning"] = (
            "warning" if record.levelno >= logging.WARNING else "note"
        )
        text = record.getMessage()
        if isinstance(work, SentBook):  # its index is called by the name that it is asked by
            text = re.sub(rf"{re.escape(work.address)}(?![\w.])", private.name, text)
        connection.send(Message(kind, _line(text, private)))
        return False

    def progress(label: str, done: int, total: int) -> None:
        value = {"label": label, "done": done, "total": total}
        connection.send(Message("progress", json.dumps(value, ensure_ascii=False).encode()))

    LOGGER.addFilter(note)
    try:
        with listening(progress):
            connection.send(_outcome(work, folder, private))
    finally:
        LOGGER.removeFilter(note)


def _outcome(work: Work, folder: Path, private: Path) -> Message:
    """The last message for a request: "result" with the answer, "refused" or "no_questions" with
    what the user can mend (also a lack of memory, and a fault of the system with a file), "gone" if
    the index is missing, or "away" (the search server) and "failed" (a bug), of which stderr says
    more to the operator."""
    try:
        return Message("result", json.dumps(do_work(work, folder), ensure_ascii=False).encode())
    except TransientError as error:
        print(one_line(error), file=sys.stderr)
        return Message("away", json.dumps(AWAY).encode())
    except NotServed as error:
        return Message("gone", _line(str(error), private))
    except NoQuestions as error:
        return Message("no_questions", _line(str(error), private))
    except UserError as error:
        reason = str(error)
    except MemoryError:
        reason = "the memory does not suffice; give less at a time"
    except OSError as error:
        reason = f"{error.filename}: {error.strerror}" if error.filename else str(error)
    except Exception:
        traceback.print_exc()
        return Message("failed", b'"a fault of the program: the terminal of the server shows it"')
    return Message("refused", _line(reason, private))


def _line(text: str, private: Path) -> bytes:
    """The text put on one line, as a JSON string without a newline behind it, with the client's
    file names instead of paths in the folder `private`, and without what it says of commands and
    their options."""
    text = _OPTIONS.sub("", text.replace(f"{private}/", ""))
    return json.dumps(one_line(text), ensure_ascii=False).encode()


def do_work(work: Work, folder: Path) -> Any:
    """The answer to a request as JSON values, asked again once if the index is replaced meanwhile.
    Raises UserError if the index or the file cannot be used.

    An index is opened for each request, which takes a millisecond or two, so that a rebuilt index
    is used at once and a removed one is reported. Files of the request are written to `folder`,
    which belongs to this process.
    """
    try:
        return _result(work, folder)
    except IndexGone:  # it was replaced between opening and reading: the new one answers
        return _result(work, folder)


def _result(work: Work, folder: Path) -> Any:
    """The answer to a question, or what becomes of a task's file or a textbook, as JSON values."""
    if isinstance(work, SentBook):
        return _of_book(work)
    if isinstance(work, File):
        return _of_file(work, folder)
    return _of_question(work)


def _of_question(work: IndexQuestion) -> dict[str, Any]:
    """The best reply as JSON values, figures rounded; if it has evidence, also "task" and "row" of
    the trace, and "drawn". Of several textbooks those with most of the words of question and
    choices are asked, with choices the first of them; `asked_also` has the other textbooks of the
    work."""
    books = work.indexes
    if len(books) > 1:
        books = tuple(best_books(["\n".join((work.question, *work.choices))], books))
    if work.choices:  # their scores are not comparable between books
        books = books[:1]
    replies = []
    for served in books:
        with closing(open_served(served)) as index:
            replies.append(
                ask(
                    work.question,
                    index,
                    work.choices,
                    work.k,
                    method=work.method,
                    evidence=work.evidence,
                )
            )
    best = best_reply(replies)
    reply, others = replies[best], [index for index in work.indexes if index != books[best]]
    shown = plain(reply)
    if others:
        shown["asked_also"] = [served.shown for served in others]
    if not reply.row:
        return dict(rounded_values(shown))
    row = rounded_values({**shown, "task": reply.task, "row": encode(reply.row)})
    return {**row, "drawn": page_values(draw_question(reply.task, reply.row))}


def _of_file(sent: File, folder: Path) -> dict[str, Any]:
    """The task and its submission as JSON values, the submission with the bytes that the command
    would write; with evidence also the run's header, its trace, what the page draws ("questions"),
    and the check of a quiz that holds its key, if it is answered by the default method. `folder`
    holds the files meanwhile and is deleted. Raises NoQuestions if a file taken for a quiz is not
    one."""
    first, *more = (folder / file.name for file in sent.files)
    checked: CheckedQuiz | None = None
    try:
        folder.mkdir(exist_ok=True)
        for file in sent.files:
            (folder / file.name).write_bytes(base64.b64decode(file.content))
        if sent.is_guess and not is_quiz(first.read_bytes(), first):
            raise NoQuestions(NO_QUESTIONS)
        if len(sent.candidates) > 1:
            sent = sent._replace(served=_choose_index(sent, first))
        if sent.served is not None:
            open_served(sent.served).close()
        is_default = sent.task == "ntcir-mc" and sent.method in (None, DEFAULT)
        if is_default and sent.evidence and sent.served is not None:
            run, checked = answer_quiz(first, sent.served.address)
        else:
            run = _run_of(sent, first, more)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    # A request has one file, or several of one run.
    (submission,) = run.files.values()
    kind = ending(submission) if sent.task == "ntcir-mc" else first.suffix
    result: dict[str, Any] = {
        "task": sent.task,
        "submission": _attachment(f"{first.stem}.run{kind}", submission),
    }
    if sent.evidence:
        result["run"] = run.header
        result["trace"] = _attachment(f"{first.stem}.trace.jsonl", run.trace)
        result["questions"] = [
            {"name": row.question_id, "drawn": page_values(draw_row(run.header, row, NO_GOLD))}
            for row in run.questions
        ]
    if checked is not None and sent.served is not None:
        checked = checked._replace(book=sent.served.shown)
        counts = Counter(question.status for question in checked.questions)
        result["check"] = {
            "counts": {status: counts[status] for status in STATUSES if counts[status]},
            "questions": [
                {"name": row.question.answer_column, "status": row.status, "key": key_of(row)}
                for row in checked.questions
            ],
            "page": _attachment(f"{first.stem}.check.html", as_page(checked).encode()),
            "table": _attachment(f"{first.stem}.check.csv", as_csv(checked).encode()),
        }
    return result


def _choose_index(sent: File, first: Path) -> Served:
    """The index of several to ask, with a note that names the others: of a quiz the book that fits
    it best, of another task's file the first."""
    if sent.task != "ntcir-mc":
        chosen = sent.candidates[0]
    else:
        exam = read_exam(first)
        chosen = book_of_quiz(exam, sent.candidates)
    names = dict(zip(sent.candidates, short_names(sent.candidates), strict=True))
    info(f"asked: {names.pop(chosen)}; also served: {', '.join(names.values())}")
    return chosen


def _run_of(sent: File, first: Path, more: list[Path]) -> Run:
    """The run of a task over files that were sent, even if most of their questions are
    unanswered."""
    options: dict[str, Any] = {}
    if sent.method:
        options["method"] = sent.method
    if sent.served:
        options["index"] = sent.served.address
    if further := tasks()[sent.task].further:
        options[further], more = tuple(more), []
    # A person sees what each answer rests on.
    return answer(sent.task, first, *more, evidence=sent.evidence, allow_unanswered=True, **options)


def _attachment(name: str, content: bytes) -> dict[str, str]:
    """A file as JSON values: its name, and its content in base64."""
    return {"name": name, "content": base64.b64encode(content).decode()}


def _of_book(book: SentBook) -> dict[str, str]:
    """Builds the index of a sent textbook, with the textbook beside it, and returns its `Served`
    fields; if a served index has the same content, those of that one, with a note. Raises UserError
    for a quiz that is only guessed to be a textbook."""
    folder = Path(book.address).parent
    source = folder / book.file.name
    content = base64.b64decode(book.file.content)
    source.write_bytes(content)
    if book.is_guess and is_quiz(content, source):
        raise UserError("this looks like a quiz: drop its book first, then the quiz")
    if (there := same_book(source, book.language, book.served)) is not None:
        info(f"{book.file.name} is there already, as {there.shown}: not indexed again")
        return there._asdict()
    options: dict[str, Any] = {"language": book.language} if book.language else {}
    language = build_textbook([str(source)], book.address, **options).metadata.language
    code = language.code if language else ""
    return Served(book.address, folder.name, "textbook", code)._asdict()
