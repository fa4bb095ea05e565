"""ir_metadata 0.1 as text: the header of a TREC run (comments before its lines), or a YAML file beside a submission."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from indexer.files.errors import UserError
from indexer.files.hashes import fingerprint
from indexer.files.messages import warn
from retriever.provenance.anybody import LARGEST, read_yaml
from retriever.provenance.metadata import plain

START, END = "# ir_metadata.start", "# ir_metadata.end"
SUBMISSION = "submission"  # what the metadata beside a submission are of: beyond ir_metadata 0.1, as `resources`
SIDECAR = ".ir-metadata.yml"
_NUMERIC = re.compile(r"[-+.~]?\.?\d")


def sidecar_of(run: str | Path) -> Path:
    """Where the metadata of a run's file or folder stand: `exam.run.xml` has `exam.run.ir-metadata.yml` beside it."""
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
    """The file of metadata beside a run, or beside its folder; None where neither is there, or a link stands there."""
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
    """What stands beside a run of how it was made, as the header of a TREC run. UserError where nothing does."""
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
    """What stands beside a run or its folder, or in a TREC run's header, every scalar as text; None where nothing does.

    Metadata that cannot be read, or are of another file of that name, are said and count as none. They may be
    anybody's: links are not followed, at most 1 MiB is read, nothing is made of them but mappings, lists and texts.
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
    """Whether the metadata name every file of the run among those that they were written for."""
    listed = metadata.get(SUBMISSION)
    known = {str(one.get("sha256")) for one in listed if isinstance(one, dict)} if isinstance(listed, list) else set()
    return all(one["sha256"] in known for one in described_files(run))


def _short(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(LARGEST).decode("utf-8", "replace")


def _header(path: Path) -> str:
    if not path.is_file():
        return ""
    lines = _short(path).splitlines()
    if not lines or lines[0] != START or END not in lines:
        return ""
    return "\n".join(line.removeprefix("#").removeprefix(" ") for line in lines[1 : lines.index(END)])
