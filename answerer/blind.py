"""`classical-qa run TASK --input DIR --output DIR`: a task answered blind, as TIRA runs code submissions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

from answerer.registry import task_named
from answerer.task import Lazy, load
from indexer.address import builder_for, open_index
from indexer.document import Document
from indexer.engines.contract import Metadata
from indexer.files.atomic import temporary_folder, write_all
from indexer.files.encoding import open_lines
from indexer.files.errors import UserError, bad_input
from indexer.files.json_objects import parse_json
from indexer.files.paths import register_claims
from indexer.languages.registry import detect_language
from indexer.parameters import CommandLine, argument, command_line, input_path, option, output_path, word_choice
from indexer.sources.textbook.schema import PARAGRAPHS, TEXT_FIELD
from retriever.collection import Topic, rank_collection, retrieval_metadata, trec_text
from retriever.provenance import sidecar_of, yaml_text

DEPTH = 1_000  # documents a query, as TREC's runs have them
_BATCH = 1_000  # documents handed to the engine at a time; bounds memory
_SAMPLE = 50  # documents whose letters determine the language


def _rank(given: Path, output: Path) -> None:
    """Ranks documents.jsonl* for queries.jsonl* (plain or .gz) of a folder by BM25; writes run.txt and its metadata."""
    (documents,), (queries,) = (_files(given, f"{name}.jsonl*", single=True) for name in ("documents", "queries"))
    asked = [Topic(*row) for row in _rows(queries, ("qid", "query_id"), ("query", "text", "default_text"))]
    sample = " ".join(text for _, text in islice(_documents(documents), _SAMPLE))
    language = detect_language(sample)
    terms = language.analyser().terms
    with temporary_folder() as folder:
        place = str(folder / "index")
        writer = builder_for(place).build(place, Metadata("textbook", (PARAGRAPHS,), language, {}))
        made = (Document(doc_id, text, {TEXT_FIELD: terms(text)}) for doc_id, text in _documents(documents))
        while batch := list(islice(made, _BATCH)):
            writer.add(PARAGRAPHS.name, batch)
        writer.finish_source(str(documents))
        writer.publish()
        index = open_index(place)
        lines = "".join(map(trec_text, rank_collection(index, asked, DEPTH)))
        metadata = yaml_text(retrieval_metadata(index, DEPTH))
        index.close()
    run = output / "run.txt"
    write_all([(run, lines), (sidecar_of(run), metadata)])


def _documents(path: Path) -> Iterator[tuple[str, str]]:
    return _rows(path, ("docno", "doc_id"), ("text", "default_text"))


def _rows(path: Path, ids: tuple[str, ...], texts: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yields (id, text) of each JSON line: the values of the first of the keys `ids`, and of the first of the keys
    `texts`, that the line has.

    Raises UserError with file and line if a line is not JSON or lacks id or text.
    """
    for line in open_lines(path):
        try:
            row = parse_json(line.text or "")
            yield str(next(row[key] for key in ids if key in row)), str(next(row[key] for key in texts if key in row))
        except (ValueError, TypeError, StopIteration):
            expected = f"expected a JSON object with {' or '.join(ids)}, and {' or '.join(texts)}"
            raise bad_input(path, line.number, line.reason or "no id or no text", expected) from None


def _answer_exams(given: Path, output: Path) -> None:
    """Answers the exams of a folder from its books (books/*) or the usual index; writes runs, traces and metadata."""
    with temporary_folder() as folder:
        index: list[str] = []
        if books := sorted(str(path) for path in (given / "books").glob("*") if path.is_file()):
            _invoke("indexer.sources.textbook.build:command", [*books, "--index", f"{folder}/index"])
            index = ["--index", f"{folder}/index"]
        for exam in _files(given, "*.xml"):
            run = output / f"{exam.stem}.run.xml"
            trace = ["--trace", str(run.with_suffix(".jsonl"))]
            _invoke(task_named("ntcir-mc").command, [str(exam), *index, "-o", str(run), *trace, "--metadata"])


def _rank_sentences(given: Path, output: Path) -> None:
    """Scores the sentences of a SelQA file (*.json) and writes SelQA-ass-result.json and its metadata."""
    result = output / "SelQA-ass-result.json"
    questions = _files(given, "*.json", single=True)
    _invoke(task_named("selqa").command, [*map(str, questions), "-o", str(result), "--metadata"])


def _invoke(command: Lazy[CommandLine], words: list[str]) -> None:
    """Runs a command with command-line arguments; its errors are raised, not printed."""
    from indexer.cli.commands import click_command

    with register_claims():
        click_command(load(command)).main(words, standalone_mode=False)


def _files(folder: Path, pattern: str, *, single: bool = False) -> list[Path]:
    """The files of a folder that match a glob pattern, sorted by path. Raises UserError if none does, or (`single`) if
    several do."""
    found = sorted(path for path in folder.glob(pattern) if path.is_file())
    if not found:
        raise UserError(f"{folder}: no {pattern} in it")
    if single and len(found) > 1:
        raise UserError(f"{folder}: {len(found)} files are called {pattern}, expected one")
    return found


BLIND: dict[str, Callable[[Path, Path], None]] = {
    "ranking": _rank,
    "ntcir-mc": _answer_exams,
    "selqa": _rank_sentences,
}


@command_line(
    "answerer run ranking --input samples/ranking-en --output out/blind",
    argument("task", type=partial(word_choice, tuple(BLIND))),
    option(
        "--input",
        "given",
        required=True,
        metavar="DIR",
        type=partial(input_path, ("*", "books/*"), files=False, path_type=Path),
        help="What is asked.",
    ),
    option(
        "--output",
        required=True,
        metavar="DIR",
        type=partial(output_path, ("**",), files=False),
        help="Where the answers go.",
    ),
)
def command(task: str, given: Path, output: str) -> None:
    """Answer what lies in a folder, without further options and without a network.

    ranking: documents.jsonl (docno, text) and queries.jsonl (qid, query), as ir_datasets are exported for TIRA, give
    run.txt. ntcir-mc: exams (*.xml) with their books in books/ give NAME.run.xml with its trace. selqa: one SelQA file
    (*.json) gives SelQA-ass-result.json. A file beside each describes how it was made (.ir-metadata.yml).
    """
    BLIND[task](given, Path(output))
