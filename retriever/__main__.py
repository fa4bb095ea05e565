"""`python -m retriever ADDRESS QUERY`: the best documents of an index, with an explanation of their
scores."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from indexer.cli.commands import click_command
from indexer.cli.program import run_program
from indexer.cli.types import version_option
from indexer.files.errors import UserError
from indexer.files.messages import first_few, info, warn
from indexer.parameters import (
    COUNT,
    TEXT,
    address_option,
    argument,
    command_line,
    flag,
    input_path,
    option,
    word_choice,
)
from retriever.queries import open_addresses, source_of, terms_of, text_part, union_query

if TYPE_CHECKING:
    from indexer.engines.contract import Index


@command_line(
    'retriever textbook-en "Who built the Taj Mahal?" -k 3 --explain',
    argument("address", TEXT, required=False),
    argument("query", TEXT, required=False),
    option("-k", type=COUNT, default=10, help="How many documents [10]."),
    address_option(
        "A further index to search; may be given several times, then also instead of ADDRESS.",
        "further",
        multiple=True,
    ),
    option(
        "--part",
        metavar="PART",
        type=TEXT,
        help="Which part of the index to search [its main one].",
    ),
    flag("--explain", help="Show what each term gave to each score."),
    option(
        "--questions",
        metavar="FILE",
        type=input_path,
        help="Ask a file's questions: one a line, ID TAB question, or a file of DBQA, TBQA, "
        "SelQA, WikiQA, TrecQA.",
    ),
    option(
        "--model",
        "model_path",
        metavar="MODEL",
        type=input_path,
        help="With --questions: put the hits in a ranker's order.",
    ),
    flag("--metadata", help="With --format trec: begin with how the run was made (ir_metadata)."),
    option(
        "--format",
        "form",
        type=partial(word_choice, ("table", "jsonl", "trec")),
        default="table",
        help="Form of output [table].",
    ),
)
def search(
    address: str | None,
    query: str | None,
    k: int,
    further: tuple[str, ...],
    part: str | None,
    explain: bool,
    questions: str | None,
    model_path: str | None,
    metadata: bool,
    form: str,
) -> None:
    """Search an index: the query's terms are scored by BM25 (k1 1.2, b 0.75), ties ordered by
    doc_id.

    Give a QUERY, or --questions FILE; --format trec is for the latter. A MODEL of `answerer train`
    (selqa, nlpcc-dbqa or nlpcc-tbqa, as the index is) reranks the 100 best hits of each question.
    """
    # Where --index names the indexes, a single argument is the query, not an address.
    if further and query is None and questions is None:
        address, query = None, address
    addresses = [*([] if address is None else [address]), *further]
    if not addresses or (query is None) == (questions is None):
        raise UserError("give an ADDRESS and either a QUERY or --questions FILE")
    if (questions is None and (model_path or form == "trec")) or (metadata and form != "trec"):
        raise UserError(
            "--model and --format trec need --questions FILE, --metadata needs --format trec"
        )
    index = open_addresses(addresses)
    if questions is not None:
        rank_questions(index, questions, k, part, model_path, form, metadata)
        return
    searcher, asked = text_part(index, part), union_query(terms_of(index)(query or ""))
    hits = searcher.search([asked], k)[0]
    if not hits:
        info("nothing found")
    if not explain and form == "table":
        for rank, hit in enumerate(hits, 1):
            echo_row([rank], hit.score, hit.doc_id, source_of(hit.document), hit.document.text)
        return
    from retriever.explain import explain_hits

    for rank, evidence in enumerate(explain_hits(searcher, asked, hits), 1):
        if form == "jsonl":
            empty = {"terms"} if not explain else set()
            empty |= {"source"} if not evidence.source else set()
            row = {name: value for name, value in evidence._asdict().items() if name not in empty}
            click.echo(json.dumps({"rank": rank, **row}, ensure_ascii=False))
            continue
        echo_row([rank], evidence.score, evidence.doc_id, evidence.source, evidence.text)
        for term, score in evidence.terms.items():
            click.echo(f"\t{score:.4f}\t  {term}")


def rank_questions(
    index: Index,
    questions: str,
    k: int,
    part: str | None,
    model_path: str | None,
    form: str,
    metadata: bool,
) -> None:
    """Prints the ranked documents of all questions of the file `questions`, in the format `form`:
    trec, jsonl or text; with `metadata` the TREC run's header first. Warns of questions without
    hits."""
    from retriever.collection import rank_collection, read_topics, retrieval_metadata, trec_text

    asked = read_topics(questions)
    unanswered: list[str] = []
    for number, ranked in enumerate(rank_collection(index, asked, k, part, model_path)):
        if metadata and number == 0:
            from indexer.cli.program import command_given
            from retriever.provenance import header_text

            described = retrieval_metadata(index, k, part, model_path, command_given(), [questions])

            click.echo(header_text(described), nl=False)
        if not ranked.documents:
            unanswered.append(ranked.query_id)
        if form == "trec":
            click.echo(trec_text(ranked), nl=False)
            continue
        for rank, (hit, score) in enumerate(ranked.documents, 1):
            source = source_of(hit.document)
            if form == "jsonl":
                row = {
                    "query_id": ranked.query_id,
                    "rank": rank,
                    "doc_id": hit.doc_id,
                    "score": score,
                }
                row |= {"text": " ".join(hit.document.text.split())} | (
                    {"source": source} if source else {}
                )
                click.echo(json.dumps(row, ensure_ascii=False))
            else:
                echo_row([ranked.query_id, rank], score, hit.doc_id, source, hit.document.text)
    if unanswered:
        warn(f"{len(unanswered)} of {len(asked)} questions have no hits: {first_few(unanswered)}")


def echo_row(first: Sequence[object], score: float, doc_id: str, source: str, text: str) -> None:
    """Prints a document on one line, its columns parted by tabs; of several indexes with the one it
    is from."""
    columns = [
        *map(str, first),
        f"{score:.4f}",
        *([source] if source else []),
        doc_id,
        " ".join(text.split()),
    ]
    click.echo("\t".join(columns))


main = version_option(click_command(search))


if __name__ == "__main__":
    run_program(main, "python -m retriever")
