"""How far an evaluation-method run agrees with experts: Kendall's τ, Spearman's ρ, Pearson's r."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from answerer.formats.judged_answers import JudgedTopic, Marks, read_judged, read_marks
from evaluation.measures.agreement import Agreement, agreement
from evaluation.significance import estimate
from evaluation.tables import Tables
from evaluation.tasks.reported import Reported, ReportedQuestion
from evaluation.tasks.scored import score_command
from indexer.files.errors import UserError
from indexer.files.talk import warn
from indexer.files.xml import other_root

_MEASURES = ("kendall", "spearman", "pearson")


def by_topic(marks: Marks, topics: Sequence[JudgedTopic]) -> dict[str, Agreement]:
    """The agreement of each topic's scores with the marks of the same answers (seed 002, "Evaluation").

    Only answers that both have count.
    """
    agreements = {}
    for topic in topics:
        pairs = [(one.score, marks[topic.topic_id, one.file_name]) for one in topic.answers
                 if (topic.topic_id, one.file_name) in marks]  # fmt: skip
        if pairs:
            agreements[topic.topic_id] = agreement([ours for ours, _ in pairs], [theirs for _, theirs in pairs])
    return agreements


def summary(agreements: Sequence[Agreement], interval: bool = False) -> list[dict[str, object]]:
    """A row a measure: its mean over the topics where it is defined, and how many those are.

    `interval` adds the 95 % bootstrap interval over these topics.
    """
    rows: list[dict[str, object]] = []
    table = [one._asdict() for one in agreements]
    for name in _MEASURES:
        values = [line[name] for line in table if line[name] is not None]
        whole = estimate(values, bounds=interval) if values else None
        row: dict[str, object] = {"measure": name, "value": whole and whole.mean, "topics": len(values)}
        rows.append(row | ({"low": whole and whole.low, "high": whole and whole.high} if interval else {}))
    return rows


def judged(marks_path: str | Path, run_path: str | Path) -> dict[str, Agreement]:
    """The agreement by topic. UserError where run and marks share no answer; what only one has is said."""
    marks, topics = read_marks(marks_path), read_judged(run_path)
    agreements = by_topic(marks, topics)
    if not agreements:
        raise UserError(
            f"{run_path}: none of its answers is marked in {marks_path}; expected its topics and file names"
        )
    ours = {(topic.topic_id, one.file_name) for topic in topics for one in topic.answers}
    for lacking, where in ((len(ours - set(marks)), marks_path), (len(set(marks) - ours), run_path)):
        if lacking:
            warn(f"answers that are not in {where}: {lacking}, left out")
    return agreements


def asked_in(path: Path, gold: bool) -> frozenset[str]:
    """The answers that are marked or ranked: topic and FILE_NAME of each."""
    if other_root(path, ("TOPIC", "TOPIC_SET")):
        return frozenset()
    if gold:
        return frozenset(f"{topic_id} {name}" for topic_id, name in read_marks(path))
    return frozenset(f"{topic.topic_id} {one.file_name}" for topic in read_judged(path) for one in topic.answers)


def reported(gold: Path, run: Path) -> Reported:
    """What the report shows of each topic whose marks differ: Kendall's τ, 0 where the run lacks it or has no order."""
    found = {name: one.kendall for name, one in judged(gold, run).items() if one.kendall is not None}
    marked: dict[str, set[float]] = {}
    for (topic_id, _), mark in read_marks(gold).items():
        marked.setdefault(topic_id, set()).add(mark)
    questions = [
        ReportedQuestion(name, found.get(name, 0.0), answer=f"{found[name]:.4f}" if name in found else "")
        for name, marks in marked.items()
        if len(marks) > 1
    ]
    return Reported("Kendall's τ", questions)


def tables(gold: Path, run: Path, interval: bool = False) -> Tables:
    """The figures of a run."""
    agreements = judged(gold, run)
    return Tables(
        lambda: summary(list(agreements.values()), interval),
        lambda: [{"topic": name, **one._asdict()} for name, one in agreements.items()],
    )


command = score_command(
    "ntcir-evaluation-method",
    tables,
    "Agreement of an evaluation-method run with experts' marks (the same XML, or lines topic, file name, mark).",
    "worse/dropped/marks.tsv judged.xml",
    metavar=("MARKS", "RUN.xml"),
    row="topic",
)
