"""`answerer train u4-tr`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from answerer.options import folds_option, seed_option
from answerer.training import Learned, model_output_option, pairs_argument, write_learned
from answerer.u4.task import TABLES, reports_option
from indexer.cli.types import Command
from indexer.files.validation import FileName


@click.command(
    cls=Command,
    example="answer train u4-tr samples/u4-tr.questions.json "
    "samples/u4-tr.gold.json --reports samples/u4-reports.tar.xz --folds 2 -o tr.json",
)
@pairs_argument
@reports_option(required=True)
@folds_option
@seed_option
@model_output_option
def command(files: tuple[Path, ...], output: str, **options: Any) -> None:
    """Learn which table answers, from questions with gold; pairs of Table QA teach which words go
    together."""
    write_learned(lambda: train(*files, **options), output)


def train(*files: FileName, reports: FileName, folds: int = 5, seed: int = 0) -> Learned:
    """The model that pairs of files, questions and gold, teach on reports, with figures of
    cross-validation over the reports in `folds` folds, drawn by `seed`. UserError as of
    `answerer.u4.training.learn`."""
    from answerer.u4.training import learn

    return learn(TABLES, files, reports, folds, seed)
