"""Forms of answers: what kind of phrase a candidate is, and what kind of question asks for it.

Which phrase answers which question (who: a name; how many: a bare number) is learned: a feature
for each pair of them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from answerer.asking.japanese_forms import has_counter, japanese_forms, particle_behind, wording
from answerer.ntcir.term.candidates import CandidateMention, TermCandidate
from answerer.ntcir.term.entity_types import NAMED
from answerer.ntcir.term.questions import TermQuestion
from indexer.analysis.english import singular

FACTS = ("unit inside", "unit beside", "bare number", "percent", "lone year", "in a range")

JOINT = " × "
"""Between question and form in the name of a feature."""

_KINDS = (
    ("how many", r"\bhow many\b"),
    ("how much", r"\bhow much\b"),
    ("how", r"\bhow\b"),
    ("year", r"\b(?:what|which|in|whose)(?: \w+)? year\b"),
    ("when", r"\bwhen\b"),
    ("where", r"\bwhere\b"),
    ("who", r"\bwho(?:m|se)?\b"),
    ("which", r"\bwhich\b"),
    ("what", r"\bwhat\b"),
    ("year", "何年"),
    ("when", "いつ|何月|何日|何世紀|年代"),
    ("how many", "いく[つら]|何[人回個つ本台枚歳度点位%]|どのくらい|どれくらい"),
    ("where", "どこ|どちら"),
    ("who", "誰|だれ"),
    ("which", "どの|どれ"),
    ("what", "何|なに|なん"),
)
_YEAR = re.compile(r"(?:1\d|20)\d\d年?")
_WORD = re.compile(r"[^\W_]+(?:[-'.][^\W_]+)*|\S")
_RANGE_BEFORE = re.compile(r"(?:\d ?[-–—]|\b(?:between|from) |\d (?:to|and) )$")
_RANGE_AFTER = re.compile(r" ?[-–—] ?\d| (?:to|and) \d")


def question_kind(question: TermQuestion) -> str:
    """How a question asks, the first that fits of "gap", the `_KINDS` ("how many", "year", "when",
    "who" …, in English also for a Japanese question) and "other"."""
    return "gap" if question.has_gap else _kind_of(question.text.casefold())


@lru_cache(1_000)  # of every candidate of a question the same
def _kind_of(text: str) -> str:
    """The kind of a question without a gap, in small letters."""
    return next((kind for kind, pattern in _KINDS if re.search(pattern, text)), "other")


def facts(question: TermQuestion, mention: CandidateMention, spaced: bool) -> dict[str, float]:
    """Features of a mention, 1 or 0. Those of `FACTS`: its unit ("four chambers" for how many
    chambers) is in it or beside it; of a number or time: it is one word, it has the per cent that
    the question wants, it is a year, it is one end of a range. Of others, in English: "longer
    name", it is a part of one, and "free", it is not what a person is from (Galen of Pergamon).

    Features that do not apply to the question's unit or the mention's shape are left out.
    """
    span, after = mention.span, mention.after[:40]
    words = _WORD.findall(mention.sentence[span.start : span.end])
    features = {}
    if question.counted and spaced:
        inside = len(words) > 1 and singular(words[-1]) == question.counted
        beside = question.counted in [singular(word) for word in _WORD.findall(after)[:3]]
        features["unit inside"], features["unit beside"] = (
            float(inside),
            float(beside and not inside),
        )
    if span.shape in ("number", "time", "years"):
        features["bare number"] = float(len(words) == 1)
        wanted = re.search(r"\bper ?cent|%|[％割]", question.text)
        has = re.match(r" ?(?:per ?cent|%|％)", after) or re.search(
            r"per ?cent|%|％", " ".join(words)
        )
        features["percent"] = float(bool(wanted and has))
        features["lone year"] = float(bool(_YEAR.fullmatch(" ".join(words))))
        ranged = _RANGE_BEFORE.search(mention.before[-9:]) or _RANGE_AFTER.match(after)
        features["in a range"] = float(bool(ranged))
    elif spaced:
        text = mention.passage.text
        if len(text) == len(mention.sentence):
            ahead = re.search(r"([A-Z][\w.'-]*) $", text[: span.start])
            behind = re.match(r" (?:of )?([A-Z][\w.'-]*)", text[span.end :])
            # in Galen of Pergamon, Pergamon is where somebody is from
            features["free"] = float(not re.search(r"[A-Z][\w.'-]* of $", text[: span.start]))
            name = text[span.start : span.start + 1].isupper()
            features["longer name"] = float(name and bool((ahead and span.start > 20) or behind))
    return features


def forms(candidate: TermCandidate) -> Iterator[str]:
    """Yields names of what a candidate is like, in a fixed order: its shape, its shape with its
    number of words (4 for more), its span's `speech` and `whole`, its capitals (all, some or no
    words), the entity hint of a name; whether it is a year, has digits, "of", "and", and which of
    the features "kind", "unit inside" and "longer name" it has."""
    span, words = candidate.span, candidate.text.split()
    yield f"shape {span.shape}"
    yield f"{span.shape} of {min(len(words), 4)}"
    yield f"speech {span.speech}"
    yield f"whole {span.whole}"
    capitals = sum(word[:1].isupper() for word in words)
    if capitals == len(words):
        letters = "all"
    elif capitals:
        letters = "some"
    else:
        letters = "no"
    yield f"{letters} capitals"
    if span.shape in NAMED and span.hint:
        yield f"hint {span.hint}"
    if _YEAR.fullmatch(candidate.text):
        yield "year"
    if any(letter.isdigit() for letter in candidate.text):
        yield "digits"
    if " of " in candidate.text:
        yield "of"
    if " and " in candidate.text:
        yield "and"
    if candidate.features.get("kind"):
        yield "fits kind"
    if candidate.features.get("unit inside"):
        yield "unit"
    if candidate.features.get("longer name"):
        yield "part of a name"


def pairs(
    question: TermQuestion, candidate: TermCandidate, terms: Collection[str], spaced: bool
) -> dict[str, float]:
    """The features of a candidate's form with the question's kind and its answer type, each 1; in a
    language without blanks also with the question's `wording`, and with the role and the counter
    that it asks for. `terms` are the question's."""
    kinds = [question_kind(question), f"type {question.type.name}"]
    names = list(forms(candidate))
    if not spaced:
        names += japanese_forms(candidate, terms)
        if name := wording(question.text):
            kinds.append(f"asks {name}")
    features = {f"{kind}{JOINT}{form}": 1.0 for form in names for kind in kinds}
    if question.role and not spaced:
        features[f"asks {question.role}{JOINT}behind {particle_behind(candidate)}"] = 1.0
    if not spaced and (has_unit := has_counter(question.text, candidate)) is not None:
        features[f"counter{JOINT}{'unit' if has_unit else 'no unit'}"] = 1.0
    return features
