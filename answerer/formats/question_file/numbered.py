"""Numbered questions with labelled choices as people type them, and Moodle's Aiken, whose questions have no numbers."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterator, Sequence
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
    sorted_out,
)

WORD = "Q"
"""The style of a question's number that a word announces: Q1, Question 1, 問1, 第1問."""


class LineMark(NamedTuple):
    """A number or label at the beginning of a line, or inside it.

    `style` is the kind of label: `A` (A. or A), which people mix), `(A)`, `1` (1. or 1)), `(1)`, `1 ` (no sign
    after it), `①`. `value` counts from 1 (0: no number). The label begins at `start` of the line, its text at `end`;
    `inside` is true if other text precedes it.
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
_LABEL = rf"[A-Za-z{_KANA}]|\d{{1,4}}(?:[.-]\d{{1,3}}){{0,2}}"
_MARK = re.compile(
    rf"[(\[<]\s?(?P<bracketed>{_LABEL})\s?[)\]>](?:\s?[.:])?"
    rf"|(?P<delimited>{_LABEL})(?:[)\]]\.?|\s?[.:]\)?(?!\d)(?![A-Za-z]\.)|、|\s[-–—](?=\s))"
    rf"|(?P<spaced>[{_KANA}]|\d{{1,2}}|[A-Za-z](?=\s\s|[\t\u2003]))\s+(?=\S)"
    rf"|(?P<symbol>[{''.join(SYMBOLS)}])\s?[.:、)]?"
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
_DECORATION = re.compile(r"(?:#{1,6}\s+|>\s+|[-+•·●・○□☐◯▪]\s+|\*\s+|\[\s\]\s+)*")
_EMPHASIS = re.compile(r"(?P<star>\*\*?|__|✓|✔|√|☑|\[[xX✓]\])?\s*")
_CONNECTIVES: tuple[list[str], ...] = ([], ["and"], ["or"], ["only"], ["と"], ["や"], ["及び"], ["または"])


def mark_at(line: str, number: int, start: int = 0) -> LineMark | None:
    """The mark that begins at a character of a line (given in half width); None without one."""
    found = _MARK.match(line, start)
    if found is None:
        return None
    kind = found.lastgroup or ""
    label = found[kind]
    open_, close = ("(", ")") if kind == "bracketed" else ("", "")
    if kind == "symbol":
        series = next(series for series in SYMBOLS if label in series)
        return LineMark(number, series[0], series.index(label) + 1, label, start, found.end())
    if label[0].isdecimal():
        if kind == "spaced" and not line[found.end() :].strip():
            return None
        parts = re.split("[.-]", label)
        style = f"{open_}{'1.' * (len(parts) - 1)}1{' ' if kind == 'spaced' else ''}{close}"
        return LineMark(number, style, int(parts[-1]), label, start, found.end())
    series = next(series for series in SERIES if label in series)
    return LineMark(number, f"{open_}{series[0]}{close}", series.index(label) + 1, label, start, found.end())


def _first_mark(line: str, number: int) -> LineMark | None:
    """The mark with which a line begins, after bullets and emphasis; an emphasised or ticked one is `starred`."""
    start = _DECORATION.match(line.lstrip(), 0)
    begin = len(line) - len(line.lstrip()) + (start.end() if start else 0)
    starred = _EMPHASIS.match(line, begin)
    after = starred.end() if starred else begin
    if found := _NUMBERED.match(line, after):
        label = found["number"] or found["ordinal"] or ""
        value = int(re.split("[.-]", label)[-1]) if label else 0
        return LineMark(number, WORD, value, label, begin, found.end())
    mark = mark_at(line, number, after)
    if mark is None:
        return None
    star = bool(starred and starred["star"]) or line[begin - 2 : begin] == "* "
    return mark._replace(start=begin, starred=star)


def _inside(line: str, number: int, first: LineMark | None) -> Iterator[list[LineMark]]:
    """The rows of labels inside a line that count on, from 1 or from the first mark: `A) x  B) y`."""
    begin = first.end if first else 0
    rows: dict[str, list[LineMark]] = {first.style: [first]} if first and first.style != WORD else {}
    on_choice = first is not None and first.style != WORD and not first.is_number
    for place in range(begin, len(line)):
        before = line[place - 1 : place]
        glued = before.strip() and line[place] not in _SYMBOLS and (line[place] != "(" or before.isascii())
        if glued or not line[place].strip():
            continue
        mark = mark_at(line, number, place)
        mark = mark and mark._replace(inside=True)
        close = line[place - 2 : place].strip() and before != EM_SPACE
        if mark is None or (mark.style.endswith("1 ") and close):
            continue
        row = rows.get(mark.style)
        if row and mark.value == row[-1].value + 1 and {line[row[-1].end - 1], line[mark.end - 1]} != {")", "."}:
            row.append(mark)
        elif mark.value == 1 and not on_choice and mark.style not in rows:
            rows[mark.style] = [mark]
    done = begin
    for row in sorted(rows.values(), key=lambda row: row[0].start):
        texts = [line[one.end : other.start] for one, other in pairwise(row)] + [line[row[-1].end :]]
        bare = row[0] is not first and line[row[0].end - 1] == "."  # initials: `A. Lincoln and B. Franklin`
        apart = row[0] is first or row[0].start >= done  # not the labels that the choices of another row consist of
        words = [re.findall(r"\w+", text.lower()) for text in texts]
        if apart and len(row) > (2 if bare else 1) and not any(each in _CONNECTIVES for each in words):
            done = row[-1].end
            yield row


_SYMBOLS = frozenset("".join(SYMBOLS))


def marks_of(lines: Sequence[tuple[int, str]]) -> list[list[LineMark]]:
    """The marks of each line (its place in the list is `Mark.line`), in order.

    Labels inside a line count unless the lines below have them at their beginnings: the number of a question, which
    a list follows, is not such a label.
    """
    narrow = [half_width(text) for _, text in lines]
    firsts = [_first_mark(line, place) for place, line in enumerate(narrow)]
    following: dict[str, tuple[int, int]] = {}  # of each style, the values of the next two lines that have one
    found: list[list[LineMark]] = [[] for _ in lines]
    for place in range(len(lines) - 1, -1, -1):
        first = firsts[place]
        own = [first] if first else []
        for row in _inside(narrow[place], place, first):
            value, after = following.get(row[0].style, (0, 0))
            if after == 1 or value not in [mark.value for mark in row if mark.value > 1 and mark is not first]:
                own += [mark for mark in row if mark is not first]
        found[place] = sorted(own, key=lambda mark: mark.start)
        if first:
            following[first.style] = (first.value, following.get(first.style, (0, 0))[0])
    for place, own in enumerate(found):
        before = next((one for one in reversed(found[max(place - _NEAR, 0) : place]) if one), [])
        if len(own) > 1 and own[0].value > 1 and own[0] is firsts[place] and not any(one.inside for one in before):
            found[place] = [one for one in own if not (one.inside and _is_initial(narrow[place], one))]
    return found


_NEAR = 3  # lines above, among which a list goes on


def _is_initial(line: str, mark: LineMark) -> bool:
    """True if a label inside a line looks like an initial: a capital, a full stop, and single blanks around."""
    return mark.style == "A" and line[mark.end - 1] == "." and bool(line[mark.start - 2 : mark.start].strip())


def unfold_columns(lines: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Splits lines with choices in two columns (`a. one    c. three` above `b. two    d. four`), one choice a line, in
    the order of their labels; each keeps its line number."""
    firsts = [_first_mark(half_width(text), place) for place, (_, text) in enumerate(lines)]
    found: list[tuple[int, str]] = []
    place = 0
    while place < len(lines):
        rows: list[
            tuple[LineMark, int]
        ] = []  # the mark at the beginning of each line, and where its second column begins
        while place + len(rows) < len(lines) and (mark := firsts[place + len(rows)]):
            if (
                mark.style == WORD
                or mark.is_number
                or mark.value != len(rows) + 1
                or mark.style != (rows[0][0] if rows else mark).style
            ):
                break
            rows.append((mark, _second_column(half_width(lines[place + len(rows)][1]), mark)))
        count = sum(1 for _, second in rows if second)
        columns = [
            mark_at(half_width(lines[mark.line][1]), mark.line, second) for mark, second in rows[:count] if second
        ]
        values = [mark.value for mark in columns if mark]
        if count and values == list(range(len(rows) + 1, len(rows) + count + 1)):
            left = [(mark, second or len(lines[mark.line][1])) for mark, second in rows]
            found += [(lines[mark.line][0], lines[mark.line][1][:end]) for mark, end in left]
            found += [(lines[mark.line][0], lines[mark.line][1][second:]) for mark, second in rows[:count]]
            place += len(rows)
        else:
            found.append(lines[place])
            place += 1
    return found


_COLUMN = re.compile(r"(?:\s{2,}|[\t\u2003])(?=\S)")


def _second_column(line: str, first: LineMark) -> int:
    """The character at which a second label of the style of a line's first one begins after a wide blank, else 0."""
    for gap in _COLUMN.finditer(line, first.end):
        mark = mark_at(line, first.line, gap.end())
        if mark and mark.style == first.style and mark.value > first.value + 1:
            return gap.end()
    return 0


def list_beginnings(marks: Sequence[LineMark]) -> list[bool]:
    """For each mark, true if it begins a list: its value is 1, the next of its style 2, and no list begins between.

    So the numbers of questions, each of which has a separate list, do not begin one.
    """
    begins = [False] * len(marks)
    next_of: dict[str, int] = {}
    next_list = len(marks)
    for place in range(len(marks) - 1, -1, -1):
        mark = marks[place]
        following = next_of.get(mark.style)
        if mark.style != WORD and mark.value == 1 and following is not None:
            begins[place] = marks[following].value == 2 and next_list > following
        next_of[mark.style] = place
        if begins[place]:
            next_list = place
    return begins


def lists_below(marks: Sequence[LineMark], begins: Sequence[bool]) -> list[bool]:
    """For each mark, true if a list begins before the next mark of its style, as it does below a question."""
    found = [False] * len(marks)
    next_of: dict[str, int] = {}
    next_list = len(marks)
    for place in range(len(marks) - 1, -1, -1):
        found[place] = next_list < len(marks) and next_list <= next_of.get(marks[place].style, len(marks))
        next_of[marks[place].style] = place
        if begins[place]:
            next_list = place
    return found


def series_of_lists(marks: Sequence[LineMark], below: Sequence[bool]) -> list[bool]:
    """For each mark, true if it is the first of several numbers with a list below each, as questions in a question."""
    found = [False] * len(marks)
    next_of: dict[str, int] = {}
    for place in range(len(marks) - 1, -1, -1):
        mark, following = marks[place], next_of.get(marks[place].style)
        next_of[mark.style] = place
        if mark.is_number and mark.value == 1 and below[place] and following is not None:
            found[place] = marks[following].value == 2 and below[following]
    return found


def usual_style(marks: Sequence[LineMark], begins: Sequence[bool]) -> str:
    """The style of most lists of a file, of several the one that comes last: choices do; "" without lists."""
    styles = [mark.style for mark, first in zip(marks, begins, strict=True) if first]
    counted, last = Counter(styles), {style: place for place, style in enumerate(styles)}
    return max(counted, key=lambda style: (counted[style], last[style]), default="")


_LETTERS = "".join(SERIES[2:]) + "".join(SYMBOLS)
_KEY_LABEL = rf"(?:[A-Za-z{_LETTERS}]|\d{{1,2}})"
_WORD = (
    r"(?:(?:the\s+)?(?:correct\s+|right\s+)?answers?(?:\s+(?:key|sheet))?|ans|key|correct(?:\s+(?:choice|option))?"
    r"|solutions?|模範解答|(?:参考|正确|正確な?)?答案|正解|正答|解答|答え|こたえ|答)(?:番号|一覧|欄|表)?"
)
_LINE = re.compile(
    rf"[\[(<*_#>\s-]*(?P<word>{_WORD})(?![A-Za-z])[\])>*_]*(?P<sign>\s*[:=.]-?|\s*[-–—]|\s+is\b|は)?[\s*_:]*(?P<rest>.*)",
    re.I,
)
_BARE = re.compile(rf"[(\[]?\s*{_KEY_LABEL}\s*[)\]]?(?:\s*[,;/&、・]\s*{_KEY_LABEL})*\s*(?:です|である)?[\s.。)\]>*_]*")
_TRAILING = re.compile(
    rf"(?:[\[(<]\s*{_WORD}\s*(?:[:=.]|\sis\b|は)?|(?<=[\s。.?!]){_WORD}\s?(?:[:=]|\sis\b|は))\s*[(\[]?(?P<label>{_KEY_LABEL})[\])>.。\s*]*$",
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


class AnswerKey(NamedTuple):
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
    """True if a text is a label of a choice, or several."""
    return _BARE.fullmatch(half_width(text)) is not None


def without_answer(text: str) -> tuple[str, str]:
    """A text and the answer at its end (`… (Answer: B)`), "" without one."""
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
    """True if a line begins an explanation, or says something else about a question (its difficulty, its source)."""
    return _REASON.match(half_width(line)) is not None


def is_heading(line: str) -> bool:
    """True if a line is the number of a page or the heading of a section (`Page 3`, `Part II`, 第2章)."""
    return len(line) <= _LONGEST_HEADING and _HEADING.match(half_width(line)) is not None


def key_at(lines: Sequence[tuple[int, str]], place: int, headed: bool = True) -> tuple[AnswerKey, int] | None:
    """The key that begins at a line, and the place of the first line after it; None if no key begins there.

    It begins with a heading (`Answers`, `Answer key:`, 解答), which pairs of number and label follow, in the same line
    or below, one or several in a line, or a row of numbers above a row of labels. Without `headed` the pairs begin
    at once.
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
        if plural and len(labels) > 1 and all(re.fullmatch(_KEY_LABEL, label) for label in labels):
            return AnswerKey(number, [(number, "", label) for label in labels]), place + 1
        return None
    if len(answers) == 1 and not plural:
        return None  # `Answer: 1. B`
    return _key_below(lines, place + 1, answers)


def _key_below(
    lines: Sequence[tuple[int, str]], place: int, answers: list[tuple[int, str, str]]
) -> tuple[AnswerKey, int] | None:
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
            and all(re.fullmatch(_KEY_LABEL, label) for label in below)
        ):
            answers += [(number, *pair) for pair in zip(row, below, strict=True)]
            place += 1
        elif pairs is not None:
            answers += [(number, *pair) for pair in pairs]
        elif text and not is_heading(text):
            break
        place += 1
        end = place if text else end
    return (AnswerKey(lines[place - 1][0], answers), end) if answers else None


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


@dataclass
class _DraftChoice:
    label: str
    starred: bool
    lines: list[str] = field(default_factory=list)


@dataclass
class _QuestionDraft:
    """A question being read: `stem` are its lines, `style` is that of its choices' labels.

    `printed` are the choices as lines of text: a list turns out to be part of the question when another one follows.
    `closed` is true from its answer on. `inner` is the number inside another question, of which `name` holds both.
    A line that begins with a line feed is not joined to the one before.
    """

    line: int
    name: str
    stem: list[str] = field(default_factory=list)
    style: str = ""
    choices: list[_DraftChoice] = field(default_factory=list)
    printed: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    closed: bool = False
    inner: str = ""

    def add(self, text: str) -> None:
        """Adds text to the last choice, or to the question before its first choice."""
        for lines in (self.choices[-1].lines, self.printed) if self.choices else (self.stem,):
            lines.append(text)

    def add_choice(self, mark: LineMark, printed: str) -> None:
        self.style = mark.style
        self.choices.append(_DraftChoice(mark.label, mark.starred))
        self.printed.append(printed if mark.inside else f"\n{printed}")

    def question(self) -> PlainQuestion:
        """The finished question; its answers are the given ones, else the ticked or starred choices unless all are."""
        texts = [without_tick(join_lines(choice.lines)) for choice in self.choices]
        right = [choice.label for choice, (_, tick) in zip(self.choices, texts, strict=True) if tick or choice.starred]
        marked = right if len(right) < len(texts) else []  # a star before each is a bullet
        choices = tuple(
            LabelledChoice(choice.label, text.strip("* "))
            for choice, (text, _) in zip(self.choices, texts, strict=True)
        )
        paragraphs: list[list[str]] = [[]]
        for line in self.stem:
            if line.startswith("\n"):
                paragraphs.append([])
            paragraphs[-1].append(line)
        stem = "\n".join(filter(None, map(join_lines, paragraphs))).strip("* ")
        return PlainQuestion(self.name, stem, choices, tuple(self.answers or marked), self.line)


def read_numbered(text: str) -> Parsed:
    """The questions of a text.

    A question begins with a number (`1.`, `1)`, `(1)`, `Q1`, 問1, 第1問), or without one after a blank line or an
    answer; its choices are the last list of labels before the next question. Answers come from a line below the
    question, from a mark beside a choice, or from a key. Lines that belong to no question are counted in a note.
    """
    return _NumberedReader(text).parse()


_NAMESAKES = 100  # questions of one number that are looked at
_LONGEST_STEP = 500  # from one question's number to the next: a year at the beginning of a line is not a number


_LINE_NUMBER = re.compile(r"\W*(?:Q|Question|問題?|第)?\W{0,2}(\d{1,3})(?!\d)", re.IGNORECASE)


class _NumberedReader:
    """Reads a text line by line; the last of `drafts` is the question that is open."""

    def __init__(self, text: str) -> None:
        self._lines = unfold_columns(
            [(number, piece) for number, line in enumerate(text.split("\n"), 1) for piece in line.splitlines() or [""]]
        )
        self._drafts: list[_QuestionDraft] = []
        self._keys: list[AnswerKey] = []
        self._notes: list[Remark] = []
        self._stray: list[tuple[int, str]] = []  # lines of no question
        self._pending: list[tuple[int, str, bool]] = []  # lines of this question or the next, true after a blank line
        self._counted = ""  # the style of the questions' numbers
        self._number = 0  # of the last question
        self._inner: tuple[str, int, str] | None = None  # style and number of one inside another, the other's name

    def parse(self) -> Parsed:
        """Reads all lines and applies the keys; the questions with notes on the lines outside them."""
        texts, answers = self._classify_lines()
        by_line = marks_of(texts)
        marks = [mark for row in by_line for mark in row]
        begins = list_beginnings(marks)
        self._usual = usual_style(marks, begins)
        self._begins = dict(zip(marks, begins, strict=True))
        below = lists_below(marks, begins)
        self._has_list = dict(zip(marks, below, strict=True))
        self._opens = dict(zip(marks, series_of_lists(marks, below), strict=True))
        blank = True
        for place, (number, text) in enumerate(texts):
            draft = self._drafts[-1] if self._drafts else None
            if place in answers and (answers[place] is not None or not draft or draft.choices):
                self._add_answer(number, answers[place])
            elif text.strip():
                self._line(number, text, by_line[place], blank)
            blank = not text.strip()
        self._drop_pending()
        self._apply_keys()
        if self._stray:
            (number, text), count = self._stray[0], len(self._stray)
            lines = "this line belongs" if count == 1 else f"this line and {count - 1} more belong"
            self._notes.append(Remark(number, f"{lines} to no question: {' '.join(text.split())[:60]!r}"))
        return sorted_out([draft.question() for draft in self._drafts], self._notes)

    def _classify_lines(self) -> tuple[list[tuple[int, str]], dict[int, str | None]]:
        """The lines without keys; by their places, the answers among them (None: an explanation)."""
        texts: list[tuple[int, str]] = []
        answers: dict[int, str | None] = {}
        bare = self._bare_key()
        place = 0
        while place < len(self._lines):
            number, text = self._lines[place]
            place += 1
            if found := key_at(self._lines, place - 1, headed=place - 1 != bare):
                key, place = found
                self._keys.append(key)
                texts.append((number, ""))
                continue
            answer = answer_of(text)
            if answer == "":  # "Answer:" alone: the label follows in the next line
                following = self._lines[place][1].strip() if place < len(self._lines) else ""
                place += is_label(following)
                answers[len(texts)] = following if is_label(following) else None
            elif answer is not None or is_reason(text):
                answers[len(texts)] = answer
            else:
                text, before = without_place(text)
                text, answer = without_answer(text)
                if answer := before or answer:
                    texts.append((number, text))
                    answers[len(texts)] = answer
            texts.append((number, text))
        return texts, answers

    def _bare_key(self) -> int:
        """The first line of a key without a heading, which ends the file: a blank line, then a label for every
        question; beyond the last line without such a key."""
        rows = [pairs_of(half_width(text).strip()) if text.strip() else [] for _, text in self._lines]
        begin = len(rows)
        while begin and rows[begin - 1] is not None:
            begin -= 1
        numbers = [_LINE_NUMBER.match(half_width(text)) for _, text in self._lines]
        for place in range(max(begin, 1), len(rows)):
            row = rows[place]
            if not row or row[0][0] != "1" or (len(row) == 1 and rows[place - 1] != []):
                continue
            pairs = [number for row in rows[place:] for number, _ in row or ()]
            most = max((int(found[1]) for found in numbers[:place] if found), default=0)
            if len(pairs) > 1 and pairs == [str(number) for number in range(1, most + 1)]:
                return place
            return len(rows)
        return len(rows)

    def _line(self, number: int, text: str, marks: Sequence[LineMark], blank: bool) -> None:
        """Splits a line at its marks into numbers, choices and text."""
        done, owned = 0, False
        for mark in marks:
            reading = self._reading(mark)
            if not reading:
                continue
            if owned or mark.inside:
                self._text(number, text[done : mark.start], blank, owned)
            if reading == "number":
                self._begin(number, mark)
            else:
                if reading == "first":
                    self._begin_list(number, mark)
                for _, line, apart in self._pending:
                    self._drafts[-1].add(f"\n{line}" if apart else line)
                self._pending = []
                self._drafts[-1].add_choice(mark, text[mark.start : mark.end])
            done, owned = mark.end, True
        self._text(number, text[done:], blank, owned)

    def _text(self, number: int, text: str, blank: bool, owned: bool) -> None:
        """Adds text to the open question, or holds it back if it may belong to the next; `owned`: it follows a mark."""
        draft = self._drafts[-1] if self._drafts else None
        if not text.strip():
            return
        if not owned and (draft is None or draft.choices) and is_heading(text):
            self._stray.append((number, text))
        elif draft and (owned or not (draft.closed or (draft.choices and (blank or self._pending)))):
            draft.add(text)
        else:
            self._pending.append((number, text, blank))

    def _reading(self, mark: LineMark) -> Literal["number", "first", "next", ""]:
        """The role of a mark here: the number of a question, the first label of a list, its next; or as text."""
        if mark.style == WORD:
            return "number"
        draft = self._drafts[-1] if self._drafts and not self._drafts[-1].closed else None
        if not mark.inside and self._is_inner(mark, draft):
            return "number"
        is_number = mark.is_number and not mark.inside and self._may_count(mark)
        if draft and draft.style == mark.style and mark.value == len(draft.choices) + 1 and draft.choices:
            full = len(draft.choices) > 1 and draft.style == self._usual
            counts_on = is_number and mark.value == self._number + 1
            return "number" if full and counts_on and self._has_list[mark] else "next"
        if self._begins[mark]:
            in_question = draft is not None and (not draft.choices or draft.style != self._usual)
            if not is_number or in_question or (self._pending and mark.style == self._usual):
                beside = draft and draft.choices and draft.style == self._usual and mark.style != self._usual
                return "" if beside and not self._pending else "first"
        return "number" if is_number else ""

    def _is_inner(self, mark: LineMark, draft: _QuestionDraft | None) -> bool:
        """True if a number is that of a question inside a question: 問1 … (1) … (2) …, each with its choices."""
        if self._inner and mark.style == self._inner[0]:
            return mark.value == self._inner[1] + 1 and self._has_list[mark]
        opened = draft is not None and not draft.choices and mark.style != self._counted
        return bool(opened and self._counted and self._opens[mark])

    def _may_count(self, mark: LineMark) -> bool:
        """True if a number can be that of the next question."""
        follows = mark.value == self._number + 1
        if self._counted == WORD or (mark.style.endswith("1 ") and not follows):
            return False
        if self._number and mark.value - self._number > _LONGEST_STEP:
            return False
        if not self._counted or mark.style == self._counted:
            return follows or self._has_list[mark] or (not self._counted and not self._begins[mark])
        return follows and self._has_list[mark]

    def _begin(self, number: int, mark: LineMark) -> None:
        """Begins the question of a number; the text around questions inside another does not belong to any of them."""
        self._drop_pending()
        if self._is_inner(mark, self._drafts[-1] if self._drafts else None):
            if not self._inner:
                outer = self._drafts.pop()
                self._stray.append((outer.line, " ".join(outer.stem)))
            name = self._inner[2] if self._inner else outer.name
            self._inner = (mark.style, mark.value, name)
            self._drafts.append(_QuestionDraft(number, f"{name}-{mark.label}", inner=mark.label))
            return
        self._counted = self._counted or mark.style
        self._number, self._inner = mark.value, None
        self._drafts.append(_QuestionDraft(number, mark.label))

    def _begin_list(self, number: int, mark: LineMark) -> None:
        """Begins a list of choices: of the open question, or of one without a number, whose text was held back.

        A list before it in the same question is part of the question's text.
        """
        draft = self._drafts[-1] if self._drafts else None
        if draft and not draft.closed and not draft.choices:
            return
        lines = draft.choices[-1].lines if draft and draft.choices else []
        if draft and not draft.closed and draft.style != self._usual and mark.style == self._usual:
            self._demote(draft)
        elif self._pending:
            begin = max((place for place, one in enumerate(self._pending) if one[2]), default=0)
            self._stray += [(line, text) for line, text, _ in self._pending[:begin]]
            own = self._pending[begin:]
            self._pending = []
            self._drafts.append(_QuestionDraft(own[0][0], "", [text for _, text, _ in own]))
        elif draft and not draft.closed and not draft.name and len(lines) > 1:
            self._drafts.append(_QuestionDraft(number, "", lines[1:]))
            del lines[1:]
        elif draft and not draft.closed:
            self._demote(draft)
        else:
            self._drafts.append(_QuestionDraft(number, ""))

    @staticmethod
    def _demote(draft: _QuestionDraft) -> None:
        draft.stem += draft.printed
        draft.choices, draft.printed = [], []

    def _add_answer(self, number: int, answer: str | None) -> None:
        """Ends the question above with its answer, None for an explanation; without a question the line is stray."""
        self._drop_pending()
        draft = self._drafts[-1] if self._drafts else None
        if draft and answer is not None:
            draft.answers.append(answer)
        elif answer is not None:
            self._stray.append((number, answer))
        if draft and draft.choices:
            draft.closed = True

    def _drop_pending(self) -> None:
        self._stray += [(number, text) for number, text, _ in self._pending]
        self._pending = []

    def _apply_keys(self) -> None:
        """Assigns the answers of keys to questions above each, or to all if it is above them: by number, each number
        to the first question without an answer."""
        by_name: dict[str, list[_QuestionDraft]] = {}
        for draft in self._drafts:
            for name in filter(None, (draft.name, draft.inner)):
                by_name.setdefault(name, []).append(draft)
        waiting = {
            name: deque(draft for draft in own if draft.choices and not draft.answers) for name, own in by_name.items()
        }
        for key in self._keys:
            if not by_name or not any(name for _, name, _ in key.answers):
                self._apply_in_order(key)
                continue
            for line, name, label in key.answers:
                own = waiting.get(name, deque())
                while own and own[0].answers:
                    own.popleft()
                if own and (own[0].line < line or line < self._drafts[0].line):
                    own.popleft().answers.append(label)
                elif not any(label in draft.answers for draft in by_name.get(name, ())[:_NAMESAKES]):
                    what = f"an answer to question {name}, which is not above or has one already"
                    self._notes.append(Remark(line, what))

    def _apply_in_order(self, key: AnswerKey) -> None:
        """Assigns the answers of a key without numbers, or for questions without, to those above it in their order."""
        left = [draft for draft in self._drafts if draft.line < key.line and not draft.answers and draft.choices]
        if not any(name for _, name, _ in key.answers) and len(left) != len(key.answers):
            what = f"a key of {len(key.answers)} answers for {len(left)} questions: number its answers"
            self._notes.append(Remark(key.line, what))
            return
        for place, (line, name, label) in enumerate(key.answers, 1):
            number = int(name) if name.isdecimal() else place
            if 1 <= number <= len(left):
                left[number - 1].answers.append(label)
            else:
                self._notes.append(Remark(line, f"an answer to question {name}, which is not above or has one already"))
