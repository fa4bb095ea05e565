"""The OpenAPI file is valid, is what the server serves, and describes what really comes and
goes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import validate

from answerer.asking.kinds import KINDS
from answerer.ntcir.multiple_choice.methods import exam_methods
from answerer.registry import tasks
from answerer.serve.requests import api_description
from tests.answerer.serve.server import post, request, sent, serving

pytestmark = pytest.mark.process

DESCRIPTION: dict[str, Any] = api_description()
SCHEMAS = DESCRIPTION["components"]["schemas"]
ASKED_FOR: list[tuple[str, dict[str, Any]]] = [
    ("Reply", {"question": "Who built the Taj Mahal?"}),
    (
        "Reply",
        {
            "question": "Who built the Taj Mahal?",
            "choices": ["Akbar", "Ashoka"],
            "evidence": True,
            "k": 1,
        },
    ),
    ("FileReply", sent("dbqa.dev.txt")),
    ("FileReply", sent("questions-en.txt", evidence=True)),
    ("FileReply", {**sent("essay-en.gold.xml"), "more": [sent("essay-en.xml")["file"]]}),
    ("FileReply", sent("sample-exam-en.xml", task="ntcir-mc", method="slqal", evidence=True)),
]


def fits(value: object, name: str) -> bool:
    """Whether a value is as the schema of that name describes it."""
    schema = {"$ref": f"#/components/schemas/{name}", "components": DESCRIPTION["components"]}
    return bool(OAS31Validator(schema).is_valid(value))


@pytest.fixture(scope="module")
def port(book: str) -> Iterator[int]:
    with serving([book]) as port:
        yield port


def test_it_is_valid_and_served(port: int) -> None:
    validate(DESCRIPTION)
    assert request(port, "GET", "/openapi.json").value == DESCRIPTION


def test_its_lists_are_those_of_the_program() -> None:
    asked = SCHEMAS["Question"]["properties"]
    assert asked["method"]["enum"] == list(exam_methods())
    assert SCHEMAS["Reply"]["properties"]["kind"]["enum"] == list(KINDS)
    assert SCHEMAS["File"]["properties"]["task"]["enum"] == list(tasks())
    told = "200 400 403 408 411 413 415 421 422 500 503 504".split()
    assert DESCRIPTION["paths"]["/answer"]["post"]["responses"].keys() == set(told)


@pytest.mark.parametrize(("name", "asked"), ASKED_FOR)
def test_answers_are_as_described(port: int, name: str, asked: dict[str, Any]) -> None:
    requests_ = {"Reply": "Question", "FileReply": "File"}
    assert [other for other in requests_.values() if fits(asked, other)] == [requests_[name]]
    assert fits(post(port, asked).value, name)
    lines = post(port, asked, Accept="application/x-ndjson").lines
    assert [fits(line, "Line") for line in lines] == [True] * len(lines)


def test_a_refusal_is_as_described(port: int) -> None:
    refused = post(port, {"question": ""}).value
    assert (fits(refused, "Error"), fits({"question": ""}, "Question")) == (True, False)
