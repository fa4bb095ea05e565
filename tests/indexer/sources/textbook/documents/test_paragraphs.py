"""Pages of lines become paragraphs: divided words, sentences over pages, running heads and feet,
page numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.sources.textbook.pages import PageParagraph, page_paragraphs, text_pages


def read(*pages: str) -> tuple[list[PageParagraph], dict[str, int]]:
    """The paragraphs of pages of text, and what was left out."""
    counts: Counter[str] = Counter()
    return page_paragraphs(text_pages("\f".join(pages).split("\n")), counts, pitch=1), dict(+counts)


def texts(*pages: str) -> list[str]:
    return [paragraph.text for paragraph in read(*pages)[0]]


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("The ground-\nwork was laid.", "The groundwork was laid."),
        ("A well-known man. The well-\nknown man.", "A well-known man. The well-known man."),
        (
            "Groundwork. Ground-work. Groundwork. Ground-\nwork.",
            "Groundwork. Ground-work. Groundwork. Groundwork.",
        ),
        ("The Anglo-\nSaxon kings ruled.", "The Anglo-Saxon kings ruled."),
        ("The years of pre-\nand post-war hunger.", "The years of pre- and post-war hunger."),
        ("The war of 1914–\n1918 ended.", "The war of 1914–1918 ended."),
        ("The ground\u00ad\nwork was soft.", "The groundwork was soft."),
        ("GROUND-\nWORK was laid.", "GROUNDWORK was laid."),
        ("Egypt is a gift of\nthe Nile.", "Egypt is a gift of the Nile."),
        ("エジプトはナイルの\nたまものである。", "エジプトはナイルのたまものである。"),
        ("第二次世界大戦は1939\n年に始まった。", "第二次世界大戦は1939年に始まった。"),
    ],
)
def test_lines_are_joined(page: str, text: str) -> None:
    assert texts(page) == [text]


def test_a_sentence_goes_on_on_the_next_page_and_has_both_pages() -> None:
    found, _ = read(
        "It is the gift of the river. The\nkings of Egypt were called",
        "pharaohs, children of the sun.",
    )
    assert found == [
        PageParagraph(
            "It is the gift of the river. The kings of Egypt were called pharaohs, children of "
            "the sun.",
            "1–2",
        )
    ]


def test_a_sentence_goes_on_over_a_note() -> None:
    page = (
        "The kings of Egypt, who ruled the land, were\n\n1 So wrote Herodotus in his second book.\n"
    )
    assert texts(page, "called pharaohs by their people.") == [
        "1 So wrote Herodotus in his second book.",
        "The kings of Egypt, who ruled the land, were called pharaohs by their people.",
    ]


def test_a_paragraph_that_ends_with_its_page_is_not_joined_to_the_next() -> None:
    assert texts("The kings ruled long.", "They built the pyramids.") == [
        "The kings ruled long.",
        "They built the pyramids.",
    ]


def test_a_short_line_by_itself_is_a_heading() -> None:
    found, _ = read("River valleys\n\nThe kings ruled long.\n\nThey built the pyramids.")
    assert [paragraph.is_heading for paragraph in found] == [True, False, False]


LEFT, RIGHT = "{} WORLD HISTORY", "EGYPT {}"
DIFFERENT = [
    f"The reign of the king who is called {letter} was long."
    for letter in "abcdefghijklmnopqrstuvwx"
]
BODY = [
    "Akbar ruled India.",
    "Saladin took Jerusalem.",
    "Pericles led Athens.",
    "Hannibal crossed the Alps.",
]


def numbered(first: int) -> list[str]:
    """Four pages with heads that differ on the left and on the right, and a foot."""
    return [
        f"{(LEFT if number % 2 else RIGHT).format(first + number)}\n\n{text}\n\nFree of charge"
        for number, text in enumerate(BODY)
    ]


def test_heads_and_feet_go_and_their_numbers_become_the_pages() -> None:
    found, left_out = read(*numbered(212))
    assert found == [PageParagraph(text, str(212 + number)) for number, text in enumerate(BODY)]
    assert left_out == {"running heads": 4, "running feet": 4}


@pytest.mark.parametrize("form", ["- {} -", "Page {} of 300", "p. {}", "{}ページ", "[{}]"])
def test_page_numbers_as_they_are_printed(form: str) -> None:
    found, left_out = read(
        *(f"{text}\n\n{form.format(number)}" for number, text in enumerate(BODY, 50))
    )
    assert found == [PageParagraph(text, str(number)) for number, text in enumerate(BODY, 50)]
    assert left_out == {"page numbers": 4}


def test_a_page_without_a_number_is_counted_from_the_one_before() -> None:
    pages = [f"{text}\n\n{number}" for number, text in enumerate(BODY, 9)]
    found, _ = read(
        *pages[:2], "A chapter begins on this page.", *(f"{text}\n\n{12}" for text in BODY[3:])
    )
    assert [paragraph.page for paragraph in found] == ["9", "10", "11", "12"]


def test_a_heading_that_opens_pages_far_apart_stays() -> None:
    pages = [
        f"Exercises\n\n{text}" if number % 6 == 0 else text for number, text in enumerate(DIFFERENT)
    ]
    assert texts(*pages).count("Exercises") == 4


def test_a_table_over_pages_stays_with_its_figures() -> None:
    pages = [f"1{number}5 {number + 3}7 {number}9\n\n{text}" for number, text in enumerate(BODY)]
    assert read(*pages)[1] == {}


def test_pages_without_text_are_counted_and_number_the_others() -> None:
    found, left_out = read("Akbar ruled.", "", "Saladin fought.")
    assert [(one.text, one.page) for one in found] == [
        ("Akbar ruled.", "1"),
        ("Saladin fought.", "3"),
    ]
    assert list(left_out.values()) == [1]


def test_two_columns_are_read_one_after_the_other_and_a_line_over_both_between_them() -> None:
    left = ["Egypt lived by the yearly", "flood of the Nile, which", "left black earth behind."]
    right = ["The kings were called the", "pharaohs and were honored", "as children of the sun."]
    columns = [f"{one:<30}{other}" for one, other in zip(left, right, strict=True)]
    whole = "In both of the valleys the people learned to share the water."
    found = texts("\n".join([*columns, "", whole, "", *columns]))
    assert found == [" ".join(left), " ".join(right), whole, " ".join(left), " ".join(right)]


def test_a_table_is_read_by_its_rows() -> None:
    rows = [
        "Akbar         1556          India",
        "Saladin       1174          Egypt",
        "Trajan        98            Rome",
    ]
    long = "Of the rulers the following table tells the year and the country."
    assert [" ".join(row.split()) for row in rows] == texts("\n".join([long, "", *rows]))[1:]


WORDS = st.lists(st.text("abcdefgh", min_size=2, max_size=12), min_size=1, max_size=60)


def wrapped(words: Sequence[str], width: int, cuts: st.DataObject) -> list[str]:
    """Words in lines of a width; now and then a word at the end of a line is divided."""
    lines, line = [], ""
    for word in words:
        if line and len(line) + len(word) >= width:
            place = cuts.draw(st.integers(0, len(word) - 1))
            if place:
                line += f" {word[:place]}-"
            lines.append(line)
            line = word[place:]
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line]


@given(WORDS, st.integers(20, 60), st.integers(1, 7), st.data())
def test_the_words_of_a_book_come_back_in_order_whatever_its_lines_and_pages_are(
    words: list[str], width: int, height: int, cuts: st.DataObject
) -> None:
    lines = wrapped([*words[:-1], f"{words[-1]}."], width, cuts)
    pages = [lines[start : start + height] for start in range(0, len(lines), height)]
    framed = [
        "\n".join(["WORLD HISTORY", "", *page, "", str(40 + number)])
        for number, page in enumerate(pages)
    ]
    if len(pages) < 2:
        return
    found, left_out = read(*framed)
    assert " ".join(paragraph.text for paragraph in found).rstrip(".").split() == words
    assert left_out["running heads"] == left_out["page numbers"] == len(pages)


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=60), max_size=30))
def test_no_text_makes_it_fail_and_none_is_lost_without_a_count(lines: list[str]) -> None:
    counts: Counter[str] = Counter()
    found = page_paragraphs(text_pages(lines), counts, pitch=1)
    kept = "".join("".join(paragraph.text.split()) for paragraph in found)
    letters = sum(character.isalnum() for line in lines for character in line)
    if not +counts:
        assert sum(map(str.isalnum, kept)) == letters
