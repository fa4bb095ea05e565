"""A knowledge base into an index of subjects: `python -m indexer triples KB`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from indexer.build import (
    BUILD_OPTIONS,
    Batch,
    BuildOptions,
    BuiltIndex,
    Corpus,
    SourceFile,
    build_index,
    corpus_metadata,
    file_label,
    gather_options,
    index_option,
)
from indexer.document import Document
from indexer.files.encoding import held_content, open_lines
from indexer.files.errors import UserError, bad_input
from indexer.files.progress import reading
from indexer.files.seen_names import SeenNames
from indexer.ingest_report import IngestReport
from indexer.languages.chinese import CHINESE
from indexer.parameters import argument, command_line, input_path, option
from indexer.registry import ANALYSIS
from indexer.sources.triples import schema

# The runs of a knowledge base: lines in a row with one subject, read in their order, named and numbered.

_SEPARATOR = " ||| "
_BLANKS = " \t\r\n"
_LOOKS = 10_000  # lines from one look at the progress to the next
EXPECTED = "expected `subject ||| predicate ||| object`"


class NamedRun(NamedTuple):
    """Consecutive lines with one subject: their doc_id, the folded forms of the subject's name, and their encoded
    facts. `new_name` is the shortest form if no earlier run has it, else ""."""

    doc_id: str
    subject: str
    aliases: list[str]
    new_name: str
    facts: str


def read_runs(path: str, predicates: dict[str, None], tally: IngestReport) -> Iterator[tuple[str, list[str]]]:
    """Yields (subject, encoded facts) of each run of consecutive lines with one subject, one in memory at a time.

    A line whose subject, predicate or object is missing, or that cannot be decoded, is rejected in the tally. All text
    after the second separator is the object. Blank lines are not counted. The first million different cleaned
    predicates are added to `predicates`.
    """
    subject, facts, last = "", list[str](), None
    beginnings: dict[str, str] = {}  # of the stored facts of a predicate, as written: each is cleaned once
    with reading(path, Path(path).name) as look:
        for number, text, reason in open_lines(path, CHINESE.encodings):
            if text is not None and not text.strip():
                continue
            if not number % _LOOKS:
                look()
            line = text or ""
            fields = line.split(_SEPARATOR, 2)
            if len(fields) < 3:  # some lines lack the blanks around their separators
                fields = line.split("|||", 2)
            name, written, value = fields if len(fields) == 3 else ("", "", "")
            beginning, value = beginnings.get(written), value.strip(_BLANKS)
            if beginning is None:
                predicate = " ".join(written.split("\t")).strip()
                cleaned = schema.clean_predicate(predicate)
                beginning = schema.fact_beginning(predicate, cleaned) if cleaned else ""
                if cleaned and len(predicates) < schema.MOST_PREDICATES:
                    predicates[cleaned] = None
                if len(beginnings) >= schema.MOST_PREDICATES:
                    beginnings.clear()
                beginnings[written] = beginning
            tally.read += 1
            if not beginning or not value or (name != last and not schema.fold(name)):
                tally.reject(path, number, reason or f"no triple ({EXPECTED})", line)
                continue
            if name != last:
                if facts:
                    yield subject, facts
                subject, facts, last = name.strip().replace("\t", " "), [], name
            facts.append(schema.encode_fact(beginning, value))
    if facts:
        yield subject, facts


def knowledge_base_items(path: str, label: str, tally: IngestReport) -> Iterator[Item]:
    """Yields every run of a knowledge base, numbered from 1, with the folded forms of its name, and then the document
    of its predicates' character counts.

    Raises UserError if the file has no triples.
    """
    predicates: dict[str, None] = {}
    seen, number = SeenNames(), 0
    for number, (subject, facts) in enumerate(read_runs(path, predicates, tally), 1):
        forms = schema.aliases(subject)
        new_name = forms[-1] if seen.add(forms[-1]) else ""
        yield NamedRun(schema.numbered_id(label, number), subject, forms, new_name, "\n".join(facts))
    if not number:
        raise bad_input(path, None, "no triple in it", f"{EXPECTED} on each line")
    yield schema.STATISTICS.name, Document(schema.PREDICATE_CHARACTERS, "", payload=schema.encode_counts(predicates))


# The documents of a knowledge base, and its index.

Item = NamedRun | tuple[str, Document]
"""A run, whose document is still to be made, or a document with the name of its part."""

PARTS = (schema.SUBJECTS, schema.MENTIONS, schema.STATISTICS)


def mention_items(path: str, label: str, tally: IngestReport) -> Iterator[tuple[str, Document]]:
    """Yields the part's name and the document of each line `mention ||| entity TAB entity…` of a mention file, with ids
    that begin with `label`; lines without a mention or an entity, and those with a second `|||` (triples), are rejected
    in the tally."""
    for number, text, reason in open_lines(path, CHINESE.encodings):
        if text is not None and not text.strip():
            continue
        tally.read += 1
        mention, _, listed = (text or "").partition("|||")
        entities = list(filter(None, map(str.strip, listed.split("\t"))))
        name = schema.fold(mention)
        if not name or not entities or "|||" in listed:
            tally.reject(path, number, reason or "no mention (expected `mention ||| entity TAB entity`)", text or "")
            continue
        doc_id, keys = schema.numbered_id(label, number), {schema.MENTION: [name]}
        payload = schema.encode_entities(entities)
        yield schema.MENTIONS.name, Document(doc_id, mention.strip(), {}, keys, payload)


def make_documents(items: list[Item]) -> Batch:
    """Makes the documents of runs (subjects with aliases, facts, and character pieces of new names), and puts them and
    the others to their parts."""
    made: dict[str, list[Document]] = {}
    for item in items:
        if isinstance(item, NamedRun):
            terms = {schema.NAME: schema.pieces(item.new_name) or schema.KNOWN_NAME}
            subject = Document(item.doc_id, item.subject, terms, {schema.ALIAS: item.aliases}, item.facts)
            made.setdefault(schema.SUBJECTS.name, []).append(subject)
        else:
            made.setdefault(item[0], []).append(item[1])
    return Batch(made)


@command_line(
    "indexer triples samples/triples-zh.kb",
    argument("kb", input_path, "KB"),
    option(
        "--mentions", metavar="FILE", type=input_path, help="Further names: lines of `mention ||| entity TAB entity`."
    ),
    index_option("triples", "triples"),
    *BUILD_OPTIONS,
)
def command(kb: str, **values: Any) -> None:
    """Index a knowledge base of lines `subject ||| predicate ||| object`, also .gz and .bz2, of any size."""
    build([kb], **gather_options(values))


def build(files: Sequence[str], mentions: str | None, address: str, options: BuildOptions) -> BuiltIndex:
    """Builds the index of a knowledge base, the only one of `files`, and of a file of mentions if given, at an address.

    Raises UserError if the two files are the same.
    """
    kb = files[0]
    if mentions and held_content(kb) is None and Path(mentions).samefile(kb):
        raise UserError(f"{mentions}: is the knowledge base itself, not a file of mentions (--mentions)")
    paths = [kb, mentions] if mentions else [kb]
    metadata = corpus_metadata("triples", PARTS, CHINESE, paths, {"analysis": ANALYSIS["triples"]})
    readers: list[Callable[[IngestReport], Iterator[Item]]] = [
        partial(knowledge_base_items, paths[0], file_label(kb, "kb")),
        *(partial(mention_items, path, "mention") for path in paths[1:]),
    ]
    sources = [SourceFile(name, read) for (name, _), read in zip(metadata.sources, readers, strict=True)]
    corpus = Corpus(metadata, sources, make_documents)
    return build_index(address, corpus, options)
