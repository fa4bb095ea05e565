"""A question being read from numbered text, and what may be wrong with it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import compress

from answerer.formats.question_file.layout import GAP
from answerer.formats.question_file.lines import ANSWER_WORD, KEY_LABEL, Line, LineMark
from answerer.formats.question_file.marks import marks_inside
from answerer.formats.question_file.parts import (
    EM_SPACE,
    LabelledChoice,
    PlainQuestion,
    Remark,
    half_width,
    join_lines,
    question_label,
    right_choice,
)
from answerer.formats.question_file.truth import fold_answer, truth

_TICKED = re.compile(r"\s*(?:[-+•]\s+)?(?:\*(?![*\s])|\[[xX✓✔✅*]\]|[✓✔✅√☑])")
# A sign behind a choice that it is right; behind a text, an answer in brackets.
_TICK = re.compile(
    r"(?<=\S)\s*(?:[✓✔✅√☑◎]|[\[(]\s*(?:(?:the\s+)?(?:correct|right)(?:\s+(?:answer|choice|option))?|正解|正确答案"
    r"|○)\s*!?\s*[\])]|(?:<[-=]+|←|⇐)\s*(?:(?:correct|answer|right|key)\b|正解|正答|答え?).*)\s*$",
    re.IGNORECASE,
)
_ANSWER_BESIDE = re.compile(
    rf"[\[(]\s*{ANSWER_WORD}\s*[:=.]?\s*\(?{KEY_LABEL}[\])\s]*[\])]\s*$", re.IGNORECASE
)
_CROSS = re.compile(r"(?<=\S)\s*[❌✗✘]\s*$")  # behind a choice that is wrong
_PLACE = re.compile(r"^[_.…\s]*$")  # a place for what is to be written
_PLACE_AROUND = re.compile(r"^(?:_{2,}+|\(\s*+\))\s*+|(?:(?<!_)_{2,}+|[(（]\s*+[)）])$")
WORDS_OF_TRUTH = frozenset("True TRUE true False FALSE false T t F f".split())
_WIDE_TRUTH = re.compile(r"[○〇◯⭕✅×✕✖✗✘❌\u3040-\u9fff]")  # signs, kana and ideographs
_STAR = re.compile(r"(?<=[^\s*])\s*\*$")
BULLET = re.compile(r"(?:[•●▪◦‣·–—-]|#{1,6})\s+")  # before a text, or of a heading
# What a choice is, true or false, in brackets before it.
_JUDGED = re.compile(r"\s*\[(?P<word>[^\[\]]{1,5})\]\s*")
# A word for true or false that begins an answer, perhaps with a reason behind it.
_TRUTH_BEFORE = re.compile(
    r"[*_\s]*(?P<word>[A-Za-z]+|[^\w\s]|[^\x00-\x7f]+?)[*_]*\s*(?:$|[-–—:.,;(。、])"
)
# The number of another question behind a gap in a line, as in columns that cannot be recognised.
_WIDE_NUMBER = re.compile(
    rf"(?:(?<=\s\s)|(?<=[\t{EM_SPACE}]))(?:(?:Q(?:uestion)?\s?|[問第])(?P<word>\d{{1,3}})(?![\d%])"
    r"|(?P<plain>\d{1,3})[.)]\s+[^\W\d_])"
)


def is_truth(label: str) -> bool:
    """Whether a label is a word for true or false: T or F, True or False, or one that is not
    ASCII."""
    return label in WORDS_OF_TRUTH or (not label.isascii() and truth(label) is not None)


def leading_truth(answer: str) -> str:
    """The word for true or false that an answer consists of or, if of two characters or more,
    begins with, before a sign; "" without one (`F. Scott`)."""
    match = _TRUTH_BEFORE.match(half_width(answer))
    word = match["word"] if match and (len(match["word"]) > 1 or match.end() == len(answer)) else ""
    return next(filter(is_truth, (answer, word)), "")


@dataclass
class ChoiceDraft:
    """A choice being read: its label, the label as printed (with a line end before it if it begins
    a line), whether a tick is before it, and the lines of its text, of which one that begins with a
    line end begins a paragraph."""

    mark: LineMark
    printed: str
    is_ticked: bool
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Its text as printed, a tick behind it included."""
        return join_lines(self.lines)

    @property
    def tick(self) -> re.Match[str] | None:
        """The sign behind its text that says that it is right; None without one. A star is
        one unless its label has stars too, for emphasis."""
        tick = _TICK.search(half_width(self.text))
        return _STAR.search(self.text) if tick is None and "*" not in self.printed else tick

    @property
    def plain(self) -> str:
        """Its text without the tick or cross behind it and stars around it; "" for a place to write
        in."""
        text = self.text[: self.tick.start()] if self.tick else self.text
        return _PLACE.sub("", _CROSS.sub("", text.strip("* ")))


def choice_draft(line: str, mark: LineMark) -> ChoiceDraft:
    """The choice, so far without text, that a label in a line begins."""
    label = line[mark.start : mark.end]
    is_ticked = _TICKED.match(label) is not None
    return ChoiceDraft(mark, label if mark.start else f"\n{label}", is_ticked)


@dataclass
class QuestionDraft:
    """A question being read: its first line, its printed number, the lines of its text (`stem`; one
    that begins with a line end begins a paragraph), and its choices. An answer closes it: what
    follows belongs to the next."""

    line: int
    name: str
    stem: list[str] = field(default_factory=list)
    choices: list[ChoiceDraft] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    # Labels of its style that are not those of a next choice.
    others: list[str] = field(default_factory=list)
    is_closed: bool = False

    @property
    def style(self) -> str:
        """The style of its choices' labels; "" without choices."""
        return self.choices[-1].mark.style if self.choices else ""

    @property
    def last_lines(self) -> list[str]:
        """The lines of its last choice, or of its text if it has no choices; to be appended to."""
        return self.choices[-1].lines if self.choices else self.stem

    @property
    def is_judged(self) -> bool:
        """Whether it is a statement whose answers say that it is true or false."""
        return not self.choices and bool(self.answers) and all(map(leading_truth, self.answers))

    def waits(self, *, is_apart: bool) -> bool:
        """Whether its last choice has only a label, and the next line is its text: behind a blank
        line (`is_apart`) only if it is the first, or that of the first was on a line of its own."""
        if not self.choices or self.choices[-1].lines:
            return False
        first = self.choices[0].lines[:1]
        return not is_apart or len(self.choices) == 1 or first[0].startswith("\n")

    def takes(self, label: str, *, are_judged: bool) -> bool:
        """Whether a key's label may be of this question: without choices only a word for true or
        false, or x, where the key judges statements."""
        return bool(self.choices) or (are_judged and (is_truth(label) or label in "xX"))

    def repeats(self, mark: LineMark, text: str) -> bool:
        """Whether a text behind a label is that of its choice with this label, perhaps with more
        behind it."""
        printed = [fold_answer(choice.text) for choice in self.choices[mark.value - 1 : mark.value]]
        return any(map(fold_answer(text).startswith, filter(None, printed)))

    def can_be(self, answer: str) -> bool:
        """Whether an answer names one of its choices, by label, text or position (`right_choice`);
        False without choices."""
        printed = [LabelledChoice(choice.mark.label, choice.text) for choice in self.choices]
        return right_choice(printed, answer) is not None

    def count_on(self, before: QuestionDraft) -> None:
        """Makes choices of the last lines of a question that has none, if their labels count on
        from the last choice of the question before it, and in its style."""
        lines = self._lines_that_go_on()
        if not lines or not before.choices:
            return
        last, first = before.choices[-1].mark, lines[0][0]
        if (first.style, first.value) == (last.style, last.value + 1):
            del self.stem[-len(lines) :]
            self.choices = [choice_draft(line, mark) for mark, line in lines]
            for choice, (mark, line) in zip(self.choices, lines, strict=True):
                choice.lines.append(line[mark.end :])

    def question(self) -> PlainQuestion | Remark:
        """The finished question; a remark if an answer beside a text would give the right choice
        away, if another question is beside it, if labels are missing or repeated, if they go on
        from another question's, if all choices ask and the text does not, or if stars behind
        several choices may be those of a footnote.
        Without choices, but with true or false as answer, it has the choices A True and B False (○
        and × where the answer is so written). Words for true and false in [ ] before all choices
        are cut off; the only choice with one of the two is the answer. Else choices with a tick
        behind them, else with a star before them unless all have one, are its answers if no other
        is there. Bullets and stars around its text are cut off."""
        paragraphs = [join_lines(text.split("\n")) for text in "\n".join(self.stem).split("\n\n")]
        stem = "\n".join(filter(None, paragraphs)).strip("* ")
        if bullet := BULLET.match(stem):
            stem = stem[bullet.end() :]
        answers = tuple(dict.fromkeys(self.answers))
        labels, texts = [choice.mark.label for choice in self.choices], list[str]()
        if self.is_judged:
            answers = tuple(dict.fromkeys(map(leading_truth, answers)))
            labels, texts = ["A", "B"], ["True", "False"]
            if _WIDE_TRUTH.match(answers[0]):
                texts = ["○", "×"]
            stem = _PLACE_AROUND.sub("", stem).rstrip()
        elif fault := self._fault(stem):
            return Remark(self.line, f"{question_label(self.name)} has {fault}")
        else:
            texts, are_right = self._texts_and_ticks()
            answers = answers or tuple(compress(labels, are_right))
        choices = tuple(map(LabelledChoice, labels, texts))
        return PlainQuestion(self.name, stem, choices, answers, self.line)

    def _texts_and_ticks(self) -> tuple[list[str], list[bool]]:
        """The texts of its choices without ticks, and which of them are marked as right."""
        texts = [choice.plain for choice in self.choices]
        are_right = [choice.tick is not None for choice in self.choices]
        words = list(filter(None, (_JUDGED.match(half_width(text)) for text in texts)))
        truths = [truth(match["word"]) for match in words]
        if texts and len(words) == len(texts) and None not in truths:
            texts = [text[match.end() :] for text, match in zip(texts, words, strict=True)]
            # Asked for is what only one choice is, right or wrong.
            are_right = [truths.count(value) == 1 for value in truths]
            are_right = [is_right and sum(are_right) == 1 for is_right in are_right]
        stars = [choice.is_ticked for choice in self.choices]
        return texts, are_right if any(are_right) or all(stars) else stars

    def _fault(self, stem: str) -> str:
        """Why it is not asked, with the way out, as what it `has`; "" for nothing."""
        texts = [choice.text for choice in self.choices]
        if _TICK.search(half_width(stem)) or any(
            _ANSWER_BESIDE.search(half_width(text)) for text in (stem, *texts)
        ):
            return "its answer beside a text: write it on a line `Answer: B`"
        if lines := self._lines_that_go_on():
            labels = ", ".join(mark.label for mark, _ in lines)
            return f"choices labelled {labels}: begin the list of each question anew"
        if other := self._number_inside():
            return f"question {other} beside it in a line"
        if labels := self._fault_of_labels():
            return f"labels {labels}: number its choices in order"
        is_asked = bool(self.answers) or stem.endswith(("?", "？", ":", "："))
        if texts and not is_asked and all(text.endswith(("?", "？")) for text in texts):
            return "choices that all ask: number them if they are questions"
        ticks = list(filter(None, (choice.tick for choice in self.choices)))
        if len(ticks) > 1 and not self.answers and any(tick.re is _STAR for tick in ticks):
            what = "stars behind several choices, answers or footnotes"
            return f"{what}: write its answers on a line `Answer: A, C`"
        return ""

    def _lines_that_go_on(self) -> list[tuple[LineMark, str]]:
        """The last lines of a question without choices with labels that count on, as a document's
        list over several questions prints them (4, 5, 6); [] for fewer than two."""
        lines: list[tuple[LineMark, str]] = []
        for line in reversed(self.stem[1:] if not self.choices else ()):
            mark = Line(0, line.strip()).mark
            if mark is None or (lines and mark.style != lines[0][0].style):
                break
            if mark.value < 2 or (lines and mark.value != lines[0][0].value - 1):
                break
            lines.insert(0, (mark, line.strip()))
        return lines if len(lines) > 1 else []

    def _number_inside(self) -> str:
        """The number of a later question that one of its lines holds behind a gap; "" without one,
        or if it has no number itself."""
        if not self.name.isdecimal():
            return ""
        of_choices = (line for choice in self.choices for line in (choice.printed, *choice.lines))
        for line in (*self.stem, *of_choices):
            for match in _WIDE_NUMBER.finditer(half_width(line)):
                if (other := match["word"] or match["plain"]) and int(other) > int(self.name):
                    return other
        return ""

    def _fault_of_labels(self) -> str:
        """What is wrong with the labels: those printed, and the missing or repeated; "" if they
        count up without a gap, and no choice holds another of their style behind a wide blank, or
        one that the list lacks (`A) x C) y`)."""
        wrong = self.others + self._labels_inside()
        if not wrong:
            return ""
        printed = [choice.mark.label for choice in self.choices] + wrong
        repeated = [label for label, count in Counter(printed).items() if count > 1]
        fault = f"{repeated[0]} is repeated" if repeated else "one is missing or out of place"
        return f"{', '.join(printed)}: {fault}"

    def _labels_inside(self) -> list[str]:
        """The labels of its style that its choices hold: those behind a wide blank, not before its
        own, and those that its list lacks, from the next on. These have a closing bracket, or else
        (they may be initials) are where columns of choices have them: in the first choices, two at
        least unless it has only two."""
        wide: list[str] = []
        lacking: list[tuple[int, LineMark, str]] = []
        for position, choice in enumerate(self.choices):
            text = half_width("\n".join(choice.lines))
            for mark in marks_inside(text):
                before = text[: mark.start]
                if mark.style != choice.mark.style or before.count("(") > before.count(")"):
                    continue
                is_last = position == len(self.choices) - 1
                if GAP.search(before[-2:]) and (is_last or mark.value >= choice.mark.value):
                    wide.append(mark.label)
                elif mark.value == len(self.choices) + len(lacking) + 1:
                    lacking.append((position, mark, text[mark.end - 1]))
        are_columns = [position for position, _, _ in lacking] == [*range(len(lacking))]
        is_sure = are_columns and len(lacking) > (len(self.choices) > 2)
        is_sure = is_sure or any(sign == ")" for _, _, sign in lacking)
        return wide + [mark.label for _, mark, _ in lacking if is_sure]
