"""Checks a submission against the user's own copy of the organisers' XML schema."""

from __future__ import annotations

from pathlib import Path

from indexer.files.errors import UserError, bad_input

# What the organisers' schema does not know, although their task page prescribes it (summarization runs).
_UNKNOWN_ATTRIBUTES = ("src", "source_id")


def validate(data: bytes, schema: str | Path, name: str) -> None:
    """UserError, with the line of the output called `name`, when it does not validate; no network is used.

    The attributes of the summarization format (`src`, `source_id`) are left out of the check.
    """
    from lxml import etree

    from indexer.files.xml import parse_xml

    parser = etree.XMLParser(no_network=True, load_dtd=False, resolve_entities=False)
    try:
        rules = etree.XMLSchema(etree.parse(str(schema), parser))
    except (OSError, etree.XMLSyntaxError, etree.XMLSchemaParseError) as error:
        raise UserError(f"{schema}: cannot be read as an XML schema ({error})") from None
    root = parse_xml(data, name=name)
    for element in root.iter():
        for attribute in _UNKNOWN_ATTRIBUTES:
            if attribute in element.attrib:
                del element.attrib[attribute]
    try:
        rules.assertValid(root)
    except etree.DocumentInvalid as error:
        raise bad_input(name, None, f"does not validate against {schema}", str(error)) from None
