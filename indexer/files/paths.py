"""Paths of a command, checked before any work: what is read can be, what is written too, and
nothing is written over it."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from glob import glob, has_magic
from pathlib import Path, PurePath
from typing import NamedTuple

from indexer.files.errors import UserError

STDOUT = "-"
INDEX_METADATA = "metadata.json"
"""The file by which the folder of an embedded index is known."""
SIDECAR = ".ir-metadata.yml"
"""The ending of the file beside a run that says how it was made."""
_STDOUTS = (STDOUT, "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")


def is_stdout(path: str | os.PathLike[str]) -> bool:
    """Returns whether an output's path is the standard output: `-`, /dev/stdout and its kin."""
    return str(path) in _STDOUTS


def resolve_path(path: str | os.PathLike[str]) -> str:
    """A path with links resolved, every name of the standard output as "-"."""
    return STDOUT if is_stdout(path) else os.path.realpath(path)


def require_input(
    path: str, label: str, inside: tuple[str, ...] = (), *, files: bool = True
) -> None:
    """Raises UserError, with the remedy, if `path` is not a readable file (a pipe is not); with
    patterns in `inside`, which are not compared, a folder is accepted too, and without `files` only
    a folder. `label` is the option's name in messages."""
    refuse_bytes(path, label)
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 (a Path forgets a / at the end)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        what = f"{label} must be {_input_kinds(inside, files)}"
        raise UserError(f"{path or repr(path)}: cannot be read ({reason}); {what}") from None
    folder = stat.S_ISDIR(mode)
    if folder and not inside:
        raise UserError(f"{path}: is a folder; {label} must be a file")
    if not folder and not files:
        raise UserError(f"{path}: is a file; {label} must be a folder")
    if stat.S_ISFIFO(mode):  # most readers look at the beginning first
        raise UserError(
            f"{path}: is a pipe, which can be read only once; write it to a file ({label})"
        )
    if not os.access(path, os.R_OK):
        raise UserError(f"{path}: permission denied ({label})")


def _input_kinds(inside: tuple[str, ...], files: bool) -> str:
    """What `require_input` accepts, in words."""
    if not inside:
        return "a file"
    return "a file or a folder" if files else "a folder"


def refuse_bytes(path: str, label: str) -> None:
    """Raises UserError for a path that is not valid UTF-8, which indexes, traces and submissions
    could not store; `label` is the option's name."""
    try:
        path.encode()
    except UnicodeEncodeError:
        raise UserError(f"{label} {path!r}: the name is not UTF-8; rename it") from None


HIDDEN = "hidden files"
_BESIDE = frozenset(("readme", "license", "licence", "copying"))


def what_stands_beside(path: str | PurePath) -> str:
    """What a file of a folder or an archive is, by its path in it, that is not a document there:
    "hidden files" (a name or folder that begins with a point, or `__MACOSX`), "READMEs and
    licences" (README, LICENSE, LICENCE, COPYING, with any ending and case, or as the ending of a
    name: `book.LICENSE`), or ""."""
    parts = PurePath(path).parts
    if any(
        (part.startswith(".") and part not in (".", "..")) or part == "__MACOSX" for part in parts
    ):
        return HIDDEN
    words = {PurePath(path).stem.lower(), PurePath(path).suffix[1:].lower()}
    return "READMEs and licences" if words & _BESIDE else ""


def is_special(target: Path) -> bool:
    """Returns whether the path names a device, pipe or socket, which a renamed file would replace;
    False if nothing is there."""
    return target.exists() and not target.is_file() and not target.is_dir()


def output_fault(path: str | Path, *, folder: bool = False) -> str:
    """Reason why a file (with `folder`, a file in that folder) cannot be written, to follow the
    path in a message.

    "" if it can, also where folders must be created for it, and always for "-".

    Raises:
        OSError: the path can name no file (a name that is too long), or a folder on the way may
            not be entered.
    """
    if "\0" in str(path):
        return "is not a path: it holds a NUL character"
    target = Path(os.path.realpath(path))
    with suppress(FileNotFoundError, NotADirectoryError):
        target.stat()  # from Python 3.14 on, exists() and is_dir() hide what else is wrong
    if not folder:
        if is_stdout(path):
            return ""
        if str(path).endswith("/") or target.is_dir():
            return "is a folder; name a file in it"
        if target.exists() and not os.access(target, os.W_OK):
            return "may not be written to; choose another place"
        if is_special(target):
            return ""
        target = target.parent
    while not os.path.lexists(target):
        target = target.parent
    if not target.is_dir():
        return f"cannot be written: {target} is a file, not a folder; choose another place"
    if not os.access(target, os.W_OK | os.X_OK):
        return f"cannot be written: the folder {target} may not be written to; choose another place"
    return ""


def index_around(path: str | Path) -> Path | None:
    """The innermost folder with an embedded index (its metadata can be read) in which a path lies,
    whether or not it exists; None outside of any, and for the index's folder itself."""
    for parent in Path(os.path.realpath(path)).parents:
        with suppress(OSError, ValueError):  # a folder that may not be read, other bytes
            metadata = json.loads((parent / INDEX_METADATA).read_text("utf-8"))
            if isinstance(metadata, dict) and "generation" in metadata:
                return parent
    return None


def index_names(folder: Path) -> list[str]:
    """The names of the folders in a folder that contain an index's metadata, sorted; the metadata
    is not read."""
    return sorted(path.parent.name for path in folder.glob(f"*/{INDEX_METADATA}"))


def matching_files(pattern: str, label: str, inside: tuple[str, ...] = ()) -> list[str]:
    """[`pattern`] if it exists or is not a glob pattern, else the files that match it, sorted,
    without folders and hidden files. Raises UserError if none does, and for one that
    `require_input` refuses, with `label` and `inside`."""
    # A file may be called `a[1].txt`: a name that exists is not taken for a pattern.
    if os.path.lexists(pattern) or not has_magic(pattern):
        files = [pattern]
    else:  # glob() leaves hidden files out, Path.glob does not
        files = sorted(filter(os.path.isfile, glob(pattern, recursive=True)))  # noqa: PTH207
    if not files:
        raise UserError(f"{pattern}: no such file ({label})")
    for file in files:
        require_input(file, label, inside)
    return files


def sidecar_of(run: str | Path) -> Path:
    """Path of the metadata file beside a run's file or folder: its whole name and
    `.ir-metadata.yml`, so that runs of one stem each have their own."""
    path = Path(run)
    if path.name in ("", ".."):
        path = path.resolve()
    return path.parent / f"{path.name}{SIDECAR}"


# Refusal of commands that would write over what they read, or two outputs in one place.


class PathClaim(NamedTuple):
    """A path that a command reads or writes: the option's name for messages, and the path with
    links resolved, every name of the standard output as "-".

    `inside` is None for a file, for a folder the patterns of the files in it (a last part `**`
    means everything below).
    """

    label: str
    path: str
    written: bool
    inside: tuple[str, ...] | None = None


def refuse_shared(claims: Sequence[PathClaim]) -> None:
    """Raises UserError if a written path is also read, or written for another option, by itself or
    in a folder. What is written to /dev/null is in nobody's way."""
    outputs = [claim for claim in claims if claim.written and claim.path != os.devnull]
    for output in outputs:
        for other in claims:
            if other is output or not (_covers(output, other) or _covers(other, output)):
                continue
            shown = _display_path(other.path)
            if other.written:
                raise UserError(
                    f"{output.label} and {other.label} would both write to {shown}: give each a "
                    f"different place"
                )
            raise UserError(
                f"{output.label} would write to {shown}, which is read ({other.label}): choose "
                f"another place"
            )


def _covers(claim: PathClaim, other: PathClaim) -> bool:
    """Whether `claim` is of the path of `other`, by any name of the file, or of a folder in which
    that path matches a pattern of `claim.inside`."""
    if claim.path == other.path:
        return True
    if STDOUT in (claim.path, other.path):
        return False
    with suppress(OSError, ValueError):  # nothing is there yet
        if Path(claim.path).samefile(other.path):
            return True
    if claim.inside is None or not other.path.startswith(claim.path.rstrip("/") + "/"):
        return False
    return _matches(os.path.relpath(other.path, claim.path), claim.inside)


def _matches(path: str, inside: Sequence[str]) -> bool:
    """Whether a path in a folder matches one of the patterns of `PathClaim.inside`."""
    parts = path.split("/")
    for pattern in inside:
        patterns, compared = pattern.split("/"), parts
        if patterns[-1] == "**":  # whatever lies there
            patterns = patterns[:-1]
            compared = parts[: len(patterns)]
        if len(compared) == len(patterns) and all(map(fnmatchcase, compared, patterns)):
            return True
    return False


def _display_path(path: str) -> str:
    """A path as messages show it: relative to the working directory if it is below; "-" as the
    standard output."""
    if path == STDOUT:
        return "the standard output"
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative
