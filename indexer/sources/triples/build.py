"""A knowledge base into an index of subjects: `python -m indexer triples KB`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path

import click

from indexer.address import Location
from indexer.build import (
    Batch,
    BuildOptions,
    BuiltIndex,
    Corpus,
    SourceFile,
    build_index,
    corpus_metadata,
    file_label,
)
from indexer.cli.build_options import build_options, index_option
from indexer.cli.types import Command, InputFile
from indexer.engines.contract import Document
from indexer.files.encoding import open_lines
from indexer.files.errors import bad_input
from indexer.files.progress import reading
from indexer.files.seen_names import SeenNames
from indexer.ingest_report import IngestReport
from indexer.languages.chinese import CHINESE
from indexer.registry import ANALYSIS
from indexer.sources.triples import schema

# The runs of a knowledge base: lines in a row with one subject, read in their order, named and
# numbered.

_SEPARATOR = " ||| "
_BLANKS = " \t\r\n"
_LOOKS = 10_000  # lines from one look at the progress to the next
EXPECTED = "expected `subject ||| predicate ||| object`"


def read_runs(
    path: str, predicates: dict[str, None], tally: IngestReport
) -> Iterator[tuple[str, list[str]]]:
    """Yields (subject, encoded facts) of each run of consecutive lines with one subject, one in
    memory at a time.

    A line whose subject, predicate or object is missing, or that cannot be decoded, is rejected in
    the tally. All text after the second separator is the object. Blank lines are not counted. The
    first 2**20 different cleaned predicates are added to `predicates`, those of rejected lines too.
    Repeated facts stay.
    """
    subject, facts, last = "", list[str](), None
    with reading(path, Path(path).name) as (watched, look):
        for number, text, reason in open_lines(watched, CHINESE.encodings):
            if text is not None and not text.strip():
                continue
            if not number % _LOOKS:
                look()
            line = text or ""
            fields = line.split(_SEPARATOR, 2)
            if len(fields) < 3:  # some lines lack the blanks around their separators
                fields = line.split("|||", 2)
            name, written, value = fields if len(fields) == 3 else ("", "", "")
            name = name.strip().replace("\t", " ")
            (beginning, cleaned), value = _beginning(written), value.strip(_BLANKS)
            if cleaned and len(predicates) < schema.MOST_PREDICATES:
                predicates[cleaned] = None
            tally.read += 1
            if not beginning or not value or (name != last and not schema.fold(name)):
                tally.reject(path, number, reason or f"no triple ({EXPECTED})", line)
                continue
            if name != last:
                if facts:
                    yield subject, facts
                subject, facts, last = name, [], name
            facts.append(schema.encode_fact(beginning, value))
    if facts:
        yield subject, facts


@lru_cache(maxsize=1 << 17)
def _beginning(written: str) -> tuple[str, str]:
    """Beginning of the stored facts of a predicate, with blanks for tabs, and its cleaned form;
    both "" where that is empty."""
    predicate = " ".join(written.split("\t")).strip()
    cleaned = schema.clean_predicate(predicate)
    return schema.fact_beginning(predicate, cleaned) if cleaned else "", cleaned


Item = tuple[str, Document]
"""A document with the name of its part."""


def knowledge_base_items(path: str, label: str, tally: IngestReport) -> Iterator[Item]:
    """Yields (part's name, document) for every run of a knowledge base, numbered from 1: its
    subject, under the folded forms of its name, its encoded facts, and the character pieces of a
    name that no earlier run has; and then for the predicates' character counts.

    Raises UserError if the file has no triples.
    """
    predicates: dict[str, None] = {}
    seen, number = SeenNames(), 0
    for number, (subject, facts) in enumerate(read_runs(path, predicates, tally), 1):
        forms = schema.aliases(subject)
        pieces = schema.pieces(forms[-1]) if seen.add(forms[-1]) else schema.KNOWN_NAME
        keys, doc_id = {schema.ALIAS: forms}, schema.numbered_id(label, number)
        yield (
            schema.SUBJECTS.name,
            Document(doc_id, subject, {schema.NAME: pieces}, keys, "\n".join(facts)),
        )
    if not number:
        raise bad_input(path, None, "no triple in it", f"{EXPECTED} on each line")
    yield (
        schema.STATISTICS.name,
        Document(schema.PREDICATE_CHARACTERS, "", payload=schema.encode_counts(predicates)),
    )


# The documents of a knowledge base, and its index.


def mention_items(path: str, label: str, tally: IngestReport) -> Iterator[Item]:
    """Yields the part's name and the document of each line `mention ||| entity TAB entity…` of a
    mention file, with ids of `label` and line number, the folded mention as key; lines without a
    mention or an entity, and those with a second `|||` (triples), are rejected in the tally, blank
    ones skipped."""
    for number, text, reason in open_lines(path, CHINESE.encodings):
        if text is not None and not text.strip():
            continue
        tally.read += 1
        mention, _, listed = (text or "").partition("|||")
        entities = list(filter(None, map(str.strip, listed.split("\t"))))
        name = schema.fold(mention)
        if not name or not entities or "|||" in listed:
            tally.reject(
                path,
                number,
                reason or "no mention (expected `mention ||| entity TAB entity`)",
                text or "",
            )
            continue
        doc_id, keys = schema.numbered_id(label, number), {schema.MENTION: [name]}
        payload = schema.encode_entities(entities)
        yield schema.MENTIONS.name, Document(doc_id, mention.strip(), {}, keys, payload)


def make_documents(items: list[Item]) -> Batch:
    """Batch of the documents of (part, document) items by part, in order."""
    documents: dict[str, list[Document]] = {}
    for part, document in items:
        documents.setdefault(part, []).append(document)
    return Batch(documents)


@click.command(cls=Command, example="index triples samples/triples-zh.kb")
@click.argument("kb", metavar="KB", type=InputFile())
@click.option(
    "--mentions",
    metavar="FILE",
    type=InputFile(),
    help="Further names: lines of `mention ||| entity TAB entity`.",
)
@index_option("triples", "triples")
@build_options
def command(kb: Path, mentions: Path | None, address: Location, options: BuildOptions) -> None:
    """Index a knowledge base of lines `subject ||| predicate ||| object`, also .gz and .bz2, of any
    size."""
    build([str(kb)], str(mentions) if mentions else None, address, options)


def build(
    files: Sequence[str], mentions: str | None, address: str | Location, options: BuildOptions
) -> BuiltIndex:
    """Builds the index of a knowledge base, the first and only one of `files`, and of a file of
    mentions if given, at an address. Raises UserError for a knowledge base without triples."""
    kb = files[0]
    paths = [kb, mentions] if mentions else [kb]
    parts = (schema.SUBJECTS, schema.MENTIONS, schema.STATISTICS)
    metadata = corpus_metadata("triples", parts, CHINESE, paths, {"analysis": ANALYSIS["triples"]})
    readers = [partial(knowledge_base_items, kb, file_label(kb, "kb"))]
    readers += [partial(mention_items, path, "mention") for path in paths[1:]]
    sources = [
        SourceFile(name, read) for (name, _), read in zip(metadata.sources, readers, strict=True)
    ]
    corpus = Corpus(metadata, sources, make_documents)
    return build_index(address, corpus, options)
