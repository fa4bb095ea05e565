"""Moodle's GIFT: `::title:: question {=right ~wrong ~wrong #feedback}`."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

from answerer.formats.question_file.parts import LabelledChoice, Parsed, PlainQuestion, Remark, sorted_out

_LABELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_GAP = "____"
_BODY = re.compile(r"(?<!\\)\{\s*(?:[=~]|#|(?:T|F|TRUE|FALSE)\s*[#}])")
_TITLE = re.compile(r"\s*::(.*?)(?<!\\)::", re.DOTALL)
_FORMAT = re.compile(r"\s*\[(?:html|moodle|plain|markdown)\]", re.IGNORECASE)
_BRACE = re.compile(r"(?<!\\)[{}]")
_ANSWER = re.compile(r"(?<!\\)([=~])\s*(?:%(-?[0-9.]+)%)?")
_FEEDBACK = re.compile(r"(?<!\\)#.*", re.DOTALL)
_ESCAPED = re.compile(r"\\([~=#{}:\\n])")
_GOES_ON = re.compile(r"\s*[=~#}]")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_TRUTH = re.compile(r"(?:T|F|TRUE|FALSE)\s*(?:#.*)?", re.DOTALL)
_CATEGORY = re.compile(r"\s*\$CATEGORY\s*:", re.IGNORECASE)


class _Item(NamedTuple):
    """The text of one question with the lines of its characters' beginnings."""

    line: int
    text: str


def is_gift(text: str) -> bool:
    """Whether a text has answers in braces as GIFT has them."""
    titled = (line for line in text.split("\n") if line.lstrip().startswith("::"))
    return _BODY.search(text) is not None or any("{" in line for line in titled)


def read_gift(text: str) -> Parsed:
    """The multiple-choice questions of a GIFT file (docs.moodle.org, "GIFT format", Moodle 4).

    Choices are labelled A, B, C in the order of the file. Right are those with `=`, or with the full weight `%100%`;
    of several with a part of the weight none is. Titles are the names of questions. Comments, categories, feedback
    and HTML tags are left out; other kinds of questions are named in `rejected`.
    """
    found = [_question(item) for item in _items(text)]
    return sorted_out(one for one in found if one is not None)


def _items(text: str) -> Iterator[_Item]:
    """The questions of a file: blank lines part them, but for those above a further answer inside braces.

    A line with answers after the answers of another question begins a question, too.
    """
    begin, lines, depth, answered, blank = 0, list[str](), 0, False, False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("//"):
            continue
        if _CATEGORY.match(line):
            blank = True
            continue
        blank = blank or not line.strip()
        if not line.strip():
            continue
        opened = [brace[0] for brace in _BRACE.finditer(line)]
        if lines and (
            (blank and not (depth and _GOES_ON.match(line)))
            or (answered and depth <= 0 and ("{" in opened or _TITLE.match(line)))
        ):
            yield _Item(begin, "\n".join(lines))
            lines, depth, answered = [], 0, False
        begin, blank = begin if lines else number, False
        lines.append(line)
        depth += opened.count("{") - opened.count("}")
        answered = answered or "{" in opened
    if lines:
        yield _Item(begin, "\n".join(lines))


def _question(item: _Item) -> PlainQuestion | Remark | None:
    title = _TITLE.match(item.text)
    name = _plain(title[1]) if title else ""
    rest = item.text[title.end() if title else 0 :]
    what = f"question {name}" if name else "this"
    braces = list(_BRACE.finditer(rest))
    if not braces:
        return Remark(item.line, f"{what} has no answers in braces: a description, left out")
    if len(braces) != 2 or (braces[0][0], braces[1][0]) != ("{", "}"):
        return Remark(item.line, f"{what} needs one {{ and one }}: write \\{{ and \\}} for braces in its text")
    before, body, after = rest[: braces[0].start()], rest[braces[0].end() : braces[1].start()], rest[braces[1].end() :]
    kind = _other_kind(body.strip())
    if kind:
        return Remark(item.line, f"{what} is {kind}, not multiple choice: left out")
    stem = f"{before}{_GAP}{after}" if after.strip() else before
    marks = list(_ANSWER.finditer(body))
    choices, right = [], []
    for place, mark in enumerate(marks):
        end = marks[place + 1].start() if place + 1 < len(marks) else len(body)
        label = _LABELS[place] if place < len(_LABELS) else str(place + 1)
        choices.append(LabelledChoice(label, _plain(_FEEDBACK.sub("", body[mark.end() : end]))))
        weight = float(mark[2]) if re.fullmatch(r"-?\d+(?:\.\d+)?", mark[2] or "") else None
        if weight == 100 or (mark[1] == "=" and weight is None):
            right.append(label)
    return PlainQuestion(name, _plain(stem), tuple(choices), tuple(right), item.line)


def _other_kind(body: str) -> str:
    """What a question is by its answers, "" for multiple choice."""
    if not body:
        return "an essay question"
    if body.startswith("#"):
        return "a numerical question"
    if _TRUTH.fullmatch(body.upper()):
        return "a true-or-false question"
    marks = [mark[1] for mark in _ANSWER.finditer(body)]
    if "~" not in marks:
        return "a matching question" if "->" in body else "a short-answer question"
    return ""


def _plain(text: str) -> str:
    """A text without its format's name, tags and escapes; blanks squeezed."""
    text = html.unescape(_TAG.sub(" ", _FORMAT.sub("", text)))
    return " ".join(_ESCAPED.sub(lambda found: " " if found[1] == "n" else found[1], text).split())
