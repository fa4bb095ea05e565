"""Numbered questions with labelled choices as people type them, and Moodle's Aiken, whose questions
have no numbers.

What a line begins with says `lines`, labels inside it `marks`; `layout` has the order of reading,
`keys` and `answers` what is right, `statements` true and false, `unlabelled` boxes and bullets,
`drafts` the question being read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from answerer.formats.question_file.answers import (
    answers_apart,
    answers_beside_numbers,
    judges_all,
    share_key,
    share_row,
    split_answers,
    with_answers_behind_letters,
    with_answers_in_brackets,
)
from answerer.formats.question_file.drafts import BULLET, QuestionDraft, choice_draft, leading_truth
from answerer.formats.question_file.keys import with_labels_in_a_row, with_whole_pairs, without_keys
from answerer.formats.question_file.layout import (
    choices_out_of_brackets,
    numbers_apart,
    unfold_columns,
    unfold_pages,
    with_latin_labels,
)
from answerer.formats.question_file.lines import KEY_LABEL, WORD, Line, LineMark, Lines
from answerer.formats.question_file.marks import marks_of, with_arabic_numbers, with_sections
from answerer.formats.question_file.parts import (
    EM_SPACE,
    MOST,
    Parsed,
    PlainQuestion,
    Remark,
    keep_askable,
)
from answerer.formats.question_file.statements import with_true_and_false
from answerer.formats.question_file.truth import truth
from answerer.formats.question_file.unlabelled import (
    with_labels_for_boxes,
    without_feedback,
    without_platform_words,
)

# Marks of Markdown and HTML that say nothing: of a quotation, of what is folded in.
_AROUND_LINE = re.compile(
    r"^\s*(?:>\s?)++(?!\s*[A-Za-z]\s*$)|</?(?:details|summary)\b[^<>]{0,40}>", re.IGNORECASE
)
_STARS_BEHIND_LABEL = re.compile(r"^(\s*)(\(?[A-Za-z][.)])\*{1,2}\s+(?=[^*]*$)")
_OPTION = re.compile(r"^(\s*)(?:Option|Choice)\s+(?=[A-Z][).:]\s)")  # before a label
_ROW_OF_TABLE = re.compile(r"\s*\|(?!\S).*|.*\s\|\s*")
_KEYCAP = re.compile(r"(?<=\d)\u20e3")  # around the number of a question
# A number's stop in full width, right before a choice that is a year: no decimal point.
_WIDE_STOP = re.compile(r"(?<!\S)(\d{1,2}．)(?=\d{3})")
_BAR = re.compile(r"(?<!\S)\|(?!\S)")
# What is between questions and is of none: instructions, pictures of a page.
_INSTRUCTION = re.compile(
    r"[\s○●◆■□◎※•*-]*+(?-i:(?![a-z]))"
    r"(?:(?:for|answer|use|read|refer|look|study)\b.{0,90}\bquestions?\b"
    r"|questions?\s+\d+\s?(?:[-–—]|to|through|and)\s?\d+|(?:directions?|instructions?)\s*:"
    r"|(?:choose|select|circle|mark|pick)\s+(?:the|one|all|true)\b|!\[[^\]]*\]\([^)]*\)\s*$"
    r"|<img\b[^<>]*>\s*$|\[(?:image|picture|figure|diagram)\b[^\]]*\]\s*$"
    r"|(?:次の|以下の|下の).{1,60}(?:答えよ|答えなさい|選べ|選びなさい)|(?:阅读|根据).{1,60}(?:回答|完成))",
    re.IGNORECASE,
)
# A line that says a label, in words that are not known for an answer's.
_LIKE_ANSWER = re.compile(
    rf"[\W_]*[^\W\d_]{{2,20}}(?:\s[^\W\d_]{{2,20}}){{0,3}}\s*(?:[:=]"
    rf"|\s[-–—]\s)\s*[(\[]?{KEY_LABEL}"
    r"[)\]]?[\s.。]*|\s*>+\s*[A-Za-z]\s*"
)
# A text that asks nothing, and chooses nothing.
_TELLS = re.compile(
    r"(?!.*\b(?:choose|select|pick|mark|find|name|identify|give|complete|which|what|who|where|when|why|how)\b)"
    r"[^?？_]*[.!]",
    re.IGNORECASE | re.DOTALL,
)
_TELLS_TO_COLON = re.compile(_TELLS.pattern.replace("[.!]", "[.!:]"), _TELLS.flags)
# From one question's number to the next, a choice: a year at the beginning of a line is not a
# number.
_LONGEST_STEP = 500


def _plain_line(line: str) -> str:
    """A line without marks that say nothing and "Option" before a label, with wide blanks for the
    bars of a table, stars right behind a label before it, and a stop and a blank for keycaps and
    wide stops behind numbers."""
    line = _WIDE_STOP.sub(r"\1 ", _KEYCAP.sub(".", line))
    line = _OPTION.sub(r"\1", _AROUND_LINE.sub("", line))
    line = _STARS_BEHIND_LABEL.sub(r"\1*\2 ", line)
    return _BAR.sub(EM_SPACE, line) if _ROW_OF_TABLE.fullmatch(line) else line


def read_numbered(text: str) -> Parsed:
    """Reads the questions of a numbered text, with their answers.

    A question begins with a number (`1.`, `1)`, `(1)`, `Q1`, 問1, 第1問), or without a number after
    a blank line or an answer; its choices are the last list of labels before the next question.
    Answers come from a line below the question, from labels in brackets at the end of questions, or
    from an answer key; a key's answer whose question is not above it, or has one, becomes a note.
    Lines outside of questions, of feedback and of learning platforms (`1 pts`) are left out, with
    notes that count them. Lists in a text that nowhere asks, numbers or answers are rejected, if it
    has as many such lines.
    """
    lines: Lines = [
        Line(number, part)
        for number, line in enumerate(text.split("\n"), 1)
        for part in _plain_line(line).splitlines() or [""]
    ]
    # In reading order, without keys and what is of no question.
    lines = list(with_answers_behind_letters(unfold_pages(choices_out_of_brackets(lines))))
    lines = with_labels_in_a_row(with_arabic_numbers(with_sections(lines)))
    lines, key, notes = without_keys(with_whole_pairs(lines))
    lines, platform = without_platform_words(lines)
    lines, feedback = without_feedback(lines)
    # Answers, numbers and choices on lines of their own, choices with labels.
    lines = list(answers_apart(answers_beside_numbers(lines)))
    lines = with_labels_for_boxes(with_latin_labels(unfold_columns(numbers_apart(lines))))
    lines = with_true_and_false(lines, are_judged=judges_all(key))
    # What each line is, then the questions, line by line.
    texts, answers = split_answers(lines)
    marks = marks_of(texts, {row for row in answers if answers[row]})
    lists = Counter(mark.style for row in marks for mark in row if mark.begins_list)
    # The style of most lists, of several that of the list nearest to the end.
    reader = _NumberedReader(max(reversed(lists), key=lists.__getitem__, default=""))
    for row, line in enumerate(texts):
        if row in answers:
            reader.add_answer(line.number, answers[row])
        else:
            reader.add_line(line, marks[row])
    reader.end_lines_between()
    for before, after in pairwise(reader.drafts):
        after.count_on(before)
    notes = [*notes, *platform, *feedback, *reader.unknown, *share_key(reader.drafts, key)]
    if reader.stray:
        first = min(reader.stray, key=lambda line: line.number)
        count = len(reader.stray)
        more = f" and {count - 1} more" if count > 1 else ""
        notes.append(Remark(first.number, f"left out: {first.shown!r}{more}"))
    share_row(reader.drafts)
    questions = with_answers_in_brackets([draft.question() for draft in reader.drafts])
    plain = {
        position: question
        for position, question in enumerate(questions)
        if isinstance(question, PlainQuestion) and question.choices
    }
    if len(reader.stray) >= len(plain) and all(map(_is_list_in_prose, plain.values())):
        for position, question in plain.items():
            what = "a list in a text that asks nothing: number the questions"
            questions[position] = Remark(question.line, what)
    return keep_askable(questions, notes)


def _is_list_in_prose(question: PlainQuestion) -> bool:
    """Whether a question without number and answer has a text that asks nothing: sentences, or what
    is before a colon above a list of numbers; not one with true and false as choices."""
    is_judged = any(truth(choice.text) is not None for choice in question.choices)
    is_counted = all(choice.label.isdecimal() for choice in question.choices)
    tells = (_TELLS_TO_COLON if is_counted else _TELLS).fullmatch(question.text)
    return tells is not None and not (question.name or question.answers or is_judged)


class _NumberedReader:
    """Reads a numbered text line by line. `usual` is the style of most lists of choices. `drafts`
    are the questions so far, of which the last is open; `stray` are lines outside of questions."""

    def __init__(self, usual: str) -> None:
        self._usual = usual
        self.drafts: list[QuestionDraft] = []
        self.stray: list[Line] = []
        self.unknown: list[Remark] = []  # on lines like answers
        # Of this question or the next, each with whether a blank line is above.
        self._lines_between: list[tuple[Line, bool]] = []
        self._begin: int | None = None  # of those, the last after a blank line or an answer
        self._is_apart = True  # the line before was blank
        self._is_between = False  # below an instruction, above the next question
        self._counted = ""  # the style of the questions' numbers
        self._number = 0  # of the last question

    @property
    def _open(self) -> QuestionDraft | None:
        """The last draft; None if an answer has closed it, or without one."""
        return self.drafts[-1] if self.drafts and not self.drafts[-1].is_closed else None

    def add_line(self, line: Line, marks: Sequence[LineMark]) -> None:
        """Adds a line, split at its numbers and labels. One that repeats a choice of the
        open question with its label is an answer; one below choices that looks like an answer, in
        words not known, becomes a remark in `unknown`."""
        number, text, done = line.number, line.text, 0
        is_below = self._open is not None and len(self._open.choices) > 1
        if is_below and _LIKE_ANSWER.fullmatch(line.narrow):
            what = f"like an answer, in words not known: {line.shown!r}"
            self.unknown.append(Remark(number, what))
            return
        for mark in marks:
            draft, role = self._open, self._role(mark)
            if role == "text":
                if draft and draft.style == mark.style and not mark.start and self._is_label(mark):
                    if draft.repeats(mark, text[mark.end :]):
                        self.add_answer(number, mark.label)
                        return
                    draft.others.append(mark.label)
                continue
            self._add_text(number, text[done : mark.start], is_owned=done > 0)
            done = mark.end
            self._is_between = False
            if role == "number":
                self.end_lines_between()
                self._counted, self._number = self._counted or mark.style, mark.value
                self.drafts.append(QuestionDraft(number, mark.label))
                continue
            begins_anew = (
                role == "first"
                and draft is not None
                and draft.choices
                and (draft.style == self._usual or mark.style != self._usual)
            )
            if draft is None or begins_anew:
                draft = self._begin_unnumbered(number)
            elif role == "first":  # an earlier list is part of the text
                for choice in draft.choices:
                    draft.stem += [choice.printed, *choice.lines]
                draft.choices, draft.others = [], []
            draft.last_lines.extend(
                "\n" * is_apart + between.text for between, is_apart in self._lines_between
            )
            self._lines_between, self._begin = [], None
            draft.choices.append(choice_draft(text, mark))
        self._add_text(number, text[done:], is_owned=done > 0)
        self._is_apart = not text.strip()

    def _begin_unnumbered(self, number: int) -> QuestionDraft:
        """Begins a question without a number: its text is the lines between that are below the last
        blank line, or below the last choice. Without such lines it begins in line `number`."""
        begin = self._begin or 0
        block = self._lines_between[begin:]
        del self._lines_between[begin:]
        self.end_lines_between()
        first = block[0][0].number if block else number
        self.drafts.append(QuestionDraft(first, "", [line.text for line, _ in block]))
        return self.drafts[-1]

    def _add_text(self, number: int, text: str, *, is_owned: bool) -> None:
        """Adds text to the open question, or holds it back if it may belong to the next; headings
        and instructions, with what follows these, become stray; blank text is ignored. Text behind
        a number or label on its line is owned by it."""
        draft, line = self._open, Line(number, text)
        narrow = line.narrow
        if line.is_blank:
            return
        is_outside = not is_owned and not (draft and not draft.choices)
        if is_outside and (self._is_between or _INSTRUCTION.match(narrow) or line.is_heading):
            self._is_between = self._is_between or (bool(self._counted) and not line.is_foot)
            self.stray.append(line)
            return
        is_apart = self._is_apart or (is_outside and narrow.startswith("#"))  # Markdown's heading
        if draft and not is_owned and draft.waits(is_apart=is_apart):
            draft.last_lines.append(f"\n{text}")
        elif draft and (is_owned or not draft.choices):
            draft.last_lines.append(text)
        else:
            is_first = draft is None and not self._lines_between
            if is_apart or is_first or BULLET.match(narrow.strip()):
                self._begin = len(self._lines_between)
            self._lines_between.append((line, is_apart))

    def _role(self, mark: LineMark) -> Literal["number", "next", "first", "text"]:
        """Whether a mark is a question's number, the next choice of the open one, the first of a
        list, or only text."""
        if mark.style == WORD:
            return "number"
        draft, is_usual = self._open, mark.style == self._usual
        is_full = draft is not None and draft.style == self._usual
        follows = mark.value == self._number + 1
        if mark.value == 1 and draft and is_full and len(draft.choices) > 1:
            follows = mark.style == self._counted  # a section that counts from 1 again
        is_number = self._may_be_number(mark, follows=follows)
        if draft and draft.style == mark.style and mark.value == len(draft.choices) + 1:
            # `3.` behind choices 1. and 2. is the next choice, unless it is the next number of
            # questions of its style, with a list below.
            is_counted = mark.style == self._counted and follows and mark.has_list
            is_number = is_number and is_counted and len(draft.choices) > 1 and is_usual
            return "number" if is_number else "next"
        is_apart = self._begin is not None
        if mark.begins_list and (
            not is_number or (draft and not is_full) or (is_apart and is_usual)
        ):
            # A list of unusual labels among the choices is text of a choice.
            return "text" if is_full and not is_usual and not is_apart else "first"
        return "number" if is_number else "text"

    def _may_be_number(self, mark: LineMark, *, follows: bool) -> bool:
        """Whether a mark may be a question's number: a digit at the beginning of a line with enough
        reasons for it, that it follows the last number and that a list is below. A style that no
        number had so far needs both, but for the first number of all."""
        if not mark.is_digit or mark.start or self._counted == WORD:
            return False
        is_far = 0 < self._number < mark.value - _LONGEST_STEP
        if not follows and (is_far or mark.style.endswith("1 ")):
            return False
        least = int(mark.begins_list) if not self._counted else 1 + (mark.style != self._counted)
        return follows + mark.has_list >= least

    @staticmethod
    def _is_label(mark: LineMark) -> bool:
        """Whether a mark may be a choice's label: a letter, or a number of at most 26 with a
        sign."""
        return not mark.is_digit or (mark.value <= MOST and not mark.style.endswith("1 "))

    def add_answer(self, number: int, answer: str) -> None:
        """Adds an answer to the last question, or, if it is true or false, to one without a number
        that the lines between are; "", an explanation, adds none. Without a question, or behind
        another answer and naming no choice, the answer becomes a stray line. In any case the last
        question is closed if it has choices or is judged."""
        between = self._lines_between
        if between and self._open is None and leading_truth(answer):
            if self.drafts and not between[self._begin or 0][1]:
                # Sentences right below the last answer explain it.
                ends = [line.text.rstrip().endswith((".", "!", "。")) for line, _ in between[:-1]]
                self._begin = len(ends) - ends[::-1].index(True) if any(ends) else self._begin
            self._begin_unnumbered(number)
        self.end_lines_between()
        draft = self.drafts[-1] if self.drafts else None
        is_second = draft and draft.answers and draft.choices
        if answer and draft and not (is_second and not draft.can_be(answer)):
            draft.answers.append(answer)
        elif answer:
            self.stray.append(Line(number, answer))
        if draft and (draft.choices or draft.is_judged):
            draft.is_closed = True

    def end_lines_between(self) -> None:
        """Decides on the lines between two questions: those above a blank line go on with the last
        choice, others are stray."""
        draft = self._open
        goes_on = draft is not None
        for line, is_apart in self._lines_between:
            goes_on = goes_on and not is_apart
            if draft and goes_on:
                draft.last_lines.append(line.text)
            else:
                self.stray.append(line)
        self._lines_between, self._begin = [], None
