"""Makes questions of every shape from a book: statements, combinations, gaps and orders, with their gold answers."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from evaluation.pseudo_exam.book import BookSentence, ExamBook
from evaluation.pseudo_exam.languages import exam_language
from evaluation.pseudo_exam.swaps import RelationSwapper, Swap, Swapper, is_abbreviation
from indexer.entities import Mention
from indexer.files.errors import UserError

Swaps = Literal["far", "near", "section", "any", "relation"]
Shape = Literal["statements", "combination", "gap", "ordering"]

_MOST_USES = 8  # of one sentence in one exam, so that few sentences cannot dominate it
_APART = 15  # years between two events that are to be ordered


class Question(NamedTuple):
    """A question: `texts` are its statements (or the passage with gaps), `choices` the parts of each choice.

    `asks` is T or F; `gold` the number of the right choice, from 1; `sources` the sentences it was made of. `swaps` has
    the change in each statement of a choice question or combination, None for a true one.
    """

    shape: Shape
    asks: Literal["T", "F"]
    texts: tuple[str, ...]
    choices: tuple[tuple[str, ...], ...]
    gold: int
    sources: tuple[str, ...]
    swaps: tuple[Swap | None, ...] = ()


class SentencePool:
    """Draws sentences at random, each again only after all others, at most eight times."""

    def __init__(self, sentences: list[BookSentence], rng: random.Random) -> None:
        self._all = sentences
        self._rng = rng
        self._left: list[BookSentence] = []
        self._rounds = 0

    def draw(self) -> BookSentence | None:
        """The next sentence; None when every one has been drawn eight times."""
        if not self._left:
            if self._rounds == _MOST_USES or not self._all:
                return None
            self._rounds += 1
            self._left = self._rng.sample(self._all, len(self._all))
        return self._left.pop()


def make_questions(book: ExamBook, number: int, seed: int, swaps: Swaps, shape: Shape) -> list[Question]:
    """Makes up to `number` different questions, fewer if the book is too small; deterministic for a seed."""
    rng = random.Random(f"{seed}/{swaps}/{shape}/{book.language}")  # noqa: S311 (repeatable, no secret)
    made: list[Question] = []
    seen: set[tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]] = set()
    for question in _MAKERS[shape](book, rng, swaps):
        identity = (tuple(sorted(question.texts)), tuple(sorted(question.choices)))
        if identity not in seen:
            seen.add(identity)
            made.append(question)
        if len(made) == number:
            break
    return made


def usable(book: ExamBook, sentence: BookSentence, swaps: Swaps = "far") -> bool:
    """Whether a sentence can be a statement: of middling length, complete, with at least two names.

    With `any` swaps one name is enough, and it may be twice as long.
    """
    low, high = exam_language(book.language).lengths
    high, names = (2 * high, 1) if swaps == "any" else (high, 2)
    text = sentence.text
    if not low <= len(text) <= high or len(sentence.keys) < names:
        return False
    return text[-1] in ".。！」" and not text[0].islower() and text.count('"') % 2 == 0


def shortage(book: ExamBook, shape: Shape) -> str:
    """An explanation of why a book did not give more questions, for a message."""
    if shape == "ordering":
        dated = sum(1 for sentence in book.sentences if len(sentence.keys) > 1 and split_date(sentence))
        return f"of {len(book.sentences)} sentences {dated} begin with a year and name something else"
    able = sum(1 for sentence in book.sentences if usable(book, sentence))
    return (
        f"of {len(book.sentences)} sentences {able} are of middling length with two names, "
        f"and not all of them have a name of the same kind and like frequency to exchange; a sentence is used "
        f"{_MOST_USES} times at most"
    )


def _pairs(book: ExamBook, rng: random.Random, swaps: Swaps) -> Iterator[tuple[BookSentence, Swap]]:
    """Yields sentences, each with a false version of itself."""
    swapper = RelationSwapper(book) if swaps == "relation" else Swapper(book, swaps)
    pool = SentencePool([s for s in book.sentences if usable(book, s, swaps)], rng)
    while sentence := pool.draw():
        if swap := swapper.swap(sentence, rng):
            yield sentence, swap


def _statements(book: ExamBook, rng: random.Random, swaps: Swaps) -> Iterator[Question]:
    """Yields questions with four statements, of which one is true (T) or false (F)."""
    pairs = _pairs(book, rng, swaps)
    positions = _shuffled_positions(rng, 4)
    while len(four := _different(pairs, 4)) == 4:
        asks: Literal["T", "F"] = "T" if rng.random() < 0.5 else "F"
        gold = next(positions)
        swapped = tuple(None if (place == gold) == (asks == "T") else swap for place, (_, swap) in enumerate(four))
        choices = tuple((swap.text if swap else s.text,) for (s, _), swap in zip(four, swapped, strict=True))
        yield Question("statements", asks, (), choices, gold + 1, tuple(s.text for s, _ in four), swapped)


def _combinations(book: ExamBook, rng: random.Random, swaps: Swaps) -> Iterator[Question]:
    """Yields questions on two statements, each true or false, with all four combinations as choices."""
    pairs = _pairs(book, rng, swaps)
    positions = _shuffled_positions(rng, 4)
    marks = list(itertools.product("TF", repeat=2))
    while len(two := _different(pairs, 2)) == 2:
        gold = next(positions)
        swapped = tuple(None if mark == "T" else swap for mark, (_, swap) in zip(marks[gold], two, strict=True))
        texts = tuple(swap.text if swap else s.text for (s, _), swap in zip(two, swapped, strict=True))
        yield Question("combination", "T", texts, tuple(marks), gold + 1, tuple(s.text for s, _ in two), swapped)


def _gaps(book: ExamBook, rng: random.Random, swaps: Swaps) -> Iterator[Question]:
    """Yields questions with one gap and four fillers, or two gaps with two fillers each."""
    if swaps == "relation":
        raise UserError("--swaps relation makes no gap questions, for it keeps the names: use far, near or section")
    swapper = Swapper(book, swaps)
    pool = SentencePool([s for s in book.sentences if usable(book, s, swaps)], rng)
    positions = _shuffled_positions(rng, 4)
    gold = next(positions)
    while sentence := pool.draw():
        slots = [slot for slot in swapper.swappable(sentence) if not is_abbreviation(slot.surface)]
        rng.shuffle(slots)
        two = len(slots) > 1 and rng.random() < 0.5
        question = _gap_question(sentence, sorted(slots[: 2 if two else 1]), swapper, rng, gold)
        if question:
            yield question
            gold = next(positions)


def _gap_question(
    sentence: BookSentence, slots: list[Mention], swapper: Swapper, rng: random.Random, gold: int
) -> Question | None:
    """A question with gaps in the slots, its right choice at index `gold`; None without wrong fillers."""
    wrong = [_fillers(sentence, slot, swapper, rng, 3 if len(slots) == 1 else 1) for slot in slots]
    if not slots or any(not fillers for fillers in wrong):
        return None
    text, fillers = sentence.text, [[slot.surface] for slot in slots]
    for number, slot in reversed(list(enumerate(slots))):
        text = text[: slot.start] + f"\0{number}\0" + text[slot.end :]
    choices: list[tuple[str, ...]]
    if len(slots) == 1:
        choices = [(filler,) for filler in wrong[0]]
        choices.insert(gold, (slots[0].surface,))
    else:
        for place, right in enumerate(slots):
            fillers[place] = [wrong[place][0], right.surface] if _bit(gold, place) else [right.surface, wrong[place][0]]
        choices = [tuple(pair) for pair in itertools.product(*fillers)]
    return Question("gap", "T", (text,), tuple(choices), gold + 1, (sentence.text,))


def _bit(gold: int, place: int) -> bool:
    """Whether the right filler of a gap comes second, so that index `gold` of the product is the right pair."""
    return bool(gold >> (1 - place) & 1)


def _fillers(sentence: BookSentence, slot: Mention, swapper: Swapper, rng: random.Random, number: int) -> list[str]:
    """`number` different names that could replace a slot; empty if there are fewer."""
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
    """The sentence without its opening date (In 1492, …; 1492年に…), and that year; None if it has another form."""
    dates = [m for m in sentence.mentions if m.span]
    date = dates[0] if len(dates) == 1 else None
    if date is None or date.span is None or date.span[0] != date.span[1]:
        return None
    before, after = sentence.text[: date.start], sentence.text[date.end :]
    rest = re.match(r",?\s+|(?:\d{1,2}月(?:\d{1,2}日)?)?(?:には|に|、)+", after)
    if not _IN_YEAR.match(before) or not rest or re.search(r"\d{3}", after):
        return None
    text = after[rest.end() :]
    return text[:1].upper() + text[1:], date.span[0]


def _orders(book: ExamBook, rng: random.Random, swaps: Swaps) -> Iterator[Question]:
    """Yields questions on the order of three events that are at least 15 years apart."""
    del swaps
    dated = {id(s): event for s in book.sentences if len(s.keys) > 1 and (event := split_date(s))}
    pool = SentencePool([s for s in book.sentences if id(s) in dated], rng)
    orders = list(itertools.permutations("abc"))
    positions = _shuffled_positions(rng, len(orders))
    while first := pool.draw():
        three = [first]
        for _ in range(30):
            if len(three) < 3 and (other := pool.draw()) and _apart(other, three, dated):
                three.append(other)
        if len(three) < 3:
            continue
        gold = next(positions)
        by_year = sorted(three, key=lambda s: dated[id(s)][1])
        of_label = dict(zip(orders[gold], by_year, strict=True))
        texts = tuple(dated[id(of_label[label])][0] for label in "abc")
        yield Question("ordering", "T", texts, tuple(orders), gold + 1, tuple(of_label[x].text for x in "abc"))


def _apart(sentence: BookSentence, others: list[BookSentence], dated: dict[int, tuple[str, int]]) -> bool:
    """Whether a sentence's year is at least 15 years from those of the others."""
    year = dated[id(sentence)][1]
    return all(abs(year - dated[id(other)][1]) >= _APART for other in others)


def _different(pairs: Iterator[tuple[BookSentence, Swap]], number: int) -> list[tuple[BookSentence, Swap]]:
    """The next `number` pairs with different sentences; fewer when the pairs run out."""
    by_text: dict[str, tuple[BookSentence, Swap]] = {}
    for sentence, swap in pairs:
        by_text.setdefault(sentence.text, (sentence, swap))
        if len(by_text) == number:
            break
    return list(by_text.values())


def _shuffled_positions(rng: random.Random, number: int) -> Iterator[int]:
    """Yields positions 0 to number − 1 in shuffled rounds, so that each is equally frequent."""
    while True:
        places = list(range(number))
        rng.shuffle(places)
        yield from places


_MAKERS: dict[Shape, Callable[[ExamBook, random.Random, Swaps], Iterator[Question]]] = {
    "statements": _statements,
    "combination": _combinations,
    "gap": _gaps,
    "ordering": _orders,
}
