"""NTCIR-18 U4: the cell of a securities report's table that answers (Table QA), and the table
(Table Retrieval)."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import count
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np

from answerer.excerpt import excerpt
from answerer.formats.u4 import (
    ReportAnswer,
    ReportQuestion,
    group_by_report,
    read_questions,
    sheet_text,
)
from answerer.models import model_of, model_parameters
from answerer.options import (
    Function,
    index_option,
    model_option,
    output_options,
    questions_argument,
)
from answerer.run import Run, Unanswered, one_file, paths_of
from answerer.trace import TraceCandidate, TraceQuestion
from answerer.u4.features import (
    Associations,
    Features,
    IndexedReport,
    associate,
    cell_features,
    decode_associations,
    read_question,
    table_features,
)
from indexer.analysis.years import NAMES
from indexer.cli.types import InputFile, in_order
from indexer.engines.contract import Index
from indexer.files.arrays import Float64Array
from indexer.files.errors import UserError
from indexer.files.messages import counted, first_few
from indexer.files.paths import require_input
from indexer.files.progress import progress
from indexer.files.validation import FileName, validate_path
from indexer.sources.reports.schema import REPORT, REPORTS, stored_reports
from indexer.tables.reports import Report, ReportCell, ReportTable, fold_text, read_reports
from indexer.tables.values import find_date, parse_value, unit_at, unit_of, without_marks
from retriever.learning.model import damage_error, read_model, unfit, warn_if_trained_on
from retriever.opened import AnyIndex, using_index
from retriever.provenance import describe
from retriever.queries import terms_of, union_query

# Labels whose values the gold writes below 0, whether the table shows a sign or not.
_DEDUCTED = re.compile("(?:償却|減損損失)累計額")
_STATEMENTS = "0105"  # how the numbers of sections with financial statements begin in EDINET
_DATE = re.compile(
    rf"(?:\d{{4}}|(?:{NAMES})(?:\d+|元)年)\D\d+\D\d+日?生?|(?:{NAMES})(?:\d+|元)年\d+月\d+日?生?"
)


def factor_of(table: ReportTable, cell: ReportCell, label: str, default: Decimal) -> Decimal:
    """The factor of a cell's number, by the first that has a unit: its text, the headings left of
    it (nearest first; 〃 is the nearest unit in the rows above), those above it (nearest first),
    the last text before the table with one.

    Before those above it: 1 if the label says 1株当たり and the number has decimals. Without a unit
    `default` in financial statements, else 1.
    """
    text = without_marks(cell.shown).replace(" ", "")
    if unit := unit_at(re.sub(r"^[^\d]*[\d,.]+", "", text).strip("()")):
        return unit.factor
    for heading in reversed(cell.left):
        unit = unit_of(heading)
        if unit and not unit.factor:
            # 〃 is the nearest unit of a row above.
            others = (other for other in reversed(table.cells) if other.row < cell.row)
            units = (
                unit_of(text) for other in others for text in (other.text, *reversed(other.left))
            )
            unit = next((other for other in units if other and other.factor), None)
        if unit:
            return unit.factor
    # Amounts per share are in yen, also in a table in millions of it.
    if "1株当たり" in label and "." in text:
        return Decimal(1)
    for heading in reversed(cell.above):
        if unit := unit_of(heading):
            return unit.factor or Decimal(1)
    factors = [unit.factor for text in table.before if (unit := unit_of(text)) and unit.factor]
    if factors:
        return factors[-1]
    return default if table.section.startswith(_STATEMENTS) else Decimal(1)


def money_unit(report: Report) -> Decimal:
    """The factor, 1,000 or more, in which a report counts yen: the most frequent in the first 12
    cells of the tables and in the texts before them, the first of equally frequent ones; 1 if none
    names one."""
    factors = Counter(
        unit.factor
        for table in report.tables
        for text in (*(cell.text for cell in table.cells[:12]), *table.before)
        if "円" in text and (unit := unit_of(text)) and unit.factor >= 1000
    )
    return factors.most_common(1)[0][0] if factors else Decimal(1)


def value_of(table: ReportTable, cell: ReportCell, label: str, default: Decimal) -> str:
    """The value of a cell for the label and headings of a question; money without a unit counts in
    the default one.

    A number becomes its decimal digits (below 0 if in brackets in financial statements, or if the
    label is of accumulated depreciation or impairment), a date YYYY-MM-DD, a dash or blank "－";
    any other text is given without white space.
    """
    text = without_marks(cell.shown).replace(" ", "")
    value = parse_value(text.strip("()"))
    if value.kind == "blank" or (value.kind == "missing" and len(text) < 4):
        return "－"
    if _DATE.fullmatch(text) and (date := find_date(text)):
        return f"{date[0]:04}-{date[1]:02}-{date[2]:02}"
    if cell.kind != "number" or not value.digits:
        return cell.text
    number = Decimal(value.digits) * factor_of(table, cell, label, default)
    # In statements figures in brackets are negative, elsewhere they are parts of others
    bracketed = (
        text.startswith("(") and text.endswith(")") and table.section.startswith(_STATEMENTS)
    )
    return format(-abs(number) if bracketed or _DEDUCTED.search(label) else number, "f")


CELLS, TABLES = "u4-tqa", "u4-tr"

# Weights without a model, set by hand; they also pick the candidates that training looks at.
DEFAULT_WEIGHTS = {
    CELLS: {
        "label: dice best": 6,
        "headings: any": 2,
        "period: column year equal": 2,
        "cell: number": 1,
    },
    TABLES: {
        "label: equal first": 3,
        "label: covered by both": 4,
        "headings: any": 2,
        "headings: in titles": 1,
        "period: column year equal": 1,
    },
}

_TRACED = 5  # candidates of a question that a trace shows
_PAGES = ("**/*.html", "**/*.htm")  # of a folder of reports
# reports of one company, or of namesakes, searched together: EDINET has some 20 years of each
_NAMESAKES = 100

# A cell with its table, or a table alone.
Candidate = tuple[ReportTable, ReportCell | None]


def copy_names(features: Features) -> tuple[str, ...]:
    """The names of the columns of `with_copies`."""
    return tuple(name + ending for ending in ("", " | is best") for name in features)


def with_copies(values: Float64Array) -> Float64Array:
    """Features (candidates, features), at least one candidate, and behind them 1 for each that is
    the list's greatest, 0 where all are equal, (candidates, 2 × features)."""
    best = (values == values.max(0)) & (values.min(0) < values.max(0))
    return np.concatenate([values, best], 1)


class Ranker(NamedTuple):
    """The weights of a task by the names of `copy_names` (a feature without one weighs 0), and its
    associations; `parameters` describe it in a trace. `file` is the model's, "none" without one."""

    task: str
    file: str
    weights: Mapping[str, float]
    learned: Associations
    parameters: Mapping[str, Any]

    def parts(self, features: Features) -> Float64Array:
        """The part of each column in the score of each candidate, (candidates, columns); a score is
        their sum. Raises UserError for a weight of no feature: an older program learned it."""
        names = copy_names(features)
        if not self.weights.keys() <= set(names):
            what = "the model's features are not those of this program"
            raise unfit(self.file, what, self.task)
        weights = np.array([self.weights.get(name, 0.0) for name in names])
        parts: Float64Array = with_copies(np.stack(list(features.values()), 1)) * weights
        return parts


def load_ranker(task: str, model_file: FileName | None, sources: Sequence[str] = ()) -> Ranker:
    """The ranker of a model file (None: the program's own; `none`: by hand). Warns if the model was
    trained on one of the files `sources`. UserError for another task's or a damaged model."""
    path = model_of(task, model_file)
    if path is None:
        parameters = model_parameters(None, ())
        return Ranker(task, "none", DEFAULT_WEIGHTS[task], associate([]), parameters)
    model = read_model(path, task)
    warn_if_trained_on(path, model, sources)
    try:
        learned = decode_associations(model.learned)
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        raise damage_error(path, error, task) from error
    # Without the means, which move the scores of all candidates alike.
    parameters = model_parameters(path, model.data)
    return Ranker(task, str(path), model.factor_of, learned, parameters)


def candidates_of(
    task: str, report: Report, questions: Sequence[ReportQuestion], learned: Associations
) -> Iterator[tuple[ReportQuestion, Sequence[Candidate], Features]]:
    """Each question on a report, its candidates in their order (tables, or cells with text of the
    question's table), their features; [] and {} where the table is absent or the report has none
    with text."""
    table_ids = None if task == TABLES else frozenset(question.table_id for question in questions)
    indexed = IndexedReport(report, learned, table_ids)
    for question in questions:
        parsed = read_question(question.text)
        if task == TABLES and indexed.tables:
            yield (
                question,
                [(table, None) for table in indexed.tables],
                table_features(parsed, indexed),
            )
        elif question.table_id in indexed.span:
            rows = indexed.span[question.table_id]
            yield question, indexed.cells[rows], cell_features(parsed, indexed, rows)
        else:
            yield question, [], {}


def rank_candidates(
    question: ReportQuestion,
    candidates: Sequence[Candidate],
    features: Features,
    ranker: Ranker,
    unit: Decimal,
    most: int = _TRACED,
) -> tuple[ReportAnswer, TraceQuestion]:
    """The answer, the cell with its value or the table, and the question of a trace with the `most`
    best of the candidates (at least one), ties in their order, with probabilities as scores.

    Their features are families, each with its part of the score beyond the mean of all candidates.
    `unit` is the factor of money in tables that name no unit.
    """
    parts = ranker.parts(features)
    scores = parts.sum(1)
    shares = np.exp(scores - scores.max())
    label = fold_text(question.text.partition("「")[2])
    answers, shown = [], []
    for rank, position in enumerate(np.argsort(-scores, kind="stable")[:most].tolist(), 1):
        table, cell = candidates[position]
        result, headings, frame = ReportAnswer(table.table_id), " › ".join(table.headings), None
        if cell is not None:
            result = ReportAnswer(cell.cell_id, value_of(table, cell, label, unit))
            headings = (
                f"{cell.cell_id}: {' › '.join((*cell.under, *cell.left))} × "
                f"{' › '.join(cell.above)}"
            )
            texts = {
                (table_cell.row, table_cell.column): table_cell.text for table_cell in table.cells
            }
            above = {table_cell.column: table_cell.above for table_cell in table.cells}
            columns, height = range(1 + max(above)), 1 + max(row for row, _ in texts)
            grid = [[texts.get((row, column), "") for column in columns] for row in range(height)]
            paths = [above.get(column, ()) for column in columns]
            frame = excerpt("".join(table.headings[-1:]), paths, grid, (cell.row, cell.column), 1)
        families: defaultdict[str, float] = defaultdict(float)
        for name, part in zip(
            copy_names(features), (parts[position] - parts.mean(0)).tolist(), strict=True
        ):
            families[name.partition(":")[0]] += part
        answers.append(result)
        candidate = TraceCandidate(
            id=str(rank),
            text=result.text,
            score=float(shares[position] / shares.sum()),
            derivation=headings,
            features=dict(sorted(families.items(), key=lambda item: (-abs(item[1]), item[0]))),
            table=frame,
        )
        shown.append(candidate)
    best, name = (answers[0].text,), question.question_id
    row = TraceQuestion(
        question_id=name, question=question.text, shape="cell", system=best, candidates=tuple(shown)
    )
    return answers[0], row


def answer_task(
    task: str,
    source: FileName | Mapping[str, Any],
    *,
    reports: FileName | None,
    index: AnyIndex | None,
    model: FileName | None,
    evidence: bool,
) -> Run:
    """The filled answer sheet of Table QA or Table Retrieval for the questions of a file, or for
    its objects; a question whose report or table is absent has an empty answer, with a warning.

    The reports are those of a folder or an archive, or of an index, by default `reports`. In Table
    Retrieval questions to an index name no report: `find_reports` does. Raises UserError if both
    are named, and for `reports` that cannot be read.
    """
    if reports is not None:
        if index is not None:
            raise UserError(f"{task}: give --reports or --index, not both")
        return _answer(task, source, reports_path(reports), None, model, evidence)
    with using_index("reports" if index is None else index, "reports") as opened:
        return _answer(task, source, None, opened, model, evidence)


def _answer(
    task: str,
    source: FileName | Mapping[str, Any],
    reports: Path | None,
    index: Index | None,
    model: FileName | None,
    evidence: bool,
) -> Run:
    """The run of `answer_task`, from an open index or, where it is None, from `reports`, which are
    read one after another; the sheet has every question in the file's order. Money counts in the
    unit of most tables of the report (`money_unit`)."""
    searched = task == TABLES and index is not None
    questions = read_questions(
        Path(source) if isinstance(source, str | PathLike) else source,
        table_given=task == CELLS,
        report_given=not searched,
    )
    ranker = load_ranker(task, model, paths_of(source))
    if searched and index is not None:
        questions = find_reports(questions, index)
    by_report = group_by_report(
        question for question in questions if question.doc_id or not searched
    )
    if index is not None:
        stored = stored_reports(index, by_report)
    else:
        assert reports is not None  # noqa: S101 (one of the two is given)
        stored = read_reports(reports, by_report)
    answers: dict[str, tuple[ReportAnswer, TraceQuestion]] = {}
    absent: list[str] = []
    number = count(1)
    with progress("answered", len(questions)) as reach:
        # Reports are read one after another, for memory holds few.
        for report in stored:
            if not report.tables:
                absent.append(report.doc_id)
            # The unit is that of most tables: it takes all of them, also where one is asked.
            unit = money_unit(report)
            for question, candidates, features in candidates_of(
                task, report, by_report[report.doc_id], ranker.learned
            ):
                reach(next(number))
                if candidates:
                    answers[question.question_id] = rank_candidates(
                        question, candidates, features, ranker, unit, _TRACED if evidence else 1
                    )
    # The sheet has every question in the file's order, those without an answer too.
    for question in questions:
        name = question.question_id
        row = TraceQuestion(question_id=name, question=question.text)
        answers.setdefault(name, (ReportAnswer(""), row))
    in_file = [(question.question_id, *answers[question.question_id]) for question in questions]
    unanswered = [name for name, answer, _ in in_file if not answer.answer_id]
    corpus = str(reports) if index is None else index.address
    return Run(
        task=task,
        method="conditional logit",
        parameters=ranker.parameters,
        index=describe(index) if index is not None else None,
        packages=("numpy", "scipy", "lxml", "ipadic"),
        sources=paths_of(source),
        files=one_file(sheet_text({name: answer for name, answer, _ in in_file}, task == CELLS)),
        questions=[row for _, _, row in in_file if evidence],
        warnings=_warnings(unanswered, absent, corpus),
        unanswered=Unanswered(unanswered, len(questions), corpus),
    )


def _warnings(unanswered: Sequence[str], absent: Sequence[str], corpus: str) -> list[str]:
    """The warning of questions without an answer, with the reports that are not there; [] if all
    have one."""
    if not unanswered:
        return []
    lacking = f", {corpus} lacks the reports {first_few(absent)}" if absent else ""
    return [
        f"{counted(len(unanswered), 'questions')} unanswered, for the report or table is not "
        f"there: {first_few(unanswered)}{lacking}"
    ]


def find_reports(questions: Sequence[ReportQuestion], index: Index) -> list[ReportQuestion]:
    """The questions, in order, with the report that BM25 finds for each: that of the best table of
    the company that it names best.

    Up to 100 reports of one company, or of companies of one name, are searched together; all where
    no company shares a word with the question. "" where no table does.
    """
    terms = terms_of(index)
    # The company first: its name is in every table of its reports, and rare words of a label would
    # outweigh it.
    companies = [
        union_query(terms(read_question(question.text).company or question.text))
        for question in questions
    ]
    queries = []
    for question, hits in zip(
        questions, index.part(REPORTS.name).search(companies, _NAMESAKES, exact=True), strict=True
    ):
        best = tuple(hit.doc_id for hit in hits if hit.score == hits[0].score)
        queries.append(
            union_query(terms(question.text))._replace(where=(REPORT, best) if best else None)
        )
    doc_ids = [
        hits[0].document.keys[REPORT][0] if hits else ""
        for hits in index.part().search(queries, 1, exact=True)
    ]
    return [
        question._replace(doc_id=doc_id)
        for question, doc_id in zip(questions, doc_ids, strict=True)
    ]


def reports_path(reports: FileName) -> Path:
    """The path of a folder or an archive of reports. Raises UserError if it cannot be read."""
    path = validate_path(reports, "reports")
    require_input(path, "reports", _PAGES)
    return Path(path)


def reports_option(*, required: bool) -> Callable[[Function], Function]:
    """Adds --reports FOLDER|ARCHIVE."""
    return click.option(
        "--reports",
        metavar="FOLDER|ARCHIVE",
        required=required,
        type=InputFile(inside=_PAGES),
        help="The reports: a folder, or a tar or zip of it." + ("" if required else " [--index]"),
    )


command_options = in_order(
    questions_argument,
    reports_option(required=False),
    index_option("reports"),
    model_option,
    output_options(searches=True),
)
"""The questions and the options of both tasks."""
