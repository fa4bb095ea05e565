"""A knowledge base into an index of subjects: `python -m indexer triples KB`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from indexer.api import Index, built
from indexer.build import (
    BUILD_OPTIONS,
    SCHEDULER,
    Batch,
    BuildOptions,
    Corpus,
    Made,
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
from indexer.engines.writing import Writer
from indexer.files.encoding import open_lines
from indexer.files.errors import UserError
from indexer.files.versions import versions
from indexer.formats.labels import file_label
from indexer.ingest_report import IngestReport
from indexer.languages.chinese import CHINESE
from indexer.parameters import InputPath, argument, command_line, option
from indexer.registry import ANALYSIS
from indexer.sources.triples.reading import NamedRun, knowledge_base_items
from indexer.sources.triples.schema import (
    ALIAS,
    KNOWN_NAME,
    MENTION,
    MENTIONS,
    NAME,
    PREDICATE_CHARACTERS,
    STATISTICS,
    SUBJECTS,
    CharacterCounts,
    encode_counts,
    encode_entities,
    fold,
    numbered_id,
    pieces,
)

if TYPE_CHECKING:
    from indexer.cluster import Machines, SourcePiece


class MentionLine(NamedTuple):
    """A line of a mention file."""

    doc_id: str
    mention: str
    entities: list[str]


Item = NamedRun | MentionLine | CharacterCounts


def mention_items(path: str, label: str, tally: IngestReport) -> Iterator[MentionLine]:
    """The lines `mention ||| entity TAB entity…` of a mention file; lines without either, and triples, are rejected."""
    for number, text, reason in open_lines(path, CHINESE.encodings):
        if text is not None and not text.strip():
            continue
        tally.count()
        mention, _, listed = (text or "").partition("|||")
        entities = list(filter(None, map(str.strip, listed.split("\t"))))
        if not fold(mention) or not entities or "|||" in listed:
            tally.reject(path, number, reason or "no mention (expected `mention ||| entity TAB entity`)", text or "")
            continue
        yield MentionLine(numbered_id(label, number), mention.strip(), entities)


def make_documents(items: list[Item]) -> Batch:
    """Subjects with their aliases and the pieces of new names; mentions; statistics."""
    subjects: list[Document] = []
    mentions: list[Document] = []
    statistics: list[Document] = []
    for item in items:
        if isinstance(item, NamedRun):
            terms: dict[str, Sequence[str]] = {NAME: pieces(item.new_name) or KNOWN_NAME}
            subjects.append(Document(item.doc_id, item.subject, terms, {ALIAS: item.aliases}, item.facts))
        elif isinstance(item, MentionLine):
            keys = {MENTION: [fold(item.mention)]}
            mentions.append(Document(item.doc_id, item.mention, {}, keys, encode_entities(item.entities)))
        else:
            statistics.append(statistics_document(item))
    made = {SUBJECTS: subjects, MENTIONS: mentions, STATISTICS: statistics}
    return Batch({part.name: documents for part, documents in made.items() if documents})


def statistics_document(counts: CharacterCounts) -> Document:
    """The one document of the part `statistics`."""
    return Document(PREDICATE_CHARACTERS, "", payload=encode_counts(counts))


@command_line(
    "indexer triples samples/triples-zh.kb",
    argument("kb", InputPath(again=True), "KB"),
    option(
        "--mentions", metavar="FILE", type=InputPath(), help="Further names: lines of `mention ||| entity TAB entity`."
    ),
    index_option("triples", "triples"),
    *BUILD_OPTIONS,
    SCHEDULER,
)
def command(**values: Any) -> None:
    """Index a knowledge base of lines `subject ||| predicate ||| object`, also .gz and .bz2, of any size."""
    build(**gather_options(values))


def build(
    kb: str,
    mentions: str | None,
    address: str,
    options: BuildOptions,
    named: str | None = None,
) -> Index:
    """Build the index of a knowledge base at an address; `named` is what it calls a `kb` that is a passing copy.

    UserError where the mentions are the knowledge base itself.
    """
    if mentions and Path(mentions).samefile(kb):
        raise UserError(f"{mentions}: is the knowledge base itself, not a file of mentions (--mentions)")
    if options.scheduler:
        from indexer.cluster import absolute, build_on_machines

        kb, *rest = absolute([kb, mentions] if mentions else [kb], named)
        mentions = rest[0] if rest else None
    files = [kb, mentions] if mentions else [kb]
    readers: tuple[Callable[[str, str, IngestReport], Iterator[Item]], ...] = (knowledge_base_items, mention_items)
    labels = (file_label(kb, "kb"), "mention")
    sizes = rename_source(source_sizes(files), kb, named)
    sources = [
        SourceFile(name, partial(reader, file, label))
        for (name, _), file, reader, label in zip(sizes, files, readers, labels, strict=False)
    ]
    parts = (SUBJECTS, MENTIONS, STATISTICS)
    settings: dict[str, Any] = {"analysis": ANALYSIS["triples"]}
    content = source_content(files)
    metadata = Metadata("triples", parts, CHINESE, settings, sizes, versions=versions(()), content=content)
    with IngestReport(options.rejects) as tally:
        corpus = Corpus(metadata, sources, make_documents)
        in_pieces = partial(_in_pieces, corpus, labels[0])
        final = (
            build_on_machines(address, corpus, tally, options, in_pieces)
            if options.scheduler
            else build_index(address, corpus, tally, options)
        )
        return built(address, final, tally)


def _in_pieces(corpus: Corpus[Item], label: str, machines: Machines) -> tuple[Corpus[Item], list[SourcePiece]]:
    """The corpus as machines build it: the knowledge base in ranges, its statistics of all their predicates."""
    from indexer.cluster import SourcePiece
    from indexer.sources.triples.reading import counts_of, in_ranges

    kb, *mentions = corpus.sources
    ranges = in_ranges(machines, kb.path, label)

    def statistics(_: Writer) -> Iterator[Made]:
        yield {STATISTICS.name: [statistics_document(counts_of(machines.value(ranges.predicates)))]}

    pieces = [*ranges.pieces, *(SourcePiece(each, Path(each.path).stat().st_size) for each in mentions)]
    return corpus._replace(derive=statistics), pieces
