"""How much each signal counts: hand-set weights, on real questions better than any learned from pseudo questions."""

from __future__ import annotations

from collections.abc import Mapping

from answerer.ntcir.term.questions import TermQuestion, gaps
from answerer.ntcir.term.signals import SIGNALS, Candidate

WEIGHTS: Mapping[str, float] = {
    "passage": 3.0,
    "three passages": 2.0,
    "proximity": 6.0,
    "coverage": 2.0,
    "apposition": 2.0,
    "type": 3.0,
    "other type": -1.5,
    "ends with focus": 3.0,
    "kind is focus": 3.0,
    "gap's neighbours": 4.0,
    "unit": 2.0,
    "of": 1.0,
    "glossed": 1.0,
    "definition": 2.0,
    "whole": 1.0,
    "only inside": -1.0,
    "single character": -1.0,
    "hiragana": -2.0,
    "latin": -0.5,
    "common noun": -2.0,
    "proper noun": 2.0,
    "question's words": -1.0,
    "put back": 1.0,
    "association": 1.0,
}


# A text with a gap says more of its answer than a question does: it is long, and the answer's place is known.
GAP_WEIGHTS: Mapping[str, float] = {**WEIGHTS, "association": 2.0, "proximity": 8.0, "three passages": 3.0}


def weights_of(question: TermQuestion) -> Mapping[str, float]:
    """The weights for a question: those of texts with a gap where it has one."""
    return GAP_WEIGHTS if gaps(question.asked) else WEIGHTS


def set_scores(question: TermQuestion, found: list[Candidate]) -> None:
    """Score the candidates (Σ weight · signal, 5 significant digits) and sort them, ties by text."""
    weights = weights_of(question)
    counting = [(name, weights[name]) for name in SIGNALS if weights[name]]
    for candidate in found:
        total = sum([weight * candidate.signals[name] for name, weight in counting])
        candidate.score = float(f"{total:.5g}")
    found.sort(key=lambda candidate: (-candidate.score, candidate.text))
