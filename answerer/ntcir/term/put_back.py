"""How well a candidate fits when it is put back into the question: what the two together retrieve."""

from __future__ import annotations

import math
from collections.abc import Sequence

from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.passages import Retrieved, by_term
from answerer.ntcir.term.signals import Candidate
from indexer.engines.contract import Index, Query
from indexer.sources.textbook.schema import PARAGRAPHS
from retriever.queries import union_query
from retriever.term_counts import documents_with

TRIED = 12  # candidates of a question that are put back
_TERMS = 8  # terms of the question, the heaviest, that it is counted with
_DAMPING = 0.5
_DIGITS = 4  # a difference of scores: the engines' last bits weigh more in it than in the scores


def set_put_back(
    ranked: Sequence[Sequence[Candidate]], retrieved: Sequence[Retrieved], index: Index, language: TermLanguage
) -> None:
    """Fill "put back" for the first candidates of each question, in one round trip for all.

    The signal is the rise of the best paragraph's score, S(question + candidate) − S(question), relative to
    S(candidate): 1 where a paragraph that answers the question best is also one about the candidate.
    """
    queries: list[Query] = []
    for candidates, each in zip(ranked, retrieved, strict=True):
        queries.append(by_term(each.terms))
        for candidate in candidates[:TRIED]:
            new = {term: 1.0 for term in language.terms(candidate.text) if term not in each.terms}
            queries += [by_term(new), by_term({**each.terms, **new})]
    best = iter([hits[0].score if hits else 0.0 for hits in index.part(PARAGRAPHS.name).search(queries, 1)])
    for candidates in ranked:
        alone = next(best)
        for candidate in candidates[:TRIED]:
            own, together = next(best), next(best)
            candidate.signals["put back"] = round((together - alone) / own, _DIGITS) if own else 0.0


def set_association(
    ranked: Sequence[Sequence[Candidate]], retrieved: Sequence[Retrieved], index: Index, language: TermLanguage
) -> None:
    """Fill "association" of each question's candidates, in two round trips for all.

    The pointwise mutual information of the candidate's rarest term c with the question's heaviest terms t, over
    all paragraphs: Σ w(t) log((n(c, t) + ½) / (n(c) n(t) / N + ½)) / Σ w(t), times the share of eight that
    there are of the terms (the mean of few says little); 0 for a candidate without terms.
    Paragraphs with both are counted as n(c) + n(t) − n(c or t).
    """
    part = index.part(PARAGRAPHS.name)
    heavy = [_heaviest(each) for each in retrieved]
    own = [[language.terms(one.text) for one in candidates] for candidates in ranked]
    terms = sorted({term for each in heavy for term in each} | {t for each in own for ts in each for t in ts})
    counts = documents_with(part, terms)
    rarest = [[min(ts, key=lambda t: (counts[t], t)) if ts else "" for ts in each] for each in own]
    pairs = sorted({(c, t) for cs, ts in zip(rarest, heavy, strict=True) for c in cs for t in ts if c and c != t})
    either = dict(zip(pairs, part.count([union_query(pair) for pair in pairs]), strict=True))
    for candidates, cs, ts in zip(ranked, rarest, heavy, strict=True):
        for candidate, c in zip(candidates, cs, strict=True):
            values = [
                (weight, counts[c] + counts[t] - either[c, t], counts[c] * counts[t] / len(part))
                for t, weight in ts.items()
                if (c, t) in either
            ]
            whole = sum(weight for weight, _, _ in values) or 1.0
            total = sum(w * math.log((both + _DAMPING) / (chance + _DAMPING)) for w, both, chance in values)
            candidate.signals["association"] = total / whole * len(values) / _TERMS


def _heaviest(retrieved: Retrieved) -> dict[str, float]:
    """The heaviest terms of a question with their weights, idf times the weight of their text."""
    weights = {term: idf * retrieved.terms[term] for term, idf in retrieved.idf.items()}
    return dict(sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:_TERMS])
