"""Sections of a gold answer sheet that have texts, beside what a run answers them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from answerer.formats.answer_sheet import Section, Sheet, language_answered, read_sheet, read_sheets
from evaluation.registry import GoldAnswer
from evaluation.run_checks import check_ids
from indexer.files.errors import UserError
from indexer.files.messages import first_few, warn
from indexer.files.xml import other_root
from indexer.languages.language import Language

Kind = Callable[[Sheet], Sequence[Section]]
"""The sections of a sheet that a task asks."""


def beside_run(
    gold_path: str | Path, run_path: str | Path, language: Language | None, kind: Kind, wanted: str
) -> tuple[Sheet, list[tuple[Section, Section | None]]]:
    """The gold, and its sections of a kind that have texts in their order, each with the run's; `wanted` names them.

    UserError where the gold has none, and where the run has none of them. A warning for what one of the two lacks.
    """
    of_run = language_answered(gold_path, run_path)
    gold, run = read_sheet(gold_path, language, of_run), read_sheet(run_path, language, of_run)
    found = [(section, run.section(section.section_id)) for section in kind(gold) if section.texts]
    if not found:
        raise UserError(f"{gold_path}: no {wanted}; expected an answer sheet with its expressions")
    if all(answered is None for _, answered in found):
        raise UserError(f"{run_path}: shares no section with {gold_path}; expected the same section ids")
    answered_in_run = [one.section_id for one in kind(run) if one.texts]
    check_ids(gold_path, run_path, [one.section_id for one, _ in found], answered_in_run, "sections")
    if partly := [one.section_id for one, _ in found if not all(answer.texts for answer in one.answers)]:
        warn(f"{gold_path}: some answers have no gold and are not scored in {first_few(partly)}")
    return gold, found


def gold(path: Path, language: Language | None) -> Iterator[GoldAnswer]:
    """The expressions of every section of a sheet, of a bilingual one in that language."""
    for section in read_sheet(path, language).sections:
        yield GoldAnswer(section.section_id, section.texts)


def ids_asked(path: Path, gold: bool, language: Language | None, kind: Kind) -> frozenset[str]:
    """The ids of a sheet's sections of a kind, of gold those with texts, in whatever language of a bilingual one where
    none is given; none of another file."""
    if other_root(path, ("answer_sheet",)):
        return frozenset()
    sections = [one for sheet in read_sheets(path, language) for one in kind(sheet)]
    return frozenset(one.section_id for one in sections if not gold or one.texts)
