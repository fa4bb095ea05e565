"""The options of the commands that write essays."""

from __future__ import annotations

import click

from answerer.ntcir.essay.answering import DEFAULT_METHOD
from answerer.ntcir.essay.writing import METHODS
from answerer.ntcir.sheets import language_option, validate_option
from answerer.run import model_option

essay_options = (
    click.option(
        "--method", type=click.Choice(list(METHODS)), default=DEFAULT_METHOD, help=f"Of essays [{DEFAULT_METHOD}]."
    ),
    language_option,
    model_option,
    validate_option,
)
