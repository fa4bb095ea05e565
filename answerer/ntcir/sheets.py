"""Tasks that fill answer sheets: their options, a sheet filled, and its validation against a schema."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from answerer.formats.answer_sheet import Expression, Sheet, read_sheet, write_sheet
from indexer.engines.contract import Index
from indexer.files.errors import UserError, bad_input
from indexer.files.messages import warn
from indexer.languages.language import Language
from indexer.parameters import LANGUAGE, InputPath, argument, option

if TYPE_CHECKING:
    from lxml import etree

SUBMISSION = "the submission"  # it is not in a file yet
# What the organisers' schema does not know, although their task page prescribes it (summarization runs).
_UNKNOWN_ATTRIBUTES = ("src", "source_id")


class _Fault(NamedTuple):
    """A violation of the schema: path of element names from the root (without positions), message, line number."""

    path: str
    message: str
    line: int


def validate(data: bytes, schema: str | Path, sheet: Sheet) -> None:
    """Checks a filled sheet (`data`) against the XML schema in the file `schema`.

    Only errors that the answers add count. Errors that the empty sheet already has are warnings. Of a bilingual sheet
    only the locale of `sheet` is checked, as the schema lacks `locale`; the attributes of the summarization format
    (`src`, `source_id`) are ignored; no network is used. Raises UserError with the line for the first new error, and
    for a schema that cannot be read.
    """
    from lxml import etree

    from indexer.files.xml import SAFE

    parser = etree.XMLParser(**SAFE)
    try:
        rules = etree.XMLSchema(etree.parse(str(schema), parser))
    except (OSError, etree.XMLSyntaxError, etree.XMLSchemaParseError) as error:
        raise UserError(f"{schema}: cannot be read as an XML schema ({error})") from None
    # Faults of the empty sheet are the organisers' own.
    given = _faults(sheet.data, sheet.file, sheet.locale, rules)
    own = {(fault.path, fault.message) for fault in given}
    for fault in _faults(data, SUBMISSION, sheet.locale, rules):
        if (fault.path, fault.message) not in own:
            raise bad_input(SUBMISSION, fault.line, f"does not validate against {schema}", fault.message)
    if given:
        more = f" (and {len(given) - 1} more)" if len(given) > 1 else ""
        warn(
            f"{sheet.file}:{given[0].line}: does not validate against {schema} before answering: "
            f"{given[0].message}{more}"
        )


def _faults(data: bytes, name: str, locale: str | None, rules: etree.XMLSchema) -> list[_Fault]:
    """The schema errors of a sheet, checked as if it had only the given `locale`; `name` is for messages.

    Attributes that the schema does not know (`_UNKNOWN_ATTRIBUTES`) are removed before.
    """
    from indexer.files.xml import parse_xml

    root = parse_xml(data, name=name)
    for element in list(root.iter("locale")):
        parent = element.getparent()
        if parent is not None:
            for child in list(element) if element.get("id") == locale else ():
                element.addprevious(child)
            parent.remove(element)
    for element in root.iter():
        # The schema is older than summarization runs.
        for attribute in _UNKNOWN_ATTRIBUTES:
            if attribute in element.attrib:
                del element.attrib[attribute]
    rules.validate(root)
    entries = cast(Iterable[Any], rules.error_log)
    return [_Fault(re.sub(r"\[\d+\]", "", entry.path), entry.message, entry.line) for entry in entries]


validate_option = option(
    "--validate",
    "schema",
    metavar="SCHEMA.xsd",
    type=InputPath(),
    help="Check the output against your copy of the schema.",
)
sheet_argument = argument("source", metavar="SHEET.xml", type=InputPath())
language_option = option("--language", type=LANGUAGE, help="The language to answer in [the sheet's].")


def sheet_of(source: str | Sheet, language: Language | None, index: Index | None = None) -> Sheet:
    """Reads a sheet from a file; a `Sheet` is returned unchanged.

    `language` chooses the locale of a bilingual sheet; if None, the language of `index` does. Raises UserError for any
    other type of `source`.
    """
    of_index = index.metadata.language if index else None
    if isinstance(source, Sheet):
        return source
    if not isinstance(source, str):
        raise UserError(f"SHEET.xml: expected a file, or what `read_sheet` gave, not {type(source).__name__}")
    return read_sheet(source, language, of_index)


def left_as_they_were(sheet: Sheet, answers: Mapping[str, object], why: str) -> tuple[str, ...]:
    """The note that names the sections of a sheet without an answer, if there are any."""
    left = [section.section_id for section in sheet.sections if section.section_id not in answers]
    return (f"left as they were ({why}): {', '.join(left)}",) if left else ()


def fill_sheet(
    sheet: Sheet, answers: Mapping[str, Sequence[Sequence[Expression]]], schema: str | None, src: str | None = None
) -> bytes:
    """The bytes of a sheet filled with answers: section id → expressions of each answer (see `write_sheet`).

    Raises UserError if the result does not fit the XML schema in the file `schema` (None: not checked).
    """
    data = write_sheet(sheet, answers, src)
    if schema is not None:
        validate(data, schema, sheet)
    return data
