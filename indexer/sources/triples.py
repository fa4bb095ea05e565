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
from indexer.files.errors import UserError, bad_input
from indexer.files.progress import Progress
from indexer.options import build_options
from indexer.sources.facts import aliases, clean_predicate, fold, pieces
from indexer.sources.lines import line_blocks
from indexer.sources.seen import MOST_PREDICATES, PredicateCharacters, SeenNames
from indexer.tally import Tally

SUBJECTS = Part("subjects", ("name",), ("alias",))
MENTIONS = Part("mentions", (), ("mention",))
STATISTICS = Part("statistics")
PREDICATE_CHARACTERS = "predicate-characters"
ANALYSIS_VERSION = 1  # rises when the same lines give other aliases or predicates

KNOWN_NAME = ("=",)  # the one term of a subject whose bare name an earlier one has: nobody asks for it
_SEPARATOR = " ||| "
_BLANKS = " \t\r\n"
_EXPECTED = "expected `subject ||| predicate ||| object`"


class Run(NamedTuple):
    """Lines in a row with one subject: the first line's number and the facts, each `predicate TAB cleaned TAB object`.

    `cleaned` is empty where cleaning changes nothing.
    """

    line: int
    subject: str
    facts: list[str]


class Predicates:
    """The beginning of a fact, `predicate TAB cleaned TAB`, for a predicate as it stands in a line.

    Each different predicate is cleaned and counted once; the memory is bounded.
    """

    def __init__(self) -> None:
        self.characters = PredicateCharacters()
        self._beginnings: dict[str, str] = {}

    def beginning(self, written: str) -> str:
        """ "" where the predicate is empty."""
        found = self._beginnings.get(written)
        if found is None:
            predicate = " ".join(written.split("\t")).strip()
            cleaned = clean_predicate(predicate)
            found = f"{predicate}\t{'' if cleaned == predicate else cleaned}\t" if cleaned else ""
            if cleaned:
                self.characters.add(cleaned)
            if len(self._beginnings) >= MOST_PREDICATES:
                self._beginnings.clear()
            self._beginnings[written] = found
        return found


def read_runs(path: str, predicates: Predicates, tally: Tally) -> Iterator[Run]:
    """The runs of a knowledge base in its order; memory stays flat.

    A line whose subject, predicate or object is missing, or that cannot be decoded, is rejected. Beyond the
    second separator everything is the object. Blank lines are not counted.
    """
    run, written_subject = Run(0, "", []), ""
    with Progress("triples", unit="lines") as progress:
        for block in line_blocks(path, CHINESE, tally):
            progress.add(len(block))
            rejected = 0
            for number, line in block:
                fields = line.split(_SEPARATOR, 2)
                subject, written, value = fields if len(fields) == 3 else _loosely_split(line)
                beginning, value = predicates.beginning(written), value.strip(_BLANKS)
                if not beginning or not value or (subject != written_subject and not fold(subject)):
                    rejected += 1
                    _reject(path, number, line, tally)
                    continue
                if subject != written_subject:
                    if run.facts:
                        yield run
                    run, written_subject = Run(number, subject.strip().replace("\t", " "), []), subject
                run.facts.append(beginning + (value.replace("\t", " ") if "\t" in value else value))
            tally.count(len(block) - rejected)
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
    """A record a run, with its `name` where that is new; at the end one with the statistics of predicates.

    UserError where the file holds no triple at all.
    """
    seen, predicates, number = SeenNames(), Predicates(), 0
    for number, run in enumerate(read_runs(path, predicates, tally), 1):
        forms = aliases(run.subject)
        fields = {
            "doc_id": f"{label}-{number:08d}",
            "subject": run.subject,
            "aliases": "\t".join(forms),
            "name": forms[-1] if seen.add(forms[-1]) else "",
            "facts": "\n".join(run.facts),
        }
        yield Record(path, run.line, fields)
    if not number:
        raise bad_input(path, None, "no triple in it", f"{_EXPECTED} on each line")
    yield Record(path, 0, {PREDICATE_CHARACTERS: predicates.characters.as_json()})


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
    """Subjects with their aliases and the pieces of new names, mentions, and the statistics."""
    subjects: list[Document] = []
    mentions: list[Document] = []
    statistics: list[Document] = []
    for record in records:
        fields = record.fields
        if "subject" in fields:
            keys = {"alias": fields["aliases"].split("\t")}
            terms = {"name": pieces(fields["name"]) or KNOWN_NAME}
            subjects.append(Document(fields["doc_id"], fields["subject"], terms, keys, fields["facts"]))
        elif "mention" in fields:
            keys = {"mention": [fold(fields["mention"])]}
            mentions.append(Document(fields["doc_id"], fields["mention"], {}, keys, fields["entities"]))
        else:
            statistics.append(Document(PREDICATE_CHARACTERS, "", payload=fields[PREDICATE_CHARACTERS]))
    made = {SUBJECTS: subjects, MENTIONS: mentions, STATISTICS: statistics}
    return Batch({part.name: documents for part, documents in made.items() if documents})


@click.command(epilog="Example: python -m indexer triples samples/triples-zh.kb")
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
    parts = (SUBJECTS, MENTIONS, STATISTICS)
    metadata = Metadata("triples", parts, "zh", {"analysis": ANALYSIS_VERSION}, source_sizes(files))
    with Tally(rejects) as tally:
        build_index(address, metadata, sources, make_documents, tally, jobs=jobs, shards=shards, replicas=replicas)
