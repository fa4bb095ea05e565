"""Answers in numbered text: a line below a question, a key at the end, marks beside the right choice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from answerer.formats.question_file.labels import SERIES, SYMBOLS, half_width

_LETTERS = "".join(SERIES[2:]) + "".join(SYMBOLS)
_LABEL = rf"(?:[A-Za-z{_LETTERS}]|\d{{1,2}})"
_WORD = (
    r"(?:(?:the\s+)?(?:correct\s+|right\s+)?answers?(?:\s+(?:key|sheet))?|ans|key|correct(?:\s+(?:choice|option))?"
    r"|solutions?|模範解答|(?:参考|正确|正確な?)?答案|正解|正答|解答|答え|こたえ|答)(?:番号|一覧|欄|表)?"
)
_LINE = re.compile(
    rf"[\[(<*_#>\s-]*(?P<word>{_WORD})(?![A-Za-z])[\])>*_]*(?P<sign>\s*[:=.]-?|\s*[-–—]|\s+is\b|は)?[\s*_:]*(?P<rest>.*)",
    re.I,
)
_BARE = re.compile(rf"[(\[]?\s*{_LABEL}\s*[)\]]?(?:\s*[,;/&、・]\s*{_LABEL})*\s*(?:です|である)?[\s.。)\]>*_]*")
_TRAILING = re.compile(
    rf"(?:[\[(<]\s*{_WORD}\s*(?:[:=.]|\sis\b|は)?|(?<=[\s。.?!]){_WORD}\s?(?:[:=]|\sis\b|は))\s*[(\[]?(?P<label>{_LABEL})[\])>.。\s*]*$",
    re.I,
)
_TICK = re.compile(
    r"\s*(?:\*{1,3}|✓|✔|√|☑|(?:<-{1,3}|←|⇐)\s*(?:correct|right|answer|正解)|[\[(](?:correct|right|answer|正解|○)[\])])\s*$",
    re.I,
)
_PAIR = re.compile(
    rf"(?:q(?:uestion)?\.?\s?|問題?\s?|第\s?|no\.\s?)?[(\[]?(?P<number>\d{{1,4}}(?:[.-]\d{{1,3}})?)\s?問?[)\]]?"
    rf"(?:\s?[.:)、=]\s?|\s?[-–—]\s?|\s+)[(\[]?(?P<label>[A-Za-z{_LETTERS}]|\d{{1,2}})[)\]]?(?=$|[\s,;、。|/.:)\]])",
    re.I,
)
_OUTER = re.compile(rf"(?:問|第|q)\s?(\d{{1,3}})\s?問?\s*(?=\(\d{{1,2}}\)\s*[A-Za-z{_LETTERS}])", re.I)
_WORDS_AFTER = re.compile(r"\s*[)\]:.(–-]")
_BETWEEN = re.compile(r"[\s,;、。|/.]*")
_REASON = re.compile(
    r"[\[(<*_\s]*(?:explanation|rationale|feedback|reason|comment|reference|hint|difficulty|pts|dif|obj|top|msc|解説|説明|理由|根拠|出典)[\])>*_]*\s*(?::|$|(?<=[\]>]))",
    re.I,
)


_HEADING = re.compile(
    r"\s*(?:(?:page|section|part|chapter|unit)\s+(?:\d{1,3}|[IVX]{1,4}|[A-Z])\b|[-–]\s*\d{1,3}\s*[-–]\s*$"
    r"|第\s?[\d一二三四五六七八九十]{1,3}\s?[部章節])",
    re.IGNORECASE,
)
_LONGEST_HEADING = 60  # characters


_FIELDS = re.compile(r"\s+(?:PTS|DIF|REF|OBJ|TOP|MSC|LOC|NAT|STA)\s*:")  # beside an answer, in ExamView's files
_BEFORE_NUMBER = re.compile(
    r"\s*(?:\(\s*(?P<bracketed>[A-Za-z])?\s*\)|_+\s*(?P<lined>[A-Za-z])?[\s_]*)\s*(?=\d{1,4}\s?[.)、])"
)


class Key(NamedTuple):
    """A key: answers by the numbers of questions (as printed, in the key's order), each with its line.

    Without numbers (`Answers: B, C, A`) they are "".
    """

    line: int
    answers: list[tuple[int, str, str]]


def answer_of(line: str) -> str | None:
    """The answer that a line gives to the question above it, "" if it is on the next line; None for other text.

    `Answer: B`, `Ans. (b)`, `ANSWER: B) Paris`, `The correct answer is C.`, `正解: イ`, `答え ②`, `【答え】ア`. Without
    a colon, full stop or "is" behind the word only a label makes an answer (`Answer the questions` does not).
    """
    found = _LINE.fullmatch(half_width(line))
    if not found:
        return None
    rest = _FIELDS.split(line[found.start("rest") :])[0].strip(" \t　*_")
    signed = (found["sign"] or "").strip(" -") in tuple(":=.") or half_width(line)[: found.start("rest")].rstrip()[
        -1:
    ] == "]"
    if rest and not is_label(rest) and (not signed or found["word"].lower().startswith("solution")):
        return None
    return rest.rstrip("])】）］>") if rest.startswith(tuple("([<（［【")) is False else rest


def is_label(text: str) -> bool:
    """Whether a text is a label of a choice, or several."""
    return _BARE.fullmatch(half_width(text)) is not None


def without_answer(text: str) -> tuple[str, str]:
    """A text and the answer at its end (`… (Answer: B)`), "" if it has none."""
    found = _TRAILING.search(half_width(text))
    return (text[: found.start()].rstrip(), found["label"]) if found else (text, "")


def without_place(text: str) -> tuple[str, str]:
    """A line without the place for an answer before its number (`____ 1.`, `(  ) 1.`), and the answer that it holds."""
    found = _BEFORE_NUMBER.match(half_width(text))
    return (text[found.end() :], found["bracketed"] or found["lined"] or "") if found else (text, "")


def without_tick(text: str) -> tuple[str, bool]:
    """A choice without the mark at its end that says it is right (`*`, ✓, `(correct)`), and whether it has one."""
    found = _TICK.search(half_width(text))
    return (text[: found.start()], True) if found and found.start() else (text, False)


def is_reason(line: str) -> bool:
    """Whether a line begins an explanation, or says something else about a question (its difficulty, its source)."""
    return _REASON.match(half_width(line)) is not None


def is_heading(line: str) -> bool:
    """Whether a line is the number of a page or the heading of a section (`Page 3`, `Part II`, 第2章)."""
    return len(line) <= _LONGEST_HEADING and _HEADING.match(half_width(line)) is not None


def key_at(lines: Sequence[tuple[int, str]], place: int, headed: bool = True) -> tuple[Key, int] | None:
    """The key that begins at a line, and the place of the first line after it; None if none begins there.

    It begins with a line of its own (`Answers`, `Answer key:`, 解答), which pairs of number and label follow, there or
    below, one or several in a line, or a row of numbers above a row of labels. Without
    `headed` the pairs begin at once.
    """
    if not headed:
        return _key_below(lines, place, [])
    found = _LINE.fullmatch(half_width(lines[place][1]))
    if not found:
        return None
    number, rest = lines[place][0], half_width(lines[place][1])[found.start("rest") :].strip(" :*_")
    plural = re.search(r"answers|key|解答|正解|一覧|solutions", found["word"], re.I)
    answers = [(number, *pair) for pair in pairs_of(rest) or ()]
    if rest and not answers:
        labels = re.split(r"[\s,;、]+", rest)
        if plural and len(labels) > 1 and all(re.fullmatch(_LABEL, label) for label in labels):
            return Key(number, [(number, "", label) for label in labels]), place + 1
        return None
    if len(answers) == 1 and not plural:
        return None  # `Answer: 1. B`
    return _key_below(lines, place + 1, answers)


def _key_below(
    lines: Sequence[tuple[int, str]], place: int, answers: list[tuple[int, str, str]]
) -> tuple[Key, int] | None:
    """The key whose lines begin at a place, with the answers before it, and the place of the first line after it."""
    end = place
    while place < len(lines):
        number, text = lines[place][0], half_width(lines[place][1]).strip()
        row = text.split()
        below = half_width(lines[place + 1][1]).split() if place + 1 < len(lines) else []
        pairs = pairs_of(text)
        if (
            len(row) > 1
            and len(row) == len(below)
            and all(map(str.isdecimal, row))
            and all(re.fullmatch(_LABEL, label) for label in below)
        ):
            answers += [(number, *pair) for pair in zip(row, below, strict=True)]
            place += 1
        elif pairs is not None:
            answers += [(number, *pair) for pair in pairs]
        elif text and not is_heading(text):
            break
        place += 1
        end = place if text else end
    return (Key(lines[place - 1][0], answers), end) if answers else None


def pairs_of(text: str) -> list[tuple[str, str]] | None:
    """The pairs of number and label that a line consists of; a single one may be followed by words (`1. B) Paris`).

    A number before pairs in brackets is that of the question around them: `問1 (1) ア (2) イ` has 1-1 and 1-2.
    """
    pairs: list[tuple[str, str]] = []
    outer = _OUTER.match(text)
    place = end = outer.end() if outer else 0
    while place < len(text):
        found = _PAIR.match(text, place)
        if not found:
            return pairs if len(pairs) == 1 and _WORDS_AFTER.match(text, end) else None
        pairs.append((f"{outer[1]}-{found['number']}" if outer else found["number"], found["label"]))
        end = found.end()
        between = _BETWEEN.match(text, end)
        place = between.end() if between else end
    return pairs or None
