"""NTCIR-18 U4: the cell of a securities report's table that answers (Table QA), and the table (Table Retrieval)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np

from answerer.formats.u4 import ReportAnswer, ReportQuestion, group_by_report, read_questions, sheet_text
from answerer.models import model_of, model_parameters
from answerer.run import Asked, index_option, model_option, open_asked, task_command
from answerer.submission import Submission, one_file
from answerer.trace import Trace, TraceCandidate, TraceQuestion, TraceTable
from answerer.u4.associations import Associations, associate, read_associations, read_question
from answerer.u4.features import Features, IndexedReport, IndexedTables, cell_features, table_features
from answerer.u4.values import money_unit, value_of
from indexer.engines.contract import Index
from indexer.files.arrays import Float64Array
from indexer.files.errors import UserError
from indexer.files.messages import Progress, first_few
from indexer.parameters import InputPath, Parameter, argument, option
from indexer.sources.reports.schema import REPORT, REPORTS, stored_reports
from indexer.tables.reports import Report, ReportTable, fold_text, read_reports
from retriever.learning.model import Model, read_model, unfit
from retriever.queries import terms_of, union_query

CELLS, TABLES = "u4-tqa", "u4-tr"
"""The tasks: Table QA and Table Retrieval."""

COPIES = ("", " | below best", " | is best")
"""What a feature x is beside its list: x, x − list max, and 1 where x is the greatest of different values."""

HAND = {
    CELLS: {
        "label: dice best": 6,
        "headings: any": 2,
        "period: year equal": 2,
        "period: period equal": 1,
        "cell: number": 1,
    },
    TABLES: {"label: equal any": 4, "label: covered": 4, "headings: best": 3, "period: years hold it": 1},
}
"""Weights without a model, and what picks the candidates that training looks at: label, headings, year."""


class Ranker(NamedTuple):
    """A task's model with its associations; `parameters` are what a trace says of it."""

    model: Model | None
    found: Associations
    parameters: Mapping[str, Any]

    def score(self, task: str, features: Features) -> Float64Array:
        """The score of each candidate, (candidates,)."""
        if self.model is None:
            return by_hand(task, features)
        return self.model.score(with_copies(features))

    def contributions(self, task: str, features: Features, place: int) -> dict[str, float]:
        """What each family of features adds to one candidate's score, beyond what it adds to the list's mean."""
        if self.model is None:
            each = {name: weight * features[name] for name, weight in HAND[task].items()}
            parts = {name: own[place] - own.mean() for name, own in each.items()}
        else:
            values = with_copies(features)
            own = (values[place] - values.mean(0)) * self.model.weights / self.model.scales
            parts = dict(zip(self.model.feature_names, own.tolist(), strict=True))
        found: dict[str, float] = {}
        for name, value in parts.items():
            family = name.partition(":")[0]
            found[family] = found.get(family, 0.0) + float(value)
        return dict(sorted(found.items(), key=lambda one: (-abs(one[1]), one[0])))


def by_hand(task: str, features: Features) -> Float64Array:
    """The score of each candidate without a model, (candidates,)."""
    found: Float64Array = sum(weight * features[name] for name, weight in HAND[task].items())  # type: ignore[assignment]
    return found


def load_ranker(task: str, given: str | None) -> Ranker:
    """The ranker of a model file (by default the program's own; `none`: without one). UserError for another task's."""
    path = model_of(task, given)
    if path is None:
        return Ranker(None, associate([]), model_parameters(None, ()))
    model = read_model(path, task)
    try:
        found = read_associations(model.learned)
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        raise unfit(path, f"damaged model ({error})", task) from error
    return Ranker(model, found, model_parameters(path, model.data))


def copy_names(features: Features) -> tuple[str, ...]:
    return tuple(name + ending for ending in COPIES for name in features)


def with_copies(features: Features) -> Float64Array:
    """The columns of `copy_names`, (candidates, columns)."""
    return copies_of(np.stack(list(features.values()), 1))


def copies_of(values: Float64Array) -> Float64Array:
    """A feature's copies beside it, (candidates, 3 × features), of values (candidates, features)."""
    below = values - values.max(0)
    return np.concatenate([values, below, ((below == 0) & (values.min(0) < values.max(0))).astype(float)], 1)


class ScoredCandidates(NamedTuple):
    """A question's candidates: each one's table and place among its cells (−1 for the table), and their features."""

    candidates: Sequence[tuple[ReportTable, int]]
    features: Features


def score_report(
    task: str, report: Report, questions: Sequence[ReportQuestion], found: Associations
) -> list[ScoredCandidates]:
    """The candidates of each question on a report in their order; none where its table is not there, or is empty."""
    if task == TABLES:
        tables = IndexedTables(IndexedReport(report, found))
        if not tables.ids:
            return [ScoredCandidates([], {}) for _ in questions]
        own = [(table, -1) for table in tables.tables]
        return [ScoredCandidates(own, table_features(read_question(one.text), tables)) for one in questions]
    indexed = IndexedReport(report, found, frozenset(one.table_id for one in questions))
    scored: list[ScoredCandidates] = []
    for one in questions:
        first, end = indexed.span.get(one.table_id, (0, 0))
        cells = [(indexed.tables[table], place) for table, place in indexed.cells[first:end]]
        features = cell_features(read_question(one.text), indexed, slice(first, end)) if cells else {}
        scored.append(ScoredCandidates(cells, features))
    return scored


_TRACED = 5  # candidates of a question that a trace shows
_ROWS, _COLUMNS = 7, 6  # of a table that a trace shows
_LONGEST = 60  # characters of a cell that it shows
_NAMESAKES = (
    100  # reports of one company, or of namesakes, that are searched together: EDINET has some 20 years of each
)

NO_INDEX = Asked()


def reports_option(*, required: bool) -> Parameter:
    """--reports FOLDER|ARCHIVE."""
    return option(
        "--reports",
        metavar="FOLDER|ARCHIVE",
        required=required,
        type=InputPath(("**/*.html", "**/*.htm")),
        help="The reports: a folder, or a tar or zip of it.",
    )


def answer(
    task: str, source: str | Mapping[str, Any], reports: str | Index, model_path: str | None, trace: Trace
) -> Submission:
    """The filled answer sheet for the questions of a file, or for its objects.

    Where the reports are an index, questions name none: `find_reports` does.
    """
    index = None if isinstance(reports, str) else reports
    questions = read_questions(source, table_given=task == CELLS, report_given=index is None)
    ranker = load_ranker(task, model_path)
    answers = {one.question_id: ReportAnswer("") for one in questions}
    rows = {one.question_id: TraceQuestion(question_id=one.question_id, question=one.text) for one in questions}
    absent: list[str] = []
    if index is not None:
        questions = find_reports(questions, index)
    by_report = group_by_report(one for one in questions if one.doc_id or index is None)
    with Progress("answered", len(questions)) as done:
        for report in (
            read_reports(reports, by_report) if isinstance(reports, str) else stored_reports(reports, by_report)
        ):
            if not report.tables:
                absent.append(report.doc_id)
            own, unit = by_report[report.doc_id], money_unit(report)
            for question, scored in zip(own, score_report(task, report, own, ranker.found), strict=True):
                done.add()
                if not scored.candidates:
                    continue
                scores = ranker.score(task, scored.features)
                order = np.argsort(-scores, kind="stable").tolist()
                label = fold_text(question.text.partition("「")[2])
                answers[question.question_id] = _answer_of(scored.candidates[order[0]], label, unit)
                if trace.wanted:
                    shares = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
                    candidates = tuple(
                        TraceCandidate(
                            id=str(rank),
                            text=_answer_of(scored.candidates[place], label, unit).text,
                            score=float(shares[place]),
                            derivation=_where(*scored.candidates[place]),
                            features=ranker.contributions(task, scored.features, place),
                            table=excerpt(*scored.candidates[place]),
                        )
                        for rank, place in enumerate(order[:_TRACED], 1)
                    )
                    rows[question.question_id] = replace(
                        rows[question.question_id], shape="cell", system=(candidates[0].text,), candidates=candidates
                    )
    trace.run(task, "conditional logit", ranker.parameters, index, packages={"numpy", "scipy", "lxml", "ipadic"})
    for row in rows.values() if trace.wanted else ():
        trace.question(row)
    warnings = []
    if absent:
        left = sum(len(by_report[name]) for name in absent)
        warnings.append(f"{reports}: {left} questions unanswered, for it lacks the reports {first_few(absent)}")
    left_out = (one for one in questions if not answers[one.question_id].answer_id)
    unread = [one.question_id for one in left_out if one.doc_id not in absent]
    if unread:
        warnings.append(f"{len(unread)} questions unanswered, for their reports lack the tables: {first_few(unread)}")
    return one_file(sheet_text(answers, task == CELLS), tuple(warnings))


def find_reports(questions: Sequence[ReportQuestion], index: Index) -> list[ReportQuestion]:
    """The questions with the report that BM25 finds for each: that of the best table of the company that it names best.

    Several reports of one company, or of companies of one name, are searched together; all where no company shares a
    word with the question. "" where no table does.
    """
    terms = terms_of(index)
    companies = [union_query(terms(read_question(one.text).company or one.text)) for one in questions]
    queries = []
    for one, hits in zip(questions, index.part(REPORTS.name).search(companies, _NAMESAKES, exact=True), strict=True):
        best = tuple(hit.doc_id for hit in hits if hit.score == hits[0].score)
        queries.append(union_query(terms(one.text))._replace(where=(REPORT, best) if best else None))
    found = index.part().search(queries, 1, exact=True)
    return [
        one._replace(doc_id=hits[0].document.keys[REPORT][0] if hits else "")
        for one, hits in zip(questions, found, strict=True)
    ]


def _answer_of(candidate: tuple[ReportTable, int], label: str, unit: Decimal) -> ReportAnswer:
    """The cell and its value; of a table its id and no value."""
    table, place = candidate
    if place < 0:
        return ReportAnswer(table.table_id)
    return ReportAnswer(table.cells[place].cell_id, value_of(table, place, label, unit))


def _where(table: ReportTable, place: int) -> str:
    """The headings of a cell, or those above a table, in words."""
    if place < 0:
        return " › ".join(table.headings)
    head = table.headed[place]
    return f"{table.cells[place].cell_id}: {' › '.join((*head.under, *head.left))} × {' › '.join(head.above)}"


def excerpt(table: ReportTable, place: int) -> TraceTable | None:
    """The part of a table near a cell, long texts cut; None for a table as a whole."""
    if place < 0:
        return None
    cell = table.cells[place]
    shown = {(one.row, one.column): one.text for one in table.cells}
    above = {one.column: head.above for one, head in zip(table.cells, table.headed, strict=True)}
    all_rows, all_columns = sorted({row for row, _ in shown}), sorted(above)
    rows = sorted(sorted(all_rows, key=lambda row: (abs(row - cell.row), row))[:_ROWS])
    near = sorted(all_columns, key=lambda column: (abs(column - cell.column), column))[:_COLUMNS]
    columns = sorted({all_columns[0], *near})
    return TraceTable(
        title=_cut(table.headings[-1] if table.headings else ""),
        size=(len(all_rows), len(all_columns)),
        columns=tuple(tuple(map(_cut, above[column])) for column in columns),
        rows=tuple((row, tuple(_cut(shown.get((row, column), "")) for column in columns)) for row in rows),
        labels=int(columns[0] != cell.column),
        answer=(rows.index(cell.row), columns.index(cell.column)),
    )


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def answer_cells(source: str | Mapping[str, Any], reports: str, model_path: str | None, trace: Trace) -> Submission:
    """The answer sheet of Table QA: the cell of the given table, and its value in full."""
    return answer(CELLS, source, reports, model_path, trace)


def answer_tables(
    source: str | Mapping[str, Any], reports: str | None, model_path: str | None, trace: Trace, asked: Asked = NO_INDEX
) -> Submission:
    """The answer sheet of Table Retrieval: the table of the given report, or of all reports of an index."""
    if (reports is None) == (asked == NO_INDEX):
        raise UserError("u4-tr: give --reports for questions with their reports, or --index for those without")
    return answer(TABLES, source, reports or open_asked(asked, "reports"), model_path, trace)


_SOURCE = argument("source", metavar="QUESTIONS", type=InputPath())
command_cells = task_command(
    answer_cells,
    """Answer questions on tables of securities reports: the official questions in, the filled answer sheet out.

    Only question, doc_id and table_id are read. A question whose report is not there is left unanswered.
    """,
    "u4-tqa samples/u4-tqa.questions.json --reports samples/u4-reports.tar.xz -o cells.json",
    _SOURCE,
    reports_option(required=True),
    model_option,
)
command_tables = task_command(
    answer_tables,
    """Find the table of a securities report that answers: the official questions in, the filled answer sheet out.

    Only question and doc_id are read, with --index only question: the table is then looked for in all reports of an
    index. A question whose report is not there is left unanswered.
    """,
    "u4-tr samples/u4-tr.questions.json --reports samples/u4-reports.tar.xz -o tables.json",
    _SOURCE,
    reports_option(required=False),
    index_option("none: questions name their reports"),
    model_option,
)
