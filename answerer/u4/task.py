"""NTCIR-18 U4: the cell of a securities report's table that answers (Table QA), and the table (Table Retrieval)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click
import numpy as np

from answerer.formats.u4 import CellAnswer, cells_text, read_questions, same_report, tables_text
from answerer.run import model_option, task_command
from answerer.submission import Submission, one_file
from answerer.trace import Trace
from answerer.u4.reports import ReportTable, folded, read_reports
from answerer.u4.scoring import CELLS, TABLES, Ranker, Scored, load_ranker, score_report
from answerer.u4.values import money_unit, value_of
from indexer.cli.parameters import InputPath
from indexer.files.messages import Progress, first_few

_TRACED = 5
_ROWS, _COLUMNS = 7, 6  # of a table that a trace shows
_LONGEST = 60  # characters of a cell that it shows

reports_option = click.option(
    "--reports",
    metavar="FOLDER|ARCHIVE",
    required=True,
    type=InputPath(("**/*.html", "**/*.htm")),
    help="The reports: a folder, or a tar or zip of it.",
)


def answer(
    task: str, source: str | Mapping[str, Any], reports: str, model_path: str | None, trace: Trace
) -> Submission:
    """The filled answer sheet for the questions of a file, or for its objects."""
    questions = read_questions(source, table_given=task == CELLS)
    ranker = load_ranker(task, model_path)
    answers: dict[str, tuple[str, str]] = {one.question_id: ("", "") for one in questions}
    rows: dict[str, dict[str, Any]] = {}
    absent: list[str] = []
    by_report = same_report(questions)
    with Progress("answered", len(questions)) as done:
        for report in read_reports(reports, by_report):
            if not report.tables:
                absent.append(report.doc_id)
            unit = money_unit(report)
            own = by_report[report.doc_id]
            for question, scored in zip(own, score_report(task, report, own, ranker.found), strict=True):
                done.add()
                if scored is None:
                    rows[question.question_id] = _row(question.question_id, question.text, "", [])
                    continue
                scores = ranker.score(task, scored.features)
                order = np.argsort(-scores, kind="stable")
                label = folded(question.text.partition("「")[2])
                table, place = scored.candidates[order[0]]
                answers[question.question_id] = (
                    (table.table_id, "")
                    if place < 0
                    else (table.cells[place].cell_id, value_of(table, place, label, unit))
                )
                if trace.wanted:
                    shares = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
                    found = [
                        _candidate(task, scored, int(one), float(shares[one]), ranker)
                        | (
                            {"text": value_of(scored.candidates[one][0], scored.candidates[one][1], label, unit)}
                            if task == CELLS
                            else {}
                        )
                        for one in order[:_TRACED]
                    ]
                    rows[question.question_id] = _row(question.question_id, question.text, found[0]["text"], found)
    trace.run(task, "conditional logit", ranker.parameters, packages={"numpy", "scipy", "lxml", "ipadic"})
    for question in questions if trace.wanted else ():
        trace.question(rows[question.question_id])
    warnings = []
    if absent:
        left = sum(len(by_report[name]) for name in absent)
        warnings.append(f"{reports}: {left} questions unanswered, for it lacks the reports {first_few(absent)}")
    elif empty := [name for name, (first, _) in answers.items() if not first]:
        warnings.append(
            f"{len(empty)} questions unanswered, for their tables are not in the reports: {first_few(empty)}"
        )
    if task == CELLS:
        text = cells_text((name, CellAnswer(*found)) for name, found in answers.items())
    else:
        text = tables_text((name, found[0]) for name, found in answers.items())
    return one_file(text, tuple(warnings))


def _row(name: str, text: str, system: str, candidates: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    kind = {"shape": "cell", "asks": None, "question": text, "system": system}
    numbered = [{"id": str(number), **one} for number, one in enumerate(candidates, 1)]
    return {"question_id": name, **kind, "candidates": numbered}


def _candidate(task: str, scored: Scored, place: int, share: float, ranker: Ranker) -> dict[str, Any]:
    """A candidate of a trace: a table with the headings above it, or a cell framed in its table."""
    table, cell = scored.candidates[place]
    signals = ranker.added(task, scored.features, place)
    if cell < 0:
        return {
            "text": table.table_id,
            "score": share,
            "derivation": " › ".join(table.headings),
            "signals": signals,
            "evidence": [],
        }
    head = table.headed[cell]
    where = f"{table.cells[cell].cell_id}: {' › '.join((*head.under, *head.left))} × {' › '.join(head.above)}"
    return {
        "text": "", "score": share, "derivation": where, "signals": signals,
        "table": excerpt(table, cell), "evidence": [],
    }  # fmt: skip


def excerpt(table: ReportTable, place: int) -> dict[str, Any]:
    """The rows and columns of a table near a cell, in the form of `answerer.datasearch.task.excerpt`."""
    cell = table.cells[place]
    shown = {(one.row, one.column): one.text for one in table.cells}
    above = {one.column: head.above for one, head in zip(table.cells, table.headed, strict=True)}
    all_rows, all_columns = sorted({row for row, _ in shown}), sorted({column for _, column in shown})

    def window(lines: Sequence[int], middle: int, most: int) -> list[int]:
        near = sorted(lines, key=lambda line: (abs(line - middle), line))[:most]
        return sorted(near)

    rows = window(all_rows, cell.row, _ROWS)
    columns = sorted({all_columns[0], *window(all_columns, cell.column, _COLUMNS)})
    return {
        "title": _cut(table.headings[-1] if table.headings else ""),
        "size": [len(all_rows), len(all_columns)],
        "columns": [[_cut(text) for text in above[column]] for column in columns],
        "rows": [[row, [_cut(shown.get((row, column), "")) for column in columns]] for row in rows],
        "labels": int(columns[0] != cell.column),
        "answer": [rows.index(cell.row), columns.index(cell.column)],
        "used": [],
    }


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def answer_cells(source: str | Mapping[str, Any], reports: str, model_path: str | None, trace: Trace) -> Submission:
    """The answer sheet of Table QA: the cell of the given table, and its value in full."""
    return answer(CELLS, source, reports, model_path, trace)


def answer_tables(source: str | Mapping[str, Any], reports: str, model_path: str | None, trace: Trace) -> Submission:
    """The answer sheet of Table Retrieval: the table of the given report."""
    return answer(TABLES, source, reports, model_path, trace)


_ARGUMENTS = (click.argument("source", metavar="QUESTIONS", type=InputPath()), reports_option, model_option)
command_cells = task_command(
    answer_cells,
    """Answer questions on tables of securities reports: the official questions in, the filled answer sheet out.

    Only question, doc_id and table_id are read. A question whose report is not there is left unanswered.
    """,
    "u4-tqa samples/u4-tqa.questions.json --reports samples/u4-reports.tar.xz -o answers.json",
    *_ARGUMENTS,
)
command_tables = task_command(
    answer_tables,
    """Find the table of a securities report that answers: the official questions in, the filled answer sheet out.

    Only question and doc_id are read. A question whose report is not there is left unanswered.
    """,
    "u4-tr samples/u4-tr.questions.json --reports samples/u4-reports.tar.xz -o answers.json",
    *_ARGUMENTS,
)
