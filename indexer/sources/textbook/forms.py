"""Detection of a file's form of running text; a file that resembles a known form but is invalid is refused."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Literal

from indexer.files.encoding import JAPANESE_ENCODINGS, PACKED, open_bytes, open_lines, read_beginning
from indexer.files.errors import UserError, bad_input
from indexer.files.json_objects import parse_json
from indexer.files.messages import info, warn
from indexer.files.paths import matching_files
from indexer.files.xml import root_element
from indexer.formats.labels import file_label
from indexer.formats.sentence_rows import is_sentence_file
from indexer.formats.table_rows import is_table_file
from indexer.languages.language import Language
from indexer.languages.registry import LANGUAGES, detect_language
from indexer.registry import WIKI_FILES

DocumentForm = Literal["pdf", "html", "epub", "docx"]
Form = Literal["candidates", "json", "trec", "textbook", "dump", "extracted", "plain", "pages"] | DocumentForm

FORMS = (
    "plain text, PDF, EPUB, DOCX, HTML, JSON lines, TREC documents, textbook XML, a MediaWiki dump or WikiExtractor's "
    "output"
)

EXTRACTED = re.compile(r'<doc\s[^<>]*?\btitle="', re.IGNORECASE)
"""How a document of WikiExtractor begins; TREC's `<DOC>` has no title there."""

_SHOWN = 60  # characters of a file's text that a message quotes
_HEAD = 1024  # bytes among which a PDF begins (ISO 32000, note 13 of annex H)
_PAGE = 20_000  # characters of a page at most: a large one has a fifth; with fewer form feeds a text has no pages
_PDF = re.compile(rb"%PDF-\d")
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*|<!--.*?-->\s*)*<(?:!doctype\s+)?html\b", re.IGNORECASE | re.DOTALL
)
_MARKUP = re.compile(r"<[A-Za-z!?/]")
_WIKI_FILE = re.compile(r"wiki_\d+")
_NO_TEXT = (
    (re.compile(rb"\xd0\xcf\x11\xe0|\{\\rtf"), "a document of a word processor", "save it as DOCX or plain text"),
    (re.compile(rb"PK\x03\x04"), "a zip file, and no EPUB or DOCX", "unpack it, or save its text"),
    (re.compile(rb"(?s:.{257})ustar"), "a tar file", "unpack it"),
    (re.compile(rb"\x1f\x8b|BZh\d|\xfd7zXZ|\x28\xb5\x2f\xfd|7z\xbc\xaf"), "a packed file", "unpack it"),
)
"""What people have books in beside text: how such a file begins, what it is, the way out."""


def form_of(path: str) -> Form:
    """The form of a text file, recognised by its first bytes and lines.

    Raises UserError with file and line for a file of another kind of index, one that is not text, XML with an unknown
    root element, and a file whose name says JSON, XML or WikiExtractor and whose beginning does not.
    """
    with open_bytes(path) as file:
        head = file.read(_HEAD)
    # files other than plain text are recognised by their first bytes
    if _PDF.search(head):
        return "pdf"
    if _HTML.match(head):
        _refuse_other_than_named(path, 1, "<html>")
        return "html"
    if head.startswith(b"PK\x03\x04") and not path.endswith(PACKED):
        from indexer.sources.textbook.markup import zipped_form

        if zipped := zipped_form(path):
            return zipped
    for start, what, remedy in _NO_TEXT:
        if start.match(head):
            raise bad_input(path, None, f"{what}, not running text", f"{remedy}; expected {FORMS}")
    first = next((line for line in open_lines(path) if line.text and line.text.strip()), None)
    line, beginning = (first.number, (first.text or "").strip()[:2_000]) if first else (0, "")
    if _MARKUP.match(beginning):
        if EXTRACTED.match(beginning):
            return "extracted"
        if re.match(r"<DOC\b", beginning, re.IGNORECASE):
            return "trec"
        root, line, _ = root_element(path)
        if root == "mediawiki":
            return "dump"
        if root == "textbook":
            return "textbook"
        raise bad_input(path, line, f"the root element is <{root[:_SHOWN]}>", f"expected {FORMS}")
    _refuse_other_than_named(path, line, beginning)
    sample = read_beginning(path)
    if len(sample) <= _PAGE * sample.count("\f"):  # form feeds as often as pages end
        return "pages"
    if is_sentence_file(path):
        return "candidates"
    if is_table_file(path):
        raise bad_input(path, None, "tables of NLPCC TBQA, not running text", "index them with `indexer tables`")
    return "json" if beginning.startswith(("{", "[")) else "plain"


def _refuse_other_than_named(path: str, line: int, beginning: str) -> None:
    """Raises UserError if a file's name says JSON, XML or WikiExtractor and its `beginning` is something else; `line`
    is the line of the beginning."""
    name = Path(path).name.lower()
    for suffix in PACKED:
        name = name.removesuffix(suffix)
    if name.endswith((".json", ".jsonl", ".ndjson")) and not beginning.startswith(("{", "[")):
        expected = 'expected JSON lines such as {"id": …, "title": …, "text": …}'
    elif name.endswith(".xml"):
        expected = "expected <textbook> or <mediawiki>"
    elif _WIKI_FILE.fullmatch(name) and not beginning.startswith("{"):
        expected = "expected WikiExtractor's <doc …> or JSON lines"
    else:
        return
    if beginning:
        raise bad_input(path, line, f"not what the name says ({beginning[:_SHOWN]})", expected)


# The language of a file of running text: as a dump says, else recognised by the beginning of the text.

_TAG = re.compile(r"<[^<>]*>")
_LINES = 200  # lines by which a file's kind or language is recognised


def language_of(paths: Sequence[str], given: Language | None = None) -> Language:
    """Language of text files: the given one, with a warning for each file in another script; else that of their letters
    or, for a dump, of its `lang` attribute.

    Raises UserError for a knowledge base, and if the languages of two files differ: each needs a separate index.
    """
    known: dict[Language, str] = {}
    for path in paths:
        lines = [line.text for line in islice(open_lines(path, limit=200_000), _LINES) if line.text]
        if lines and all(line.count(" ||| ") == 2 for line in lines):
            raise bad_input(path, None, "a knowledge base", "index it with `python -m indexer triples`")
        language = file_language(path, given.encodings) if given else file_language(path)
        if language and given and language.uses_spaces != given.uses_spaces:
            warn(f"{path} looks like {language}, read as {given} because of --language")
        elif language:
            known.setdefault(language, path)
    if given:
        return given
    if len(known) > 1:
        (first, file), (second, other) = list(known.items())[:2]
        raise UserError(
            f"{other} is {second}, {file} {first}: index each language separately, or say with "
            f"--language what all of them are"
        )
    if not known:
        return detect_language("")
    language = next(iter(known))
    info(f"language: {language} (detected; --language overrides)")
    return language


def file_language(path: str, encodings: tuple[str, ...] = JAPANESE_ENCODINGS) -> Language | None:
    """Language of a file by its beginning, None if that has no letters; `encodings` are tried if it is not UTF-8.

    Raises UserError for a dump in an unknown language.
    """
    form = form_of(path)
    if form == "dump":
        _, line, attributes = root_element(path)
        code = attributes.get("lang", "").partition("-")[0].lower()
        if code in LANGUAGES:
            return LANGUAGES[code]
        if code:
            expected = f"known are {', '.join(LANGUAGES)}, and --language says which of them to read it as"
            raise bad_input(path, line, f"a dump in the language {code}", expected)
    if form == "pdf" or form == "html" or form == "epub" or form == "docx":
        from indexer.sources.textbook.markup import document_sample

        sample = document_sample(path, form)
    else:
        lines = islice(open_lines(path, encodings, limit=200_000), _LINES)
        sample = _TAG.sub(" ", "\n".join(_sample_line(line.text) for line in lines if line.text is not None))
    return detect_language(sample) if any(map(str.isalpha, sample)) else None


def _sample_line(text: str) -> str:
    """Text of a line for language detection, at most 2,000 characters: the `text` or `question` of a JSON record ("" if
    it is not valid), else the line."""
    if not text.startswith("{"):
        return text[:2_000]
    try:
        record = parse_json(text)
    except ValueError:
        return ""
    return str(record.get("text", record.get("question", "")))[:2_000] if isinstance(record, dict) else ""


# The files of a textbook: found by their names and by patterns, and what doc_ids call them.

_WIKI_PLACE = re.compile(r"(^|/)[A-Z]{2}/wiki_\d+(\.\w+)?$")


def textbook_files(patterns: Sequence[str]) -> list[str]:
    """Files that paths, glob patterns and WikiExtractor's folders name, in order, each once even through links.

    Raises UserError if one of them finds nothing.
    """
    files: dict[Path, str] = {}
    for pattern in patterns:
        if os.path.isdir(pattern):  # noqa: PTH112
            folder = Path(pattern)
            found = sorted(str(path) for each in WIKI_FILES for path in folder.glob(each) if path.is_file())
            if not found:
                name = f"name the files, as in '{folder}/*.txt'"
                raise UserError(f"{folder}: a folder without files of WikiExtractor (AA/wiki_00); {name}")
        else:
            found = matching_files(pattern, "FILE")
        for path in found:
            files.setdefault(Path(path).resolve(), path)
    return list(files.values())


def file_labels(files: Sequence[str]) -> list[str]:
    """Label of each file for doc_ids (`file_label`); a repeated label gets a number (`name~2`).

    WikiExtractor's files, which are called the same in every folder, include the folder: AA-wiki_00.
    """
    seen: dict[str, int] = {}
    labels = []
    for file in files:
        stem = file_label(file, "file")
        if _WIKI_PLACE.search(file):
            stem = f"{Path(file).parent.name}-{stem}"
        seen[stem] = seen.get(stem, 0) + 1
        labels.append(stem if seen[stem] == 1 else f"{stem}~{seen[stem]}")
    return labels
