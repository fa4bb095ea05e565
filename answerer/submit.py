"""`python -m answerer submit RUN...`: the submission tree of NTCIR QA Lab from runs and their traces."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from answerer.trace import read_trace
from indexer.files.atomic import write_bytes
from indexer.files.errors import UserError
from indexer.files.xml import parse_xml

PHASES = {"1": "phase1", "2": "phase2", "research_run": "research_run"}
CHOICE_FOLDER = "mutiple_choice"  # as the task page prints it
_TEAM = re.compile(r"[A-Za-z0-9.-]+")


class Kind(NamedTuple):
    """Where the runs of a task go, their run type in the RUN_ID ("" for the language), and their root elements."""

    folder: str
    run_type: str
    roots: tuple[str, ...]


KINDS = {
    "ntcir-mc": Kind(CHOICE_FOLDER, "", ("answerTable",)),
    "ntcir-term": Kind("term", "term", ("answer_sheet",)),
    "ntcir-essay": Kind("essay/e2e", "e2e", ("answer_sheet",)),
    "ntcir-sheet": Kind("essay/e2e", "e2e", ("answer_sheet",)),
    "ntcir-extraction": Kind("essay/extraction", "extraction", ("TOPIC", "TOPIC_SET")),
    "ntcir-summarization": Kind("essay/summarization", "summarization", ("answer_sheet",)),
    "ntcir-evaluation-method": Kind("essay/evaluation_method", "evaluation-method", ("TOPIC", "TOPIC_SET")),
}


class Run(NamedTuple):
    """A system's run: its files (several answer tables, or one file), each with its topics file's name, and
    what its trace says of it."""

    kind: Kind
    files: tuple[tuple[Path, str], ...]
    header: Mapping[str, Any]


@click.command(
    epilog="Example: python -m answerer submit run.xml --trace trace.jsonl --team TEAM --phase 1 -o submission"
)
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option(
    "--trace", "traces", multiple=True, metavar="TRACE.jsonl", help="Each run's trace, in order [RUN.jsonl beside it]."
)
@click.option("--team", required=True, help="The team's id.")
@click.option("--phase", type=click.Choice(list(PHASES)), default="1", help="[1]")
@click.option("--priority", type=click.IntRange(1, 99), default=1, help="Of the first run of each type [1].")
@click.option("--topics", metavar="NAME", help="The topics file's name [what the trace says].")
@click.option("--correct-names", is_flag=True, help="Write multiple_choice where the task page has mutiple_choice.")
@click.option("-o", "output", default="submission", metavar="FOLDER", help="Where the tree goes [submission].")
def command(
    runs: tuple[str, ...],
    traces: tuple[str, ...],
    team: str,
    phase: str,
    priority: int,
    topics: str | None,
    correct_names: bool,
    output: str,
) -> None:
    """Lay out runs as NTCIR QA Lab asks: RUN_IDs, a folder a run, and a system description read from its trace.

    A run is a result file, or for multiple choice also a folder of answer tables. Runs of one type become
    run1, run2 … in the order given, their priorities counting on from --priority.
    """
    if not _TEAM.fullmatch(team):
        raise UserError(f"--team {team!r}: a team's id has letters, digits, - and . only")
    paths = _traces(runs, traces)
    read = [_run(Path(run), path, topics) for run, path in zip(runs, paths, strict=True)]
    files: dict[Path, bytes] = {}
    counts: dict[str, int] = {}
    for run in read:
        number = counts[run.kind.folder] = counts.get(run.kind.folder, 0) + 1
        if priority + number - 1 > 99:
            raise UserError(f"more than 99 priorities: {len(runs)} runs from --priority {priority} on")
        top = run.kind.folder.replace(CHOICE_FOLDER, "multiple_choice") if correct_names else run.kind.folder
        folder = Path(output) / PHASES[phase] / top / f"run{number}"
        ids = []
        for file, name in run.files:
            ids.append(run_id(run, name, team, priority + number - 1))
            files[folder / f"{ids[-1]}.xml"] = file.read_bytes()
        files[folder / "README.md"] = system_description(run, ids, team).encode()
    for target, data in files.items():
        write_bytes(target, data)
        click.echo(str(target), err=True)


def _traces(runs: Sequence[str], traces: Sequence[str]) -> list[Path]:
    if traces and len(traces) != len(runs):
        raise UserError(f"{len(runs)} runs and {len(traces)} traces: give one --trace for each run, in order")
    if traces:
        return [Path(trace) for trace in traces]
    found = [Path(run).with_suffix(".jsonl") for run in runs]
    for run, trace in zip(runs, found, strict=True):
        if not trace.is_file():
            raise UserError(f"{run}: no {trace.name} beside it; write one with --trace when answering, or name it")
    return found


def _run(path: Path, trace: Path, topics: str | None) -> Run:
    """A run and what its trace says. UserError for a trace of another task than the run's root element."""
    header, questions = read_trace(trace)
    task = str(header.get("task", ""))
    if task not in KINDS:
        raise UserError(f"{trace}: a trace of {task or 'no task'}; submissions are made of {', '.join(KINDS)}")
    kind = KINDS[task]
    files = sorted(path.glob("*.xml")) if path.is_dir() else [path]
    if not files:
        raise UserError(f"{path}: no answer tables (*.xml) in this folder")
    if not questions:
        raise UserError(f"{trace}: the trace holds no question; answer again with --trace")
    named = []
    for file in files:
        root = parse_xml(file, kind.roots)
        parameters = header.get("parameters") or {}
        said = root.get("filename") or parameters.get("sheet") or parameters.get("gold")
        name = topics or said
        if not name:
            raise UserError(f"{trace}: does not name the topics file; give it with --topics")
        named.append((file, str(name).removesuffix(".xml")))
    return Run(kind, tuple(named), header)


def run_id(run: Run, topics: str, team: str, priority: int) -> str:
    """RUN_ID of seed 002: `[topics file]_[Team]_[run type]_[priority]`, for multiple choice the language as type."""
    run_type = run.kind.run_type or str(run.header.get("language") or "").upper()
    return f"{topics}_{team}_{run_type}_{priority:02d}"


def system_description(run: Run, ids: Sequence[str], team: str) -> str:
    """README.md of a run: what ran, from its trace; sources of the team's own where the run cites some."""
    header = run.header
    rows = [
        ("Team", team),
        ("Task", header.get("task")),
        ("Method", header.get("method")),
        ("Language", header.get("language")),
        ("Retrieval engine", header.get("engine") or "none"),
        ("Index", header.get("index") or "none"),
    ]
    lines = ["# System description", "", *(f"* Run: {name}" for name in ids)]
    lines += [f"* {name}: {value}" for name, value in rows if value]
    lines += ["", "## Parameters", "", *_listed(header.get("parameters") or {})]
    lines += ["", "## Versions", "", *_listed(header.get("versions") or {})]
    lines += ["", "## Models and resources", "", _RESOURCES]
    own = _own_documents(run)
    if own:
        lines += ["", "## Documents prepared by the team (PARTICIPANT)", "", *(f"* {source}" for source in own)]
    return "\n".join(lines) + "\n"


_RESOURCES = (
    "Term statistics, BM25 and linear weights only; no neural model. Text analysis by MeCab with ipadic "
    "(Japanese) or Porter stems (English). Knowledge comes from the indexed texts named above."
)


def _listed(values: Mapping[str, Any]) -> list[str]:
    return [f"* {name}: {_plain(value)}" for name, value in sorted(values.items())] or ["* none"]


def _plain(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_plain(each)}" for name, each in value.items())
    return ", ".join(map(_plain, value)) if isinstance(value, list) else str(value)


def _own_documents(run: Run) -> list[str]:
    """The indexed files behind PARTICIPANT passages; none where the passages are the organisers' or the web's."""
    parameters = run.header.get("parameters") or {}
    if parameters.get("source_type") != "PARTICIPANT":
        return []
    return [str(source) for source in parameters.get("sources", [])]
