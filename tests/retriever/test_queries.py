"""The language of an index: its own, told by a question's letters, or missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.engines.contract import Document, Index, Metadata, Part
from indexer.engines.opening import builder_for, open_index
from indexer.files.errors import UserError
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language
from retriever.queries import language_of, terms_of

PART = Part("tables", ("text",))


def index(tmp_path: Path, language: Language | None) -> Index:
    writer = builder_for(f"{tmp_path}/ix/").build(
        f"{tmp_path}/ix/", Metadata("datasets", (PART,), language, {})
    )
    writer.add(PART.name, [Document("a", "人口", {"text": ["人口"]})])
    writer.publish()
    return open_index(f"{tmp_path}/ix/")


def test_an_index_in_a_language_reads_every_question_in_it(tmp_path: Path) -> None:
    japanese = index(tmp_path, JAPANESE)
    assert language_of(japanese) == JAPANESE
    assert terms_of(japanese)("The towns") == ["the", "towns"]


def test_without_a_language_the_letters_of_a_question_tell_it(tmp_path: Path) -> None:
    terms = terms_of(index(tmp_path, None))
    assert (terms("The towns"), terms("市の人口は")) == (["town"], ["市", "人口"])


def test_what_needs_a_language_says_so(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"/ix/? \(datasets\)"):
        language_of(index(tmp_path, None))
