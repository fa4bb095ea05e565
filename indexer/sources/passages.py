"""Reading passages of running text: plain text, JSON lines, TREC documents, textbook XML, sentence files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from indexer.analysis import Language
from indexer.document import Record
from indexer.files.encoding import CHINESE, JAPANESE, Line, open_lines
from indexer.files.errors import UserError
from indexer.files.progress import watched
from indexer.sources.sentence_files import is_sentence_file, passages_of_lists
from indexer.tally import Tally

WRAPPED = 120  # characters: a longer line is a paragraph of its own, not a piece of a wrapped one
_HEADING = 80
_GUTENBERG_START = re.compile(r"\*\*\* ?START OF (THE|THIS) PROJECT GUTENBERG")
_GUTENBERG_END = re.compile(r"\*\*\* ?END OF (THE|THIS) PROJECT GUTENBERG")
_TREC_TAGS = re.compile(r"<(DOCNO|TITLE|HEADLINE|TEXT)>(.*?)</\1>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_SENTENCE_END = re.compile(r"[.!?。！？][\"'”’」』)）]*$")

Fields = Mapping[str, str]


def open_passages(path: str, label: str, language: Language, tally: Tally) -> Iterator[Record]:
    """The passages of a file in order, each with doc_id (`LABEL-0000001`), id, title and text.

    Questions with candidate sentences (DBQA, SelQA, WikiQA, TrecQA: `is_sentence_file`) give a passage a question,
    its candidates also in `sentences`, one a line. Else the format is told from the first character that is no
    blank: `{` JSON lines (id, title, text), `<DOC>` TREC documents, `<` textbook XML
    (textbook/page/title,id,text/p), else plain text: paragraphs between blank lines, a line over 120 characters
    (or in Japanese and Chinese any line) a paragraph of its own.
    Passages that cannot be read are rejected in the tally. UserError for a file that is empty.
    """
    number = 0
    for line, fields in watched(_passages(path, language, tally), label, unit="passages"):
        number += 1
        yield Record(path, line, {**fields, "doc_id": f"{label}-{number:07d}"})
    if number == 0 and tally.rejected == 0:
        raise UserError(f"{path}: no text in it; expected plain text, JSON lines, TREC documents or textbook XML")


def sample_text(path: str, lines: int = 200) -> str:
    """The beginning of a file's text, to tell its language from; markup and JSON keys removed."""
    found = []
    for line in open_lines(path, limit=200_000):
        if line.text is not None:
            found.append(_sample_line(line.text))
        if line.number >= lines:
            break
    return _TAG.sub(" ", "\n".join(found))


def _sample_line(text: str) -> str:
    if not text.startswith("{"):
        return text[:2_000]
    try:
        record = json.loads(text)
    except ValueError:
        return ""
    return str(record.get("text", record.get("question", "")))[:2_000] if isinstance(record, dict) else ""


def _passages(path: str, language: Language, tally: Tally) -> Iterator[tuple[int, Fields]]:
    if is_sentence_file(path):
        return passages_of_lists(path, tally.count)
    beginning = _first_characters(path)
    if beginning.startswith(("{", "[")):
        return _json_lines(path, tally)
    if re.match(r"<DOC\b", beginning, re.IGNORECASE):
        return _trec_documents(path, tally)
    if beginning.startswith("<") and re.match(r"<(\?xml|!--|!DOCTYPE|textbook)", beginning, re.IGNORECASE):
        return _textbook_xml(path, tally)
    return _plain_text(path, language, tally)


def _first_characters(path: str) -> str:
    for line in open_lines(path):
        if line.text and line.text.strip():
            return line.text.strip()[:100]
    return ""


def _readable(lines: Iterable[Line], path: str, tally: Tally) -> Iterator[tuple[int, str]]:
    """The lines that can be read; the others are records of their own, rejected."""
    for line in lines:
        if line.text is None:
            tally.count()
            tally.reject(path, line.number, line.reason)
        else:
            yield line.number, line.text


def _json_lines(path: str, tally: Tally) -> Iterator[tuple[int, Fields]]:
    for number, text in _readable(open_lines(path), path, tally):
        if not text.strip():
            continue
        tally.count()
        fields, reason = _json_passage(text)
        if reason:
            tally.reject(path, number, reason, text)
        else:
            yield number, fields


def _json_passage(text: str) -> tuple[Fields, str]:
    """A JSON line's fields, or why it is none."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return {}, 'no JSON object; expected {"id": …, "title": …, "text": …}'
    if not isinstance(record, dict) or not isinstance(record.get("text"), str):
        return {}, 'no "text" in the JSON object'
    if not record["text"].strip():
        return {}, "empty text"
    fields = {name: str(record[name]) for name in ("id", "title", "text") if record.get(name) is not None}
    try:
        "".join(fields.values()).encode()
    except UnicodeEncodeError:
        return {}, "half of a surrogate pair"
    return fields, ""


def _trec_documents(path: str, tally: Tally) -> Iterator[tuple[int, Fields]]:
    start, pieces = 0, list[str]()
    for number, text in _readable(open_lines(path), path, tally):
        if re.match(r"\s*<DOC\b", text, re.IGNORECASE):
            if pieces:
                tally.count()
                tally.reject(path, start, "no </DOC> before the next <DOC>", " ".join(pieces))
            start, pieces = number, [text]
        elif pieces:
            pieces.append(text)
        if pieces and re.search(r"</DOC>", text, re.IGNORECASE):
            yield from _trec_document(path, start, "\n".join(pieces), tally)
            pieces = []
    if pieces:
        tally.count()
        tally.reject(path, start, "no </DOC> at the end of the file", " ".join(pieces))


def _trec_document(path: str, line: int, text: str, tally: Tally) -> Iterator[tuple[int, Fields]]:
    """The passages of one TREC document: one for each line of its text that holds more than markup."""
    found: dict[str, list[str]] = {}
    for name, value in _TREC_TAGS.findall(text):
        found.setdefault(name.upper(), []).append(value)
    tally.count()
    body = "\n".join(found.get("TEXT", []))
    paragraphs = [stripped for each in body.splitlines() if (stripped := _TAG.sub("", each).strip())]
    if not paragraphs:
        tally.reject(path, line, "no <TEXT> in the document", text)
        return
    title = " ".join(_TAG.sub("", " ".join(found.get("TITLE", found.get("HEADLINE", [])))).split())
    fields = {"id": "".join(found.get("DOCNO", [""])[0].split()), "title": title}
    for each in [" ".join(paragraphs)] if paragraphs[0].isascii() else paragraphs:
        yield line, {**fields, "text": each}


def _textbook_xml(path: str, tally: Tally) -> Iterator[tuple[int, Fields]]:
    from indexer.files.xml import parse_xml

    root = parse_xml(path, ("textbook",))
    for page in root.iter("page"):
        title = _inner_text(page.find("title"))
        identifier = "".join((page.findtext("id") or page.get("id") or "").split())
        for paragraph in page.iter("p"):
            text, line = _inner_text(paragraph), int(cast(Any, paragraph.sourceline or 0))
            tally.count()
            if text:
                yield line, {"id": identifier, "title": title, "text": text}
            else:
                tally.reject(path, line, "empty <p>")


def _inner_text(element: Any) -> str:
    """All text inside an element, blanks folded; "" for None."""
    return "" if element is None else " ".join("".join(element.itertext()).split())


def _plain_text(path: str, language: Language, tally: Tally) -> Iterator[tuple[int, Fields]]:
    """Paragraphs; a short one without a sentence's end is a heading and names those that follow."""
    title = ""
    fallbacks = CHINESE if language == "zh" else JAPANESE
    lines = _without_licence(_readable(open_lines(path, fallbacks), path, tally), path)
    for number, text in _paragraphs(lines, wrapped=language == "en"):
        tally.count()
        if len(text) <= _HEADING and not _SENTENCE_END.search(text):
            title = text
        yield number, {"title": title, "text": text}


def _paragraphs(lines: Iterable[tuple[int, str]], wrapped: bool) -> Iterator[tuple[int, str]]:
    start, pieces = 0, list[str]()
    for number, line in lines:
        stripped = line.strip()
        if pieces and (not stripped or not wrapped or len(stripped) > WRAPPED):
            yield start, " ".join(pieces)
            pieces = []
        if stripped:
            start = start if pieces else number
            pieces.append(stripped)
            if len(stripped) > WRAPPED:
                yield start, " ".join(pieces)
                pieces = []
    if pieces:
        yield start, " ".join(pieces)


def _without_licence(lines: Iterable[tuple[int, str]], path: str) -> Iterator[tuple[int, str]]:
    """The lines between Project Gutenberg's marks, where a file has them; else all."""
    waiting = _has_licence(path)
    for number, line in lines:
        if waiting:
            waiting = not _GUTENBERG_START.search(line)
        elif _GUTENBERG_END.search(line):
            return
        else:
            yield number, line


def _has_licence(path: str) -> bool:
    if Path(path).suffix.lower() not in (".txt", ".gz", ".bz2"):
        return False
    return any(line.text and _GUTENBERG_START.search(line.text) for line in _head(path))


def _head(path: str, lines: int = 500) -> Iterator[Line]:
    for line in open_lines(path):
        yield line
        if line.number >= lines:
            return
