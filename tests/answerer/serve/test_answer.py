"""POST /answer: questions of every form, what is refused and how, and that one request does not
harm another."""

from __future__ import annotations

import http.client
import os
import select
import shutil
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from answerer.serve.pool import ServerLimits
from answerer.serve.served import NO_BOOK
from tests.answerer.serve.server import (
    LONG,
    begun,
    built,
    post,
    request,
    serving,
    status_at_last,
    workers_of,
)

pytestmark = pytest.mark.process

QUESTION = "In which town did Shah Jahan build the Taj Mahal?"
CAPITAL = "Who made Isfahan the capital of Safavid Persia?"
CHOICES = ["Akbar", "Abbas I", "Ashoka"]


@pytest.fixture(scope="module")
def port(book: str) -> Iterator[int]:
    with serving([book]) as port:
        yield port


def test_a_question_gets_what_ask_says(port: int, book: str) -> None:
    told = post(port, {"question": QUESTION, "k": 2}).value
    assert told["answers"][0]["text"] == "Agra"
    assert (len(told["answers"]), told["doubt"], told["address"], told["kind"]) == (
        2,
        "",
        book,
        "textbook",
    )
    assert (
        told["answers"][0]["sources"][0]["text"]
        == "Shah Jahan built the Taj Mahal at Agra as a tomb for his wife."
    )
    assert told.keys() == {"address", "kind", "answers", "doubt"}


def test_the_evidence_comes_where_it_is_asked_for(port: int) -> None:
    told = post(port, {"question": QUESTION, "evidence": True}).value
    assert (told["task"], told["row"]["system"], told["drawn"]["answer"]) == (
        "ntcir-term",
        "Agra",
        "Agra",
    )


def test_choices_are_judged_by_the_method_asked_for(port: int) -> None:
    told = post(
        port, {"question": CAPITAL, "choices": CHOICES, "method": "slqal", "evidence": True}
    )
    assert sorted(answer["text"] for answer in told.value["answers"]) == sorted(CHOICES)
    assert "query" in told.value["row"]["candidates"][0]  # as traces of slqal have it


def test_lines_end_with_the_result(port: int) -> None:
    told = post(port, {"question": QUESTION}, Accept="application/x-ndjson")
    assert told.headers["content-type"] == "application/x-ndjson"
    assert told.lines[-1]["result"]["answers"][0]["text"] == "Agra"


def test_a_refusal_in_lines_is_the_last_line(port: int, own_book: str) -> None:
    with serving([own_book]) as other:
        shutil.rmtree(own_book)
        lines = post(other, {"question": QUESTION}, Accept="application/x-ndjson").lines
    assert (len(lines), lines[0]["status"]) == (1, 422)
    assert lines[0]["error"] == NO_BOOK


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ([], "$: [] is not of type 'object'"),
        ({}, "$: 'question' is a required property"),
        ({"question": " "}, "the question is empty"),
        ({"question": 7}, "$.question: 7 is not of type 'string'"),
        ({"question": "x" * 10_001}, "xxx' is too long"),
        ({"question": "Who?", "choices": ["one"]}, "$.choices: "),
        ({"question": "Who?", "choices": "ab"}, "$.choices: 'ab' is not of type 'array'"),
        ({"question": "Who?", "choices": ["a", ""]}, "a choice is empty"),
        ({"question": "Who?", "choices": ["a"] * 51}, "'a'] is too long"),
        ({"question": "Who?", "index": "/etc"}, "index '/etc' is not served: choose one of "),
        ({"question": "Who?", "index": "http://127.0.0.1:1/x"}, "is not served"),
        ({"question": "Who?", "index": ""}, "$.index is empty"),
        ({"question": "Who?", "index": "/etc"}, "index '/etc' is not served"),
        ({"question": "Who?", "index": 7}, "$.index: 7 is not of type 'string'"),
        ({"question": "Who?", "method": "names"}, "'choices' is a dependency of 'method'"),
        (
            {"question": "Who?", "choices": ["a", "b"], "method": "x"},
            "'x' is not one of ['validation', 'names', 'slqal'",
        ),
        ({"question": "Who?", "k": 0}, "$.k: 0 is less than the minimum of 1"),
        ({"question": "Who?", "k": True}, "$.k: True is not of type 'integer'"),
        ({"question": "Who?", "evidence": "yes"}, "$.evidence: 'yes' is not of type 'boolean'"),
        ({"question": "Who?", "chioces": []}, "('chioces' was unexpected)"),
        ({"question": "Who?", "choices": ["a", "b"], "method": "x" * 5_000}, "xxx' is not one of"),
        ({"a": [[]] * 600_000}, "the body holds more values than any question or file has"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(port: int, value: Any, line: str) -> None:
    told = post(port, value)
    assert (told.status, told.value.keys()) == (400, {"error"})
    assert line in told.value["error"]


@pytest.mark.parametrize(
    "body", [b"", b"{", b"\xff", b"[" * 60_000, b'{"question": "\\ud800"}', b"NaN"]
)
def test_what_is_no_json_is_refused_in_one_line(port: int, body: bytes) -> None:
    told = request(port, "POST", "/answer", body, {"Content-Type": "application/json"})
    assert (told.status, told.value["error"].count("\n")) == (400, 0)


def test_an_index_built_anew_answers_and_one_that_is_gone_is_told(own_book: str) -> None:
    with serving([own_book]) as port:
        assert post(port, {"question": QUESTION}).value["answers"][0]["text"] == "Agra"
        built(Path(own_book), "textbook-en.jsonl")
        assert post(port, {"question": QUESTION}).value["answers"][0]["text"] == "Agra"
        shutil.rmtree(own_book)
        gone = post(port, {"question": QUESTION})
        assert (gone.status, gone.value["error"]) == (422, NO_BOOK)
        built(Path(own_book), "textbook-en.jsonl")
        assert post(port, {"question": QUESTION}).value["answers"][0]["text"] == "Agra"


def test_work_that_takes_too_long_is_ended_and_the_next_is_answered(book: str) -> None:
    with serving([book], ServerLimits(question_seconds=0)) as port:
        told = post(port, {"question": QUESTION})
        assert told.status == 504
    others = workers_of(os.getpid())
    with serving([book]) as port:
        for worker in [one for one in workers_of(os.getpid()) if one not in others]:
            os.kill(worker, signal.SIGKILL)
        first = [post(port, {"question": QUESTION}).status for _ in range(2)]
        assert set(first) <= {200, 500}
        assert post(port, {"question": QUESTION}).value["answers"][0]["text"] == "Agra"


def test_a_request_that_hangs_does_not_stop_the_others(book: str) -> None:
    """One process stands still as if it worked for hours; the other goes on answering, then the
    first is given up."""
    others = workers_of(os.getpid())
    with serving([book], ServerLimits(question_seconds=10)) as port:
        still, goes = (one for one in workers_of(os.getpid()) if one not in others)
        watched = os.pidfd_open(still)  # readable when it has ended
        for worker in (still, goes):
            os.kill(worker, signal.SIGSTOP)
        asked = [
            begun(port, {"question": QUESTION}) for _ in range(6)
        ]  # the first two have a process each
        os.kill(goes, signal.SIGCONT)
        assert sorted(map(status_at_last, asked)) == [200] * 5 + [504]
        assert select.select([watched], [], [], LONG)[0] == [watched]
    os.close(watched)


def test_more_than_may_wait_is_sent_away(book: str) -> None:
    with serving([book], ServerLimits(waiting=-2)) as port:
        told = post(port, {"question": QUESTION})
        assert (told.status, told.value["error"]) == (
            503,
            "too much is under way here: ask again later",
        )


def test_bodies_have_a_size_and_a_time(book: str) -> None:
    with serving([book], ServerLimits(small_body=1000, body=2000, body_seconds=2.0)) as port:
        assert post(port, {"question": "x" * 3000}).status == 413
        headers = {"Content-Type": "application/json", "Transfer-Encoding": "chunked"}
        assert request(port, "POST", "/answer", _chunk(b" " * 1500), headers).status == 411
        slow = http.client.HTTPConnection("127.0.0.1", port)
        slow.putrequest("POST", "/answer")
        slow.putheader("Content-Type", "application/json")
        slow.putheader("Content-Length", "100")
        slow.endheaders(b"{")
        assert slow.getresponse().status == 408
        slow.close()


def test_a_connection_too_many_is_sent_away(book: str) -> None:
    with serving([book], ServerLimits(connections=3)) as port:
        idle = [socket.create_connection(("127.0.0.1", port), timeout=LONG) for _ in range(3)]
        assert request(port, "GET", "/openapi.json").status == 503
        for one in idle:
            one.close()


def test_a_body_that_trickles_holds_no_place(book: str) -> None:
    with serving([book], ServerLimits(small_body=1000, body_seconds=1.0, body_rate=1000)) as port:
        slow = http.client.HTTPConnection("127.0.0.1", port)
        slow.putrequest("POST", "/answer")
        slow.putheader("Content-Type", "application/json")
        slow.putheader("Content-Length", "100000")
        slow.endheaders(b" " * 500)
        assert slow.getresponse().status == 408
        slow.close()


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n0\r\n\r\n" % (len(data), data)


def test_who_leaves_frees_the_process(book: str) -> None:
    """All processes stand still under requests whose clients leave; a new request is answered by
    new processes."""
    others = workers_of(os.getpid())
    with serving([book]) as port:
        still = [one for one in workers_of(os.getpid()) if one not in others]
        for worker in still:
            os.kill(worker, signal.SIGSTOP)
        body = b'{"question": "Who?"}'
        head = (
            f"POST /answer HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        )
        leaving = [socket.create_connection(("127.0.0.1", port)) for _ in still]
        for one in leaving:
            one.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        while request(port, "GET", "/health").value["under_way"] < len(still):
            pass  # the requests are on their way
        for one in leaving:
            one.close()
        assert post(port, {"question": QUESTION}).value["answers"][0]["text"] == "Agra"
