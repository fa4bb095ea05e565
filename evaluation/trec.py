"""`python -m evaluation export TASK GOLD RUN`: writes qrels and run files of [TREC] from scores or a trace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from answerer.trace import TraceQuestion, read_trace
from evaluation.measures.answer_sets import fold_text
from evaluation.registry import Scoring, ranking, scoring
from evaluation.report.data import match_rows
from evaluation.tasks.ranked_lists import Ranked
from evaluation.tasks.results import ReportedQuestion
from indexer.engines.scoring import round_score
from indexer.files.atomic import write_all, write_text
from indexer.files.errors import UserError
from indexer.files.messages import warn
from indexer.formats.labels import candidate_id
from indexer.formats.trec_run import RUN_TAG, run_lines, text_id
from indexer.parameters import TEXT, InputPath, OutputPath, address_option, argument, command_line, flag, option


def qrels_lines(ranked: Sequence[Ranked]) -> Iterator[str]:
    """Yields `query_id 0 doc_id relevance` for every candidate of every question; query n is the n-th question."""
    for number, one in enumerate(ranked, 1):
        for place, right in enumerate(one.gold):
            yield f"{number} 0 {candidate_id(number, place)} {int(bool(right))}\n"


def scored_run(ranked: Sequence[Ranked], tag: str = RUN_TAG) -> Iterator[str]:
    """Yields `query_id Q0 doc_id rank score tag`, best first; ties are in file order, also for trec_eval."""
    for number, one in enumerate(ranked, 1):
        order = sorted(range(len(one.scores)), key=lambda place: (-one.scores[place], place))
        yield from run_lines(str(number), ((candidate_id(number, place), one.scores[place]) for place in order), tag)


@command_line(
    "evaluation export nlpcc-dbqa samples/dbqa.dev.txt dbqa.scores.txt --qrels qrels.txt --run run.txt",
    argument("task", type=TEXT),
    argument("gold", type=InputPath(path_type=Path)),
    argument("run", required=False, type=InputPath(path_type=Path)),
    option(
        "--trace",
        metavar="TRACE.jsonl",
        type=InputPath(path_type=Path),
        help="Export the candidates of the run's trace: for tasks that find their answers, and multiple choice.",
    ),
    option("--qrels", "qrels_path", metavar="FILE", type=OutputPath(), help="Where the gold goes."),
    option("--run", "run_path", metavar="FILE", type=OutputPath(), help="Where the run goes."),
    address_option("Write qrels in the doc_ids of this index, to score `retriever --format trec`; without a RUN."),
    flag("--metadata", help="Begin the run with what RUN.ir-metadata.yml says of how it was made."),
    option("--tag", type=TEXT, default=RUN_TAG, help=f"The run's name in its last column [{RUN_TAG}]."),
)
def command(
    task: str,
    gold: Path,
    run: Path | None,
    trace: Path | None,
    qrels_path: str | None,
    run_path: str | None,
    address: str | None,
    metadata: bool,
    tag: str,
) -> None:
    """Write gold and run of a task for trec_eval and its kin.

    Queries are numbered from 1 in file order; a document is QUERY-PLACE, its place in the list from 0, or with
    --index what the index calls it. For selqa, GOLD can be the result file itself. With --trace a query is the
    question's id, a choice QUERY-NUMBER, any other candidate QUERY-HASH, the hash of its text.
    """
    if metadata and not run_path:
        raise UserError("--metadata begins the file of --run: name it")
    if address:
        ranking(task)
        if trace:
            raise UserError("--trace and --index exclude each other")
        _write_collection_qrels(gold, qrels_path, address, run, run_path)
        return
    if run is None:
        raise UserError("the RUN is missing: expected TASK GOLD RUN (or --index ADDRESS for qrels of a collection)")
    if not qrels_path and not run_path:
        raise UserError("nothing to write: name --qrels FILE, --run FILE or both")
    if not tag or any(character.isspace() for character in tag):
        raise UserError(f"--tag {tag!r}: a run's name has no blanks")
    qrels, lines = _export_trace(task, gold, run, trace, tag) if trace else _export_lists(task, gold, run, tag)
    if metadata:
        from retriever.provenance import header_from

        lines = chain([header_from(run, tag)], lines)
    files = ((qrels_path, qrels), (run_path, lines))
    write_all((path, "".join(text)) for path, text in files if path)


def _export_lists(task: str, gold: Path, run: Path, tag: str) -> tuple[Iterable[str], Iterable[str]]:
    """The lines of qrels and run for candidates that come with the question."""
    ranked = ranking(task)(gold, run)
    empty = sum(not one.gold for one in ranked)
    if empty:
        warn(f"{empty} of {len(ranked)} questions have no candidates: TREC's tools know nothing of them")
    return qrels_lines(ranked), scored_run(ranked, tag)


def _export_trace(task: str, gold: Path, run: Path, trace: Path, tag: str) -> tuple[Iterable[str], Iterable[str]]:
    """The lines of qrels and run for the candidates of a trace."""
    questions = traced_questions(scoring(task), gold, run, trace)
    return traced_qrels(questions), traced_run(questions, tag)


def _write_collection_qrels(
    gold: Path, qrels_path: str | None, address: str, run: Path | None, run_path: str | None
) -> None:
    """Writes the qrels of a whole collection, with the doc_ids of its index."""
    if run is not None or run_path or not qrels_path:
        raise UserError("--index goes with --qrels alone: the run in these doc_ids is `retriever --format trec`")
    from indexer.address import open_index
    from retriever.qrels import collection_qrels

    qrels = collection_qrels(gold, open_index(address))
    write_text(qrels_path, "".join(f"{one.query_id} 0 {one.doc_id} {one.relevance}\n" for one in qrels))


class TracedQuestion(NamedTuple):
    """A question's candidates as (doc_id, score), best first, and the right doc_ids, also those that were not found."""

    query_id: str
    candidates: Sequence[tuple[str, float]]
    right: Sequence[str]


def traced_questions(scoring: Scoring, gold: Path, run: Path, trace: Path) -> list[TracedQuestion]:
    """Joins the questions of the gold, in order, with the candidates of the run's trace.

    The doc_id of a choice is QUERY-NUMBER, of any other candidate QUERY-HASH, the hash of its normalised text, so that
    all runs have the same doc_ids; all spellings of a right answer have the same one. A candidate of several texts
    counts as each of them; of equal candidates the best counts. Scores are negated if the question asks for the false
    choice, and rounded to the 5 digits on which engines agree. Raises UserError if the trace is not the run's.
    """
    reported = scoring.reported(gold, run)
    rows = match_rows(reported, read_trace(trace)[1], trace)
    if not any(row.candidates for row in rows if row):
        raise UserError(f"{trace}: has no candidates; expected the trace of a run that ranks what it finds")
    names: set[str] = set()
    questions = []
    for one, row in zip(reported.questions, rows, strict=True):
        query_id = _query_id(one, names)
        names.add(query_id)
        questions.append(_question(query_id, one, row))
    return questions


def _query_id(one: ReportedQuestion, names: set[str]) -> str:
    """The question's id, after its exam if the gold has one; numbered if it is already in `names`."""
    named = "_".join((f"{one.exam}/{one.question_id}" if one.exam else one.question_id).split())
    number, name = 1, named
    while name in names:
        number += 1
        name = f"{named}#{number}"
    return name


def _question(query_id: str, one: ReportedQuestion, row: TraceQuestion | None) -> TracedQuestion:
    """The candidates of a question with their doc_ids, best first."""
    direction = -1.0 if row and row.asks == "F" else 1.0
    first = {fold_text(text): ways[0] for ways in one.spellings for text in ways}

    def name_of(text: str) -> str:
        return text_id(first.get(fold_text(text), text))

    found: dict[str, float] = {}
    for candidate in row.candidates if row else ():
        score = round_score(direction * candidate.score)
        named = [candidate.id] if one.gold_ids else [name_of(text) for text in candidate.text.split("\t")]
        for name in named:
            doc_id = f"{query_id}-{name}"
            found[doc_id] = max(score, found.get(doc_id, score))
    right = sorted(one.gold_ids) or list(dict.fromkeys(map(name_of, one.gold)))
    order = sorted(found, key=lambda doc_id: -found[doc_id])
    return TracedQuestion(
        query_id, [(doc_id, found[doc_id]) for doc_id in order], [f"{query_id}-{one}" for one in right]
    )


def traced_qrels(questions: Sequence[TracedQuestion]) -> Iterator[str]:
    """Yields `query_id 0 doc_id 1` for right candidates; documents without a line are not relevant."""
    for one in questions:
        yield from (f"{one.query_id} 0 {doc_id} 1\n" for doc_id in one.right)


def traced_run(questions: Sequence[TracedQuestion], tag: str) -> Iterator[str]:
    """Yields `query_id Q0 doc_id rank score tag`, best first; ties are in the trace's order, also for trec_eval."""
    for one in questions:
        yield from run_lines(one.query_id, one.candidates, tag)
