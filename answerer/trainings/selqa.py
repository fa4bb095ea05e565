"""`answerer train selqa`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from answerer.selqa.task import TASK
from answerer.training import Learned, labelled_options, write_learned
from indexer.cli.types import Command
from indexer.files.validation import FileName


@click.command(
    cls=Command,
    example="answer train selqa samples/selqa.dev.json -o selqa.model.json --folds 3",
)
@labelled_options
def command(files: tuple[Path, ...], output: str, **options: Any) -> None:
    """Train the ranker of SelQA, WikiQA or TrecQA; folds by article, else by question."""
    write_learned(lambda: train(*files, **options), output)


def train(*files: FileName, folds: int = 5, seed: int = 0) -> Learned:
    """The ranker that labelled files teach, as `answerer.ranked_training.learn` has it."""
    from answerer.ranked_training import learn

    return learn(TASK, files, folds, seed)
