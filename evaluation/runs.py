"""Gold and runs as commands and Python give them, and checks of gold against run."""

from __future__ import annotations

import filecmp
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from indexer.files.errors import UserError
from indexer.files.inputs import MemoryFile
from indexer.files.messages import first_few, warn
from indexer.files.paths import require_input, sidecar_of
from indexer.files.validation import FileName, validate_path, validate_texts

if TYPE_CHECKING:
    from answerer.run import Run
    from retriever.rankings import Rankings

    AnyRun = FileName | Run | Rankings
    """A run: a file, a folder of files for several exams, a result of `answerer.answer`, or for
    `trec` the rankings of `OpenIndex.search`."""


class MemoryFolder(str):
    """Several files that a program has in memory, under one name."""

    files: Sequence[MemoryFile]

    def __new__(cls, name: str, files: Sequence[MemoryFile]) -> MemoryFolder:
        folder = super().__new__(cls, name)
        folder.files = files
        return folder


RunFile = Path | MemoryFile | MemoryFolder
"""The file of a run or the folder of its files, on disk or in memory."""


class RunFiles(NamedTuple):
    """A run: what it is called, its file or folder, and its trace if it was in memory and has
    evidence."""

    name: str
    path: RunFile
    trace: MemoryFile | None = None


def named_files(runs: Sequence[AnyRun | Mapping[str, AnyRun]]) -> list[RunFiles]:
    """The files of each run, in order, under different names; of one mapping of names to runs in
    their place under these. Raises UserError for a path that does not exist, for what is not a run,
    and for a name that is not a text.
    """
    from retriever.rankings import Rankings

    if len(runs) == 1 and isinstance(runs[0], Mapping) and not isinstance(runs[0], Rankings):
        return run_files(list(runs[0].values()), validate_texts(runs[0], "names of runs"))
    return run_files(cast("Sequence[AnyRun]", runs))


def run_files(
    runs: Sequence[AnyRun], names: Sequence[str] | None = None, *, traced: bool = False
) -> list[RunFiles]:
    """The files of each run, in order, under `names`, by default different ones that they have; of
    a run in memory with `traced` also its trace, if it has one. Raises UserError for a path that
    does not exist, and for what is not a run."""
    entries: list[RunFiles] = []
    own_names = [_name_of(run) for run in runs]
    for run, name in zip(runs, names or unlike(own_names), strict=True):
        if isinstance(run, str | os.PathLike):
            entries.append(RunFiles(name, existing(run, "run", folders=True)))
            continue
        if isinstance(run, dict):
            entries.append(RunFiles(name, MemoryFile(name, run.to_trec().encode())))
            continue
        from answerer.run import files_of

        files = [MemoryFile(str(path), content) for path, content in files_of(run, name)]
        trace = None
        if traced and run.questions:
            trace = MemoryFile(f"{name}.jsonl", run.trace)
        entries.append(
            RunFiles(name, files[0] if len(files) == 1 else MemoryFolder(name, files), trace)
        )
    return entries


def _name_of(run: AnyRun) -> str:
    """The path of a run that is a file; the method of one in memory, of rankings "run". UserError
    for anything else."""
    from answerer.run import Run

    if isinstance(run, Run):
        return run.method
    if isinstance(run, dict):
        from retriever.rankings import Rankings

        if isinstance(run, Rankings):
            return "run"
        raise UserError(
            "the run is a dict: make it `retriever.Rankings({query_id: [(doc_id, score), …]})`"
        )
    return validate_path(run, "run")


def scored_files(
    task: str, gold: FileName, run: AnyRun, *, folders: bool = False, traced: bool = False
) -> tuple[Path, RunFile, MemoryFile | None]:
    """(gold, run, trace) of a task: their files; the trace with `traced`, of a run in memory that
    has evidence, else None. Without `folders` each is a single file.

    Raises UserError for what is not there, a folder without `folders`, and a run on disk of the
    same bytes as its gold, or exchanged with it.
    """
    ((_, path, trace),) = run_files([run], traced=traced)
    right = existing(gold, "gold", folders=True)
    for file in (right, path):
        if is_folder(file) and not folders:
            raise UserError(f"{file}: is a folder; {task} scores one file against another")
    if isinstance(path, Path):  # a run in memory has no metadata beside it
        check_run(right, path)
    return right, path, trace


def is_folder(path: RunFile) -> bool:
    """Whether a run has several files."""
    return path.is_dir() if isinstance(path, Path) else isinstance(path, MemoryFolder)


def existing(path: FileName, label: str, *, folders: bool = False) -> Path:
    """The path of an existing file, with `folders` also of a folder. Raises UserError for any other
    path; `label` is what the message calls it."""
    require_input(validate_path(path, label), label, ("**",) if folders else ())
    return Path(path)


def gold_of(golds: Sequence[Path], run: Path, *, folders: bool = False) -> Path:
    """The gold of a single run; a folder only with `folders`. Raises UserError unless there is a
    single gold, and for a run of the same bytes as its gold, or exchanged with it."""
    if len(golds) != 1:
        raise UserError(
            f"{len(golds)} gold files for the one run {run}: several are for a folder of runs"
        )
    (gold,) = golds
    if gold.is_dir() and not folders:
        raise UserError(f"{gold}: is a folder; name the gold file of {run}")
    check_run(gold, run)
    return gold


def refuse_in_tree(tree: Path, options: Mapping[str, object]) -> None:
    """Raises UserError for the first of these options (name → value) whose value is true (not
    empty), since it is for a single run."""
    for name, value in options.items():
        if value:
            raise UserError(f"{name} needs a single run; {tree} is a folder of runs")


def unlike(names: Sequence[str]) -> Iterator[str]:
    """Yields the names, all different: a repeated one with the next number that makes it no other,
    `A1`, `A1 (2)`."""
    # `A1 (2)` may itself be a name.
    seen: set[str] = set()
    last: dict[str, int] = {}
    for name in names:
        new = name
        while new in seen:
            last[name] = last.get(name, 1) + 1
            new = f"{name} ({last[name]})"
        seen.add(new)
        yield new


def check_ids(
    gold: str | Path,
    run: str | Path,
    of_gold: Collection[str],
    of_run: Collection[str],
    what: str = "questions",
    missed: str = "which score 0",
    without_answer: Collection[str] = (),
    warned: Collection[str] = (),
) -> None:
    """Warns of the ids that only the gold or only the run has.

    `of_gold` are the ids with a right answer, `of_run` those that the run answers. `what` is the
    plural of what the ids name, `missed` says how those are scored that the run lacks,
    `without_answer` are ids that the gold lists without a right answer, `warned` ids that an
    earlier run had too: where only the run has these, and no further ones, nothing is said of them.
    Raises UserError if the run answers something but nothing of `of_gold`, or if the gold lacks
    more than half of what it answers; a run without answers is only warned of."""
    wanted, answered = dict.fromkeys(of_gold), dict.fromkeys(of_run)
    missing = [key for key in wanted if key not in answered]
    extra = [key for key in answered if key not in wanted]
    # Mostly other ids are the wrong file; a smaller part may be gold of a part.
    if extra and len(extra) == len(answered):
        raise UserError(f"{run}: answers none of the {what} of {gold}; expected the same ids")
    # A gold may be filled in part: what it lists without an answer is not another question.
    other = [key for key in extra if key not in without_answer]
    if 2 * len(other) > len(answered):
        raise UserError(
            f"{run}: {len(other)} of the {len(answered)} {what} that it answers are not in {gold} "
            f"({first_few(other)}); expected the same ids"
        )
    if missing:
        warn(
            f"{run}: no answer to {len(missing)} of {len(wanted)} {what}, {missed}: "
            f"{first_few(missing)}"
        )
    if any(key not in warned for key in extra):
        warn(
            f"{gold}: no gold for {len(extra)} of the {what} that {run} answers, not scored: "
            f"{first_few(extra)}"
        )


def check_run(gold: Path, run: RunFile) -> None:
    """Raises UserError for a run of the same bytes as its gold, and for both exchanged: metadata
    (FILE.ir-metadata.yml) is beside the gold alone. Runs of other questions are refused by
    `check_ids`."""
    # A mistake of the command line that would give a perfect score.
    if same_bytes(gold, run):
        raise UserError(
            f"{run}: the same bytes as the gold {gold}, so the gold would be scored against "
            f"itself; name a run"
        )
    if isinstance(run, Path) and sidecar_of(gold).is_file() and not sidecar_of(run).is_file():
        raise exchange_error(gold, run, "has a run's metadata beside it")


def exchange_error(gold: Path, run: RunFile, sign: str) -> UserError:
    """The error, not raised, for a gold that a `sign` shows to be the run: a clause that follows
    the gold's path in the message."""
    return UserError(f"{gold} {sign}: is {run} the gold? The gold comes first")


def same_bytes(run: RunFile, other: RunFile) -> bool:
    """Whether two files, both on disk or both in memory, have the same bytes; False for folders,
    and for a file on disk beside one in memory."""
    if isinstance(run, Path) and isinstance(other, Path):
        return run.is_file() and other.is_file() and filecmp.cmp(run, other, shallow=False)
    if isinstance(run, MemoryFile) and isinstance(other, MemoryFile):
        return run.content == other.content
    return False
