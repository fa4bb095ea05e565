"""How much each signal counts: by hand where candidates are chosen to be judged, as learned where they are ranked."""

from __future__ import annotations

from collections.abc import Mapping

from answerer.ntcir.term.questions import TermQuestion
from answerer.ntcir.term.signals import Candidate
from indexer.engines.scoring import rounded
from retriever.learning.hand import hand_weights

HAND = hand_weights(__package__)
ASKED = hand_weights(__package__, "weights-asked.tsv")
GAP = hand_weights(__package__, "weights-gap.tsv")
"""Learned by benchmarks/term_weights.py from real questions, and from sentences with a gap."""


def weights_of(question: TermQuestion) -> Mapping[str, float]:
    """The weights of a question: a gap is filled by others than a question is answered by."""
    return GAP if question.has_gap else ASKED


def set_scores(candidates: list[Candidate], weights: Mapping[str, float]) -> None:
    """Score the candidates (Σ weight · signal, 5 significant digits) and sort them, ties by text."""
    for candidate in candidates:
        candidate.score = rounded(sum([weight * candidate.signals[name] for name, weight in weights.items()]))
    candidates.sort(key=lambda candidate: (-candidate.score, candidate.text))
