"""Who does what to whom: the particles behind the nouns of a Japanese clause."""

from __future__ import annotations

from collections.abc import Sequence

from answerer.ntcir.claims.japanese.clauses import Word, without_cleft

_PARTICLES = {
    "は": "topic", "が": "agent", "も": "agent", "を": "object", "に": "to", "へ": "to",
    "から": "from", "より": "from", "で": "at", "と": "with", "まで": "until",
    "によって": "by", "により": "by",
}  # fmt: skip
PASSIVE = frozenset(("れる", "られる"))
_PASSIVE_WITHIN = 2  # words behind a verb (さ れ), in which a passive is of it
_IN_ACTIVE = {"agent": "object", "to": "agent", "by": "agent"}  # role in the passive → active
# verbs of which に in the passive names the receiver (島は清に割譲された), not who did it
_GIVING = frozenset(
    "割譲 譲渡 授与 授ける 与える 渡す 引き渡す 贈る 売る 売却 送る 派遣 返還 移す".split()
)
_RECEIVING = frozenset("受ける 受け取る 受領 授かる もらう".split())
_RECEIVER = {"agent": "to", "to": "agent", "from": "agent"}  # role with these → with 授ける
WINNING = frozenset("勝つ 勝利 破る 打ち破る 倒す 下す".split())
_OF_NUMBERS = frozenset("前 年 月 日 世 世紀 年代 人 回 つ".split())


def roles_of(words: Sequence[Word]) -> dict[str, set[str]]:
    """Noun → the roles of the phrases that it is in, as in the active (agent, object, to, from, at,
    with, until, by; は makes an agent): before a verb in the passive what は, が or も follows is
    the object, what によって follows the agent, without that also what に follows, but for verbs of
    giving; what は follows is agent and object beside a が. Who receives (受ける, as the last verb)
    is as whom one gives to, whom one wins against (勝つ) an object, who is brought out
    (橋を架けたのは林です) an agent. Numbers, their units (`_OF_NUMBERS`) and phrases without a
    particle are left out."""
    words = without_cleft(words)
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
            is_passive = any(other.base in PASSIVE for other in behind)
            has_by = any(role == "by" for _, role in clause)
            has_agent = any(role == "agent" for _, role in clause)
            following = [other for other in words[position + 1 :] if other.is_verb]
            is_last = all(other.base == "する" for other in following)
            for noun, role in clause:
                if role == "topic":
                    role = "agent"
                    if has_agent:  # 橋は町が架けた
                        roles.setdefault(noun, set()).add("object")
                is_receiver = role == "to" and (has_by or verb in _GIVING)
                if is_passive and not is_receiver:
                    role = _IN_ACTIVE.get(role, role)
                if verb in _RECEIVING and is_last:
                    role = _RECEIVER.get(role, role)
                if verb in WINNING and role == "to":
                    role = "object"
                if not noun.isdigit() and noun not in _OF_NUMBERS:
                    roles.setdefault(noun, set()).add(role)
            clause = []
    return roles


def have_other_agents(claim: Sequence[Word], sentence: Sequence[Word]) -> bool:
    """Whether both have agents, but none in common: 町は村に敗れた and 村は町を破った are one."""
    agents = [
        {noun for noun, roles in roles_of(words).items() if "agent" in roles} - {"の", "こと"}
        for words in (claim, sentence)
    ]
    return all(agents) and not agents[0] & agents[1]
