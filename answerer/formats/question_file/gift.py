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
    """The blocks of a file: blank lines part them, but for those inside braces."""
    begin, lines, depth = 0, list[str](), 0
    for number, line in enumerate([*text.split("\n"), ""], 1):
        if line.lstrip().startswith("//") or _CATEGORY.match(line):
            line = ""
            if lines:
                continue
        if not line.strip() and depth <= 0:
            if lines:
                yield _Item(begin, "\n".join(lines))
            lines, depth = [], 0
            continue
        if lines and depth <= 0 and line.lstrip().startswith("::") and "{" in "".join(lines):  # no blank line between
            yield _Item(begin, "\n".join(lines))
            lines, depth = [], 0
        begin = begin if lines else number
        lines.append(line)
        depth += sum(1 if brace[0] == "{" else -1 for brace in _BRACE.finditer(line))
        if depth > 0 and number - begin > _LONGEST:
            yield _Item(begin, "\n".join(lines))
            lines, depth = [], 0
    if lines:
        yield _Item(begin, "\n".join(lines))


_LONGEST = 200
"""Lines of a question: a brace that is open for longer was never closed."""


def _question(item: _Item) -> PlainQuestion | Remark | None:
    title = _TITLE.match(item.text)
    name = _plain(title[1]) if title else ""
    rest = item.text[title.end() if title else 0 :]
    what = f"question {name}" if name else "a question"
    braces = list(_BRACE.finditer(rest))
    if not braces:
        return Remark(item.line, f"{name or 'a text'} has no answers in braces: a description, left out")
    if len(braces) != 2 or (braces[0][0], braces[1][0]) != ("{", "}"):
        return Remark(item.line, f"{what} needs one {{ and one }}: write \\{{ and \\}} for braces in its text")
    before, body, after = rest[: braces[0].start()], rest[braces[0].end() : braces[1].start()], rest[braces[1].end() :]
    kind = _other_kind(body.strip())
    if kind:
        return Remark(item.line, f"{what} is {kind}, not multiple choice: left out")
    stem = f"{before} {_GAP} {after}" if after.strip() else before
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
        return "an essay"
    if body.startswith("#"):
        return "numerical"
    if _TRUTH.fullmatch(body.upper()):
        return "true or false"
    marks = [mark[1] for mark in _ANSWER.finditer(body)]
    if "~" not in marks:
        return "a matching" if "->" in body else "a short answer"
    return ""


def _plain(text: str) -> str:
    """A text without its format's name, tags and escapes; blanks squeezed."""
    text = html.unescape(_TAG.sub(" ", _FORMAT.sub("", text)))
    return " ".join(_ESCAPED.sub(lambda found: " " if found[1] == "n" else found[1], text).split())
