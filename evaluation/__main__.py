"""`python -m evaluation TASK GOLD RUN`: gold and a submission in, official measures out."""

from __future__ import annotations

if __name__ == "__main__":
    from indexer.cli.console import end_on_interrupt

    end_on_interrupt()  # while the rest loads

import click

from evaluation.registry import BUILT_IN, commands
from indexer.cli.groups import LazyGroup
from indexer.cli.program import run_program
from indexer.cli.types import version_option

EPILOG = "Example: classical-qa evaluate ntcir-mc samples/sample-exam-en.gold.xml exam.run.xml"


@version_option
@click.group(cls=LazyGroup, registry=commands, built_in=BUILT_IN, epilog=EPILOG)
def main() -> None:
    """Score a submission by its task's official measures."""


if __name__ == "__main__":
    run_program(main, "python -m evaluation")
