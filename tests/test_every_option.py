"""Every option of every command, found from the registries: what cannot be is refused in one line,
before any work.

A new command is covered without a line here: its parameters' types say what each takes.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from indexer.cli.types import (
    MOST,
    Address,
    Command,
    InputFile,
    LanguageCode,
    OutputPath,
    PlainText,
)
from indexer.files.errors import UserError
from indexer.languages.registry import LANGUAGES
from tests.places import SAMPLES
from tests.programs import Program, every_command, ids, refused, run

COMMANDS = every_command()
EXISTING = "given.txt"
EXAMS = "exams"
OTHERS = {"ranks": "1,3"}
"""Values of further types, by the type's name."""

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


def parameters(*types: type[click.ParamType[Any]]) -> list[tuple[Program, click.Parameter]]:
    """The parameters of every command that take values of these types."""
    return [
        (one, param)
        for one in COMMANDS
        for param in one.command.params
        if isinstance(param.type, types)
    ]


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
    kind = param.type
    if isinstance(kind, InputFile):
        return EXISTING if kind.files else EXAMS
    if isinstance(kind, OutputPath | Address):
        return f"new/{param.name}"
    if isinstance(kind, click.IntRange):
        return str(MOST if kind.max is None else int(kind.max))
    if isinstance(kind, click.FloatRange):
        return "0.5"
    if isinstance(kind, LanguageCode):
        return next(iter(LANGUAGES))
    if isinstance(kind, click.Choice):
        return str(kind.choices[0])
    return OTHERS.get(kind.name, "text")


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


def test_every_command_is_of_the_class_that_looks_at_its_paths() -> None:
    assert [str(one) for one in COMMANDS if not isinstance(one.command, Command)] == []


def test_what_is_told_first_reaches_every_other_parameter(folder: Path) -> None:
    """The values called possible are taken by every type, else the tests below would test
    nothing."""
    refused_values = []
    for one in COMMANDS:
        for param in one.command.params:
            if not isinstance(param.type, click.types.BoolParamType):
                try:
                    param.type.convert(possible(param), param, None)
                except (UserError, click.UsageError) as error:
                    refused_values.append((str(one), param.name, error))
    assert refused_values == []


@pytest.mark.parametrize(("one", "param"), parameters(click.IntRange), ids=ids)
def test_a_number_beyond_its_bounds_is_refused(
    folder: Path, one: Program, param: click.Parameter
) -> None:
    for value in NUMBERS:
        assert param.opts[0] in check_refused(folder, one, {str(param.name): value})


@pytest.mark.parametrize(("one", "param"), parameters(click.Choice, LanguageCode), ids=ids)
def test_what_is_no_choice_is_refused_and_the_choices_named(
    folder: Path, one: Program, param: click.Parameter
) -> None:
    for value in ("", "none", "\x1b[31m", "x" * 5000):
        assert possible(param) in check_refused(folder, one, {str(param.name): value})


@pytest.mark.parametrize(("one", "param"), parameters(Address), ids=ids)
def test_what_addresses_no_index_is_refused(
    folder: Path, one: Program, param: click.Parameter
) -> None:
    for value in ADDRESSES:
        check_refused(folder, one, {str(param.name): value})


@pytest.mark.parametrize(("one", "param"), parameters(PlainText), ids=ids)
def test_a_text_that_is_none_is_refused(folder: Path, one: Program, param: click.Parameter) -> None:
    for value in TEXTS:
        check_refused(folder, one, {str(param.name): value})


@pytest.mark.parametrize(("one", "param"), parameters(InputFile), ids=ids)
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
    assert isinstance(param.type, InputFile)
    wrong += [] if param.type.inside else [EXAMS]
    wrong += [] if param.type.files else [EXISTING]
    for value in wrong:
        check_refused(folder, one, {str(param.name): value})


@pytest.mark.parametrize(("one", "param"), parameters(OutputPath), ids=ids)
def test_an_output_that_cannot_be_written_is_refused(
    folder: Path, one: Program, param: click.Parameter
) -> None:
    Path("locked").mkdir()
    wrong = ["", "nul\0", "\udcff", f"{EXISTING}/x", "x" * 300, "/proc/new/x"]
    assert isinstance(param.type, OutputPath)
    wrong += [] if param.type.inside else [EXAMS, "new/"]
    wrong += [] if param.type.files else [EXISTING]
    for value in wrong:
        check_refused(folder, one, {str(param.name): value})


def hard_link() -> str:
    os.link(EXISTING, "hard.txt")
    return "hard.txt"


def soft_link() -> str:
    Path("soft.txt").symlink_to(EXISTING)
    return "soft.txt"


def pairs(
    one_type: type[click.ParamType[Any]], other_type: type[click.ParamType[Any]]
) -> list[tuple[Program, click.Parameter, click.Parameter]]:
    """Two different parameters of one command, the first of one type, the second of the other."""
    return [
        (one, first, second)
        for one in COMMANDS
        for first, second in itertools.permutations(one.command.params, 2)
        if isinstance(first.type, one_type) and isinstance(second.type, other_type)
    ]


def written_over() -> list[tuple[Program, click.Parameter, click.Parameter, str, str]]:
    """For each output and input of a command: what is read, and what would be written over it."""
    cases = []
    for one, output, source in pairs(OutputPath, InputFile):
        assert isinstance(output.type, OutputPath)
        assert isinstance(source.type, InputFile)
        reads_file = source.type.files
        if output.type.files:
            read, written = (EXISTING, EXISTING) if reads_file else (EXAMS, f"{EXAMS}/gold.xml")
            cases.append((one, output, source, read, written))
        for pattern in output.type.inside if reads_file else ():
            name = (
                pattern.replace("[A-Z]", "E")
                .replace("[0-9]", "0")
                .replace("**", "x")
                .replace("*", "x")
            )
            cases.append((one, output, source, f"tree/{name}", "tree/"))
    return cases


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


@pytest.mark.parametrize(
    "name",
    [
        hard_link,
        soft_link,
        lambda: f"{EXAMS}/../{EXISTING}",
        lambda: str(Path(EXISTING).absolute()),
    ],
)
def test_a_file_that_is_read_is_known_by_every_name(folder: Path, name: Callable[[], str]) -> None:
    one, output, source = next((o, w, r) for o, w, r, read, _ in written_over() if read == EXISTING)
    line = check_refused(folder, one, {str(source.name): EXISTING, str(output.name): name()})
    assert line.startswith(f"{output.opts[0]} ")


@pytest.mark.parametrize(("one", "first", "second"), pairs(OutputPath, OutputPath), ids=ids)
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


@pytest.mark.parametrize(("one", "output", "index"), pairs(OutputPath, Address), ids=ids)
def test_no_output_goes_into_an_index(
    folder: Path, one: Program, output: click.Parameter, index: click.Parameter
) -> None:
    given = {str(output.name): "books/mine/metadata.json", str(index.name): "books/mine"}
    check_refused(folder, one, given)


ONE_INDEX = [
    (one, param)
    for one, param in parameters(Address)
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


@pytest.mark.parametrize("kind", ["textbook", "collection"])
def test_a_file_of_a_pattern_is_not_written_to(folder: Path, kind: str) -> None:
    line = refused("indexer", kind, "*.txt", "--rejects", EXISTING)
    assert line.startswith("--rejects would write to given.txt, which is read")


def test_values_are_shortened_in_the_line_that_refuses_them(folder: Path) -> None:
    one, param = parameters(click.IntRange)[0]
    assert "[…]" in check_refused(folder, one, {str(param.name): "9" * 5000})


def test_no_output_goes_into_the_index_that_is_taken_without_a_word(folder: Path) -> None:
    Path("book.txt").write_text("Rome was not built in a day.\n")
    assert not run("indexer", "textbook", "book.txt").status
    inside = "indexes/textbook-en/metadata.json"
    before = Path(inside).read_bytes()
    assert "lies in the index" in refused(
        "answerer", "ntcir-mc", f"{SAMPLES}/sample-exam-en.xml", "-o", inside
    )
    assert refused("indexer", "textbook", "book.txt", "--rejects", inside).startswith("--rejects ")
    assert Path(inside).read_bytes() == before
