"""Makes sentences false: exchanges a name for another, or changes the period, direction or
roles."""

from __future__ import annotations

import bisect
import math
import random
import re
from collections import Counter, defaultdict
from functools import cache
from itertools import combinations
from typing import Literal, NamedTuple

from indexer.analysis.text import ORDINALS, read_word_list
from indexer.entities import Kind, Mention
from indexer.languages.language import Language
from pseudo_exam.book import BookSentence, ExamBook, Name, exam_language

_ARTICLE = re.compile(r"\b(an?) $", re.IGNORECASE)
_LIKE_A_CONSONANT = re.compile(r"eu|ew|one\b|ug|uk|uni|uru|us|ut|u\.", re.IGNORECASE)
_LETTERS = re.compile(r"[A-Z](?:\.?[A-Z])+\b")  # spoken letter by letter: an MP, a UN
_LIKE_VOWELS = {False: "AEIOUÀÁÂÄÅÈÉÊËÌÍÎÏÒÓÔÖÙÚÛÜ", True: "AEFHILMNORSX"}
ABBREVIATION = re.compile(r"(?:[A-Z]\.)+[A-Z]\.?")  # its last full stop may be the sentence's


Swaps = Literal["far", "near", "relation"]


class Swap(NamedTuple):
    """A statement in which something was replaced by `new`."""

    text: str
    new: str


def replace_words(text: str, start: int, end: int, new: str) -> Swap:
    """Replaces characters [start, end) of a statement by `new`. The full stop of an abbreviation
    (U.S.) is replaced with it, the full stop of the sentence is kept."""
    # The full stop of an abbreviation at the end may be the sentence's.
    if ABBREVIATION.fullmatch(text[start:end]):
        end += text[end : end + 1] == "." and end + 1 < len(text)
        end -= end == len(text)
    if ABBREVIATION.fullmatch(new):
        new = new.removesuffix(".") + ("" if text[end : end + 1] == "." else ".")
    return Swap(text[:start] + new + text[end:], new)


def agrees(text: str, start: int, new: str) -> bool:
    """True if `new` agrees with the article before offset `start`: `a` before a consonant, `an`
    before a vowel. Also true if no such article precedes."""
    article = _ARTICLE.search(text, 0, start)
    if not article:
        return True
    letters = _LETTERS.match(new) is not None
    vowel = new[:1].upper() in _LIKE_VOWELS[letters] and not _LIKE_A_CONSONANT.match(new)
    return vowel == (len(article[1]) == 2)


BAND = math.log(4)  # a swap is at most four times rarer or more frequent than the name it replaces
_TOLERANCE = 0.2  # largest distance, in log frequency, of a name from the frequency drawn
_ROUNDING = 1e-9  # floating-point error of log frequencies
_TRIES = 12  # frequencies drawn for a name before it is given up
SWAPPED_KINDS: tuple[Kind, ...] = ("person", "place", "people", "period", "year")


class _Form(NamedTuple):
    """A name as a possible replacement: ln of its frequency, the name, and one of its spellings."""

    log_frequency: float
    name: Name
    surface: str


class Swapper:
    """Draws names of a book to replace names in its sentences. With reach `far`, from the whole
    book, and only so that no paragraph has the new name with the sentence's other names; with
    `near`, from the chapter, without that condition. A name that occurs once is in the sentence to
    be changed only, and never drawn."""

    def __init__(self, book: ExamBook, reach: Swaps) -> None:
        self._book, self._reach = book, reach
        self._around = cache(self._names_around)
        self._forms: dict[tuple[Kind, str], list[_Form]] = defaultdict(list)
        for key in sorted(book.names):
            name = book.names[key]
            if name.kind in SWAPPED_KINDS and name.frequency > 1:
                # The most frequent spelling of each shape.
                surfaces = {
                    shape_of(name, surface, book.language): surface
                    for surface, _ in reversed(name.forms)
                }
                for shape, surface in surfaces.items():
                    self._forms[name.kind, shape].append(
                        _Form(math.log(name.frequency), name, surface)
                    )
        for forms in self._forms.values():
            forms.sort(key=lambda form: (form.log_frequency, form.surface))

    def swappable(self, sentence: BookSentence) -> list[Mention]:
        """The mentions that a swap may replace: of a kind to be swapped, once in the sentence, and
        in other sentences."""
        keys = [mention.key for mention in sentence.mentions]
        once = [mention for mention in sentence.mentions if keys.count(mention.key) == 1]
        names = self._book.names
        return [
            m for m in once if names[m.key].kind in SWAPPED_KINDS and names[m.key].frequency > 1
        ]

    def swap(
        self, sentence: BookSentence, rng: random.Random, mention: Mention | None = None
    ) -> Swap | None:
        """Replaces one name of a sentence (`mention`, by default a random one) by another. Returns
        None if no other name fits."""
        slots = [mention] if mention else self.swappable(sentence)
        rng.shuffle(slots)
        for slot in slots:
            if form := self._draw(sentence, slot, rng):
                return replace_words(sentence.text, slot.start, slot.end, form.surface)
        return None

    def _draw(self, sentence: BookSentence, slot: Mention, rng: random.Random) -> _Form | None:
        """Draws a name of like kind, shape and frequency to replace `slot`; None without one."""
        name = self._book.names[slot.key]
        shape = shape_of(name, slot.surface, self._book.language)
        if self._reach == "far":
            forms = self._forms.get((name.kind, shape), [])
        else:
            forms = self._around(self._book.chapters[sentence.paragraph], name.kind, shape)
        own = math.log(name.frequency - 1)  # without the sentence itself
        forms = _within(forms, math.log(name.frequency) - BAND, own + BAND)
        for _ in range(_TRIES):
            offset = rng.uniform(-BAND, BAND)
            # A frequency is drawn where the opposite one exists too, so that rarity does not give
            # the false away.
            there, back = (
                _within(forms, own + o - _TOLERANCE, own + o + _TOLERANCE)
                for o in (offset, -offset)
            )
            if there and back:
                form = rng.choice(there)
                if self._fits(sentence, slot, form):
                    return form
        return None

    def _names_around(self, span: tuple[int, int], kind: Kind, shape: str) -> list[_Form]:
        """The names of a kind and shape that occur in a span of paragraphs, given as (first,
        last)."""
        around = frozenset(range(span[0], span[1] + 1))
        return [
            form
            for form in self._forms.get((kind, shape), [])
            if not around.isdisjoint(form.name.paragraphs)
        ]

    def _fits(self, sentence: BookSentence, slot: Mention, form: _Form) -> bool:
        """True if `form` may replace `slot`: agrees with the article, and overlaps none of the
        sentence's names. With reach `far` no paragraph may contain both the new name and all other
        names of the sentence."""
        key, keys = form.name.key, sentence.keys
        if not agrees(sentence.text, slot.start, form.surface) or any(
            _overlap(key, other) for other in keys
        ):
            return False
        holders = self._book.holders
        return self._reach != "far" or not holders[key].intersection(
            *(holders[each] for each in keys - {slot.key})
        )


def _within(forms: list[_Form], low: float, high: float) -> list[_Form]:
    """The forms with a log frequency from low to high."""
    first = bisect.bisect_left(forms, low - _ROUNDING, key=lambda form: form.log_frequency)
    last = bisect.bisect_right(forms, high + _ROUNDING, key=lambda form: form.log_frequency)
    return forms[first:last]


def _overlap(left: str, right: str) -> bool:
    """True if one entity key contains the other, so that both may mean the same; dates overlap only
    if equal."""
    if left == right or left.startswith("y:") or right.startswith("y:"):
        return left == right
    a, b = set(left.split()), set(right.split())
    return a <= b or b <= a or (not left.isascii() and (left in right or right in left))


def shape_of(name: Name, surface: str, language: Language) -> str:
    """The class of spellings that can replace each other: plural, adjective, single character; ""
    for others. Of a date it is its width in years and its era (BC or AD), of one in another form
    (昭和20年) its `surface`."""
    if name.kind == "year":
        first, *last = name.key.removeprefix("y:").split("..")
        width = int(last[0]) - int(first) if last else 0
        years = {abs(int(year)) for year in (first, *last)}
        if not exam_language(language).is_plain_date(surface, years, width):
            return surface
        return f"{width} before" if first.startswith("-") else f"{width}"
    if not surface.isascii():
        if len(surface) == 1:
            return "short"
        return surface[-1] if name.kind == "people" and surface[-1] in "人族" else ""
    # Romans, a Roman and Roman each fit in other places.
    if name.kind == "people":
        return (
            "plural"
            if surface.endswith("s")
            else "plain"
            if name.key == surface.lower()
            else "adjective"
        )
    return ""


# expected count of two words side by side by chance, below which a count of 0 proves nothing
_EXPECTED = 1.0


class RelationSwapper:
    """Draws one of the changes that a sentence allows without changing its names: date, direction
    or roles."""

    def __init__(self, book: ExamBook) -> None:
        self._book = book
        self._language = exam_language(book.language)
        pairs = [line.split() for line in read_word_list(__package__, self._language.opposites)]
        self._opposites = {left: right for pair in pairs for left, right in (pair, pair[::-1])}
        words = "|".join(sorted(map(re.escape, self._opposites), key=len, reverse=True))
        spaced = book.language.uses_spaces
        bound = r"\b" if spaced else ""
        self._pattern = re.compile(f"{bound}(?:{words}){bound}", re.IGNORECASE)
        # The tokens of the book in order: words, or characters in scripts without blanks.
        self._token = re.compile(r"\w+|[^\w\s]" if spaced else r"\S")
        self._between = " " if spaced else ""
        tokens = [
            token
            for sentence in book.sentences
            for token in self._token.findall(sentence.text.lower())
        ]
        self._counts, self._size = Counter(tokens), max(1, len(tokens))
        self._text = self._between.join(["", *tokens, ""])
        self._never_beside = cache(self._are_never_beside)

    def swap(self, sentence: BookSentence, rng: random.Random) -> Swap | None:
        """Moves a date, reverses a direction or exchanges two roles in the sentence; None if none
        is possible."""
        operations = [_move_date, self._turn, self._exchange]
        rng.shuffle(operations)
        return next(filter(None, (operation(sentence, rng) for operation in operations)), None)

    def _are_never_beside(self, first: str, second: str) -> bool:
        """True if the two are never neighbours in the book, though by chance they would be at least
        once."""
        # Two rare words are hardly ever neighbours: their absence proves nothing.
        if self._between and self._counts[first] * self._counts[second] / self._size < _EXPECTED:
            return False
        return self._between.join(("", first, second, "")) not in self._text

    def _turn(self, sentence: BookSentence, rng: random.Random) -> Swap | None:
        """Replaces a random word outside names by an opposite that the book may have there; None
        without one."""
        turns = []
        for match in self._pattern.finditer(sentence.text):
            new = self._opposites[match[0].lower()]
            before = self._token.findall(sentence.text[: match.start()])[-1:]
            after = self._token.findall(sentence.text[match.end() :])[:1]
            if not (
                any(
                    name.start < match.end() and match.start() < name.end
                    for name in sentence.mentions
                )
                or any(self._never_beside(word.lower(), new) for word in before)
                or any(self._never_beside(new, word.lower()) for word in after)
            ):
                turns.append((match, new))
        if not turns:
            return None
        match, new = rng.choice(turns)
        new = new.capitalize() if match[0][0].isupper() else new
        return replace_words(sentence.text, match.start(), match.end(), new)

    def _exchange(self, sentence: BookSentence, rng: random.Random) -> Swap | None:
        """Exchanges two random names of a kind and shape that have different roles; None without
        any."""
        language, names = self._book.language, self._book.names
        pairs = []
        for left, right in combinations(sentence.mentions, 2):
            first, second = names[left.key], names[right.key]
            if (
                left.key == right.key
                or first.kind != second.kind
                or first.kind in ("other", "year")
            ):
                continue
            if shape_of(first, left.surface, language) == shape_of(
                second, right.surface, language
            ) and (self._language.gives_roles(sentence.text[left.end : right.start])):
                pairs.append((left, right))
        if not pairs:
            return None
        left, right = rng.choice(pairs)
        new = right.surface + sentence.text[left.end : right.start] + left.surface
        return replace_words(sentence.text, left.start, right.end, new)


_ORDINAL_WORDS = list(ORDINALS)[:20]


def _move_date(sentence: BookSentence, rng: random.Random) -> Swap | None:
    """Moves a sentence's only date by one to four centuries or 30 to 150 years; None if it cannot
    be moved."""
    dates = [(mention, mention.span) for mention in sentence.mentions if mention.span]
    if len(dates) != 1:
        return None
    date, (first, last) = dates[0]
    is_century = last - first >= 99
    # Far enough that the date is false, near enough that it is not absurd.
    sign = rng.choice((-1, 1))
    step = sign * (rng.randint(1, 4) if is_century else rng.randint(30, 150))
    if last > first and not is_century:
        step = step // 10 * 10
    if is_century and (
        word := re.match(r"[A-Za-z]+(?:-first)?", date.surface)
    ):  # eighteenth, not 18th century
        place = (
            _ORDINAL_WORDS.index(word[0].lower()) + step
            if word[0].lower() in _ORDINAL_WORDS
            else -1
        )
        if not 0 <= place < len(_ORDINAL_WORDS):
            return None
        new = _ORDINAL_WORDS[place]
        start, end, new = 0, word.end(), new.capitalize() if word[0][0].isupper() else new
    else:
        number = re.search(r"\d+", date.surface)
        years = (abs(first), abs(last), max(abs(first), abs(last)) // 100)
        # 昭和20年 and the end of 1914-18年 are not written as the years that they are
        if not number or "," in date.surface or int(number[0]) not in years:
            return None
        value = int(number[0]) + step
        if value < 1 or (value > 2020 and first > 0) or len(str(value)) != len(number[0]):
            return None
        start, end, new = number.start(), number.end(), str(value)
    moved = date.surface[:start] + new + date.surface[end:]
    return replace_words(sentence.text, date.start, date.end, moved)
