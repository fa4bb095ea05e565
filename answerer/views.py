"""A run as a table, and as a TREC run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from answerer.registry import tasks
from indexer.engines.scoring import round_score
from indexer.files.errors import UserError
from indexer.formats.trec_run import run_lines, text_id

if TYPE_CHECKING:
    from answerer.run import Run


def table_rows(run: Run) -> list[dict[str, object]]:
    """Column name → value of each question in the data frame of `to_frame`."""
    return [
        {
            "question_id": question.question_id,
            "shape": question.shape,
            "question": question.question,
            "answer": question.answer,
            "score": max((candidate.score for candidate in question.candidates), default=None),
            "candidates": len(question.candidates),
        }
        for question in run.questions
    ]


def trec_run(run: Run, tag: str) -> str:
    """The candidates of a run with evidence as lines of a TREC run, as `Run.to_trec` says: best
    first, scores negated where the false choice is asked for, each document once. Raises UserError
    for a tag with blanks."""
    if not tag or any(map(str.isspace, tag)):
        raise UserError(f"tag {tag!r}: a run's name has no blanks")
    # Ranks differ from run to run: the hash of the text names the same candidate in all runs.
    by_text = tasks()[run.task].ids_are_ranks
    lines: list[str] = []
    for question in run.questions:
        full_id = question.question_id
        if question.exam:
            full_id = f"{question.exam}/{question.question_id}"
        query_id = "_".join(full_id.split())
        sign = -1.0 if question.asks == "F" else 1.0
        scores: dict[str, float] = {}
        for candidate in question.candidates:
            names = [candidate.id]
            if by_text:
                names = [text_id(text) for text in candidate.text.split("\t")]
            score = round_score(sign * candidate.score)
            for doc_id in (f"{query_id}-{name}" for name in names):
                scores[doc_id] = max(score, scores.get(doc_id, score))
        lines += run_lines(query_id, sorted(scores.items(), key=lambda item: -item[1]), tag)
    return "".join(lines)
