"""What the tasks that fill answer sheets share: their options, and a sheet filled and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from answerer.formats.answer_sheet import Expression, Sheet, read_sheet
from answerer.formats.answer_sheet_writer import write_sheet
from answerer.formats.schema import validate
from indexer.cli.parameters import LANGUAGE, InputPath
from indexer.engines.contract import Index
from indexer.files.errors import UserError
from indexer.languages.language import Language

validate_option = click.option(
    "--validate",
    "schema",
    metavar="SCHEMA.xsd",
    type=InputPath(),
    help="Check the output against your copy of the schema.",
)
sheet_argument = click.argument("source", metavar="SHEET.xml", type=InputPath())
language_option = click.option("--language", type=LANGUAGE, help="The language to answer in [the sheet's].")


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


def filled(
    sheet: Sheet, answers: Mapping[str, Sequence[Sequence[Expression]]], schema: str | None, src: str | None = None
) -> bytes:
    """A sheet with new expressions (those of each answer of each section id; see `write_sheet`).

    UserError where it does not fit the schema given.
    """
    data = write_sheet(sheet, answers, src)
    if schema is not None:
        validate(data, schema, sheet)
    return data
