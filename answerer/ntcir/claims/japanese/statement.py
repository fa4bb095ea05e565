"""Whether one clause of a Japanese sentence states a claim, and which words it need not have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from answerer.ntcir.claims.japanese.clauses import VERBAL_NOUN, Word, clauses, text_of, words_of
from answerer.ntcir.claims.japanese.differences import ALL, ONLY, SOME, clauses_with
from answerer.ntcir.claims.japanese.numbers import NUMBER, number_keys, numbers_of, with_figures
from answerer.ntcir.claims.japanese.roles import roles_of
from indexer.analysis.japanese import NOUNS, nodes
from indexer.analysis.text import normalise

_JOINTS = frozenset("の や と を が は も に へ で".split())  # particles behind a noun
_IS_OF = re.compile(
    r"([^、。はがのを]++)は([^、。はがのを]++)の([^、。はがのをぁ-ん]++)"
    r"(?:だ|である|であった|です|でした|だった)?か?[。？?]?"
)


KINDS = frozenset(
    "人 人物 者 方 国 事 物 場所 所 時期 時 頃 際 間 場合 等 為 名 種類 一つ 側 現在 例 人々 "
    "以上".split()
)
"""Nouns of so wide a meaning that a sentence need not have them: 橋を架けた人は林か。"""


def is_stated(claim: str, sentence: str) -> bool:
    """True unless a noun has roles in a Japanese claim and in the sentence, but none in common, a
    number of the claim is nowhere there, no one clause there has all that a clause of the claim
    shares with the sentence, with its number of the same noun, the claim's last verb is a noun
    there (発展や), or only the claim has すべて, のみ or the like, or only the sentence 一部; so
    also if they share no noun."""
    words, others = words_of(claim), words_of(sentence)
    ours, theirs = roles_of(words), roles_of(others)
    if any(not ours[noun] & theirs[noun] for noun in ours.keys() & theirs.keys()):
        return False
    if any(sign.search(claim) and not sign.search(sentence) for sign in (ALL, ONLY)):
        return False
    if SOME.search(with_figures(sentence)) and not SOME.search(with_figures(claim)):
        return False
    if _is_noun_only(words, others):
        return False
    parts = clauses(others)
    return {number.key for number in numbers_of(claim)} <= number_keys(others) and all(
        any(
            not _has_number_of_another(text_of(clause), text_of(part))
            for part in clauses_with(clause, others, parts)
        )
        for clause in clauses(words)
    )


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
    of the same kind (`Number`): for 長さは12メートル the sentence
    長さは640メートルで、幅は12メートル."""
    ours, theirs = with_figures(claim), with_figures(sentence)
    for number in NUMBER.finditer(ours):
        (plain,) = numbers_of(number[0])
        nouns = [word.surface for word in words_of(ours[: number.start()]) if word.is_noun]
        _, noun, behind = theirs.partition(nouns[-1]) if nouns else ("", "", "")
        others = [other.key for other in numbers_of(behind) if other.kind == plain.kind]
        if noun and others and others[0] != plain.key:
            return True
    return False


def lacks_noun(claim: str, lacking: Sequence[str], sentence: str = "") -> bool:
    """True if one of the terms `lacking` in a sentence is a noun of the claim, not a verbal one
    (発布), nor 神社 in 稲荷社は町の神社です of a sentence with 町の稲荷社 (of the same last
    character)."""
    nouns = {node.surface for node in nodes(normalise(claim)) if node.posid in NOUNS}
    nouns -= {node.surface for node in nodes(normalise(claim)) if node.posid == VERBAL_NOUN}
    kind = _IS_OF.fullmatch(normalise(claim))
    if kind and kind[1][-1] == kind[3][-1] and f"{kind[2]}の{kind[1]}" in normalise(sentence):
        nouns.discard(kind[3])
    return not nouns.isdisjoint(lacking)
