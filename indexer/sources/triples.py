"""A knowledge base into an index of subjects: `python -m indexer triples KB`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from indexer.build import Batch, SourceFile, build_index, source_sizes
from indexer.document import Document, Part, Record
from indexer.engines.contract import Metadata
from indexer.files.encoding import CHINESE, open_lines
from indexer.files.errors import UserError
from indexer.files.progress import Progress
from indexer.options import build_options
from indexer.sources.facts import aliases, bigrams, clean_predicate, fold
from indexer.sources.lines import line_blocks
from indexer.sources.seen import PredicateCharacters, SeenNames
from indexer.tally import Tally

SUBJECTS = Part("subjects", (), ("alias",))
NAMES = Part("names", ("name",), ())
MENTIONS = Part("mentions", (), ("mention",))
STATISTICS = Part("statistics")
PREDICATE_CHARACTERS = "predicate-characters"
ANALYSIS_VERSION = 1  # rises when the same lines give other aliases or predicates

_SEPARATOR = " ||| "
_EXPECTED = "expected `subject ||| predicate ||| object`"


class Run(NamedTuple):
    """Lines in a row with one subject: the first line's number and the facts, each `predicate TAB cleaned TAB object`.

    `cleaned` is empty where cleaning changes nothing.
    """

    line: int
    subject: str
    facts: list[str]


def read_runs(path: str, characters: PredicateCharacters, tally: Tally) -> Iterator[Run]:
    """The runs of a knowledge base in its order; memory stays flat. Predicates are shown to `characters`.

    A line whose subject, predicate or object is missing, or that cannot be decoded, is rejected. Beyond the
    second separator everything is the object. Blank lines are not counted.
    """
    run = Run(0, "", [])
    with Progress("triples", unit="lines") as progress:
        for block in line_blocks(path, CHINESE, tally):
            progress.add(len(block))
            used = 0
            for number, line in block:
                fields = line.split(_SEPARATOR, 2)
                subject, predicate, value = fields if len(fields) == 3 else _loosely_split(line)
                subject, predicate, value = subject.strip(), predicate.strip(), value.strip()
                cleaned = clean_predicate(predicate)
                if not (cleaned and value and (subject == run.subject or fold(subject))):
                    _reject(path, number, line, tally)
                    continue
                used += 1
                if run.subject != subject:
                    if run.facts:
                        yield run
                    run = Run(number, subject, [])
                characters.add(cleaned)
                if "\t" in line:
                    predicate, value = predicate.replace("\t", " "), value.replace("\t", " ")
                run.facts.append(f"{predicate}\t{'' if cleaned == predicate else cleaned}\t{value}")
            tally.count(used)
    if run.facts:
        yield run


def _loosely_split(line: str) -> tuple[str, str, str]:
    """The fields of a line whose separators lack their blanks; empty ones where there are too few."""
    fields = line.split("|||", 2)
    return (fields[0], fields[1], fields[2]) if len(fields) == 3 else ("", "", "")


def _reject(path: str, number: int, line: str, tally: Tally) -> None:
    if line.strip():
        tally.count()
        tally.reject(path, number, f"no triple ({_EXPECTED})", line)


def knowledge_base_records(path: str, label: str, tally: Tally) -> Iterator[Record]:
    """A record a run, with its `name` where that is new; at the end one with the statistics of predicates."""
    seen, characters = SeenNames(), PredicateCharacters()
    for number, run in enumerate(read_runs(path, characters, tally), 1):
        forms = aliases(run.subject)
        fields = {
            "doc_id": f"{label}-{number:08d}",
            "subject": run.subject,
            "aliases": "\t".join(forms),
            "facts": "\n".join(run.facts),
        }
        if seen.add(forms[-1]):
            fields["name"] = forms[-1]
        yield Record(path, run.line, fields)
    yield Record(path, 0, {PREDICATE_CHARACTERS: characters.as_json()})


def mention_records(path: str, label: str, tally: Tally) -> Iterator[Record]:
    """A record a line `mention ||| entity TAB entity…` of a mention file; lines without either are rejected."""
    for number, text, reason in open_lines(path, CHINESE):
        if text is not None and not text.strip():
            continue
        tally.count()
        mention, _, listed = (text or "").partition("|||")
        entities = "\t".join(filter(None, map(str.strip, listed.split("\t"))))
        if not fold(mention) or not entities:
            tally.reject(path, number, reason or "no mention (expected `mention ||| entity TAB entity`)", text or "")
            continue
        doc_id = f"{label}-{number:08d}"
        yield Record(path, number, {"doc_id": doc_id, "mention": mention.strip(), "entities": entities})


def make_documents(records: list[Record]) -> Batch:
    """Subjects with their aliases, names with their bigrams, mentions, and the statistics."""
    subjects: list[Document] = []
    names: list[Document] = []
    mentions: list[Document] = []
    statistics: list[Document] = []
    for record in records:
        fields = record.fields
        if "subject" in fields:
            keys = {"alias": fields["aliases"].split("\t")}
            subjects.append(Document(fields["doc_id"], fields["subject"], {}, keys, fields["facts"]))
            if name := fields.get("name"):
                names.append(Document(fields["doc_id"], name, {"name": bigrams(name)}))
        elif "mention" in fields:
            keys = {"mention": [fold(fields["mention"])]}
            mentions.append(Document(fields["doc_id"], fields["mention"], {}, keys, fields["entities"]))
        else:
            statistics.append(Document(PREDICATE_CHARACTERS, "", payload=fields[PREDICATE_CHARACTERS]))
    made = {SUBJECTS: subjects, NAMES: names, MENTIONS: mentions, STATISTICS: statistics}
    return Batch({part.name: documents for part, documents in made.items() if documents})


@click.command(epilog="Example: python -m indexer triples kb.gz --mentions mention2id --index triples")
@click.argument("kb", metavar="KB")
@click.option("--mentions", metavar="FILE", help="Further names: lines of `mention ||| entity TAB entity`.")
@click.option("--index", "address", metavar="ADDRESS", default="triples", help="Where the index goes [triples].")
@build_options
def command(
    kb: str,
    mentions: str | None,
    address: str,
    rejects: str | None,
    jobs: int,
    shards: int,
    replicas: int,
) -> None:
    """Index a knowledge base of lines `subject ||| predicate ||| object`, also .gz and .bz2, of any size."""
    files = [kb, mentions] if mentions else [kb]
    for file in files:
        if not Path(file).is_file():
            raise UserError(f"{file}: no such file; name a knowledge base (lines `subject ||| predicate ||| object`)")
    readers = (knowledge_base_records, mention_records)
    labels = (Path(kb).name.split(".")[0] or "kb", "mention")
    sources = [
        SourceFile(file, partial(reader, file, label))
        for file, reader, label in zip(files, readers, labels, strict=False)
    ]
    parts = (SUBJECTS, NAMES, MENTIONS, STATISTICS)
    metadata = Metadata("triples", parts, "zh", {"analysis": ANALYSIS_VERSION}, source_sizes(files))
    with Tally(rejects) as tally:
        build_index(address, metadata, sources, make_documents, tally, jobs=jobs, shards=shards, replicas=replicas)
