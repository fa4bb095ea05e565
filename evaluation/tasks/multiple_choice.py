"""Scores answer tables of NTCIR multiple-choice exams: points, and shares by kind of question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from answerer.formats.answer_table import (
    AnswerTable,
    TableAnswer,
    exam_name,
    folded_exam,
    read_answer_table,
    read_answers,
)
from evaluation.measures.answer_sets import total
from evaluation.registry import GoldAnswer, Scoring
from evaluation.runs import check_ids
from evaluation.score_command import score_command
from evaluation.significance import estimate
from evaluation.tables import Tables, cross_kinds
from evaluation.tasks.results import Reported, ReportedQuestion, rows_by_question
from indexer.files.encoding import read_beginning
from indexer.files.errors import UserError
from indexer.files.memory import files_below, is_held_folder
from indexer.files.messages import info, warn
from indexer.files.xml import other_root
from indexer.formats.labels import whole
from indexer.languages.language import Language
from indexer.parameters import InputPath, OneOf, flag, option

if TYPE_CHECKING:
    from answerer.trace import TraceQuestion

ALIGNMENTS = ("anscolumn_ID", "answer_column")

Pair = tuple[str, AnswerTable, AnswerTable | None]
Key = tuple[str, int]
"""An answer column, and the number of earlier rows with it."""


def pairs(gold: Path, run: Path, any_name: bool = False) -> list[Pair]:
    """Pairs gold and run as (exam, gold, run) for every gold file; run is None if a folder of runs lacks the exam.

    A folder is searched for .xml files at any depth. An exam's name is its table's @filename, else its file's name
    without suffixes such as `-answers` or `_TEAM_EN_01`. Two files that name different exams are refused unless
    `any_name`; a run of plain questions does not name one. Raises UserError for gold of another exam, a run without
    gold, two runs (or golds) for one exam, and gold and run swapped.
    """
    paired: list[Pair]
    if gold.is_dir() or run.is_dir() or is_held_folder(run):
        golds, runs = _by_exam(gold), _by_exam(run)
        for name, answers in runs.items():
            if name not in golds:
                raise UserError(f"{answers.file}: no gold for exam {exam_name(answers)} in {gold}")
        for name, key in golds.items():
            if name not in runs:
                warn(f"{exam_name(key)}: no run in {run}: every question counts as unanswered")
        paired = [(exam_name(runs.get(name, key)), key, runs.get(name)) for name, key in golds.items()]
    else:
        key, answers = read_answers(gold), read_answers(run)
        ours, theirs = exam_name(key), exam_name(answers)
        years_differ = re.findall(r"\d{4}", ours) != re.findall(r"\d{4}", theirs)
        if answers.is_run:
            paired = [("", key, answers)]
        elif folded_exam(ours) == folded_exam(theirs):
            paired = [(theirs if answers.filename else ours, key, answers)]
        elif not any_name and ((key.filename and answers.filename) or years_differ):
            raise UserError(
                f"{key.file}: gold for another exam ({ours}); {answers.file} answers {theirs} "
                "(--any-name scores them nevertheless)"
            )
        else:
            warn(f"{key.file} ({ours}) and {answers.file} ({theirs}) do not name the same exam: scored as if they did")
            paired = [(theirs, key, answers)]
    for _, key, table in paired:
        have_points = [any(row.score is not None for row in each.answers) for each in (key, table) if each]
        if table and have_points == [False, True]:  # only gold has points
            raise UserError(f"{table.file} has points and {key.file} does not: swapped? The gold comes first")
    return paired


def _by_exam(path: Path) -> dict[str, AnswerTable]:
    """Reads the answer tables of a file or folder: folded exam name → table. Raises UserError for two of one exam, and
    without any."""
    from answerer.formats.question_file.read import ENDINGS

    files = [path]
    if path.is_dir() or is_held_folder(path):  # answer tables, else runs of plain questions, else question files
        files = files_below(path, "*.xml") or files_below(path, "*.tsv")
        files = files or [file for file in files_below(path, "*") if file.suffix.lower() in ENDINGS]
    if not files:
        raise UserError(f"{path}: no .xml file in this folder; expected answer tables")
    tables: dict[str, AnswerTable] = {}
    for file in files:
        table = read_answers(file)
        name = folded_exam(exam_name(table))
        if name in tables:
            raise UserError(f"{file}: a second answer table for {exam_name(table)} beside {tables[name].file}")
        tables[name] = table
    return tables


def rows_by_column(table: AnswerTable, align: str) -> dict[Key, TableAnswer]:
    """The rows of an answer table by answer column and number of earlier rows with the same column, since columns
    repeat in files that merge several years.

    `align` names what identifies a row's question: its `anscolumn_ID` or the printed `answer_column`. Warns if the two
    drift apart in a gold file.
    """
    # In a sound file the numbers in both columns are equally far apart in every row.
    named = [(whole("".join(re.findall(r"\d+", row.column)[:1])), whole(row.number), row) for row in table.answers]
    drifts = [(column - number, row) for column, number, row in named if column is not None and number is not None]
    if apart := [row for distance, row in drifts if distance != drifts[0][0]]:
        other = next(name for name in ALIGNMENTS if name != align)
        warn(
            f"{table.file}:{apart[0].line}: anscolumn_ID {apart[0].column} is beside answer_column "
            f"{apart[0].number}: {len(apart)} of {len(table.answers)} rows are misaligned. Scored by {align}; "
            f"--align {other} scores by the other"
        )
    rows: dict[Key, TableAnswer] = {}
    for row in table.answers:
        column = row.column
        if align == "answer_column" and row.number:
            column = (re.match(r"\D*", row.column) or [""])[0] + row.number
        occurrence = 0
        while (column, occurrence) in rows:
            occurrence += 1
        rows[column, occurrence] = row._replace(column=column)
    return rows


class JudgedChoice(NamedTuple):
    """A question of the gold with the run's answer ("" if it has none), its points and, with a trace, its row."""

    exam: str
    gold: TableAnswer
    answer: str
    worth: float
    trace: TraceQuestion | None = None

    @property
    def right(self) -> bool:
        return bool(self.answer) and self.answer == self.gold.answer

    @property
    def scores(self) -> dict[str, float]:
        """The scores of the choices by their numbers, in their order; empty without a trace."""
        return {candidate.id: candidate.score for candidate in self.trace.candidates} if self.trace else {}


def judge(gold: Path, run: Path, align: str = "anscolumn_ID", any_name: bool = False) -> list[JudgedChoice]:
    """Joins every question of the gold, in its order, with the run's answer; warns of odd gold.

    Files are paired with files, folders with folders by the exam's name (`any_name`: see `pairs`). A gold row without
    answer is left out, one without a score is worth 0 points. Raises UserError as `pairs` does, if gold and run have
    no column in common, and if a run answers a column more often than its exam has it.
    """
    judged = []
    for name, key_table, table in pairs(gold, run, any_name):
        wanted = rows_by_column(key_table, align)
        answers = rows_by_column(table, "anscolumn_ID") if table else {}
        if table:
            if not set(wanted) & set(answers):
                raise UserError(
                    f"{table.file}: answers none of the columns of {key_table.file}; expected the same exam"
                )
            for key, row in answers.items():
                if key not in wanted and key[1] > 0 and (key[0], 0) in wanted:
                    raise UserError(f"{table.file}:{row.line}: {row.column} is answered twice")
            of_gold, of_run = ([key[0] for key, row in rows.items() if row.answer] for rows in (wanted, answers))
            check_ids(key_table.file, table.file, of_gold, of_run)
        # Gold such as "1 or 3" is compared as one text.
        if several := [f"{row.column} {row.answer!r}" for row in wanted.values() if not (row.answer or "1").isalnum()]:
            warn(f"{key_table.file}: not one choice, and matched by the very same text only: {', '.join(several)}")
        rows = [row for row in key_table.answers if row.answer]
        unknown = [row.column for row in rows if row.score is None]
        if unknown and len(unknown) < len(rows):
            warn(f"{key_table.file}: without a score, worth 0 points: {', '.join(unknown)}")
        elif unknown:
            warn(f"{key_table.file}: no row has a score: every question is worth 0 points; only shares are meaningful")
        # In the order of the gold, so that a question that was not answered counts too.
        for key, row in wanted.items():
            if row.answer:
                answer = answers[key].answer if key in answers else ""
                judged.append(JudgedChoice(name, row, answer, row.score or 0.0))
    return judged


def asked_in(path: Path, gold: bool, **_: object) -> frozenset[str]:
    """The exam of an answer table, of a run of plain questions or, as gold, of a question file."""
    if other_root(path, ("answerTable",)):
        return frozenset()
    from answerer.formats.question_file.read import is_run

    # The first bytes say whether it is a run of plain questions.
    plain = gold or is_run(read_beginning(path))
    table = read_answers(path) if plain else read_answer_table(path)
    asked = not gold or any(row.answer for row in table.answers)
    return frozenset([folded_exam(exam_name(table))]) if asked else frozenset()


def report_questions(gold: Path, run: Path, align: str = ALIGNMENTS[0]) -> Reported:
    """Every question with the right choice, its points and its types, scored 1 if right."""
    questions = [
        ReportedQuestion(
            row.gold.column,
            float(row.right),
            gold_ids=frozenset([row.gold.answer]),
            answer=row.answer,
            exam=row.exam,
            worth=row.worth,
            kinds={"answer type": row.gold.answer_type, "knowledge type": row.gold.knowledge_type},
        )
        for row in judge(gold, run, align)
    ]
    return Reported("right", questions, chosen_among=True)


def with_trace(rows: Sequence[JudgedChoice], trace: Path) -> list[JudgedChoice]:
    """Adds its row of the trace to each question. Raises UserError for an answered question without one."""
    from answerer.trace import read_trace

    asked = [(row.exam, row.gold.column) for row in rows]
    joined = []
    for row, traced in zip(rows, rows_by_question(asked, read_trace(trace)[1]), strict=True):
        if traced is None and row.answer:
            raise UserError(f"{trace}: no row for {row.gold.column} of {row.exam}; expected the run's trace")
        joined.append(row._replace(trace=traced))
    return joined


def summary(rows: Sequence[JudgedChoice], interval: bool = False) -> list[dict[str, object]]:
    """A row of points, right answers and their fraction for all questions, then by exam (if there are several), shape,
    T or F, answer type and knowledge type.

    Also by the product of the last two, if the gold has several of both. `interval` adds the fraction's standard error
    and 95 % bootstrap interval.
    """
    several = len({row.exam for row in rows}) > 1
    mixed = min(len({row.gold.answer_type for row in rows}), len({row.gold.knowledge_type for row in rows})) > 1
    crossed = [cross_kinds(row.gold.answer_type, row.gold.knowledge_type) if mixed else "" for row in rows]
    groups: dict[str, list[str]] = {
        "exam": [row.exam if several else "" for row in rows],
        "shape": [row.trace.shape if row.trace else "" for row in rows],
        "asks": [row.trace.asks if row.trace else "" for row in rows],
        "answer_type": [row.gold.answer_type for row in rows],
        "knowledge_type": [row.gold.knowledge_type for row in rows],
        "answer × knowledge type": crossed,
    }
    table = [_sums("all", "", rows, interval)]
    for group, values in groups.items():
        for value in sorted({*values} - {""}):
            members = [row for row, own in zip(rows, values, strict=True) if own == value]
            table.append(_sums(group, value, members, interval))
    return table


def _sums(group: str, value: str, rows: Sequence[JudgedChoice], interval: bool) -> dict[str, object]:
    """The row of one class of questions: points, right answers and their fraction, with bounds if `interval`; `group`
    and `value` name the division and the class."""
    sums = total((row.right, row.worth) for row in rows)
    spread: dict[str, object] = {}
    if interval and rows:
        share = estimate([float(row.right) for row in rows])
        spread = {"standard error": share.standard_error, "low": share.low, "high": share.high}
    return {
        "group": group,
        "value": value,
        "points": _whole_points(sums.points),
        "possible": _whole_points(sums.possible),
        "right": sums.right,
        "questions": sums.questions,
        "share": sums.share,
        **spread,
    }


def _whole_points(points: float) -> float | int:
    """Points as an int if they are a whole number."""
    return int(points) if points == int(points) else points


def by_question(rows: Sequence[JudgedChoice]) -> list[dict[str, object]]:
    """A row for each question; with a trace the columns of table 2 of [SLQAL].

    These are ID, T/F, gold, system, the score of each choice by its number, and the absolute difference between the
    scores of the gold and the system's choice. Without a trace: ID, gold, system, points earned and possible.
    """
    several = len({row.exam for row in rows}) > 1
    traced = any(row.trace for row in rows)
    numbers = dict.fromkeys(number for row in rows for number in row.scores)
    ordered = sorted(numbers, key=lambda number: (not number.isdecimal(), len(number), number))
    table = []
    for row in rows:
        cells: dict[str, object] = {"exam": row.exam} if several else {}
        cells["id"] = row.gold.column
        if traced:
            cells["T/F"] = row.trace.asks if row.trace else ""
        cells |= {"gold": row.gold.answer, "system": row.answer}
        if traced:
            scores = row.scores
            cells |= {number: round(scores[number], 2) if number in scores else None for number in ordered}
            known = row.gold.answer in scores and row.answer in scores
            cells["absdiff"] = round(abs(scores[row.gold.answer] - scores[row.answer]), 2) if known else None
        else:
            cells["points"] = _whole_points(row.worth if row.right else 0.0)
            cells["possible"] = _whole_points(row.worth)
        table.append(cells)
    return table


def tables(gold: Path, run: Path, align: str, any_name: bool, trace: Path | None, interval: bool) -> Tables:
    """Scores a run: rows of points over all questions and by class, and a row for each question.

    With a trace also the choices' scores, except in the rows for trec_eval, which has only measures.
    """
    rows = judge(gold, run, align, any_name)
    if trace:
        rows = with_trace(rows, trace)
    # With a trace the choices are known; without one any digit from 1, and any gold answer, is taken for a choice.
    plausible = {*"123456789", *(row.gold.answer for row in rows)}
    if strange := [row for row in rows if row.answer and row.answer not in (row.scores or plausible)]:
        named = ", ".join(f"{row.gold.column} {row.answer!r}" for row in strange)
        info(f"answers that are not choices, which score 0: {named}")
    # trec_eval reads measures only.
    bare = [row._replace(trace=None) for row in rows]
    return Tables(
        lambda: summary(rows, interval),
        lambda: by_question(rows),
        lambda each: by_question(bare) if each else summary(bare, interval),
    )


def gold(path: Path, _language: Language | None) -> Iterator[GoldAnswer]:
    """Yields the right choices of an answer table, for any exam; of a folder of tables, each for the exam it names."""
    for file in sorted(path.rglob("*.xml")) if path.is_dir() else [path]:
        table = read_answers(file)
        exam = folded_exam(exam_name(table)) if path.is_dir() else ""
        for answer in table.answers:
            right = frozenset([answer.answer]) if answer.answer else frozenset()
            yield GoldAnswer(answer.column, candidate_ids=right, exam=exam)


command = score_command(
    "ntcir-mc",
    tables,
    "Points of answer tables against the gold: two files, or two folders paired by exam; or a tree of runs.",
    "samples/sample-exam-en.gold.xml exam.run.xml -q --trace exam.run.jsonl",
    option(
        "--trace",
        type=InputPath(path_type=Path),
        help="The run's trace: adds shapes of question, T or F and scores; with -q the paper's Table 2.",
    ),
    option(
        "--align",
        type=OneOf(ALIGNMENTS),
        default=ALIGNMENTS[0],
        help=f"What names a gold row's question, where the two disagree [{ALIGNMENTS[0]}].",
    ),
    flag("--any-name", help="Score a run against gold that names another exam."),
    passed=("align",),
    folder_is_run=True,
)

SCORING = Scoring(command=command, reported=report_questions, tables=tables, asked_in=asked_in)
