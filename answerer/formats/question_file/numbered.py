"""Numbered questions with labelled choices as people type them, and Moodle's Aiken, whose questions
have no numbers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, NamedTuple

from answerer.formats.question_file.layout import (
    unfold_columns,
    unfold_pages,
    with_labels_for_boxes,
    with_latin_labels,
    without_feedback,
)
from answerer.formats.question_file.parts import (
    CYRILLIC,
    EM_SPACE,
    MOST,
    SERIES,
    SYMBOLS,
    LabelledChoice,
    Parsed,
    PlainQuestion,
    Remark,
    half_width,
    join_lines,
    keep_askable,
    right_choice,
)

# The style of a question's number that a word announces: Q1, Question 1, 問1, 第1問.
WORD = "Q"


class LineMark(NamedTuple):
    """A question number or choice label of a line. `style` is its kind: `A` (A. or A), which people
    mix), `(A)`, `1`, `(1)`, `1 ` (no sign after it), `①`, or `WORD`. `value` is its position in its
    series, from 1 (0: no number). The label begins at character `start`, 0 for one with which the
    line begins, the text after it at `end`. `begins_list`: a list of choices begins with it;
    `has_list`: a list begins between it and the next of its style, as after a question's number."""

    style: str
    value: int
    label: str
    start: int
    end: int
    begins_list: bool = False
    has_list: bool = False

    @property
    def is_digit(self) -> bool:
        """Whether the label is a number, plain or circled."""
        return "1" in self.style or self.style == "①"


_KANA = SERIES[2]
_LETTERS = _KANA + "".join(CYRILLIC)
_SIGNS = "".join(SYMBOLS)
_LABEL = rf"[A-Za-z{_LETTERS}]|\d{{1,4}}(?:[.-]\d{{1,3}}){{0,2}}"
_MARK = re.compile(
    rf"[(\[<]\s?(?P<bracketed>{_LABEL})\s?[)\]>](?:\s?[.:])?"
    rf"|(?P<delimited>{_LABEL})(?:[)\]]\.?|\s?[.:]\)?(?!\d)(?![A-Za-z]\.)|、|\s[-–—](?=\s))"
    rf"|(?P<spaced>[{_KANA}]|\d{{1,2}}|[A-Za-z](?=\s\s|[\t\u2003]))\s+(?=\S)"
    rf"|(?P<symbol>[{_SIGNS}])\s?[.:、)]?"
)
# A label inside a line follows a blank, but for symbols, and brackets in Japanese.
_INSIDE = re.compile(rf"(?:(?<!\S)|(?=[{_SIGNS}])|(?<=[^\x00-\x7f])(?=\())(?:{_MARK.pattern})")
_WORDS = r"question|problem|no(?=\.)|q|問題|問|题|第"
_NUMBERED = re.compile(
    rf"[\[(<]?\s*(?:{_WORDS})\s?\.?\s?(?P<number>\d{{1,4}}(?:[.-]\d{{1,3}})?)"
    rf"(?![\d%])\s?[問题題]?\s*[.):、\]>]*",
    re.IGNORECASE,
)
# What comes before a label or number and says nothing: bullets, emphasis, boxes to tick, places for
# an answer.
_BEFORE = re.compile(
    r"\s*(?:[#>+•●・○□✓✔√☑*-]\s*|\[[\sxX✓✔*]?\]\s*|_{2,}\s*(?=\d)|\(\s*\)\s*(?=\d))*"
)
_TICKED = re.compile(r"\s*(?:[-+•]\s+)?(?:\*(?![*\s])|\[[xX✓✔*]\]|[✓✔√☑])")
_JOINS = re.compile(r"\W*(?:and|or|と|や|または)?\W*", re.IGNORECASE)


def _mark_of(match: re.Match[str]) -> LineMark:
    """The question number or choice label that `_MARK` or `_INSIDE` found in a line in half width:
    its style (one "1." a part of a number, else the first label of its series; in brackets if the
    label is), its value, its text and its bounds."""
    kind = match.lastgroup or ""
    label = match[kind]
    if label[0].isdecimal() and kind != "symbol":
        parts = re.split("[.-]", label)
        style, value = (
            f"{'1.' * (len(parts) - 1)}1{' ' if kind == 'spaced' else ''}",
            int(parts[-1]),
        )
    else:
        series = next(
            series for series in (SYMBOLS if kind == "symbol" else SERIES) if label in series
        )
        style, value = series[0], series.index(label) + 1
    return LineMark(
        f"({style})" if kind == "bracketed" else style, value, label, match.start(), match.end()
    )


def _is_ticked(label: str) -> bool:
    """Whether a choice's label, with what is before it on its line, is starred or ticked."""
    return _TICKED.match(label) is not None


def _first_mark(line: str) -> LineMark | None:
    """The question number or choice label with which a line begins, after bullets and emphasis."""
    before = _BEFORE.match(line)
    begin = before.end() if before else 0
    if match := _NUMBERED.match(line, begin):
        return LineMark(
            WORD, int(re.split("[.-]", match["number"])[-1]), match["number"], 0, match.end()
        )
    label = _MARK.match(line, begin)
    return _mark_of(label)._replace(start=0) if label else None


def _rows_inside(line: str, first: LineMark | None) -> list[list[LineMark]]:
    """Sequences of labels inside a line (`A) x B) y`), each counting up from 1 or from its label
    `first`, without those that look like initials or that words such as "and" connect."""
    begin = first.end if first else 0
    rows: dict[str, list[LineMark]] = (
        {first.style: [first]} if first and first.style != WORD else {}
    )
    on_choice = first is not None and first.style != WORD and not first.is_digit
    for mark in map(_mark_of, _INSIDE.finditer(line, begin)):
        before = line[max(mark.start - 2, 0) : mark.start]
        # A digit without a sign after it is a label only behind a wide blank.
        if mark.style.endswith("1 ") and before.strip() and not before.endswith(EM_SPACE):
            continue
        row = rows.get(mark.style)
        if (
            row
            and mark.value == row[-1].value + 1
            and {line[row[-1].end - 1], line[mark.end - 1]} != {")", "."}
        ):
            row.append(mark)
        elif mark.value == 1 and not on_choice and not row:
            rows[mark.style] = [mark]
    sequences, done = [], begin
    for row in sorted(rows.values(), key=lambda row: row[0].start):
        texts = [line[mark.end : other.start] for mark, other in pairwise(row)] + [
            line[row[-1].end :]
        ]
        is_first = row[0] is first
        least = (
            3 if not is_first and line[row[0].end - 1] == "." else 2
        )  # initials: `A. Lincoln and B. Franklin`
        apart = (
            is_first or row[0].start >= done
        )  # not the labels that the choices of another row consist of
        if (
            apart
            and len(row) >= least
            and not any(text and _JOINS.fullmatch(text) for text in texts)
        ):
            done = row[-1].end
            sequences.append(row)
    return sequences


def marks_of(lines: Sequence[str]) -> list[list[LineMark]]:
    """The question numbers and choice labels of each line, in order of position; the result is
    parallel to `lines`."""
    narrow = list(map(half_width, lines))
    firsts = [_first_mark(line) for line in narrow]
    # Of each style, the values of the labels that begin lines, above and below the current one.
    above: dict[str, list[int]] = defaultdict(list)
    below: dict[str, list[int]] = defaultdict(list)
    for mark in filter(None, firsts):
        above[mark.style].append(mark.value)
    following: dict[
        str, tuple[int, int]
    ] = {}  # the next label of a style: its position, from the end, and its value
    position = next_list = 0
    marks: list[list[LineMark]] = []
    for line, first in zip(reversed(narrow), reversed(firsts), strict=True):
        line_marks = [first] if first else []
        if first:
            above[first.style].pop()
        for row in _rows_inside(line, first):
            values = below[row[0].style][-2:]
            inside = [mark for mark in row if mark is not first]
            # A label that the next lines count on from is one; otherwise that inside the line is
            # not one.
            if values[:-1] != [1] and {*values[-1:]} & {mark.value for mark in inside}:
                continue
            before = above[row[0].style][-1:]
            if row[0] is first and before == [
                first.value - 1
            ]:  # one choice a line: `C. John D. Rockefeller`
                inside = [
                    mark
                    for mark in inside
                    if line[mark.end - 1] != "." or not line[mark.start - 2].strip()
                ]
            line_marks += inside
        if first:
            below[first.style].append(first.value)
        # A list begins with a label 1 if the next label of its style is 2 and no other list begins
        # between the two; so question numbers do not form a list.
        row = []
        for mark in sorted(line_marks, key=lambda mark: -mark.start):
            position += 1
            after, value = following.get(mark.style, (0, 0))
            following[mark.style] = position, mark.value
            begins_list = (
                mark.style != WORD and mark.value == 1 and after > next_list and value == 2
            )
            has_list = next_list > 0 and next_list >= after
            row.append(mark._replace(begins_list=begins_list, has_list=has_list))
            next_list = position if begins_list else next_list
        marks.append(row[::-1])
    return marks[::-1]


_KEY_LABEL = rf"(?:[A-Za-z{_LETTERS}{_SIGNS}]|\d{{1,2}})"
_ANSWER_WORD = (
    r"(?:(?:the\s+)?(?:(?:correct|right|best)\s+)?(?:answers?|options?\s+correct[ae]?|solutions?)"
    r"(?:\s+key)?|(?:the\s+)?(?:correct|right|best)\s+(?:options?|choices?|responses?"
    r"|alternatives?)|ans|key|correct"
    r"|(?:模範)?解答|正解|正答|(?:正确|正確|参考|參考|标准|標準)?答案|答え?"
    r"|정답|(?:la\s+)?respuestas?(?:\s+correctas?)?|soluci[oó]n|opción\s+correcta"
    r"|(?:la\s+)?(?:bonnes?\s+)?réponses?(?:\s+(?:correctes?|exactes?|justes?))?|corrigé"
    r"|(?:die\s+)?(?:richtige|korrekte)?\s?antwort(?:en)?|lösung(?:en)?"
    r"|(?:a\s+)?respostas?(?:\s+(?:corretas?|certas?))?|gabarito"
    r"|(?:la\s+)?rispost[ae](?:\s+(?:corrett[ae]|esatt[ae]|giust[ae]))?|soluzion[ei]"
    r"|(?:(?:juiste|goede)\s+)?antwoord(?:en)?|(?:(?:poprawna|prawidłowa)\s+)?odpowiedź"
    r"|(?:(?:правильный|верный)\s+)?ответы?|(?:doğru\s+)?cevap|(?:rätt\s+)?svar)"
    r"(?:番号|一覧|表)?"
)
# What a learner chose, which some programs print before the right answer.
_GIVEN_ANSWER = re.compile(
    r"\s*(?:我的答案|学生答案|你的答案|(?:your|my|selected|student)\s+(?:answer|choice"
    r"|response))\s*:\s*(?P<label>[A-Za-z]{0,6})[\s;,.]*",
    re.IGNORECASE,
)
# What ExamView prints behind an answer: points, difficulty, page, topic.
_BEHIND_ANSWER = re.compile(r"(?<=\S)\s+(?:PTS|DIF|REF|OBJ|TOP|KEY|NAT|STA|MSC|BLM|LOC|NOT)\s*:.*")
_ANSWER_LINE = re.compile(
    rf"[\[(<*_#>\s-]*(?P<word>{_ANSWER_WORD})(?![A-Za-zÀ-ɏЀ-ӿ])[\])>*_]*(?P<sign>\s*[:=.]|\s+(?:is"
    rf"|es|est|ist)\b|は)?[\s*_:–—-]*(?P<rest>.*)",
    re.IGNORECASE,
)
_ANSWER_START = re.compile(
    rf"[\W_]*+(?:{_GIVEN_ANSWER.pattern}|{_ANSWER_WORD}\s*[:=])", re.IGNORECASE
)
_LABELS = re.compile(
    rf"[(\[]?\s*{_KEY_LABEL}\s*[)\]]?(?:\s*[,;/&、・]\s*{_KEY_LABEL})*[\s.。)\]>*_]*"
)
_TICK = re.compile(
    rf"(?:[✓✔√☑]|[\[(]\s*(?:correct|right|正解|○"
    rf"|{_ANSWER_WORD}\s*[:=.]?\s*\(?{_KEY_LABEL})[\])\s]*[\])])\s*$",
    re.IGNORECASE,
)
_PAIR = re.compile(
    rf"(?:q\s?|問\s?"
    rf"|第\s?)?[(\[]?(?P<number>\d{{1,4}}(?:[.-]\d{{1,3}})?)\s?問?[)\]]?(?:\s?[.:)、=-]\s?|\s+|"
    rf"(?=[A-Za-z]))[(\[]?(?P<label>{_KEY_LABEL})[)\]]?(?=$|[\s,;、。|.)])[\s,;、。|.]*",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"[\[(<*_\s]*(?:explanation|rationale|feedback|reason|hint|difficulty|diff|points?|pts|topic"
    r"|ref|reference|objective|bloom'?s?|解説|解析|説明|配点|难度|考点|分值|explicación|explication"
    r"|erklärung|spiegazione|explicação|пояснение)"
    r"[\])>*_]*\s*(?::|$|(?<=[\]>]))",
    re.IGNORECASE,
)
# An answer behind a text on its line, as `Ans: (b)` behind the last choice.
_ANSWER_BEHIND = re.compile(
    rf"(?<=\S)\s+(?=(?:{_ANSWER_WORD})\s*[:=]\s*[(\[]?{_KEY_LABEL}[)\]]?[\s.。]*$)", re.IGNORECASE
)
_LONGEST_ANSWER = 80  # characters at the end of a line in which such an answer is sought
# A line that says a label, in words that are not known for an answer's.
_LIKE_ANSWER = re.compile(
    rf"[\W_]*[^\W\d_]{{2,20}}(?:\s[^\W\d_]{{2,20}}){{0,3}}\s*(?:[:=]"
    rf"|\s[-–—]\s)\s*[(\[]?{_KEY_LABEL}"
    r"[)\]]?[\s.。]*"
)
_WIDE_LABEL = re.compile(rf"(?:(?<=\s\s)|(?<=[\t{EM_SPACE}]))(?:{_MARK.pattern})")
_HEADING = re.compile(
    r"\s*(?:(?:page|section|part|chapter|unit)\s+(?:\d{1,3}|[IVX]{1,4}|[A-Z])\b"
    r"|第\s?[\d一二三四五六七八九十]{1,3}\s?[部章節]).{0,50}",
    re.IGNORECASE,
)
_PLURAL = re.compile("s$|key|解答", re.IGNORECASE)


def _pairs_of(narrow: str) -> list[tuple[str, str]]:
    """The pairs (question number, label) that a text in half width consists of; [] for one with
    other contents."""
    pairs = list(_PAIR.finditer(narrow.strip()))
    is_whole = "".join(pair[0] for pair in pairs) == narrow.strip()
    return [(pair["number"], pair["label"]) for pair in pairs] if is_whole else []


KeyRow = tuple[
    int, str, str
]  # an answer of a key: its line, the number of its question as printed, its label


def _split_answers(
    lines: Sequence[tuple[int, str]],
) -> tuple[list[tuple[int, str]], dict[int, str], list[KeyRow]]:
    """Separates a text from its answers: (lines, answers by index of their line, rows of keys).
    Lines are pairs (line number, text), here those of answers and keys are blank. An answer is a
    line such as `Answer: B`, `Ans. (b)`, `The correct answer is C.`, `正解: イ` or `【答え】ア`; an
    explanation counts as "". A key is a line such as `Answers`, with pairs of number and label
    behind it or below; or, at the end of the text and below a blank line, two or more such pairs
    whose numbers begin lines above."""
    texts: list[tuple[int, str]] = []
    answers: dict[int, str] = {}
    key: list[KeyRow] = []
    is_open = is_next = False
    for row, (number, text) in enumerate(lines):
        narrow = half_width(text)
        if is_next and text.strip():  # below `Answer:`
            is_next = False
            if _LABELS.fullmatch(narrow.strip()):
                is_open = False
                answers[row] = narrow.strip()
                texts.append((number, ""))
                continue
        if prefix := _GIVEN_ANSWER.match(narrow):
            narrow = narrow[prefix.end() :]
            if not narrow.strip():
                answers[row] = ""
                texts.append((number, ""))
                continue
        match = _ANSWER_LINE.fullmatch(narrow)
        rest = _BEHIND_ANSWER.sub("", match["rest"] if match else narrow, count=1)
        rest = rest.strip(f" \t{EM_SPACE}*_:") if match else narrow
        pairs = _pairs_of(rest)
        if match and (not rest or len(pairs) > 1 or (pairs and _PLURAL.search(match["word"]))):
            is_open = True
            is_next = not rest
        elif is_open and text.strip() and not pairs and not _HEADING.fullmatch(narrow):
            is_open = False
        if is_open:
            key += [(number, *pair) for pair in pairs]
        elif _REASON.match(narrow):
            answers[row] = ""
        elif match:
            before = narrow[: match.start("rest")].strip()
            # Without a sign or "is" after the word only labels are an answer.
            if match["sign"] or before.endswith("]") or _LABELS.fullmatch(rest):
                answers[row] = rest.rstrip("])>") if before.startswith(("[", "(", "<")) else rest
        texts.append((number, "" if is_open or row in answers else text))
    final: list[KeyRow] = []
    row = len(texts)
    while row and (
        (pairs := _pairs_of(half_width(texts[row - 1][1]))) or not texts[row - 1][1].strip()
    ):
        row -= 1
        final[:0] = [(texts[row][0], *pair) for pair in pairs]
    above = {mark.label for _, text in texts[:row] if (mark := _first_mark(half_width(text)))}
    # Left in the text, it could be taken for the choices of the last question.
    if len(final) > 1 and not texts[row][1].strip() and {name for _, name, _ in final} <= above:
        key += final
        texts[row:] = [(number, "") for number, _ in texts[row:]]
    return texts, answers, key


@dataclass
class _QuestionDraft:
    """A question being read: its first line, its printed number, the lines of its text (`stem`; one
    that begins with a line end begins a paragraph), its choices with their lines, of which the
    first is the printed label. An answer closes it: what follows belongs to the next."""

    line: int
    name: str
    stem: list[str] = field(default_factory=list)
    choices: list[tuple[LineMark, list[str]]] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    stars: list[bool] = field(default_factory=list)  # by choice: whether it is ticked
    others: list[str] = field(
        default_factory=list
    )  # labels of its style, not those of a next choice
    is_closed: bool = False

    @property
    def style(self) -> str:
        """The style of its choices' labels."""
        return self.choices[-1][0].style if self.choices else ""

    @property
    def last_lines(self) -> list[str]:
        """The lines of its last choice, or of its text."""
        return self.choices[-1][1] if self.choices else self.stem

    def question(self) -> PlainQuestion | Remark:
        """The finished question; a remark if a tick or an answer in brackets would give the right
        choice away, or if labels are missing or repeated. Starred choices are its answers, unless
        all are starred or another answer is there."""
        choices = [
            LabelledChoice(mark.label, join_lines(lines).strip("* "))
            for mark, (_, *lines) in self.choices
        ]
        paragraphs = [join_lines(text.split("\n")) for text in "\n".join(self.stem).split("\n\n")]
        stem = "\n".join(filter(None, paragraphs)).strip("* ")
        if any(
            _TICK.search(half_width(text)) for text in (stem, *(choice.text for choice in choices))
        ):
            what = (
                f"question {self.name} has its answer beside a text: write it on a line `Answer: B`"
            )
            return Remark(self.line, what)
        if self.choices and (fault := self._fault_of_labels()):
            what = f"question {self.name}" if self.name else "a question"
            return Remark(self.line, f"{what} has labels {fault}: number its choices in order")
        answers = tuple(self.answers)
        if not answers and not all(self.stars):
            ticked = zip(choices, self.stars, strict=True)
            answers = tuple(choice.label for choice, is_ticked in ticked if is_ticked)
        return PlainQuestion(self.name, stem, tuple(choices), answers, self.line)

    def can_be(self, answer: str) -> bool:
        """Whether an answer names one of its choices."""
        choices = [
            LabelledChoice(mark.label, join_lines(lines)) for mark, (_, *lines) in self.choices
        ]
        return right_choice(choices, answer) is not None

    def _fault_of_labels(self) -> str:
        """What is wrong with the labels: those printed, and the missing or repeated; "" if they
        count up without a gap, and no choice holds another of their style behind a wide blank."""
        printed = [mark.label for mark, _ in self.choices] + self.others
        for mark, (_, *lines) in self.choices:
            for match in _WIDE_LABEL.finditer(half_width("\n".join(lines))):
                inside = _mark_of(match)
                if inside.style == mark.style and inside.value >= mark.value:
                    printed.append(inside.label)
        if len(printed) == len(self.choices):
            return ""
        repeated = [label for label, count in Counter(printed).items() if count > 1]
        fault = f"{repeated[0]} is repeated" if repeated else "one is missing or out of place"
        return f"{', '.join(printed)}: {fault}"


# From one question's number to the next, a choice: a year at the beginning of a line is not a
# number.
_LONGEST_STEP = 500


def read_numbered(text: str) -> Parsed:
    """Reads the questions of a numbered text, with their answers.

    A question begins with a number (`1.`, `1)`, `(1)`, `Q1`, 問1, 第1問), or without a number after
    a blank line or an answer; its choices are the last list of labels before the next question.
    Answers come from a line below the question or from an answer key. Lines outside of questions
    are counted in a note.
    """
    lines = [
        (n, part)
        for n, line in enumerate(text.split("\n"), 1)
        for part in line.splitlines() or [""]
    ]
    lines, feedback = without_feedback(unfold_pages(lines))
    lines = with_labels_for_boxes(with_latin_labels(unfold_columns(_answers_apart(lines))))
    texts, answers, key = _split_answers(lines)
    marks = marks_of([line for _, line in texts])
    lists = Counter(mark.style for row in marks for mark in row if mark.begins_list)
    # The style of most lists, of several that of the list nearest to the end.
    reader = _NumberedReader(max(reversed(lists), key=lists.__getitem__, default=""))
    for position, (number, line) in enumerate(texts):
        if position in answers:
            reader.add_answer(number, answers[position])
        else:
            reader.add_line(number, line, marks[position])
    reader.end_held()
    # An answer of a key goes by its number, or its position where no question has a number.
    # Sections may count from 1 again: it goes to the first such question without an answer above
    # the key, which may also precede all questions.
    has_numbers = any(draft.name for draft in reader.drafts)
    waiting: dict[str, deque[_QuestionDraft]] = defaultdict(deque)
    for position, draft in enumerate(reader.drafts, 1):
        if draft.choices and not draft.answers:
            waiting[draft.name if has_numbers else str(position)].append(draft)
    notes = [*feedback, *reader.unknown]
    for number, name, label in key:
        if waiting[name] and (waiting[name][0].line < number or number < reader.drafts[0].line):
            waiting[name].popleft().answers.append(label)
        else:
            notes.append(
                Remark(
                    number, f"an answer to question {name}, which is not above or has one already"
                )
            )
    if reader.stray:
        (number, line), count = reader.stray[0], len(reader.stray)
        more = f" and {count - 1} more" if count > 1 else ""
        notes.append(Remark(number, f"left out: {' '.join(line.split())[:60]!r}{more}"))
    return keep_askable([draft.question() for draft in reader.drafts], notes)


def _answers_apart(lines: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """The lines with an answer at a line's end as a separate line."""
    apart: list[tuple[int, str]] = []
    for number, line in lines:
        begin = max(len(line) - _LONGEST_ANSWER, 0)
        behind = _ANSWER_BEHIND.search(half_width(line[begin:]))
        # Behind a choice, or a gap: otherwise what is before may be the answer's own words.
        is_behind = behind and (
            len(behind[0].expandtabs()) > 1 or _first_mark(half_width(line)) is not None
        )
        if behind and is_behind and not _ANSWER_START.match(half_width(line)):
            cut = begin + behind.start()
            apart += [(number, line[:cut]), (number, line[cut:].strip())]
        else:
            apart.append((number, line))
    return apart


class _NumberedReader:
    """Reads a numbered text line by line. `usual` is the style of most lists of choices. `drafts`
    are the questions so far, of which the last is open; `stray` are pairs (line number, text)
    outside of questions."""

    def __init__(self, usual: str) -> None:
        self._usual = usual
        self.drafts: list[_QuestionDraft] = []
        self.stray: list[tuple[int, str]] = []
        self.unknown: list[Remark] = []  # on lines like answers
        self._held: list[
            tuple[int, str, bool]
        ] = []  # lines of this question or the next, true after a blank line
        self._begin: int | None = None  # of those, the last after a blank line or an answer
        self._is_apart = True  # the line before was blank
        self._counted = ""  # the style of the questions' numbers
        self._number = 0  # of the last question

    @property
    def _open(self) -> _QuestionDraft | None:
        return self.drafts[-1] if self.drafts and not self.drafts[-1].is_closed else None

    def add_line(self, number: int, text: str, marks: Sequence[LineMark]) -> None:
        """Adds line `number`, split at its numbers and labels."""
        done = 0
        is_below = self._open is not None and len(self._open.choices) > 1
        if is_below and _LIKE_ANSWER.fullmatch(half_width(text)):
            self.unknown.append(
                Remark(
                    number, f"like an answer, in words not known: {' '.join(text.split())[:60]!r}"
                )
            )
            return
        for mark in marks:
            draft, role = self._open, self._role(mark)
            if role == "text":
                if draft and draft.style == mark.style and not mark.start and self._is_label(mark):
                    draft.others.append(mark.label)
                continue
            self._add_text(number, text[done : mark.start], is_owned=done > 0)
            done = mark.end
            if role == "number":
                self.end_held()
                self._counted, self._number = self._counted or mark.style, mark.value
                self.drafts.append(_QuestionDraft(number, mark.label))
                continue
            begins_anew = (
                role == "first"
                and draft is not None
                and draft.choices
                and (draft.style == self._usual or mark.style != self._usual)
            )
            if draft is None or begins_anew:
                # A question without a number: the lines below the last blank line, or below the
                # last choice.
                begin = self._begin or 0
                block, self._held = self._held[begin:], self._held[:begin]
                self.end_held()
                draft = _QuestionDraft(
                    block[0][0] if block else number, "", [line for _, line, _ in block]
                )
                self.drafts.append(draft)
            elif role == "first":  # an earlier list is part of the text
                draft.stem += [line for _, lines in draft.choices for line in lines]
                draft.choices, draft.stars, draft.others = [], [], []
            draft.last_lines.extend(f"\n{line}" if apart else line for _, line, apart in self._held)
            self._held, self._begin = [], None
            before = text[done - (mark.end - mark.start) : done] if mark.start else ""
            draft.stars.append(_is_ticked(before or text[: mark.end]))
            draft.choices.append(
                (mark, [("" if mark.start else "\n") + text[mark.start : mark.end]])
            )
        self._add_text(number, text[done:], is_owned=done > 0)
        self._is_apart = not text.strip()

    def _add_text(self, number: int, text: str, *, is_owned: bool) -> None:
        """Adds text to the open question, or holds it back if it may belong to the next; headings
        become stray. Text behind a number or label on its line is owned by it."""
        draft = self._open
        if not text.strip():
            return
        if (
            not is_owned
            and not (draft and not draft.choices)
            and _HEADING.fullmatch(half_width(text))
        ):
            self.stray.append((number, text))
        elif draft and (
            is_owned or not draft.choices or (len(draft.last_lines) == 1 and not self._is_apart)
        ):
            draft.last_lines.append(text)
        else:
            if self._is_apart or (draft is None and not self._held):
                self._begin = len(self._held)
            self._held.append((number, text, self._is_apart))

    def _role(self, mark: LineMark) -> Literal["number", "next", "first", "text"]:
        """Whether a mark is a question's number, the next choice of the open one, the first of a
        list, or only text."""
        if mark.style == WORD:
            return "number"
        draft, follows, is_usual = (
            self._open,
            mark.value == self._number + 1,
            mark.style == self._usual,
        )
        # Reasons to take it for a number, and how many it takes: most for a style that no number
        # had so far.
        if not self._counted:
            least = int(mark.begins_list)
        elif mark.style == self._counted:
            least = 1
        else:
            least = 2
        is_number = (
            mark.is_digit
            and not mark.start
            and self._counted != WORD
            and follows + mark.has_list >= least
        )
        if not follows and (
            mark.style.endswith("1 ") or 0 < self._number < mark.value - _LONGEST_STEP
        ):
            is_number = False
        if draft and draft.style == mark.style and mark.value == len(draft.choices) + 1:
            # `3.` behind choices 1. and 2. is the next choice, unless it is the next question with
            # a list below.
            is_number = (
                is_number and len(draft.choices) > 1 and is_usual and follows and mark.has_list
            )
            return "number" if is_number else "next"
        is_full = draft is not None and draft.style == self._usual
        is_apart = self._begin is not None
        if mark.begins_list and (
            not is_number or (draft and not is_full) or (is_apart and is_usual)
        ):
            # A list of unusual labels among the choices is text of a choice.
            return "text" if is_full and not is_usual and not is_apart else "first"
        return "number" if is_number else "text"

    @staticmethod
    def _is_label(mark: LineMark) -> bool:
        """Whether a mark may be a choice's label: a letter, or a small number with a sign."""
        return not mark.is_digit or (mark.value <= MOST and not mark.style.endswith("1 "))

    def add_answer(self, number: int, answer: str) -> None:
        """Adds an answer to the last question, and closes it if it has choices; "", an explanation,
        adds nothing. Without a question the answer becomes a stray line."""
        self.end_held()
        draft = self.drafts[-1] if self.drafts else None
        if draft and answer and draft.answers and draft.choices and not draft.can_be(answer):
            self.stray.append((number, answer))
        elif draft and answer:
            draft.answers.append(answer)
        elif answer:
            self.stray.append((number, answer))
        if draft and draft.choices:
            draft.is_closed = True

    def end_held(self) -> None:
        """Ends the lines held back: those above a blank line go on with the last choice, others are
        stray."""
        draft, end = self._open, 0
        while draft and end < len(self._held) and not self._held[end][2]:
            draft.last_lines.append(self._held[end][1])
            end += 1
        self.stray += [(number, text) for number, text, _ in self._held[end:]]
        self._held, self._begin = [], None
