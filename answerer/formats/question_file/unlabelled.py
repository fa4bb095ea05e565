"""Choices without labels, which get labels: boxes and bullets, lists of learning platforms; what
these print around questions, and feedback, is left out."""

from __future__ import annotations

import re
from collections.abc import Iterable

from answerer.formats.question_file.layout import next_lines
from answerer.formats.question_file.lines import LABELLED_LINE, Line, Lines, counted_lines
from answerer.formats.question_file.parts import SERIES, SYMBOLS, Remark

_LABEL_BEHIND = re.compile(rf"[(\[]?(?:[A-Za-z]|\d{{1,2}}|[{SERIES[2]}])[.):]|[{''.join(SYMBOLS)}]")

# Boxes, bullets and bare letters.

_BOX = re.compile(
    r"\s*(?:[-+*•]\s+)?(?:\[(?P<tick>[ xX✓✔✅*]?)\]|(?P<sign>[☐☑☒◯○〇●◉□■])"
    r"|\((?P<inside>[ xX*✓]?)\)|o(?=\s))\s*(?=\S)"
)
_BULLET = re.compile(r"\s*[-–—•‣▪◦·*]\s+(?=\S)")
_ASKS = re.compile(r"[?？:：]\s*$|_{2,}|\(\s+\)|か。\s*$|[べせ]。\s*$")
_BARE = re.compile(r"(\s*)([A-Z])\s+(?=[^\s–—-])")
_TICKED_SIGNS = "☑☒●◉■"


def with_labels_for_boxes(lines: Iterable[Line]) -> list[Line]:
    """The lines with labels A, B, … for boxes to tick (`- [ ] x`, `☐ x`, `( ) x`, `○ x`) in 2 to 26
    lines without labels, round ones only below a question's number; a ticked box becomes a star
    before its label, a round one unless all are ticked. Bullets get labels in a text that has no
    labels, letters without a sign a bracket."""
    lines = list(lines)
    changed = list(lines)
    has_labels = any(LABELLED_LINE.match(line.narrow) for line in lines)
    start = 0
    while start < len(lines):
        rows = _rows_beginning_with(_BOX, lines, start)
        is_below = False
        if rows or _BULLET.match(lines[start].narrow):
            above = [line for line in lines[max(start - 8, 0) : start] if not line.is_blank][-4:]
            is_below = any(line.is_numbered for line in above) and (
                above[-1].mark is None or above[-1].is_numbered
            )
            if len(rows) < 2 and not has_labels and is_below and _ASKS.search(above[-1].narrow):
                rows = _rows_beginning_with(_BULLET, lines, start)
        if len(rows) > 1:
            narrows = [lines[row].narrow for row in rows]
            is_square = all(narrow.lstrip("-+*• \t").startswith("[") for narrow in narrows)
            signs = list(map(_sign_of, narrows))
            if (is_square or is_below) and len(rows) <= len(SERIES[0]):
                is_told = len({tick for tick, _ in signs}) == 2
                for label, row, (tick, end) in zip(SERIES[0], rows, signs, strict=False):
                    line, star = lines[row], "*" if tick and (is_told or is_square) else ""
                    changed[row] = line.with_text(f"{star}{label}) {line.text[end:]}")
            start = rows[-1] + 1
            continue
        letters = _bare_letters(lines, start)
        are_parted = len(letters) > 1 and letters[1] - letters[0] > 1
        if len(letters) > 2 and start and (are_parted or not lines[start - 1].is_blank):
            for row in letters:
                line = lines[row]
                changed[row] = line.with_text(_BARE.sub(r"\1\2) ", line.text, count=1))
            start = letters[-1]
        start += 1
    return changed


def _bare_letters(lines: Lines, start: int) -> list[int]:
    """The rows from `start` on that begin with A, B, C, … and no sign behind it, all below each
    other or all with blank rows between them."""
    rows: list[int] = []
    row = start
    while row < len(lines) and len(rows) < len(SERIES[0]):
        match = _BARE.match(lines[row].narrow)
        if not match or match[2] != SERIES[0][len(rows)] or _has_label(lines[row], match):
            break
        rows.append(row)
        row = next(
            (below for below in range(row + 1, len(lines)) if not lines[below].is_blank), len(lines)
        )
        if len(rows) > 1 and (row - rows[-1] > 1) != (rows[1] - rows[0] > 1):
            break
    return rows


def _has_label(line: Line, sign: re.Match[str]) -> bool:
    """Whether a label is behind a sign in a line."""
    return _LABEL_BEHIND.match(line.narrow, sign.end()) is not None


def _rows_beginning_with(sign: re.Pattern[str], lines: Lines, start: int) -> list[int]:
    """The rows from `start` on that begin with a sign and no label behind it; blank ones between
    them are passed over."""
    rows: list[int] = []
    for row in range(start, len(lines)):
        match = sign.match(lines[row].narrow)
        if match and not _has_label(lines[row], match):
            rows.append(row)
        elif not rows or not lines[row].is_blank:
            break
    return rows


def _sign_of(text: str) -> tuple[bool, int]:
    """Whether the box at the beginning of a line is ticked, and where the text behind it, or behind
    a bullet, begins; (False, 0) without either."""
    if match := _BOX.match(text):
        tick = (match["tick"] or match["inside"] or "").strip()
        return bool(tick) or (match["sign"] or " ") in _TICKED_SIGNS, match.end()
    match = _BULLET.match(text)
    return False, match.end() if match else 0


# Learning platforms, printed or copied from a browser.

_POINTS = r"\d{1,3}(?:[.,]\d{1,2})?\s?(?:points?|pts?\.?|marks?)(?:\s+possible)?"
_ABOVE_CHOICES = (
    r"select\s+one(?:\s+or\s+more)?\s*:?|group\s+of\s+answer\s+choices|mark\s+only\s+one\s+oval\.?"
    r"|(?:check|tick)\s+all\s+that\s+apply\.?"
)
_CHOICES_BELOW = re.compile(rf"\s*(?:{_ABOVE_CHOICES})\s*", re.IGNORECASE)
_PLATFORM = re.compile(
    rf"\s*+(?:{_ABOVE_CHOICES}|\(?{_POINTS}\)?|not\s+(?:yet\s+)?answered|marked\s+out\s+of\s+[\d.,]+"
    r"|mark\s+[\d.,]+\s+out\s+of\s+[\d.,]+|(?:remove\s+)?flag(?:\s+question)?|question\s+text"
    r"|[+▼▶▸▾•\s]*+(?:(?:show|view|see|check|reveal|hide|model)\s+(?:the\s+)?(?:answer|solution|explanation)"
    r"|答えを見る|解説を見る|正解を見る|解答を見る)(?:\s*\([^()]{0,30}\))?"
    r"|edit\s+question|answer\s+saved|(?:\*\s*)?required|choose\s+one\s*:)\s*",
    re.IGNORECASE,
)
_WITH_POINTS = re.compile(
    rf"(\s*(?:question\s+\d{{1,4}}|\d{{1,4}}[.)/]))\s*[\t(\s]\s*{_POINTS}\)?\s*", re.IGNORECASE
)
_IN_BRACKETS = rf"[(\[]\s?(?:{_POINTS}|(?:各|配点\s?:?\s?)?\d{{1,2}}点)\s?[)\]]"
_POINTS_BESIDE = re.compile(
    rf"^\s*+{_IN_BRACKETS}\s*+(?=\d{{1,4}}[.)])|(?<=\S)\s*{_IN_BRACKETS}\s*$", re.IGNORECASE
)
_STATE = re.compile(r"\s*(?:in|partially\s+)?correct\s*", re.IGNORECASE)


def without_platform_words(lines: Lines) -> tuple[list[Line], list[Remark]]:
    """The lines without what learning platforms print around questions (`Flag question`, `1 pts`),
    with a note that counts them; points beside a question's number (`Question 3 (1 pts)`), and in
    brackets behind its text, are cut off uncounted. Choices without labels below such a line
    (`Select one:`) get labels."""
    remaining: list[Line] = []
    left_out: list[Line] = []
    following = next_lines(lines)
    row = 0
    while row < len(lines):
        line = lines[row]
        is_state = _STATE.fullmatch(line.text) and _PLATFORM.fullmatch(following[row].text)
        row += 1
        if _CHOICES_BELOW.fullmatch(line.text):
            left_out.append(line)
            row, choices = _list_below(lines, row)
            remaining += choices
        elif match := _WITH_POINTS.fullmatch(line.text):
            remaining.append(line.with_text(match[1]))
        elif is_state or _PLATFORM.fullmatch(line.text):
            left_out.append(line)
            remaining.append(line.with_text(""))
        elif (line.mark is None or line.is_numbered) and (
            beside := _POINTS_BESIDE.search(line.narrow)
        ):
            start, end = beside.span()
            remaining.append(line.with_text(line.text[:start] + line.text[end:]))
        else:
            remaining.append(line)
    return remaining, counted_lines(left_out, "a learning platform")


def _list_below(lines: Lines, start: int) -> tuple[int, list[Line]]:
    """The row behind the choices without labels from `start` on, and these with labels; (`start`,
    []) where they have labels or signs, or are not 2 to 26. They end at a question's number or an
    answer."""
    choices: list[Line] = []
    row = start
    while row < len(lines) and len(choices) <= len(SERIES[0]):
        line = lines[row]
        if not _PLATFORM.fullmatch(line.narrow):
            if line.is_answer or line.is_numbered:
                break
            if line.mark or _BOX.match(line.narrow):
                return start, []
            choices += [] if line.is_blank else [line]
        row += 1
    if not 2 <= len(choices) <= len(SERIES[0]):
        return start, []
    return row, [
        line.with_text(f"{label}) {line.text.strip()}")
        for label, line in zip(SERIES[0], choices, strict=False)
    ]


_ALWAYS_FEEDBACK = re.compile(r"[@~]\s+\S")
_FEEDBACK = re.compile(r"(?:\.{3}|[+@~!-])\s+\S")
_STARRED = re.compile(r"\s*(?:\*[A-Za-z][.)]|\[\*\])\s*\S")
_BEGINS_QUESTION = re.compile(r"\s*\d{1,4}[.)]\s")


def without_feedback(lines: Lines) -> tuple[list[Line], list[Remark]]:
    """The lines without those of feedback, which are below the first question, with a note that
    counts them. Those of text2qti begin with `...`, `+`, `-` or `!`, those of ExamSoft and
    Respondus with `@` or `~`; indented lines below without labels go on with them; boxes (`- [ ]
    x`) are none. Of texts without starred choices (`*b)`) only the latter are feedback."""
    sign = _FEEDBACK if any(_STARRED.match(line.text) for line in lines) else _ALWAYS_FEEDBACK
    remaining: list[Line] = []
    left_out: list[Line] = []
    is_feedback = has_question = False
    for line in lines:
        has_question = has_question or _BEGINS_QUESTION.match(line.text) is not None
        goes_on = is_feedback and line.text[:2].isspace() and not line.is_blank and not line.mark
        is_feedback = has_question and bool(sign.match(line.text) or goes_on)
        is_feedback = is_feedback and not _BOX.match(line.text)
        (left_out if is_feedback else remaining).append(line)
    return remaining, counted_lines(left_out, "feedback")
