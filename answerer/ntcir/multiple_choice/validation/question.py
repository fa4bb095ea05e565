"""A question as answer validation sees it: the terms of what is asked and of each choice, choices that name others."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal, NamedTuple

from answerer.formats.exam.parts import ExamQuestion, expand
from answerer.ntcir.multiple_choice.shapes import Plan
from indexer.analysis import Analyser

Aggregate = Literal["", "all", "none"]

_ITEM = r"[(（\[]?([a-hａ-ｈア-ク1-8１-８①-⑧])[)）\].．]?"
_ITEMS = re.compile(
    rf"\W*(?:both\s+)?{_ITEM}(?:\s*[,、・]\s*{_ITEM})*,?\s*(?:and|&|or|[,、と・])\s*{_ITEM}\W*", re.IGNORECASE
)
_NEITHER = re.compile(rf"\W*neither\s+{_ITEM}\s+nor\s+{_ITEM}\W*", re.IGNORECASE)
_ONE_ITEM = re.compile(rf"(?<![a-zａ-ｚ]){_ITEM}(?![a-zａ-ｚ])", re.IGNORECASE)
_OF_ALL = (
    r"(?: of)?(?: the)?(?: above| these| those| choices| answers| options| others| statements| them)?"
    r"(?: (?:is |are )?(?:correct|true|apply))?"
)
_ALL = re.compile(
    rf"\W*(?:all|both|either|any|every one)(?: two| three| four)?{_OF_ALL}\W*"
    r"|\W*(?:上記|以上|これら)?の?(?:すべて|全て|全部|どれも|いずれも)(?:が?正しい|当てはまる|である)?\W*",
    re.IGNORECASE,
)
_NONE = re.compile(
    rf"\W*(?:none|neither)(?: one)?{_OF_ALL}\W*"
    r"|\W*(?:上記|以上|これら)?の?(?:どれ|いずれ)(?:でも|にも|も)?(?:ない|該当しない|当てはまらない|正しくない)\W*",
    re.IGNORECASE,
)
_LABELS = ("abcdefgh", "アイウエオカキク", "12345678")
_SENTENCE = (".", "。", "．", "!", "！")
_CHOOSE = re.compile(r"\b(?:choose|select|pick|identify|indicate|mark)\b|選|答え|マーク", re.IGNORECASE)
_ASKS = re.compile(r"[?？]|か[。．]?\s*$|_{3}")


class ChoiceTerms(NamedTuple):
    """The terms of one choice that not every choice has, each once.

    `aggregate` is "all" or "none" where the choice refers to other choices ("both a and b", "none of the above"),
    whose positions are `members`; its `terms` are then empty.
    """

    terms: tuple[str, ...]
    aggregate: Aggregate = ""
    members: tuple[int, ...] = ()


class QuestionTerms(NamedTuple):
    """The distinct terms of what is asked, and the terms of each choice, in order."""

    terms: tuple[str, ...]
    choices: tuple[ChoiceTerms, ...]


def question_terms(question: ExamQuestion, plan: Plan, analyser: Analyser) -> QuestionTerms:
    """The terms of a question and of each of its choices.

    If the plan makes statements, a choice's terms are those of what it puts into a gap or asserts; the remaining terms
    of the statement count as the question's. Terms common to all choices are left out.
    """
    asked: dict[str, None] = {}
    for text in question.problem:
        asked.update(dict.fromkeys(analyser.terms(expand(text).plain)))
    own: list[dict[str, None]] = []
    for choice, row in zip(question.choices, plan.rows, strict=True):
        terms: dict[str, None] = {}
        statements = [plan.statements[number] for number in row] if plan.way in ("statements", "fillers") else []
        for statement in statements:
            spans = statement.fillers or statement.asserted or ((0, len(statement.text)),)
            done = 0
            for start, end in spans:
                asked.update(dict.fromkeys(analyser.terms(statement.text[done:start])))
                terms.update(dict.fromkeys(analyser.terms(statement.text[start:end])))
                done = end
            asked.update(dict.fromkeys(analyser.terms(statement.text[done:])))
        own.append(terms or dict.fromkeys(analyser.terms(expand(choice.text).plain)))
    texts = [choice.text.plain for choice in question.choices]
    labels = [choice.number for choice in question.choices]
    aggregates = [aggregate_of(texts, labels, position) for position in range(len(texts))]
    # Terms that every choice has do not tell one from another.
    plain = [terms for terms, (kind, _) in zip(own, aggregates, strict=True) if not kind]
    common = set(plain[0]).intersection(*plain[1:]) if len(plain) > 1 else set()
    choices = [
        ChoiceTerms((), kind, members) if kind else ChoiceTerms(tuple(term for term in terms if term not in common))
        for terms, (kind, members) in zip(own, aggregates, strict=True)
    ]
    return QuestionTerms(tuple(asked), tuple(choices))


def aggregate_of(texts: Sequence[str], labels: Sequence[str], position: int) -> tuple[Aggregate, tuple[int, ...]]:
    """Detects a choice that refers to other choices: (kind of reference, positions of those choices).

    ("all", …) for "all of the above" and "both a and b", ("none", …) for "none of the above" and "neither a nor b",
    ("", ()) for any other choice. A letter or number means the choice with that label, or else at that position.
    `position` is the index of the choice in `texts`.
    """
    text = unicodedata.normalize("NFKC", texts[position]).strip()
    others = tuple(number for number in range(len(texts)) if number != position)
    kinds: tuple[tuple[re.Pattern[str], Aggregate], ...] = ((_ITEMS, "all"), (_NEITHER, "none"))
    for pattern, kind in kinds:
        if pattern.fullmatch(text):
            named = [_place(match[1], labels) for match in _ONE_ITEM.finditer(text)]
            members = tuple(dict.fromkeys(place for place in named if place in others))
            if len(members) > 1:
                return kind, members
    if len(text) > 1 and _ALL.fullmatch(text):
        return "all", others
    if _NONE.fullmatch(text):
        return "none", others
    return "", ()


def _place(item: str, labels: Sequence[str]) -> int:
    """The position of the choice that a letter or number refers to, by its label or else by counting.

    Returns -1 for other texts.
    """
    item = item.lower()
    folded = [unicodedata.normalize("NFKC", label).lower() for label in labels]
    if item in folded:
        return folded.index(item)
    return next((row.index(item) for row in _LABELS if item in row), -1)


def chooses_statements(question: ExamQuestion) -> bool:
    """True if most choices are sentences among which one is to be chosen, without a question that they would answer."""
    problem = " ".join(text.plain for text in question.problem)
    return has_sentences(question) and _CHOOSE.search(problem) is not None and _ASKS.search(problem) is None


def has_sentences(question: ExamQuestion) -> bool:
    """True if most choices are whole sentences by their end."""
    ends = sum(choice.text.plain.rstrip().endswith(_SENTENCE) for choice in question.choices)
    return ends * 2 > len(question.choices)
