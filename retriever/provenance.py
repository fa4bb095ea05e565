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
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from indexer.files.encoding import read_text
from indexer.files.errors import UserError
from indexer.files.hashes import fingerprint
from indexer.files.json_objects import parse_json
from indexer.files.messages import warn
from indexer.files.paths import files_read

LARGEST = 2**20  # characters of YAML that are read: real metadata take some thousand
ABOUT = ("actor", "research goal")  # the parts of ir_metadata that only a person can say
SCHEMA_VERSION = 0.1
RUN_VERSION = 1.0  # of the run itself, which [ir_metadata] asks for: a run is written once
TIES = "scores equal to 5 significant digits: by doc_id, ascending"
MODEL = '"format": "classical-qa ranking model"'  # in the first line but one of every model file
START, END = "# ir_metadata.start", "# ir_metadata.end"
SUBMISSION = "submission"  # key of the described files, not in ir_metadata 0.1, as `resources`
SIDECAR = ".ir-metadata.yml"
_TOOLKITS = ("tantivy", "elasticsearch", "rank-bm25")
_NUMERIC = re.compile(r"[-+.~]?\.?\d")


def read_yaml(text: str, typed: bool = False) -> Any:
    """Parses untrusted YAML: mappings, lists and texts; with `typed`, scalars get the types of YAML 1.1.

    Raises ValueError, in one short line, for a text that is not YAML, is larger than `LARGEST`, nested too deeply, or
    repeats a part of itself by an alias: a few lines of aliases can expand to more than any memory.
    """
    import yaml

    if len(text) > LARGEST:
        raise ValueError(f"more than {LARGEST:,} characters")
    base: Any = yaml.SafeLoader if typed else yaml.BaseLoader

    class Loader(base):  # type: ignore[misc]  # untyped
        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                raise yaml.YAMLError("an alias of another part")
            return super().compose_node(parent, index)

    try:
        return yaml.load(text, Loader=Loader)  # noqa: S506 (derived from loaders that make plain values alone)
    except (yaml.YAMLError, RecursionError, ValueError, TypeError) as error:
        raise ValueError(f"not YAML ({' '.join(str(error).split())[:200]})") from None


def about(path: str | None) -> dict[str, dict[str, Any]]:
    """The user's description of a run from the YAML file at `path`: the mappings `actor` and `research goal`; {} if
    `path` is None. Raises UserError for any other content."""
    if path is None:
        return {}
    try:
        content = read_yaml(read_text(path, LARGEST))
    except ValueError as error:
        raise UserError(f"{path}: {error}") from None
    known = isinstance(content, dict) and set(content) <= set(ABOUT)
    if not known or not all(isinstance(value, dict) for value in content.values()):
        raise UserError(f"{path}: expected {' or '.join(ABOUT)} with their entries, as in ir_metadata")
    return dict(content)


def machine() -> dict[str, Any]:
    """Hardware (cpu, ram) and operating system of this machine, under the keys of ir_metadata 0.1 (platform)."""
    model, distribution = platform.processor() or platform.machine(), platform.version()
    # Only Linux has these files, and not every Linux: elsewhere the names that Python knows are good enough.
    with suppress(OSError, ValueError):
        cpu_info = Path("/proc/cpuinfo").read_text("utf-8")
        model = next(iter(re.findall(r"^model name\s*:\s*(.+)$", cpu_info, re.MULTILINE)), model)
    with suppress(OSError, KeyError):
        distribution = platform.freedesktop_os_release()["PRETTY_NAME"]
    cpu = {
        "model": model,
        "architecture": platform.machine(),
        "operation mode": f"{8 * struct.calcsize('P')}-bit",
        "number of cores": os.cpu_count(),
    }
    ram = f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.2f} GB"
    system = {"kernel": f"{platform.system()} {platform.release()}", "distribution": distribution}
    return {"hardware": {"cpu": cpu, "ram": ram}, "operating system": system}


def seconds_used() -> tuple[float, float]:
    """Seconds of a clock, and those of the processors that this process and its children have used."""
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return time.perf_counter(), sum(each.ru_utime + each.ru_stime for each in usage)


def resources_since(start: tuple[float, float]) -> dict[str, float]:
    """Seconds and processor seconds since `start` (a result of `seconds_used`), and this process's peak memory in MB,
    by name."""
    clock, processors = seconds_used()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # bytes on macOS, kilobytes elsewhere
    return {
        "seconds": round(clock - start[0], 3),
        "processor seconds": round(processors - start[1], 3),
        "peak memory in MB": round(peak / (2**20 if sys.platform == "darwin" else 2**10), 1),
    }


def run_metadata(tag: str, run: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata of the run that the running command makes, in the form of ir_metadata; `run` is the header of its
    trace, `tag` the run's name.

    The research goal and the actor come from the user, with --about (`about`). `data` has fingerprints of the files to
    answer, of the models' training files, and of the index's sources.
    """
    from indexer.location import without_passwords

    click = sys.modules.get("click")  # not loaded where this is used as a library
    context = click.get_current_context(silent=True) if click else None
    parameters = context.params if context else {}
    command_line, to_answer = "", set[str]()
    if context:
        # The command as it was given, without passwords of addresses, and the files that it answers.
        arguments = context.obj if isinstance(context.obj, list) else ()
        command_line = without_passwords(shlex.join([*str(context.find_root().info_name).split(), *arguments]))
        for param in context.command.params:
            if param.param_type_name == "argument" or param.name == "questions":
                value = parameters.get(str(param.name))
                values = value if isinstance(value, tuple) else (value,)
                to_answer |= {str(Path(each).resolve()) for each in values if isinstance(each, str | Path)}
    own, versions, files = about(parameters.get("about_file")), run.get("versions") or {}, files_read()
    software = {
        "libraries": {"python": [f"{name}=={version}" for name, version in versions.items()]},
        "retrieval toolkit": [f"{name}=={versions[name]}" for name in _TOOLKITS if name in versions],
    }
    stage = {"name": run.get("method"), "method": f"classical-qa {run.get('task')}", "params": run.get("parameters")}
    indexing = {name: run[name] for name in ("language", "engine", "index") if run.get(name)}
    sources = run.get("sources") or ([run] if run.get("corpus") else [])
    topics = [fingerprint(file) for file in files if str(Path(file)) in to_answer]
    return {
        "schema-version": SCHEMA_VERSION,
        "run-version": RUN_VERSION,
        "tag": tag,
        "platform": {**machine(), "software": software},
        "research goal": {"evaluation": {"reported measures": [], "baseline": []}} | own.get("research goal", {}),
        "implementation": {"executable": {"cmd": command_line}, "source": {"lang": ["python"]}},
        "method": {"automatic": True, "score ties": TIES, "indexing": indexing, "retrieval": [stage]},
        "actor": {"team": parameters.get("team"), "role": "experimenter"} | own.get("actor", {}),
        "data": {
            "test collection": {"name": run.get("task"), "topics": topics},
            "training data": training_data(files),
            "other": [{"name": each.get("index"), "source": each.get("corpus")} for each in sources],
        },
    }


def training_data(files: Iterable[str | Path]) -> list[dict[str, Any]]:
    """The fingerprints of training files that the model files among `files` contain, in their order; other files are
    ignored."""
    listed: list[dict[str, Any]] = []
    for file in map(Path, files):
        if file.is_file() and MODEL in _beginning(file, 200):
            with suppress(ValueError, TypeError, KeyError):  # another kind of file, which begins like a model
                listed += [each for each in parse_json(file.read_text("utf-8"))["data"] if isinstance(each, dict)]
    return listed


def _beginning(path: Path, length: int = LARGEST) -> str:
    with path.open("rb") as file:
        return file.read(length).decode("utf-8", "replace")


def _plain(metadata: Any) -> dict[str, Any]:
    """The metadata in types that YAML and JSON share: tuples as lists, keys and other types (dates) as texts."""
    converted: dict[str, Any] = json.loads(json.dumps(metadata, ensure_ascii=False, default=str))
    return converted


def yaml_text(metadata: Mapping[str, Any]) -> str:
    """Metadata as YAML text, keys in their order; every text on one line, whatever its length."""
    import yaml

    class Dumper(yaml.SafeDumper):  # type: ignore[misc]  # untyped
        pass

    def quote_numeric(dumper: Any, value: str) -> Any:
        # YAML 1.1, 1.2 and their readers differ on `12e3` and `0o7`: what begins like a number gets quotes.
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="'" if _NUMERIC.match(value) else None)

    Dumper.add_representer(str, quote_numeric)
    return str(yaml.dump(_plain(metadata), Dumper=Dumper, sort_keys=False, allow_unicode=True, width=2**31 - 1))


def header_text(metadata: Mapping[str, Any]) -> str:
    """The comment lines that a TREC run begins with."""
    lines = (f"# {line}" for line in yaml_text(metadata).splitlines())
    return "\n".join([START, *lines, END, ""])


def sidecar_of(run: str | Path) -> Path:
    """Path of the metadata file beside a run's file or folder: `exam.run.ir-metadata.yml` for `exam.run.xml`."""
    path = Path(run)
    if path.name in ("", ".."):
        path = path.resolve()
    if not path.name:  # the root has nothing beside it
        return path / SIDECAR
    return path.with_name(f"{path.stem if path.suffix else path.name}{SIDECAR}")


def metadata_file(run: str | Path) -> Path | None:
    """The file of metadata beside a run, or beside its folder; None if neither exists, or if it is a symbolic link."""
    places = (sidecar_of(run), sidecar_of(Path(run).absolute().parent))
    return next((place for place in places if place.is_file() and not place.is_symlink()), None)


def described_files(run: str | Path) -> list[dict[str, Any]]:
    """Fingerprints of a run's file, or of the result files (.xml) of its folder: what its metadata are of."""
    path = Path(run)
    return [fingerprint(file) for file in (sorted(path.glob("*.xml")) if path.is_dir() else [path]) if file.is_file()]


def renamed_metadata(sidecar: Path, tag: str, result: bytes, name: str) -> str:
    """Metadata of a result file that was given another name, and is now called so inside too."""
    submission = {"file": name, "bytes": len(result), "sha256": hashlib.sha256(result).hexdigest()}
    return yaml_text({**_read_typed(sidecar), "tag": tag, SUBMISSION: [submission]})


def header_from(run: str | Path, tag: str) -> str:
    """The header of a TREC run called `tag`, from the metadata file beside the run at path `run`. Raises UserError if
    there is not one."""
    sidecar = metadata_file(run)
    if sidecar is None or read_metadata(run) is None:
        raise UserError(f"{run}: has no {sidecar_of(run).name} beside it; answer again with --metadata")
    own = _read_typed(sidecar)
    own.pop(SUBMISSION, None)
    return header_text({**own, "tag": tag})


def _read_typed(sidecar: Path) -> dict[str, Any]:
    """The content of a metadata file as JSON values, with typed numbers and dates as texts. Raises UserError for a
    value that JSON cannot represent."""
    try:
        return _plain(read_yaml(_beginning(sidecar), typed=True))
    except (ValueError, TypeError) as error:
        raise UserError(f"{sidecar}: not the metadata of a run ({' '.join(str(error).split())[:200]})") from None


def read_metadata(run: str | Path) -> dict[str, Any] | None:
    """Metadata beside a run or its folder, or in a TREC run's header, every scalar as text; None without metadata.

    Metadata that cannot be read, or that belong to another file of that name, are ignored with a warning. They are
    untrusted: links are not followed, at most 1 MiB is read, and only mappings, lists and texts come out.
    """
    path, sidecar = Path(run), metadata_file(run)
    if sidecar:
        text = _beginning(sidecar)
    else:
        lines = _beginning(path).splitlines() if path.is_file() else []
        end = lines.index(END) if lines[:1] == [START] and END in lines else 0
        text = "\n".join(line.removeprefix("#").removeprefix(" ") for line in lines[1:end])
    if not text:
        return None
    try:
        metadata: dict[str, Any] = read_yaml(text)
        if not isinstance(metadata, dict):
            raise ValueError("not the metadata of a run")
    except ValueError as error:
        warn(f"{sidecar or path}: {error}; ignored")
        return None
    if sidecar:
        submission = metadata.get(SUBMISSION)
        listed = submission if isinstance(submission, list) else []
        hashes = {str(each.get("sha256")) for each in listed if isinstance(each, dict)}
        if not all(each["sha256"] in hashes for each in described_files(path)):
            if sidecar == sidecar_of(path):
                warn(f"{sidecar}: made with another {path.name} than the one beside it; ignored")
            return None
    return metadata
