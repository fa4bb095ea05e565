"""How each shape of question is answered: which statements it makes, and what a choice claims of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from answerer.formats.exam_parts import Choice, Question, Slot
from answerer.formats.exam_text import Text
from answerer.ntcir.multiple_choice.statements import Statement

Way = Literal["statements", "combination", "fillers", "ordering"]
"""statements: each choice is a statement, or several; combination: a choice says which of the labelled statements
are true; fillers: what is put into one sentence is compared; ordering: a choice orders the events."""

_ENDS = re.compile(r"[。！？]|(?<=[a-z0-9)\]”’\"])[.!?](?=\s|$)|\n")


class Plan(NamedTuple):
    """The statements of a question and, for each choice, the numbers of those that it speaks of.

    For a combination `truth` says, beside each number, whether the choice claims it to be true; for an
    ordering the numbers come in the order claimed.
    """

    way: Way
    statements: tuple[Statement, ...]
    rows: tuple[tuple[int, ...], ...]
    truth: tuple[tuple[bool, ...], ...] = ()


def plan(question: Question) -> Plan:
    """How a question is answered. A shape that cannot be followed is answered by its choices as statements."""
    ways = {
        "combination": _combination,
        "ordering": _ordering,
        "filling": _filling,
        "map": _slotted,
        "pair": _slotted,
        "selection": _selection,
        "term": _terms,
    }
    made = ways[question.shape](question) if question.shape in ways else None
    return made or _plain(question)


def _plain(question: Question) -> Plan:
    """Each choice a statement; its wavy-underlined words, where it has such, are what it asserts."""
    return _each(question, [_statement(choice.text) for choice in question.choices])


def _each(question: Question, statements: Sequence[Statement]) -> Plan:
    return Plan("statements", tuple(statements), tuple((number,) for number in range(len(question.choices))))


def _statement(text: Text) -> Statement:
    asserted = tuple((span.start, span.end) for span in text.of_kind("wavy"))
    if asserted:
        return Statement(text.plain, asserted)
    return Statement(text.replaced())


def _combination(question: Question) -> Plan | None:
    return _labelled(question, "combination")


def _selection(question: Question) -> Plan | None:
    """Choices that name labelled statements: those they name are claimed to be true, the others to be false."""
    names: dict[str, str] = {statement.label: statement.text for statement in question.statements}
    labels = list(names)
    chosen = [[label for label in labels if any(slot.label == label for slot in c.slots)] for c in question.choices]
    if not labels or not all(chosen):
        return None
    rows = tuple(tuple(range(len(labels))) for _ in question.choices)
    truth = tuple(tuple(label in own for label in labels) for own in chosen)
    return Plan("combination", tuple(Statement(names[label]) for label in labels), rows, truth)


def _labelled(question: Question, way: Way) -> Plan | None:
    """The slots of the choices by their labels; None where a slot has no words."""
    texts: dict[str, str] = {}
    printed = {statement.label: statement.text for statement in question.statements}
    for choice in question.choices:
        for slot in choice.slots:
            texts.setdefault(_key(slot), slot.phrase or printed.get(slot.label, "") or slot.value)
    if not texts or not all(texts.values()) or not all(choice.slots for choice in question.choices):
        return None
    number = {key: place for place, key in enumerate(texts)}
    rows = tuple(tuple(number[_key(slot)] for slot in choice.slots) for choice in question.choices)
    truth = tuple(tuple(slot.correct is not False for slot in choice.slots) for choice in question.choices)
    return Plan(way, tuple(Statement(text) for text in texts.values()), rows, truth)


def _key(slot: Slot) -> str:
    return slot.id or slot.label or slot.value


def _ordering(question: Question) -> Plan | None:
    return _labelled(question, "ordering")


def _filling(question: Question) -> Plan | None:
    """The sentences around the gaps, once for each choice, its values put in and judged there."""
    statements = []
    for choice in question.choices:
        statement = _filled(question, _values(question, choice))
        if statement is None:
            return None
        statements.append(statement)
    return Plan("fillers", tuple(statements), tuple((number,) for number in range(len(statements))))


def _values(question: Question, choice: Choice) -> dict[str, str]:
    """The value of each gap, by the gap's id and its label."""
    if not choice.slots:
        return {gap.id: choice.text.plain for gap in question.gaps[:1]}
    values: dict[str, str] = {}
    for slot in choice.slots:
        for name in (slot.id, slot.label):
            if name and slot.value:
                values.setdefault(name, slot.value)
    return values


def _filled(question: Question, values: dict[str, str]) -> Statement | None:
    """The sentences that hold the gaps, filled; None where no gap gets a value."""
    pieces: list[str] = []
    spans: list[tuple[int, int]] = []
    length = 0
    for text in dict.fromkeys(gap.text for gap in question.gaps):
        done = 0
        parts: list[tuple[str, bool]] = []
        gaps = [gap for gap in question.gaps if gap.text == text]
        for gap in sorted(gaps, key=lambda gap: gap.start):
            value = values.get(gap.id) or values.get(gap.label)
            if value and gap.start >= done:
                parts += [(text.plain[done : gap.start], False), (value, True)]
                done = gap.end
        parts.append((text.plain[done:], False))
        for piece, filled in _around(parts):
            if filled:
                spans.append((length, length + len(piece)))
            pieces.append(piece)
            length += len(piece)
        pieces.append("\n")
        length += 1
    return Statement("".join(pieces), (), tuple(spans)) if spans else None


def _around(parts: list[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """The parts cut down to the sentences in which something was filled in."""
    kept = list(parts)
    for place, (piece, filled) in enumerate(parts):
        if filled:
            continue
        ends = [match.end() for match in _ENDS.finditer(piece)]
        first, last = place == 0, place == len(parts) - 1
        if first and last:
            return []
        if first:
            piece = piece[ends[-1] :] if ends else piece
        elif last:
            piece = piece[: ends[0]] if ends else piece
        elif len(ends) > 1:
            piece = piece[: ends[0]] + " " + piece[ends[-1] :]
        kept[place] = (piece, False)
    return kept


def _slotted(question: Question) -> Plan | None:
    """Pairs and maps: each value of a choice in the problem's words, each with the others."""
    problem = _context(question)
    statements = []
    for choice in question.choices:
        values = [slot.value for slot in choice.slots if slot.value]
        if not values:
            return None
        statements.append(_with_context(" ".join(values), problem))
    return _each(question, statements)


def _terms(question: Question) -> Plan | None:
    """A name that the problem asks for: what the problem says is the context in which it is judged."""
    context = _context(question)
    return _each(question, [_with_context(choice.text.replaced(), context) for choice in question.choices])


def _context(question: Question) -> str:
    """What the question is about: underlined phrases it refers to, its data with texts of pictures."""
    return " ".join((*question.underlines, *(passage.text.replaced() for passage in question.data)))


def _with_context(value: str, context: str) -> Statement:
    return Statement(f"{value} {context}", (), ((0, len(value)),)) if context else Statement(value)
