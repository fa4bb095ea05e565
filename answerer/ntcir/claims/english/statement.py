"""Whether one clause of an English sentence states a claim."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise, takewhile

from answerer.ntcir.claims.english.clauses import SentencePart, clauses, may_be_verb, sentence_parts
from answerer.ntcir.claims.english.roles import claim_roles, verb_roles
from answerer.ntcir.claims.english.tokens import (
    AUXILIARIES,
    BE,
    PHRASE,
    Token,
    is_of_phrase,
    nouns_behind,
    tag_tokens,
)

_KIN = frozenset(
    "son daughter brother sister wife husband widow father mother nephew niece cousin uncle "
    "aunt".split()
)


def is_stated(claim: str, sentence: str, stem: Callable[[str], Sequence[str]]) -> bool:
    """True if one clause of a sentence has all words of an English claim (a yes-no question), those
    before and behind the verb on the same side of it, and is denied if and only if the claim is;
    False for a claim of stop words only, with another end (`_has_other_ends`), or of an owner for
    what is owned (`_lacks_but_as_owner`). A relative clause has the noun before it as its subject.
    A claim that something is something needs a form that says so: "X is Y", "X, a Y", "X: Y", "Y
    such as X", of a denied one the first."""
    tokens, sentence_tokens = tag_tokens(claim, stem), tag_tokens(sentence, stem)
    content = [token for token in tokens if token.stem and token.text.lower() not in AUXILIARIES]
    if not content:
        return False
    if _has_other_ends(tokens, sentence_tokens):
        return False
    stems, denied = {token.stem for token in content}, any(token.negated for token in tokens)
    is_plain = not any(token.tag[:2] in ("VB", "IN", "TO") for token in tokens[1:])
    parts = sentence_parts(sentence_tokens)
    if tokens[0].text.lower() in BE and not denied and _is_called(content, parts, is_plain):
        return True
    for clause in clauses(parts):
        if _lacks_but_as_owner(tokens, clause):
            continue
        present = {token.stem for token in clause if denied or not token.negated}
        if stems <= present and _agrees(tokens, content, clause, is_plain, denied):
            return True
    return False


def _agrees(
    claim: Sequence[Token],
    content: Sequence[Token],
    clause: Sequence[Token],
    is_plain: bool,
    denied: bool,
) -> bool:
    """True if a clause with all words of the claim says it with the same verb, negated alike, and
    the same words on either side; or, with a form of "be", negated if the claim is `denied`, the
    first of the words `content` before it and the last behind it, of a claim without a verb or
    preposition (`is_plain`) in the noun phrase right behind it."""
    is_be = claim[0].text.lower() in BE
    for position, token in enumerate(clause):
        # who is told to do it need not have done it
        is_infinitive = clause[position - 1 : position] and clause[position - 1].tag == "TO"
        is_verb = token.tag.startswith("VB") or (not is_be and may_be_verb(clause, position))
        if token.stem and is_verb and not is_infinitive:
            stated, question = verb_roles(clause, position), claim_roles(claim, token.stem)
            if question is None:
                continue
            if (
                question.agents <= stated.agents
                and question.others <= stated.others
                and question.negated == stated.negated
            ):
                return True
    if not is_be:
        return False
    first, last = content[0].stem, content[-1].stem
    for position, token in enumerate(clause):
        if token.text.lower() in BE and first in {word.stem for word in clause[:position]}:
            behind = list(clause[position + 1 :])
            if is_plain:
                phrase = takewhile(lambda word: is_of_phrase(word) or word.tag == "RB", behind)
                behind = list(phrase)
            negated = any(word.negated for word in clause[position : position + 3])
            if last in {word.stem for word in behind if word.stem} and negated == denied:
                return True
    return False


def _is_called(content: Sequence[Token], parts: Sequence[SentencePart], is_plain: bool) -> bool:
    """True if the first of the claim's words `content` (not empty) is called the rest, the last of
    them behind a comma or bracket ("X, a Y"; if `is_plain`, in a part that a noun phrase begins),
    or is one of the first five words behind "Y such as", Y the last of `content`."""
    first, last = content[0].stem, content[-1].stem
    stems = {token.stem for token in content}
    for part, aside in pairwise(parts):
        name = {token.stem for token in takewhile(is_of_phrase, reversed(part.tokens))}
        rest = {token.stem for token in aside.tokens if not token.negated}
        is_aside = aside.joined and not aside.is_finite and aside.tokens[0].tag != "CC"
        if not is_aside or first not in name or last not in rest:
            continue
        if stems <= name | rest and (not is_plain or is_of_phrase(aside.tokens[0])):
            return True
    for part in parts:
        for position, token in enumerate(part.tokens):
            behind = [word.text.lower() for word in part.tokens[position + 1 : position + 3]]
            if token.stem == last and behind == ["such", "as"]:
                examples = part.tokens[position + 3 : position + 4 + PHRASE]
                if first in {word.stem for word in examples}:
                    return True
    return False


def _has_other_ends(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """True if, of "to", "from", "over", "into" and "against", the claim has one with nouns behind
    it of which none is behind any preposition in the sentence: tea to coffee, coffee over tea."""
    prepositions = {token.text.lower() for token in sentence if token.tag in ("IN", "TO")}
    theirs = {stem for preposition in prepositions for stem in nouns_behind(sentence, preposition)}
    ends = [nouns_behind(claim, end) for end in ("to", "from", "over", "into", "against")]
    return any(ours and not ours & theirs for ours in ends)


def _lacks_but_as_owner(claim: Sequence[Token], clause: Sequence[Token]) -> bool:
    """True if a clause has a word of the claim, no stop word, only as an owner ("Fust's daughter"),
    which in the claim is none."""
    ours, theirs = _owners(claim), _owners(clause)
    others = {token.stem for n, token in enumerate(clause) if n not in theirs}
    free = {token.stem for n, token in enumerate(claim) if token.stem and n not in ours}
    return bool(free & {clause[n].stem for n in theirs} - others)


def _owners(tokens: Sequence[Token]) -> set[int]:
    """The positions of the words before an apostrophe, with the names right before these, and of
    the names behind a relative of `_KIN` and "of"."""
    owners: set[int] = set()
    for position, token in enumerate(tokens[1:], 1):
        numbers: Iterable[int] = ()
        if token.text in ("'", "’"):
            owners.add(position - 1)
            numbers = range(position - 2, -1, -1)
        elif token.text == "of" and tokens[position - 1].text.lower() in _KIN:
            numbers = range(position + 1, len(tokens))
        owners.update(takewhile(lambda n: tokens[n].tag.startswith("NNP"), numbers))
    return owners
