"""The installed command `classical-qa`, beside `python -m`, and interrupts while either loads."""

from __future__ import annotations

import os
import signal
from typing import NoReturn


def run() -> NoReturn:
    """Runs the command line and exits with its status (`run_program`); an interrupt before it is
    loaded ends the process silently with 130."""
    end_on_interrupt()
    from indexer.cli.groups import main
    from indexer.cli.program import run_program

    run_program(main, "classical-qa")


def end_on_interrupt() -> None:
    """Lets an interrupt, unless it is ignored, end the process at once with status 130 and without
    a word, until `run_program` sets Python's own handler: nothing has begun."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))
