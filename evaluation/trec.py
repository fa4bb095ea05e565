"""`python -m evaluation export TASK GOLD RUN`: writes qrels and run files of [TREC] from scores or
a trace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from answerer.trace import read_trace
from evaluation.contract import Scoring
from evaluation.measures.answer_sets import fold_text
from evaluation.registry import ranks_candidates, scoring
from evaluation.report.data import match_rows
from evaluation.runs import unlike
from evaluation.tasks.results import ReportedQuestion
from indexer.cli.types import Address, Command, InputFile, OutputPath, PlainText
from indexer.engines.scoring import round_score
from indexer.files.atomic import write_all, write_text
from indexer.files.errors import UserError, bad_input
from indexer.files.messages import counted, warn
from indexer.formats.labels import candidate_id
from indexer.formats.sentence_rows import is_sentence_file, read_sentence_file
from indexer.formats.table_rows import read_table_lists
from indexer.formats.trec_run import RUN_TAG, run_lines, text_id
from indexer.sources.tables.schema import StoredTable, encode_table

if TYPE_CHECKING:
    from indexer.address import Location
    from indexer.engines.contract import Index


def qrels_lines(ranked: Sequence[ReportedQuestion]) -> Iterator[str]:
    """Yields `query_id 0 doc_id relevance` for every candidate of every question; query n is the
    n-th question."""
    for number, question in enumerate(ranked, 1):
        for position, right in enumerate(question.labels):
            yield f"{number} 0 {candidate_id(number, position)} {int(bool(right))}\n"


def scored_run(ranked: Sequence[ReportedQuestion]) -> Iterator[str]:
    """Yields `query_id Q0 doc_id rank score tag`, best first: query n is the n-th question, doc_ids
    are those of `qrels_lines`. Ties are in file order, also for trec_eval (their scores are lowered
    a little)."""
    for number, question in enumerate(ranked, 1):
        candidates = [
            (candidate_id(number, position), question.scores[position])
            for position in question.ranking
        ]
        yield from run_lines(str(number), candidates, RUN_TAG)


@click.command(
    cls=Command,
    example="evaluate export nlpcc-dbqa samples/dbqa.dev.txt dbqa.scores.txt --qrels qrels.txt "
    "--run run.txt",
)
@click.argument("task", type=PlainText())
@click.argument("gold", type=InputFile())
@click.argument("run", required=False, type=InputFile())
@click.option(
    "--trace",
    metavar="TRACE.jsonl",
    type=InputFile(),
    help="Export the candidates of the run's trace: for tasks that find their answers, and "
    "multiple choice.",
)
@click.option(
    "--qrels", "qrels_path", metavar="FILE", type=OutputPath(), help="Where the gold goes."
)
@click.option("--run", "run_path", metavar="FILE", type=OutputPath(), help="Where the run goes.")
@click.option(
    "--index",
    metavar="ADDRESS",
    type=Address(),
    help="Write qrels in the doc_ids of this index, to score `classical-qa retrieve "
    "--format trec`; without a RUN.",
)
def command(
    task: str,
    gold: Path,
    run: Path | None,
    trace: Path | None,
    qrels_path: str | None,
    run_path: str | None,
    index: Location | None,
) -> None:
    """Write gold and run of a task for trec_eval and its kin.

    Queries are numbered from 1 in file order; a document is QUERY-PLACE, its place in the list from
    0, or with --index what the index calls it. For selqa, GOLD can be the result file itself. With
    --trace a query is the question's id, a choice QUERY-NUMBER, any other candidate QUERY-HASH, the
    hash of its text.
    """
    task_scoring = scoring(task)
    if not trace and not ranks_candidates(task_scoring):
        raise UserError(f"{task} does not rank given candidates: export those of its --trace")
    if index:
        if trace or run or run_path or not qrels_path:
            with_these = "`classical-qa retrieve --format trec` writes the run with these doc_ids"
            raise UserError(f"--index goes with --qrels alone; {with_these}")
        from indexer.engines.opening import open_index

        write_text(qrels_path, "".join(collection_qrels(gold, open_index(index))))
        return
    if run is None or not (qrels_path or run_path):
        of_collection = "(or --index ADDRESS for qrels of a collection)"
        raise UserError(f"give a RUN, and --qrels FILE, --run FILE or both {of_collection}")
    qrels: Iterable[str]
    lines: Iterable[str]
    if trace:
        questions = traced_questions(task_scoring, gold, run, trace)
        # Documents without a line are not relevant; ties of the run are in the trace's order, also
        # for trec_eval.
        qrels = (
            f"{query_id} 0 {doc_id} 1\n" for query_id, _, right in questions for doc_id in right
        )
        lines = (
            line
            for query_id, candidates, _ in questions
            for line in run_lines(query_id, candidates, RUN_TAG)
        )
    else:
        ranked = task_scoring.report_questions(gold, run).questions
        if empty := sum(not question.labels for question in ranked):
            warn(
                f"left out, as TREC files cannot contain questions without candidates: {empty} of "
                f"{len(ranked)}"
            )
        qrels, lines = qrels_lines(ranked), scored_run(ranked)
    write_all(
        (path, "".join(text)) for path, text in ((qrels_path, qrels), (run_path, lines)) if path
    )


def collection_qrels(gold: Path, index: Index) -> list[str]:
    """The lines of a ranking task's gold by the doc_ids of the index that its candidates were put
    into, question by question; a document is relevant if one copy of it is.

    Questions are numbered as in `qrels_lines`. Warns of candidates that are not in the index.
    Raises UserError for a file without labels or of another form, and if the index contains none of
    its candidates.
    """
    from retriever.queries import text_part

    documents = text_part(index).scan()
    if index.metadata.kind == "tables":
        doc_ids = {document.payload: document.doc_id for document in documents}
        # Tables are looked up one by one as they are read: together they may take much memory.
        lists = read_table_lists(
            gold,
            lambda row: doc_ids.get(
                encode_table(StoredTable(row.caption, row.attributes, row.cells)), ""
            ),
        ).lists
    else:
        if not is_sentence_file(gold):
            raise bad_input(
                gold,
                None,
                "not a file of sentences",
                "expected a file of DBQA, SelQA, WikiQA or TrecQA",
            )
        doc_ids = {document.text: document.doc_id for document in documents}
        lists = read_sentence_file(gold).lists
        names = (
            tuple(doc_ids.get(" ".join(text.split()), "") for text in entry.candidates)
            for entry in lists
        )
        lists = [entry._replace(candidates=ids) for entry, ids in zip(lists, names, strict=True)]
    relevance: dict[tuple[int, str], int] = {}
    missing = 0
    for number, entry in enumerate(lists, 1):
        if entry.gold is None:
            raise bad_input(
                gold, None, f"question {number} has no gold", "expected a file with labels"
            )
        for doc_id, right in zip(entry.candidates, entry.gold, strict=True):
            if doc_id:
                relevance[number, doc_id] = max(relevance.get((number, doc_id), 0), int(right))
            missing += not doc_id
    if not relevance:
        raise UserError(
            f"the index {index.address} holds none of the candidates of {gold}: build it from "
            f"that file"
        )
    if missing:
        warn(
            f"left out, as the index {index.address} lacks them: "
            f"{counted(missing, 'candidates')} of {gold}"
        )
    return [f"{number} 0 {doc_id} {right}\n" for (number, doc_id), right in relevance.items()]


def traced_questions(
    scoring: Scoring, gold: Path, run: Path, trace: Path
) -> list[tuple[str, list[tuple[str, float]], list[str]]]:
    """Joins the questions of the gold, in order, with the candidates of the run's trace: query id,
    candidates as (doc_id, score), best first, and the right doc_ids, also those that were not
    found. The query id is the question's id, with _ for blanks, after "EXAM/" if the gold has
    exams; repeated ones are numbered.

    The doc_id of a choice is QUERY-NUMBER, of any other candidate QUERY-HASH, the hash of its
    normalised text, so that all runs have the same doc_ids; all spellings of a right answer have
    the same one. A candidate of several texts counts as each of them; of equal candidates the best
    counts. Scores are negated if the question asks for the false choice, and rounded to the 5
    digits on which engines agree. Raises UserError if the trace is not the run's or has no
    candidates.
    """
    reported = scoring.report_questions(gold, run)
    rows = match_rows(reported, read_trace(trace)[1], trace)
    if not any(row.candidates for row in rows if row):
        raise UserError(
            f"{trace}: has no candidates; expected the trace of a run that ranks candidates"
        )
    # A query is called by the question's id, after its exam if the gold has one; repeated ids are
    # numbered.
    called = [
        f"{question.exam}/{question.question_id}" if question.exam else question.question_id
        for question in reported.questions
    ]
    names = unlike(["_".join(name.split()) for name in called])
    questions = []
    for name, question, row in zip(names, reported.questions, rows, strict=True):
        query_id = name.replace(" ", "_")
        # All spellings of a right answer are one document, called by the first.
        first = {fold_text(text): ways[0] for ways in question.spellings for text in ways}

        def doc_id(text: str, query_id: str = query_id, first: Mapping[str, str] = first) -> str:
            return f"{query_id}-{text_id(first.get(fold_text(text), text))}"

        direction = -1.0 if row and row.asks == "F" else 1.0
        scores: dict[str, float] = {}
        candidates = row.candidates if row else ()
        for candidate in candidates:
            score = round_score(direction * candidate.score)
            doc_ids = [doc_id(text) for text in candidate.text.split("\t")]
            if question.gold_ids:
                doc_ids = [f"{query_id}-{candidate.id}"]
            for document_id in doc_ids:
                scores[document_id] = max(score, scores.get(document_id, score))
        right = [f"{query_id}-{gold_id}" for gold_id in sorted(question.gold_ids)] or list(
            dict.fromkeys(map(doc_id, question.gold))
        )
        ranked = sorted(scores.items(), key=lambda item: -item[1])
        questions.append((query_id, ranked, right))
    return questions
