"""Who does what to whom: the subject of an English verb and the words around it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from answerer.ntcir.claims.english.tokens import BE, PHRASE, Token, content, has_by


class VerbRoles(NamedTuple):
    """A verb with the stems of the nouns, names and adjectives of its subject (of "by …" in the
    passive) and of all others around it; `negated` in the scope of a negation."""

    verb: str
    agents: frozenset[str]
    others: frozenset[str]
    negated: bool


def verb_roles(tokens: Sequence[Token], position: int, *, may_be_reduced: bool = True) -> VerbRoles:
    """The verb at a position of a clause's tokens: the stems of nouns, names and adjectives before
    it as agents, and all after it as others; in the passive the agents are what follows "by". A
    passive has an auxiliary or, if it `may_be_reduced`, a "by" shortly behind the verb."""
    verb = tokens[position]
    before, after = tokens[:position], tokens[position + 1 :]
    # "invented by Whitney" and "invented in 1793 by Whitney" need no auxiliary
    near = list(takewhile(lambda token: token.tag[:2] not in ("VB", "MD"), after[:PHRASE]))
    behind = [token.tag for token in near if token.tag != "RB"]
    is_reduced = may_be_reduced and behind[:1] == ["IN"] and has_by(near)
    is_passive = is_reduced or any(token.text.lower() in BE for token in before[-3:])
    if verb.tag in ("VBN", "VBD") and is_passive:
        return _passive_roles(verb, before, after)
    return VerbRoles(verb.stem, content(before), content(after), verb.negated)


def claim_roles(tokens: Sequence[Token], verb: str) -> VerbRoles | None:
    """The roles, among all words but the first, of a question that begins with an auxiliary, around
    the verb with the stem `verb`; None without it. Taggers take the verb of a question for a noun:
    the first word with the stem counts, from the third on, in small letters, no adjective or
    adverb. In the passive the agents are what follows "by"; else what is before the verb."""
    for position, token in enumerate(tokens[2:], 2):
        small = not token.text[0].isupper() and token.tag[:2] not in ("JJ", "RB")
        if token.stem == verb and small:
            before, after = tokens[1:position], tokens[position + 1 :]
            is_be = tokens[0].text.lower() in BE
            is_passive = token.tag in ("VBN", "VBD") and any(
                word.text.lower() in BE for word in before[-3:]
            )
            if (is_be and (token.tag in ("VBN", "VBD") or has_by(after))) or is_passive:
                return _passive_roles(token, before, after)
            return VerbRoles(verb, content(before), content(after), token.negated)
    return None


def _passive_roles(verb: Token, before: Sequence[Token], after: Sequence[Token]) -> VerbRoles:
    """The roles around a verb in the passive: the agents are between "by" and the next preposition
    but "of", all other nouns, names and adjectives are what it is done to."""
    by = next(
        (position for position, token in enumerate(after) if token.text.lower() == "by"), len(after)
    )
    end = next(
        (
            position
            for position in range(by + 1, len(after))
            if after[position].tag in ("IN", "TO") and after[position].text != "of"
        ),
        len(after),
    )
    others = content([*before, *after[:by], *after[end:]])
    return VerbRoles(verb.stem, content(after[by + 1 : end]), others, verb.negated)
