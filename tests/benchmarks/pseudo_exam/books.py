"""A made-up history of made-up countries, as long as a test needs."""

from __future__ import annotations

import random

from pseudo_exam.book import BookParagraph

_PEOPLE = "Al Be Ca Da El Fa Ga Ho Il Jo Ka Lo Ma No Or Pa Qu Ro Sa To Ul Va Wi Xe Yo Za".split()
_ENDS = "ric mund bert wald frid gar".split()
_LANDS = "ovia estan uria avia onia".split()
_DEEDS = (
    "conquered {b} in {y}",
    "sent an army to {b} in {y}",
    "signed a peace with {b} after the war of {y}",
    "traded silk with {b} until {y}",
    "lost the northern part of {b} in {y}",
)


def made_up_book(paragraphs: int, seed: int = 1) -> list[BookParagraph]:
    """Paragraphs: rulers and lands of uneven frequency, ten paragraphs a title, four sentences
    each."""
    rng = random.Random(seed)
    rulers = [f"{a}{b}" for a in _PEOPLE for b in _ENDS]
    lands = [f"{a}l{b}" for a in _PEOPLE for b in _LANDS]
    rng.shuffle(rulers)
    rng.shuffle(lands)
    book = []
    for number in range(paragraphs):
        first = (number // 10 * 7) % 100
        sentences = []
        for _ in range(4):
            ruler = rulers[min(int(rng.expovariate(0.2)) + first, len(rulers) - 1)]
            a, b = (
                lands[min(int(rng.expovariate(0.25)) + first, len(lands) - 1)] for _ in range(2)
            )
            year = rng.randint(1100 + 5 * first, 1200 + 5 * first)
            if rng.random() < 0.2:
                sentences.append(
                    f"In {year}, King {ruler} of the land in {a} built a long wall against {b}."
                )
                continue
            deed = rng.choice(_DEEDS).format(b=b, y=year)
            sentences.append(f"The people remember that King {ruler} of the land in {a} {deed}.")
        book.append(BookParagraph(f"Chapter {number // 10}", " ".join(sentences)))
    return book
