"""Reading passages of running text: the form of a file, its language, and its passages in each of
the forms."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.analysis.text import without_ignorable
from indexer.build import file_label
from indexer.files.encoding import (
    JAPANESE_ENCODINGS,
    LINE_LIMIT,
    SAMPLE_SIZE,
    detect_encoding,
    open_bytes,
    open_lines,
    read_text,
)
from indexer.files.errors import UserError, bad_input
from indexer.files.inputs import MIB
from indexer.files.json_objects import begins_as_json, json_objects, parse_json
from indexer.files.messages import info, warn
from indexer.files.paths import matching_files
from indexer.files.progress import reading
from indexer.files.signatures import PACKED, SIGNED, binary_form, is_web_archive, refuse_binary
from indexer.ingest_report import IngestReport, leave_out, readable_lines
from indexer.languages.language import Language
from indexer.languages.registry import LANGUAGES, detect_language
from indexer.registry import WIKI_FILES
from indexer.sources.textbook.apparatus import book_text, is_in_glossary
from indexer.sources.textbook.markdown import ENDINGS, without_marks
from indexer.sources.textbook.schema import (
    EXTRACTED,
    Redirect,
    SourcePassage,
    paragraph_id,
    redirect_id,
)

if TYPE_CHECKING:
    from lxml import etree

# The form of a file of running text; one that resembles a known form but is invalid is refused.

DOCUMENTS = ("pdf", "html", "epub", "docx")
"""The forms with headings and, if they have any, pages."""

BOOKS = (*DOCUMENTS, "plain", "pages", "json", "textbook")
"""The forms of books, with text that is not for readers: reference lists, objectives, questions."""

FORMS = (
    "plain text, PDF, EPUB, DOCX, HTML, JSON lines, TREC documents, textbook XML, a MediaWiki "
    "dump or WikiExtractor's "
    "output"
)

_SHOWN = 60  # characters of a file's text that a message quotes
_PDF_HEAD = 1024  # bytes among which a PDF begins (ISO 32000, note 13 of annex H)
# characters of a page at most: a large one has a fifth; with fewer form feeds a text has no pages
_PAGE = 20_000
_PROLOG = r"\s*+(?:(?:<\?xml[^>]*+>|<!--(?:[^-]|-(?!->))*+-->)\s*+)*+"
_HTML = re.compile(rf"{_PROLOG}<(?:!doctype\s+)?html\b", re.IGNORECASE)
# A piece of a page: it begins with an element of HTML that no other format begins with.
_HTML_PIECE = re.compile(
    rf"{_PROLOG}<(?:head|body|meta|link|style|script|center|font|div|p|span|h[1-6]|[ou]l|dl|table"
    r"|blockquote|pre|br|hr|img|a|abbr|b|strong|i|em)[\s/>]",
    re.IGNORECASE,
)


_LATEX = re.compile(r"(?:\s|%[^\n]*\n)*+\\(?:documentclass|documentstyle|chapter|section|begin)\b")
_SUBTITLES = re.compile(r"\ufeff?(?:WEBVTT\b|(?:\d+\s*\n)?(?:\d\d:)?\d\d:\d\d[,.]\d{3}\s+-->)")
_MESSAGE = re.compile(r"(?:Return-Path|Received|Delivered-To|Message-ID|MIME-Version): ")


def form_of(path: str) -> str:
    """The form of a text file, recognised by its first bytes and lines, whatever its name: one of
    `BOOKS` or `dump`, `extracted` (Wikipedia), `trec`, `candidates`; `plain` for an empty file too.

    Raises UserError for tables, a file that is not text, LaTeX, subtitles, e-mail, and XML with an
    unknown root element.
    """
    with open_bytes(path) as file:
        head = file.read(SAMPLE_SIZE)
    if re.search(rb"%PDF-\d", head[:_PDF_HEAD]):
        return "pdf"
    if head.startswith(b"PK\x03\x04") and not path.endswith(PACKED):
        from indexer.sources.textbook.markup import zipped_form

        if zipped := zipped_form(path):
            return zipped
    if "Excel" in (binary_form(head[:SIGNED]) or ("",))[0]:
        raise bad_input(
            path,
            None,
            "an Excel workbook is no book",
            "a quiz is read by `classical-qa check-quiz`",
        )
    refuse_binary(path, head[:SIGNED], FORMS)
    if is_web_archive(head):
        return "html"
    sample = head.decode(detect_encoding(head), "replace")
    if _HTML.match(sample):
        return "html"
    if _is_markdown(path):  # it may begin with a piece of HTML
        return "plain"
    if _HTML_PIECE.match(sample):
        return "html"
    if path.lower().endswith(".tex") or _LATEX.match(sample):
        raise bad_input(path, None, "a LaTeX document", "make a PDF of it (`pdflatex`)")
    if _SUBTITLES.match(sample):
        raise bad_input(path, 1, "subtitles", "save their text without the times")
    if _MESSAGE.match(sample):
        raise bad_input(path, 1, "an e-mail", "save its text without the lines above it")
    beginning = sample.lstrip()[:2_000].rstrip()
    if EXTRACTED.match(beginning):
        return "extracted"
    if re.match(r"<DOC\b", beginning, re.IGNORECASE):
        return "trec"
    if re.match(r"<[A-Za-z!?/]", beginning):
        return _xml_form(path)
    if 0 < len(sample) <= _PAGE * sample.count("\f"):  # form feeds as often as pages end
        return "pages"
    is_json = begins_as_json(beginning)
    if is_json and '"question"' not in sample:
        return "json"
    if _is_of_candidates(path):
        return "candidates"
    return "json" if is_json else "plain"


def _is_markdown(path: str) -> bool:
    """Whether a file, perhaps packed, is Markdown by its name: nothing else says so."""
    name = path.lower()
    return any(name.removesuffix(packed).endswith(ENDINGS) for packed in PACKED)


def _xml_form(path: str) -> str:
    """`textbook` or `dump`, by the root element of an XML file. Raises UserError for any other."""
    from indexer.files.xml import root_element

    root, line, _ = root_element(path)
    if root not in ("textbook", "mediawiki"):
        raise bad_input(path, line, f"the root element is <{root[:_SHOWN]}>", f"expected {FORMS}")
    return "textbook" if root == "textbook" else "dump"


def _is_of_candidates(path: str) -> bool:
    """Whether a file has questions with candidate sentences. Raises UserError for one with
    tables."""
    from indexer.formats.sentence_rows import is_sentence_file
    from indexer.formats.table_rows import is_table_file

    if is_sentence_file(path):
        return True
    if is_table_file(path):
        raise bad_input(
            path,
            None,
            "tables of NLPCC TBQA, not running text",
            "index them with `classical-qa index tables`",
        )
    return False


# The language of a file of running text: as a dump says, else recognised by the beginning of the
# text.

_TAG = re.compile(r"<[^<>]*>")
_SAMPLE_LINES = 200  # lines by which a file's kind or language is recognised


def language_of(paths: Sequence[str], chosen: Language | None = None) -> Language:
    """Language of text files: the chosen one, with a warning for each file of which the language
    parts words by blanks and it does not, or the reverse; else the detected one (`file_language`);
    English if no file has letters.

    Raises the UserErrors of `file_language`, and one if none is chosen and the languages of two
    files differ: each needs a separate index.
    """
    languages: dict[Language, str] = {}
    for path in paths:
        encodings = chosen.encodings if chosen else JAPANESE_ENCODINGS
        language = file_language(path, encodings, is_chosen=chosen is not None)
        if language and chosen and language.uses_spaces != chosen.uses_spaces:
            warn(f"{path} looks like {language}, read as {chosen} because of --language")
        elif language:
            languages.setdefault(language, path)
    if chosen:
        return chosen
    if len(languages) > 1:
        (first, file), (second, other) = list(languages.items())[:2]
        remedy = "index each language separately, or say with --language what all of them are"
        raise UserError(f"{other} is {second}, {file} {first}: {remedy}")
    for language in languages:
        info(f"language: {language} (detected; --language overrides)")
    return next(iter(languages), detect_language(""))


def file_language(
    path: str, encodings: tuple[str, ...] = JAPANESE_ENCODINGS, *, is_chosen: bool = False
) -> Language | None:
    """Language of a file: as a dump says, else by the letters of its beginning (200 lines, of a
    document 5,000 characters), None if that has none; `encodings` are tried if it is not UTF-8.

    Raises UserError for a knowledge base and, unless the user chose a language (`is_chosen`), for a
    dump that says it is in an unknown one; then that goes by its letters.
    """
    form = form_of(path)
    if form == "dump" and (language := _language_of_dump(path, is_chosen=is_chosen)):
        return language
    if form in DOCUMENTS:
        from indexer.sources.textbook.markup import document_sample

        sample = document_sample(path, form)
    else:
        lines = [
            line.text
            for line in islice(open_lines(path, encodings, limit=200_000), _SAMPLE_LINES)
            if line.text
        ]
        if lines and all(line.count(" ||| ") == 2 for line in lines):
            raise bad_input(
                path, None, "a knowledge base", "index it with `classical-qa index triples`"
            )
        texts = []  # of a line, or of the `text` or `question` of a JSON record
        for text in lines:
            with suppress(ValueError):
                record = parse_json(text) if text.startswith("{") else {"text": text}
                texts.append(str(record.get("text", record.get("question", "")))[:2_000])
        sample = _TAG.sub(" ", "\n".join(texts))
    return detect_language(sample) if any(map(str.isalpha, sample)) else None


def _language_of_dump(path: str, *, is_chosen: bool) -> Language | None:
    """The language that a dump says it is in; None if it says none. For an unknown one None if
    another `is_chosen`, else raises UserError."""
    from indexer.files.xml import root_element

    _, line, attributes = root_element(path)
    code = attributes.get("lang", "").partition("-")[0].lower()
    if code and code not in LANGUAGES and not is_chosen:
        codes = ", ".join(LANGUAGES)
        expected = f"known are {codes}, and --language says which of them to read it as"
        raise bad_input(path, line, f"a dump in the language {code}", expected)
    return LANGUAGES.get(code)


# The files of a textbook: found by their names and by patterns, and what doc_ids call them.


# In the order in which a message proposes them.
_BOOK_ENDINGS = (".pdf", ".docx", ".epub", ".html", ".htm", ".xhtml", ".jsonl", ".txt", ".md")


def textbook_files(patterns: Sequence[str]) -> list[str]:
    """Files that paths, glob patterns and WikiExtractor's folders name, in order (of a folder by
    path), each once even through links. Raises UserError if one of them finds nothing, and for any
    other folder."""
    files: dict[Path, str] = {}
    for pattern in patterns:
        if os.path.isdir(pattern):  # noqa: PTH112
            paths = _wiki_files(Path(pattern))
        else:
            paths = matching_files(pattern, "FILE")
        for path in paths:
            files.setdefault(Path(path).resolve(), path)
    return list(files.values())


def _wiki_files(folder: Path) -> list[str]:
    """WikiExtractor's files in a folder, sorted. Raises UserError, which proposes a pattern, if it
    has none."""
    paths = sorted(
        str(path) for pattern in WIKI_FILES for path in folder.glob(pattern) if path.is_file()
    )
    if not paths:
        endings = {file.suffix.lower() for file in folder.iterdir() if file.is_file()}
        ending = next(filter(endings.__contains__, _BOOK_ENDINGS), ".txt")
        raise UserError(f"{folder}: a folder; name its files, as in '{folder}/*{ending}'")
    return paths


def file_labels(files: Sequence[str]) -> list[str]:
    """Label of each file for doc_ids (`file_label`); a repeated label gets a number (`name~2`).
    WikiExtractor's files, which are called the same in every folder, include the folder:
    AA-wiki_00."""
    seen: dict[str, int] = {}
    labels = []
    for file in files:
        stem = file_label(file, "file")
        if re.search(r"(^|/)[A-Z]{2}/wiki_\d+(\.\w+)?$", file):
            stem = f"{Path(file).parent.name}-{stem}"
        seen[stem] = seen.get(stem, 0) + 1
        labels.append(stem if seen[stem] == 1 else f"{stem}~{seen[stem]}")
    return labels


# The passages of a file, by its form.

_FORMS_OF_NAMES = {f".{form}": form for form in ("pdf", "epub", "docx")} | {".doc": "doc"}

# a text without a blank line is cut here: it must not be held in memory as one paragraph
_PARAGRAPH_LINES = 10_000
WRAPPED = 120  # characters: a longer line is a whole paragraph, not a piece of a wrapped one
_HEADING = 80  # characters of a heading at most
_LICENCE = 500  # lines in which a book's licence begins
_GUTENBERG = re.compile(r"\*\*\* ?(START|END) OF (?:THE|THIS) PROJECT GUTENBERG")
_PAGE_MARK = re.compile(r"\{(?:\d+|[ivxlc]+)\} ?")
# A heading has a letter, and is not in square brackets as the caption of a picture is.
_NAMES_PART = re.compile(r"(?!\[.*\]$).*[^\W\d_]")
_MARKDOWN_HEADING = re.compile(r"#{1,6}[ \t]++(?=\S)")
_SENTENCE_END = re.compile(r"[.!?。！？][\"'”’」』)）]*$")
_SOFT_BREAK = re.compile(r"\u00ad\s+(?=[^\W\d_])")  # a word divided at the end of a line
_WHOLE = 512 * MIB  # bytes of a JSON file that is read whole
# A list of objects, or an object over several lines.
_WHOLE_JSON = re.compile(r"\[\s*+(?:\{|$)|\{[ \t\r]*+\n")
_JSON_LINE = '{"id": …, "title": …, "text": …} on a line of its own'
_NO_TEXT = f"no JSON object with a text (%s); expected {_JSON_LINE}"


def open_records(
    path: str, label: str, language: Language, tally: IngestReport, *, whole_text: bool = False
) -> Iterator[SourcePassage | Redirect]:
    """Yields the passages of a file in order, with doc_ids that begin with `label`, and among those
    of a dump its redirects.

    Questions with candidate sentences give one passage each, JSON lines, `<p>` of textbook XML and
    paragraphs of Wikipedia and of documents too. Plain text is split at blank lines, and a line
    over 120 characters (in Japanese and Chinese any line) is a separate paragraph. Unreadable
    passages are rejected in the tally. Of books, reference lists, objectives, review questions and
    citations are left out unless `whole_text`; doc_ids count them all the same. Raises UserError
    for a file without text, and for one that resembles a known form but is invalid (`form_of`).
    """
    form = form_of(path)
    if (form_of_name := _FORMS_OF_NAMES.get(Path(path).suffix.lower())) and form_of_name != form:
        shown = {"plain": "plain text", "pages": "plain text"}.get(form, form.upper())
        info(f"{path}: read as {shown}: it is not what its name says")
    read: Callable[[str, Language, IngestReport], Iterator[SourcePassage | Redirect]]
    if form in ("dump", "extracted"):
        from indexer.sources.textbook import wikipedia

        read = wikipedia.dump_passages if form == "dump" else wikipedia.extracted_passages
    else:
        read = _READERS.get(form) or partial(_document, form)
    number = redirects = 0
    before = tally.read
    with reading(path, label) as (watched, look):
        records: Iterator[SourcePassage | Redirect | None] = read(watched, language, tally)
        if form in BOOKS and not whole_text:
            records = book_text(
                read(watched, language, tally), path, language, tally, has_type=form in DOCUMENTS
            )
        for record in records:
            look()
            if record is None:
                number += 1
            elif isinstance(record, Redirect):
                redirects += 1
                alias, target = without_ignorable(record.alias), without_ignorable(record.target)
                yield Redirect(alias, target, redirect_id(label, redirects))
            else:
                number += 1
                yield record._replace(
                    doc_id=paragraph_id(label, number),
                    text=without_ignorable(_SOFT_BREAK.sub("", record.text)),
                    title=without_ignorable(record.title),
                    sentences=tuple(map(without_ignorable, record.sentences)),
                )
    if tally.read == before:
        raise UserError(f"{path}: no text in it; expected {FORMS}")


def _document(
    form: str, path: str, language: Language, tally: IngestReport
) -> Iterator[SourcePassage]:
    """Yields the paragraphs of a document with their pages; a heading is a passage too, and the
    title, without those above it, of itself and what follows; "" before the first. In a glossary a
    colon is put behind a term in bold type, and the tally counts these lines."""
    from indexer.sources.textbook.markup import document_paragraphs
    from indexer.sources.textbook.pages import PageParagraph, page_paragraphs, text_pages

    title = ""
    if form == "pages":
        lines = _without_licence(path, language, tally)
        paragraphs: Iterable[PageParagraph] = page_paragraphs(
            text_pages(lines), tally.pieces, pitch=1
        )
    else:
        paragraphs = document_paragraphs(path, form, tally.pieces, language.encodings)
    for paragraph in paragraphs:
        tally.read += 1
        text, term = paragraph.text, paragraph.term
        title = text if paragraph.is_heading else title
        if term.endswith(":"):
            tally.glossary_terms += 1
        elif term and is_in_glossary(title) and text[len(term) :][:1].isspace():
            text = f"{term}:{text[len(term) :]}"
            tally.glossary_terms += 1
        yield SourcePassage(text, title, page=paragraph.page)


def _candidates(path: str, language: Language, tally: IngestReport) -> Iterator[SourcePassage]:
    """Yields one passage for each question: its candidates that did not occur before in the file,
    white space folded; none for a question without such. The title is the question's topic."""
    from indexer.files.seen_names import SeenNames
    from indexer.formats.sentence_rows import read_sentence_file

    seen = SeenNames()
    for question in read_sentence_file(path).lists:
        tally.read += 1
        texts = [" ".join(sentence.split()) for sentence in question.candidates]
        new = [text for text in texts if text and seen.add(text)]
        if new:
            yield SourcePassage(" ".join(new), question.topic, sentences=tuple(new))


def _json_lines(path: str, language: Language, tally: IngestReport) -> Iterator[SourcePassage]:
    """Yields the passages of the JSON objects of a file: one a line, or over several lines or in a
    list. Lines that are not JSON or cannot be read, and objects without text, are rejected in the
    tally. Raises UserError for a list or objects over several lines that are damaged, or in a file
    over 512 MiB."""
    with open_bytes(path) as file:
        head = file.read(SAMPLE_SIZE)
    beginning = head.decode(detect_encoding(head), "replace").lstrip("\ufeff \t\r\n")
    if _WHOLE_JSON.match(beginning):
        for number, record in json_objects(read_text(path, _WHOLE), path, f"expected {_JSON_LINE}"):
            yield from _json_passages(record, str(record), path, number, language, tally)
        return
    for number, text in readable_lines(open_lines(path), path, tally):
        if not text.strip():
            continue
        try:
            record = parse_json(text)
        except ValueError as error:
            tally.read += 1
            tally.reject(path, number, _NO_TEXT % error, text)
        else:
            yield from _json_passages(record, text, path, number, language, tally)


def _json_passages(
    record: object, text: str, path: str, line: int, language: Language, tally: IngestReport
) -> Iterator[SourcePassage]:
    """Yields the passage of a JSON value that is written as `text` on a line, or the passages of
    the page that an object with address, title and text is; a value without text is rejected in the
    tally."""
    tally.read += 1
    if not isinstance(record, dict) or not isinstance(record.get("text"), str):
        tally.reject(path, line, _NO_TEXT % 'no "text"', text)
    elif isinstance(record.get("url"), str) and isinstance(record.get("title"), str):
        # a page's address, title and whole text, as WikiExtractor writes them
        from indexer.sources.textbook import wikipedia

        page = line, str(record.get("id", "")), " ".join(record["title"].split())
        yield from wikipedia.page_passages(*page, record["text"].split("\n"), path, language, tally)
    elif not record["text"].strip():
        tally.reject(path, line, "empty text", text)
    else:
        title, source_id = (
            "" if record.get(name) is None else str(record[name]) for name in ("title", "id")
        )
        yield SourcePassage(record["text"], title, source_id)


_BETWEEN_DOCUMENTS = re.compile(r"(?<=</DOC>)(?=\s*+<DOC\b)", re.IGNORECASE)


def _trec_documents(path: str, language: Language, tally: IngestReport) -> Iterator[SourcePassage]:
    """Yields the passages of TREC documents (<DOC> … </DOC>), with <TITLE> (else <HEADLINE>) and
    <DOCNO>: the <TEXT> as a whole if the language uses blanks between words, else one for each
    line. Tags and other elements are dropped. Incomplete documents, those over 16 Mi characters,
    and those without text in <TEXT> are rejected in the tally, which counts lines outside of them.
    """

    def reject(reason: str, record: str) -> None:
        tally.read += 1
        tally.reject(path, start, reason, record)

    start, size, pieces = 0, 0, list[str]()
    lines = (
        (number, line)
        for number, whole in readable_lines(open_lines(path), path, tally)
        for line in _BETWEEN_DOCUMENTS.split(whole)
    )
    for number, line in lines:
        if re.match(r"\s*<DOC\b", line, re.IGNORECASE):
            if pieces:
                reject("no </DOC> before the next <DOC>", " ".join(pieces))
            start, size, pieces = number, len(line), [line]
        elif pieces:
            pieces.append(line)
            size += len(line) + 1
            if size > LINE_LIMIT:
                reject(f"a document over {LINE_LIMIT // MIB} MiB", pieces[0])
                pieces = []
        elif outside := _TAG.sub("", line).strip():
            leave_out(tally.pieces, "lines outside of documents", outside)
        if not pieces or not re.search(r"</DOC>", line, re.IGNORECASE):
            continue
        text, pieces = "\n".join(pieces), []
        # Texts of the elements that are closed, by their names.
        elements = {
            name: [
                part[begin.end() :]
                for part in re.split(f"</{name}>", text, flags=re.IGNORECASE)[:-1]
                if (begin := re.search(f"<{name}>", part, re.IGNORECASE))
            ]
            for name in ("TEXT", "TITLE", "HEADLINE", "DOCNO")
        }
        body = "\n".join(elements["TEXT"])
        paragraphs = [
            stripped for line in body.splitlines() if (stripped := _TAG.sub("", line).strip())
        ]
        if not paragraphs:
            reject("no <TEXT> in the document", text)
            continue
        tally.read += 1
        title = " ".join(_TAG.sub("", " ".join(elements["TITLE"] or elements["HEADLINE"])).split())
        docno = "".join("".join(elements["DOCNO"][:1]).split())
        passages = [" ".join(paragraphs)] if language.uses_spaces else paragraphs
        for passage in passages:
            yield SourcePassage(passage, title, docno)
    if pieces:
        reject("no </DOC> at the end of the file", " ".join(pieces))


def _textbook_xml(path: str, language: Language, tally: IngestReport) -> Iterator[SourcePassage]:
    """Yields the passages of textbook XML, one for each `<p>` in a `<page>`, with the page's title
    and id; the text of one inside another is not that of the outer one too. Empty ones are rejected
    in the tally. Raises UserError for XML that is damaged."""
    from indexer.files.xml import line_of, parse_xml

    for page in parse_xml(path, ("textbook",)).iter("page"):
        title = " ".join(
            "".join(
                str(text) for element in page.findall("title")[:1] for text in element.itertext()
            ).split()
        )
        identifier = "".join((page.findtext("id") or page.get("id") or "").split())
        for paragraph in page.iter("p"):
            text = " ".join(_own_text(paragraph).split())
            has_inner = next(paragraph.iterdescendants("p"), None) is not None
            tally.read += bool(text) or not has_inner
            if text:
                yield SourcePassage(text, title, identifier)
            elif not has_inner:
                tally.reject(path, line_of(paragraph) or 0, "empty <p>")


def _own_text(element: etree._Element) -> str:
    """The text of an element with that of all in it, but a blank for each paragraph in it."""
    inside = (
        f"{' ' if child.tag == 'p' else _own_text(child)}{child.tail or ''}" for child in element
    )
    return f"{element.text or ''}{''.join(inside)}"


def _plain_text(path: str, language: Language, tally: IngestReport) -> Iterator[SourcePassage]:
    """Yields the paragraphs of plain text, without a licence of Project Gutenberg. One of at most
    80 characters that does not end like a sentence is a heading: it is yielded too, and is the
    title of itself and of those that follow, up to the next heading; but not one without a letter
    ("====") or in square brackets ("[Illustration: a mill]"). So is a line behind up to six `#`,
    which are left out; of Markdown all marks are.

    If the language uses blanks between words, lines are joined up to a blank one or one of over 120
    characters, 10,000 at most; else each line is a paragraph.
    """
    title = ""
    pieces: list[str] = []
    lines = _without_licence(path, language, tally)
    if _is_markdown(path):
        lines = without_marks(lines, tally.pieces)
    for raw in chain(lines, ("",)):  # the blank one ends the last paragraph
        line = raw.strip() if without_ignorable(raw).strip() else ""
        mark = _MARKDOWN_HEADING.match(line)
        line = line[mark.end() :] if mark else line
        is_whole = mark is not None or len(line) > WRAPPED or not language.uses_spaces
        paragraphs = []
        if pieces and (not line or is_whole or len(pieces) >= _PARAGRAPH_LINES):
            paragraphs.append(" ".join(pieces))
            pieces = []
        if line and is_whole:
            paragraphs.append(line)
        elif line:
            pieces.append(line)
        for text in paragraphs:
            tally.read += 1
            is_marked = mark is not None and text == line
            is_short = len(text) <= _HEADING and not _SENTENCE_END.search(text)
            if is_marked or (is_short and _NAMES_PART.match(text)):
                title = text
            yield SourcePassage(text, title)


def _without_licence(path: str, language: Language, tally: IngestReport) -> Iterator[str]:
    """Yields the lines of a text; of Project Gutenberg's (with a start mark in its first 500 lines)
    those between its start and end marks, of every book in the file, without the numbers of pages
    in curly brackets, and a blank one for each mark; the tally counts the others. Lines that
    cannot be read are rejected in the tally."""
    marks = (_GUTENBERG.search(line.text or "") for line in islice(open_lines(path), _LICENCE))
    waiting = is_marked = any(mark and mark[1] == "START" for mark in marks)
    for _, line in readable_lines(open_lines(path, language.encodings), path, tally):
        if mark := _GUTENBERG.search(line):
            waiting = mark[1] == "END"
            yield ""
        elif not waiting:
            if is_marked:
                for page in _PAGE_MARK.findall(line):
                    leave_out(tally.pieces, "numbers of pages", page.strip())
                line = _PAGE_MARK.sub("", line)
            yield line
        elif line.strip():
            leave_out(tally.pieces, "lines of a licence", line)


_READERS: dict[str, Callable[[str, Language, IngestReport], Iterator[SourcePassage]]] = {
    "candidates": _candidates,
    "json": _json_lines,
    "trec": _trec_documents,
    "textbook": _textbook_xml,
    "plain": _plain_text,
}
