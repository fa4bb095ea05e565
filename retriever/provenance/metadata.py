"""What ir_metadata 0.1 asks of a run (PRIMAD: platform, research goal, implementation, method, actor, data)."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from indexer.files.hashes import fingerprint
from indexer.files.json_objects import parse_json
from indexer.files.output_paths import files_read
from indexer.location import without_passwords
from retriever.provenance.about import about
from retriever.provenance.machine import hardware, operating_system

SCHEMA_VERSION = 0.1
RUN_VERSION = 1.0
TIES = "scores equal to 5 significant digits: by doc_id, ascending"
MODEL = '"format": "classical-qa ranking model"'  # in the first line but one of every model file
_TOOLKITS = ("tantivy", "elasticsearch", "rank-bm25")


def run_metadata(tag: str, run: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata of a run that the running command makes; `run` is the header of its trace.

    The research goal and the actor are a person's to say, with --about (`about`). `data` has fingerprints: of the
    files that the command was given to answer, of what its models were trained on, and what the index was made of.
    """
    own = about(_given("about_file"))
    return {
        "schema-version": SCHEMA_VERSION,
        "run-version": RUN_VERSION,
        "tag": tag,
        "platform": _platform(run.get("versions") or {}),
        "research goal": {"evaluation": {"reported measures": [], "baseline": []}} | own.get("research goal", {}),
        "implementation": {"executable": {"cmd": _command_line()}, "source": {"lang": ["python"]}},
        "method": _method(run),
        "actor": {"team": _given("team"), "role": "experimenter"} | own.get("actor", {}),
        "data": _data(run),
    }


def _platform(versions: Mapping[str, str]) -> dict[str, Any]:
    pinned = [f"{name}=={version}" for name, version in versions.items()]
    toolkits = [f"{name}=={versions[name]}" for name in _TOOLKITS if name in versions]
    return {
        "hardware": hardware(),
        "operating system": operating_system(),
        "software": {"libraries": {"python": pinned}, "retrieval toolkit": toolkits},
    }


def _method(run: Mapping[str, Any]) -> dict[str, Any]:
    stage = {"name": run.get("method"), "method": f"classical-qa {run.get('task')}", "params": run.get("parameters")}
    indexing = {name: run[name] for name in ("language", "engine", "index") if run.get(name)}
    return {"automatic": True, "score ties": TIES, "indexing": indexing, "retrieval": [stage]}


def _data(run: Mapping[str, Any]) -> dict[str, Any]:
    context = click.get_current_context(silent=True)
    arguments = _arguments(context) if context else []
    files = [Path(name) for name in files_read()]
    topics = [fingerprint(file) for file in files if str(file) in arguments]
    sources = run.get("sources") or ([run] if run.get("corpus") else [])
    return {
        "test collection": {"name": run.get("task"), "topics": topics},
        "training data": training_data(files),
        "other": [{"name": one.get("index"), "source": one.get("corpus")} for one in sources],
    }


def _arguments(context: click.Context) -> list[str]:
    """The real paths of what a command was given to answer: its arguments and --questions."""
    asked = [
        param.name for param in context.command.params if isinstance(param, click.Argument) or param.name == "questions"
    ]
    values = [context.params.get(str(name)) for name in asked]
    flat = [one for value in values for one in (value if isinstance(value, tuple) else [value])]
    return [str(Path(one).resolve()) for one in flat if isinstance(one, str | Path)]


def training_data(files: Iterable[str | Path]) -> list[dict[str, Any]]:
    """Fingerprints of what the models among these files were trained on, as the models say."""
    found: list[dict[str, Any]] = []
    for file in map(Path, files):
        if file.is_file() and MODEL in _beginning(file):
            with suppress(ValueError):  # another kind of file, which begins like a model
                content = parse_json(file.read_text("utf-8"))
                data = content.get("data") if isinstance(content, dict) else None
                found += [one for one in data if isinstance(one, dict)] if isinstance(data, list) else []
    return found


def _beginning(file: Path) -> str:
    with file.open("rb") as opened:
        return opened.read(200).decode("utf-8", "replace")


def _command_line() -> str:
    """The command as it was given, without passwords of addresses."""
    context = click.get_current_context(silent=True)
    if context is None:
        return ""
    arguments: Sequence[str] = context.obj if isinstance(context.obj, list) else ()
    return without_passwords(shlex.join([*str(context.find_root().info_name).split(), *arguments]))


def _given(name: str) -> Any:
    context = click.get_current_context(silent=True)
    return context.params.get(name) if context else None


def plain(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The same with nothing but what YAML and JSON know: tuples as lists, keys and all else (dates) as texts."""
    made: dict[str, Any] = json.loads(json.dumps(metadata, ensure_ascii=False, default=str))
    return made
