"""Validation of XML against an XML schema of the user's, as safely as XML is read: no DTD, no
entities, no network."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from indexer.files.errors import bad_input, one_line, visible
from indexer.files.plain_faults import schema_fault
from indexer.files.xml import line_of, parse_xml

if TYPE_CHECKING:
    from lxml import etree

_XSD = "{http://www.w3.org/2001/XMLSchema}"
_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_REFERRING = ("include", "import", "redefine", "override")
_REMOTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:|//|\\\\")  # a URL of any kind, or a network path


def read_schema(path: Path) -> etree.XMLSchema:
    """Reads an XML schema, and those beside it that it includes, imports or redefines.

    Raises UserError, with file and line, for a file that is not a schema, one with a DTD's
    entities or `xml:base`, and a reference to a schema that is not a file of this machine: nothing
    is fetched.
    """
    from lxml import etree

    for_lxml: Any = etree
    pending, seen = [path], {path.resolve()}
    while pending:
        current = pending.pop()
        root = parse_xml(current, namespaces=True)
        if root.tag != f"{_XSD}schema":
            what = f"the root element is <{visible(str(root.tag))}>"
            raise bad_input(current, line_of(root), what, "expected an XML schema, <xs:schema>")
        moved = next((node for node in root.iter() if node.get(_BASE) is not None), None)
        if moved is not None:
            what = "xml:base moves the files that it refers to"
            raise bad_input(current, line_of(moved), what, "remove the attribute")
        for element in root.iter(*(f"{_XSD}{name}" for name in _REFERRING)):
            location = (element.get("schemaLocation") or "").strip()
            if _REMOTE.match(location):
                what = f"refers to {location}, which is not fetched"
                remedy = "save it beside the schema, and name it there"
                raise bad_input(current, line_of(element), what, remedy)
            if not location:
                continue
            referred = current.parent / location
            if not referred.is_file():
                what = f"refers to {location}, which does not lie beside it"
                raise bad_input(current, line_of(element), what)
            if referred.resolve() not in seen:
                seen.add(referred.resolve())
                pending.append(referred)
    # By its path, so that the files beside it are found; all of them were read above.
    parser = for_lxml.XMLParser(resolve_entities=False, load_dtd=False, no_network=True)
    try:
        schema: etree.XMLSchema = for_lxml.XMLSchema(for_lxml.parse(os.fsencode(path), parser))
    except OSError:  # which libxml2 makes of bytes that are not in the encoding
        raise bad_input(path, None, "not a schema in its encoding", "save it as UTF-8") from None
    except (for_lxml.XMLSchemaParseError, for_lxml.XMLSyntaxError) as error:
        entry = next(iter(error.error_log), None)
        line, message = (entry.line, entry.message) if entry else (None, str(error))
        raise bad_input(path, line, f"not a valid schema ({_plain_fault(message)})") from None
    return schema


def schema_problems(schema: etree.XMLSchema, path: str | Path) -> list[str]:
    """What a schema does not allow in an XML file, in the file's order: `line 3: …`; [] for a valid
    file. A schema that the file itself names is not used. Raises UserError if the file cannot be
    read or is not XML (`parse_xml`)."""
    root = parse_xml(path, namespaces=True)
    # libxml2 does not load what the file names as its schema, where it is given one.
    validator: Any = schema
    validator.validate(root)
    return [f"line {entry.line}: {_plain_fault(entry.message)}" for entry in validator.error_log]


def _plain_fault(message: str) -> str:
    """A message of the validator in plain words, on one line of at most 1,000 characters: a
    schema's pattern can be very long."""
    return one_line(schema_fault(" ".join(message.split())))
