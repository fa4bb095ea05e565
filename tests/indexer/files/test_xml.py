"""Reading XML from strangers: encodings that lie, entities, depth, and where the errors point."""

from __future__ import annotations

import io
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.files import xml
from indexer.files.errors import UserError
from indexer.files.xml import parse_xml, root_element, xml_pieces
from indexer.sources.textbook.wikipedia import dump_pages
from tests.refusals import raises_at

TEXT = "日本語の世界史、①アテネ"


def text_of(data: bytes) -> str:
    return "".join(map(str, parse_xml(data).itertext()))


@pytest.mark.parametrize(
    "actual", ["utf-8", "utf-8-sig", "cp932", "euc-jp", "iso-2022-jp", "utf-16"]
)
@pytest.mark.parametrize("declared", ["UTF-8", "Shift_JIS", "no-such-encoding"])
def test_the_bytes_decide_not_the_declaration(actual: str, declared: str) -> None:
    text = "日本語の世界史、アテネ"
    data = f'<?xml version="1.0" encoding="{declared}"?>\n<exam>{text}</exam>'.encode(actual)
    assert text_of(data) == text


def test_a_declared_encoding_is_followed_where_the_bytes_are_not_utf8() -> None:
    data = '<?xml version="1.0" encoding="ISO-8859-1"?><a>Encyclopédie</a>'.encode("latin-1")
    assert text_of(data) == "Encyclopédie"


def test_mojibake_that_decodes_is_kept() -> None:
    assert text_of("<a>From \ufffd@~\ufffdE below</a>".encode()) == "From \ufffd@~\ufffdE below"


def test_broken_utf8_stops_with_file_and_line() -> None:
    data = f"<a>\n{TEXT * 9}\n".encode() + b"\x81</a>"
    with raises_at("exam.xml", 3):
        parse_xml(data, name="exam.xml")


def test_comments_and_instructions_are_no_text() -> None:
    assert text_of(b"<a>x<!-- &no; <!ENTITY -->y<?pi z?>w</a>") == "xyw"


def test_entities_of_xml_are_read_and_cdata_is_left_alone() -> None:
    assert text_of(b"<a>&#160;&amp;<![CDATA[&nbsp;]]></a>") == "\xa0&&nbsp;"


@pytest.mark.parametrize(
    "declaration",
    [
        '<!ENTITY x "y">',
        '<!ENTITY x SYSTEM "file:///etc/passwd">',
        '<!ENTITY % p SYSTEM "http://127.0.0.1/x.dtd"> %p;',
    ],
)
def test_declared_entities_are_refused(declaration: str) -> None:
    with pytest.raises(UserError, match="entity"):
        parse_xml(f"<!DOCTYPE a [\n{declaration}]><a b='&x;'>text</a>".encode(), name="e.xml")


def test_an_unknown_entity_is_refused() -> None:
    with raises_at("e.xml", 3):
        parse_xml(b'<!DOCTYPE a SYSTEM "a.dtd">\n<a>\n&x;</a>', name="e.xml")


def test_a_dtd_is_never_read(tmp_path: Path) -> None:
    dtd = tmp_path / "torobo.dtd"
    dtd.write_text("<!ELEMENT a EMPTY><!ATTLIST a made CDATA 'up'>")
    root = parse_xml(f'<!DOCTYPE a SYSTEM "{dtd}"><a>text</a>'.encode())
    assert (root.text, dict(root.attrib)) == ("text", {})


def test_deep_nesting_is_refused() -> None:
    with raises_at("deep.xml", 1):
        parse_xml(b"<a>" * 300 + b"</a>" * 300, name="deep.xml")


def test_a_huge_file_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(xml, "QUESTION_LIMIT", 10)
    file = tmp_path / "big.xml"
    file.write_bytes(b"<a>" + b"x" * 10 + b"</a>")
    with raises_at(file):
        parse_xml(file)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", r"^f\.xml: empty file; expected XML$"),
        (b"plain text", r"^f\.xml:1: not XML \("),
        (b"\n\n<a>\n<b></a>", r"^f\.xml:4: not XML \(</a> does not end <b> of line 4"),
        (b"\n<b/>", r"^f\.xml:2: the root element is <b>; expected <exam> or <answerTable>$"),
    ],
)
def test_what_is_no_xml_is_named(data: bytes, message: str) -> None:
    with pytest.raises(UserError, match=message):
        parse_xml(data, ("exam", "answerTable"), "f.xml")


@pytest.mark.parametrize(
    "opened", ["<!--", "<![CDATA[", "&", "&a", "<", "<?xml ", "<!ENTITY", "<!DOCTYPE"]
)
def test_what_is_opened_again_and_again_takes_no_time(opened: str) -> None:
    """A tenth of this took 22 seconds of the processor where every beginning was searched to the
    end."""
    start = time.process_time()
    with pytest.raises(UserError):
        parse_xml(f"<exam>{opened * (1_000_000 // len(opened))}</exam>".encode(), name="e.xml")
    assert time.process_time() - start < 5


def test_a_missing_file_is_one_line() -> None:
    with raises_at("no/such.xml"):
        parse_xml("no/such.xml")


def test_name_spaces_do_not_matter() -> None:
    assert parse_xml(b'<e:exam xmlns:e="urn:x"><e:q/></e:exam>', ("exam",))[0].tag == "q"


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_parse_or_are_refused_in_one_line(data: bytes) -> None:
    try:
        outcome = f"any.xml: read {parse_xml(data, name='any.xml').tag}"
    except UserError as error:
        outcome = str(error)
    assert outcome.startswith("any.xml")


def test_the_fault_of_a_file_is_not_that_of_the_file_before(tmp_path: Path) -> None:
    with pytest.raises(SyntaxError):
        list(xml_pieces(io.BytesIO(b"<a>\n\n&x;</a>"), ("b",)))
    (tmp_path / "empty.xml").touch()
    with raises_at("empty.xml", 1):
        root_element(tmp_path / "empty.xml")


def test_a_dump_of_an_odd_name_space_is_no_traceback(tmp_path: Path) -> None:
    text = (
        "<mediawiki xmlns='a}b'><siteinfo><namespaces/></siteinfo>" + " " * 100_000 + "</mediawiki>"
    )
    (tmp_path / "dump.xml").write_text(text, "utf-8")
    with raises_at("dump.xml", 1):
        list(dump_pages(str(tmp_path / "dump.xml")))


def test_a_prefix_of_no_name_space_is_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text("<a ss:ID='1' />" + " " * 100_000, "utf-8")
    assert root_element(tmp_path / "a.xml") == ("a", 1, {"ss:ID": "1"})
