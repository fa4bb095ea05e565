"""What a question asks for: type, focus, gap, how many answers; expectations written by hand."""

from __future__ import annotations

import pytest

from answerer.ntcir.term.questions import answer_types, read_question, type_of_noun
from indexer.analysis.english import singular
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE


@pytest.mark.parametrize(
    ("text", "kind", "focus"),
    [
        ("Who wrote the Divine Comedy?", "individual", ""),
        ("Who was the first emperor of Rome?", "individual", "emperor"),
        ("Where is the temple of Angkor Wat?", "place", ""),
        ("When was Julius Caesar murdered?", "date", ""),
        ("In what year did the war end?", "date", "year"),
        ("How many Punic Wars did Rome fight?", "count", ""),
        ("How long did the siege last?", "duration", ""),
        ("How old was Alexander when he died?", "age", ""),
        ("What percentage of the people died?", "percent", "percentage"),
        ("Which river does the book call a gift?", "water", "river"),
        ("Which religion did Vardhamana found?", "religion", "religion"),
        ("What did Sima Qian write?", "work", ""),
        ("What was the name of the ship?", "vehicle", "ship"),
        ("Which state joined the Union first?", "state", "state"),
        ("The man who sets an example is called a ________.", "other", "man"),
        ("The time of growth is known as the ________.", "other", "time"),
        ("He wrote of the power of ________.", "other", "power"),
        ("The country that Iraq invaded in 1990 was ________.", "country", "country"),
        ("The city of ________ became a center of trade.", "city", "city"),
        ("________ is a river in Africa.", "water", "river"),
        ("According to the ________ theory of emotion, fear follows flight.", "idea", "theory"),
    ],
)
def test_the_type_of_an_english_answer(text: str, kind: str, focus: str) -> None:
    question = read_question(text, ENGLISH)
    assert (question.type.name, question.focus) == (kind, focus)


@pytest.mark.parametrize(
    ("text", "kind", "focus"),
    [
        ("「モナ＝リザ」を描いたのは誰ですか。", "individual", ""),
        ("622年、ムハンマドはどこに移りましたか。", "place", ""),
        ("安史の乱が起こったのは何年ですか。", "date", "年"),
        ("鄭和は何回の航海を行いましたか。", "count", "回"),
        ("ヴァルダマーナが開いた宗教は何ですか。", "religion", "宗教"),
        ("港に入ったのは何隻ですか。", "count", "隻"),
        ("工事は何年以上かかりましたか。", "count", "年"),
        ("赤い船は競走で何位でしたか。", "count", "位"),
        ("祭りに何万人が集まりましたか。", "count", "万人"),
        ("戯曲は何語で書かれましたか。", "language", "語"),
        ("キリスト教を公認した勅令は何ですか。", "law", "勅令"),
        ("この山の高さは？", "distance", "高さ"),
        ("音の速さは？", "speed", "速さ"),
    ],
)
def test_the_type_of_a_japanese_answer(text: str, kind: str, focus: str) -> None:
    question = read_question(text, JAPANESE)
    assert (question.type.name, question.focus) == (kind, focus)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Which two cities did the railway join?", 2),
        ("Which weapons were new in the war?", 0),
        ("List the paintings of Leonardo.", 0),
        ("Which city did he found?", 1),
    ],
)
def test_how_many_answers_are_asked_for(text: str, wanted: int) -> None:
    assert read_question(text, ENGLISH).wanted == wanted


def test_japanese_questions_may_ask_for_several() -> None:
    assert read_question("新兵器を三つ挙げてください。", JAPANESE).wanted == 3
    assert read_question("鉄道はどことどこの間に開通しましたか。", JAPANESE).wanted == 2


@pytest.mark.parametrize(
    ("text", "polar"),
    [
        ("Was the Taj Mahal built by Akbar?", True),
        ("Did Akbar or Babur build it?", False),
        ("Which was built by Akbar?", False),
        ("When", False),
    ],
)
def test_yes_or_no_is_asked(text: str, polar: bool) -> None:
    assert read_question(text, ENGLISH).polar is polar


def test_yes_or_no_is_asked_in_japanese() -> None:
    assert read_question("タージ＝マハルを建てたのはアクバルですか。", JAPANESE).polar
    assert not read_question("タージ＝マハルを建てたのは誰ですか。", JAPANESE).polar


def test_the_answer_is_subject_or_object_of_the_verb() -> None:
    roles = [
        read_question(text, ENGLISH).role for text in ("Who built it?", "What did Babur found?")
    ]
    assert roles == ["subject", "object"]
    assert read_question("アッバース朝は何を建設しましたか。", JAPANESE).role == "object"


def test_nouns_lose_their_plural() -> None:
    assert [singular(word) for word in ("cities", "women", "boxes", "houses", "class")] == (
        ["city", "woman", "box", "house", "class"]
    )


def test_some_fifty_types_of_two_levels() -> None:
    coarse = {one.coarse for one in answer_types().values()}
    assert len(answer_types()) == 50
    assert coarse == {"number", "human", "location", "entity"}
    assert type_of_noun("president").name == "individual"
    assert type_of_noun("xylophone").name == "other"
