"""Term questions with known answers out of a book: a sentence with one of its names hidden (`pseudo-exam --terms`)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from answerer.formats.gap_text import GAP
from evaluation.pseudo_exam.book import Book, Name, Sentence
from evaluation.pseudo_exam.languages import exam_language
from indexer.entities import Kind, Recogniser
from indexer.files.atomic import write_all
from indexer.languages.language import Language

_OTHERS = 2  # different names that stay in the sentence, so that it says what is asked
_FREQUENCY = 4  # sentences of the book that hold the name, the hidden one among them


class TermItem(NamedTuple):
    """A question: `text` with its gap, the spellings that are right, the answer type, and the whole sentence."""

    text: str
    answers: tuple[str, ...]
    answer_type: str
    source: str


def make_terms(book: Book, number: int, seed: int) -> list[TermItem]:
    """Up to `number` questions, one a sentence; fewer where the book is too small. The same seed gives the same.

    A name is hidden that is not a year, stands in at least four sentences of the book and whose sentence keeps two
    others; another paragraph holds it with at least half of these, so that the rest of the book supports an
    answer. Kinds (person, place, else other) are the book's majority over all places, so that the answer type
    does not depend on the hidden place alone.
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


def _hideable(book: Book, sentence: Sentence) -> list[Name]:
    """The names of a sentence that may be hidden, in order of their keys."""
    low, high = exam_language(book.language).TERM_LENGTHS
    if not low <= len(sentence.text) <= high or len(sentence.keys) <= _OTHERS:
        return []
    names = (book.names[key] for key in sorted(sentence.keys))
    return [
        name for name in names if name.frequency >= _FREQUENCY and name.kind != "year" and not name.key.startswith("y:")
    ]


def _hidden(sentence: Sentence, name: Name, names: Recogniser) -> TermItem:
    """The sentence with every mention of the name as a gap."""
    text, end = "", 0
    mentions = sorted(mention for mention in sentence.mentions if mention.key == name.key)
    for mention in mentions:
        text += sentence.text[end : mention.start] + GAP
        end = mention.end
    forms = dict.fromkeys(form for form, _ in name.forms)
    answer_type = _answer_type(name.kind, names.cue(sentence.text, mentions[0]))
    return TermItem(text + sentence.text[end:], tuple(forms), answer_type, sentence.text)


def _answer_type(kind: Kind, here: Kind | None) -> str:
    """The sheet's type of a name: a people and its country have one key, the hidden spelling tells them apart."""
    if here == "people":
        return "term_other"
    if kind in ("place", "people"):
        return "term_location"
    return "term_person" if kind == "person" else "term_other"


def write_terms(folder: Path, language: Language, items: Sequence[TermItem]) -> None:
    """Write `sheet.xml`, `gold.xml` and `without.txt` (one source sentence a line) into the folder."""
    texts = {
        "sheet.xml": sheet_text(language, items, gold=False),
        "gold.xml": sheet_text(language, items, gold=True),
        "without.txt": "".join(f"{item.source}\n" for item in items),
    }
    write_all((folder / file, text) for file, text in texts.items())


def sheet_text(language: Language, items: Sequence[TermItem], gold: bool) -> str:
    """The questions as an answer sheet (seed 002), empty or with every right spelling."""
    sections = (_section(language, number, item, gold) for number, item in enumerate(items, 1))
    body = "\n".join(sections)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<answer_sheet ver="0.1">\n{body}\n</answer_sheet>\n'


def _section(language: Language, number: int, item: TermItem, gold: bool) -> str:
    answers = item.answers if gold else ("",)
    expressions = "".join(f"<expression>{escape(answer)}</expression>" for answer in answers)
    name = quoteattr(f"T{number}")
    return (
        f"<answer_section id={name} label={name}><question_id>q{number}</question_id>"
        "<answer_style>description_unlimited</answer_style>"
        f"<answer_type>{item.answer_type}</answer_type>"
        f"<instruction><p>{exam_language(language).FILL}</p><p>{escape(item.text)}</p></instruction>"
        '<answer_set type="singleton" number="1"><answer match_type="exact" order="-1" length_limit="-1">'
        f"<expression_set>{expressions}</expression_set></answer></answer_set></answer_section>"
    )
