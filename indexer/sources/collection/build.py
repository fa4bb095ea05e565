"""A test collection into an index that keeps its ids: `python -m indexer collection SOURCE...`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import click

from indexer.address import Location
from indexer.build import Batch, BuildOptions, BuiltIndex, Corpus, SourceFile, build_index
from indexer.cli.build_options import build_options, index_option
from indexer.cli.types import Command, InputFile, LanguageCode, PlainText
from indexer.engines.contract import Document, Metadata
from indexer.files.atomic import as_bytes, temporary_folder
from indexer.files.errors import RefusedInput, UserError
from indexer.files.messages import counted, info, warn
from indexer.files.paths import matching_files
from indexer.files.seen_names import SeenNames
from indexer.files.versions import versions
from indexer.ingest_report import IngestReport
from indexer.languages.language import Language
from indexer.languages.registry import LANGUAGES, SAMPLE, detect_language
from indexer.registry import ANALYSIS
from indexer.sources.collection.records import (
    FORMS,
    CollectionSource,
    form_of_file,
    ir_dataset_records,
    read_source,
    source_of,
)
from indexer.sources.collection.schema import DOCUMENTS, EMPTY, Record, encode_record, whole_text

_ENCODINGS = LANGUAGES["ja"].encodings  # tried where no language is given
_SAMPLE_RECORDS = 200  # documents by which the language is determined
_HASHED_AT_ONCE = 2**20  # bytes


def make_documents(language: Language, records: list[Record]) -> Batch:
    """A batch with a document for each record, in order; those without a term are in part `empty`,
    where no query finds them."""
    analyse = language.analyser().terms
    documents, empty = list[Document](), list[Document]()
    for record in records:
        terms = analyse(whole_text(record.title, record.text))
        (documents if terms else empty).append(encode_record(record, terms))
    return Batch({DOCUMENTS.name: documents, EMPTY.name: empty})


@click.command(
    cls=Command, example="index collection samples/collection/corpus.jsonl --index collection"
)
@click.argument(
    "files", nargs=-1, metavar="SOURCE...", type=InputFile(inside=("**",), pattern=True)
)
@index_option("collection", "collection")
@click.option(
    "--ir-dataset",
    metavar="NAME",
    type=PlainText(),
    help="Index a collection of the package ir_datasets instead (vaswani).",
)
@click.option(
    "--language", type=LanguageCode(), help="The texts' language [told from their letters]."
)
@build_options
def command(files: Sequence[str], **values: Any) -> None:
    """Index a test collection: documents keep their own ids, by which qrels judge them.

    JSON lines (id, _id, docid or docno; text, contents or body; title), BEIR's folders, Pyserini's
    JSON collections, TREC <DOC> files, MS MARCO's TSV (named .tsv), SMART's .I .T .W; folders and
    archives of these, or of HTML or text files, whose names without ending are the ids; also .gz,
    .bz2, .xz. Qrels, topics and a README in a folder are left out.
    """
    build(files, **values)


def build(
    files: Sequence[str],
    address: str | Location,
    ir_dataset: str | None,
    language: Language | None,
    options: BuildOptions,
) -> BuiltIndex:
    """Builds the index of a collection's files, folders and archives (`files`, paths or patterns;
    repeated paths count once), or of the collection `ir_dataset` of ir_datasets.

    Raises UserError for both or neither of them, and for an id that occurs twice.
    """
    if bool(files) == bool(ir_dataset):
        raise UserError(f"give a SOURCE, or --ir-dataset NAME; a SOURCE is {FORMS}")
    if ir_dataset:
        return build_records(
            ir_dataset_records(ir_dataset), address, language, options, name=ir_dataset
        )
    sources = dict.fromkeys(
        Path(path) for pattern in files for path in matching_files(pattern, "SOURCE", ("**",))
    )
    return _build({str(path): path for path in sources}, address, language, options)


def build_records(
    records: Iterable[Mapping[str, Any]],
    address: str | Location,
    language: Language | None,
    options: BuildOptions,
    name: str = "records",
) -> BuiltIndex:
    """Builds the index of records, mappings as JSON lines have them, which are read once and wait
    in a temporary file; the index calls their source by `name` and the first 12 digits of their
    hash. Raises UserError for a record that is not a mapping. A value unknown to JSON becomes
    text; a field of such a name (a tuple) is left out.
    """
    with temporary_folder() as folder:
        path = folder / "records.jsonl"
        digest = hashlib.sha256()
        with path.open("wb") as file:
            for record in records:
                if not isinstance(record, Mapping):
                    raise UserError(f"{record!r}: expected mappings with an id and a text")
                text = json.dumps(dict(record), ensure_ascii=False, skipkeys=True, default=str)
                line = as_bytes(f"{text}\n")
                digest.update(line)
                file.write(line)
        return _build({f"{name} {digest.hexdigest()[:12]}": path}, address, language, options)


def _build(
    paths: Mapping[str, Path],
    address: str | Location,
    language: Language | None,
    options: BuildOptions,
) -> BuiltIndex:
    """Builds the index of the sources at these paths, by the names that the index gives them;
    without a language in that which the first 200 documents are detected to be in. Tells which
    files of a folder are read and which are not, and warns where the only source is a text file,
    which is one document. Raises RefusedInput, with both places, for an id that occurs twice."""
    sources = {name: source_of(path) for name, path in paths.items()}
    for source in sources.values():
        _tell_files(source)
    path = next(iter(paths.values()))
    if len(paths) == 1 and path.is_file() and form_of_file(path) == "text":
        warn(f"{path}: read as one document; a collection is {FORMS}")
    encodings = language.encodings if language else _ENCODINGS
    if language is None:
        language = _language_of(sources.values())
        info(f"language: {language} (detected; --language overrides)")

    def read(source: CollectionSource, tally: IngestReport) -> Iterator[Record]:
        return read_source(source, encodings, tally)

    seen = SeenNames()

    def new_records(source: CollectionSource, tally: IngestReport) -> Iterator[Record]:
        """Yields the records of a source; refuses an id that came before."""
        for record in read(source, tally):
            if not seen.add(record.doc_id):
                _refuse_repeated(record, sources.values(), read)
            yield record

    corpus = Corpus(
        _metadata(sources, language),
        [SourceFile(name, partial(new_records, source)) for name, source in sources.items()],
        partial(make_documents, language),
    )
    built = build_index(address, corpus, options)
    if empty := built.metadata.documents.get(EMPTY.name, 0):
        info(f"without a term: {counted(empty, 'documents')}, which no query finds")
    return built


def _tell_files(source: CollectionSource) -> None:
    """Tells of a folder how many files of which form are read, and of each that is not."""
    if source.forms:
        forms = ", ".join(f"{number:,} {form}" for form, number in sorted(source.forms.items()))
        info(f"{source.path}: {counted(len(source.files), 'files')}: {forms}")
    for path, what in source.beside.items():
        info(f"left out {path}: {what}")


def _language_of(sources: Iterable[CollectionSource]) -> Language:
    """The language that the first 200 documents of all sources are in, by the letters at their
    beginning; English without documents."""
    records = (
        record for source in sources for record in read_source(source, _ENCODINGS, IngestReport())
    )
    texts = [f"{record.title} {record.text}" for record in islice(records, _SAMPLE_RECORDS)]
    share = max(1, SAMPLE // max(1, len(texts)))
    return detect_language("\n".join(text[:share] for text in texts))


def _refuse_repeated(record: Record, sources: Iterable[CollectionSource], read: Any) -> None:
    """Raises RefusedInput with both places of a record's id if one before it has the id, for which
    `read` reads the sources again; returns if only the ids' hashes are the same."""
    for source in sources:
        for other in read(source, IngestReport()):
            if (other.path, other.line) == (record.path, record.line):
                return
            if other.doc_id == record.doc_id:
                raise RefusedInput(
                    f"{record.path}:{record.line}: the id {record.doc_id!r} stands in "
                    f"{other.path}:{other.line} already; a document has an id of its own"
                )


def _metadata(sources: Mapping[str, CollectionSource], language: Language) -> Metadata:
    """Metadata of the index to be built, with the bytes of each source and a SHA-256 of all files'
    bytes, for which they are read."""
    content = hashlib.sha256()
    sizes = dict.fromkeys(sources, 0)
    for name, source in sources.items():
        for path in source.files:
            with path.open("rb") as file:
                while piece := file.read(_HASHED_AT_ONCE):
                    content.update(piece)
                    sizes[name] += len(piece)
    return Metadata(
        "collection",
        (DOCUMENTS, EMPTY),
        language,
        {"analysis": ANALYSIS["collection"]},
        tuple(sizes.items()),
        versions=versions(language.packages),
        content=content.hexdigest(),
    )
