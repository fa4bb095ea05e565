"""ROUGE over terms: n-grams by the rouge-score package, longest common subsequence and skip bigrams here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

Terms = Sequence[str]
_SKIP = 4  # terms between the two of a skip bigram at most: the 4 of ROUGE-SU4 [ROUGE]


class Rouge(NamedTuple):
    """Precision, recall and their harmonic mean, each in [0, 1]; 0 if nothing matches or a text is empty."""

    precision: float
    recall: float
    f1: float


def rouge_n(terms: Terms, golds: Sequence[Terms], n: int) -> Rouge:
    """ROUGE-N of an answer: clipped n-grams, averaged over the gold texts ([ROUGE]; package rouge-score 0.1.2).

    Terms must not contain blanks. 0 without gold texts.
    """
    scorer = _scorer(f"rouge{n}")
    answer = " ".join(terms)

    def against(gold: Terms) -> Rouge:
        score = scorer.score(" ".join(gold), answer)[f"rouge{n}"]
        return Rouge(float(score.precision), float(score.recall), float(score.fmeasure))

    return _average(against, golds)


class _BySpaces:
    """Tokenizer that only splits at blanks, because terms are passed joined by blanks."""

    def tokenize(self, text: str) -> list[str]:
        return text.split()


@cache
def _scorer(kind: str) -> Any:
    """The scorer of the package for "rouge1" or "rouge2"."""
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer([kind], tokenizer=_BySpaces())


def rouge_l(terms: Terms, golds: Sequence[Terms]) -> Rouge:
    """ROUGE-L of an answer as one sentence: the longest common subsequence, averaged over the gold texts ([ROUGE]).

    Computed on integers as bit vectors (Hyyrö 2004): a hundred times as fast as the package's table, with which tests
    compare it. 0 without gold texts.
    """

    def against(gold: Terms) -> Rouge:
        return _rouge(_common_subsequence(terms, gold), len(terms), len(gold))

    return _average(against, golds)


def _common_subsequence(left: Terms, right: Terms) -> int:
    """The length of the longest common subsequence, by bit vectors (a 0 bit of `unmatched` is a matched term of
    `left`)."""
    places: dict[str, int] = {}
    for place, term in enumerate(left):
        places[term] = places.get(term, 0) | 1 << place
    everything = (1 << len(left)) - 1
    unmatched = everything
    for term in right:
        reached = unmatched & places.get(term, 0)
        unmatched = ((unmatched + reached) | (unmatched - reached)) & everything
    return len(left) - unmatched.bit_count()


def rouge_su4(terms: Terms, golds: Sequence[Terms]) -> Rouge:
    """ROUGE-SU4 of an answer: single terms, and ordered pairs with at most four terms between, clipped.

    Averaged over the gold texts ([ROUGE]); 0 without gold texts.
    """
    own = _skip_bigrams(terms)

    def against(gold: Terms) -> Rouge:
        its = _skip_bigrams(gold)
        return _rouge((own & its).total(), own.total(), its.total())

    return _average(against, golds)


def _skip_bigrams(terms: Terms) -> Counter[tuple[str, ...]]:
    """The single terms (1-tuples) of a text and its ordered pairs with at most four terms between (2-tuples), with
    their counts."""
    bigrams: Counter[tuple[str, ...]] = Counter((term,) for term in terms)
    for gap in range(1, _SKIP + 2):
        bigrams.update(zip(terms, terms[gap:], strict=False))
    return bigrams


def _rouge(common: int, answer: int, gold: int) -> Rouge:
    """Precision, recall and F1 from counts: `common` n-grams (or terms), of `answer` and `gold` in the two texts; 0
    without common ones."""
    if not common:
        return Rouge(0.0, 0.0, 0.0)
    return Rouge(common / answer, common / gold, 2 * common / (answer + gold))


def _average(against: Callable[[Terms], Rouge], golds: Sequence[Terms]) -> Rouge:
    """The means of precision, recall and F1 of `against(gold)` over the gold texts; 0 without gold texts."""
    scores = [against(gold) for gold in golds]
    if not scores:
        return Rouge(0.0, 0.0, 0.0)
    return Rouge(*(sum(values) / len(scores) for values in zip(*scores, strict=True)))
