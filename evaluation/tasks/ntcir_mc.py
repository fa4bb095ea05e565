"""Scores answer tables of NTCIR multiple-choice exams: points, and shares by kind of question."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from answerer.formats.answer_table import (
    AnswerTable,
    TableAnswer,
    exam_name,
    folded_exam,
    read_answer_table,
)
from answerer.formats.answers import read_answers
from evaluation.options import (
    by_option,
    format_option,
    interval_option,
    refuse_by_question,
    scored_files_arguments,
)
from evaluation.runs import (
    MemoryFolder,
    RunFile,
    check_ids,
    existing,
    gold_of,
    is_folder,
    refuse_in_tree,
    scored_files,
)
from evaluation.tables import ALL, print_rows, rows_of_groups, whole_points
from evaluation.tasks.results import Reported, ReportedQuestion, question_classes, rows_by_question
from indexer.cli.types import Command, InputFile
from indexer.files.encoding import read_beginning
from indexer.files.errors import UserError
from indexer.files.inputs import MemoryFile
from indexer.files.messages import first_few, info, warn
from indexer.files.validation import FileName, validate_choice
from indexer.files.xml import other_root

if TYPE_CHECKING:
    from answerer.trace import TraceQuestion
    from evaluation.contract import Figures
    from evaluation.runs import AnyRun
    from indexer.languages.language import Language

TASK = "ntcir-mc"
GOLD_IN_FOLDERS = True  # --gold may be a folder
Alignment = Literal["anscolumn_ID", "answer_column"]
ALIGNMENTS: tuple[Alignment, Alignment] = ("anscolumn_ID", "answer_column")


@click.command(
    cls=Command,
    example="evaluate ntcir-mc samples/sample-exam-en.gold.xml exam.run.xml -q --trace "
    "exam.run.jsonl",
)
@scored_files_arguments("GOLD...", "RUN|TREE")
@click.option(
    "--trace",
    metavar="TRACE.jsonl",
    type=InputFile(),
    help="The run's trace: adds shapes of question, T or F and scores; with -q the paper's Table "
    "2.",
)
@click.option(
    "--align",
    type=click.Choice(ALIGNMENTS),
    default=ALIGNMENTS[0],
    help=f"What names a gold row's question, where the two disagree [{ALIGNMENTS[0]}].",
)
@click.option("--any-name", is_flag=True, help="Score a run against gold that names another exam.")
@interval_option("questions")
@by_option("exam", "shape", "asks", "answer-type", "knowledge-type", "answer-knowledge-type")
@format_option
def command(
    golds: tuple[Path, ...],
    run: Path,
    by_question: bool,
    trace: Path | None,
    align: Alignment,
    any_name: bool,
    interval: bool,
    by: tuple[str, ...],
    form: str,
) -> None:
    """Points of answer tables against the gold: two files, or two folders paired by exam; or a tree
    of runs."""
    if run.is_dir() and not (len(golds) == 1 and is_single_run(run)):
        refuse_in_tree(
            run, {"-q": by_question, "--trace": trace, "--any-name": any_name, "--by": by}
        )
        from evaluation.overview import print_tree

        print_tree(TASK, golds, run, interval, form, align=align)
        return
    refuse_by_question(by_question, interval, by)
    gold = gold_of(golds, run, folders=True)
    questions = report_questions(gold, run, align, any_name, trace).questions
    if by_question:
        print_rows(question_rows(questions, points=trace is None), form)
    elif by or form != "table":
        rows = class_rows(questions, interval)
        print_rows(rows_of_groups([(str(row["group"]), row) for row in rows], by, form), form)
    else:
        print_rows([class_row(ALL, "", questions, interval)], form)


def score(
    gold: FileName,
    run: AnyRun,
    *,
    align: Alignment = ALIGNMENTS[0],
    any_name: bool = False,
    trace: FileName | None = None,
    interval: bool = False,
) -> Figures:
    """Points, right answers and their share of a run, of one exam or, with folders, of several: of
    all questions, by class (`class_rows`), and of each. A trace, by default the evidence of a run
    in memory, adds classes by shape and T or F, and each question's scores of its choices in the
    place of its points. `align` is that of `rows_by_column`; `any_name` allows gold of another
    exam; `interval` adds the share's standard error and 95 % bootstrap interval. Raises UserError
    for what the command refuses."""
    from evaluation.contract import Figures

    validate_choice(align, ALIGNMENTS, "align")
    gold_path, run_path, evidence = scored_files(
        TASK, gold, run, folders=True, traced=trace is None
    )
    traced = evidence if trace is None else existing(trace, "trace")
    questions = report_questions(gold_path, run_path, align, any_name, traced).questions
    rows = class_rows(questions, interval)
    return Figures(TASK, rows, question_rows(questions, points=traced is None))


def is_single_run(folder: Path) -> bool:
    """Whether a folder has no folders in it and its .xml files answer different exams (those that
    cannot be read do not count): they are one run, else each is one. True for an empty folder."""
    if any(path.is_dir() for path in folder.iterdir()):
        return False
    from evaluation.overview import read_questions

    # Scoring says what is wrong with a file that cannot be read.
    questions, _ = read_questions(asked_in, sorted(folder.glob("*.xml")), gold=False)
    return len(questions) == len(set(questions.values()))


def _pairs_of_folders(
    gold: Path, run: RunFile
) -> list[tuple[str, AnswerTable, AnswerTable | None]]:
    """(exam, gold, run) of folders of gold or runs, by the exam's name, in the order of the gold;
    run is None, with a warning, for an exam that the runs lack. Raises UserError for a run without
    gold, and as `_by_exam` does."""
    golds, runs = _by_exam(gold), _by_exam(run)
    for name, answers in runs.items():
        if name not in golds:
            raise UserError(f"{answers.file}: no gold for exam {exam_name(answers)} in {gold}")
    for name, key in golds.items():
        if name not in runs:
            warn(f"{exam_name(key)}: no run in {run}: every question counts as unanswered")
    return [(exam_name(runs.get(name, key)), key, runs.get(name)) for name, key in golds.items()]


def _pair(gold: Path, run: RunFile, any_name: bool) -> tuple[str, AnswerTable, AnswerTable]:
    """(exam, gold, run) of two files; the exam is "" for a run of plain questions.

    If they name different exams, raises UserError where both tables have a @filename or the years
    differ, and warns otherwise, or with `any_name`. An exam's name is its table's @filename, else
    its file's name without suffixes such as `-answers` or `_TEAM_EN_01`.
    """
    key, answers = read_answers(gold), read_answers(run)
    ours, theirs = exam_name(key), exam_name(answers)
    # Teams name the files of one exam differently; another year in the name is another exam for
    # certain.
    years_differ = re.findall(r"\d{4}", ours) != re.findall(r"\d{4}", theirs)
    same = answers.is_run or folded_exam(ours) == folded_exam(theirs)
    if not same and not any_name and ((key.filename and answers.filename) or years_differ):
        what = f"gold for another exam ({ours}); {answers.file} answers {theirs}"
        raise UserError(f"{key.file}: {what} (--any-name scores them nevertheless)")
    if not same:
        warn(
            f"{key.file} ({ours}) and {answers.file} ({theirs}) do not name the same exam: "
            f"scored as if they did"
        )
    exam = ours if same and not answers.filename else theirs
    return "" if answers.is_run else exam, key, answers


def _by_exam(path: RunFile) -> dict[str, AnswerTable]:
    """Reads the answer tables of a file or folder: folded exam name → table. A folder is searched
    at any depth for .xml files or, without any, .tsv files, else files of questions; warns of .tsv
    files beside .xml files. Raises UserError for two of one exam, and without any."""
    from answerer.formats.question_file.read import ENDINGS

    files: Sequence[Path | MemoryFile]
    if isinstance(path, MemoryFolder):
        files = path.files
    elif isinstance(path, MemoryFile) or not path.is_dir():
        files = [path]
    else:  # answer tables, else runs of plain questions, else question files
        tsv = sorted(path.rglob("*.tsv"))
        files = sorted(path.rglob("*.xml")) or tsv
        if tsv and files != tsv:
            names = first_few([file.name for file in tsv])
            warn(f"{path}: only .xml files are scored, give a folder of their own to {names}")
        files = files or [
            file for file in sorted(path.rglob("*")) if file.suffix.lower() in ENDINGS
        ]
    if not files:
        raise UserError(f"{path}: no .xml file in this folder; expected answer tables")
    tables: dict[str, AnswerTable] = {}
    for file in files:
        table = read_answers(file)
        name = folded_exam(exam_name(table))
        if name in tables:
            raise UserError(
                f"{file}: a second answer table for {exam_name(table)} beside {tables[name].file}"
            )
        tables[name] = table
    return tables


def rows_by_column(table: AnswerTable, align: Alignment) -> dict[tuple[str, int], TableAnswer]:
    """The rows of an answer table by answer column and number of earlier rows with the same column,
    since columns repeat in files that merge several years. `align` names what identifies a row's
    question: its `anscolumn_ID` or the printed `answer_column`. Warns if the distance between their
    numbers is not the same in all rows of a gold file."""
    # In a sound file the numbers in both columns are equally far apart in every row.
    drifts = [
        (int(digits[0]) - int(row.number[:9]), row)
        for row in table.answers
        if row.number and (digits := re.search(r"\d{1,9}", row.column))
    ]
    if apart := [row for distance, row in drifts if distance != drifts[0][0]]:
        _warn_of_drift(table, apart, align)
    rows: dict[tuple[str, int], TableAnswer] = {}
    often = Counter[str]()
    for row in table.answers:
        column = row.column
        if align == "answer_column" and row.number:
            column = (re.match(r"\D*", row.column) or [""])[0] + row.number
        rows[column, often[column]] = row._replace(column=column)
        often[column] += 1
    return rows


def _warn_of_drift(table: AnswerTable, misaligned: Sequence[TableAnswer], align: Alignment) -> None:
    """Warns of rows (at least one) in which the two columns name different questions."""
    first, other = misaligned[0], next(name for name in ALIGNMENTS if name != align)
    warn(
        f"{table.file}:{first.line}: anscolumn_ID {first.column} is beside answer_column "
        f"{first.number}: {len(misaligned)} of {len(table.answers)} rows are misaligned. Scored "
        f"by {align}; "
        f"--align {other} scores by the other"
    )


def report_questions(
    gold: Path,
    run: RunFile,
    align: Alignment = ALIGNMENTS[0],
    any_name: bool = False,
    trace: Path | MemoryFile | None = None,
) -> Reported:
    """Joins every question of the gold, in its order, with the run's answer, scored 1 if right;
    warns of odd gold.

    Files are paired with files, folders with folders by the exam's name (two files of different
    exams are refused unless `any_name`; `align`: see `rows_by_column`). A gold row without answer
    is left out, one without a score is worth 0 points (in a key in the form of a run 1, where case
    does not count either). With a trace, `kinds` have the shape of question and whether it asks for
    true or false, and the rows of -q the columns of table 2 of [SLQAL]: ID, T/F, gold, system, the
    score of each choice by its number, and the absolute difference between those of the gold and
    the system's choice.

    Raises UserError for gold of another exam, a run without gold, two runs (or golds) for one exam,
    gold and run swapped, if they have no column in common, if a run answers a column more often
    than its exam has it, and for an answered question that the trace lacks.
    """
    paired: Sequence[tuple[str, AnswerTable, AnswerTable | None]]
    if gold.is_dir() or is_folder(run):
        paired = _pairs_of_folders(gold, run)
    else:
        paired = [_pair(gold, run, any_name)]
    judged = [row for exam, key, table in paired for row in judge(exam, key, table, align)]
    questions = [question for question, _ in judged]
    traced = _rows_of_trace(questions, trace) if trace else [None] * len(judged)
    tell_strange_answers(judged, traced)
    if any(traced):
        questions = with_scores(questions, traced)
    return Reported("right", questions, chosen_among=True)


def _rows_of_trace(
    questions: Sequence[ReportedQuestion], trace: Path | MemoryFile
) -> list[TraceQuestion | None]:
    """The row of each question in the run's trace, None for one that the run does not answer.
    Raises UserError for an answered question that the trace lacks."""
    from answerer.trace import read_trace

    rows = rows_by_question(questions, read_trace(trace)[1])
    for question, row in zip(questions, rows, strict=True):
        if row is None and question.answer:
            raise UserError(
                f"{trace}: no row for {question.question_id} of {question.exam}; expected the "
                f"run's trace"
            )
    return rows


Judged = tuple[ReportedQuestion, frozenset[str]]
"""A question with its run's answer, and its choices where the gold prints them."""


def judge(exam: str, gold: AnswerTable, run: AnswerTable | None, align: Alignment) -> list[Judged]:
    """The questions of one exam that have a right answer, in the gold's order, with the run's
    answers. Warns of odd gold; raises UserError as `report_questions` does."""
    if (  # only gold has points
        run
        and any(row.score is not None for row in run.answers)
        and all(row.score is None for row in gold.answers)
    ):
        raise UserError(
            f"{run.file} has points and {gold.file} does not: swapped? The gold comes first"
        )
    wanted = rows_by_column(gold, align)
    answers = rows_by_column(run, ALIGNMENTS[0]) if run else {}
    if run:
        for key, row in answers.items():
            # More rows of a column than the gold has: not the years of a merged file, but a second
            # answer.
            if key not in wanted and key[1] > 0 and (key[0], 0) in wanted:
                raise UserError(f"{run.file}:{row.line}: {row.column} is answered twice")
        check_ids(
            gold.file,
            run.file,
            [column for (column, _), row in wanted.items() if row.answer],
            [column for (column, _), row in answers.items() if row.answer],
            without_answer={column for column, _ in wanted},
        )
    warn_of_gold(gold, list(wanted.values()))
    judged = []
    for key, row in wanted.items():
        if not row.answer:
            continue
        answer = answers[key].answer if key in answers else ""
        right = row.answer
        if gold.is_run and answer.casefold() == right.casefold():  # a key may print `b` for B
            right = answer
        question = ReportedQuestion(
            row.column,
            float(answer == right),
            gold_ids=frozenset([right]),
            answer=answer,
            exam=exam,
            worth=1.0 if gold.is_run else row.score or 0.0,
            kinds={"answer_type": row.answer_type, "knowledge_type": row.knowledge_type},
            cells={"gold": right, "system": answer},
        )
        judged.append((question, row.choices))
    return judged


def warn_of_gold(gold: AnswerTable, rows: Sequence[TableAnswer]) -> None:
    """Warns of right answers that are not one choice, and, but for a key in the form of a run, of
    rows without a score, which are worth 0 points."""
    # Gold such as "1 or 3" is compared as one text.
    if several := [
        f"{row.column} {row.answer!r}" for row in rows if not (row.answer or "1").isalnum()
    ]:
        warn(
            f"{gold.file}: not one choice, and matched by the very same text only: "
            f"{', '.join(several)}"
        )
    if gold.is_run:  # a key without points: each question is worth one
        return
    unknown = [row.column for row in gold.answers if row.answer and row.score is None]
    if unknown and len(unknown) < sum(bool(row.answer) for row in rows):
        warn(f"{gold.file}: without a score, worth 0 points: {', '.join(unknown)}")
    elif unknown:
        warn(
            f"{gold.file}: no row has a score: every question is worth 0 points; only shares are "
            f"meaningful"
        )


def tell_strange_answers(judged: Sequence[Judged], traced: Sequence[TraceQuestion | None]) -> None:
    """Tells on stderr the answers that are not choices of their question by the trace, else by the
    gold; where neither has choices, digits from 1, gold answers and, if one is a letter, all
    letters are choices."""
    # Where neither says the choices, any digit from 1, any letter, and any gold answer is taken
    # for one.
    gold_answers = {answer for question, _ in judged for answer in question.gold_ids}
    letters = string.ascii_uppercase if gold_answers & {*string.ascii_uppercase} else ""
    plausible = {*"123456789", *letters, *gold_answers}
    strange = []
    for (question, printed), row in zip(judged, traced, strict=True):
        candidates = {candidate.id for candidate in row.candidates} if row else set()
        if question.answer and question.answer not in (candidates or printed or plausible):
            strange.append(f"{question.question_id} {question.answer!r}")
    if strange:
        info(f"answers that are not choices, which score 0: {', '.join(strange)}")


def with_scores(
    questions: Sequence[ReportedQuestion], traced: Sequence[TraceQuestion | None]
) -> list[ReportedQuestion]:
    """The questions with what the trace says of them: their kinds, and the cells of table 2 of
    [SLQAL], scores with two decimals, None for a choice that a question lacks."""
    scores = [
        {candidate.id: candidate.score for candidate in row.candidates} if row else {}
        for row in traced
    ]
    # 2 before 10, and letters behind numbers.
    numbers = sorted(
        {number for of_question in scores for number in of_question},
        key=lambda number: (not number.isdecimal(), len(number), number),
    )
    completed = []
    for question, row, of_question in zip(questions, traced, scores, strict=True):
        (right,) = question.gold_ids
        # Two decimals, as table 2 of [SLQAL] has them.
        shown = {
            number: round(of_question[number], 2) if number in of_question else None
            for number in numbers
        }
        difference = None
        if right in of_question and question.answer in of_question:
            difference = round(abs(of_question[right] - of_question[question.answer]), 2)
        cells = {"T/F": row.asks if row else "", **question.cells, **shown, "absdiff": difference}
        kinds = {"shape": row.shape, "asks": row.asks, **question.kinds} if row else question.kinds
        completed.append(question._replace(cells=cells, kinds=kinds))
    return completed


def asked_in(path: Path, gold: bool) -> frozenset[str]:
    """The folded name of the exam of an answer table, of a run of plain questions or, as gold, of a
    question file; empty for XML of another task, and for gold without answers. UserError for any
    other file."""
    if other_root(path, ("answerTable",)):
        return frozenset()
    from answerer.formats.question_file.read import is_run

    # The first bytes say whether it is a run of plain questions.
    plain = gold or is_run(read_beginning(path))
    table = read_answers(path) if plain else read_answer_table(path)
    answered = not gold or any(row.answer for row in table.answers)
    return frozenset([folded_exam(exam_name(table))]) if answered else frozenset()


def class_rows(questions: Sequence[ReportedQuestion], interval: bool) -> list[dict[str, object]]:
    """A row of points, right answers and their fraction for all questions, then by exam (if there
    are several), shape, T or F, answer type and knowledge type, and by the product of the last two.
    `interval` adds the fraction's standard error and 95 % bootstrap interval."""
    if len({question.exam for question in questions}) > 1:
        questions = [
            question._replace(kinds={"exam": question.exam, **question.kinds})
            for question in questions
        ]
    return [class_row(*members, interval) for members in question_classes(questions)]


def class_row(
    group: str, value: str, questions: Sequence[ReportedQuestion], interval: bool
) -> dict[str, object]:
    """The row of the questions of a class (`value`) of a division (`group`): their points, possible
    points, right answers, number and fraction of right ones, 0 without questions. `interval` adds
    the fraction's standard error and 95 % bootstrap interval, if there are questions."""
    scores = [question.score for question in questions]
    worths = [question.worth or 0.0 for question in questions]
    row: dict[str, object] = {
        "group": group,
        "value": value,
        "points": whole_points(sum(compress(worths, scores))),
        "possible": whole_points(sum(worths)),
        "right": int(sum(scores)),
        "questions": len(scores),
        "share": sum(scores) / len(scores) if scores else 0.0,
    }
    if interval and scores:
        from evaluation.significance import estimate

        share = estimate(scores)
        row |= {"standard error": share.standard_error, "low": share.low, "high": share.high}
    return row


def question_rows(questions: Sequence[ReportedQuestion], points: bool) -> list[dict[str, object]]:
    """A row for each question: its exam if there are several, its id, its cells and, with `points`,
    its points got and possible."""
    several = len({question.exam for question in questions}) > 1
    rows = []
    for question in questions:
        row: dict[str, object] = {"exam": question.exam} if several else {}
        row |= {"id": question.question_id, **question.cells}
        if points:
            worth = question.worth or 0.0
            row["points"] = whole_points(worth if question.score else 0.0)
            row["possible"] = whole_points(worth)
        rows.append(row)
    return rows


def gold(path: Path, _language: Language | None) -> Iterator[ReportedQuestion]:
    """Yields a question for each row of an answer table, for any exam, with its right choice (none
    if the row's is empty); of a folder, for its .xml files at any depth, which must all be tables,
    each for the exam that it names; nothing without one."""
    files = sorted(path.rglob("*.xml")) if path.is_dir() else [path]
    for file in files:
        table = read_answers(file)
        exam = exam_name(table) if path.is_dir() else ""
        for answer in table.answers:
            right = frozenset([answer.answer]) if answer.answer else frozenset()
            yield ReportedQuestion(answer.column, gold_ids=right, exam=exam)
