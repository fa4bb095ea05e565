"""Running of a program's command line: its streams, its one line for an error, its exit status."""

from __future__ import annotations

import gc
import io
import re
import shlex
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from indexer.files.errors import DISK_FULL, WORKING_FILE, UserError, cannot_write, one_line
from indexer.files.messages import to_stderr
from indexer.files.paths import (
    STDOUT,
    PathClaim,
    is_special,
    refuse_shared,
    resolve_path,
    sidecar_of,
)

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

# C0 without tab and line feed, and C1 in UTF-8; a carriage return alone would let a line be
# overwritten.
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)|\xc2[\x80-\x9f]")


def run_program(command: click.Command, name: str) -> NoReturn:
    """Runs a click command as the program `name` and exits with its status: 0 done, 2 a user's
    error, 130 and 143 on signals.

    A closed pipe ends the program silently with 0, an output that is closed from the start is an
    error. Any other exception is a bug and keeps its traceback (status 1). Replaces sys.stdout and
    sys.stderr: the output is UTF-8 in every locale; control characters in the data are escaped on a
    terminal, in messages always.
    """
    # Many small objects and hardly a cycle among them: to look for one at every 700 cost KBQA a
    # sixth of its time.
    gc.set_threshold(20_000)
    if signal.getsignal(signal.SIGTERM) is not signal.SIG_IGN:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    talk = sys.stderr.encoding
    try:
        out = _Stream(1, "w", closefd=False)
    except OSError:  # a shell's >&-
        print("error: the standard output is closed", file=sys.stderr)
        sys.exit(2)
    buffer = Screen(out) if out.isatty() else io.BufferedWriter(out)
    sys.stdout = io.TextIOWrapper(
        buffer, "utf-8", "backslashreplace", "\n", line_buffering=out.isatty()
    )
    err = Screen(_Stream(2, "w", closefd=False))
    sys.stderr = io.TextIOWrapper(err, talk, "backslashreplace", "\n", line_buffering=True)
    sys.exit(status_of(command, name))


def running_command() -> str:
    """The command that click is running, with its arguments quoted for a shell, without passwords
    of addresses; "" outside of a command."""
    from indexer.address import without_passwords

    context = click.get_current_context(silent=True)
    if context is None or not isinstance(context.obj, list):
        return ""
    program = str(context.find_root().info_name).split()
    return without_passwords(shlex.join([*program, *context.obj]))


def metadata_command(output: str) -> str:
    """The running command, to be described beside its output. Raises UserError for an output that
    is not a file or folder, and where the description would take the place of another file of the
    command."""
    from indexer.cli.types import path_claims

    if output == STDOUT or is_special(Path(output)):
        raise UserError("--metadata describes a file or a folder of files: name it with -o")
    claims = path_claims(click.get_current_context())
    refuse_shared([*claims, PathClaim("--metadata", resolve_path(sidecar_of(output)), True)])
    return running_command()


def status_of(command: click.Command, name: str, arguments: Sequence[str] | None = None) -> int:
    """Runs a command with arguments (by default `sys.argv[1:]`) and returns the exit status: 0
    done, or the reader of the standard output is gone; 2 an error that stderr gets in one line (a
    user's, the system's, or memory that ran out), or help shown for want of arguments; 130 or 143
    after a signal. Other exceptions are raised."""
    to_stderr()
    argv = list(sys.argv[1:] if arguments is None else arguments)
    try:
        # color: click would take escape codes out of the data
        command.main(argv, prog_name=name, standalone_mode=False, color=True, obj=argv)
        sys.stdout.flush()
        return 0
    except BrokenPipeError:  # a reader such as `head` has all that it wanted
        return 0
    except (SystemExit, KeyboardInterrupt, click.Abort) as stop:
        return _signal_status(stop)
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message(), file=sys.stderr)
        return 2
    except (click.ClickException, UserError, MemoryError, OSError) as error:
        from indexer.address import without_passwords

        # click's errors name what was given
        message = without_passwords(one_line(_message_of(error, name)))
        print(f"error: {message}", file=sys.stderr)
        return 2


def _message_of(error: Exception, name: str) -> str:
    """What a person reads of an error of click, a user, the system, or of memory that ran out;
    `name` is the program's."""
    if isinstance(error, click.UsageError):
        command = error.ctx.command_path if error.ctx else name
        message = error.format_message()
        if message.startswith("Got unexpected extra argument"):
            message += ": put what has blanks in quotes"
        return f"{message} (see `{command} --help`)"
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, MemoryError):
        return "the memory does not suffice; give the program more, or less at a time"
    if isinstance(error, OSError):  # that no reader or writer has explained
        path = error.filename or (WORKING_FILE if error.errno in DISK_FULL else "")
        return f"{path}: {error.strerror or error}" if path else str(error)
    return str(error)


def _signal_status(stop: BaseException) -> int:
    """The exit status after a signal, which stderr gets a line about. Raises a command's own
    SystemExit."""
    if isinstance(stop, SystemExit) and stop.code != 128 + signal.SIGTERM:
        raise stop
    # What was kept and how to go on: the work's own note, or what holds for all.
    notes = getattr(
        stop.__cause__ or stop,
        "__notes__",
        ["nothing is half written; the same command does its work from the beginning"],
    )
    print(f"stopped: {one_line('; '.join(notes))}", file=sys.stderr)
    return 143 if isinstance(stop, SystemExit) else 130


class _Stream(io.FileIO):
    """Standard output or standard error as a raw file. A failed write raises once on the output
    (UserError, or BrokenPipeError for a closed pipe) and is ignored on the error stream; what is
    written after that is discarded."""

    _broken = False

    def write(self, data: ReadableBuffer) -> int:
        """Writes bytes and returns their number; after a failure, discards them and returns the
        same."""
        try:
            if not self._broken:
                return super().write(data)
        except OSError as error:
            self._broken = True
            if self.fileno() != 2:
                if isinstance(error, BrokenPipeError):
                    # without its number, or click would end with status 1
                    raise BrokenPipeError from None
                raise cannot_write("the standard output", error) from error
        return len(memoryview(data))


class Screen(io.BufferedWriter):
    """A buffered stream to a terminal that writes control characters as visible escape codes."""

    def write(self, data: ReadableBuffer) -> int:
        r"""Writes bytes with control characters, but for tab, newline and \r before it, as `\x1b`;
        returns the number of bytes of `data`."""
        super().write(_CONTROL.sub(lambda match: b"\\x%02x" % match[0][-1], bytes(data)))
        return len(memoryview(data))
