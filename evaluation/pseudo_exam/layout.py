"""Writes a pseudo-exam: exam or answer sheet and gold in the task's XML, and the sentences to keep out of the index."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement
from xml.sax.saxutils import escape, quoteattr

from answerer.formats.answer_sheet import GAP
from answerer.formats.answer_table import answer_table_text
from evaluation.pseudo_exam.book import ExamBook, ExamLanguage, exam_language
from evaluation.pseudo_exam.questions import PseudoQuestion
from indexer.files.atomic import write_all
from indexer.languages.language import Language

_ANSWER_TYPES = {"statements": "sentence", "combination": "(symbol-TF)*2", "ordering": "o(symbol-symbol-symbol)"}


def write_exam(folder: Path, name: str, language: Language, questions: Sequence[PseudoQuestion]) -> None:
    """Writes `exam.xml`, `gold.xml`, `without.txt` and `swaps.tsv` into the folder.

    `without.txt` has one source sentence per line, without repetition; `swaps.tsv` one false statement per line:
    question, number or letter of the statement, kind of change, the words before and after.
    """
    rows = [(f"A{number}", str(question.gold)) for number, question in enumerate(questions, 1)]
    sources = dict.fromkeys(source for question in questions for source in question.sources)
    changes = [("question", "statement", "changed", "from", "to")]
    for number, question in enumerate(questions, 1):
        for place, swap in enumerate(question.swaps):
            if swap:
                statement = "ab"[place] if question.texts else str(place + 1)
                changes.append((f"Q{number}", statement, swap.kind, swap.old, swap.new))
    texts = {
        "exam.xml": exam_text(name, language, questions),
        "gold.xml": answer_table_text("exam", rows),
        "without.txt": "".join(f"{source}\n" for source in sources),
        "swaps.tsv": "".join("\t".join(row) + "\n" for row in changes),
    }
    write_all((folder / file, text) for file, text in texts.items())


def exam_text(name: str, language: Language, questions: Iterable[PseudoQuestion]) -> str:
    """The exam as XML text in the format of the National Center Tests [QALab3].

    Questions and columns are numbered from 1.
    """
    exam = Element("exam", source="pseudo-exam", subject="SekaishiB", year="0")
    exam.text = name
    whole = SubElement(exam, "question", id="Q0", minimal="no")
    for number, question in enumerate(questions, 1):
        whole.append(_question(number, question, exam_language(language)))
    ElementTree.indent(exam)
    body = ElementTree.tostring(exam, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _question(number: int, question: PseudoQuestion, own: ExamLanguage) -> Element:
    """The `question` element of one question; `number` counts from 1."""
    column = f"A{number}"
    parts = len(question.choices[0])
    answer_type = _ANSWER_TYPES.get(question.shape) or ("term_other" if parts == 1 else "(symbol-term_other)*2")
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
    asks = own.asks[question.shape, question.asks]
    instruction = asks.format(first=marks[0], last=marks[-1], gaps=" ".join(own.gaps[:parts]))
    SubElement(element, "instruction").text = instruction
    SubElement(element, "ansColumn", id=column).text = str(number)
    if question.texts:
        data = SubElement(element, "data", id=f"D{number}", type="text")
        # Gaps are marked by their number between two null characters.
        if question.shape == "gap":
            pieces = re.split(r"\0(\d)\0", question.texts[0])
            data.text = pieces[0]
            for gap, after in zip(pieces[1::2], pieces[2::2], strict=True):
                blank = SubElement(data, "blank", id=f"B{number}-{gap}")
                SubElement(blank, "label").text = own.gaps[int(gap)]
                blank.tail = after
        else:
            for label, text in zip("abc", question.texts, strict=False):
                statement = SubElement(data, "lText", id=f"L{number}-{label}")
                mark = SubElement(statement, "label")
                mark.text, mark.tail = label, f" {text}"
                SubElement(data, "br")
    choices = SubElement(element, "choices", anscol=column)
    for place, (choice, printed) in enumerate(zip(question.choices, marks, strict=True), 1):
        holder = SubElement(choices, "choice", ansnum=str(place))
        mark = SubElement(holder, "cNum")
        mark.text = printed
        if question.shape == "statements" or (question.shape == "gap" and parts == 1):
            mark.tail = choice[0]
            continue
        # References to statements or gaps, each with what the choice says of it.
        for position, part in enumerate(choice):
            if question.shape == "ordering":
                target, label = f"L{number}-{part}", part
                tail = "→" if position + 1 < parts else None
            elif question.shape == "combination":
                label = "ab"[position]
                target, tail = f"L{number}-{label}", own.dash + own.truth[part]
            else:
                target, label, tail = f"B{number}-{position}", own.gaps[position], own.dash + part
            reference = SubElement(holder, "ref", target=target)
            reference.text, reference.tail = label, tail
    return element


_OTHERS = 2  # different names that stay in the sentence, so that it says what is asked
_TERM_TYPES = {"place": "term_location", "people": "term_location", "person": "term_person"}
_FREQUENCY = 4  # sentences of the book that hold the name, the hidden one among them


class TermItem(NamedTuple):
    """A term question: `text` with a gap, all right spellings, the answer type, and the source sentence."""

    text: str
    answers: tuple[str, ...]
    answer_type: str
    source: str


def make_terms(book: ExamBook, number: int, seed: int) -> list[TermItem]:
    """Makes up to `number` term questions, at most one from a sentence; deterministic for a seed.

    The hidden name is not a year, occurs in at least four sentences of the book, and leaves two other names in its
    sentence. Its kind is the majority over the book (person, place, else other), so that the answer type does not
    depend on this mention; only between a people and its country, which share a key, the mention decides.
    """
    rng = random.Random(f"{seed}/terms/{book.language}")  # noqa: S311 (repeatable, no secret)
    recogniser = book.language.recogniser()
    low, high = exam_language(book.language).term_lengths
    items: list[TermItem] = []
    for sentence in rng.sample(book.sentences, len(book.sentences)):
        if len(items) == number:
            break
        if not low <= len(sentence.text) <= high or len(sentence.keys) <= _OTHERS:
            continue
        names = [book.names[key] for key in sorted(sentence.keys) if not key.startswith("y:")]
        names = [name for name in names if name.frequency >= _FREQUENCY and name.kind != "year"]
        if not names:
            continue
        name = rng.choice(names)
        mentions = sorted(mention for mention in sentence.mentions if mention.key == name.key)
        text, end = "", 0
        for mention in mentions:
            text += sentence.text[end : mention.start] + GAP
            end = mention.end
        answer_type = _TERM_TYPES.get(name.kind, "term_other")
        # In "the French" a people is meant, in "to France" the country, by the same key.
        if recogniser.cue(sentence.text, mentions[0]) == "people":
            answer_type = "term_other"
        answers = tuple(dict.fromkeys(form for form, _ in name.forms))
        items.append(TermItem(text + sentence.text[end:], answers, answer_type, sentence.text))
    return items


def write_terms(folder: Path, language: Language, items: Sequence[TermItem]) -> None:
    """Writes `sheet.xml`, `gold.xml` and `without.txt` (one source sentence per line) into the folder."""
    texts = {
        "sheet.xml": sheet_text(language, items, gold=False),
        "gold.xml": sheet_text(language, items, gold=True),
        "without.txt": "".join(f"{item.source}\n" for item in items),
    }
    write_all((folder / file, text) for file, text in texts.items())


def sheet_text(language: Language, items: Sequence[TermItem], gold: bool) -> str:
    """The term questions as an answer sheet [QALab3].

    Its expressions are all right spellings if `gold` is true, else empty.
    """
    sections = []
    for number, item in enumerate(items, 1):
        answers = item.answers if gold else ("",)
        expressions = "".join(f"<expression>{escape(answer)}</expression>" for answer in answers)
        name = quoteattr(f"T{number}")
        sections.append(
            f"<answer_section id={name} label={name}><question_id>q{number}</question_id>"
            "<answer_style>description_unlimited</answer_style>"
            f"<answer_type>{item.answer_type}</answer_type>"
            f"<instruction><p>{exam_language(language).fill}</p><p>{escape(item.text)}</p></instruction>"
            '<answer_set type="singleton" number="1"><answer match_type="exact" order="-1" length_limit="-1">'
            f"<expression_set>{expressions}</expression_set></answer></answer_set></answer_section>"
        )
    body = "\n".join(sections)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<answer_sheet ver="0.1">\n{body}\n</answer_sheet>\n'
