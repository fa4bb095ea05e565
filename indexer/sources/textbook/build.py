"""Textbooks into an index of sentences and paragraphs: `python -m indexer textbook FILE...`."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple

from indexer.address import open_index
from indexer.analysis import Analyser
from indexer.analysis.glossary import Glossary, read_glossary
from indexer.api import Index, built
from indexer.build import (
    BUILD_OPTIONS,
    SCHEDULER,
    Batch,
    BuildOptions,
    Corpus,
    Counting,
    SourceFile,
    build_index,
    gather_options,
    index_option,
    rename_source,
    source_content,
    source_sizes,
)
from indexer.document import Document
from indexer.engines.contract import Metadata
from indexer.entities import Recogniser
from indexer.files.encoding import held_lines, numbered_lines
from indexer.files.errors import UserError
from indexer.files.messages import first_few
from indexer.files.versions import versions
from indexer.ingest_report import IngestReport
from indexer.languages.language import Language
from indexer.parameters import (
    LANGUAGE,
    TEXT,
    Flag,
    InputPath,
    InputPattern,
    OneOf,
    argument,
    command_line,
    flag,
    option,
)
from indexer.registry import ANALYSIS, WIKI_FILES
from indexer.sources.textbook.forms import chosen_language, file_labels, is_dump, textbook_files
from indexer.sources.textbook.passages import NumberedPassage, open_records
from indexer.sources.textbook.schema import (
    PARAGRAPHS,
    REDIRECTS,
    SENTENCES,
    TEXT_FIELD,
    Redirect,
    decode_place,
    encode_place,
    encode_redirect,
    sentence_id,
    written_redirects,
)
from indexer.statistics.counting import (
    NameCounter,
    NameDerivation,
    PassageNotes,
    SentenceNotes,
    passage_notes,
    sentence_notes,
)
from indexer.statistics.part import NAMES, PACKAGES


class TextbookSettings(NamedTuple):
    """Settings by which passages become documents. `left_out` holds sentences without their blanks."""

    language: Language
    unit: str
    glossary: Glossary
    left_out: frozenset[str]
    with_names: bool = True


class PassageMaker:
    """Turns passages into documents; picklable, for it works in several processes."""

    def __init__(self, settings: TextbookSettings) -> None:
        self._settings = settings

    @cached_property
    def _analyser(self) -> Analyser:
        return self._settings.language.analyser(self._settings.glossary.terms())

    @cached_property
    def _recogniser(self) -> Recogniser:
        return self._settings.language.recogniser(self._settings.glossary)

    def __getstate__(self) -> dict[str, Any]:
        return {"_settings": self._settings}

    def __call__(self, records: list[NumberedPassage | Redirect]) -> Batch:
        passages = [record for record in records if isinstance(record, NumberedPassage)]
        made = self._documents(passages)
        redirects = [encode_redirect(record) for record in records if isinstance(record, Redirect)]
        if not redirects:
            return made
        if not self._settings.with_names:  # which alone ask for them
            return made._replace(left_out=made.left_out + len(redirects))
        return made._replace(documents={**made.documents, REDIRECTS.name: redirects})

    def _documents(self, passages: Sequence[NumberedPassage]) -> Batch:
        """Documents of passages: their sentences and paragraphs, with notes on their names."""
        sentences: list[Document] = []
        paragraphs: list[Document] = []
        notes: list[PassageNotes] = []
        left_out = 0
        for passage in passages:
            place = passage.place
            texts = passage.sentences or self._analyser.sentences(passage.text)
            if self._settings.left_out:
                kept = [text for text in texts if without_blanks(text) not in self._settings.left_out]
                left_out += len(texts) - len(kept)
                texts = kept
            made: list[Document] = []
            noted: list[SentenceNotes] = []
            for number, text in enumerate(texts, 1):
                terms = self._analyser.terms(text)
                doc_id = sentence_id(place.paragraph, number)
                made.append(Document(doc_id, text, {TEXT_FIELD: terms}, encode_place(place), place.page))
                if self._settings.with_names and terms:
                    noted.append(sentence_notes(text, terms, self._recogniser))
            sentences += made
            # a paragraph is made of the sentences that were kept, its terms are theirs
            whole = self._settings.language.joiner.join(texts)
            terms = [term for sentence in made for term in sentence.terms[TEXT_FIELD]]
            paragraphs.append(Document(place.paragraph, whole, {TEXT_FIELD: terms}, encode_place(place), place.page))
            if self._settings.with_names:
                notes.append(self._notes(paragraphs[-1], made, noted))
        if self._settings.unit == "paragraph":
            return Batch({PARAGRAPHS.name: paragraphs}, left_out, notes)
        return Batch({SENTENCES.name: sentences, PARAGRAPHS.name: paragraphs}, left_out, notes)

    def _notes(
        self, paragraph: Document, sentences: Sequence[Document], noted: Sequence[SentenceNotes]
    ) -> PassageNotes:
        """The same as of the documents when they are read back: where these are paragraphs, of their text cut again."""
        title = decode_place(paragraph).title
        if self._settings.unit == "paragraph":
            cut = self._analyser.sentences(paragraph.text)
            if cut != [sentence.text for sentence in sentences]:
                return passage_notes(paragraph.doc_id, title, cut, self._analyser, self._recogniser)
        return PassageNotes(paragraph.doc_id, title, noted)


def without_blanks(text: str) -> str:
    """A sentence's form for the comparison of `--without`: all white space removed."""
    return "".join(text.split())


def read_left_out(path: str | None, language: Language) -> frozenset[str]:
    """The sentences of a `--without` file, one or several (a paragraph) a line."""
    if path is None:
        return frozenset()
    sentences = language.analyser().sentences
    lines = numbered_lines(held_lines(path, language.encodings), path, "expected one sentence a line")
    return frozenset(without_blanks(sentence) for _, text in lines for sentence in sentences(text))


def textbook_metadata(
    files: Sequence[str], settings: TextbookSettings, glossary: Sequence[Sequence[str]], source_type: str
) -> Metadata:
    """Metadata of a textbook index before it is built."""
    texts = (PARAGRAPHS,) if settings.unit == "paragraph" else (SENTENCES, PARAGRAPHS)
    named = (REDIRECTS, NAMES) if any(map(is_dump, files)) else (NAMES,)
    parts = (*texts, *named) if settings.with_names else texts
    options = {
        "unit": settings.unit,
        "analysis": ANALYSIS["textbook"],
        "source_type": source_type,
        "glossary": [list(line) for line in glossary],
        "left_out": hashlib.sha256("\n".join(sorted(settings.left_out)).encode()).hexdigest()
        if settings.left_out
        else "",
    }
    packages = (*settings.language.packages, *(PACKAGES if settings.with_names else ()))
    return Metadata(
        "textbook",
        parts,
        settings.language,
        options,
        source_sizes(files),
        versions=versions(packages),
        content=source_content(files),
    )


@command_line(
    "indexer textbook samples/textbook-en.jsonl",
    argument("files", InputPattern(WIKI_FILES), "FILE...", multiple=True),
    index_option("textbook-LANGUAGE"),
    flag("--add", help="Add FILEs to those of the index at --index, by its own settings."),
    option("--language", type=LANGUAGE, help="The text's language [told from its letters]."),
    option("--unit", type=OneOf(("sentence", "paragraph")), help="A document [sentence]."),
    option(
        "--terms",
        multiple=True,
        metavar="FILE",
        type=InputPath(("*.csv",)),
        help="A glossary: names with kinds, years and aliases.",
    ),
    option("--without", metavar="FILE", type=InputPath(), help="Leave these texts out (one a line)."),
    option("--names/--no-names", "with_names", type=Flag(), help="Count names and terms, which exams ask for [yes]."),
    option("--source-type", type=TEXT, help="What extraction runs cite the text as [QALAB3]."),
    *BUILD_OPTIONS,
    SCHEDULER,
)
def command(files: Sequence[str], add: bool, **values: Any) -> None:
    """Index textbooks: plain text, JSON lines (id, title, text), TREC <DOC> files or textbook XML, also .gz, .bz2.

    PDF (with the extra `documents`), the text that `pdftotext` makes of one, EPUB, DOCX and HTML: running heads, feet
    and page numbers are left out, divided words joined, and the pages kept.

    Wikipedia: MediaWiki XML dumps, and what WikiExtractor makes of them (its folder, its files, its JSON lines).

    Files of questions with candidate sentences (NLPCC DBQA, SelQA, WikiQA, TrecQA) give their candidates, each
    different one once and whole; a paragraph is one question's candidates.
    """
    given = gather_options(values)
    if add:
        # The recorded files and the new ones are built as a whole, with the settings of the index.
        address: str | None = given["address"]
        if address is None:
            raise UserError("--add: name the index with --index")
        index = open_index(address, "textbook")
        metadata = index.metadata
        index.close()
        own = metadata.settings
        recorded = tuple(name for name, _ in metadata.sources)
        if gone := [name for name in recorded if not Path(name).is_file()]:
            raise UserError(f"--add: {address} was built from files that are not there now: {first_few(gone)}")
        if own["left_out"] and given["without"] is None:
            raise UserError(f"--add: {address} was built --without texts: give that file again")
        settings: dict[str, Any] = {
            "language": metadata.language,
            "unit": own["unit"],
            "source_type": own["source_type"],
            "with_names": any(part.name == NAMES.name for part in metadata.parts),
        }
        for name, value in settings.items():
            if given[name] is not None and given[name] != value:
                raise UserError(f"--add: {address} was built with another {name}; build it anew to change that")
        glossary = given["terms"] or Glossary.from_lines(own["glossary"])
        options = given["options"]._replace(replace=True)
        files, given = (*recorded, *files), {**given, **settings, "terms": glossary, "options": options}
    build(textbook_files(files), **given)


def build(
    paths: Sequence[str],
    address: str | None,
    language: Language | None,
    unit: str | None,
    terms: Sequence[str] | Glossary,
    without: str | None,
    with_names: bool | None,
    source_type: str | None,
    options: BuildOptions,
    named: str | None = None,
) -> Index:
    """Build the index of texts at an address (by default `textbook-LANGUAGE`).

    `terms` are files of glossaries, or a glossary. `named` is what the index calls the one file that it is built from,
    where this is but a passing copy.
    """
    if options.scheduler:
        from indexer.cluster import absolute, build_on_machines

        paths = absolute(paths, named)
    language = chosen_language(paths, language)
    glossary = terms if isinstance(terms, Glossary) else read_glossary(terms) if terms else Glossary()
    counted = with_names is not False
    settings = TextbookSettings(language, unit or "sentence", glossary, read_left_out(without, language), counted)
    metadata = textbook_metadata(paths, settings, glossary.lines(), (source_type or "QALAB3").upper())
    metadata = metadata._replace(sources=rename_source(metadata.sources, paths[0], named))
    sources = [
        SourceFile(name, partial(open_records, path, label, language))
        for (name, _), path, label in zip(metadata.sources, paths, file_labels(paths), strict=True)
    ]
    corpus = Corpus(metadata, sources, PassageMaker(settings))
    if counted:
        redirects = written_redirects if REDIRECTS in metadata.parts else None
        derivation = NameDerivation(language, glossary, metadata.parts[0].name, redirects)
        counting = Counting(NameCounter, derivation.join)
        corpus = corpus._replace(after_batch=derivation.see, counting=counting, derive=derivation.documents)
    place = address or f"textbook-{language}"
    with IngestReport(options.rejects) as tally:
        final = (
            build_on_machines(place, corpus, tally, options)
            if options.scheduler
            else build_index(place, corpus, tally, options)
        )
        return built(place, final, tally)
