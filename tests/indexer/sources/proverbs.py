"""A toy kind of corpus, one proverb a line: all that a new kind needs besides its line in the
registry."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from indexer.address import Location
from indexer.build import Batch, BuildOptions, Corpus, SourceFile, build_index, corpus_metadata
from indexer.cli.build_options import build_options, index_option
from indexer.cli.types import Command, InputFile
from indexer.engines.contract import Document, Part
from indexer.ingest_report import IngestReport
from indexer.languages.english import ENGLISH

PROVERBS = Part("proverbs", ("text",), ("year",))


class Proverb(NamedTuple):
    """A line `year TAB proverb`."""

    line: int
    year: str
    text: str


def read_proverbs(path: str, tally: IngestReport) -> Iterator[Proverb]:
    for number, line in enumerate(Path(path).read_text("utf-8").splitlines(), 1):
        tally.read += 1
        year, tab, text = line.partition("\t")
        if tab:
            yield Proverb(number, year, text)
        else:
            tally.reject(path, number, "no year", line)


def make(proverbs: list[Proverb]) -> Batch:
    terms = ENGLISH.analyser().terms
    documents = [
        Document(f"p-{one.line}", one.text, {"text": terms(one.text)}, {"year": (one.year,)})
        for one in proverbs
    ]
    return Batch({PROVERBS.name: documents})


@click.command(cls=Command, example="index proverbs proverbs.tsv")
@click.argument("file", metavar="FILE", type=InputFile())
@index_option("proverbs", "proverbs")
@build_options
def command(file: Path, address: Location, options: BuildOptions) -> None:
    """Index proverbs."""
    path = str(file)
    metadata = corpus_metadata("proverbs", [PROVERBS], ENGLISH, [path])
    corpus = Corpus(metadata, [SourceFile(path, partial(read_proverbs, path))], make)
    build_index(address, corpus, options)
