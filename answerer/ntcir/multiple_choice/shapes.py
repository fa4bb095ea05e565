"""Shapes of questions, and answering plans for each: the statements it makes, and the claims of its
choices."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Literal, NamedTuple

from answerer.formats.exam.parts import ExamQuestion, MarkedText, Target, TextSpan, expand

Shape = Literal[
    "sentence", "combination", "filling", "ordering", "pair", "map", "selection", "term", "picture"
]
"""`combination`: which labelled statements are true; `filling`: the contents of the gaps;
`ordering`: events in time; `pair`: two things that belong together; `map`: the meaning of letters
in a picture; `selection`: which labelled statements; `term`: a name; `picture`: choices are
pictures; `sentence`: all else, one sentence each."""

Way = Literal["statements", "combination", "fillers", "ordering", "truth"]
"""statements: each choice is a statement, or several; combination: a choice says which of the
labelled statements are true; fillers: what is put into one sentence is compared; ordering: a choice
orders the events; truth: the choices are true and false, of the question's statement."""

_DASH = r"[-‐‑–—―－ー:：=＝]"
_EDGES = " \n、，,;；/／・" + "-‐‑–—―－:：=＝→"
# Labels are printed in full width (Ａ) and in half width (A).
_HALF_WIDTH = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
_PRINTED_LABEL = re.compile(
    rf"(?:^|(?<=[\s、,，]))([ア-コa-eA-E]|[(][ア-コa-eA-E][)])(?=\s*{_DASH})"
)
_ARROW = re.compile(r"\s*(?:→|⇒|➔|➡|⟶|⇨|=>|-+>)\s*")
_SPACED_DASH = re.compile(r"\s+[-–—]\s+|\s*[―－—–]\s*")
# Between the parts of a choice: a dash, a middle dot, a comma, or a wide gap.
_PARTS = re.compile(r"\s*[―－—–・:：/／、，,]\s*|\s+-\s+|\s{2,}|\n|(?<=\S)-(?=\S)")
_LONG_DASH = re.compile(r"\s*[―－—–]\s*")
_TYPE_OF_PARTS = re.compile(r"[a-z_]+(-[a-z_]+)+", re.IGNORECASE)
_STOPS = ("。", "．", ".")
_GAPS = re.compile(r"空欄|空所|\b(?:gaps?|blanks?)\b", re.IGNORECASE)
# Marks of true and false statements in the exams and in files of plain questions.
_TRUTH = dict.fromkeys(("正", "正しい", "○", "〇", "◯", "correct", "true", "t", "right"), True)
_TRUTH |= dict.fromkeys(
    ("誤", "誤り", "誤っている", "×", "✕", "incorrect", "false", "f", "wrong"), False
)


_PRINTED_STATEMENT = re.compile(
    r"\s*([a-fａ-ｆA-FＡ-Ｆア-カ]|[(（][a-fａ-ｆA-FＡ-Ｆア-カ][)）])(?:[.．:：、]\s*|\s+)(\S.*)"
)
_SERIES = ("abcdef", "ABCDEF", "アイウエオカ")


class Slot(NamedTuple):
    """A part of a choice: its claim (`value`) about the referent of its printed `label`, with the
    reference's `target`, `id` and `phrase` (the statement's words). `symbol` is the letter inside a
    picture that goes with the value; `correct` is what a true-false combination claims of the
    statement. In an ordering each slot is an event: its words are the phrase or, where it has none,
    the value."""

    label: str = ""
    target: Target | None = None
    id: str = ""
    phrase: str = ""
    value: str = ""
    symbol: str = ""
    correct: bool | None = None


class QuestionShape(NamedTuple):
    """The shape of a question; the parts of each choice (events, labelled values, pairs; () for a
    plain choice); the gaps to fill, with the text that each is in; and the labelled statements (a,
    b, c), whose words are `phrase`."""

    shape: Shape
    slots: tuple[tuple[Slot, ...], ...]
    gaps: tuple[tuple[MarkedText, TextSpan], ...]
    statements: tuple[Slot, ...]


def parse_shape(question: ExamQuestion) -> QuestionShape:
    """The shape of a question, its choices as slots, and its gaps and statements. The first shape
    that fits, by the answer type or the parts of the choices, of: ordering, combination, picture,
    map, filling, selection, pair; else term by the answer type, else sentence. If the
    question is one of several columns, and each has its own gap, the other gaps are left out."""
    gaps, statements = _gaps_and_statements(question)
    texts, kind = [choice.text for choice in question.choices], question.answer_type
    plains = [text.plain for text in texts]
    gap_ids = {gap.label: gap.id for _, gap in gaps if gap.label}
    by_label = _known_labels(texts, gap_ids, statements)
    if kind.startswith("o(") or (texts and all(map(_ARROW.search, plains))):
        return QuestionShape(
            "ordering", tuple(_events(text, by_label) for text in texts), gaps, statements
        )
    # Labels first, for they say which statement or gap a part is about; else parts go by their
    # order.
    slots = _labelled_slots(texts, by_label, kind)
    if slots is None:
        slots = _parted_slots(plains, gap_ids, statements, kind)
    # A choice that fills several gaps at once keeps them all; else each column of the question has
    # its own gap.
    if len(gaps) == len(question.together) > 1 and not any(slots):
        position = question.together.index(question.answer_column)
        gaps = gaps[position : position + 1]
    return QuestionShape(_shape_of(question, slots, gaps), tuple(slots), gaps, statements)


def _parted_slots(
    plains: Sequence[str], gaps: Mapping[str, str], statements: Sequence[Slot], answer_type: str
) -> list[tuple[Slot, ...]]:
    """Splits the texts of choices without labels into slots: a truth value for each of the
    `statements`, a value for each of several `gaps` (label → id), if every choice has as many; else
    the parts of each with several, where `answer_type` or one long dash in every short choice says
    so; () for other choices."""
    rows = [[part for part in _PARTS.split(plain) if part] for plain in plains]
    marks: Sequence[Slot] = ()
    is_parted = bool(_TYPE_OF_PARTS.fullmatch(answer_type)) or (
        len(plains) > 1
        and all(len(p) < 60 and sum(map(bool, _LONG_DASH.split(p))) == 2 for p in plains)
    )
    if all(len(row) == len(statements) and None not in map(_truth, row) for row in rows):
        marks = statements
    elif len(gaps) > 1 and all(len(row) == len(gaps) for row in rows):
        marks = [Slot(label, "gap", id_) for label, id_ in gaps.items()]
    elif is_parted:
        dashed = [[part for part in _SPACED_DASH.split(plain) if part] for plain in plains]
        if all(len(row) > 1 for row in dashed):  # then ・ and the like are inside the names
            rows = dashed
    return [
        tuple(
            mark._replace(value=part.strip(_EDGES), correct=_truth(part))
            for part, mark in zip(row, marks or [Slot()] * len(row), strict=True)
            if marks or (is_parted and len(row) > 1)
        )
        for row in rows
    ]


def _shape_of(
    question: ExamQuestion,
    slots: Sequence[Sequence[Slot]],
    gaps: Sequence[tuple[MarkedText, TextSpan]],
) -> Shape:
    """The shape of a question that is not an ordering, the first that fits of those of
    `parse_shape`: by answer type, pictures, the slots of its choices and its gaps, which are not
    filled by choices that are sentences."""
    kind, every = question.answer_type, [slot for row in slots for slot in row]
    if "TF" in kind or any(slot.correct is not None for slot in every):
        return "combination"
    if question.pictures or kind.startswith("image"):
        return "picture"
    if any(slot.target == "picture" or slot.symbol for slot in every):
        return "map"
    if gaps or _GAPS.search(question.instruction.plain):
        ends = [choice.text.plain.rstrip()[-1:] in _STOPS for choice in question.choices]
        # Sentences to choose from do not fill gaps.
        if kind not in ("sentence", "") or sum(ends) * 2 <= len(ends):
            return "filling"
    if kind == "referenceSymbol" or (every and not any(slot.value for slot in every)):
        return "selection"
    if any(len(row) > 1 for row in slots):
        return "pair"
    return "term" if kind.startswith("term") else "sentence"


def _gaps_and_statements(
    question: ExamQuestion,
) -> tuple[tuple[tuple[MarkedText, TextSpan], ...], tuple[Slot, ...]]:
    """The gaps that a question asks to fill, and the labelled statements that it refers to, in the
    order of print.

    Both are those that references in instruction and choices point to, gaps also references in the
    question's data, and those inside that. Gaps also are those whose label the instruction prints
    without a reference, if another such gap is in the same text. If the file marks no such
    statement, they are those that the data print."""
    instruction, data = question.instruction, question.data
    asking = (instruction, *(choice.text for choice in question.choices))
    pointed = {(span.target, span.id) for text in asking for span in text.spans}
    pointed |= {("gap", span.id) for text in data for span in text.spans if span.target == "gap"}
    in_data = {span[:3] for text in data for span in text.spans}
    # Of several spans with the same kind, id and label only the first counts.
    every: dict[tuple[str, ...], tuple[MarkedText, TextSpan]] = {}
    for text in (instruction, *data, *question.passages):
        for span in text.spans:
            every.setdefault(span[:3], (text, span))
    spans = [pair for key, pair in every.items() if key[:2] in pointed or key in in_data]
    open_gaps = [(text, span) for text, span in spans if span.kind == "gap"]
    labels = [span.label for _, span in open_gaps]
    # The instruction with its references blanked.
    printed = instruction.plain
    for span in instruction.spans:
        if span.kind == "reference":
            printed = printed[: span.start] + " " * (span.end - span.start) + printed[span.end :]
    gaps = []
    for text, span in every.values():
        beside = next((other.label for near, other in open_gaps if near is text), None)
        is_printed = (
            beside is not None
            and len(span.label) > 1
            and span.label not in labels
            and span.label[1].isdigit() == beside[1:2].isdigit()
            and span.label in printed
        )
        if span.kind == "gap" and ((text, span) in open_gaps or is_printed):
            gaps.append((text, span))
    statements = [
        Slot(span.label, "statement", span.id, text.plain[span.start : span.end])
        for text, span in spans
        if span.kind == "statement"
    ]
    return tuple(gaps), tuple(statements or _printed_statements(data))


def _printed_statements(data: Sequence[MarkedText]) -> list[Slot]:
    """The statements, with id "", that a file does not mark: the lines of texts that begin with
    consecutive labels (from a, A or ア, at most six), if there are two at least; [] else, and if a
    label is out of order."""
    lines = [
        match
        for text in data
        for line in text.plain.split("\n")
        if (match := _PRINTED_STATEMENT.match(line))
    ]
    labels = "".join(_narrow(line[1]) for line in lines)
    if len(lines) < 2 or labels not in [series[: len(lines)] for series in _SERIES]:
        return []
    return [Slot(line[1], "statement", "", line[2]) for line in lines]


def _known_labels(
    texts: Sequence[MarkedText], gaps: Mapping[str, str], statements: Sequence[Slot]
) -> dict[str, Slot]:
    """Labels that may precede values in choices: label in half width → slot with an empty value,
    the first of equal labels. These are the labels of gaps (label → id), statements and references.
    If a file marks none of these, they are the labels that precede a dash in the plain text of
    every choice."""
    slots = [Slot(label, "gap", id_) for label, id_ in gaps.items()]
    references = [span for text in texts for span in text.spans if span.kind == "reference"]
    slots += [
        *statements,
        *(Slot(span.label, span.target, span.id, span.phrase) for span in references),
    ]
    by_label: dict[str, Slot] = {}
    for slot in slots:
        if label := slot.label.translate(_HALF_WIDTH):
            by_label.setdefault(label, slot._replace(label=label))
    if by_label or not texts:
        return by_label
    printed = [
        dict.fromkeys(_PRINTED_LABEL.findall(text.plain.translate(_HALF_WIDTH))) for text in texts
    ]
    return {label: Slot(label) for label in printed[0] if all(label in row for row in printed)}


def _events(text: MarkedText, by_label: Mapping[str, Slot]) -> tuple[Slot, ...]:
    """The events of an ordering choice, split at arrows or else dashes, in the order of the choice.
    An event is a reference, a label of `by_label` (half-width label → slot) or, in `value`, plain
    words."""
    splitter = _ARROW if _ARROW.search(text.plain) else _SPACED_DASH
    events, start = [], 0
    for end, following in (
        *(match.span() for match in splitter.finditer(text.plain)),
        (len(text.plain), 0),
    ):
        inside = [
            s for s in text.spans if s.kind == "reference" and start <= s.start and s.end <= end
        ]
        value = text.plain[start:end].strip()
        if len(inside) == 1 and value == text.plain[inside[0].start : inside[0].end]:
            events.append(Slot(inside[0].label, inside[0].target, inside[0].id, inside[0].phrase))
        elif value:
            events.append(by_label.get(value.translate(_HALF_WIDTH), Slot(value=value)))
        start = following
    return tuple(events)


def _labelled_slots(
    texts: Sequence[MarkedText], by_label: Mapping[str, Slot], answer_type: str
) -> list[tuple[Slot, ...]] | None:
    """Splits choices at labels into slots: each label with the text that follows it as value.

    Labels are references, and those of `by_label` in plain text: bracketed, before a dash, or in a
    choice that consists of labels only (`a・c`). A label after a dash is the `symbol` of the value
    before it. Text before the first label, and a choice without labels, is a slot without label.
    None unless more than half of the choices begin with a label (not only underlines), or end with
    one and `answer_type` is not "sentence": for choices without labels, and for sentences that only
    mention one.
    """
    one_of = "|".join(sorted(map(re.escape, by_label), key=lambda label: (-len(label), label)))
    # What matched stays matched: labels as "a" and "aa" would be tried in all their combinations.
    only_labels = re.compile(rf"(?>(?:{one_of})[\s・、,&と]*)++") if by_label else None
    rows = [_labels_in(text, by_label, only_labels) for text in texts]
    if sum(bool(row) and row[0][0] == 0 for row in rows) * 2 > len(texts):
        labelled = any(len(row) > 1 or (row and row[0][2].target != "underline") for row in rows)
    else:
        last = sum(
            bool(row) and row[-1][1] == len(text.plain)
            for text, row in zip(texts, rows, strict=True)
        )
        labelled = answer_type != "sentence" and last * 2 > len(texts)
    if not labelled:
        return None
    return [_slots_between(text.plain, row) for text, row in zip(texts, rows, strict=True)]


_Label = tuple[int, int, Slot]  # from, to, and what it refers to


def _labels_in(
    text: MarkedText, by_label: Mapping[str, Slot], only_labels: re.Pattern[str] | None
) -> list[_Label]:
    """The labels in a choice, in order: its references, and those of `by_label` that its plain text
    prints beside these. `only_labels` matches a choice that consists of labels."""
    references = [span for span in text.spans if span.kind == "reference"]
    labels = [
        (span.start, span.end, Slot(span.label, span.target, span.id, span.phrase))
        for span in references
    ]
    plain = text.plain.translate(_HALF_WIDTH)
    nothing_else = only_labels is not None and only_labels.fullmatch(plain) is not None
    for label, slot in by_label.items():
        free = nothing_else or label[0] in "([〔"
        pattern = re.escape(label) if free else rf"(?<![\w]){re.escape(label)}(?=\s*{_DASH})"
        for start, end in (match.span() for match in re.finditer(pattern, plain)):
            if not any(start < span.end and span.start < end for span in references):
                labels.append((start, end, slot))
    return sorted(labels, key=lambda label: label[:2])


def _slots_between(plain: str, labels: Sequence[_Label]) -> tuple[Slot, ...]:
    """The slots of a choice: the text before its first label, if there is any or no label, then
    each label with the text up to the next; a label behind a dash is the `symbol` of the value
    before it."""
    lead = plain[: labels[0][0]].strip(_EDGES) if labels else plain
    slots = [Slot(value=lead)] if lead or not labels else []
    ends = [*(start for start, _, _ in labels[1:]), len(plain)]
    for (start, end, slot), following in zip(labels, ends, strict=False):
        value = plain[end:following].strip(_EDGES).lstrip("ー")
        before = slots[-1] if slots else slot
        # A label after a dash is the letter of the slot before it, not a separate slot.
        joined = re.search(rf"{_DASH}\s*$", plain[:start])
        if joined and before.value and not before.symbol and before.target != slot.target:
            slots[-1] = before._replace(symbol=slot.label)
            slots += [Slot(value=value)] if value else []
        else:
            slots.append(slot._replace(value=value, correct=_truth(value)))
    return tuple(slots)


def _truth(value: str) -> bool | None:
    """Parses a truth value: True for 正, ○, true …, False for 誤, ×, false …, None for any other
    text; capitals, width, brackets and stops do not count."""
    return _TRUTH.get(unicodedata.normalize("NFKC", value).strip(_EDGES + "。.()").lower())


# Ends of sentences: a full stop counts after a small letter or a digit, not in "J. Smith".
_ENDS = re.compile(r"[。！？]|(?<=[a-z0-9)\]”’\"])[.!?](?=\s|$)|\n")
_WIDE = re.compile(r"[\u3000-\u9fff\uff00-\uffef]")
# A value that is only a label: (a), ①, ア.
_LABEL = re.compile(r"[(（〔\[]?(?:[A-Za-zＡ-Ｚａ-ｚア-コ0-9０-９Ⅰ-Ⅻⅰ-ⅻ]|[①-⑳])[)）〕\].．]?")
# Which end of time an instruction names as the beginning of the order.
_OLD = re.compile(r"古い|早い|oldest|earliest", re.IGNORECASE)
_NEW = re.compile(
    r"(?:新しい|遅い)(?:順|[^、。]{0,6}(?:から|(?:を|が|ほど)(?:先|最初|上)))|(?<!以)後のものから"
    r"|さかのぼ|逆順"
    r"|\bfrom (?:the )?(?:newest|latest|most recent)\b|\breverse (?:chronological|order)\b"
    r"|(?<!ending )\bwith (?:the )?(?:newest|latest|most recent)\b"
    r"|\b(?:newest|latest|most recent)(?: \w+){0,3} (?:to|first)\b",
    re.IGNORECASE,
)
_FALSE_ONES = re.compile(
    r"(?:誤っている|誤りを含む|誤りのある|間違っている|(?:正しく|適当で|適切で)ない)(?:もの|文"
    r"|記述)[^。]{0,12}組"
    r"|\bcombination of (?:the )?(?:(?:two|three) )?(?:statements (?:that|which) are )?"
    r"(?:incorrect|false|wrong)\b",
    re.IGNORECASE,
)
_BY_STATEMENTS = "answered by the statement method"


class ChoiceStatement(NamedTuple):
    """A text that is true or false. Names that touch the `asserted` character spans are judged, or
    all names if none does. `fillers` are character spans put into gaps, judged even if they are not
    names."""

    text: str
    asserted: tuple[tuple[int, int], ...] = ()
    fillers: tuple[tuple[int, int], ...] = ()


class Plan(NamedTuple):
    """How to answer a question: its statements, and for each choice the indices of those it speaks
    of (`rows`). For a combination `truth` has, parallel to `rows`, whether the choice claims the
    statement to be true; for an ordering a row has the claimed order, oldest first. `note` says if
    the plan for the question's shape could not be made."""

    way: Way
    statements: tuple[ChoiceStatement, ...]
    rows: tuple[tuple[int, ...], ...]
    truth: tuple[tuple[bool, ...], ...] = ()
    note: str = ""


def plan(question: ExamQuestion) -> Plan:
    """Makes the plan that answers a question, by its shape; if that fails, each choice is a
    statement, which asserts its wavy-underlined words, with a note unless the shape is "picture",
    or is "sentence" and the answer type "sentence" or empty."""
    parsed = parse_shape(question)
    shape, kind, note = parsed.shape, question.answer_type, ""
    if shape in _MAKERS and (plan_of_shape := _MAKERS[shape](question, parsed)):
        return plan_of_shape
    if shape == "sentence" and kind not in ("", "sentence"):
        note = f"the choices do not have the parts of {kind!r}: {_BY_STATEMENTS}"
    elif shape not in ("sentence", "picture"):
        note = f"nothing that the choices of shape {shape!r} speak of was found: {_BY_STATEMENTS}"
    statements = []
    for choice in question.choices:
        # Its wavy-underlined words, where it has such, are what a choice asserts.
        asserted = tuple(
            (span.start, span.end) for span in choice.text.spans if span.kind == "wavy"
        )
        statements.append(
            ChoiceStatement(choice.text.plain if asserted else expand(choice.text).plain, asserted)
        )
    return _per_choice(statements)._replace(note=note)


def _per_choice(statements: Sequence[ChoiceStatement], way: Way = "statements") -> Plan:
    """The plan in which each choice makes the statement of its number."""
    return Plan(way, tuple(statements), tuple((number,) for number in range(len(statements))))


def _pairs(question: ExamQuestion, parsed: QuestionShape) -> Plan | None:
    """The values of each choice, or the name that it is, in the problem's words, each judged with
    the others; None if a choice has none."""
    rows = [[slot.value for slot in row if slot.value] for row in parsed.slots]
    if parsed.shape == "term":
        rows = [[expand(choice.text).plain] for choice in question.choices]
    if not all(rows):
        return None
    return _per_choice([_judged_statement(row, _context(question)) for row in rows])


def _selection(question: ExamQuestion, parsed: QuestionShape) -> Plan | None:
    """Plan for choices that list labelled statements: the listed ones are claimed true, the others
    false. Reversed if the right list of false statements is asked for. None if a choice does not
    list any labelled statement, or the question has none."""
    false_ones = question.asks == "T" and _FALSE_ONES.search(question.instruction.plain) is not None
    words = {statement.label: statement.phrase for statement in parsed.statements}
    chosen = [{slot.label for slot in row} & words.keys() for row in parsed.slots]
    if not words or not all(chosen):
        return None
    truth = tuple(tuple((label in labels) != false_ones for label in words) for labels in chosen)
    rows = (tuple(range(len(words))),) * len(truth)
    return Plan("combination", tuple(map(ChoiceStatement, words.values())), rows, truth)


def _labelled_plan(question: ExamQuestion, parsed: QuestionShape) -> Plan | None:
    """Plan ("combination" or "ordering") whose statements are the labelled statements or events in
    the choices' slots. In an ordering a slot's value may itself be the event, and each row has the
    oldest event first: reversed if the instruction asks for the new before the old. None if a
    choice has no slots, or a slot no words."""
    is_order = parsed.shape == "ordering"
    printed = {statement.label: statement.phrase for statement in parsed.statements}
    texts: dict[str, str] = {}
    rows = []
    for slots in parsed.slots:
        rows.append([slot.id or slot.label or slot.value for slot in slots])
        for key, slot in zip(rows[-1], slots, strict=True):
            event = slot.value if is_order and not _LABEL.fullmatch(slot.value) else ""
            # The first choice that gives a slot words gives them to all.
            texts.setdefault(key, slot.phrase or printed.get(slot.label, "") or event)
    if not texts or not all(texts.values()) or not all(rows):
        return None
    # A row has the oldest event first. Time runs back if the instruction names the new as the
    # beginning, before the old; new or latest in another role does not count
    # (新しい王朝が成立した順に).
    new, old = (pattern.search(question.instruction.plain) for pattern in (_NEW, _OLD))
    step = -1 if is_order and new and (old is None or new.start() < old.start()) else 1
    keys = list(texts)
    return Plan(
        "ordering" if is_order else "combination",
        tuple(map(ChoiceStatement, texts.values())),
        tuple(tuple(map(keys.index, row[::step])) for row in rows),
        tuple(tuple(slot.correct is not False for slot in row) for row in parsed.slots),
    )


def _filling(question: ExamQuestion, parsed: QuestionShape) -> Plan | None:
    """Plan with a statement per choice: the sentences with a gap that it fills, others left out,
    the fillers judged. A choice without slots fills the first gap. None if a choice fills no
    gap."""
    statements = []
    for choice, slots in zip(question.choices, parsed.slots, strict=True):
        # The value of each gap, by the gap's id and by its label.
        values = {} if slots else {gap.id: choice.text.plain for _, gap in parsed.gaps[:1]}
        for name, value in ((name, slot.value) for slot in slots for name in (slot.id, slot.label)):
            if name and value:
                values.setdefault(name, value)
        text, spans = "", []
        for holder in dict.fromkeys(holder for holder, _ in parsed.gaps):
            done = 0
            parts: list[tuple[str, bool]] = []  # of the text, with whether they fill a gap
            for gap in sorted(
                (gap for other, gap in parsed.gaps if other == holder), key=lambda gap: gap.start
            ):
                value = values.get(gap.id) or values.get(gap.label, "")
                if value and gap.start >= done:
                    parts += [(holder.plain[done : gap.start], False), (value, True)]
                    done = gap.end
            # Only the sentences with a filled gap: others would bring names that the choice does
            # not assert.
            last = len(parts)
            for position, (piece, filled) in enumerate(
                [*parts, (holder.plain[done:], False)] if parts else ()
            ):
                ends = [match.end() for match in _ENDS.finditer(piece)]
                if filled:
                    spans.append((len(text), len(text) + len(piece)))
                elif len(ends) > 1 or (ends and position in (0, last)):
                    first, rest = piece[: ends[0]], piece[ends[-1] :]
                    if position == 0:
                        piece = rest
                    elif position == last:
                        piece = first
                    else:
                        piece = f"{first} {rest}"
                text += piece
            text += "\n"
        if not spans:
            return None
        statements.append(ChoiceStatement(text, (), tuple(spans)))
    return _per_choice(statements, "fillers")


def _map(question: ExamQuestion, parsed: QuestionShape) -> Plan | None:
    """Plan for choices of values and letters on a map: values in their gaps, and beside what a
    letter marks. What letters mark is read from the texts of the picture (`adata`). If no text
    describes the letters, only the values are judged, with a note. A letter without a value is
    judged as the place asked for. None if no statement can be made."""
    texts = [expand(text).plain for text in (*question.data, *question.passages)]
    letters = [
        [s.symbol or (s.label if s.target == "picture" else "") for s in row]
        for row in parsed.slots
    ]
    distinct = sorted({letter for row in letters for letter in row} - {""})
    places, described = places_of(distinct, texts)
    filled = _filling(question, parsed)
    if not places:
        alone = filled or _pairs(question, parsed)
        return (
            alone._replace(note=f"nothing says what {', '.join(distinct)} mark: not judged")
            if alone
            else None
        )
    # The key of the map is not context: its places are judged one by one.
    context = _context(question, excluded=texts[described])
    statements = list(filled.statements) if filled else []
    rows = []
    for number, (slots, symbols) in enumerate(zip(parsed.slots, letters, strict=True)):
        row = [number] if filled else []
        for slot, letter in zip(slots, symbols, strict=True):
            if beside := places.get(_narrow(letter), ""):
                value, other = (
                    (slot.value, beside)
                    if slot.value
                    else (beside, expand(question.instruction).plain)
                )
                row.append(len(statements))
                statements.append(_judged_statement([value], context, other))
        rows.append(tuple(row))
    return Plan("statements", tuple(statements), tuple(rows)) if all(rows) else None


_MAKERS = {
    "combination": _labelled_plan,
    "ordering": _labelled_plan,
    "filling": _filling,
    "map": _map,
    "selection": _selection,
    "pair": _pairs,
    "term": _pairs,
}


def _context(question: ExamQuestion, excluded: str = "") -> str:
    """The context of a question: the underlined phrases that its instruction refers to, and its
    data with texts of pictures, but for the text `excluded`."""
    spans = question.instruction.spans
    underlines = (span.phrase for span in spans if span.target == "underline" and span.phrase)
    texts = (expand(text).plain for text in question.data)
    return " ".join((*underlines, *(text for text in texts if text != excluded)))


def _judged_statement(values: Sequence[str], *others: str) -> ChoiceStatement:
    """A statement of `values`, each to be judged, and context texts, with punctuation between all
    of them."""
    comma, stop = ("、", "。") if _WIDE.search("".join([*values, *others])) else (", ", ". ")
    text = ""
    spans: list[tuple[int, int]] = []
    for value in values:
        text += comma if spans else ""
        spans.append((len(text), len(text) + len(value)))
        text += value
    return ChoiceStatement(stop.join([text, *filter(None, others)]), (), tuple(spans))


_SIGN = r"\s*(?:[)\]:=]|は|が|―|–|—|-\s|\.\s)\s*"
_OPEN = r"(?:^|(?<=[;:。.,、(\[])|(?<=[;:.,]\s))"


def places_of(letters: Iterable[str], texts: Sequence[str]) -> tuple[dict[str, str], int]:
    """What each letter marks by the first text that describes all letters: (letter → description,
    index of the text). A letter opens its description if a sign follows it (`a: Peru`, `(a) Peru`),
    or at the start of a line or clause (`a Peru; b Chile`: elsewhere it may be the article); the
    next letter or the end of the clause ends it. Letters are in half width, without brackets.
    Returns ({}, -1) without letters or such a text."""
    narrowed = sorted({_narrow(letter) for letter in letters})
    any_letter = "|".join(map(re.escape, narrowed))
    marker = rf"(?<![A-Za-z0-9ァ-ヺー])({any_letter}){_SIGN}|{_OPEN}({any_letter})\s+(?=[^a-z\s])"
    for number, text in enumerate(texts if narrowed else ()):
        text = unicodedata.normalize("NFKC", text)
        marks = list(re.finditer(marker, text, re.MULTILINE))
        described: dict[str, str] = {}
        for mark, end in zip_longest(marks, [following.start() for following in marks[1:]]):
            words = re.split(r"[;。\n]", text[mark.end() : end])[0].strip(" 、,.([")
            if words:
                described.setdefault(mark[1] or mark[2], words)
        if len(described) == len(narrowed):
            return described, number
    return {}, -1


def _narrow(letter: str) -> str:
    """A letter in half width, without brackets around it."""
    return unicodedata.normalize("NFKC", letter).strip("()[]〔〕 ")
