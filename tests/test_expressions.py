"""No regular expression of the rooms takes time beyond measure: each is tried on the texts made to
make it."""

from __future__ import annotations

import re

import pytest

from indexer.sandbox import Sandbox, WorkerDiedError
from tests.expressions import expressions, hostile_texts, tried_one
from tests.extended import ROOMS

pytestmark = pytest.mark.process

SECONDS = (
    10  # of the processor for the texts of one expression; one of exponential time takes years
)


@pytest.mark.parametrize("room", ROOMS)
def test_no_expression_takes_exponential_time(room: str) -> None:
    tried: list[str] = []
    with Sandbox(tried_one, seconds=SECONDS) as worker:
        for expression in expressions(room).values():
            try:
                tried += worker(expression)
            except WorkerDiedError as error:
                pytest.fail(f"{tried[-1]}: {error}")
    assert tried


@pytest.mark.parametrize("written", [r"x(?:[a-z]+\s?)*\d", r"(?:(?:a|aa)[ ,]*)+"])
def test_one_that_does_is_found(written: str) -> None:
    with (
        Sandbox(tried_one, seconds=1) as worker,
        pytest.raises(WorkerDiedError, match="more than 1 s"),
    ):
        list(worker(re.compile(written)))


def test_texts_repeat_a_piece_after_what_must_stand_before() -> None:
    assert "x" + "a" * 6 + "\x01" in hostile_texts(re.compile(r"x[a-c]+y"), 5)


def test_expressions_are_found_in_values_and_in_calls() -> None:
    found = expressions("indexer")
    assert r"h[1-6]" in found  # a call's, in reports
    assert any("yyyy" in one for one in found)  # a module's
