"""Decisive passages: those with a statement's names together, and those that the rest of the statement retrieves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from answerer.ntcir.multiple_choice.names.counts import ExamCounts
from answerer.ntcir.multiple_choice.names.flat import Flat, flatten, values_at
from answerer.ntcir.multiple_choice.names.judgement import Judgement
from answerer.ntcir.multiple_choice.names.retrieval import Retrieved, retrieved_by
from answerer.ntcir.multiple_choice.names.signals import mutual_information
from answerer.trace import TraceCount
from indexer.document import Document
from indexer.engines.contract import Index
from indexer.files.arrays import Float64Array, Int64Array
from indexer.sources.textbook.schema import PARAGRAPH, PARAGRAPHS, SENTENCES, decode_place, holds_sentences
from retriever.explain import most_first

_NAMES = 3  # names of a statement, those that add most, whose passages are shown
_OTHERS = 3  # names beside each that are counted in words
_RIVALS = 3  # rivals of a name in a trace
_CUT = 400  # characters of a passage that is one whole paragraph


class Cause(NamedTuple):
    """A passage that was counted: `says` its evidence in words, `names` those by their labels.

    `terms` are those of the statement that led to it with what each gave to its `score`; none where names did.
    """

    doc_id: str
    title: str
    text: str
    score: float
    terms: dict[str, float]
    says: str
    names: tuple[str, ...]


class _Wanted(NamedTuple):
    """A passage before its text is there: a paragraph and those of its sentences that count, from 0."""

    paragraph: int
    sentences: tuple[int, ...]
    score: float
    terms: dict[str, float]
    says: str
    names: tuple[str, ...]


class Causes:
    """Evidence for the scores of the statements of an exam: passages and counts."""

    def __init__(self, judgement: Judgement) -> None:
        self._judgement = judgement
        self._counts: ExamCounts = judgement.claims.counts
        self._flat: Flat = flatten(judgement.claims.claims, judgement.claims.home)
        self._retrieved = self._led_to()

    def _led_to(self) -> Retrieved | None:
        if not len(self._flat.rows) or not self._counts.sentences or not self._counts.keys:
            return None
        return retrieved_by(self._counts.paragraph, self._flat)

    def trace_counts(self, number: int) -> dict[str, TraceCount]:
        """Counts for a trace, by the label of each judged name of a statement that the index knows."""
        if self._retrieved is None:
            return {}
        return {
            self._label(number, place): self._count_evidence(number, place) for place in self._judged_places(number)
        }

    def passages(self, index: Index, most: int) -> list[list[Cause]]:
        """For each statement at most `most` decisive passages, those of the names that add most first.

        One look-up in the index.
        """
        size = len(self._judgement.scores)
        wanted = (
            [list(self._wanted_passages(number))[:most] for number in range(size)] if self._retrieved else [[]] * size
        )
        paragraphs = sorted({one.paragraph for own in wanted for one in own})
        doc_ids = [self._counts.doc_id_of(paragraph) for paragraph in paragraphs]
        part, key = (SENTENCES, PARAGRAPH) if holds_sentences(index.metadata) else (PARAGRAPHS, "doc_id")
        found = index.part(part.name).lookup(key, doc_ids) if doc_ids else []
        texts = {
            paragraph: sorted(documents, key=lambda document: document.doc_id)
            for paragraph, documents in zip(paragraphs, found, strict=True)
        }
        return [[_cause(one, texts[one.paragraph]) for one in own if texts[one.paragraph]] for own in wanted]

    def _judged_places(self, number: int) -> list[int]:
        """The places of a statement's judged names that the index knows, those that add most first."""
        own = np.flatnonzero((self._judgement.parts == number) & self._judgement.judged & ~self._flat.whole)
        known = [int(place) for place in own if self._flat.rows[place] >= 0]
        return sorted(known, key=lambda place: (-abs(float(self._judgement.u[place])), place))

    def _label(self, number: int, place: int) -> str:
        first = int(np.searchsorted(self._judgement.parts, number))
        return self._judgement.claims.labels[number][place - first]

    def _label_of_row(self, number: int, row: int) -> str:
        rows = [named.row for named in self._judgement.claims.claims[number].names]
        return self._judgement.claims.labels[number][rows.index(row)]

    def _others(self, place: int) -> Int64Array:
        return np.asarray(self._flat.pair_with[self._flat.pair_of == place], np.int64)

    def _count_evidence(self, number: int, place: int) -> TraceCount:
        assert self._retrieved is not None  # noqa: S101
        row, others = int(self._flat.rows[place]), self._others(place)
        window, section = self._counts.window, self._counts.section
        own = np.full(len(others), row)
        sections = values_at(section.beside, own, others)
        home = self._flat.home_of(np.full(len(others), place))
        times = np.exp(mutual_information("window", window, own, others, home))
        beside = [
            (
                self._label_of_row(number, int(other)),
                self._shared_paragraphs(row, int(other)),
                float(times[n]),
                int(sections[n]),
            )
            for n, other in enumerate(others)
        ]
        held = self._counts.paragraph.holds(row, self._retrieved.passages[place])
        led = float(held @ self._retrieved.shares[place])
        usual = float(self._counts.paragraph.name_counts[row] / self._counts.paragraph.size)
        nearest = sorted(beside, key=lambda one: -one[2])[:_OTHERS]
        return TraceCount(beside=tuple(nearest), led=(led, usual), rivals=self._rivals(place))

    def _rivals(self, place: int) -> tuple[tuple[str, float], ...]:
        """The rivals of a name that fit best in its place, and how far it is ahead of each."""
        judgement, found = self._judgement, self._judgement.compared
        own = range(*np.searchsorted(found.of, (place, place + 1)).tolist())
        ahead = {found.counts.keys[found.rivals[n]]: float(judgement.alone[place] - judgement.rival_u[n]) for n in own}
        return tuple(sorted(ahead.items(), key=lambda one: one[1])[:_RIVALS])

    def _shared_paragraphs(self, row: int, other: int) -> int:
        """The number of paragraphs with two names within three sentences of each other."""
        both = self._counts.window.with_both(row, other)
        return len(np.unique(self._counts.paragraph_of[both]))

    def _wanted_passages(self, number: int) -> Iterator[_Wanted]:
        """Passages with a name and another, and the best for the rest of the statement; no paragraph twice."""
        seen: set[int] = set()
        for place in self._judged_places(number)[:_NAMES]:
            for one in (self._together(number, place), self._retrieved_passage(number, place)):
                if one is not None and one.paragraph not in seen:
                    seen.add(one.paragraph)
                    yield one

    def _together(self, number: int, place: int) -> _Wanted | None:
        """The sentences with a name and its most frequent neighbour of the statement, and with most of the others."""
        others = self._others(place)
        unit, row = self._counts.window, int(self._flat.rows[place])
        if not len(others) or not (times := values_at(unit.beside, np.full(len(others), row), others)).any():
            return None
        other = int(others[int(times.argmax())])
        shared = unit.with_both(row, other)
        with_all = sum(unit.holds(int(one), shared) for one in others)
        middle = int(shared[int(np.argmax(with_all))])
        paragraph = int(self._counts.paragraph_of[middle])
        near = [s for s in (middle - 1, middle, middle + 1) if self._in(s, paragraph)]
        held = [self._counts.sentence.holds(name, np.array(near)) for name in (row, other)]
        holding = [s for s, *with_names in zip(near, *held, strict=True) if any(with_names)]
        labels = self._label(number, place), self._label_of_row(number, other)
        says = (
            f"{self._surface_form(number, labels[0])} and {self._surface_form(number, labels[1])} stand together here"
        )
        return _Wanted(paragraph, self._numbers(paragraph, holding), 0.0, {}, says, labels)

    def _retrieved_passage(self, number: int, place: int) -> _Wanted | None:
        """The paragraph that the rest of the statement leads to first, its best sentences and those with the name."""
        assert self._retrieved is not None  # noqa: S101
        if not self._retrieved.shares[place][0]:
            return None
        paragraph = int(self._retrieved.passages[place][0])
        row, label = int(self._flat.rows[place]), self._label(number, place)
        terms = np.unique(self._flat.term[self._flat.term_of == place])
        given = values_at(self._counts.paragraph.terms.weights, terms, np.full(len(terms), paragraph))
        held = bool(self._counts.paragraph.holds(row, np.array([paragraph]))[0])
        sentences = self._best_sentences(paragraph, terms, given, row)
        weights = {self._counts.term_names[t]: float(w) for t, w in zip(terms, given, strict=True) if w}
        said = self._surface_form(number, label)
        says = f"the rest of the statement leads here, where {said} " + ("stands too" if held else "does not stand")
        score = float(given.sum())
        return _Wanted(paragraph, sentences, score, most_first(weights), says, (label,) if held else ())

    def _best_sentences(self, paragraph: int, terms: Int64Array, given: Float64Array, row: int) -> tuple[int, ...]:
        """The two sentences with most of what led to the paragraph, and the first with the name."""
        inside = np.arange(*np.searchsorted(self._counts.paragraph_of, (paragraph, paragraph + 1)))
        sentence = self._counts.sentence
        worth = np.asarray(csr_array(sentence.terms.held[terms][:, inside]).T @ given).ravel()
        best = [int(inside[n]) for n in np.argsort(-worth, kind="stable")[:2] if worth[n] > 0]
        named = np.intersect1d(sentence.passages_with(row), inside)[:1].tolist()
        return self._numbers(paragraph, [*best, *named])

    def _in(self, sentence: int, paragraph: int) -> bool:
        return 0 <= sentence < self._counts.sentences and int(self._counts.paragraph_of[sentence]) == paragraph

    def _numbers(self, paragraph: int, sentences: Sequence[int]) -> tuple[int, ...]:
        """Sentences of the book as sentences of their paragraph, from 0, in order."""
        first = int(np.searchsorted(self._counts.paragraph_of, paragraph))
        return tuple(sorted({int(sentence) - first for sentence in sentences}))

    def _surface_form(self, number: int, label: str) -> str:
        """The surface form of a name in the statement."""
        start, end = self._judgement.claims.places[number].get(label, (0, 0))
        return self._judgement.statements[number].text[start:end] or label.strip("“”")


def _cause(one: _Wanted, documents: Sequence[Document]) -> Cause:
    """A passage with its text: of sentences those that count, … where some between are left out; else the paragraph."""
    if len(documents) <= max(one.sentences, default=0):  # an index of whole paragraphs
        text = documents[0].text
        shown = [documents[0]]
        text = text if len(text) <= _CUT else text[: _CUT - 1] + "…"
    else:
        shown = [documents[number] for number in one.sentences]
        text = ""
        for number, document in zip(one.sentences, shown, strict=True):
            gap = " … " if text and number - 1 not in one.sentences else " " if text else ""
            text += gap + document.text
    return Cause(shown[0].doc_id, decode_place(documents[0]).citation, text, one.score, one.terms, one.says, one.names)
