"""Pseudo-exams: true and false as promised, repeatable, without cues that answer by themselves."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from make_pseudo_exam import book_of_files, in_fold, main, read_fold
from pseudo_exam.book import BookParagraph, BookSentence, ExamBook, read_book
from pseudo_exam.questions import (
    PseudoQuestion,
    Shape,
    make_questions,
)
from pseudo_exam.swaps import RelationSwapper

from answerer.formats.answer_table import read_answer_table
from answerer.formats.exam.read import read_exam
from answerer.ntcir.multiple_choice.shapes import parse_shape
from indexer.files.errors import UserError
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.statistics.counting import NameCounter, book_documents
from indexer.statistics.forms import decode_block
from indexer.statistics.notes import passage_notes
from tests.benchmarks.pseudo_exam.books import made_up_book
from tests.refusals import names

NUMBER = 1000


@pytest.fixture(scope="module")
def book() -> ExamBook:
    return read_book(made_up_book(700), ENGLISH)


@pytest.fixture(scope="module")
def far(book: ExamBook) -> list[PseudoQuestion]:
    return make_questions(book, NUMBER, 0, "far", "statements")


def by_text(book: ExamBook) -> dict[str, BookSentence]:
    return {sentence.text: sentence for sentence in book.sentences}


def test_one_statement_differs_from_the_other_three(far: list[PseudoQuestion]) -> None:
    for question in far:
        true = [
            choice[0] == source
            for choice, source in zip(question.choices, question.sources, strict=True)
        ]
        assert true[question.gold - 1] is (question.asks == "T")
        assert sum(true) == (1 if question.asks == "T" else 3)


def test_a_far_swap_is_nowhere_true_and_of_like_frequency(
    book: ExamBook, far: list[PseudoQuestion]
) -> None:
    known = by_text(book)
    for question in far[:200]:
        for choice, source in zip(question.choices, question.sources, strict=True):
            if choice[0] != source:
                old, new = changed(known[source], choice[0], book)
                others = known[source].keys - {old}
                assert not book.holders[new].intersection(*(book.holders[key] for key in others))
                before, after = book.names[old].frequency - 1, book.names[new].frequency
                assert book.names[old].kind == book.names[new].kind
                assert abs(math.log(before / after)) <= math.log(4) + 1e-9


def changed(sentence: BookSentence, text: str, book: ExamBook) -> tuple[str, str]:
    """The key that left the sentence and the one that came."""
    after = read_book([BookParagraph("", text)], ENGLISH).sentences[0]
    (old,) = sentence.keys - after.keys
    (new,) = after.keys - sentence.keys
    assert new in book.names
    return old, new


def test_a_near_swap_stands_in_the_chapter(book: ExamBook) -> None:
    known = by_text(book)
    for question in make_questions(book, 50, 0, "near", "statements"):
        for choice, source in zip(question.choices, question.sources, strict=True):
            if choice[0] != source:
                _, new = changed(known[source], choice[0], book)
                first, last = book.chapters[known[source].paragraph]
                assert any(first <= paragraph <= last for paragraph in book.names[new].paragraphs)


def test_a_relation_swap_keeps_the_names_but_for_dates(book: ExamBook) -> None:
    known = by_text(book)
    for question in make_questions(book, 100, 0, "relation", "statements"):
        for choice, source in zip(question.choices, question.sources, strict=True):
            after = read_book([BookParagraph("", choice[0])], ENGLISH).sentences[0].keys
            stays = {key for key in known[source].keys if not key.startswith("y:")}
            assert stays == {key for key in after if not key.startswith("y:")}


TURNED = "The wall of Rome began to fall. The wall of Rome ended in Gaul."


def test_a_word_is_not_turned_where_the_book_never_has_its_opposite_so() -> None:
    book = read_book([BookParagraph("", " ".join([TURNED] * 20))], ENGLISH)
    swapper = RelationSwapper(book)
    turned = [swapper._turn(sentence, random.Random(0)) for sentence in book.sentences[:2]]
    # 20 times "ended" and 20 times "to" among 320 words and stops: by chance side by side 1.25
    # times, and never there; "began in" neither, by chance as often: but that of a book of once
    # each says nothing
    assert turned == [None, None]
    once = read_book([BookParagraph("", TURNED)], ENGLISH)
    found = [RelationSwapper(once)._turn(sentence, random.Random(0)) for sentence in once.sentences]
    assert [swap and swap.new for swap in found] == ["ended", "began"]


def test_a_japanese_word_is_turned_only_where_the_book_has_its_opposite_beside_either_sign() -> (
    None
):
    book = read_book(
        [
            BookParagraph(
                "", "ローマの兄弟は北に行った。ローマの兄は南に行った。ローマの弟は去った。"
            )
        ],
        JAPANESE,
    )
    swapper = RelationSwapper(book)
    # 弟 for 兄 in の兄は: the book has の弟 and 弟は; in 兄弟: it does not have 弟弟
    assert [swapper._never_beside(*pair) for pair in ("の弟", "弟は", "弟弟")] == [
        False,
        False,
        True,
    ]


def test_the_same_seed_gives_the_same_exam_and_another_seed_another(
    book: ExamBook, far: list[PseudoQuestion]
) -> None:
    assert make_questions(book, 50, 0, "far", "statements") == far[:50]
    assert make_questions(book, 50, 1, "far", "statements") != far[:50]


@pytest.mark.parametrize("shape", ["statements", "gap"])
def test_no_question_repeats_and_gold_positions_are_uniform(book: ExamBook, shape: Shape) -> None:
    made = make_questions(book, 300, 0, "far", shape)
    assert len({(q.texts, q.choices) for q in made}) == len(made)
    places = Counter(question.gold for question in made)
    assert max(places.values()) - min(places.values()) <= 1


def mean_frequency(book: ExamBook) -> Callable[[str], float]:
    names = ENGLISH.recogniser()

    def cue(text: str) -> float:
        keys = sorted({mention.key for mention in names.mentions(text)} & set(book.names))
        return sum(math.log(book.names[key].frequency) for key in keys) / max(1, len(keys))

    return cue


@pytest.mark.parametrize("cue", ["length", "position", "frequency"])
def test_no_trivial_cue_answers_better_than_chance(
    book: ExamBook, far: list[PseudoQuestion], cue: str
) -> None:
    cues: dict[str, Callable[[str], float]] = {
        "length": len,
        "position": lambda _: 0.0,
        "frequency": mean_frequency(book),
    }
    shares = []
    for sign in (1, -1):
        right = 0
        for question in far:
            values = [sign * cues[cue](choice[0]) for choice in question.choices]
            right += values.index(max(values)) + 1 == question.gold
        shares.append(right / len(far))
    spread = (0.25 * 0.75 / len(far)) ** 0.5
    assert max(shares) <= 0.25 + 0.02 + spread


def test_folds_share_out_the_questions(far: list[PseudoQuestion]) -> None:
    parts = [in_fold(far, NUMBER, (fold, 6), "", "") for fold in range(1, 7)]
    assert sorted(map(len, parts)) == [166, 166, 167, 167, 167, 167]
    assert sorted(question.gold for part in parts for question in part) == sorted(
        question.gold for question in far
    )


@pytest.mark.parametrize("text", ["0/6", "7/6", "1-6", "x", f"1/{'9' * 5000}"])
def test_a_fold_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="--fold"):
        read_fold(text)


def test_a_fold_without_questions_is_refused(tmp_path: Path, text: Path) -> None:
    code, said = run(str(text), "--questions", "3", "--fold", "6/6", "-o", str(tmp_path / "exam"))
    assert (code, said) == (2, "--fold 6/6: no question is left for it; there are only 3")


def test_relation_swaps_make_no_gaps(tmp_path: Path, text: Path) -> None:
    code, said = run(
        str(text), "--swaps", "relation", "--shape", "gap", "-o", str(tmp_path / "exam")
    )
    assert code == 2
    assert "--swaps relation makes no gap questions" in said


def test_a_name_inside_a_longer_one_is_present() -> None:
    texts = (
        "They crossed Asia Minor with Cyrus.",
        "They crossed Asia, and Cyrus followed them to Asia Minor.",
    )
    read = read_book([BookParagraph("", text) for text in texts], ENGLISH)
    assert read.names["asia"].paragraphs == {1}
    assert read.holders["asia"] == {0, 1}


def test_the_names_are_those_of_an_index_of_the_book() -> None:
    texts = (
        "Later the war of Henry Morgan spread from Gaul to Spain and the Gauls.",
        "In the war Morgan lost, and King Charles fought a war in southern Spain.",
        "Nobody wins a war where a war is fought.",
        *["A war came in 1500."] * 8,
        "Many remember the great War in Gaul, " + "Gaius " * 24 + "at least.",
    )
    names, analyser, counter = ENGLISH.recogniser(), ENGLISH.analyser(), NameCounter()
    counter.count(
        [passage_notes(f"p{n:02}", "", [text], analyser, names) for n, text in enumerate(texts)]
    )
    documents = book_documents(counter, ENGLISH, names, analyser)
    indexed = {
        name: kind
        for document in documents
        if document.doc_id.startswith("names:")
        for name, kind in zip(
            document.keys["name"], decode_block(document.payload)["kinds"], strict=False
        )
    }
    read = read_book([BookParagraph("", text) for text in texts], ENGLISH)
    assert (
        list(read.names) == list(indexed) == ["charles", "gaul", "henry morgan", "spain", "y:1500"]
    )
    assert {key: name.kind for key, name in read.names.items()} == indexed


def test_redirects_of_a_wiki_lead_to_its_names(tmp_path: Path) -> None:
    head = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="en">'
    text = "<ns>0</ns><revision><text>Later Byzantium fell, then Constantinople grew.</text></revision>"
    leads = '<page><title>Byzantium</title><ns>0</ns><redirect title="Constantinople" /></page>'
    dump = tmp_path / "wiki.xml"
    dump.write_text(f"{head}<page><title>Fall</title>{text}</page>{leads}</mediawiki>", "utf-8")
    assert list(book_of_files([str(dump)], ENGLISH).names) == ["constantinople"]
    dump.write_text(f"{head}<page><title>Fall</title>{text}</page></mediawiki>", "utf-8")
    assert list(book_of_files([str(dump)], ENGLISH).names) == ["byzantium", "constantinople"]


def chapters_of(*places: tuple[str, str]) -> list[tuple[int, int]]:
    return read_book(
        [BookParagraph(title, "Rome fell.", file) for file, title in places], ENGLISH
    ).chapters


def test_chapters_begin_with_the_first_title_and_end_with_their_file() -> None:
    one = [
        ("a", title)
        for title in ("Introduction", "Rome", "Introduction", "Gaul", "Spain", "Introduction")
    ]
    assert chapters_of(*one, ("b", "Notes")) == [
        (0, 1),
        (0, 1),
        (2, 4),
        (2, 4),
        (2, 4),
        (5, 5),
        (6, 6),
    ]


def test_without_chapters_near_is_within_100_paragraphs_of_the_same_file() -> None:
    spans = chapters_of(*[("a", "")] * 150, *[("b", "")] * 150)
    assert (spans[0], spans[120], spans[149], spans[150]) == (
        (0, 100),
        (20, 149),
        (49, 149),
        (150, 250),
    )


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, arguments)
    if isinstance(done.exception, UserError):
        return 2, str(done.exception)
    return done.exit_code, done.stderr


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "book.txt"
    path.write_text("\n\n".join(paragraph.text for paragraph in made_up_book(60)), "utf-8")
    return path


@pytest.mark.parametrize(
    ("shape", "read_as"),
    [
        ("statements", "sentence"),
        ("gap", "filling"),
    ],
)
def test_the_files_are_read_as_any_exam(
    tmp_path: Path, text: Path, shape: str, read_as: str
) -> None:
    folder = tmp_path / "exam"
    code, _ = run(str(text), "--questions", "6", "--shape", shape, "-o", str(folder))
    assert code == 0
    exam = read_exam(folder / "exam.xml")
    assert {parse_shape(question).shape for question in exam.questions} == {read_as}
    assert exam.notes == ()
    golds = [row.answer for row in read_answer_table(folder / "gold.xml").answers]
    assert len(golds) == len(exam.questions) == 6
    book = text.read_text("utf-8")
    assert all(line in book for line in (folder / "without.txt").read_text("utf-8").splitlines())


def test_a_book_too_small_says_how_many_it_made_and_why(tmp_path: Path) -> None:
    small = tmp_path / "small.txt"
    small.write_text("\n\n".join(paragraph.text for paragraph in made_up_book(8)), "utf-8")
    code, said = run(str(small), "--questions", "2000", "-o", str(tmp_path / "exam"))
    assert code == 0
    assert "of 2000 questions: there are no more sentences" in said


def test_a_book_without_names_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text("Nothing happened here.\n", "utf-8")
    code, said = run(str(empty), "-o", str(tmp_path / "exam"))
    assert code == 2
    assert names(said, empty)
    assert not (tmp_path / "exam").exists()
