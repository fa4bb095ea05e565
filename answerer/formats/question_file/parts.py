"""Questions with labelled choices and passages over what could not be read: the result of every
question reader."""

from __future__ import annotations

import html
import re
import string
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from answerer.formats.question_file.truth import fold_answer, truth
from indexer.analysis.text import without_ignorable
from indexer.files.charset import likely_encodings
from indexer.files.encoding import SAMPLE_SIZE, UTF_16, decode_text
from indexer.files.errors import bad_input
from indexer.files.signatures import SIGNED, is_web_archive, refuse_binary

_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_WIDE = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")


def file_encoding(data: bytes) -> str:
    """The encoding of a question file, by its first MiB up to a line end."""
    sample = data[:SAMPLE_SIZE]
    if len(data) > SAMPLE_SIZE:  # the last line may be cut in a character
        sample = sample[: sample.rfind(b"\n") + 1] or sample
    return likely_encodings(sample)[0]


def text_of_file(data: bytes, path: str | Path) -> str:
    """Decodes the bytes of a question file, without ignorable characters; line ends become `\\n`.
    Encodings: UTF-8, and those of `indexer.files.charset.ENCODINGS`, recognised by characters. A
    lone carriage return becomes a line end if the file has no line feed, else a vertical tab.
    Raises UserError for a file that is not text, with file and line for bytes that do not fit the
    encoding, and for NUL characters."""
    refuse_binary(path, data[:SIGNED], "a quiz as text, Word (.docx), PDF or a workbook")
    text = without_ignorable(decode_text(data, file_encoding(data), path))
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise bad_input(path, line, "binary data", "expected a file of questions, as text")
    # Old systems end lines with a carriage return alone; beside line feeds it is a break inside a
    # line.
    return text.replace("\r\n", "\n").replace("\r", "\v" if "\n" in text else "\n")


class DocumentLines(NamedTuple):
    """The lines of a document, and the place of each (`page 2`, `paragraph 7`, `row 3`).

    `ticked` are the same lines with `✓` before choices that are set in another way than the rest,
    by what marks them (`bold type`). `left_out` counts by reason what is not read.
    """

    lines: Sequence[str]
    places: Sequence[str]
    ticked: Mapping[str, Sequence[str]]
    left_out: Counter[str]


# Of zips the names of members, which may come late in the file, or the type in the first one; of
# old Office files the name of the stream that holds a workbook (MS-XLS).
_DOCUMENTS = {
    b"%PDF-": {b"": "PDF"},
    b"PK\x03\x04": {
        b"word/document": "Word",
        b"xl/workbook.xml": "Excel",
        b"application/vnd.oasis.opendocument.spreadsheet": "OpenDocument",
    },
    b"\xd0\xcf\x11\xe0": {"Workbook".encode("utf-16-le"): "Excel"},
}


# A web page, or a piece of one: it begins with a block that exams in XML do not begin with.
_WEB_PAGE = re.compile(
    r"[\ufeff\s]*+(?:<!--(?:[^-]|-(?!->))*+-->\s*+|<\?xml[^>]*+>\s*+)*+"
    r"<(?:!doctype\s++html|html|head|body|meta|div|p|h[1-6]|[ou]l|table|form|main|section|article)[\s>]",
    re.IGNORECASE,
)


def document_form(data: bytes) -> str:
    """`PDF`, `Word`, `Excel` (.xlsx, .xls), `OpenDocument` (.ods) or `HTML` (also in a web
    archive, .mht) for the bytes of such a document, "" for others."""
    marks = next((marks for start, marks in _DOCUMENTS.items() if data.startswith(start)), {})
    if form := next((form for mark, form in marks.items() if mark in data), ""):
        return form
    sample = data[:SAMPLE_SIZE]
    if is_web_archive(sample):
        return "HTML"
    beginning = sample.decode("utf-16" if sample.startswith(UTF_16) else "latin-1", "replace")
    return "HTML" if _WEB_PAGE.match(beginning.removeprefix("\xef\xbb\xbf")) else ""


def without_tags(text: str) -> str:
    """A text of HTML with a blank for each tag, and with characters for entities."""
    return html.unescape(_TAG.sub(" ", text))


def join_lines(lines: Iterable[str]) -> str:
    """Joins lines with blanks, or directly beside a Japanese or Chinese character. Runs of white
    space become one blank; blank lines are left out."""
    text = ""
    for line in lines:
        words = " ".join(line.split())
        if text and words:
            text += "" if _WIDE.match(text[-1]) or _WIDE.match(words[0]) else " "
        text += words
    return text


class LabelledChoice(NamedTuple):
    """A choice; `label` is as printed, without brackets and full stop (B, イ, ②)."""

    label: str
    text: str


class PlainQuestion(NamedTuple):
    """A question with two or more choices; `line` is the line of the file where it begins. `name`
    is its printed number or id, "" without one. `answers` are the right answers as the file writes
    them: a label, a position, or the text of a choice."""

    name: str
    text: str
    choices: tuple[LabelledChoice, ...]
    answers: tuple[str, ...]
    line: int


class Remark(NamedTuple):
    """A message (`text`) about line number `line` of a question file."""

    line: int
    text: str


class Parsed(NamedTuple):
    """The contents of a question file: every question is either in `questions` or described in
    `rejected`. `notes` are messages on lines outside of questions and on answers without a
    question. `form` is the name of the file's format, "" for numbered text. `answer_notes` are
    messages for those who read the right answers: how they were taken. `places` are the places in a
    document of its lines, which are counted from 1; empty for other files."""

    questions: Sequence[PlainQuestion]
    rejected: Sequence[Remark]
    notes: Sequence[Remark] = ()
    form: str = ""
    answer_notes: Sequence[Remark] = ()
    places: Sequence[str] = ()

    def where(self, path: str | Path, line: int) -> str:
        """How messages name a line: `FILE:LINE`, of a document `FILE: page 2`, or `FILE` for no
        line of it."""
        if not self.places:
            return f"{path}:{line}"
        return f"{path}: {self.places[line - 1]}" if 0 < line <= len(self.places) else f"{path}"


# Choices of a question: one is not a choice, and labels end with Z.
FEWEST, MOST = 2, 26


def question_label(name: str) -> str:
    """How messages name a question: `question NAME`, or `a question` for one without name."""
    return f"question {name}" if name else "a question"


def other_kind(name: str, line: int, kind: str = "") -> Remark:
    """The remark on a question that is not multiple choice but of another kind ("": unsaid)."""
    of_kind = f" of kind {kind}" if kind else ""
    return Remark(
        line, f"{question_label(name)}{of_kind} is not a multiple-choice question: left out"
    )


def lettered_question(
    name: str, text: str, choices: Iterable[tuple[str, bool]], line: int
) -> PlainQuestion:
    """A question whose choices, pairs of a text and whether it is right, get the labels A, B, C, …
    in their order; those behind Z, other signs, are too many for `keep_askable`."""
    labelled = [(chr(code), *choice) for code, choice in enumerate(choices, ord("A"))]
    plain = tuple(LabelledChoice(label, shown) for label, shown, _ in labelled)
    right = tuple(label for label, _, is_right in labelled if is_right)
    return PlainQuestion(name, text, plain, right, line)


def keep_askable(
    read: Iterable[PlainQuestion | Remark], notes: Sequence[Remark] = (), form: str = ""
) -> Parsed:
    """Separates questions that can be asked from those to reject, each in the order given. Remarks
    in `read` are rejections. Rejected are questions without text, with fewer than two or more than
    26 choices, or with an empty choice. `notes` are returned sorted by line."""
    questions, rejected = [], []
    for item in read:
        if isinstance(item, Remark):
            rejected.append(item)
            continue
        empty = [choice.label for choice in item.choices if not choice.text]
        if not FEWEST <= len(item.choices) <= MOST:
            numbers = {0: "no choices", 1: "only one choice"}
            number = numbers.get(len(item.choices), f"more than {MOST} choices")
            reason = f" has {number}: not a multiple-choice question, left out"
        elif not item.text:
            reason = " has choices, but no text: write the question before them"
        elif empty:
            reason = f": choice {empty[0]} is empty: write its text, or delete it"
        else:
            questions.append(item)
            continue
        rejected.append(Remark(item.line, f"{question_label(item.name)}{reason}"))
    return Parsed(questions, rejected, sorted(notes), form)


CYRILLIC = ("АБВГДЕЖЗИК", "абвгдежзик")
SERIES = (
    string.ascii_uppercase,
    string.ascii_lowercase,
    "アイウエオカキクケコサシスセソ",
    *CYRILLIC,
    "αβγδεζηθ",
    "가나다라마바사아",
    "أبجدهوزح",
    "कखगघङच",
)
# Labels that need no bracket: circled digits and letters.
SYMBOLS = ("①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳", "ⒶⒷⒸⒹⒺⒻⒼⒽⒾⒿⓀⓁⓂⓃⓄⓅⓆⓇⓈⓉⓊⓋⓌⓍⓎⓏ")

# A wide blank in half-width text: it parts choices as two blanks do.
EM_SPACE = "\u2003"

_HALF_WIDTH = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
_HALF_WIDTH |= {
    code: ord(unicodedata.normalize("NFKC", chr(code))) for code in range(0xFF66, 0xFF9E)
}
_HALF_WIDTH |= dict(
    zip(map(ord, "　【】〔〕［］〈〉《》"), map(ord, f"{EM_SPACE}[][][]<><>"), strict=True)
)
_AROUND = " \t([<{)]>}.。:*_"


def half_width(text: str) -> str:
    """The text with full-width ASCII and Japanese brackets as ASCII, full-width blanks as
    `EM_SPACE`, and half-width kana in full width; every character keeps its place."""
    return text if text.isascii() else text.translate(_HALF_WIDTH)


def plain_label(label: str) -> str:
    """A label in plain characters: half-width, circled ones as digits or letters, without
    brackets."""
    return unicodedata.normalize("NFKC", label).strip(_AROUND)


_LABEL_BEFORE = re.compile(
    r"\s*+[(\[<]?\s*+(\w{1,2}?)\s*(?:[)\]>.:;、(]"
    r"|\s[-–—]\s|\s(?:because|since|as|weil|da|porque|car)\s)"
)


_OPTION = re.compile(r"\s*+(?:option|choice)\s++[(\[]?(\w{1,2})[)\].\s]*+", re.IGNORECASE)


def right_choice(choices: Sequence[LabelledChoice], answer: str) -> int | None:
    """Index of the choice that an answer names; None if it does not name any, or several. Tried in
    this order, first of the answer, then of a label before a text (`B) Paris`, `Option B`):
    the label of a choice, its text, a position (1, 2, … or A, B, …). Another word for true or false
    names such a choice, and so do the letters O and X, written for ○ and ×."""
    labels = [plain_label(choice.label).casefold() for choice in choices]
    texts = [fold_answer(choice.text) for choice in choices]
    numbers = [str(position) for position in range(1, len(choices) + 1)]
    positions = (numbers, *(list(series[: len(choices)]) for series in SERIES[1:]))
    before = _LABEL_BEFORE.match(half_width(answer)) or _OPTION.fullmatch(half_width(answer))
    for text in (answer, *([before[1]] if before else [])):
        label = plain_label(text.strip()).casefold()
        for sought, compared in (
            (label, labels),
            (fold_answer(text), texts),
            *((label, series) for series in positions),
        ):
            if sought and compared.count(sought) == 1:
                return compared.index(sought)
    value = truth(answer)
    if value is None and plain_label(answer) in ("O", "X"):
        value = plain_label(answer) == "O"
    truths = [truth(choice.text) for choice in choices]
    is_pair = truths.count(True) == truths.count(False) == 1
    return truths.index(value) if is_pair and value is not None else None
