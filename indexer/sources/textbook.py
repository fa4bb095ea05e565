"""Textbooks into an index of sentences and paragraphs: `python -m indexer textbook FILE...`."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple, cast

import click

from indexer.analysis import LANGUAGES, Analyser, Language, analyser
from indexer.analysis.glossary import Glossary, read_glossary
from indexer.analysis.language import detect_language
from indexer.build import Batch, SourceFile, build_index, source_sizes
from indexer.document import Document, Part, Record
from indexer.engines.contract import Metadata
from indexer.files.errors import UserError
from indexer.names import Recogniser
from indexer.names.glossary import glossary_recogniser
from indexer.names.notes import PassageNotes, SentenceNotes, sentence_notes
from indexer.options import build_options
from indexer.sources.names import NAMES, NameDerivation, passage_notes
from indexer.sources.passages import open_passages, sample_text
from indexer.tally import Tally

SENTENCES = Part("sentences", ("text",), ("paragraph", "title", "source_id"))
PARAGRAPHS = Part("paragraphs", ("text",), ("paragraph", "title", "source_id"))
ANALYSIS_VERSION = 1  # rises when the same text gives other terms: an index of another version is built anew


class TextbookSettings(NamedTuple):
    """What decides how passages become documents. `left_out` holds sentences without their blanks."""

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
        return analyser(self._settings.language, self._settings.glossary.names())

    @cached_property
    def _recogniser(self) -> Recogniser:
        return glossary_recogniser(self._settings.language, self._settings.glossary)

    def __getstate__(self) -> dict[str, Any]:
        return {"_settings": self._settings}

    def __call__(self, records: list[Record]) -> Batch:
        sentences: list[Document] = []
        paragraphs: list[Document] = []
        notes: list[PassageNotes] = []
        left_out = 0
        for record in records:
            kept = self._kept_sentences(record)
            left_out += kept[1]
            made: list[Document] = []
            noted: list[SentenceNotes] = []
            for number, text in enumerate(kept[0], 1):
                made.append(self._sentence(record, number, text))
                terms = made[-1].terms["text"]
                if self._settings.with_names and terms:
                    noted.append(sentence_notes(text, terms, self._recogniser))
            sentences += made
            paragraphs.append(_paragraph(record, made, self._settings.language))
            if self._settings.with_names:
                notes.append(self._notes(paragraphs[-1], made, noted))
        if self._settings.unit == "paragraph":
            return Batch({PARAGRAPHS.name: paragraphs}, left_out, notes)
        return Batch({SENTENCES.name: sentences, PARAGRAPHS.name: paragraphs}, left_out, notes)

    def _notes(
        self, paragraph: Document, sentences: Sequence[Document], noted: Sequence[SentenceNotes]
    ) -> PassageNotes:
        """The same as of the documents when they are read back: where these are paragraphs, of their text cut again."""
        title = paragraph.keys.get("title", ("",))[0]
        if self._settings.unit == "paragraph":
            cut = self._analyser.sentences(paragraph.text)
            if cut != [sentence.text for sentence in sentences]:
                return passage_notes(paragraph.doc_id, title, cut, self._analyser, self._recogniser)
        return PassageNotes(paragraph.doc_id, title, noted)

    def _kept_sentences(self, record: Record) -> tuple[list[str], int]:
        given = record.fields.get("sentences")
        sentences = given.split("\n") if given else self._analyser.sentences(record.fields["text"])
        if not self._settings.left_out:
            return sentences, 0
        kept = [sentence for sentence in sentences if without_blanks(sentence) not in self._settings.left_out]
        return kept, len(sentences) - len(kept)

    def _sentence(self, record: Record, number: int, text: str) -> Document:
        doc_id = f"{record.fields['doc_id']}-{number:03d}"
        return Document(doc_id, text, {"text": self._analyser.terms(text)}, _keys(record))


def _paragraph(record: Record, sentences: Sequence[Document], language: Language) -> Document:
    """A paragraph of the sentences that were kept; its terms are theirs."""
    blank = " " if language == "en" else ""
    text = blank.join(sentence.text for sentence in sentences)
    terms = [term for sentence in sentences for term in sentence.terms["text"]]
    return Document(record.fields["doc_id"], text, {"text": terms}, _keys(record))


def _keys(record: Record) -> dict[str, tuple[str, ...]]:
    fields = record.fields
    keys = {"paragraph": fields["doc_id"], "title": fields.get("title", ""), "source_id": fields.get("id", "")}
    return {name: (value,) for name, value in keys.items() if value}


def without_blanks(text: str) -> str:
    """A sentence as it is compared for `--without`: all white space removed."""
    return "".join(text.split())


def read_left_out(path: str | None, language: Language) -> frozenset[str]:
    """The sentences of a `--without` file, one or several (a paragraph) a line."""
    if path is None:
        return frozenset()
    try:
        lines = Path(path).read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read ({error}); expected UTF-8, one sentence a line") from None
    sentences = analyser(language).sentences
    return frozenset(without_blanks(sentence) for line in lines for sentence in sentences(line))


def textbook_files(patterns: Sequence[str]) -> list[str]:
    """The files that names and glob patterns stand for, in order, each once. UserError where one finds nothing."""
    files: dict[str, None] = {}
    for pattern in patterns:
        found = [pattern] if Path(pattern).is_file() else _matches(pattern)
        if not found:
            raise UserError(f"{pattern}: no such file; name text, JSON lines, TREC or XML files (or a pattern of them)")
        files.update(dict.fromkeys(found))
    return list(files)


def _matches(pattern: str) -> list[str]:
    """The files that a glob pattern finds, sorted (`**` goes into folders)."""
    anchor = Path(Path(pattern).anchor or ".")
    relative = pattern[len(str(anchor)) :] if anchor.is_absolute() else pattern
    return sorted(str(path) for path in anchor.glob(relative or "*") if path.is_file())


def file_labels(files: Sequence[str]) -> list[str]:
    """The name of each file in doc_ids: its stem, numbered from the second on where stems repeat."""
    seen: dict[str, int] = {}
    labels = []
    for file in files:
        stem = Path(file).name.split(".")[0] or "file"
        seen[stem] = seen.get(stem, 0) + 1
        labels.append(stem if seen[stem] == 1 else f"{stem}~{seen[stem]}")
    return labels


def textbook_metadata(
    files: Sequence[str], settings: TextbookSettings, glossary: Sequence[Sequence[str]], source_type: str
) -> Metadata:
    """What a textbook index knows of itself."""
    texts = (PARAGRAPHS,) if settings.unit == "paragraph" else (SENTENCES, PARAGRAPHS)
    parts = (*texts, NAMES) if settings.with_names else texts
    options = {
        "unit": settings.unit,
        "analysis": ANALYSIS_VERSION,
        "source_type": source_type,
        "glossary": [list(line) for line in glossary],
        "left_out": _fingerprint(settings.left_out),
    }
    return Metadata("textbook", parts, settings.language, options, source_sizes(files))


def _fingerprint(sentences: frozenset[str]) -> str:
    """Tells one set of left-out sentences from another; "" for none."""
    return hashlib.sha256("\n".join(sorted(sentences)).encode()).hexdigest() if sentences else ""


@click.command(epilog="Example: python -m indexer textbook samples/textbook-en.jsonl")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--index", "address", metavar="ADDRESS", help="Where the index goes [textbook-LANGUAGE].")
@click.option("--language", type=click.Choice(LANGUAGES), help="The text's language [told from its letters].")
@click.option("--unit", type=click.Choice(["sentence", "paragraph"]), default="sentence", help="A document [sentence].")
@click.option("--terms", "terms", multiple=True, metavar="FILE", help="A glossary whose names stay whole.")
@click.option("--without", "without", metavar="FILE", help="Leave these texts out (one a line).")
@click.option(
    "--names/--no-names", "with_names", default=True, help="Count names, which the default exam method asks for [yes]."
)
@click.option("--source-type", default="QALAB3", help="What extraction runs cite the text as [QALAB3].")
@build_options
def command(
    files: tuple[str, ...],
    address: str | None,
    language: Language | None,
    unit: str,
    terms: tuple[str, ...],
    without: str | None,
    with_names: bool,
    source_type: str,
    rejects: str | None,
    jobs: int,
    shards: int,
    replicas: int,
) -> None:
    """Index textbooks: plain text, JSON lines (id, title, text), TREC <DOC> files or textbook XML, also .gz, .bz2.

    Files of questions with candidate sentences (NLPCC DBQA, SelQA, WikiQA, TrecQA) give their candidates, each
    different one once and whole; a paragraph is one question's candidates.
    """
    paths = textbook_files(files)
    if language is None:
        language = detect_language("".join(sample_text(path) for path in paths[:3]))
        click.echo(f"language: {language} (by its letters; --language overrides)", err=True)
    glossary = read_glossary(terms) if terms else Glossary()
    settings = TextbookSettings(language, unit, glossary, read_left_out(without, language), with_names)
    metadata = textbook_metadata(paths, settings, glossary.lines(), source_type.upper())
    sources = [
        SourceFile(path, cast(Any, partial(open_passages, path, label, language)))
        for path, label in zip(paths, file_labels(paths), strict=True)
    ]
    maker = PassageMaker(settings)
    derivation = NameDerivation(language, glossary, metadata.parts[0].name)
    with Tally(rejects) as tally:
        build_index(
            address or f"textbook-{language}",
            metadata,
            sources,
            maker,
            tally,
            jobs=jobs,
            derive=derivation.documents if with_names else None,
            see=derivation.see if with_names else None,
            shards=shards,
            replicas=replicas,
        )
