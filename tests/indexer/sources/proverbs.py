"""A toy kind of corpus, one proverb a line: all that a new kind needs besides its line in the
registry."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from indexer.build import (
    BUILD_OPTIONS,
    Batch,
    Corpus,
    SourceFile,
    build_index,
    corpus_metadata,
    gather_options,
    index_option,
)
from indexer.document import Document, Part
from indexer.ingest_report import IngestReport
from indexer.languages.english import ENGLISH
from indexer.parameters import argument, command_line, input_path

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


@command_line(
    "indexer proverbs proverbs.tsv",
    argument("file", input_path, "FILE"),
    index_option("proverbs", "proverbs"),
    *BUILD_OPTIONS,
)
def command(file: str, address: str, **values: Any) -> None:
    """Index proverbs."""
    metadata = corpus_metadata("proverbs", [PROVERBS], ENGLISH, [file])
    corpus = Corpus(metadata, [SourceFile(file, partial(read_proverbs, file))], make)
    build_index(address, corpus, gather_options(values)["options"])
