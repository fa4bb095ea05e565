"""`python -m answerer submit ntcir RUN...`: the submission tree of NTCIR QA Lab from runs and their traces."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from answerer.formats.answer_sheet_writer import with_attribute_values
from answerer.registry import tasks
from answerer.task import RunType
from answerer.trace import read_trace
from indexer.files.atomic import write_all
from indexer.files.errors import UserError
from indexer.files.xml import parse_xml, without_ending
from indexer.parameters import TEXT, InputPath, OneOf, OutputPath, WholeNumber, argument, command_line, flag, option
from retriever.provenance import SIDECAR, described_anew, metadata_file, read_metadata, sidecar_of

_OF_ONE_INPUT = ("sheet", "gold", "extraction")  # parameters that differ between files of one system
_FILE_NAME = re.compile(r"[^\W_][^\x00-\x1f\x7f/\\]{0,150}")


class ResultFile(NamedTuple):
    """A result file, the topics file that it answers (without `.xml`), how it is submitted, its trace's first line."""

    path: Path
    topics: str
    run_type: RunType
    header: Mapping[str, Any]


def read_results(runs: Sequence[str], traces: Sequence[str], topics: str | None) -> list[ResultFile]:
    """The result files of all runs, in order; a run is a file, or a folder of them (`*.xml`).

    `traces` are the runs' traces in order; without them a file's trace is the `.jsonl` beside it, or the one
    beside its folder. `topics` replaces what the files and traces say of the topics file. Raises UserError
    for a trace that is missing or of another task, and for one name for several files.
    """
    if traces and len(traces) != len(runs):
        raise UserError(
            f"{len(runs)} runs and {len(traces)} traces: give one --trace for each run, in order "
            "(a folder of exams is one run)"
        )
    results = []
    for number, run in enumerate(runs):
        files = _result_files(Path(run))
        results += _of_run(files, Path(traces[number]) if traces else None, topics)
    return results


def _result_files(run: Path) -> list[Path]:
    if not run.exists():
        raise UserError(f"{run}: no such file or folder; name result files, or folders of them")
    files = sorted(run.glob("*.xml")) if run.is_dir() else [run]
    if not files:
        raise UserError(f"{run}: no result files (*.xml) in this folder")
    return files


def _of_run(files: Sequence[Path], trace: Path | None, topics: str | None) -> list[ResultFile]:
    """The results of one run, each with its topics file."""
    results: dict[str, ResultFile] = {}
    for file in files:
        result = _result(file, trace or _trace_of(file), topics)
        other = results.setdefault(result.topics, result)
        if other is not result:
            raise UserError(
                f"{other.path} and {file} both answer {result.topics!r}, as their traces say: "
                f"answer each sheet with a trace of its own (SHEET.jsonl beside SHEET.xml)"
            )
    return list(results.values())


def _trace_of(file: Path) -> Path:
    """The trace beside a result file, or else beside its folder."""
    beside = [file.with_suffix(".jsonl"), file.absolute().parent.with_suffix(".jsonl")]
    for trace in beside:
        if trace.is_file():
            return trace
    raise UserError(f"{file}: no {beside[0].name} beside it; write one with --trace when answering, or name it")


def _result(file: Path, trace: Path, topics: str | None) -> ResultFile:
    """A result and what its trace says. Raises UserError for a trace of another task than the file's root element."""
    header, questions = read_trace(trace)
    task = str(header.get("task", ""))
    run_type = tasks()[task].run_type if task in tasks() else None
    if run_type is None:
        raise UserError(f"{trace}: a trace of {task or 'no task'}, which is not submitted to NTCIR QA Lab")
    if not questions:
        raise UserError(f"{trace}: the trace does not hold a question; answer again with --trace")
    parameters = header.get("parameters") or {}
    named = parse_xml(file, run_type.roots).get("filename")
    name = str(topics or named or parameters.get("sheet") or parameters.get("gold") or "")
    if not name:
        raise UserError(f"{trace}: does not name the topics file; give it with --topics")
    stem = without_ending(name)
    if not _FILE_NAME.fullmatch(stem):
        where = "--topics" if topics else file if named else trace
        raise UserError(f"{where}: {name[:80]!r} is not a file's name; give the topics file's name with --topics")
    return ResultFile(file, stem, run_type, header)


def by_system(results: Sequence[ResultFile]) -> list[list[ResultFile]]:
    """The results of each system together, in the order of its first: one task, method and set of parameters.

    A second answer to the same topics file is another system's, however alike they are.
    """
    systems: list[list[ResultFile]] = []
    for result in results:
        for system in systems:
            if _is_of(result, system):
                system.append(result)
                break
        else:
            systems.append([result])
    return systems


def _is_of(result: ResultFile, system: Sequence[ResultFile]) -> bool:
    alike = result.run_type == system[0].run_type and _system_description(result.header) == _system_description(
        system[0].header
    )
    return alike and all(result.topics != other.topics for other in system)


def _system_description(header: Mapping[str, Any]) -> str:
    """The fields of a header that describe its system and do not depend on the answered file."""
    parameters = {name: value for name, value in (header.get("parameters") or {}).items() if name not in _OF_ONE_INPUT}
    return json.dumps({**header, "parameters": parameters}, sort_keys=True)


PHASES = {"1": "phase1", "2": "phase2", "research_run": "research_run"}
REFERENCES = (("answer_sheet", "src"), ("ANSWER", "FILE_NAME"))
"""Where a result file names another: a summary its extraction file, a judged answer the run that it is from."""
MISPRINTED = {"mutiple_choice": "multiple_choice"}  # folders of the task page, spelled right
_TEAM = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*")


@command_line(
    "answerer submit ntcir exam.run.xml --trace exam.run.jsonl --team TEAM -o submission",
    argument("runs", multiple=True, metavar="RUN...", type=InputPath(("*.xml",))),
    option(
        "--trace",
        "traces",
        multiple=True,
        metavar="TRACE.jsonl",
        type=InputPath(),
        help="Each run's trace, in order [RUN.jsonl beside it].",
    ),
    option("--team", type=TEXT, required=True, help="The team's id."),
    option("--phase", type=OneOf(tuple(PHASES)), default="1", help="Of the task [1]."),
    option("--priority", type=WholeNumber(1, 99), default=1, help="Of the first system of each type [1]."),
    option("--topics", metavar="NAME", type=TEXT, help="The topics file's name [what the trace says]."),
    flag("--correct-names", help="Write multiple_choice where the task page has mutiple_choice."),
    flag("--replace", help="Replace runs of the same priority that stand there already."),
    option(
        "-o",
        "output",
        metavar="FOLDER",
        type=OutputPath(("phase*/**", "research_run/**"), files=False),
        default="submission",
        help="Where the tree goes [submission].",
    ),
)
def command(
    runs: tuple[str, ...],
    traces: tuple[str, ...],
    team: str,
    phase: str,
    priority: int,
    topics: str | None,
    correct_names: bool,
    replace: bool,
    output: str,
) -> None:
    """Lay out runs as NTCIR QA Lab asks: RUN_IDs, a folder a run, and a system description read from its trace.

    A run is a result file or a folder of them. Files of one system (one task, method and set of parameters) are
    one run; the systems of a type become run1, run2 … from --priority on. Where a file names another of this
    submission (`src`, `FILE_NAME`), it names it as the tree does.
    """
    if not _TEAM.fullmatch(team):
        raise UserError(f"--team {team!r}: a team's id has letters, digits, - and . only, a letter or digit first")
    systems = by_system(read_results(runs, traces, topics))
    top, renamed = Path(output) / PHASES[phase], MISPRINTED if correct_names else {}
    places = _places(systems, team, priority, top, renamed)
    _refuse_overwriting(_by_folder(places), replace)
    names = _new_names(places)
    files = {path: _rename_files(result, names) for path, result in places.items()}
    for path, result in places.items():
        beside = metadata_file(result.path)
        if beside and read_metadata(result.path):
            files[sidecar_of(path)] = described_anew(beside, path.stem, files[path], path.name).encode()
    for folder, results in _by_folder(places).items():
        ids = [path.stem for path in results]
        files[folder / "README.md"] = system_description(next(iter(results.values())).header, ids, team).encode()
    write_all(files.items())
    stale = {old for folder in _by_folder(places) for kind in ("*.xml", f"*{SIDECAR}") for old in folder.glob(kind)}
    for old in stale - files.keys():
        old.unlink()


def _places(
    systems: Sequence[Sequence[ResultFile]], team: str, priority: int, top: Path, renamed: Mapping[str, str]
) -> dict[Path, ResultFile]:
    """The output path of each result: a folder a system, numbered by priority; `renamed` has other names of folders."""
    places: dict[Path, ResultFile] = {}
    counts: dict[str, int] = {}
    for system in systems:
        folder = renamed.get(system[0].run_type.folder, system[0].run_type.folder)
        number = counts[folder] = counts.get(folder, priority - 1) + 1
        if number > 99:
            raise UserError(f"more than 99 priorities: {len(systems)} systems from --priority {priority} on")
        for result in system:
            places[top / folder / f"run{number}" / f"{run_id(result, team, number)}.xml"] = result
    return places


def run_id(result: ResultFile, team: str, priority: int) -> str:
    """RUN_ID of [QALab3]: `[topics file]_[Team]_[run type]_[priority]`, for multiple choice the language as type."""
    run_type = result.run_type.name or str(result.header.get("language") or "").upper()
    return f"{result.topics}_{team}_{run_type}_{priority:02d}"


def _refuse_overwriting(folders: Iterable[Path], replace: bool) -> None:
    """Raises UserError if a run exists already, unless it may be replaced."""
    for folder in sorted(folders):
        if not replace and folder.exists() and any(folder.iterdir()):
            raise UserError(
                f"{folder} stands already: --replace writes this submission in its place, "
                f"--priority N beside it, -o elsewhere"
            )


def _by_folder(places: Mapping[Path, ResultFile]) -> dict[Path, dict[Path, ResultFile]]:
    """The results of each folder, by path."""
    folders: dict[Path, dict[Path, ResultFile]] = {}
    for path, result in places.items():
        folders.setdefault(path.parent, {})[path] = result
    return folders


def _new_names(places: Mapping[Path, ResultFile]) -> dict[str, str | None]:
    """The name in the tree of each result file, by the name that it had; None if two had the same."""
    names: dict[str, str | None] = {}
    for path, result in places.items():
        names[result.path.name] = None if result.path.name in names else path.name
    return names


def _rename_files(result: ResultFile, names: Mapping[str, str | None]) -> bytes:
    """A result file's bytes, the files that it names called as in the tree; the others keep their names."""

    def rename(name: str) -> str:
        new = names.get(name, name)
        if new is None:
            raise UserError(
                f"{result.path} names {name!r}, and several files of this submission are called so: "
                f"give each result file a name of its own"
            )
        return new

    data = result.path.read_bytes()
    for element, attribute in REFERENCES:
        data = with_attribute_values(data, element, attribute, rename)
    return data


_RESOURCES = (
    "Term statistics, BM25 and linear weights only; no neural model. Text analysis by MeCab with ipadic "
    "(Japanese) or Porter stems (English). Knowledge comes from the indexed texts named here."
)


def system_description(header: Mapping[str, Any], ids: Sequence[str], team: str) -> str:
    """README.md of a run: what ran, from its trace; sources of the team's own where the run cites some."""
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
    lines += ["", "## Parameters", "", *_bullet_lines(header.get("parameters") or {})]
    lines += ["", "## Versions", "", *_bullet_lines(header.get("versions") or {})]
    lines += ["", "## Models and resources", "", _RESOURCES]
    books = _books(header)
    lines += ["", "## Indexed texts", "", *(f"* {book}" for book in books)] if books else []
    own = _own_documents(header)
    if own:
        lines += ["", "## Documents prepared by the team (PARTICIPANT)", "", *(f"* {source}" for source in own)]
    return "\n".join(lines) + "\n"


def _books(header: Mapping[str, Any]) -> list[str]:
    """The files that the run's indexes were built from, with their sizes, each once."""
    corpora = [one.get("corpus") or {} for one in header.get("sources") or [header] if isinstance(one, Mapping)]
    sources = [source for corpus in corpora for source in corpus.get("sources") or ()]
    return list(dict.fromkeys(f"{Path(str(name)).name} ({size:,} bytes)" for name, size in sources))


def _bullet_lines(values: Mapping[str, Any]) -> list[str]:
    return [f"* {name}: {_plain(value)}" for name, value in sorted(values.items())] or ["* none"]


def _plain(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_plain(each)}" for name, each in value.items())
    return ", ".join(map(_plain, value)) if isinstance(value, list) else str(value)


def _own_documents(header: Mapping[str, Any]) -> list[str]:
    """The indexed files behind PARTICIPANT passages; an empty list for the organisers' passages and the web's."""
    parameters = header.get("parameters") or {}
    if parameters.get("source_type") != "PARTICIPANT":
        return []
    sources = parameters.get("sources")
    return [str(source) for source in sources] if isinstance(sources, list) else []
