"""Run metadata in the form of ir_metadata 0.1 (PRIMAD): in a TREC run's header, or in YAML beside a
submission."""

from __future__ import annotations

import json
import os
import platform
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from indexer.files.hashes import fingerprint
from indexer.files.paths import sidecar_of

if TYPE_CHECKING:
    from indexer.engines.contract import Index, Metadata
    from indexer.languages.language import Language

TIES = "scores equal to 5 significant digits: by doc_id, ascending"
START, END = "# ir_metadata.start", "# ir_metadata.end"
_TOOLKITS = ("tantivy", "elasticsearch", "rank-bm25")
_NUMERIC = re.compile(r"[-+.~]?\.?\d")
_ENGINES = {"embedded": "tantivy", "elasticsearch": "elasticsearch"}  # the package of each


@dataclass(frozen=True)
class SearchedIndex:
    """An index as a run describes it, also after it was closed."""

    address: str
    engine: str
    """`embedded` or `elasticsearch`."""
    metadata: Metadata


def describe(index: Index) -> SearchedIndex:
    """The address, engine and metadata of an open index."""
    return SearchedIndex(index.address, index.engine, index.metadata)


def run_header(
    task: str,
    method: str,
    parameters: Mapping[str, Any],
    index: SearchedIndex | None,
    language: Language | None = None,
    packages: Iterable[str] = (),
) -> dict[str, Any]:
    """The header of a run: task, method, parameters, engine, index, corpus, language, versions,
    and of a checkout of the program its commit.

    `parameters` are all that shaped the answers besides questions and index, a model by its
    fingerprint; `packages` those of others that the task computes with, whose versions are written
    beside the engine's; `language` counts only without an index. `corpus` says what the index was
    built from, and with which versions; it does not depend on where the index is.
    """
    from indexer.engines.contract import corpus
    from indexer.files.versions import commit, versions

    checked_out = commit()
    engines = [_ENGINES[index.engine]] if index else []
    spoken = index.metadata.language if index else language
    return {
        "task": task,
        "method": method,
        "parameters": dict(parameters),
        "engine": index.engine if index else None,
        "index": index.address if index else None,
        "corpus": corpus(index.metadata) if index else None,
        "language": spoken.code if spoken else None,
        "versions": versions({*packages, *engines}),
        **({"commit": checked_out} if checked_out else {}),
    }


def run_metadata(
    tag: str,
    run: Mapping[str, Any],
    command: str = "",
    questions: Sequence[str | Path] = (),
    team: str | None = None,
) -> dict[str, Any]:
    """The metadata of a run in the form of [ir_metadata]; `run` is the header of its trace, `tag`
    the run's name, `command` the command that made it, `questions` the files of its questions.

    `implementation` has the commit of a checkout; `data` has fingerprints of the files to answer,
    of the model's training files, and of the index's sources. `team` is that of the actor; what
    else only a person can say, as the research goal, is left to be filled in.
    """
    versions, settings = run.get("versions") or {}, run.get("parameters") or {}
    installed = [f"{name}=={version}" for name, version in versions.items()]
    toolkits = [f"{name}=={versions[name]}" for name in _TOOLKITS if name in versions]
    method = f"classical-qa {run.get('task')}"
    indexing = {name: run[name] for name in ("language", "engine", "index") if run.get(name)}
    corpora = [{"name": run.get("index"), "source": run["corpus"]}] if run.get("corpus") else []
    topics = [fingerprint(Path(path).resolve()) for path in questions]
    # The collection of a retrieval is its index, wherever that is.
    collection = run.get("task")
    if collection == "retrieval":
        collection = str(run.get("index")).rstrip("/").rpartition("/")[2]
    cpu = {"architecture": platform.machine(), "number of cores": os.cpu_count()}
    source = {"lang": ["python"]} | ({"commit": run["commit"]} if run.get("commit") else {})
    return {
        "schema-version": 0.1,  # of [ir_metadata]
        "run-version": 1.0,  # of the run itself: a run is written once
        "tag": tag,
        "platform": {
            "hardware": {"cpu": cpu},
            "operating system": {"kernel": f"{platform.system()} {platform.release()}"},
            "software": {"libraries": {"python": installed}, "retrieval toolkit": toolkits},
        },
        "research goal": {"evaluation": {"reported measures": [], "baseline": []}},
        "implementation": {"executable": {"cmd": command}, "source": source},
        "method": {
            "automatic": True,
            "score ties": TIES,
            "indexing": indexing,
            "retrieval": [{"name": run.get("method"), "method": method, "params": settings}],
        },
        "actor": {"team": team, "role": "experimenter"},
        "data": {
            "test collection": {"name": collection, "topics": topics},
            "training data": settings.get("training data", []),
            "other": corpora,
        },
    }


def yaml_text(metadata: Mapping[str, Any]) -> str:
    """Metadata as YAML text, keys in their order; every text on one line, whatever its length (but
    for its own line breaks), in quotes where it begins like a number."""
    import yaml

    class Dumper(yaml.SafeDumper):  # type: ignore[misc]  # untyped
        def represent_str(self, value: str) -> Any:
            # YAML 1.1, 1.2 and their readers differ on `12e3` and `0o7`: what begins like a number
            # gets quotes.
            style = "'" if _NUMERIC.match(value) else None
            return self.represent_scalar("tag:yaml.org,2002:str", value, style=style)

    Dumper.add_representer(str, Dumper.represent_str)
    # In types that YAML and JSON share: tuples are lists.
    plain = json.loads(json.dumps(metadata, ensure_ascii=False))
    text = yaml.dump(plain, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=2**31 - 1)
    return str(text)


def metadata_file(output: str | Path, metadata: Mapping[str, Any]) -> tuple[Path, str]:
    """The path (`sidecar_of`) and the YAML of the file of metadata beside the run `output`; nothing
    is written."""
    return sidecar_of(output), yaml_text(metadata)


def header_text(metadata: Mapping[str, Any]) -> str:
    """The comment lines that a TREC run with this metadata begins with."""
    lines = (f"# {line}" for line in yaml_text(metadata).splitlines())
    return "\n".join([START, *lines, END, ""])
