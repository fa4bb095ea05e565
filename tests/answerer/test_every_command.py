"""Every command of `answerer`: its help, and slips that it refuses in one line before any work."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from indexer.cli.types import (
    Address,
    Command,
    InputFile,
    LanguageCode,
    OutputPath,
    PlainText,
)
from indexer.languages.registry import LANGUAGES
from tests.programs import Program, done, every_command, refused, words_of

COMMANDS = [
    program
    for program in every_command()
    if program.words[0] == "answerer" and isinstance(program.command, Command)
]
INPUT, EXAMS = "input.txt", "exams"


def parameters(*types: type[click.ParamType]) -> list[object]:
    """The parameters of all commands that are of one of these types, as test parameters."""
    return [
        pytest.param(program, param, id=f"{program}-{param.name}")
        for program in COMMANDS
        for param in program.command.params
        if isinstance(param.type, types)
    ]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a file and a folder of an exam that commands may be given."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / INPUT).write_text("input\n")
    (tmp_path / EXAMS).mkdir()
    for name in ("exam.xml", "gold.xml"):
        (tmp_path / EXAMS / name).write_text("<exam/>")
    return tmp_path


def fitting(param: click.Parameter) -> str:
    """A value that a required parameter takes."""
    if isinstance(param.type, InputFile):
        return INPUT if param.type.files else EXAMS
    return "output/model.json" if isinstance(param.type, OutputPath) else "text"


def words(program: Program, param: click.Parameter, value: str) -> list[str]:
    """A call in which one parameter has a value, and what is required a fitting one."""
    options, arguments = [], []
    for other in program.command.params:
        if other is not param and not other.required:
            continue
        text = value if other is param else fitting(other)
        if isinstance(other, click.Argument):
            arguments.append(text)
        else:
            options += [other.opts[0], text]
    return [*program.words, *options, "--", *arguments]


def refused_unchanged(folder: Path, *call: str) -> str:
    """The line that refuses a call; the folder is as before."""
    before = sorted(folder.rglob("*"))
    line = refused(*call)
    assert sorted(folder.rglob("*")) == before
    return line


def test_every_task_and_training_is_looked_at() -> None:
    names = {program.words[1:] for program in COMMANDS}
    assert {("ntcir-mc",), ("u4-tr",), ("train", "selqa"), ("submit", "selqa")} <= names


@pytest.mark.parametrize("program", COMMANDS, ids=str)
def test_help_ends_with_an_example_of_the_command(program: Program) -> None:
    text = " ".join(done(*program.words, "--help").out.replace("\\\n", " ").split())
    example = text.partition("Example: ")[2]
    assert tuple(words_of(example))[: len(program.words)] == program.words


@pytest.mark.parametrize(("program", "param"), parameters(InputFile))
def test_an_input_that_is_not_there_is_refused(
    folder: Path, program: Program, param: click.Parameter
) -> None:
    for value in ("", "missing.txt", "x\0"):
        assert refused_unchanged(folder, *words(program, param, value))


@pytest.mark.parametrize(("program", "param"), parameters(OutputPath))
def test_an_output_below_a_file_is_refused(
    folder: Path, program: Program, param: click.Parameter
) -> None:
    assert param.opts[0] in refused_unchanged(folder, *words(program, param, f"{INPUT}/below"))


@pytest.mark.parametrize(("program", "param"), parameters(Address))
def test_what_addresses_no_index_is_refused(
    folder: Path, program: Program, param: click.Parameter
) -> None:
    for value in ("", "Two Words", "http://host:99999/ix", "\x1b[31mx"):
        assert refused_unchanged(folder, *words(program, param, value))


@pytest.mark.parametrize(("program", "param"), parameters(click.IntRange))
def test_a_number_out_of_range_is_refused(
    folder: Path, program: Program, param: click.Parameter
) -> None:
    for value in ("", "-1", "9" * 5000, "nan", "1,5"):
        assert param.opts[0] in refused_unchanged(folder, *words(program, param, value))


@pytest.mark.parametrize(("program", "param"), parameters(click.Choice, LanguageCode))
def test_another_choice_is_refused_and_the_choices_are_named(
    folder: Path, program: Program, param: click.Parameter
) -> None:
    choices = param.type.choices if isinstance(param.type, click.Choice) else list(LANGUAGES)
    assert str(choices[0]) in refused_unchanged(folder, *words(program, param, "nonsense"))


@pytest.mark.parametrize(("program", "param"), parameters(PlainText))
def test_a_text_of_control_characters_is_refused(
    folder: Path, program: Program, param: click.Parameter
) -> None:
    for value in ("", " ", "\x1b[31mred"):
        assert refused_unchanged(folder, *words(program, param, value))


WRITING = [
    program
    for program in COMMANDS
    if any(isinstance(param.type, OutputPath) for param in program.command.params)
    and any(isinstance(param.type, InputFile) for param in program.command.params)
]


@pytest.mark.parametrize("program", WRITING, ids=str)
def test_the_output_is_not_an_input(folder: Path, program: Program) -> None:
    inputs = [param for param in program.command.params if isinstance(param.type, InputFile)]
    output = next(param for param in program.command.params if isinstance(param.type, OutputPath))
    assert isinstance(output.type, OutputPath)
    path = f"{EXAMS}/exam.xml" if fitting(inputs[0]) == EXAMS else INPUT
    call = words(program, output, path if output.type.files else ".")
    refused_unchanged(folder, *call)
