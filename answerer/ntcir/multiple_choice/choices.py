"""What a question's choices say: the terms of each, and the choices that refer to others."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from answerer.formats.exam.parts import ExamQuestion, expand

if TYPE_CHECKING:
    from answerer.ntcir.multiple_choice.shapes import Plan
    from indexer.analysis.analyser import Analyser

STATED_WAYS = ("statements", "fillers")  # in which every choice says something by itself
Aggregate = Literal["", "all", "none"]

_ITEM = r"[(（\[]?([a-hａ-ｈア-ク1-8１-８①-⑧])[)）\].．]?"
_ITEMS = re.compile(
    rf"\W*(?:both\s+)?{_ITEM}(?:\s*[,、・]\s*{_ITEM})*,?\s*(?:and|&|or|[,、と・])\s*{_ITEM}\W*",
    re.IGNORECASE,
)
_NEITHER = re.compile(rf"\W*neither\s+{_ITEM}\s+nor\s+{_ITEM}\W*", re.IGNORECASE)
_KINDS: tuple[tuple[re.Pattern[str], Aggregate], ...] = ((_ITEMS, "all"), (_NEITHER, "none"))
_ONE_ITEM = re.compile(rf"(?<![a-zａ-ｚ]){_ITEM}(?![a-zａ-ｚ])", re.IGNORECASE)
_OF_ALL = (
    r"(?: of)?(?: the)?(?: above| these| those| choices| answers| options| others| statements| "
    r"them)?"
    r"(?: (?:is |are )?(?:correct|true|apply))?"
)
_ALL = re.compile(
    rf"\W*(?:all|both|either|any|every one)(?: two| three| four)?{_OF_ALL}\W*"
    r"|\W*(?:上記|以上|これら)?の?(?:すべて|全て|全部|どれも|いずれも)(?:が?正しい|当てはまる"
    r"|である)?\W*",
    re.IGNORECASE,
)
_NONE = re.compile(
    rf"\W*(?:none|neither)(?: one)?{_OF_ALL}\W*"
    r"|\W*(?:上記|以上|これら)?の?(?:どれ|いずれ)(?:でも|にも|も)?(?:ない|該当しない|当てはまらない"
    r"|正しくない)\W*",
    re.IGNORECASE,
)
_LABELS = ("abcdefgh", "アイウエオカキク", "12345678")
# Numbers of gaps, choices and underlined phrases, as "(1)-(4) below": no book speaks of them.
_PRINTED = re.compile(r"[(（]\d{1,2}[)）]")
_SENTENCE = (".", "。", "．", "!", "！")
_CHOOSE = re.compile(
    r"\b(?:choose|select|pick|identify|indicate|mark)\b|選|答え|マーク", re.IGNORECASE
)
_ASKS = re.compile(r"[?？]|か[。．]?\s*$|_{3}")


class ChoiceTerms(NamedTuple):
    """The terms of one choice that not every choice has, each once; none where it refers to other
    choices ("both a and b", "none of the above"): then `aggregate` is "all" or "none", and
    `members` are the positions of those. `text` is the choice as written, "" for a statement;
    `amount` the number and unit of which it consists, None for any other."""

    terms: tuple[str, ...]
    aggregate: Aggregate = ""
    members: tuple[int, ...] = ()
    text: str = ""
    amount: tuple[str, str] | None = None


class QuestionTerms(NamedTuple):
    """The distinct terms of what is asked, and the terms of each choice, in order."""

    terms: tuple[str, ...]
    choices: tuple[ChoiceTerms, ...]


def question_terms(question: ExamQuestion, plan: Plan, analyser: Analyser) -> QuestionTerms:
    """The terms of a question and of each of its choices, each once, in the text's order, without
    those that all choices share. A choice about others ("both a and b") has none and does not count
    for that, and a number in brackets ("the gap marked (5)") does not belong to the question. If
    the plan makes statements, a choice's terms are those of what it puts into a gap or asserts, all
    its terms where that has none; the rest count as the question's, and `text` is ""."""
    stem_terms = [
        term
        for text in (question.instruction, *question.data)
        for term in analyser.terms(_PRINTED.sub(" ", expand(text).plain))
    ]
    of_choices: list[list[str]] = []
    for choice, row in zip(question.choices, plan.rows, strict=True):
        terms: list[str] = []
        if plan.way in STATED_WAYS:
            for number in row:
                statement, done = plan.statements[number], 0
                for start, end in (
                    statement.fillers or statement.asserted or ((0, len(statement.text)),)
                ):
                    stem_terms += analyser.terms(_PRINTED.sub(" ", statement.text[done:start]))
                    terms += analyser.terms(statement.text[start:end])
                    done = end
                stem_terms += analyser.terms(_PRINTED.sub(" ", statement.text[done:]))
        of_choices.append(terms or analyser.terms(expand(choice.text).plain))
    choices = choice_terms(question, of_choices)
    if plan.way in STATED_WAYS:
        choices = [choice._replace(text="") for choice in choices]
    return QuestionTerms(tuple(dict.fromkeys(stem_terms)), tuple(choices))


def choice_terms(question: ExamQuestion, of_choices: Sequence[Sequence[str]]) -> list[ChoiceTerms]:
    """The choices of a question by the terms of each, `of_choices`, in order: each term once,
    without those that all choices share. A choice about others ("both a and b") has none and does
    not count for that."""
    texts = [choice.text.plain for choice in question.choices]
    labels = [choice.number for choice in question.choices]
    aggregates = [aggregate_of(texts, labels, position) for position in range(len(texts))]
    # Terms that every choice has do not tell one from another.
    plain = [
        set(terms) for terms, (kind, _) in zip(of_choices, aggregates, strict=True) if not kind
    ]
    common = plain[0].intersection(*plain[1:]) if len(plain) > 1 else set()
    choices = []
    for terms, text, (kind, members) in zip(of_choices, texts, aggregates, strict=True):
        distinct = dict.fromkeys(term for term in terms if term not in common and not kind)
        choices.append(ChoiceTerms(tuple(distinct), kind, members, text.strip()))
    return choices


def aggregate_of(
    texts: Sequence[str], labels: Sequence[str], position: int
) -> tuple[Aggregate, tuple[int, ...]]:
    """Detects a choice that refers to other choices: (kind of reference, positions of those
    choices). ("all", …) for "all of the above", "both a and b" and also "a or b", ("none", …) for
    "none of the above" and "neither a nor b", in English and Japanese, else ("", ()), also for a
    reference to only one. A letter or number, in any case or width, means the choice with that
    label, or else at that position. `position` is that of the choice."""
    text = unicodedata.normalize("NFKC", texts[position]).strip()
    others = tuple(number for number in range(len(texts)) if number != position)
    for pattern, kind in _KINDS:
        if pattern.fullmatch(text) and len(members := _members(text, labels, others)) > 1:
            return kind, members
    if len(text) > 1 and _ALL.fullmatch(text):
        return "all", others
    if _NONE.fullmatch(text):
        return "none", others
    return "", ()


def _members(text: str, labels: Sequence[str], others: tuple[int, ...]) -> tuple[int, ...]:
    """The positions of those of the `others` to which the letters and numbers in a text (NFKC)
    refer, by their labels, in any case, or else by counting; each once, in the text's order."""
    position_of = {item: column for row in _LABELS for column, item in enumerate(row)}
    # Of equal labels the first counts.
    position_of |= {
        unicodedata.normalize("NFKC", labels[n]).lower(): n for n in reversed(range(len(labels)))
    }
    positions = [position_of.get(match[1].lower()) for match in _ONE_ITEM.finditer(text)]
    return tuple(dict.fromkeys(member for member in positions if member in others))


def chooses_statements(question: ExamQuestion) -> bool:
    """True if more than half of the choices are whole sentences, and the instruction or data ask to
    choose one (or to answer, 答え) without a question that it would answer or a gap (___)."""
    problem = " ".join(text.plain for text in (question.instruction, *question.data))
    return (
        has_sentences(question)
        and _CHOOSE.search(problem) is not None
        and _ASKS.search(problem) is None
    )


def has_sentences(question: ExamQuestion) -> bool:
    """True if more than half of the choices end with a full stop or an exclamation mark."""
    ends = sum(choice.text.plain.rstrip().endswith(_SENTENCE) for choice in question.choices)
    return ends * 2 > len(question.choices)
