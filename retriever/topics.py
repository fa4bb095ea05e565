"""Topics (the queries of a test collection) from the files in which collections come."""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from indexer.files.charset import open_lines_of_any, read_text_of_any
from indexer.files.encoding import QUESTION_LIMIT, read_beginning
from indexer.files.errors import bad_input
from indexer.files.json_objects import json_objects
from indexer.files.messages import warn
from indexer.files.validation import validate_choice, validate_path, validate_texts
from indexer.formats.sentence_rows import is_sentence_file, read_sentence_file
from indexer.formats.table_rows import is_table_file, read_table_rows
from indexer.formats.trec_run import refuse_judged
from indexer.languages.language import Language
from indexer.languages.registry import language_named
from indexer.sources.collection.records import ID_NAMES, TEXT_NAMES, smart_fields

EXPECTED = (
    "expected a question a line, ID TAB question, columns with a header (id, question), BEIR's "
    "JSON lines, TREC <top>, <DOC> as CACM has them, SMART's .I .W, or a file of DBQA, TBQA, "
    "SelQA, WikiQA or TrecQA"
)
FIELDS = {
    "title": ("title", "query"),
    "desc": ("desc", "description", "question"),
    "narr": ("narr", "narrative"),
}
"""The fields of a topic, and the elements in which TREC's tracks have them."""

_TOPIC = re.compile(r"<(top|topic|doc)\b", re.IGNORECASE)
_LABEL = re.compile(r"\s*(?:Number|Topic|Description|Narrative)\s*:", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z!?][^<>]*>")
_NUMBER = re.compile(r"\d++(?=[\s:])")
_SHOWN = 40  # characters of a line in a message
_QUESTIONS = frozenset(("question", "query"))  # names of columns
_NO_SIGN = "\x1f"  # of a table of one column, whose rows may hold commas
_SEPARATOR = re.compile(r'"?sep=.', re.IGNORECASE)  # a spreadsheet's line on what parts the cells


class Topic(NamedTuple):
    """A question of a topics file."""

    query_id: str
    text: str


def read_topics(
    path: str | Path,
    fields: Sequence[str] = (),
    *,
    renumber: bool = False,
    language: Language | str | None = None,
) -> list[Topic]:
    """The topics of a file (TREC's <top> or <DOC>, SMART's .I .W, JSON lines, or lines), in its
    order; `language` or its code, where it is known, helps to tell the encoding of a few words.

    `fields` are those of TREC's topics that make the query (`FIELDS`; by default the title). With
    `renumber` topics are called 1, 2, 3 … in the order of the file, as Cranfield's qrels do. In a
    file of lines, one is a question, whose id is its line number, or `query_id TAB
    question`; blank lines are skipped. A table names its columns in its first line, `question` or
    `query` among them, perhaps `id`. Files of a ranking task (DBQA, TBQA, SelQA, WikiQA, TrecQA)
    are read for their questions, which are numbered from 1 as in `evaluation export`. Raises
    UserError with file and line: an unreadable line, one without a question or with more than two
    columns, one without a tab where ids are numbers, an id that repeats or has blanks, a line that
    is not a row of the task's file; no questions; fields of a file that has none, or that a topic
    lacks; an unknown field or language.
    """
    path = validate_path(path, "topics")
    fields = [validate_choice(field, FIELDS, "field") for field in validate_texts(fields, "fields")]
    language = language_named(language)
    beginning = read_beginning(path).lstrip()
    topics: dict[str, Topic] = {}
    is_trec = _TOPIC.search(beginning[:2_000]) is not None and beginning.startswith("<")
    if fields and not is_trec:
        raise bad_input(path, None, "topics without fields", "--field is for TREC's <top>")
    rows: _Rows
    code = language.code if language else ""
    if is_trec:
        rows = _trec_topics(path, fields, code)
    elif re.match(r"\{|\[\s*\{", beginning) and not is_sentence_file(path):
        rows = _json_topics(path, code)
    elif re.match(r"\.I\s", beginning):
        rows = _smart_topics(path, code)
    else:
        refuse_judged(path, beginning, EXPECTED)
        has_columns = not _QUESTIONS.isdisjoint(_header_of(beginning).names)
        read = _column_topics if has_columns else _line_topics
        rows = _task_questions(path) or read(path, code)
    for number, (line, query_id, text) in enumerate(rows, 1):
        if renumber:
            query_id = str(number)
        if not text:
            raise bad_input(path, line, "no question", EXPECTED)
        if query_id in topics or len(query_id.split()) != 1:
            raise bad_input(
                path, line, f"the id {query_id!r}", "expected ids without blanks, each once"
            )
        topics[query_id] = Topic(query_id, text)
    if not topics:
        raise bad_input(path, None, "no questions", EXPECTED)
    return list(topics.values())


_Rows = Iterable[tuple[int, str, str]]  # line, id, text


def _task_questions(path: str | Path) -> list[tuple[int, str, str]]:
    """The questions of a ranking task's file as (0 for the line, number from 1, text); [] for
    another file."""
    texts: Iterable[str] = ()
    if is_sentence_file(path):
        texts = (item.question.strip() for item in read_sentence_file(path).lists)
    elif is_table_file(path):
        texts = dict.fromkeys(row.question for row in read_table_rows(path))
    return [(0, str(number), text) for number, text in enumerate(texts, 1)]


def _line_topics(path: str | Path, language: str) -> list[tuple[int, str, str]]:
    """(line, id, text) of lines `question`, called by their line numbers, or `query_id TAB
    question`. Skips blank lines; warns where every line of several begins with a number of its own.
    Raises UserError for a line that cannot be read or has more columns, and for one without a tab
    where ids of others are numbers: its line number would be one of them."""
    rows = list[tuple[int, list[str]]]()
    for line in open_lines_of_any(path, language):
        if line.text is not None and not line.text.strip():
            continue
        cells = [cell.strip() for cell in (line.text or "").split("\t")]
        if line.text is None or len(cells) > 2:
            what = line.reason or f"{len(cells)} columns"
            raise bad_input(path, line.number, what, EXPECTED)
        rows.append((line.number, cells))
    without_tab = [(number, cells[0]) for number, cells in rows if len(cells) == 1]
    if without_tab and any(len(cells) == 2 and cells[0].isdecimal() for _, cells in rows):
        number, text = without_tab[0]
        what = f"{text[:_SHOWN]!r} has no TAB behind a number, as other lines have"
        raise bad_input(path, number, what, EXPECTED)
    numbers = {match[0] for _, text in without_tab if (match := _NUMBER.match(text))}
    if len(numbers) == len(rows) > 1:
        warn(
            f"{path}: every line begins with a number, read as part of the question; "
            "between an id and its question stands a TAB"
        )
    return [
        (number, cells[0] if len(cells) == 2 else str(number), cells[-1]) for number, cells in rows
    ]


class _Header(NamedTuple):
    """The names of a table's columns in small letters, how many lines are above them, and what
    parts the cells: a tab, semicolon or comma."""

    above: int
    sign: str
    names: list[str]


def _header_of(text: str) -> _Header:
    """The row, separator and lower-case cells of a text's first line that is not blank or a
    spreadsheet's `sep=;`."""
    lines = text.split("\n")
    rows = (row for row, line in enumerate(lines) if line.strip() and not _SEPARATOR.match(line))
    row = next(rows, 0)
    sign = next((sign for sign in "\t;," if sign in lines[row]), _NO_SIGN)
    return _Header(row, sign, [name.strip(' "\r').lower() for name in lines[row].split(sign)])


def _column_topics(path: str | Path, language: str) -> Iterator[tuple[int, str, str]]:
    """Yields (line, id, text) of the rows of a table below the names of its columns; a question
    without an id is called by its line. Other columns and blank rows are not read; with tabs quotes
    are characters like others. Raises UserError for a quote that is not closed, and for a row with
    more cells than names."""
    text = read_text_of_any(path, QUESTION_LIMIT, language)
    header = _header_of(text)
    below = io.StringIO(text.split("\n", header.above + 1)[-1])
    quoting: Literal[0, 3] = csv.QUOTE_NONE if header.sign == "\t" else csv.QUOTE_MINIMAL
    reader = csv.reader(below, delimiter=header.sign, quoting=quoting, strict=True)
    line = header.above + 2
    try:
        for cells in reader:
            if any(cells[len(header.names) :]):
                what = f"{len(cells)} cells, the header has {len(header.names)}"
                raise bad_input(path, line, what, "put quotes around text that holds the separator")
            record = {
                name: " ".join(cell.split())
                for name, cell in zip(header.names, cells, strict=False)
            }
            if any(cells):
                ids = (record.get(name) for name in (*ID_NAMES, "query_id", "qid"))
                texts = (record.get(name) for name in ("question", "query"))
                yield line, next(filter(None, ids), str(line)), next(filter(None, texts), "")
            line = header.above + reader.line_num + 2
    except csv.Error as error:
        what = str(error).replace(f"'{_NO_SIGN}'", "a line end")
        raise bad_input(path, line, what, EXPECTED) from error


def _json_topics(path: str | Path, language: str) -> Iterator[tuple[int, str, str]]:
    """Yields (line, id, text) of JSON objects: the first field for an id (`_id`, `qid` …) that is a
    string or a whole number, and the first for a text (`text`, `query` …) that is a string. Raises
    UserError for an object without them."""
    for line, fields in json_objects(
        read_text_of_any(path, QUESTION_LIMIT, language), path, EXPECTED
    ):
        ids = [fields.get(name) for name in (*ID_NAMES, "query_id", "qid")]
        texts = [fields.get(name) for name in (*TEXT_NAMES, "query", "title")]
        query_id = next((value for value in ids if type(value) in (str, int)), None)
        text = next((value for value in texts if isinstance(value, str)), None)
        if query_id is None or text is None:
            raise bad_input(path, line, "no _id and text", EXPECTED)
        yield line, str(query_id), text.strip()


def _smart_topics(path: str | Path, language: str) -> Iterator[tuple[int, str, str]]:
    """Yields (line, id, text) of a SMART file: the text of `.W`, without one that of `.T`, else
    ""."""
    lines = enumerate(read_text_of_any(path, QUESTION_LIMIT, language).splitlines(), 1)
    for line, query_id, fields in smart_fields(lines):
        yield line, query_id, " ".join(fields.get("W", fields.get("T", "")).split())


def _trec_topics(
    path: str | Path, fields: Sequence[str], language: str
) -> Iterator[tuple[int, str, str]]:
    """Yields (line, id, text) of `<top>`, `<topic number="…">` or `<DOC>`, whose elements may be
    left open: the text of `fields`, by default the title; all of a `<DOC>` but its docno. Raises
    UserError for a topic that lacks one of the fields, and for a `<DOC>` if `fields` are named."""
    text = read_text_of_any(path, QUESTION_LIMIT, language)
    starts = list(_TOPIC.finditer(text))
    ends = [match.start() for match in starts[1:]] + [len(text)]
    for start, end in zip(starts, ends, strict=True):
        topic, line = text[start.start() : end], text.count("\n", 0, start.start()) + 1
        attribute = re.match(r'<\w+[^<>]*\bnumber="([^"]*)"', topic)
        query_id = attribute[1] if attribute else _element(topic, ("num", "docno")) or ""
        if start[1].lower() == "doc":
            if fields:
                raise bad_input(path, line, "topics without fields", "--field is for TREC's <top>")
            body = re.sub(r"(?is)<docno>.*?</docno>", " ", topic)
            yield line, query_id, _plain(body)
            continue
        texts = []
        for field in fields or ("title",):
            element = _element(topic, FIELDS[field])
            if element is None:
                with_field = f"--field {'|'.join(FIELDS)} chooses another"
                raise bad_input(path, line, f"the topic {query_id} has no {field}", with_field)
            texts.append(element)
        yield line, query_id, " ".join(filter(None, texts))


def _element(topic: str, names: Sequence[str]) -> str | None:
    """Text of the first element called by the first of `names` that a topic has, up to the next
    tag and without a label such as `Number:`; None without any."""
    for name in names:
        if match := re.search(rf"<{name}\b[^<>]*>([^<]*)", topic, re.IGNORECASE):
            return _plain(_LABEL.sub(" ", match[1], count=1))
    return None


def _plain(text: str) -> str:
    """A text without tags, its character references as characters, runs of white space as one
    blank."""
    return " ".join(html.unescape(_TAG.sub(" ", text)).split())
