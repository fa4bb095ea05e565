"""`classical-qa index|retrieve|answer|evaluate …`: the four programs as one command, installed beside `python -m`."""

from __future__ import annotations

from typing import NoReturn

import click

from indexer.cli.commands import LazyGroup, version_option
from indexer.cli.program import run_program

# name: (module:attribute, one line of help). The module loads when it is chosen.
PROGRAMS: dict[str, tuple[str, str]] = {
    "index": ("indexer.__main__:main", "Corpus files in, an index out (python -m indexer)."),
    "retrieve": ("retriever.__main__:main", "What an index answers, and why (python -m retriever)."),
    "answer": ("answerer.__main__:main", "Official input in, official submission out (python -m answerer)."),
    "run": ("answerer.blind:command", "A task answered blind, from a folder into a folder (python -m answerer run)."),
    "evaluate": ("evaluation.__main__:main", "Gold and a submission in, official measures out (python -m evaluation)."),
}


@version_option
@click.group(cls=LazyGroup, registry=PROGRAMS, epilog="Example: classical-qa index textbook book.txt")
def main() -> None:
    """Question answering baselines: index a corpus, retrieve from it, answer questions, evaluate the answers."""


def run() -> NoReturn:
    """The installed command."""
    run_program(main, "classical-qa")
