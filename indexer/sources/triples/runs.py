"""The runs of a knowledge base: lines in a row with one subject, read in their order, named and numbered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from indexer.files.errors import bad_input
from indexer.files.hashes import SeenNames
from indexer.files.progress import reading
from indexer.ingest_report import IngestReport
from indexer.languages.chinese import CHINESE
from indexer.sources.triples.facts import MOST_PREDICATES, PredicateCharacters, aliases, clean_predicate, fold
from indexer.sources.triples.lines import WHOLE, Range, line_blocks
from indexer.sources.triples.schema import CharacterCounts, encode_fact, encode_facts, fact_beginning, numbered_id

_SEPARATOR = " ||| "
_BLANKS = " \t\r\n"
EXPECTED = "expected `subject ||| predicate ||| object`"


class Run(NamedTuple):
    """Lines in a row with one subject, and their facts as they are stored."""

    subject: str
    facts: list[str]


class NamedRun(NamedTuple):
    """A run with its doc_id and the forms of its name; `new_name` is the barest where none before had it, else ""."""

    doc_id: str
    subject: str
    aliases: list[str]
    new_name: str
    facts: str


class Predicates:
    """The beginning of a stored fact for a predicate as it stands in a line.

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
            found = fact_beginning(predicate, cleaned) if cleaned else ""
            if cleaned:
                self.characters.add(cleaned)
            if len(self._beginnings) >= MOST_PREDICATES:
                self._beginnings.clear()
            self._beginnings[written] = found
        return found


def read_runs(path: str, predicates: Predicates, tally: IngestReport, within: Range = WHOLE) -> Iterator[Run]:
    """The runs of a knowledge base in its order; memory stays flat.

    A line whose subject, predicate or object is missing, or that cannot be decoded, is rejected. Beyond the
    second separator everything is the object. Blank lines are not counted.
    """
    run, written_subject = Run("", []), None
    with reading(path, Path(path).name):
        for block in line_blocks(path, CHINESE.encodings, tally, within):
            rejected = 0
            for number, line in block:
                subject, written, value = fields_of(line)
                beginning, value = predicates.beginning(written), value.strip(_BLANKS)
                if not beginning or not value or (subject != written_subject and not fold(subject)):
                    rejected += 1
                    _reject(path, number, line, tally)
                    continue
                if subject != written_subject:
                    if run.facts:
                        yield run
                    run, written_subject = Run(subject.strip().replace("\t", " "), []), subject
                run.facts.append(encode_fact(beginning, value))
            tally.count(len(block) - rejected)
    if run.facts:
        yield run


def fields_of(line: str) -> Sequence[str]:
    """The three fields of a line, also where its separators lack their blanks; empty ones where there are too few."""
    fields = line.split(_SEPARATOR, 2)
    if len(fields) < 3:
        fields = line.split("|||", 2)
    return fields if len(fields) == 3 else ("", "", "")


def _reject(path: str, number: int, line: str, tally: IngestReport) -> None:
    if line.strip():
        tally.count()
        tally.reject(path, number, f"no triple ({EXPECTED})", line)


def named_run(doc_id: str, run: Run, seen: SeenNames) -> NamedRun:
    """A run with the forms of its name, the barest of which is seen from now on."""
    forms = aliases(run.subject)
    new_name = forms[-1] if seen.add(forms[-1]) else ""
    return NamedRun(doc_id, run.subject, forms, new_name, encode_facts(run.facts))


def knowledge_base_items(path: str, label: str, tally: IngestReport) -> Iterator[NamedRun | CharacterCounts]:
    """Every run of a knowledge base, numbered from 1; at the end the counts of characters in predicates.

    UserError where the file holds no triple at all.
    """
    seen, predicates, number = SeenNames(), Predicates(), 0
    for number, run in enumerate(read_runs(path, predicates, tally), 1):
        yield named_run(numbered_id(label, number), run, seen)
    if not number:
        raise bad_input(path, None, "no triple in it", f"{EXPECTED} on each line")
    yield predicates.characters.counts()
