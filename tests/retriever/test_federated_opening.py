"""Several addresses opened as one index: what cannot be asked together is refused in one line, what
repeats is said."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from click.testing import CliRunner

from indexer.cli.commands import click_command
from indexer.files.errors import UserError
from indexer.languages.registry import LANGUAGES
from indexer.sources.tables.build import command as index_tables
from indexer.sources.textbook.build import command as index_textbook
from retriever.queries import open_addresses
from tests.books import index_of
from tests.places import SAMPLES
from tests.programs import invoked


def textbook(folder: Path, name: str, text: str) -> str:
    return index_of(folder, text, name=f"{name}.txt")


def refusal(*addresses: str, kind: str | None = None, language: str = "") -> str:
    with pytest.raises(UserError) as refused:
        open_addresses(addresses, kind, LANGUAGES[language] if language else None)
    return str(refused.value)


def test_an_index_named_twice_is_refused_however_it_is_written(tmp_path: Path) -> None:
    address = textbook(tmp_path, "rome", "Rome fell.\n")
    (tmp_path / "link").symlink_to(address)
    assert refusal(address, address) == f"--index {address}: the same index twice; name each once"
    assert address in refusal(address, f"{tmp_path}/../{tmp_path.name}/rome")
    assert refusal(address, f"{tmp_path}/link").startswith(
        f"--index {address} and {tmp_path}/link: "
    )


def test_a_password_is_not_told() -> None:
    said = refusal("http://me:secret@localhost:9/books", "http://me:secret@localhost:9/books")
    assert said.startswith("--index http://localhost:9/books: ")
    assert "secret" not in said


def test_unlike_languages_are_refused_with_both_names(tmp_path: Path) -> None:
    english, japanese = (
        textbook(tmp_path, "en", "Rome fell.\n"),
        textbook(tmp_path, "ja", "ローマは滅びた。\n"),
    )
    assert refusal(english, japanese, kind="textbook", language="en") == (
        f"the index {english} is of the language 'en', {japanese} of 'ja': ask together only "
        f"indexes of one language"
    )


def test_unlike_kinds_are_refused_with_both_names(tmp_path: Path) -> None:
    book, tables = textbook(tmp_path, "en", "Rome fell.\n"), str(tmp_path / "tables")
    done = CliRunner().invoke(
        click_command(index_tables), [str(SAMPLES / "tbqa.dev.txt"), "--index", tables]
    )
    assert done.exception is None, done.exception
    said = refusal(book, tables)
    assert book in said
    assert tables in said


def test_indexes_that_are_alike_but_not_what_is_needed_are_refused(tmp_path: Path) -> None:
    one, other = (
        textbook(tmp_path, "rome", "Rome fell.\n"),
        textbook(tmp_path, "gaul", "Gaul fell.\n"),
    )
    assert one in refusal(one, other, language="ja")


def test_an_address_without_an_index_is_refused(tmp_path: Path) -> None:
    assert str(tmp_path / "none") in refusal(
        textbook(tmp_path, "rome", "Rome fell.\n"), str(tmp_path / "none")
    )


def test_a_file_that_both_hold_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    one = textbook(tmp_path, "rome", "Rome fell.\n")
    invoked(index_textbook, tmp_path / "rome.txt", "--index", tmp_path / "again")
    with caplog.at_level(logging.WARNING):
        open_addresses([one, str(tmp_path / "again")])
    assert (
        f"{one} and {tmp_path}/again hold the same documents, of {tmp_path}/rome.txt" in caplog.text
    )
