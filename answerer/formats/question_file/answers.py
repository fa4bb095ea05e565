"""The answers of questions in numbered text: on lines of their own, beside numbers and texts, in
brackets."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from answerer.formats.question_file.drafts import WORDS_OF_TRUTH, QuestionDraft, is_truth
from answerer.formats.question_file.keys import KEY_LABELS, LABELS, TRUTHS, KeyRow, cells_of
from answerer.formats.question_file.layout import next_lines
from answerer.formats.question_file.lines import (
    ANSWER_LINE,
    ANSWER_WORD,
    EMOJI,
    KANA,
    KEY_LABEL,
    LETTERS,
    SIGNS,
    WORD,
    Line,
    Lines,
    is_truth_sign,
)
from answerer.formats.question_file.parts import EM_SPACE, PlainQuestion, Remark, plain_label

# What a learner chose, which some programs print before the right answer.
_GIVEN_ANSWER = re.compile(
    r"\s*(?:我的答案|学生答案|你的答案|(?:your|my|selected|student)\s+(?:answer|choice"
    r"|response))\s*:\s*(?P<label>[A-Za-z]{0,6})[\s;,.]*",
    re.IGNORECASE,
)
# What ExamView prints behind an answer: points, difficulty, page, topic.
_BEHIND_ANSWER = re.compile(
    r"(?<=\S)\s+(?:PTS|DIF|REF|OBJ|TOP|KEY|NAT|STA|MSC|BLM|LOC|NOT"
    r"|解説|解析|(?:Explanation|Rationale|Feedback))\s*:.*"
)
_ANSWER_START = re.compile(
    rf"[\W_]*+(?:{_GIVEN_ANSWER.pattern}|{ANSWER_WORD}\s*[:=])", re.IGNORECASE
)
_REASON = re.compile(
    rf"[\[(<*_\s{EMOJI}]*(?:[a-z']{{2,15}}[\s/]){{0,2}}(?:explanation|explained|rationale|feedback|reason|hint"
    r"|difficulty|diff|points?|pts|topic|concept|ref|reference|objective|bloom'?s?|type|category|tags?"
    r"|level|解説|解析|详解|説明|配点|难度|考点|分值|explicación|explication"
    r"|erklärung|spiegazione|explicação|пояснение)"
    r"[\])>*_]*\s*(?::|$|(?<=[\]>]))|解析(?![几式学])|sol\.",
    re.IGNORECASE,
)
# The answer with which an explanation ends: `so the correct answer is B.`
_ANSWER_IN_REASON = re.compile(
    rf"{ANSWER_WORD}\s*(?::|は|为|為|是|is\s)\s*[(\[]?(?P<label>[A-Z{LETTERS}{SIGNS}])[)\]]?[\s.。]*$",
    re.IGNORECASE,
)
# An answer behind a text on its line, as `Ans: (b)` behind the last choice.
_ANSWER_BEHIND = re.compile(
    rf"(?<=\S)\s+(?=(?:{ANSWER_WORD})\s*[:=]\s*[(\[]?{KEY_LABEL}[)\]]?[\s.。]*$)", re.IGNORECASE
)
_TRUTH_BEHIND = re.compile(
    rf"(?<=\S)\s(?:→|⇒|[=-]>)\s*(?=(?:{TRUTHS})\s*(?:$|[-–—(\[.,:;]))"
    r"|(?<=\w\w[.!])\s+(?=(?-i:(?P<letter>[TF]))\s*(?:$|[-–—]\s))",
    re.IGNORECASE,
)
_LONGEST_ANSWER = 80  # characters at the end of a line in which such an answer is sought
# An answer in the place for it, at the end of a question or of its last choice: `（ B ）`, `[B]`.
_IN_BRACKETS = re.compile(
    r"[(（\[【]\s*(?P<labels>[A-Za-z①-⑨アイウエオ]{1,5})\s*[)）\]】](?=\s*[。.?？:：]?\s*$)"
)
_IN_WIDE_BRACKETS = re.compile(r"（\s*(?P<labels>[A-Z]{1,5})\s*）")
_BEHIND_SIGN = re.compile(r"(?<=[.?:…_])\s+(?P<labels>[A-Za-z])$")
_ASKED = re.compile(r"\s*Q\s*[:.]\s*(?=\S)")
_REPLIED = re.compile(r"\s*A\s*[:.]\s*(?P<label>[A-Za-z])[).]?\s*")
_REPLIED_TO = re.compile(
    rf"\s*A\s?(?P<number>\d{{1,3}})\s*[.:)]\s*(?P<label>[A-Za-z{KANA}{SIGNS}])[).]?\s*"
)
# A place for the answer beside a number, perhaps filled: `__B__ 1.`, `( B ) 1.`, `B 1.`, `( ) 1.`
_IN_PLACE = r"[A-Za-z]|(?i:true|false)"
_BEFORE_NUMBER = re.compile(
    rf"\s*(?:_++\s*+(?:(?P<line>{_IN_PLACE})\s*+_++)?|\(\s*+\)|[(\[]\s*(?P<bracket>[A-Z])\s*[)\]]"
    r"|(?P<bare>[A-PR-Z]))\s*(?=(?P<number>\d{1,3})[.)]\s*(?!Ans)\S)"
)
_BEHIND_NUMBER = re.compile(rf"(\s*\d{{1,3}}[.)]\s*+)_++\s*+({_IN_PLACE})\s*+_++\s*(?=\S)")
_ROW_LABEL = rf"[A-Za-z{KANA}{SIGNS}○〇◯×✕]"
_ROW_OF_LABELS = re.compile(rf"{_ROW_LABEL}(?:[\s,、・]*{_ROW_LABEL})+")
_AROUND_ANSWER = f" \t{EM_SPACE}*_:"
_UNBROKEN_ROW = re.compile(rf"[{KANA}{SIGNS}○〇◯×✕]{{2,}}")


def with_answers_behind_letters(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines of a text whose questions begin with `Q:` or `Q.`, with blank lines before these,
    and with a word before answers `A: B` or `A. B`, of one letter, above none that begins with B;
    unchanged if no line begins with `Q:` or `Q.`. `A1: B` below the question `Q1` is its answer;
    elsewhere below questions with such numbers it becomes `1. B`, as in a key."""
    lines = list(lines)
    has_letters = any(_ASKED.match(line.text) for line in lines)
    number: str | None = None  # the number of the question above, "" in a key
    for line, following in zip(lines, next_lines(lines), strict=True):
        if line.mark and line.mark.style == WORD:
            number = line.mark.label
        reply = _REPLIED_TO.fullmatch(line.narrow) if number is not None else None
        if reply:
            number = number if number == reply["number"] else ""
            before = "Answer:" if number else f"{reply['number']}."
            yield line.with_text(f"{before} {reply['label']}")
        elif has_letters and (match := _ASKED.match(line.text)):
            yield line.with_text("")
            yield line.with_text(line.text[match.end() :])
        elif (
            has_letters
            and (match := _REPLIED.fullmatch(line.text))
            and not (following.mark and following.mark.label == "B")
        ):
            yield line.with_text(f"Answer: {match['label']}")
        else:
            yield line


def answers_beside_numbers(lines: Lines) -> Iterator[Line]:
    """The lines, each answer in a place beside its question's number moved to a line `Answer: X`
    of the same number behind it, without empty places before numbers. Places are underlined;
    before numbers that count up without a gap, two at least, answers are also in brackets or bare.
    Places behind numbers count if two lines at least have one."""
    before = [_BEFORE_NUMBER.match(line.narrow) for line in lines]
    behind = [_BEHIND_NUMBER.match(line.text) for line in lines]
    numbers = [int(match["number"]) for match in before if match and any(match.groups()[:3])]
    is_count = len(numbers) > 1 and numbers == [*range(numbers[0], numbers[0] + len(numbers))]
    are_filled = sum(map(bool, behind)) > 1
    for line, match, blank in zip(lines, before, behind, strict=True):
        text, label = line.text, ""
        if match and (is_count or not (match["bracket"] or match["bare"])):
            label = match["line"] or match["bracket"] or match["bare"]
            text = text[match.end() :]
        elif blank and are_filled:
            label = blank[2]
            text = blank[1] + text[blank.end() :]
        yield line.with_text(text)
        if label:
            yield line.with_text(f"Answer: {label}")


def answers_apart(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines with an answer in the last 80 characters of a line as a separate line of the same
    number, unless it begins with one; so also a word for true or false behind an arrow."""
    for line in lines:
        begin = max(len(line.text) - _LONGEST_ANSWER, 0)
        if behind := _TRUTH_BEHIND.search(line.narrow):
            yield line.with_text(line.text[: behind.start()])
            yield line.with_text(f"Answer: {behind['letter'] or line.text[behind.end() :]}")
        elif (behind := _ANSWER_BEHIND.search(line.narrow, begin)) and not _ANSWER_START.match(
            line.narrow
        ):
            yield line.with_text(line.text[: behind.start()])
            yield line.with_text(line.text[behind.start() :].strip())
        else:
            yield line


def split_answers(lines: Lines) -> tuple[list[Line], dict[int, str]]:
    """Separates a text from its answers: lines, those of answers blank, and answers by index of
    their line. An answer is what a line such as `Answer: B`, `Ans. (b)`, `The correct answer is
    C.` or `正解: イ` has behind the word, as printed (labels, ○ and × alone without a sign such as
    `:`), or labels in the line below; a line `Your answer: C` counts as "", and so does
    `Explanation: …`, unless it ends with an answer."""
    texts: list[Line] = []
    answers: dict[int, str] = {}
    is_next = False
    for row, line in enumerate(lines):
        answer = _answer_of(lines, row, is_next=is_next)
        is_word = line.answer is not None and not line.answer["rest"].strip(_AROUND_ANSWER)
        is_next = is_word or (is_next and line.is_blank)
        if answer is not None:
            answers[row] = answer
        texts.append(line if answer is None and not is_word else line.with_text(""))
    return texts, answers


def _answer_of(lines: Lines, row: int, *, is_next: bool) -> str | None:
    """The answer that a line gives, with `is_next` below an answer word alone; "" for an
    explanation, None for another line."""
    narrow = lines[row].narrow
    if is_next and _is_answer(lines, row, below := narrow.strip(_AROUND_ANSWER)):
        return below
    if prefix := _GIVEN_ANSWER.match(narrow):
        narrow = narrow[prefix.end() :]
        if not narrow.strip():
            return ""
    match = ANSWER_LINE.fullmatch(narrow)
    if _REASON.match(narrow):
        behind = _ANSWER_IN_REASON.search(narrow)
        return behind["label"] if behind else ""
    rest = _BEHIND_ANSWER.sub("", match["rest"], count=1).strip(_AROUND_ANSWER) if match else ""
    if not match or not rest:
        return None
    before = narrow[: match.start("rest")].strip()
    # Without a sign or "is" after the word only labels and ○ and × are an answer.
    if match["sign"] or before.endswith("]") or _is_answer(lines, row, rest):
        return rest.rstrip("])>") if before.startswith(("[", "(", "<")) else rest
    return None


def _is_answer(lines: Lines, row: int, narrow: str) -> bool:
    """Whether a text of a line is labels, or a sign for true or false, or the last row of some."""
    is_label = LABELS.fullmatch(narrow) is not None
    return is_label or is_truth_sign(narrow) or _is_last_row(lines, row, narrow)


def _is_last_row(lines: Lines, row: int, narrow: str) -> bool:
    """Whether `narrow`, of the last line that is not blank, the one at `row`, is a row of labels
    without numbers, or of signs for true and false, but not of both; letters and digits need blanks
    between them."""
    is_unbroken = _UNBROKEN_ROW.fullmatch(narrow.strip()) is not None
    labels = list(narrow.strip()) if is_unbroken else cells_of(KEY_LABELS, Line(0, narrow))
    is_row = len(set(map(is_truth_sign, labels))) == 1
    return is_row and all(line.is_blank for line in lines[row + 1 :])


def share_key(drafts: Sequence[QuestionDraft], key: Sequence[KeyRow]) -> list[Remark]:
    """Gives the answers of a key to the questions, with remarks on those for which none is above,
    or only ones with an answer.

    An answer goes by its number, or its position where no question has a number. Sections may count
    from 1 again: it goes to the first such question without an answer above the key, which may also
    precede all questions. Without choices, only true or false is one."""
    has_numbers = any(draft.name for draft in drafts)
    numbered: dict[str, list[QuestionDraft]] = defaultdict(list)
    for position, draft in enumerate(drafts, 1):
        if draft.choices or has_numbers:
            numbered[plain_label(draft.name) if has_numbers else str(position)].append(draft)
    are_judged = any(is_truth(label) and label not in "fF" for _, _, label in key)
    remarks = []
    for number, name, label in key:
        waiting = [draft for draft in numbered[name] if not draft.answers]
        fitting = [draft for draft in waiting if draft.takes(label, are_judged=are_judged)][:1]
        what = f"an answer to question {name}"
        if fitting and (fitting[0].line < number or number < drafts[0].line):
            is_cross = not fitting[0].choices and label in "xX"  # written for ×
            fitting[0].answers.append("×" if is_cross else label)
        elif fitting or not numbered[name]:
            remarks.append(Remark(number, f"{what}, which is not above"))
        elif not waiting:
            remarks.append(Remark(number, f"{what}, which has one already"))
    return remarks


def judges_all(rows: Sequence[KeyRow]) -> bool:
    """Whether the rows of a key, two at least, are all words for true or false, and not all F,
    which may be a choice's label."""
    labels = {label for _, _, label in rows}
    return len(rows) > 1 and labels <= WORDS_OF_TRUTH and not labels <= {"f", "F"}


def share_row(drafts: Sequence[QuestionDraft]) -> None:
    """Gives the labels of a row below the last question (`Key: BADC`) to all questions with
    choices, if there are as many, two at least, and no other answers."""
    labelled = [draft for draft in drafts if draft.choices]
    answers = [answer for draft in labelled for answer in draft.answers]
    if len(labelled) < 2 or len(answers) != 1 or not labelled[-1].answers:
        return
    labels = (
        re.findall(_ROW_LABEL, answers[0]) if _ROW_OF_LABELS.fullmatch(answers[0].strip()) else []
    )
    if len(labels) == len(labelled):
        for draft, label in zip(labelled, labels, strict=True):
            draft.answers[:] = [label]


def with_answers_in_brackets(
    questions: Sequence[PlainQuestion | Remark],
) -> list[PlainQuestion | Remark]:
    """The questions with the labels in brackets at the end of a question, or of its last choice, or
    in （ ） in it, in any case, as answers, if at least half of them, and two, have such; else they
    stay text."""
    changed = [
        _answer_in_brackets(question) if isinstance(question, PlainQuestion) else None
        for question in questions
    ]
    count = sum(isinstance(question, PlainQuestion) for question in questions)
    if sum(map(bool, changed)) < max(2, count / 2):
        return list(questions)
    return [after or before for before, after in zip(questions, changed, strict=True)]


def _answer_in_brackets(question: PlainQuestion) -> PlainQuestion | None:
    """A question without another answer, with the labels in its brackets as answers and not in its
    text; None for others."""
    labels = {choice.label.casefold() for choice in question.choices}
    if question.answers or not labels:
        return None
    for pattern in (_IN_WIDE_BRACKETS, _IN_BRACKETS, _BEHIND_SIGN):
        match = pattern.search(question.text)
        if match and set(match["labels"].casefold()) <= labels:
            begin, end = match.span("labels") if pattern is _IN_WIDE_BRACKETS else match.span()
            text = f"{question.text[:begin].rstrip()} {question.text[end:].lstrip()}".strip()
            return question._replace(text=text, answers=tuple(match["labels"]))
    *before, last = question.choices
    match = _IN_BRACKETS.search(last.text)
    if match and match.start() and set(match["labels"].casefold()) <= labels:
        choices = (*before, last._replace(text=last.text[: match.start()].rstrip()))
        return question._replace(choices=choices, answers=tuple(match["labels"]))
    return None
