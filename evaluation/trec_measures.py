"""`python -m evaluation trec QRELS RUN...`: scores runs in the format of [TREC] by the measures of ir_measures."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import dropwhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluation.runs import check_ids, check_run
from evaluation.significance import estimate
from evaluation.tables import format_option, print_rows
from indexer.files.encoding import numbered_lines, open_lines
from indexer.files.errors import UserError, bad_input
from indexer.files.messages import warn
from indexer.files.versions import install_hint
from indexer.formats.labels import is_number
from indexer.parameters import TEXT, argument, command_line, flag, input_path, option

if TYPE_CHECKING:
    from types import ModuleType

DEFAULT = "AP RR nDCG@10 P@1"
QREL_SHAPE = "expected QUERY_ID ITERATION DOC_ID RELEVANCE (a whole number); the qrels come first"
RUN_SHAPE = "expected QUERY_ID Q0 DOC_ID RANK SCORE TAG (the score a number); the qrels come first"
_MOST = 2**31 - 1  # the largest cutoff that trec_eval's C integers hold

ByQuery = dict[str, dict[str, float]]
"""Query id → doc_id → relevance or score."""


def read_qrels(path: Path) -> ByQuery:
    """Reads qrels. Raises UserError as `read_columns` does."""
    return read_columns(path, 4, 3, lambda cell: int(cell) if re.fullmatch(r"-?\d{1,9}", cell) else None, QREL_SHAPE)


def read_run(path: Path) -> ByQuery:
    """Reads a run, skipping the comments at its beginning ([ir_metadata]). Raises UserError as `read_columns` does."""
    return read_columns(path, 6, 4, lambda cell: float(cell) if is_number(cell) else None, RUN_SHAPE)


def read_columns(path: Path, width: int, column: int, parse: Callable[[str], float | None], expected: str) -> ByQuery:
    """Reads lines of `width` columns, of which the first is a query, the third a document and number `column`, from 0,
    the value that `parse` makes of it.

    Raises UserError with file and line for another number of columns, what `parse` maps to None, a repeated document,
    and an empty file.
    """
    queries: ByQuery = {}
    lines = numbered_lines(open_lines(path), path, expected)
    for line, text in dropwhile(lambda line: line[1].startswith("#"), lines):  # behind a header of metadata
        cells = text.split()
        if not cells:
            continue
        value = parse(cells[column]) if len(cells) == width else None
        if value is None:
            raise bad_input(path, line, f"the line {' '.join(cells)[:80]!r}", expected)
        documents = queries.setdefault(cells[0], {})
        if cells[2] in documents:
            raise bad_input(path, line, f"{cells[2]} appears twice for query {cells[0]}", "each document once")
        documents[cells[2]] = value
    if not queries:
        raise bad_input(path, None, "empty", expected)
    return queries


def measure_run(
    qrels: ByQuery, run: ByQuery, measures: Sequence[Any], library: ModuleType
) -> dict[str, dict[str, float]]:
    """Computes each measure for every query of the qrels: measure → query id → value; a query that the run lacks has
    the measure's default.

    Queries are passed to the measures as numbers, because gdeval (`ERR@20`) cannot read other ids.
    """
    values: dict[str, dict[str, float]] = {str(measure): {} for measure in measures}
    names = {str(number): query_id for number, query_id in enumerate(qrels, 1)}
    judged = {number: qrels[query_id] for number, query_id in names.items()}
    found = {number: run[query_id] for number, query_id in names.items() if query_id in run}
    for metric in library.iter_calc(measures, judged, found):
        values[str(metric.measure)][names[metric.query_id]] = float(metric.value)
    return values


def parse_measures(texts: Sequence[str], library: ModuleType) -> list[Any]:
    """Parses the measures of `-m`, each once. Raises UserError for an unknown one, or one without a provider."""
    measures: list[Any] = []
    for name in " ".join(texts).split():
        try:
            measure = _measure(name, library)
            supported = library.DefaultPipeline.supports(measure)
        except Exception as error:  # the package refuses measures by whatever its own code runs into
            raise UserError(f"-m {name}: not a measure of ir_measures ({' '.join(str(error).split())[:200]})") from None
        # Providers abort the process on impossible cutoffs.
        numbers = [value for value in measure.params.values() if isinstance(value, int | float)]
        if not all(0 < number <= _MOST for number in numbers):
            raise UserError(f"-m {name}: the numbers of a measure are greater than 0 and at most {_MOST:,}")
        if not supported:
            raise UserError(f"-m {name}: no installed package computes this measure")
        if measure not in measures:
            measures.append(measure)
    return measures


def _measure(text: str, library: ModuleType) -> Any:
    """Parses a measure: `NAME` or `NAME(PARAMETER=VALUE, ...)`, optionally followed by `@CUTOFF`.

    `ir_measures.parse_measure` accepts the same, but fails from Python 3.14 on (0.4.3 needs `ast.Num`).
    """
    tree = ast.parse(text, mode="eval").body
    cutoff = tree.right if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.MatMult) else None
    named = tree.left if isinstance(tree, ast.BinOp) and cutoff else tree
    parameters: dict[str, Any] = {}
    if isinstance(named, ast.Call) and not named.args:
        parameters = {str(one.arg): ast.literal_eval(one.value) for one in named.keywords}
        named = named.func
    if not isinstance(named, ast.Name) or named.id not in library.measures.registry:
        raise ValueError("expected NAME, NAME@CUTOFF or NAME(PARAMETER=VALUE)@CUTOFF, as nDCG@10")
    kind = library.measures.registry[named.id]
    if cutoff:
        parameters[kind.AT_PARAM] = ast.literal_eval(cutoff)
    return kind(**parameters)


@command_line(
    'evaluation trec qrels.txt run.txt -m "nDCG@10 RR AP"',
    argument("qrels", metavar="QRELS", type=partial(input_path, path_type=Path)),
    argument("runs", multiple=True, metavar="RUN...", type=partial(input_path, path_type=Path)),
    option("-m", "names", multiple=True, metavar="MEASURE", type=TEXT, help=f"As ir_measures writes them [{DEFAULT}]."),
    flag("-q", "by_query", help="One row a query."),
    flag("--interval", help="95 % bootstrap intervals over the queries."),
    format_option,
)
def command(
    qrels: Path,
    runs: tuple[Path, ...],
    names: tuple[str, ...],
    by_query: bool,
    interval: bool,
    format: str,  # noqa: A002
) -> None:
    """Score TREC runs by the measures of ir_measures (extra ir-measures), over all queries of the qrels.

    A query that a run lacks counts 0. Equal scores are ordered as each measure's own program does it (trec_eval: by
    doc_id, falling), whatever the ranks in the file say.
    """
    try:
        import ir_measures as library
    except ImportError as error:
        raise UserError(f"{error}: {install_hint('ir-measures')}") from None
    measures = parse_measures(names or (DEFAULT,), library)
    judged = read_qrels(qrels)
    rows: list[dict[str, object]] = []
    for path in runs:
        run = read_run(path)
        check_ids(qrels, path, judged, run, "queries")
        if not any(doc_id in judged[query_id] for query_id in judged for doc_id in run.get(query_id, ())):
            warn(f"{path}: has none of the documents judged in {qrels}: are the doc_ids of the same collection?")
        check_run(qrels, path)
        values = measure_run(judged, run, measures, library)
        row: dict[str, object] = {"run": str(path)} if len(runs) > 1 else {}
        if by_query:
            for query_id in judged:
                by_measure = {name: values[name][query_id] for name in values}
                rows.append({**row, "query": query_id, **by_measure})
            continue
        row["queries"] = len(judged)
        for name, of_queries in values.items():
            each = [of_queries[query_id] for query_id in judged]
            row[name] = sum(each) / len(each)
            if interval:
                whole = estimate(each)
                row |= {f"{name} low": whole.low, f"{name} high": whole.high}
        rows.append(row)
    print_rows(rows, format)
