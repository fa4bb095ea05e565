"""`python -m retriever ADDRESS QUERY`: the best documents of an index, with an explanation of their
scores."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from indexer.address import open_index
from indexer.cli.program import command_given, run_program
from indexer.cli.types import COUNT, Address, Command, InputFile, PlainText, version_option
from indexer.files.errors import UserError
from indexer.files.messages import first_few, info, warn
from indexer.location import Location
from retriever.queries import terms_of, text_part, union_query

if TYPE_CHECKING:
    from indexer.engines.contract import Index

EXAMPLE = 'retriever textbook-en "Who built the Taj Mahal?" -k 3 --explain'


@version_option
@click.command(cls=Command, example=EXAMPLE)
@click.argument("address", type=Address())
@click.argument("query", required=False, type=PlainText())
@click.option("-k", type=COUNT, default=10, help="How many documents [10].")
@click.option(
    "--part",
    metavar="PART",
    type=PlainText(),
    help="Which part of the index to search [its main one].",
)
@click.option("--explain", is_flag=True, help="Show what each term gave to each score.")
@click.option(
    "--questions",
    metavar="FILE",
    type=InputFile(),
    help="Ask a file's questions: one a line, ID TAB question, or a file of DBQA, TBQA, SelQA, "
    "WikiQA, TrecQA.",
)
@click.option(
    "--model",
    metavar="MODEL",
    type=InputFile(),
    help="With --questions: put the hits in a ranker's order.",
)
@click.option(
    "--metadata",
    is_flag=True,
    help="With --format trec: begin with how the run was made (ir_metadata).",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "jsonl", "trec"]),
    default="table",
    help="Form of output [table].",
)
def main(
    address: Location,
    query: str | None,
    k: int,
    part: str | None,
    explain: bool,
    questions: Path | None,
    model: Path | None,
    metadata: bool,
    form: str,
) -> None:
    """Search an index: the query's terms are scored by BM25 (k1 1.2, b 0.75), ties ordered by
    doc_id.

    Give a QUERY, or --questions FILE; --format trec is for the latter. A MODEL of `answerer train`
    (selqa, nlpcc-dbqa or nlpcc-tbqa, as the index is) reranks the 100 best hits of each question.
    """
    if (query is None) == (questions is None):
        raise UserError("give an ADDRESS and either a QUERY or --questions FILE")
    if questions is None and (model or form == "trec"):
        raise UserError("--model and --format trec need --questions FILE")
    if metadata and form != "trec":
        raise UserError("--metadata needs --format trec")
    with closing(open_index(address)) as index:
        if questions is not None:
            print_rankings(index, questions, k, part, model, form, metadata)
        elif explain:
            print_explained_hits(index, query or "", k, part, form)
        else:
            print_hits(index, query or "", k, part, form)


def print_hits(index: Index, query: str, k: int, part: str | None, form: str) -> None:
    """Prints the k best documents of a query in plain words, as `table` or `jsonl`."""
    hits = text_part(index, part).search([union_query(terms_of(index)(query))], k)[0]
    if not hits:
        info("nothing found")
    for rank, hit in enumerate(hits, 1):
        if form == "jsonl":
            from indexer.sources.textbook.schema import decode_place

            row = {"rank": rank, "doc_id": hit.doc_id, "text": hit.document.text}
            row |= {"score": hit.score, "title": decode_place(hit.document).citation}
            click.echo(json.dumps(row, ensure_ascii=False))
        else:
            print_row([rank], hit.score, hit.doc_id, hit.document.text)


def print_explained_hits(index: Index, query: str, k: int, part: str | None, form: str) -> None:
    """Prints the k best documents of a query with what each term gave to each score, as `table` or
    `jsonl`."""
    from retriever.explain import explain_hits

    searcher = text_part(index, part)
    terms = union_query(terms_of(index)(query))
    hits = searcher.search([terms], k)[0]
    if not hits:
        info("nothing found")
    for rank, evidence in enumerate(explain_hits(searcher, terms, hits), 1):
        if form == "jsonl":
            click.echo(json.dumps({"rank": rank, **evidence._asdict()}, ensure_ascii=False))
            continue
        print_row([rank], evidence.score, evidence.doc_id, evidence.text)
        for term, score in evidence.terms.items():
            click.echo(f"\t{score:.4f}\t  {term}")


def print_rankings(
    index: Index,
    path: Path,
    k: int,
    part: str | None,
    model: Path | None,
    form: str,
    metadata: bool,
) -> None:
    """Prints the ranked documents of all questions of the file `path`, as `trec`, `jsonl` or
    `table`; with `metadata` the TREC run's header first. Warns of questions without hits."""
    from retriever.collection import rank_collection, read_topics, retrieval_metadata, trec_text
    from retriever.provenance import header_text

    topics = read_topics(path)
    unanswered: list[str] = []
    for number, ranked in enumerate(rank_collection(index, topics, k, part, model)):
        if metadata and number == 0:
            made_by = retrieval_metadata(index, k, part, model, command_given(), [path])
            click.echo(header_text(made_by), nl=False)
        if not ranked.documents:
            unanswered.append(ranked.query_id)
        if form == "trec":
            click.echo(trec_text(ranked), nl=False)
            continue
        for rank, (hit, score) in enumerate(ranked.documents, 1):
            if form == "jsonl":
                row = {"query_id": ranked.query_id, "rank": rank, "doc_id": hit.doc_id}
                row |= {"score": score, "text": " ".join(hit.document.text.split())}
                click.echo(json.dumps(row, ensure_ascii=False))
            else:
                print_row([ranked.query_id, rank], score, hit.doc_id, hit.document.text)
    if unanswered:
        warn(f"{len(unanswered)} of {len(topics)} questions have no hits: {first_few(unanswered)}")


def print_row(first: Sequence[object], score: float, doc_id: str, text: str) -> None:
    """Prints a document on one line, its columns parted by tabs."""
    click.echo("\t".join([*map(str, first), f"{score:.4f}", doc_id, " ".join(text.split())]))


if __name__ == "__main__":
    run_program(main, "python -m retriever")
