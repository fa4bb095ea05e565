"""Who may ask: this machine's names for the server, its own page, and programs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.answerer.serve.server import post, request, serving

pytestmark = pytest.mark.process

QUESTION = {"question": "In which town did Shah Jahan build the Taj Mahal?"}


@pytest.fixture(scope="module")
def port(book: str) -> Iterator[int]:
    with serving([book]) as port:
        yield port


def test_a_program_on_this_machine_may_ask(port: int) -> None:
    assert post(port, QUESTION).value["answers"][0]["text"] == "Agra"


@pytest.mark.parametrize("name", ["localhost", "LOCALHOST", "127.0.0.1", "[::1]"])
def test_the_server_has_these_names(port: int, name: str) -> None:
    assert request(port, "GET", "/openapi.json", headers={"Host": f"{name}:{port}"}).status == 200


@pytest.mark.parametrize(
    "host",
    ["rebound.example", "localhost.rebound.example", "localhost", "127.0.0.1:1", "", "192.0.2.1"],
)
@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/"), ("GET", "/openapi.json"), ("POST", "/answer")]
)
def test_a_name_that_another_made_for_it_is_refused(
    port: int, host: str, method: str, path: str
) -> None:
    told = request(port, method, path, b"{}", {"Host": host, "Content-Type": "application/json"})
    assert told.status in (400, 421)  # an empty name never comes as far as us
    assert b"classical-qa</h1>" not in told.body


@pytest.mark.parametrize(
    "origin",
    ["http://other.example", "null", "http://localhost:9001", "https://localhost:9000", ""],
)
def test_pages_of_other_sites_may_not_ask(port: int, origin: str) -> None:
    told = post(port, QUESTION, Origin=origin)
    assert (told.status, "other sites" in told.value["error"]) == (403, True)
    assert "access-control-allow-origin" not in told.headers


def test_a_form_of_another_site_is_refused_even_where_no_origin_comes_with_it(port: int) -> None:
    assert post(port, QUESTION, Sec_Fetch_Site="cross-site").status == 403
    assert post(port, QUESTION, Sec_Fetch_Site="same-site").status == 403
    assert (
        post(port, QUESTION, Sec_Fetch_Site="same-origin", Origin=f"http://127.0.0.1:{port}").status
        == 200
    )


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_what_a_form_can_send_is_no_request(port: int, kind: str) -> None:
    assert (
        request(port, "POST", "/answer", b'{"question": "Who?"}', {"Content-Type": kind}).status
        == 415
    )


@pytest.mark.parametrize("path", ["/", "/openapi.json", "/nothing"])
def test_every_answer_keeps_out_of_other_pages_and_caches(port: int, path: str) -> None:
    headers = request(port, "GET", path).headers
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert (headers["x-content-type-options"], headers["cache-control"]) == ("nosniff", "no-store")
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "server" not in headers


def test_it_listens_to_this_machine_only(port: int) -> None:
    wanted = f"{port:04X}"
    with open("/proc/net/tcp") as lines:  # noqa: PTH123
        listening = [line.split()[1] for line in lines if line.split()[3] == "0A"]
    assert [place for place in listening if place.endswith(f":{wanted}")] == [f"0100007F:{wanted}"]
