"""Where a sentence contradicts a Japanese claim: roles, opposites, negation, numbers, すべて."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, pairwise, takewhile

from answerer.ntcir.claims.difference import Difference
from answerer.ntcir.claims.japanese.clauses import (
    DENYING_PREFIXES,
    TOPICS,
    Word,
    clauses,
    text_of,
    without_cleft,
    words_of,
)
from answerer.ntcir.claims.japanese.numbers import number_keys, numbers_of, with_figures
from answerer.ntcir.claims.japanese.roles import PASSIVE, WINNING, have_other_agents, roles_of
from answerer.ntcir.claims.wording import japanese_share, read_opposites
from indexer.analysis.text import normalise

ALL = re.compile("すべて|全て|全員|全部|あらゆる|(?:誰|だれ)(?:もが|でも)|必ず|常に|どの.{1,4}も")
# 75% and 7割, not 百%; 一部の
SOME = re.compile(
    "を除(?:いて|く|き)|によっては|(?:こと|場合)もある|限らない|一部|多く|大半|大部分|ほとんど|過半数|半数|半分|いくつか|\\d割|(?<!\\d)\\d{1,2}(?:\\.\\d+)?(?:%|パーセント)"
)
ONLY = re.compile("のみ|だけ|しか")
# opposite characters of words of several: 南東, 輸入, 陽性
_CHARACTERS = dict(
    zip(
        "南東上左内前大高長多強増男父兄姉入売勝陽正善軽明冷寒朝昼生縦遠深厚公有新進開"
        "北西下右外後小低短少弱減女母弟妹出買敗陰負悪重暗温暑夕夜死横近浅薄私無旧退閉",
        "北西下右外後小低短少弱減女母弟妹出買敗陰負悪重暗温暑夕夜死横近浅薄私無旧退閉"
        "南東上左内前大高長多強増男父兄姉入売勝陽正善軽明冷寒朝昼生縦遠深厚公有新進開",
        strict=True,
    )
)
_DENIALS = frozenset(("ない", "ぬ", "ん", "ず"))
# 渡らなければならない, 渡っただけでなく, 渡ったばかりでなく, 渡らざるをえない
_NOT_DENIED = frozenset(("なけれ", "だけ", "ばかり", "のみ", "ざる"))
# verbs that only carry another: 成立を見る, 使うことができる
_LIGHT = frozenset("する れる られる せる できる 出来る 見る 行う なる ある いる".split())
_BRACKETS = re.compile(r"([^\W_ぁ-ん]++)\(([^\W_]++)\)")
_ONLY_NOUN = re.compile(r"([一-龥々ァ-ヺー]++)(?:だけ|のみ)(?!で?な[くい])")
_DIRECTION = re.compile("([南北]?[東西]|[南北])(?:側|部|方|岸|端)?")
_NOT_BUT = re.compile(
    r"([^、。はがをでに]++)(?:を[^、。はがを]{1,12}わけ)?では(?:な[いくか]|ありません)"
)
_DENIED_WITHIN = 5  # words behind a verb (… し ませ ん), in which a negation is of it


def differences(claim: str, sentence: str, context: str = "") -> list[Difference]:
    """The parts of a claim that a sentence contradicts, at most one of each kind, the surest kind
    first (roles, opposites, negation, numbers, すべて, words in brackets, ではなく); [] without
    any. `context`, a title and the sentences before, may have the claim's topic."""
    claim_words, sentence_words = words_of(claim), words_of(sentence)
    return [
        *_exchanged_roles(claim_words, sentence_words),
        *_crossed_clauses(claim_words, sentence_words),
        *_other_agent(claim_words, sentence_words),
        *_beaten_winner(claim_words, sentence_words),
        *_opposite_words(claim_words, sentence_words),
        *_other_direction(claim_words, sentence_words),
        *_negation(claim_words, sentence_words, normalise(context)),
        *_numbers(claim, sentence),
        *_quantifiers(claim, sentence),
        *_brackets(claim, sentence),
        *_contrast(claim_words, sentence_words),
    ]


def compares(claim: str) -> bool:
    """True for a claim with より and an adjective, 先, 前 or 後 behind it: 橋は町より古い."""
    words = words_of(claim)
    behind = words[
        next((n for n, word in enumerate(words) if word.surface == "より"), len(words)) :
    ]
    return any(word.is_adjective or word.surface in ("先", "前", "後") for word in behind)


def _exchanged_roles(claim: Sequence[Word], sentence: Sequence[Word]) -> list[Difference]:
    """At most one difference: two nouns of the claim have each other's roles in the sentence, and
    not their own, in a clause with the claim's `_predicate`."""
    verb = _predicate(claim)
    parts = [part for part in clauses(sentence) if verb and _has(part, verb)]
    if any(_are_exchanged(roles_of(claim), roles_of(part)) for part in parts):
        return [Difference("roles", "the sentence has it the other way round")]
    return []


def _crossed_clauses(claim: Sequence[Word], sentence: Sequence[Word]) -> list[Difference]:
    """At most one difference: of two clauses of the claim (甲は北、乙は南にある) each has, of the
    nouns and adjectives that the other clause lacks, some that only the one and some that only
    the other of two clauses of the sentence has (甲は南、乙は北にある)."""

    def contents(words: Sequence[Word]) -> Iterator[tuple[set[str], set[str]]]:
        """What only the one and only the other of each two clauses has."""
        parts = [
            {word.base for word in part if word.is_matter or word.is_adjective}
            for part in clauses(words)
        ]
        yield from ((first - second, second - first) for first, second in combinations(parts, 2))

    if any(
        all(ours & theirs for ours in pair for theirs in other)
        for pair in contents(claim)
        for other in contents(sentence)
    ):
        return [Difference("roles", "the sentence has it the other way round")]
    return []


def _other_agent(claim: Sequence[Word], sentence: Sequence[Word]) -> list[Difference]:
    """At most one difference: the sentence has an agent of the claim, but not of a synonym of the
    claim's `_predicate`, and each clause with this itself and all that both have beside the claim's
    agents has one that the claim lacks, no pronoun, and the claim's neither with と nor without a
    role, nor, as a time or place, with に or で; [] if either has a passive."""
    verb, agents = _predicate(claim), _agents(claim)
    parts = clauses(sentence)
    if any(word.base in PASSIVE for word in [*claim, *sentence]):
        return []  # 会長に選ばれた: by whom is not known
    if not verb or agents.isdisjoint(word.surface for word in sentence):
        return []
    if any(
        agents & _agents(part) and any(japanese_share(verb, {word.base}) for word in part)
        for part in parts
        if not _has(part, verb)
    ):
        return []

    def has_another(part: Sequence[Word]) -> bool:
        roles = roles_of(part)
        allowed = {
            word.surface: {"agent", "with"} | ({"to", "at"} if word.is_setting else set())
            for word in part
            if word.surface in agents
        }
        return bool(_agents(part) - nouns) and not any(
            roles.get(noun, {"with"}) & others for noun, others in allowed.items()
        )

    nouns = {word.surface for word in claim}
    rest = [word for word in claim if word.surface not in agents]
    near = [part for part in clauses_with(rest, sentence, parts) if _has(part, verb)]
    if near and all(map(has_another, near)):
        return [Difference("roles", "the sentence says it of another")]
    return []


def _beaten_winner(claim: Sequence[Word], sentence: Sequence[Word]) -> list[Difference]:
    """At most one difference: the claim's `_predicate` is 勝つ, 破る or the like, and its agent is
    only the object of such a verb of the sentence, in a clause with all nouns that both have."""
    verb = _predicate(claim)
    if verb not in WINNING:
        return []
    for part in clauses_with(claim, sentence, clauses(sentence), with_verbs=False):
        roles = roles_of(part)
        ours = [roles[noun] for noun in _agents(claim) & roles.keys()]
        is_won = any(word.base in WINNING for word in part)
        if is_won and any(role == {"object"} for role in ours):
            return [Difference("roles", "the sentence has it the other way round")]
    return []


def _agents(words: Sequence[Word]) -> set[str]:
    """The agents among the nouns of a clause, no numbers, pronouns or の."""
    roles = roles_of(words)
    return {
        word.surface for word in words if word.is_matter and "agent" in roles.get(word.surface, ())
    }


def _predicate(claim: Sequence[Word]) -> str:
    """The last verb of a claim (but those of `_LIGHT`), in base form, who is brought out put first
    (橋を架けたのは林です), no verbal noun before a noun or particle (輸出品); "" without one."""
    words = without_cleft(claim)
    verbs = [
        word.base
        for word, behind in pairwise([*words, words[-1]] if words else [])
        if word.is_verb and not (word.is_noun and not behind.is_inflected and word is not words[-1])
    ]
    return next((verb for verb in reversed(verbs) if verb not in _LIGHT), "")


def _are_exchanged(claim: Mapping[str, set[str]], sentence: Mapping[str, set[str]]) -> bool:
    """Whether two nouns (noun → roles) have each other's roles in the sentence, not their own."""
    for first, second in combinations(claim, 2):
        ours = claim[first], claim[second]
        theirs = sentence.get(first, set()), sentence.get(second, set())
        if (
            ours[1] & theirs[0]
            and ours[0] & theirs[1]
            and not ours[0] & theirs[0]
            and not ours[1] & theirs[1]
        ):
            return True
    return False


def _opposite_words(claim: Sequence[Word], sentence: Sequence[Word]) -> list[Difference]:
    """At most one difference: a word of the claim that the sentence lacks (of a verb, its synonyms
    too), while it has an opposite of it that the claim lacks, right behind the claim's subject
    (価格の低下), or in a clause with all nouns, adjectives and numbers that claim and sentence
    share; not by the latter if both have agents, but none in common."""
    ours, theirs = ({word.base for word in words} for words in (claim, sentence))
    if difference := _opposite_of_noun(claim, sentence):
        return [difference]
    if have_other_agents(claim, sentence):
        return []
    near = clauses_with(claim, sentence, clauses(sentence), with_verbs=False)
    for word in claim:
        if word.base in theirs or (word.is_verb and japanese_share(word.base, theirs)):
            continue
        for opposite in _opposites_of(word.base):
            is_near = any(_has(part, opposite) for part in near)
            if is_near and opposite not in ours:
                reason = f"the sentence says “{opposite}”, not “{word.base}”"
                return [Difference("opposite", reason)]
    return []


def _opposite_of_noun(claim: Sequence[Word], sentence: Sequence[Word]) -> Difference | None:
    """A difference if the sentence lacks the claim's `_predicate` (上がる), and has an opposite,
    and no synonym, right behind a noun that is before は, が or も in the claim; else None."""
    verb = _predicate(claim)
    subjects = [
        word.base
        for word, particle in pairwise(claim)
        if word.is_matter and particle.surface in TOPICS
    ]
    if not verb or _has(sentence, verb):
        return None
    behind = [
        word.base
        for noun, particle, word, end in zip(
            sentence, sentence[1:], sentence[2:], sentence[3:], strict=False
        )
        if noun.base in subjects
        and particle.surface in ("の", "が", "は")
        and end.surface != "から"  # 減少から増加に
    ]
    opposite = next((base for base in _opposites_of(verb) if base in behind), "")
    if not opposite or any(japanese_share(verb, {base}) for base in behind):
        return None
    return Difference("opposite", f"the sentence says “{opposite}”, not “{verb}”")


def _other_direction(claim: Sequence[Word], sentence: Sequence[Word]) -> list[Difference]:
    """At most one difference: each clause of the sentence with all that both have, but for the only
    direction of the claim (東, 北側), has quite another one; 南東 is not quite another than 東."""

    def directions(words: Sequence[Word]) -> set[str]:
        return {match[1] for word in words if (match := _DIRECTION.fullmatch(word.surface))}

    def is_elsewhere(theirs: set[str]) -> bool:
        return bool(theirs) and not {*"".join(ours)} & {*"".join(theirs)}

    ours = directions(claim)
    rest = [word for word in claim if not _DIRECTION.fullmatch(word.surface)]
    near = [directions(part) for part in clauses_with(rest, sentence, clauses(sentence))]
    if len(ours) == 1 and near and all(map(is_elsewhere, near)):
        return [Difference("opposite", f"the sentence says “{min(near[0])}”, not “{min(ours)}”")]
    return []


def has_opposite(claim: str, sentence: str) -> bool:
    """Whether a sentence lacks a word of the claim, and has an opposite of it that the claim
    lacks, wherever that is, unless both have agents, but none in common."""
    words, others = words_of(claim), words_of(sentence)
    ours, theirs = ({word.base for word in part} for part in (words, others))
    return not have_other_agents(words, others) and any(
        not theirs.isdisjoint({*_opposites_of(base)} - ours) for base in ours - theirs
    )


def _negation(claim: Sequence[Word], sentence: Sequence[Word], context: str) -> list[Difference]:
    """At most one difference: the last verb of the claim (but those of `_LIGHT`) is in a clause of
    the sentence with all words that claim and sentence share (if none has them, with those behind
    the claim's first は), itself, by a synonym or by its characters (死ぬ: 死滅), and is denied (by
    the auxiliaries behind it, 成立を見なかった, or に失敗) in the claim but nowhere there, or
    everywhere there but not in the claim (before a noun, 道が通らない村, only if it is nowhere
    else); [] if the sentence lacks a noun of the claim, unless that is before its first は, and in
    the `context`."""

    def is_denied(words: Sequence[Word], position: int) -> bool:
        behind = words[position + 1 : position + 1 + _DENIED_WITHIN]
        chain = takewhile(
            lambda word: (
                word.base in _LIGHT
                or not (word.is_matter or word.is_verb or word.surface in _NOT_DENIED)
            ),
            behind,
        )
        return any(word.base in _DENIALS or word.surface in _DENIALS for word in chain)

    def is_adnominal(words: Sequence[Word], position: int) -> bool:
        """Whether the verb stands before a noun: 道が通らない村."""
        behind = words[position + 1 :]
        end = next((word for word in behind if not (word.is_inflected or word.is_verb)), None)
        return end is not None and end.is_noun

    verbs = [n for n, word in enumerate(claim) if word.is_verb and word.base not in _LIGHT]
    bases = {word.base for word in sentence}
    topic = next((n for n, word in enumerate(claim) if word.surface == "は"), 0)
    for position, word in enumerate(claim):
        is_said_before = position < topic and word.surface in context
        is_there = is_said_before or word.base in bases
        if word.is_matter and not word.is_verb and not is_there:
            return []
    parts = clauses(sentence)
    near = clauses_with(claim, sentence, parts) or clauses_with(claim[topic:], sentence, parts)
    for position in verbs[-1:]:
        failed = position > 1 and text_of(claim[position - 1 : position + 1]) == "に失敗"
        failed = failed and claim[position - 2].is_verb
        position -= 2 * failed
        denied = is_denied(claim, position) != failed
        places = [
            (part, n)
            for part in near
            for n, word in enumerate(part)
            if japanese_share(claim[position].base, {word.base})
        ]
        main = [(part, n) for part, n in places if not is_adnominal(part, n)]
        places = main or places
        if places and all(is_denied(part, n) != denied for part, n in places):
            return [Difference("negation", "the sentence says the contrary")]
    return []


def _numbers(claim: str, sentence: str) -> list[Difference]:
    """At most one difference: the first number of the claim that the sentence lacks, where it has
    another of its kind (`Number`); numbers without a unit do not count."""
    theirs = numbers_of(sentence)
    for number in numbers_of(claim):
        others = [other for other in theirs if other.kind == number.kind]
        if others and number.key not in [other.key for other in others]:
            reason = f"the sentence says {others[0].written}, not {number.written}"
            return [Difference("number", reason)]
    return []


def _quantifiers(claim: str, sentence: str) -> list[Difference]:
    """At most one difference: the claim says すべて or the like, and the sentence only 一部, 75% or
    the like; or each has a noun before だけ or のみ, and none is the end of another (局員だけ is
    also said by 正局員だけ)."""
    some = SOME.search(with_figures(sentence))
    if ALL.search(claim) and some and not ALL.search(sentence):
        return [Difference("quantifier", f"the sentence says {some[0]}, not all")]
    ours, theirs = ([match[1] for match in _ONLY_NOUN.finditer(text)] for text in (claim, sentence))
    if ours and theirs and not any(a.endswith(b) or b.endswith(a) for a in ours for b in theirs):
        return [Difference("quantifier", f"the sentence says only {theirs[0]}, not only {ours[0]}")]
    return []


def _brackets(claim: str, sentence: str) -> list[Difference]:
    """At most one difference: the claim has a word of the sentence, and instead of the one in
    brackets behind it that behind another word of the sentence, which it lacks:
    甲杯(東)と乙杯(西)."""
    claim = normalise(claim)
    pairs = [match.groups() for match in _BRACKETS.finditer(normalise(sentence))]
    for word, inside in pairs:
        others = [other for first, other in pairs if first not in claim and other in claim]
        if word in claim and inside not in claim and others:
            reason = f"the sentence says {word}({inside}), not {others[0]}"
            return [Difference("rival", reason)]
    return []


def _contrast(claim: Sequence[Word], sentence: Sequence[Word]) -> list[Difference]:
    """At most one difference: the claim denies a noun for another (橋ではなく塔), which the
    sentence denies (橋であって塔ではない), and not the first."""

    def denied(words: Sequence[Word]) -> set[str]:
        """The nouns before ではない or わけではない, with those that の joins, and the object
        before."""
        text = text_of(words)
        nouns = {noun for match in _NOT_BUT.finditer(text) for noun in match.groups() if noun}
        return {word.base for noun in nouns for word in words_of(noun) if word.is_matter}

    ours, theirs = denied(claim), denied(sentence)
    claim_words = {word.base for word in claim if word.is_matter} - ours
    if ours and theirs and not ours & theirs and theirs <= claim_words:
        return [Difference("roles", "the sentence has it the other way round")]
    return []


def clauses_with(
    claim: Sequence[Word],
    sentence: Sequence[Word],
    parts: Sequence[list[Word]],
    with_verbs: bool = True,
) -> list[list[Word]]:
    """Those of the clauses `parts` of a sentence that have all nouns, adjectives, verbs (unless not
    `with_verbs`; never する) and numbers of a claim that the sentence has; all if it has none."""

    bases = {
        word.base
        for word in claim
        if (word.is_matter or word.is_adjective or word.is_verb)
        and (with_verbs or not word.is_verb)
        and word.base != "する"
    }

    def content(words: Sequence[Word]) -> set[str]:
        return (bases & {word.base for word in words}) | number_keys(words)

    shared = content(sentence) & (bases | number_keys(claim))
    return [part for part in parts if shared <= content(part)]


def _has(words: Sequence[Word], base: str) -> bool:
    return any(word.base == base for word in words)


def _opposites_of(base: str) -> list[str]:
    """The opposites of a word: those of opposites-ja.txt, and, of one of several characters, those
    that have the opposite of `_CHARACTERS` in one place (南東: 北東), and itself with a denying
    prefix, or without its own (反時計: 時計)."""
    bare = base[1:] if base[0] in DENYING_PREFIXES and len(base) > 2 else ""
    variants = [bare] if bare else [f"{prefix}{base}" for prefix in DENYING_PREFIXES]
    variants += [
        f"{base[:position]}{_CHARACTERS[character]}{base[position + 1 :]}"
        for position, character in enumerate(base)
        if len(base) > 1 and character in _CHARACTERS
    ]
    return [*_opposites().get(base, ()), *variants]


@cache
def _opposites() -> dict[str, tuple[str, ...]]:
    """Base form → base forms of its opposites, of opposites-ja.txt."""
    return read_opposites("opposites-ja.txt", lambda word: [word])
