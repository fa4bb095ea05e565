"""Decisive passages: those with a statement's names together, and those that the rest of the
statement retrieves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import csr_array

from answerer.ntcir.multiple_choice.names.judgement import (
    BOUNDS,
    ERAS,
    Judgement,
    log_probability,
    pair_score,
)
from answerer.ntcir.multiple_choice.names.signals import NAMES
from answerer.ntcir.multiple_choice.shapes import Plan
from answerer.trace import TraceCount, TraceEvent, TraceEvidence, TraceStatement
from indexer.engines.contract import Document, Index
from indexer.files.arrays import Float64Array
from indexer.sources.textbook.schema import (
    PARAGRAPH,
    PARAGRAPHS,
    SENTENCES,
    decode_place,
    holds_sentences,
)
from indexer.statistics.forms import doc_id_at
from retriever.association.counts import (
    holds,
    passages_with,
    passages_with_both,
    unit_of,
    values_at,
)
from retriever.association.features import mutual_information, retrieved_by
from retriever.explain import most_first
from retriever.learning.model import Model

# contribution of a feature to be listed by itself: one unit of the two decimals that people read
_LEAST = 0.01
_ERAS_SHOWN = 3
_NAMES = 3  # names of a statement, those that add most, whose passages are shown
_OTHERS = 3  # names beside each that are counted in words
_CUT = 400  # characters of a passage that is one whole paragraph


_Wanted: TypeAlias = tuple[int, list[int], TraceEvidence]
"""A passage whose text is not yet fetched: its paragraph's number, the numbers of the sentences to
show, the rest."""


class Causes:
    """Evidence for the scores of the statements of an exam: contributions of names, counts and
    passages."""

    def __init__(self, judgement: Judgement, model: Model) -> None:
        """Retrieves the passages of all names; none without names in statements and index, or
        without passages."""
        self.judgement, self._model = judgement, model
        self._counts, self._flat = judgement.claims.counts, judgement.flat
        has_names = len(self._flat.rows) and len(self._counts.paragraph_of) and self._counts.keys
        self._retrieved = (
            retrieved_by(unit_of(self._counts, "paragraph"), self._flat) if has_names else None
        )

    def explain(
        self, plan: Plan, choice: int, start: int, times: Float64Array | None
    ) -> dict[str, Any]:
        """The parts of a choice's score as `TraceCandidate` fields: "events", with their three
        likeliest eras, and "pairs" (ordering), or "statements", with "truth" for a combination.
        `plan` is the question's plan, `choice` the index of the choice, `start` that of the
        question's first statement in the judgement, `times` (events, eras) the distributions of an
        ordering's events. "pairs" maps "1 before 2" (positions in the claimed order) to the log
        probability of that order."""
        row = plan.rows[choice]
        if times is not None:
            likeliest = np.argsort(-times, axis=1, kind="stable")[:, :_ERAS_SHOWN]
            events = []
            for number in row:
                eras = {era_name(int(era)): float(times[number, era]) for era in likeliest[number]}
                events.append(TraceEvent(event=plan.statements[number].text, times=eras))
            pairs = {
                f"{earlier} before {later}": pair_score(times[first], times[second])
                for (earlier, first), (later, second) in combinations(enumerate(row, 1), 2)
            }
            return {"events": tuple(events), "pairs": pairs}
        slope, middle = self._model.learned["truth"]
        claims = plan.truth[choice] if plan.way == "combination" else [None] * len(row)
        shown = []
        for number, claimed in zip(row, claims, strict=True):
            score = float(self.judgement.scores[start + number])
            statement = TraceStatement(
                text=plan.statements[number].text,
                score=score,
                names=self._contributions(start + number),
                places=dict(self.judgement.claims.places[start + number]),
                counted=self.counts_of(start + number),
                claimed=claimed,
                log_probability=None
                if claimed is None
                else log_probability(slope * score + middle, claimed),
            )
            shown.append(statement)
        truth = {"truth": {"slope": slope, "middle": middle}} if plan.way == "combination" else {}
        return {"statements": tuple(shown), **truth}

    def _contributions(self, number: int) -> dict[str, Mapping[str, float]]:
        """The contributions to the score of statement `number`: label of a judged name → feature →
        weight × standardised value, with "sum" for all, and "rest" for those below `_LEAST` (0.01)
        in absolute value. Names that are not judged are left out."""
        shown: dict[str, Mapping[str, float]] = {}
        places = np.flatnonzero(self._flat.claim == number).tolist()
        for position, label in zip(places, self.judgement.claims.labels[number], strict=True):
            if self.judgement.judged[position]:
                added = self.judgement.rows[position] * self._model.weights
                large = {
                    name: float(value)
                    for name, value in zip(NAMES, added, strict=True)
                    if abs(value) >= _LEAST
                }
                rest = float(added[abs(added) < _LEAST].sum())
                shown[label] = {"sum": float(self.judgement.u[position]), **large, "rest": rest}
        return shown

    def counts_of(self, number: int) -> dict[str, TraceCount]:
        """Counts for a trace, by key of a judged name, that of the greatest contribution first:
        co-occurrences with the three names of the statement that are beside it most above
        chance, frequency in retrieved passages. `number` is the index of the statement. Names that
        the index does not know are left out."""
        counted, keys = {}, self._counts.keys
        window, paragraph = unit_of(self._counts, "window"), unit_of(self._counts, "paragraph")
        for position in self._judged_places(number):
            row = int(self._flat.rows[position])
            others = self._flat.pair_with[self._flat.pair_of == position]
            rows = np.full(len(others), row)
            sections = values_at(unit_of(self._counts, "section").beside, rows, others)
            times = np.exp(mutual_information("window", window, rows, others))
            beside = []
            for n, other in enumerate(others.tolist()):
                paragraphs = np.unique(
                    self._counts.paragraph_of[passages_with_both(window, row, other)]
                )
                beside.append((keys[other], len(paragraphs), float(times[n]), int(sections[n])))
            retrieved = self._retrieved
            assert retrieved is not None  # noqa: S101 - without it `_judged_places` is empty
            led = float(
                holds(paragraph, row, retrieved.passages[position]) @ retrieved.shares[position]
            )
            counted[keys[row]] = TraceCount(
                beside=tuple(sorted(beside, key=lambda entry: -entry[2])[:_OTHERS]),
                led=(led, float(paragraph.name_counts[row] / paragraph.size)),
            )
        return counted

    def passages(self, index: Index, most: int) -> list[list[TraceEvidence]]:
        """The decisive passages of each statement, at most `most`, each paragraph once: for each of
        its `_NAMES` (3) most decisive names the one with another name, and the one that the rest of
        the statement retrieves. Those no longer in the index are left out. Makes at most one
        request to the index."""
        wanted: list[list[_Wanted]] = []
        for number in range(len(self.judgement.scores)):
            once: dict[int, _Wanted] = {}  # by paragraph
            for position in self._judged_places(number)[:_NAMES]:
                for passage in (
                    self._passage_with_others(number, position),
                    self._retrieved_passage(number, position),
                ):
                    if passage:
                        once.setdefault(passage[0], passage)
            wanted.append(list(once.values())[:most])
        paragraphs = sorted({paragraph for row in wanted for paragraph, *_ in row})
        doc_ids = [doc_id_at(self._counts.book.doc_ids, paragraph) for paragraph in paragraphs]
        part, key = (
            (SENTENCES, PARAGRAPH) if holds_sentences(index.metadata) else (PARAGRAPHS, "doc_id")
        )
        documents = index.part(part.name).lookup(key, doc_ids) if doc_ids else []
        texts = dict(zip(paragraphs, documents, strict=True))
        return [
            [self._with_text(*passage, texts[passage[0]]) for passage in row if texts[passage[0]]]
            for row in wanted
        ]

    def _with_text(
        self,
        paragraph: int,
        sentences: Sequence[int],
        passage: TraceEvidence,
        documents: Sequence[Document],
    ) -> TraceEvidence:
        """A passage with the id, citation and text of `sentences` (numbers in the book), and "…"
        for sentences left out between them. `documents` are all sentences of the paragraph; in
        an index of whole paragraphs, the paragraph: the text is then cut to 400 characters, with
        "…"."""
        documents = sorted(documents, key=lambda document: document.doc_id)
        first = int(np.searchsorted(self._counts.paragraph_of, paragraph))
        numbers = sorted({sentence - first for sentence in sentences})
        whole = doc_id_at(self._counts.book.doc_ids, paragraph)
        if documents[0].doc_id == whole:  # an index of whole paragraphs
            shown = documents[0]
            text = shown.text if len(shown.text) <= _CUT else shown.text[: _CUT - 1] + "…"
        else:
            shown, text = documents[numbers[0]], ""
            for number in numbers:
                if text:
                    text += " " if number - 1 in numbers else " … "
                text += documents[number].text
        return replace(
            passage, doc_id=shown.doc_id, title=decode_place(documents[0]).citation, text=text
        )

    def _judged_places(self, number: int) -> list[int]:
        """A statement's judged names that the index knows, by falling absolute contribution, as
        indices in the judgement; the statement as a whole is not one."""
        if self._retrieved is None:
            return []
        mask = (
            (self._flat.claim == number)
            & self.judgement.judged
            & ~self._flat.whole
            & (self._flat.rows >= 0)
        )
        return sorted(
            np.flatnonzero(mask).tolist(),
            key=lambda position: (-abs(float(self.judgement.u[position])), position),
        )

    def _passage_with_others(self, number: int, position: int) -> _Wanted | None:
        """The passage with the name at `position` and the other name of statement `number` that
        most often occurs near it, within three sentences, None if no other name does; of several
        passages the first with most of the statement's other names. Shows its sentences with one of
        the two names."""
        others = self._flat.pair_with[self._flat.pair_of == position]
        row = int(self._flat.rows[position])
        window, paragraph_of = unit_of(self._counts, "window"), self._counts.paragraph_of
        times = values_at(window.beside, np.full(len(others), row), others)
        if not times.any():
            return None
        other = int(others[int(times.argmax())])
        shared = passages_with_both(window, row, other)
        # Of these the passage with most of the statement's other names.
        middle = int(
            shared[int(np.argmax(sum(holds(window, int(name), shared) for name in others)))]
        )
        # A window has three sentences: only those with one of the two names are shown.
        near = np.arange(max(0, middle - 1), min(middle + 2, len(paragraph_of)))
        near = near[paragraph_of[near] == paragraph_of[middle]]
        sentence = unit_of(self._counts, "sentence")
        holding = near[(holds(sentence, row, near) + holds(sentence, other, near)) > 0].tolist()
        labels = self._counts.keys[row], self._counts.keys[other]
        says = (
            " and ".join(self._surface_form(number, label) for label in labels)
            + " stand together here"
        )
        return int(paragraph_of[middle]), holding, TraceEvidence(says=says, names=labels)

    def _retrieved_passage(self, number: int, position: int) -> _Wanted | None:
        """The paragraph that ranks first for the terms of statement `number` without the name at
        `position`, None if none is retrieved. Shows its two best sentences and its first sentence
        with the name."""
        if self._retrieved is None or not self._retrieved.shares[position][0]:
            return None
        top = int(self._retrieved.passages[position][0])
        row = int(self._flat.rows[position])
        label = self._counts.keys[int(self._flat.rows[position])]
        paragraph, sentence = unit_of(self._counts, "paragraph"), unit_of(self._counts, "sentence")
        terms = np.unique(self._flat.term[self._flat.term_of == position])
        scores = values_at(paragraph.terms.weights, terms, np.full(len(terms), top))
        has_name = bool(holds(paragraph, row, np.array([top]))[0])
        inside = np.arange(*np.searchsorted(self._counts.paragraph_of, (top, top + 1)))
        worth = np.asarray(csr_array(sentence.terms.incidence[terms][:, inside]).T @ scores).ravel()
        best = [int(inside[n]) for n in np.argsort(-worth, kind="stable")[:2] if worth[n] > 0]
        with_name = np.intersect1d(passages_with(sentence, row), inside)[:1].tolist()
        names = list(self._counts.book.term_row)
        weights = {names[t]: float(w) for t, w in zip(terms, scores, strict=True) if w}
        whether = "stands too" if has_name else "does not stand"
        passage = TraceEvidence(
            score=float(scores.sum()),
            terms=most_first(weights),
            says=f"the rest of the statement leads here, where "
            f"{self._surface_form(number, label)} {whether}",
            names=(label,) if has_name else (),
        )
        return top, [*best, *with_name], passage

    def _surface_form(self, number: int, label: str) -> str:
        """The words by which a statement names an entity, given by its label; the label without
        quotation marks if it has no place in the statement."""
        start, end = self.judgement.claims.places[number].get(label, (0, 0))
        return self.judgement.statements[number].text[start:end] or label.strip("“”")


def era_name(era: int) -> str:
    """The years of an era by its number: "1450–1499", "2500–2251 BCE", "before 6000 BCE"
    (the first), "from 2020" (the last). The year 0 is 1 BCE."""
    first, last = (int(bound) for bound in BOUNDS[era : era + 2])
    if era == 0:
        return f"before {-last} BCE"
    if era == ERAS - 1:
        return f"from {first}"
    return f"{-first}–{1 - last} BCE" if last <= 0 else f"{max(first, 1)}–{last - 1}"
