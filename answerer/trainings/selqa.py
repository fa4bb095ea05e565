"""`answerer train selqa`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from answerer.options import folds_option, seed_option
from answerer.selqa.task import TASK
from answerer.training import Learned, model_output_option, write_learned
from indexer.cli.types import Command, InputFile
from indexer.files.validation import FileName


@click.command(
    cls=Command,
    example="answerer train selqa samples/selqa.dev.json -o selqa.model.json --folds 3",
)
@click.argument("files", nargs=-1, required=True, metavar="TRAIN...", type=InputFile())
@folds_option
@seed_option
@model_output_option
def command(files: tuple[Path, ...], output: str, **options: Any) -> None:
    """Train the ranker of SelQA, WikiQA or TrecQA; folds by article, else by question."""
    write_learned(lambda: train(*files, **options), output)


def train(*files: FileName, folds: int = 5, seed: int = 0) -> Learned:
    """The ranker that labelled files teach, as `answerer.ranked_training.learn` has it."""
    from answerer.ranked_training import learn

    return learn(TASK, files, folds, seed)
