"""What the tasks that fill answer sheets share: the sheet with its index, and the filled sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike, fspath
from typing import Any

import click

from answerer.formats.answer_sheet import Expression, Sheet, read_sheet, write_sheet
from answerer.options import index_option, language_option, model_option, output_options
from answerer.run import one_file
from indexer.cli.types import InputFile, in_order
from indexer.engines.contract import Index
from indexer.files.errors import UserError
from indexer.files.validation import FileName
from indexer.languages.language import Language
from retriever.opened import AnyIndex, using_index

sheet_argument = click.argument("source", metavar="SHEET.xml", type=InputFile())


def sheet_options(*further: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Decorator that adds the sheet and the options of a task that writes essays or passages from a
    textbook; `further` are those of the task, which come behind --index."""
    return in_order(
        sheet_argument,
        index_option("textbook-LANGUAGE of the sheet"),
        *further,
        language_option("The language to answer in [the sheet's]."),
        model_option,
        output_options(searches=True),
    )


def sheet_of(
    source: FileName | Sheet, language: Language | None, of_bilingual: Language | None = None
) -> Sheet:
    """Reads a sheet from a file; a `Sheet` is returned unchanged. `language` chooses the locale of
    a bilingual sheet; if None, `of_bilingual` does. Raises UserError for any other type of
    `source`."""
    if isinstance(source, Sheet):
        return source
    if not isinstance(source, str | PathLike):
        raise UserError(
            f"SHEET.xml: expected a file, or what `read_sheet` gave, not {type(source).__name__}"
        )
    return read_sheet(fspath(source), language, of_bilingual)


@contextmanager
def sheet_and_index(
    source: FileName | Sheet,
    index: AnyIndex | None,
    language: Language | None,
) -> Iterator[tuple[Sheet, Index]]:
    """Context manager with a sheet and the open textbook index that it is answered from: `index`,
    else `textbook-LANGUAGE` of the sheet.

    A bilingual sheet is read in `language`, else in that of `index`. Raises UserError if the
    languages of sheet and index differ.
    """
    if index is None:
        sheet = sheet_of(source, language)
        with using_index(f"textbook-{sheet.language}", "textbook", sheet.language) as opened:
            yield sheet, opened
        return
    with using_index(index, "textbook", language) as opened:
        sheet = sheet_of(source, language, opened.metadata.language)
        with using_index(opened, "textbook", sheet.language):
            yield sheet, opened


def require_essays(sheet: Sheet) -> Sheet:
    """The sheet; raises UserError if no section asks for an essay."""
    if not sheet.essays:
        raise UserError(
            f"{sheet.file}: no section asks for an essay; `classical-qa answer ntcir-term` "
            f"answers term "
            f"questions"
        )
    return sheet


def filled_sheet(
    sheet: Sheet, answers: Mapping[str, Sequence[Sequence[Expression]]], reason: str
) -> tuple[dict[str, bytes], list[str]]:
    """The file of a sheet with `answers` (section id → the expressions of each answer), and a note,
    [] for none, that names the sections not in `answers`; `reason` says why these are left."""
    others = [section.section_id for section in sheet.sections if section.section_id not in answers]
    notes = [f"left as they were ({reason}): {', '.join(others)}"] if others else []
    return one_file(write_sheet(sheet, answers)), notes
