"""Questions of every language are read in every encoding in which people write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.formats.sentence_rows import read_sentence_rows
from indexer.formats.table_rows import read_table_rows
from indexer.languages.registry import LANGUAGES
from retriever.topics import read_topics

JAPANESE = ("明の都を北京に移した皇帝は誰か。", "永楽帝は都を北京に移した。")
CHINESE = ("罗马帝国的第一位皇帝是谁？", "奥古斯都是罗马帝国的第一位皇帝。")
ENGLISH = ("Where did Napoléon’s army winter?", "Napoléon’s army wintered in Orléans.")
TEXTS = [
    *((JAPANESE, name) for name in ("utf-8", "utf-16", "cp932", "euc-jp", "iso-2022-jp")),
    *((CHINESE, name) for name in ("utf-8", "utf-16", "gb18030")),
    (ENGLISH, "cp1252"),
]
every_text = pytest.mark.parametrize(
    ("texts", "encoding"), TEXTS, ids=[f"{texts[0][:4]}-{name}" for texts, name in TEXTS]
)


@every_text
def test_questions_of_lines(tmp_path: Path, texts: tuple[str, str], encoding: str) -> None:
    path = tmp_path / "questions.txt"
    path.write_text("".join(f"{one}\n" for one in texts), encoding)
    assert tuple(topic.text for topic in read_topics(path)) == texts


@every_text
def test_rows_of_sentences(tmp_path: Path, texts: tuple[str, str], encoding: str) -> None:
    path = tmp_path / "dbqa.txt"
    question, sentence = texts
    path.write_text(f"1\t{question}\t{sentence}\n0\t{question}\t{sentence}\n", encoding)
    (read,) = read_sentence_rows(path, dbqa=True).lists
    assert (read.question, read.candidates[0]) == texts


@every_text
def test_rows_of_tables(tmp_path: Path, texts: tuple[str, str], encoding: str) -> None:
    path = tmp_path / "tbqa.txt"
    question, caption = texts
    path.write_text(f"1\t{question}\t{caption}\t{caption}_|_b\t1_|_2\n", encoding)
    (row,) = read_table_rows(path)
    assert (row.question, row.caption) == texts


NAMES = {"ja": "足利尊氏\n織田信長\n豊臣秀吉\n", "zh": "罗马帝国的皇帝是谁\n秦始皇\n"}


@pytest.mark.parametrize(
    ("language", "encoding"),
    [("ja", "euc-jp"), ("ja", "cp932"), ("zh", "gb18030"), ("ja", "utf-8"), ("zh", "utf-8")],
)
def test_names_in_ideographs_are_read_in_the_language_of_the_index(
    tmp_path: Path, language: str, encoding: str
) -> None:
    (path := tmp_path / "a.txt").write_bytes(NAMES[language].encode(encoding))
    topics = read_topics(path, language=LANGUAGES[language])
    assert [topic.text for topic in topics] == NAMES[language].split()


def test_western_questions_are_read_whatever_the_index_is(tmp_path: Path) -> None:
    (path := tmp_path / "a.txt").write_bytes("Was Napoléon at Séville?\n".encode("cp1252"))
    (topic,) = read_topics(path, language=LANGUAGES["ja"])
    assert topic.text == "Was Napoléon at Séville?"


def test_json_questions_are_read_in_the_encoding_of_their_characters(tmp_path: Path) -> None:
    (path := tmp_path / "a.jsonl").write_bytes(
        '{"_id": "1", "text": "罗马帝国的皇帝是谁？"}\n'.encode("gb18030")
    )
    assert [topic.text for topic in read_topics(path)] == ["罗马帝国的皇帝是谁？"]
