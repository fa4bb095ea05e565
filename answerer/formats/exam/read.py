"""Reads NTCIR QA Lab exams (Torobo XML, Japanese and English): questions, choices, passages and what refers to what."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from answerer.formats.exam.parts import Choice, Exam, Gap, Passage, Question, Statement
from answerer.formats.exam.shape import asked_for, shape_of, slots_of
from answerer.formats.exam.text import Mark, MarkedText, TextSpan, kind_of, own_label, printed_text, text_of
from indexer.analysis.text import cut_long_runs
from indexer.files.encoding import read_whole
from indexer.files.errors import bad_input
from indexer.files.xml import SIZE_LIMIT, is_declared, line_of, parse_xml, without_ending
from indexer.languages.registry import detect_language

if TYPE_CHECKING:
    from lxml import etree


_DIGIT = "[1-9１-９]"
_NUMBER = re.compile(
    rf"([①-⑨⑴-⑼])|(?:^|(?<=[\s,、，;；:：。|]))(?:[(（]({_DIGIT})[)）]|({_DIGIT})(?=\s*[-‐–—―－ー.．:：=＝)）、]))"
    rf"|^\s*({_DIGIT})(?=\s)",
    re.MULTILINE,
)
_EDGES = " \t\n\u3000,、，;；:：|.．-‐–—―－ー=＝)）"


class PrintedChoices(NamedTuple):
    """Numbers with their words, in order, and the character of the text where the first begins."""

    start: int
    choices: list[tuple[str, str]]


def printed_choices(text: str) -> PrintedChoices | None:
    """The choices that a text prints: `1-Aomori,2-Kumagaya`, `① 甲 ② 乙`; None if it does not print any.

    They count from 1 without a gap, are two or more, and each has words (`①～④` does not).
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


_PICTURE = "画像内"
_RANGE = re.compile(r"\s*(?:[-‐‑–—―－~～〜]|から|to|through)\s*", re.IGNORECASE)


class Marks:
    """The marked elements of a file. `notes` collects, one line each, references that point nowhere.

    `order` gives every element's place in the file.
    """

    def __init__(self, root: etree._Element, file: str) -> None:
        self._file = file
        self._elements: dict[str, list[etree._Element]] = defaultdict(list)
        elements = list(root.iter())
        for element in elements:
            if element.get("id") and kind_of(element):
                self._elements[element.get("id", "")].append(element)
        self.order = {element: position for position, element in enumerate(elements)}
        self._last: dict[etree._Element, int] = {}
        for element in reversed(elements):
            self._last[element] = self._last[element[-1]] if len(element) else self.order[element]
        self._known: dict[etree._Element, Mark] = {}
        self._sections: dict[etree._Element, list[etree._Element]] = {}
        self.notes: list[str] = []

    def resolve(self, reference: etree._Element, label: str) -> Mark:
        """Resolves a `ref` to the mark that it points to.

        An id that repeats (merged years) means the nearest element of that id. A target that does not exist
        is looked for by its printed label in the section; without success it is `missing`, with a note.
        A `ref` without target points inside a picture.
        """
        target = reference.get("target", "").strip()
        candidates = self._elements.get(target, [])
        if candidates:
            return self._mark(self._nearest(reference, candidates))
        if not target or _PICTURE in reference.get("comment", ""):
            return Mark("", "picture", label, "")
        same = [element for element in self._section_marks(reference) if label and own_label(element) == label]
        if len(same) == 1:
            return self._mark(same[0])
        where = f"{self._file}:{line_of(reference)}"
        self.notes.append(f"{where}: reference to {target}, which is not in the exam: its label {label} stays")
        return Mark(target, "missing", label, "")

    def _mark(self, element: etree._Element) -> Mark:
        """The mark of an element, made once."""
        if element not in self._known:
            kind = kind_of(element) or "data"
            label = own_label(element)
            phrase = "" if kind == "gap" else text_of(element, _as_printed).plain
            self._known[element] = Mark(element.get("id", ""), kind, label, phrase)
        return self._known[element]

    def with_ranges(self, text: MarkedText, element: etree._Element) -> MarkedText:
        """The text with ranges (a reference, a dash, a reference) standing for all that lies between as well.

        The second reference of a range takes the phrases between the two before its own.
        """
        spans = list(text.spans)
        references = [number for number, span in enumerate(spans) if span.kind == "reference"]
        for first, second in pairwise(references):
            start, end = spans[first], spans[second]
            if not start.phrase or not end.phrase or start.target != end.target:
                continue
            if _RANGE.fullmatch(text.plain[start.end : end.start]):
                spans[second] = end._replace(phrase=self._phrases_to(element, start, end))
        return MarkedText(text.plain, tuple(spans))

    def _phrases_to(self, element: etree._Element, start: TextSpan, end: TextSpan) -> str:
        """The phrases after `start` up to `end`, in the order of the file."""
        marks = [self._mark(each) for each in self._section_marks(element)]
        marks = [mark for mark in marks if mark.kind == start.target]
        ids = [mark.id for mark in marks]
        if start.id not in ids or end.id not in ids or ids.index(start.id) >= ids.index(end.id):
            return end.phrase
        between = marks[ids.index(start.id) + 1 : ids.index(end.id) + 1]
        joint = " " if end.phrase.isascii() else "、"
        return joint.join(mark.phrase for mark in between)

    def _nearest(self, reference: etree._Element, candidates: list[etree._Element]) -> etree._Element:
        """The candidate that shares the innermost element with the reference, the first of several."""
        if len(candidates) == 1:
            return candidates[0]
        for above in reference.iterancestors():
            first = bisect_left(candidates, self.order[above], key=self.order.__getitem__)
            if first < len(candidates) and self.order[candidates[first]] <= self._last[above]:
                return candidates[first]
        return candidates[0]

    def _section_marks(self, element: etree._Element) -> list[etree._Element]:
        """The marked elements of the section (outermost question) around an element."""
        above = [element, *element.iterancestors()]
        section = next((each for each in reversed(above) if each.tag == "question"), above[-1])
        if section not in self._sections:
            self._sections[section] = [each for each in section.iter() if kind_of(each)]
        return self._sections[section]


def _as_printed(_: etree._Element, label: str) -> Mark:
    return Mark("", "missing", label, "")


def read_exam(path: str | Path) -> Exam:
    """The exam in a file, its multiple-choice questions in the file's order.

    Exam XML, or plain questions in one of the forms of `read_question_file`, without their answers.
    XML as in [QALab3], read in files from 1997 to 2014. Tolerated, with a note: references
    to missing ids (their label stays), empty choices, choice numbers that are missing or repeat, choices that
    only a description or table prints, no choices at all (the question stays, without choices), questions of other
    styles or without an answer column (left out). UserError with file and line: what `parse_xml` refuses, no exam,
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
    cut_long_runs([exam], str(path))
    reader = _ExamReader(root, str(path))
    questions = tuple(reader.questions())
    if not questions:
        raise bad_input(path, line_of(exam), "no multiple-choice question", "expected <question minimal='yes'>")
    words = [text.plain for q in questions for text in (q.instruction, *(c.text for c in q.choices))]
    name = without_ending(Path(path).name)
    return Exam(
        name=name,
        title=" ".join((exam.text or "").split()) or name,
        language=detect_language("\n".join(words)),
        questions=questions,
        notes=tuple(dict.fromkeys((*reader.notes, *reader.marks.notes))),
    )


class _SectionParts(NamedTuple):
    """The passages of a section in the order of the file, and its lists of choices by answer column."""

    passages: list[etree._Element]
    choices: dict[str, list[etree._Element]]


class _ExamReader:
    """Walks one file; texts of passages are made once, for all questions of their section."""

    def __init__(self, root: etree._Element, file: str) -> None:
        self._root = root
        self._file = file
        self._passages: dict[etree._Element, Passage] = {}
        self._sections: dict[etree._Element, _SectionParts] = {}
        self.marks = Marks(root, file)
        self.notes: list[str] = []

    def questions(self) -> Iterator[Question]:
        """Yields each multiple-choice question, once for every answer column; notes those that are left out."""
        for element in self._root.iter("question"):
            if not _is_minimal(element):
                continue
            style = element.get("answer_style", "multipleChoice") or "multipleChoice"
            own = _own(element, "choices")
            if style != "multipleChoice" and not own:
                self._note(element, f"question {element.get('id', '')}: answer_style {style} is left out")
                continue
            columns = self._columns(element, own)
            if not columns:
                name = element.get("id") or own_label(element)
                self._note(element, f"question {name} does not say its answer column: left out")
            for position, column in enumerate(columns):
                choices = self._choices_of(element, own, column, position, len(columns))
                asked = self._question(element, own, column, choices)
                yield _of_column(asked, columns) if len(columns) > 1 else asked

    def _columns(self, element: etree._Element, own: list[etree._Element]) -> list[str]:
        """The answer columns of a question; several where it has several gaps and one list of choices.

        A column that the file prints without an id (`13`) is called as others are (`A13`).
        """
        sources = [
            [element.get("anscol")],
            [column.get("id") for column in _own(element, "ansColumn")],
            [choices.get("anscol") for choices in own],
        ]
        for source in sources:
            columns = [c for names in source for c in _narrow(names).replace(",", " ").split()]
            if columns:
                return list(dict.fromkeys(columns))
        printed = [
            number for column in _own(element, "ansColumn") for number in re.findall(r"\d+", printed_text(column))
        ]
        return [f"A{int(number)}" for number in dict.fromkeys(printed)]

    def _choices_of(
        self, element: etree._Element, own: list[etree._Element], column: str, position: int, columns: int
    ) -> etree._Element | None:
        """The `choices` of an answer column: by its anscol, else by position; or those of the section."""
        named = [c for c in own if column in _narrow(c.get("anscol")).replace(",", " ").split()]
        if not named and not own:
            named = self._section_parts(_section(element)).choices.get(column, [])
        by_position = own[position : position + 1] if len(own) == columns else own
        return next((c for c in (*named, *by_position) if c.find(".//choice") is not None), None)

    def _question(
        self, element: etree._Element, own: list[etree._Element], column: str, choices: etree._Element | None
    ) -> Question:
        instruction = self._instruction(element)
        data = tuple(map(self._passage, _own_data(element)))
        if choices is None:
            texts, data = self._find_printed_choices(element, own, column, instruction, data)
        else:
            texts = self._choice_texts(choices, column)
        passages = tuple(map(self._passage, self._section_parts(_section(element)).passages))
        places = [instruction, *(passage.text for passage in (*data, *passages))]
        answer_type = element.get("answer_type", "")
        gaps = _gaps(instruction, [text for _, text in texts], data, places)
        statements = _statements(instruction, [text for _, text in texts], data, places)
        labels = {gap.label: gap.id for gap in gaps if gap.label}
        slots = slots_of([text for _, text in texts], answer_type, labels, statements)
        options = tuple(Choice(number, text, row) for (number, text), row in zip(texts, slots, strict=True))
        pictures = 0 if choices is None else sum(1 for c in choices.iter("choice") if c.find(".//img") is not None)
        return Question(
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
        self,
        element: etree._Element,
        own: list[etree._Element],
        column: str,
        instruction: MarkedText,
        data: tuple[Passage, ...],
    ) -> tuple[list[tuple[str, MarkedText]], tuple[Passage, ...]]:
        """The printed choices of a question without `choice` elements, and its data without them.

        They are looked for in its `choices`, its data, descriptions of its pictures, and data that it refers to.
        """
        # Choices printed in the data are taken out of it: they must not count as the question's context.
        for place, passage in enumerate(data):
            if printed := printed_choices(passage.text.plain):
                data = (*data[:place], passage._replace(text=passage.text.before(printed.start)), *data[place + 1 :])
                break
        else:
            elsewhere = [
                *(text_of(each, self.marks.resolve).plain for each in own),
                *(" ".join(printed_text(each).split()) for each in _own(element, "adata")),
                *(span.phrase for span in instruction.spans if span.target == "data"),
            ]
            printed = next(filter(None, map(printed_choices, elsewhere)), None)
        name = f"question {element.get('id', '')} ({column})"
        if printed is None:
            self._note(element, f"{name} does not have choices: it stays without an answer")
            return [], data
        self._note(element, f"{name} does not mark its choices: read from its text ({len(printed.choices)} of them)")
        return [(number, MarkedText(words)) for number, words in printed.choices], data

    def _instruction(self, element: etree._Element) -> MarkedText:
        """The instruction of a question: its own, else its bare text, else that of a question around it."""
        for place in (element, *element.iterancestors("question")):
            own = place.find("instruction")
            if own is not None and (text := text_of(own, self.marks.resolve)):
                return self.marks.with_ranges(text, own)
            if place is element and (bare := " ".join((element.text or "").split())):
                return MarkedText(bare)
        return MarkedText()

    def _section_parts(self, section: etree._Element) -> _SectionParts:
        """Parts that the questions of a section share, looked for once."""
        if section not in self._sections:
            passages = [passage for passage in section.iter("data") if _is_passage(passage, section)]
            choices: dict[str, list[etree._Element]] = {}
            for each in section.iter("choices"):
                for column in set(_narrow(each.get("anscol")).split()):
                    choices.setdefault(column, []).append(each)
            self._sections[section] = _SectionParts(passages, choices)
        return self._sections[section]

    def _passage(self, element: etree._Element) -> Passage:
        if element not in self._passages:
            text = self.marks.with_ranges(text_of(element, self.marks.resolve), element)
            self._passages[element] = Passage(element.get("id", ""), own_label(element), text)
        return self._passages[element]

    def _choice_texts(self, choices: etree._Element, column: str) -> list[tuple[str, MarkedText]]:
        elements = list(choices.iter("choice"))
        numbers = [_number(element) for element in elements]
        if not all(numbers) or len(set(numbers)) < len(numbers):
            self._note(choices, f"choices of {column} lack numbers of their own: counted from 1")
            numbers = [str(position) for position in range(1, len(elements) + 1)]
        texts = []
        for number, element in zip(numbers, elements, strict=True):
            text = text_of(element, self.marks.resolve, choice=True)
            if not text and element.find(".//img") is None:
                self._note(element, f"choice {number} of {column} is empty")
            texts.append((number, text))
        return texts

    def _note(self, element: etree._Element, what: str) -> None:
        self.notes.append(f"{self._file}:{line_of(element)}: {what}")


def _of_column(question: Question, columns: Sequence[str]) -> Question:
    """The question of one of several answer columns: where there are as many gaps, it asks for the gap of its place.

    Choices that fill several gaps at once keep them all.
    """
    gaps = question.gaps
    if len(gaps) == len(columns) and not any(choice.slots for choice in question.choices):
        gaps = (gaps[columns.index(question.answer_column)],)
    return replace(question, gaps=gaps, together=tuple(columns))


def _narrow(text: str | None) -> str:
    """Half-width, without blanks at the ends: ids and digits are written both ways."""
    return unicodedata.normalize("NFKC", text or "").strip()


def _number(choice: etree._Element) -> str:
    number = _narrow(choice.get("ansnum"))
    if number:
        return number
    printed = _narrow(printed_text(choice.find("cNum")))
    return "".join(character for character in printed if character.isalnum())


def _is_minimal(element: etree._Element) -> bool:
    """True if a question asks something itself: it is marked so, or unmarked with choices.

    A question that contains others also asks something itself if it is marked and has choices or an answer column.
    """
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
_NO_DATA = frozenset(("label", "instruction", "ansColumn", "choices", "question", "br", "cNum"))


def _own_data(element: etree._Element) -> list[etree._Element]:
    """A question's own data elements, and its tables, statements or pictures outside a data element."""
    return [child for child in element if child.tag not in _NO_DATA and _is_printed(child)]


def _is_printed(element: etree._Element) -> bool:
    """True if an element shows something: text or a picture."""
    return any(text.strip() for text in element.itertext()) or element.find(".//img") is not None


def _section(element: etree._Element) -> etree._Element:
    """The outermost question around an element, or the element itself (an exam without sections: the exam)."""
    above = list(element.iterancestors("question"))
    if above:
        return above[-1]
    exams = list(element.iterancestors("exam"))
    return exams[0] if exams and element.tag == "question" and _is_minimal(element) else element


def _is_passage(data: etree._Element, section: etree._Element) -> bool:
    """True if a data element is the section's: not inside other data, nor a question's own."""
    for above in data.iterancestors():
        if above is section:
            return True
        if above.tag in ("data", "choices") or (above.tag == "question" and _is_minimal(above)):
            return False
    return False


def _referred_ids(texts: Iterable[MarkedText], target: str) -> set[str]:
    return {span.id for text in texts for span in text.spans if span.target == target}


def _marked_spans(kind: str, places: Iterable[MarkedText]) -> Iterator[tuple[MarkedText, TextSpan]]:
    """Every span of a kind in the texts, once an id."""
    seen = set()
    for text in places:
        for span in text.spans:
            if span.kind == kind and (span.id, span.label) not in seen:
                seen.add((span.id, span.label))
                yield text, span


def _gaps(
    instruction: MarkedText, choices: list[MarkedText], data: tuple[Passage, ...], places: list[MarkedText]
) -> tuple[Gap, ...]:
    """The gaps that a question asks for: those it refers to and those in its own data."""
    wanted = _referred_ids([instruction, *choices, *(passage.text for passage in data)], "gap")
    own = {(span.id, span.label) for passage in data for span in passage.text.of_kind("gap")}
    every = [Gap(span.id, span.label, text, span.start, span.end) for text, span in _marked_spans("gap", places)]
    asked = [gap for gap in every if gap.id in wanted or (gap.id, gap.label) in own]
    return tuple(gap for gap in every if gap in asked or _is_named(gap, asked, instruction))


def _is_named(gap: Gap, asked: list[Gap], instruction: MarkedText) -> bool:
    """True if the instruction prints a gap's label without a reference, beside those of other gaps of its text."""
    beside = [other for other in asked if other.text is gap.text]
    if not beside or gap.label in {other.label for other in asked} or len(gap.label) < 2:
        return False
    if gap.label[1].isdigit() != beside[0].label[1:2].isdigit():
        return False
    return gap.label in instruction.without_spans(lambda span: span.kind == "reference")


def _statements(
    instruction: MarkedText, choices: list[MarkedText], data: tuple[Passage, ...], places: list[MarkedText]
) -> tuple[Statement, ...]:
    wanted = _referred_ids([instruction, *choices], "statement")
    own = {(span.id, span.label) for passage in data for span in passage.text.of_kind("statement")}
    marked = tuple(
        Statement(span.id, span.label, text.plain[span.start : span.end])
        for text, span in _marked_spans("statement", places)
        if span.id in wanted or (span.id, span.label) in own
    )
    return marked or tuple(_printed_statements(data))


def _printed_statements(data: tuple[Passage, ...]) -> Iterator[Statement]:
    """Statements that the file does not mark: lines of the question's own data that begin with a, b, c …"""
    lines = [line for passage in data for line in passage.text.plain.split("\n")]
    printed = [(match[1], match[2]) for line in lines if (match := _PRINTED_STATEMENT.match(line))]
    labels = [unicodedata.normalize("NFKC", label).strip("()") for label, _ in printed]
    for series in ("abcdef", "ABCDEF", "アイウエオカ"):
        if len(printed) > 1 and labels == list(series[: len(printed)]):
            yield from (Statement("", label, text) for label, text in printed)
