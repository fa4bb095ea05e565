"""A changed input for every option of commands that reads a file, apart from those for readers so
that both run at a time."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from indexer.cli.types import InputFile
from tests.fuzz.pieces import fuzz
from tests.fuzz.targets import commands, program_of
from tests.programs import ELSEWHERE, every_command


@pytest.mark.process
def test_what_commands_get_is_read_or_clearly_refused(corpus: Path) -> None:
    assert list(fuzz(corpus, dict.fromkeys(commands(), 1), seed=0)) == []


def test_every_option_that_reads_a_file_is_in_a_command() -> None:
    given = {(str(program_of(words)), word) for words in commands().values() for word in words}
    missing = [
        (str(one), param.opts[0])
        for one in every_command()
        for param in one.command.params
        if isinstance(param, click.Option)
        if isinstance(param.type, InputFile)
        if str(one) not in ELSEWHERE
        if not {(str(one), name) for name in param.opts} & given
    ]
    assert missing == []
