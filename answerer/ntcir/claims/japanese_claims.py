"""Where a sentence contradicts a Japanese claim: particles exchanged, opposites, negation, numbers.

The parts of speech are MeCab's. The words of a noun phrase, with all that の joins to it, have the
role of the particle behind it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations, pairwise
from typing import NamedTuple

from answerer.ntcir.claims.verifier import Difference, read_opposites
from indexer.analysis.japanese import NOUNS, in_figures, nodes
from indexer.analysis.text import NUMERALS, normalise

_VERBAL_NOUN = 36  # ipadic's number of 名詞,サ変接続
_PARTICLES = {
    "は": "agent", "が": "agent", "も": "agent", "を": "object", "に": "to", "へ": "to",
    "から": "from", "より": "from", "で": "at", "と": "with", "まで": "until",
    "によって": "by", "により": "by",
}  # fmt: skip
_JOINTS = frozenset("の や と を が は も に へ で".split())  # particles behind a noun
_PASSIVE = frozenset(("れる", "られる"))
_PASSIVE_WITHIN = 2  # words behind a verb (さ れ), in which a passive is of it
_IN_ACTIVE = {"agent": "object", "to": "agent", "by": "agent"}  # role in the passive → active
# verbs of which に in the passive names the receiver (島は清に割譲された), not who did it
_GIVING = frozenset(
    "割譲 譲渡 授与 授ける 与える 渡す 引き渡す 贈る 売る 売却 送る 派遣 返還 移す".split()
)
_ALL = re.compile("すべて|全て|全員|全部|あらゆる|(?:誰|だれ)もが")
# 75% and 7割, not 百%; 一部の
_SOME = re.compile(
    "一部|多く|大半|大部分|ほとんど|過半数|半数|半分|いくつか|\\d割|(?<!\\d)\\d{1,2}(?:\\.\\d+)?(?:%|パーセント)"
)
_ONLY = re.compile("のみ|だけ|しか")
_DENIALS = frozenset(("ない", "ぬ", "ん", "ず"))
_DENIED_WITHIN = 4  # words behind a verb (… し ませ ん), in which a negation is of it
# with its unit; 14世 is of a name
_NUMBER = re.compile(
    r"(?:紀元前|前)?(?:\d[\d,.]*+[億万千]*+)++(?:世紀|年代?|[ァ-ヺー]++|(?!世)[一-龥])"
)
# not the single numeral of a name (一郎) or a word (一部)
_IN_WORDS = re.compile(
    rf"(?:\d|[{NUMERALS}](?=[{NUMERALS}万億兆]))(?:[\d{NUMERALS}万億兆]|[.,](?=\d))*+"
)
_OF_NUMBERS = frozenset("前 年 月 日 世 世紀 年代 人 回 つ".split())


class _Word(NamedTuple):
    """A word of a text with its base form; a verbal noun (発布) is a verb too."""

    surface: str
    base: str
    is_noun: bool
    is_verb: bool


def differences(claim: str, sentence: str) -> list[Difference]:
    """The parts of a claim that a sentence contradicts, at most one of each kind, the surest kind
    first (roles, opposites, negation, numbers, すべて); [] without any."""
    claim_words, sentence_words = _words(claim), _words(sentence)
    return [
        *_exchanged_roles(_roles(claim_words), _roles(sentence_words)),
        *_opposite_words(claim_words, sentence_words),
        *_negation(claim_words, sentence_words),
        *_numbers(claim, sentence),
        *_quantifiers(claim, sentence),
    ]


def with_figures(text: str) -> str:
    """A text, normalised, with its numbers in figures without commas: 5万2000, 52,000 and 五万二千
    are 52000; a single Chinese numeral remains."""
    return _IN_WORDS.sub(lambda match: in_figures(match[0]), normalise(text))


def lacks_noun(claim: str, lacking: Sequence[str], sentence: str) -> bool:
    """True if one of the terms `lacking` in a sentence is a noun of the claim, not a verbal one
    (発布), nor who does what it says (著者: 著した)."""
    nouns = {node.surface for node in nodes(normalise(claim)) if node.posid in NOUNS}
    nouns -= {node.surface for node in nodes(normalise(claim)) if node.posid == _VERBAL_NOUN}
    nouns = {noun for noun in nouns if not (noun.endswith("者") and noun[:-1] in sentence)}
    return not nouns.isdisjoint(lacking)


def _words(text: str) -> list[_Word]:
    """The words of a text, normalised, as MeCab divides it; one it does not know is its own base
    form."""
    words = []
    for node in nodes(normalise(text)):
        fields = node.feature.split(",")
        base = fields[6] if len(fields) > 6 and fields[6] != "*" else node.surface
        is_verb = fields[0] == "動詞" or node.posid == _VERBAL_NOUN
        words.append(_Word(node.surface, base, node.posid in NOUNS, is_verb))
    return words


def _roles(words: Sequence[_Word]) -> dict[str, set[str]]:
    """Noun → the roles of the phrases that it is in, as in the active: before a verb in the passive
    what は, が or も follows is the object, what によって follows the agent, without that also what
    に follows, but for verbs of giving. Numbers, their units (`_OF_NUMBERS`) and phrases without a
    particle are left out."""
    roles: dict[str, set[str]] = {}
    phrase: list[str] = []
    clause: list[tuple[str, str]] = []  # the nouns before a verb, with their roles
    for position, word in enumerate(words):
        if word.is_noun:
            phrase.append(word.surface)
            continue
        if phrase and word.surface == "の" and position + 1 < len(words):
            continue
        verb = phrase[-1] if phrase and word.base == "する" else word.base
        if role := _PARTICLES.get(word.surface):
            clause += [(noun, role) for noun in phrase]
        phrase = []
        if word.is_verb or position + 1 == len(words):
            behind = words[position + 1 : position + 1 + _PASSIVE_WITHIN]
            is_passive = any(other.base in _PASSIVE for other in behind)
            has_by = any(role == "by" for _, role in clause)
            for noun, role in clause:
                is_receiver = role == "to" and (has_by or verb in _GIVING)
                if is_passive and not is_receiver:
                    role = _IN_ACTIVE.get(role, role)
                if not noun.isdigit() and noun not in _OF_NUMBERS:
                    roles.setdefault(noun, set()).add(role)
            clause = []
    return roles


def is_stated(claim: str, sentence: str) -> bool:
    """True unless a noun has roles in a Japanese claim and in the sentence, but none in common, a
    number of the claim is of another noun there, the claim's last verb is a noun there (発展や), or
    only the claim has すべて, のみ or the like, or only the sentence 一部; so also if they share no
    noun."""
    words, others = _words(claim), _words(sentence)
    ours, theirs = _roles(words), _roles(others)
    if any(not ours[noun] & theirs[noun] for noun in ours.keys() & theirs.keys()):
        return False
    if any(sign.search(claim) and not sign.search(sentence) for sign in (_ALL, _ONLY)):
        return False
    if _SOME.search(sentence) and not _SOME.search(claim):
        return False
    return not _has_number_of_another(claim, sentence) and not _is_noun_only(words, others)


def _is_noun_only(claim: Sequence[_Word], sentence: Sequence[_Word]) -> bool:
    """Whether the last verb of a claim, a verbal noun, is in the sentence, but only before a
    particle of nouns."""
    verbs = [word for word in claim if word.is_verb and word.base not in ("する", "れる")]
    following = [
        other.surface for word, other in pairwise(sentence) if verbs and word.base == verbs[-1].base
    ]
    return bool(following) and all(word in _JOINTS for word in following)


def _has_number_of_another(claim: str, sentence: str) -> bool:
    """Whether behind the noun before a number of the claim the sentence has first another number
    with the same unit: for 長さは12メートル the sentence 長さは640メートルで、幅は12メートル."""
    ours, theirs = with_figures(claim), with_figures(sentence)
    for number in _NUMBER.finditer(ours):
        nouns = [word.surface for word in _words(ours[: number.start()]) if word.is_noun]
        _, noun, behind = theirs.partition(nouns[-1]) if nouns else ("", "", "")
        others = [other for other in _NUMBER.findall(behind) if other[-1] == number[0][-1]]
        if noun and others and others[0] != number[0]:
            return True
    return False


def _exchanged_roles(
    claim: Mapping[str, set[str]], sentence: Mapping[str, set[str]]
) -> list[Difference]:
    """At most one difference: two nouns of the claim (noun → roles) have each other's roles in the
    sentence, and not their own."""
    for first, second in combinations(claim, 2):
        ours = claim[first], claim[second]
        theirs = sentence.get(first, set()), sentence.get(second, set())
        if (
            ours[1] & theirs[0]
            and ours[0] & theirs[1]
            and not ours[0] & theirs[0]
            and not ours[1] & theirs[1]
        ):
            return [Difference("roles", "the sentence has it the other way round")]
    return []


def _opposite_words(claim: Sequence[_Word], sentence: Sequence[_Word]) -> list[Difference]:
    """At most one difference: a word of the claim that the sentence lacks, while it has an opposite
    of it that the claim lacks; [] if both have agents, but none in common."""
    agents = [
        {noun for noun, roles in _roles(words).items() if "agent" in roles}
        for words in (claim, sentence)
    ]
    if all(agents) and not agents[0] & agents[1]:
        return []
    ours, theirs = ({word.base for word in words} for words in (claim, sentence))
    for word in claim:
        if word.base in theirs:
            continue
        for opposite in _opposites().get(word.base, ()):
            if opposite in theirs and opposite not in ours:
                reason = f"the sentence says “{opposite}”, not “{word.base}”"
                return [Difference("opposite", reason)]
    return []


def _negation(claim: Sequence[_Word], sentence: Sequence[_Word]) -> list[Difference]:
    """At most one difference: the last verb of the claim (but する, れる) is in the sentence,
    and is denied (by one of the next four words) in the claim but nowhere there, or everywhere
    there but not in the claim."""

    def is_denied(words: Sequence[_Word], position: int) -> bool:
        behind = words[position + 1 : position + 1 + _DENIED_WITHIN]
        return any(word.base in _DENIALS or word.surface in _DENIALS for word in behind)

    verbs = [
        n for n, word in enumerate(claim) if word.is_verb and word.base not in ("する", "れる")
    ]
    for position in verbs[-1:]:
        places = [n for n, word in enumerate(sentence) if word.base == claim[position].base]
        denied = is_denied(claim, position)
        if places and all(is_denied(sentence, n) != denied for n in places):
            return [Difference("negation", "the sentence says the contrary")]
    return []


def _numbers(claim: str, sentence: str) -> list[Difference]:
    """At most one difference: the first number of the claim that the sentence lacks, where it has
    another whose unit ends with the same character (年); numbers without a unit do not count."""
    ours, theirs = (_NUMBER.findall(with_figures(text)) for text in (claim, sentence))
    for number in ours:
        others = [other for other in theirs if other[-1] == number[-1]]
        if others and number not in others:
            return [Difference("number", f"the sentence says {others[0]}, not {number}")]
    return []


def _quantifiers(claim: str, sentence: str) -> list[Difference]:
    """At most one difference: the claim says すべて or the like, and the sentence only 一部, 75% or
    the like."""
    some = _SOME.search(with_figures(sentence))
    if _ALL.search(claim) and some and not _ALL.search(sentence):
        return [Difference("quantifier", f"the sentence says {some[0]}, not all")]
    return []


@cache
def _opposites() -> dict[str, tuple[str, ...]]:
    """Base form → base forms of its opposites, of opposites-ja.txt."""
    return read_opposites("opposites-ja.txt", lambda word: [word])
