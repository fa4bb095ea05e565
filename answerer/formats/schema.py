"""Checks a submission against the user's own copy of the organisers' XML schema."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from answerer.formats.answer_sheet import Sheet
from indexer.files.errors import UserError, bad_input
from indexer.files.messages import warn

if TYPE_CHECKING:
    from lxml import etree

SUBMISSION = "the submission"  # it is not in a file yet
# What the organisers' schema does not know, although their task page prescribes it (summarization runs).
_UNKNOWN_ATTRIBUTES = ("src", "source_id")


class _Fault(NamedTuple):
    """Something that the schema does not allow: in which elements (their names, from the root on), and where."""

    path: str
    message: str
    line: int


def validate(data: bytes, schema: str | Path, sheet: Sheet) -> None:
    """UserError, with the line of the submission, for what answers brought in and the schema does not allow.

    What the sheet itself breaks, as it was given, is a warning about the sheet. Of a bilingual sheet its own language
    is checked as if it stood alone, for the schema does not know `locale`. The attributes of the summarization format
    (`src`, `source_id`) are left out of the check; no network is used.
    """
    from lxml import etree

    from indexer.files.xml import SAFE

    parser = etree.XMLParser(**SAFE)
    try:
        rules = etree.XMLSchema(etree.parse(str(schema), parser))
    except (OSError, etree.XMLSyntaxError, etree.XMLSchemaParseError) as error:
        raise UserError(f"{schema}: cannot be read as an XML schema ({error})") from None
    given = _faults(sheet.data, sheet.file, sheet.locale, rules)
    own = {(fault.path, fault.message) for fault in given}
    for fault in _faults(data, SUBMISSION, sheet.locale, rules):
        if (fault.path, fault.message) not in own:
            raise bad_input(SUBMISSION, fault.line, f"does not validate against {schema}", fault.message)
    if given:
        more = f" (and {len(given) - 1} more)" if len(given) > 1 else ""
        warn(f"{sheet.file}:{given[0].line}: does not validate against {schema} as it is: {given[0].message}{more}")


def _faults(data: bytes, name: str, locale: str | None, rules: etree.XMLSchema) -> list[_Fault]:
    """What the schema does not allow in a sheet, its own locale in the place of all."""
    from indexer.files.xml import parse_xml

    root = parse_xml(data, name=name)
    for element in list(root.iter("locale")):
        _put_in_place(element, keep=element.get("id") == locale)
    for element in root.iter():
        for attribute in _UNKNOWN_ATTRIBUTES:
            if attribute in element.attrib:
                del element.attrib[attribute]
    rules.validate(root)
    entries = cast(Iterable[Any], rules.error_log)
    return [_Fault(re.sub(r"\[\d+\]", "", entry.path), entry.message, entry.line) for entry in entries]


def _put_in_place(element: etree._Element, keep: bool) -> None:
    """Replace an element by its children, or by nothing."""
    parent = element.getparent()
    if parent is None:
        return
    for child in list(element) if keep else ():
        element.addprevious(child)
    parent.remove(element)
