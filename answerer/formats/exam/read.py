"""Reads NTCIR QA Lab exams (Torobo XML, Japanese and English): questions, choices, passages and
what refers to what."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, starmap
from pathlib import Path
from typing import TYPE_CHECKING

from answerer.beginning import QUIZ_ROOTS
from answerer.formats.exam.parts import (
    Choice,
    Exam,
    ExamQuestion,
    MarkedText,
    Target,
    TextSpan,
    asked_for,
)
from indexer.analysis.text import cut_long_runs
from indexer.files.encoding import QUESTION_LIMIT, read_whole
from indexer.files.errors import bad_input
from indexer.files.xml import is_declared, line_of, parse_xml, without_ending
from indexer.languages.registry import detect_language

if TYPE_CHECKING:
    from lxml import etree


_DIGIT = "[1-9１-９]"
# A number of a choice: in a circle, in brackets, before a dash or stop, or at the beginning of a
# line.
_NUMBER = re.compile(
    rf"([①-⑨⑴-⑼])|(?:^|(?<=[\s,、，;；:：。|]))(?:[(（]({_DIGIT})[)）]"
    rf"|({_DIGIT})(?=\s*[-‐–—―－ー.．:：=＝)）、]))"
    rf"|^\s*({_DIGIT})(?=\s)",
    re.MULTILINE,
)
_EDGES = " \t\n\u3000,、，;；:：|.．-‐–—―－ー=＝)）"

_MARKED: dict[str, Target] = {
    "uText": "underline",
    "lText": "statement",
    "blank": "gap",
    "data": "data",
}
_NO_MARKS = frozenset("exam question choices choice ansColumn img ref label".split())
_SKIPPED = frozenset(
    ("cNum", "question", "choices", "ansColumn", "instruction", "rt", "rp")
)  # rt: how ruby is read
_BLOCKS = frozenset(
    "adata data row tbl table caption note quote source info p title choice poem list item".split()
)
_LABELLED = frozenset((*_MARKED, "question", "choice", "exam"))
_NO_DATA = frozenset(("label", "instruction", "ansColumn", "choices", "question", "br", "cNum"))
# Scripts whose words are not parted by blanks: a line end of the file does not part them either.
_WIDE = r"[\u3001-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\u2010-\u2027\u2460-\u24ff]"
_LINE_END = re.compile(r"\s*[\n\r]\s*")
_BLANKS = re.compile(r"[^\S\r]+")
_WIDE_LINE_END = re.compile(rf"(?<={_WIDE})\r(?={_WIDE})")
# English files lack blanks after full stops and before names (ancientRome).
_GLUED = re.compile(
    r"(?<=[a-z0-9)\]\"'’”][.?!])(?=[A-Z](?:[a-z'\s]|$))|(?<=[a-z]{4})(?=[A-Z][a-z]{3})"
)
_PICTURE = "画像内"
_RANGE = re.compile(r"\s*(?:[-‐‑–—―－~～〜]|から|to|through)\s*", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class _ExamFile:
    """An exam file with what its questions share: the `section` of each element, which is the
    outermost question around it or itself, else the root; the `targets` of references in each
    section, and all by their ids (`by_id`); `marks` (by element) and `passages` (by section), each
    made once; `notes`, one line each."""

    file: str
    section: dict[etree._Element, etree._Element] = field(default_factory=dict)
    targets: dict[etree._Element, list[etree._Element]] = field(
        default_factory=lambda: defaultdict(list)
    )
    by_id: dict[str, list[etree._Element]] = field(default_factory=lambda: defaultdict(list))
    marks: dict[etree._Element, TextSpan] = field(default_factory=dict)
    passages: dict[etree._Element, tuple[MarkedText, ...]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def read_exam(path: str | Path) -> Exam:
    """Reads an exam: its multiple-choice questions in the file's order.

    The file is exam XML, or plain questions in one of the forms of `read_question_file`, whose
    answers are dropped. XML follows [QALab3], as used in files from 1997 to 2014; its language is
    detected in instructions and choices; runs of thousands of characters without blanks are cut,
    with a warning. Tolerated, with a note in `Exam.notes`: references to missing ids (their label
    stays), empty choices, choice numbers that are missing or repeat, choices that only a
    description or table prints, no choices at all (the question stays, without choices); questions
    without an answer column, or of another style and without a list of choices, are left out, noted
    too. Raises UserError with file and line for an empty file, damaged XML, a file without `exam`,
    and an exam without multiple-choice questions.
    """
    data = read_whole(path, QUESTION_LIMIT)
    if not is_declared(data, other_than=QUIZ_ROOTS):
        from answerer.formats.question_file.read import (
            exam_of,
            is_xml,
            read_question_file,
        )  # the readers of seven forms

        if not is_xml(data):
            return exam_of(read_question_file(data, path), path)
    if not data.strip():
        raise bad_input(path, None, "empty file", "expected a quiz or an exam")
    root = parse_xml(data, name=str(path))
    top = root if root.tag == "exam" else root.find(".//exam")
    if top is None:
        raise bad_input(path, line_of(root), f"the root element is <{root.tag}>", "expected <exam>")
    # A run of thousands of characters without blanks is cut: analysers would take minutes for it.
    cut_long_runs([top], str(path))
    exam = _ExamFile(file=str(path))
    for element in root.iter():
        above = element.getparent()
        section = root if above is None else exam.section[above]
        if section is root and element.tag == "question":
            section = element
        exam.section[element] = section
        if _target_kind(element):
            exam.targets[section].append(element)
            exam.by_id[element.get("id", "")].append(element)
    minimal = filter(_is_minimal, root.iter("question"))
    questions = [question for element in minimal for question in _questions(exam, element)]
    if not questions:
        raise bad_input(
            path, line_of(top), "no multiple-choice question", "expected <question minimal='yes'>"
        )
    words = [
        text.plain for q in questions for text in (q.instruction, *(c.text for c in q.choices))
    ]
    language = detect_language("\n".join(words))
    with_aim = tuple(
        replace(question, asks=asked_for(question.instruction.plain, language))
        for question in questions
    )
    title = " ".join((top.text or "").split())
    return Exam(
        without_ending(Path(path).name),
        language,
        with_aim,
        tuple(dict.fromkeys(exam.notes)),
        title=title,
    )


def _is_minimal(question: etree._Element) -> bool:
    """Whether a `question` element is to be answered itself; others only frame questions. The mark
    `minimal` decides; a question without a mark is one if it has choices and no question inside,
    and a marked one with questions inside only if it has an answer column or choices itself."""
    marked = question.get("minimal", "").lower()
    if question.find(".//question") is not None:
        return marked == "yes" and bool(question.get("anscol") or _own(question, "choices"))
    return marked == "yes" or (marked != "no" and question.find(".//choices") is not None)


def _passages(exam: _ExamFile, section: etree._Element) -> tuple[MarkedText, ...]:
    """The data of a section that is neither inside other data or choices nor in a minimal question;
    cached in `exam.passages`."""
    if section not in exam.passages:
        texts = []
        for data in section.iter("data"):
            if exam.section[data] is not section:
                continue
            for above in data.iterancestors():
                if above is section:
                    texts.append(_marked_text(exam, data))
                is_minimal = above.tag == "question" and _is_minimal(above)
                if above is section or above.tag in ("data", "choices") or is_minimal:
                    break
        exam.passages[section] = tuple(texts)
    return exam.passages[section]


def _own(element: etree._Element, tag: str) -> list[etree._Element]:
    """The elements of a tag inside a question, not those of questions within it."""
    return [
        descendant
        for descendant in element.iter(tag)
        if next(descendant.iterancestors("question")) is element
    ]


def _target_kind(element: etree._Element) -> Target | None:
    """The kind of target that an element is for references; None for elements that cannot be
    referred to. An unlisted element with an id (other publishers' files) is a "statement" if it has
    a label, else "data"."""
    target = _MARKED.get(element.tag)
    if target or element.tag in _NO_MARKS or not element.get("id"):
        return target
    return "statement" if element.find("label") is not None else "data"


def _printed_text(element: etree._Element | None) -> str:
    """The characters of an element as in the file, without blanks; "" for None."""
    return "" if element is None else "".join("".join(map(str, element.itertext())).split())


def _columns_in(anscol: str | None) -> list[str]:
    """The answer columns that an attribute names, with blanks or commas between them, in half
    width; [] for None."""
    return unicodedata.normalize("NFKC", anscol or "").replace(",", " ").split()


def _note(exam: _ExamFile, element: etree._Element, what: str) -> None:
    exam.notes.append(f"{exam.file}:{line_of(element)}: {what}")


@dataclass(kw_only=True)
class _Draft:
    """A text that is being written: its `pieces`, their total `length`, the white space that is
    `pending` until the next word ("\\r": a line end of the file), and whether the label of a
    reference begins or ended here."""

    is_choice: bool
    pieces: list[str] = field(default_factory=list)
    length: int = 0
    pending: str = ""
    beside_label: bool = False
    spans: list[TextSpan] = field(default_factory=list)


def _marked_text(
    exam: _ExamFile | None, element: etree._Element, is_choice: bool = False
) -> MarkedText:
    """The text of an element without its own label, with its spans in order of start, longer first.
    White space of the file is folded; `br` breaks a line. Without `exam` references have the target
    "missing". In the text of a choice an underline without label is a "wavy" span. Empty spans
    other than pictures are dropped. Outside choices, the second reference of a range ("(1) to
    (3)") has the phrases of all targets after the first, joined with "、" or a blank."""
    draft = _Draft(is_choice=is_choice)
    _draft_element(exam, draft, element)
    plain = "".join(draft.pieces)
    spans = sorted(draft.spans, key=lambda span: (span.start, -span.end))
    spans = [span for span in spans if span.end > span.start or span.kind == "picture"]
    if exam and not is_choice:
        references = [number for number, span in enumerate(spans) if span.kind == "reference"]
        for first, second in pairwise(references):
            # Only a dash, "from … to" or the like is between them.
            if _RANGE.fullmatch(plain[spans[first].end : spans[second].start]):
                spans[second] = _range_end(exam, element, spans[first], spans[second])
    return MarkedText(plain, tuple(spans))


def _range_end(
    exam: _ExamFile, element: etree._Element, start: TextSpan, end: TextSpan
) -> TextSpan:
    """`end`, the second reference of a range in the text of `element`, with the phrases of all
    targets of its kind behind that of `start` up to its own, joined; unchanged if they do not
    follow each other in the section."""
    if not (start.phrase and end.phrase and start.target == end.target):
        return end
    marks = [_mark(exam, target) for target in exam.targets[exam.section[element]]]
    marks = [mark for mark in marks if mark.target == start.target]
    ids = [mark.id for mark in marks]
    if not (start.id in ids and end.id in ids and ids.index(start.id) < ids.index(end.id)):
        return end
    between = marks[ids.index(start.id) + 1 : ids.index(end.id) + 1]
    joint = " " if end.phrase.isascii() else "、"
    return end._replace(phrase=joint.join(mark.phrase for mark in between))


def _draft_element(exam: _ExamFile | None, draft: _Draft, element: etree._Element) -> None:
    """Writes an element's text and children, with their spans; skips labels and elements that print
    nothing. Blocks are set off by line breaks, table cells by blanks; a gap shows its label or
    `____`, a reference its label or that of its target, a picture its description, or its empty
    place without one."""
    _draft_words(draft, element.text)
    for child in element:
        if child.tag in _SKIPPED or (
            child.tag == "label" and (element.tag in _LABELLED or element.get("id"))
        ):
            _draft_words(draft, child.tail)
            continue
        if child.tag == "cell":
            separator = " "
        elif child.tag in _BLOCKS:
            separator = "\n"
        else:
            separator = ""
        if separator and draft.pending != "\n":
            draft.pending = separator
        first, begin = len(draft.pieces), draft.length
        span, kind = None, None if separator else _target_kind(child)
        if child.tag == "br":
            draft.pending = "\n"
        elif child.tag == "img":
            if element.find("adata") is None:
                span = TextSpan("picture", "", child.get("src", ""), 0, 0)
        elif child.tag == "ref":
            draft.beside_label = True
            _draft_element(exam, draft, child)
            label = "".join("".join(draft.pieces[first:]).split())
            span = (
                _resolve(exam, child, label)
                if exam
                else TextSpan("reference", "", label, 0, 0, "missing")
            )
            if not label:
                _draft_words(draft, span.label)
            span = span._replace(label=label or span.label)
            draft.beside_label = True
        elif kind == "underline" or kind == "statement" or kind == "gap":
            label = _printed_text(child.find("label"))
            if kind == "gap":
                _draft_words(draft, label)
            _draft_element(exam, draft, child)
            if kind == "gap" and draft.length == begin:
                _draft_words(draft, "____")
            # In a choice an underline without a label is a wavy one: what the choice asserts.
            asserted = kind == "underline" and draft.is_choice and not label
            span = TextSpan("wavy" if asserted else kind, child.get("id", ""), label, 0, 0)
        else:
            _draft_element(exam, draft, child)
            if child.tag == "adata":
                span = TextSpan("picture", "", child.get("field", ""), 0, 0)
        if span:
            lead = next(iter(draft.pieces[first:]), "")
            draft.spans.append(
                span._replace(start=begin + len(lead) - len(lead.lstrip()), end=draft.length)
            )
        if separator and draft.pending != "\n":
            draft.pending = separator
        _draft_words(draft, child.tail)


def _draft_words(draft: _Draft, text: str | None) -> None:
    """Appends text after the pending white space; runs of white space become one blank. A line end
    in the file does not separate wide (Japanese, Chinese) characters; a blank is added between a
    label and a word, behind a full stop and in ancientRome. None appends nothing."""
    # Every run of white space as one character: a carriage return where the line ends.
    text = _BLANKS.sub(" ", _LINE_END.sub("\r", text or ""))
    words = " ".join(_WIDE_LINE_END.sub("", text).split())
    pending = draft.pending or text[: len(text) - len(text.lstrip())]
    if not words:
        draft.pending = pending
        return
    tail = "".join(draft.pieces[-4:])[-4:]
    if pending == "\r":
        pending = "" if re.match(_WIDE, tail[-1:]) and re.match(_WIDE, words) else " "
    touching = tail[-1:] + words[0]
    # A label and a word that would become one word (`aGermanybItaly`): choices print them apart.
    if (
        draft.beside_label
        and len(touching) == 2
        and touching.isalnum()
        and (draft.is_choice or touching.isascii())
    ):
        pending = pending or " "
    before = "" if pending else tail
    piece = (pending if tail else "") + _GLUED.sub(" ", before + words)[len(before) :]
    draft.pieces.append(piece)
    draft.length += len(piece)
    draft.pending, draft.beside_label = text[len(text.rstrip()) :], False


def _resolve(exam: _ExamFile, reference: etree._Element, label: str) -> TextSpan:
    """Finds the target of a `ref` element; `label` is the label that the reference prints.

    Of several elements with the target id (merged years) the nearest counts: that whose lowest
    common ancestor with the reference is deepest, the first of equal ones. Without a target id, or
    where the comment of one that is in no element says so, it is inside a picture. Other missing
    ids are looked for by the label: the section's only element that prints it; without one or for
    several the span has target `missing`, and a note is added to the exam."""
    target = reference.get("target", "").strip()
    candidates = exam.by_id.get(target, []) if target else []
    if candidates:
        around = set(reference.iterancestors())
        shared = [
            len(around.intersection((element, *element.iterancestors()))) for element in candidates
        ]
        return _mark(exam, candidates[shared.index(max(shared))])
    if not target or _PICTURE in reference.get("comment", ""):
        return TextSpan("reference", "", label, 0, 0, "picture")
    # Years that were merged in one file lost ids, but the paper prints the label.
    labelled = [
        element
        for element in exam.targets[exam.section[reference]]
        if label and _printed_text(element.find("label")) == label
    ]
    if len(labelled) == 1:
        return _mark(exam, labelled[0])
    what = f"reference to {target}, which is not in the exam: its label {label} stays"
    _note(exam, reference, what)
    return TextSpan("reference", target, label, 0, 0, "missing")


def _mark(exam: _ExamFile, element: etree._Element) -> TextSpan:
    """The span of a reference to an element, at 0, with the element's label and words ("" for a
    gap); cached in `exam.marks`."""
    if element not in exam.marks:
        kind = _target_kind(element) or "data"
        phrase = (
            "" if kind == "gap" else _marked_text(None, element).plain
        )  # references inside are shown as printed
        label = _printed_text(element.find("label"))
        exam.marks[element] = TextSpan(
            "reference", element.get("id", ""), label, 0, 0, kind, phrase
        )
    return exam.marks[element]


def _questions(exam: _ExamFile, element: etree._Element) -> Iterator[ExamQuestion]:
    """Yields a multiple-choice question once for every answer column, `asks` not yet detected. Its
    choices are of the question's list for the column, else of its list at the column's position, or
    its first; without lists of its own, of the section's list for the column; else printed ones.
    Adds a note to `exam` if the question is left out: without choices and of another style, or
    without a column."""
    # Files of other publishers have choices but another style.
    style = element.get("answer_style") or "multipleChoice"
    choice_lists = _own(element, "choices")
    if style != "multipleChoice" and not choice_lists:
        _note(exam, element, f"question {element.get('id', '')}: answer_style {style} is left out")
        return
    columns = _answer_columns(element, choice_lists)
    if not columns:
        name = element.get("id") or _printed_text(element.find("label"))
        _note(exam, element, f"question {name} does not say its answer column: left out")
    instruction = _own_instruction(exam, element)
    # Data elements, and tables, statements or pictures outside a data element, that show something.
    shown = [
        _marked_text(exam, child)
        for child in element
        if child.tag not in _NO_DATA and (_printed_text(child) or child.find(".//img") is not None)
    ]
    above = element.getparent()
    section = element if above is None else exam.section[above]
    in_section = [lists for lists in section.iter("choices") if exam.section[lists] is section]
    for position, column in enumerate(columns):
        # The `choices` of the column: by its anscol, else by position; or those of the section.
        lists = [
            choice_list
            for choice_list in choice_lists or in_section
            if column in _columns_in(choice_list.get("anscol"))
        ]
        if len(choice_lists) == len(columns):
            lists.append(choice_lists[position])
        else:
            lists += choice_lists
        choices = next(
            (choice_list for choice_list in lists if choice_list.find(".//choice") is not None),
            None,
        )
        pictures = False
        if choices is None:
            texts, data = _find_choices(exam, element, column, instruction, shown)
        else:
            texts, data = _listed_choices(exam, choices, column), shown
            pictures = all(choice.find(".//img") is not None for choice in choices.iter("choice"))
        yield ExamQuestion(
            answer_column=column,
            answer_type=element.get("answer_type", ""),
            instruction=instruction,
            data=tuple(data),
            choices=tuple(starmap(Choice, texts)),
            passages=_passages(exam, section),
            together=tuple(columns) if len(columns) > 1 else (),
            pictures=pictures,
        )


def _answer_columns(element: etree._Element, choice_lists: Sequence[etree._Element]) -> list[str]:
    """The answer columns of a question, each once: those of the question's attribute, else those
    that it prints, else those of its lists of choices, else A1, A2, … for the numbers in the
    printed texts; [] without any."""
    printed = _own(element, "ansColumn")
    sources = (
        [element.get("anscol")],
        [column_element.get("id") for column_element in printed],
        [choice_list.get("anscol") for choice_list in choice_lists],
    )
    columns_by_source = (
        [column for names in source for column in _columns_in(names)] for source in sources
    )
    texts = ["".join(map(str, column_element.itertext())) for column_element in printed]
    numbers = [f"A{int(number)}" for text in texts for number in re.findall(r"\d+", text)]
    return list(dict.fromkeys(next(filter(None, columns_by_source), numbers)))


def _own_instruction(exam: _ExamFile, element: etree._Element) -> MarkedText:
    """The instruction of a question: its own, else its bare text, else that of the nearest question
    around it; empty without any."""
    for ancestor in (element, *element.iterancestors("question")):
        asking = ancestor.find("instruction")
        if asking is not None and (text := _marked_text(exam, asking)).plain:
            return text
        if ancestor is element and (bare := " ".join((element.text or "").split())):
            return MarkedText(bare)
    return MarkedText()


def _listed_choices(
    exam: _ExamFile, choices: etree._Element, column: str
) -> list[tuple[str, MarkedText]]:
    """The numbers (half-width; `ansnum`, else the letters and digits printed) and texts of a list
    of choices; all are counted from 1, with a note, if one lacks a number or repeats one. Notes
    empty choices without a picture."""
    elements = list(choices.iter("choice"))
    numbers = []
    for choice in elements:  # digits are written in half and in full width
        number = unicodedata.normalize("NFKC", choice.get("ansnum", "")).strip()
        printed = unicodedata.normalize("NFKC", _printed_text(choice.find("cNum")))
        numbers.append(number or "".join(filter(str.isalnum, printed)))
    if not all(numbers) or len(set(numbers)) < len(numbers):
        _note(exam, choices, f"choices of {column} lack numbers of their own: counted from 1")
        numbers = [str(number) for number in range(1, len(elements) + 1)]
    texts = [_marked_text(exam, choice, is_choice=True) for choice in elements]
    for choice, number, text in zip(elements, numbers, texts, strict=True):
        if not text.plain and choice.find(".//img") is None:
            _note(exam, choice, f"choice {number} of {column} is empty")
    return list(zip(numbers, texts, strict=True))


def _find_choices(
    exam: _ExamFile,
    element: etree._Element,
    column: str,
    instruction: MarkedText,
    data: Sequence[MarkedText],
) -> tuple[list[tuple[str, MarkedText]], Sequence[MarkedText]]:
    """Finds the choices, pairs (number, text), of a question without `choice` elements; returns
    them ([] if none are found) and the data without them. Searched in order: `data`, the `choices`
    elements of the question, picture descriptions, and data that the instruction refers to. Adds a
    note on the answer `column` to `exam` in either case."""
    # Choices printed in the data are taken out of it: they must not count as the question's
    # context.
    for position, text in enumerate(data):
        if printed := printed_choices(text.plain):
            context = text.plain[: printed[0]].rstrip()
            before = MarkedText(
                context, tuple(span for span in text.spans if span.end <= len(context))
            )
            data = [*data[:position], before, *data[position + 1 :]]
            break
    else:
        elsewhere = [
            *(_marked_text(exam, choice_list).plain for choice_list in _own(element, "choices")),
            *(
                " ".join("".join(map(str, extra_data.itertext())).split())
                for extra_data in _own(element, "adata")
            ),
            *(span.phrase for span in instruction.spans if span.target == "data"),
        ]
        printed = next(filter(None, map(printed_choices, elsewhere)), None)
    name = f"question {element.get('id', '')} ({column})"
    if printed is None:
        _note(exam, element, f"{name} does not have choices: it stays without an answer")
        return [], data
    _note(
        exam,
        element,
        f"{name} does not mark its choices: read from its text ({len(printed[1])} of them)",
    )
    return [(number, MarkedText(words)) for number, words in printed[1]], data


def printed_choices(text: str) -> tuple[int, list[tuple[str, str]]] | None:
    """Finds numbered choices in running text, such as `1-Aomori,2-Kumagaya` or `① 甲 ② 乙`: the
    character offset of the first, and pairs (number in digits, words) in order. None without any.
    The first 1, the 2 after it and so on, at least two, are the numbers, all others are words; each
    must be followed by words (`①～④` does not count)."""
    marks: list[re.Match[str]] = []
    for match in _NUMBER.finditer(text):
        number = unicodedata.normalize("NFKC", next(filter(None, match.groups())))
        if number.strip("()") == str(len(marks) + 1):
            marks.append(match)
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    words = [text[mark.end() : end].strip(_EDGES) for mark, end in zip(marks, ends, strict=False)]
    if len(marks) < 2 or not all(
        any(map(str.isalnum, words_of_choice)) for words_of_choice in words
    ):
        return None
    return marks[0].start(), [
        (str(number), " ".join(words_of_choice.split()))
        for number, words_of_choice in enumerate(words, 1)
    ]
