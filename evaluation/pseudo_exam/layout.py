"""A pseudo-exam as files: exam and gold in the task's own XML, sentences to leave out of an index, what was changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from answerer.formats.answer_table import answer_table_text
from evaluation.pseudo_exam.languages import ExamLanguage, exam_language
from evaluation.pseudo_exam.questions import Question
from indexer.files.atomic import write_all
from indexer.languages.language import Language

_ANSWER_TYPES = {"statements": "sentence", "combination": "(symbol-TF)*2", "ordering": "o(symbol-symbol-symbol)"}


def write_exam(folder: Path, name: str, language: Language, questions: Sequence[Question]) -> None:
    """Write `exam.xml`, `gold.xml`, `without.txt` and `swaps.tsv` into the folder.

    `without.txt` has a source sentence a line, each once; `swaps.tsv` a false statement a line: its question, its
    number or letter there, what was changed, the words before and after.
    """
    rows = [(f"A{number}", str(question.gold)) for number, question in enumerate(questions, 1)]
    sources = dict.fromkeys(source for question in questions for source in question.sources)
    texts = {
        "exam.xml": exam_text(name, language, questions),
        "gold.xml": answer_table_text("exam", rows),
        "without.txt": "".join(f"{source}\n" for source in sources),
        "swaps.tsv": "".join(_swap_lines(questions)),
    }
    write_all((folder / file, text) for file, text in texts.items())


def _swap_lines(questions: Sequence[Question]) -> Iterator[str]:
    yield "question\tstatement\tchanged\tfrom\tto\n"
    for number, question in enumerate(questions, 1):
        for place, swap in enumerate(question.swaps):
            if swap:
                statement = "ab"[place] if question.texts else str(place + 1)
                yield "\t".join((f"Q{number}", statement, swap.kind, swap.old, swap.new)) + "\n"


def exam_text(name: str, language: Language, questions: Iterable[Question]) -> str:
    """The exam as XML with a question element a question, in the format of the National Center Tests."""
    exam = Element("exam", source="pseudo-exam", subject="SekaishiB", year="0")
    exam.text = name
    whole = SubElement(exam, "question", id="Q0", minimal="no")
    for number, question in enumerate(questions, 1):
        whole.append(_question(number, question, exam_language(language)))
    ElementTree.indent(exam)
    body = ElementTree.tostring(exam, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _question(number: int, question: Question, own: ExamLanguage) -> Element:
    column = f"A{number}"
    answer_type = _ANSWER_TYPES.get(question.shape) or (
        "term_other" if len(question.choices[0]) == 1 else "(symbol-term_other)*2"
    )
    element = Element(
        "question",
        id=f"Q{number}",
        minimal="yes",
        anscol=column,
        answer_style="multipleChoice",
        answer_type=answer_type,
        knowledge_type="KS",
    )
    marks = own.MARKS[: len(question.choices)]
    gaps = " ".join(own.GAPS[: len(question.choices[0])])
    asks = own.ASKS[question.shape, question.asks]
    SubElement(element, "instruction").text = asks.format(first=marks[0], last=marks[-1], gaps=gaps)
    SubElement(element, "ansColumn", id=column).text = str(number)
    if question.texts:
        element.append(_data(number, question, own))
    choices = SubElement(element, "choices", anscol=column)
    for place, choice in enumerate(question.choices):
        holder = SubElement(choices, "choice", ansnum=str(place + 1))
        mark = SubElement(holder, "cNum")
        mark.text = marks[place]
        _fill_choice(holder, mark, number, question, choice, own)
    return element


def _data(number: int, question: Question, own: ExamLanguage) -> Element:
    """The labelled statements, or the text with its gaps."""
    data = Element("data", id=f"D{number}", type="text")
    if question.shape == "gap":
        pieces = re.split(r"\0(\d)\0", question.texts[0])
        data.text = pieces[0]
        for gap, after in zip(pieces[1::2], pieces[2::2], strict=True):
            blank = SubElement(data, "blank", id=f"B{number}-{gap}")
            SubElement(blank, "label").text = own.GAPS[int(gap)]
            blank.tail = after
        return data
    for label, text in zip("abc", question.texts, strict=False):
        statement = SubElement(data, "lText", id=f"L{number}-{label}")
        mark = SubElement(statement, "label")
        mark.text, mark.tail = label, f" {text}"
        SubElement(data, "br")
    return data


def _fill_choice(
    holder: Element, mark: Element, number: int, question: Question, choice: Sequence[str], own: ExamLanguage
) -> None:
    if question.shape == "statements" or (question.shape == "gap" and len(choice) == 1):
        mark.tail = choice[0]
        return
    for place, part in enumerate(choice):
        if question.shape == "ordering":
            reference = SubElement(holder, "ref", target=f"L{number}-{part}")
            reference.text = part
            reference.tail = "→" if place + 1 < len(choice) else None
        elif question.shape == "combination":
            reference = SubElement(holder, "ref", target=f"L{number}-{'ab'[place]}")
            reference.text, reference.tail = "ab"[place], own.DASH + own.TRUTH[part]
        else:
            reference = SubElement(holder, "ref", target=f"B{number}-{place}")
            reference.text, reference.tail = own.GAPS[place], own.DASH + part
