"""Run metadata in the form of ir_metadata 0.1 (PRIMAD): in a TREC run's header, or in YAML beside a submission."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import resource
import shlex
import struct
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from indexer.files.encoding import read_text
from indexer.files.errors import UserError
from indexer.files.hashes import fingerprint
from indexer.files.json_objects import parse_json
from indexer.files.messages import warn
from indexer.files.output_paths import files_read
from indexer.location import without_passwords
from indexer.parameters import InputPath, option

# Untrusted YAML: mappings, lists and texts, without aliases, and nothing else.

LARGEST = 2**20
"""Characters of the largest text that is read."""


def read_yaml(text: str) -> Any:
    """Parses a text of YAML, every scalar as text.

    Raises ValueError, in one short line, for a text that is not YAML, is too large, nested too deeply, or repeats a
    part of itself by an alias: a few lines of these can expand to more than any memory holds.
    """
    import yaml

    if len(text) > LARGEST:
        raise ValueError(f"more than {LARGEST:,} characters")
    try:
        return yaml.load(text, Loader=_loader())  # noqa: S506 - a BaseLoader makes texts alone
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise ValueError(f"no YAML ({' '.join(str(error).split())[:200]})") from None


@cache
def _loader() -> Any:
    """A YAML loader that reads scalars as text and refuses aliases; PyYAML is imported here."""
    import yaml

    class TextLoader(yaml.BaseLoader):  # type: ignore[misc]  # untyped
        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                raise yaml.YAMLError("an alias, which stands for another part")
            return super().compose_node(parent, index)

    return TextLoader


# `--about FILE`: what only a person can say of a run, for its metadata.

ABOUT = ("actor", "research goal")

about_option = option(
    "--about",
    "about_file",
    metavar="FILE",
    type=InputPath(),
    help="With --metadata, which it implies: actor and research goal, from YAML.",
)


def about(path: str | None) -> dict[str, dict[str, Any]]:
    """Reads a user's description of a run from a YAML file: the mappings `actor` and `research goal`; others are a
    UserError."""
    if path is None:
        return {}
    try:
        found = read_yaml(read_text(path, LARGEST))
    except ValueError as error:
        raise UserError(f"{path}: {error}") from None
    known = isinstance(found, dict) and set(found) <= set(ABOUT)
    if not known or not all(isinstance(value, dict) for value in found.values()):
        raise UserError(f"{path}: expected {' or '.join(ABOUT)} with entries of their own, as in ir_metadata")
    return dict(found)


# The machine of a run and its costs: hardware, operating system, time, memory.

_CPU_INFO = Path("/proc/cpuinfo")


def hardware() -> dict[str, Any]:
    """Processor and memory of this machine, by the names of ir_metadata 0.1 (platform → hardware)."""
    # What the processor calls itself; its family where it does not say.
    try:
        named = re.search(r"^model name\s*:\s*(.+)$", _CPU_INFO.read_text("utf-8"), re.MULTILINE)
    except (OSError, ValueError):
        named = None
    found: dict[str, Any] = {
        "cpu": {
            "model": named[1] if named else platform.processor() or platform.machine(),
            "architecture": platform.machine(),
            "operation mode": f"{8 * struct.calcsize('P')}-bit",
            "number of cores": os.cpu_count(),
        }
    }
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return found
    return found | {"ram": f"{memory / 2**30:.2f} GB"}


def operating_system() -> dict[str, str]:
    """The kernel and the distribution of this machine (platform → operating system)."""
    try:
        distribution = platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        distribution = platform.version()
    return {"kernel": f"{platform.system()} {platform.release()}", "distribution": distribution}


class Start(NamedTuple):
    """The beginning of work: seconds of a clock, and of the processors."""

    clock: float
    processors: float


def start() -> Start:
    """Now, as `taken` needs it."""
    return Start(time.perf_counter(), _processor_seconds())


def resources_since(since: Start) -> dict[str, float]:
    """Seconds and processor seconds (children's too) since then, and the most memory this process held, in MB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "seconds": round(time.perf_counter() - since.clock, 3),
        "processor seconds": round(_processor_seconds() - since.processors, 3),
        "peak memory in MB": round(peak / (2**20 if sys.platform == "darwin" else 2**10), 1),
    }


def _processor_seconds() -> float:
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


# What ir_metadata 0.1 asks of a run (PRIMAD: platform, research goal, implementation, method, actor, data).

SCHEMA_VERSION = 0.1
RUN_VERSION = 1.0  # of the run itself, which [ir_metadata] asks for: a run is written once
TIES = "scores equal to 5 significant digits: by doc_id, ascending"
MODEL = '"format": "classical-qa ranking model"'  # in the first line but one of every model file
_TOOLKITS = ("tantivy", "elasticsearch", "rank-bm25")


def run_metadata(tag: str, run: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata of a run that the running command makes; `run` is the header of its trace.

    The research goal and the actor come from the user, with --about (`about`). `data` has fingerprints of the files
    to answer, of the models' training files, and of the index's sources.
    """
    own = about(_parameter("about_file"))
    stage = {"name": run.get("method"), "method": f"classical-qa {run.get('task')}", "params": run.get("parameters")}
    indexing = {name: run[name] for name in ("language", "engine", "index") if run.get(name)}
    # The command as it was given, without passwords of addresses.
    context = _command_context()
    if context is None:
        command_line = ""
    else:
        arguments: Sequence[str] = context.obj if isinstance(context.obj, list) else ()
        command_line = without_passwords(shlex.join([*str(context.find_root().info_name).split(), *arguments]))
    return {
        "schema-version": SCHEMA_VERSION,
        "run-version": RUN_VERSION,
        "tag": tag,
        "platform": _platform(run.get("versions") or {}),
        "research goal": {"evaluation": {"reported measures": [], "baseline": []}} | own.get("research goal", {}),
        "implementation": {"executable": {"cmd": command_line}, "source": {"lang": ["python"]}},
        "method": {"automatic": True, "score ties": TIES, "indexing": indexing, "retrieval": [stage]},
        "actor": {"team": _parameter("team"), "role": "experimenter"} | own.get("actor", {}),
        "data": _data(run),
    }


def _platform(versions: Mapping[str, str]) -> dict[str, Any]:
    """The `platform` of [ir_metadata]: hardware, operating system, versions."""
    pinned = [f"{name}=={version}" for name, version in versions.items()]
    toolkits = [f"{name}=={versions[name]}" for name in _TOOLKITS if name in versions]
    return {
        "hardware": hardware(),
        "operating system": operating_system(),
        "software": {"libraries": {"python": pinned}, "retrieval toolkit": toolkits},
    }


def _data(run: Mapping[str, Any]) -> dict[str, Any]:
    """The `data` of [ir_metadata]: topics, training data and indexes of a run."""
    context = _command_context()
    arguments = _arguments(context) if context else []
    files = [Path(name) for name in files_read()]
    topics = [fingerprint(file) for file in files if str(file) in arguments]
    sources = run.get("sources") or ([run] if run.get("corpus") else [])
    return {
        "test collection": {"name": run.get("task"), "topics": topics},
        "training data": training_data(files),
        "other": [{"name": one.get("index"), "source": one.get("corpus")} for one in sources],
    }


def _command_context() -> Any:
    """The click context of the running command; None in a program that uses this as a library."""
    click = sys.modules.get("click")  # a command cannot run before it is loaded
    return click.get_current_context(silent=True) if click else None


def _arguments(context: Any) -> list[str]:
    """The real paths of the files to answer: a command's arguments and --questions."""
    asked = [
        param.name
        for param in context.command.params
        if param.param_type_name == "argument" or param.name == "questions"
    ]
    values = [context.params.get(str(name)) for name in asked]
    flat = [one for value in values for one in (value if isinstance(value, tuple) else [value])]
    return [str(Path(one).resolve()) for one in flat if isinstance(one, str | Path)]


def training_data(files: Iterable[str | Path]) -> list[dict[str, Any]]:
    """Fingerprints of the training files of the models among these files, as the models list them."""
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


def _parameter(name: str) -> Any:
    context = _command_context()
    return context.params.get(name) if context else None


def plain(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata in the types of YAML and JSON: tuples as lists, keys and other types (dates) as texts."""
    made: dict[str, Any] = json.loads(json.dumps(metadata, ensure_ascii=False, default=str))
    return made


# ir_metadata 0.1 as text: the header of a TREC run (comments before its lines), or a YAML file beside a submission.

START, END = "# ir_metadata.start", "# ir_metadata.end"
SUBMISSION = "submission"  # key of the described files, not in ir_metadata 0.1, as `resources`
SIDECAR = ".ir-metadata.yml"
_NUMERIC = re.compile(r"[-+.~]?\.?\d")


def sidecar_of(run: str | Path) -> Path:
    """Path of the metadata file of a run's file or folder: `exam.run.xml` has `exam.run.ir-metadata.yml` beside it."""
    path = Path(run)
    if path.name in ("", ".."):
        path = path.resolve()
    if not path.name:  # the root has nothing beside it
        return path / SIDECAR
    return path.with_name(f"{path.stem if path.suffix else path.name}{SIDECAR}")


def yaml_text(metadata: Mapping[str, Any]) -> str:
    """Metadata as YAML, in their order; texts of any length on one line."""
    import yaml

    dumped = yaml.dump(plain(metadata), Dumper=_dumper(), sort_keys=False, allow_unicode=True, width=2**31 - 1)
    return str(dumped)


@cache
def _dumper() -> Any:
    """Writes what begins like a number in quotes: YAML 1.1, 1.2 and their readers differ on `12e3` and `0o7`."""
    import yaml

    class Dumper(yaml.SafeDumper):  # type: ignore[misc]  # untyped
        pass

    def text(dumper: Any, value: str) -> Any:
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="'" if _NUMERIC.match(value) else None)

    Dumper.add_representer(str, text)
    return Dumper


def header_text(metadata: Mapping[str, Any]) -> str:
    """The comment lines that a TREC run begins with."""
    lines = (f"# {line}" for line in yaml_text(metadata).splitlines())
    return "\n".join([START, *lines, END, ""])


def without_header(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The numbered lines of a TREC run but the comments that it begins with."""
    begun = False
    for number, line in lines:
        begun = begun or not line.startswith("#")
        if begun:
            yield number, line


def metadata_file(run: str | Path) -> Path | None:
    """The file of metadata beside a run, or beside its folder; None if neither exists, or if it is a symbolic link."""
    path = Path(run)
    places = (sidecar_of(path), sidecar_of(path.absolute().parent))
    return next((place for place in places if place.is_file() and not place.is_symlink()), None)


def described_files(run: str | Path) -> list[dict[str, Any]]:
    """Fingerprints of a run's file, or of the result files (.xml) of its folder: what its metadata are of."""
    path = Path(run)
    return [fingerprint(file) for file in (sorted(path.glob("*.xml")) if path.is_dir() else [path]) if file.is_file()]


def described_anew(sidecar: str | Path, tag: str, result: bytes, name: str) -> str:
    """Metadata of a result file that was given another name, and is now called so inside too."""
    submission = {"file": name, "bytes": len(result), "sha256": hashlib.sha256(result).hexdigest()}
    return yaml_text({**_own(sidecar), "tag": tag, SUBMISSION: [submission]})


def header_from(run: str | Path, tag: str) -> str:
    """The header of a TREC run, from the metadata beside it. Raises UserError without any."""
    beside = metadata_file(run)
    if beside is None or read_metadata(run) is None:
        raise UserError(f"{run}: no {sidecar_of(run).name} of this file beside it; answer again with --metadata")
    own = _own(beside)
    return header_text({**{name: value for name, value in own.items() if name != SUBMISSION}, "tag": tag})


def _own(sidecar: str | Path) -> dict[str, Any]:
    """Metadata that `read_metadata` read, with their numbers, dates as texts. UserError for what JSON does not know."""
    import yaml

    try:
        return plain(yaml.safe_load(_short(Path(sidecar))))
    except (yaml.YAMLError, RecursionError, ValueError, TypeError) as error:
        raise UserError(f"{sidecar}: no metadata of a run ({' '.join(str(error).split())[:200]})") from None


def read_metadata(run: str | Path) -> dict[str, Any] | None:
    """Metadata beside a run or its folder, or in a TREC run's header, every scalar as text; None without any.

    Metadata that cannot be read, or that belong to another file of that name, are ignored with a warning. They are
    untrusted: links are not followed, at most 1 MiB is read, and only mappings, lists and texts come out.
    """
    path = Path(run)
    beside = metadata_file(path)
    text = _short(beside) if beside else _header(path)
    if not text:
        return None
    try:
        found: dict[str, Any] = read_yaml(text)
        if not isinstance(found, dict):
            raise ValueError("not the metadata of a run")
    except ValueError as error:
        warn(f"{beside or path}: {error}; not looked at")
        return None
    if beside and not _is_of(found, path):
        if beside == sidecar_of(path):
            warn(f"{beside}: made with another {path.name} than the one that stands beside it; not looked at")
        return None
    return found


def _is_of(metadata: Mapping[str, Any], run: Path) -> bool:
    """True if the metadata list every file of the run among those that they describe."""
    listed = metadata.get(SUBMISSION)
    known = {str(one.get("sha256")) for one in listed if isinstance(one, dict)} if isinstance(listed, list) else set()
    return all(one["sha256"] in known for one in described_files(run))


def _short(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(LARGEST).decode("utf-8", "replace")


def _header(path: Path) -> str:
    """The YAML of a TREC run's header without its comment signs; "" without a header."""
    if not path.is_file():
        return ""
    lines = _short(path).splitlines()
    if not lines or lines[0] != START or END not in lines:
        return ""
    return "\n".join(line.removeprefix("#").removeprefix(" ") for line in lines[1 : lines.index(END)])
