"""The error that a user can correct, and its description in one line."""

from __future__ import annotations

import errno
import re
from pathlib import Path

WORKING_FILE = "a working file in the folder for temporary files (TMPDIR)"
DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_FORBIDDEN = (errno.EROFS, errno.EACCES, errno.EPERM)
_LONGEST = 1000  # characters of a message
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


class UserError(Exception):
    """An error that the user can correct: one line that says where, what and what to do. Exit
    status 2."""


class RefusedInput(UserError):  # noqa: N818 - what it says, not how it is raised
    """The input cannot be used: the same command on the same files fails again."""


def bad_input(file: str | Path, line: int | None, what: str, expected: str = "") -> RefusedInput:
    """The error for a damaged input file: `FILE:LINE: what is wrong; what was expected`, without a
    line `FILE: …`."""
    where = f"{file}:{line}" if line else f"{file}"
    return RefusedInput(f"{where}: {what}" + (f"; {expected}" if expected else ""))


def cannot_write(path: str | Path, error: OSError) -> UserError:
    """The error for an output that the system refuses: a full disk, a limit, a broken device."""
    return UserError(
        f"{path}: cannot be written ({error.strerror or error}); {another_place(error.errno)}"
    )


def another_place(error_number: int | None) -> str:
    """What to do about an output that the system refuses with this number: where it is not allowed
    to be written, no space that is freed helps."""
    way = "choose another place"
    return way if error_number in _FORBIDDEN else f"free space, or {way}"


def visible(text: str) -> str:
    """The text with its control characters (a terminal would obey them) written as their codes; a
    tab stays."""
    return _CONTROL.sub(lambda match: match[0] if match[0] == "\t" else ascii(match[0])[1:-1], text)


def one_line(message: object) -> str:
    """A message as one line of at most 1,000 characters, white space as single spaces, control
    characters escaped; a longer one loses its middle."""
    text = visible(" ".join(str(message).split()))
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST // 2]} […] {text[-_LONGEST // 2 + 5 :]}"
