"""Where a sentence contradicts a Japanese claim: particles exchanged, opposites, negation, numbers.

The parts of speech are MeCab's. The words of a noun phrase, with all that の joins to it, have the
role of the particle behind it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations, pairwise, takewhile
from typing import NamedTuple

from answerer.ntcir.claims.japanese_clauses import Word, clauses, words_of
from answerer.ntcir.claims.verifier import Difference, read_opposites
from indexer.analysis.japanese import NOUNS, in_figures, nodes
from indexer.analysis.text import NUMERALS, normalise
from indexer.analysis.years import ERA_YEAR, FIRST, FIRST_YEARS, era_year

_VERBAL_NOUN = 36  # ipadic's number of 名詞,サ変接続
_PARTICLES = {
    "は": "topic", "が": "agent", "も": "agent", "を": "object", "に": "to", "へ": "to",
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
_ALL = re.compile("すべて|全て|全員|全部|あらゆる|(?:誰|だれ)(?:もが|でも)|必ず|常に|どの.{1,4}も")
# 75% and 7割, not 百%; 一部の
_SOME = re.compile(
    "を除(?:いて|く|き)|によっては|(?:こと|場合)もある|限らない|一部|多く|大半|大部分|ほとんど|過半数|半数|半分|いくつか|\\d割|(?<!\\d)\\d{1,2}(?:\\.\\d+)?(?:%|パーセント)"
)
_ONLY = re.compile("のみ|だけ|しか")
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
_DENIED_WITHIN = 4  # words behind a verb (… し ませ ん), in which a negation is of it
# with its unit; 14世 is of a name
_NUMBER = re.compile(
    rf"(?P<before>紀元前|前|{'|'.join(FIRST_YEARS)}|[一-龥]{{2}}(?=\d{{1,2}}年(?![代間])))?"
    rf"(?P<digits>(?:\d[\d,.]*+[億万千]*+)++|{FIRST}(?=年))"
    r"(?P<unit>[かヶケカヵ箇]月|世紀|年[代間]?|[週時日]間|[ァ-ヺー]++|(?!世)[一-龥])"
)
_ERA_YEAR = re.compile(f"{ERA_YEAR}年")
_FIRST_OF_THREE_FIGURES = 100  # a year; what is less counts years
# not the single numeral of a name (一郎) or a word (一部)
_COUNTER = r"年|[かヶケカヵ箇]?月|日|人|歳|回|倍|割|円|文|次|世紀|[週時]間|キロ|メートル|トン"
_IN_WORDS = re.compile(
    rf"(?:\d|[{NUMERALS}](?=[{NUMERALS}万億兆]|{_COUNTER}))(?:[\d{NUMERALS}万億兆]|[.,](?=\d))*+"
)
KINDS = frozenset(
    "人 人物 者 方 国 事 物 場所 所 時期 時 頃 際 間 場合 等 為 名 種類 一つ 側 現在 例".split()
)
"""Nouns of so wide a meaning that a sentence need not have them: 橋を架けた人は林か。"""
_OF_NUMBERS = frozenset("前 年 月 日 世 世紀 年代 人 回 つ".split())


class _Number(NamedTuple):
    """A number of a text with its unit, as written, and what it is compared by: `kind` is its
    unit, "year" for 明治34年 and 1901年, "duration" for 八年, 8年間 and 8か月, and for the years of
    an older era, of another calendar, its name. Numbers with the same `key` are one."""

    key: str
    kind: str
    written: str


def differences(claim: str, sentence: str) -> list[Difference]:
    """The parts of a claim that a sentence contradicts, at most one of each kind, the surest kind
    first (roles, opposites, negation, numbers, すべて); [] without any."""
    claim_words, sentence_words = words_of(claim), words_of(sentence)
    bases = {word.base for word in sentence_words}
    # 町は橋より低い and 橋は町より高い are one
    is_reversed = compares(claim) and any(
        not bases.isdisjoint(_opposites().get(word.base, ())) for word in claim_words
    )
    return [
        *([] if is_reversed else _exchanged_roles(claim_words, sentence_words)),
        *_opposite_words(claim_words, sentence_words),
        *_negation(claim_words, sentence_words),
        *_numbers(claim, sentence),
        *_quantifiers(claim, sentence),
    ]


def with_figures(text: str) -> str:
    """A text, normalised, with its numbers in figures without commas: 5万2000, 52,000 and 五万二千
    are 52000; a single Chinese numeral remains, but before a common unit (八年)."""
    return _IN_WORDS.sub(lambda match: in_figures(match[0]), normalise(text))


def with_common_years(text: str) -> str:
    """A text as `with_figures` has it, with the years of the eras since 1868 in the common
    calendar, and without 西暦: 明治三十四年 is 1901年."""
    text = with_figures(text).replace("西暦", "")
    return _ERA_YEAR.sub(lambda match: f"{era_year(match[1], match[2])}年", text)


def lacks_kind(claim: str, sentence: str) -> bool:
    """True if a number of the claim is of a kind (`_Number`) of which the sentence has none."""
    kinds = {number.kind for number in _numbers_of(sentence)}
    return any(number.kind not in kinds for number in _numbers_of(claim))


def compares(claim: str) -> bool:
    """True for a claim with より and an adjective, 先, 前 or 後 behind it: 橋は町より古い."""
    words = words_of(claim)
    behind = words[
        next((n for n, word in enumerate(words) if word.surface == "より"), len(words)) :
    ]
    return any(word.is_adjective or word.surface in ("先", "前", "後") for word in behind)


def _numbers_of(text: str) -> list[_Number]:
    """The numbers of a text that have a unit, in order."""
    numbers = []
    for match in _NUMBER.finditer(with_figures(text)):
        key = kind = ""
        before, digits, unit = match["before"] or "", match["digits"], match["unit"]
        common = with_common_years(match[0])
        if unit == "年" and common[0].isdigit() and common != match[0]:
            key, kind = common, "year"
        elif before not in ("", "前", "紀元前"):
            key, kind = match[0], before
        elif unit.endswith("月") and len(unit) == 2:
            key, kind = f"{digits}か月", "duration"
        elif unit == "年間" or (unit == "年" and not before and _is_count(digits)):
            key, kind = f"{int(digits) * 12}か月" if digits.isdigit() else match[0], "duration"
        else:
            key, kind = match[0], "year" if unit == "年" else unit
        numbers.append(_Number(key, kind, match[0]))
    return numbers


def _is_count(digits: str) -> bool:
    return digits.isdigit() and int(digits) < _FIRST_OF_THREE_FIGURES


def lacks_noun(claim: str, lacking: Sequence[str], sentence: str) -> bool:
    """True if one of the terms `lacking` in a sentence is a noun of the claim, not a verbal one
    (発布), nor who does what it says (著者: 著した)."""
    nouns = {node.surface for node in nodes(normalise(claim)) if node.posid in NOUNS}
    nouns -= {node.surface for node in nodes(normalise(claim)) if node.posid == _VERBAL_NOUN}
    nouns = {noun for noun in nouns if not (noun.endswith("者") and noun[:-1] in sentence)}
    return not nouns.isdisjoint(lacking)


def has_opposite(claim: str, sentence: str) -> bool:
    """Whether a sentence lacks a word of the claim, and has an opposite of it that the claim
    lacks, wherever that is, unless both have agents, but none in common."""
    words, others = words_of(claim), words_of(sentence)
    ours, theirs = ({word.base for word in part} for part in (words, others))
    return not _have_other_agents(words, others) and any(
        not theirs.isdisjoint({*_opposites_of(base)} - ours) for base in ours - theirs
    )


def _roles(words: Sequence[Word]) -> dict[str, set[str]]:
    """Noun → the roles of the phrases that it is in, as in the active: before a verb in the passive
    what は, が or も follows is the object, what によって follows the agent, without that also what
    に follows, but for verbs of giving; what は follows is agent and object beside a が. Numbers,
    their units (`_OF_NUMBERS`) and phrases without a particle are left out."""
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
            has_agent = any(role == "agent" for _, role in clause)
            for noun, role in clause:
                if role == "topic":
                    role = "agent"
                    if has_agent:  # 橋は町が架けた
                        roles.setdefault(noun, set()).add("object")
                is_receiver = role == "to" and (has_by or verb in _GIVING)
                if is_passive and not is_receiver:
                    role = _IN_ACTIVE.get(role, role)
                if not noun.isdigit() and noun not in _OF_NUMBERS:
                    roles.setdefault(noun, set()).add(role)
            clause = []
    return roles


def is_stated(claim: str, sentence: str) -> bool:
    """True unless a noun has roles in a Japanese claim and in the sentence, but none in common, a
    number of the claim is nowhere there, no one clause there has all that a clause of the claim
    shares with the sentence, with its number of the same noun, the claim's last verb is a noun
    there (発展や), or only the claim has すべて, のみ or the like, or only the sentence 一部; so
    also if they share no noun."""
    words, others = words_of(claim), words_of(sentence)
    ours, theirs = _roles(words), _roles(others)
    if any(not ours[noun] & theirs[noun] for noun in ours.keys() & theirs.keys()):
        return False
    if any(sign.search(claim) and not sign.search(sentence) for sign in (_ALL, _ONLY)):
        return False
    if _SOME.search(sentence) and not _SOME.search(claim):
        return False
    if _is_noun_only(words, others):
        return False
    parts = clauses(others)
    return {number.key for number in _numbers_of(claim)} <= _number_keys(others) and all(
        any(
            not _has_number_of_another(_text(clause), _text(part))
            for part in _clauses_with(clause, others, parts)
        )
        for clause in clauses(words)
    )


def _text(words: Sequence[Word]) -> str:
    return "".join(word.surface for word in words)


def _number_keys(words: Sequence[Word]) -> set[str]:
    return {number.key for number in _numbers_of(_text(words))}


def _clauses_with(
    claim: Sequence[Word],
    sentence: Sequence[Word],
    parts: Sequence[list[Word]],
    with_verbs: bool = True,
) -> list[list[Word]]:
    """Those of the clauses `parts` of a sentence that have all nouns, verbs (unless not
    `with_verbs`) and numbers of a claim that the sentence has."""

    bases = {
        word.base
        for word in claim
        if (word.is_matter or word.is_adjective or word.is_verb)
        and (with_verbs or not word.is_verb)
        and word.base != "する"
    }

    def content(words: Sequence[Word]) -> set[str]:
        present, text = {word.base for word in words}, _text(words)
        # 多摩川 may be two words there
        nouns = {base for base in bases if base in present or (len(base) > 1 and base in text)}
        return nouns | _number_keys(words)

    shared = content(sentence) & (bases | _number_keys(claim))
    return [part for part in parts if shared <= content(part)]


def _is_noun_only(claim: Sequence[Word], sentence: Sequence[Word]) -> bool:
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
        (plain,) = _numbers_of(number[0])
        nouns = [word.surface for word in words_of(ours[: number.start()]) if word.is_noun]
        _, noun, behind = theirs.partition(nouns[-1]) if nouns else ("", "", "")
        others = [other.key for other in _numbers_of(behind) if other.kind == plain.kind]
        if noun and others and others[0] != plain.key:
            return True
    return False


def _exchanged_roles(claim: Sequence[Word], sentence: Sequence[Word]) -> list[Difference]:
    """At most one difference: two nouns of the claim have each other's roles in the sentence, and
    not their own, in a clause with the claim's last verb."""
    verbs = [word.base for word in claim if word.is_verb and word.base not in ("する", "れる")]
    parts = [part for part in clauses(sentence) if verbs and _has(part, verbs[-1])]
    if any(_are_exchanged(_roles(claim), _roles(part)) for part in parts):
        return [Difference("roles", "the sentence has it the other way round")]
    return []


def _has(words: Sequence[Word], base: str) -> bool:
    return any(word.base == base for word in words)


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


def _have_other_agents(claim: Sequence[Word], sentence: Sequence[Word]) -> bool:
    """Whether both have agents, but none in common: 町は村に敗れた and 村は町を破った are one."""
    agents = [
        {noun for noun, roles in _roles(words).items() if "agent" in roles} - {"の", "こと"}
        for words in (claim, sentence)
    ]
    return all(agents) and not agents[0] & agents[1]


def _opposite_words(claim: Sequence[Word], sentence: Sequence[Word]) -> list[Difference]:
    """At most one difference: a word of the claim that the sentence lacks, while it has an opposite
    of it that the claim lacks, in a clause with the claim's other words; [] if both have agents,
    but none in common."""
    if _have_other_agents(claim, sentence):
        return []
    ours, theirs = ({word.base for word in words} for words in (claim, sentence))
    verbless = [word for word in claim if theirs.isdisjoint(_opposites_of(word.base))]
    near = _clauses_with(verbless, sentence, clauses(sentence), with_verbs=False)
    for word in claim:
        if word.base in theirs:
            continue
        for opposite in _opposites_of(word.base):
            is_near = any(_has(part, opposite) for part in near)
            if is_near and opposite not in ours:
                reason = f"the sentence says “{opposite}”, not “{word.base}”"
                return [Difference("opposite", reason)]
    return []


def _negation(claim: Sequence[Word], sentence: Sequence[Word]) -> list[Difference]:
    """At most one difference: the last verb of the claim (but する, れる) is in a clause of the
    sentence with the claim's other words, and is denied (by the auxiliaries behind it) in the claim
    but nowhere there, or everywhere there but not in the claim, also before a noun (道が通らない
    村); [] if the sentence lacks a noun of the claim."""

    def is_denied(words: Sequence[Word], position: int) -> bool:
        behind = words[position + 1 : position + 1 + _DENIED_WITHIN]
        # not 渡らなければならない
        chain = takewhile(
            lambda word: not (word.is_matter or word.is_verb or word.surface == "なけれ"), behind
        )
        return any(word.base in _DENIALS or word.surface in _DENIALS for word in chain)

    verbs = [
        n for n, word in enumerate(claim) if word.is_verb and word.base not in ("する", "れる")
    ]
    bases = {word.base for word in sentence}
    if any(word.is_matter and not word.is_verb and word.base not in bases for word in claim):
        return []
    near = _clauses_with(claim, sentence, clauses(sentence))
    for position in verbs[-1:]:
        denied = is_denied(claim, position)
        places = [
            (part, n)
            for part in near
            for n, word in enumerate(part)
            if word.base == claim[position].base
        ]
        if places and all(is_denied(part, n) != denied for part, n in places):
            return [Difference("negation", "the sentence says the contrary")]
    return []


def _numbers(claim: str, sentence: str) -> list[Difference]:
    """At most one difference: the first number of the claim that the sentence lacks, where it has
    another of its kind (`_Number`); numbers without a unit do not count."""
    theirs = _numbers_of(sentence)
    for number in _numbers_of(claim):
        others = [other for other in theirs if other.kind == number.kind]
        if others and number.key not in [other.key for other in others]:
            reason = f"the sentence says {others[0].written}, not {number.written}"
            return [Difference("number", reason)]
    return []


def _quantifiers(claim: str, sentence: str) -> list[Difference]:
    """At most one difference: the claim says すべて or the like, and the sentence only 一部, 75% or
    the like."""
    some = _SOME.search(with_figures(sentence))
    if _ALL.search(claim) and some and not _ALL.search(sentence):
        return [Difference("quantifier", f"the sentence says {some[0]}, not all")]
    return []


def _opposites_of(base: str) -> list[str]:
    """The opposites of a word: those of opposites-ja.txt, and, of one of several characters, those
    that have the opposite of `_CHARACTERS` in one place (南東: 北東)."""
    variants = [
        f"{base[:place]}{_CHARACTERS[character]}{base[place + 1 :]}"
        for place, character in enumerate(base)
        if len(base) > 1 and character in _CHARACTERS
    ]
    return [*_opposites().get(base, ()), *variants]


@cache
def _opposites() -> dict[str, tuple[str, ...]]:
    """Base form → base forms of its opposites, of opposites-ja.txt."""
    return read_opposites("opposites-ja.txt", lambda word: [word])
