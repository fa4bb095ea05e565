"""Shapes of questions, parts of choices, and whether the wrong one is wanted."""

from __future__ import annotations

from pathlib import Path

import pytest

from answerer.formats.exam.shape import asked_for
from indexer.languages.registry import detect_language
from tests.answerer.formats.exam.exams import choices, only, question, section

STATEMENTS = '<data><lText id="L1"><label>a</label>甲。</lText><lText id="L2"><label>b</label>乙。</lText></data>'


@pytest.mark.parametrize(
    ("instruction", "asks"),
    [
        ("最も適当なものを，次の①～④のうちから一つ選べ。", "T"),
        ("誤っているものを，次の①～④のうちから一つ選べ。", "F"),
        ("誤りを含むものを選べ。", "F"),
        ("適当でないものを，一つ選べ。", "F"),
        ("適切ではないものを選びなさい。", "F"),
        ("正しくないものを一つ選べ。", "F"),
        ("波線部の誤っているものを一つ選べ。", "F"),
        ("次の文aとbの正誤の組合せとして正しいものを選べ。", "T"),
        ("「正」「誤」の組合せとして適当なものを選べ。", "T"),
        ("誤った政策について述べた文として正しいものを選べ。", "T"),
        ("正しい暦について述べた文として誤っているものを選べ。", "F"),
        ("ユグノーに誤りを認めさせた王がいた。その王として適当なものを選べ。", "T"),
        ("From (1)-(4) below, choose the most appropriate sentence.", "T"),
        ("Choose the one sentence that contains a mistake.", "F"),
        ("choose the one sentence that contains an error in regard to the underlined portion.", "F"),
        ("choose the one sentence that incorrectly describes events.", "F"),
        ("choose the one sentence in which the wavy line is incorrect.", "F"),
        ("Choose the one that is not correct.", "F"),
        ("choose the one country that was not a colony.", "F"),
        ("choose the inappropriate sentence", "F"),
        ("choose the correct name of the state that was not a colony.", "T"),
        ('choose the correct combination of "correct" and "incorrect" in regard to a and b.', "T"),
        ("choose the correct combination of correct and incorrect.", "T"),
        ("The error of Pope Leo was grave. Choose the correct name.", "T"),
        ("Which of them was wrongly accused? Choose the correct name.", "T"),
        ("Which sentence is incorrect?", "F"),
        ("One of the sentences below is incorrect. Choose it.", "F"),
        ("Which of these countries did not sign the treaty?", "F"),
        ("誤文を一つ選べ。", "F"),
        ("All of the following are true of Rome EXCEPT which one?", "F"),
        ("Which of these is true of all of the states except Athens?", "T"),
        ("All of these raise prices except ____.", "F"),
        ("A relay where all signals, except for smell, arrive is the ____.", "T"),
        ("Which of the following did the miller not need?", "F"),
        ("Under the charter, which town did not pay?", "F"),
        ("Which of these guests is least likely to stay?", "F"),
        ("Which of the following statements about salt is false?", "F"),
        ("Which test was made for recruits who were not fluent?", "T"),
        ("Why did the war not raise wages?", "T"),
        ("A bell that does not ring is a ____.", "T"),
        ("She believes that her teacher doesn’t like her. Her belief is called ____.", "T"),
        ("Which bias relies on a false belief?", "T"),
        ("史実と異なるものを選べ。", "F"),
        ("不適切なものを一つ選べ。", "F"),
        ("最も不適当なものを選べ。", "F"),
        ("まちがっている記述を選べ。", "F"),
        ("下線部と関係のないものを選べ。", "F"),
        ("植民地としなかった国を一つ選べ。", "F"),
        ("年代の古いものから順に正しく配列されているものを選べ。", "T"),
        ("正しいとはいえないものを選べ。", "F"),
        ("国際連盟に加盟していない国を選べ。", "F"),
        ("国際連盟に加盟していない国として正しいものを選べ。", "T"),
        ("次の文には誤っているものがある。一つ選べ。", "F"),
        ("", "T"),
    ],
)
def test_what_is_asked_for(instruction: str, asks: str) -> None:
    assert asked_for(instruction, detect_language(instruction)) == asks


def test_true_false_combinations(tmp_path: Path) -> None:
    rows = choices(
        '<ref target="L1">a</ref>―正<ref target="L2">b</ref>―誤',
        '<ref target="L1">a</ref>－ 誤 <ref target="L2">b</ref>－ 正',
    )
    asked = only(tmp_path, section(question("正誤の組合せ", STATEMENTS + rows, "(symbol-TF)*2")))
    assert asked.shape == "combination"
    assert [[(s.label, s.phrase, s.correct) for s in c.slots] for c in asked.choices] == [
        [("a", "甲。", True), ("b", "乙。", False)],
        [("a", "甲。", False), ("b", "乙。", True)],
    ]


def test_plain_letters_mean_the_labels_of_the_statements(tmp_path: Path) -> None:
    wide = STATEMENTS.replace(">a<", ">ａ<").replace(">b<", ">ｂ<")
    asked = only(tmp_path, section(question("正誤", wide + choices("a－正　b－誤", "ａ－誤　ｂ－誤"), "(symbol-TF)*2")))
    assert [[(s.phrase, s.correct) for s in c.slots] for c in asked.choices] == [
        [("甲。", True), ("乙。", False)],
        [("甲。", False), ("乙。", False)],
    ]
    ordered = only(tmp_path, section(question("年代順", STATEMENTS + choices("b → a", "ａ→ｂ"))))
    assert [[s.phrase for s in c.slots] for c in ordered.choices] == [["乙。", "甲。"], ["甲。", "乙。"]]
    chosen = only(tmp_path, section(question("組合せ", STATEMENTS + choices("a・b", "b"))))
    assert chosen.shape == "selection"
    assert [[s.phrase for s in c.slots] for c in chosen.choices] == [["甲。", "乙。"], ["乙。"]]


def test_labels_are_not_tried_in_all_their_combinations(tmp_path: Path) -> None:
    longer = STATEMENTS.replace("<label>b<", "<label>aa<")  # 50 letters are rows of a and aa in 20 billion ways
    asked = only(tmp_path, section(question("組合せ", longer + choices("a" * 50 + "x", "a", "a"))))
    assert [choice.slots[-1].phrase for choice in asked.choices] == ["", "甲。", "甲。"]


def test_statements_that_the_file_does_not_mark(tmp_path: Path) -> None:
    data = "<data>ａ　唐は滅びた。<br/>ｂ　宋は栄えた。</data>"
    asked = only(
        tmp_path, section(question("正誤", data + choices("ａ－正　ｂ－誤", "ａ－誤　ｂ－誤"), "(symbol-TF)*2"))
    )
    assert [(s.label, s.text) for s in asked.statements] == [("ａ", "唐は滅びた。"), ("ｂ", "宋は栄えた。")]
    assert [(s.phrase, s.correct) for s in asked.choices[0].slots] == [("唐は滅びた。", True), ("宋は栄えた。", False)]


def test_true_false_without_labels_goes_by_the_order_of_the_statements(tmp_path: Path) -> None:
    asked = only(tmp_path, section(question("正誤の組合せ", STATEMENTS + choices("正―誤", "誤―誤"), "")))
    assert asked.shape == "combination"
    assert [(s.label, s.correct) for s in asked.choices[0].slots] == [("a", True), ("b", False)]


@pytest.mark.parametrize("dash", ["-", "―", "－", "ー", "：", " - "])
def test_fillers_stand_behind_labels_and_dashes(tmp_path: Path, dash: str) -> None:
    gaps = '<data><blank id="B1"><label>ア</label></blank>と<blank id="B2"><label>イ</label></blank></data>'
    rows = choices(f'<ref target="B1">ア</ref>{dash}テーベ　<ref target="B2">イ</ref>{dash}ローマ', "ア―甲　イ―乙")
    asked = only(tmp_path, section(question("入れる語", gaps + rows, "(symbol-term_other)*2")))
    assert asked.shape == "filling"
    assert [[(s.id, s.value) for s in c.slots] for c in asked.choices] == [
        [("B1", "テーベ"), ("B2", "ローマ")],
        [("B1", "甲"), ("B2", "乙")],
    ]


def test_fillers_in_plain_print_belong_to_the_gaps_of_their_labels(tmp_path: Path) -> None:
    gaps = '<data><blank id="B5"><label>(A)</label></blank> x <blank id="B6"><label>(B)</label></blank></data>'
    rows = choices("(A)-Justinian(B)-Frederick II", "(A)-Constantine(B)-Wilhelm II")
    asked = only(tmp_path, section(question("fit into the gaps", gaps + rows, "(symbol-term_person)*2")))
    assert [(s.id, s.value) for s in asked.choices[0].slots] == [("B5", "Justinian"), ("B6", "Frederick II")]


def test_fillers_in_columns_go_by_the_order_of_the_gaps(tmp_path: Path) -> None:
    gaps = '<data><blank id="B1"><label>ア</label></blank>と<blank id="B2"><label>イ</label></blank></data>'
    asked = only(tmp_path, section(question("入れる語", gaps + choices("テーベ、ローマ", "甲、乙"), "term_other")))
    assert [(s.id, s.value) for s in asked.choices[1].slots] == [("B1", "甲"), ("B2", "乙")]


def test_a_gap_a_name_and_a_place_in_a_picture(tmp_path: Path) -> None:
    gaps = '<data><blank id="B2"><label>(A)</label></blank><blank id="B3"><label>(B)</label></blank></data>'
    picture = '<ref comment="画像内">{}</ref>'.format
    text = f'<ref target="B2">(A)</ref>-Iran-{picture("a")}<ref target="B3">(B)</ref>-Kuwait-{picture("b")}'
    asked = only(tmp_path, section(question("choose", gaps + choices(text, text), "(symbol-term_location-symbol)*2")))
    assert asked.shape == "map"
    assert [(s.id, s.value, s.symbol) for s in asked.choices[0].slots] == [("B2", "Iran", "a"), ("B3", "Kuwait", "b")]


def test_a_name_and_its_letter_in_a_picture(tmp_path: Path) -> None:
    rows = choices('ネアポリス―<ref comment="画像内">a</ref>', 'ローマ―<ref comment="画像内">b</ref>')
    asked = only(tmp_path, section(question("選べ", rows, "(term_location-symbol)")))
    assert asked.shape == "map"
    assert [(s.value, s.symbol) for c in asked.choices for s in c.slots] == [("ネアポリス", "a"), ("ローマ", "b")]


def test_an_order_of_statements(tmp_path: Path) -> None:
    a, b = '<ref target="L1">a</ref>', '<ref target="L2">b</ref>'
    asked = only(tmp_path, section(question("年代順", STATEMENTS + choices(f"{a}→{b}", f"{b}→{a}"), "")))
    assert asked.shape == "ordering"
    assert [[s.phrase for s in c.slots] for c in asked.choices] == [["甲。", "乙。"], ["乙。", "甲。"]]


@pytest.mark.parametrize("joint", [" - ", "→", "―", " ⇒ "])
def test_an_order_of_events_in_words(tmp_path: Path, joint: str) -> None:
    rows = choices(joint.join(("Treaty signed (1951)", "Cuban crisis")), joint.join(("Cuban crisis", "x")))
    asked = only(tmp_path, section(question("choose", rows, "o(sentence-sentence)")))
    assert [s.value for s in asked.choices[0].slots] == ["Treaty signed (1951)", "Cuban crisis"]


def test_pairs_by_their_type_or_their_look(tmp_path: Path) -> None:
    rows = choices("司馬遷―『史記』", "ダンテ―『神曲』")
    for answer_type in ("term_person-term_other", ""):
        asked = only(tmp_path, section(question("組合せ", rows, answer_type)))
        assert asked.shape == "pair"
        assert [s.value for s in asked.choices[1].slots] == ["ダンテ", "『神曲』"]


def test_a_selection_of_statements(tmp_path: Path) -> None:
    rows = choices('<ref target="L1">a</ref>・<ref target="L2">b</ref>', '<ref target="L2">b</ref>')
    asked = only(tmp_path, section(question("選べ", STATEMENTS + rows, "referenceSymbol")))
    assert asked.shape == "selection"
    assert [[s.phrase for s in c.slots] for c in asked.choices] == [["甲。", "乙。"], ["乙。"]]


def test_a_single_gap_is_filled_by_whole_choices(tmp_path: Path) -> None:
    passage = '<data>都は<blank id="B1"><label>(4)</label></blank>である。</data>'
    asked = only(
        tmp_path, section(passage, question('<ref target="B1">(4)</ref>に入れる', answer_type="term_location"))
    )
    assert (asked.shape, [c.slots for c in asked.choices]) == ("filling", [(), ()])


def test_fillers_where_the_file_marks_neither_gaps_nor_labels(tmp_path: Path) -> None:
    asked = only(
        tmp_path, section(question("空欄（ア）（イ）に入れる語", choices("ア－甲　イ－乙", "ア－丙　イ－丁"), ""))
    )
    assert asked.shape == "filling"
    assert [[(s.label, s.value) for s in c.slots] for c in asked.choices] == [
        [("ア", "甲"), ("イ", "乙")],
        [("ア", "丙"), ("イ", "丁")],
    ]


def test_sentences_about_a_gap_are_sentences(tmp_path: Path) -> None:
    passage = '<data><blank id="B1"><label>(4)</label></blank>の王。</data>'
    rows = choices("彼は法典を発布した。", "彼は都を移した。")
    asked = only(tmp_path, section(passage, question('<ref target="B1">(4)</ref>について正しい文', rows)))
    assert asked.shape == "sentence"


def test_sentences_that_mention_a_label_have_no_parts(tmp_path: Path) -> None:
    passage = '<data><uText id="U1"><label>①</label>唐</uText></data>'
    rows = choices('<ref target="U1">①</ref>は滅びた。', '都は<ref target="U1">①</ref>の長安である。')
    asked = only(tmp_path, section(passage, question("選べ", rows)))
    assert (asked.shape, [c.slots for c in asked.choices]) == ("sentence", [(), ()])


def test_pictures_and_terms(tmp_path: Path) -> None:
    pictures = choices('<img src="1.png"/><adata field="写真">寺</adata>', '<img src="2.png"/>')
    assert only(tmp_path, section(question("選べ", pictures, "image_photo"))).shape == "picture"
    assert only(tmp_path, section(question("選べ", choices("唐", "宋"), "term_other"))).shape == "term"
