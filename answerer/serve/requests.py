"""Requests to the server, parsed from JSON and checked: a question, a task's file, or a textbook to be indexed."""

from __future__ import annotations

import base64
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from answerer.beginning import beginning_of
from answerer.ntcir.multiple_choice.methods import METHODS
from answerer.registry import first_task, tasks
from answerer.serve.served import Served, fitting
from answerer.task import Task, load
from indexer.files.encoding import detect_encoding
from indexer.files.errors import UserError
from indexer.files.json_objects import parse_json
from indexer.languages.registry import LANGUAGES, detect_language
from indexer.parameters import choices_of

# Limits of a request, far above those of real exams, that keep its memory and time bounded.
LONGEST_TEXT = 10_000  # characters of a question or choice
MOST_CHOICES = 50
MOST_ANSWERS = 100  # that `k` may ask for
MOST_FILES = 200  # of one request, such as the essays of an evaluation-method run
LONGEST_NAME = 200  # bytes of a file's name: file systems take 255
MOST_VALUES = 1_000_000  # brackets and commas of a body, counted before it is parsed
START = 50_000  # bytes of a file that determine its task and language
_TAG = re.compile("<[^>]*>")


class IndexQuestion(NamedTuple):
    """A request's question: its choices (empty for none), the addresses of the indexes searched as one, the exam method
    (None: default), the number of answers `k`, and whether evidence is wanted."""

    question: str
    choices: tuple[str, ...]
    addresses: tuple[str, ...]
    method: str | None
    k: int
    evidence: bool


class Sent(NamedTuple):
    """A file that came with a request: its name, without folders, and its bytes in base64."""

    name: str
    content: str


class File(NamedTuple):
    """A request's task and its input files (several for some tasks), the addresses of its indexes (empty if the task
    needs none), the method (None: default), and whether evidence is wanted."""

    task: str
    files: tuple[Sent, ...]
    addresses: tuple[str, ...]
    method: str | None
    evidence: bool


class SentBook(NamedTuple):
    """A textbook that becomes an index at an address; without `language` its language is detected."""

    file: Sent
    language: str | None
    address: str = ""


Work = IndexQuestion | File | SentBook


def read_request(body: bytes, indexes: Sequence[Served]) -> IndexQuestion | File:
    """Parses a body that asks a question or sends a file. Raises UserError for anything else."""
    value = _object(body)
    return _file(value, indexes) if "file" in value else _question(value, indexes)


def read_book(body: bytes) -> SentBook:
    """Parses the body of POST /index; `address` is "" in the result. Raises UserError for any other body."""
    value = _object(body)
    _refuse_others(value, "file", "language")
    language = value.get("language")
    if language is not None and language not in LANGUAGES:
        raise UserError(f"language {language!r} is unknown: choose one of {', '.join(LANGUAGES)}")
    sent = _sent(value.get("file"))
    _start(sent)
    return SentBook(sent, language)


def _object(body: bytes) -> dict[str, Any]:
    """Parses a body as a JSON object. Raises UserError for anything else, or more than `MOST_VALUES` values."""
    # Counted in the bytes: a parsed value takes many times the memory of its text.
    if sum(map(body.count, (b"[", b"{", b","))) > MOST_VALUES:
        raise UserError("the body holds more values than any question or file has")
    try:
        value = parse_json(body.decode())
    except ValueError as error:
        raise UserError(f"the body is not JSON in UTF-8: {error}") from None
    if not isinstance(value, dict):
        raise UserError("the body is not a JSON object")
    return value


def _question(value: Mapping[str, Any], indexes: Sequence[Served]) -> IndexQuestion:
    """Parses a question; without `index` the one that fits its language. Raises UserError for a wrong field."""
    _refuse_others(value, "question", "choices", "index", "method", "k", "evidence")
    if "question" not in value:
        raise UserError("question is missing")
    question = _text(value["question"], "question")
    choices = value.get("choices", [])
    if not isinstance(choices, list):
        raise UserError("choices: expected a list of texts")
    texts = tuple(_text(one, f"choices[{place}]") for place, one in enumerate(choices))
    if len(texts) == 1:
        raise UserError("choices: expected two or more, got one")
    if len(texts) > MOST_CHOICES:
        raise UserError(f"choices: {len(texts)}; at most {MOST_CHOICES} are judged")
    names = value.get("index")
    addresses = (fitting(question, texts, indexes).address,) if names is None else _addresses(names, indexes)
    k = value.get("k", 3)
    # JSON's true is an int to Python.
    if not isinstance(k, int) or isinstance(k, bool) or not 1 <= k <= MOST_ANSWERS:
        raise UserError(f"k: expected a whole number from 1 to {MOST_ANSWERS}")
    method, evidence = _method_and_evidence(value, METHODS if texts else ())
    return IndexQuestion(question, texts, addresses, method, k, evidence)


def _file(value: Mapping[str, Any], indexes: Sequence[Served]) -> File:
    """Parses and checks a file request; of several files the one that the task's `first` recognises comes first.
    Without `task` the files determine the task, without `index` the file's language the index.

    Raises UserError for a field that is unknown or invalid, and if no index fits.
    """
    _refuse_others(value, "file", "more", "task", "index", "method", "evidence")
    more = value.get("more", [])
    if not isinstance(more, list) or len(more) >= MOST_FILES:
        raise UserError(f"more: expected a list of further files, {MOST_FILES - 1} at most")
    starts: dict[Sent, str] = {}
    for file in map(_sent, (value["file"], *more)):
        if file.name in {other.name for other in starts}:
            raise UserError(f"two files are called {file.name}: file names must differ")
        starts[file] = _start(file)
    name = value.get("task") or task_of(list(starts.values())).name
    if not isinstance(name, str) or name not in tasks():
        raise UserError(f"task {name!r} is unknown: choose one of {', '.join(tasks())}")
    task = tasks()[name]
    if more and task.recognises_several is None:
        raise UserError(f"{name} is answered from one file at a time")
    if not more and task.recognises_several is not None:
        raise UserError(f"{name} takes several files: give them together")
    files = list(starts)
    if more:
        files.sort(key=lambda file: not task.is_first(beginning_of(starts[file])))
    method, evidence = _method_and_evidence(value, methods_of(task))
    addresses: tuple[str, ...] = ()
    if task.index and value.get("index") is not None:
        addresses = _addresses(value["index"], indexes)
    elif task.index:  # the one of the file's language, else the first of the kind
        own = [one for one in indexes if one.kind == task.index]
        if not own:
            raise UserError(f"{task.name} asks an index of the kind {task.index!r}, but none is served")
        language = detect_language(_TAG.sub(" ", starts[files[0]])).code
        addresses = (next((one for one in own if one.language == language), own[0]).address,)
    return File(name, tuple(files), addresses, method, evidence)


def _sent(file: object) -> Sent:
    """Parses a sent file, whose name loses its folders. Raises UserError if it is invalid or empty."""
    if not isinstance(file, dict):
        raise UserError("file: expected an object with name and content")
    _refuse_others(file, "name", "content")
    # The name becomes a path in a worker's folder: nothing before the last separator of any system may stay.
    name = _text(file.get("name"), "name").replace("\\", "/").rpartition("/")[2]
    if not name.isprintable() or name.strip(". ") == "" or len(name.encode()) > LONGEST_NAME:
        raise UserError(f"file name {name!r}: expected the name of a file")
    if file.get("content") == "":
        raise UserError(f"{name}: is empty")
    return Sent(name, _text(file.get("content"), "content", None))


def _start(file: Sent) -> str:
    """The beginning of a sent file, decoded. Raises UserError if the content is not base64."""
    try:
        start = base64.b64decode(file.content, validate=True)[:START]
    except ValueError:
        raise UserError("file content: expected base64") from None
    whole_lines = start[: start.rfind(b"\n") + 1] or start  # the last character may be cut
    return start.decode(detect_encoding(whole_lines), "replace")


def methods_of(task: Task) -> tuple[str, ...]:
    """The choices of the task's `--method`; empty for a task without that option."""
    return next((choices_of(one) for one in load(task.command).parameters if "--method" in one.flags), ())


def task_of(texts: Sequence[str]) -> Task:
    """The task of one file, or of several that belong together, recognised by the beginnings of their texts.

    An answer sheet is answered by the task for mixed sheets (terms and essays); passages with a sheet are summarized;
    of several sheets the first is the gold standard for judging the others. Raises UserError if no task recognises the
    files.
    """
    files = [beginning_of(text) for text in texts]
    if len(files) > 1:
        task = first_task(lambda task: task.recognises_several is not None and task.recognises_several(files))
        together = " or ".join(task.name for task in tasks().values() if task.recognises_several)
        missing = f"the files do not say which task they are of together: name {together}, or give one at a time"
    else:
        task = first_task(lambda task: task.recognises(files[0])) if "\0" not in texts[0] else None
        missing = f"the file does not say which task it is of: name one of {', '.join(tasks())}"
    if task is None:
        raise UserError(missing)
    return task


def _refuse_others(value: Mapping[str, Any], *known: str) -> None:
    """Raises UserError for a key that is not `known`."""
    if others := [name for name in value if name not in known]:
        raise UserError(f"{others[0]!r} is unknown: expected {', '.join(known)}")


def _text(text: object, name: str, longest: int | None = LONGEST_TEXT) -> str:
    """Returns the text unchanged; raises UserError, which calls the field `name`, if it is not a string, is blank, or
    has more than `longest` characters (None: no limit)."""
    if not isinstance(text, str) or not text.strip():
        raise UserError(f"{name}: expected a text that is not empty")
    if longest is not None and len(text) > longest:
        raise UserError(f"{name}: {len(text):,} characters; at most {longest:,} are read")
    return text


def _addresses(names: object, indexes: Sequence[Served]) -> tuple[str, ...]:
    """The addresses of the indexes of these names. Raises UserError if they cannot be searched as one."""
    if names == []:
        raise UserError("index: the list is empty: name an index of the server, or omit it")
    served = {key: one for one in reversed(indexes) for key in (one.address, one.shown)}
    found: list[Served] = []
    for place, name in enumerate(names) if isinstance(names, list) else [(None, names)]:
        text = _text(name, "index" if place is None else f"index[{place}]")
        if text not in served:
            shown = ", ".join(one.shown for one in indexes)
            raise UserError(f"index {text!r} is not served: choose one of {shown}")
        if served[text] in found:
            raise UserError("index: the same index twice; name each once")
        found.append(served[text])
    if len(found) > 1 and (other := next((one for one in found if one.kind != "textbook"), None)):
        raise UserError(f"index: {other.shown} is of the kind {other.kind!r}: only textbooks can be searched together")
    if len({one.language for one in found}) > 1:
        raise UserError("index: these textbooks are of several languages: only those of one can be searched together")
    return tuple(one.address for one in found)


def _method_and_evidence(value: Mapping[str, Any], methods: Collection[str]) -> tuple[str | None, bool]:
    """The request's `method` and `evidence`. Raises UserError for a method that is not one of `methods`."""
    method, evidence = value.get("method"), value.get("evidence", False)
    if method is not None and method not in tuple(methods):
        raise UserError(f"method {method!r} is unknown: choose one of {', '.join(methods) or 'none'}")
    if not isinstance(evidence, bool):
        raise UserError("evidence: expected true or false")
    return method, evidence
