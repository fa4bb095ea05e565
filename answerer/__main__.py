"""`python -m answerer TASK FILE...`: questions in, an official submission out."""

from __future__ import annotations

if __name__ == "__main__":
    from indexer.cli.console import end_on_interrupt

    end_on_interrupt()  # while the rest loads

import click

from answerer.registry import BUILT_IN, SUBMISSIONS, TOOLS, TRAININGS, tasks
from indexer.cli.groups import LazyGroup
from indexer.cli.program import run_program
from indexer.cli.types import version_option

EPILOG = "Example: classical-qa answer ntcir-mc samples/sample-exam-en.xml -o exam.run.xml"
TRAIN_EPILOG = (
    "Example: classical-qa answer train selqa samples/selqa.dev.json -o selqa.model.json --folds 2"
)
SUBMIT = "Lay out runs for submission, with a description of what ran."
TRAIN = "Learn a task's ranker from questions with answers, and write it as a model file."
SUBMIT_EPILOG = (
    "Example: classical-qa answer submit exam.run.xml --trace exam.run.jsonl --team TEAM "
    "-o submission"
)


class FirstByDefault(LazyGroup):
    """A group whose first command need not be named: `submit RUN...` is `submit ntcir RUN...`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parses `args` with the name of the group's first command put before them, unless they are
        empty or begin with a command's name or a help option; returns click's remaining
        arguments."""
        names = self.list_commands(ctx)
        if args and args[0] not in names and args[0] not in ctx.help_option_names:
            args = [names[0], *args]
        return super().parse_args(ctx, args)


@version_option
@click.group(
    cls=LazyGroup,
    registry=lambda: {name: (task.module, task.help) for name, task in tasks().items()} | TOOLS,
    built_in=BUILT_IN,
    epilog=EPILOG,
)
def main() -> None:
    """Answer a task's questions: official input in, official submission out, the evidence in a
    trace."""


@main.group(cls=FirstByDefault, registry=SUBMISSIONS, epilog=SUBMIT_EPILOG, short_help=SUBMIT)
def submit() -> None:
    """Lay out runs for submission, with a description of what ran. Without a name: NTCIR QA Lab."""


@main.group(cls=LazyGroup, registry=TRAININGS, epilog=TRAIN_EPILOG, short_help=TRAIN)
def train() -> None:
    """Learn a task's ranker from questions with answers, and write it as a model file."""


if __name__ == "__main__":
    run_program(main, "python -m answerer")
