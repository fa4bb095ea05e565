"""What goes into a page cannot leave its place there."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from answerer.page.drawn import DrawnPassage
from answerer.page.frame import json_text


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_data_reads_back_and_holds_no_markup(text: str) -> None:
    written = json_text({"text": text})
    assert json.loads(written) == {"text": text}
    assert not set("<>&\u2028\u2029") & set(written)


def test_named_tuples_are_objects_without_what_is_empty() -> None:
    passage = DrawnPassage("d1", "", ["a text"], 1.23456, {})
    assert json.loads(json_text(passage)) == {
        "doc_id": "d1",
        "text": ["a text"],
        "score": 1.235,
        "terms": {},
    }
