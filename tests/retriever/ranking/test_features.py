"""Features of English and Chinese sentences and of tables, each on a case small enough to work out
by hand."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from indexer.formats.labels import CandidateList
from indexer.formats.table_rows import TableRow
from retriever.ranking.chinese import (
    PAIRS,
    chinese_answers,
    chinese_texts,
    intents,
    late_weight,
    normalise,
    novelty,
    reciprocal_ranks,
    request,
    split_questions,
)
from retriever.ranking.english import (
    Words,
    answers,
    english_texts,
    neighbours,
    opening,
    read_words,
    terms,
)
from retriever.ranking.overlap import CandidateTexts, bm25, coverage, overlap_of, position
from retriever.ranking.ranker import Ranking, RankingBlock, layout, score_untrained
from retriever.ranking.tables import table_ranking


def english(question: str, *candidates: str, topic: str = "") -> tuple[CandidateTexts, Words]:
    return english_texts([CandidateList(question, candidates, topic=topic)])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("went", "go"),
        ("Café", "cafe"),
        ("U.S.", "US"),
        ("Bell's", "bell"),
        ("third", "3"),
        ("won", "winning"),
    ],
)
def test_forms_of_one_word_have_one_stem(one: str, other: str) -> None:
    words, (tokens,) = read_words([one, other])
    assert words.stem[tokens.ids[0]] == words.stem[tokens.ids[1]]


def test_bm25_takes_idf_and_length_from_the_list() -> None:
    """Two rows of 1 and 3 content words, mean 2; "river" is in one of them: idf = log(1 + 1.5 /
    1.5)."""
    score = bm25(overlap_of(english("Which river?", "River.", "Green hills rise.")[0], "content"))
    assert score == pytest.approx([log(2) * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 1 / 2)), 0])


def test_pairs_count_only_words_that_stand_together() -> None:
    table = overlap_of(english("red old bridge", "an old bridge", "bridge, old")[0], "pairs")
    assert coverage(table, np.ones(2)).tolist() == [1 / 2, 0]


def test_what_a_row_begins_with_counts_most() -> None:
    """Both words are asked once: they weigh the same. "bridge" stands at place 1 and 6, "red" at 0
    and nowhere."""
    texts, _ = english("red bridge", "Red bridge, red.", "It is not an old long bridge")
    found = opening(texts)
    assert found["opening: fading"] == pytest.approx(
        [1 / 2 * (1 + 1 / (1 + 1 / 4)), 1 / 2 * (1 / (1 + 6 / 4))]
    )


def test_equal_values_take_places_in_the_order_of_the_list() -> None:
    """Two lists; in the first .1 + .2 and .3 count as equal."""
    ranks = reciprocal_ranks(np.array([0.1, 0.1 + 0.2, 0.3, 0.0, 5.0]), layout([3, 2]))
    assert ranks.tolist() == [1 / 3, 1, 1 / 2, 1 / 2, 1]


def test_the_row_before_adds_what_the_row_itself_lacks() -> None:
    """Both words are in two of the three rows: they weigh the same."""
    found = neighbours(english("red bridge", "red", "bridge", "red bridge")[0])
    assert found["content: added by the row at -1"].tolist() == [0, 1 / 2, 0]


def test_the_title_of_the_article_is_no_news() -> None:
    found = terms(
        *english(
            "When was Glass Rain released?", "Glass Rain.", "It was released.", topic="Glass Rain"
        )
    )
    assert found["terms: not topic"].tolist() == [0, 1]
    assert found["terms: topic"].tolist() == [1, 0]


def test_answer_tokens_are_of_the_type_asked_for_and_not_in_the_question() -> None:
    texts, words = english(
        "When did the 1912 strike end?", "In May 1913.", "The 1912 strike ended.", "Never."
    )
    assert answers(texts, words)["answer: present"].tolist() == [1, 0, 0]


def test_a_row_counts_its_rarest_answer_and_none_is_0() -> None:
    """1913 is in one row of three, 1915 in two: log(4 / 1) is greater than log(4 / 2)."""
    texts, words = english("When did it end?", "In 1915 or 1913.", "In 1915.", "")
    assert answers(texts, words)["answer: best list idf"].tolist() == pytest.approx(
        [log(4), log(2), 0]
    )


def test_terms_count_within_seven_words_of_an_answer() -> None:
    """The question's one word stands 7 words before 1913, then 8, and 1 in another row."""
    rows = ("Strikes a b c d e f 1913.", "Strikes a b c d e f g 1913.", "A strike.")
    texts, words = english("When did strikes?", *rows)
    assert answers(texts, words)["answer: near terms"].tolist() == [1, 0, 0]


def test_place_counts_from_the_start() -> None:
    lists = [CandidateList("", ("a", "b")), CandidateList("", ("c",))]
    assert position(english_texts(lists)[0])["log rank"].tolist() == [0, log(2), 0]


def test_fixed_sum_compares_inside_the_list() -> None:
    features = {"f": lambda: {"x": np.array([1.0, 3.0, 8.0])}}
    block = RankingBlock(lists=layout([2, 1]), features=features)
    made = Ranking(
        "selqa", block.lists, ["", ""], ["", ""], {"f": {"x": 2.0}}, lambda: iter([block])
    )
    assert score_untrained(made) == pytest.approx([-2, 2, 0], abs=1e-5)


def test_chinese_text_is_folded() -> None:
    assert normalise("ＡＢ　c\u00a0１２年") == "abc12年"


def test_late_characters_weigh_more() -> None:
    """Three letters; the second pair ends at the third: (3 / 3)³, the first at the second: (2 /
    3)³."""
    texts = chinese_texts([CandidateList("甲乙丙？", ("甲乙丙",))])
    assert sorted(late_weight(overlap_of(texts, PAIRS), texts.questions, 2)) == pytest.approx(
        [(2 / 3) ** 3, 1]
    )


def test_intents_are_shared_by_other_words_of_their_group() -> None:
    texts = chinese_texts([CandidateList("学校何时创办？", ("1921年成立。", "有学生百人。"))])
    assert intents(texts, texts.question_texts).astype(bool).tolist() == [True, False]


def test_what_a_name_is_made_of_is_no_intent() -> None:
    """创建 is asked of a bank of that name: without its name nothing is asked that the group
    answers."""
    texts = chinese_texts([CandidateList("创建银行在哪？", ("创建银行于1921年成立。", "成立"))])
    assert intents(texts, split_questions(texts)[1]).tolist() == [0, 0]


def test_chinese_answers_do_not_stand_in_the_question() -> None:
    texts = chinese_texts(
        [CandidateList("1921年成立的学校哪年停办？", ("1950年停办。", "1921年", "无"))]
    )
    found = chinese_answers(texts)
    assert found["answer: present"].tolist() == [1, 0, 0]


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("甲乙中学的校长是谁？", ("甲乙中学", "|的校长是谁?")),
        ("谁是乙中学校长？", ("乙中学", "谁是|校长?")),
        ("丙丁小学在哪？", ("", "丙丁小学在哪?")),
        ("校长张三丰？", ("", "校长张三丰?")),
        ("丁" * 998 + "甲乙中学", ("", "丁" * 998 + "甲乙中学")),
    ],
)
def test_the_topic_is_the_longest_run_that_the_first_rows_hold(
    question: str, asked: tuple[str, str]
) -> None:
    """丙丁 are two characters only; 张三丰 stands in the fourth row, too late; what ends behind 1,000
    is, too."""
    rows = ("甲乙中学成立。", "在丙丁。", "学校", "校长张三丰。")
    assert split_questions(chinese_texts([CandidateList(question, rows)])) == (
        [asked[0]],
        [asked[1]],
    )


def test_the_topic_of_a_list_is_looked_for_in_its_own_rows() -> None:
    lists = [
        CandidateList("丙丁小学在哪？", ("甲", "乙")),
        CandidateList("丙丁小学在哪？", ("丙丁小学。",)),
    ]
    assert split_questions(chinese_texts(lists))[0] == ["", "丙丁小学"]


def test_a_row_covers_what_is_asked_of_the_topic() -> None:
    """Left of the request is 校长; 校 stands in two rows of three, 长 and 校长 in one. Of 甲乙中学 the third
    has 学."""
    texts = chinese_texts(
        [CandidateList("甲乙中学的校长是谁？", ("甲乙中学成立。", "校长姓张。", "学校"))]
    )
    found = request(texts, *split_questions(texts))
    common, rare = log(1 + (3 - 2 + 0.5) / (2 + 0.5)), log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    assert found["request: 1-grams"] == pytest.approx([0, 1, common / (common + rare)])
    assert found["request: 2-grams"].tolist() == [0, 1, 0]
    assert found["topic: share"].tolist() == [1, 0, 1 / 4]


def test_a_question_of_its_topic_alone_asks_for_nothing_more() -> None:
    texts = chinese_texts([CandidateList("甲乙中学在哪里？", ("甲乙中学在城南。",))])
    assert {
        name: values.tolist() for name, values in request(texts, *split_questions(texts)).items()
    } == {
        "request: 1-grams": [0],
        "request: 2-grams": [0],
        "topic: share": [1],
    }


def test_a_row_that_repeats_its_question_says_nothing_new() -> None:
    """New are 建 and 校; of the last row, whose question is another, 学 and 校. 。 is no character that
    says."""
    texts = chinese_texts(
        [
            CandidateList("学在哪年？", ("学在哪年。", "学建建校在。", "。")),
            CandidateList("哪年？", ("学校学年",)),
        ]
    )
    assert novelty(texts)["new characters"].tolist() == pytest.approx(
        [0, log(1 + 2), 0, log(1 + 2)]
    )


def test_what_a_table_holds_of_its_question() -> None:
    """Of the stems bridg, open and 1932 the cells hold the last, caption and headings the others:
    of two texts, one has a term, whose idf is then log(1 + (2 − 1 + .5) / 1.5)."""
    cells = "Old_|_1887_|__||_New _|_ 1932_|_9 m"
    rows = [
        TableRow(
            1, None, "which bridge opened in 1932?", "Bridges", "Bridge_|_Opened _|_Length", cells
        ),
        TableRow(2, None, "which bridge opened in 1932?", "Rain", "Town_|_mm", "York_|_7"),
    ]
    ranking, tables = table_ranking(rows)
    (block,) = ranking.blocks()
    assert (tables, list(block.matched()[0])) == (rows, ["bridg", "open", "1932"])
    found = block.features["content words"]()
    assert found["cells, content: coverage"] == pytest.approx([1 / 3, 0])
    assert found["caption + header, content: coverage"] == pytest.approx([2 / 3, 0])
    assert found["cells, content: sum"] == pytest.approx(
        [log(2) * log(1 + (1 - 1 + 0.5) / (1 + 0.5)), 0]
    )
    assert block.features["whole cells"]()["whole cell"].tolist() == [1, 0]
