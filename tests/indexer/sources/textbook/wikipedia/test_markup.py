"""Wiki markup: what of a page is text, what is left out and counted, and that no text makes it
slow."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.languages.registry import LANGUAGES
from indexer.sources.textbook.wikipedia import DISAMBIGUATION, WITHOUT_TEXT, read_page

EN, JA, ZH = (LANGUAGES[code] for code in ("en", "ja", "zh"))


def one(text: str) -> str:
    """The only paragraph of a page."""
    ((_, paragraph),) = read_page("Page", text, EN)[0]
    return paragraph


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("'''Akbar''' was an ''emperor''.", "Akbar was an emperor."),
        ("The [[Mughal Empire|Mughals]] of [[India]]ns.", "The Mughals of Indians."),
        ("[[Special:Search|a]] [[:Category:Forts|forts]] [[Fort#Walls]]", "a forts Fort#Walls"),
        ("See [http://a.example the text] and [https://b.example].", "See the text and ."),
        ("A tomb.<ref>Page 1.</ref> A fort.<ref name=a /> End.", "A tomb. A fort. End."),
        ("A<!-- note --> B<!-- never closed", "A B"),
        ("{{Infobox x\n|a={{b}}\n|}}\nText {{lang|fa|shah}} end.", "Text shah end."),
        ("Born {{circa|1542}} at {{convert|4|km|mi}}.", "Born c. 1542 at 4 km."),
        ("Name ({{lang-fa|}}; {{IPA|x}}) and ( ; 1542).", "Name and (1542)."),
        ("[[File:a.jpg|thumb|A [[fort]] by [[x|y]]]]Text", "Text"),
        ("{|\n| cell || {{x|y}}\n{|\n| inner\n|}\n|}\nText", "Text"),
        ("<table><tr><td>cell</td></tr></table>Text", "Text"),
        ("Area <math>x^2</math> is 4&nbsp;km<sup>2</sup> &amp; more", "Area is 4 km2 & more"),
        ("<nowiki>[[no link]]</nowiki> a < b", "[[no link]] a < b"),
        ("<gallery>\na.jpg|One\n</gallery>__NOTOC__Text", "Text"),
        ("It has {{formatnum:1000}} people", "It has 1000 people"),
        ("{{nihongo|Tokyo Tower|東京タワー}} stands", "Tokyo Tower (東京タワー) stands"),
        ("A [[never closed and {{more text", "A never closed and more text"),
        (
            "Write <foo bar>, <stdio.h> or x<y and z>w.",
            "Write <foo bar>, <stdio.h> or x<y and z>w.",
        ),
        ("<b>Bold</b>, <p-value> and <Small >small</small >", "Bold, <p-value> and small"),
        ("Stray ]] and }} and | stay", "Stray ]] and and | stay"),
        ("[[fr:Akbar]][[Category:Emperors]]Text", "Text"),
        ("[[File:a.jpg|see [http://a.example b]]] Text", "Text"),
    ],
)
def test_what_is_text(markup: str, text: str) -> None:
    assert one(markup) == text


def test_what_is_left_out_is_counted_by_kind() -> None:
    text = "{{Infobox a}}{{x}}\n{|\n|}\n<ref>a</ref><ref name=b/><math>y</math>[[File:a.jpg]][[Category:b]]Text [["
    assert Counter(reason for reason, _ in read_page("Page", text, EN)[2]) == {
        "boxes": 1,
        "templates": 1,
        "tables": 1,
        "references": 2,
        "formulas": 1,
        "pictures": 1,
        "categories": 1,
        "marks that do not end": 1,
    }


def test_paragraphs_and_list_items_stand_under_their_headings() -> None:
    text = "Lead one\nlead two\n\nNext\n== History ==\n* item\n:: told\n=== Early ===\nText\n== Later ==\nEnd"
    assert list(read_page("Akbar", text, EN)[0]) == [
        ("Akbar", "Lead one lead two"),
        ("Akbar", "Next"),
        ("Akbar: History", "item"),
        ("Akbar: History", "told"),
        ("Akbar: History: Early", "Text"),
        ("Akbar: Later", "End"),
    ]


def test_lines_of_a_language_without_blanks_are_joined_without() -> None:
    assert list(read_page("アクバル", "== 都 ==\n前半\n後半", JA)[0]) == [
        ("アクバル：都", "前半後半")
    ]


def test_sections_of_notes_and_links_hold_no_text() -> None:
    text = "Text\n== See also ==\n* [[Babur]]\n=== Lists ===\n* more\n== Legacy ==\nEnd"
    passages, _, left_out = read_page("Akbar", text, EN)
    assert [paragraph for _, paragraph in passages] == ["Text", "End"]
    assert left_out == [("sections of notes and links", "See also")]


@pytest.mark.parametrize("title", ["Agra (disambiguation)", "アグラ (曖昧さ回避)"])
def test_a_disambiguation_page_is_told_by_its_title(title: str) -> None:
    assert read_page(title, "* [[a]]", EN)[1] == DISAMBIGUATION


@pytest.mark.parametrize(
    "mark", ["{{Disambiguation}}", "{{hndis|Khan}}", "{{aimai}}", "{{消歧义}}", "__DISAMBIG__"]
)
def test_a_disambiguation_page_is_told_by_its_marks(mark: str) -> None:
    assert read_page("Agra", f"* [[a]]\n{mark}", EN)[1] == DISAMBIGUATION


def test_a_page_of_a_table_only_has_no_text() -> None:
    assert read_page("Kings", "{|\n| a\n|}", EN)[1] == WITHOUT_TEXT


def test_a_table_that_never_ends_leaves_the_text_after_it() -> None:
    assert one("{|\n| cell\n\nText") == "Text"


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("-{zh-hans:计算机;zh-hant:電腦}-很快", "计算机很快"),
        ("-{H|zh-hans:甲;zh-hant:乙}-很快", "很快"),
        ("-{萬}-里", "萬里"),
    ],
)
def test_words_in_two_scripts_are_given_in_one(markup: str, text: str) -> None:
    assert read_page("页", markup, ZH)[0] == [("页", text)]


MARKS = [
    "{{",
    "}}",
    "[[",
    "]]",
    "|",
    "{|",
    "|}",
    "\n",
    "<ref>",
    "</ref>",
    "<b>",
    "[http://a ",
    "]",
    "==",
    "''",
    "a",
    "=",
]


@given(st.lists(st.sampled_from(MARKS), max_size=40))
def test_no_page_of_marks_is_too_broken_to_read(marks: list[str]) -> None:
    passages, kind, _ = read_page("Page", "".join(marks), EN)
    assert bool(passages) == (kind == "")


@given(st.lists(st.sampled_from(["akbar", "ruled", "1556", "(Agra)"]), min_size=1))
def test_plain_words_stay_as_they_are(words: list[str]) -> None:
    assert one(" ".join(words)) == " ".join(words)


@pytest.mark.process
@pytest.mark.parametrize(
    "mark",
    ["{{a|", "[[a|", "<b>[[a|</b>]]", "<b>{{a|</b>}}", "[http://a ", "<ref>", "<a", "<!--", "-{", "(;", "''", "{|\n|",
     "== ", "=", "__A", "}}", "]]", "|}\n", "&amp", ";", "<math>", "[[a|{{b]]}}", " ", "\n"],
)  # fmt: skip
def test_long_runs_take_time_in_proportion_to_their_length(mark: str) -> None:
    program = (
        "from indexer.languages.registry import LANGUAGES\n"
        "from indexer.sources.textbook.wikipedia import read_page\n"
        f"read_page('Page', {mark!r} * 100_000, LANGUAGES['en'])\n"
    )

    def bounded() -> None:  # work that grows with the square of the length would take minutes
        resource.setrlimit(resource.RLIMIT_CPU, (20, 20))

    assert (
        subprocess.run([sys.executable, "-c", program], preexec_fn=bounded, check=False).returncode
        == 0
    )
