"""Scores evaluation-method runs by their agreement with experts: Kendall's τ, Spearman's ρ,
Pearson's r."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from answerer.formats.topics import read_judged, read_marks
from evaluation.contract import Figures
from evaluation.measures.ranking import Agreement, agreement
from evaluation.options import (
    format_option,
    interval_option,
    refuse_by_question,
    scored_files_arguments,
)
from evaluation.runs import RunFile, check_ids, gold_of, scored_files
from evaluation.significance import estimate
from evaluation.tables import print_rows
from evaluation.tasks.results import Reported, ReportedQuestion, printed_tree, question_rows
from indexer.cli.types import Command
from indexer.files.validation import FileName
from indexer.files.xml import other_root

if TYPE_CHECKING:
    from evaluation.runs import AnyRun

TASK = "ntcir-evaluation-method"
NOT_POOLED = "its runs rank the answers of others; pool these by their own task"
_MEASURES = ("kendall", "spearman", "pearson")


@click.command(
    cls=Command,
    example="evaluate ntcir-evaluation-method worse/dropped/marks.tsv judged.xml",
)
@scored_files_arguments("MARKS...", "RUN.xml|TREE", "topic")
@interval_option("topics")
@format_option
def command(
    golds: tuple[Path, ...], run: Path, by_question: bool, interval: bool, form: str
) -> None:
    """Agreement of an evaluation-method run with experts' marks (the same XML, or lines topic, file
    name, mark)."""
    if printed_tree(TASK, golds, run, interval, form, {"-q": by_question}):
        return
    refuse_by_question(by_question, interval)
    reported = report_questions(gold_of(golds, run), run)
    rows = question_rows(reported, "topic") if by_question else measure_rows(reported, interval)
    print_rows(rows, form)


def score(gold: FileName, run: AnyRun, *, interval: bool = False) -> Figures:
    """The agreement of a run's scores with experts' marks, Kendall's τ, Spearman's ρ and Pearson's
    r: the means over the topics whose marks differ, with `interval` also their 95 % bootstrap
    intervals, and of each topic. Raises UserError for what the command refuses."""
    gold_path, run_path, _ = scored_files(TASK, gold, run)
    reported = report_questions(gold_path, run_path)
    return Figures(TASK, measure_rows(reported, interval), question_rows(reported, "topic"))


def asked_in(path: Path, gold: bool) -> frozenset[str]:
    """The answers that a file marks (gold) or ranks (run), each as `topic file_name`; empty for XML
    of another task. UserError for any other file that is not of this one."""
    if other_root(path, ("TOPIC", "TOPIC_SET")):
        return frozenset()
    if gold:
        return frozenset(map(" ".join, read_marks(path)))
    return frozenset(
        f"{topic_id} {essay.file_name}"
        for topic_id, essays in read_judged(path).items()
        for essay in essays
    )


def report_questions(gold: Path, run: RunFile) -> Reported:
    """Each topic whose marks differ, scored by Kendall's τ, which is its answer too ("" if the run
    lacks the topic); the topics of equal marks are the `others`.

    Scores (SCORE) are compared with the marks of the same answers ([QALab3], "Evaluation"); only
    answers that both have count. If the marks of a topic differ and the run does not order its
    answers (equal scores, or fewer than two answers), the agreement is 0. Raises UserError as
    `check_ids` does.
    """
    marks, topics = read_marks(gold), read_judged(run)
    scores = {
        (topic_id, essay.file_name): essay.score
        for topic_id, essays in topics.items()
        for essay in essays
    }
    # An answer is a topic and a file name: teams give their files the same names in every topic.
    check_ids(
        gold, run, list(map(" ".join, marks)), list(map(" ".join, scores)), "answers", "left out"
    )
    marked: dict[str, list[tuple[float, float | None]]] = {}
    for answer, mark in marks.items():
        marked.setdefault(answer[0], []).append((mark, scores.get(answer)))
    questions: list[ReportedQuestion] = []
    # A topic that no run can order rightly or wrongly is not a question to compare runs by.
    others: list[ReportedQuestion] = []
    for name, rows in marked.items():
        pairs = [(score, mark) for mark, score in rows if score is not None]
        correlation = agreement([score for score, _ in pairs], [mark for _, mark in pairs])
        # A run that orders nothing must not be better off than one that orders wrongly.
        if correlation.kendall is None and len({mark for mark, _ in rows}) > 1:
            correlation = Agreement(0.0, 0.0, 0.0, len(pairs))
        text = (
            ""
            if correlation.kendall is None or not correlation.pairs
            else f"{correlation.kendall:.4f}"
        )
        question = ReportedQuestion(
            name, correlation.kendall or 0.0, answer=text, cells=correlation._asdict()
        )
        (others if correlation.kendall is None else questions).append(question)
    return Reported("Kendall's τ", questions, others=others)


def measure_rows(reported: Reported, interval: bool) -> list[dict[str, object]]:
    """A row each for Kendall's τ, Spearman's ρ and Pearson's r: the mean over the topics for which
    it is defined (None without any), and their number; with `interval` its 95 % bounds."""
    rows: list[dict[str, object]] = []
    for name in _MEASURES:
        values = [float(str(question.cells[name])) for question in reported.questions]
        whole = estimate(values, bounds=interval) if values else None
        row: dict[str, object] = {
            "measure": name,
            "value": whole and whole.mean,
            "topics": len(values),
        }
        if interval:
            row |= {"low": whole and whole.low, "high": whole and whole.high}
        rows.append(row)
    return rows
