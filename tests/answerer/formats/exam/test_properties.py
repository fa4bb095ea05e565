"""Properties of the exam reader: nothing printed is lost, and no damage ends in anything but one
line."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from answerer.formats.exam.parts import ExamQuestion, expand
from answerer.formats.exam.read import read_exam
from indexer.files.errors import UserError
from tests.answerer.formats.exam.exams import choices, question, section, written
from tests.answerer.formats.exam.exams import phrases as phrases_of
from tests.places import SAMPLES

WORDS = st.lists(
    st.sampled_from(("rome", "Athens", "fell", "in", "476", "唐", "長安")), min_size=1, max_size=6
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("exams")


@settings(deadline=None)
@given(
    WORDS, st.lists(WORDS, min_size=2, max_size=8), st.sampled_from((" ", "  ", "\t", " \n ", "　"))
)
def test_printed_words_come_back_in_order(
    folder: Path, words: list[str], rows: list[list[str]], blank: str
) -> None:
    exam = read_exam(
        written(folder, section(question(blank.join(words), choices(*map(blank.join, rows)))))
    )
    read = exam.questions[0]
    assert "".join(read.instruction.plain.split()) == "".join(words)
    assert ["".join(choice.text.plain.split()) for choice in read.choices] == [
        "".join(row) for row in rows
    ]
    assert [choice.number for choice in read.choices] == [str(n) for n in range(1, len(rows) + 1)]


@settings(deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=5), st.data())
def test_every_reference_is_replaced_by_its_phrase(
    folder: Path, phrases: list[list[str]], data: st.DataObject
) -> None:
    number = data.draw(st.integers(0, len(phrases) - 1))
    marks = "".join(
        f'<uText id="U{n}"><label>({n})</label>{" ".join(words)}</uText> x '
        for n, words in enumerate(phrases)
    )
    asked = question(f'<ref target="U{number}">({number})</ref> of', choices("a", "b"))
    read = read_exam(written(folder, section(f"<data>{marks}</data>", asked))).questions[0]
    assert read.instruction.plain == f"({number}) of"
    assert expand(read.instruction, "underline").plain == f"{' '.join(phrases[number])} of"
    assert phrases_of(read.passages[0], "underline") == [" ".join(words) for words in phrases]


def damaged(tree: etree._Element, chance: random.Random) -> bytes:
    """The exam with a few elements dropped, emptied, doubled or renamed, and attributes lost."""
    for _ in range(chance.randint(1, 12)):
        element = chance.choice(
            [e for e in tree.iter() if e is not tree and e.getparent() is not None]
        )
        parent = element.getparent()
        match chance.randint(0, 4):
            case 0 if parent is not None:
                parent.remove(element)
            case 1:
                element.clear()
            case 2 if parent is not None:
                parent.append(etree.fromstring(etree.tostring(element, with_tail=False)))
            case 3:
                element.tag = chance.choice(
                    ("data", "ref", "blank", "choice", "question", "label", "br", "choices")
                )
            case _:
                element.attrib.pop(chance.choice(list(element.attrib) or ["none"]), None)
    return etree.tostring(tree, encoding="utf-8")


def assert_usable(read: ExamQuestion) -> None:
    assert read.answer_column
    numbers = [choice.number for choice in read.choices]
    assert len(set(numbers)) == len(numbers)
    for text in (read.instruction, *read.passages, *(c.text for c in read.choices)):
        for span in text.spans:
            assert 0 <= span.start <= span.end <= len(text.plain)
            assert span.start < span.end or span.kind == "picture"
        assert isinstance(expand(text).plain, str)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(("ja", "en")), st.integers(0, 2**32))
def test_a_damaged_exam_is_read_unless_nothing_is_left_of_it(
    folder: Path, language: str, seed: int
) -> None:
    tree = etree.parse(SAMPLES / f"sample-exam-{language}.xml").getroot()
    path = folder / "damaged.xml"
    path.write_bytes(damaged(tree, random.Random(seed)))
    refused = ""
    try:
        for read in read_exam(path).questions:
            assert_usable(read)
    except UserError as error:
        refused = str(error)
    path.write_text("<exam/>", "utf-8")
    with pytest.raises(UserError) as nothing_left:
        read_exam(path)
    assert not refused or re.sub(r":\d+: ", ":1: ", refused, count=1) == str(nothing_left.value)
