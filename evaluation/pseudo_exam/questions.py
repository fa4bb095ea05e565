"""Makes questions of every shape from a book, with their gold answers, and writes exams and sheets of them."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement
from xml.sax.saxutils import escape, quoteattr

from answerer.formats.answer_sheet import GAP
from answerer.formats.exam.parts import answer_table_text
from evaluation.pseudo_exam.book import BookSentence, ExamBook, ExamLanguage, exam_language
from evaluation.pseudo_exam.swaps import ABBREVIATION, RelationSwapper, Swap, Swapper
from indexer.entities import Mention
from indexer.files.atomic import write_all
from indexer.files.errors import UserError
from indexer.languages.language import Language

Swaps = Literal["far", "near", "section", "any", "relation"]
Shape = Literal["statements", "combination", "gap", "ordering"]

_MOST_USES = 8  # of one sentence in one exam, so that few sentences cannot dominate it
_APART = 15  # years between two events that are to be ordered


class PseudoQuestion(NamedTuple):
    """A question of a pseudo-exam. `texts` are its labelled statements or events, or the passage with gaps; `choices`
    the parts of each choice. `asks` is T or F (the true or the false choice); `gold` the number of the right choice,
    from 1; `sources` the sentences used. `swaps` has, for each statement of shape "statements" or "combination", its
    change, None for a true statement."""

    shape: Shape
    asks: Literal["T", "F"]
    texts: tuple[str, ...]
    choices: tuple[tuple[str, ...], ...]
    gold: int
    sources: tuple[str, ...]
    swaps: tuple[Swap | None, ...] = ()


def draw_sentences(sentences: Sequence[BookSentence], rng: random.Random) -> Iterator[BookSentence]:
    """Yields sentences at random, each again only after all others, eight times."""
    for _ in range(_MOST_USES):
        yield from reversed(rng.sample(sentences, len(sentences)))


def make_questions(book: ExamBook, number: int, seed: int, swaps: Swaps, shape: Shape) -> list[PseudoQuestion]:
    """Makes up to `number` different questions of a shape, fewer if the book is too small; deterministic for a seed."""
    # A generator for each kind of exam: one more question of one kind changes no other exam.
    rng = random.Random(f"{seed}/{swaps}/{shape}/{book.language}")  # noqa: S311 (repeatable, no secret)
    questions: dict[object, PseudoQuestion] = {}
    for question in _MAKERS[shape](book, rng, swaps):
        # The same statements in another order are the same question.
        questions.setdefault((tuple(sorted(question.texts)), tuple(sorted(question.choices))), question)
        if len(questions) == number:
            break
    return list(questions.values())


def usable(book: ExamBook, sentence: BookSentence, swaps: Swaps = "far") -> bool:
    """True if a sentence can be a statement: length within `ExamLanguage.lengths`, complete, with two or more names. A
    complete sentence ends in a stop, does not begin in lower case, and closes its quotes. For `any` swaps one name is
    enough, and the maximum length doubles."""
    low, high = exam_language(book.language).lengths
    high, names = (2 * high, 1) if swaps == "any" else (high, 2)
    text = sentence.text
    fits = low <= len(text) <= high and len(sentence.keys) >= names
    return fits and text[-1] in ".。！」" and not text[0].islower() and text.count('"') % 2 == 0


def _pairs(book: ExamBook, rng: random.Random, swaps: Swaps) -> Iterator[tuple[BookSentence, Swap]]:
    """Yields pairs (usable sentence, change that makes it false), in random order."""
    swapper = RelationSwapper(book) if swaps == "relation" else Swapper(book, swaps)
    for sentence in draw_sentences([s for s in book.sentences if usable(book, s, swaps)], rng):
        if swap := swapper.swap(sentence, rng):
            yield sentence, swap


def _statements(book: ExamBook, rng: random.Random, swaps: Swaps) -> Iterator[PseudoQuestion]:
    """Yields questions with four statements as choices: exactly one is true (`asks` T), or exactly one is false (F)."""
    pairs = _pairs(book, rng, swaps)
    positions = _shuffled_positions(rng, 4)
    while len(four := _different(pairs, 4)) == 4:
        asks: Literal["T", "F"] = "T" if rng.random() < 0.5 else "F"
        gold = next(positions)
        swapped = tuple(None if (place == gold) == (asks == "T") else swap for place, (_, swap) in enumerate(four))
        choices = tuple((swap.text if swap else s.text,) for (s, _), swap in zip(four, swapped, strict=True))
        yield PseudoQuestion("statements", asks, (), choices, gold + 1, tuple(s.text for s, _ in four), swapped)


def _combinations(book: ExamBook, rng: random.Random, swaps: Swaps) -> Iterator[PseudoQuestion]:
    """Yields questions on two statements, a and b, with the four combinations of T and F as choices."""
    pairs = _pairs(book, rng, swaps)
    positions = _shuffled_positions(rng, 4)
    marks = list(itertools.product("TF", repeat=2))
    while len(two := _different(pairs, 2)) == 2:
        gold = next(positions)
        swapped = tuple(None if mark == "T" else swap for mark, (_, swap) in zip(marks[gold], two, strict=True))
        texts = tuple(swap.text if swap else s.text for (s, _), swap in zip(two, swapped, strict=True))
        yield PseudoQuestion("combination", "T", texts, tuple(marks), gold + 1, tuple(s.text for s, _ in two), swapped)


def _gaps(book: ExamBook, rng: random.Random, swaps: Swaps) -> Iterator[PseudoQuestion]:
    """Yields questions with a gap or two and four fillers. Raises UserError for `relation` swaps."""
    if swaps == "relation":
        raise UserError("--swaps relation makes no gap questions, for it keeps the names: use far, near or section")
    swapper = Swapper(book, swaps)
    positions = _shuffled_positions(rng, 4)
    gold = next(positions)
    for sentence in draw_sentences([s for s in book.sentences if usable(book, s, swaps)], rng):
        slots = [slot for slot in swapper.swappable(sentence) if not ABBREVIATION.fullmatch(slot.surface)]
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
            fillers = [(r, w[0]) if first else (w[0], r) for r, w, first in zip(right, wrong, firsts, strict=True)]
            choices: list[tuple[str, ...]] = list(itertools.product(*fillers))
        else:
            choices = [(filler,) for filler in wrong[0]]
            choices.insert(gold, (right[0],))
        yield PseudoQuestion("gap", "T", (text,), tuple(choices), gold + 1, (sentence.text,))
        gold = next(positions)


def _fillers(sentence: BookSentence, slot: Mention, swapper: Swapper, rng: random.Random, number: int) -> list[str]:
    """`number` different wrong names that could replace the name `slot` in a sentence; [] if fewer are found."""
    fillers: list[str] = []
    for _ in range(3 * number):
        swap = swapper.swap(sentence, rng, slot)
        if swap and swap.new not in fillers and swap.new != slot.surface:
            fillers.append(swap.new)
        if len(fillers) == number:
            return fillers
    return []


_IN_YEAR = re.compile(r"^(?:In|By|In early|In late)?\s*$", re.IGNORECASE)


def split_date(sentence: BookSentence) -> tuple[str, int] | None:
    """Splits off a sentence's opening year (In 1492, …; 1492年に…): (rest of the sentence, year). None if the sentence
    does not begin with its only date, a single year, or keeps another number of three or more digits."""
    dates = [(mention, mention.span) for mention in sentence.mentions if mention.span]
    if len(dates) != 1 or dates[0][1][0] != dates[0][1][1]:
        return None
    date, (year, _) = dates[0]
    before, after = sentence.text[: date.start], sentence.text[date.end :]
    rest = re.match(r",?\s+|(?:\d{1,2}月(?:\d{1,2}日)?)?(?:には|に|、)+", after)
    # A sentence that keeps another number would give its year away.
    if not _IN_YEAR.match(before) or not rest or re.search(r"\d{3}", after):
        return None
    text = after[rest.end() :]
    return text[:1].upper() + text[1:], year


def _orders(book: ExamBook, rng: random.Random, _: Swaps) -> Iterator[PseudoQuestion]:
    """Yields questions on the order of three events at least `_APART` years apart, all six orders as choices."""
    dated = {id(s): event for s in book.sentences if len(s.keys) > 1 and (event := split_date(s))}
    drawn = draw_sentences([s for s in book.sentences if id(s) in dated], rng)
    orders = list(itertools.permutations("abc"))
    positions = _shuffled_positions(rng, len(orders))
    for first in drawn:
        three, years = [first], [dated[id(first)][1]]
        for _try in range(30):
            if len(three) < 3 and (other := next(drawn, None)):
                year = dated[id(other)][1]
                if all(abs(year - known) >= _APART for known in years):
                    three.append(other)
                    years.append(year)
        if len(three) < 3:
            continue
        gold = next(positions)
        by_year = sorted(three, key=lambda s: dated[id(s)][1])
        of_label = dict(zip(orders[gold], by_year, strict=True))
        texts = tuple(dated[id(of_label[label])][0] for label in "abc")
        yield PseudoQuestion("ordering", "T", texts, tuple(orders), gold + 1, tuple(of_label[x].text for x in "abc"))


def _different(pairs: Iterator[tuple[BookSentence, Swap]], number: int) -> list[tuple[BookSentence, Swap]]:
    """Takes from `pairs` until `number` different sentences are collected; fewer if the pairs run out."""
    by_text: dict[str, tuple[BookSentence, Swap]] = {}
    for sentence, swap in pairs:
        by_text.setdefault(sentence.text, (sentence, swap))
        if len(by_text) == number:
            break
    return list(by_text.values())


def _shuffled_positions(rng: random.Random, number: int) -> Iterator[int]:
    """Yields 0 … `number` − 1 endlessly, in a new random order each round, so that all are equally frequent."""
    while True:
        places = list(range(number))
        rng.shuffle(places)
        yield from places


_MAKERS: dict[Shape, Callable[[ExamBook, random.Random, Swaps], Iterator[PseudoQuestion]]] = {
    "statements": _statements,
    "combination": _combinations,
    "gap": _gaps,
    "ordering": _orders,
}


_ANSWER_TYPES = {"statements": "sentence", "combination": "(symbol-TF)*2", "ordering": "o(symbol-symbol-symbol)"}


def write_exam(folder: Path, name: str, language: Language, questions: Sequence[PseudoQuestion]) -> None:
    """Writes `exam.xml`, `gold.xml`, `without.txt` and `swaps.tsv` into the folder. `without.txt` has one source
    sentence per line, without repetition; `swaps.tsv` one false statement per line: question, number or letter of the
    statement, kind of change, the words before and after."""
    rows = [(f"A{number}", str(question.gold)) for number, question in enumerate(questions, 1)]
    sources = dict.fromkeys(source for question in questions for source in question.sources)
    changes = [("question", "statement", "changed", "from", "to")]
    for number, question in enumerate(questions, 1):
        for place, swap in enumerate(question.swaps):
            if swap:
                statement = "ab"[place] if question.texts else str(place + 1)
                changes.append((f"Q{number}", statement, swap.kind, swap.old, swap.new))
    texts = {
        "exam.xml": _exam_text(name, language, questions),
        "gold.xml": answer_table_text("exam", rows),
        "without.txt": "".join(f"{source}\n" for source in sources),
        "swaps.tsv": "".join("\t".join(row) + "\n" for row in changes),
    }
    write_all((folder / file, text) for file, text in texts.items())


def _exam_text(name: str, language: Language, questions: Iterable[PseudoQuestion]) -> str:
    """The exam as XML text in the format of the National Center Tests [QALab3]."""
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
    """Makes up to `number` term questions, at most one from a sentence; deterministic for a seed. The hidden name is
    not a year, occurs in at least four sentences of the book, and leaves two other names in its sentence. Its kind is
    the majority over the book (person, place, else other), so that the answer type does not depend on this mention;
    only between a people and its country, which share a key, the mention decides."""
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
        "sheet.xml": _sheet_text(language, [item._replace(answers=("",)) for item in items]),
        "gold.xml": _sheet_text(language, items),
        "without.txt": "".join(f"{item.source}\n" for item in items),
    }
    write_all((folder / file, text) for file, text in texts.items())


def _sheet_text(language: Language, items: Sequence[TermItem]) -> str:
    """The term questions as an answer sheet [QALab3], with their answers as expressions."""
    sections = []
    for number, item in enumerate(items, 1):
        expressions = "".join(f"<expression>{escape(answer)}</expression>" for answer in item.answers)
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
