"""Overview of a folder of runs: a table of runs by exams, as in the overview papers of the tasks."""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from answerer.formats.answer_table import without_gold_ending
from evaluation.registry import Scoring
from evaluation.runs import check_run
from evaluation.significance import estimate
from evaluation.tasks.results import Reported, ReportedQuestion
from indexer.files.errors import UserError, one_line
from indexer.files.messages import capture_warnings, info, warn
from indexer.files.xml import SIZE_LIMIT

ENTRIES = 100_000  # files and folders of a tree; more are probably not a folder of runs


class Tree(NamedTuple):
    """The regular files of a folder at any depth, by their paths, and a line on each entry that was left out."""

    files: list[Path]
    left_out: list[str]


def tree_of(folder: Path, *, links: bool = False) -> Tree:
    """Lists all files below a folder. Devices, pipes and links are left out; with `links` those to files count.

    So are files of more than 64 MiB and folders that cannot be read. Raises UserError beyond 100,000 entries.
    """
    files: list[Path] = []
    left_out: list[str] = []
    for number, (path, fault) in enumerate(_entries(folder, links)):
        if number >= ENTRIES:
            raise UserError(f"{folder}: more than {ENTRIES:,} files and folders; name a folder that holds runs alone")
        if fault:
            left_out.append(f"{path}: {fault}")
        else:
            files.append(path)
    return Tree(sorted(files), sorted(left_out))


def _entries(folder: Path, links: bool) -> Iterator[tuple[Path, str]]:
    """Yields every entry except the folders that are walked: its path, and why it is left out ("" if it is not)."""
    waiting = [folder]
    while waiting:
        place = waiting.pop()
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    path = Path(entry.path)
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(path)
                    else:
                        yield path, _fault(entry, links)
        except OSError as error:
            yield place, f"cannot be read ({error.strerror or error})"


def _fault(entry: os.DirEntry[str], links: bool) -> str:
    """The reason to leave an entry out; "" for a readable file of at most 64 MiB."""
    if entry.is_symlink() and not links:
        return "a link, which is not followed"
    if not entry.is_file():
        return "not a file" if not entry.is_symlink() else "a link to what is not a file"
    if entry.stat().st_size > SIZE_LIMIT:
        return f"{entry.stat().st_size:,} bytes; at most {SIZE_LIMIT:,} are read"
    return "" if os.access(entry.path, os.R_OK) else "may not be read"


NAMED = 10  # lines of one kind that are printed; further ones are counted
BESIDE = ("README.md", "mrr.txt", "requirements.txt", "model.json")
BESIDE_ENDINGS = (".md", ".jsonl", ".yml", ".yaml", ".tex", ".py", ".html", ".pdf", ".log")
"""Names and extensions of files that accompany results: descriptions, traces, programs."""

_RUN_ID = re.compile(r".+_(?P<system>(?P<team>[A-Za-z0-9][A-Za-z0-9.-]*)_[A-Za-z0-9-]+_\d{2})")


class Exam(NamedTuple):
    """A gold file: the name of its exam, and its questions by the names that a run has for them too."""

    name: str
    path: Path
    asked: frozenset[str]


class SystemRun(NamedTuple):
    """The results of one system: its path in the tree, its team ("" if no file name has it), a file for each exam."""

    name: str
    team: str
    results: Mapping[str, Path]


class _Result(NamedTuple):
    path: Path
    exam: str


def read_exams(task: Scoring, golds: Sequence[Path], options: Mapping[str, Any]) -> list[Exam]:
    """Reads the exams of gold files, and of folders of them, in the order given.

    Warns of files in a folder that are not gold of this task. Raises UserError for such a file that is named itself,
    for two files with the same questions, and if no gold is found.
    """
    exams: dict[frozenset[str], Exam] = {}
    passed: list[str] = []
    for given in golds:
        tree = tree_of(given, links=True) if given.is_dir() else None
        for path in tree.files if tree else [given]:
            try:
                asked = _read_asked(task, path, True, options)
            except UserError as error:
                if not tree:
                    raise
                passed.append(str(error))
                continue
            if not asked:
                passed.append(f"{path}: no gold of this task in it")
                continue
            if asked in exams:
                other = exams[asked].path
                raise UserError(f"{path}: asks the same as {other}, as far as the files say: leave out one of the two")
            exams[asked] = Exam(_exam_name(path, exams.values()), path, asked)
        passed += tree.left_out if tree else []
    warn_of_lines("left out of the gold", passed)
    if not exams:
        raise UserError(f"{golds[0]}: no gold of this task; expected a gold file, several, or a folder of them")
    return list(exams.values())


def _exam_name(path: Path, others: Iterable[Exam]) -> str:
    """The file's name without suffixes such as `-answers`; with its folder if another exam has that name."""
    stem = path.name.split(".")[0] if path.suffix != ".xml" else path.stem
    name = without_gold_ending(stem) or stem
    return f"{path.parent.name}/{name}" if any(one.name == name for one in others) else name


def _read_asked(task: Scoring, path: Path, gold: bool, options: Mapping[str, Any]) -> frozenset[str]:
    """The questions of a file, without warnings: these are printed when it is scored."""
    with capture_warnings():
        return task.asked_in(path, gold, **options)


def read_runs(task: Scoring, tree: Path, exams: Sequence[Exam], options: Mapping[str, Any]) -> list[SystemRun]:
    """Reads the runs of a tree, by their paths. Warns of files that are left out, with the reason.

    Results of a folder that answer different exams are one run; if an exam is answered twice there, files whose names
    end alike (`_TEAM_EN_01`) are one run, and any other file is a separate run.
    """
    found = tree_of(tree)
    results: list[_Result] = []
    beside, unread, other, unknown = [], [], [], []
    for path in found.files:
        if path.name in BESIDE or path.suffix.lower() in BESIDE_ENDINGS or path.name.startswith("."):
            beside.append(str(path))
            continue
        try:
            asked = _read_asked(task, path, False, options)
        except UserError as error:
            unread.append(str(error))
            continue
        if not asked:
            other.append(str(path))
            continue
        near = _nearest(asked, exams)
        if len(near) == 1:
            results.append(_Result(path, near[0].name))
        else:
            several = f" alone: {' or '.join(one.name for one in near)}" if near else ""
            unknown.append(f"{path}: no gold for it{several}")
    warn_of_lines("left out", [*found.left_out, *unread, *unknown])
    passed_over = [
        f"{len(paths)} {'file' if len(paths) == 1 else 'files'} {what}"
        for paths, what in ((other, "of other tasks"), (beside, "beside the results (descriptions, traces)"))
        if paths
    ]
    if passed_over:
        info(f"{' and '.join(passed_over)} passed over")
    return _group_runs(results, tree)


def _nearest(asked: frozenset[str], exams: Sequence[Exam]) -> list[Exam]:
    """The exams that share most questions with a file; empty if no exam shares any."""
    shared = [len(asked & exam.asked) for exam in exams]
    return [exam for exam, count in zip(exams, shared, strict=True) if count and count == max(shared)]


def _group_runs(results: Sequence[_Result], tree: Path) -> list[SystemRun]:
    """Groups results into runs: a folder whose results answer different exams is one, else as `_systems` does."""
    folders: dict[Path, list[_Result]] = {}
    for result in results:
        folders.setdefault(result.path.parent, []).append(result)
    runs = []
    for folder, members in folders.items():
        place = str(folder.relative_to(tree))
        whole = len({one.exam for one in members}) == len(members)
        if whole and (len(members) > 1 or place != "."):
            runs.append(_run(tree.name if place == "." else place, members))
        else:
            runs += _systems(members, tree)
    return runs


def _systems(members: Sequence[_Result], tree: Path) -> list[SystemRun]:
    """The runs of a folder that has several: by the suffixes of their RUN_IDs; other files are a run each."""
    systems: dict[str, list[_Result]] = {}
    for one in members:
        named = _RUN_ID.fullmatch(one.path.stem)
        place = one.path.with_name(named["system"]) if named else one.path
        group = str(place.relative_to(tree))
        while any(other.exam == one.exam for other in systems.get(group, ())):
            group = str(one.path.relative_to(tree))
        systems.setdefault(group, []).append(one)
    return [_run(name, results) for name, results in systems.items()]


def _run(name: str, members: Sequence[_Result]) -> SystemRun:
    """The run of these results; its team is that of the files' RUN_IDs if they agree."""
    named = [_RUN_ID.fullmatch(one.path.stem) for one in members]
    teams = {found["team"] if found else "" for found in named}
    return SystemRun(name, teams.pop() if len(teams) == 1 else "", {one.exam: one.path for one in members})


def warn_of_lines(what: str, lines: Sequence[str]) -> None:
    """Warns of each of the first `NAMED` lines, and of the number of further ones."""
    for line in lines[:NAMED]:
        warn(one_line(f"{what}: {line}"))
    if len(lines) > NAMED:
        warn(f"{what}: {len(lines) - NAMED} more like these")


Questions = Sequence[ReportedQuestion]


class Scored(NamedTuple):
    """A run with its answers to the questions of each exam."""

    run: SystemRun
    measure: str
    exams: Mapping[str, Questions]


def score_runs(
    task: Scoring, runs: Sequence[SystemRun], exams: Sequence[Exam], options: Mapping[str, Any]
) -> tuple[list[Scored], list[Exam]]:
    """Scores every run; returns the runs with a score, and the exams that some run answers.

    Warns, naming the run, of what scoring warns of, of files that cannot be scored, of exams that a run or all of them
    lack, and of identical runs. Raises UserError if nothing can be scored.
    """
    scored: list[Scored] = []
    talk: list[str] = []
    for run in runs:
        reported: dict[str, Reported] = {}
        for exam in exams:
            path = run.results.get(exam.name)
            if path is None:
                continue
            with capture_warnings() as warnings:
                check_run(exam.path, path)
                try:
                    reported[exam.name] = task.reported(exam.path, path, **options)
                except UserError as error:
                    warnings.append(f"cannot be scored: {error}")
            talk += [f"{run.name}, {exam.name}: {warning}" for warning in dict.fromkeys(warnings)]
        if reported:
            measure = next(iter(reported.values())).measure
            scored.append(Scored(run, measure, {name: one.questions for name, one in reported.items()}))
    warn_of_lines("in scoring", talk)
    if not scored:
        raise UserError("no result that can be scored: the table would be empty")
    answered = [exam for exam in exams if any(exam.name in one.exams for one in scored)]
    warn_of_lines(
        "no run answers this exam, which does not count", [exam.name for exam in exams if exam not in answered]
    )
    _say_lacking(scored, answered)
    _say_doubles([one.run for one in scored])
    return scored, answered


def _say_lacking(scored: Sequence[Scored], exams: Sequence[Exam]) -> None:
    """Warns of runs that lack an exam."""
    lacking = [
        f"{one.run.name} ({', '.join(exam.name for exam in exams if exam.name not in one.exams)})"
        for one in scored
        if len(one.exams) < len(exams)
    ]
    warn_of_lines("counted 0 where an exam is lacking", lacking)


def _say_doubles(runs: Sequence[SystemRun]) -> None:
    """Warns of runs whose files are the same, byte for byte."""
    first: dict[str, str] = {}
    for run in runs:
        digest = hashlib.sha256()
        for exam, path in sorted(run.results.items()):
            digest.update(exam.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
        other = first.setdefault(digest.hexdigest(), run.name)
        if other != run.name:
            warn(f"{run.name} is the same as {other}, byte for byte")


def tree_rows(
    task: Scoring, golds: Sequence[Path], tree: Path, options: Mapping[str, Any], interval: bool, cells: bool
) -> list[dict[str, object]]:
    """The rows of the `overview` of a tree of runs. Raises UserError without gold, and for a tree without runs."""
    if not golds:
        raise UserError(f"{tree}: a folder of runs is scored against gold files; name them before it")
    exams = read_exams(task, golds, options)
    runs = read_runs(task, tree, exams, options)
    if not runs:
        raise UserError(f"{tree}: no run that answers {', '.join(exam.name for exam in exams)[:200]}")
    return overview(task, *score_runs(task, runs, exams, options), interval, cells)


class _Sum(NamedTuple):
    """The sum over questions: points of those possible, or (`possible` is None) the mean of a measure."""

    value: float
    possible: float | None
    low: float | None
    high: float | None


def overview(
    task: Scoring, scored: Sequence[Scored], exams: Sequence[Exam], interval: bool, cells: bool
) -> list[dict[str, object]]:
    """The rows of the table, best total first; runs with equal totals share a rank, written as `2=`.

    An exam that a run lacks is None in its column and counts 0 in its total. `interval` adds 95 % bootstrap intervals
    over the questions. With `cells` an exam is one column as in papers (`45/97 [36, 54]`), else columns of numbers.
    """
    asked = {exam.name: next(one.exams[exam.name] for one in scored if exam.name in one.exams) for exam in exams}
    totals = [
        _sum(
            [question for exam, questions in asked.items() for question in _answers_to(one, exam, questions)], interval
        )
        for one in scored
    ]
    order = sorted(range(len(scored)), key=lambda place: (-round(totals[place].value, 9), scored[place].run.name))
    ranks = _ranks([round(totals[place].value, 9) for place in order])
    teams = any(one.run.team for one in scored)
    rows: list[dict[str, object]] = []
    for rank, place in zip(ranks, order, strict=True):
        one = scored[place]
        row: dict[str, object] = {"rank": rank, **({"team": one.run.team} if teams else {}), "run": one.run.name}
        for exam in exams:
            row |= _columns(exam.name, one.exams.get(exam.name), interval, cells)
        rows.append(row | _total(task, one, asked, totals[place], interval))
    return rows


def _answers_to(one: Scored, exam: str, asked: Questions) -> Questions:
    """The questions of an exam with a run's answers; all are wrong if it lacks the exam."""
    return one.exams.get(exam) or [question._replace(score=0.0, answer="") for question in asked]


def _sum(questions: Questions, interval: bool) -> _Sum:
    """Points if every question has some, else the mean score."""
    worths = [question.worth for question in questions]
    if any(worth is None for worth in worths):
        return _spread([question.score for question in questions], None, 1, interval)
    points = [question.score * (question.worth or 0.0) for question in questions]
    return _spread(points, sum(worth or 0.0 for worth in worths), len(points), interval)


def _spread(values: Sequence[float], possible: float | None, times: int, interval: bool) -> _Sum:
    """The mean of the values and its bounds, multiplied by `times`: their number for a sum, 1 for a mean."""
    whole = estimate(values, bounds=interval)
    low, high = (None if bound is None else bound * times for bound in (whole.low, whole.high))
    return _Sum(whole.mean * times, possible, low, high)


def _columns(exam: str, questions: Questions | None, interval: bool, cells: bool) -> dict[str, object]:
    """The columns of one exam, None if the run lacks it."""
    found = _sum(questions, interval) if questions else None
    if cells:
        return {exam: _sum_text(found)}
    row: dict[str, object] = {exam: None if found is None else _number(found.value, found.possible)}
    if found is not None and found.possible is not None:
        row[f"{exam}: possible"] = _number(found.possible, found.possible)
    if interval:
        row |= {f"{exam}: low": found and found.low, f"{exam}: high": found and found.high}
    return row


def _sum_text(found: _Sum | None) -> str:
    """A cell of the printed table: `45/97 [36, 54]`, the mean of a measure, or – if the run lacks the exam."""
    if found is None:
        return "–"
    form = ".4f" if found.possible is None else ".4g"
    value = format(found.value, form) + ("" if found.possible is None else f"/{found.possible:.4g}")
    if found.low is None or found.high is None:
        return value
    return f"{value} [{found.low:{form}}, {found.high:{form}}]"


def _number(value: float, possible: float | None) -> float | int:
    """Points as an int if they are a whole number; means unchanged."""
    exact = round(value, 9)
    return int(exact) if possible is not None and exact == int(exact) else value


def _total(
    task: Scoring, one: Scored, asked: Mapping[str, Questions], total: _Sum, interval: bool
) -> dict[str, object]:
    """The columns of a run's total: points or the measure, numbers of questions and of unanswered ones."""
    every = [question for exam, questions in asked.items() for question in _answers_to(one, exam, questions)]
    row: dict[str, object] = {}
    if total.possible is None:
        row[one.measure] = total.value
    else:
        row["points"] = _number(total.value, total.possible)
        row["possible"] = _number(total.possible, total.possible)
        row["right"] = sum(question.score == 1.0 for question in every)
    if interval:
        row |= {"low": total.low, "high": total.high}
    row["questions"] = len(every)
    if task.ranked is None:
        row["unanswered"] = sum(not question.answer for question in every)
    return row


def _ranks(values: Sequence[float]) -> list[str]:
    """The ranks of falling values; equal ones share the best rank, marked with `=`: 1, 2=, 2=, 4."""
    first = {value: place for place, value in reversed(list(enumerate(values, 1)))}
    counts = Counter(values)
    return [f"{first[value]}{'=' if counts[value] > 1 else ''}" for value in values]


def is_one_run(task: Scoring, folder: Path) -> bool:
    """Whether a folder has no subfolders and each of its XML files answers another exam."""
    if any(path.is_dir() for path in folder.iterdir()):
        return False
    asked: list[frozenset[str]] = []
    for path in sorted(folder.glob("*.xml")):
        try:
            with capture_warnings():
                asked.append(task.asked_in(path, False))
        except UserError:  # scoring says what is wrong with the file
            continue
    return len(asked) == len(set(asked))
