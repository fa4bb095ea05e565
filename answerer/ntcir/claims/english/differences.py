"""Where a sentence contradicts an English claim: roles, negation, opposites, numbers, quantities.

A claim is the words of a yes-no question ("Did Athens defeat Sparta?"). Each check wants the
sentence to be about the claim's verb or nouns, and says nothing where it is not: then the claim is
neither confirmed nor contradicted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import cache
from itertools import pairwise, takewhile
from typing import Literal, NamedTuple

from answerer.ntcir.claims.difference import Difference
from answerer.ntcir.claims.english.clauses import (
    clauses,
    opens_clause,
    sentence_parts,
    with_antecedents,
)
from answerer.ntcir.claims.english.quantities import bound, contradicting
from answerer.ntcir.claims.english.roles import VerbRoles, claim_roles, verb_roles
from answerer.ntcir.claims.english.tokens import (
    AUXILIARIES,
    NEGATIONS,
    PHRASE,
    Token,
    content,
    has_by,
    is_of_phrase,
    nouns_behind,
    tag_tokens,
)
from answerer.ntcir.claims.wording import read_opposites
from indexer.analysis.english_numbers import ORDINALS

_INSTEAD = (["rather", "than"], ["instead", "of"])
_SHARE = re.compile("(?:%|percent|per cent) of")
_DO = frozenset("do does did".split())
_ENDS = ("from", "by", "against", "than")  # not "to", which precedes verbs too
_SENTENCE = 20  # words, roughly those of a sentence
_LIMITS: dict[str, Literal["more", "less"]] = {
    **dict.fromkeys(("before", "by"), "less"),
    **dict.fromkeys(("after", "since", "between"), "more"),
}
_STOPS = {";": _SENTENCE, ".": _SENTENCE, ",": PHRASE}


def differences(
    claim: str, sentence: str, stem: Callable[[str], Sequence[str]]
) -> list[Difference]:
    """The parts of a claim that a sentence contradicts, the surest first; [] without any. Of a
    claim with two negations, neither negation nor quantifiers are compared. The roles and negation
    of verbs, but of present participles, are compared only if the claim begins with an auxiliary.

    `stem` gives the terms of a word (none for a stop word)."""
    claim_tokens, sentence_tokens = tag_tokens(claim, stem), tag_tokens(sentence, stem)
    results: list[Difference] = []
    if claim_tokens and claim_tokens[0].text.lower() in AUXILIARIES:
        # A claim that somebody did something by something ("lived by the flood") is not a passive.
        is_active = claim_tokens[0].text.lower() in _DO and has_by(claim_tokens)
        for tokens in clauses(
            sentence_parts(with_antecedents(sentence_tokens)), has_appositions=False
        ):
            for position, token in enumerate(tokens):
                if token.tag.startswith("VB") and token.tag != "VBG" and token.stem:
                    clause = verb_roles(tokens, position, may_be_reduced=not is_active)
                    results += _compare_clauses(claim_tokens, clause, sentence_tokens)
    results += _swapped_ends(claim_tokens, sentence_tokens)
    results += _negated_object(claim_tokens, sentence_tokens)
    results += _opposite_words(claim_tokens, sentence_tokens)
    results += _rivals(claim_tokens, sentence_tokens)
    results += _numbers(claim_tokens, sentence_tokens)
    results += _ordinals(claim_tokens, sentence_tokens)
    if reason := contradicting(claim_tokens, sentence_tokens):
        results.append(Difference("quantifier", reason))
    if sum(token.text.lower() in NEGATIONS for token in claim_tokens) > 1:
        # "no cell does not" is "all cells do"
        return [result for result in results if result.part not in ("negation", "quantifier")]
    return results


def _compare_clauses(
    tokens: Sequence[Token], clause: VerbRoles, sentence: Sequence[Token]
) -> list[Difference]:
    """At most one difference of a question (`tokens`) from a clause of the sentence: with the same
    verb, agents and others exchanged, or only one of the two negated where they share agents or
    others, neither has only different ones and the clause has all of the question's; or the
    opposite of a verb that the sentence lacks, negated alike, of a shared agent (of a shared other,
    where the question has no agent), whose agents are none of the clause's others."""
    claim = claim_roles(tokens, clause.verb)
    if claim is not None:
        agent_is_other = claim.agents & clause.others - clause.agents
        other_is_agent = claim.others & clause.agents - clause.others
        if agent_is_other and other_is_agent:
            return [Difference("roles", "the sentence has it the other way round")]
        pairs = ((claim.agents, clause.agents), (claim.others, clause.others))
        about_it = any(ours & theirs for ours, theirs in pairs) and not any(
            ours and theirs and not ours & theirs for ours, theirs in pairs
        )
        about_it &= claim.agents | claim.others <= clause.agents | clause.others
        if about_it and claim.negated != clause.negated:
            return [Difference("negation", "the sentence says the contrary")]
        return []
    stems = {token.stem for token in sentence}
    for opposite in _opposites().get(clause.verb, ()):
        claim = None if opposite in stems else claim_roles(tokens, opposite)
        if claim is None or claim.negated != clause.negated:
            continue
        # Who wins is not who loses: the same agent, or without one the same object.
        same = claim.agents & clause.agents or (not claim.agents and claim.others & clause.others)
        if same and not claim.agents & clause.others:
            return [Difference("opposite", "the sentence says the contrary")]
    return []


def _swapped_ends(claim: Sequence[Token], sentence: Sequence[Token]) -> list[Difference]:
    """At most one difference: a noun anywhere before "from", "by", "against" or "than" in the claim
    is right behind it in the sentence, where none of those behind it in the claim is; "than" only
    where both have the same comparative."""
    for preposition in _ENDS:
        if preposition == "than" and not _comparatives(claim) & _comparatives(sentence):
            continue
        ours, theirs = (nouns_behind(tokens, preposition) for tokens in (claim, sentence))
        start = next((n for n, word in enumerate(claim) if word.text.lower() == preposition), 0)
        before = content(claim[:start])
        if ours and theirs & before - ours and not theirs & ours:
            return [Difference("roles", "the sentence has it the other way round")]
    return []


def _comparatives(tokens: Sequence[Token]) -> set[str]:
    """The comparatives of a text, in small letters."""
    words = {token.text.lower() for token in tokens if token.tag in ("JJR", "RBR")}
    return words | {token.text.lower() for token in tokens} & {"more", "less", "fewer"}


def _negated_object(claim: Sequence[Token], sentence: Sequence[Token]) -> list[Difference]:
    """At most one difference, none for a claim with a negation, "lack" or "instead of": in the
    sentence a noun of the claim is, wherever it is, behind a negation of its phrase ("food, and not
    her genes"), and another noun of the claim is without; or, for the last noun of the claim,
    behind one of a clause that has another noun of the claim before the negation ("cells that have
    no nucleus")."""
    nouns = [token.stem for token in claim if token.stem and token.tag.startswith("NN")]
    if any(token.negated or _is_excluded(claim[:n]) for n, token in enumerate(claim)):
        return []
    if any(token.stem in ("lack", "miss") for token in claim):
        return []
    plain = [n for n, token in enumerate(sentence) if token.stem in nouns and not token.negated]
    for noun in nouns:
        places = [n for n, token in enumerate(sentence) if token.stem == noun]
        excluded = [_is_excluded(sentence[:n]) for n in places]
        is_last = noun == nouns[-1]
        denied = [is_last and _is_denied(sentence[:n], {*nouns} - {noun}) for n in places]
        others = [n for n in plain if sentence[n].stem != noun]
        if places and ((all(excluded) and others) or all(denied)):
            return [Difference("negation", "the sentence says the contrary")]
    return []


def _is_denied(before: Sequence[Token], nouns: Collection[str]) -> bool:
    """True if a negation holds behind the words, and one of the nouns is in its clause before it:
    that a drug cannot cross a wall does not deny the cell its wall."""
    negations = [n for n, token in enumerate(before) if token.text.lower() in NEGATIONS]
    if not negations or not (before[-1].negated or negations[-1] == len(before) - 1):
        return False
    start = 1 + max((n for n in range(negations[-1]) if before[n].text in (";", ".")), default=-1)
    subject = before[start : negations[-1]]
    return any(token.stem in nouns and not token.negated for token in subject)


def _is_excluded(before: Sequence[Token]) -> bool:
    """True if the noun phrase at the end of the words, perhaps empty, has a negation or is right
    behind one, "rather than" or "instead of". Of a phrase that begins the sentence only the last
    word counts."""
    phrase = len(list(takewhile(is_of_phrase, reversed(before))))
    words = [token.text.lower() for token in before]
    # "no" is an article for taggers
    start = len(words) - phrase
    if NEGATIONS.intersection(words[max(start - 1, 0) :]):
        return True
    return words[max(start - 2, 0) : start] in _INSTEAD


def _opposite_words(claim: Sequence[Token], sentence: Sequence[Token]) -> list[Difference]:
    """At most one difference: a word of the claim, not denied there, that the sentence lacks, while
    it has an opposite of it that the claim lacks, and no other word with that opposite, neither of
    them a verb."""
    claim_stems = {token.stem for token in claim}
    sentence_stems = {token.stem for token in sentence}
    plain_stems = {token.stem for token in sentence if not token.tag.startswith("VB")}
    for position, token in enumerate(claim):
        if not token.stem or token.stem in sentence_stems or token.tag.startswith("VB"):
            continue
        if token.negated or _is_excluded(claim[:position]):  # "no limit" is "unlimited"
            continue
        opposites = [*_opposites().get(token.stem, ()), *_with_prefix(token.stem)]
        if not claim_stems.isdisjoint(opposites):  # of north and south
            continue
        for opposite in opposites:
            same = _opposites().get(opposite, ())
            if opposite in plain_stems and sentence_stems.isdisjoint(same):
                word = next(other.text for other in sentence if other.stem == opposite)
                return [Difference("opposite", f"the sentence says “{word}”, not “{token.text}”")]
    return []


def _with_prefix(stem: str) -> tuple[str, ...]:
    """The stem with "un" before it; of one of five letters or more that begins so also the rest."""
    return (f"un{stem}", *([stem[2:]] if stem.startswith("un") and len(stem) > 4 else []))


def _rivals(claim: Sequence[Token], sentence: Sequence[Token]) -> list[Difference]:
    """At most one difference: the claim says it of one of two that the sentence has ("the
    Eighteenth Amendment … the Nineteenth Amendment", opposites as "gram-positive …
    gram-negative"), and its other words are nearer to the other one there; or the sentence has
    only the opposite one before the noun. None for what both have behind the same number or
    preposition ("two iron kettles", "from South Holm")."""
    claim_stems = {token.stem for token in claim if token.stem}
    behind = {
        (before.text, token.stem)
        for before, token in pairwise(sentence)
        if before.tag in ("CD", "IN") and token.stem
    }
    for position, (first, head) in enumerate(pairwise(claim)):
        is_shared = position > 0 and (claim[position - 1].text, first.stem) in behind
        if is_shared or not first.stem or not head.stem or not head.tag.startswith("NN"):
            continue
        if rival := _rival_before_noun(first, head, claim_stems, sentence):
            return [Difference("rival", f"the sentence says so of “{rival} {head.text}”")]
    for before, token in pairwise(claim):
        if (before.text, token.stem) in behind:
            continue
        if word := _nearer_opposite(token, claim_stems, sentence):
            return [Difference("rival", f"the sentence says “{word}” of it, not “{token.text}”")]
    return []


def _rival_before_noun(
    first: Token, noun: Token, claim_stems: set[str], sentence: Sequence[Token]
) -> str:
    """The word that the sentence has before a noun of the claim where the claim has `first`: its
    opposite, where `first` is never before the noun there, or one like `first` that is nearer to
    the claim's other words; "" for none of these."""
    before_noun = [
        n for n, (_, other) in enumerate(pairwise(sentence)) if _are_same_noun(other, noun)
    ]
    ours = [n for n in before_noun if sentence[n].stem == first.stem]
    opposites = set(_opposites().get(first.stem, ())) - claim_stems
    contrary = [
        n
        for n in before_noun
        if sentence[n].stem in opposites and not sentence[n].tag.startswith("VB")
    ]
    if contrary and not ours:
        return sentence[contrary[0]].text
    theirs = [
        n
        for n in before_noun
        if sentence[n].stem
        and sentence[n].stem not in claim_stems
        and any(_are_alike(sentence[n], sentence[other]) for other in ours)
        and not any(_are_coordinated(sentence, n, other) for other in ours)
        and sentence[max(n - 2, 0)].text != "as"  # also known as the Great Compromise
        and sentence[n - 1].text != "as"
    ]
    rest = claim_stems - {first.stem, noun.stem}
    is_nearer = bool(theirs) and _are_nearer(theirs, ours, sentence, rest)
    return sentence[theirs[0]].text if is_nearer else ""


def _nearer_opposite(token: Token, claim_stems: set[str], sentence: Sequence[Token]) -> str:
    """The first opposite of a word of the claim that the sentence has beside it, not negated and
    nearer to the claim's other words, no "or" between; "" without one, or if the claim has an
    opposite too."""
    ours = [n for n, other in enumerate(sentence) if token.stem and other.stem == token.stem]
    opposites = set(_opposites().get(token.stem, ()))
    theirs = [
        n for n, other in enumerate(sentence) if other.stem in opposites and not other.negated
    ]
    if not ours or not theirs or opposites & claim_stems:
        return ""
    is_nearer = _are_nearer(theirs, ours, sentence, claim_stems - {token.stem})
    is_nearer &= not any(_are_coordinated(sentence, theirs[0], n) for n in ours)
    return sentence[theirs[0]].text if is_nearer else ""


def _are_same_noun(first: Token, second: Token) -> bool:
    """True for words that differ at most by "s" at the end or capitals, as a noun and its plural: a
    stem can be of an engineer and of an engine."""
    return first.text.lower().rstrip("s") == second.text.lower().rstrip("s")


def _are_alike(first: Token, second: Token) -> bool:
    """True for two words of the same part of speech but common nouns, and for two that begin with a
    capital."""
    capital = first.text[0].isupper() and second.text[0].isupper()
    return capital or first.tag[:2] == second.tag[:2] != "NN"


def _are_coordinated(tokens: Sequence[Token], first: int, second: int) -> bool:
    """True for two positions with "or", and no mark, between them."""
    between = {token.text for token in tokens[min(first, second) : max(first, second)]}
    return "or" in between and between.isdisjoint(_STOPS)


def _are_nearer(
    theirs: Sequence[int], ours: Sequence[int], tokens: Sequence[Token], rest: set[str]
) -> bool:
    """True if the words with stems of `rest`, the names alone where there are any, else those that
    are there once, else all, are together nearer to positions of `theirs` than to those of `ours`;
    False if they are as near, or without any. A semicolon or full stop between two words is as far
    as `_SENTENCE` (20) words, a comma as `PHRASE` (4)."""
    stops = [(n, _STOPS[token.text]) for n, token in enumerate(tokens) if token.text in _STOPS]
    stops += [(n, _SENTENCE) for n, token in enumerate(tokens) if opens_clause(tokens, n)]

    def distance(position: int, others: Sequence[int]) -> int:
        return min(
            abs(position - other)
            + sum(far for stop, far in stops if (position < stop) != (other < stop))
            for other in others
        )

    places = [n for n, token in enumerate(tokens) if token.stem in rest]
    names = [n for n in places if tokens[n].tag.startswith("NNP")]
    count = Counter(tokens[n].stem for n in places)
    places = names or [n for n in places if count[tokens[n].stem] == 1] or places
    return sum(distance(n, theirs) for n in places) < sum(distance(n, ours) for n in places)


class _Number(NamedTuple):
    """A number of a text: its value, as written, the stem of the first noun among the three words
    behind it, or "", and "more" or "less" for a bound ("at least two", "fewer than two", "before
    1820")."""

    value: float
    written: str
    noun: str
    bound: Literal["more", "less", ""]


def _are_of_one(ours: _Number, other: _Number) -> bool:
    """Whether two numbers have the same noun, or are years (1000 to 2999), the first
    without."""
    are_years = not ours.noun and all(1000 <= n.value <= 2999 for n in (ours, other))
    return are_years or (ours.noun != "" and ours.noun == other.noun)


def _is_within(ours: _Number, other: _Number) -> bool:
    """Whether one of two numbers is a bound that the other keeps."""
    low, high = sorted((ours, other))  # by their values
    return low.bound == "more" or high.bound == "less"


def bounds_that_hold(claim: Sequence[Token], sentence: Sequence[Token]) -> list[str]:
    """The numbers of a claim, as written, that are bounds ("before 1820", "at least 30 metres")
    which a number of the same noun, or a year, in the sentence keeps."""
    theirs = _read_numbers(sentence)
    return [
        ours.written
        for ours in _read_numbers(claim)
        if ours.bound
        and any(
            _are_of_one(ours, other)
            and (other.value > ours.value) == (ours.bound == "more")
            and other.bound in ("", ours.bound)
            for other in theirs
        )
    ]


def _numbers(claim: Sequence[Token], sentence: Sequence[Token]) -> list[Difference]:
    """At most one difference: a number of the claim that the sentence lacks, where it has another
    one of the same noun, or, for a year (1000 to 2999) without a noun, another year; none where one
    of the two is a bound that the other keeps ("fewer than 200", "before 1820")."""
    theirs = _read_numbers(sentence)
    values = {other.value for other in theirs}
    for ours in _read_numbers(claim):
        if ours.value in values:
            continue
        for other in theirs:
            if _are_of_one(ours, other) and not _is_within(ours, other):
                reason = f"the sentence says {other.written}, not {ours.written}"
                return [Difference("number", reason)]
    return []


def _read_numbers(tokens: Sequence[Token]) -> list[_Number]:
    """The numbers of a text in figures, in order, but for shares ("50 percent of"), which are
    `quantities`."""
    numbers = []
    for position, token in enumerate(tokens):
        behind = tokens[position + 1 : position + 4]
        is_share = _SHARE.match(" ".join(other.text.lower() for other in behind))
        if re.fullmatch(r"\d[\d,]*(?:\.\d+)?", token.text) and not is_share:
            nouns = [other.stem for other in behind if other.tag.startswith("NN") and other.stem]
            value = float(token.text.replace(",", ""))
            before = tokens[position - 1].text.lower() if position else ""
            limit = bound(tokens, position)
            if before in _LIMITS and 1000 <= value <= 2999:
                limit = _LIMITS[before]
            elif before == "and" and tokens[position - 3].text.lower() == "between":
                limit = "less"
            numbers.append(_Number(value, token.text, (*nouns, "")[0], limit))
    return numbers


def _ordinals(claim: Sequence[Token], sentence: Sequence[Token]) -> list[Difference]:
    """At most one difference: an ordinal of the claim that the sentence lacks, where it has another
    one of the same noun (the second mayor, the first mayor)."""
    ours, theirs = _ordinal_nouns(claim), _ordinal_nouns(sentence)
    for word, nouns in ours.items():
        for other, other_nouns in theirs.items():
            if nouns & other_nouns and word not in theirs:
                return [Difference("number", f"the sentence says {other}, not {word}")]
    return []


def _ordinal_nouns(tokens: Sequence[Token]) -> dict[str, set[str]]:
    """Each ordinal of a text → the stems of the nouns of its phrase, right behind it."""
    nouns_of: dict[str, set[str]] = {}
    for position, token in enumerate(tokens):
        if token.text.lower() in ORDINALS:
            phrase = takewhile(lambda word: word.tag[:2] in ("JJ", "NN"), tokens[position + 1 :])
            nouns = {word.stem for word in phrase if word.tag.startswith("NN") and word.stem}
            nouns_of.setdefault(token.text.lower(), set()).update(nouns)
    return nouns_of


@cache
def _opposites() -> dict[str, tuple[str, ...]]:
    """Stem → stems of its opposites, of opposites-en.txt."""
    from indexer.languages.english import ENGLISH

    return read_opposites("opposites-en.txt", ENGLISH.analyser().terms)
