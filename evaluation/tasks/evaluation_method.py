"""How far an evaluation-method run agrees with experts: Kendall's τ, Spearman's ρ, Pearson's r."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from answerer.formats.judged_answers import JudgedTopic, Marks, read_judged, read_marks
from evaluation.measures.agreement import Agreement, agreement
from evaluation.tables import format_option, print_rows
from indexer.files.errors import UserError

_MEASURES = ("kendall", "spearman", "pearson")


def by_topic(marks: Marks, topics: Sequence[JudgedTopic]) -> dict[str, Agreement]:
    """The agreement of each topic's scores with the marks of the same answers (seed 002, "Evaluation").

    Only answers that both have count.
    """
    found = {}
    for topic in topics:
        pairs = [(one.score, marks[topic.topic_id, one.file_name]) for one in topic.answers
                 if (topic.topic_id, one.file_name) in marks]  # fmt: skip
        if pairs:
            found[topic.topic_id] = agreement([ours for ours, _ in pairs], [theirs for _, theirs in pairs])
    return found


def summary(found: Sequence[Agreement]) -> list[dict[str, object]]:
    """A row a measure: its mean over the topics where it is defined, and how many those are."""
    rows: list[dict[str, object]] = []
    for name in _MEASURES:
        values = [value for one in found if (value := getattr(one, name)) is not None]
        rows.append({"measure": name, "value": sum(values) / len(values) if values else None, "topics": len(values)})
    return rows


def judged(marks_path: str | Path, run_path: str | Path) -> dict[str, Agreement]:
    """The agreement by topic. UserError where run and marks share no answer; what only one has is said."""
    marks, topics = read_marks(marks_path), read_judged(run_path)
    found = by_topic(marks, topics)
    if not found:
        raise UserError(
            f"{run_path}: none of its answers is marked in {marks_path}; expected its topics and file names"
        )
    ours = {(topic.topic_id, one.file_name) for topic in topics for one in topic.answers}
    for lacking, where in ((len(ours - set(marks)), marks_path), (len(set(marks) - ours), run_path)):
        if lacking:
            click.echo(f"{lacking} answers are not in {where}: left out", err=True)
    return found


def question_scores(gold: Path, run: Path) -> dict[str, float]:
    """Kendall's τ of every topic that has one: what `evaluation compare` compares."""
    found = judged(gold, run)
    return {topic_id: one.kendall for topic_id, one in found.items() if one.kendall is not None}


@click.command(epilog="Example: python -m evaluation ntcir-evaluation-method marks.tsv run.xml")
@click.argument("marks", metavar="MARKS.xml|MARKS.tsv")
@click.argument("run", metavar="RUN.xml")
@click.option("-q", "topics", is_flag=True, help="One row a topic.")
@format_option
def command(marks: str, run: str, topics: bool, format: str) -> None:  # noqa: A002
    """Agreement of an evaluation-method run with experts' marks (the same XML, or lines topic, file name, mark)."""
    found = judged(marks, run)
    table: list[dict[str, object]] = [{"topic": name, **one._asdict()} for name, one in found.items()]
    print_rows(table if topics else summary(list(found.values())), format)
