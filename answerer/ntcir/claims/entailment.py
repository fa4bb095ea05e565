"""How likely it is that a sentence says what an English claim says: by how much of the claim it has
and by what differs, weighed as recognising textual entailment (RTE-1 to 3) has taught."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

from answerer.ntcir.claims.english.differences import differences
from answerer.ntcir.claims.english.tokens import AUXILIARIES, NEGATIONS, Token, tag_tokens
from answerer.ntcir.claims.wording import DERIVED, base_terms, word_share
from indexer.analysis.english_numbers import with_figures
from indexer.engines.scoring import round_score
from retriever.learning.model import Model, load_model
from retriever.passages import Passage

TASK = "claims"
FEATURES = (
    "coverage",
    "numbers",
    "negation",
    "modality",
    "contradiction",
    "noun",
    "word",
    "verb",
)
DOUBT = (
    "slope",
    "lacking",
    "names",
    "fraction",
    "coverage",
    "quantifier",
    "stated",
    "contradicted",
    "differs",
    "intercept",
)
_QUANTIFIERS = frozenset(
    "all any both each entirely every everybody everyone most never no none only always".split()
)
DENIED = NEGATIONS | frozenset(
    "fail failed failure refuse refused refusal deny denied denies denial prevent prevented stop "
    "unlikely rejected rejection lack lacked absence absent unlike uncommon rare rarely".split()
)
_UNCERTAIN = frozenset(
    "may might could would should can plan plans planned hope hopes hoped expect expected if "
    "whether fear feared threaten threatened want wants wanted try tried attempt attempted seek "
    "seeks seeking propose proposed possible possibly likely perhaps alleged allegedly suspected "
    "accused claim claims claimed appear appears appeared seem seems seemed".split()
)
_BEFORE = 3  # words before the matched ones, in which a negation concerns them
_NUMBER = re.compile(r"\d[\d,.]*")


def claim_features(
    claim: str,
    sentence: str,
    context: str,
    stem: Callable[[str], Sequence[str]],
    idf: Mapping[str, float],
) -> list[float]:
    """The values of `FEATURES`, in that order, for an English claim, or the yes-no question of it,
    and a sentence; all 0 for a claim without words.

    `coverage`: the fraction of the claim's idf in the sentence or its `context` (a title), each
    word by its `word_share`; terms without idf count as the rarest. `numbers`, `noun`, `word`: 1 if
    a number, a noun, another word of the claim is in neither, nor one of its family or meaning,
    nor, for a given name, the surname behind it. `negation` and `modality`: 1 if, around the
    claim's words, the sentence denies what the claim says or the other way round, and if only the
    sentence says so as possible. `contradiction`: 1 for any of `differences`. `verb`: 1 for a claim
    with a verb that is not an auxiliary. `stem` gives the terms of a word."""
    claim_tokens, tokens = tag_tokens(claim, stem), tag_tokens(sentence, stem)
    if claim_tokens and claim_tokens[0].text.lower() in AUXILIARIES:
        claim_tokens = claim_tokens[1:]
    content = [token for token in claim_tokens if token.stem]
    present = {token.stem for token in tokens if token.stem}
    present |= {term for word in context.split() for term in stem(word)}
    share_of = {token.stem: word_share(token.stem, present) for token in content}
    for first, last in pairwise(reversed(claim_tokens)):  # Lincoln is Abraham Lincoln
        if first.tag == last.tag == "NNP" and share_of.get(first.stem) and last.stem:
            share_of[last.stem] = share_of[last.stem] or DERIVED
    rarest = max(idf.values(), default=1.0)
    weights = [idf.get(token.stem, rarest) for token in content]
    shares = [share_of[token.stem] for token in content]
    total = sum(weights)
    missing = [token for token in content if not share_of[token.stem]]
    around = _words_around(tokens, {token.stem for token in content})
    words = {token.text.lower() for token in claim_tokens}
    numbers = set(_numbers(f"{context} {sentence}"))
    return [
        sum(map(float.__mul__, weights, shares)) / total if total else 0.0,
        float(any(number not in numbers for number in _numbers(claim))),
        float(words.isdisjoint(DENIED) != around.isdisjoint(DENIED)),
        float(words.isdisjoint(_UNCERTAIN) and not around.isdisjoint(_UNCERTAIN)),
        float(bool(differences(claim, sentence, stem))),
        float(any(token.tag.startswith("NN") for token in missing)),
        float(any(not token.tag.startswith("NN") for token in missing)),
        float(any(token.tag.startswith("VB") for token in content)),
    ]


def _words_around(tokens: Sequence[Token], terms: set[str]) -> set[str]:
    """The words, in small letters, of the shortest part of a text that has all those of `terms`
    that the text has, the first of equals, and the `_BEFORE` (3) words before; an empty set if it
    has none of them."""
    last: dict[str, int] = {}
    wanted = len({token.stem for token in tokens if token.stem in terms})
    best: tuple[int, int] | None = None
    for end, token in enumerate(tokens):
        if token.stem not in terms:
            continue
        last[token.stem] = end
        start = min(last.values())
        if len(last) == wanted and (best is None or end - start < best[1] - best[0]):
            best = (start, end)
    if best is None:
        return set()
    return {token.text.lower() for token in tokens[max(0, best[0] - _BEFORE) : best[1] + 1]}


def _numbers(text: str) -> list[str]:
    """The numbers of a text, number words too, in figures without commas, in order."""
    return [number.replace(",", "").rstrip(".") for number in _NUMBER.findall(with_figures(text))]


@cache
def claim_model() -> Model:
    """The model of `FEATURES` that comes with the program, loaded once."""
    return load_model(Path(__file__).with_name("model-claims-en.json"), TASK, FEATURES)


def log_odds(values: Sequence[float], model: Model) -> float:
    """The log odds, without an intercept, that a sentence with `values` of `FEATURES` entails the
    claim: their standardised sum by the model's weights."""
    return float(sum(map(float.__mul__, values, model.factors.tolist()))) - float(
        model.means @ model.factors
    )


def signs(
    claim: str,
    passage: Passage,
    stem: Callable[[str], Sequence[str]],
    idf: Mapping[str, float],
    model: Model,
    *,
    coverage: float,
    is_stated: bool,
    is_contradicted: bool,
    differs: bool,
) -> list[float]:
    """What the probability of an English claim by a passage is computed from, in the order of
    `DOUBT`.

    `slope`: the log odds of entailment by the `model`; `lacking`: how many different words of the
    claim, without stop words and auxiliaries, are not in the passage and its heading, nor one of
    their family or meaning; `names`: how many of these begin with a capital, the claim's
    first word left out; `fraction`: that of the words that are there; `quantifier`: 1 if the claim
    has a word as "all", "only" or "never", not behind "not", that the text lacks. Of the caller:
    `coverage`, as it is, and 1 or 0 for whether one clause states the claim, `is_contradicted` by a
    passage near it, and this one `differs`. Last 1, of the intercept.
    """
    of_base = base_terms(stem)
    tokens, claim_tokens = tag_tokens(passage.text, of_base), tag_tokens(claim, of_base)
    content = {
        token.stem: token
        for token in reversed(claim_tokens)
        if token.stem and token.text.lower() not in AUXILIARIES
    }
    in_passage = {token.stem for token in tokens} | {*of_base(passage.heading)}
    lacked = [stem for stem in content if not word_share(stem, in_passage)]
    first = next((token.stem for token in claim_tokens if token.stem in content), "")
    words = {token.text.lower() for token in tokens}
    quantifiers = {  # "not only" is none
        token.text.lower()
        for before, token in pairwise([Token("", "", "", negated=False), *claim_tokens])
        if before.text.lower() != "not"
    }
    values = claim_features(claim, passage.text, passage.heading, stem, idf)
    return [
        log_odds(values, model),
        len(lacked),
        sum(content[term].text[0].isupper() for term in lacked if term != first),
        1 - len(lacked) / max(1, len(content)),
        coverage,
        bool(quantifiers & _QUANTIFIERS - words),
        is_stated,
        is_contradicted,
        differs,
        1.0,
    ]


def probability(parts: Sequence[float], doubt: Mapping[str, float]) -> float:
    """The probability that a claim holds: the logistic function of its `signs` weighed by
    `doubt` (name of `DOUBT` → weight), learned on questions [Platt]; to 5 significant digits."""
    value = sum(part * doubt[name] for name, part in zip(DOUBT, parts, strict=True))
    return round_score(1 / (1 + math.exp(-value)))
