"""What a term question asks: focus and kinds, in Japanese and English."""

from __future__ import annotations

import pytest

from answerer.formats.answer_sheet import read_sheet
from answerer.ntcir.term import japanese
from answerer.ntcir.term.entity_types import OTHERS, PLACES
from answerer.ntcir.term.questions import (
    analyse,
    gap_spans,
    query_terms,
    read_question,
    section_question,
    terms_without_requests,
)
from indexer.entities.gazetteer import class_of
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language
from tests.places import SAMPLES


@pytest.mark.parametrize(
    ("language", "asked", "focus"),
    [
        (JAPANESE, "秦の始皇帝が建造した城壁は何か。", "城壁"),
        (JAPANESE, "この城壁を何というか。", "城壁"),
        (JAPANESE, "何という城壁か。", "城壁"),
        (JAPANESE, "ドイツの首都はどこか。", "首都"),
        (JAPANESE, "世界で最も高い山の名前は？", "山"),
        (JAPANESE, "最初に遠征した皇帝の名を記せ。", "皇帝"),
        (JAPANESE, "『ガリア戦記』を書いたのは誰か。", ""),
        (JAPANESE, "この山の高さは？", "高さ"),
        (JAPANESE, "この宗教にはどのような宗派があるか。", "宗派"),
        (JAPANESE, "トンボはどこに卵を産むか。", ""),
        (JAPANESE, "納豆は何から作られるか。", ""),
        (JAPANESE, "名古屋城は何で有名か。", ""),
        (JAPANESE, "女神アテナは誰から生まれたか。", ""),
        (JAPANESE, "イスラム教の聖地はどこでしょうか。", "聖地"),
        (JAPANESE, "発明者は誰であるか。", "発明者"),
        (JAPANESE, "毒のある食物には何があるか。", "食物"),
        (
            ENGLISH,
            "Write the name of the central organization of this movement, and",
            "organization",
        ),
        (ENGLISH, "the name of one of its leaders.", "leader"),
        (ENGLISH, "Which city was the capital of the empire?", "city"),
        (ENGLISH, "Name two cities on the Silk Road.", "city"),
        (ENGLISH, "What was the capital of Persia?", "capital"),
        (
            ENGLISH,
            "It fell in a war which lasted long. Identify the treaty that ended it.",
            "treaty",
        ),
        (ENGLISH, "Write the name that belongs in the gap.", ""),
        (ENGLISH, "What actor played Kitten?", "actor"),
        (ENGLISH, "Which island did Napoleon leave?", "island"),
        (ENGLISH, "What disease killed Pericles?", "disease"),
        (ENGLISH, "Which 16th-century emperor abdicated?", "emperor"),
        (ENGLISH, "Which nuclear-powered ship sank in 1989?", "ship"),
        (ENGLISH, "What happened to the library?", ""),
        (ENGLISH, "Which red planet is it?", "planet"),
        (ENGLISH, "What breed of dog is it?", "breed"),
        (ENGLISH, "What was the sacred book of Islam called?", "book"),
        (ENGLISH, "What was the united kingdom called?", "kingdom"),
        (ENGLISH, "What are two United States senators?", "senator"),
        (ENGLISH, "Which harvest schedule requires the most work?", "schedule"),
        (ENGLISH, "What kinds of sails are these boats fitted with?", "sail"),
        (ENGLISH, "What insect causes the rattling?", "insect"),
        (ENGLISH, "What drove farmers from the coast?", ""),
        (ENGLISH, "Which form of bias is it?", "bias"),
        (ENGLISH, "Tell what works", ""),
    ],
)
def test_the_noun_in_focus(language: Language, asked: str, focus: str) -> None:
    assert analyse("q", language, ((asked, 1.0),)).focus == focus


@pytest.mark.parametrize(
    ("language", "asked", "answer_type", "classes"),
    [
        (JAPANESE, "『ガリア戦記』を書いたのは誰か。", "", {"person"}),
        (JAPANESE, "この戦争が終わったのは西暦何年か。", "", {"time"}),
        (JAPANESE, "西暦を定めたのは誰か。", "", {"person"}),
        (JAPANESE, "塔の高さは何メートルか。", "", {"number"}),
        (JAPANESE, "ムハンマドが生まれたのはどこか。", "", PLACES),
        (JAPANESE, "皇帝の名を記せ。", "", {"person"}),
        (JAPANESE, "この国の名を記せ。", "term_location", {"country"}),
        (JAPANESE, "その名を記せ。", "term_location", PLACES),
        (JAPANESE, "その名を記せ。", "term_other", OTHERS),
        (ENGLISH, "Who wrote it?", "", {"person"}),
        (ENGLISH, "When was it written?", "", {"time"}),
        (ENGLISH, "How many kings ruled?", "", {"number"}),
        (ENGLISH, "Write the name of the organization.", "term_person", {"person", "organisation"}),
    ],
)
def test_the_classes_that_answer(
    language: Language, asked: str, answer_type: str, classes: set[str]
) -> None:
    found = analyse("q", language, ((asked, 1.0),), answer_type)
    assert (found.classes, found.firm) == (classes, True)


@pytest.mark.parametrize(
    ("asked", "kind"),
    [
        ("賞はいつから始まったか。", "time"),
        ("郵便が始まったのはいつか。", "time"),
        ("いつか王が来る城は何か。", ""),
        ("いつも咲く花は何か。", ""),
        ("ゴールの高さは何センチ？", "number"),
    ],
)
def test_what_japanese_interrogatives_ask_for(asked: str, kind: str) -> None:
    assert japanese.interrogative(asked) == kind


@pytest.mark.parametrize(
    ("focus", "head"), [("米料理", "料理"), ("三大宗教", "宗教"), ("山", "山"), ("", "")]
)
def test_the_noun_that_a_japanese_noun_is_a_kind_of(focus: str, head: str) -> None:
    assert japanese.head_of(focus) == head


def test_a_question_that_says_nothing_of_the_kind_is_open() -> None:
    assert not analyse("q", JAPANESE, (("その名を記せ。", 1.0),)).firm


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("理論物理学者", "person"),
        ("国家", "country"),
        ("専門家", "person"),
        ("首都", "city"),
        ("戦争", "event"),
        ("emperors", "person"),
        ("Treaty", "event"),
        ("謎", ""),
        ("", ""),
    ],
)
def test_the_class_of_a_word_for_a_kind(kind: str, name: str) -> None:
    assert class_of(kind) == name


def test_the_focused_label_is_asked_and_the_rest_is_context() -> None:
    sections = read_sheet(SAMPLES / "term-en.xml").sections
    question = section_question(sections[4], ENGLISH)
    assert question.text == "the name of a center of trade and learning on the Niger."
    assert [weight for _, weight in question.texts] == [1.0, 1.0, 0.3]
    assert question.texts[1][0].startswith("The king of Mali")


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("What term refers to a bridge of reeds?", {"bridg", "reed"}),
        (
            "According to Ida Holm, how many reeds are called rushes?",
            {"ida", "holm", "reed", "rush"},
        ),
        # a content word of other books
        ("Which state launched a space probe?", {"state", "launch", "space", "probe"}),
    ],
)
def test_only_words_of_the_asking_are_left_out(question: str, terms: set[str]) -> None:
    assert query_terms(read_question(question, ENGLISH), ENGLISH.analyser()).keys() == terms


def test_requests_are_no_matter_of_the_question() -> None:
    assert terms_without_requests(["write", "name", "king", "mali"]) == ["king", "mali"]
    assert terms_without_requests(["write", "name"]) == ["write", "name"]


def test_a_clause_of_when_is_no_question_of_a_time() -> None:
    assert read_question("When it leaves the lake, the river flows into", ENGLISH).has_gap
    assert not read_question("When was the canal, the longest, built in", ENGLISH).has_gap


def test_gaps_are_found_with_what_stands_around_them() -> None:
    assert gap_spans("the ____ War") == [(4, 8)]
    assert gap_spans("（　）は北インドで□を開いた") == [(0, 3), (9, 10)]


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("Rust is caused by", "Rust is caused by ____"),
        ("Bread rises because of:", "Bread rises because of ____"),
        ("The colour comes from the miller's", "The colour comes from the miller's ____"),
        ("Which gas does bread need?", "Which gas does bread need?"),
        ("the capital of Norway", "the capital of Norway"),
        ("Rust is a stain.", "Rust is a stain."),
        ("What is bread made of", "What is bread made of"),
    ],
)
def test_a_sentence_that_breaks_off_has_a_gap_at_its_end(asked: str, text: str) -> None:
    assert read_question(asked, ENGLISH).text == text


def test_the_word_something_is_no_gap() -> None:
    question = read_question("If you want something done, ____ is the person to ask.", ENGLISH)
    assert (question.before, question.after) == ("done ,", "is the")
