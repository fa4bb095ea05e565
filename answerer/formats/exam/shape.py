"""Detects the shape of a multiple-choice question, the parts of its choices, and a request for the wrong choice."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from answerer.formats.exam.parts import Asks, MarkedText, Shape, Slot, Statement, TextSpan
from indexer.languages.language import Language

_DASH = r"[-‐‑–—―－ー:：=＝]"
_EDGES = " \n、，,;；/／・" + "-‐‑–—―－:：=＝→"
# Labels are printed in full width (Ａ) and in half width (A).
_HALF_WIDTH = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
_PRINTED_LABEL = re.compile(rf"(?:^|(?<=[\s、,，]))([ア-コa-eA-E]|[(][ア-コa-eA-E][)])(?=\s*{_DASH})")
_ARROW = re.compile(r"\s*(?:→|⇒|➔|➡|⟶|⇨|=>|-+>)\s*")
_SPACED_DASH = re.compile(r"\s+[-–—]\s+|\s*[―－—–]\s*")
# Between the parts of a choice: a dash, a middle dot, a comma, or a wide gap.
_PARTS = re.compile(r"\s*[―－—–・:：/／、，,]\s*|\s+-\s+|\s{2,}|\n|(?<=\S)-(?=\S)")
_LONG_DASH = re.compile(r"\s*[―－—–]\s*")
_TYPE_OF_PARTS = re.compile(r"[a-z_]+(-[a-z_]+)+", re.IGNORECASE)
_GAPS = re.compile(r"空欄|空所|\b(?:gaps?|blanks?)\b", re.IGNORECASE)
# Marks of true and false statements in the exams and in files of plain questions.
_TRUTH = dict.fromkeys(("正", "正しい", "○", "〇", "◯", "correct", "true", "t", "right"), True)
_TRUTH |= dict.fromkeys(("誤", "誤り", "誤っている", "×", "✕", "incorrect", "false", "f", "wrong"), False)


def split_choices(
    texts: Sequence[MarkedText],
    answer_type: str = "",
    instruction: str = "",
    gaps: Sequence[tuple[str, str]] = (),
    statements: Sequence[Statement] = (),
    pictures: bool = False,
) -> tuple[list[tuple[Slot, ...]], Shape]:
    """Splits each choice into its parts (events, labelled values, pairs; () for one without), and classifies the
    question by these first and by its `answer_type` second. `texts` are the choices, to which the slots are parallel;
    `gaps` are pairs (id, printed label) of the gaps to fill; `pictures` is true if all choices are pictures."""
    plains = [text.plain for text in texts]
    labels = {label: id_ for id_, label in gaps if label}
    known = _known_labels(texts, labels, statements)
    if answer_type.startswith("o(") or (texts and all(map(_ARROW.search, plains))):
        return [_events(text, known) for text in texts], "ordering"
    # Labels first, for they say which statement or gap a part is about; else parts go by their order.
    slots = _labelled_slots(texts, known, answer_type)
    if slots is None:
        parts = [[part for part in _PARTS.split(plain) if part] for plain in plains]
        marks: list[Slot] | None = None
        if parts and all(len(row) == len(statements) and None not in map(_truth, row) for row in parts):
            marks = [Slot(s.label, "statement", s.id, s.text) for s in statements]
        elif len(labels) > 1 and parts and all(len(row) == len(labels) for row in parts):
            marks = [Slot(label, "gap", id_) for label, id_ in labels.items()]
        elif _TYPE_OF_PARTS.fullmatch(answer_type) or (
            len(texts) > 1 and all(len(p) < 60 and sum(map(bool, _LONG_DASH.split(p))) == 2 for p in plains)
        ):
            marks = []
            dashed = [[part for part in _SPACED_DASH.split(plain) if part] for plain in plains]
            if all(len(row) > 1 for row in dashed):  # then ・ and the like are inside the names
                parts = dashed
        slots = [
            tuple(
                mark._replace(value=part.strip(_EDGES), correct=_truth(part))
                for part, mark in zip(row, marks or [Slot()] * len(row), strict=True)
            )
            if marks or (marks is not None and len(row) > 1)
            else ()
            for row in parts
        ]
    every = [slot for row in slots for slot in row]
    sentences = sum(plain.rstrip().endswith(("。", "．", ".")) for plain in plains) * 2 > len(plains)
    if "TF" in answer_type or any(slot.correct is not None for slot in every):
        return slots, "combination"
    # What the choices hold goes before the answer type, which files give less reliably.
    if pictures or answer_type.startswith("image"):
        return slots, "picture"
    if any(slot.target == "picture" or slot.symbol for slot in every):
        return slots, "map"
    if (gaps or _GAPS.search(instruction)) and not (answer_type in ("sentence", "") and sentences):
        return slots, "filling"
    if answer_type == "referenceSymbol" or (every and not any(slot.value for slot in every)):
        return slots, "selection"
    if any(len(row) > 1 for row in slots):
        return slots, "pair"
    return slots, "term" if answer_type.startswith("term") else "sentence"


def _referent(span: TextSpan) -> Slot:
    """The slot of what a reference points to, without a value."""
    return Slot(span.label, span.target, span.id, span.phrase)


def _known_labels(
    texts: Sequence[MarkedText], gaps: Mapping[str, str], statements: Sequence[Statement]
) -> dict[str, Slot]:
    """Labels that may precede values in choices: label in half width → slot with an empty value. These are the labels
    of gaps (label → id), statements and references. If a file marks none of these, they are the labels that precede a
    dash in the plain text of every choice."""
    slots = [Slot(label, "gap", id_) for label, id_ in gaps.items()]
    slots += [Slot(each.label, "statement", each.id, each.text) for each in statements]
    slots += [_referent(span) for text in texts for span in text.spans if span.kind == "reference"]
    known: dict[str, Slot] = {}
    for slot in slots:
        known.setdefault(slot.label, slot)
    known = {
        (half := label.translate(_HALF_WIDTH)): slot._replace(label=half) for label, slot in known.items() if label
    }
    if known or not texts:
        return known
    printed = [dict.fromkeys(_PRINTED_LABEL.findall(text.plain.translate(_HALF_WIDTH))) for text in texts]
    return {label: Slot(label) for label in printed[0] if all(label in row for row in printed)}


def _events(text: MarkedText, known: Mapping[str, Slot]) -> tuple[Slot, ...]:
    """The events of an ordering choice, split at arrows or else dashes, in the order of the choice. An event is a
    reference, a label of `known` (label in half width → slot) or, in `value`, plain words."""
    splitter = _ARROW if _ARROW.search(text.plain) else _SPACED_DASH
    events, start = [], 0
    for end, following in (*(match.span() for match in splitter.finditer(text.plain)), (len(text.plain), 0)):
        inside = [s for s in text.spans if s.kind == "reference" and start <= s.start and s.end <= end]
        value = text.plain[start:end].strip()
        if len(inside) == 1 and value == text.plain[inside[0].start : inside[0].end]:
            events.append(_referent(inside[0]))
        elif slot := known.get(value.translate(_HALF_WIDTH)):
            events.append(slot)
        elif value:
            events.append(Slot(value=value))
        start = following
    return tuple(events)


def _labelled_slots(
    texts: Sequence[MarkedText], known: Mapping[str, Slot], answer_type: str
) -> list[tuple[Slot, ...]] | None:
    """Splits choices at labels into slots: each label with the text that follows it as value.

    Labels are references, and those of `known` in plain text: bracketed, before a dash, or in a choice that consists of
    labels only (`a・c`). A label after a dash is the `symbol` of the value before it. Text before the first label, and
    a choice without labels, is a slot without label. None if most choices are sentences that mention a label, rather
    than labels with values: that is unless more than half begin with a label (several in one choice, or not only
    underlines), or end with one while `answer_type` is not "sentence".
    """
    one_of = "|".join(sorted(map(re.escape, known), key=lambda label: (-len(label), label)))
    rows: list[list[tuple[int, int, Slot]]] = []  # the labels of each choice: from, to, and what they refer to
    for text in texts:
        labels = [(span.start, span.end, _referent(span)) for span in text.spans if span.kind == "reference"]
        taken = [(start, end) for start, end, _ in labels]
        plain = text.plain.translate(_HALF_WIDTH)
        # What matched stays matched: labels as "a" and "aa" would be tried in all their combinations.
        nothing_else = bool(known) and re.fullmatch(rf"(?>(?:{one_of})[\s・、,&と]*)++", plain) is not None
        for label, slot in known.items():
            free = nothing_else or label[0] in "([〔"
            pattern = re.escape(label) if free else rf"(?<![\w]){re.escape(label)}(?=\s*{_DASH})"
            for start, end in (match.span() for match in re.finditer(pattern, plain)):
                if not any(start < last and first < end for first, last in taken):
                    labels.append((start, end, slot))
        rows.append(sorted(labels, key=lambda label: label[:2]))
    if sum(1 for row in rows if row and row[0][0] == 0) * 2 > len(texts):
        labelled = any(len(row) > 1 or (row and row[0][2].target != "underline") for row in rows)
    else:
        last = sum(1 for text, row in zip(texts, rows, strict=True) if row and row[-1][1] == len(text.plain))
        labelled = answer_type != "sentence" and last * 2 > len(texts)
    if not labelled:
        return None
    split = []
    for text, row in zip(texts, rows, strict=True):
        slots = []
        lead = text.plain[: row[0][0]].strip(_EDGES) if row else text.plain
        if lead or not row:
            slots.append(Slot(value=lead))
        for (start, end, slot), following in zip(row, [*(s for s, _, _ in row[1:]), len(text.plain)], strict=False):
            value = text.plain[end:following].strip(_EDGES).lstrip("ー")
            before = slots[-1] if slots else None
            # A label after a dash is the letter of the slot before it, not a separate slot.
            joined = re.search(rf"{_DASH}\s*$", text.plain[:start]) is not None
            if before and joined and before.value and not before.symbol and before.target != slot.target:
                slots[-1] = before._replace(symbol=slot.label)
                if value:
                    slots.append(Slot(value=value))
            else:
                slots.append(slot._replace(value=value, correct=_truth(value)))
        split.append(tuple(slots))
    return split


def _truth(value: str) -> bool | None:
    """Parses a truth value: True for 正, ○, true …, False for 誤, ×, false …, None for any other text."""
    return _TRUTH.get(unicodedata.normalize("NFKC", value).strip(_EDGES + "。.()").lower())


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


_TRUE_OR_FALSE = re.compile(
    r"\b(?:correct|true)\W+(?:and|or|/)\W+(?:incorrect|false)\b|正誤|正しいか誤|正・誤|正、誤", re.IGNORECASE
)


def asked_for(instruction: str, language: Language) -> Asks:
    """Detects from an instruction whether the wrong choice is to be chosen: "F" if so, else "T".

    The sentence that asks decides, or the whole instruction if that sentence says neither. In Japanese the last word of
    judgement in it counts (誤っているもの, 適当でないもの), in English the first from "choose" on ("contains a
    mistake", "incorrectly"), else a negated verb; in an English question without "choose" the negation of its main
    clause. The 誤 of 正誤の組合せ, and quoted words, do not count. "T" in other languages.
    """
    text = _TRUE_OR_FALSE.sub(" ", _QUOTED.sub(" ", instruction))
    sentences = list(filter(None, _SENTENCE_END.split(text)))
    if language.code == "ja":
        for part in (" ".join(filter(_JA_ASKS.search, sentences)), text):
            wrong = max((match.end() for match in _JA_WRONG.finditer(part)), default=-1)
            right = max((match.end() for match in _JA_RIGHT.finditer(part)), default=-1)
            if wrong != right:
                return "F" if wrong > right else "T"
            if _JA_NEGATED.search(part):
                return "F"
    elif language.code == "en":
        choosing = [sentence[match.start() :] for sentence in sentences if (match := _EN_CHOOSING.search(sentence))]
        if not choosing:
            return "F" if _EN_QUESTION_NEGATED.search(text) else "T"
        for part in (" ".join(choosing), text):
            wrong, right = (
                match.start() if (match := pattern.search(part)) else len(part) for pattern in (_EN_WRONG, _EN_RIGHT)
            )
            if wrong != right:
                return "F" if wrong < right else "T"
            if _EN_NEGATED.search(part):
                return "F"
    return "T"
