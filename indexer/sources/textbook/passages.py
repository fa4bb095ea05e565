"""Reading passages of running text: plain text, JSON lines, TREC documents, textbook XML, Wikipedia, sentence files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any, Literal, NamedTuple, cast

from indexer.files.encoding import LINE_LIMIT, MIB, TextLine, held_lines, open_lines
from indexer.files.errors import UserError
from indexer.files.hashes import SeenNames
from indexer.files.json_objects import parse_json
from indexer.files.progress import reading
from indexer.formats.sentence_rows import read_sentence_file
from indexer.ingest_report import IngestReport
from indexer.languages.language import Language
from indexer.sources.textbook.forms import FORMS, DocumentForm, form_of
from indexer.sources.textbook.schema import Place, Redirect, SourcePassage, paragraph_id, redirect_id

_PARAGRAPH_LINES = 10_000  # a text without a blank line is cut here: it must not be held in memory as one paragraph
WRAPPED = 120  # characters: a longer line is a whole paragraph, not a piece of a wrapped one
_HEADING = 80  # characters of a heading at most
_HEAD = 500  # lines in which a book's licence begins
_GUTENBERG_START = re.compile(r"\*\*\* ?START OF (THE|THIS) PROJECT GUTENBERG")
_GUTENBERG_END = re.compile(r"\*\*\* ?END OF (THE|THIS) PROJECT GUTENBERG")
_TREC_TAG = re.compile(r"<(/?)(DOCNO|TITLE|HEADLINE|TEXT)>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_SENTENCE_END = re.compile(r"[.!?。！？][\"'”’」』)）]*$")
_JSON_LINE = '{"id": …, "title": …, "text": …} on a line of its own'


class NumberedPassage(NamedTuple):
    """A passage with its place (doc_id, title, page); `sentences` is () if its text is not yet split."""

    place: Place
    text: str
    sentences: tuple[str, ...]


def open_records(
    path: str, label: str, language: Language, tally: IngestReport
) -> Iterator[NumberedPassage | Redirect]:
    """Yields the passages of a file in order, each with its place, and among those of a dump its redirects.

    Questions with candidate sentences (DBQA, SelQA, WikiQA, TrecQA) give one passage each, whose sentences are the
    candidates. JSON lines have id, title and text; textbook XML textbook/page/title,id,text/p; Wikipedia gives its
    articles' paragraphs; a document (PDF, EPUB, DOCX, HTML, text with form feeds) its paragraphs with their pages.
    Plain text is split at blank lines, and a line over 120 characters (in Japanese and Chinese any line) is a separate
    paragraph. Unreadable passages are rejected in the tally. Raises UserError for an empty file, and for one that
    resembles a known form but is invalid (`form_of`).
    """
    number = redirects = 0
    read = tally.read
    with reading(path, label):
        for record in _records(path, language, tally):
            if isinstance(record, Redirect):
                redirects += 1
                yield record._replace(doc_id=redirect_id(label, redirects))
            else:
                number += 1
                place = Place(paragraph_id(label, number), record.title, record.source_id, record.page)
                yield NumberedPassage(place, record.text, record.sentences)
    if tally.read == read:
        raise UserError(f"{path}: no text in it; expected {FORMS}")


def _records(path: str, language: Language, tally: IngestReport) -> Iterator[SourcePassage | Redirect]:
    """Passages and redirects of a file, by the reader of its form; modules for Wikipedia and documents are imported
    here."""
    form = form_of(path)
    if form == "dump" or form == "extracted":
        from indexer.sources.textbook import wiki_articles

        return (wiki_articles.dump_passages if form == "dump" else wiki_articles.extracted_passages)(
            path, language, tally
        )
    if form == "candidates":
        return _candidates(path, tally)
    if form == "json":
        return _json_lines(path, language, tally)
    if form == "trec":
        return _trec_documents(path, language, tally)
    if form == "textbook":
        return _textbook_xml(path, tally)
    if form == "plain":
        return _plain_text(path, language, tally)
    return _document(path, form, language, tally)


def _document(
    path: str, form: Literal["pages"] | DocumentForm, language: Language, tally: IngestReport
) -> Iterator[SourcePassage]:
    """Yields the paragraphs of a document; a heading is a passage too, and the title of those that follow."""
    from indexer.sources.textbook.markup import document_paragraphs
    from indexer.sources.textbook.paragraphs import PageParagraph, page_paragraphs, text_pages

    title = ""
    counts: Counter[str] = Counter()
    if form == "pages":
        lines = _without_licence(_readable(held_lines(path, language.encodings), path, tally), path)
        paragraphs: Iterable[PageParagraph] = page_paragraphs(text_pages(lines), counts, pitch=1)
    else:
        paragraphs = document_paragraphs(path, form, counts, language.encodings)
    for paragraph in paragraphs:
        tally.count()
        title = paragraph.text if paragraph.is_heading else title
        yield SourcePassage(paragraph.text, title, page=paragraph.page)
    tally.leave_out(counts)


def _candidates(path: str, tally: IngestReport) -> Iterator[SourcePassage]:
    """Yields one passage for each question: its candidates that did not occur before in the file, white space
    folded."""
    seen = SeenNames()
    for question in read_sentence_file(path).lists:
        tally.count()
        texts = [" ".join(sentence.split()) for sentence in question.candidates]
        new = [text for text in texts if text and seen.add(text)]
        if new:
            yield SourcePassage(" ".join(new), question.topic, sentences=tuple(new))


def _readable(lines: Iterable[TextLine], path: str, tally: IngestReport) -> Iterator[tuple[int, str]]:
    """Yields (line number, text) of the lines that can be read; the others are rejected in the tally."""
    for line in lines:
        if line.text is None:
            tally.count()
            tally.reject(path, line.number, line.reason)
        else:
            yield line.number, line.text


def _json_lines(path: str, language: Language, tally: IngestReport) -> Iterator[SourcePassage]:
    """Yields the passages of JSON lines; invalid lines and those without text are rejected in the tally."""
    for number, text in _readable(open_lines(path), path, tally):
        if not text.strip():
            continue
        tally.count()
        try:
            record = parse_json(text)
        except ValueError as error:
            tally.reject(path, number, f"no JSON object ({error}); expected {_JSON_LINE}", text)
            continue
        if not isinstance(record, dict):
            tally.reject(path, number, f"no JSON object; expected {_JSON_LINE}", text)
        elif not isinstance(record.get("text"), str):
            tally.reject(path, number, 'no "text" in the JSON object', text)
        elif isinstance(record.get("url"), str) and isinstance(record.get("title"), str):
            # a page's address, title and whole text, as WikiExtractor writes them
            from indexer.sources.textbook import wiki_articles

            yield from wiki_articles.page_passages(wiki_articles.json_page(record, number), path, language, tally)
        elif not record["text"].strip():
            tally.reject(path, number, "empty text", text)
        else:
            title, source_id = ("" if record.get(name) is None else str(record[name]) for name in ("title", "id"))
            yield SourcePassage(record["text"], title, source_id)


def _trec_documents(path: str, language: Language, tally: IngestReport) -> Iterator[SourcePassage]:
    """Yields the passages of TREC documents (<DOC> … </DOC>); incomplete and too large ones are rejected in the
    tally."""
    start, size, pieces = 0, 0, list[str]()
    for number, text in _readable(open_lines(path), path, tally):
        if re.match(r"\s*<DOC\b", text, re.IGNORECASE):
            if pieces:
                tally.count()
                tally.reject(path, start, "no </DOC> before the next <DOC>", " ".join(pieces))
            start, size, pieces = number, len(text), [text]
        elif pieces:
            pieces.append(text)
            size += len(text) + 1
            if size > LINE_LIMIT:
                tally.count()
                tally.reject(path, start, f"a document over {LINE_LIMIT // MIB} MiB", pieces[0])
                pieces = []
        if pieces and re.search(r"</DOC>", text, re.IGNORECASE):
            yield from _trec_document(path, start, "\n".join(pieces), language, tally)
            pieces = []
    if pieces:
        tally.count()
        tally.reject(path, start, "no </DOC> at the end of the file", " ".join(pieces))


def _trec_document(path: str, line: int, text: str, language: Language, tally: IngestReport) -> Iterator[SourcePassage]:
    """Yields the passages of one TREC document that begins at `line`: its text as a whole if the language uses blanks
    between words, else one for each line. It is rejected in the tally without <TEXT>."""
    # texts of the elements that are closed, by their names; one inside of another is its text
    tags = list(_TREC_TAG.finditer(text))
    last = {tag[2].upper(): tag.start() for tag in tags if tag[1]}
    found: dict[str, list[str]] = {}
    opened, begun = "", 0
    for tag in tags:
        name = tag[2].upper()
        if tag[1] and name == opened:
            found.setdefault(name, []).append(text[begun : tag.start()])
            opened = ""
        elif not tag[1] and not opened and tag.end() <= last.get(name, -1):
            opened, begun = name, tag.end()
    tally.count()
    body = "\n".join(found.get("TEXT", []))
    paragraphs = [stripped for each in body.splitlines() if (stripped := _TAG.sub("", each).strip())]
    if not paragraphs:
        tally.reject(path, line, "no <TEXT> in the document", text)
        return
    title = " ".join(_TAG.sub("", " ".join(found.get("TITLE", found.get("HEADLINE", [])))).split())
    docno = "".join(found.get("DOCNO", [""])[0].split())
    for each in [" ".join(paragraphs)] if language.uses_spaces else paragraphs:
        yield SourcePassage(each, title, docno)


def _textbook_xml(path: str, tally: IngestReport) -> Iterator[SourcePassage]:
    """Yields the passages of textbook XML, one for each `<p>` with its page's title and id; empty ones are rejected in
    the tally."""
    from indexer.files.xml import parse_xml

    root = parse_xml(path, ("textbook",))
    for page in root.iter("page"):
        title = _inner_text(page.find("title"))
        identifier = "".join((page.findtext("id") or page.get("id") or "").split())
        for paragraph in page.iter("p"):
            text = _inner_text(paragraph)
            tally.count()
            if text:
                yield SourcePassage(text, title, identifier)
            else:
                tally.reject(path, int(cast(Any, paragraph.sourceline or 0)), "empty <p>")


def _inner_text(element: Any) -> str:
    """All text inside an element, blanks folded; "" for None."""
    return "" if element is None else " ".join("".join(element.itertext()).split())


def _plain_text(path: str, language: Language, tally: IngestReport) -> Iterator[SourcePassage]:
    """Yields the paragraphs of plain text; a short one that does not end like a sentence is a heading, and the title of
    those that follow.

    If the language uses blanks between words, lines are joined up to a blank or long line; else each line is a
    paragraph.
    """
    title = ""
    lines = _without_licence(_readable(open_lines(path, language.encodings), path, tally), path)
    pieces: list[str] = []
    for line in chain(lines, ("",)):  # the blank one ends the last paragraph
        stripped = line.strip()
        is_whole = len(stripped) > WRAPPED or not language.uses_spaces
        paragraphs = []
        if pieces and (not stripped or is_whole):
            paragraphs.append(" ".join(pieces))
            pieces = []
        if stripped:
            pieces.append(stripped)
            if is_whole or len(pieces) >= _PARAGRAPH_LINES:
                paragraphs.append(" ".join(pieces))
                pieces = []
        for text in paragraphs:
            tally.count()
            if len(text) <= _HEADING and not _SENTENCE_END.search(text):
                title = text
            yield SourcePassage(text, title)


def _without_licence(lines: Iterable[tuple[int, str]], path: str) -> Iterator[str]:
    """Yields the lines between Project Gutenberg's start and end marks, of every book in the file; all lines if it has
    no marks."""
    waiting = any(line.text and _GUTENBERG_START.search(line.text) for line in islice(open_lines(path), _HEAD))
    for _, line in lines:
        if _GUTENBERG_START.search(line):
            waiting = False
        elif _GUTENBERG_END.search(line):
            waiting = True
            yield ""
        elif not waiting:
            yield line
