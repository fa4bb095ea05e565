"""Tasks that fill answer sheets: their options, a sheet filled, and its validation against a schema."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from answerer.formats.answer_sheet import Expression, Sheet, read_sheet, write_sheet
from answerer.submission import Submission, one_file
from indexer.engines.contract import Index
from indexer.files.errors import UserError, bad_input
from indexer.files.messages import warn
from indexer.languages.language import Language
from indexer.parameters import LANGUAGE, argument, input_path, option

SUBMISSION = "the submission"  # it is not in a file yet
# What the organisers' schema does not know, although their task page prescribes it (summarization runs).
_UNKNOWN_ATTRIBUTES = ("src", "source_id")


def validate(data: bytes, schema: str | Path, sheet: Sheet) -> None:
    """Checks a filled sheet (`data`) against the XML schema in the file `schema`.

    Only errors that the answers add count. Errors that the empty sheet already has are warnings. Of a bilingual sheet
    only the locale of `sheet` is checked, as the schema lacks `locale`; the attributes of the summarization format
    (`src`, `source_id`) are ignored; no network is used. Raises UserError with the line for the first new error, and
    for a schema that cannot be read.
    """
    from lxml import etree

    from indexer.files.xml import SAFE, parse_xml

    try:
        rules = etree.XMLSchema(etree.parse(str(schema), etree.XMLParser(**SAFE)))
    except (OSError, etree.XMLSyntaxError, etree.XMLSchemaParseError) as error:
        raise UserError(f"{schema}: cannot be read as an XML schema ({error})") from None

    def faults(data: bytes, name: str) -> list[tuple[str, str, int]]:
        """The violations in a sheet: path of element names (without positions), message, line number."""
        root = parse_xml(data, name=name)
        for element in list(root.iter("locale")):
            parent = element.getparent()
            if parent is not None:
                for child in list(element) if element.get("id") == sheet.locale else ():
                    element.addprevious(child)
                parent.remove(element)
        for element in root.iter():
            # The schema is older than summarization runs.
            for attribute in _UNKNOWN_ATTRIBUTES:
                element.attrib.pop(attribute, "")
        rules.validate(root)
        entries = cast(Iterable[Any], rules.error_log)
        return [(re.sub(r"\[\d+\]", "", entry.path), entry.message, entry.line) for entry in entries]

    # Faults of the empty sheet are the organisers' own.
    own = faults(sheet.data, sheet.file)
    known = {(path, message) for path, message, _ in own}
    for path, message, line in faults(data, SUBMISSION):
        if (path, message) not in known:
            raise bad_input(SUBMISSION, line, f"does not validate against {schema}", message)
    if own:
        _, message, line = own[0]
        more = f" (and {len(own) - 1} more)" if len(own) > 1 else ""
        warn(f"{sheet.file}:{line}: does not validate against {schema} before answering: {message}{more}")


validate_option = option(
    "--validate",
    "schema",
    metavar="SCHEMA.xsd",
    type=input_path,
    help="Check the output against your copy of the schema.",
)
sheet_argument = argument("source", metavar="SHEET.xml", type=input_path)
language_option = option("--language", type=LANGUAGE, help="The language to answer in [the sheet's].")


def sheet_of(source: str | Sheet, language: Language | None, index: Index | None = None) -> Sheet:
    """Reads a sheet from a file; a `Sheet` is returned unchanged. `language` chooses the locale of a bilingual sheet;
    if None, the language of `index` does. Raises UserError for any other type of `source`."""
    of_index = index.metadata.language if index else None
    if isinstance(source, Sheet):
        return source
    if not isinstance(source, str):
        raise UserError(f"SHEET.xml: expected a file, or what `read_sheet` gave, not {type(source).__name__}")
    return read_sheet(source, language, of_index)


def filled_sheet(
    sheet: Sheet,
    answers: Mapping[str, Sequence[Sequence[Expression]]],
    schema: str | None,
    left: str = "",
    warnings: tuple[str, ...] = (),
    src: str | None = None,
) -> Submission:
    """A sheet filled with answers: section id → expressions of each answer (see `write_sheet`).

    With a reason `left`, a note names the sections without an answer. Raises UserError if the result does not fit the
    XML schema in the file `schema` (None: not checked).
    """
    data = write_sheet(sheet, answers, src)
    if schema is not None:
        validate(data, schema, sheet)
    others = ", ".join(section.section_id for section in sheet.sections if section.section_id not in answers)
    notes = (f"left as they were ({left}): {others}",) if left and others else ()
    return one_file(data, warnings, notes)
