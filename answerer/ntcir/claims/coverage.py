"""How much of a claim each passage has, what it lacks, and which passage is nearest."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from answerer.ntcir.claims.english.quantities import is_of_part
from answerer.ntcir.claims.english.statement import is_stated
from answerer.ntcir.claims.english.tokens import tag_tokens
from answerer.ntcir.claims.japanese.numbers import with_common_years
from answerer.ntcir.claims.japanese.statement import KINDS
from answerer.ntcir.claims.passages import retrieved_before
from answerer.ntcir.claims.wording import (
    DERIVED,
    all_forms,
    base_terms,
    japanese_phrases,
    japanese_share,
    word_share,
)
from answerer.ntcir.term.candidates import Retrieval
from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.questions import TermQuestion
from indexer.analysis.english_numbers import WORD, in_figures
from retriever.passages import Passage

PARTICLES = re.compile("[ぁ-ん]+")
"""Japanese terms that say nothing of the matter."""


# katakana behind a figure are a unit (640メートル)
_NAME_OR_NUMBER = re.compile(r"\d+|(?<![\dァ-ヺー])[ァ-ヺー]{3,}")
_NUMBER_OR_WORD = re.compile(WORD)
_JOINTS = re.compile(r"(?<=[ァ-ヺー])[・＝=](?=[ァ-ヺー])")  # タージ・マハル is タージ＝マハル
_KATAKANA = re.compile(r"[ァ-ヺー]{2,}")
_ONLY = re.compile(r"\bonly\b", re.IGNORECASE)
_CAPITAL = re.compile(r"\b[A-Z0-9]\w*+")
_REFERS = re.compile("[こそ]の")
# Share of the claim's idf that the nearest passage must have: below it the book hardly speaks of
# the matter, and the claim is neither confirmed nor contradicted.
ABOUT = 0.5
_READ = 10  # passages, those nearest to the claim, of which one that states it is preferred
_LACKS_NAME = 0.75  # times the coverage of a passage that lacks a name or number of the claim
_AS_NEAR = 0.9  # times the coverage of the nearest: as near to the claim


class ComparedPassage(NamedTuple):
    """A passage beside a claim."""

    passage: Passage
    before: str
    """The sentences before it in its paragraph, of those retrieved."""
    terms: set[str]
    """The terms of its heading and text, in all forms."""
    share: float
    """The part of the claim's idf that it has, 0 to 1."""
    lacked: list[str]
    """The names and numbers of the claim that it lacks, those of `elsewhere` left out."""
    elsewhere: list[str]
    """The names, in English the numbers too, that only the sentences `before` have."""
    lacking: list[str]
    """The other terms of the claim that it lacks."""

    @property
    def nearness(self) -> float:
        """Its share, times `_LACKS_NAME` (0.75) if itself it lacks a name or number; one that
        begins with この or その may have it from the sentences before."""
        is_lacking = self.lacked or (self.elsewhere and not _REFERS.match(self.passage.text))
        return self.share * (_LACKS_NAME if is_lacking else 1)


class ComparedClaim(NamedTuple):
    """A claim beside its passages."""

    claim: TermQuestion
    retrieved: Retrieval
    language: TermLanguage
    terms: list[str]
    """The claim's terms, without particles and `KINDS`."""
    names: list[str]
    """The claim's names and numbers."""
    rows: list[ComparedPassage]
    """All passages, nearest first."""
    near: list[ComparedPassage]
    """The passages that are about as near, up to `_READ`, nearest first; may be empty."""
    nearest: ComparedPassage
    """The passage that decides."""


def compare_claim(
    claim: TermQuestion, retrieved: Retrieval, language: TermLanguage
) -> ComparedClaim:
    """A claim beside its passages. The nearest has the greatest `nearness`, of equals the best
    score; near are those of the ten nearest with 0.9 times that, and 0.5 at least (maybe none). In
    English the nearest is rather the first of the near ones that states the claim. IndexError
    without a passage."""
    terms = [
        term for term in retrieved.terms if not PARTICLES.fullmatch(term) and term not in KINDS
    ]
    weights = {term: weight for term, weight in retrieved.weights.items() if term not in KINDS}
    names = _names(claim, language)
    phrases = {} if language.spaced else japanese_phrases(claim.text)
    rows = [
        _compare_passage(passage, before, terms, weights, names, phrases, language)
        for passage, before in zip(
            retrieved.passages, retrieved_before(retrieved.passages), strict=True
        )
    ]
    order = sorted(rows, key=lambda row: (-row.nearness, -row.passage.score))
    least = max(ABOUT, _AS_NEAR * order[0].nearness)
    near = [row for row in order[:_READ] if row.nearness >= least]
    nearest = next((row for row in near if states(claim, row.passage, language)), order[0])
    return ComparedClaim(claim, retrieved, language, terms, names, order, near, nearest)


def _compare_passage(
    passage: Passage,
    before: str,
    terms: Sequence[str],
    weights: Mapping[str, float],
    names: Sequence[str],
    phrases: Mapping[str, frozenset[str]],
    language: TermLanguage,
) -> ComparedPassage:
    """A passage, with the sentences before it, beside the terms, their idf, the names and the
    phrases of a claim."""
    words = all_forms(f"{passage.heading} {passage.text}", language)
    lacked = _lacked_names(names, passage, words, language)
    shares = _term_shares(terms, words, [name for name in names if name not in lacked], language)
    for term, meaning in phrases.items():
        if not (meaning.isdisjoint(words) or shares.get(term, 1.0)):
            shares[term] = DERIVED
    total = sum(weights.values()) or 1.0
    share = sum(weights.get(term, 0.0) * part for term, part in shares.items()) / total
    # in Japanese a number of another sentence is of something else
    sought = [name for name in lacked if language.spaced or not re.search(r"\d", name)]
    elsewhere = _had_by(sought, before, language)
    lacked = [name for name in lacked if name not in elsewhere]
    of_names = {term for name in names for term in language.terms(name)}
    lacking = [term for term in terms if not shares[term] and term not in of_names]
    return ComparedPassage(passage, before, words, share, lacked, elsewhere, lacking)


def _had_by(names: Sequence[str], text: str, language: TermLanguage) -> list[str]:
    """Those of the names and numbers, in order, that a text has: as they are, in any case, or in
    English all their figures, and all their words or the last with a capital (Bonaparte is Napoleon
    Bonaparte); [] for no text."""
    if not text or not names:
        return []
    context = Passage("", "", "", text, 0.0, 0.0)
    lacked = _lacked_names(names, context, set(), language)
    return [name for name in names if name not in lacked]


def _term_shares(
    terms: Sequence[str], words: set[str], names: Sequence[str], language: TermLanguage
) -> dict[str, float]:
    """Each term of a claim → its `word_share` in a passage with the terms `words`, at least
    `DERIVED` (0.85) for words of the `names`, those that the passage has (Abraham, where it has
    Lincoln); in Japanese its `japanese_share`, in other languages 1 or 0."""
    if language.language.code == "ja":
        return {term: japanese_share(term, words) for term in terms}
    if not language.spaced:
        return {term: float(term in words) for term in terms}
    of_names = {term for name in names for term in language.terms(name)}
    return {
        term: word_share(term, words) or (DERIVED if term in of_names else 0.0) for term in terms
    }


def _lacked_names(
    names: Sequence[str], passage: Passage, words: set[str], language: TermLanguage
) -> list[str]:
    """Those of the names and numbers that a passage with the terms `words` lacks, in order. It has
    a name if its title or text writes it so, in any case, even inside a longer word or number, or
    its text has all the name's figures and its last word, a surname, with a capital, or all its
    words; in languages without spaces any of its words but the last (of those of several
    characters, of the katakana ones, if it has such)."""

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
        # of ベルリン大学, 大学 alone is no sign of it, nor 帝 of 乾隆帝
        foreign = [word for word in words if _KATAKANA.fullmatch(word)]
        parts = words[-1:] if language.spaced else foreign or words[:-1] or words
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


def states(
    claim: TermQuestion,
    passage: Passage,
    language: TermLanguage,
    ignored: Collection[str] = (),
) -> bool:
    """Whether one clause of a passage states an English claim, but for its words `ignored`; False
    in other languages, for a claim with "only", and where the passage says it of a part."""
    if not language.spaced:
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
