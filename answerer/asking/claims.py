"""The verdict on the claim of a yes-no question: what the sentence nearest to it says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from answerer.ntcir.term.candidates import Retrieval, proximity
from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.questions import TermQuestion
from indexer.engines.scoring import round_score
from retriever.passages import Passage

_NAME_OR_NUMBER = re.compile(r"\d+|[ァ-ヺー]{3,}")
PARTICLES = re.compile("[ぁ-ん]+")
"""Japanese terms that say nothing of the matter."""


class Verdict(NamedTuple):
    """Whether a claim holds by the passage nearest to it: why not ("" for nothing that differs), the
    fraction of the claim's idf that the passage has, and the claim's terms that it lacks."""

    holds: bool
    passage: Passage
    coverage: float
    reason: str
    lacking: list[str]


def verify(claim: TermQuestion, retrieved: Retrieval, language: TermLanguage) -> Verdict:
    """The verdict on a claim: it does not hold if the best sentence lacks a name, date or number of
    it, or has another date nearer to its terms. There must be a passage."""
    weights = retrieved.weights
    terms = [term for term in retrieved.terms if not PARTICLES.fullmatch(term)]
    held = [
        set(language.terms(f"{passage.title} {passage.text}")) for passage in retrieved.passages
    ]
    shares = [sum(weights.get(term, 0.0) for term in terms if term in own) for own in held]
    place = max(
        range(len(held)), key=lambda number: (shares[number], retrieved.passages[number].score)
    )
    best, own = retrieved.passages[place], held[place]
    said = language.fold(f"{best.title} {best.text}")
    mentions = [
        name.surface
        for name in language.language.recogniser(language.glossary).mentions(claim.text)
    ]
    others = [match.group() for match in _NAME_OR_NUMBER.finditer(claim.text)]
    names = list(
        dict.fromkeys(
            [*mentions, *(one for one in others if not any(one in name for name in mentions))]
        )
    )
    # a sentence that agrees in all but a name or date contradicts the question
    wrong = [
        name
        for name in names
        if own.isdisjoint(language.terms(name)) and language.fold(name) not in said
    ]
    named = {term for name in names for term in language.terms(name)}
    lacking = [term for term in terms if term not in own and term not in named]
    reason = f"the sentence does not say {', '.join(wrong)}" if wrong else ""
    reason = _rival_date(claim.text, best.text, weights, language) or reason
    share = round_score(shares[place] / (sum(weights.values()) or 1.0))
    return Verdict(not reason, best, share, reason, lacking)


def _rival_date(
    text: str, sentence: str, weights: Mapping[str, float], language: TermLanguage
) -> str:
    """A date of the sentence that is nearer to the question's terms than the date that both share;
    "" without one."""
    clean = language.tools.clean(sentence)
    dates = [span for span in language.spans(clean) if span.shape in ("time", "years")]
    of_dates = {term for span in dates for term in language.terms(span.text)}
    places = language.places(clean.casefold(), weights.keys() - of_dates)
    shared = {span: language.fold(span.text) in language.fold(text) for span in dates}
    # at the same distance the shared date counts
    dates.sort(
        key=lambda span: (
            -proximity((span.start, span.end), places, weights, 1.0),
            not shared[span],
        )
    )
    return dates[0].text if any(shared.values()) and not shared[dates[0]] else ""
