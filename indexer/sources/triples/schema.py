"""What an index of a knowledge base holds: its parts, the doc_ids, and facts, entities and counts as payloads."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from indexer.document import Part

NAME, ALIAS, MENTION = "name", "alias", "mention"
SUBJECTS = Part("subjects", (NAME,), (ALIAS,))
MENTIONS = Part("mentions", (), (MENTION,))
STATISTICS = Part("statistics")
PREDICATE_CHARACTERS = "predicate-characters"  # the doc_id of the only document of the statistics

KNOWN_NAME = ("=",)  # the one term of a subject whose bare name an earlier one has: nobody asks for it


class StoredFact(NamedTuple):
    """A fact of a subject: its predicate as written and cleaned, and its object."""

    predicate: str
    cleaned: str
    value: str


class CharacterCounts(NamedTuple):
    """How many different predicates a knowledge base has, and in how many of them each character stands."""

    predicates: int
    frequency: Mapping[str, int]


def numbered_id(label: str, number: int) -> str:
    """The doc_id of a run of lines, or of a mention: the file's label and its number there, from 1."""
    return f"{label}-{number:08d}"


def fact_beginning(predicate: str, cleaned: str) -> str:
    """How every stored fact of a predicate begins, made once for all that share it; neither text holds a tab."""
    return f"{predicate}\t{'' if cleaned == predicate else cleaned}\t"


def encode_fact(beginning: str, value: str) -> str:
    """A fact in the line of a payload; tabs in the object become blanks. No text holds a line feed."""
    return beginning + (value.replace("\t", " ") if "\t" in value else value)


def encode_facts(lines: Sequence[str]) -> str:
    """Encoded facts as the payload of a subject."""
    return "\n".join(lines)


def decode_facts(payload: str) -> Iterator[StoredFact]:
    """The facts of a subject's payload, in order."""
    for line in payload.split("\n"):
        predicate, cleaned, value = line.split("\t")
        yield StoredFact(predicate, cleaned or predicate, value)


def encode_entities(entities: Sequence[str]) -> str:
    """The entities that a mention may stand for as its payload; none holds a tab."""
    return "\t".join(entities)


def decode_entities(payload: str) -> list[str]:
    """The entities of a mention's payload, in order."""
    return payload.split("\t")


def encode_counts(counts: CharacterCounts) -> str:
    """The counts as a payload, characters sorted."""
    stored = {"predicates": counts.predicates, "frequency": dict(sorted(counts.frequency.items()))}
    return json.dumps(stored, ensure_ascii=False)


def decode_counts(payload: str) -> CharacterCounts:
    """The counts of a payload."""
    return CharacterCounts(**json.loads(payload))
