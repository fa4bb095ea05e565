"""The one error that a user can mend, and how every program reports it."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import NoReturn

import click


class UserError(Exception):
    """Something a user can mend: one line that says where, what and what to do. Exit status 2."""


def bad_input(file: str | Path, line: int | None, what: str, expected: str = "") -> UserError:
    """The error for a damaged input file: `FILE:LINE: what is wrong, what was expected`."""
    where = f"{file}:{line}" if line else f"{file}"
    return UserError(f"{where}: {what}" + (f"; {expected}" if expected else ""))


def _one_line(message: object) -> str:
    return " ".join(str(message).split())


def run_program(command: click.Command, name: str) -> NoReturn:
    """Run a command line and leave with its status: 0 done, 2 a user's error, 130 and 143 on signals.

    A closed pipe ends the program quietly. Anything else is a bug and keeps its traceback (status 1).
    """
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    try:
        command.main(prog_name=name, standalone_mode=False)
        sys.stdout.flush()
    except UserError as error:
        _refuse(error)
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else name
        _refuse(f"{error.format_message()} (see `{where} --help`)")
    except click.ClickException as error:
        _refuse(error.format_message())
    except (KeyboardInterrupt, click.Abort):
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(0)


def _refuse(message: object) -> NoReturn:
    print(f"error: {_one_line(message)}", file=sys.stderr)
    sys.exit(2)
