"""Questions of a gold file with a run's answers: the data that tasks give to reports, comparisons
and overviews."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import click

from evaluation.options import (
    format_option,
    interval_option,
    refuse_by_question,
    scored_files_arguments,
)
from evaluation.runs import RunFile, check_ids, gold_of, refuse_in_tree, scored_files, unlike
from evaluation.tables import print_rows
from indexer.cli.types import Command
from indexer.files.errors import UserError
from indexer.files.messages import first_few, warn
from indexer.files.validation import FileName
from indexer.files.xml import other_root

if TYPE_CHECKING:
    from answerer.formats.answer_sheet import Section, Sheet
    from answerer.trace import TraceQuestion
    from evaluation.contract import Figures, Scoring
    from evaluation.runs import AnyRun
    from indexer.languages.language import Language


class ReportedQuestion(NamedTuple):
    """A question of the gold as one run answered it; `question_id` and `exam` ("" for any) are
    those of the trace.

    Runs are compared by `score`, higher is better. `gold` are the right answers as texts,
    `gold_ids` the ids of the right candidates if these come with the question; `spellings` are the
    alternatives of each right answer, compared like terms. `worth` are its points, if questions
    have some. `chance` is the mean score of guessing; None if no candidates are given, or the gold
    lacks their number. `kinds`: name of a division of the questions → this question's class.
    `scores` are those of candidates that come with the question, `labels` whether they are right,
    in file order.

    `measures` (name → value) are averaged over the questions; a row of -q has `cells` (column →
    value), then these. The questions of one `cluster` are alike, and their mean has a standard
    error for that too.

    Read without a run (`gold` of a task's module), a question has no answer and no scores.
    """

    question_id: str
    score: float = 0.0
    gold: Sequence[str] = ()
    gold_ids: frozenset[str] = frozenset()
    answer: str = ""
    text: str = ""
    exam: str = ""
    worth: float | None = None
    chance: float | None = None
    kinds: Mapping[str, str] = {}
    spellings: Sequence[Sequence[str]] = ()
    scores: Sequence[float] = ()
    labels: Sequence[bool] = ()
    measures: Mapping[str, float] = {}
    cells: Mapping[str, object] = {}
    cluster: str = ""

    @property
    def ranking(self) -> list[int]:
        """The positions of the candidates by falling score, equal ones in file order."""
        return sorted(range(len(self.scores)), key=lambda position: -self.scores[position])


class Reported(NamedTuple):
    """A run's questions in the order of the gold. `measure` is the name of the score.

    With `chosen_among` a right answer is one of the choices that the question gives. `others` have
    a row of -q, but no score: no run could be right or wrong.
    """

    measure: str
    questions: Sequence[ReportedQuestion]
    chosen_among: bool = False
    others: Sequence[ReportedQuestion] = ()


def question_classes(
    questions: Sequence[ReportedQuestion], fewest: int = 1, crossed: str = "answer_type"
) -> Iterator[tuple[str, str, Sequence[ReportedQuestion]]]:
    """Yields ("all", "", all questions), then (division, class, its questions) for every class of
    their `kinds`: divisions in order of appearance, classes by name; "" is not a class.

    Divisions with fewer than `fewest` classes are left out. The last division is the product of
    `crossed` and knowledge type, if both have several classes.
    """
    yield "all", "", questions
    names = dict.fromkeys(name for question in questions for name in question.kinds)
    kinds = {name: [question.kinds.get(name, "") for question in questions] for name in names}
    answers, knowledge = kinds.get(crossed, []), kinds.get("knowledge_type", [])
    # The product says more than its factors only where both have several classes.
    if len(set(answers) - {""}) > 1 and len(set(knowledge) - {""}) > 1:
        pairs = zip(answers, knowledge, strict=True)
        kinds["answer × knowledge type"] = [
            f"{answer} × {other}" if answer and other else "" for answer, other in pairs
        ]
    for division, classes in kinds.items():
        values = sorted(set(classes) - {""})
        if len(values) < fewest:
            continue
        of_classes = list(zip(questions, classes, strict=True))
        for value in values:
            yield division, value, [question for question, name in of_classes if name == value]


def measure_rows(
    questions: Sequence[ReportedQuestion], interval: bool, row_of: str = "question"
) -> list[dict[str, object]]:
    """A row for each of the questions' measures: its mean over the questions that have it, its
    standard error and, in the column of the plural of `row_of`, their number; [] without questions.

    `interval` adds the 95 % bootstrap interval. Questions with a `cluster` have the standard error
    by report too, None for a single report.
    """
    from evaluation.significance import clustered_error, estimate

    rows = []
    for name in dict.fromkeys(name for question in questions for name in question.measures):
        having = [question for question in questions if name in question.measures]
        values = [question.measures[name] for question in having]
        whole = estimate(values, bounds=interval)
        row = {
            "measure": name,
            "value": whole.mean,
            "standard error": whole.standard_error,
            f"{row_of}s": len(values),
        }
        row |= {"low": whole.low, "high": whole.high} if interval else {}
        if having[0].cluster:
            row["standard error by report"] = clustered_error(
                values, [question.cluster for question in having]
            )
        rows.append(row)
    return rows


def question_rows(reported: Reported, row_of: str = "question") -> list[dict[str, object]]:
    """The rows of -q, those of `reported.others` last: the id in the first column, called `row_of`,
    of questions `id`, then, of questions alone, the right answers (parted by " ||| ") and the run's
    answer, then cells and measures."""
    rows: list[dict[str, object]] = []
    for question in (*reported.questions, *reported.others):
        row: dict[str, object] = {row_of: question.question_id}
        if row_of == "question":
            # Joined by |||, which KBQA takes for a separator too: a tab would end the column.
            gold = " ||| ".join(question.gold)
            row = {"id": question.question_id, "gold": gold, "system": question.answer}
        rows.append({**row, **question.cells, **question.measures})
    return rows


def printed_tree(
    task: str,
    golds: Sequence[Path],
    run: Path,
    interval: bool,
    form: str,
    single: Mapping[str, object],
) -> bool:
    """Prints the table of a folder of runs (`print_tree`); False for a file, with nothing printed.

    Raises UserError for the first of the options `single` (name → value) whose value is true (not
    empty), since it is for a single run, and as `print_tree` does.
    """
    if not run.is_dir():
        return False
    refuse_in_tree(run, single)
    from evaluation.overview import print_tree

    print_tree(task, golds, run, interval, form)
    return True


def measures_command(
    task: str,
    description: str,
    example: str,
    report_questions: Callable[[Path, RunFile], Reported],
    gold: str = "GOLD...",
    run: str = "RUN|TREE",
    row_of: str = "question",
) -> click.Command:
    """The command of a task whose figures are `measure_rows`: of one run, with -q `question_rows`;
    of a folder of runs the table of `print_tree`. `gold` and `run` are its arguments in the help,
    `description` is the text of that."""

    @click.command(cls=Command, help=description, example=example)
    @scored_files_arguments(gold, run, row_of)
    @interval_option(f"{row_of}s")
    @format_option
    def command(
        golds: tuple[Path, ...], run: Path, by_question: bool, interval: bool, form: str
    ) -> None:
        if printed_tree(task, golds, run, interval, form, {"-q": by_question}):
            return
        refuse_by_question(by_question, interval)
        reported = report_questions(gold_of(golds, run), run)
        print_measures(reported, by_question, interval, form, row_of)

    return command


def print_measures(
    reported: Reported, by_question: bool, interval: bool, form: str, row_of: str = "question"
) -> None:
    """Prints a run's `measure_rows`, or with `by_question` its `question_rows`, in a form of
    `print_rows`."""
    if by_question:
        print_rows(question_rows(reported, row_of), form)
    else:
        print_rows(measure_rows(reported.questions, interval, row_of), form)


def measure_figures(
    task: str,
    report_questions: Callable[[Path, RunFile], Reported],
    gold: FileName,
    run: AnyRun,
    interval: bool,
    row_of: str = "question",
) -> Figures:
    """The `measure_rows` and the `question_rows` of a run, for Python. Raises UserError as
    `scored_files` and `report_questions` do."""
    from evaluation.contract import Figures

    gold_path, run_path, _ = scored_files(task, gold, run)
    reported = report_questions(gold_path, run_path)
    rows = measure_rows(reported.questions, interval, row_of)
    return Figures(task, rows, question_rows(reported, row_of))


def names_of(questions: Sequence[ReportedQuestion]) -> list[str]:
    """The names of questions: their ids, with the exam if there are several; repeated names are
    numbered."""
    # Ids of answer columns begin again with every exam.
    several = len({question.exam for question in questions}) > 1
    return list(
        unlike(
            [
                f"{question.exam} {question.question_id}" if several else question.question_id
                for question in questions
            ]
        )
    )


def read_reported(task: Scoring, gold: Path, runs: Sequence[RunFile]) -> list[Reported]:
    """Reads the questions of a gold as each of the runs (at least one) answered them. Raises
    UserError for a gold without questions, for runs whose questions have different names or
    another order, and as `task.report_questions` does."""
    reports = [task.report_questions(gold, run) for run in runs]
    names = names_of(reports[0].questions)
    if not names:
        raise UserError(f"{gold}: no question in it")
    for run, reported in zip(runs, reports, strict=True):
        if names_of(reported.questions) != names:
            raise UserError(f"{run}: other questions than in {runs[0]}; expected runs of one gold")
    return reports


def scores_of(reported: Reported) -> dict[str, float]:
    """The score of each question by its name."""
    return {
        name: question.score
        for name, question in zip(names_of(reported.questions), reported.questions, strict=True)
    }


def rows_by_question(
    questions: Sequence[ReportedQuestion], rows: Iterable[TraceQuestion]
) -> list[TraceQuestion | None]:
    """The trace's row of every question, in order; None if the trace does not have one.

    Of questions with the same exam (as `folded_exam` has it) and id each takes the next row. A row
    without an exam matches any exam; if no question has an exam, those of the rows are ignored.
    """
    from answerer.formats.answer_table import folded_exam

    # A gold of one exam need not name it, while its trace does.
    by_exam = any(question.exam for question in questions)
    waiting: dict[tuple[str, str], list[TraceQuestion]] = {}
    for row in rows:
        waiting.setdefault((folded_exam(row.exam) if by_exam else "", row.question_id), []).append(
            row
        )
    matched: list[TraceQuestion | None] = []
    for question in questions:
        # Two questions may share their id, as those of two sheets in one trace: each takes its
        # turn.
        queue = (
            waiting.get((folded_exam(question.exam), question.question_id))
            or waiting.get(("", question.question_id))
            or []
        )
        matched.append(queue.pop(0) if queue else None)
    return matched


Kind: TypeAlias = "Callable[[Sheet], Sequence[Section]]"
"""The sections of a sheet that a task asks."""


def beside_run(
    gold_path: str | Path, run_path: str | Path, kind: Kind, wanted: str
) -> tuple[Sheet, list[tuple[Section, Section | None]]]:
    """Reads the gold, and pairs its sections of a kind that have texts, in their order, with the
    run's section of that id (None if it lacks it). `wanted` is what the message calls them.

    Of bilingual files the gold's language is read or, if the gold has texts in both, that of the
    run. Raises UserError if the gold has no such section, or the run none of them, and as
    `check_ids` does. Warns of sections that one of the two lacks, of those with gold for a part of
    the answers, and of answers in another language.
    """
    from answerer.formats.answer_sheet import language_answered, read_sheet, read_sheets

    # Of a bilingual run, whose other half may have been filled before, the half in the gold's own
    # language is scored; a gold in both languages is read in the one that the run answers.
    filled = [
        sheet.language
        for sheet in read_sheets(gold_path)
        if any(section.texts for section in kind(sheet))
    ]
    scored = filled[0] if len(filled) == 1 else language_answered(gold_path, run_path)
    gold, run = (read_sheet(path, of_bilingual=scored) for path in (gold_path, run_path))
    if run.locale:
        # What is not answered may be as in the gold.
        gold_texts = {
            text
            for sheet in read_sheets(gold_path)
            for section in sheet.sections
            for text in section.texts
        }
        for sheet in read_sheets(run_path):
            texts = {text for section in kind(sheet) for text in section.texts}
            if sheet.language != run.language and texts - gold_texts:
                only = f"only those in {run.language.name} are scored"
                warn(f"{run_path}: has answers in {sheet.language.name} too; {only}")
    pairs = [(section, run.section(section.section_id)) for section in kind(gold) if section.texts]
    if not pairs:
        raise UserError(f"{gold_path}: no {wanted}; expected an answer sheet with its expressions")
    if all(answered is None for _, answered in pairs):
        raise UserError(
            f"{run_path}: shares no section with {gold_path}; expected the same section ids"
        )
    answered_in_run = [section.section_id for section in kind(run) if section.texts]
    check_ids(
        gold_path,
        run_path,
        [section.section_id for section, _ in pairs],
        answered_in_run,
        "sections",
        without_answer={section.section_id for section in kind(gold)},
    )
    if partly := [
        section.section_id
        for section, _ in pairs
        if not all(answer.texts for answer in section.answers)
    ]:
        warn(f"{gold_path}: some answers have no gold and are not scored in {first_few(partly)}")
    return gold, pairs


def gold(path: Path, language: Language | None) -> Iterator[ReportedQuestion]:
    """Yields the expressions of every section of a sheet (none of one without); of a bilingual one
    in that language."""
    from answerer.formats.answer_sheet import read_sheet

    for section in read_sheet(path, language).sections:
        yield ReportedQuestion(section.section_id, gold=section.texts)


def ids_asked(path: Path, gold: bool, *, kind: Kind) -> frozenset[str]:
    """The ids of a sheet's sections of a kind; of a gold sheet only those with texts, in any
    language of a bilingual one. Empty for XML with another root; raises UserError for a file that
    is no XML, or that `read_sheets` refuses."""
    from answerer.formats.answer_sheet import read_sheets

    # Trees of runs hold files of other tasks too.
    if other_root(path, ("answer_sheet",)):
        return frozenset()
    sections = [section for sheet in read_sheets(path) for section in kind(sheet)]
    return frozenset(section.section_id for section in sections if not gold or section.texts)
