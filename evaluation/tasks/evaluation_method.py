"""Scores evaluation-method runs by their agreement with experts: Kendall's τ, Spearman's ρ, Pearson's r."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from answerer.formats.topics import JudgedTopic, Marks, read_judged, read_marks
from evaluation.measures.ranking import Agreement, agreement
from evaluation.registry import Scoring
from evaluation.runs import check_ids
from evaluation.significance import estimate
from evaluation.tables import Rows, Tables
from evaluation.tasks.results import Reported, ReportedQuestion, question_rows
from indexer.files.messages import warn
from indexer.files.xml import other_root

_MEASURES = ("kendall", "spearman", "pearson")


def by_topic(marks: Marks, topics: Sequence[JudgedTopic]) -> dict[str, Agreement]:
    """The agreement of the scores of each marked topic with the marks of the same answers ([QALab3], "Evaluation").

    Only answers that both have count. If the marks of a topic differ and the run does not order its answers (equal
    scores, or fewer than two answers), the agreement is 0; if all marks are equal, it is None.
    """
    scores = {(topic.topic_id, one.file_name): one.score for topic in topics for one in topic.answers}
    marked: dict[str, list[tuple[float, float | None]]] = {}
    for answer, mark in marks.items():
        marked.setdefault(answer[0], []).append((mark, scores.get(answer)))
    agreements = {}
    for topic_id, rows in marked.items():
        pairs = [(ours, theirs) for theirs, ours in rows if ours is not None]
        found = agreement([ours for ours, _ in pairs], [theirs for _, theirs in pairs])
        # A run that orders nothing must not be better off than one that orders wrongly.
        without_order = found.kendall is None and len({theirs for theirs, _ in rows}) > 1
        agreements[topic_id] = Agreement(0.0, 0.0, 0.0, len(pairs)) if without_order else found
    return agreements


def judge_topics(marks_path: str | Path, run_path: str | Path) -> dict[str, Agreement]:
    """The agreement of a run with marks, by topic in the order of the marks.

    Raises UserError as `check_ids` does; warns if SCORE contradicts RANK.
    """
    marks, topics = read_marks(marks_path), read_judged(run_path)
    ours = [(topic.topic_id, one.file_name) for topic in topics for one in topic.answers]
    # An answer is a topic and a file name: teams give their files the same names in every topic.
    check_ids(marks_path, run_path, list(map(" ".join, marks)), list(map(" ".join, ours)), "answers", "left out")
    # SCORE and RANK are both in the file; the task page does not say which one counts.
    unlike = [
        topic.topic_id
        for topic in topics
        if any(worse.score > better.score for better, worse in pairwise(topic.answers))
    ]
    if unlike:
        warn(f"{run_path}: SCORE rises where RANK falls in {', '.join(unlike)}: SCORE counts, higher is better")
    return by_topic(marks, topics)


def asked_in(path: Path, gold: bool) -> frozenset[str]:
    """The answers that a file marks (gold) or ranks (run), each as `topic file_name`; empty for XML of another task."""
    if other_root(path, ("TOPIC", "TOPIC_SET")):
        return frozenset()
    if gold:
        return frozenset(f"{topic_id} {name}" for topic_id, name in read_marks(path))
    return frozenset(f"{topic.topic_id} {one.file_name}" for topic in read_judged(path) for one in topic.answers)


def report_questions(gold: Path, run: Path) -> Reported:
    """Each topic whose marks differ, scored by Kendall's τ; the answer is empty if the run lacks it."""
    questions: list[ReportedQuestion] = []
    # A topic that no run can order rightly or wrongly is not a question to compare runs by.
    others: list[ReportedQuestion] = []
    for name, one in judge_topics(gold, run).items():
        answer = "" if one.kendall is None or not one.pairs else f"{one.kendall:.4f}"
        question = ReportedQuestion(name, one.kendall or 0.0, answer=answer, cells=one._asdict())
        (others if one.kendall is None else questions).append(question)
    return Reported("Kendall's τ", questions, others=others)


def tables(reported: Reported, interval: bool) -> Tables:
    """The means of Kendall's τ, Spearman's ρ and Pearson's r over the topics for which they are defined (None without
    any), and a row for each topic."""

    def summary() -> Rows:
        rows: list[dict[str, object]] = []
        for name in _MEASURES:
            values = [float(str(one.cells[name])) for one in reported.questions]
            whole = estimate(values, bounds=interval) if values else None
            row: dict[str, object] = {"measure": name, "value": whole and whole.mean, "topics": len(values)}
            rows.append(row | ({"low": whole and whole.low, "high": whole and whole.high} if interval else {}))
        return rows

    return Tables(summary, lambda: question_rows(reported, "topic"))


SCORING = Scoring(
    help="Agreement of an evaluation-method run with experts' marks (the same XML, or lines topic, file name, mark).",
    example="worse/dropped/marks.tsv judged.xml",
    tables=tables,
    reported=report_questions,
    asked_in=asked_in,
    metavar=("MARKS", "RUN.xml"),
    row="topic",
)
