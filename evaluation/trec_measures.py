"""`python -m evaluation trec QRELS RUN...`: scores runs in the format of [TREC] by the measures of
ir_measures."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import dropwhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from evaluation.contract import Figures
from evaluation.options import format_option, refuse_by_question
from evaluation.runs import RunFile, check_ids, check_run, existing, run_files
from evaluation.significance import estimate
from evaluation.tables import print_rows
from indexer.cli.types import Command, InputFile, PlainText
from indexer.files.encoding import numbered_lines, open_lines
from indexer.files.errors import UserError, bad_input
from indexer.files.messages import first_few, warn
from indexer.files.validation import FileName, is_number, validate_texts
from indexer.files.versions import install_hint
from indexer.formats.trec_run import BEIR_QRELS

if TYPE_CHECKING:
    from types import ModuleType

    from evaluation.runs import AnyRun
    from retriever.rankings import Rankings

DEFAULT = "AP RR nDCG@10 P@1"
QREL_SHAPE = "expected QUERY_ID ITERATION DOC_ID RELEVANCE (a whole number); the qrels come first"
RUN_SHAPE = "expected QUERY_ID Q0 DOC_ID RANK SCORE TAG (the score a number); the qrels come first"
_RELEVANCE = re.compile(r"-?\d{1,9}")
_FORMS = "expected NAME, NAME@CUTOFF or NAME(PARAMETER=VALUE)@CUTOFF, as AP, nDCG@10 or P(rel=2)@5"
_MEASURE = re.compile(r"(?:\([^()]*+\)|[^\s,])++")
_TREC_EVAL = {
    "map": "AP",
    "mrr": "RR",
    "recip_rank": "RR",
    "ndcg": "nDCG",
    "p": "P",
    "recall": "R",
    "rprec": "Rprec",
    "bpref": "Bpref",
    "success": "Success",
    "ap": "AP",
    "rr": "RR",
}
"""trec_eval's names of measures, without their cutoff, and ir_measures'."""
_MOST = 2**31 - 1  # the largest cutoff that trec_eval's C integers hold

ByQuery = dict[str, dict[str, float]]
"""Query id → doc_id → relevance or score."""


class Columns(NamedTuple):
    """A run or qrels: `values` is query id → doc_id → score or relevance, in file order.

    `contradicted` are the queries of a run in which, of two lines that follow each other, the one
    with the better rank has the lower score.
    """

    values: ByQuery
    contradicted: Collection[str]


def read_columns(path: RunFile, is_run: bool) -> Columns:
    """Reads a run or qrels (TREC's, or BEIR's without iterations). Comments at the beginning
    ([ir_metadata]) and empty lines are skipped; a run without a line has no queries.

    Raises UserError with file and line for another number of columns, a score that is not a number,
    a relevance that is not a whole number, a repeated document, and qrels without a line.
    """
    expected, width, column = (RUN_SHAPE, 6, 4) if is_run else (QREL_SHAPE, 4, 3)
    queries: ByQuery = {}
    contradicted, is_beir = set[str](), False
    before: tuple[str, float, float] | None = None  # query, rank and score of the line before
    lines = numbered_lines(open_lines(path), path, expected)
    for line, text in dropwhile(
        lambda line: line[1].startswith("#"), lines
    ):  # behind a header of metadata
        cells = text.split()
        if not is_run and cells == BEIR_QRELS:
            is_beir = True
        if not cells or cells == BEIR_QRELS:
            continue
        if is_beir and len(cells) == 3:  # BEIR's qrels have no iteration
            cells.insert(1, "0")
        if len(cells) != width or not (is_number if is_run else _RELEVANCE.fullmatch)(
            cells[column]
        ):
            raise bad_input(path, line, f"the line {' '.join(cells)[:80]!r}", expected)
        documents = queries.setdefault(cells[0], {})
        if cells[2] in documents:
            raise bad_input(
                path, line, f"{cells[2]} appears twice for query {cells[0]}", "each document once"
            )
        documents[cells[2]] = float(cells[column]) if is_run else int(cells[column])
        if is_run and is_number(cells[3]):
            query, rank, score = cells[0], float(cells[3]), documents[cells[2]]
            if before and before[0] == query and (rank - before[1]) * (score - before[2]) > 0:
                contradicted.add(query)
            before = query, rank, score
    if not queries and not is_run:
        raise bad_input(path, None, "empty", expected)
    return Columns(queries, contradicted)


def read_run(path: FileName) -> Rankings:
    """The rankings of a TREC run: for each query, in the order of the file, its (doc_id, score) in
    that order, whatever the ranks; {} for a run without a line. Raises UserError for a damaged line
    or repeated document, and for a path that does not exist."""
    from retriever.rankings import Rankings

    queries = read_columns(existing(path, "run"), is_run=True).values
    return Rankings((query_id, [*scores.items()]) for query_id, scores in queries.items())


def parse_measures(texts: Sequence[str], library: ModuleType) -> list[Any]:
    """Parses the measures of `-m`, parted by blanks or commas, each once: `NAME` or
    `NAME(PARAMETER=VALUE,...)`, optionally followed by `@CUTOFF`; [] for blank texts. Raises
    UserError for an unknown one, one without a provider, and numbers that are not above 0 or are
    over 2,147,483,647.

    `ir_measures.parse_measure` accepts the same, but fails from Python 3.14 on (0.4.3 needs
    `ast.Num`).
    """
    measures: list[Any] = []
    for text in _MEASURE.findall(" ".join(texts)):
        try:
            node, parameters, cutoff = ast.parse(text, mode="eval").body, {}, None
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
                cutoff, node = ast.literal_eval(node.right), node.left
            if isinstance(node, ast.Call) and not node.args:
                parameters = {
                    str(keyword.arg): ast.literal_eval(keyword.value) for keyword in node.keywords
                }
                node = node.func
            if not isinstance(node, ast.Name) or node.id not in library.measures.registry:
                raise ValueError(text)
            kind = library.measures.registry[node.id]
            measure = kind(**parameters, **({} if cutoff is None else {kind.AT_PARAM: cutoff}))
            supported = library.DefaultPipeline.supports(measure)
        except Exception:  # the package refuses measures by whatever its own code runs into
            meant = _measure_meant(text)
            raise UserError(
                f"-m {text}: not a measure of ir_measures; "
                + (f"did you mean {meant}?" if meant else _FORMS)
            ) from None
        # Providers abort the process on impossible cutoffs.
        numbers = [value for value in measure.params.values() if isinstance(value, int | float)]
        if not all(0 < number <= _MOST for number in numbers):
            raise UserError(
                f"-m {text}: the numbers of a measure are greater than 0 and at most {_MOST:,}"
            )
        if not supported:
            raise UserError(f"-m {text}: no installed package computes this measure")
        if measure not in measures:
            measures.append(measure)
    return measures


def _measure_meant(text: str) -> str:
    """The name of ir_measures for one of trec_eval's or a common one in any case (`map`,
    `ndcg_cut_10`, `MRR`); "" for any other."""
    name, _, cutoff = text.replace("@", "_").rpartition("_")
    if not cutoff.isdecimal():
        name, cutoff = text, ""
    meant = _TREC_EVAL.get(name.lower().removesuffix("_cut"), "")
    return f"{meant}@{cutoff}" if meant and cutoff else meant


@click.command(cls=Command, example='evaluate trec qrels.txt run.txt -m "nDCG@10 RR AP"')
@click.argument("qrels", metavar="QRELS", type=InputFile())
@click.argument("runs", nargs=-1, required=True, metavar="RUN...", type=InputFile())
@click.option(
    "-m",
    "names",
    multiple=True,
    metavar="MEASURE",
    type=PlainText(),
    help=f"As ir_measures writes them [{DEFAULT}].",
)
@click.option("-q", "by_query", is_flag=True, help="One row a query.")
@click.option("--interval", is_flag=True, help="95 % bootstrap intervals over the queries.")
@format_option
def command(
    qrels: Path,
    runs: tuple[Path, ...],
    names: tuple[str, ...],
    by_query: bool,
    interval: bool,
    form: str,
) -> None:
    """Score TREC runs by the measures of ir_measures (extra ir-measures), over all queries of the
    qrels.

    A query that a run lacks counts 0. Equal scores are ordered as each measure's own program does
    it (trec_eval: by doc_id, falling), whatever the ranks in the file say.
    """
    refuse_by_question(by_query, interval)
    rows: list[dict[str, object]] = []
    for path, values in zip(runs, query_scores(qrels, runs, names), strict=True):
        row: dict[str, object] = {"run": str(path)} if len(runs) > 1 else {}
        if by_query:
            rows += [row | of_query for of_query in query_rows(values)]
        else:
            rows.append(row | mean_row(values, interval))
    print_rows(rows, form)


def score(
    qrels: FileName,
    run: AnyRun,
    *,
    measures: str | Sequence[str] = DEFAULT,
    interval: bool = False,
) -> Figures:
    """The means of a TREC run, or of the rankings of `OpenIndex.search`, over the queries of the
    qrels, and the scores of each query.

    `measures` are written as ir_measures writes them: a list, or one text parted by blanks; with
    `interval` each has the bounds of its 95 % bootstrap interval. Raises UserError as
    `query_scores` does.
    """
    files, judgements = run_files([run]), existing(qrels, "qrels")
    (values,) = query_scores(judgements, [file.path for file in files], measures)
    return Figures("trec", [mean_row(values, interval)], query_rows(values))


def query_rows(values: Mapping[str, Mapping[str, float]]) -> list[dict[str, object]]:
    """A row for each query with its id and its score by each measure; `values` are measure → query
    id → score, the same queries for each."""
    return [
        {"query": query_id, **{name: values[name][query_id] for name in values}}
        for query_id in next(iter(values.values()))
    ]


def mean_row(values: Mapping[str, Mapping[str, float]], interval: bool) -> dict[str, object]:
    """The number of queries and the mean of each measure (measure → query id → score), with
    `interval` the bounds of its 95 % bootstrap interval."""
    row: dict[str, object] = {"queries": len(next(iter(values.values())))}
    for name, of_queries in values.items():
        # In the order of `compare`, so that both resample the same.
        scores = [of_queries[query_id] for query_id in sorted(of_queries)]
        row[name] = sum(scores) / len(scores)
        if interval:
            whole = estimate(scores)
            row |= {f"{name} low": whole.low, f"{name} high": whole.high}
    return row


def query_scores(
    qrels: Path, runs: Sequence[RunFile], names: str | Sequence[str] = ()
) -> Iterator[dict[str, dict[str, float]]]:
    """Yields for each run the score of each query of the qrels, in their order, by measure; `names`
    are the measures as ir_measures writes them.

    A query that the run lacks scores 0, also where the run is empty; one without qrels is left out.
    Warns of these (of the same ones once for all runs), of queries without a relevant document, of
    equal scores, of ranks that contradict the scores, and, where it is so in more than a third of
    the queries of the run, of hits of which none is judged.

    Raises UserError without the package, for an unknown measure, for a file that is not a run or
    qrels, for a run that has none of the queries, or more others than these, and for one of the
    same bytes as the qrels.
    """
    try:
        import ir_measures as library
    except ImportError as error:
        raise UserError(f"{error}: {install_hint('ir-measures')}") from None
    texts = names or DEFAULT
    texts = [texts] if isinstance(texts, str) else validate_texts(texts, "measures")
    measures = parse_measures(texts, library)
    judged = read_columns(qrels, is_run=False).values
    if without := [query for query, of_query in judged.items() if max(of_query.values()) <= 0]:
        warn(
            f"{qrels}: no relevant document, which counts 0: {len(without)} of {len(judged)} "
            f"queries: {first_few(without)}"
        )
    names_of = {str(number): query_id for number, query_id in enumerate(judged, 1)}
    not_judged = set[str]()  # the queries without qrels that were warned of
    for path in runs:
        run, contradicted = read_columns(path, is_run=True)
        if len(run) == len(judged) and run.keys() != judged.keys():
            warn(
                f"{path}: as many queries as {qrels}, under other ids: if the qrels count the "
                f"topics 1, 2, 3 …, run them with `retrieve --renumber`"
            )
        check_ids(qrels, path, judged, run, "queries", warned=not_judged)
        not_judged |= run.keys() - judged.keys()
        _warn_of_order(path, run, contradicted)
        _warn_of_documents(qrels, path, judged, run)
        check_run(qrels, path)
        # A query is passed to the measures as its number, because gdeval (`ERR@20`) cannot read
        # other ids. One that the run lacks has the measure's default.
        by_number, run_by_number = (
            {
                number: documents[query_id]
                for number, query_id in names_of.items()
                if query_id in documents
            }
            for documents in (judged, run)
        )
        values: dict[str, dict[str, float]] = {
            str(measure): dict.fromkeys(judged, 0.0) for measure in measures
        }
        # The package fails on an empty run.
        metrics = library.iter_calc(measures, by_number, run_by_number) if run_by_number else ()
        for metric in metrics:
            values[str(metric.measure)][names_of[metric.query_id]] = float(metric.value)
        yield values


def scores_by_one_measure(
    qrels: Path, runs: Sequence[RunFile], measure: str | Sequence[str]
) -> list[dict[str, float]]:
    """The score of each query of the qrels, for each run, by a single measure. Raises UserError for
    several, and as `query_scores` does."""
    of_runs = list(query_scores(qrels, runs, measure))
    if len(of_runs[0]) > 1:
        raise UserError(f"-m {measure}: runs are compared by one measure: name one of these")
    return [next(iter(by_measure.values())) for by_measure in of_runs]


def _warn_of_order(path: RunFile, run: ByQuery, contradicted: Collection[str]) -> None:
    """Warns of queries with equal scores, and of those whose ranks contradict the scores."""
    if contradicted:
        warn(
            f"{path}: ranks contradict scores in {len(contradicted)} of {len(run)} queries: "
            f"the scores count, highest first, the ranks are ignored"
        )
    if tied := sum(len(set(of_query.values())) < len(of_query) for of_query in run.values()):
        warn(
            f"{path}: equal scores in {tied} of {len(run)} queries: ordered by falling doc_id, as "
            f"trec_eval does it; the ranks are ignored"
        )


def _warn_of_documents(qrels: Path, path: RunFile, judged: ByQuery, run: ByQuery) -> None:
    """Warns if in more than a third of the queries that both have none of the run's documents is
    judged."""
    both = [query_id for query_id in judged if query_id in run]
    strange = [query_id for query_id in both if not run[query_id].keys() & judged[query_id].keys()]
    if 3 * len(strange) > len(both):
        warn(
            f"{path}: none of the documents is judged in {qrels} in {len(strange)} of {len(both)} "
            f"queries: are the doc_ids of the same collection?"
        )
