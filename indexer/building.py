"""Indexes built from Python: of files as the commands take them, or of documents that a program has."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager

import click

from indexer.cli.given_values import path_given
from indexer.cli.options import BuildOptions
from indexer.cli.parameters import require_input
from indexer.cli.settings import settings
from indexer.files.errors import DISK_FULL, WORKING_FILE, cannot_write
from indexer.given import (
    Datasets,
    Documents,
    Passing,
    Tables,
    Triples,
    passing_datasets,
    passing_lines,
    table_line,
    text_line,
    triple_line,
)
from indexer.index import Index

FileName = str | os.PathLike[str]
Files = FileName | Sequence[FileName]


def build_textbook(texts: Files | Documents, index: FileName | None = None, **options: object) -> Index:
    """Build an index of running text at an address, by default `textbook-LANGUAGE`.

    `texts` are files (patterns such as `books/*.txt` too), or documents `{"id": …, "title": …, "text": …}` one by one;
    these are read once and never held. `options` are the command's, by their long names: `language="en"`,
    `terms="glossary.csv"`, `unit="paragraph"`, `names=False`, `jobs=2`, `replace=True`. UserError for what the command
    would refuse; nothing is then left behind.
    """
    from indexer.sources.textbook.command import build, command
    from indexer.sources.textbook.files import textbook_files

    given, files = _settings("textbook", command, options), _files(texts)
    passing = passing_lines(texts, text_line, "documents.jsonl")
    return _built(build, files and textbook_files(files), passing, None if index is None else _address(index), given)


def build_triples(kb: FileName | Triples, index: FileName = "triples", **options: object) -> Index:
    """Build an index of a knowledge base: a file of lines `subject ||| predicate ||| object`, or triples of texts one
    by one. Options and errors as the command's (`mentions="mentions.txt"`)."""
    from indexer.sources.triples.command import build, command

    given, passing = _settings("triples", command, options), passing_lines(kb, triple_line, "triples.kb")
    files = _readable([kb]) if isinstance(kb, str | os.PathLike) else None
    return _built(lambda paths, **more: build(paths[0], **more), files, passing, _address(index), given)


def build_tables(tables: Files | Tables, index: FileName = "tables", **options: object) -> Index:
    """Build an index of tables: NLPCC TBQA files, or tables one by one (caption, names of columns, rows of cells).
    Options and errors as the command's (`language="zh"`)."""
    from indexer.sources.tables.command import build, command

    given, files = _settings("tables", command, options), _files(tables)
    return _built(
        build, files and _readable(files), passing_lines(tables, table_line, "tables.txt"), _address(index), given
    )


def build_datasets(datasets: Files | Datasets, index: FileName = "datasets", **options: object) -> Index:
    """Build an index of open data: collections (JSON lines) and archives, or data sets one by one, as mappings:
    `{"id": …, "title": …, "description": …, "files": {"prices.csv": bytes or text}}`. Options and errors as the
    command's (`only="questions.tsv"`)."""
    from indexer.sources.datasets.command import build, command

    given, files = _settings("datasets", command, options), _files(datasets)
    return _built(build, files and _readable(files), passing_datasets(datasets), _address(index), given)


def _built(
    build: Callable[..., Index],
    files: list[str] | None,
    passing: AbstractContextManager[Passing],
    address: str | None,
    given: Mapping[str, object],
) -> Index:
    """What a build gives of files, or of what passes through files; how often Python looks for garbage stays."""
    before = gc.get_threshold()
    try:
        if files is not None:
            return build(files, address=address, **given)
        with passing as passed:
            return build(passed.paths, address=address, named=passed.named, **given)
    except OSError as error:
        if error.errno in DISK_FULL:
            raise cannot_write(error.filename or WORKING_FILE, error) from error
        raise
    finally:
        gc.set_threshold(*before)


def _address(index: FileName) -> str:
    path = path_given(index, "index")
    return path if isinstance(index, str) or "/" in path else f"./{path}"


def _settings(kind: str, command: click.Command, options: Mapping[str, object]) -> dict[str, object]:
    """The options of a command, those of any build in one; --index, --add, --quiet and --version are not among them."""
    params = [param for param in command.params if param.expose_value and param.name not in ("address", "add")]
    given = settings(kind, params, options, also=["index"])
    return {
        **{name: value for name, value in given.items() if name not in BuildOptions._fields},
        "options": BuildOptions(**{name: given[name] for name in BuildOptions._fields if name in given}),  # type: ignore[arg-type]  # as click's types say
    }


def _files(texts: object) -> list[str] | None:
    """The names of files, where they are files and no documents."""
    if isinstance(texts, str | os.PathLike):
        return [os.fspath(texts)]
    if isinstance(texts, Sequence) and texts and all(isinstance(one, str | os.PathLike) for one in texts):
        return [os.fspath(one) for one in texts]
    return None


def _readable(paths: Sequence[FileName]) -> list[str]:
    for path in paths:
        require_input(os.fspath(path), "a file")
    return [os.fspath(path) for path in paths]
