"""The candidates of a run's trace as a TREC run, and the gold as qrels: for tasks that find their answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from answerer.trace import TraceQuestion, read_trace
from evaluation.measures.answer_sets import folded
from evaluation.registry import Scoring
from evaluation.report.data import matched
from evaluation.tasks.reported import ReportedQuestion
from indexer.engines.scoring import round_score
from indexer.files.errors import UserError
from indexer.formats.trec_run import run_lines, text_id


class TracedQuestion(NamedTuple):
    """A question's candidates as (doc_id, score), best first, and the doc_ids that are right, found or not."""

    query_id: str
    candidates: Sequence[tuple[str, float]]
    right: Sequence[str]


def traced_questions(scoring: Scoring, gold: Path, run: Path, trace: Path) -> list[TracedQuestion]:
    """The questions of the gold in order, each with the candidates of the run's trace.

    A choice is QUERY-NUMBER; any other candidate is QUERY-HASH, the hash of its text without case and folded blanks,
    so that the doc_ids of all runs are the same; a right answer has one in all its spellings. Of a candidate that is
    several texts each counts; of equal ones the best. Where the false choice is asked for, scores are turned round;
    they have the 5 digits on which engines agree. UserError where the trace is not the run's.
    """
    reported = scoring.reported(gold, run)
    rows = matched(reported, read_trace(trace)[1], trace)
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
    """The question's id, with its exam before it where the gold has one; numbered where it comes again."""
    named = "_".join((f"{one.exam}/{one.question_id}" if one.exam else one.question_id).split())
    number, name = 1, named
    while name in names:
        number += 1
        name = f"{named}#{number}"
    return name


def _question(query_id: str, one: ReportedQuestion, row: TraceQuestion | None) -> TracedQuestion:
    direction = -1.0 if row and row.asks == "F" else 1.0
    first = {folded(text): ways[0] for ways in one.spellings for text in ways}

    def name_of(text: str) -> str:
        return text_id(first.get(folded(text), text))

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
    """`query_id 0 doc_id 1`: what is right; anything else is not."""
    for one in questions:
        yield from (f"{one.query_id} 0 {doc_id} 1\n" for doc_id in one.right)


def traced_run(questions: Sequence[TracedQuestion], tag: str) -> Iterator[str]:
    """`query_id Q0 doc_id rank score tag`, best first, equal scores in the trace's order, also for trec_eval."""
    for one in questions:
        yield from run_lines(one.query_id, one.candidates, tag)
