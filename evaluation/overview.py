"""Overview of a tree of runs: a table of runs by exams, as in the overview papers of the tasks."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from evaluation.contract import Scoring
from evaluation.registry import ranks_candidates, scoring
from evaluation.runs import check_run, unlike
from evaluation.significance import estimate
from evaluation.tables import print_rows, whole_points
from evaluation.tasks.results import Reported, ReportedQuestion
from indexer.files.encoding import QUESTION_LIMIT
from indexer.files.errors import UserError, one_line
from indexer.files.messages import capture_warnings, info, warn

ENTRIES = 100_000  # files and folders of a tree; more are probably not a folder of runs
_PRINTED = 10  # lines of one kind that are printed; further ones are counted
# Names and extensions of files that accompany results: descriptions, traces, programs.
BESIDE = ("README.md", "mrr.txt", "requirements.txt", "model.json")
BESIDE_ENDINGS = (".md", ".jsonl", ".yml", ".yaml", ".tex", ".py", ".html", ".pdf", ".log")
# The end of a RUN_ID: team, type of the run or language, priority.
_RUN_ID = re.compile(r".+_(?P<system>(?P<team>[A-Za-z0-9][A-Za-z0-9.-]*)_[A-Za-z0-9-]+_\d{2})")


class GoldExam(NamedTuple):
    """A gold file: the name of its exam, and the ids of its questions that `asked_in` finds in runs
    too."""

    name: str
    path: Path
    question_ids: frozenset[str]


class SystemRun(NamedTuple):
    """The results of one system: its path in the tree, a file for each exam and, once scored, its
    answers to the questions of each exam that could be scored, by the exam's name."""

    name: str
    results: Mapping[str, Path]
    exams: Mapping[str, Reported] = {}


def tree_of(folder: Path, *, links: bool = False) -> tuple[list[Path], list[str]]:
    """Lists the regular files below a folder at any depth, and a line on each entry that is left
    out, both sorted.

    Left out are devices, pipes and links (with `links` those to files count), files of more than 64
    MiB, and what cannot be read. Raises UserError beyond 100,000 entries.
    """
    files: list[Path] = []
    left_out: list[Path] = []
    for parent, folders, names in os.walk(
        folder, onerror=lambda error: left_out.append(Path(error.filename))
    ):
        for path in (Path(parent, name) for name in (*folders, *names)):
            if path.is_symlink() and not (links and path.is_file()):
                left_out.append(path)
            elif (
                path.is_file()
                and path.stat().st_size <= QUESTION_LIMIT
                and os.access(path, os.R_OK)
            ):
                files.append(path)
            elif not path.is_dir():
                left_out.append(path)
        if len(files) + len(left_out) > ENTRIES:
            raise UserError(
                f"{folder}: more than {ENTRIES:,} files and folders; name a folder with runs only"
            )
    reason = f"a link, or not a file of at most {QUESTION_LIMIT:,} bytes that can be read"
    return sorted(files), [f"{path}: {reason}" for path in sorted(left_out)]


def warn_of_lines(what: str, lines: Sequence[str]) -> None:
    """Warns of each of the first 10 lines, prefixed by `what` they have in common, and of the
    number of further ones."""
    for line in lines[:_PRINTED]:
        warn(one_line(f"{what}: {line}"))
    if len(lines) > _PRINTED:
        warn(f"{what}: {len(lines) - _PRINTED} more like these")


def read_questions(
    asked_in: Callable[[Path, bool], frozenset[str]], files: Sequence[Path], gold: bool
) -> tuple[dict[Path, frozenset[str]], list[str]]:
    """Reads which questions files of gold or of runs ask or answer (`asked_in(path, gold)`), by
    path; returns also the errors of files that cannot be read. Warnings are dropped."""
    questions: dict[Path, frozenset[str]] = {}
    errors: list[str] = []
    for path in files:
        try:
            with capture_warnings():  # these are printed when it is scored
                questions[path] = asked_in(path, gold)
        except UserError as error:
            errors.append(str(error))
    return questions, errors


def read_exams(task: Scoring, golds: Sequence[Path]) -> list[GoldExam]:
    """Reads the exams of gold files, and of folders of them (sorted), in the order of `golds` (at
    least one). An exam is called like its file without endings such as `-answers`, after its folder
    (`en/gold`) if that name is taken, and numbered (`en/gold (2)`) if this is too.

    Warns of files in a folder that are not gold of this task. Raises UserError for such a file in
    `golds`, for two files with the same questions, and if no gold is found.
    """
    from answerer.formats.answer_table import without_gold_ending

    exams: dict[frozenset[str], GoldExam] = {}
    passed: list[str] = []
    for gold in golds:
        files, left_out = tree_of(gold, links=True) if gold.is_dir() else ([gold], [])
        questions, errors = read_questions(task.asked_in, files, gold=True)
        errors += [
            f"{path}: no gold of this task in it" for path, ids in questions.items() if not ids
        ]
        if errors and not gold.is_dir():
            raise UserError(errors[0])
        passed += [*left_out, *errors]
        for path, ids in questions.items():
            if ids in exams:
                raise UserError(
                    f"{path}: has the same questions as {exams[ids].path}: leave out one of the two"
                )
            if ids:
                # An exam is called like its file without suffixes such as `-answers`, with its
                # folder if that is taken.
                stem = path.name.split(".")[0] if path.suffix != ".xml" else path.stem
                name = without_gold_ending(stem) or stem
                taken = any(exam.name == name for exam in exams.values())
                exams[ids] = GoldExam(f"{path.parent.name}/{name}" if taken else name, path, ids)
    warn_of_lines("left out of the gold", passed)
    if not exams:
        raise UserError(
            f"{golds[0]}: no gold of this task; expected a gold file, several, or a folder of them"
        )
    # Folders of one name in several years have the same exam names too.
    names = unlike([exam.name for exam in exams.values()])
    return [exam._replace(name=name) for exam, name in zip(exams.values(), names, strict=True)]


def read_runs(task: Scoring, tree: Path, exams: Sequence[GoldExam]) -> list[SystemRun]:
    """Reads the runs of a tree of files that answer the exams; [] if none does.

    A file belongs to the exam with which it shares most questions. Warns of files that cannot be
    read, share none, or as many with two exams; those of other tasks, descriptions and traces
    (`BESIDE`, `BESIDE_ENDINGS`) are only counted.

    Results of a folder that answer different exams are one run; if an exam is answered twice there,
    files whose names end alike (`_TEAM_EN_01`) are one run, and any other file is a separate run.
    """
    files, left_out = tree_of(tree)
    results = [
        path
        for path in files
        if path.name not in BESIDE and path.suffix.lower() not in BESIDE_ENDINGS
    ]
    questions, errors = read_questions(task.asked_in, results, gold=False)
    left_out += errors
    # The results of each folder, with the names of their exams.
    folders: dict[Path, dict[Path, str]] = {}
    for path, ids in questions.items():
        shared = {exam.name: len(ids & exam.question_ids) for exam in exams}
        near = [name for name, count in shared.items() if count and count == max(shared.values())]
        if len(near) == 1:
            folders.setdefault(path.parent, {})[path] = near[0]
        elif ids:
            left_out.append(f"{path}: no gold for it{' alone' if near else ''}")
    warn_of_lines("left out", left_out)
    if ignored := len(files) - len(results) + sum(not ids for ids in questions.values()):
        info(f"{ignored} files ignored: of other tasks, descriptions and traces")
    return [run for folder, exam_of in folders.items() for run in runs_in(folder, exam_of, tree)]


def runs_in(folder: Path, exam_of: Mapping[Path, str], tree: Path) -> list[SystemRun]:
    """The runs that the results of one folder of a tree are; `exam_of` has the exam of each file.

    One, if all are of different exams, called like the folder. Else, and for a file alone at the
    top of the tree, those whose names end alike are one, called by that end (`TEAM_EN_01`, after
    the folder), and any other file is one called like itself.
    """
    by_exam = {exam: path for path, exam in exam_of.items()}
    alone = len(exam_of) == 1 and folder == tree
    if len(by_exam) == len(exam_of) and not alone:
        return [SystemRun(tree.name if folder == tree else str(folder.relative_to(tree)), by_exam)]
    systems: dict[str, dict[str, Path]] = {}
    for path, exam in exam_of.items():
        run_id = _RUN_ID.fullmatch(path.stem)
        name = str((path.with_name(run_id["system"]) if run_id else path).relative_to(tree))
        if exam in systems.get(name, ()):
            name = str(path.relative_to(tree))
        systems.setdefault(name, {})[exam] = path
    return [SystemRun(name, results) for name, results in systems.items()]


def score_tree(
    task: Scoring, golds: Sequence[Path], tree: Path, **options: Any
) -> tuple[list[SystemRun], list[GoldExam]]:
    """Scores every run of a tree; returns the runs with a score, and the exams that some run
    answers, in the order of the gold. `options` are those of `task.report_questions`.

    Warns, naming the run, of what scoring warns of, of files that cannot be scored, and of exams
    that all runs lack. Raises UserError without gold, and if nothing can be scored.
    """
    if not golds:
        raise UserError(
            f"{tree}: a folder of runs is scored against gold files; name them before it"
        )
    exams = read_exams(task, golds)
    runs = read_runs(task, tree, exams)
    if not runs:
        raise UserError(
            f"{tree}: no run that answers {', '.join(exam.name for exam in exams)[:200]}"
        )
    scored: list[SystemRun] = []
    messages: list[str] = []
    for run in runs:
        reported: dict[str, Reported] = {}
        for exam in exams:
            if path := run.results.get(exam.name):
                with capture_warnings() as warnings:
                    try:
                        check_run(exam.path, path)
                        reported[exam.name] = task.report_questions(exam.path, path, **options)
                    except UserError as error:
                        warnings.append(f"cannot be scored: {error}")
                messages += [
                    f"{run.name}, {exam.name}: {warning}" for warning in dict.fromkeys(warnings)
                ]
        scored += [run._replace(exams=reported)] if reported else []
    warn_of_lines("in scoring", messages)
    if not scored:
        raise UserError("no result that can be scored: the table would be empty")
    answered = [exam for exam in exams if any(exam.name in run.exams for run in scored)]
    nobody = [exam.name for exam in exams if exam not in answered]
    warn_of_lines("no run answers this exam, which does not count", nobody)
    return scored, answered


class Total(NamedTuple):
    """A total over questions: points of those possible or, if not all questions have some, the mean
    score (`possible` is None); `low` and `high` are its 95 % interval, None without one."""

    value: float
    possible: float | None
    low: float | None
    high: float | None


def total_of(questions: Sequence[ReportedQuestion], interval: bool) -> Total:
    """What questions add up to, with bounds if `interval`: points got and possible if all have a
    worth, else the mean score. Raises ValueError without questions."""
    worths = [question.worth for question in questions if question.worth is not None]
    if len(worths) < len(questions):
        whole = estimate([question.score for question in questions], bounds=interval)
        return Total(whole.mean, None, whole.low, whole.high)
    points = [question.score * worth for question, worth in zip(questions, worths, strict=True)]
    whole, count = estimate(points, bounds=interval), len(points)
    low, high = (None if bound is None else bound * count for bound in (whole.low, whole.high))
    return Total(whole.mean * count, sum(worths), low, high)


def print_tree(
    task: str, golds: Sequence[Path], tree: Path, interval: bool, form: str, **options: Any
) -> None:
    """Prints the table of a tree's runs by exams (`overview_rows`) in a form of `print_rows`.
    Raises UserError without gold, and if nothing can be scored."""
    runs, exams = score_tree(scoring(task), golds, tree, **options)
    print_rows(overview_rows(scoring(task), runs, exams, interval, form == "table"), form)


class RankedRun(NamedTuple):
    """A run with its total over the questions of all exams, which `value` is, rounded to 9
    decimals, so that sums in another order are equal."""

    value: float
    run: SystemRun
    questions: Sequence[ReportedQuestion]
    total: Total


def overview_rows(
    task: Scoring,
    runs: Sequence[SystemRun],
    exams: Sequence[GoldExam],
    interval: bool,
    cells: bool,
    further: Mapping[str, float | None] = MappingProxyType({}),
) -> list[dict[str, object]]:
    """The rows of the table of scored runs by exams, best total first; runs with equal totals share
    a rank, written as `2=`.

    The total is of points (with `possible` and the number of `right` ones) if all questions have
    some, else the mean score. Further columns are the team, if files name one, and the numbers of
    questions and, unless candidates are ranked, of unanswered ones. An exam that a run lacks is
    None in its column ("–" with `cells`) and counts 0 in its total. `interval` adds 95 % bootstrap
    intervals over the questions. With `cells` an exam is one column as in papers (`45/97 [36,
    54]`), else columns of numbers. `further` are measures whose means over the questions that have
    them are shown too, where some run has them, each with what a question counts of an exam that
    the run lacks (None: nothing).
    """
    ranking = rank_runs(runs, exams, interval, further)
    values = [ranked.value for ranked in ranking]
    teams = {run.name: team_of(run) for run in runs}
    measured = {
        name for ranked in ranking for question in ranked.questions for name in question.measures
    }
    rows: list[dict[str, object]] = []
    for ranked in ranking:
        run, questions, total = ranked.run, ranked.questions, ranked.total
        tied = "=" if values.count(ranked.value) > 1 else ""
        row: dict[str, object] = {"rank": f"{values.index(ranked.value) + 1}{tied}"}
        row |= {"team": teams[run.name]} if any(teams.values()) else {}
        row["run"] = run.name
        for exam in exams:
            reported = run.exams.get(exam.name)
            subtotal = total_of(reported.questions, interval) if reported else None
            row |= (
                {exam.name: as_printed(subtotal)}
                if cells
                else exam_columns(exam.name, subtotal, interval)
            )
        if total.possible is None:
            row[next(iter(run.exams.values())).measure] = total.value
        else:
            row |= {"points": whole_points(total.value), "possible": whole_points(total.possible)}
            row["right"] = sum(question.score == 1.0 for question in questions)
        row |= {"low": total.low, "high": total.high} if interval else {}
        row |= {name: mean_of(name, questions) for name in further if name in measured}
        row["questions"] = len(questions)
        if not ranks_candidates(task):
            row["unanswered"] = sum(not question.answer for question in questions)
        rows.append(row)
    return rows


def rank_runs(
    runs: Sequence[SystemRun],
    exams: Sequence[GoldExam],
    interval: bool,
    further: Mapping[str, float | None],
) -> list[RankedRun]:
    """The runs with their totals over the exams, best first, equal ones by name. A question of an
    exam that a run lacks (at least one run has each exam) scores 0, and has of its measures those
    of `further` at their value there."""
    ranking = []
    for run in runs:
        questions: list[ReportedQuestion] = []
        for exam in exams:
            if exam.name in run.exams:
                questions += run.exams[exam.name].questions
                continue
            others = next(other.exams[exam.name] for other in runs if exam.name in other.exams)
            for question in others.questions:
                counted = {
                    name: worth
                    for name, worth in further.items()
                    if worth is not None and name in question.measures
                }
                questions.append(question._replace(score=0.0, answer="", measures=counted))
        total = total_of(questions, interval)
        ranking.append(RankedRun(round(total.value, 9), run, questions, total))
    return sorted(ranking, key=lambda ranked: (-ranked.value, ranked.run.name))


def team_of(run: SystemRun) -> str:
    """The team that all files of a run name; "" if they name none, or several."""
    matches = [_RUN_ID.fullmatch(path.stem) for path in run.results.values()]
    names = {match["team"] if match else "" for match in matches}
    return names.pop() if len(names) == 1 else ""


def as_printed(total: Total | None) -> str:
    """The total of an exam as papers print it: points with four significant digits, from 10,000 on
    as whole numbers (`45/97 [36, 54]`), a mean score with four decimals (`0.5312`), "–" for
    None."""
    if total is None:
        return "–"
    form = _points if total.possible is not None else "{:.4f}".format
    text = form(total.value)
    text += "" if total.possible is None else f"/{_points(total.possible)}"
    if total.low is not None and total.high is not None:
        text += f" [{form(total.low)}, {form(total.high)}]"
    return text


def _points(points: float) -> str:
    """Points with four significant digits, `97` or `45.25`, from 9,999.5 on as a whole number."""
    return f"{points:.4g}" if points < 9999.5 else f"{points:.0f}"


def exam_columns(name: str, total: Total | None, interval: bool) -> dict[str, object]:
    """The total of an exam as columns of numbers: `NAME`, of points also `NAME: possible`, with
    `interval` also `NAME: low` and `NAME: high`; None in them without a total."""
    row: dict[str, object] = {name: total and total.value}
    if total and total.possible is not None:
        row = {
            name: whole_points(total.value),
            f"{name}: possible": whole_points(total.possible),
        }
    if interval:
        row |= {f"{name}: low": total and total.low, f"{name}: high": total and total.high}
    return row


def mean_of(measure: str, questions: Sequence[ReportedQuestion]) -> float | None:
    """The mean of a measure over the questions that have it; None without any."""
    values = [question.measures[measure] for question in questions if measure in question.measures]
    return sum(values) / len(values) if values else None
