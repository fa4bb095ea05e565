"""Decisive passages: those with a statement's names together, and those that the rest of the statement retrieves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from answerer.ntcir.multiple_choice.names.judgement import BOUNDS, ERAS, NAMES, Judgement, learned_numbers, pair_score
from answerer.ntcir.multiple_choice.shapes import Plan
from answerer.trace import TraceCount, TraceEvent, TraceEvidence, TraceStatement
from indexer.document import Document
from indexer.engines.contract import Index
from indexer.files.arrays import Float64Array, Int64Array
from indexer.sources.textbook.schema import PARAGRAPH, PARAGRAPHS, SENTENCES, decode_place, holds_sentences
from indexer.statistics.forms import doc_id_at
from retriever.association.counts import holds, passages_with, passages_with_both, unit_of, values_at
from retriever.association.features import flatten, mutual_information, retrieved_by
from retriever.explain import most_first
from retriever.learning.model import Model

_LEAST = 0.01  # contribution of a feature to be listed by itself: one unit of the two decimals that people read
_ERAS_SHOWN = 3
_NAMES = 3  # names of a statement, those that add most, whose passages are shown
_OTHERS = 3  # names beside each that are counted in words
_RIVALS = 3  # rivals of a name in a trace
_CUT = 400  # characters of a passage that is one whole paragraph


class _WantedPassage(NamedTuple):
    """A passage whose text is not yet fetched. `paragraph` is its number, `sentences` the indices (from 0, in the
    paragraph) to show, `terms` maps a search term to its contribution to `score`, `says` describes the passage in
    words, `names` are labels of the names in it."""

    paragraph: int
    sentences: tuple[int, ...]
    score: float
    terms: dict[str, float]
    says: str
    names: tuple[str, ...]


class Causes:
    """Evidence for the scores of the statements of an exam: contributions of names, counts and passages."""

    def __init__(self, judgement: Judgement, model: Model) -> None:
        self.judgement = judgement
        self._model = model
        self._counts = judgement.claims.counts
        self._flat = flatten(judgement.claims.claims, judgement.claims.home)
        known = len(self._flat.rows) and len(self._counts.paragraph_of) and self._counts.keys
        self._retrieved = retrieved_by(unit_of(self._counts, "paragraph"), self._flat) if known else None

    def explain(self, each: Plan, choice: int, start: int, times: Float64Array | None) -> dict[str, Any]:
        """The parts of a choice's score as `TraceCandidate` fields: "events" and "pairs" (ordering), or "statements",
        with "truth" for a combination. `each` is the question's plan, `choice` the index of the choice, `start` the
        index of the question's first statement in the judgement, `times` (events, eras) the distributions of an
        ordering's events. "pairs" maps "1 before 2" (positions in the claimed order) to the log probability of that
        order."""
        row = each.rows[choice]
        if times is not None:
            likeliest = np.argsort(-times, axis=1, kind="stable")[:, :_ERAS_SHOWN]
            events = [
                TraceEvent(
                    event=each.statements[number].text,
                    times={era_name(int(era)): float(times[number, era]) for era in likeliest[number]},
                )
                for number in row
            ]
            pairs = {
                f"{place} before {later}": pair_score(times[first], times[second])
                for (place, first), (later, second) in combinations(enumerate(row, 1), 2)
            }
            return {"events": tuple(events), "pairs": pairs}
        slope, middle = learned_numbers(self._model, "truth", 2)
        shown = []
        for place, number in enumerate(row):
            entry = TraceStatement(
                text=each.statements[number].text,
                score=float(self.judgement.scores[start + number]),
                names=self._contributions(start + number),
                places=dict(self.judgement.claims.places[start + number]),
                counted=self.counts_of(start + number),
            )
            if each.way == "combination":
                claimed = each.truth[choice][place]
                odds = slope * entry.score + middle
                likely = float(-np.logaddexp(0.0, -odds if claimed else odds))
                entry = replace(entry, claimed=claimed, log_probability=likely)
            shown.append(entry)
        truth = {"truth": {"slope": slope, "middle": middle}} if each.way == "combination" else {}
        return {"statements": tuple(shown), **truth}

    def _contributions(self, number: int) -> dict[str, Mapping[str, float]]:
        """The contributions to a statement's score: label of a judged name → feature → weight × standardised value.
        `number` is the index of the statement. Contributions below `_LEAST` in absolute value are summed as "rest";
        "sum" is the name's total."""
        shown: dict[str, Mapping[str, float]] = {}
        for place in np.flatnonzero((self.judgement.parts == number) & self.judgement.judged).tolist():
            added = self.judgement.rows[place] * self._model.weights
            large = {name: float(value) for name, value in zip(NAMES, added, strict=True) if abs(value) >= _LEAST}
            rest = float(added[abs(added) < _LEAST].sum())
            shown[self._label(number, place)] = {"sum": float(self.judgement.u[place]), **large, "rest": rest}
        return shown

    def counts_of(self, number: int) -> dict[str, TraceCount]:
        """Counts for a trace, by label of a judged name: co-occurrences, frequency in retrieved passages, distractors.
        `number` is the index of the statement. Names that the index does not know are left out."""
        counted = {}
        for place in self._judged_places(number):
            row, others = int(self._flat.rows[place]), self._others(place)
            own = np.full(len(others), row)
            window, paragraph = unit_of(self._counts, "window"), unit_of(self._counts, "paragraph")
            sections = values_at(unit_of(self._counts, "section").beside, own, others)
            home = self._flat.home_of(np.full(len(others), place))
            times = np.exp(mutual_information("window", window, own, others, home))
            beside = []
            for n, other in enumerate(others.tolist()):
                paragraphs = np.unique(self._counts.paragraph_of[passages_with_both(window, row, other)])
                beside.append((self._label_of_row(number, other), len(paragraphs), float(times[n]), int(sections[n])))
            retrieved = self._retrieved
            assert retrieved is not None  # noqa: S101 - without it `_judged_places` is empty
            led = float(holds(paragraph, row, retrieved.passages[place]) @ retrieved.shares[place])
            usual = float(paragraph.name_counts[row] / paragraph.size)
            compared, alone = self.judgement.compared, self.judgement.alone[place]
            ahead = {
                compared.counts.keys[compared.rivals[n]]: float(alone - self.judgement.rival_u[n])
                for n in range(*np.searchsorted(compared.of, (place, place + 1)).tolist())
            }
            counted[self._label(number, place)] = TraceCount(
                beside=tuple(sorted(beside, key=lambda each: -each[2])[:_OTHERS]),
                led=(led, usual),
                rivals=tuple(sorted(ahead.items(), key=lambda each: each[1])[:_RIVALS]),
            )
        return counted

    def passages(self, index: Index, most: int) -> list[list[TraceEvidence]]:
        """The decisive passages of each statement, at most `most`, by falling contribution of their names. Makes one
        request to the index."""
        wanted = [list(self._wanted_passages(number))[:most] for number in range(len(self.judgement.scores))]
        paragraphs = sorted({each.paragraph for row in wanted for each in row})
        doc_ids = [doc_id_at(self._counts.book.doc_ids, paragraph) for paragraph in paragraphs]
        part, key = (SENTENCES, PARAGRAPH) if holds_sentences(index.metadata) else (PARAGRAPHS, "doc_id")
        documents = index.part(part.name).lookup(key, doc_ids) if doc_ids else []
        texts = {
            paragraph: sorted(each, key=lambda document: document.doc_id)
            for paragraph, each in zip(paragraphs, documents, strict=True)
        }
        return [[_with_text(each, texts[each.paragraph]) for each in row if texts[each.paragraph]] for row in wanted]

    def _judged_places(self, number: int) -> list[int]:
        """A statement's judged names that the index knows, by falling absolute contribution, as indices."""
        if self._retrieved is None:
            return []
        own = (self.judgement.parts == number) & self.judgement.judged & ~self._flat.whole & (self._flat.rows >= 0)
        return sorted(np.flatnonzero(own).tolist(), key=lambda place: (-abs(float(self.judgement.u[place])), place))

    def _label(self, number: int, place: int) -> str:
        """The label of the name at a place, which is in the statement of this number."""
        return self.judgement.claims.labels[number][place - int(np.searchsorted(self.judgement.parts, number))]

    def _label_of_row(self, number: int, row: int) -> str:
        rows = [named.row for named in self.judgement.claims.claims[number].names]
        return self.judgement.claims.labels[number][rows.index(row)]

    def _others(self, place: int) -> Int64Array:
        """The rows of the other names of the statement that a name is in."""
        return np.asarray(self._flat.pair_with[self._flat.pair_of == place], np.int64)

    def _wanted_passages(self, number: int) -> Iterator[_WantedPassage]:
        """Yields the passages to show for a statement: for each of its `_NAMES` most decisive names the passage with
        another name, and the passage that the rest of the statement retrieves. Each paragraph comes once.
        """
        seen: set[int] = set()
        for place in self._judged_places(number)[:_NAMES]:
            for wanted in (self._passage_with_others(number, place), self._retrieved_passage(number, place)):
                if wanted is not None and wanted.paragraph not in seen:
                    seen.add(wanted.paragraph)
                    yield wanted

    def _passage_with_others(self, number: int, place: int) -> _WantedPassage | None:
        """The passage with a name and the statement's other name that most often occurs near it. Returns None if no
        other name does. Of several passages the one with most of the statement's other names. `number` is the
        statement, `place` the name."""
        others = self._others(place)
        unit, row = unit_of(self._counts, "window"), int(self._flat.rows[place])
        if not len(others) or not (times := values_at(unit.beside, np.full(len(others), row), others)).any():
            return None
        other = int(others[int(times.argmax())])
        shared = passages_with_both(unit, row, other)
        # Of these the passage with most of the statement's other names.
        with_all = sum(holds(unit, int(name), shared) for name in others)
        middle = int(shared[int(np.argmax(with_all))])
        paragraph = int(self._counts.paragraph_of[middle])
        # A window has three sentences: only those with one of the two names are shown.
        near = [s for s in (middle - 1, middle, middle + 1) if 0 <= s < len(self._counts.paragraph_of)]
        near = [sentence for sentence in near if int(self._counts.paragraph_of[sentence]) == paragraph]
        held = [holds(unit_of(self._counts, "sentence"), name, np.array(near)) for name in (row, other)]
        holding = [s for s, *with_names in zip(near, *held, strict=True) if any(with_names)]
        labels = self._label(number, place), self._label_of_row(number, other)
        says = " and ".join(self._surface_form(number, label) for label in labels) + " stand together here"
        return _WantedPassage(paragraph, self._numbers(paragraph, holding), 0.0, {}, says, labels)

    def _retrieved_passage(self, number: int, place: int) -> _WantedPassage | None:
        """The paragraph that ranks first for the rest of the statement (all terms but the name's). Returns None if none
        is retrieved. Shows its two best sentences and its first sentence with the name. `number` is the statement,
        `place` the name."""
        if self._retrieved is None or not self._retrieved.shares[place][0]:
            return None
        paragraph = int(self._retrieved.passages[place][0])
        row, label = int(self._flat.rows[place]), self._label(number, place)
        terms = np.unique(self._flat.term[self._flat.term_of == place])
        scores = values_at(unit_of(self._counts, "paragraph").terms.weights, terms, np.full(len(terms), paragraph))
        held = bool(holds(unit_of(self._counts, "paragraph"), row, np.array([paragraph]))[0])
        inside = np.arange(*np.searchsorted(self._counts.paragraph_of, (paragraph, paragraph + 1)))
        sentence = unit_of(self._counts, "sentence")
        worth = np.asarray(csr_array(sentence.terms.incidence[terms][:, inside]).T @ scores).ravel()
        best = [int(inside[n]) for n in np.argsort(-worth, kind="stable")[:2] if worth[n] > 0]
        named = np.intersect1d(passages_with(sentence, row), inside)[:1].tolist()
        names = list(self._counts.book.term_row)
        weights = {names[t]: float(w) for t, w in zip(terms, scores, strict=True) if w}
        stands = "stands too" if held else "does not stand"
        says = f"the rest of the statement leads here, where {self._surface_form(number, label)} {stands}"
        numbers = self._numbers(paragraph, [*best, *named])
        return _WantedPassage(
            paragraph, numbers, float(scores.sum()), most_first(weights), says, (label,) if held else ()
        )

    def _numbers(self, paragraph: int, sentences: Sequence[int]) -> tuple[int, ...]:
        """Sentences of the book as sentences of their paragraph, from 0, in order."""
        first = int(np.searchsorted(self._counts.paragraph_of, paragraph))
        return tuple(sorted({int(sentence) - first for sentence in sentences}))

    def _surface_form(self, number: int, label: str) -> str:
        """The surface form of a name in the statement."""
        start, end = self.judgement.claims.places[number].get(label, (0, 0))
        return self.judgement.statements[number].text[start:end] or label.strip("“”")


def _with_text(wanted: _WantedPassage, documents: Sequence[Document]) -> TraceEvidence:
    """A passage with its text: the wanted sentences, with "…" for sentences left out between them. `documents` are the
    sentences of the paragraph in order; in an index of whole paragraphs, the paragraph, truncated."""
    if len(documents) <= max(wanted.sentences, default=0):  # an index of whole paragraphs
        shown = documents[0]
        text = shown.text if len(shown.text) <= _CUT else shown.text[: _CUT - 1] + "…"
    else:
        shown, text = documents[wanted.sentences[0]], ""
        for number in wanted.sentences:
            # An ellipsis where sentences between are left out.
            gap = " … " if text and number - 1 not in wanted.sentences else " " if text else ""
            text += gap + documents[number].text
    return TraceEvidence(
        doc_id=shown.doc_id,
        title=decode_place(documents[0]).citation,
        text=text,
        score=wanted.score,
        terms=wanted.terms,
        says=wanted.says,
        names=wanted.names,
    )


def era_name(era: int) -> str:
    """The years of era number `era` in words, such as "1450–1499", "2500–2251 BCE" or "before 6000 BCE". The year 0 is
    1 BCE."""
    first, last = (int(bound) for bound in BOUNDS[era : era + 2])
    if era == 0:
        return f"before {-last} BCE"
    if era == ERAS - 1:
        return f"from {first}"
    return f"{-first}–{1 - last} BCE" if last <= 0 else f"{max(first, 1)}–{last - 1}"
