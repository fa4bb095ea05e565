"""Commands that train the rankers of given candidates, one a task."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from answerer.options import folds_option, seed_option
from answerer.training import Learned, model_output_option, write_learned
from indexer.cli.types import Command, InputFile
from indexer.files.validation import FileName


def train_ranker(task: str, *files: FileName, folds: int = 5, seed: int = 0) -> Learned:
    """The ranker of given candidates that labelled files teach, as `answerer.ranked_training.learn`
    has it."""
    from answerer.ranked_training import learn

    return learn(task, files, folds, seed)


def ranker_command(task: str, description: str, example: str) -> click.Command:
    """The command that trains the ranker of a task of given candidates and writes it; `description`
    is the text of its help."""

    @click.command(cls=Command, help=description, example=example)
    @click.argument("files", nargs=-1, required=True, metavar="TRAIN...", type=InputFile())
    @folds_option
    @seed_option
    @model_output_option
    def command(files: tuple[Path, ...], output: str, **options: Any) -> None:
        write_learned(lambda: train_ranker(task, *files, **options), output)

    return command
