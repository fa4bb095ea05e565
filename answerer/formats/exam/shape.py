"""Detects the shape of a multiple-choice question, the parts of its choices, and a request for the wrong choice."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from answerer.formats.exam.parts import Asks, Choice, MarkedText, Shape, Slot, Statement

_DASH = r"[-‐‑–—―－ー:：=＝]"
_EDGES = " \n、，,;；/／・" + "-‐‑–—―－:：=＝→"
# Labels are printed in full width (Ａ) and in half width (A).
_HALF_WIDTH = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
_PRINTED_LABEL = re.compile(rf"(?:^|(?<=[\s、,，]))([ア-コa-eA-E]|[(][ア-コa-eA-E][)])(?=\s*{_DASH})")
_ARROW = re.compile(r"\s*(?:→|⇒|➔|➡|⟶|⇨|=>|-+>)\s*")
_SPACED_DASH = re.compile(r"\s+[-–—]\s+|\s*[―－—–]\s*")
# Between the parts of a choice: a dash, a middle dot, a comma, or a wide gap.
_PARTS = re.compile(r"\s*[―－—–・:：/／、，,]\s*|\s+-\s+|\s{2,}|\n|(?<=\S)-(?=\S)")
_GAPS = re.compile(r"空欄|空所|\b(?:gaps?|blanks?)\b", re.IGNORECASE)
# Marks of true and false statements in the exams and in files of plain questions.
_TRUE = frozenset(("正", "正しい", "○", "〇", "◯", "correct", "true", "t", "right"))
_FALSE = frozenset(("誤", "誤り", "誤っている", "×", "✕", "incorrect", "false", "f", "wrong"))


def slots_of(
    texts: Sequence[MarkedText], answer_type: str, gaps: Mapping[str, str], statements: Sequence[Statement]
) -> list[tuple[Slot, ...]]:
    """Splits each choice into its parts (events, labelled values, pairs); () for a choice that has no parts.

    `texts` are the choices, `answer_type` the file's attribute; `gaps` maps the printed labels of gaps to their ids.
    The result is parallel to `texts`.
    """
    known = _known_labels(texts, gaps, statements)
    if _is_ordering(texts, answer_type):
        return [_events(text, known) for text in texts]
    # Labels first, for they say which statement or gap a part is about; else parts go by their order.
    labels_of = [_labels_in(text, known) for text in texts]
    if _are_labelled(texts, labels_of, answer_type):
        return [_labelled_slots(text, row) for text, row in zip(texts, labels_of, strict=True)]
    parts = [[part for part in _PARTS.split(text.plain) if part] for text in texts]
    if parts and all(len(row) == len(statements) and None not in map(_truth, row) for row in parts):
        marks = [Slot(s.label, "statement", s.id, s.text, "") for s in statements]
    elif len(gaps) > 1 and parts and all(len(row) == len(gaps) for row in parts):
        marks = [Slot(label, "gap", id_, "", "") for label, id_ in gaps.items()]
    elif re.fullmatch(r"[a-z_]+(-[a-z_]+)+", answer_type, re.IGNORECASE) or _look_paired(texts):
        marks = []
        dashed = [[part for part in _SPACED_DASH.split(text.plain) if part] for text in texts]
        if all(len(row) > 1 for row in dashed):  # then ・ and the like are inside the names
            parts = dashed
        parts = [row if len(row) > 1 else [] for row in parts]
    else:
        return [()] * len(texts)
    return [
        tuple(
            mark._replace(value=part.strip(_EDGES), correct=_truth(part))
            for part, mark in zip(row, marks or [Slot("", None, "", "", "")] * len(row), strict=True)
        )
        for row in parts
    ]


def shape_of(choices: Sequence[Choice], answer_type: str, instruction: MarkedText, gaps: bool, pictures: bool) -> Shape:
    """Classifies a question by the contents of its choices first and its `answer_type` second.

    `gaps` is true if the question has gaps to fill, `pictures` if all its choices are pictures.
    """
    slots = [slot for choice in choices for slot in choice.slots]
    if _is_ordering([choice.text for choice in choices], answer_type):
        return "ordering"
    if "TF" in answer_type or any(slot.correct is not None for slot in slots):
        return "combination"
    # What the choices hold goes before the answer type, which files give less reliably.
    if pictures or answer_type.startswith("image"):
        return "picture"
    if any(slot.target == "picture" or slot.symbol for slot in slots):
        return "map"
    if (gaps or _GAPS.search(instruction.plain)) and not (answer_type in ("sentence", "") and _are_sentences(choices)):
        return "filling"
    if answer_type == "referenceSymbol" or (slots and not any(slot.value for slot in slots)):
        return "selection"
    if any(len(choice.slots) > 1 for choice in choices):
        return "pair"
    return "term" if answer_type.startswith("term") else "sentence"


def _is_ordering(texts: Sequence[MarkedText], answer_type: str) -> bool:
    arrows = sum(1 for text in texts if len(_ARROW.findall(text.plain)) >= 1)
    return answer_type.startswith("o(") or (arrows == len(texts) > 0)


def _are_sentences(choices: Sequence[Choice]) -> bool:
    ends = sum(choice.text.plain.rstrip().endswith(("。", "．", ".")) for choice in choices)
    return ends * 2 > len(choices)


def _events(text: MarkedText, known: Mapping[str, Slot]) -> tuple[Slot, ...]:
    """The events of an ordering choice, split at arrows or else dashes, in the order of the choice.

    An event is a reference, a label of `known` (label in half width → slot) or, in `value`, plain words.
    """
    splitter = _ARROW if _ARROW.search(text.plain) else _SPACED_DASH
    events, start = [], 0
    ends = [match.span() for match in splitter.finditer(text.plain)]
    for end, following in (*ends, (len(text.plain), 0)):
        inside = [s for s in text.of_kind("reference") if start <= s.start and s.end <= end]
        value = text.plain[start:end].strip()
        label = value.translate(_HALF_WIDTH)
        if len(inside) == 1 and value == text.plain[inside[0].start : inside[0].end]:
            span = inside[0]
            events.append(Slot(span.label, span.target, span.id, span.phrase, ""))
        elif label in known:
            events.append(known[label])
        elif value:
            events.append(Slot("", None, "", "", value))
        start = following
    return tuple(events)


def _known_labels(
    texts: Sequence[MarkedText], gaps: Mapping[str, str], statements: Sequence[Statement]
) -> dict[str, Slot]:
    """Labels that may precede values in choices: label in half width → slot with an empty value.

    These are the labels of gaps, statements and references. If a file marks none of these, they are the labels that
    precede a dash in the plain text of every choice.
    """
    known = {label: Slot(label, "gap", id_, "", "") for label, id_ in gaps.items()}
    for statement in statements:
        known.setdefault(statement.label, Slot(statement.label, "statement", statement.id, statement.text, ""))
    for text in texts:
        for span in text.of_kind("reference"):
            known.setdefault(span.label, Slot(span.label, span.target, span.id, span.phrase, ""))
    known = {
        (half := label.translate(_HALF_WIDTH)): slot._replace(label=half) for label, slot in known.items() if label
    }
    if known or not texts:
        return known
    printed = [dict.fromkeys(_PRINTED_LABEL.findall(text.plain.translate(_HALF_WIDTH))) for text in texts]
    return {label: Slot(label, None, "", "", "") for label in printed[0] if all(label in row for row in printed)}


_Label = tuple[int, int, Slot]  # a label in a choice, from one character up to another, with its referent


def _labels_in(text: MarkedText, known: Mapping[str, Slot]) -> list[_Label]:
    """The labels in a choice as (start, end, slot), by start: its references, and labels of `known` as plain text.

    Labels in plain text count if they are bracketed, before a dash, or if the choice consists of labels only (`a・c`).
    """
    labels = [
        (span.start, span.end, Slot(span.label, span.target, span.id, span.phrase, ""))
        for span in text.of_kind("reference")
    ]
    taken = [(start, end) for start, end, _ in labels]
    plain = text.plain.translate(_HALF_WIDTH)
    one_of = "|".join(sorted(map(re.escape, known), key=lambda label: (-len(label), label)))
    # What matched stays matched: labels as "a" and "aa" would be tried in all their combinations.
    nothing_else = bool(known) and re.fullmatch(rf"(?>(?:{one_of})[\s・、,&と]*)++", plain) is not None
    for label, slot in known.items():
        free = nothing_else or label[0] in "([〔"
        pattern = re.escape(label) if free else rf"(?<![\w]){re.escape(label)}(?=\s*{_DASH})"
        for start, end in (match.span() for match in re.finditer(pattern, plain)):
            if not any(start < last and first < end for first, last in taken):
                labels.append((start, end, slot))
    return sorted(labels, key=lambda label: label[:2])


def _are_labelled(texts: Sequence[MarkedText], labels_of: Sequence[Sequence[_Label]], answer_type: str) -> bool:
    """True if most choices consist of labels with values, rather than being sentences that mention a label.

    That is, more than half begin with a label (several in one choice, or not only underlines), or end with one while
    `answer_type` is not "sentence". `labels_of` are the labels found in each choice.
    """
    if not any(labels_of):
        return False
    first = sum(1 for row in labels_of if row and row[0][0] == 0)
    if first * 2 > len(texts):
        several = any(len(row) > 1 for row in labels_of)
        return several or any(row and row[0][2].target != "underline" for row in labels_of)
    last = sum(1 for text, row in zip(texts, labels_of, strict=True) if row and row[-1][1] == len(text.plain))
    return answer_type != "sentence" and last * 2 > len(texts)


def _labelled_slots(text: MarkedText, labels: Sequence[_Label]) -> tuple[Slot, ...]:
    """Splits a choice at its `labels` into slots: each label with the text that follows it as value.

    A label after a dash is the `symbol` of the value before it. Text before the first label, and a choice without
    labels, is a slot without label.
    """
    if not labels:
        return (Slot("", None, "", "", text.plain),)
    slots: list[Slot] = []
    if lead := text.plain[: labels[0][0]].strip(_EDGES):
        slots.append(Slot("", None, "", "", lead))
    ends = [start for start, _, _ in labels[1:]] + [len(text.plain)]
    for (start, end, label), following in zip(labels, ends, strict=True):
        value = text.plain[end:following].strip(_EDGES).lstrip("ー")
        before = slots[-1] if slots else None
        # A label after a dash is the letter of the slot before it, not a separate slot.
        joined = re.search(rf"{_DASH}\s*$", text.plain[:start]) is not None
        if before and joined and before.value and not before.symbol and before.target != label.target:
            slots[-1] = before._replace(symbol=label.label)
            if value:
                slots.append(Slot("", None, "", "", value))
        else:
            slots.append(label._replace(value=value, correct=_truth(value)))
    return tuple(slots)


def _look_paired(texts: Sequence[MarkedText]) -> bool:
    """True if every choice is two short things with one long dash between them."""
    return len(texts) > 1 and all(
        len(text.plain) < 60 and len([p for p in re.split(r"\s*[―－—–]\s*", text.plain) if p]) == 2 for text in texts
    )


def _truth(value: str) -> bool | None:
    """Parses a truth value: True for 正, ○, true …, False for 誤, ×, false …, None for any other text."""
    word = unicodedata.normalize("NFKC", value).strip(_EDGES + "。.()").lower()
    if word in _TRUE:
        return True
    return False if word in _FALSE else None


_SENTENCE_END = re.compile(r"[。．.?？!！](?:\s|(?=[^\s\d)])|$)|\n")
_JA_ASKS = re.compile(r"選|答え|どれ|マーク")
_EN_CHOOSING = re.compile(r"\b(?:choose|select|pick|identify|indicate|mark)\b", re.IGNORECASE)
_QUOTED = re.compile(r"[「『“\"'‘(（]\s*(?:正|誤|in?correct|correct|true|false)\s*[」』”\"'’)）]", re.IGNORECASE)
# Words by which instructions ask for the wrong choice, for the right one, and negated verbs.
_JA_WRONG = re.compile(
    r"誤っている|誤りを含|誤りの(?:ある|もの)|誤りが(?:ある|あり)|誤りで(?:ある|す)|誤った|誤りを"
    r"|誤文|[事史]実と異な|(?:適当|適切|妥当|正確|適合|相応)で(?:は)?な|正しく(?:は)?な|ふさわしく(?:は)?な"
    r"|(?:当て|あて)はまらな|該当しな|含まれ(?:てい)?な|属さな|不適(?:当|切)|間違(?:って|い|った)"
    r"|(?:正しい|適切|適当|妥当)とは(?:言|い|限)[えら]な|(?:関係|関連|関わり)(?:の|が)(?:ない|薄い)|適さな|まちが[っい]|あやまっ|(?:では|で)(?:な|ありま)(?:い|かった|せん)(?:もの|事項|人物|国|語|文|組)|以外の"
)
_JA_RIGHT = re.compile(
    r"正しい(?!とは)|正しく(?!(?:は)?な)|(?<!不)適[当切]な|妥当な|ふさわしい|(?:当て|あて)はまる|該当する|含まれる"
)
_JA_NEGATED = re.compile(r"(?:ない|なかった)(?:もの|国|人|語|都市|王朝|事項|出来事|組|文)")
_EN_WRONG = re.compile(
    r"\b(?:incorrect(?:ly)?|inappropriate(?:ly)?|inaccurate(?:ly)?|erroneous(?:ly)?|mistaken(?:ly)?|mistakes?"
    r"|errors?|false(?:ly)?|wrong(?:ly)?|untrue|unsuitable|inaccuracy|inaccuracies|falsehood|invalid|faulty|misstate\w*|misrepresent\w*"
    r"|not\s+(?:the\s+)?(?:\w+\s+)?(?:correct(?:ly)?|appropriate(?:ly)?|true|accurate(?:ly)?|suitable|right|fit|valid)"
    r"|least\s+(?:appropriate|accurate|suitable)|except(?! for\b))\b",
    re.IGNORECASE,
)
_EN_RIGHT = re.compile(
    r"(?<!not )(?<!not the )\b(?:correct(?:ly)?|appropriate(?:ly)?|true|accurate(?:ly)?|suitable)\b", re.IGNORECASE
)
_EN_NEGATED = re.compile(
    r"\bcannot\b|\b(?:is|are|was|were|did|does|do|has|have|had|could|can|should|would)(?:\s+not\b|n['’]t\b)",
    re.IGNORECASE,
)
# A question without "choose" wants the false choice by its main clause alone ("which of them did X not do?"), not by
# a relative clause ("which test is for recruits who were not …?"), nor by a sentence that asks nothing.
_EN_QUESTION_NEGATED = re.compile(
    r"\b(?:all|each|any)(?: of)? (?:the following|these)\b[^.?!]*\bexcept\b(?! for\b)|\bexcept[\W_]*$"
    r"|(?:^|[.,:;?!]\s+|\b(?:of|in|for|to|by|from|on|at|with)\s+)(?:which|what|who|where|when)\b"
    r"(?:(?!\b(?:who|whom|whose|that|which|because|if|when|while|as|but|why|how|whether)\b)[^.?!;])*?"
    r"(?:\b(?:not|cannot|never)\b|n['’]t\b"
    r"|\bleast\s+(?:likely|accurate|appropriate|suitable|consistent|characteristic|typical|true|correct|probable)\b"
    r"|\b(?:is|are|was|were)\s+(?:\w+ly\s+)?(?:incorrect|inaccurate|inappropriate|false|untrue|wrong|mistaken|invalid)\b"
    r"|\b(?:incorrect|inaccurate|inappropriate|false|untrue|wrong)\s+"
    r"(?:statement|sentence|description|answer|choice|option|one|combination|pair|match)"
    r"|\b(?:incorrect|wrong|false|inaccurate)ly\s+(?:describe|state|represent|explain|match|pair)"
    r"|\b(?:contain|ha[sv]|with)\w*\s+(?:an?\s+)?(?:mistake|error))",
    re.IGNORECASE,
)


def asked_for(instruction: str) -> Asks:
    """Detects from an instruction whether the wrong choice is to be chosen: "F" if so, else "T".

    The sentence that asks decides, or the whole instruction if that sentence says neither. In Japanese the last word of
    judgement in it counts (誤っているもの, 適当でないもの), in English the first from "choose" on ("contains a
    mistake", "incorrectly"), else a negated verb; in an English question without "choose" the negation of its main
    clause. The 誤 of 正誤の組合せ, and quoted words, do not count.
    """
    text = _QUOTED.sub(" ", instruction.replace("正誤", " "))
    text = re.sub(
        r"\b(?:correct|true)\W+(?:and|or|/)\W+(?:incorrect|false)\b|正しいか誤|正・誤|正、誤",
        " ",
        text,
        flags=re.IGNORECASE,
    )
    if re.search(r"[\u3041-\u30ff]", text):
        asking = [sentence for sentence in _SENTENCE_END.split(text) if sentence and _JA_ASKS.search(sentence)]
        for part in (" ".join(asking), text):
            wrong = max((match.end() for match in _JA_WRONG.finditer(part)), default=-1)
            right = max((match.end() for match in _JA_RIGHT.finditer(part)), default=-1)
            if wrong != right:
                return "F" if wrong > right else "T"
            if _JA_NEGATED.search(part):
                return "F"
        return "T"
    matches = [(each, _EN_CHOOSING.search(each)) for each in _SENTENCE_END.split(text) if each]
    choosing = [sentence[match.start() :] for sentence, match in matches if match]
    if not choosing:
        return "F" if _EN_QUESTION_NEGATED.search(text) else "T"
    for part in (" ".join(choosing), text):
        first_wrong, first_right = _EN_WRONG.search(part), _EN_RIGHT.search(part)
        if first_wrong and first_right:
            return "F" if first_wrong.start() < first_right.start() else "T"
        if first_wrong or first_right:
            return "F" if first_wrong else "T"
        if _EN_NEGATED.search(part):
            return "F"
    return "T"
