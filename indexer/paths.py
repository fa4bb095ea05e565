"""Paths that a command or a program is given: whether they can be read or written, and what they are claimed for."""

from __future__ import annotations

import os
import stat
from glob import glob, has_magic
from pathlib import Path

from indexer.files.errors import UserError
from indexer.files.output_paths import STDOUT, claim
from indexer.location import locate


def require_input(path: str, named: str, inside: tuple[str, ...] = (), *, files: bool = True) -> None:
    """Raises UserError, with the remedy, where no file (or, with `inside`, no folder) can be read at a path."""
    wanted = "a file" if not inside else "a file or a folder" if files else "a folder"
    if not path:
        raise UserError(f"{named} is empty: name {wanted}")
    refuse_bytes(path, named)
    if path == STDOUT:
        raise UserError(f"{named}: the standard input is not read; name {wanted}")
    try:
        folder = stat.S_ISDIR(os.stat(path).st_mode)  # noqa: PTH116 (a Path forgets a / at the end)
    except FileNotFoundError:
        link = ", but a link that leads nowhere" if Path(path).is_symlink() else ""
        raise UserError(f"{path}: no such file{link} ({named})") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UserError(f"{path}: cannot be read ({reason}); {named} is to be {wanted}") from None
    if folder and not inside:
        raise UserError(f"{path}: is a folder; {named} is to be a file")
    if not folder and not files:
        raise UserError(f"{path}: is a file; {named} is to be a folder")
    if not os.access(path, os.R_OK):
        raise UserError(f"{path}: may not be read ({named})")


def refuse_pipe(path: str, named: str) -> None:
    """Raises UserError for a pipe where the file is opened more than once: it would be empty the second time."""
    if stat.S_ISFIFO(os.stat(path).st_mode):  # noqa: PTH116 (as above)
        raise UserError(f"{path}: is a pipe, which can be read only once; write it to a file ({named})")


def refuse_bytes(path: str, named: str) -> None:
    """Raises UserError for a name of bytes that are not UTF-8: indexes, traces and submissions could not hold it."""
    try:
        path.encode()
    except UnicodeEncodeError:
        raise UserError(f"{named} {path!r}: the name is not UTF-8; rename it") from None


def claim_input(path: str, named: str, inside: tuple[str, ...] = ()) -> None:
    """Note that a file, or each of a folder's files that fit the patterns (`**`: whatever lies there), is read."""
    if not Path(path).is_dir():
        claim(named, path, written=False)
    elif inside == ("**",):
        claim(named, path, written=False, inside=inside)
    else:
        for file in (file for pattern in inside for file in Path(path).glob(pattern)):
            claim(named, file, written=False)


def claim_index(address: str, named: str = "--index", *, written: bool) -> None:
    """Note that an index is read or built: nothing else of a command's goes into its folder."""
    folder = locate(address).folder
    if folder is not None:
        claim(named, folder, written=written, inside=("**",))


def claim_output(named: str, path: str, inside: tuple[str, ...] | None = None) -> None:
    """Note that a file, or what fits the patterns in a folder, is written. Raises UserError where that cannot be."""
    from indexer.files.atomic import output_fault

    fault = output_fault(path, folder=inside is not None)
    if fault:
        raise UserError(f"{named} {path}: {fault}")
    claim(named, path, written=True, inside=inside)


def matching_files(pattern: str, named: str) -> list[str]:
    """The file of that name, or the files that a glob pattern finds, sorted. Raises UserError where nothing matches."""
    if os.path.lexists(pattern) or not has_magic(pattern):
        require_input(pattern, named)
        return [pattern]
    found = sorted(filter(os.path.isfile, glob(pattern, recursive=True)))  # noqa: PTH207 (without hidden files)
    if not found:
        raise UserError(f"{pattern}: no such file ({named})")
    for path in found:
        require_input(path, named)
    return found
