"""The command of a task whose figures are measures: its arguments and options, a row a measure or a row a question."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from evaluation.overview.arguments import gold_and_run
from evaluation.tables import TREC_EVAL, Tables, measures_format_option, print_rows
from indexer.cli.parameters import LANGUAGE, Option, command_of

sheet_language_option = click.option("--language", type=LANGUAGE, help="The language of a bilingual sheet.")


def score_command(
    name: str,
    tables: Callable[..., Tables],
    text: str,
    example: str,
    *options: Option,
    row: str = "question",
    **arguments: Any,
) -> click.Command:
    """`evaluation TASK GOLD RUN`, which prints what `tables` says of the two and of the task's own options.

    `text` is the help, `row` what -q shows a row of; `arguments` are further ones of `gold_and_run`.
    """

    def scored(gold: Path, run: Path, by_question: bool, format: str, **given: Any) -> Tables:  # noqa: A002
        found = tables(gold, run, **given)
        if format == TREC_EVAL and found.trec_eval:
            print_rows(found.trec_eval(by_question), format)
        else:
            print_rows(found.by_question() if by_question else found.summary(), format)
        return found

    all_options: tuple[Option, ...] = (
        gold_and_run(name, **arguments),
        click.option("-q", "by_question", is_flag=True, help=f"One row a {row}."),
        *options,
        click.option("--interval", is_flag=True, help=f"Show 95 % bootstrap intervals over the {row}s."),
        measures_format_option,
    )
    return command_of(scored, text, f"evaluation {name} {example}", all_options)
