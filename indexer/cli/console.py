"""The installed command `classical-qa`, beside `python -m`."""

from __future__ import annotations

import sys
from typing import NoReturn


def run() -> NoReturn:
    """Runs the command line as `run_program` does; ends with status 130 and without a word on an
    interrupt while the programs load."""
    try:
        from indexer.cli.groups import main
        from indexer.cli.program import run_program
    except KeyboardInterrupt:  # nothing has begun
        sys.exit(130)
    run_program(main, "classical-qa")
