"""Questions of a gold file as a run answered them: what tasks give to reports, comparisons and overviews."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from answerer.formats.answer_sheet import Section, Sheet, language_answered, read_sheet, read_sheets
from answerer.trace import TraceQuestion
from evaluation.registry import GoldAnswer
from evaluation.runs import check_ids, unlike
from indexer.files.errors import UserError
from indexer.files.messages import first_few, warn
from indexer.files.xml import other_root
from indexer.languages.language import Language


class ReportedQuestion(NamedTuple):
    """A question of the gold as one run answered it; `question_id` (and `exam`) are those of the trace.

    `score` is what runs are compared by, higher is better, `gold` the right answers as texts, `gold_ids` the ids of
    the right candidates where these come with the question; `spellings` the ways to write each right answer, compared
    as terms are, where it has several. `worth` are its points, where questions have some.
    `chance` is the score that guessing has on average; None where nothing is guessed among given candidates, or the
    gold does not tell how many there are. `kinds`: name of a division of the questions → this question's class.
    """

    question_id: str
    score: float
    gold: Sequence[str] = ()
    gold_ids: frozenset[str] = frozenset()
    answer: str = ""
    text: str = ""
    exam: str = ""
    worth: float | None = None
    chance: float | None = None
    kinds: Mapping[str, str] = {}
    spellings: Sequence[Sequence[str]] = ()


class Reported(NamedTuple):
    """A run's questions in the order of the gold. `measure` names the score.

    `chosen_among` says that a right answer is one of the choices that the question gives.
    """

    measure: str
    questions: Sequence[ReportedQuestion]
    chosen_among: bool = False


def names_of(questions: Sequence[ReportedQuestion]) -> list[str]:
    """What each question is called: its id, with the exam where there are several, numbered where it comes again."""
    several = len({one.exam for one in questions}) > 1
    return list(unlike([f"{one.exam} {one.question_id}" if several else one.question_id for one in questions]))


def scores_of(reported: Reported) -> dict[str, float]:
    """The score of each question by its name."""
    return dict(zip(names_of(reported.questions), (one.score for one in reported.questions), strict=True))


def rows_by_question(asked: Iterable[tuple[str, str]], rows: Iterable[TraceQuestion]) -> list[TraceQuestion | None]:
    """The trace's row of every question, by exam and id; one asked again takes the next row of its name.

    None where the trace has none; a row that names no exam is for any, and a question of no exam for the rows of all.
    """
    asked = list(asked)
    named = any(exam for exam, _ in asked)
    waiting: dict[tuple[str, str], list[TraceQuestion]] = {}
    for row in rows:
        waiting.setdefault((row.exam if named else "", row.question_id), []).append(row)
    found: list[TraceQuestion | None] = []
    for exam, question_id in asked:
        own = waiting.get((exam, question_id)) or waiting.get(("", question_id)) or []
        found.append(own.pop(0) if own else None)
    return found


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
