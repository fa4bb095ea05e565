"""Names and predicates folded."""

from __future__ import annotations

import pytest

from indexer.sources.triples.schema import fold


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("国 籍", "国籍"),
        ("Ｐｙｔｈｏｎ\u3000３", "python3"),
        ("真名叫\u200b什么？\x07", "真名叫什么?"),
        ("\ufeff鲁\u00ad迅", "鲁迅"),
        ("\ue000名", "\ue000名"),
    ],
    ids=["blank", "wide", "seen by nobody", "marks of order", "a rare character of a font's own"],
)
def test_folded(text: str, folded: str) -> None:
    assert fold(text) == folded
