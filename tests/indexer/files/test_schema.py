"""XML validated against a schema of the user's: what it does not allow, with lines, and nothing
fetched."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from indexer.files.errors import UserError
from indexer.files.schema import read_schema, schema_problems
from tests.refusals import raises_at

SCHEMA = """<?xml version="1.0"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
{}
<xs:element name="sheet"><xs:complexType><xs:sequence>
<xs:element name="limit" type="xs:positiveInteger" maxOccurs="unbounded"/>
<xs:any namespace="urn:other" processContents="lax" minOccurs="0"/>
</xs:sequence><xs:attribute name="ver" use="required"/></xs:complexType></xs:element>
</xs:schema>"""


def written(folder: Path, text: str, name: str = "a.xsd") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def problems(folder: Path, text: str) -> list[str]:
    schema = read_schema(written(folder, SCHEMA.format("")))
    return schema_problems(schema, written(folder, text, "run.xml"))


def test_every_fault_is_named_with_its_line(tmp_path: Path) -> None:
    assert problems(tmp_path, '<sheet ver="1"><limit>3</limit></sheet>') == []
    first, second = problems(tmp_path, "<sheet>\n<limit>3</limit>\n<limit>none</limit>\n</sheet>")
    assert first.startswith("line 1: ")
    assert "'ver'" in first
    assert second.startswith("line 3: ")
    assert "'none'" in second


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("<sheet ver='1'/>", "<sheet> ends too early: expected limit in it"),
        ("<sheet ver='1'><a/></sheet>", "<a> is not allowed here: expected limit"),
        ("<sheet><limit>3</limit></sheet>", "<sheet> needs the attribute 'ver'"),
        (
            "<sheet ver='1' day='2'><limit>3</limit></sheet>",
            "<sheet> may not have the attribute 'day': remove it",
        ),
        ("<page/>", "the schema says nothing of <page>: expected another first element"),
    ],
)
def test_a_fault_is_said_in_plain_words(tmp_path: Path, text: str, fault: str) -> None:
    assert problems(tmp_path, text) == [f"line 1: {fault}"]


def test_a_schema_in_several_files_is_read_whole(tmp_path: Path) -> None:
    other = (
        '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="b"/></xs:schema>'
    )
    written(tmp_path, other, "b.xsd")
    path = written(tmp_path, SCHEMA.format('<xs:include schemaLocation="b.xsd"/>'))
    assert schema_problems(read_schema(path), written(tmp_path, "<b/>", "run.xml")) == []


@pytest.mark.parametrize(
    "location", ["http://127.0.0.1:9/b.xsd", "ftp://x/b.xsd", "file:///b.xsd", "//x/b.xsd"]
)
@pytest.mark.parametrize("element", ["include", "import", "redefine"])
def test_a_remote_schema_is_refused(tmp_path: Path, element: str, location: str) -> None:
    path = written(tmp_path, SCHEMA.format(f'<xs:{element} schemaLocation="{location}"/>'))
    with raises_at(path, 3):
        read_schema(path)


def test_a_remote_schema_is_refused_in_an_included_one_too(tmp_path: Path) -> None:
    remote = SCHEMA.format('<xs:import namespace="urn:x" schemaLocation="http://127.0.0.1:9/c"/>')
    written(tmp_path, remote, "b.xsd")
    with raises_at(tmp_path / "b.xsd", 3):
        read_schema(written(tmp_path, SCHEMA.format('<xs:include schemaLocation="b.xsd"/>')))


def test_a_base_that_makes_a_location_remote_is_refused(tmp_path: Path) -> None:
    written(tmp_path, SCHEMA.format(""), "b.xsd")
    reference = '<xs:include xml:base="http://127.0.0.1:9/" schemaLocation="b.xsd"/>'
    with raises_at(tmp_path / "a.xsd", 3):
        read_schema(written(tmp_path, SCHEMA.format(reference)))


@pytest.mark.parametrize(
    "text",
    [
        "<sheet/>",
        "no XML",
        SCHEMA.format('<xs:element name="sheet"/>'),
        SCHEMA.format('<xs:include schemaLocation="none.xsd"/>'),
        '<!DOCTYPE xs:schema [<!ENTITY a "b">]>\n' + SCHEMA.format("").partition("\n")[2],
    ],
    ids=["root", "text", "twice", "missing", "entity"],
)
def test_what_is_no_schema_is_one_clear_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(UserError) as refused:
        read_schema(written(tmp_path, text))
    assert str(refused.value).startswith(f"{tmp_path / 'a.xsd'}:")
    assert "\n" not in str(refused.value)


@pytest.fixture
def asked() -> Iterator[tuple[str, list[str]]]:
    """The address of a server on this machine, and what it was asked for."""
    paths: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            paths.append(self.path)
            self.send_error(404)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", paths
        server.shutdown()


def test_a_file_names_no_schema_for_itself(tmp_path: Path, asked: tuple[str, list[str]]) -> None:
    address, paths = asked
    other = '<o:x xmlns:o="urn:other">{}</o:x>'
    typed = (
        '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:other">'
        '<xs:element name="x" type="xs:integer"/></xs:schema>'
    )
    written(tmp_path, typed, "other.xsd")
    names = (
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:other {}"'
    )
    text = f'<sheet ver="1" {names}><limit>3</limit>{other.format("no number")}</sheet>'
    # The schema of the other elements would refuse their text, if it were read.
    assert problems(tmp_path, text.format((tmp_path / "other.xsd").as_uri())) == []
    assert problems(tmp_path, text.format(f"{address}/other.xsd")) == []
    assert paths == []
