"""Choices without labels, which get labels: true or false, boxes and bullets, lists of learning
platforms."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answerer.formats.question_file.keys import HEADING, is_answer_line
from answerer.formats.question_file.layout import counted_lines
from answerer.formats.question_file.marks import WORD, LineMark, first_mark
from answerer.formats.question_file.parts import (
    SERIES,
    SYMBOLS,
    Lines,
    Remark,
    half_width,
)
from answerer.formats.question_file.truth import FALSE_WORDS, TRUE_WORDS, either

_LABEL_BEHIND = re.compile(rf"[(\[]?(?:[A-Za-z]|\d{{1,2}}|[{SERIES[2]}])[.):]|[{''.join(SYMBOLS)}]")
_LABELLED_LINE = re.compile(
    rf"\s*[*✓]?(?:[(\[]?[A-Za-z{''.join(SERIES[2:])}][.):\]]|[{''.join(SYMBOLS)}]|\([A-Za-z\d]\))"
)
_NUMBERED_LINE = re.compile(r"\s*(?:T\s*[/|]?\s*F\s+)?[(\[]?\d{1,4}[.)\]、]\s*\S")

# True or false.


_TRUE, _FALSE = either(TRUE_WORDS), either(FALSE_WORDS)
_THIRD = r"not\s+given|doesn[’']t\s+say|cannot\s+say|can[’']t\s+tell|どちらでもない|わからない"
_BETWEEN = r"(?:\s*+[/|,・、]\s*+|\s++(?:or|oder|ou|o|または)\s++|\s++)"
_EMPTY = r"(?:(?:\(\s?\)|\[\s?\]|[□☐]|_++)\s?)?"  # a box or line to tick before a word
_LINE = r"(?:\s?_++)?"  # such a line behind it
_ORDERED = (
    rf"(?:{_EMPTY}(?P<first>{_TRUE}){_LINE}{_BETWEEN}{_EMPTY}(?P<second>{_FALSE}){_LINE}"
    rf"|{_EMPTY}(?P<other>{_FALSE}){_LINE}{_BETWEEN}{_EMPTY}(?P<last>{_TRUE}){_LINE})"
    rf"(?:{_BETWEEN}{_EMPTY}(?P<third>{_THIRD}))?"
)
_TRUTH_BEHIND = re.compile(
    rf"(?:(?<=\s)|(?<=[(\[.?!:。])|^)[(\[]?\s*+(?:circle\s++one\s*+:?\s*+)?{_ORDERED}[\s)\].。?:]*$",
    re.IGNORECASE,
)
_TRUTH_BEFORE = re.compile(r"\s*T\s*[/|]?\s*F\s+(?=\S)")
_TRUTH_FIRST = re.compile(
    rf"\s*(?:{_ORDERED}\s?[?:.]\s*|(?-i:{_EMPTY}(?:T(?:\s*[/|]\s*|\s+){_EMPTY}F"
    rf"|True(?:\s*[/|]\s*|\s+){_EMPTY}False))\s+)(?=\S)",
    re.IGNORECASE,
)
_ALONE = re.compile(
    rf"\s*(?:[-•○□☐*o]\s+|\(\s?\)\s*|_++\s*)?(?P<word>{_TRUE}|{_FALSE}|{_THIRD})[.。]?\s*",
    re.IGNORECASE,
)
# A heading or instruction above statements that are to be judged.
_ABOUT_TRUTH = re.compile(
    r"\btrue\b.{0,40}\bfalse\b|\bT\s*(?:/|\bor\b)\s*F\b|(?:richtig|wahr).{0,20}falsch"
    r"|vrai.{0,20}faux|verda(?:dero|deiro).{0,20}falso|\bvero.{0,20}falso|верно.{0,20}неверно"
    r"|prawda.{0,20}fałsz"
    r"|正しい.{0,20}(?:誤|間違)|正誤|[○〇◯⭕√].{1,20}[×✕✖]|判断题|判斷題|是非题|是非題",
    re.IGNORECASE,
)
# What any pair of words for true and false has, in lower case: other texts are not looked at.
_TRUTH_HINTS = (
    "true|yes|richtig|wahr|vrai|verda|cierto|vero|верно|да|prawda|waar|juist|sant|rätt|doğru|正|○|〇"
    "|◯|⭕|はい|对|對|√|✓|✔|是|참|判|t/f|t / f|t f|t or f|v/f|v / f|v f".split("|")
)
_BLANKS = re.compile(r"[\s_□☐()\[\]]+")
_SIGNS_OF_TRUTH = re.compile(r"[○〇◯⭕√].{1,20}[×✕✖]|正誤|判断")
# An instruction to write one of two signs; a question for a row of them (組合せ) has choices.
_SIGNS_TO_WRITE = re.compile(r"[^組]*[○〇◯⭕][^組]{1,20}[×✕✖][^組]*")
_LONGEST_HEADING = 160  # characters: two lines of a page, as instructions have them
_LONGEST_WORDS = 30  # characters of a third choice: `cannot say`, `not in the text`; no sentence
_LONGEST_PAIR = 60  # characters at the end of a line in which words for true and false are sought
_PLACE = re.compile(
    r"(?:[(\[]\s*(?P<word>[^()\[\]]{0,5}?)\s*[)\]]"
    r"|(?<!_)_++\s*+(?:(?P<line>[^\W_]{1,5})\s*+_++)?)\s*$"
)
_GAP = re.compile(r"^(?P<number>\s*[(\[]?\d{1,4}[.)\]]?\s+)(?:_{2,}|[(\[]\s*[)\]])\s*")
_FULL_WORDS = {"t": "True", "f": "False"}


def with_true_and_false(lines: Lines, *, are_judged: bool = False) -> list[tuple[int, str]]:
    """The lines with labelled choices below statements that are to be judged: those with `True /
    False`, `(T/F)`, `○・×` behind them or below, or `True or false?` before them, and numbered ones
    below a heading that says so, or all where the key says so (`are_judged`); these words are left
    out. Below a heading a statement's answer becomes a line `Answer: …` behind its choices. Added
    lines have the number of the line they belong to. Not above choices of another kind; unchanged
    without such words or `are_judged`."""
    whole = _BLANKS.sub(" ", "\n".join(line for _, line in lines).lower())
    if not are_judged and not any(hint in whole for hint in _TRUTH_HINTS):
        return list(lines)
    changed: list[tuple[int, str]] = []
    narrows = [half_width(line) for _, line in lines]
    marks = [first_mark(narrow) for narrow in narrows]
    following_rows = _following_rows(lines)
    has_words = any(mark.style == WORD for mark in marks if mark)
    has_numbers = has_words or any(map(_NUMBERED_LINE.match, narrows))
    is_counted = False
    heading: list[str] | None = None  # the words for the statements below it
    is_waiting = not has_numbers  # the last question has no choices so far
    row = 0
    while row < len(lines):
        number, line = lines[row]
        narrow, mark, below = narrows[row], marks[row], following_rows[row]
        if mark and not mark.is_digit and _TRUTH_BEHIND.match(narrow.strip()):
            mark = None  # `T   F`
        following, after = (narrows[below], marks[below]) if below < len(lines) else ("", None)
        is_numbered = mark is not None and (mark.is_digit or mark.style == WORD)
        is_series = mark is not None and after is not None and mark.style == after.style
        is_open = is_series or not _LABELLED_LINE.match(following)
        if _ALONE.fullmatch(narrow) and (words := _words_alone(lines, row)):
            row, texts = words
            changed += [*_choices(number, texts), (number, "")]  # they are a whole list
            is_waiting = not has_numbers
            continue
        # 問1 above (1), (2), …
        is_above_series = is_numbered and after is not None and not is_series
        is_above_series = is_above_series and _SIGNS_OF_TRUTH.search(narrow) is not None
        is_told = _SIGNS_TO_WRITE.fullmatch(narrow) is not None
        # Below questions with plain numbers, and in them, circled labels are choices.
        is_counted = is_counted or (is_numbered and mark is not None and mark.style != "①")
        is_between = is_told or not is_waiting or not has_numbers
        is_between = is_between or not (row and lines[row - 1][1].strip())
        if (
            (is_above_series or (not is_numbered and is_between))
            and len(line) < _LONGEST_HEADING
            and _ABOUT_TRUTH.search(narrow)
            and _begins_statement(following, after, may_be_bare=is_told and not is_counted)
        ):
            heading, is_waiting = _words_of(narrow), False
            text = line[mark.end :] if mark and is_above_series else line
            changed += [(number, ""), (number, text), (number, "")]
            row += 1
            continue
        is_text = is_numbered or (mark is None and is_waiting)
        judged = _judged_line(line, mark if is_numbered else None, is_text=is_text)
        if is_open and judged:
            text, texts = judged
            if text.strip():
                changed.append((number, _GAP.sub(r"\g<number>", text.rstrip())))
            changed += _choices(number, texts)
            is_waiting = not has_numbers
        elif (heading or are_judged) and is_numbered and is_open:
            row, statement, answer = _statement(lines, row)
            row, texts = _words_below(lines, row) or (row, heading or ["True", "False"])
            changed += statement + _choices(number, texts)
            changed += [(number, f"Answer: {answer}")] if answer else []
            continue
        else:
            if line.strip() and not is_answer_line(narrow):
                heading = None
                is_waiting = (is_waiting or is_numbered) and not (mark and not is_numbered)
            changed.append((number, line))
        row += 1
    return changed


def _begins_statement(line: str, mark: LineMark | None, *, may_be_bare: bool) -> bool:
    """Whether a line with this first mark begins a numbered statement; with `may_be_bare` also
    behind a number without a sign or in a circle."""
    if mark is not None and (mark.style == WORD or (may_be_bare and mark.style in ("1 ", "①"))):
        return True
    return _NUMBERED_LINE.match(line) is not None


def _judged_line(
    line: str, number: LineMark | None, *, is_text: bool
) -> tuple[str, list[str]] | None:
    """The text of a line without its words for true and false, and these words: before it (`T F`),
    right behind its question's `number`, or at its end, if it is the text of a question; None
    without such words."""
    narrow = half_width(line)
    before = _TRUTH_BEFORE.match(narrow)
    first = _TRUTH_FIRST.match(narrow, number.end) if number else None
    behind = _TRUTH_BEHIND.search(narrow, max(len(narrow) - _LONGEST_PAIR, 0)) if is_text else None
    if not (before or first or behind):
        return None
    text = line[: behind.start()] if behind else ""
    if before:
        text = line[before.end() :]
    elif first and number:
        text = f"{line[: number.end].rstrip()} {line[first.end() :]}"
    words_of = first or behind
    words = _matched_words(words_of) if words_of else []  # none of `T F` behind a number
    return text, words or ["True", "False"]


def truth_words(line: str) -> list[tuple[str, int, int]]:
    """The words for true and false at the end of a line, each with its bounds; [] without a
    pair."""
    pair = _TRUTH_BEHIND.search(half_width(line), max(len(line) - _LONGEST_PAIR, 0))
    names = ("first", "second", "other", "last") if pair else ()
    return [(pair[name], *pair.span(name)) for name in names if pair and pair[name]]


def _following_rows(lines: Lines) -> list[int]:
    """The row of the next line that is not blank for each line; the number of lines without one."""
    rows: list[int] = []
    following = len(lines)
    for row in range(len(lines) - 1, -1, -1):
        rows.append(following)
        if lines[row][1].strip():
            following = row
    return rows[::-1]


def _next_text(lines: Lines, row: int) -> str:
    """The first of the nine lines below `row` that is not blank, "" without one."""
    return next((line for _, line in lines[row + 1 : row + 10] if line.strip()), "")


def _choices(number: int, texts: Sequence[str]) -> list[tuple[int, str]]:
    """The texts labelled A), B), …, as lines that all have this line number."""
    return [(number, f"{label}) {text}") for label, text in zip(SERIES[0], texts, strict=False)]


def _matched_words(match: re.Match[str]) -> list[str]:
    """The words of choices as printed, from left to right; T and F as words."""
    words = [match[name] for name in ("first", "second", "other", "last", "third") if match[name]]
    return [_FULL_WORDS.get(word.casefold(), word) for word in words]


def _words_of(heading: str) -> list[str]:
    """The words for true and false by which statements below a heading are judged: 正确 and 错误
    for 判断, else ○ and × if it has them, else 正しい and 誤り for 正誤, else those that it has in
    another script than Latin, else True and False."""
    if re.search("判断|判斷|是非", heading):
        return ["正确", "错误"]
    if re.search("[○〇◯⭕].*[×✕✖]", heading):
        return ["○", "×"]
    if "正誤" in heading:
        return ["正しい", "誤り"]
    match = re.search(_ORDERED, heading, re.IGNORECASE)
    words = _matched_words(match)[:2] if match else []
    if len(words) == 2 and words[0].casefold() in TRUE_WORDS and not words[0].isascii():
        return words
    return ["True", "False"]


def _words_alone(lines: Lines, row: int) -> tuple[int, list[str]] | None:
    """The row behind the words of true and false on separate lines from `row` on, within six lines,
    and these words, perhaps with a third choice; None without such words, and at the first line."""
    texts: list[str] = []
    end = row
    is_below_statement = row > 0 and _NUMBERED_LINE.match(half_width(lines[row - 1][1])) is not None
    for position in range(row, min(row + 6, len(lines))):
        line = lines[position][1]
        if not line.strip():
            if not texts:
                return None
            continue
        match = _ALONE.fullmatch(half_width(line))
        is_letter = match is not None and len(match["word"]) == 1 and match["word"].isascii()
        if match is None or (is_letter and not is_below_statement):
            # A third choice beside yes and no, in other words.
            is_further = len(texts) == 2 and end == position and len(line) <= _LONGEST_WORDS
            narrow = half_width(line)
            if is_further and not first_mark(narrow) and not is_answer_line(narrow):
                texts.append(line.strip())
                end = position + 1
            break
        texts.append(_FULL_WORDS.get(match["word"].casefold(), match["word"]))
        end = position + 1
    folded = {text.casefold() for text in texts[:2]}
    is_pair = len(folded) == 2 and bool(folded & TRUE_WORDS) and bool(folded & FALSE_WORDS)
    return (end, texts) if is_pair and len(texts) < 4 and row else None


def _words_below(lines: Lines, row: int) -> tuple[int, list[str]] | None:
    """The row behind the words for true and false that are below a statement from `row` on, in
    one line or in several, and these words; None for another text."""
    while row < len(lines) and not lines[row][1].strip():
        row += 1
    if row == len(lines):
        return None
    match = _TRUTH_BEHIND.match(half_width(lines[row][1]).strip())
    return (row + 1, _matched_words(match)) if match else _words_alone(lines, row)


def _statement(lines: Lines, row: int) -> tuple[int, list[tuple[int, str]], str]:
    """The row behind a numbered statement, its lines up to a blank one or the next number, label,
    answer or heading, and the answer (a word for true or false) in brackets behind
    it, "" without one. The brackets are cut off the lines, empty ones too."""
    end = row + 1
    while end < len(lines) and lines[end][1].strip():
        narrow = half_width(lines[end][1])
        is_next = first_mark(narrow) or is_answer_line(narrow) or HEADING.fullmatch(narrow)
        if is_next or _ABOUT_TRUTH.search(narrow) or _words_below(lines, end):
            break
        end += 1
    statement = list(lines[row:end])
    number, last = statement[-1]
    answer = ""
    if match := _PLACE.search(half_width(last)):
        word = (match["word"] or match["line"] or "").strip("_ ")
        if not word or word.casefold() in TRUE_WORDS | FALSE_WORDS:
            answer = word
            statement[-1] = number, last[: match.start()].rstrip()
    number, first = statement[0]
    statement[0] = number, _GAP.sub(r"\g<number>", first)
    return end, statement, answer


# Boxes, bullets and bare letters.

_BOX = re.compile(
    r"\s*(?:[-+*•]\s+)?(?:\[(?P<tick>[ xX✓✔*]?)\]|(?P<sign>[☐☑☒◯○〇●◉□■])"
    r"|\((?P<inside>[ xX*✓]?)\)|o(?=\s))\s*(?=\S)"
)
_BULLET = re.compile(r"\s*[-–—•‣▪◦·*]\s+(?=\S)")
_ASKS = re.compile(r"[?？:：]\s*$|_{2,}|\(\s+\)|か。\s*$|[べせ]。\s*$")
_BARE = re.compile(r"(\s*)([A-Z])\s+(?=[^\s–—-])")
_TICKED_SIGNS = "☑☒●◉■"


def with_labels_for_boxes(lines: Lines) -> list[tuple[int, str]]:
    """The lines with labels A, B, … for boxes to tick (`- [ ] x`, `☐ x`, `( ) x`, `○ x`) in 2 to 26
    lines without labels, round ones only below a question's number; a ticked box becomes a star
    before its label, a round one unless all are ticked. Bullets get labels in a text that has no
    labels, letters without a sign a bracket."""
    texts = [half_width(line) for _, line in lines]
    has_labels = any(_LABELLED_LINE.match(text) for text in texts)
    changed = list(lines)
    start = 0
    while start < len(lines):
        rows = _rows_beginning_with(_BOX, texts, start)
        is_below = False
        if rows or _BULLET.match(texts[start]):
            above = [text for text in texts[max(start - 8, 0) : start] if text.strip()][-4:]
            marks = [first_mark(text) for text in above]
            are_numbers = [mark and (mark.is_digit or mark.style == WORD) for mark in marks]
            is_below = any(are_numbers) and not (marks[-1] and not are_numbers[-1])
            if len(rows) < 2 and not has_labels and is_below and _ASKS.search(above[-1]):
                rows = _rows_beginning_with(_BULLET, texts, start)
        if 2 <= len(rows) <= len(SERIES[0]):
            is_square = all(texts[row].lstrip("-+*• \t").startswith("[") for row in rows)
            signs = [_sign_of(texts[row]) for row in rows]
            if is_square or is_below:
                is_told = len({tick for tick, _ in signs}) == 2
                for label, row, (tick, end) in zip(SERIES[0], rows, signs, strict=False):
                    star = "*" if tick and (is_told or is_square) else ""
                    changed[row] = lines[row][0], f"{star}{label}) {lines[row][1][end:]}"
            start = rows[-1] + 1
            continue
        letters = _bare_letters(texts, start)
        are_parted = len(letters) > 1 and letters[1] - letters[0] > 1
        if len(letters) > 2 and start and (are_parted or texts[start - 1].strip()):
            for row in letters:
                number, line = lines[row]
                changed[row] = number, _BARE.sub(r"\1\2) ", line, count=1)
            start = letters[-1]
        start += 1
    return changed


def _bare_letters(texts: list[str], start: int) -> list[int]:
    """The rows from `start` on that begin with A, B, C, … and no sign behind it, all below each
    other or all with blank rows between them."""
    rows: list[int] = []
    row = start
    while row < len(texts) and len(rows) < len(SERIES[0]):
        match = _BARE.match(texts[row])
        if (
            not match
            or match[2] != SERIES[0][len(rows)]
            or _LABEL_BEHIND.match(texts[row], match.end())
        ):
            break
        rows.append(row)
        row = next(
            (below for below in range(row + 1, len(texts)) if texts[below].strip()), len(texts)
        )
        if len(rows) > 1 and (row - rows[-1] > 1) != (rows[1] - rows[0] > 1):
            break
    return rows


def _rows_beginning_with(sign: re.Pattern[str], texts: list[str], start: int) -> list[int]:
    """The rows from `start` on that begin with a sign and no label behind it; blank ones between
    them are passed over."""
    rows: list[int] = []
    for row in range(start, len(texts)):
        match = sign.match(texts[row])
        if match and not _LABEL_BEHIND.match(texts[row], match.end()):
            rows.append(row)
        elif texts[row].strip() or not rows:
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
_STATE = re.compile(r"\s*(?:in|partially\s+)?correct\s*", re.IGNORECASE)


def without_platform_words(lines: Lines) -> tuple[list[tuple[int, str]], list[Remark]]:
    """The lines without what learning platforms print around questions (`Flag question`, `1 pts`),
    with a note that counts them; points behind a question's number (`Question 3 (1 pts)`) are cut
    off uncounted. Choices without labels below such a line (`Select one:`) get labels."""
    remaining: list[tuple[int, str]] = []
    left_out: list[tuple[int, str]] = []
    row = 0
    while row < len(lines):
        number, line = lines[row]
        is_state = _STATE.fullmatch(line) and _PLATFORM.fullmatch(_next_text(lines, row))
        if _CHOICES_BELOW.fullmatch(line):
            left_out.append((number, line))
            row, choices = _list_below(lines, row + 1)
            remaining += choices
            continue
        if match := _WITH_POINTS.fullmatch(line):
            remaining.append((number, match[1]))
        elif is_state or _PLATFORM.fullmatch(line):
            left_out.append((number, line))
            remaining.append((number, ""))
        else:
            remaining.append((number, line))
        row += 1
    return remaining, counted_lines(left_out, "a learning platform")


def _list_below(lines: Lines, start: int) -> tuple[int, list[tuple[int, str]]]:
    """The row behind the choices without labels from `start` on, and these with labels; (`start`,
    []) where they have labels or signs, or are not 2 to 26. They end at a question's number or an
    answer."""
    rows: list[int] = []
    row = start
    while row < len(lines) and len(rows) <= len(SERIES[0]):
        narrow = half_width(lines[row][1])
        if _PLATFORM.fullmatch(narrow):
            row += 1
            continue
        mark = first_mark(narrow)
        if is_answer_line(narrow) or (mark is not None and (mark.is_digit or mark.style == WORD)):
            break
        if mark is not None or _BOX.match(narrow):
            return start, []
        if narrow.strip():
            rows.append(row)
        row += 1
    if not 2 <= len(rows) <= len(SERIES[0]):
        return start, []
    return row, [
        (lines[choice][0], f"{label}) {lines[choice][1].strip()}")
        for label, choice in zip(SERIES[0], rows, strict=False)
    ]


# Questions and answers behind letters.

_ASKED = re.compile(r"\s*Q\s*[:.]\s*(?=\S)")
_REPLIED = re.compile(r"\s*A\s*[:.]\s*(?P<label>[A-Za-z])[).]?\s*")


def with_answers_behind_letters(lines: Lines) -> list[tuple[int, str]]:
    """The lines of a text whose questions begin with `Q:`, and whose answers with `A:` beside
    choices in another form, with blank lines before the questions and words before the answers;
    unchanged if no line begins with `Q:`."""
    if not any(_ASKED.match(line) for _, line in lines):
        return list(lines)
    changed: list[tuple[int, str]] = []
    for number, line in lines:
        if match := _ASKED.match(line):
            changed += [(number, ""), (number, line[match.end() :])]
        elif match := _REPLIED.fullmatch(line):
            changed.append((number, f"Answer: {match['label']}"))
        else:
            changed.append((number, line))
    return changed
