"""What every command of ours does, and what its types of options take."""

from __future__ import annotations

import os
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from indexer.cli.groups import LazyGroup
from indexer.cli.types import Address, Command, InputFile, LanguageCode, OutputPath, PlainText
from indexer.files.errors import UserError
from indexer.languages.japanese import JAPANESE


@click.command(
    cls=Command, epilog='Example: python -m program in.txt --title "The two words" -o out.txt'
)
@click.argument("sources", nargs=-1, metavar="FILE...", type=InputFile())
@click.option("--books", type=InputFile(inside=("*.txt",)))
@click.option("--index", type=Address())
@click.option("--built", type=Address(written=True))
@click.option("-o", "output", type=OutputPath(), default="-")
@click.option("--tree", type=OutputPath(inside=("E_*.xml",)))
@click.option("--log", type=OutputPath(begins=b"{"))
@click.option("--language", type=LanguageCode())
@click.option("--title", type=PlainText())
def command(**values: object) -> None:
    for name, value in values.items():
        click.echo(f"{name}: {value!r}")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("in.txt").write_text("Rome\n")
    Path("books").mkdir()
    Path("books/a.txt").write_text("Athens\n")
    return tmp_path


def printed(*words: str) -> str:
    result = CliRunner().invoke(command, words, standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return result.output


def refusal(*words: str) -> str:
    with pytest.raises(UserError) as error:
        printed(*words)
    return str(error.value)


def test_a_file_is_a_path_an_address_a_location_a_code_a_language(folder: Path) -> None:
    lines = printed("in.txt", "--index", "books/mine", "--language", "ja").splitlines()
    assert "sources: (PosixPath('in.txt'),)" in lines
    assert any(line.startswith("index: Location(shown='books/mine'") for line in lines)
    assert f"language: {JAPANESE!r}" in lines


@pytest.mark.parametrize("output", ["in.txt", "hard.txt", "soft.txt", "books/../in.txt"])
def test_an_output_is_no_input_under_any_name(folder: Path, output: str) -> None:
    os.link("in.txt", "hard.txt")
    Path("soft.txt").symlink_to("in.txt")
    assert refusal("in.txt", "-o", output) == (
        "-o would write to in.txt, which is read (FILE): choose another place"
    )


def test_an_output_is_no_file_of_a_folder_that_is_read(folder: Path) -> None:
    assert "which is read (--books)" in refusal("--books", "books", "-o", "books/a.txt")
    assert "output: 'books/b.md'" in printed("--books", "books", "-o", "books/b.md")


def test_files_of_an_output_folder_are_no_input(folder: Path) -> None:
    Path("tree").mkdir()
    Path("tree/E_1.xml").touch()
    assert "which is read (FILE)" in refusal("tree/E_1.xml", "--tree", "tree")


@pytest.mark.parametrize(("first", "second"), [("a", "./a"), ("-", "/dev/stdout")])
def test_two_outputs_are_not_one_file(folder: Path, first: str, second: str) -> None:
    assert "-o and --log would both write to" in refusal("-o", first, "--log", second)


def test_two_outputs_to_nowhere_are_fine(folder: Path) -> None:
    assert "log: '/dev/null'" in printed("-o", "/dev/null", "--log", "/dev/null")


@pytest.mark.parametrize("option", ["--index", "--built"])
def test_no_output_goes_into_an_index_of_the_command(folder: Path, option: str) -> None:
    assert option in refusal(option, "ix/new", "-o", "ix/new/metadata.json")


def test_no_output_goes_into_any_index(folder: Path) -> None:
    Path("ix").mkdir()
    Path("ix/metadata.json").write_text('{"generation": "1"}')
    assert refusal("-o", "ix/1/run.txt").startswith("-o ix/1/run.txt: lies in the index")
    Path("ix/metadata.json").write_text('{"title": "of another program"}')
    assert "output: 'ix/run.txt'" in printed("-o", "ix/run.txt")


def test_an_option_of_one_value_is_given_once(folder: Path) -> None:
    assert refusal("--title", "a", "--title", "b") == "--title is given 2 times: give it once"


def test_an_output_that_holds_something_else_is_left_alone(folder: Path) -> None:
    assert "exists and holds other files" in refusal("--log", "in.txt")
    assert Path("in.txt").read_text() == "Rome\n"


@pytest.mark.parametrize("text", ["", " ", "\x1b[31mred"])
def test_a_text_has_characters_that_can_be_read(folder: Path, text: str) -> None:
    assert refusal("--title", text).startswith("--title ")


def test_an_unknown_language_is_refused_with_those_that_there_are(folder: Path) -> None:
    with pytest.raises(click.BadParameter, match="'fr' is not one of 'ja', 'en', 'zh'"):
        printed("--language", "fr")


def test_the_example_is_cut_between_words_only() -> None:
    result = CliRunner().invoke(command, ["-h"], terminal_width=40)
    assert result.output.endswith(
        '  Example: python -m program in.txt \\\n    --title "The two words" -o out.txt\n'
    )


def test_a_misspelt_command_gets_those_that_it_may_mean() -> None:
    registry = {"textbook": (command, "Books."), "triples": (command, "Facts.")}
    result = CliRunner().invoke(LazyGroup(registry=registry), ["textbok"])
    assert "No such command 'textbok'. Did you mean 'textbook'?" in result.output


@pytest.mark.parametrize(
    ("name", "content", "form"),
    [
        ("chapter.pdf", b"%PDF-1.7\n", "a PDF document"),
        ("chapter", b"%PDF-1.7\n", "a PDF document"),
        ("photo.txt", b"\x89PNG\r\n\x1a\n\0", "a PNG image"),
        ("quiz.zip", b"PK\x03\x04word/document.xml", "a DOCX document"),
        ("new.docx", None, "the name of a .docx file"),
        ("NEW.PDF", None, "the name of a .pdf file"),
    ],
)
def test_no_output_goes_over_a_document_or_takes_its_name(
    folder: Path, name: str, content: bytes | None, form: str
) -> None:
    if content:
        Path(name).write_bytes(content)
    assert refusal("-o", name) == (
        f"-o {name}: is {form}, which this command does not write; choose another name"
    )


def test_an_earlier_output_is_written_over(folder: Path) -> None:
    Path("run.tsv").write_text("id\tanswer\n", "utf-8")
    assert "output: 'run.tsv'" in printed("-o", "run.tsv")
