"""From a knowledge base file to an index of subjects: runs, aliases, cleaned predicates, damaged
lines."""

from __future__ import annotations

import bz2
import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.engines.contract import Document, Index, Query, QueryTerm
from indexer.engines.opening import open_index
from indexer.files.seen_names import SeenNames
from indexer.sources.triples.build import command
from indexer.sources.triples.schema import (
    aliases,
    bigrams,
    clean_predicate,
    decode_counts,
    encode_counts,
    fold,
    split_subject,
)
from tests.ingest_counts import records
from tests.programs import invoked, refusal
from tests.refusals import names


def build(
    tmp_path: Path, content: str | bytes, *arguments: str, name: str = "kb.txt"
) -> tuple[Index, str]:
    file = tmp_path / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    told = invoked(command, file, "--index", tmp_path / "index", *arguments).stderr
    return open_index(str(tmp_path / "index"), "triples"), told


def subjects(index: Index) -> list[Document]:
    return list(index.part("subjects").scan())


def test_a_run_of_lines_is_a_document_and_a_subject_that_comes_back_another(tmp_path: Path) -> None:
    index, _ = build(
        tmp_path,
        "甲 ||| 国籍 ||| 美国\n甲 ||| 职业 ||| 作家\n乙 ||| 国籍 ||| 中国\n甲 ||| 身高 ||| 180\n",
    )
    found = [(document.doc_id, document.text, document.payload) for document in subjects(index)]
    assert found == [
        ("kb-00000001", "甲", "国籍\t\t美国\n职业\t\t作家"),
        ("kb-00000002", "乙", "国籍\t\t中国"),
        ("kb-00000003", "甲", "身高\t\t180"),
    ]


def test_a_predicate_is_kept_as_written_beside_its_cleaned_form(tmp_path: Path) -> None:
    index, _ = build(tmp_path, "甲 ||| - 国 籍[1] ||| 美国\n")
    assert subjects(index)[0].payload == "- 国 籍[1]\t国籍\t美国"


def test_a_subject_is_found_under_its_whole_and_its_bare_name(tmp_path: Path) -> None:
    index, _ = build(tmp_path, "《Red Sun》(电影) ||| 导演 ||| 某人\n")
    values = ["《redsun》(电影)", "《redsun》", "redsun(电影)", "redsun", "red sun"]
    found = index.part("subjects").lookup("alias", values)
    assert [len(documents) for documents in found] == [1, 1, 1, 1, 0]


def test_only_the_first_bearer_of_a_name_is_found_by_its_bigrams(tmp_path: Path) -> None:
    index, _ = build(tmp_path, "李明(甲) ||| 国籍 ||| 美国\n李明(乙) ||| 国籍 ||| 中国\n")
    (hits,) = index.part("subjects").search([Query((QueryTerm("name", "李明"),))], 10)
    assert [hit.document.text for hit in hits] == ["李明(甲)"]


def test_damaged_lines_are_rejected_counted_and_kept(tmp_path: Path) -> None:
    lines = "甲 ||| 国籍 ||| 美国\n甲 ||| 国籍\n ||| 国籍 ||| x\n甲 |||  ||| x\n甲 ||| 国籍 ||| \n\n乙|||国籍|||中国\n"
    rejects = tmp_path / "rejects.jsonl"
    index, said = build(tmp_path, lines, "--rejects", str(rejects), "--allow-rejects")
    assert records(said) == (6, 2, 4)
    assert [json.loads(line)["line"] for line in rejects.read_text().splitlines()] == [2, 3, 4, 5]
    assert [document.text for document in subjects(index)] == ["甲", "乙"]


def test_a_first_line_without_a_subject_is_rejected(tmp_path: Path) -> None:
    index, said = build(tmp_path, " ||| 国籍 ||| 中国\n李明 ||| 国籍 ||| 中国\n")
    assert [document.text for document in subjects(index)] == ["李明"]
    assert records(said) == (2, 1, 1)


def test_a_line_that_is_not_utf8_or_is_binary_spoils_no_other(tmp_path: Path) -> None:
    content = (
        "甲 ||| 国籍 ||| 美国\n".encode()
        + b"\xff\xfe ||| a ||| b\n"
        + b"c\0 ||| a ||| b\n"
        + b"z ||| a ||| b"
    )
    index, said = build(tmp_path, content)
    assert records(said) == (4, 2, 2)
    assert [document.text for document in subjects(index)] == ["甲", "z"]


def test_beyond_the_second_separator_everything_is_the_object(tmp_path: Path) -> None:
    index, _ = build(tmp_path, "甲 ||| 别名 ||| 丙 ||| 丁\n甲 ||| 注释 ||| a\tb\n")
    assert subjects(index)[0].payload == "别名\t\t丙 ||| 丁\n注释\t\ta b"


@pytest.mark.parametrize(
    ("name", "pack"), [("kb.gz", gzip.compress), ("kb.bz2", bz2.compress), ("kb", bytes)]
)
def test_packed_files_give_the_same(tmp_path: Path, name: str, pack: type[bytes]) -> None:
    index, _ = build(tmp_path, pack("甲 ||| 国籍 ||| 美国\r\n".encode()), name=name)
    assert subjects(index) == [Document("kb-00000001", "甲", {}, {"alias": ["甲"]}, "国籍\t\t美国")]


def test_gb18030_is_read(tmp_path: Path) -> None:
    index, _ = build(tmp_path, "甲 ||| 国籍 ||| 美国\n".encode("gb18030"))
    assert subjects(index)[0].text == "甲"


def test_a_damaged_archive_is_a_user_error_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "kb.gz").write_bytes(gzip.compress("甲 ||| 国籍 ||| 美国\n".encode() * 9)[:-12])
    assert names(
        refusal(command, tmp_path / "kb.gz", "--index", tmp_path / "index"), tmp_path / "kb.gz"
    )
    assert not (tmp_path / "index").exists()


def test_a_file_without_triples_is_refused_and_the_old_index_stays(tmp_path: Path) -> None:
    build(tmp_path, "甲 ||| 国籍 ||| 美国\n")
    (tmp_path / "other").write_text("<question id=1>\t甲是谁？\n", "utf-8")
    assert "other: no triple in it" in refusal(
        command, tmp_path / "other", "--index", tmp_path / "index", "--replace"
    )
    assert len(open_index(str(tmp_path / "index")).part("subjects")) == 1


def test_a_knowledge_base_is_no_file_of_mentions(tmp_path: Path) -> None:
    (tmp_path / "kb").write_text("甲 ||| 国籍 ||| 美国\n", "utf-8")
    (tmp_path / "other").write_text("乙 ||| 国籍 ||| 法国\n", "utf-8")
    assert "other:1: no mention (expected `mention ||| entity TAB entity`)" in refusal(
        command, tmp_path / "kb", "--mentions", tmp_path / "other", "--index", tmp_path / "index"
    )


def test_mentions_are_a_part_of_their_own_and_damaged_ones_are_rejected(tmp_path: Path) -> None:
    file = tmp_path / "mention2id"
    file.write_text("Foo Bar ||| 甲\t乙(丙)\nnothing\n ||| 甲\nempty ||| \t\n", "utf-8")
    index, said = build(
        tmp_path, "甲 ||| 国籍 ||| 美国\n", "--mentions", str(file), "--allow-rejects"
    )
    (found,) = index.part("mentions").lookup("mention", ["foobar"])
    assert [document.payload for document in found] == ["甲\t乙(丙)"]
    assert records(said) == (5, 2, 3)


def test_statistics_count_different_predicates(tmp_path: Path) -> None:
    index, _ = build(tmp_path, "甲 ||| 国籍 ||| a\n甲 ||| 国 籍 ||| b\n乙 ||| 国家 ||| c\n")
    (found,) = index.part("statistics").lookup("doc_id", ["predicate-characters"])
    assert json.loads(found[0].payload) == {
        "predicates": 2,
        "frequency": {"国": 2, "家": 1, "籍": 1},
    }


def test_the_same_file_gives_the_same_documents_on_two_processes(tmp_path: Path) -> None:
    lines = "".join(f"名{number}(某) ||| 属性{number % 7} ||| {number}\n" for number in range(500))
    one, _ = build(tmp_path, lines)
    first = subjects(one)
    two, _ = build(tmp_path, lines, "--jobs", "2")
    assert subjects(two) == first
    assert len(first) == 500


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert names(
        refusal(command, tmp_path / "none", "--index", tmp_path / "index"), tmp_path / "none"
    )


def test_cleaning_a_predicate() -> None:
    written = ["国 籍", "- 外文名", "\u00a0民族", "•登场作品", "制片人[1]", "出·生地", "[2]", "A B"]
    assert [clean_predicate(predicate) for predicate in written] == [
        "国籍", "外文名", "民族", "登场作品", "制片人", "出生地", "[2]", "ab",
    ]  # fmt: skip


def test_the_bare_name_is_the_last_alias() -> None:
    assert aliases("《红楼梦》（小说）") == [
        "《红楼梦》(小说)",
        "《红楼梦》",
        "红楼梦(小说)",
        "红楼梦",
    ]
    assert split_subject("李明（苏州大学教授）") == ("李明", "苏州大学教授")


@given(st.text(max_size=40))
def test_folding_leaves_no_blank_and_no_alias_is_empty(name: str) -> None:
    folded = fold(name)
    assert not any(map(str.isspace, folded))
    forms = aliases(name)
    assert all(forms)
    assert len(set(forms)) == len(forms)
    assert bool(forms) == bool(folded)


@given(st.text(min_size=2, max_size=40))
def test_bigrams_are_the_pieces_of_two(name: str) -> None:
    assert set(bigrams(name)) == {name[place : place + 2] for place in range(len(name) - 1)}


@given(st.lists(st.text(max_size=3)))
def test_a_name_is_new_once(names: list[str]) -> None:
    seen = SeenNames()
    assert [seen.add(name) for name in names] == [
        name not in names[:place] for place, name in enumerate(names)
    ]


def test_names_stay_seen_when_they_are_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexer.files.seen_names.RECENT", 3)
    seen = SeenNames()
    assert [seen.add(str(number % 8)) for number in range(20)] == [True] * 8 + [False] * 12


def test_characters_are_counted_once_a_predicate() -> None:
    assert decode_counts(encode_counts(("人人", "人口"))) == (2, {"人": 2, "口": 1})
