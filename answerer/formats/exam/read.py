"""Reads NTCIR QA Lab exams (Torobo XML, Japanese and English): questions, choices, passages and what refers to what."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from answerer.formats.exam.parts import (
    Choice,
    Exam,
    ExamPassage,
    ExamQuestion,
    Gap,
    Kind,
    MarkedText,
    Statement,
    Target,
    TextSpan,
)
from answerer.formats.exam.shape import asked_for, shape_of, slots_of
from indexer.analysis.text import cut_long_runs
from indexer.files.encoding import read_whole
from indexer.files.errors import bad_input
from indexer.files.xml import SIZE_LIMIT, is_declared, line_of, parse_xml, without_ending
from indexer.languages.registry import detect_language

if TYPE_CHECKING:
    from lxml import etree


_DIGIT = "[1-9１-９]"
# A number of a choice: in a circle, in brackets, before a dash or stop, or at the beginning of a line.
_NUMBER = re.compile(
    rf"([①-⑨⑴-⑼])|(?:^|(?<=[\s,、，;；:：。|]))(?:[(（]({_DIGIT})[)）]|({_DIGIT})(?=\s*[-‐–—―－ー.．:：=＝)）、]))"
    rf"|^\s*({_DIGIT})(?=\s)",
    re.MULTILINE,
)
_EDGES = " \t\n\u3000,、，;；:：|.．-‐–—―－ー=＝)）"


class PrintedChoices(NamedTuple):
    """Choices found in a text: pairs (number, words) in order, and the character offset of the first."""

    start: int
    choices: list[tuple[str, str]]


def printed_choices(text: str) -> PrintedChoices | None:
    """Finds numbered choices in running text, such as `1-Aomori,2-Kumagaya` or `① 甲 ② 乙`; None without any.

    Numbers must count from 1 without a gap to at least 2, and each must be followed by words (`①～④` does not count).
    """
    marks: list[re.Match[str]] = []
    for match in _NUMBER.finditer(text):
        number = unicodedata.normalize("NFKC", next(filter(None, match.groups()))).strip("()")
        if number == str(len(marks) + 1):
            marks.append(match)
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    words = [text[mark.end() : end].strip(_EDGES) for mark, end in zip(marks, ends, strict=False)]
    if len(marks) < 2 or not all(any(map(str.isalnum, each)) for each in words):
        return None
    choices = [(str(number), " ".join(each.split())) for number, each in enumerate(words, 1)]
    return PrintedChoices(marks[0].start(), choices)


_SectionParts = tuple[list["etree._Element"], dict[str, list["etree._Element"]]]
"""The passages of a section in the order of the file, and its `choices` by answer column."""


class Mark(NamedTuple):
    """The element that a reference points to: its id, kind, printed label and words (`phrase`, "" for gaps)."""

    id: str
    kind: Target
    label: str
    phrase: str


Resolver = Callable[["etree._Element", str], Mark]
"""Returns the mark that a `ref` element refers to, given the element and its printed label."""

_MARKED: dict[str, Target] = {"uText": "underline", "lText": "statement", "blank": "gap", "data": "data"}
_NO_MARKS = frozenset("exam question choices choice ansColumn img ref label".split())
_SKIPPED = frozenset(("cNum", "question", "choices", "ansColumn", "instruction", "rt", "rp"))  # rt: how ruby is read
_BLOCKS = frozenset("data row tbl table caption note quote source info p title choice poem list item".split())
_LABELLED = frozenset((*_MARKED, "question", "choice", "exam"))
_NO_LABEL = "____"
_BLANKS = re.compile(r"\s+")
# Scripts whose words are not parted by blanks: a line end of the file does not part them either.
_WIDE = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\u2010-\u2027\u2460-\u24ff]")
# English files lack blanks after full stops and before names (ancientRome).
_GLUED = re.compile(r"(?<=[a-z0-9)\]\"'’”][.?!])(?=[A-Z](?:[a-z']|$))|(?<=[a-z]{4})(?=[A-Z][a-z]{3})")


def _kind_of(element: etree._Element) -> Target | None:
    """The kind of target that an element is for references; None for elements that cannot be referred to.

    An unlisted element with an id (other publishers' files) is a "statement" if it has a label, else "data".
    """
    known = _MARKED.get(element.tag)
    if known or element.tag in _NO_MARKS or not element.get("id"):
        return known
    return "statement" if element.find("label") is not None else "data"


def _own_label(element: etree._Element) -> str:
    """The printed mark of an element: the text of its `label` child, without blanks."""
    return "".join(_printed_text(element.find("label")).split())


def _printed_text(element: etree._Element | None) -> str:
    """All characters of an element as in the file, "" for None."""
    return "" if element is None else "".join(map(str, element.itertext()))


class _TextBuilder:
    """Builds the `MarkedText` of one element: its text without its own label, and the spans in it.

    White space of the file is folded; `br` breaks a line. `resolve` finds the target of a `ref` element; `choice` is
    true for the text of a choice, where an underline without label is a "wavy" span.
    """

    def __init__(self, resolve: Resolver, choice: bool = False) -> None:
        self._resolve = resolve
        self._choice = choice
        self._pieces: list[str] = []
        self._length = 0
        self._tail = ""  # the last characters
        self._pending = ""  # white space that waits for the next word
        self._beside_label = False  # whether the label of a reference begins or ended here
        self._spans: list[TextSpan] = []

    def text_of(self, element: etree._Element) -> MarkedText:
        """The text of an element with its spans in order of start, longer first.

        Empty spans other than pictures are dropped. May be called only once, as the builder keeps what it wrote.
        """
        self._inside(element)
        spans = sorted(self._spans, key=lambda span: (span.start, -span.end))
        kept = tuple(span for span in spans if span.end > span.start or span.kind == "picture")
        return MarkedText("".join(self._pieces), kept)

    def _inside(self, element: etree._Element) -> None:
        """Writes the text of an element's children and between them; skips labels and elements that print nothing."""
        self._write(element.text)
        for child in element:
            label = child.tag == "label" and (element.tag in _LABELLED or element.get("id"))
            if child.tag not in _SKIPPED and not label:
                self._child(child, element)
            self._write(child.tail)

    def _child(self, child: etree._Element, parent: etree._Element) -> None:
        """Writes one child element and records its span, if it is a picture, underline, statement, gap or reference.

        Blocks are set off by line breaks, table cells by blanks; a gap shows its label, a reference its label or that
        of its target.
        """
        separator = " " if child.tag == "cell" else "\n" if child.tag in (*_BLOCKS, "adata") else ""
        kind = _kind_of(child)
        self._separate(separator)
        first, begin = len(self._pieces), self._length
        if child.tag == "br":
            self._pending = "\n"
        elif child.tag == "img":
            # A picture is shown by its description, one without a description by its empty place.
            if parent.find("adata") is None:
                self._span("picture", "", child.get("src", ""), first, begin)
        elif child.tag == "adata":
            self._inside(child)
            self._span("picture", "", child.get("field", ""), first, begin)
        elif separator:
            self._inside(child)
        elif kind in ("underline", "statement", "gap"):
            label = _own_label(child)
            if kind == "gap":
                self._write(label)
            self._inside(child)
            if kind == "gap" and self._length == begin:
                self._write(_NO_LABEL)
            # In a choice an underline without a label is a wavy one: what the choice asserts.
            asserted = kind == "underline" and self._choice and not label
            self._span("wavy" if asserted else kind, child.get("id", ""), label, first, begin)
        elif child.tag == "ref":
            self._beside_label = True
            self._inside(child)
            label = "".join("".join(self._pieces[first:]).split())
            mark = self._resolve(child, label)
            if not label:
                self._write(mark.label)
            self._beside_label = True
            self._span("reference", mark.id, label or mark.label, first, begin, mark)
        else:
            self._inside(child)
        self._separate(separator)

    def _separate(self, by: str) -> None:
        """Separates the next piece from the text so far, by a blank or a new line; not if `by` is ""."""
        if by and self._pending != "\n":
            self._pending = by

    def _span(self, kind: Kind, id_: str, label: str, first: int, begin: int, mark: Mark | None = None) -> None:
        """Records a span from character `begin` (leading white space skipped) to the end of the text written so far.

        `first` is the index of the first text piece of the span, `mark` the target of a reference.
        """
        written = "".join(self._pieces[first:])
        start = begin + len(written) - len(written.lstrip())
        target, phrase = (mark.kind, mark.phrase) if mark else (None, "")
        self._spans.append(TextSpan(kind, id_, label, start, self._length, target, phrase))

    def _write(self, text: str | None) -> None:
        """Appends text word by word, each after the pending blank; runs of white space become one blank.

        A line end in the file does not separate wide (Japanese, Chinese) characters; a blank is added between a label
        and a word that would otherwise join. None appends nothing.
        """
        position = 0
        for blank in [*_BLANKS.finditer(text or ""), None]:
            word = (text or "")[position : blank.start() if blank else None]
            if word:
                pending, self._pending = self._pending, ""
                if not self._tail:
                    pending = ""
                elif pending == "\r":
                    pending = "" if _WIDE.match(self._tail[-1]) and _WIDE.match(word) else " "
                if self._beside_label and not pending:
                    # A label and a word that would become one word (`aGermanybItaly`): choices print them apart.
                    touching = self._tail[-1:] + word[0]
                    if len(touching) == 2 and touching.isalnum() and (self._choice or touching.isascii()):
                        pending = " "
                self._beside_label = False
                before = "" if pending else self._tail
                word = _GLUED.sub(" ", before + word)[len(before) :]
                self._pieces.append(pending + word)
                self._length += len(pending) + len(word)
                self._tail = (self._tail + pending + word)[-4:]
            if blank:
                position = blank.end()
                self._pending = self._pending or ("\r" if "\n" in blank[0] or "\r" in blank[0] else " ")


_PICTURE = "画像内"
_RANGE = re.compile(r"\s*(?:[-‐‑–—―－~～〜]|から|to|through)\s*", re.IGNORECASE)


def read_exam(path: str | Path) -> Exam:
    """Reads an exam: its multiple-choice questions in the file's order.

    The file is exam XML, or plain questions in one of the forms of `read_question_file`, whose answers are dropped.
    XML follows [QALab3], as used in files from 1997 to 2014. Tolerated, with a note in `Exam.notes`: references to
    missing ids (their label stays), empty choices, choice numbers that are missing or repeat, choices that only a
    description or table prints, no choices at all (the question stays, without choices), questions of other styles or
    without an answer column (left out). Raises UserError with file and line for damaged XML, a file without `exam`, and
    an exam without multiple-choice questions.
    """
    data = read_whole(path, SIZE_LIMIT, "expected a question file")
    if not is_declared(data):
        from answerer.formats.question_file.read import exam_of, is_xml, read_question_file  # the readers of six forms

        if not is_xml(data):
            return exam_of(read_question_file(data, path), path)
    root = parse_xml(data, name=str(path))
    exam = root if root.tag == "exam" else root.find(".//exam")
    if exam is None:
        raise bad_input(path, line_of(root), f"the root element is <{root.tag}>", "expected <exam>")
    # A run of thousands of characters without blanks is cut: analysers would take minutes for it.
    cut_long_runs([exam], str(path))
    file = _exam_file(root, str(path))
    questions = tuple(_questions(root, file))
    if not questions:
        raise bad_input(path, line_of(exam), "no multiple-choice question", "expected <question minimal='yes'>")
    words = [text.plain for q in questions for text in (q.instruction, *(c.text for c in q.choices))]
    name = without_ending(Path(path).name)
    return Exam(
        name=name,
        title=" ".join((exam.text or "").split()) or name,
        language=detect_language("\n".join(words)),
        questions=questions,
        notes=tuple(dict.fromkeys((*file.notes, *file.reference_notes))),
    )


@dataclass(frozen=True, kw_only=True)
class _ExamFile:
    """An exam file with the look-ups and caches that its questions use.

    `elements` maps an id to the elements that can be referred to by it; `order` maps an element to its position in
    document order, `last` to the position of its last descendant. `marks`, `passages`, `section_marks` and `sections`
    are caches. `notes` and `reference_notes` (references without target) are messages, one line each.
    """

    file: str
    elements: dict[str, list[etree._Element]]
    order: dict[etree._Element, int]
    last: dict[etree._Element, int]
    marks: dict[etree._Element, Mark] = field(default_factory=dict)
    passages: dict[etree._Element, ExamPassage] = field(default_factory=dict)
    section_marks: dict[etree._Element, list[etree._Element]] = field(default_factory=dict)
    sections: dict[etree._Element, _SectionParts] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    reference_notes: list[str] = field(default_factory=list)


def _exam_file(root: etree._Element, file: str) -> _ExamFile:
    """Indexes the elements of a file by id and document order; caches and notes start empty."""
    marked: dict[str, list[etree._Element]] = defaultdict(list)
    elements = list(root.iter())
    for element in elements:
        if element.get("id") and _kind_of(element):
            marked[element.get("id", "")].append(element)
    order = {element: position for position, element in enumerate(elements)}
    last: dict[etree._Element, int] = {}
    for element in reversed(elements):
        last[element] = last[element[-1]] if len(element) else order[element]
    return _ExamFile(file=file, elements=marked, order=order, last=last)


def _resolve(exam: _ExamFile, reference: etree._Element, label: str) -> Mark:
    """Finds the target of a `ref` element; `label` is the label that the reference prints.

    Of several elements with the target id (merged years) the nearest counts. A missing id is replaced by the section's
    only element with the printed label; otherwise the mark has kind `missing` and a note is added to the exam. A `ref`
    without target id points inside a picture.
    """
    target = reference.get("target", "").strip()
    candidates = exam.elements.get(target, [])
    if candidates:
        return _mark(exam, _nearest(exam, reference, candidates))
    if not target or _PICTURE in reference.get("comment", ""):
        return Mark("", "picture", label, "")
    # Years that were merged in one file lost ids, but the paper prints the label.
    same = [element for element in _section_marks(exam, reference) if label and _own_label(element) == label]
    if len(same) == 1:
        return _mark(exam, same[0])
    where = f"{exam.file}:{line_of(reference)}"
    exam.reference_notes.append(f"{where}: reference to {target}, which is not in the exam: its label {label} stays")
    return Mark(target, "missing", label, "")


def _mark(exam: _ExamFile, element: etree._Element) -> Mark:
    """The id, kind, label and words of an element as a target of references; cached in `exam.marks`."""
    if element not in exam.marks:
        kind = _kind_of(element) or "data"
        label = _own_label(element)
        phrase = ""
        if kind != "gap":  # references inside are shown as printed
            phrase = _TextBuilder(lambda _, printed: Mark("", "missing", printed, "")).text_of(element).plain
        exam.marks[element] = Mark(element.get("id", ""), kind, label, phrase)
    return exam.marks[element]


def _with_ranges(exam: _ExamFile, text: MarkedText, element: etree._Element) -> MarkedText:
    """A text whose ranges of references ("(1) to (3)": reference, dash, reference) include the targets between the two.

    The phrase of the range's second reference becomes the phrases of all targets after the first, in the order of the
    file, joined with "、" or a blank. `element` is the element that the text comes from.
    """
    spans = list(text.spans)
    references = [number for number, span in enumerate(spans) if span.kind == "reference"]
    for first, second in pairwise(references):
        start, end = spans[first], spans[second]
        if not start.phrase or not end.phrase or start.target != end.target:
            continue
        # Only a dash, "from … to" or the like makes a range.
        if not _RANGE.fullmatch(text.plain[start.end : end.start]):
            continue
        marks = [mark for each in _section_marks(exam, element) if (mark := _mark(exam, each)).kind == start.target]
        ids = [mark.id for mark in marks]
        if start.id in ids and end.id in ids and ids.index(start.id) < ids.index(end.id):
            between = marks[ids.index(start.id) + 1 : ids.index(end.id) + 1]
            joint = " " if end.phrase.isascii() else "、"
            spans[second] = end._replace(phrase=joint.join(mark.phrase for mark in between))
    return MarkedText(text.plain, tuple(spans))


def _nearest(exam: _ExamFile, reference: etree._Element, candidates: list[etree._Element]) -> etree._Element:
    """The candidate whose lowest common ancestor with `reference` is deepest; the first such in document order.

    `candidates` is not empty and in document order; its first element comes back if no ancestor is common.
    """
    if len(candidates) == 1:
        return candidates[0]
    for above in reference.iterancestors():
        first = bisect_left(candidates, exam.order[above], key=exam.order.__getitem__)
        if first < len(candidates) and exam.order[candidates[first]] <= exam.last[above]:
            return candidates[first]
    return candidates[0]


def _section_marks(exam: _ExamFile, element: etree._Element) -> list[etree._Element]:
    """The elements that references can point to, in the section (outermost question) around an element; cached."""
    above = [element, *element.iterancestors()]
    section = next((each for each in reversed(above) if each.tag == "question"), above[-1])
    if section not in exam.section_marks:
        exam.section_marks[section] = [each for each in section.iter() if _kind_of(each)]
    return exam.section_marks[section]


def _questions(root: etree._Element, exam: _ExamFile) -> Iterator[ExamQuestion]:
    """Yields each multiple-choice question once for every answer column.

    Adds a note to `exam` for each question left out.
    """
    for element in root.iter("question"):
        if not _is_minimal(element):
            continue
        # Files of other publishers have choices but another style.
        style = element.get("answer_style", "multipleChoice") or "multipleChoice"
        own = _own(element, "choices")
        if style != "multipleChoice" and not own:
            _note(exam, element, f"question {element.get('id', '')}: answer_style {style} is left out")
            continue
        columns = _columns(element, own)
        if not columns:
            name = element.get("id") or _own_label(element)
            _note(exam, element, f"question {name} does not say its answer column: left out")
        for position, column in enumerate(columns):
            # The `choices` of the column: by its anscol, else by position; or those of the section.
            named = [c for c in own if column in _columns_in(c.get("anscol"))]
            if not named and not own:
                named = _section_parts(exam, _section(element))[1].get(column, [])
            by_position = own[position : position + 1] if len(own) == len(columns) else own
            choices = next((c for c in (*named, *by_position) if c.find(".//choice") is not None), None)
            asked = _question(exam, element, own, column, choices)
            if len(columns) > 1:
                gaps = asked.gaps
                # Choices that fill several gaps at once keep them all.
                if len(gaps) == len(columns) and not any(choice.slots for choice in asked.choices):
                    gaps = (gaps[columns.index(column)],)
                asked = replace(asked, gaps=gaps, together=tuple(columns))
            yield asked


def _columns(element: etree._Element, own: list[etree._Element]) -> list[str]:
    """The ids of a question's answer columns, without repetition; several if several gaps have one list of choices.

    Tries the question's `anscol`, its `ansColumn` elements, the `anscol` of `own` (its `choices` elements), then
    printed numbers (`13` becomes `A13`). Returns [] if the question has no column.
    """
    # The question's own attribute first, then what the paper prints, then its lists of choices.
    sources = [
        [element.get("anscol")],
        [column.get("id") for column in _own(element, "ansColumn")],
        [choices.get("anscol") for choices in own],
    ]
    for source in sources:
        if columns := [column for names in source for column in _columns_in(names)]:
            return list(dict.fromkeys(columns))
    texts = [_printed_text(column) for column in _own(element, "ansColumn")]
    return [f"A{int(number)}" for number in dict.fromkeys(n for text in texts for n in re.findall(r"\d+", text))]


def _question(
    exam: _ExamFile, element: etree._Element, own: list[etree._Element], column: str, choices: etree._Element | None
) -> ExamQuestion:
    """Builds the question of one answer column with its instruction, context, choices, gaps, statements and shape.

    `own` are all `choices` elements of the question `element`, `choices` is the one of this column; None searches the
    text for printed choices.
    """
    # The instruction: its own, else its bare text, else that of a question around it.
    instruction = MarkedText()
    for place in (element, *element.iterancestors("question")):
        asking = place.find("instruction")
        if asking is not None and (text := _TextBuilder(partial(_resolve, exam)).text_of(asking)):
            instruction = _with_ranges(exam, text, asking)
            break
        if place is element and (bare := " ".join((element.text or "").split())):
            instruction = MarkedText(bare)
            break
    # Data elements, and tables, statements or pictures outside a data element, that show something.
    data = tuple(
        _passage(exam, child)
        for child in element
        if child.tag not in _NO_DATA
        and (any(text.strip() for text in child.itertext()) or child.find(".//img") is not None)
    )
    if choices is None:
        texts, data = _find_printed_choices(exam, element, own, column, instruction, data)
    else:
        texts = _choice_texts(exam, choices, column)
    passages = tuple(_passage(exam, each) for each in _section_parts(exam, _section(element))[0])
    asking_texts = [instruction, *(text for _, text in texts)]
    places = [instruction, *(passage.text for passage in (*data, *passages))]
    answer_type = element.get("answer_type", "")
    gaps = _gaps(asking_texts, data, places)
    statements = _statements(asking_texts, data, places)
    labels = {gap.label: gap.id for gap in gaps if gap.label}
    slots = slots_of([text for _, text in texts], answer_type, labels, statements)
    options = tuple(Choice(number, text, row) for (number, text), row in zip(texts, slots, strict=True))
    pictures = 0 if choices is None else sum(1 for c in choices.iter("choice") if c.find(".//img") is not None)
    return ExamQuestion(
        answer_column=column,
        answer_type=answer_type,
        shape=shape_of(options, answer_type, instruction, bool(gaps), pictures == len(texts) > 0),
        asks=asked_for(instruction.plain),
        instruction=instruction,
        data=data,
        choices=options,
        passages=passages,
        underlines=tuple(span.phrase for span in instruction.spans if span.target == "underline" and span.phrase),
        gaps=gaps,
        statements=statements,
    )


def _find_printed_choices(
    exam: _ExamFile,
    element: etree._Element,
    own: list[etree._Element],
    column: str,
    instruction: MarkedText,
    data: tuple[ExamPassage, ...],
) -> tuple[list[tuple[str, MarkedText]], tuple[ExamPassage, ...]]:
    """Finds the choices of a question without `choice` elements in its text; returns them and the data without them.

    Choices are pairs (number, text), [] if none are found. Searched in order: `data`, the `choices` elements in `own`,
    picture descriptions, and data that the instruction refers to. Adds a note to `exam` in either case, with the name
    of the answer `column`.
    """
    # Choices printed in the data are taken out of it: they must not count as the question's context.
    for place, passage in enumerate(data):
        if printed := printed_choices(passage.text.plain):
            kept = passage.text.plain[: printed.start].rstrip()
            before = MarkedText(kept, tuple(span for span in passage.text.spans if span.end <= len(kept)))
            data = (*data[:place], passage._replace(text=before), *data[place + 1 :])
            break
    else:
        elsewhere = [
            *(_TextBuilder(partial(_resolve, exam)).text_of(each).plain for each in own),
            *(" ".join(_printed_text(each).split()) for each in _own(element, "adata")),
            *(span.phrase for span in instruction.spans if span.target == "data"),
        ]
        printed = next(filter(None, map(printed_choices, elsewhere)), None)
    name = f"question {element.get('id', '')} ({column})"
    if printed is None:
        _note(exam, element, f"{name} does not have choices: it stays without an answer")
        return [], data
    _note(exam, element, f"{name} does not mark its choices: read from its text ({len(printed.choices)} of them)")
    return [(number, MarkedText(words)) for number, words in printed.choices], data


def _section_parts(exam: _ExamFile, section: etree._Element) -> _SectionParts:
    """The passages and the `choices` elements (by answer column) of a section; cached.

    Passages are `data` elements outside of minimal questions, of other data and of choices.
    """
    if section not in exam.sections:
        passages = []
        for data in section.iter("data"):
            # The section's are those that are neither inside other data nor a question's own.
            for above in data.iterancestors():
                if above is section:
                    passages.append(data)
                if above is section or above.tag in ("data", "choices"):
                    break
                if above.tag == "question" and _is_minimal(above):
                    break
        choices: dict[str, list[etree._Element]] = defaultdict(list)
        for each in section.iter("choices"):
            for column in set(_narrow(each.get("anscol")).split()):
                choices[column].append(each)
        exam.sections[section] = passages, choices
    return exam.sections[section]


def _passage(exam: _ExamFile, element: etree._Element) -> ExamPassage:
    """The text of a `data` element (or another element that shows text) as a passage; cached in `exam.passages`."""
    if element not in exam.passages:
        text = _with_ranges(exam, _TextBuilder(partial(_resolve, exam)).text_of(element), element)
        exam.passages[element] = ExamPassage(element.get("id", ""), _own_label(element), text)
    return exam.passages[element]


def _choice_texts(exam: _ExamFile, choices: etree._Element, column: str) -> list[tuple[str, MarkedText]]:
    """Pairs (number, text) of each choice; numbers count from 1 where the file's are missing or repeat.

    Adds a note to `exam` for renumbered and for empty choices; `column` names the answer column in notes.
    """
    elements = list(choices.iter("choice"))
    numbers = []
    for element in elements:
        printed = (c for c in _narrow(_printed_text(element.find("cNum"))) if c.isalnum())
        numbers.append(_narrow(element.get("ansnum")) or "".join(printed))
    if not all(numbers) or len(set(numbers)) < len(numbers):
        _note(exam, choices, f"choices of {column} lack numbers of their own: counted from 1")
        numbers = [str(position) for position in range(1, len(elements) + 1)]
    texts = []
    for number, element in zip(numbers, elements, strict=True):
        text = _TextBuilder(partial(_resolve, exam), choice=True).text_of(element)
        if not text and element.find(".//img") is None:
            _note(exam, element, f"choice {number} of {column} is empty")
        texts.append((number, text))
    return texts


def _note(exam: _ExamFile, element: etree._Element, what: str) -> None:
    exam.notes.append(f"{exam.file}:{line_of(element)}: {what}")


def _narrow(text: str | None) -> str:
    """Half-width, without blanks at the ends: ids and digits are written both ways."""
    return unicodedata.normalize("NFKC", text or "").strip()


def _columns_in(anscol: str | None) -> list[str]:
    return _narrow(anscol).replace(",", " ").split()


def _is_minimal(element: etree._Element) -> bool:
    """True if a question is to be answered itself, not only a frame for other questions.

    Without inner questions: `minimal` is "yes", or is missing and the question has `choices`. With inner questions:
    `minimal` is "yes" and the question itself has an answer column or choices.
    """
    # Exams mark a question that asks something itself with minimal="yes".
    marked = element.get("minimal", "").lower()
    if marked == "no":
        return False
    if element.find(".//question") is not None:
        return marked == "yes" and bool(element.get("anscol") or _own(element, "choices"))
    return marked == "yes" or element.find(".//choices") is not None


def _own(element: etree._Element, tag: str) -> list[etree._Element]:
    """The elements of a tag inside a question, not those of questions within it."""
    return [each for each in element.iter(tag) if next(each.iterancestors("question")) is element]


_PRINTED_STATEMENT = re.compile(
    r"\s*([a-fａ-ｆA-FＡ-Ｆア-カ]|[(（][a-fａ-ｆA-FＡ-Ｆア-カ][)）])(?:[.．:：、]\s*|\s+)(\S.*)"
)
_SERIES = ("abcdef", "ABCDEF", "アイウエオカ")
_NO_DATA = frozenset(("label", "instruction", "ansColumn", "choices", "question", "br", "cNum"))


def _section(element: etree._Element) -> etree._Element:
    """The outermost question around a question that asks something, else the exam (one without sections)."""
    above = list(element.iterancestors("question"))
    return above[-1] if above else next(element.iterancestors("exam"), element)


def _marked_spans(kind: Kind, places: list[MarkedText]) -> list[tuple[MarkedText, TextSpan]]:
    """Pairs (text, span) for all spans of a kind in the texts `places`.

    Of several spans with the same id and label only the first is included.
    """
    spans: dict[tuple[str, str], tuple[MarkedText, TextSpan]] = {}
    for text in places:
        for span in text.of_kind(kind):
            spans.setdefault((span.id, span.label), (text, span))
    return list(spans.values())


def _gaps(asking: list[MarkedText], data: tuple[ExamPassage, ...], places: list[MarkedText]) -> tuple[Gap, ...]:
    """The gaps that a question asks to fill, in the order in which `places` print them.

    Those that references in `asking` (instruction first, then choices) or `data` point to, those inside `data`, and
    those whose label the instruction prints without a reference, if another asked gap is in the same text.
    """
    wanted = {span.id for text in (*asking, *(p.text for p in data)) for span in text.spans if span.target == "gap"}
    own = {(span.id, span.label) for passage in data for span in passage.text.of_kind("gap")}
    every = [Gap(span.id, span.label, text, span.start, span.end) for text, span in _marked_spans("gap", places)]
    asked = [gap for gap in every if gap.id in wanted or (gap.id, gap.label) in own]
    labels = {gap.label for gap in asked}
    printed = list(asking[0].plain)
    for span in asking[0].of_kind("reference"):
        printed[span.start : span.end] = " " * (span.end - span.start)
    gaps = []
    for gap in every:
        beside = next((other for other in asked if other.text is gap.text), None)
        is_named = (
            beside is not None
            and gap.label not in labels
            and len(gap.label) > 1
            and gap.label[1].isdigit() == beside.label[1:2].isdigit()
            and gap.label in "".join(printed)
        )
        if gap in asked or is_named:
            gaps.append(gap)
    return tuple(gaps)


def _statements(
    asking: list[MarkedText], data: tuple[ExamPassage, ...], places: list[MarkedText]
) -> tuple[Statement, ...]:
    """The labelled statements that a question refers to or has in its data.

    `asking` are instruction and choices, `places` all texts in which statements are searched. If the file marks no such
    statement, lines of the data that begin with consecutive labels (a, b …), at least two, with id "". Else ().
    """
    wanted = {span.id for text in asking for span in text.spans if span.target == "statement"}
    own = {(span.id, span.label) for passage in data for span in passage.text.of_kind("statement")}
    marked = tuple(
        Statement(span.id, span.label, text.plain[span.start : span.end])
        for text, span in _marked_spans("statement", places)
        if span.id in wanted or (span.id, span.label) in own
    )
    lines = [line for passage in data for line in passage.text.plain.split("\n")]
    printed = [(match[1], match[2]) for line in lines if (match := _PRINTED_STATEMENT.match(line))]
    labels = [unicodedata.normalize("NFKC", label).strip("()") for label, _ in printed]
    if marked or len(printed) < 2 or labels not in [list(series[: len(printed)]) for series in _SERIES]:
        return marked
    return tuple(Statement("", label, text) for label, text in printed)
