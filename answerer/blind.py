"""`classical-qa run ranking --input DIR --output DIR`: a collection ranked blind, as TIRA runs code
submissions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path

import click

from indexer.address import builder_for, open_index
from indexer.cli.program import command_given
from indexer.cli.types import Command, InputFile, OutputPath
from indexer.document import Document
from indexer.engines.contract import Metadata
from indexer.files.atomic import temporary_folder, write_all
from indexer.files.encoding import open_lines
from indexer.files.errors import UserError, bad_input
from indexer.files.json_objects import parse_json
from indexer.languages.registry import detect_language
from indexer.sources.textbook.schema import PARAGRAPHS, TEXT_FIELD
from retriever.collection import rank_collection, retrieval_metadata, trec_text
from retriever.provenance import sidecar_of, yaml_text
from retriever.topics import Topic

DEPTH = 1_000  # documents a query, as TREC's runs have them
_BATCH = 1_000  # documents handed to the engine at a time; bounds memory
_SAMPLE = 50  # documents whose letters determine the language


def _rows(path: Path, ids: tuple[str, ...], texts: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yields (id, text) of each JSON line: the values of the first of the keys `ids`, and of the
    first of the keys `texts`, that it has. Raises UserError with file and line if a line is not
    JSON or lacks id or text."""
    for line in open_lines(path):
        try:
            row = parse_json(line.text or "")
            yield (
                str(next(row[key] for key in ids if key in row)),
                str(next(row[key] for key in texts if key in row)),
            )
        except (ValueError, TypeError, StopIteration):
            expected = f"expected a JSON object with {' or '.join(ids)}, and {' or '.join(texts)}"
            raise bad_input(
                path, line.number, line.reason or "no id or no text", expected
            ) from None


_documents = partial(_rows, ids=("docno", "doc_id"), texts=("text", "default_text"))


def _file(folder: Path, pattern: str) -> Path:
    """The file of a folder that matches a glob pattern. Raises UserError if none does, or
    several."""
    found = sorted(path for path in folder.glob(pattern) if path.is_file())
    if len(found) != 1:
        raise UserError(f"{folder}: {len(found)} files are called {pattern}, expected one")
    return found[0]


@click.command(
    cls=Command, example="answerer run ranking --input samples/ranking-en --output out/blind"
)
@click.argument("task", type=click.Choice(["ranking"]))
@click.option(
    "--input",
    "given",
    required=True,
    metavar="DIR",
    type=InputFile("*", files=False),
    help="What is asked.",
)
@click.option(
    "--output",
    required=True,
    metavar="DIR",
    type=OutputPath("**", files=False),
    help="Where the answers go.",
)
def command(task: str, given: Path, output: str) -> None:
    """Answer what lies in a folder, without further options and without a network.

    ranking: documents.jsonl (docno, text) and queries.jsonl (qid, query), as ir_datasets are
    exported for TIRA, give run.txt. A file beside it describes how it was made (.ir-metadata.yml).
    """
    documents, queries = (_file(given, f"{name}.jsonl*") for name in ("documents", "queries"))
    asked = [
        Topic(*row)
        for row in _rows(queries, ("qid", "query_id"), ("query", "text", "default_text"))
    ]
    sample = " ".join(text for _, text in islice(_documents(documents), _SAMPLE))
    language = detect_language(sample)
    terms = language.analyser().terms
    with temporary_folder() as folder:
        place = str(folder / "index")
        writer = builder_for(place).build(place, Metadata("textbook", (PARAGRAPHS,), language, {}))
        made = (
            Document(doc_id, text, {TEXT_FIELD: terms(text)})
            for doc_id, text in _documents(documents)
        )
        while batch := list(islice(made, _BATCH)):
            writer.add(PARAGRAPHS.name, batch)
        writer.finish_source(str(documents))
        writer.publish()
        index = open_index(place)
        lines = "".join(map(trec_text, rank_collection(index, asked, DEPTH)))
        metadata = yaml_text(retrieval_metadata(index, DEPTH, command=command_given()))
        index.close()
    run = Path(output) / "run.txt"
    write_all([(run, lines), (sidecar_of(run), metadata)])
