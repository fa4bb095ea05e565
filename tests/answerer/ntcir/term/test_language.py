"""The tools of term questions for one language and one glossary."""

from __future__ import annotations

import gc
import weakref

import pytest

from answerer.ntcir.term.language import TermLanguage
from indexer.analysis.glossary import Glossary
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language


@pytest.mark.parametrize(
    ("language", "text"),
    [(ENGLISH, "Cyrus took Sardis."), (JAPANESE, "聖徳太子が法隆寺を建てた。")],
    ids=["English", "Japanese"],
)
def test_used_tools_go_with_their_last_user(language: Language, text: str) -> None:
    tools = TermLanguage(language, Glossary(()))
    gc.disable()
    try:
        assert tools.spans(text)
        tools.places(text, ("sardi",))
        parts = [weakref.ref(part) for part in (tools, tools.spans)]
        del tools
        assert [part() for part in parts] == [None, None]
    finally:
        gc.enable()
