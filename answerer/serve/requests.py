"""Requests to the server, parsed from JSON and checked: a question, a task's file, or a textbook to
be indexed."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Any, NamedTuple

import click
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from answerer import recognition
from answerer.asking.kinds import kinds
from answerer.beginning import beginning_of
from answerer.ntcir.multiple_choice.methods import exam_methods
from answerer.registry import tasks
from answerer.serve.choosing import fitting, of_language
from answerer.serve.served import NO_BOOK, Served, require_kind
from answerer.task import Task
from indexer.files.encoding import detect_encoding
from indexer.files.errors import UserError
from indexer.files.json_objects import parse_json
from indexer.files.signatures import binary_form
from indexer.languages.registry import detect_language

# Limits of a request beside those of openapi.json, far above those of real exams: they bound its
# memory and time.
LONGEST_NAME = 200  # bytes of a file's name: file systems take 255
LONGEST_MESSAGE = 300  # characters of a refusal
MOST_VALUES = 1_000_000  # brackets and commas of a body, counted before it is parsed
START = 50_000  # bytes of a file that determine its task and language
_PLAIN = {"question": "the question", "choices": "a choice", "content": "the file"}
_TAG = re.compile("<[^>]*>")
NO_QUESTIONS = (
    "no questions found. If it is a textbook, choose 'a textbook' under Options; else choose its "
    "task there"
)


class NoQuestions(UserError):  # noqa: N818 - what it says, not how it is raised
    """A file in which no task recognises its questions. It may be a textbook."""


class IndexQuestion(NamedTuple):
    """A request's question: its choices (empty for none), the indexes to ask, of which the best is
    taken, the exam method (None: default), the number of answers `k`, and whether evidence is
    wanted."""

    question: str
    choices: tuple[str, ...]
    indexes: tuple[Served, ...]
    method: str | None
    k: int
    evidence: bool


class Sent(NamedTuple):
    """A file that came with a request: its name, without folders, and its bytes in base64."""

    name: str
    content: str


class File(NamedTuple):
    """A request's task and its input files (several for some tasks), its index (None if the task
    needs none), the method (None: default), and whether evidence is wanted.

    A PDF, Word or Excel document may be a quiz or a textbook, which its reader will tell
    (`is_guess`). Where the request names no index, `candidates` are those to choose from: of the
    file's language, of a document all, whose language its reader determines; `served` is the first.
    """

    task: str
    files: tuple[Sent, ...]
    served: Served | None
    method: str | None
    evidence: bool
    is_guess: bool = False
    candidates: tuple[Served, ...] = ()


class SentBook(NamedTuple):
    """A textbook that becomes an index at an address, unless one of those `served` has its content;
    without `language` its language is detected. Where it is a guess that it is one, a file that
    looks like a quiz is refused."""

    file: Sent
    language: str | None
    is_guess: bool
    address: str = ""
    served: tuple[Served, ...] = ()


Work = IndexQuestion | File | SentBook


@cache
def api_description() -> dict[str, Any]:
    """The OpenAPI description, with the methods for choices, the tasks and the kinds of index that
    are installed."""
    described: dict[str, Any] = json.loads(files(__package__).joinpath("openapi.json").read_bytes())
    schemas = described["components"]["schemas"]
    schemas["Question"]["properties"]["method"]["enum"] = list(exam_methods())
    schemas["File"]["properties"]["task"]["enum"] = list(tasks())
    schemas["Reply"]["properties"]["kind"]["enum"] = list(kinds())
    return described


def read_request(
    body: bytes, indexes: Sequence[Served], task: str | None = None
) -> IndexQuestion | File:
    """The work that a JSON body asks for, which has a question or a file (`work_of`). Raises
    UserError for any other body, an unknown index, and if none fits."""
    return work_of(request_value(body), indexes, task)


def request_value(body: bytes) -> dict[str, Any]:
    """Parses a body as a question or a file of the API description. Raises UserError for anything
    else."""
    return _parse(body)


def work_of(
    value: Mapping[str, Any], indexes: Sequence[Served], task: str | None = None
) -> IndexQuestion | File:
    """The work that a request's value asks for. Without `index` a question is asked of those that
    `fitting` chooses: the only one, whatever its language, else by kind and language; a file
    without a task is of `task`, by default the one that its beginning indicates. A question shows 3
    answers, without evidence, by default. Raises UserError for an unknown index, and if none fits,
    and as `_file` does."""
    if "file" in value:
        return _file(value, indexes, task)
    question, choices = value["question"], tuple(value.get("choices", ()))
    if "index" in value:
        chosen = [_index_named(value["index"], indexes)]
    else:
        chosen = fitting(question, choices, indexes)
    method, k, evidence = value.get("method"), value.get("k", 3), value.get("evidence", False)
    return IndexQuestion(question, choices, tuple(chosen), method, k, evidence)


def read_book(body: bytes) -> SentBook:
    """Parses the body of POST /index; `address` is "" in the result. Raises UserError for any other
    body."""
    value = _parse(body, "Book")
    return SentBook(_read_sent(value["file"])[0], value.get("language"), value.get("guess", False))


def _parse(body: bytes, schema: str = "") -> dict[str, Any]:
    """Parses a body as a JSON object of this schema of the API description, by default a File or a
    Question. Raises UserError for anything else, or more than `MOST_VALUES` (a million) values; its
    message ends with the last 300 characters of what is wrong."""
    # Counted in the bytes: a parsed value takes many times the memory of its text.
    if sum(map(body.count, (b"[", b"{", b","))) > MOST_VALUES:
        raise UserError("the body holds more values than any question or file has")
    try:
        value = parse_json(body.decode())
    except UnicodeDecodeError:
        raise UserError("the body is not JSON in UTF-8") from None
    except ValueError as error:
        raise UserError(f"the body is not JSON in UTF-8: {error}") from None
    schema = schema or ("File" if isinstance(value, dict) and "file" in value else "Question")
    described = {
        "$ref": f"#/components/schemas/{schema}",
        "components": api_description()["components"],
    }
    if fault := best_match(Draft202012Validator(described).iter_errors(value)):
        if fault.validator in ("minLength", "pattern") and not str(fault.instance).strip():
            keys = [key for key in fault.path if isinstance(key, str)]
            raise UserError(f"{_PLAIN.get(keys[-1], fault.json_path)} is empty")
        # A message begins with the wrong value, which may be long, and ends with what is wrong with
        # it.
        raise UserError(f"{fault.json_path}: {fault.message[-LONGEST_MESSAGE:]}")
    return dict(value)


def _file(value: Mapping[str, Any], indexes: Sequence[Served], default_task: str | None) -> File:
    """A file request; of several files the one that the task's `is_first` recognises comes first.
    Its task is that of the request, else `default_task`, else the one that the files tell; without
    `index` those of the task's kind in the file's language fit (for a PDF, Word or Excel document
    any), else the first of the kind. Raises UserError for an unknown index, files of one name, a
    wrong number of files, and if no index is of the kind; NoQuestions if no task fits, or a
    document is given without a task and no index is of the guessed one's kind."""
    starts: dict[Sent, str] = {}
    for file, start in map(_read_sent, (value["file"], *value.get("more", ()))):
        if file.name in {other.name for other in starts}:
            raise UserError(f"two files are called {file.name}: file names must differ")
        starts[file] = start
    name = value.get("task", default_task)
    task = tasks()[name] if name else task_of(list(starts.values()))
    files = list(starts)
    is_read_later = recognition.is_document(beginning_of(starts[files[0]]))
    is_guess = is_read_later and not name
    if is_guess and not any(index.kind == task.index for index in indexes):
        raise NoQuestions(NO_QUESTIONS)
    if len(files) > 1 and not task.several_files:
        raise UserError(f"{task.name} is answered from one file at a time")
    if len(files) == 1 and task.several_files:
        raise UserError(f"{task.name} takes several files: give them together")
    if task.several_files:
        files.sort(key=lambda file: not task.is_first(beginning_of(starts[file])))
    served, candidates = None, tuple[Served, ...]()
    if task.index and "index" in value:
        served = _index_named(value["index"], indexes)
    elif task.index:  # the one of the file's language, else the first of the kind
        askable = require_kind(task, indexes)
        language = detect_language(_TAG.sub(" ", starts[files[0]])).code
        fit = askable if is_read_later else of_language(askable, language)
        candidates = tuple(fit or askable[:1])
        served = candidates[0]
    method, evidence = value.get("method"), value.get("evidence", False)
    return File(task.name, tuple(files), served, method, evidence, is_guess, candidates)


def _read_sent(file: Mapping[str, str]) -> tuple[Sent, str]:
    """A sent file, whose name loses its folders, and the text of its first `START` (50,000) bytes.
    Raises UserError for a name that is not a file's or longer than 200 bytes, a picture, and
    content that is not base64."""
    # The name becomes a path in a worker's folder: nothing before the last separator of any system
    # may stay.
    name = file["name"].replace("\\", "/").rpartition("/")[2]
    if not name.isprintable() or name.strip(". ") == "" or len(name.encode()) > LONGEST_NAME:
        raise UserError(f"file name {name!r}: expected the name of a file")
    try:
        start = base64.b64decode(file["content"], validate=True)[:START]
    except ValueError:
        raise UserError("file content: expected base64") from None
    form = binary_form(start)
    if form and form[0].endswith("image"):
        raise UserError(f"{name}: {form[0]}; {form[1]}")
    whole_lines = start[: start.rfind(b"\n") + 1] or start  # the last character may be cut
    return Sent(name, file["content"]), start.decode(detect_encoding(whole_lines), "replace")


def methods_of(task: Task) -> tuple[str, ...]:
    """The choices of the task's `--method`; empty for a task without that option."""
    return next(
        (
            tuple(option.type.choices)
            for option in import_module(task.module).command.params
            if option.name == "method" and isinstance(option.type, click.Choice)
        ),
        (),
    )


def task_of(texts: Sequence[str]) -> Task:
    """The task of one file, or of several that belong together, recognised by the beginnings of
    their texts.

    An answer sheet is answered by the task for mixed sheets (terms and essays); passages with a
    sheet are summarized; of several sheets the first is the gold standard for judging the others.
    Raises NoQuestions if no task fits one file, UserError if none fits several.
    """
    files = [beginning_of(text) for text in texts]
    if len(files) > 1:
        if task := recognition.task_of(files):
            return task
        together = " or ".join(task.name for task in tasks().values() if task.several_files)
        raise UserError(
            f"the files do not say which task they are of together: give one at a time (the book "
            f"first, then its quiz), or name {together}"
        )
    is_readable = "\0" not in texts[0] or recognition.is_document(files[0])
    if is_readable and (task := recognition.task_of(files)):
        return task
    raise NoQuestions(NO_QUESTIONS)


def _index_named(name: str, indexes: Sequence[Served]) -> Served:
    """The index of this address, in full or as shown. Raises UserError if it is not
    served."""
    for index in indexes:
        if name in (index.address, index.shown):
            return index
    if not indexes:
        raise UserError(NO_BOOK)
    names = ", ".join(index.shown for index in indexes)
    raise UserError(f"index {name!r} is not served: choose one of {names}")
