"""Explanation of a choice's score in a trace: names of every statement with their signals, times of every event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from answerer.ntcir.multiple_choice.names.eras import era_name
from answerer.ntcir.multiple_choice.names.explained.evidence import Causes
from answerer.ntcir.multiple_choice.names.judgement import Judgement
from answerer.ntcir.multiple_choice.names.ordering import pair_score
from answerer.ntcir.multiple_choice.names.weights import NAMES, TruthLine
from answerer.ntcir.multiple_choice.shapes import Plan
from answerer.trace import TraceEvent, TraceStatement
from indexer.files.arrays import Float64Array

_LEAST = 0.01  # what a signal adds at least to be listed by itself
_ERAS_SHOWN = 3


class Explainer(NamedTuple):
    """The parts of the scores of an exam; `causes` if a trace with counts is wanted."""

    judgement: Judgement
    times: Mapping[int, Float64Array]
    weights: Float64Array
    truth: TruthLine
    causes: Causes | None = None

    def fields(self, each: Plan, choice: int, start: int) -> dict[str, Any]:
        """The parts of the score of a choice, as fields of a `TraceCandidate`.

        The statements of its question begin at number `start`.
        """
        if each.way == "ordering":
            return _order(each, each.rows[choice], self.times[start])
        shown = []
        for place, number in enumerate(each.rows[choice]):
            entry = self._statement(start + number, each.statements[number].text)
            if each.way == "combination":
                claimed = each.truth[choice][place]
                odds = self.truth.slope * entry.score + self.truth.middle
                likely = float(-np.logaddexp(0.0, -odds if claimed else odds))
                entry = replace(entry, claimed=claimed, log_probability=likely)
            shown.append(entry)
        return {"statements": tuple(shown), **({"truth": self.truth._asdict()} if each.way == "combination" else {})}

    def _statement(self, number: int, text: str) -> TraceStatement:
        """A statement's score and names, and the places of the names in its text."""
        return TraceStatement(
            text=text,
            score=float(self.judgement.scores[number]),
            names=_names(number, self.judgement, self.weights),
            places=dict(self.judgement.claims.places[number]),
            counted=self.causes.trace_counts(number) if self.causes else {},
        )


def _order(each: Plan, row: Sequence[int], times: Float64Array) -> dict[str, Any]:
    """The likeliest times of the events in the order claimed, and the log probability of each pair, which add up.

    A pair names the events by their places in that order.
    """
    events = [TraceEvent(event=each.statements[number].text, times=_likeliest(times[number])) for number in row]
    pairs = {
        f"{place} before {later}": pair_score(times[first], times[second])
        for (place, first), (later, second) in combinations(enumerate(row, 1), 2)
    }
    return {"events": tuple(events), "pairs": pairs}


def _names(number: int, judgement: Judgement, weights: Float64Array) -> dict[str, Mapping[str, float]]:
    """The contributions (weight × standardised value) of signals to each judged name; small ones add up to "rest"."""
    first = int(np.searchsorted(judgement.parts, number))
    shown: dict[str, Mapping[str, float]] = {}
    for place in np.flatnonzero((judgement.parts == number) & judgement.judged):
        added = judgement.rows[place] * weights
        large = {name: float(value) for name, value in zip(NAMES, added, strict=True) if abs(value) >= _LEAST}
        label = judgement.claims.labels[number][place - first]
        shown[label] = {"sum": float(judgement.u[place]), **large, "rest": float(added[abs(added) < _LEAST].sum())}
    return shown


def _likeliest(times: Float64Array) -> dict[str, float]:
    """The eras in which an event most probably was."""
    best = np.argsort(-times, kind="stable")[:_ERAS_SHOWN]
    return {era_name(int(era)): float(times[era]) for era in best}
