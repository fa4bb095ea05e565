"""Textbooks into an index of sentences and paragraphs: `python -m indexer textbook FILE...`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from indexer.address import Location
from indexer.analysis.text import without_ignorable
from indexer.build import (
    Batch,
    BuildOptions,
    BuiltIndex,
    Corpus,
    SourceFile,
    build_index,
    corpus_metadata,
)
from indexer.cli.build_options import build_options, index_option
from indexer.cli.types import Command, InputFile, LanguageCode, PlainText
from indexer.engines.contract import Document, Part
from indexer.files.encoding import numbered_lines, open_lines
from indexer.files.errors import UserError
from indexer.files.messages import warn
from indexer.languages.language import Language
from indexer.registry import ANALYSIS, WIKI_FILES
from indexer.sources.textbook import schema
from indexer.sources.textbook.passages import (
    file_labels,
    form_of,
    language_of,
    open_records,
    textbook_files,
)
from indexer.sources.textbook.schema import SOURCE_TYPES
from indexer.statistics.notes import PassageNotes, SentenceNotes, passage_notes, sentence_notes

# Of 500 sentences of three history books .13 are questions at most (review questions), of the first
# 500 .002; of a quiz, whose choices may be sentences too, a third to a sixth.
_FIRST = 500
_FEWEST_QUESTIONS = 3
_QUIZ_SHARE = 0.15  # between the shares of books and of quizzes above
_LABEL = r"[(\[]?[A-Ea-e][.)\]]\s|[①-⑤ア-オ][.)）、\s]"
_CHOICE = re.compile(rf"{_LABEL}|\(T(?:rue)?\s?/\s?F(?:alse)?\)")
_ASKED = re.compile(rf"[?？]\s*+(?:$|{_LABEL})")

if TYPE_CHECKING:
    from indexer.analysis.analyser import Analyser, Recogniser
    from indexer.analysis.glossary import Glossary


@cache
def _tools(language: Language, glossary: Glossary | None) -> tuple[Analyser, Recogniser]:
    """The language's analyser and recogniser with the names of a glossary, made once a process."""
    names = glossary.terms() if glossary else {}
    return language.analyser(names, books=True), language.recogniser(glossary)


def make_documents(
    language: Language,
    unit: str,
    glossary: Glossary | None,
    left_out: frozenset[str],
    with_names: bool,
    records: list[schema.SourcePassage | schema.Redirect],
) -> Batch:
    """The documents of some passages, notes on the named entities in them, and how many sentences
    and redirects are left out; only `with_names` there are notes, and redirects become documents.

    With the `unit` "sentence" sentences and paragraphs are documents, with "paragraph" paragraphs
    alone; a paragraph without sentences is one too. `left_out` holds sentences to leave out,
    without their blanks.
    """
    analyser, recogniser = _tools(language, glossary)
    sentences, paragraphs, redirects = list[Document](), list[Document](), list[Document]()
    notes: list[PassageNotes] = []
    passed = 0
    for record in records:
        if isinstance(record, schema.Redirect):
            if with_names:
                redirects.append(schema.encode_redirect(record))
            passed += not with_names  # names alone ask for them
            continue
        texts = list(record.sentences or analyser.sentences(record.text))
        if left_out:
            rest = [text for text in texts if without_blanks(text) not in left_out]
            passed += len(texts) - len(rest)
            texts = rest
        keys = schema.encode_place(record.doc_id, record.title, record.source_id)
        all_terms: list[str] = []
        noted: list[SentenceNotes] = []
        for number, text in enumerate(texts, 1):
            terms = analyser.terms(schema.text_to_analyse(text, record.title))
            doc_id = schema.sentence_id(record.doc_id, number)
            sentences.append(Document(doc_id, text, {schema.TEXT_FIELD: terms}, keys, record.page))
            all_terms += terms
            if with_names and terms and unit == "sentence":
                noted.append(sentence_notes(text, terms, recogniser))
        # a paragraph is made of the sentences that were kept, its terms are theirs
        whole = language.joiner.join(texts)
        paragraphs.append(
            Document(record.doc_id, whole, {schema.TEXT_FIELD: all_terms}, keys, record.page)
        )
        if with_names and unit == "sentence":
            notes.append(PassageNotes(record.doc_id, record.title, noted))
        elif with_names:  # paragraphs are cut again, as when the documents are read back
            cut = analyser.sentences(whole)
            notes.append(passage_notes(record.doc_id, record.title, cut, analyser, recogniser))
    documents = {schema.PARAGRAPHS.name: paragraphs}
    if unit == "sentence":
        documents = {schema.SENTENCES.name: sentences, **documents}
    if redirects:
        documents[schema.REDIRECTS.name] = redirects
    return Batch(documents, passed, notes)


def without_blanks(text: str) -> str:
    """A sentence's form for the comparison of `--without`: all white space removed."""
    return "".join(text.split())


def read_left_out(path: str | Path, language: Language) -> frozenset[str]:
    """Sentences of a `--without` file, without their blanks; a line may hold several, none makes an
    empty set. Raises UserError for a line that cannot be read."""
    sentences = language.analyser().sentences
    lines = numbered_lines(
        open_lines(path, language.encodings), path, "expected one sentence a line"
    )
    return frozenset(
        without_blanks(sentence)
        for _, text in lines
        for sentence in sentences(without_ignorable(text))
    )


@click.command(cls=Command, example="index textbook samples/textbook-en.jsonl")
@click.argument(
    "files",
    nargs=-1,
    required=True,
    metavar="FILE...",
    type=InputFile(inside=WIKI_FILES, pattern=True),
)
@index_option("textbook-LANGUAGE")
@click.option(
    "--language", type=LanguageCode(), help="The text's language [told from its letters]."
)
@click.option("--unit", type=click.Choice(["sentence", "paragraph"]), help="A document [sentence].")
@click.option(
    "--terms",
    multiple=True,
    metavar="FILE",
    type=InputFile(inside=("*.csv",)),
    help="A glossary: names with kinds, years and aliases.",
)
@click.option(
    "--without", metavar="FILE", type=InputFile(), help="Leave these texts out (one a line)."
)
@click.option(
    "--names/--no-names",
    "with_names",
    default=None,
    help="Count names and terms, which exams ask for [yes].",
)
@click.option(
    "--whole-text",
    is_flag=True,
    help="Index reference lists, objectives, review questions and citations too.",
)
@click.option(
    "--source-type",
    type=PlainText(),
    hidden=True,
    help="What NTCIR extraction runs cite the text as [QALAB3].",
)
@build_options
def command(files: Sequence[str], **values: Any) -> None:
    """Index textbooks: plain text, JSON lines (id, title, text), TREC <DOC> files or textbook XML,
    also .gz, .bz2.

    PDF (with the extra `documents`), the text that `pdftotext` makes of one, EPUB, DOCX and HTML:
    running heads, feet and page numbers are left out, divided words joined, and the pages kept.

    Wikipedia: MediaWiki XML dumps, and what WikiExtractor makes of them (its folder, its files, its
    JSON lines).

    Files of questions with candidate sentences (NLPCC DBQA, SelQA, WikiQA, TrecQA) give their
    candidates, each different one once and whole; a paragraph is one question's candidates.
    """
    build(textbook_files(files), **values)


def build(
    paths: Sequence[str],
    address: str | Location | None,
    language: Language | None,
    unit: str | None,
    terms: Sequence[str | Path],
    without: str | Path | None,
    with_names: bool | None,
    source_type: str | None,
    options: BuildOptions,
    *,
    whole_text: bool = False,
) -> BuiltIndex:
    """Builds the index of texts at an address (by default `textbook-LANGUAGE`); None as language
    means the one that is detected, as `unit` sentences, as `with_names` yes, as `source_type`
    QALAB3. Warns of a quiz.

    `terms` are paths of glossaries; `without` is the path of a file of sentences to leave out;
    `whole_text` leaves in what a book has beside its text. Raises UserError for a source type that
    is not in `SOURCE_TYPES`, in any case of letters.
    """
    unit, with_names = unit or "sentence", with_names is not False
    language = language_of(paths, language)
    glossary = None
    if terms:
        from indexer.analysis.glossary_file import read_glossary

        glossary = read_glossary(terms)
    left_out = read_left_out(without, language) if without else frozenset()
    make = partial(make_documents, language, unit, glossary, left_out, with_names)
    has_redirects = with_names and any(form_of(path) == "dump" for path in paths)
    texts = (schema.PARAGRAPHS,) if unit == "paragraph" else (schema.SENTENCES, schema.PARAGRAPHS)
    named_parts: tuple[Part, ...] = ()
    packages = language.packages
    if with_names:
        from indexer.statistics.forms import NAMES, PACKAGES

        packages += PACKAGES
        named_parts = (schema.REDIRECTS, NAMES) if has_redirects else (NAMES,)
    cited_as = (source_type or "QALAB3").upper()
    if cited_as not in SOURCE_TYPES:
        raise UserError(f"--source-type {source_type}: expected {', '.join(SOURCE_TYPES)}")
    settings = {
        "unit": unit,
        "analysis": ANALYSIS["textbook"],
        "source_type": cited_as,
        "whole_text": whole_text,
        "terms": glossary.to_json() if glossary else {},
        "left_out": hashlib.sha256("\n".join(sorted(left_out)).encode()).hexdigest()
        if left_out
        else "",
    }
    metadata = corpus_metadata(
        "textbook", (*texts, *named_parts), language, paths, settings, packages
    )
    sources = [
        SourceFile(name, partial(open_records, path, label, language, whole_text=whole_text))
        for (name, _), path, label in zip(metadata.sources, paths, file_labels(paths), strict=True)
    ]
    corpus = Corpus(metadata, sources, make)
    counter, first = None, list[Document]()
    if with_names:
        from indexer.statistics.counting import NameCounter, derive_names

        counter, redirects = NameCounter(), schema.written_redirects if has_redirects else None
        derive = partial(derive_names, counter, language, glossary, redirects)
        corpus = corpus._replace(derive=derive)

    def count(batch: Batch) -> None:
        """Counts the names of a batch, and keeps the first sentences of all batches."""
        if counter:
            counter.count(batch.notes)
        first.extend(batch.documents.get(schema.SENTENCES.name, ())[: _FIRST - len(first)])

    built = build_index(address or f"textbook-{language}", corpus._replace(counter=count), options)
    _warn_of_quiz(first)
    return built


def _warn_of_quiz(first: Sequence[Document]) -> None:
    """Warns if three or more of the first sentences of a textbook end in a question mark or have
    the label of a choice (A–E, ①–⑤, ア–オ) right behind one, and these and those that begin with
    such a label, "(T / F)" or the like are 15 % or more."""
    questions = sum(_ASKED.search(document.text) is not None for document in first)
    choices = sum(_CHOICE.match(document.text) is not None for document in first)
    if questions >= _FEWEST_QUESTIONS and questions + choices >= _QUIZ_SHARE * len(first):
        warn(
            f"most of this looks like a quiz ({questions} questions in {len(first)} sentences): "
            f"index its book, then `classical-qa check-quiz QUIZ --index NAME`"
        )
