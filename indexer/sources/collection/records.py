"""Reads the documents of a test collection from the files in which collections come."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath
from typing import Any

from indexer.files.archive import members
from indexer.files.encoding import (
    LINE_LIMIT,
    WHOLE_LIMIT,
    TextLine,
    decode_text,
    detect_encoding,
    open_bytes,
    open_lines,
    read_beginning,
    read_text,
    read_whole,
)
from indexer.files.errors import UserError
from indexer.files.inputs import MIB
from indexer.files.json_objects import begins_as_json, json_objects, parse_json
from indexer.files.paths import HIDDEN, what_stands_beside
from indexer.files.signatures import PACKED, SIGNED, binary_form, refuse_binary
from indexer.formats.trec_run import judged_form, refuse_judged
from indexer.ingest_report import IngestReport, leave_out, readable_lines
from indexer.sources.collection.schema import Record

FORMS = (
    "JSON lines, a BEIR folder, TREC <DOC> files, MS MARCO's TSV (named .tsv), SMART's .I .T .W, "
    "or a folder or archive of text or HTML files"
)
ID_NAMES = ("id", "_id", "docid", "docno", "doc_id")
TEXT_NAMES = ("text", "contents", "body")
_COUNTED_FIELDS = 20  # by name: names may be anybody's data
_EXPECTED = f"expected {{{' or '.join(ID_NAMES)}: …, title: …, {' or '.join(TEXT_NAMES)}: …}}"
_ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".zip")
_BEIR = ("corpus.jsonl", "corpus.jsonl.gz")
_TAG = re.compile(r"</?[A-Za-z!?][^<>]*>")
_TREC = re.compile(r"<doc\b(?:[^<>]*>\s*<docno\b|[^<>]*\bid=)", re.IGNORECASE)
_AFTER_DOCUMENT = re.compile(r"(?<=</doc>)", re.IGNORECASE)
_ID = re.compile(r'<doc\b[^<>]*\bid="([^"<>]*)"', re.IGNORECASE)  # Gigaword's and AQUAINT-2's
_SMART = re.compile(r"\s*\.I\s+\S+\s*\n\.[A-Z]")
_TOPICS = re.compile(r"\s*+(?:<\?xml[^>]*+>\s*+)?<top(?:ics?)?\b", re.IGNORECASE)
_TOPIC_NUMBER = re.compile(r"<num\b|<topic\s[^<>]*\bnumber=", re.IGNORECASE)
_TOPICS_NAME = re.compile(r"(?<![a-z])(?:topics?|queries|qry|qrels?)(?![a-z])")
_HTML = re.compile(
    r"\s*+(?:(?:<\?xml[^>]*+>|<!--(?:[^-]|-(?!->))*+-->)\s*+)*+<(?:!doctype|html|head|body)\b",
    re.IGNORECASE,
)
# Elements of TREC's newspapers that Anserini's TrecCollection indexes, but for dates.
_TITLES = ("title", "headline", "hl", "head", "ttl")
_TEXTS = ("lp", "leadpara", "text")

_NO_TEXT = re.compile(
    rf"<({'|'.join(('docno', 'docid', 'dochdr', *_TITLES))})\b[^<>]*>.*?</\1>",
    re.IGNORECASE | re.DOTALL,
)
_KNOWN = re.compile(
    rf"<({'|'.join(('docno', 'docid', 'dochdr', *_TITLES, *_TEXTS))})\b[^<>]*>.*?</\1>",
    re.IGNORECASE | re.DOTALL,
)

Lines = Iterable[TextLine]
Reader = Callable[[Lines, str, IngestReport], Iterator[Record]]


@dataclass(frozen=True)
class CollectionSource:
    """A file, folder or archive that was named, and the files to read for it, by path.

    `forms` counts these by their form (`TREC`, `HTML`, `archive` …) and `beside` has the other
    files of a folder, each with what it is; both are empty where the path is a file, or a folder
    of BEIR's.
    """

    path: Path
    files: tuple[Path, ...]
    forms: Mapping[str, int]
    beside: Mapping[Path, str]


def source_of(path: Path) -> CollectionSource:
    """The source that a path names: itself if it is not a folder, the corpus of a BEIR folder
    (`corpus.jsonl`, else `corpus.jsonl.gz`), or all files below a folder, sorted, but for
    hidden ones and those beside the documents (READMEs, licences, topics, qrels, runs). Raises
    UserError for a folder without files of documents."""
    if not path.is_dir():
        return CollectionSource(path, (path,), {}, {})
    if corpus := [path / name for name in _BEIR if (path / name).is_file()]:
        return CollectionSource(path, tuple(corpus[:1]), {}, {})
    files: list[Path] = []
    forms, beside = Counter[str](), dict[Path, str]()
    for file in sorted(file for file in path.rglob("*") if file.is_file()):
        if what_stands_beside(file.relative_to(path)) == HIDDEN:
            continue
        form = form_of_file(file)
        if what := _beside(file, form):
            beside[file] = what
        else:
            files.append(file)
            forms[form] += 1
    if not files:
        others = "".join(f"; {file.name} is {what}" for file, what in beside.items())
        raise UserError(f"{path}: a folder without files of documents{others}; expected {FORMS}")
    return CollectionSource(path, tuple(files), forms, beside)


def form_of_file(path: Path) -> str:
    """The form of a file of a folder: that of `_form_of`, `archive`, `HTML`, `text`, or `no text`
    for a file of bytes."""
    if path.name.lower().endswith(_ARCHIVES):
        return "archive"
    with open_bytes(path) as file:
        if binary_form(file.read(SIGNED)):
            return "no text"
    beginning = read_beginning(path)
    return _form_of(beginning, path.name) or ("HTML" if _HTML.match(beginning) else "text")


def _beside(path: Path, form: str) -> str:
    """What a file of a folder is if it is beside the documents of a collection: its README or
    licence, qrels or a run, topics; else "". Topics are recognised by `<top>` with a number, or, as
    CACM's look like documents, by the file's name (not that of a web page or an archive)."""
    if form in ("archive", "no text"):
        return ""
    if what_stands_beside(path.name):
        return "a README or licence"
    if form == "HTML":
        return ""
    beginning = read_beginning(path)
    if judged := judged_form(beginning):
        return judged
    if _TOPICS.match(beginning) and _TOPIC_NUMBER.search(beginning):
        return "topics"
    return "topics or qrels by its name" if _TOPICS_NAME.search(path.name.lower()) else ""


def read_source(
    source: CollectionSource, encodings: tuple[str, ...], tally: IngestReport
) -> Iterator[Record]:
    """Yields the documents of a file, a folder or an archive, in order, and counts them in the
    tally; `encodings` are tried for text that is not UTF-8.

    The beginning of a file determines its form, TSV by its name; a file of no known form is one
    document, called by its name without ending. A record without an id or text, or whose id has
    blanks, is rejected; an empty text is not. Of a folder and an archive the files that are not
    text are rejected, hidden ones skipped; an archive's READMEs and licences too, and both are
    counted in the tally's pieces. Raises UserError for a file that cannot be read, one
    JSON value that is malformed, and a `source` that is not text or looks like qrels or a run.
    """
    for path in source.files:
        if not path.name.lower().endswith(_ARCHIVES):
            if path == source.path:
                with open_bytes(path) as file:
                    refuse_binary(path, file.read(SIGNED), FORMS)
                refuse_judged(path, read_beginning(path), f"expected documents: {FORMS}")
            yield from _read_file(path, encodings, tally)
            continue
        for member in members(path, partial(_is_document, tally.pieces)):
            name = f"{path}:{member.name}"
            if member.data is None:
                tally.read += 1
                tally.reject(name, 0, member.reason)
            else:
                file_name = PurePath(member.name).name
                yield from _read_member(member.data, name, file_name, encodings, tally)


def _is_document(pieces: Counter[str], name: str) -> bool:
    """Whether a member of an archive is a document by its name; any other is counted in
    `pieces`."""
    if what := what_stands_beside(name):
        leave_out(pieces, what, name)
    return not what


def _read_file(path: Path, encodings: tuple[str, ...], tally: IngestReport) -> Iterator[Record]:
    """Yields the documents of one file. Files of many documents are read line by line; one JSON
    value (at most 1 GiB) and a file that is a document (256 MiB) whole, UserError if larger."""
    beginning = read_beginning(path)
    reader = _READERS.get(_form_of(beginning, path.name))
    if reader is not None:
        yield from reader(open_lines(path, encodings), str(path), tally)
    elif begins_as_json(beginning):
        yield from _json_values(read_text(path, WHOLE_LIMIT), str(path), tally)
    else:
        data = read_whole(path, 256 * MIB)
        yield from _file_as_document(data, str(path), path.name, encodings, tally)


def _read_member(
    data: bytes, name: str, file_name: str, encodings: tuple[str, ...], tally: IngestReport
) -> Iterator[Record]:
    """Yields the documents of a member of an archive, by the form that its text has, else the text
    as one document, called by `file_name`; `name` has the archive's before it. A member that cannot
    be decoded is rejected. Raises UserError for one JSON value that is malformed."""
    try:
        text = decode_text(data, detect_encoding(data, encodings), name)
    except UserError as error:
        tally.read += 1
        tally.reject(name, 0, str(error).removeprefix(f"{name}: "))
        return
    reader = _READERS.get(_form_of(text[:MIB], name))
    if reader is not None:
        lines = (TextLine(n, line.rstrip("\r")) for n, line in enumerate(text.split("\n"), 1))
        yield from reader(lines, name, tally)
    elif begins_as_json(text):
        yield from _json_values(text, name, tally)
    else:
        yield from _file_as_document(data, name, file_name, encodings, tally)


def _form_of(beginning: str, name: str) -> str:
    """The form of a file of many documents by the beginning of its text (JSON lines, TREC, SMART)
    or `name` (TSV), `JSON` for one value; "" for a file that is a document."""
    if begins_as_json(beginning):
        try:
            parse_json(beginning.lstrip().partition("\n")[0])
        except ValueError:
            # A first line beyond the beginning is one of JSON lines all the same.
            return "JSON" if "\n" in beginning.lstrip() else "JSON lines"
        return "JSON" if beginning.lstrip().startswith("[") else "JSON lines"
    if _TREC.search(beginning):
        return "TREC"
    if _SMART.match(beginning):
        return "SMART"
    plain = name.lower()
    for ending in PACKED:
        plain = plain.removesuffix(ending)
    return "TSV" if plain.endswith(".tsv") else ""


def make_record(
    doc_id: str, title: str, text: str, path: str, line: int, tally: IngestReport
) -> Iterator[Record]:
    """Yields the document, its title's white space folded, id and text stripped, and counts it as
    read; rejects an id that is empty or has blanks or unprintable characters, which no run could
    name."""
    tally.read += 1
    doc_id = doc_id.strip()
    if not doc_id or not doc_id.isprintable() or " " in doc_id:
        tally.reject(path, line, f"the id {doc_id!r}: expected one without blanks", text)
    else:
        yield Record(doc_id, " ".join(title.split()), text.strip(), path, line)


def record_of(
    fields: Mapping[str, Any], path: str, line: int, tally: IngestReport
) -> Iterator[Record]:
    """Yields the document of a mapping of JSON's kind: the first of `ID_NAMES` that is a string or
    an integer, the first of `TEXT_NAMES` that is a string (it may be empty), and `title`, if it is
    a string. Other fields that hold text, lists or objects count as left out. Rejects one without
    id or text."""
    ids = [fields[name] for name in ID_NAMES if type(fields.get(name)) in (str, int)]
    texts = [name for name in TEXT_NAMES if isinstance(fields.get(name), str)]
    title = fields.get("title")
    if ids and texts:
        title = title if isinstance(title, str) else ""
        for name in fields.keys() - {*ID_NAMES, "title", texts[0]}:
            if fields[name] and isinstance(fields[name], str | list | dict):
                _leave_out_field(name, str(fields[name]), tally)
        yield from make_record(str(ids[0]), title, fields[texts[0]], path, line, tally)
    else:
        tally.read += 1
        tally.reject(path, line, f"no {'text' if ids else 'id'}; {_EXPECTED}", str(fields))


def _leave_out_field(name: str, value: str, tally: IngestReport) -> None:
    """Counts a field as left out by its name; after the first 20 names, and where it cannot be
    printed, as `further fields`."""
    reason = f"fields {name}"
    if reason not in tally.pieces and (
        len(tally.pieces) >= _COUNTED_FIELDS or not name.isprintable()
    ):
        reason = "further fields"
    leave_out(tally.pieces, reason, f"{name}: {value}")


def _json_lines(lines: Lines, path: str, tally: IngestReport) -> Iterator[Record]:
    """Yields the documents of JSON objects, one a line; blank lines are skipped, other lines
    rejected."""
    for number, text in readable_lines(lines, path, tally):
        if not text.strip():
            continue
        try:
            fields = parse_json(text)
            if not isinstance(fields, dict):
                raise ValueError("not an object")
        except ValueError as error:
            tally.read += 1
            tally.reject(path, number, f"no JSON object ({error}); {_EXPECTED}", text)
            continue
        yield from record_of(fields, path, number, tally)


def _json_values(text: str, path: str, tally: IngestReport) -> Iterator[Record]:
    """Yields the documents of a JSON file of one object or one list of objects. Raises UserError
    for malformed JSON, after the documents before it."""
    for line, fields in json_objects(text, path, _EXPECTED):
        yield from record_of(fields, path, line, tally)


def _tsv_lines(lines: Lines, path: str, tally: IngestReport) -> Iterator[Record]:
    """Yields the documents of lines `id TAB text` or `id TAB url TAB title TAB text` (MS MARCO), or
    of a file whose first line names its columns, one of `ID_NAMES` first. Rejects lines with
    another number of columns; blank ones are skipped."""
    columns: list[str] = []
    for number, line in readable_lines(lines, path, tally):
        cells = line.split("\t")
        if number == 1 and cells[0] in ID_NAMES:
            columns = cells
            continue
        names = columns or (["id", "url", "title", "text"] if len(cells) == 4 else ["id", "text"])
        if len(cells) == len(names):
            yield from record_of(dict(zip(names, cells, strict=True)), path, number, tally)
        elif line.strip():
            tally.read += 1
            what = f"{len(cells)} columns; expected {' TAB '.join(names)}"
            tally.reject(path, number, what, line)


def _trec_documents(lines: Lines, path: str, tally: IngestReport) -> Iterator[Record]:
    """Yields the documents of `<DOC>` … `</DOC>`: title and text elements as Anserini takes them;
    without a `<TEXT>`, all text but id and title. A `<DOC>` begins a line or follows `</DOC>`.
    Rejects a document without an end or over 16 Mi characters; text outside counts as left out."""
    start, size, pieces = 0, 0, list[str]()
    parts = (
        (number, part)
        for number, line in readable_lines(lines, path, tally)
        for part in _AFTER_DOCUMENT.split(line)
    )
    for number, line in parts:
        if re.match(r"\s*<DOC\b", line, re.IGNORECASE):
            if pieces:
                tally.read += 1
                tally.reject(path, start, "no </DOC> before the next <DOC>", pieces[0])
            start, size, pieces = number, 0, []
        elif not start:
            if outside := _without_tags(line):
                leave_out(tally.pieces, "lines outside of documents", outside)
            continue
        pieces.append(line)
        size += len(line) + 1
        if size > LINE_LIMIT:
            tally.read += 1
            tally.reject(path, start, f"a document over {LINE_LIMIT // MIB} MiB", pieces[0])
            start, pieces = 0, []
        elif re.search(r"</DOC>", line, re.IGNORECASE):
            yield from _trec_record("\n".join(pieces), path, start, tally)
            start, pieces = 0, []
    if pieces:
        tally.read += 1
        tally.reject(path, start, "no </DOC> at the end of the file", pieces[0])


def _trec_record(document: str, path: str, line: int, tally: IngestReport) -> Iterator[Record]:
    """Yields the document of the text from `<DOC>` to `</DOC>`, with the first title; its id is the
    `<DOCNO>`, else the attribute `id`; without a fit id it is rejected. Tags are removed,
    character references read. The text is that of `_TEXTS`, and the rest counts as left out;
    without `<TEXT>` it is all but ids and titles."""

    def contents(name: str) -> list[str]:
        pattern = rf"<{name}\b[^<>]*>(.*?)</{name}>"
        return re.findall(pattern, document, re.IGNORECASE | re.DOTALL)

    title = next((titles[0] for name in _TITLES if (titles := contents(name))), "")
    by_name = {name: contents(name) for name in _TEXTS}
    texts = [text for name in _TEXTS for text in by_name[name]]
    if by_name["text"]:
        if rest := _without_tags(_KNOWN.sub(" ", document)):
            leave_out(tally.pieces, "elements that are no text", rest)
    else:
        texts = [_NO_TEXT.sub(" ", document)]
    doc_id = _without_tags("".join((contents("docno") or _ID.findall(document))[:1]))
    text = _without_tags("\n".join(texts))
    yield from make_record(doc_id, _without_tags(title), text, path, line, tally)


def _without_tags(text: str) -> str:
    """A text with a blank for each tag and its character references as characters, stripped."""
    return html.unescape(_TAG.sub(" ", text)).strip()


def smart_fields(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str, dict[str, str]]]:
    """Yields line, id and the fields by their letters (T, W …) of each record of SMART's form: `.I
    ID`, then `.LETTER` lines, each before its text. Fields of one letter are joined by line ends;
    lines before the first `.I` or a record's first letter are skipped."""
    number, record_id, letter = 0, "", ""
    fields: dict[str, list[str]] = {}
    for line_number, line in lines:
        if begin := re.match(r"\.I\s+(\S+)", line):
            if number:
                yield number, record_id, {name: "\n".join(text) for name, text in fields.items()}
            number, record_id = line_number, begin[1]
            letter, fields = "", {}
        elif re.fullmatch(r"\.[A-Z]\s*", line):
            letter = line[1]
            fields.setdefault(letter, [])
        elif letter:
            fields[letter].append(line)
    if number:
        yield number, record_id, {name: "\n".join(text) for name, text in fields.items()}


def _smart_documents(lines: Lines, path: str, tally: IngestReport) -> Iterator[Record]:
    """Yields the documents of SMART's form: title (.T) and text (.W), "" without them; other fields
    count as left out."""
    for line, doc_id, fields in smart_fields(readable_lines(lines, path, tally)):
        for letter in fields.keys() - {"T", "W"}:
            leave_out(tally.pieces, f"fields .{letter}", fields[letter])
        yield from make_record(doc_id, fields.get("T", ""), fields.get("W", ""), path, line, tally)


_READERS: Mapping[str, Reader] = {
    "JSON lines": _json_lines,
    "TREC": _trec_documents,
    "SMART": _smart_documents,
    "TSV": _tsv_lines,
}
"""The readers of files of many documents, line by line, by their form."""


def _file_as_document(
    data: bytes, path: str, name: str, encodings: tuple[str, ...], tally: IngestReport
) -> Iterator[Record]:
    """Yields the document that a text or HTML file is; its id is the file's `name` without .gz,
    .bz2 or .xz and then its last ending. A file that is not text, or whose id has blanks, is
    rejected; only HTML has a title."""
    for ending in PACKED:
        name = name.removesuffix(ending)
    try:
        title, text = "", decode_text(data, detect_encoding(data, encodings), path)
        if "\0" in text:
            raise UserError(f"{path}: not text")
        if _HTML.match(text):
            title, text = _html_text(data, path, encodings, tally)
    except UserError as error:
        tally.read += 1
        tally.reject(path, 0, str(error).removeprefix(f"{path}: "))
        return
    yield from make_record(PurePath(name).stem, title, text, path, 1, tally)


def _html_text(
    data: bytes, path: str, encodings: tuple[str, ...], tally: IngestReport
) -> tuple[str, str]:
    """Title of a web page, with its line breaks ("" without one), and its text, a line for each
    paragraph; what is not text is counted as left out."""
    from indexer.sources.textbook.markup import html_root, markup_paragraphs

    root = html_root(data, encodings, path)
    paragraphs = markup_paragraphs(root, tally.pieces)
    title = root.findtext(".//title") or ""
    return title, "\n".join(paragraph.text for paragraph in paragraphs)


def ir_dataset_records(name: str) -> Iterator[dict[str, str]]:
    """Yields the documents of a collection of ir_datasets as mappings with id, title ("" without
    one) and text; the package fetches it if it must. Raises UserError where the package is not
    installed, or does not know the name."""
    try:
        import ir_datasets
    except ImportError:
        raise UserError(
            "--ir-dataset needs the package ir_datasets: pip install ir_datasets"
        ) from None
    try:
        dataset = ir_datasets.load(name)
    except KeyError:
        raise UserError(
            f"--ir-dataset {name}: ir_datasets knows no collection of this name"
        ) from None
    for document in dataset.docs_iter():
        texts = [text for field in TEXT_NAMES if (text := getattr(document, field, None))]
        text = texts[0] if texts else document.default_text()
        yield {"id": document.doc_id, "title": getattr(document, "title", "") or "", "text": text}
