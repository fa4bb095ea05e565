"""Overview of a folder of runs: runs × exams, as the overview papers of the tasks print them."""

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

ENTRIES = 100_000


class Tree(NamedTuple):
    """The regular files of a folder at any depth, by their paths, and a line on each entry that was left out."""

    files: list[Path]
    left_out: list[str]


def tree_of(folder: Path, *, links: bool = False) -> Tree:
    """All files below a folder. Links (unless `links`: those to files count), devices and pipes are left out.

    So are files of more than 64 MiB and folders that may not be read. UserError beyond 100,000 entries.
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
    """Every entry but the folders that are walked: its path, and why it is left out ("" where it is not)."""
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
    if entry.is_symlink() and not links:
        return "a link, which is not followed"
    if not entry.is_file():
        return "not a file" if not entry.is_symlink() else "a link to what is not a file"
    if entry.stat().st_size > SIZE_LIMIT:
        return f"{entry.stat().st_size:,} bytes; at most {SIZE_LIMIT:,} are read"
    return "" if os.access(entry.path, os.R_OK) else "may not be read"


NAMED = 10  # so many lines are told of one kind; more are counted
BESIDE = ("README.md", "mrr.txt", "requirements.txt", "model.json")
BESIDE_ENDINGS = (".md", ".jsonl", ".yml", ".yaml", ".tex", ".py", ".html", ".pdf", ".log")
"""What lies beside results: descriptions, traces, programs."""

_RUN_ID = re.compile(r".+_(?P<system>(?P<team>[A-Za-z0-9][A-Za-z0-9.-]*)_[A-Za-z0-9-]+_\d{2})")


class Exam(NamedTuple):
    """A gold file: what its exam is called, and the questions that it asks, by what names them in a run too."""

    name: str
    path: Path
    asked: frozenset[str]


class Run(NamedTuple):
    """The results of one system: where it lies in the tree, its team ("" where no name says it), a file an exam."""

    name: str
    team: str
    results: Mapping[str, Path]


class _Result(NamedTuple):
    path: Path
    exam: str


def read_exams(task: Scoring, golds: Sequence[Path], options: Mapping[str, Any]) -> list[Exam]:
    """The exams of gold files, and of folders of them, in the order given.

    What is no gold of this task is said where a folder holds it. UserError for a file named that is none, for two
    that ask the same, and without any.
    """
    exams: dict[frozenset[str], Exam] = {}
    passed: list[str] = []
    for given in golds:
        tree = tree_of(given, links=True) if given.is_dir() else None
        for path in tree.files if tree else [given]:
            try:
                asked = _asked(task, path, True, options)
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
    told("left out of the gold", passed)
    if not exams:
        raise UserError(f"{golds[0]}: no gold of this task; expected a gold file, several, or a folder of them")
    return list(exams.values())


def _exam_name(path: Path, others: Iterable[Exam]) -> str:
    """The file's name without endings such as `-answers`; with its folder where another is called so."""
    stem = path.name.split(".")[0] if path.suffix != ".xml" else path.stem
    name = without_gold_ending(stem) or stem
    return f"{path.parent.name}/{name}" if any(one.name == name for one in others) else name


def _asked(task: Scoring, path: Path, gold: bool, options: Mapping[str, Any]) -> frozenset[str]:
    """The questions of a file, in silence: what is odd about it is said when it is scored."""
    with capture_warnings():
        return task.asked_in(path, gold, **options)


def read_runs(task: Scoring, tree: Path, exams: Sequence[Exam], options: Mapping[str, Any]) -> list[Run]:
    """The runs of a tree, by their places. What is left out is said, each with its reason.

    Results of a folder that answer different exams are one run; where an exam is answered twice there, files whose
    names end alike (`_TEAM_EN_01`) are one, and any other is a run of its own.
    """
    found = tree_of(tree)
    results: list[_Result] = []
    beside, unread, other, unknown = [], [], [], []
    for path in found.files:
        if path.name in BESIDE or path.suffix.lower() in BESIDE_ENDINGS or path.name.startswith("."):
            beside.append(str(path))
            continue
        try:
            asked = _asked(task, path, False, options)
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
    told("left out", [*found.left_out, *unread, *unknown])
    passed_over = [
        f"{len(paths)} {'file' if len(paths) == 1 else 'files'} {what}"
        for paths, what in ((other, "of other tasks"), (beside, "beside the results (descriptions, traces)"))
        if paths
    ]
    if passed_over:
        info(f"{' and '.join(passed_over)} passed over")
    return _grouped(results, tree)


def _nearest(asked: frozenset[str], exams: Sequence[Exam]) -> list[Exam]:
    """The exams that share most questions, none where none shares any."""
    shared = [len(asked & exam.asked) for exam in exams]
    return [exam for exam, count in zip(exams, shared, strict=True) if count and count == max(shared)]


def _grouped(results: Sequence[_Result], tree: Path) -> list[Run]:
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


def _systems(members: Sequence[_Result], tree: Path) -> list[Run]:
    """The runs of one folder that holds several: by the endings of their RUN_IDs, else each file one."""
    systems: dict[str, list[_Result]] = {}
    for one in members:
        named = _RUN_ID.fullmatch(one.path.stem)
        place = one.path.with_name(named["system"]) if named else one.path
        group = str(place.relative_to(tree))
        while any(other.exam == one.exam for other in systems.get(group, ())):
            group = str(one.path.relative_to(tree))
        systems.setdefault(group, []).append(one)
    return [_run(name, results) for name, results in systems.items()]


def _run(name: str, members: Sequence[_Result]) -> Run:
    named = [_RUN_ID.fullmatch(one.path.stem) for one in members]
    teams = {found["team"] if found else "" for found in named}
    return Run(name, teams.pop() if len(teams) == 1 else "", {one.exam: one.path for one in members})


def told(what: str, lines: Sequence[str]) -> None:
    """Warn of each of the first lines, and of how many there are more."""
    for line in lines[:NAMED]:
        warn(one_line(f"{what}: {line}"))
    if len(lines) > NAMED:
        warn(f"{what}: {len(lines) - NAMED} more like these")


Questions = Sequence[ReportedQuestion]


class Scored(NamedTuple):
    """A run with the questions of each exam that it answers, as it answered them."""

    run: Run
    measure: str
    exams: Mapping[str, Questions]


def score_runs(
    task: Scoring, runs: Sequence[Run], exams: Sequence[Exam], options: Mapping[str, Any]
) -> tuple[list[Scored], list[Exam]]:
    """Every run scored, and the exams that some run answers.

    What scoring a file says is said with its run, and so are files that cannot be scored, exams that a run or all of
    them lack, and runs that are the same. UserError where nothing is left to score.
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
    told("in scoring", talk)
    if not scored:
        raise UserError("no result that can be scored: the table would be empty")
    answered = [exam for exam in exams if any(exam.name in one.exams for one in scored)]
    told("no run answers this exam, which does not count", [exam.name for exam in exams if exam not in answered])
    _say_lacking(scored, answered)
    _say_doubles([one.run for one in scored])
    return scored, answered


def _say_lacking(scored: Sequence[Scored], exams: Sequence[Exam]) -> None:
    lacking = [
        f"{one.run.name} ({', '.join(exam.name for exam in exams if exam.name not in one.exams)})"
        for one in scored
        if len(one.exams) < len(exams)
    ]
    told("counted 0 where an exam is lacking", lacking)


def _say_doubles(runs: Sequence[Run]) -> None:
    """Say which runs are the same, byte for byte."""
    first: dict[str, str] = {}
    for run in runs:
        digest = hashlib.sha256()
        for exam, path in sorted(run.results.items()):
            digest.update(exam.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
        other = first.setdefault(digest.hexdigest(), run.name)
        if other != run.name:
            warn(f"{run.name} is the same as {other}, byte for byte")


class _Sum(NamedTuple):
    """Questions added up: points of those possible, or (`possible` is None) the mean of a measure."""

    value: float
    possible: float | None
    low: float | None
    high: float | None


def overview(
    task: Scoring, scored: Sequence[Scored], exams: Sequence[Exam], interval: bool, cells: bool
) -> list[dict[str, object]]:
    """The rows of the table, best total first; runs of equal totals share a rank, which says so (`2=`).

    An exam that a run lacks is None in its column and counts 0 in its total. `interval` adds 95 % bootstrap intervals
    over the questions. With `cells` an exam is one column as papers print it (`45/97 [36, 54]`), else numbers.
    """
    asked = {exam.name: next(one.exams[exam.name] for one in scored if exam.name in one.exams) for exam in exams}
    totals = [
        _sum([question for exam, questions in asked.items() for question in _answered(one, exam, questions)], interval)
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


def _answered(one: Scored, exam: str, asked: Questions) -> Questions:
    """The questions of an exam as a run answered them: all wrong where it lacks the exam."""
    return one.exams.get(exam) or [question._replace(score=0.0, answer="") for question in asked]


def _sum(questions: Questions, interval: bool) -> _Sum:
    """Points where every question is worth some, else the mean score."""
    worths = [question.worth for question in questions]
    if any(worth is None for worth in worths):
        return _spread([question.score for question in questions], None, 1, interval)
    points = [question.score * (question.worth or 0.0) for question in questions]
    return _spread(points, sum(worth or 0.0 for worth in worths), len(points), interval)


def _spread(values: Sequence[float], possible: float | None, times: int, interval: bool) -> _Sum:
    whole = estimate(values, bounds=interval)
    low, high = (None if bound is None else bound * times for bound in (whole.low, whole.high))
    return _Sum(whole.mean * times, possible, low, high)


def _columns(exam: str, questions: Questions | None, interval: bool, cells: bool) -> dict[str, object]:
    """The columns of one exam: None where the run lacks it."""
    found = _sum(questions, interval) if questions else None
    if cells:
        return {exam: _printed(found)}
    row: dict[str, object] = {exam: None if found is None else _number(found.value, found.possible)}
    if found is not None and found.possible is not None:
        row[f"{exam}: possible"] = _number(found.possible, found.possible)
    if interval:
        row |= {f"{exam}: low": found and found.low, f"{exam}: high": found and found.high}
    return row


def _printed(found: _Sum | None) -> str:
    if found is None:
        return "–"
    form = ".4f" if found.possible is None else ".4g"
    value = format(found.value, form) + ("" if found.possible is None else f"/{found.possible:.4g}")
    if found.low is None or found.high is None:
        return value
    return f"{value} [{found.low:{form}}, {found.high:{form}}]"


def _number(value: float, possible: float | None) -> float | int:
    """Points as whole numbers where they are; means as they are."""
    exact = round(value, 9)
    return int(exact) if possible is not None and exact == int(exact) else value


def _total(
    task: Scoring, one: Scored, asked: Mapping[str, Questions], total: _Sum, interval: bool
) -> dict[str, object]:
    every = [question for exam, questions in asked.items() for question in _answered(one, exam, questions)]
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
    """1, 2=, 2=, 4: the place of each of falling values, equal ones marked."""
    first = {value: place for place, value in reversed(list(enumerate(values, 1)))}
    counts = Counter(values)
    return [f"{first[value]}{'=' if counts[value] > 1 else ''}" for value in values]


def is_one_run(task: Scoring, folder: Path) -> bool:
    """Whether a folder holds nothing but files that each answer another exam."""
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
