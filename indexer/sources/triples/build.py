"""A knowledge base into an index of subjects: `python -m indexer triples KB`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from indexer.files.encoding import open_lines
from indexer.files.errors import UserError
from indexer.files.versions import versions
from indexer.formats.labels import file_label
from indexer.ingest_report import IngestReport
from indexer.languages.chinese import CHINESE
from indexer.parameters import InputPath, argument, command_line, option
from indexer.registry import ANALYSIS
from indexer.sources.triples.reading import NamedRun, in_ranges, knowledge_base_items
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
    character_counts,
    encode_counts,
    encode_entities,
    fold,
    numbered_id,
    pieces,
)

if TYPE_CHECKING:
    from indexer.cluster import Machines, SourcePiece


class MentionLine(NamedTuple):
    """A line of a mention file with its doc_id: a mention and the entities that it may refer to."""

    doc_id: str
    mention: str
    entities: list[str]


Item = NamedRun | MentionLine | CharacterCounts
PARTS = (SUBJECTS, MENTIONS, STATISTICS)


def mention_items(path: str, label: str, tally: IngestReport) -> Iterator[MentionLine]:
    """Yields the lines `mention ||| entity TAB entity…` of a mention file; lines without a mention or an entity, and
    triples, are rejected in the tally."""
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
    """Makes the documents of runs (subjects with aliases, facts, and character pieces of new names), mention lines and
    predicate counts, by part."""
    made: dict[str, list[Document]] = {part.name: [] for part in PARTS}
    for item in items:
        if isinstance(item, NamedRun):
            terms: dict[str, Sequence[str]] = {NAME: pieces(item.new_name) or KNOWN_NAME}
            made[SUBJECTS.name].append(Document(item.doc_id, item.subject, terms, {ALIAS: item.aliases}, item.facts))
        elif isinstance(item, MentionLine):
            keys = {MENTION: [fold(item.mention)]}
            made[MENTIONS.name].append(Document(item.doc_id, item.mention, {}, keys, encode_entities(item.entities)))
        else:
            made[STATISTICS.name].append(Document(PREDICATE_CHARACTERS, "", payload=encode_counts(item)))
    return Batch({part: documents for part, documents in made.items() if documents})


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
    """Builds the index of a knowledge base, and of a file of mentions if given, at an address.

    `named` is the source name to store if `kb` is a temporary copy. Raises UserError if the two files are the same.
    """
    if mentions and Path(mentions).samefile(kb):
        raise UserError(f"{mentions}: is the knowledge base itself, not a file of mentions (--mentions)")
    if options.scheduler:
        from indexer.cluster import absolute, build_on_machines

        kb, *rest = absolute([kb, mentions] if mentions else [kb], named)
        mentions = rest[0] if rest else None
    files = [kb, mentions] if mentions else [kb]
    label = file_label(kb, "kb")
    sizes = rename_source(source_sizes(files), kb, named)
    sources: list[SourceFile[Item]] = [SourceFile(sizes[0][0], partial(knowledge_base_items, kb, label))]
    if mentions:
        sources.append(SourceFile(sizes[1][0], partial(mention_items, mentions, "mention")))
    settings: dict[str, Any] = {"analysis": ANALYSIS["triples"]}
    content = source_content(files)
    metadata = Metadata("triples", PARTS, CHINESE, settings, sizes, versions=versions(()), content=content)
    corpus = Corpus(metadata, sources, make_documents)

    def cut_pieces(machines: Machines) -> tuple[Corpus[Item], list[SourcePiece]]:
        """The corpus as machines build it, with statistics of the predicates of all ranges, and the pieces: ranges of
        the knowledge base, and the mentions."""
        from indexer.cluster import SourcePiece

        found, predicates = in_ranges(machines, kb, label)
        if mentions:
            found.append(SourcePiece(sources[1], Path(mentions).stat().st_size))
        counted = make_documents([character_counts(predicates)]).documents
        return corpus._replace(derive=lambda _: iter([counted])), found

    with IngestReport(options.rejects) as tally:
        if options.scheduler:
            return built(address, build_on_machines(address, corpus, tally, options, cut_pieces), tally)
        return built(address, build_index(address, corpus, tally, options), tally)
