"""`python -m answerer TASK FILE...`: questions in, an official submission out."""

from __future__ import annotations

import click

from answerer.registry import TASKS, TRAINABLE
from indexer.files.commands import LazyGroup
from indexer.files.errors import run_program

EPILOG = "Example: python -m answerer ntcir-mc samples/sample-exam-en.xml -o run.xml"
TRAIN_EPILOG = "Example: python -m answerer train selqa SelQA-ass-dev.json -o selqa.model.json"


@click.group(cls=LazyGroup, registry=TASKS, epilog=EPILOG)
def main() -> None:
    """Answer a task's questions: official input in, official submission out, the evidence in a trace."""


@main.group(cls=LazyGroup, registry=TRAINABLE, attribute="train", epilog=TRAIN_EPILOG)
def train() -> None:
    """Learn a task's ranker from questions with answers, and write it as a model file."""


if __name__ == "__main__":
    run_program(main, "python -m answerer")
