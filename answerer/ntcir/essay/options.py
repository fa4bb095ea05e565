"""The options of the commands that write essays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from answerer.ntcir.essay.answering import DEFAULT_METHOD
from answerer.ntcir.essay.writing import METHODS
from answerer.ntcir.sheets import language_option, validate_option
from answerer.run import model_option, output_option, trace_option

Command = TypeVar("Command", bound=Callable[..., Any])


def essay_options(command: Command) -> Command:
    """--method, --language, --model, --validate, -o and --trace."""
    method = click.option(
        "--method", type=click.Choice(list(METHODS)), default=DEFAULT_METHOD, help=f"Of essays [{DEFAULT_METHOD}]."
    )
    return method(language_option(model_option(validate_option(output_option(trace_option(command))))))
