"""The one shape that every corpus is turned into: a document with terms to search and keys to look
up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Document:
    """A document as an index stores it: `doc_id` is unique within its part and deterministic, made
    of the source's name and the position in it. `text` is what a person reads. `terms` maps a field
    to its terms, scored by BM25; `keys` maps a field to exact values, looked up verbatim. `payload`
    is stored text for the task to read back."""

    doc_id: str
    text: str
    terms: Mapping[str, Sequence[str]] = field(default_factory=dict)
    keys: Mapping[str, Sequence[str]] = field(default_factory=dict)
    payload: str = ""


class Part(NamedTuple):
    """A collection of documents within an index, with separate statistics (N, idf, lengths).

    `term_fields` are searched: a document that lacks terms in one of them is not indexed, or the
    two engines would count different numbers. A part without term fields is for look-ups only.
    `key_fields` are looked up; `doc_id` always is one.
    """

    name: str
    term_fields: tuple[str, ...] = ()
    key_fields: tuple[str, ...] = ()

    def check_key(self, key: str) -> None:
        """KeyError unless the part has this key field, or it is `doc_id`."""
        if key != "doc_id" and key not in self.key_fields:
            raise KeyError(f"the part {self.name} has no key field {key}")


# The strings that engines index. Both split a field at white space, but disagree on which
# characters are white space, and Elasticsearch cuts tokens after 255 UTF-16 units: these
# differences are removed here.

LONGEST_TERM = (
    255  # characters; Elasticsearch's whitespace tokenizer splits longer ones (max_token_length)
)
LONGEST_KEY = 8000


def engine_term(term: str) -> str:
    """The indexed form of a term: white space becomes `_`, at most 255 UTF-16 units; "" stays ""
    (no term)."""
    if not term.isalnum():
        term = "_".join(term.split())
    if len(term) > LONGEST_TERM // 2:  # a character is one or two units
        term = term.encode("utf-16-le", "replace")[: 2 * LONGEST_TERM].decode("utf-16-le", "ignore")
    return term


def field_text(terms: Sequence[str]) -> str:
    """The indexed forms of a field's terms, joined by single spaces; "" without terms."""
    text = " ".join(terms)
    short = len(text) <= LONGEST_TERM // 2 or max(map(len, terms)) <= LONGEST_TERM // 2
    if short and text.split() == list(terms):
        return text
    return " ".join(filter(None, map(engine_term, terms)))


def findable(values: Sequence[str]) -> list[str]:
    """The key values that an index can find, in order, each once: longer ones are stored, not
    looked up."""
    return list(dict.fromkeys(value for value in values if 0 < len(value) <= LONGEST_KEY))


def stored_keys(part: Part, document: Document) -> dict[str, Sequence[str]]:
    """The key values that are stored with a document: those of the part's key fields that have
    any."""
    return {name: values for name in part.key_fields if (values := document.keys.get(name))}
