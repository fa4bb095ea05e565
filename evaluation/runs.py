"""Runs as arguments of commands, and checks of gold against run."""

from __future__ import annotations

import filecmp
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from pathlib import Path

from indexer.files.encoding import held_content, read_beginning
from indexer.files.errors import UserError
from indexer.files.messages import first_few, warn
from indexer.parameters import TEXT, Parameter, argument, input_path, option

_FILES = partial(input_path, ("**/*.xml",), path_type=Path)


def run_arguments(metavar: str) -> tuple[Parameter, ...]:
    """Declares the arguments TASK, GOLD and RUNS, passed as `task`, `gold` and `runs`: files, or
    folders of XML."""
    return (
        argument("task", TEXT),
        argument("gold", _FILES),
        argument("runs", _FILES, metavar, multiple=True),
    )


def traces_option(why: str) -> Parameter:
    """Declares --trace of a command for several runs, passed as `traces`; `why` is a part of its
    help."""
    return option(
        "--trace",
        "traces",
        multiple=True,
        metavar="TRACE.jsonl",
        type=partial(input_path, path_type=Path),
        help=f"The trace of each run, in the order of the runs: {why}.",
    )


def unlike(names: Sequence[str]) -> Iterator[str]:
    """Yields the names, numbering repeated ones: `A1`, `A1 (2)`."""
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
) -> None:
    """Warns of the ids that only the gold or only the run has.

    `of_gold` are the ids with a right answer, `of_run` those that the run answers. `what` is the
    plural of what the ids name, `missed` says how those are scored that the run lacks, `without_answer` are ids that the
    gold lists without a right answer. Raises
    UserError if the gold lacks more than half of those that the run answers.
    """
    wanted, given = dict.fromkeys(of_gold), dict.fromkeys(of_run)
    missing = [one for one in wanted if one not in given]
    extra = [one for one in given if one not in wanted]
    # Mostly other ids are the wrong file; a smaller part may be gold of a part.
    if extra and len(extra) == len(given):
        raise UserError(f"{run}: answers none of the {what} of {gold}; expected the same ids")
    # A gold may be filled in part: what it lists without an answer is no other question.
    other = [one for one in extra if one not in without_answer]
    if 2 * len(other) > len(given):
        raise UserError(
            f"{run}: {len(other)} of the {len(given)} {what} that it answers are not in {gold} "
            f"({first_few(other)}); expected the same ids"
        )
    if missing:
        warn(
            f"{run}: no answer to {len(missing)} of {len(wanted)} {what}, {missed}: "
            f"{first_few(missing)}"
        )
    if extra:
        warn(
            f"{gold}: no gold for {len(extra)} of the {what} that {run} answers, not scored: "
            f"{first_few(extra)}"
        )


def check_run(gold: Path, run: Path) -> None:
    """Refuses a gold scored against itself, and gold and run exchanged.

    Signs of an exchange: metadata (FILE.ir-metadata.yml) beside the gold alone, a Data Search
    system description in the gold alone, triples of KBQA gold in the run alone. Raises UserError
    that names both files. Runs of other questions are refused by `check_ids`.
    """
    from retriever.provenance import sidecar_of

    # A mistake of the command line that would give a perfect score.
    if same_bytes(gold, run):
        raise UserError(
            f"{run}: the same bytes as the gold {gold}, so the gold would be scored against "
            f"itself; name a run"
        )
    sign = ""
    if sidecar_of(gold).is_file() and not sidecar_of(run).is_file():
        sign = "has a run's metadata beside it"
    elif gold.is_file() and run.is_file():
        of_gold, of_run = read_beginning(gold), read_beginning(run)
        if _is_described(of_gold) and not _is_described(of_run):
            sign = "begins with <SYSDESC> as a run does"
        elif _has_triples(of_run) and not _has_triples(of_gold):
            sign = f"has no `<triple id=N>` lines as gold has, which stand in {run}"
    if sign:
        raise UserError(f"{gold} {sign}: is {run} the gold? The gold comes first")


def _is_described(beginning: str) -> bool:
    """Whether a file begins with the description of a Data Search run."""
    return beginning.lstrip().upper().startswith("<SYSDESC>")


def _has_triples(beginning: str) -> bool:
    """Whether a file has blocks of KBQA questions with the facts that answer them."""
    return beginning.lstrip().startswith("<question") and "\n<triple" in beginning


def same_bytes(one: Path, other: Path) -> bool:
    """Whether two files have the same bytes; False for folders."""
    if (held := held_content(one)) is not None:
        return held == held_content(other)
    return one.is_file() and other.is_file() and filecmp.cmp(one, other, shallow=False)
