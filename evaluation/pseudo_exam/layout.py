"""A pseudo-exam as files: the exam and its gold in the task's own XML, and the sentences to leave out of an index."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from answerer.formats.answer_table import answer_table_text
from evaluation.pseudo_exam.questions import Question
from indexer.analysis import Language
from indexer.files.atomic import write_text

_MARKS = {"en": tuple(f"({number})" for number in range(1, 9)), "ja": tuple("①②③④⑤⑥⑦⑧")}
_GAPS = {"en": ("(A)", "(B)"), "ja": ("ア", "イ")}
_TRUTH = {"en": {"T": "Correct", "F": "Incorrect"}, "ja": {"T": "正", "F": "誤"}}
_ASKS = {
    ("en", "statements", "T"): "From {first}-{last} below, choose the one correct sentence.",
    ("en", "statements", "F"): "From {first}-{last} below, choose the one sentence that contains a mistake.",
    ("en", "combination", "T"): "Choose the one correct combination of correct and incorrect for sentences a and b.",
    ("en", "gap", "T"): "From {first}-{last} below, choose what should be inserted into the gap {gaps} in the text.",
    ("en", "ordering", "T"): "Choose the one that correctly arranges events a-c in chronological order.",
    ("ja", "statements", "T"): "次の{first}～{last}のうちから,正しい文を一つ選べ。",
    ("ja", "statements", "F"): "次の{first}～{last}のうちから,誤りを含む文を一つ選べ。",
    ("ja", "combination", "T"): "次の文aとbの正誤の組合せとして正しいものを一つ選べ。",
    ("ja", "gap", "T"): "文中の空欄{gaps}に入れる語として正しいものを,次の{first}～{last}のうちから一つ選べ。",
    ("ja", "ordering", "T"): "a～cの出来事が年代の古いものから順に正しく配列されているものを一つ選べ。",
}
_ANSWER_TYPES = {
    "statements": "sentence",
    "combination": "(symbol-TF)*2",
    "ordering": "o(symbol-symbol-symbol)",
}


def write_exam(folder: Path, name: str, language: Language, questions: Sequence[Question]) -> None:
    """Write `exam.xml`, `gold.xml` and `without.txt` (one source sentence a line, each once) into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    write_text(str(folder / "exam.xml"), exam_text(name, language, questions))
    rows = [(f"A{number}", str(question.gold)) for number, question in enumerate(questions, 1)]
    write_text(str(folder / "gold.xml"), answer_table_text("exam", rows))
    sources = dict.fromkeys(source for question in questions for source in question.sources)
    write_text(str(folder / "without.txt"), "".join(f"{source}\n" for source in sources))


def exam_text(name: str, language: Language, questions: Iterable[Question]) -> str:
    """The exam as XML with a question element a question, in the format of the National Center Tests."""
    exam = Element("exam", source="pseudo-exam", subject="SekaishiB", year="0")
    exam.text = name
    whole = SubElement(exam, "question", id="Q0", minimal="no")
    for number, question in enumerate(questions, 1):
        whole.append(_question(number, question, "ja" if language == "ja" else "en"))
    ElementTree.indent(exam)
    body = ElementTree.tostring(exam, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _question(number: int, question: Question, language: str) -> Element:
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
    marks = _MARKS[language][: len(question.choices)]
    gaps = " ".join(_GAPS[language][: len(question.choices[0])])
    asks = _ASKS[language, question.shape, question.asks]
    SubElement(element, "instruction").text = asks.format(first=marks[0], last=marks[-1], gaps=gaps)
    SubElement(element, "ansColumn", id=column).text = str(number)
    if question.texts:
        element.append(_data(number, question, language))
    choices = SubElement(element, "choices", anscol=column)
    for place, choice in enumerate(question.choices):
        holder = SubElement(choices, "choice", ansnum=str(place + 1))
        mark = SubElement(holder, "cNum")
        mark.text = marks[place]
        _fill_choice(holder, mark, number, question, choice, language)
    return element


def _data(number: int, question: Question, language: str) -> Element:
    """The labelled statements, or the text with its gaps."""
    data = Element("data", id=f"D{number}", type="text")
    if question.shape == "gap":
        pieces = re.split(r"\0(\d)\0", question.texts[0])
        data.text = pieces[0]
        for gap, after in zip(pieces[1::2], pieces[2::2], strict=True):
            blank = SubElement(data, "blank", id=f"B{number}-{gap}")
            SubElement(blank, "label").text = _GAPS[language][int(gap)]
            blank.tail = after
        return data
    for label, text in zip("abc", question.texts, strict=False):
        statement = SubElement(data, "lText", id=f"L{number}-{label}")
        mark = SubElement(statement, "label")
        mark.text, mark.tail = label, f" {text}"
        SubElement(data, "br")
    return data


def _fill_choice(
    holder: Element, mark: Element, number: int, question: Question, choice: Sequence[str], language: str
) -> None:
    if question.shape == "statements" or (question.shape == "gap" and len(choice) == 1):
        mark.tail = choice[0]
        return
    dash = "―" if language == "ja" else "-"
    for place, part in enumerate(choice):
        if question.shape == "ordering":
            reference = SubElement(holder, "ref", target=f"L{number}-{part}")
            reference.text = part
            reference.tail = "→" if place + 1 < len(choice) else None
        elif question.shape == "combination":
            reference = SubElement(holder, "ref", target=f"L{number}-{'ab'[place]}")
            reference.text, reference.tail = "ab"[place], dash + _TRUTH[language][part]
        else:
            reference = SubElement(holder, "ref", target=f"B{number}-{place}")
            reference.text, reference.tail = _GAPS[language][place], dash + part
