"""Which files of a tree are results, which exam each answers, and which of them are one run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from answerer.formats.answer_table import without_gold_ending
from evaluation.overview.tree import tree_of
from evaluation.registry import Scoring
from indexer.files.errors import UserError, one_line
from indexer.files.messages import captured_warnings, info, warn

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
    with captured_warnings():
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
