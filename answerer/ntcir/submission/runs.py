"""What is submitted: result files with the traces that describe them, those of one system together."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from answerer.ntcir.run_type import RunType, run_type_of
from answerer.trace import read_trace
from indexer.files.errors import UserError
from indexer.files.xml import parse_xml, without_ending

_OF_ONE_INPUT = ("sheet", "gold", "extraction")  # parameters that differ between files of one system
_FILE_NAME = re.compile(r"[^\W_][^\x00-\x1f\x7f/\\]{0,150}")


class Result(NamedTuple):
    """A result file, the topics file that it answers (without `.xml`), how it is submitted, its trace's first line."""

    path: Path
    topics: str
    run_type: RunType
    header: Mapping[str, Any]


def read_results(runs: Sequence[str], traces: Sequence[str], topics: str | None) -> list[Result]:
    """The result files of all runs, in order; a run is a file, or a folder of them (`*.xml`).

    `traces` are the runs' traces in order; without them a file's trace is the `.jsonl` beside it, or the one
    beside its folder. `topics` replaces what the files and traces say of the topics file. UserError, one
    line, where a trace lacks, is of another task, or where one name would stand for several files.
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


def _of_run(files: Sequence[Path], trace: Path | None, topics: str | None) -> list[Result]:
    """The results of one run, each with a topics file of its own."""
    results: dict[str, Result] = {}
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


def _result(file: Path, trace: Path, topics: str | None) -> Result:
    """A result and what its trace says. UserError for a trace of another task than the file's root element."""
    header, questions = read_trace(trace)
    task = str(header.get("task", ""))
    run_type = run_type_of(task)
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
    return Result(file, stem, run_type, header)


def by_system(results: Sequence[Result]) -> list[list[Result]]:
    """The results of each system together, in the order of its first: one task, method and set of parameters.

    A second answer to the same topics file is another system's, however alike they are.
    """
    systems: list[list[Result]] = []
    for result in results:
        for system in systems:
            if _is_of(result, system):
                system.append(result)
                break
        else:
            systems.append([result])
    return systems


def _is_of(result: Result, system: Sequence[Result]) -> bool:
    alike = result.run_type == system[0].run_type and _described(result.header) == _described(system[0].header)
    return alike and all(result.topics != other.topics for other in system)


def _described(header: Mapping[str, Any]) -> str:
    """What a header says of its system, whatever it answered."""
    parameters = {name: value for name, value in (header.get("parameters") or {}).items() if name not in _OF_ONE_INPUT}
    return json.dumps({**header, "parameters": parameters}, sort_keys=True)
