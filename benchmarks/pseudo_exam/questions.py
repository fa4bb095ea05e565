"""Makes questions of every shape from a book, with their gold answers, and writes exams and sheets
of them."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement
from xml.sax.saxutils import escape, quoteattr

from answerer.formats.answer_sheet import GAP
from answerer.formats.exam.parts import answer_table_text
from indexer.entities import Mention
from indexer.files.atomic import write_all
from indexer.files.errors import UserError
from indexer.languages.language import Language
from pseudo_exam.book import BookSentence, ExamBook, ExamLanguage, exam_language
from pseudo_exam.swaps import ABBREVIATION, RelationSwapper, Swapper, Swaps

Shape = Literal["statements", "gap"]

CHOICES = 4  # of a question, as in the exams
_MOST_USES = 8  # of one sentence in one exam, so that few sentences cannot dominate it
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


class PseudoQuestion(NamedTuple):
    """A question of a pseudo-exam. `texts` are none, or the passage with gaps; `choices` the parts of each choice. `asks` is T or F (the true or the false choice);
    `gold` the number of the right choice, from 1; `sources` the sentences used."""

    shape: Shape
    asks: Literal["T", "F"]
    texts: tuple[str, ...]
    choices: tuple[tuple[str, ...], ...]
    gold: int
    sources: tuple[str, ...]


def draw_sentences(sentences: Sequence[BookSentence], rng: random.Random) -> Iterator[BookSentence]:
    """Yields sentences at random, each again only after all others, eight times."""
    for _ in range(_MOST_USES):
        yield from reversed(rng.sample(sentences, len(sentences)))


def make_questions(
    book: ExamBook, number: int, seed: int, swaps: Swaps, shape: Shape
) -> list[PseudoQuestion]:
    """Makes up to `number` different questions of a shape, fewer if the book is too small;
    deterministic for a seed."""
    # A generator for each kind of exam: one more question of one kind changes no other exam.
    rng = random.Random(f"{seed}/{swaps}/{shape}/{book.language}")
    questions: dict[object, PseudoQuestion] = {}
    make = _gaps if shape == "gap" else _judgements
    for question in make(book, rng, swaps):
        # The same statements in another order are the same question.
        questions.setdefault(
            (tuple(sorted(question.texts)), tuple(sorted(question.choices))), question
        )
        if len(questions) == number:
            break
    return list(questions.values())


def usable(book: ExamBook, sentence: BookSentence) -> bool:
    """True if a sentence can be a statement: length within `ExamLanguage.lengths`, complete, with
    two or more names. A complete sentence ends in a stop, does not begin in lower case, and closes
    its quotes."""
    low, high = exam_language(book.language).lengths
    text = sentence.text
    fits = low <= len(text) <= high and len(sentence.keys) >= 2
    return fits and text[-1] in ".。！」" and not text[0].islower() and text.count('"') % 2 == 0


def _judgements(book: ExamBook, rng: random.Random, swaps: Swaps) -> Iterator[PseudoQuestion]:
    """Yields questions on usable sentences that a change can make false: four are the choices, of
    which exactly one is true (`asks` T) or false (F)."""
    swapper = RelationSwapper(book) if swaps == "relation" else Swapper(book, swaps)
    positions = _shuffled_positions(rng, CHOICES)
    false_of: dict[str, str] = {}  # of each sentence drawn, the statement with the change
    for sentence in draw_sentences([s for s in book.sentences if usable(book, s)], rng):
        if swap := swapper.swap(sentence, rng):
            false_of.setdefault(sentence.text, swap.text)
        if len(false_of) < CHOICES:
            continue
        asks: Literal["T", "F"] = "F" if rng.random() >= 0.5 else "T"
        gold = next(positions)
        choices = tuple(
            (source if (place == gold) == (asks == "T") else false,)
            for place, (source, false) in enumerate(false_of.items())
        )
        yield PseudoQuestion("statements", asks, (), choices, gold + 1, tuple(false_of))
        false_of.clear()


def _gaps(book: ExamBook, rng: random.Random, swaps: Swaps) -> Iterator[PseudoQuestion]:
    """Yields questions with a gap or two and four fillers. Raises UserError for `relation`
    swaps."""
    if swaps == "relation":
        raise UserError(
            "--swaps relation makes no gap questions, for it keeps the names: use far or near"
        )
    swapper = Swapper(book, swaps)
    positions = _shuffled_positions(rng, 4)
    gold = next(positions)
    for sentence in draw_sentences([s for s in book.sentences if usable(book, s)], rng):
        slots = [
            slot for slot in swapper.swappable(sentence) if not ABBREVIATION.fullmatch(slot.surface)
        ]
        rng.shuffle(slots)
        two = len(slots) > 1 and rng.random() < 0.5
        slots = sorted(slots[: 2 if two else 1])
        wrong = [_fillers(sentence, slot, swapper, rng, 1 if two else 3) for slot in slots]
        if not slots or not all(wrong):
            continue
        text, right = sentence.text, [slot.surface for slot in slots]
        # From the end, so that the places before stay valid.
        for number, slot in reversed(list(enumerate(slots))):
            text = text[: slot.start] + f"\0{number}\0" + text[slot.end :]
        if two:
            # Of the product (first, first), (first, second) … the pair at `gold` is the right one.
            firsts = gold < 2, gold % 2 == 0
            fillers = [
                (r, w[0]) if first else (w[0], r)
                for r, w, first in zip(right, wrong, firsts, strict=True)
            ]
            choices: list[tuple[str, ...]] = list(itertools.product(*fillers))
        else:
            choices = [(filler,) for filler in wrong[0]]
            choices.insert(gold, (right[0],))
        yield PseudoQuestion("gap", "T", (text,), tuple(choices), gold + 1, (sentence.text,))
        gold = next(positions)


def _fillers(
    sentence: BookSentence, slot: Mention, swapper: Swapper, rng: random.Random, number: int
) -> list[str]:
    """`number` different wrong names that could replace the name `slot` in a sentence; [] if fewer
    are found."""
    fillers: list[str] = []
    for _ in range(3 * number):
        swap = swapper.swap(sentence, rng, slot)
        if swap and swap.new not in fillers and swap.new != slot.surface:
            fillers.append(swap.new)
        if len(fillers) == number:
            return fillers
    return []


def _shuffled_positions(rng: random.Random, number: int) -> Iterator[int]:
    """Yields 0 … `number` − 1 endlessly, in a new random order each round, so that all are equally
    frequent."""
    while True:
        places = list(range(number))
        rng.shuffle(places)
        yield from places


def write_exam(
    folder: Path, name: str, language: Language, questions: Sequence[PseudoQuestion]
) -> None:
    """Writes `exam.xml` (as the National Center Tests [QALab3]), `gold.xml` and `without.txt` into
    the folder; the last has one source sentence per line, without repetition."""
    exam = Element("exam", source="pseudo-exam", subject="SekaishiB", year="0")
    exam.text = name
    whole = SubElement(exam, "question", id="Q0", minimal="no")
    for number, question in enumerate(questions, 1):
        _add_question(whole, number, question, exam_language(language))
    ElementTree.indent(exam)
    rows = [(f"A{number}", str(question.gold)) for number, question in enumerate(questions, 1)]
    sources = dict.fromkeys(source for question in questions for source in question.sources)
    texts = {
        "exam.xml": f"{_DECLARATION}{ElementTree.tostring(exam, encoding='unicode')}\n",
        "gold.xml": answer_table_text("exam", rows),
        "without.txt": "".join(f"{source}\n" for source in sources),
    }
    write_all((folder / file, text) for file, text in texts.items())


def _add(
    parent: Element, tag: str, text: str | None = None, tail: str | None = None, **attributes: str
) -> Element:
    """Adds an element to its parent: its text, and the text behind it."""
    element = SubElement(parent, tag, attributes)
    element.text, element.tail = text, tail
    return element


def _add_question(whole: Element, number: int, question: PseudoQuestion, own: ExamLanguage) -> None:
    """Adds the `question` element of one question; `number` counts from 1."""
    column, shape, parts = f"A{number}", question.shape, len(question.choices[0])
    answer_type = "term_other" if parts == 1 else "(symbol-term_other)*2"
    if shape == "statements":
        answer_type = "sentence"
    kind = {"answer_style": "multipleChoice", "answer_type": answer_type, "knowledge_type": "KS"}
    element = _add(whole, "question", id=f"Q{number}", minimal="yes", anscol=column, **kind)
    marks = own.marks[: len(question.choices)]
    asks = own.asks[shape, question.asks]
    _add(
        element,
        "instruction",
        asks.format(first=marks[0], last=marks[-1], gaps=" ".join(own.gaps[:parts])),
    )
    _add(element, "ansColumn", str(number), id=column)
    if shape == "gap":
        # Gaps are marked by their number between two null characters.
        before, *pieces = re.split(r"\0(\d)\0", question.texts[0])
        data = _add(element, "data", before, id=f"D{number}", type="text")
        for gap, after in zip(pieces[::2], pieces[1::2], strict=True):
            _add(
                _add(data, "blank", tail=after, id=f"B{number}-{gap}"), "label", own.gaps[int(gap)]
            )
    choices = _add(element, "choices", anscol=column)
    for place, (choice, printed) in enumerate(zip(question.choices, marks, strict=True), 1):
        holder = _add(choices, "choice", ansnum=str(place))
        is_text = parts == 1
        _add(holder, "cNum", printed, choice[0] if is_text else None)
        # References to the gaps, each with what fills it.
        for position, part in enumerate(() if is_text else choice):
            label, target = own.gaps[position], f"B{number}-{position}"
            _add(holder, "ref", label, own.dash + part, target=target)


_OTHERS = 2  # different names that stay in the sentence, so that it says what is asked
_TERM_TYPES = {"place": "term_location", "people": "term_location", "person": "term_person"}
_FREQUENCY = 4  # sentences of the book that hold the name, the hidden one among them


class TermItem(NamedTuple):
    """A term question: `text` with a gap, all right spellings, the answer type, and the source
    sentence."""

    text: str
    answers: tuple[str, ...]
    answer_type: str
    source: str


def make_terms(book: ExamBook, number: int, seed: int) -> list[TermItem]:
    """Makes up to `number` term questions, at most one from a sentence; deterministic for a seed.
    The hidden name is not a year, occurs in at least four sentences of the book, and leaves two
    other names in its sentence. Its kind is the majority over the book (person, place, else other),
    so that the answer type does not depend on this mention; only between a people and its country,
    which share a key, the mention decides."""
    rng = random.Random(f"{seed}/terms/{book.language}")
    recogniser = book.language.recogniser()
    low, high = exam_language(book.language).term_lengths
    items: list[TermItem] = []
    for sentence in rng.sample(book.sentences, len(book.sentences)):
        if len(items) == number:
            break
        names = [book.names[key] for key in sorted(sentence.keys) if not key.startswith("y:")]
        names = [name for name in names if name.frequency >= _FREQUENCY and name.kind != "year"]
        if not (low <= len(sentence.text) <= high and len(sentence.keys) > _OTHERS and names):
            continue
        name = rng.choice(names)
        mentions = sorted(mention for mention in sentence.mentions if mention.key == name.key)
        text = sentence.text
        # From the end, so that the places before stay valid.
        for mention in reversed(mentions):
            text = text[: mention.start] + GAP + text[mention.end :]
        answer_type = _TERM_TYPES.get(name.kind, "term_other")
        # In "the French" a people is meant, in "to France" the country, by the same key.
        if recogniser.cue(sentence.text, mentions[0]) == "people":
            answer_type = "term_other"
        answers = tuple(dict.fromkeys(form for form, _ in name.forms))
        items.append(TermItem(text, answers, answer_type, sentence.text))
    return items


def write_terms(folder: Path, language: Language, items: Sequence[TermItem]) -> None:
    """Writes `sheet.xml`, `gold.xml` and `without.txt` (one source sentence per line) into the
    folder."""
    texts = {
        "sheet.xml": _sheet_text(language, [item._replace(answers=("",)) for item in items]),
        "gold.xml": _sheet_text(language, items),
        "without.txt": "".join(f"{item.source}\n" for item in items),
    }
    write_all((folder / file, text) for file, text in texts.items())


def _sheet_text(language: Language, items: Sequence[TermItem]) -> str:
    """The term questions as an answer sheet [QALab3], with their answers as expressions."""
    sections = []
    for number, item in enumerate(items, 1):
        expressions = "".join(
            f"<expression>{escape(answer)}</expression>" for answer in item.answers
        )
        name = quoteattr(f"T{number}")
        sections.append(
            f"<answer_section id={name} label={name}><question_id>q{number}</question_id>"
            "<answer_style>description_unlimited</answer_style>"
            f"<answer_type>{item.answer_type}</answer_type>"
            f"<instruction><p>{exam_language(language).fill}</p><p>{escape(item.text)}</p></instruction>"
            '<answer_set type="singleton" number="1"><answer match_type="exact" order="-1" '
            'length_limit="-1">'
            f"<expression_set>{expressions}</expression_set></answer></answer_set></answer_section>"
        )
    body = "\n".join(sections)
    return f'{_DECLARATION}<answer_sheet ver="0.1">\n{body}\n</answer_sheet>\n'
