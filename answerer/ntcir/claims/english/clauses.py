"""The clauses of an English sentence, each with its subject, objects and asides."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from answerer.ntcir.claims.english.tokens import (
    AUXILIARIES,
    BE,
    PHRASE,
    Token,
    content,
    has_by,
    is_of_phrase,
)

_CLAUSE_ENDS = frozenset(
    "; : . while whereas but although though because since when where if unless until that which "
    "whom whose despite".split()
)
_MARKS = frozenset(", ( )".split())
_FINITE = ("VBD", "VBP", "VBZ", "VB", "MD")
_RELATIVES = frozenset("who which that whom whose where".split())
_PRONOUNS = frozenset("he she it they".split())


class SentencePart(NamedTuple):
    """Tokens between two marks or conjunctions of a sentence; `joined` if only a comma or bracket
    is before, so that it may belong to the clause before or behind; `relative` if it is a relative
    clause."""

    tokens: list[Token]
    joined: bool
    relative: bool = False

    @property
    def is_finite(self) -> bool:
        """Whether it has a verb that is not a participle, or a noun that may be one."""
        return self.verb < len(self.tokens)

    @property
    def verb(self) -> int:
        """The position of its first verb that is not a participle, or noun that may be one; the
        number of its tokens without any."""
        for position, token in enumerate(self.tokens):
            is_noun_or_verb = token.tag[:2] == "NN" and may_be_verb(self.tokens, position)
            if token.tag in _FINITE or is_noun_or_verb or _is_past(self.tokens, position):
                return position
        return len(self.tokens)

    @property
    def is_aside(self) -> bool:
        """Whether it is a clause of its own between the words of another: a relative one, or one
        without a finite verb that begins with a participle, perhaps behind a preposition or, of a
        past one, a conjunction."""
        first, *others = self.tokens
        head = others[0] if others and first.tag in ("IN", "CC") else first
        is_participle = head.tag == "VBN" or (head.tag == "VBG" and first.tag != "CC")
        return self.relative or (is_participle and not self.is_finite)


def sentence_parts(tokens: Sequence[Token]) -> list[SentencePart]:
    """The tokens of a sentence in parts, none empty: at marks and conjunctions, which are left out,
    and before "and" and "or" where a noun and its verb follow, "and" and "but" a second verb. A
    relative clause has the noun before it as its subject, with what this explains ("Ida, a nurse
    who …"), and all parts of a definition ("helicase: enzyme that …") what is defined."""
    parts = [SentencePart([], joined=False)]
    head: list[Token] = []  # of a definition
    for position, token in enumerate(tokens):
        lower = token.text.lower()
        is_in_date = lower == "," and all(
            word.tag == "CD" for word in (*parts[-1].tokens[-1:], *tokens[position + 1 :][:1])
        )
        following = next((word.tag for word in tokens[position + 1 :] if word.tag != "RB"), "")
        joins_clauses = opens_clause(tokens, position)
        joins_clauses |= lower in ("and", "but") and _joins_verb(parts[-1], tokens[position + 1 :])
        # a verb may be tagged as a plural; not "it shows that ants sting"
        opens_relative = following[:2] in ("VB", "MD") or following == "NNS"
        opens_relative &= position > 0 and tokens[position - 1].tag[:2] not in ("VB", "MD")
        is_past = token.tag in ("VBD", "VBZ", "MD") or (token.tag == "VBN" and following != "IN")
        is_past &= parts[-1].relative and tokens[position - 1].tag[:2] == "NN"
        if is_past and _joins_verb(parts[-1], tokens[position:]):  # "she who taught Ida painted"
            parts.append(SentencePart([], joined=True))
        if lower == ":" and 0 < position <= PHRASE:
            # "helicase: enzyme that unwinds DNA" is a definition
            head = parts[-1].tokens
            parts = [SentencePart([*head, Token("is", "", "VBZ", negated=False)], joined=False)]
        elif lower in ("which", "that", "who") and opens_relative:
            whole = [part for part in parts if part.tokens]
            subject = _last_phrase(whole[-1].tokens) if whole else []
            if len(whole) > 1 and whole[-1].joined and subject == whole[-1].tokens:
                subject = [*_last_phrase(whole[-2].tokens), *subject]
            parts.append(SentencePart([*head, *subject], joined=False, relative=True))
        elif (lower in _CLAUSE_ENDS or lower in _MARKS or joins_clauses) and not is_in_date:
            parts.append(
                SentencePart(
                    [token] * joins_clauses,
                    joined=lower in _MARKS or joins_clauses,
                    relative=lower in _RELATIVES or (joins_clauses and parts[-1].relative),
                )
            )
        else:
            parts[-1].tokens.append(token)
    return [part for part in parts if part.tokens]


def _is_past(tokens: Sequence[Token], position: int) -> bool:
    """True for what taggers take for a past participle and is a past tense: without an auxiliary
    among the three words before it but adverbs, behind a name or "who", and with no "by" among the
    next four; or behind another noun, a pronoun or at most a conjunction, and before an object."""
    if tokens[position].tag != "VBN":
        return False
    before = [word for word in tokens[:position] if word.tag != "RB"]
    if any(word.text.lower() in AUXILIARIES for word in before[-3:]):
        return False
    tag = before[-1].tag if before else ""
    if tag[:3] == "NNP" or tag[:2] == "WP":
        return not has_by(tokens[position + 1 : position + 1 + PHRASE])
    behind = next((word.tag for word in tokens[position + 1 :] if word.tag != "RB"), "")
    is_object = behind[:2] in ("DT", "PR") or behind[:3] == "NNP"
    if tag[:2] in ("NN", "PR"):
        return is_object or behind[:2] in ("NN", "JJ")
    return is_object and (not before or [word.tag for word in before] == ["CC"])


def _joins_verb(part: SentencePart, behind: Sequence[Token]) -> bool:
    """True if a verb in the present or past or a past participle, perhaps after adverbs, begins the
    words behind a part that has a verb with a noun behind: "designed and built the mill" is one."""
    tag = next((token.tag for token in behind if token.tag != "RB"), "")
    has_noun = bool(content(part.tokens[part.verb + 1 :]))
    return tag in ("VBD", "VBP", "VBZ", "VBN") and has_noun


def opens_clause(tokens: Sequence[Token], position: int) -> bool:
    """True for an "and" or "or" that a noun phrase and a verb follow."""
    return tokens[position].text.lower() in ("and", "or") and _opens(tokens[position + 1 :])


def _opens(tokens: Sequence[Token]) -> bool:
    """True if the tokens begin with a noun phrase or pronoun, perhaps with "of", and then a
    verb."""
    phrase = list(takewhile(lambda token: is_of_phrase(token) or token.text == "of", tokens))
    following = tokens[len(phrase) : len(phrase) + 1]
    is_verb = any(token.tag[:2] in ("VB", "MD") for token in following)
    return bool(phrase) and (is_verb or any(may_be_verb(tokens, n) for n in range(len(phrase))))


def _last_phrase(tokens: Sequence[Token]) -> list[Token]:
    """The noun phrase at the end of a part, [] if it ends with another word."""
    return list(takewhile(is_of_phrase, reversed(tokens)))[::-1]


def may_be_verb(tokens: Sequence[Token], position: int) -> bool:
    """True for a verb, and for a noun in small letters with another right before it or an adverb
    between, and behind it a determiner, adjective, pronoun, noun or name: taggers take "the testes
    secrete androgens" for nouns."""
    token, before, behind = tokens[position], tokens[:position], tokens[position + 1 :]
    if token.tag.startswith("VB"):
        return True
    if not token.tag.startswith("NN") or token.text[0].isupper():
        return False
    before = [word for word in before if word.tag != "RB"]
    is_behind_noun = bool(before) and before[-1].tag[:2] == "NN"
    return is_behind_noun and any(word.tag[:2] in ("DT", "JJ", "NN", "PR") for word in behind[:1])


def clauses(parts: Sequence[SentencePart], *, has_appositions: bool = True) -> list[list[Token]]:
    """The tokens of each part with a verb, with those of the parts without a finite one that a
    comma joins to it, and these commas, asides left out: all before ("ants, wasps and bees sting"),
    and behind those that begin with a preposition or that nothing follows. A part that begins with
    its verb has the subject of the clause before it (`_subject`), one that begins with a past
    participle the noun phrase before its comma. Unless it `has_appositions`, "the sister of Olaf
    Ruiz" between commas and before a verb is left out too."""
    clauses = []
    for number, part in enumerate(parts):
        if not part.is_finite and not any(token.tag[:2] == "VB" for token in part.tokens):
            continue
        first, last = number, number + 1
        while first and parts[first].joined and not parts[first - 1].is_finite:
            first -= 1
        while last < len(parts) and parts[last].joined and not parts[last].is_finite:
            last += 1
        ends = last == len(parts) or not parts[last].joined
        comma = Token(",", "", ",", negated=False)
        behind = [
            token
            for other in parts[number + 1 : last]
            if (ends or other.tokens[0].tag == "IN") and not other.is_aside
            for token in (comma, *other.tokens)
        ]
        before = [
            token
            for n, other in enumerate(parts[first:number], first)
            if not (other.is_aside or (not has_appositions and _is_apposition(parts, n)))
            for token in (*other.tokens, comma)
        ]
        if not before and part.joined:
            before = _subject(parts, number)
        clauses.append([*before, *part.tokens, *behind])
    return clauses


def _subject(parts: Sequence[SentencePart], number: int) -> list[Token]:
    """The subject of a part that begins with a verb, perhaps behind conjunctions and adverbs: what
    is before the verb of the nearest part before it that is no aside (of one in a relative clause,
    of the part right before), with the auxiliary of a passive for a past participle; or, of a past
    participle behind a comma, unless asides alone part it from a part without a verb, the noun
    phrase right before it ("…, the gin, invented by Whitney"). [] for other parts."""
    part, main = parts[number], number - 1
    tag = next((token.tag for token in part.tokens if token.tag not in ("CC", "RB")), "")
    if tag not in ("VBD", "VBP", "VBZ", "VBN", "VBG", "MD"):
        return []
    while main and not part.relative and _is_between(parts[main]):
        main -= 1
    tokens, verb = parts[main].tokens, parts[main].verb
    is_resumed = main < number - 1 and not parts[main].is_finite
    if tag == "VBN" and not (part.is_finite or is_resumed or part.tokens[0].tag == "CC"):
        before = parts[number - 1].tokens[::-1]
        return [*takewhile(lambda word: is_of_phrase(word) or word.tag == "CC", before)][::-1]
    following = [token.tag[:2] for token in tokens[verb : verb + 2]]
    is_passive = tag == "VBN" and following == ["VB", "VB"]
    return tokens[: verb + (is_passive or following[:1] == ["NN"])]


def _is_apposition(parts: Sequence[SentencePart], number: int) -> bool:
    """True for a noun phrase with an article or the like between a comma and one right before a
    verb: "Ida, the sister of Olaf Ruiz, painted"."""
    part, following = parts[number], parts[number + 1 : number + 2]
    is_phrase = number > 0 and part.joined and part.tokens[0].tag[:2] in ("DT", "PR")
    behind = [token.tag[:2] for other in following for token in other.tokens if token.tag != "RB"]
    return is_phrase and following[:1] != [] and behind[:1] in (["VB"], ["MD"])


def _is_between(part: SentencePart) -> bool:
    """True if a part is an aside, or a phrase behind a comma, so that its clause began before."""
    return part.is_aside or (part.joined and not part.is_finite)


def with_antecedents(tokens: Sequence[Token]) -> list[Token]:
    """The tokens of a text, each "he", "she", "it" or "they" behind a full stop, a semicolon or a
    conjunction (and, but, or) after what it refers to (`_antecedent`)."""
    resolved: list[Token] = []
    for position, token in enumerate(tokens):
        before = tokens[position - 1] if position else None
        is_first = before is not None and (before.text in (";", ".") or before.tag == "CC")
        if is_first and token.text.lower() in _PRONOUNS:
            resolved += _antecedent(tokens[:position], token.text.lower())
        resolved.append(token)
    return resolved


def _antecedent(tokens: Sequence[Token], pronoun: str) -> list[Token]:
    """What a pronoun behind `tokens` refers to: the words before the first verb of the sentence
    before, or, behind a conjunction, of its own, with those
    up to the next mark or preposition where the verb is a form of "be"; of "he" and "she" the names
    among them, if there are any."""
    before = list(takewhile(lambda token: token.text not in (";", "."), reversed(tokens[:-1])))
    sentence = before[::-1]
    verb = next((n for n, token in enumerate(sentence) if token.tag in _FINITE), len(sentence))
    subject = sentence[:verb]
    if sentence[verb : verb + 1] and sentence[verb].text.lower() in BE:
        behind = takewhile(
            lambda token: token.text not in _MARKS and token.tag != "IN", sentence[verb + 1 :]
        )
        subject += behind
    names = [token for token in subject if token.tag.startswith("NNP")]
    return names if names and pronoun in ("he", "she") else subject
