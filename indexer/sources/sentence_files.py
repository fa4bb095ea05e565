"""Questions with candidate sentences (NLPCC DBQA, SelQA, WikiQA, TrecQA), read for their sentences or questions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from pathlib import Path
from typing import NamedTuple, TypeGuard

from indexer.files.encoding import CHINESE, open_lines, read_text
from indexer.files.errors import bad_input
from indexer.files.json_objects import json_objects
from indexer.sources.seen import SeenNames

SHAPE = "expected [id TAB] question TAB sentence [TAB label], WikiQA's columns under a header, or SelQA's JSON"
_SAMPLE = 50


class SentenceList(NamedTuple):
    """One question and its candidates; `line` is where it begins, `title` its article ("" where none is named)."""

    line: int
    question: str
    title: str
    sentences: tuple[str, ...]


class _Columns(NamedTuple):
    """Which column holds what; `key` tells one question from the next. `header` is 1 with a line of names, else 0."""

    width: int
    key: int
    question: int
    sentence: int
    title: int | None = None
    header: int = 0


def is_sentence_file(path: str | Path) -> bool:
    """Whether a file's first 50 lines have the form of questions with candidate sentences.

    JSON: the objects have `question` and `candidates`. Columns: WikiQA's header; or the same two to four in every
    line, with labels in the outer one, or (without labels) a first one, no mere id, that repeats from line to line.
    """
    lines = _first_lines(path)
    if not lines:
        return False
    if lines[0].lstrip().startswith(("{", "[")):
        start = " ".join(lines)
        return '"question"' in start and any(f'"{name}"' in start for name in ("sentences", "candidates"))
    return _columns([line.split("\t") for line in lines]) is not None


def read_sentence_lists(path: str | Path) -> Iterator[SentenceList]:
    """The questions of a file that `is_sentence_file`, each with its candidates, in the file's order.

    Rows of one question are one list, even where they do not stand together. UserError with file and line for a
    row of another number of columns, an empty question, and what is no JSON object of a question with texts.
    """
    lines = _first_lines(path)
    if lines and lines[0].lstrip().startswith(("{", "[")):
        return _json_lists(path)
    columns = _columns([line.split("\t") for line in lines])
    if columns is None:
        raise bad_input(path, 1, "no questions with sentences", SHAPE)
    return _column_lists(path, columns)


def passages_of_lists(path: str | Path, count: Callable[[], None]) -> Iterator[tuple[int, Mapping[str, str]]]:
    """A passage a list (id: its line; title; text; sentences: one a line), each different sentence of the file once.

    `count` is called once a list. A list whose sentences have all come before gives no passage.
    """
    seen = SeenNames()
    for one in read_sentence_lists(path):
        count()
        texts = [" ".join(sentence.split()) for sentence in one.sentences]
        new = [text for text in texts if text and seen.add(text)]
        if new:
            yield one.line, {"title": one.title, "text": " ".join(new), "sentences": "\n".join(new)}


def _first_lines(path: str | Path) -> list[str]:
    found = (line.text for line in open_lines(path, CHINESE) if line.text and line.text.strip())
    return list(islice(found, _SAMPLE))


def _columns(rows: Sequence[Sequence[str]]) -> _Columns | None:
    names = [name.strip().lower() for name in rows[0]] if rows else []
    if "question" in names and "sentence" in names:
        place = {name: number for number, name in enumerate(names)}
        key = place.get("questionid", place["question"])
        return _Columns(len(names), key, place["question"], place["sentence"], place.get("documenttitle"), 1)
    if any(len(row) != len(names) for row in rows):
        return None
    first, last = (all(_is_number(row[column]) for row in rows) for column in (0, -1))
    if len(names) == 3 and (first or last):
        return _Columns(3, 0, 0, 1) if last else _Columns(3, 1, 1, 2)
    if len(names) == 4 and last:
        return _Columns(4, 0, 1, 2)
    repeats = any(row[0] == following[0] and not _is_id(row[0]) for row, following in pairwise(rows))
    return _Columns(2, 0, 0, 1) if len(names) == 2 and repeats else None


def _is_id(text: str) -> bool:
    """ASCII without blanks: an id and no question, for one in Chinese is not ASCII."""
    return text.isascii() and len(text.split()) == 1


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _column_lists(path: str | Path, columns: _Columns) -> Iterator[SentenceList]:
    lists: dict[str, list[tuple[int, list[str]]]] = {}
    for row in _rows(path, columns):
        lists.setdefault(row[1][columns.key], []).append(row)
    for found in lists.values():
        line, cells = found[0]
        title = cells[columns.title] if columns.title is not None else ""
        sentences = tuple(row[columns.sentence] for _, row in found)
        yield SentenceList(line, cells[columns.question].strip(), title, sentences)


def _rows(path: str | Path, columns: _Columns) -> Iterator[tuple[int, list[str]]]:
    for line in islice(open_lines(path, CHINESE), columns.header, None):
        cells = (line.text or "").split("\t")
        if line.text is None or len(cells) != columns.width:
            reason = line.reason or f"{len(cells)} columns, {columns.width} in line 1"
            raise bad_input(path, line.number, reason, SHAPE)
        if not cells[columns.question].strip():
            raise bad_input(path, line.number, "an empty question", SHAPE)
        yield line.number, cells


def _json_lists(path: str | Path) -> Iterator[SentenceList]:
    for line, found in json_objects(read_text(path), path, SHAPE):
        question = found.get("question")
        sentences = found.get("sentences", found.get("candidates"))
        if not isinstance(question, str) or not question.strip():
            raise bad_input(path, line, "an object without a question", SHAPE)
        if not _are_texts(sentences):
            raise bad_input(path, line, "an object without sentences, a list of texts", SHAPE)
        yield SentenceList(line, question.strip(), str(found.get("article", "")), tuple(sentences))


def _are_texts(value: object) -> TypeGuard[list[str]]:
    """A list of strings, none of them with half of a surrogate pair."""
    return isinstance(value, list) and all(isinstance(one, str) and _encodes(one) for one in value)


def _encodes(text: str) -> bool:
    try:
        return bool(text.encode()) or True
    except UnicodeEncodeError:
        return False
