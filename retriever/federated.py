"""Federated search: several indexes asked as one, by the engines' contract.

Each source keeps its own statistics; results are merged by score, equal scores by the order of the
sources.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

from indexer.address import open_index, require
from indexer.document import SOURCE, Document
from indexer.engines.contract import Explanation, Index, Metadata, Query, ScoredDocument, Searcher
from indexer.engines.scoring import round_score
from indexer.files.errors import UserError
from indexer.files.messages import warn
from indexer.languages.language import Language
from indexer.location import Location, locate
from indexer.sources.textbook.schema import PARAGRAPH

_DOC_IDS = ("doc_id", PARAGRAPH)  # the keys whose values are doc_ids


class FederatedPart(NamedTuple):
    """A part of one of several indexes, at `address`; its doc_ids get `prefix` ("" if no other can
    have the same)."""

    searcher: Searcher
    address: str
    prefix: str

    def outer(self, document: Document) -> Document:
        """The document as the whole names it, with the address of its index."""
        keys = dict(document.keys)
        keys |= {
            key: tuple(self.prefix + one for one in keys[key]) for key in _DOC_IDS if key in keys
        }
        return replace(
            document, doc_id=self.prefix + document.doc_id, keys={**keys, SOURCE: (self.address,)}
        )

    def inner(self, key: str, values: Sequence[str]) -> tuple[str, ...]:
        """The index's own names of values of a key; of doc_ids only those that may be its."""
        if key not in _DOC_IDS:
            return tuple(values)
        return tuple(one.removeprefix(self.prefix) for one in values if one.startswith(self.prefix))

    def inner_query(self, query: Query) -> Query:
        return query._replace(where=query.where and (query.where[0], self.inner(*query.where)))


@dataclass(frozen=True, slots=True)
class FederatedSearcher:
    """The same part of several indexes (see `Searcher`); ties go by the order of the sources, then
    by doc_id."""

    parts: tuple[FederatedPart, ...]

    def search(
        self, queries: Sequence[Query], k: int, exact: bool = False
    ) -> list[list[ScoredDocument]]:
        """For each query the k best documents of all indexes, by score (to 5 digits), then order of
        the indexes, then doc_id; every index scores with its own statistics."""
        found: list[list[ScoredDocument]] = [[] for _ in queries]
        for part in self.parts:
            by_query = part.searcher.search(
                [part.inner_query(query) for query in queries], k, exact
            )
            for all_hits, hits in zip(found, by_query, strict=True):
                outer = [
                    ScoredDocument(part.prefix + doc_id, score, part.outer(own))
                    for doc_id, score, own in hits
                ]
                all_hits += sorted(outer, key=lambda hit: hit.doc_id)
        # The sort is stable: of equal scores the order of the sources stays, then that of the
        # doc_ids.
        return [sorted(hits, key=lambda hit: -round_score(hit.score))[:k] for hits in found]

    def count(self, queries: Sequence[Query]) -> list[int]:
        each = [
            part.searcher.count([part.inner_query(query) for query in queries])
            for part in self.parts
        ]
        return [sum(counts) for counts in zip(*each, strict=True)]

    def lookup(self, key: str, values: Sequence[str]) -> list[list[Document]]:
        """The documents of all indexes with each value of a key, in the order of the indexes, then
        by doc_id."""
        found: list[list[Document]] = [[] for _ in values]
        for part in self.parts:
            asked = [
                (number, own)
                for number, value in enumerate(values)
                for own in part.inner(key, [value])
            ]
            for (number, _), documents in zip(
                asked, part.searcher.lookup(key, [own for _, own in asked]), strict=True
            ):
                found[number] += map(part.outer, documents)
        return found

    def scan(self) -> Iterator[Document]:
        """In the order of the sources, then by doc_id."""
        for part in self.parts:
            yield from map(part.outer, part.searcher.scan())

    def explain(self, query: Query, doc_ids: Sequence[str]) -> list[Explanation]:
        """For each doc_id the explanation by its index; score 0 and no terms if the document does
        not match."""
        explained = {doc_id: Explanation(doc_id, 0.0, {}) for doc_id in doc_ids}
        for part in self.parts:
            for one in part.searcher.explain(
                part.inner_query(query), part.inner("doc_id", doc_ids)
            ):
                if one.score:
                    explained[part.prefix + one.doc_id] = one._replace(
                        doc_id=part.prefix + one.doc_id
                    )
        return [explained[doc_id] for doc_id in doc_ids]

    def __len__(self) -> int:
        return sum(len(part.searcher) for part in self.parts)


def shares(scores: Sequence[Sequence[float]]) -> list[list[float]]:
    """How much of each choice's combined score comes from each source, (sources, choices), as lists
    of floats.

    `scores` has a row per source and a column per choice. The combined score is the highest that a
    source gives, all of it from that source (of equal ones, at 5 digits, from the first); columns
    of the result add up to it.
    """
    best = [
        max(range(len(column)), key=lambda place: (round_score(column[place]), -place))
        for column in zip(*scores, strict=True)
    ]
    return [
        [score if source == place else 0.0 for score, source in zip(row, best, strict=True)]
        for place, row in enumerate(scores)
    ]


def open_indexes(
    addresses: Sequence[str | Location], kind: str | None, language: Language | None
) -> Index:
    """Opens the indexes at the addresses as one index. Raises UserError as `open_index` and `join`
    do, and for two addresses of one index, after links and relative paths are resolved; every index
    is closed then."""
    shown: dict[object, str] = {}  # place → what may be shown of it
    for address in addresses:
        location = locate(address)
        place = (
            location.folder.resolve()
            if location.folder
            else (frozenset(location.servers), location.name)
        )
        if first := shown.get(place):
            both = first if first == location.shown else f"{first} and {location.shown}"
            raise UserError(f"--index {both}: the same index twice; name each once")
        shown[place] = location.shown
    # Indexes that are open already are closed where a later one fails.
    opened: list[Index] = []
    try:
        opened += (open_index(address) for address in addresses)
        joined = join(opened)
        for one in opened:
            require(one, kind, language)
    except UserError:
        for one in opened:
            one.close()
        raise
    return joined


def join(indexes: Sequence[Index]) -> Index:
    """Open indexes as one index; a single one comes back unchanged.

    If an earlier index has a source file of the same label in its doc_ids, an index's doc_ids get
    its number as prefix. The metadata has the parts with terms that all have, the settings that
    they share, the sources of all, and the union of their glossaries, with which questions are
    read. Raises UserError if two differ in kind or language. Warns if two were built from the same
    files.
    """
    if len(indexes) == 1:
        return indexes[0]
    for first, second in combinations(indexes, 2):
        for name in ("kind", "language"):
            one, other = getattr(first.metadata, name), getattr(second.metadata, name)
            if one != other:
                raise UserError(
                    f"the index {first.address} is of the {name} '{one}', {second.address} of "
                    f"'{other}': ask together "
                    f"only indexes of one {name}"
                )
        shared = [
            name for name, size in first.metadata.sources if (name, size) in second.metadata.sources
        ]
        if shared:
            more = f" and {len(shared) - 1} more" if len(shared) > 1 else ""
            warn(
                f"the indexes {first.address} and {second.address} hold the same documents, of "
                f"{shared[0]}{more}"
            )
    from indexer.sources.textbook.passages import (
        file_labels,
    )  # the readers of all textbooks, for several sources alone

    prefixes, taken = [], set[str]()
    for number, one in enumerate(indexes, 1):
        labels = set(file_labels([name for name, _ in one.metadata.sources]))
        prefixes.append(f"{number}:" if labels & taken else "")
        taken |= labels
    each = [one.metadata for one in indexes]
    head = each[0]
    parts = tuple(
        part for part in head.parts if part.term_fields and all(part in one.parts for one in each)
    )
    # Settings that differ say nothing of the whole.
    settings: dict[str, object] = {
        name: value
        for name, value in head.settings.items()
        if all(one.settings.get(name) == value for one in each)
    }
    # A name that only one index knows is read as a name in questions to all of them.
    glossary = dict.fromkeys(
        tuple(line) for one in each for line in one.settings.get("glossary", ())
    )
    metadata = Metadata(
        kind=head.kind,
        parts=parts,
        language=head.language,
        settings={**settings, "glossary": list(glossary)},
        sources=tuple(source for one in each for source in one.sources),
        documents={
            part.name: sum(one.documents.get(part.name, 0) for one in each) for part in parts
        },
        versions={
            name: version for one in reversed(each) for name, version in one.versions.items()
        },
    )
    sources = list(zip(indexes, prefixes, strict=True))
    searchers = {
        part.name: FederatedSearcher(
            tuple(
                FederatedPart(one.part(part.name), one.address, prefix) for one, prefix in sources
            )
        )
        for part in parts
    }

    def close() -> None:
        for one in indexes:
            one.close()

    address = " + ".join(one.address for one in indexes)
    engine = " + ".join(dict.fromkeys(one.engine for one in indexes))
    return Index(address, engine, metadata, searchers, close, tuple(indexes))
