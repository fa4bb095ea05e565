"""Forms of Japanese answers: script, length, and what is around them in their sentence."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from answerer.ntcir.term.candidates import AnswerContext, TermCandidate, proximity
from answerer.ntcir.term.japanese import clean
from answerer.ntcir.term.language import TermLanguage

SLOT = ("slot context", "slot proximity")
"""Features of the words around a candidate and around the interrogative (`slot_features`)."""

_BEHIND = re.compile(
    r"[」』]?(から|まで|など|である|として|という|と呼|による|によって|[はがをにでとのやへも、。()・])"
)
_BRACKETS = re.compile(r"[」』]?\(")
_SCRIPTS = {
    "katakana": re.compile("[ァ-ヺー・＝]+"),
    "kanji": re.compile("[一-龥々]+"),
    "latin": re.compile("[A-Za-z .-]+"),
    "digits": re.compile(r"[\d,.]+.*"),
    "hiragana": re.compile("[ぁ-ん]+"),
}
_LENGTHS = (1, 2, 4, 6, 10)  # characters of a candidate that are told apart
_WORDINGS = {
    "short name": re.compile("略|頭字語|通称|別名|愛称|俗称|呼称|異名|別称"),
    "in letters": re.compile("英[語名訳]|綴り|スペル|アルファベット|表記|ラテン語|語で何"),
    "called": re.compile("(?:何|なん)と(?:い[いうわ]|言|呼|よば|名付|称)"),
    "country": re.compile("どこの国|何国|[のたる]国は"),
    "of what": re.compile("(?:何|なん)の"),
    "with what": re.compile("何[をにで]"),
    "what is": re.compile("何が"),
}
_COUNTER = re.compile(
    "何[十百千万億兆]*(番目|[かカヵヶケ](?:国|所|月)|種類|世紀|時間|日間|年[間代]|曜日"
    "|平方キロメートル|(?:キロ|センチ|ミリ)?メートル|キロ|トン|ドル|パーセント|%"
    "|[人回個本台枚冊度円文条位年月日時分秒倍章階隻匹羽頭社軒件巻票校語国州県市都代話点段名つ歳才割])"
)
# other ways to write a counter
_WRITTEN = {
    "歳": "[歳才]", "才": "[歳才]", "人": "[人名]", "名": "[人名]", "か国": "[かカヵヶケ]国",
    "パーセント": "パーセント|%", "メートル": "メートル|m",
    "キロメートル": "キロ|km", "センチメートル": "センチ|cm", "ミリメートル": "ミリ|mm",
    "平方キロメートル": "平方キロ|km", "キロ": "キロ|k[mg]", "曜日": "曜",
}  # fmt: skip


def slot_features(
    candidate: TermCandidate, terms: Collection[str], context: AnswerContext, language: TermLanguage
) -> dict[str, float]:
    """The features `SLOT` of a candidate in its `best` sentence: how far the characters around it
    are those around the question's interrogative, and its proximity to the question's `terms`,
    those near the interrogative counting more, 0 to 1. `context` is that of the question."""
    sentence = language.fold(candidate.best.text)
    here = candidate.span.start, candidate.span.end
    places = language.places(sentence, terms)
    agreement = context.agreement(sentence[: here[0]], sentence[here[1] :], 1.0)
    near = proximity(here, places, context.weights, language.tools.STRIDE)
    return dict(zip(SLOT, (agreement, near), strict=True))


def wording(text: str) -> str:
    """How a Japanese question asks for a name, the first that fits of `_WORDINGS`; "" for none."""
    return next((name for name, pattern in _WORDINGS.items() if pattern.search(text)), "")


def has_counter(text: str, candidate: TermCandidate) -> bool | None:
    """Whether a candidate, or its sentence right behind it, has the counter of a Japanese question
    `text` (何人), perhaps written in another way (才 for 歳); None for a question without one."""
    match = _COUNTER.search(clean(text))
    if match is None:
        return None
    behind = clean(candidate.best.text)[candidate.span.end :]
    counter = re.compile(_WRITTEN.get(match[1], match[1]), re.IGNORECASE)
    return bool(counter.search(candidate.text) or counter.match(behind))


def counter_of(text: str) -> str:
    """The counter that a Japanese question asks for (何人: 人), "" for none."""
    match = _COUNTER.search(clean(text))
    return match[1] if match else ""


def particle_behind(candidate: TermCandidate) -> str:
    """The particle, or other mark, behind a candidate in its Japanese sentence; "other" for
    anything else."""
    match = _BEHIND.match(clean(candidate.best.text)[candidate.span.end :])
    return match[1] if match else "other"


def japanese_forms(candidate: TermCandidate, terms: Collection[str]) -> Iterator[str]:
    """Yields names of what a Japanese candidate is like, beside those of all languages: its script,
    its length, what is behind it, whether it is in brackets, perhaps behind one of the question's
    `terms`, or before brackets."""
    text = candidate.text
    script = next((name for name, of in _SCRIPTS.items() if of.fullmatch(text)), "mixed")
    yield f"script {script}"
    yield f"length {next((most for most in _LENGTHS if len(text) <= most), 'more')}"
    yield f"behind {particle_behind(candidate)}"
    sentence = clean(candidate.best.text)
    before = sentence[: candidate.span.start]
    if before.endswith("("):
        yield "in brackets"
        if before[:-1].casefold().endswith(tuple(terms)):
            yield "in brackets of asked"
    if _BRACKETS.match(sentence, candidate.span.end):
        yield "before brackets"
