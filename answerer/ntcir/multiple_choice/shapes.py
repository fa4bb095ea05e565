"""Answering plans for each shape of question: the statements it makes, and the claims of its choices about them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from answerer.formats.exam.parts import ExamQuestion, Slot, expand

Way = Literal["statements", "combination", "fillers", "ordering"]
"""statements: each choice is a statement, or several; combination: a choice says which of the labelled statements
are true; fillers: what is put into one sentence is compared; ordering: a choice orders the events."""

# Ends of sentences: a full stop counts after a small letter or a digit, not in "J. Smith".
_ENDS = re.compile(r"[。！？]|(?<=[a-z0-9)\]”’\"])[.!?](?=\s|$)|\n")
_WIDE = re.compile(r"[\u3000-\u9fff\uff00-\uffef]")
# A value that is only a label: (a), ①, ア.
_LABEL = re.compile(r"[(（〔\[]?(?:[A-Za-zＡ-Ｚａ-ｚア-コ0-9０-９Ⅰ-Ⅻⅰ-ⅻ]|[①-⑳])[)）〕\].．]?")
# Answer types of [QALab3], such as `(symbol-TF)*2` and `o(symbol-symbol-symbol)`.
_ATOM = r"(?:sentence|symbol|TF|X|Y|Z|referenceSymbol|(?:term|image)(?:_[a-z]+)?)"
_PARTS = rf"{_ATOM}(?:-{_ATOM})*"
_KNOWN_TYPE = re.compile(rf"|o\({_PARTS}\)|(?:\({_PARTS}\)(?:\*\d+)?)+|{_PARTS}")
# Which end of time an instruction names as the beginning of the order.
_OLD = re.compile(r"古い|早い|oldest|earliest", re.IGNORECASE)
_NEW = re.compile(
    r"(?:新しい|遅い)(?:順|[^、。]{0,6}(?:から|(?:を|が|ほど)(?:先|最初|上)))|(?<!以)後のものから|さかのぼ|逆順"
    r"|\bfrom (?:the )?(?:newest|latest|most recent)\b|\breverse (?:chronological|order)\b"
    r"|(?<!ending )\bwith (?:the )?(?:newest|latest|most recent)\b"
    r"|\b(?:newest|latest|most recent)(?: \w+){0,3} (?:to|first)\b",
    re.IGNORECASE,
)
_FALSE_ONES = re.compile(
    r"(?:誤っている|誤りを含む|誤りのある|間違っている|(?:正しく|適当で|適切で)ない)(?:もの|文|記述)[^。]{0,12}組"
    r"|\bcombination of (?:the )?(?:(?:two|three) )?(?:statements (?:that|which) are )?"
    r"(?:incorrect|false|wrong)\b",
    re.IGNORECASE,
)
_BY_STATEMENTS = "answered by the statement method"


class ChoiceStatement(NamedTuple):
    """A text that is true or false. Names that touch the `asserted` character spans are judged, or all names if none
    does. `fillers` are character spans put into gaps, judged even if they are not names."""

    text: str
    asserted: tuple[tuple[int, int], ...] = ()
    fillers: tuple[tuple[int, int], ...] = ()


class Plan(NamedTuple):
    """How to answer a question: its statements, and for each choice the indices of those it speaks of (`rows`). For a
    combination `truth` has, parallel to `rows`, whether the choice claims the statement to be true; for an ordering a
    row has the claimed order, oldest first. `note` is a message if the plan for the question's shape could not be
    made."""

    way: Way
    statements: tuple[ChoiceStatement, ...]
    rows: tuple[tuple[int, ...], ...]
    truth: tuple[tuple[bool, ...], ...] = ()
    note: str = ""


def plan(question: ExamQuestion) -> Plan:
    """Makes the plan that answers a question, by its shape; if that fails, each choice is a statement, with a note."""
    shape, kind, note = question.shape, question.answer_type, ""
    context = _context(question)
    made: Plan | None = None
    if shape in ("combination", "ordering"):
        made = _labelled_plan(question, "combination" if shape == "combination" else "ordering")
    elif shape == "filling":
        made = _filling(question)
    elif shape == "map":
        made = _map(question)
    elif shape == "selection":
        made = _selection(question)
    elif shape == "pair":
        made = _pairs(question, context)
    elif (
        shape == "term"
    ):  # a name that the problem asks for: what the problem says is the context in which it is judged
        made = _one_each([_judged_statement([expand(choice.text).plain], context) for choice in question.choices])
    elif shape == "sentence" and not _KNOWN_TYPE.fullmatch(kind):
        note = f"the shape {kind!r} is unknown: {_BY_STATEMENTS}"
    elif shape == "sentence" and kind not in ("", "sentence"):
        note = f"the choices do not have the parts of {kind!r}: {_BY_STATEMENTS}"
    if made:
        return made
    statements = []
    for choice in question.choices:  # its wavy-underlined words, where it has such, are what a choice asserts
        asserted = tuple((span.start, span.end) for span in choice.text.spans if span.kind == "wavy")
        statements.append(ChoiceStatement(choice.text.plain if asserted else expand(choice.text).plain, asserted))
    if not note and shape not in ("sentence", "picture"):
        note = f"nothing that the choices of shape {shape!r} speak of was found: {_BY_STATEMENTS}"
    return _one_each(statements)._replace(note=note)


def _one_each(statements: Sequence[ChoiceStatement], way: Way = "statements") -> Plan:
    """The plan in which each choice makes the statement of its number."""
    return Plan(way, tuple(statements), tuple((number,) for number in range(len(statements))))


def _pairs(question: ExamQuestion, context: str) -> Plan | None:
    """The values of a choice beside each other in the problem's words (`context`), each judged with the others; None if
    a choice does not have values."""
    rows = [[slot.value for slot in choice.slots if slot.value] for choice in question.choices]
    return _one_each([_judged_statement(row, context) for row in rows]) if all(rows) else None


def _selection(question: ExamQuestion) -> Plan | None:
    """Plan for choices that list labelled statements: the listed ones are claimed true, the others false. Reversed if
    the right list of false statements is asked for. None if a choice does not list any labelled statement."""
    false_ones = question.asks == "T" and _FALSE_ONES.search(question.instruction.plain) is not None
    names: dict[str, str] = {statement.label: statement.text for statement in question.statements}
    labels = list(names)
    chosen = [[label for label in labels if any(slot.label == label for slot in c.slots)] for c in question.choices]
    if not labels or not all(chosen):
        return None
    rows = tuple(tuple(range(len(labels))) for _ in question.choices)
    truth = tuple(tuple((label in own) != false_ones for label in labels) for own in chosen)
    return Plan("combination", tuple(ChoiceStatement(names[label]) for label in labels), rows, truth)


def _labelled_plan(question: ExamQuestion, way: Way) -> Plan | None:
    """Plan ("combination" or "ordering") whose statements are the labelled statements or events in the choices' slots.
    In an ordering a slot's value may itself be the event. None if the words of a slot are not found, or a choice has no
    slots."""
    texts: dict[str, str] = {}
    printed = {statement.label: statement.text for statement in question.statements}
    for choice in question.choices:
        for slot in choice.slots:
            event = slot.value if way == "ordering" and not _LABEL.fullmatch(slot.value) else ""
            # The first choice that gives a slot words gives them to all.
            texts.setdefault(_key(slot), slot.phrase or printed.get(slot.label, "") or event)
    if not texts or not all(texts.values()) or not all(choice.slots for choice in question.choices):
        return None
    number = {key: place for place, key in enumerate(texts)}
    # A row has the oldest event first. Time runs back if the instruction names the new as the beginning, before the
    # old; new or latest in another role does not count (新しい王朝が成立した順に).
    new, old = (pattern.search(question.instruction.plain) for pattern in (_NEW, _OLD))
    step = -1 if way == "ordering" and new and (old is None or new.start() < old.start()) else 1
    rows = tuple(tuple(number[_key(slot)] for slot in choice.slots[::step]) for choice in question.choices)
    truth = tuple(tuple(slot.correct is not False for slot in choice.slots) for choice in question.choices)
    return Plan(way, tuple(ChoiceStatement(text) for text in texts.values()), rows, truth)


def _key(slot: Slot) -> str:
    return slot.id or slot.label or slot.value


def _filling(question: ExamQuestion) -> Plan | None:
    """Plan with a statement per choice: the sentences around the gaps, the choice's values filled in and judged. None
    if a choice does not fill any gap."""
    statements = []
    for choice in question.choices:
        values: dict[str, str] = {}  # the value of each gap, by the gap's id and its label
        if not choice.slots:
            values = {gap.id: choice.text.plain for gap in question.gaps[:1]}
        for slot in choice.slots:
            for name in (slot.id, slot.label):
                if name and slot.value:
                    values.setdefault(name, slot.value)
        text = ""
        spans: list[tuple[int, int]] = []
        for holder in dict.fromkeys(gap.text for gap in question.gaps):
            done = 0
            parts: list[tuple[str, bool]] = []  # of the text, with whether they fill a gap
            for gap in sorted((gap for gap in question.gaps if gap.text == holder), key=lambda gap: gap.start):
                value = values.get(gap.id) or values.get(gap.label)
                if value and gap.start >= done:
                    parts += [(holder.plain[done : gap.start], False), (value, True)]
                    done = gap.end
            parts.append((holder.plain[done:], False))
            # Other sentences of the passage would bring names that the choice does not assert.
            for piece, filled in _sentences_around(parts):
                if filled:
                    spans.append((len(text), len(text) + len(piece)))
                text += piece
            text += "\n"
        if not spans:
            return None
        statements.append(ChoiceStatement(text, (), tuple(spans)))
    return _one_each(statements, "fillers")


def _sentences_around(parts: list[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """Reduces the parts of a text, pairs (text, whether it fills a gap), to the sentences with a filled gap. Returns []
    for a single part, which has no gap."""
    if len(parts) == 1:
        return []
    kept = list(parts)
    for place, (piece, filled) in enumerate(parts):
        ends = [match.end() for match in _ENDS.finditer(piece)]
        if filled or not ends:
            continue
        if place == 0:
            kept[place] = (piece[ends[-1] :], False)
        elif place == len(parts) - 1:
            kept[place] = (piece[: ends[0]], False)
        elif len(ends) > 1:
            kept[place] = (piece[: ends[0]] + " " + piece[ends[-1] :], False)
    return kept


def _map(question: ExamQuestion) -> Plan | None:
    """Plan for choices of values and letters on a map: values in their gaps, and beside what a letter marks. What
    letters mark is read from the texts of the picture (`adata`). If no text describes the letters, only the values are
    judged, with a note. A letter without a value is judged as the place asked for. None if no statement can be made."""
    texts = [expand(passage.text).plain for passage in (*question.data, *question.passages)]
    letters = [
        [slot.symbol or (slot.label if slot.target == "picture" else "") for slot in choice.slots]
        for choice in question.choices
    ]
    known = sorted({letter for row in letters for letter in row} - {""})
    places, described = places_of(known, texts)
    filled = _filling(question)
    if not places:
        alone = filled or _pairs(question, _context(question))
        return alone._replace(note=f"nothing says what {', '.join(known)} mark: not judged") if alone else None
    # The key of the map is not context: its places are judged one by one.
    context = _context(question, without=texts[described])
    statements = list(filled.statements) if filled else []
    rows = []
    for number, choice in enumerate(question.choices):
        row = [number] if filled else []
        for slot, letter in zip(choice.slots, letters[number], strict=True):
            if beside := places.get(_narrow(letter), ""):
                value, other = (slot.value, beside) if slot.value else (beside, expand(question.instruction).plain)
                row.append(len(statements))
                statements.append(_judged_statement([value], context, other))
        rows.append(tuple(row))
    return Plan("statements", tuple(statements), tuple(rows)) if all(rows) else None


def _context(question: ExamQuestion, without: str = "") -> str:
    """The context of a question: underlined phrases it refers to, its data with texts of pictures."""
    texts = (expand(passage.text).plain for passage in question.data)
    return " ".join((*question.underlines, *(text for text in texts if text != without)))


def _judged_statement(values: Sequence[str], *others: str) -> ChoiceStatement:
    """A statement of `values`, each to be judged, and context texts, with punctuation between all of them."""
    parts = [*values, *filter(None, others)]
    comma, stop = ("、", "。") if _WIDE.search("".join(parts)) else (", ", ". ")
    text, spans = "", []
    for number, part in enumerate(parts):
        text += (comma if number < len(values) else stop) if number else ""
        if number < len(values):
            spans.append((len(text), len(text) + len(part)))
        text += part
    return ChoiceStatement(text, (), tuple(spans))


_SIGN = r"\s*(?:[)\]:=]|は|が|―|–|—|-\s|\.\s)\s*"
_OPEN = r"(?:^|(?<=[;:。.,、(\[])|(?<=[;:.,]\s))"


def places_of(letters: Iterable[str], texts: Sequence[str]) -> tuple[dict[str, str], int]:
    """What each letter marks by the first text that describes all letters: (letter → description, index of the text).
    A letter opens its description if a sign follows it (`a: Peru`, `(a) Peru`), or at the start of a line
    or clause (`a Peru; b Chile`: elsewhere it may be the article); the next letter or the end of the clause ends it.
    Letters are in half width, without brackets. Returns ({}, -1) without letters or such a text."""
    narrowed = sorted({_narrow(letter) for letter in letters})
    any_letter = "|".join(map(re.escape, narrowed))
    marker = rf"(?<![A-Za-z0-9ァ-ヺー])({any_letter}){_SIGN}|{_OPEN}({any_letter})\s+(?=[^a-z\s])"
    for number, text in enumerate(texts if narrowed else ()):
        text = unicodedata.normalize("NFKC", text)
        marks = list(re.finditer(marker, text, re.MULTILINE))
        ends = [mark.start() for mark in marks[1:]] + [len(text)]
        described: dict[str, str] = {}
        for mark, end in zip(marks, ends, strict=False):  # an end too many where nothing is marked
            words = re.split(r"[;。\n]", text[mark.end() : end])[0].strip(" 、,.([")
            if words:
                described.setdefault(mark[1] or mark[2], words)
        if len(described) == len(narrowed):
            return described, number
    return {}, -1


def _narrow(letter: str) -> str:
    return unicodedata.normalize("NFKC", letter).strip("()[]〔〕 ")
