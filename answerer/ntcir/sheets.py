"""Tasks that fill answer sheets: their options, a sheet filled, and its validation against a schema."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from answerer.formats.answer_sheet import Expression, Sheet, read_sheet
from answerer.formats.answer_sheet_writer import write_sheet
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
    """Something that the schema does not allow: in which elements (their names, from the root on), and where."""

    path: str
    message: str
    line: int


def validate(data: bytes, schema: str | Path, sheet: Sheet) -> None:
    """Raises UserError, with the line of the submission, for errors that the answers add under the schema.

    Errors of the empty sheet itself are warnings. Of a bilingual sheet the language of the answers is checked alone,
    for the schema does not know `locale`. The attributes of the summarization format
    (`src`, `source_id`) are left out of the check; no network is used.
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
    """Errors of a sheet under the schema, with its one locale in the place of all."""
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
    """The sheet of a file, or one that was read before; of a bilingual one, where no language is given, what is in the
    language of the index that answers."""
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
    """A sheet with new expressions (those of each answer of each section id; see `write_sheet`).

    Raises UserError if it does not fit the schema given.
    """
    data = write_sheet(sheet, answers, src)
    if schema is not None:
        validate(data, schema, sheet)
    return data
