"""Where a sentence contradicts an English claim: roles, polarity, opposites, numbers, quantifiers.

A claim is the words of a yes-no question ("Did Athens defeat Sparta?"). The parts of speech are
TextBlob's. Each check wants the sentence to be about the claim's verb or nouns, and says nothing
where it is not: then the claim is neither confirmed nor contradicted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise, takewhile
from typing import Literal, NamedTuple

from answerer.ntcir.claims.quantities import bound, contradicting
from answerer.ntcir.claims.tokens import AUXILIARIES, NEGATIONS, Token, tag_tokens
from indexer.analysis.english_numbers import ORDINALS

Part = Literal["roles", "negation", "opposite", "rival", "number", "quantifier"]


class Difference(NamedTuple):
    """A part of a claim that a sentence contradicts, with a reason in words."""

    part: Part
    reason: str


class _Clause(NamedTuple):
    """A verb with the stems of the nouns, names and adjectives of its subject (of "by …" in the
    passive) and of all others around it; `negated` in the scope of a negation."""

    verb: str
    agents: frozenset[str]
    others: frozenset[str]
    negated: bool


_INSTEAD = (["rather", "than"], ["instead", "of"])
_DO = frozenset("do does did".split())
_BE = frozenset("is are was were be been being".split())
_ENDS = ("from", "by", "against", "than")  # not "to", which precedes verbs too
_PHRASE = 4  # words of a noun phrase behind a preposition
_SENTENCE = 20  # words, roughly those of a sentence
_STOPS = {";": _SENTENCE, ".": _SENTENCE, ",": _PHRASE}
_PRONOUNS = frozenset("he she it they".split())


def differences(
    claim: str, sentence: str, stem: Callable[[str], Sequence[str]]
) -> list[Difference]:
    """The parts of a claim that a sentence contradicts, the surest first; [] without any. The roles
    and negation of verbs, but of present participles and behind prepositions, are compared only if
    the claim begins with an auxiliary.

    `stem` gives the terms of a word (none for a stop word)."""
    claim_tokens, sentence_tokens = tag_tokens(claim, stem), tag_tokens(sentence, stem)
    results: list[Difference] = []
    if claim_tokens and claim_tokens[0].text.lower() in AUXILIARIES:
        # A claim that somebody did something by something ("lived by the flood") is not a passive.
        is_active = claim_tokens[0].text.lower() in _DO and _has_by(claim_tokens)
        for tokens in _clauses(_parts(_with_antecedents(sentence_tokens)), has_appositions=False):
            for position, token in enumerate(tokens):
                before = tokens[position - 1].tag if position else ""
                # "hours of sleep" has no verb
                is_verb = token.tag.startswith("VB") and token.tag != "VBG" and before != "IN"
                if is_verb and token.stem:
                    clause = _clause(tokens, position, may_be_reduced=not is_active)
                    results += _compare_clauses(claim_tokens, clause, sentence_tokens)
    results += _swapped_ends(claim_tokens, sentence_tokens)
    results += _negated_object(claim_tokens, sentence_tokens)
    results += _opposite_words(claim_tokens, sentence_tokens)
    results += _rivals(claim_tokens, sentence_tokens)
    results += _numbers(claim_tokens, sentence_tokens)
    results += _ordinals(claim_tokens, sentence_tokens)
    if reason := contradicting(claim_tokens, sentence_tokens):
        results.append(Difference("quantifier", reason))
    return results


def _clause(tokens: Sequence[Token], position: int, *, may_be_reduced: bool = True) -> _Clause:
    """The verb at a position of a clause's tokens: the stems of nouns, names and adjectives before
    it as agents, and all after it as others; in the passive the agents are what follows "by". A
    passive has an auxiliary or, if it `may_be_reduced`, a "by" shortly behind the verb."""
    verb = tokens[position]
    before, after = tokens[:position], tokens[position + 1 :]
    # "invented by Whitney" and "invented in 1793 by Whitney" need no auxiliary
    near = list(takewhile(lambda token: token.tag[:2] not in ("VB", "MD"), after[:_PHRASE]))
    behind = [token.tag for token in near if token.tag != "RB"]
    is_reduced = may_be_reduced and behind[:1] == ["IN"] and _has_by(near)
    is_passive = is_reduced or any(token.text.lower() in _BE for token in before[-3:])
    if verb.tag in ("VBN", "VBD") and is_passive:
        return _passive(verb, before, after)
    return _Clause(verb.stem, _content(before), _content(after), verb.negated)


def _with_antecedents(tokens: Sequence[Token]) -> list[Token]:
    """The tokens of a text, each pronoun that begins a sentence, or a clause behind "and" or "but",
    after what it refers to (`_antecedent`)."""
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
    if sentence[verb : verb + 1] and sentence[verb].text.lower() in _BE:
        behind = takewhile(
            lambda token: token.text not in _MARKS and token.tag != "IN", sentence[verb + 1 :]
        )
        subject += behind
    names = [token for token in subject if token.tag.startswith("NNP")]
    return names if names and pronoun in ("he", "she") else subject


def _question_clause(tokens: Sequence[Token], verb: str) -> _Clause | None:
    """The clause, of all words but the first, of a question that begins with an auxiliary, around
    the verb with the stem `verb`; None without it. Taggers take the verb of a question for a noun:
    the first word with the stem counts, from the third on, in small letters, no adjective or
    adverb."""
    for position, token in enumerate(tokens[2:], 2):
        small = not token.text[0].isupper() and token.tag[:2] not in ("JJ", "RB")
        if token.stem == verb and small:
            before, after = tokens[1:position], tokens[position + 1 :]
            is_be = tokens[0].text.lower() in _BE
            is_passive = token.tag in ("VBN", "VBD") and any(
                word.text.lower() in _BE for word in before[-3:]
            )
            if (is_be and (token.tag in ("VBN", "VBD") or _has_by(after))) or is_passive:
                return _passive(token, before, after)
            return _Clause(verb, _content(before), _content(after), token.negated)
    return None


def _has_by(tokens: Sequence[Token]) -> bool:
    return any(token.text.lower() == "by" for token in tokens)


def _passive(verb: Token, before: Sequence[Token], after: Sequence[Token]) -> _Clause:
    """The clause of a verb in the passive: the agents are between "by" and the next preposition but
    "of", all other nouns, names and adjectives are what it is done to."""
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
    others = _content([*before, *after[:by], *after[end:]])
    return _Clause(verb.stem, _content(after[by + 1 : end]), others, verb.negated)


def _content(tokens: Sequence[Token]) -> frozenset[str]:
    """The stems of nouns, adjectives and capitalised words, stop words left out."""
    return frozenset(
        token.stem
        for token in tokens
        if token.stem and (token.tag[:2] in ("NN", "JJ") or token.text[0].isupper())
    )


def _compare_clauses(
    tokens: Sequence[Token], clause: _Clause, sentence: Sequence[Token]
) -> list[Difference]:
    """At most one difference of a question (`tokens`) from a clause of the sentence: with the same
    verb, agents and others exchanged, or only one of the two negated where they share agents or
    others, neither has only different ones and the clause has all of the question's; or the
    opposite of a verb that the sentence lacks, negated alike, of a shared agent (of a shared other,
    where the question has no agent)."""
    claim = _question_clause(tokens, clause.verb)
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
        claim = None if opposite in stems else _question_clause(tokens, opposite)
        if claim is None or claim.negated != clause.negated:
            continue
        # Who wins is not who loses: the same agent, or without one the same object.
        same = claim.agents & clause.agents or (not claim.agents and claim.others & clause.others)
        if same:
            return [Difference("opposite", "the sentence says the contrary")]
    return []


def _opposite_words(claim: Sequence[Token], sentence: Sequence[Token]) -> list[Difference]:
    """At most one difference: a word of the claim that the sentence lacks, while it has an opposite
    of it that the claim lacks, neither of them a verb."""
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
            if opposite in plain_stems:
                word = next(other.text for other in sentence if other.stem == opposite)
                return [Difference("opposite", f"the sentence says “{word}”, not “{token.text}”")]
    return []


def _with_prefix(stem: str) -> tuple[str, ...]:
    """The stem with "un", of one with it that without it."""
    return (f"un{stem}", *([stem[2:]] if stem.startswith("un") and len(stem) > 4 else []))


def _swapped_ends(claim: Sequence[Token], sentence: Sequence[Token]) -> list[Difference]:
    """At most one difference: a noun anywhere before "from", "by", "against" or "than" in the claim
    is right behind it in the sentence, where none of those behind it in the claim is; "than" only
    where both have the same comparative."""
    for preposition in _ENDS:
        if preposition == "than" and not _comparatives(claim) & _comparatives(sentence):
            continue
        ours, theirs = (_behind(tokens, preposition) for tokens in (claim, sentence))
        start = next((n for n, word in enumerate(claim) if word.text.lower() == preposition), 0)
        before = _content(claim[:start])
        if ours and theirs & before - ours and not theirs & ours:
            return [Difference("roles", "the sentence has it the other way round")]
    return []


def _comparatives(tokens: Sequence[Token]) -> set[str]:
    """The comparatives of a text, in small letters."""
    words = {token.text.lower() for token in tokens if token.tag in ("JJR", "RBR")}
    return words | {token.text.lower() for token in tokens} & {"more", "less", "fewer"}


def _behind(tokens: Sequence[Token], preposition: str) -> frozenset[str]:
    """The stems of nouns, names and adjectives of the noun phrases, up to `_PHRASE` (4) words,
    right behind every occurrence of a preposition."""
    stems: set[str] = set()
    for position, token in enumerate(tokens):
        if token.text.lower() == preposition:
            start = position + 1
            if start < len(tokens) and tokens[start].text.lower() in AUXILIARIES:
                start += 1  # than are girls
            phrase = takewhile(_is_of_phrase, tokens[start : start + _PHRASE])
            stems |= _content(list(phrase))
    return frozenset(stems)


def _is_of_phrase(token: Token) -> bool:
    """True if a word can be of a noun phrase: a noun, adjective, article, number, pronoun or a word
    with a capital."""
    return token.tag[:2] in ("NN", "JJ", "DT", "CD", "PR") or token.text[0].isupper()


def _negated_object(claim: Sequence[Token], sentence: Sequence[Token]) -> list[Difference]:
    """At most one difference, none for a claim with a negation, "lack" or "instead of": in the
    sentence a noun of the claim is, wherever it is, behind a negation of its phrase ("food, and not
    her genes"), and another noun of the claim is without; or, for the last noun of the claim,
    behind one of a clause that has another noun of the claim before the negation ("cells that have
    no nucleus")."""
    nouns = [token.stem for token in claim if token.stem and token.tag.startswith("NN")]
    if any(token.negated or _is_excluded(claim[:n]) for n, token in enumerate(claim)):
        return []
    if any(token.stem == "lack" for token in claim):
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
    phrase = len(list(takewhile(_is_of_phrase, reversed(before))))
    words = [token.text.lower() for token in before]
    # "no" is an article for taggers
    start = len(words) - phrase
    if NEGATIONS.intersection(words[max(start - 1, 0) :]):
        return True
    return words[max(start - 2, 0) : start] in _INSTEAD


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
        if position and (claim[position - 1].text, first.stem) in behind:
            continue
        if not first.stem or not head.stem or not head.tag.startswith("NN"):
            continue
        before_head = [
            n for n, (_, other) in enumerate(pairwise(sentence)) if _are_same_noun(other, head)
        ]
        ours = [n for n in before_head if sentence[n].stem == first.stem]
        theirs = [
            n
            for n in before_head
            if sentence[n].stem
            and sentence[n].stem not in claim_stems
            and any(_are_alike(sentence[n], sentence[other]) for other in ours)
            and sentence[max(n - 2, 0)].text != "as"  # also known as the Great Compromise
            and sentence[n - 1].text != "as"
        ]
        opposites = set(_opposites().get(first.stem, ()))
        contrary = [n for n in before_head if sentence[n].stem in opposites - claim_stems]
        if contrary and not ours:
            word = f"{sentence[contrary[0]].text} {head.text}"
            return [Difference("rival", f"the sentence says so of “{word}”")]
        rest = claim_stems - {first.stem, head.stem}
        if theirs and _are_nearer(theirs, ours, sentence, rest):
            rival = sentence[theirs[0]].text
            return [Difference("rival", f"the sentence says so of “{rival} {head.text}”")]
    for before, token in pairwise(claim):
        ours = [n for n, other in enumerate(sentence) if token.stem and other.stem == token.stem]
        opposites = set(_opposites().get(token.stem, ()))
        if opposites & claim_stems or (before.text, token.stem) in behind:
            continue
        theirs = [
            n for n, other in enumerate(sentence) if other.stem in opposites and not other.negated
        ]
        rest = claim_stems - {token.stem}
        if ours and theirs and _are_nearer(theirs, ours, sentence, rest):
            word = sentence[theirs[0]].text
            return [Difference("rival", f"the sentence says “{word}” of it, not “{token.text}”")]
    return []


def _are_same_noun(first: Token, second: Token) -> bool:
    """True for words that differ at most by "s" at the end or capitals, as a noun and its plural: a
    stem can be of an engineer and of an engine."""
    return first.text.lower().rstrip("s") == second.text.lower().rstrip("s")


def _are_alike(first: Token, second: Token) -> bool:
    """True for two words of the same part of speech, and for two that begin with a capital."""
    capital = first.text[0].isupper() and second.text[0].isupper()
    return capital or first.tag[:2] == second.tag[:2]


def _are_nearer(
    theirs: Sequence[int], ours: Sequence[int], tokens: Sequence[Token], rest: set[str]
) -> bool:
    """True if the words with stems of `rest`, the names alone where there are any, else those that
    are there once, are together nearer to positions of `theirs` than to those of `ours`; False if
    they are as near, or without any. A semicolon or full stop between two words is as far as
    `_SENTENCE` (20) words, a comma as `_PHRASE` (4)."""
    stops = [(n, _STOPS[token.text]) for n, token in enumerate(tokens) if token.text in _STOPS]

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
    behind it, or "", and "more" or "less" for a bound ("at least two", "fewer than two")."""

    value: float
    written: str
    noun: str
    bound: Literal["more", "less", ""]


def _read_numbers(tokens: Sequence[Token]) -> list[_Number]:
    """The numbers of a text in figures, in order."""
    numbers = []
    for position, token in enumerate(tokens):
        if re.fullmatch(r"\d[\d,]*(?:\.\d+)?", token.text):
            behind = tokens[position + 1 : position + 4]
            nouns = [other.stem for other in behind if other.tag.startswith("NN") and other.stem]
            value = float(token.text.replace(",", ""))
            numbers.append(_Number(value, token.text, (*nouns, "")[0], bound(tokens, position)))
    return numbers


def _numbers(claim: Sequence[Token], sentence: Sequence[Token]) -> list[Difference]:
    """At most one difference: a number of the claim that the sentence lacks, where it has another
    one of the same noun, beyond the bound if the claim's is one ("fewer than 200"), or, for a year
    (1000 to 2999) without a noun, another year."""
    theirs = _read_numbers(sentence)
    values = {other.value for other in theirs}
    for ours in _read_numbers(claim):
        if ours.value in values:
            continue
        for other in theirs:
            is_within = (ours.bound == "more" and other.value > ours.value) or (
                ours.bound == "less" and other.value < ours.value
            )
            years = not ours.noun and all(1000 <= n.value <= 2999 for n in (ours, other))
            is_same_noun = ours.noun != "" and ours.noun == other.noun
            if (is_same_noun or years) and not is_within:
                reason = f"the sentence says {other.written}, not {ours.written}"
                return [Difference("number", reason)]
    return []


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


def read_opposites(file: str, terms: Callable[[str], Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Term → the terms of its opposites, sorted, of a file of this package's word lists: a line has
    words of one meaning, "|", and those of the contrary; it counts both ways. Empty lines and those
    with "#" are skipped; `terms` gives the terms of a word."""
    opposites: dict[str, set[str]] = {}
    lines = files(__package__).joinpath(f"wordlists/{file}").read_text("utf-8")
    for line in lines.splitlines():
        if not line or line.startswith("#"):
            continue
        left, right = (
            {term for word in side.split() for term in terms(word)} for side in line.split("|")
        )
        for first, second in ((left, right), (right, left)):
            for word in first:
                opposites.setdefault(word, set()).update(second)
    return {word: tuple(sorted(others)) for word, others in opposites.items()}


_CLAUSE_ENDS = frozenset(
    "; : . while whereas but although though because since when where if unless until that which "
    "whom whose despite".split()
)
_MARKS = frozenset(", ( )".split())
_FINITE = ("VBD", "VBP", "VBZ", "VB", "MD")
_RELATIVES = frozenset("who which that whom whose where".split())
_NAMING = frozenset("called named known including".split())  # an aside with these is another name
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
    # "extending back" does not say "at the back"
    nouns = {token.stem for before, token in pairwise(tokens) if before.tag == "DT"}
    is_plain = not any(token.tag[:2] in ("VB", "IN", "TO") for token in tokens[1:])
    parts = _parts(sentence_tokens)
    if tokens[0].text.lower() in _BE and not denied and _is_called(content, parts, is_plain):
        return True
    for clause in _clauses(parts):
        if _lacks_but_as_owner(tokens, clause):
            continue
        present = {
            token.stem
            for token in clause
            if (denied or not token.negated) and (token.tag != "RB" or token.stem not in nouns)
        }
        if stems <= present and _agrees(tokens, content, clause, is_plain, denied):
            return True
    return False


def _has_other_ends(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """True if, of "to", "from", "over", "into" and "against", the claim has one with nouns behind
    it of which none is behind any preposition in the sentence: tea to coffee, coffee over tea."""
    prepositions = {token.text.lower() for token in sentence if token.tag in ("IN", "TO")}
    theirs = {stem for preposition in prepositions for stem in _behind(sentence, preposition)}
    ends = [_behind(claim, end) for end in ("to", "from", "over", "into", "against")]
    return any(ours and not ours & theirs for ours in ends)


def _lacks_but_as_owner(claim: Sequence[Token], clause: Sequence[Token]) -> bool:
    """True if a clause has a word of the claim, no stop word, only as an owner ("Fust's daughter"),
    which in the claim is none and has no "of" among the two words before."""
    ours, theirs = _owners(claim), _owners(clause)
    others = {token.stem for n, token in enumerate(clause) if n not in theirs}
    free = {
        token.stem
        for n, token in enumerate(claim)
        if token.stem and n not in ours and "of" not in [word.text for word in claim[n - 2 : n]]
    }
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


class _SentencePart(NamedTuple):
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
            is_noun_or_verb = token.tag[:2] == "NN" and _may_be_verb(self.tokens, position)
            if token.tag in _FINITE or is_noun_or_verb or _is_past(self.tokens, position):
                return position
        return len(self.tokens)

    @property
    def is_aside(self) -> bool:
        """Whether it is a clause of its own between the words of another: a relative one, or one
        without a finite verb that begins with a participle, none of `_NAMING`, perhaps behind a
        preposition or, of a past one, a conjunction."""
        first, *others = self.tokens
        head = others[0] if others and first.tag in ("IN", "CC") else first
        is_participle = head.tag == "VBN" or (head.tag == "VBG" and first.tag != "CC")
        is_participle &= head.text.lower() not in _NAMING
        return self.relative or (is_participle and not self.is_finite)


def _is_past(tokens: Sequence[Token], position: int) -> bool:
    """True for what taggers take for a past participle, none of `_NAMING`, and is a past tense:
    without an auxiliary among the three words before it but adverbs, behind a name or "who", and
    with no "by" among the next four; or behind another noun, a pronoun or at most a conjunction,
    and before an object."""
    if tokens[position].tag != "VBN" or tokens[position].text.lower() in _NAMING:
        return False
    before = [word for word in tokens[:position] if word.tag != "RB"]
    if any(word.text.lower() in AUXILIARIES for word in before[-3:]):
        return False
    tag = before[-1].tag if before else ""
    if tag[:3] == "NNP" or tag[:2] == "WP":
        return not _has_by(tokens[position + 1 : position + 1 + _PHRASE])
    behind = next((word.tag for word in tokens[position + 1 :] if word.tag != "RB"), "")
    is_object = behind[:2] in ("DT", "PR") or behind[:3] == "NNP"
    if tag[:2] in ("NN", "PR"):
        return is_object or behind[:2] in ("NN", "JJ")
    return is_object and (not before or [word.tag for word in before] == ["CC"])


def _parts(tokens: Sequence[Token]) -> list[_SentencePart]:
    """The tokens of a sentence in parts, at marks and conjunctions, and at "and" and "or" where a
    noun and its verb follow, or a second verb; none is empty. A relative clause has the noun before
    it as its subject, with what this explains ("Ida, a nurse who …"), and all parts of a definition
    ("helicase: enzyme that …") what is defined."""
    parts = [_SentencePart([], joined=False)]
    head: list[Token] = []  # of a definition
    for position, token in enumerate(tokens):
        lower = token.text.lower()
        is_in_date = lower == "," and all(
            word.tag == "CD" for word in (*parts[-1].tokens[-1:], *tokens[position + 1 :][:1])
        )
        following = next((word.tag for word in tokens[position + 1 :] if word.tag != "RB"), "")
        joins_clauses = lower in ("and", "or") and _opens(tokens[position + 1 :])
        joins_clauses |= lower in ("and", "but") and _joins_verb(parts[-1], tokens[position + 1 :])
        # a verb may be tagged as a plural; not "it shows that ants sting"
        opens_relative = following[:2] in ("VB", "MD") or following == "NNS"
        opens_relative &= position > 0 and tokens[position - 1].tag[:2] not in ("VB", "MD")
        is_past = token.tag in ("VBD", "VBZ", "MD") or (token.tag == "VBN" and following != "IN")
        is_past &= parts[-1].relative and tokens[position - 1].tag[:2] == "NN"
        if is_past and _joins_verb(parts[-1], tokens[position:]):  # "she who taught Ida painted"
            parts.append(_SentencePart([], joined=True))
        if lower == ":" and 0 < position <= _PHRASE:
            # "helicase: enzyme that unwinds DNA" is a definition
            head = parts[-1].tokens
            parts = [_SentencePart([*head, Token("is", "", "VBZ", negated=False)], joined=False)]
        elif lower in ("which", "that", "who") and opens_relative:
            whole = [part for part in parts if part.tokens]
            subject = _last_phrase(whole[-1].tokens) if whole else []
            if len(whole) > 1 and whole[-1].joined and subject == whole[-1].tokens:
                subject = [*_last_phrase(whole[-2].tokens), *subject]
            parts.append(_SentencePart([*head, *subject], joined=False, relative=True))
        elif (lower in _CLAUSE_ENDS or lower in _MARKS or joins_clauses) and not is_in_date:
            parts.append(
                _SentencePart(
                    [token] * joins_clauses,
                    joined=lower in _MARKS or joins_clauses,
                    relative=lower in _RELATIVES or (joins_clauses and parts[-1].relative),
                )
            )
        else:
            parts[-1].tokens.append(token)
    return [part for part in parts if part.tokens]


def _joins_verb(part: _SentencePart, behind: Sequence[Token]) -> bool:
    """True if a verb in the present or past or a past participle, perhaps after adverbs, begins the
    words behind a part that has a verb with a noun behind: "designed and built the mill" is one."""
    tag = next((token.tag for token in behind if token.tag != "RB"), "")
    has_noun = bool(_content(part.tokens[part.verb + 1 :]))
    return tag in ("VBD", "VBP", "VBZ", "VBN") and has_noun


def _last_phrase(tokens: Sequence[Token]) -> list[Token]:
    """The noun phrase at the end of a part, [] if it ends with another word."""
    return list(takewhile(_is_of_phrase, reversed(tokens)))[::-1]


def _clauses(parts: Sequence[_SentencePart], *, has_appositions: bool = True) -> list[list[Token]]:
    """The tokens of each part with a verb, with those of the parts without a finite one that a
    comma joins to it, and these commas, asides left out: all before ("ants, wasps and bees sting"),
    and behind those that begin with a preposition or that nothing follows. A part that begins with
    its verb has the subject of the clause before it (`_subject`), one that begins with a past
    participle the noun phrase before its comma."""
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


def _subject(parts: Sequence[_SentencePart], number: int) -> list[Token]:
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
        return [*takewhile(lambda word: _is_of_phrase(word) or word.tag == "CC", before)][::-1]
    following = [token.tag[:2] for token in tokens[verb : verb + 2]]
    is_passive = tag == "VBN" and following == ["VB", "VB"]
    return tokens[: verb + (is_passive or following[:1] == ["NN"])]


def _is_apposition(parts: Sequence[_SentencePart], number: int) -> bool:
    """True for a noun phrase with an article or the like between a comma and one right before a
    verb: "Ida, the sister of Olaf Ruiz, painted"."""
    part, following = parts[number], parts[number + 1 : number + 2]
    is_phrase = number > 0 and part.joined and part.tokens[0].tag[:2] in ("DT", "PR")
    behind = [token.tag[:2] for other in following for token in other.tokens if token.tag != "RB"]
    return is_phrase and following[:1] != [] and behind[:1] in (["VB"], ["MD"])


def _is_between(part: _SentencePart) -> bool:
    """True if a part is an aside, or a phrase behind a comma, so that its clause began before."""
    return part.is_aside or (part.joined and not part.is_finite)


def _opens(tokens: Sequence[Token]) -> bool:
    """True if the tokens begin with a noun phrase or pronoun and then a verb."""
    phrase = list(takewhile(_is_of_phrase, tokens))
    following = tokens[len(phrase) : len(phrase) + 1]
    is_verb = any(token.tag[:2] in ("VB", "MD") for token in following)
    return bool(phrase) and (is_verb or any(_may_be_verb(tokens, n) for n in range(len(phrase))))


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
    is_be = claim[0].text.lower() in _BE
    for position, token in enumerate(clause):
        # "the refusal to ratify it" does not say that it was ratified
        is_infinitive = clause[position - 1 : position] and clause[position - 1].tag == "TO"
        is_verb = token.tag.startswith("VB") or (not is_be and _may_be_verb(clause, position))
        if token.stem and is_verb and not is_infinitive:
            stated, question = _clause(clause, position), _question_clause(claim, token.stem)
            if question is None:
                continue
            agreeing = (
                question.agents <= stated.agents
                and question.others <= stated.others
                and question.negated == stated.negated
            )
            agent_is_other = question.agents & stated.others - stated.agents
            # the other way round by the first verb: "of blowing" behind it says nothing
            if agent_is_other and question.others & stated.agents - stated.others:
                return False
            if agreeing:
                return True
    if not is_be:
        return False
    first, last = content[0].stem, content[-1].stem
    for position, token in enumerate(clause):
        if token.text.lower() in _BE and first in {word.stem for word in clause[:position]}:
            behind = list(clause[position + 1 :])
            if is_plain:
                phrase = takewhile(lambda word: _is_of_phrase(word) or word.tag == "RB", behind)
                behind = list(phrase)
            negated = any(word.negated for word in clause[position : position + 3])
            if last in {word.stem for word in behind if word.stem} and negated == denied:
                return True
    return False


def _may_be_verb(tokens: Sequence[Token], position: int) -> bool:
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


def _is_called(content: Sequence[Token], parts: Sequence[_SentencePart], is_plain: bool) -> bool:
    """True if the first of the claim's words `content` (not empty) is called the rest, as "X, a Y"
    or by its definition ("X: Y …"), or is one of the first five words behind "Y such as", Y the
    last."""
    first, last = content[0].stem, content[-1].stem
    stems = {token.stem for token in content}
    for part, aside in pairwise(parts):
        name = {token.stem for token in takewhile(_is_of_phrase, reversed(part.tokens))}
        rest = {token.stem for token in aside.tokens if not token.negated}
        is_aside = aside.joined and not aside.is_finite and aside.tokens[0].tag != "CC"
        if not is_aside or first not in name or last not in rest:
            continue
        if stems <= name | rest and (not is_plain or _is_of_phrase(aside.tokens[0])):
            return True
    for part in parts:
        for position, token in enumerate(part.tokens):
            behind = [word.text.lower() for word in part.tokens[position + 1 : position + 3]]
            if token.stem == last and behind == ["such", "as"]:
                examples = part.tokens[position + 3 : position + 4 + _PHRASE]
                if first in {word.stem for word in examples}:
                    return True
    return False
