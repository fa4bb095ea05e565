"""Writes a pseudo-exam: exam or answer sheet and gold in the task's XML, and the sentences to keep out of the index."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement
from xml.sax.saxutils import escape, quoteattr

from answerer.formats.answer_sheet import GAP
from answerer.formats.answer_table import answer_table_text
from evaluation.pseudo_exam.book import BookSentence, ExamBook, Name
from evaluation.pseudo_exam.languages import ExamLanguage, exam_language
from evaluation.pseudo_exam.questions import Question
from indexer.entities import Kind, Recogniser
from indexer.files.atomic import write_all
from indexer.languages.language import Language

_ANSWER_TYPES = {"statements": "sentence", "combination": "(symbol-TF)*2", "ordering": "o(symbol-symbol-symbol)"}


def write_exam(folder: Path, name: str, language: Language, questions: Sequence[Question]) -> None:
    """Writes `exam.xml`, `gold.xml`, `without.txt` and `swaps.tsv` into the folder.

    `without.txt` has a source sentence on each line, each once; `swaps.tsv` a false statement on each line: its
    question, its number or letter there, the kind of change, the words before and after.
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
    """Yields the lines of swaps.tsv, the header first."""
    yield "question\tstatement\tchanged\tfrom\tto\n"
    for number, question in enumerate(questions, 1):
        for place, swap in enumerate(question.swaps):
            if swap:
                statement = "ab"[place] if question.texts else str(place + 1)
                yield "\t".join((f"Q{number}", statement, swap.kind, swap.old, swap.new)) + "\n"


def exam_text(name: str, language: Language, questions: Iterable[Question]) -> str:
    """The exam as XML in the format of the National Center Tests [QALab3], with an element for each question."""
    exam = Element("exam", source="pseudo-exam", subject="SekaishiB", year="0")
    exam.text = name
    whole = SubElement(exam, "question", id="Q0", minimal="no")
    for number, question in enumerate(questions, 1):
        whole.append(_question(number, question, exam_language(language)))
    ElementTree.indent(exam)
    body = ElementTree.tostring(exam, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _question(number: int, question: Question, own: ExamLanguage) -> Element:
    """The `question` element of a question, with its number from 1."""
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
    marks = own.marks[: len(question.choices)]
    gaps = " ".join(own.gaps[: len(question.choices[0])])
    asks = own.asks[question.shape, question.asks]
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
    """The `data` element: the labelled statements, or the text with its gaps."""
    data = Element("data", id=f"D{number}", type="text")
    if question.shape == "gap":
        pieces = re.split(r"\0(\d)\0", question.texts[0])
        data.text = pieces[0]
        for gap, after in zip(pieces[1::2], pieces[2::2], strict=True):
            blank = SubElement(data, "blank", id=f"B{number}-{gap}")
            SubElement(blank, "label").text = own.gaps[int(gap)]
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
    """Adds the text of a choice after its mark, with references to statements or gaps if the shape has them."""
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
            reference.text, reference.tail = "ab"[place], own.dash + own.truth[part]
        else:
            reference = SubElement(holder, "ref", target=f"B{number}-{place}")
            reference.text, reference.tail = own.gaps[place], own.dash + part


_OTHERS = 2  # different names that stay in the sentence, so that it says what is asked
_FREQUENCY = 4  # sentences of the book that hold the name, the hidden one among them


class TermItem(NamedTuple):
    """A term question: `text` with its gap, the right spellings, the answer type, and the whole sentence."""

    text: str
    answers: tuple[str, ...]
    answer_type: str
    source: str


def make_terms(book: ExamBook, number: int, seed: int) -> list[TermItem]:
    """Makes up to `number` questions, at most one from a sentence; deterministic for a seed.

    The hidden name is not a year, occurs in at least four sentences of the book, and its sentence keeps two other
    names. Its kind (person, place, else other) is the majority over the book, so that the answer type does not depend
    on the hidden mention alone.
    """
    rng = random.Random(f"{seed}/terms/{book.language}")  # noqa: S311 (repeatable, no secret)
    names = book.language.recogniser()
    made: list[TermItem] = []
    for sentence in rng.sample(book.sentences, len(book.sentences)):
        if len(made) == number:
            break
        known = _hideable(book, sentence)
        if known:
            made.append(_hidden(sentence, rng.choice(known), names))
    return made


def _hideable(book: ExamBook, sentence: BookSentence) -> list[Name]:
    """The names of a sentence that may be hidden, sorted by key; empty if the sentence is unsuitable."""
    low, high = exam_language(book.language).term_lengths
    if not low <= len(sentence.text) <= high or len(sentence.keys) <= _OTHERS:
        return []
    names = (book.names[key] for key in sorted(sentence.keys))
    return [
        name for name in names if name.frequency >= _FREQUENCY and name.kind != "year" and not name.key.startswith("y:")
    ]


def _hidden(sentence: BookSentence, name: Name, names: Recogniser) -> TermItem:
    """The question in which every mention of the name is a gap."""
    text, end = "", 0
    mentions = sorted(mention for mention in sentence.mentions if mention.key == name.key)
    for mention in mentions:
        text += sentence.text[end : mention.start] + GAP
        end = mention.end
    forms = dict.fromkeys(form for form, _ in name.forms)
    answer_type = _answer_type(name.kind, names.cue(sentence.text, mentions[0]))
    return TermItem(text + sentence.text[end:], tuple(forms), answer_type, sentence.text)


def _answer_type(kind: Kind, here: Kind | None) -> str:
    """The answer type of a name. A people and its country have one key: `here`, the kind of the mention, decides."""
    if here == "people":
        return "term_other"
    if kind in ("place", "people"):
        return "term_location"
    return "term_person" if kind == "person" else "term_other"


def write_terms(folder: Path, language: Language, items: Sequence[TermItem]) -> None:
    """Writes `sheet.xml`, `gold.xml` and `without.txt` (a source sentence on each line) into the folder."""
    texts = {
        "sheet.xml": sheet_text(language, items, gold=False),
        "gold.xml": sheet_text(language, items, gold=True),
        "without.txt": "".join(f"{item.source}\n" for item in items),
    }
    write_all((folder / file, text) for file, text in texts.items())


def sheet_text(language: Language, items: Sequence[TermItem], gold: bool) -> str:
    """The questions as an answer sheet ([QALab3]), empty or with every right spelling."""
    sections = (_section(language, number, item, gold) for number, item in enumerate(items, 1))
    body = "\n".join(sections)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<answer_sheet ver="0.1">\n{body}\n</answer_sheet>\n'


def _section(language: Language, number: int, item: TermItem, gold: bool) -> str:
    """The `answer_section` of a term question, its expressions filled with the answers if `gold`."""
    answers = item.answers if gold else ("",)
    expressions = "".join(f"<expression>{escape(answer)}</expression>" for answer in answers)
    name = quoteattr(f"T{number}")
    return (
        f"<answer_section id={name} label={name}><question_id>q{number}</question_id>"
        "<answer_style>description_unlimited</answer_style>"
        f"<answer_type>{item.answer_type}</answer_type>"
        f"<instruction><p>{exam_language(language).fill}</p><p>{escape(item.text)}</p></instruction>"
        '<answer_set type="singleton" number="1"><answer match_type="exact" order="-1" length_limit="-1">'
        f"<expression_set>{expressions}</expression_set></answer></answer_set></answer_section>"
    )
