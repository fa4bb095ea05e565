"""Linking: which names a question holds, exactly and nearly, and what their subjects say."""

from __future__ import annotations

import pytest

from answerer.nlpcc.kbqa import linking
from answerer.nlpcc.kbqa.linking import Fact, Link, align, merge, substrings
from answerer.nlpcc.kbqa.task import linker_of
from indexer.engines.contract import Document, Index
from indexer.engines.opening import open_index
from indexer.sources.triples.schema import fold
from tests.answerer.nlpcc.kbqa.knowledge import build


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder = tmp_path_factory.mktemp("linking")
    (folder / "mention2id").write_text(
        "石头记 ||| 红楼梦(中国古典长篇小说)\t红楼梦(1987年电视剧)\n", "utf-8"
    )
    build(str(folder / "index"), "--mentions", str(folder / "mention2id"))
    return open_index(str(folder / "index"))


def named(links: list[Link]) -> list[tuple[str, str]]:
    return [(link.mention.name, link.subject.name) for link in links]


def test_substrings_are_short_sorted_and_not_punctuation() -> None:
    assert substrings("a?b") == ["?b", "a", "a?", "a?b", "b"]
    assert max(map(len, substrings("甲" * 40))) == 32


def test_all_subjects_in_the_question_are_found_longer_ones_first(index: Index) -> None:
    (links,) = linker_of(index, fuzzy=False).link(["岳阳楼记和红楼梦"])
    assert named(links) == [
        ("岳阳楼记", "岳阳楼记"),
        ("岳阳楼", "岳阳楼"),
        ("红楼梦", "红楼梦(中国古典长篇小说)"),
        ("红楼梦", "红楼梦(1987年电视剧)"),
    ]


def test_the_runs_of_a_subject_are_merged(index: Index) -> None:
    (links,) = linker_of(index, fuzzy=False).link(["岳阳楼"])
    assert links[0].subject.doc_ids == ("triples-zh-00000001", "triples-zh-00000006")
    assert links[0].subject.facts[-1] == Fact("门票价格", ("70元",))


def test_all_objects_of_a_predicate_are_one_fact_and_repeats_count_once() -> None:
    payload = "国 籍\t国籍\t美国\n国籍\t\t中国\n国籍\t\t美 国"
    (subject,) = merge([Document("1", "甲(某)", {}, {}, payload)])
    assert subject.facts == (Fact("国籍", ("美国", "中国")),)
    assert subject.detail == "某"


def test_each_of_many_objects_is_folded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    folded: list[str] = []
    monkeypatch.setattr(linking, "fold", lambda text: folded.append(text) or fold(text))
    values = [f"作品{number}" for number in range(500)]
    (subject,) = merge(
        [Document("1", "甲", {}, {}, "\n".join(f"作品\t\t{value}" for value in values))]
    )
    assert subject.facts == (Fact("作品", tuple(values)),)
    assert folded == values


def test_a_mention_file_leads_to_its_entities(index: Index) -> None:
    (links,) = linker_of(index, fuzzy=False).link(["石头记"])
    assert [link.subject.name for link in links] == [
        "红楼梦(中国古典长篇小说)",
        "红楼梦(1987年电视剧)",
    ]


def test_a_misspelt_name_is_found_by_the_engine(index: Index) -> None:
    exact, fuzzy = (
        linker_of(index, fuzzy=flag).link(["洞停湖有多大", "洞庭湖有多大"])
        for flag in (False, True)
    )
    assert named(exact[0]) == []
    assert named(fuzzy[0]) == []  # no two characters in a row are left
    assert named(fuzzy[1]) == [("洞庭湖", "洞庭湖")]
    (near,) = linker_of(index, fuzzy=True).link(["岳阳楼纪是谁写的"])
    assert ("岳阳楼记", "岳阳楼记") in named(near)


@pytest.mark.parametrize(
    ("question", "name", "span", "similarity"),
    [
        ("请问岳阳楼纪是谁", "岳阳楼记", (2, 5), 3 / 4),
        ("算法是群体趋药性的算法", "群体趋药性算法", (3, 11), 7 / 8),
        ("甲乙丙", "丁戊", (0, 0), 0),
    ],
)
def test_alignment(question: str, name: str, span: tuple[int, int], similarity: float) -> None:
    mention = align(question, name)
    assert ((mention.start, mention.end), mention.similarity) == (span, similarity)


def test_questions_are_linked_alike_alone_and_together(index: Index) -> None:
    linker = linker_of(index, fuzzy=True)
    questions = ["岳阳楼记是谁写的", "洞庭湖", "", "红楼梦的作者"]
    assert linker.link(questions) == [linker.link([question])[0] for question in questions]
