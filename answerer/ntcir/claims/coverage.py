"""How much of a claim each passage has, what it lacks, and which passage is nearest."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from answerer.ntcir.claims.english.quantities import is_of_part
from answerer.ntcir.claims.english.statement import is_stated
from answerer.ntcir.claims.english.tokens import tag_tokens
from answerer.ntcir.claims.japanese.numbers import with_common_years
from answerer.ntcir.claims.japanese.statement import KINDS
from answerer.ntcir.claims.passages import retrieved_before
from answerer.ntcir.claims.wording import DERIVED, all_forms, base_terms, japanese_share, word_share
from answerer.ntcir.term.candidates import Retrieval
from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.questions import TermQuestion
from indexer.analysis.english_numbers import WORD, in_figures
from retriever.passages import Passage

PARTICLES = re.compile("[ぁ-ん]+")
"""Japanese terms that say nothing of the matter."""


# katakana behind a figure are a unit (640メートル)
_NAME_OR_NUMBER = re.compile(r"\d+|(?<![\dァ-ヺー])[ァ-ヺー]{3,}")
_JOINTS = re.compile(r"(?<=[ァ-ヺー])[・＝=](?=[ァ-ヺー])")  # タージ・マハル is タージ＝マハル
_NUMBER_OR_WORD = re.compile(WORD)
_CAPITAL = re.compile(r"\b[A-Z0-9]\w*+")
_CAPITAL_INSIDE = re.compile(r"(?<=[\w,;] )[A-Z0-9]\w*+")
# Share of the claim's idf that the nearest passage must have: below it the book hardly speaks of
# the matter, and the claim is neither confirmed nor contradicted.
ABOUT = 0.5
_READ = 10  # passages, those nearest to the claim, of which one that states it is preferred
_LACKS_NAME = 0.75  # times the coverage of a passage that lacks a name or number of the claim
_PAIR = 0.9  # times the coverage of two sentences: .8 and 1 do as well
_AS_NEAR = 0.9  # times the coverage of the nearest: as near to the claim


class ComparedClaim(NamedTuple):
    """A claim beside its passages; what has a row for each passage is in their order."""

    claim: TermQuestion
    retrieved: Retrieval
    language: TermLanguage
    terms: list[str]
    """The claim's terms, without particles."""
    terms_of: list[set[str]]
    """By passage: the terms of its heading and text, in all forms."""
    shares: list[float]
    """By passage: the part of the claim's idf that it has, 0 to 1."""
    names: list[str]
    """The claim's names and numbers."""
    lacked: list[list[str]]
    """By passage: the names and numbers that it lacks, those of `elsewhere` left out."""
    elsewhere: list[list[str]]
    """By passage: in English, the names and numbers that only a sentence before it in its
    paragraph, of those retrieved, has."""
    terms_of_names: list[set[str]]
    """By passage: the terms of its words with a capital or figure, but for each sentence's first
    word."""
    lacking: list[list[str]]
    """By passage: the other terms of the claim that it lacks."""
    near_ones: list[int]
    """The positions of passages that are as near, nearest first; may be empty."""
    nearest: int
    """The position of the passage that decides."""


def compare_claim(
    claim: TermQuestion, retrieved: Retrieval, language: TermLanguage
) -> ComparedClaim:
    """A claim beside its passages. The nearest passage has most of the claim's idf, which counts
    less if it lacks a name; in English it is the first of the near ones that states the claim.
    IndexError without a passage."""
    weights = {term: weight for term, weight in retrieved.weights.items() if term not in KINDS}
    total = sum(weights.values()) or 1.0
    terms = [
        term for term in retrieved.terms if not PARTICLES.fullmatch(term) and term not in KINDS
    ]
    terms_of = [
        all_forms(f"{passage.heading} {passage.text}", language) for passage in retrieved.passages
    ]
    names = _names(claim, language)
    lacked = [
        _lacked_names(names, passage, words, language)
        for passage, words in zip(retrieved.passages, terms_of, strict=True)
    ]
    share_of = [
        _term_shares(terms, words, [name for name in names if name not in wrong], language)
        for words, wrong in zip(terms_of, lacked, strict=True)
    ]
    shares = [
        sum(weights.get(term, 0.0) * share for term, share in row.items()) / total
        for row in share_of
    ]
    near = [
        share * (_LACKS_NAME if wrong else 1) * (1 if passage.score else _PAIR)
        for share, wrong, passage in zip(shares, lacked, retrieved.passages, strict=True)
    ]
    order = sorted(
        range(len(shares)),
        key=lambda position: (-near[position], -retrieved.passages[position].score),
    )
    near_ones = [n for n in order[:_READ] if near[n] >= max(ABOUT, _AS_NEAR * near[order[0]])]
    nearest = next(
        (n for n in near_ones if states(claim, retrieved.passages[n], language)), order[0]
    )
    elsewhere: list[list[str]] = [[] for _ in lacked]
    if language.language.code == "en":
        for n, before in enumerate(retrieved_before(retrieved.passages)):
            elsewhere[n] = _had_by(lacked[n], before, language)
            lacked[n] = [name for name in lacked[n] if name not in elsewhere[n]]
    of_names = {term for name in names for term in language.terms(name)}
    lacking = [
        [term for term in terms if not row[term] and term not in of_names] for row in share_of
    ]
    return ComparedClaim(
        claim,
        retrieved,
        language,
        terms,
        terms_of,
        shares,
        names,
        lacked,
        elsewhere,
        [
            {*language.terms(" ".join(_CAPITAL_INSIDE.findall(passage.text)))}
            for passage in retrieved.passages
        ],
        lacking,
        near_ones,
        nearest,
    )


def _had_by(names: Sequence[str], text: str, language: TermLanguage) -> list[str]:
    """Those of the names and numbers, in order, that an English text has as `_lacked_names` says
    (Bonaparte is Napoleon Bonaparte); [] for no text."""
    if not text or not names:
        return []
    context = Passage("", "", "", text, 0.0, 0.0)
    lacked = _lacked_names(names, context, set(), language)
    return [name for name in names if name not in lacked]


def _term_shares(
    terms: Sequence[str], words: set[str], names: Sequence[str], language: TermLanguage
) -> dict[str, float]:
    """Each term of a claim → its `word_share` in a passage with the terms `words`, that of a whole
    name for the words of the `names` that the passage has (Lincoln, for Abraham Lincoln); outside
    English 1 or 0."""
    if language.language.code == "ja":
        return {term: japanese_share(term, words) for term in terms}
    if language.language.code != "en":
        return {term: float(term in words) for term in terms}
    of_names = {term for name in names for term in language.terms(name)}
    return {
        term: word_share(term, words) or (DERIVED if term in of_names else 0.0) for term in terms
    }


def _lacked_names(
    names: Sequence[str], passage: Passage, words: set[str], language: TermLanguage
) -> list[str]:
    """Those of the names and numbers that a passage with the terms `words` lacks, in order. It has
    a name if its title or text writes it so, or its text has all the name's figures and its last
    word, a surname, with a capital, or all its words; in languages without spaces any of its
    words."""

    def plain(text: str) -> str:
        if language.spaced:  # 18th and eighteenth are one word
            return " ".join(filter(None, in_figures(_NUMBER_OR_WORD.findall(language.fold(text)))))
        return _JOINTS.sub("", language.fold(with_common_years(text)))

    folded = plain(f"{passage.heading} {passage.text}")
    # a surname has a capital: that of "Opium War" is not in "war"
    capitals = " ".join(_CAPITAL.findall(passage.text))
    of_text = set(language.terms(capitals)) if language.spaced else words
    of_any_case = set(language.terms(passage.text))
    numbers = set(re.findall(r"\d+", folded))

    def lacks(name: str) -> bool:
        terms = language.terms(name)
        words = [term for term in terms if len(term) > 1 and not term.isdigit()] or terms
        parts = words[-1:] if language.spaced else words
        is_whole = language.spaced and set(terms) <= of_any_case
        if not numbers.issuperset(re.findall(r"\d+", plain(name))):
            return True
        return of_text.isdisjoint(parts) and not is_whole

    return [name for name in names if plain(name) not in folded and lacks(name)]


def lacks_given_name(name: str, words: Collection[str], language: TermLanguage) -> bool:
    """Whether a passage with the terms `words` has the first word of a Japanese name of several,
    and not the last."""
    terms = language.terms(name)
    return len(terms) > 1 and terms[0] in words and terms[-1] not in words


def _names(claim: TermQuestion, language: TermLanguage) -> list[str]:
    """The names and numbers of a claim, each once: first the mentions that are recognised, as
    written, then runs of digits and katakana words (three characters or more) that no mention
    contains; in Japanese those of the text with its numbers in figures (五万二千: 52000)."""
    recogniser = language.language.recogniser(language.glossary)
    text = claim.text if language.spaced else with_common_years(claim.text)
    mentions = [mention.surface for mention in recogniser.mentions(claim.text)]
    others = [match.group() for match in _NAME_OR_NUMBER.finditer(text)]
    apart = [other for other in others if not any(other in name for name in mentions)]
    return list(dict.fromkeys([*mentions, *apart]))


_ONLY = re.compile(r"\bonly\b", re.IGNORECASE)


def states(
    claim: TermQuestion,
    passage: Passage,
    language: TermLanguage,
    ignored: Collection[str] = (),
) -> bool:
    """Whether one clause of a passage states an English claim, but for its words `ignored`; False
    in other languages, for a claim with "only", and where the passage says it of a part."""
    if language.language.code != "en":
        return False

    of_base = base_terms(language.terms)

    def stem(word: str) -> Sequence[str]:
        return () if word in ignored else of_base(word)

    tokens, sentence = tag_tokens(claim.text, stem), tag_tokens(passage.text, stem)
    if _ONLY.search(claim.text) or is_of_part(tokens, sentence):
        return False
    return is_stated(claim.text, passage.text, stem)


def words_of_names(names: Sequence[str]) -> set[str]:
    """The words of all names, with their capitals."""
    return {word for name in names for word in re.findall(r"\w+", name)}
