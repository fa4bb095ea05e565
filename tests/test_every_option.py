"""Every option of every command, found from the registries: what cannot be is refused in one line,
before any work.

A new command is covered without a line here: its parameters' types say what each takes.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from indexer.cli.commands import DeclaredCommand
from indexer.files.errors import UserError
from indexer.files.validation import validate_plain_text
from indexer.languages.registry import LANGUAGES
from indexer.parameters import (
    MOST,
    index_address,
    input_path,
    input_pattern,
    integer,
    language,
    number,
    output_path,
    word_choice,
)
from tests.programs import Program, every_command, refused, takes, type_of

COMMANDS = [one for one in every_command() if isinstance(one.command, DeclaredCommand)]
INPUTS = (input_path, input_pattern)
EXISTING = "given.txt"
EXAMS = "exams"

NUMBERS = [
    "",
    "-1",
    "99999999999999999999",
    "9" * 5000,
    "nan",
    "inf",
    "-inf",
    "1e999",
    "one",
    "1,5",
]
ADDRESSES = [
    "",
    "-",
    "Two Words",
    "http://",
    "://x",
    "http://host:99999/ix",
    "http://host:port/ix",
    "http://[::1/ix",
    "http://ho st/ix",
    "http://host/Books",
    "a,b",
    "x\0",
    "\x1b[31mx",
]
TEXTS = ["", " ", "\x1b[31mred", "\0", "\udcff"]


def parameters(*checks: Callable[..., object]) -> list[tuple[Program, click.Parameter]]:
    return [
        (one, param) for one in COMMANDS for param in one.command.params if takes(param, *checks)
    ]


def limit(param: click.Parameter, name: str, otherwise: Any) -> Any:
    """A limit of a parameter's type, by its name in the check; `inside` may be given by its
    place."""
    kind = type_of(param)
    return kind.keywords.get(name, kind.args[0] if name == "inside" and kind.args else otherwise)


def ids(value: object) -> str | None:
    """A test is called by its command and parameter."""
    return (
        str(value)
        if isinstance(value, Program)
        else value.name
        if isinstance(value, click.Parameter)
        else None
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a file and a folder of an exam that commands may be given."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / EXISTING).write_text("given\n")
    (tmp_path / EXAMS).mkdir()
    for name in ("exam.xml", "gold.xml"):
        (tmp_path / EXAMS / name).write_text("<exam/>")
    return tmp_path


def possible(param: click.Parameter) -> str:
    """A value that a parameter takes, so that a command gets as far as its other parameters."""
    if takes(param, *INPUTS):
        return EXISTING if limit(param, "files", True) else EXAMS
    if takes(param, output_path, index_address):
        return f"new/{param.name}"
    if takes(param, integer):
        return str((*type_of(param).args, MOST)[1])
    if takes(param, number):
        return "0.5"
    if takes(param, language):
        return next(iter(LANGUAGES))
    return str(type_of(param).args[0][0]) if takes(param, word_choice) else "text"


def words(one: Program, given: dict[str, str]) -> list[str]:
    """A command line with these values, and possible ones for what is required."""
    options, arguments = [], []
    for param in one.command.params:
        value = given.get(str(param.name), possible(param) if param.required else None)
        if isinstance(param, click.Argument):
            arguments += [value] if value is not None else []
        elif value is not None:
            options.append(
                f"{param.opts[0]}={value}"
                if param.opts[0].startswith("--")
                else f"{param.opts[0]}{value}"
            )
            if not value and not param.opts[0].startswith("--"):
                options[-1:] = [param.opts[0], value]
    return [*one.words, *options, "--", *arguments]


def state(folder: Path) -> dict[str, bytes | None]:
    """Everything in a folder, with the bytes of its files."""
    paths = sorted(folder.rglob("*"))
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in paths
    }


def check_refused(folder: Path, one: Program, given: dict[str, str]) -> str:
    """The line with which a command refuses; nothing in the folder has changed."""
    before = state(folder)
    line = refused(*words(one, given))
    assert state(folder) == before
    return line


def test_what_is_told_first_reaches_every_other_parameter(folder: Path) -> None:
    """The values called possible are taken by every type, else the tests below would test
    nothing."""
    refused_values = []
    for one in COMMANDS:
        for param in one.command.params:
            if not isinstance(param.type, click.types.BoolParamType):
                try:
                    type_of(param)(
                        value=param.type.convert(possible(param), param, None), named="it"
                    )
                except (UserError, ValueError) as error:
                    refused_values.append((str(one), param.name, error))
    assert refused_values == []


@pytest.mark.parametrize(("one", "param"), parameters(integer), ids=ids)
def test_a_number_beyond_its_bounds_is_refused(
    folder: Path, one: Program, param: click.Parameter
) -> None:
    for value in NUMBERS:
        assert param.opts[0] in check_refused(folder, one, {str(param.name): value})


@pytest.mark.parametrize(("one", "param"), parameters(word_choice, language), ids=ids)
def test_what_is_no_choice_is_refused_and_the_choices_named(
    folder: Path, one: Program, param: click.Parameter
) -> None:
    for value in ("", "none", "\x1b[31m", "x" * 5000):
        assert possible(param) in check_refused(folder, one, {str(param.name): value})


@pytest.mark.parametrize(("one", "param"), parameters(index_address), ids=ids)
def test_what_addresses_no_index_is_refused(
    folder: Path, one: Program, param: click.Parameter
) -> None:
    for value in ADDRESSES:
        check_refused(folder, one, {str(param.name): value})


@pytest.mark.parametrize(("one", "param"), parameters(validate_plain_text), ids=ids)
def test_a_text_that_is_none_is_refused(folder: Path, one: Program, param: click.Parameter) -> None:
    for value in TEXTS:
        check_refused(folder, one, {str(param.name): value})


@pytest.mark.parametrize(("one", "param"), parameters(*INPUTS), ids=ids)
def test_an_input_that_cannot_be_read_is_refused(
    folder: Path, one: Program, param: click.Parameter
) -> None:
    Path("nowhere").symlink_to("missing")
    wrong = [
        "",
        "-",
        "missing",
        "nowhere",
        "nul\0",
        "\udcff",
        "x" * 300,
        f"{EXISTING}/",
        f"{EXISTING}/x",
    ]
    wrong += [EXAMS] if not limit(param, "inside", ()) else []
    wrong += [EXISTING] if not limit(param, "files", True) else []
    for value in wrong:
        check_refused(folder, one, {str(param.name): value})


@pytest.mark.parametrize(("one", "param"), parameters(output_path), ids=ids)
def test_an_output_that_cannot_be_written_is_refused(
    folder: Path, one: Program, param: click.Parameter
) -> None:
    Path("locked").mkdir()
    wrong = ["", "nul\0", "\udcff", f"{EXISTING}/x", "x" * 300, "/proc/new/x"]
    wrong += [EXAMS, "new/"] if not limit(param, "inside", ()) else []
    wrong += [EXISTING] if not limit(param, "files", True) else []
    for value in wrong:
        check_refused(folder, one, {str(param.name): value})


Checks = tuple[Callable[..., object], ...]


def pairs(
    one_kind: Checks, other_kind: Checks
) -> list[tuple[Program, click.Parameter, click.Parameter]]:
    """Two different parameters of one command, the first of one kind, the second of the other."""
    return [
        (one, first, second)
        for one in COMMANDS
        for first, second in itertools.permutations(one.command.params, 2)
        if takes(first, *one_kind) and takes(second, *other_kind)
    ]


def written_over() -> list[tuple[Program, click.Parameter, click.Parameter, str, str]]:
    """For each output and input of a command: what is read, and what would be written over it."""
    found = []
    for one, output, source in pairs((output_path,), INPUTS):
        reads_file = limit(source, "files", True)
        if limit(output, "files", True):
            read, written = (EXISTING, EXISTING) if reads_file else (EXAMS, f"{EXAMS}/gold.xml")
            found.append((one, output, source, read, written))
        for pattern in limit(output, "inside", ()) if reads_file else ():
            name = (
                pattern.replace("[A-Z]", "E")
                .replace("[0-9]", "0")
                .replace("**", "x")
                .replace("*", "x")
            )
            found.append((one, output, source, f"tree/{name}", "tree/"))
    return found


@pytest.mark.parametrize(("one", "output", "source", "read", "written"), written_over(), ids=ids)
def test_no_command_writes_to_a_file_that_it_reads(
    folder: Path,
    one: Program,
    output: click.Parameter,
    source: click.Parameter,
    read: str,
    written: str,
) -> None:
    Path(read).parent.mkdir(parents=True, exist_ok=True)
    Path(read).touch()
    line = check_refused(folder, one, {str(source.name): read, str(output.name): written})
    assert "which is read" in line or "exists and holds other files" in line


@pytest.mark.parametrize(("one", "first", "second"), pairs((output_path,), (output_path,)), ids=ids)
def test_no_two_outputs_go_to_one_place(
    folder: Path, one: Program, first: click.Parameter, second: click.Parameter
) -> None:
    Path("link").symlink_to("both.txt")
    for place, same in (
        ("both.txt", "link"),
        ("new/both.txt", "new/../new/both.txt"),
        ("-", "/dev/stdout"),
    ):
        line = check_refused(folder, one, {str(first.name): place, str(second.name): same})
        assert "would both write to" in line


@pytest.mark.parametrize(
    ("one", "output", "index"), pairs((output_path,), (index_address,)), ids=ids
)
def test_no_output_goes_into_an_index(
    folder: Path, one: Program, output: click.Parameter, index: click.Parameter
) -> None:
    given = {str(output.name): "books/mine/metadata.json", str(index.name): "books/mine"}
    check_refused(folder, one, given)


ONE_INDEX = [
    (one, param)
    for one, param in parameters(index_address)
    if isinstance(param, click.Option) and not param.multiple
]


@pytest.mark.parametrize(("one", "param"), ONE_INDEX, ids=ids)
def test_an_index_that_would_be_passed_over_is_refused(
    folder: Path, one: Program, param: click.Parameter
) -> None:
    """Of two values click takes the last (an option that takes them all is declared `multiple`)."""
    line = refused(
        *one.words, f"{param.opts[0]}=a", *words(one, {str(param.name): "b"})[len(one.words) :]
    )
    assert line.startswith(f"{param.opts[0]} is given 2 times: give it once")
