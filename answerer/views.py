"""What Python programs ask of a run: its file as text, its answers, a table, a TREC run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from answerer.registry import tasks
from answerer.trace import rounded_values
from indexer.engines.scoring import round_score
from indexer.files.errors import UserError
from indexer.files.xml import decode_xml
from indexer.formats.trec_run import run_lines, text_id

if TYPE_CHECKING:
    from answerer.run import Run


def single_text(run: Run) -> str:
    """The official file of a run with a single file, decoded as XML declares it, else from UTF-8.
    Raises UserError if it has several."""
    if len(run.files) != 1:
        raise UserError(
            f"this run of {run.task} has {len(run.files)} files: {', '.join(run.files)}; "
            f"see `files`"
        )
    (content,) = run.files.values()
    try:
        return decode_xml(content, run.task)[1]
    except UserError:  # neither XML nor in a known encoding
        return content.decode("utf-8", "surrogateescape")


def answers_by_id(run: Run) -> dict[str, str]:
    """Question id → answer of a run with evidence; several answers to one question are joined by
    ` / `. Raises UserError if an id repeats."""
    answers: dict[str, str] = {}
    for question in run.questions:
        if (question_id := question.question_id) in answers:
            raise UserError(
                f"the id {question_id} occurs more than once in this run (several exams): see "
                f"`questions`"
            )
        answers[question_id] = question.answer
    return answers


def table_rows(run: Run) -> list[dict[str, object]]:
    """For each question, in order, column name → value in the data frame of `to_frame`; scores are
    rounded to 7 significant digits."""
    return [
        {
            "question_id": question.question_id,
            "shape": question.shape,
            "question": question.question,
            "answer": question.answer,
            "score": rounded_values(
                max((candidate.score for candidate in question.candidates), default=None)
            ),
            "candidates": len(question.candidates),
        }
        for question in run.questions
    ]


def trec_run(run: Run, tag: str) -> str:
    """The candidates of a run with evidence as lines of a TREC run, best first, as `evaluation
    export` writes them from a trace.

    A query is the question's id (`EXAM/ID` in an exam); a candidate QUERY-ID ("_" for blanks in
    both), or QUERY-HASH of its text if it comes from the index, of each text where a tab parts
    several; each once with its highest score. Scores have 5 significant digits, and are negated if
    the question asks for the false choice. Raises UserError for a tag that is empty or has blanks.
    """
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
            names = ["_".join(candidate.id.split())]
            if by_text:
                names = [text_id(text) for text in candidate.text.split("\t")]
            score = round_score(sign * rounded_values(candidate.score))
            for doc_id in (f"{query_id}-{name}" for name in names):
                scores[doc_id] = max(score, scores.get(doc_id, score))
        lines += run_lines(query_id, sorted(scores.items(), key=lambda item: -item[1]), tag)
    return "".join(lines)
