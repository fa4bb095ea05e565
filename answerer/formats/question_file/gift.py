"""Moodle's GIFT: questions with their answers in braces."""

from __future__ import annotations

import re

from answerer.formats.question_file.parts import (
    Parsed,
    PlainQuestion,
    Remark,
    keep_askable,
    lettered_question,
    without_tags,
)

_GAP = "____"
_ANSWERS = re.compile(r"(?<!\\)\{\s*(?:[=~]|(?:T|F|TRUE|FALSE)\s*[#}])")
_TRUE_OR_FALSE = re.compile(r"(T|F|TRUE|FALSE)\s*(?:#.*)?", re.DOTALL)
_TITLE = re.compile(r"\s*::(.*?)(?<!\\)::", re.DOTALL)
_FORMAT = re.compile(r"\s*\[(?:html|moodle|plain|markdown)\]", re.IGNORECASE)
_BRACE = re.compile(r"(?<!\\)([{}])")
# The sign of an answer with its weight, or that of feedback. In feedback `=` is a sign only at the
# beginning of a line, or between a blank and a character.
_ANSWER = re.compile(r"(?<!\\)([=~#])\s*(?:%(-?\d+(?:[.,]\d+)?)%)?")
_FEEDBACK = re.compile(r"(?<!\\)#.*", re.DOTALL)
_ANSWER_AFTER_FEEDBACK = re.compile(r"(?<!\\)(?:~|(?:(?<=\n)|(?<=\n[ \t]))=|(?<=\s)=(?=\S))")
_ESCAPED = re.compile(r"\\([~=#{}:\\n])")
_LEFT_OUT = re.compile(r"\s*(?://|\$CATEGORY\s*:)", re.IGNORECASE)


def has_gift_answers(text: str) -> bool:
    """Whether a text has, somewhere, a brace that opens and a sign of an answer of GIFT."""
    return _ANSWERS.search(text) is not None


def read_gift(text: str) -> Parsed:
    """Reads the multiple-choice and true-false questions of a text in Moodle's GIFT format
    [Moodle-GIFT].

    Choices are labelled A, B, C in the order of the file; those of a true-false question are A True
    and B False. Right choices are those with `=`, or with the full weight `%100%`; a choice with
    partial weight is not right. Titles become question names. Comments, categories, feedback and
    HTML tags are left out. Blank lines part the questions; those of other kinds are in `rejected`.
    No questions for a text without any.
    """
    questions: list[PlainQuestion | Remark] = []
    begin, lines = 0, list[str]()
    for number, line in enumerate([*text.split("\n"), ""], 1):
        if line.strip() and not _LEFT_OUT.match(line):
            begin = begin if lines else number
            lines.append(line)
        elif lines and not line.strip():  # blank lines part the questions
            questions.append(_question(begin, "\n".join(lines)))
            lines = []
    return keep_askable(questions, form="GIFT")


def _question(line: int, text: str) -> PlainQuestion | Remark:
    """Parses a GIFT item at a line; a remark if it is not multiple choice or cannot be read. True
    or false becomes the choices True and False; text behind the braces is in the question, with a
    gap in their place."""
    title = _TITLE.match(text)
    name = _plain(title[1]) if title else ""
    text = text[title.end() if title else 0 :]
    what = f"question {name}" if name else "this"
    before, *rest = _BRACE.split(text)  # each with the brace before it
    if rest[::2] not in ([], ["{", "}"]):
        return Remark(
            line, f"{what} needs one {{ and one }}: write \\{{ and \\}} for braces in its text"
        )
    body, after = (rest[1].strip(), rest[3]) if rest else ("", "")
    if truth := _TRUE_OR_FALSE.fullmatch(body):
        body = "=True ~False" if truth[1].startswith("T") else "~True =False"
    answers = _answers_in(body)
    if "~" not in [sign for sign, _, _ in answers]:
        return Remark(line, f"{what} is not a multiple-choice question: left out")
    # Moodle writes partial credit as %50%: of several such answers none is the right one.
    choices = [(_plain(_FEEDBACK.sub("", answer)), weight == 100) for _, weight, answer in answers]
    stem = _plain(before + (f"{_GAP}{after}" if after.strip() else ""))
    return lettered_question(name, stem, choices, line)


def _answers_in(body: str) -> list[tuple[str, float, str]]:
    """The answers between the braces of an item: the sign of each, its weight in percent (0 for `~`
    and 100 for `=` without one), and its text with feedback."""
    answers: list[tuple[str, float, str]] = []
    begin = 0
    while match := _ANSWER.search(body, begin):
        sign, weight = match[1], match[2]
        if sign == "#":  # feedback without an answer, as that for all answers
            following = _ANSWER_AFTER_FEEDBACK.search(body, match.end())
            begin = following.start() if following else len(body)
            continue
        after = _ANSWER.search(body, match.end())
        if after and after[1] == "#":
            after = _ANSWER_AFTER_FEEDBACK.search(body, after.end())
        begin = after.start() if after else len(body)
        worth = float(weight.replace(",", ".")) if weight else 100.0 * (sign == "=")
        answers.append((sign, worth, body[match.end() : begin]))
    return answers


def _plain(text: str) -> str:
    """A text without its format's name, tags and escapes; blanks squeezed."""
    text = without_tags(_FORMAT.sub("", text))
    return " ".join(_ESCAPED.sub(lambda match: " " if match[1] == "n" else match[1], text).split())
