"""SelQA files: both shapes, both sets of names, results, every bad object named with its line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.files.errors import UserError
from indexer.formats.selqa import read_selqa

ONE = {"question": "Who?", "sentences": ["Ann.", "", "Bob."], "candidates": [2], "article": "A", "type": "TV",
       "is_paraphrase": True}  # fmt: skip
SWAPPED = {
    "question": "Who?",
    "candidates": ["Ann.", "", "Bob."],
    "answers": [2],
    "article": "A",
    "topic": "TV",
}


def read(path: Path, text: str) -> Any:
    path.write_text(text, "utf-8")
    return read_selqa(path)


def test_challenge_names(tmp_path: Path) -> None:
    found = read(tmp_path / "f", json.dumps(ONE)).lists[0]
    assert (found.candidates, found.gold, found.group) == (
        ("Ann.", "", "Bob."),
        (False, False, True),
        "A",
    )
    assert dict(found.kinds) == {"type": "TV", "paraphrase": "yes"}


def test_null_is_no_class_and_no_article(tmp_path: Path) -> None:
    nulls = dict.fromkeys(["article", "type", "is_paraphrase", "candidates"])
    found = read(tmp_path / "f", json.dumps(ONE | nulls)).lists[0]
    assert (found.group, dict(found.kinds), found.gold) == ("Who?", {"type": ""}, None)


def test_repository_names_are_swapped(tmp_path: Path) -> None:
    found = read(tmp_path / "f", json.dumps([SWAPPED])).lists[0]
    assert (found.candidates, found.gold, dict(found.kinds)) == (
        ("Ann.", "", "Bob."),
        (False, False, True),
        {"type": "TV"},
    )


def test_without_indices_there_is_no_gold(tmp_path: Path) -> None:
    assert read(tmp_path / "f", '{"question": "Who?", "sentences": ["Ann."]}').lists[0].gold is None


def test_a_question_without_any_sentence_is_kept(tmp_path: Path) -> None:
    assert (
        read(tmp_path / "f", '{"question": "Who?", "sentences": [], "candidates": []}')
        .lists[0]
        .candidates
        == ()
    )


def test_objects_over_several_lines_are_read(tmp_path: Path) -> None:
    assert (
        len(
            read(
                tmp_path / "f", f"{json.dumps(ONE, indent=1)}\n{json.dumps(ONE, indent=1)}\n"
            ).lists
        )
        == 2
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no questions"),
        ("[]", "no questions"),
        ("{\n", ":2: no JSON (its end is missing)"),
        (f"{json.dumps(ONE)}\nx", ":2: "),
        ("[1]", ":1: a JSON number is no object"),
        ('{"sentences": ["a"]}', ":1: an object without a question"),
        ('{"question": " ", "sentences": ["a"]}', ":1: an object without a question"),
        ('\n\n{"question": "q"}', ":3: an object without sentences"),
        ('{"question": "q", "sentences": "a"}', ":1: an object without sentences"),
        (
            '{"question": "q", "sentences": ["a"], "candidates": [1]}',
            ":1: candidates is not a list of places",
        ),
        (
            '{"question": "q", "sentences": [], "candidates": [0]}',
            ":1: candidates is not a list of places",
        ),
        (
            '{"question": "q", "sentences": ["a"], "candidates": [-1]}',
            ":1: candidates is not a list of places",
        ),
        (
            '{"question": "q", "sentences": ["a"], "candidates": [true]}',
            ":1: candidates is not a list of places",
        ),
        (
            '{"question": "q", "sentences": ["a"], "candidates": ["0"]}',
            ":1: candidates is not a list of places",
        ),
        (
            '{"question": "q", "candidates": ["a"], "answers": [3]}',
            ":1: answers is not a list of places",
        ),
        (
            '{"question": "q", "sentences": ["a"], "results": [1, 2]}',
            ":1: results is not one number a sentence",
        ),
        ('{"question": "q", "sentences": ["a"], "results": [NaN]}', ":1: "),
        ('{"question": "q", "sentences": ["a"], "results": ["1"]}', "not one number a sentence"),
        (
            f'{{"question": "q", "sentences": ["a"], "results": [1{"0" * 400}]}}',
            "not one number a sentence",
        ),
        ('{"question": "q", "sentences": ["\\ud800"]}', ":1: "),
        (f"[{json.dumps(ONE)}", "the JSON list does not end there"),
    ],
)
def test_bad_objects_are_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UserError) as caught:
        read(tmp_path / "f", text)
    assert said in str(caught.value)


objects = st.lists(
    st.fixed_dictionaries(
        {"question": st.text(min_size=1).filter(str.strip), "sentences": st.lists(st.text())}
    ),
    min_size=1,
    max_size=4,
)


@given(objects, st.booleans())
def test_any_text_is_read_back(
    tmp_path_factory: Any, rows: list[dict[str, Any]], is_list: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    text = json.dumps(rows) if is_list else "".join(f"{json.dumps(row)}\n" for row in rows)
    found = read(path, text)
    assert [(one.question, list(one.candidates)) for one in found.lists] == [
        (row["question"], row["sentences"]) for row in rows
    ]
