"""A number with a unit, as a choice: where a book has it, and where only its number."""

from __future__ import annotations

from pathlib import Path

import pytest

from answerer.asking.command import ask
from answerer.ntcir.multiple_choice.validation.amounts import amount_in, stands_in
from indexer import build_textbook
from indexer.engines.opening import open_index


@pytest.mark.parametrize(
    ("choice", "amount"),
    [
        ("22 metres", ("22", "metre")),
        ("22 m", ("22", "metre")),
        ("22m", ("22", "metre")),
        ("about twenty-two meters", ("22", "metre")),
        ("7 %", ("7", "percent")),
        ("Seven per cent", ("7", "percent")),
        ("12 square kilometres", ("12", "kilometre")),
        ("6 feet", ("6", "foot")),
        ("8 million people", ("8000000", "people")),
        ("41", None),
        ("1848 Revolution", None),
        ("5 to 8", None),
        ("12 men in a boat", None),
        ("the mayor", None),
        ("?", None),
        ("", None),
    ],
)
def test_the_amount_of_a_choice(choice: str, amount: tuple[str, str] | None) -> None:
    assert amount_in(choice) == amount


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("It stands forty-one metres above the water.", True),
        ("It stands 41 m above the water.", True),
        ("It is 41 to 43 metres high.", True),
        ("A wall of 41 long metres.", True),
        ("A 41-metre wall.", True),
        ("It has 41 arches and stands 22 metres high.", False),
        ("It has 41 arches, 22 metres high.", False),
        ("It is 41.5 metres high.", False),
        ("Its metres are 41.", False),
    ],
)
def test_a_number_stands_with_its_unit(text: str, stands: bool) -> None:
    assert stands_in(("41", "metre"), text) == stands


@pytest.mark.parametrize(
    "book",
    [
        "The Corven Viaduct crosses the gorge on twenty-two arches. It is built of sandstone and "
        "stands 41 metres above the water.",
        "On its twenty-two arches the Corven Viaduct stands 41 m above the gorge.",
    ],
)
@pytest.mark.parametrize("unit", ["metres", "m"])
def test_the_number_of_something_else_does_not_answer(tmp_path: Path, book: str, unit: str) -> None:
    documents = [
        {"title": "Bridges", "text": book},
        {"title": "Boats", "text": "Four boats lie in the harbour of Ansel."},
    ]
    built = build_textbook(documents, tmp_path / "index", language="en")
    choices = [f"{number} {unit}" for number in (22, 38, 41)]
    reply = ask("How high is the Corven Viaduct?", open_index(built.address), choices=choices)
    says = {answer.text: answer.reason for answer in reply.answers}
    assert reply.answers[0].text == f"41 {unit}"
    assert says[f"41 {unit}"].startswith("its words stand near the question's in")
    assert says[f"22 {unit}"].startswith("no passage says so")
