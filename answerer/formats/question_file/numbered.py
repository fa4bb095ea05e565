"""Numbered questions with labelled choices as people type them, and Moodle's Aiken, whose questions have no numbers."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, NamedTuple

from answerer.formats.question_file.parts import (
    EM_SPACE,
    SERIES,
    SYMBOLS,
    LabelledChoice,
    Parsed,
    PlainQuestion,
    Remark,
    half_width,
    join_lines,
    keep_askable,
)

# The style of a question's number that a word announces: Q1, Question 1, 問1, 第1問.
WORD = "Q"


class LineMark(NamedTuple):
    """A question number or choice label at the beginning of a line, or inside a line.

    `line` is the index of the line. `style` is the kind of label: `A` (A. or A), which people mix), `(A)`, `1` (1. or
    1)), `(1)`, `1 ` (no sign after it), `①`. `value` is the label's position in its series, from 1 (0: no number). The
    label begins at character `start`, the text after it at `end`; `starred` is true for an emphasised or ticked label,
    `inside` if other text precedes it on the line.
    """

    line: int
    style: str
    value: int
    label: str
    start: int
    end: int
    starred: bool = False
    inside: bool = False

    @property
    def is_number(self) -> bool:
        return "1" in self.style or self.style in "①⑴❶"


_KANA = "".join(SERIES[2:])
_SIGNS = "".join(SYMBOLS)
_LABEL = rf"[A-Za-z{_KANA}]|\d{{1,4}}(?:[.-]\d{{1,3}}){{0,2}}"
_MARK = re.compile(
    rf"[(\[<]\s?(?P<bracketed>{_LABEL})\s?[)\]>](?:\s?[.:])?"
    rf"|(?P<delimited>{_LABEL})(?:[)\]]\.?|\s?[.:]\)?(?!\d)(?![A-Za-z]\.)|、|\s[-–—](?=\s))"
    rf"|(?P<spaced>[{_KANA}]|\d{{1,2}}|[A-Za-z](?=\s\s|[\t\u2003]))\s+(?=\S)"
    rf"|(?P<symbol>[{_SIGNS}])\s?[.:、)]?"
)
_WORDS = r"question|problem|item|no(?=\.)|q|問題|設問|質問|問|问题|题目|问|题"
_NUMBERED = re.compile(
    rf"[\[(<]?\s*(?:(?:{_WORDS})\s?[.#]?\s?[(\[]?\s?(?P<number>\d{{1,4}}(?:[.-]\d{{1,3}})?)(?![\d%])"
    r"|第\s?(?P<ordinal>\d{1,4})\s?[問问題题])"
    r"(?:\s*of\s+\d+|\s*/\s*\d+)?\s*[.):、\]>]*"
    r"(?:\s*[(\[]\s*\d+(?:\.\d+)?\s*(?:points?|pts?|marks?|点|分)\s*[)\]])?(?:\s*[-–—](?=\s))?"
    rf"|(?:{_WORDS})\s?:",
    re.IGNORECASE,
)
# Bullets, Markdown, boxes to tick and places for an answer, which come before a label or number.
_DECORATION = re.compile(
    r"(?:#{1,6}\s+|>\s+|[-+•·●・○□☐◯▪]\s+|\*\s+|\[\s\]\s+|_{2,}\s*(?=\d)|\(\s*\)\s*(?=\d{1,4}\s?[.)、]))*"
)
_EMPHASIS = re.compile(r"(?P<star>\*\*?|__|✓|✔|√|☑|\[[xX✓]\])?\s*")
_CONNECTIVES: tuple[list[str], ...] = ([], ["and"], ["or"], ["only"], ["と"], ["や"], ["及び"], ["または"])
_NEAR = 3  # lines above, among which a list goes on


def mark_at(line: str, number: int, start: int = 0) -> LineMark | None:
    """Parses the question number or choice label at character offset `start` of a line; None without any. `line` is in
    half width; `number` is the index of the line, stored as `LineMark.line`."""
    match = _MARK.match(line, start)
    if match is None:
        return None
    kind = match.lastgroup or ""
    label, end = match[kind], match.end()
    if label[0].isdecimal() and kind != "symbol":
        parts = re.split("[.-]", label)
        style, value = f"{'1.' * (len(parts) - 1)}1{' ' if kind == 'spaced' else ''}", int(parts[-1])
        if kind == "spaced" and not line[end:].strip():
            return None
    else:
        series = next(series for series in (SYMBOLS if kind == "symbol" else SERIES) if label in series)
        style, value = series[0], series.index(label) + 1
    return LineMark(number, f"({style})" if kind == "bracketed" else style, value, label, start, end)


def _first_mark(line: str, number: int) -> LineMark | None:
    """The question number or choice label with which line `number` begins, after bullets and emphasis; None without
    any."""
    decoration = _DECORATION.match(line, len(line) - len(line.lstrip()))
    begin = decoration.end() if decoration else 0
    emphasis = _EMPHASIS.match(line, begin)
    after = emphasis.end() if emphasis else begin
    if match := _NUMBERED.match(line, after):
        label = match["number"] or match["ordinal"] or ""
        value = int(re.split("[.-]", label)[-1]) if label else 0
        return LineMark(number, WORD, value, label, begin, match.end())
    mark = mark_at(line, number, after)
    starred = bool(emphasis and emphasis["star"]) or line[begin - 2 : begin] == "* "
    return mark and mark._replace(start=begin, starred=starred)


def _rows_inside(line: str, number: int, first: LineMark | None) -> list[list[LineMark]]:
    """Sequences of labels inside line `number` (`A) x B) y`), each counting up from 1 or from its label `first`. They
    are in order of position; those that look like initials or follow connectives ("and") are left out."""
    begin = first.end if first else 0
    rows: dict[str, list[LineMark]] = {first.style: [first]} if first and first.style != WORD else {}
    on_choice = first is not None and first.style != WORD and not first.is_number
    for place in range(begin, len(line)):
        before = line[place - 1 : place]
        glued = before.strip() and line[place] not in _SIGNS and (line[place] != "(" or before.isascii())
        mark = mark_at(line, number, place) if line[place].strip() and not glued else None
        # A digit without a sign after it is a label only behind a wide blank.
        if mark is None or (mark.style.endswith("1 ") and line[place - 2 : place].strip() and before != EM_SPACE):
            continue
        mark = mark._replace(inside=True)
        row = rows.get(mark.style)
        if row and mark.value == row[-1].value + 1 and {line[row[-1].end - 1], line[mark.end - 1]} != {")", "."}:
            row.append(mark)
        elif mark.value == 1 and not on_choice and mark.style not in rows:
            rows[mark.style] = [mark]
    kept, done = [], begin
    for row in sorted(rows.values(), key=lambda row: row[0].start):
        texts = [line[mark.end : other.start] for mark, other in pairwise(row)] + [line[row[-1].end :]]
        bare = row[0] is not first and line[row[0].end - 1] == "."  # initials: `A. Lincoln and B. Franklin`
        apart = row[0] is first or row[0].start >= done  # not the labels that the choices of another row consist of
        words = [re.findall(r"\w+", text.lower()) for text in texts]
        if apart and len(row) > (2 if bare else 1) and not any(each in _CONNECTIVES for each in words):
            done = row[-1].end
            kept.append(row)
    return kept


def marks_of(lines: Sequence[str]) -> list[list[LineMark]]:
    """The question numbers and choice labels of each line, in order of position; the result is parallel to `lines`.
    Labels inside a line count unless the lines below begin with labels that continue them."""
    narrow = list(map(half_width, lines))
    firsts = [_first_mark(line, place) for place, line in enumerate(narrow)]
    following: dict[str, tuple[int, int]] = {}  # of each style, the values of the next two lines that have one
    marks: list[list[LineMark]] = [[] for _ in lines]
    for place in range(len(lines) - 1, -1, -1):
        first = firsts[place]
        counted = [first] if first else []
        for row in _rows_inside(narrow[place], place, first):
            value, after = following.get(row[0].style, (0, 0))
            if after == 1 or value not in [mark.value for mark in row if mark.value > 1 and mark is not first]:
                counted += [mark for mark in row if mark is not first]
        marks[place] = sorted(counted, key=lambda mark: mark.start)
        if first:
            following[first.style] = (first.value, following.get(first.style, (0, 0))[0])
    # In a list of one choice a line, a capital with a full stop and single blanks around is an initial.
    for place, counted in enumerate(marks):
        above = next((row for row in reversed(marks[max(place - _NEAR, 0) : place]) if row), [])
        opens = len(counted) > 1 and counted[0].value > 1 and counted[0] is firsts[place]
        if opens and not any(mark.inside for mark in above):
            line = narrow[place]
            marks[place] = [
                mark
                for mark in counted
                if not mark.inside or mark.style != "A" or line[mark.end - 1] != "." or not line[mark.start - 2].strip()
            ]
    return marks


_KEY_LABEL = rf"(?:[A-Za-z{_KANA}{_SIGNS}]|\d{{1,2}})"
_ANSWER_WORD = (
    r"(?:(?:the\s+)?(?:correct\s+|right\s+)?answers?(?:\s+(?:key|sheet))?|ans|key|correct(?:\s+(?:choice|option))?"
    r"|solutions?|模範解答|(?:参考|正确|正確な?)?答案|正解|正答|解答|答え|こたえ|答)(?:番号|一覧|欄|表)?"
)
_ANSWER_LINE = re.compile(
    rf"[\[(<*_#>\s-]*(?P<word>{_ANSWER_WORD})(?![A-Za-z])[\])>*_]*"
    r"(?P<sign>\s*[:=.]-?|\s*[-–—]|\s+is\b|は)?[\s*_:]*(?P<rest>.*)",
    re.I,
)
_BARE = re.compile(rf"[(\[]?\s*{_KEY_LABEL}\s*[)\]]?(?:\s*[,;/&、・]\s*{_KEY_LABEL})*\s*(?:です|である)?[\s.。)\]>*_]*")
_TRAILING = re.compile(
    rf"(?:[\[(<]\s*{_ANSWER_WORD}\s*(?:[:=.]|\sis\b|は)?|(?<=[\s。.?!]){_ANSWER_WORD}\s?(?:[:=]|\sis\b|は))"
    rf"\s*[(\[]?(?P<label>{_KEY_LABEL})[\])>.。\s*]*$",
    re.I,
)
_TICK = re.compile(
    r"\s*(?:\*{1,3}|✓|✔|√|☑|(?:<-{1,3}|←|⇐)\s*(?:correct|right|answer|正解)|[\[(](?:correct|right|answer|正解|○)[\])])\s*$",
    re.I,
)
_PAIR = re.compile(
    rf"(?:q(?:uestion)?\.?\s?|問題?\s?|第\s?|no\.\s?)?[(\[]?(?P<number>\d{{1,4}}(?:[.-]\d{{1,3}})?)\s?問?[)\]]?"
    rf"(?:\s?[.:)、=]\s?|\s?[-–—]\s?|\s+)[(\[]?(?P<label>{_KEY_LABEL})[)\]]?(?=$|[\s,;、。|/.:)\]])(?P<gap>[\s,;、。|/.]*)",
    re.I,
)
_WORDS_AFTER = re.compile(r"\s*[)\]:.(–-]")
_REASON = re.compile(
    r"[\[(<*_\s]*(?:explanation|rationale|feedback|reason|comment|reference|hint|difficulty|解説|説明|理由|根拠|出典)"
    r"[\])>*_]*\s*(?::|$|(?<=[\]>]))",
    re.I,
)
_HEADING = re.compile(
    r"\s*(?:(?:page|section|part|chapter|unit)\s+(?:\d{1,3}|[IVX]{1,4}|[A-Z])\b|[-–]\s*\d{1,3}\s*[-–]\s*$"
    r"|第\s?[\d一二三四五六七八九十]{1,3}\s?[部章節])",
    re.IGNORECASE,
)
_LONGEST_HEADING = 60  # characters
# An answer of a key: its line, the number of its question as printed ("" in a key without numbers), its label.
KeyRow = tuple[int, str, str]


def answer_of(line: str) -> str | None:
    """The answer in a line such as `Answer: B`; "" if the label is on the next line, None for other lines.

    Forms: `Answer: B`, `Ans. (b)`, `ANSWER: B) Paris`, `The correct answer is C.`, `正解: イ`, `答え ②`, `【答え】ア`.
    Without a colon, full stop or "is" after the word, only a label counts as answer (`Answer the questions` does not).
    """
    narrow = half_width(line)
    match = _ANSWER_LINE.fullmatch(narrow)
    if not match:
        return None
    rest = line[match.start("rest") :].strip(" \t　*_")
    signed = (match["sign"] or "").strip(" -") in tuple(":=.") or narrow[: match.start("rest")].rstrip().endswith("]")
    if rest and not is_label(rest) and (not signed or match["word"].lower().startswith("solution")):
        return None
    return rest if rest.startswith(tuple("([<（［【")) else rest.rstrip("])】）］>")


def is_label(text: str) -> bool:
    """True if a text is a label of a choice, or several."""
    return _BARE.fullmatch(half_width(text)) is not None


def is_heading(line: str) -> bool:
    """True if a line is the number of a page or the heading of a section (`Page 3`, `Part II`, 第2章)."""
    return len(line) <= _LONGEST_HEADING and _HEADING.match(half_width(line)) is not None


def pairs_of(text: str) -> list[tuple[str, str]]:
    """The pairs (question number, label) that a line consists of; [] for a line with other contents. A single pair may
    be followed by words (`1. B) Paris`)."""
    pairs: list[tuple[str, str]] = []
    place = end = 0
    while place < len(text):
        match = _PAIR.match(text, place)
        if not match:
            return pairs if len(pairs) == 1 and _WORDS_AFTER.match(text, end) else []
        pairs.append((match["number"], match["label"]))
        place, end = match.end(), match.start("gap")
    return pairs


def key_at(lines: Sequence[tuple[int, str]], place: int) -> tuple[list[KeyRow], int] | None:
    """Parses the answer key that begins at index `place` of `lines`: (answers, index of the first line after the key).

    `lines` are pairs (line number, text); answers are (line number, question number or "", label). A key is a heading
    (`Answers`, `Answer key:`, 解答) with pairs of number and label on the same line or below, or with labels alone on
    the same line. Returns None if no key begins there.
    """
    match = _ANSWER_LINE.fullmatch(half_width(lines[place][1]))
    if not match:
        return None
    number, rest = lines[place][0], match["rest"].strip(" :*_")
    plural = re.search(r"answers|key|解答|正解|一覧|solutions", match["word"], re.I)
    rows = [(number, *pair) for pair in pairs_of(rest)]
    if rest and not rows:
        labels = re.split(r"[\s,;、]+", rest)
        if plural and len(labels) > 1 and all(re.fullmatch(_KEY_LABEL, label) for label in labels):
            return [(number, "", label) for label in labels], place + 1
        return None
    if len(rows) == 1 and not plural:
        return None  # `Answer: 1. B`
    end = place + 1
    for below in range(place + 1, len(lines)):
        text = half_width(lines[below][1]).strip()
        pairs = pairs_of(text)
        if text and not pairs and not is_heading(text):
            break
        rows += [(lines[below][0], *pair) for pair in pairs]
        end = below + 1 if text else end
    return (rows, end) if rows else None


def final_key(lines: Sequence[tuple[int, str]]) -> tuple[list[KeyRow], int]:
    """Parses an answer key without a heading at the end of a text: (answers, index of its first line).

    `lines` and answers are as in `key_at`. The key is two or more pairs of number and label below a blank line, whose
    numbers begin lines above. Returns ([], len(lines)) without such a key.
    """
    rows: list[KeyRow] = []
    place = len(lines)
    while place and (not lines[place - 1][1].strip() or pairs_of(half_width(lines[place - 1][1]).strip())):
        place -= 1
        number, text = lines[place]
        rows[:0] = [(number, *pair) for pair in pairs_of(half_width(text).strip())]
    below_blank = place < len(lines) and not lines[place][1].strip()
    if not below_blank or len(rows) < 2:
        return [], len(lines)
    marks = [_first_mark(half_width(text), number) for number, text in lines[:place]]
    above = {mark.label for mark in marks if mark and (mark.is_number or mark.style == WORD)}
    return (rows, place) if {number for _, number, _ in rows} <= above else ([], len(lines))


class _DraftChoice(NamedTuple):
    label: str
    starred: bool
    lines: list[str]


@dataclass
class _QuestionDraft:
    """A question being read.

    `name` is its printed number, `stem` the lines of its text, `style` the style of its choices' labels. `printed` are
    the choices as lines of text, used if the list turns out to be part of the question because another list follows.
    `closed` is true once an answer was read. A line that begins with a line feed is not joined to the line before.
    """

    line: int
    name: str
    stem: list[str] = field(default_factory=list)
    style: str = ""
    choices: list[_DraftChoice] = field(default_factory=list)
    printed: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    closed: bool = False

    def add(self, text: str) -> None:
        """Adds text to the last choice, or to the question before its first choice."""
        for lines in (self.choices[-1].lines, self.printed) if self.choices else (self.stem,):
            lines.append(text)

    def demote_list(self) -> None:
        """Makes the choices a part of the question's text."""
        self.stem += self.printed
        self.choices, self.printed = [], []

    def question(self) -> PlainQuestion:
        """The finished question; without answers its ticked or starred choices are right, unless all are starred."""
        choices, right = [], []
        for label, starred, lines in self.choices:
            text = join_lines(lines)
            tick = _TICK.search(half_width(text))
            end = (tick and tick.start()) or len(text)
            choices.append(LabelledChoice(label, text[:end].strip("* ")))
            if starred or end < len(text):
                right.append(label)
        marked = right if len(right) < len(choices) else []  # a star before each is a bullet
        # Lines of a list that became part of the question stay lines.
        paragraphs: list[list[str]] = [[]]
        for line in self.stem:
            if line.startswith("\n"):
                paragraphs.append([])
            paragraphs[-1].append(line)
        stem = "\n".join(filter(None, map(join_lines, paragraphs))).strip("* ")
        return PlainQuestion(self.name, stem, tuple(choices), tuple(self.answers or marked), self.line)


_NAMESAKES = 100  # questions of one number that are looked at
_LONGEST_STEP = 500  # from one question's number to the next: a year at the beginning of a line is not a number


def read_numbered(text: str) -> Parsed:
    """Reads the questions of a numbered text, with their answers.

    A question begins with a number (`1.`, `1)`, `(1)`, `Q1`, 問1, 第1問), or without a number after a blank line or an
    answer; its choices are the last list of labels before the next question. Answers come from a line below the
    question, from a tick or star beside a choice, or from an answer key. Lines outside of questions are counted in a
    note.
    """
    lines = [(number, piece) for number, line in enumerate(text.split("\n"), 1) for piece in line.splitlines() or [""]]
    texts, answers, keys = _split_answers(lines)
    by_line = marks_of([line for _, line in texts])
    reader = _NumberedReader([mark for row in by_line for mark in row])
    blank = True
    for place, (number, line) in enumerate(texts):
        draft = reader.drafts[-1] if reader.drafts else None
        if place in answers and (answers[place] is not None or not draft or draft.choices):
            reader.add_answer(number, answers[place])
        elif line.strip():
            reader.add_line(number, line, by_line[place], blank)
        blank = not line.strip()
    reader.drop_pending()
    notes = _apply_keys(reader.drafts, keys)
    if reader.stray:
        (number, line), count = reader.stray[0], len(reader.stray)
        belong = "this line belongs" if count == 1 else f"this line and {count - 1} more belong"
        notes.append(Remark(number, f"{belong} to no question: {' '.join(line.split())[:60]!r}"))
    return keep_askable([draft.question() for draft in reader.drafts], notes)


def _split_answers(
    lines: Sequence[tuple[int, str]],
) -> tuple[list[tuple[int, str]], dict[int, str | None], list[list[KeyRow]]]:
    """Separates the text of a question file from its answers: returns (lines, answers, keys).

    Lines are pairs (line number, text), without answer keys; answers map an index in these lines to the answer there
    (None: an explanation); keys are lists of (line number, question number or "", label).
    """
    texts: list[tuple[int, str]] = []
    answers: dict[int, str | None] = {}
    final, end = final_key(lines)
    keys = [final] if final else []
    place = 0
    while place < end:
        number, text = lines[place]
        if key := key_at(lines, place):
            rows, place = key
            keys.append(rows)
            texts.append((number, ""))
            continue
        place += 1
        answer = answer_of(text)
        if answer == "":  # "Answer:" alone: the label follows in the next line
            following = lines[place][1].strip() if place < end else ""
            place += is_label(following)
            answers[len(texts)] = following if is_label(following) else None
        elif answer is not None or _REASON.match(half_width(text)):
            answers[len(texts)] = answer
        elif trailing := _TRAILING.search(half_width(text)):  # `… (Answer: B)`
            text = text[: trailing.start()].rstrip()
            texts.append((number, text))
            answers[len(texts)] = trailing["label"]
        texts.append((number, text))
    return texts, answers, keys


class _NumberedReader:
    """Reads a numbered text line by line. `drafts` are the questions so far, of which the last is open; `stray` are
    pairs (line number, text) outside of questions."""

    def __init__(self, marks: Sequence[LineMark]) -> None:
        """Finds the lists of choices among the labels of the text, given in order.

        A list begins with a label 1 if the next label of its style is 2 and no other list begins between the two; so
        question numbers do not form a list.
        """
        first: list[LineMark] = []
        above = []
        next_of: dict[str, int] = {}
        next_list = len(marks)
        for place in range(len(marks) - 1, -1, -1):
            mark = marks[place]
            following = next_of.get(mark.style, len(marks))
            if next_list < len(marks) and next_list <= following:
                above.append(mark)
            next_of[mark.style] = place
            if mark.style != WORD and mark.value == 1 and following < next_list and marks[following].value == 2:
                first.append(mark)
                next_list = place
        counts = Counter(mark.style for mark in first)
        self._first = frozenset(first)  # the labels that begin a list
        self._above = frozenset(above)  # those with a list before the next of their style, as question numbers have
        # The style of most lists, of several that of the list nearest to the end.
        self._usual = max((mark.style for mark in first), key=counts.__getitem__, default="")
        self.drafts: list[_QuestionDraft] = []
        self.stray: list[tuple[int, str]] = []
        self._pending: list[tuple[int, str, bool]] = []  # lines of this question or the next, true after a blank line
        self._counted = ""  # the style of the questions' numbers
        self._number = 0  # of the last question

    def add_line(self, number: int, text: str, marks: Sequence[LineMark], blank: bool) -> None:
        """Adds line `number`, split at its numbers and labels; `blank` is true if the line before was blank."""
        done, owned = 0, False
        for mark in marks:
            role = self._role(mark)
            if not role:
                continue
            if owned or mark.inside:
                self._add_text(number, text[done : mark.start], blank, owned)
            if role == "number":
                self.drop_pending()
                self._counted = self._counted or mark.style
                self._number = mark.value
                self.drafts.append(_QuestionDraft(number, mark.label))
            else:
                if role == "first":
                    self._begin_list(number, mark)
                draft = self.drafts[-1]
                for _, line, apart in self._pending:
                    draft.add(f"\n{line}" if apart else line)
                self._pending = []
                printed = text[mark.start : mark.end]
                draft.style = mark.style
                draft.choices.append(_DraftChoice(mark.label, mark.starred, []))
                draft.printed.append(printed if mark.inside else f"\n{printed}")
            done, owned = mark.end, True
        self._add_text(number, text[done:], blank, owned)

    def _add_text(self, number: int, text: str, blank: bool, owned: bool) -> None:
        """Adds text to the open question, or holds it back if it may belong to the next question. Headings become stray
        lines. `blank`: after a blank line; `owned`: behind a number or label on its line."""
        draft = self.drafts[-1] if self.drafts else None
        if not text.strip():
            return
        if not owned and (draft is None or draft.choices) and is_heading(text):
            self.stray.append((number, text))
        elif draft and (owned or not (draft.closed or (draft.choices and (blank or self._pending)))):
            draft.add(text)
        else:
            self._pending.append((number, text, blank))

    def _role(self, mark: LineMark) -> Literal["number", "first", "next", ""]:
        """Classifies a number or label: "number" of a question, "first" or "next" choice of a list, "" for text."""
        if mark.style == WORD:
            return "number"
        draft = self._open_draft()
        follows, has_list = mark.value == self._number + 1, mark in self._above
        is_number = mark.is_number and not mark.inside and self._counted != WORD
        if is_number and not (follows or has_list):
            is_number = not self._counted and mark not in self._first
        elif self._counted and mark.style != self._counted:
            is_number = is_number and follows and has_list
        if mark.style.endswith("1 ") or (self._number and mark.value - self._number > _LONGEST_STEP):
            is_number = is_number and follows
        if draft and draft.style == mark.style and mark.value == len(draft.choices) + 1 and draft.choices:
            # `3.` behind choices 1. and 2. is the next choice, unless it is the next question with a list below.
            full = len(draft.choices) > 1 and draft.style == self._usual
            return "number" if full and is_number and follows and has_list else "next"
        if mark in self._first:
            in_question = draft is not None and (not draft.choices or draft.style != self._usual)
            if not is_number or in_question or (self._pending and mark.style == self._usual):
                beside = draft and draft.choices and draft.style == self._usual and mark.style != self._usual
                return "" if beside and not self._pending else "first"
        return "number" if is_number else ""

    def _open_draft(self) -> _QuestionDraft | None:
        """The last question unless an answer ended it: what follows belongs to the next."""
        return self.drafts[-1] if self.drafts and not self.drafts[-1].closed else None

    def _begin_list(self, number: int, mark: LineMark) -> None:
        """Prepares the open question, or a new one, for the list of choices that begins at `mark` in line `number`.

        A new question without a number gets the text that was held back, or that follows the last choice. An earlier
        list of the same question becomes part of the question's text.
        """
        draft = self._open_draft()
        if draft and not draft.choices:
            return
        lines = draft.choices[-1].lines if draft else []
        if draft and draft.style != self._usual and mark.style == self._usual:
            draft.demote_list()
        elif self._pending:
            # Text after the last blank line is the question, what is above it no part of it.
            begin = max((place for place, (_, _, apart) in enumerate(self._pending) if apart), default=0)
            self.stray += [(line, text) for line, text, _ in self._pending[:begin]]
            held = self._pending[begin:]
            self._pending = []
            self.drafts.append(_QuestionDraft(held[0][0], "", [text for _, text, _ in held]))
        elif draft and len(lines) > 1:
            self.drafts.append(_QuestionDraft(number, "", lines[1:]))
            del lines[1:]
        elif draft:
            draft.demote_list()
        else:
            self.drafts.append(_QuestionDraft(number, ""))

    def add_answer(self, number: int, answer: str | None) -> None:
        """Adds an answer to the last question, and ends it if it has choices; None, an explanation, adds nothing.
        Without a question the answer becomes a stray line."""
        self.drop_pending()
        draft = self.drafts[-1] if self.drafts else None
        if draft and answer is not None:
            draft.answers.append(answer)
        elif answer is not None:
            self.stray.append((number, answer))
        if draft and draft.choices:
            draft.closed = True

    def drop_pending(self) -> None:
        """Counts the lines held back as stray."""
        self.stray += [(number, text) for number, text, _ in self._pending]
        self._pending = []


def _apply_keys(drafts: Sequence[_QuestionDraft], keys: Sequence[Sequence[KeyRow]]) -> list[Remark]:
    """Adds the answers of answer keys to the drafts; returns remarks on answers without a question.

    An answer goes by its number to the first question of that number without an answer above the key (or anywhere, if
    the key precedes all questions). If either questions or keys lack numbers, answers go to the unanswered questions
    above the key in order.
    """
    by_name: dict[str, list[_QuestionDraft]] = {}
    for draft in drafts:
        if draft.name:
            by_name.setdefault(draft.name, []).append(draft)
    # Sections may count from 1 again: each answer goes to the first question of its number that waits for one.
    waiting = {
        name: deque(draft for draft in named if draft.choices and not draft.answers) for name, named in by_name.items()
    }
    notes = []
    for key in keys:
        end, is_numbered = key[-1][0], bool(key[0][1])
        # Those that wait for an answer above the key; a file may have as many keys as questions, most with numbers.
        in_order = not (is_numbered and by_name)
        above = drafts if in_order else ()
        left = [draft for draft in above if draft.line < end and not draft.answers and draft.choices]
        if not is_numbered and len(left) != len(key):
            notes.append(Remark(end, f"a key of {len(key)} answers for {len(left)} questions: number its answers"))
            continue
        for place, (line, name, label) in enumerate(key):
            if not in_order:
                named = waiting.get(name, deque())
                while named and named[0].answers:
                    named.popleft()
                right = named[0] if named and (named[0].line < line or line < drafts[0].line) else None
            else:
                number = int(name) - 1 if name.isdecimal() else place
                right = left[number] if 0 <= number < len(left) else None
            if right:
                right.answers.append(label)
            elif not any(label in other.answers for other in by_name.get(name, ())[:_NAMESAKES]):
                notes.append(Remark(line, f"an answer to question {name}, which is not above or has one already"))
    return notes
