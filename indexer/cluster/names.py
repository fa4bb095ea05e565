"""The part `names` of a textbook built on many machines: counts added up in a tree, then spread by names and terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from indexer.analysis.glossary import Glossary
from indexer.book.derivation import NAMES
from indexer.book.spread import (
    Frame,
    Held,
    Share,
    bucket_documents,
    frame_of,
    held_in_paragraphs,
    outline_document,
    paragraph_documents,
    shares_of,
)
from indexer.book.vocabulary import Names, Vocabulary, names_of, together, vocabulary_of
from indexer.cluster.machines import Machines
from indexer.engines.loading import Loading
from indexer.files.errors import RefusedInput
from indexer.languages.language import Language

BUCKETS_OF_A_MACHINE = 2


class Reading(NamedTuple):
    """By what a book's names are told: its language, the glossary, and the keys that a wiki's titles redirect."""

    language: Language
    glossary: Glossary
    redirects: Mapping[str, str]


def build_names(machines: Machines, loading: Loading, counted: Sequence[Any], reading: Reading) -> dict[str, int]:
    """Write the documents of all that was counted, promised piece by piece; how many there are.

    The order of the pieces is that of their doc_ids. Of the whole book a machine holds: the vocabulary with its counts,
    the lengths of paragraphs, and for the vectors which words each paragraph has.
    """
    frames = [machines.value(frame) for frame in machines.each(frame_of, [(each,) for each in counted])]
    order = _in_order(frames)
    counted, frames = [counted[place] for place in order], [frames[place] for place in order]
    names = _decided(machines, counted, reading)
    buckets = BUCKETS_OF_A_MACHINE * machines.size
    shares = machines.each_many(shares_of, [(each, names, buckets) for each in counted], buckets, "spreading names")
    ends = [0]
    for frame in frames:
        ends.append(ends[-1] + frame.sentences)
    loaded = machines.each(
        load_bucket,
        [(loading, names, ends[:-1], [share[bucket] for share in shares]) for bucket in range(buckets)],
        "loading names",
    )
    held = machines.each(held_in_paragraphs, [(each, names) for each in counted])
    loaded += machines.each(load_frames, [(loading, reading.language, names, frames, held)], "loading vectors")
    return {NAMES.name: sum(machines.value(number) for number in loaded)}


def _in_order(frames: Sequence[Frame]) -> list[int]:
    """The places of the frames that hold something, in the order of their doc_ids.

    RefusedInput where the doc_ids of two pieces mix, as no names of files but odd ones make them do.
    """
    order = sorted((place for place, frame in enumerate(frames) if frame.sentences), key=lambda n: frames[n].first)
    for place, following in pairwise(order):
        if frames[place].last >= frames[following].first:
            raise RefusedInput(
                f"{frames[place].last} and {frames[following].first}: the doc_ids of two pieces mix; rename the files, "
                "or build the index on one process"
            )
    return order


def _decided(machines: Machines, counted: Sequence[Any], reading: Reading) -> Any:
    """A promise of the names of the book: the pieces' vocabularies are added up two by two."""
    found = machines.each(vocabulary_of, [(each,) for each in counted], "adding up names")
    while len(found) > 1:
        odd = found[len(found) - len(found) % 2 :]
        pairs = list(zip(found[0::2], found[1::2], strict=False))
        found = [*machines.each(together, pairs), *odd]
    return machines.each(decide, [(found[0], reading)])[0]


def decide(vocabulary: Vocabulary, reading: Reading) -> Names:
    """The names of a book of this vocabulary."""
    glossary = reading.glossary.names()
    recogniser, analyser = reading.language.recogniser(reading.glossary), reading.language.analyser(glossary)
    return names_of(vocabulary, recogniser, analyser, glossary, reading.redirects)


def load_bucket(loading: Loading, names: Names, offsets: Sequence[int], shares: Sequence[Share]) -> int:
    """Write the documents of a bucket; how many there are."""
    return loading.write(NAMES.name, bucket_documents(names, offsets, shares))


def load_frames(
    loading: Loading, language: Language, names: Names, frames: Sequence[Frame], held: Sequence[tuple[Held, Held]]
) -> int:
    """Write the documents of the outline, and of the names and vectors of paragraphs; how many there are."""
    return loading.write(NAMES.name, [outline_document(frames, language), *paragraph_documents(held, names)])
