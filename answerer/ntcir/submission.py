"""`python -m answerer submit ntcir RUN...`: the submission tree of NTCIR QA Lab from runs and their
traces."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click

from answerer.formats.answer_sheet import with_attribute_values
from answerer.registry import tasks
from answerer.trace import read_trace
from indexer.cli.types import Command, InputFile, OutputPath, PlainText
from indexer.files.atomic import write_all
from indexer.files.encoding import read_beginning
from indexer.files.errors import UserError
from indexer.files.xml import parse_xml, without_ending

# parameters that differ between files of one system
_OF_ONE_INPUT = ("sheet", "gold", "extraction")
_FILE_NAME = re.compile(r"[^\W_][^\x00-\x1f\x7f/\\]{0,150}")


class ResultFile(NamedTuple):
    """A result file of a run: topics file that it answers (without `.xml`), run type
    (`Task.run_type`), header of its trace."""

    path: Path
    topics: str
    run_type: tuple[str, str, tuple[str, ...]]
    header: Mapping[str, Any]


def read_systems(
    runs: Sequence[str], traces: Sequence[str], topics: str | None
) -> list[list[ResultFile]]:
    """Reads the result files of all runs, each a file or a folder with `*.xml`, and groups them by
    system (same header of the trace but for the parameters of one input), in the order of each
    system's first file. Two runs of one system that answer the same topics file go into different
    groups. `traces` has one trace per run; if empty, a file's trace is the `.jsonl` beside it, or
    beside its folder. `topics`, if not None, replaces the topics name that files and traces give.

    Raises UserError for a number of traces other than 0 and that of the runs, a folder without
    files, a missing trace, a trace of another task or without questions, a missing or unsafe topics
    name, and two files of a run that answer the same topics.
    """
    if traces and len(traces) != len(runs):
        what = "give one --trace for each run, in order (a folder of exams is one run)"
        raise UserError(f"{len(runs)} runs and {len(traces)} traces: {what}")
    systems: dict[tuple[object, ...], list[ResultFile]] = {}
    seen = Counter[tuple[object, ...]]()
    for number, run in enumerate(map(Path, runs)):
        files = sorted(run.glob("*.xml")) if run.is_dir() else [run]
        if not files:
            raise UserError(f"{run}: no result files (*.xml) in this folder")
        of_run: dict[str, ResultFile] = {}
        for file in files:
            beside = (file.with_suffix(".jsonl"), file.absolute().parent.with_suffix(".jsonl"))
            trace = Path(traces[number]) if traces else next(filter(Path.is_file, beside), None)
            if trace is None:
                if not read_beginning(file).lstrip().startswith("<"):
                    raise UserError(
                        f"{file}: not XML, as runs of NTCIR QA Lab are; those of other tasks are "
                        f"sent as `answer` writes them"
                    )
                what = (
                    f"no {beside[0].name} beside it; write one with --trace when answering, "
                    "or name it"
                )
                raise UserError(f"{file}: {what}")
            header, questions = read_trace(trace)
            task = str(header.get("task", ""))
            run_type = tasks()[task].run_type if task in tasks() else None
            if run_type is None or not questions:
                what = f"a trace of {task or 'no task'} with {len(questions)} questions"
                raise UserError(
                    f"{trace}: {what}; expected one of a task of NTCIR QA Lab submissions"
                )
            parameters = header.get("parameters") or {}
            file_name = parse_xml(file, run_type[2]).get("filename")
            name = without_ending(
                str(topics or file_name or parameters.get("sheet") or parameters.get("gold") or "")
            )
            # A name from a file becomes a path of the tree: it must not lead outside.
            if not _FILE_NAME.fullmatch(name):
                where: str | Path
                if topics:
                    where = "--topics"
                elif file_name:
                    where = file
                else:
                    where = trace
                what = (
                    f"{name[:80]!r} is not a file's name; give the topics file's name with --topics"
                )
                raise UserError(f"{where}: {what}")
            result = ResultFile(file, name, run_type, header)
            other = of_run.setdefault(name, result)
            if other is not result:
                what = (
                    "as their traces say: give each sheet its own trace "
                    "(SHEET.jsonl beside SHEET.xml)"
                )
                raise UserError(f"{other.path} and {file} both answer {name!r}, {what}")
            # What differs between the files of one system does not make another system.
            settings = {k: v for k, v in parameters.items() if k not in _OF_ONE_INPUT}
            system = run_type, json.dumps({**header, "parameters": settings}, sort_keys=True)
            # The second file of a topics file is of the second such system.
            systems.setdefault((system, seen[system, name]), []).append(result)
            seen[system, name] += 1
    return list(systems.values())


PHASES = {"1": "phase1", "2": "phase2", "research_run": "research_run"}
# Where a result file names another: a summary its extraction file, a judged answer the run that it
# is from.
REFERENCES = (("answer_sheet", "src"), ("ANSWER", "FILE_NAME"))
_TEAM = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*")


@click.command(
    cls=Command,
    example="answer submit ntcir exam.run.xml --trace exam.run.jsonl --team TEAM -o submission",
)
@click.argument(
    "runs", nargs=-1, required=True, metavar="RUN...", type=InputFile(inside=("*.xml",))
)
@click.option(
    "--trace",
    "traces",
    multiple=True,
    metavar="TRACE.jsonl",
    type=InputFile(),
    help="Each run's trace, in order [RUN.jsonl beside it].",
)
@click.option("--team", type=PlainText(), required=True, help="The team's id.")
@click.option("--phase", type=click.Choice([*PHASES]), default="1", help="Of the task [1].")
@click.option(
    "--priority",
    type=click.IntRange(1, 99),
    default=1,
    help="Of the first system of each type [1].",
)
@click.option(
    "--topics",
    metavar="NAME",
    type=PlainText(),
    help="The topics file's name [what the trace says].",
)
@click.option(
    "--correct-names",
    is_flag=True,
    help="Write multiple_choice where the task page has mutiple_choice.",
)
@click.option(
    "--replace",
    is_flag=True,
    help="Replace runs of the same priority that stand there already.",
)
@click.option(
    "-o",
    "output",
    metavar="FOLDER",
    type=OutputPath(
        inside=(
            "phase*/**",
            "research_run/**",
        ),
        files=False,
    ),
    default="submission",
    help="Where the tree goes [submission].",
)
def command(
    runs: tuple[Path, ...],
    traces: tuple[Path, ...],
    team: str,
    phase: str,
    priority: int,
    topics: str | None,
    correct_names: bool,
    replace: bool,
    output: str,
) -> None:
    """Lay out runs as NTCIR QA Lab asks: RUN_IDs, a folder a run, and a system description read
    from its trace.

    A run is a result file or a folder of them. Files of one system (one task, method and set of
    parameters) are one run; the systems of a type become run1, run2 … from --priority on. Where a
    file names another of this submission (`src`, `FILE_NAME`), it names it as the tree does.
    """
    if not _TEAM.fullmatch(team):
        raise UserError(
            f"--team {team!r}: a team's id has letters, digits, - and . only, a letter or digit "
            f"first"
        )
    placed: dict[Path, ResultFile] = {}  # by their paths in the tree
    counts = Counter[str]()
    systems = read_systems([*map(str, runs)], [*map(str, traces)], topics)
    for system in systems:
        folder = system[0].run_type[0]
        number = priority + counts[folder]
        counts[folder] += 1
        if number > 99:
            raise UserError(
                f"more than 99 priorities: {len(systems)} systems from --priority {priority} on"
            )
        printed = folder.replace("mutiple", "multiple") if correct_names else folder
        run_folder = Path(output) / PHASES[phase] / printed / f"run{number}"
        if not replace and run_folder.exists() and any(run_folder.iterdir()):
            raise UserError(
                f"{run_folder} exists: --replace overwrites it, --priority N or -o choose "
                f"another place"
            )
        for result in system:
            # RUN_ID of [QALab3]: topics file, team, run type (for multiple choice the language) and
            # priority.
            run_type = result.run_type[1] or str(result.header.get("language") or "").upper()
            placed[run_folder / f"{result.topics}_{team}_{run_type}_{number:02d}.xml"] = result
    names = {result.path.name: path.name for path, result in placed.items()}
    often = Counter(result.path.name for result in placed.values())

    def rename(source: Path, name: str) -> str:
        """The name in the tree of a file that a result file names; unchanged if it is not in this
        submission."""
        if often[name] > 1:
            what = (
                "and several files of this submission have that name: "
                "give each result file a different name"
            )
            raise UserError(f"{source} names {name!r}, {what}")
        return names.get(name, name)

    files: dict[Path, bytes] = {}
    for path, result in placed.items():
        files[path] = result.path.read_bytes()
        for element, attribute in REFERENCES:
            files[path] = with_attribute_values(
                files[path], element, attribute, partial(rename, result.path)
            )
    stale: list[Path] = []  # a replaced run may have had more files than this one
    for run_folder in dict.fromkeys(path.parent for path in placed):
        paths = [path for path in placed if path.parent == run_folder]
        ids = [path.stem for path in paths]
        files[run_folder / "README.md"] = system_description(
            placed[paths[0]].header, ids, team
        ).encode()
        stale += set(run_folder.glob("*.xml")) - files.keys()
    write_all(files.items())
    for path in stale:
        path.unlink()


_RESOURCES = (
    "Term statistics, BM25 and linear weights only; no neural model. Text analysis by MeCab with "
    "ipadic "
    "(Japanese) or Porter stems (English). Knowledge comes from the indexed texts named here."
)


def system_description(header: Mapping[str, Any], ids: Sequence[str], team: str) -> str:
    """The text of a run's README.md, from its RUN_IDs (`ids`), team and trace's header: task,
    method, language, engine, index, parameters, versions, models and resources, indexed texts, and
    documents prepared by the team if the run cites any."""
    rows = {"Team": team} | {
        name.title(): header.get(name) for name in ("task", "method", "language")
    }
    rows |= {
        "Retrieval engine": header.get("engine") or "none",
        "Index": header.get("index") or "none",
    }
    parameters = header.get("parameters") or {}
    sources = (header.get("corpus") or {}).get("sources") or ()
    cited = parameters.get("sources") if parameters.get("source_type") == "PARTICIPANT" else None
    lines = ["# System description", "", *(f"* Run: {name}" for name in ids)]
    lines += [f"* {name}: {value}" for name, value in rows.items() if value]
    for title, values in (("Parameters", parameters), ("Versions", header.get("versions") or {})):
        items = [f"* {name}: {_plain(value)}" for name, value in sorted(values.items())]
        lines += ["", f"## {title}", "", *(items or ["* none"])]
    lines += ["", "## Models and resources", "", _RESOURCES]
    texts = dict.fromkeys(f"{Path(str(name)).name} ({size:,} bytes)" for name, size in sources)
    prepared = cited if isinstance(cited, list) else []
    for title, entries in (
        ("Indexed texts", texts),
        ("Documents prepared by the team (PARTICIPANT)", prepared),
    ):
        lines += ["", f"## {title}", "", *(f"* {entry}" for entry in entries)] if entries else []
    return "\n".join(lines) + "\n"


def _plain(value: object) -> str:
    """A value of a header in one line: a mapping as names and values, a list with commas."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_plain(item)}" for name, item in value.items())
    return ", ".join(map(_plain, value)) if isinstance(value, list) else str(value)
