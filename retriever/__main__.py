"""`python -m retriever ADDRESS QUERY`: the best documents of an index, with an explanation of their
scores."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from indexer.cli.commands import click_command
from indexer.cli.program import run_program
from indexer.cli.types import version_option
from indexer.engines.scoring import K1, B
from indexer.files.atomic import write_text
from indexer.files.errors import UserError
from indexer.files.messages import first_few, info, warn
from indexer.formats.trec_run import RUN_TAG
from indexer.parameters import (
    COUNT,
    TEXT,
    address_option,
    argument,
    command_line,
    flag,
    input_path,
    number,
    option,
    output_path,
    word_choice,
)
from retriever.queries import (
    counted_query,
    open_addresses,
    source_id_of,
    source_of,
    terms_of,
    text_part,
)

if TYPE_CHECKING:
    from indexer.engines.contract import Index


@command_line(
    'retriever textbook-en "Who built the Taj Mahal?" -k 3 --explain',
    argument("address", TEXT, required=False),
    argument("query", TEXT, required=False),
    option("-k", type=COUNT, help="How many documents [10; with --topics 1000]."),
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
        "--topics",
        metavar="FILE",
        type=input_path,
        help="Write a TREC run of a file's topics: TREC, BEIR, SMART, CACM, ID TAB query.",
    ),
    option(
        "--field",
        "fields",
        multiple=True,
        type=partial(word_choice, ("title", "desc", "narr")),
        help="Of TREC topics; may be given several times [title].",
    ),
    flag("--renumber", help="Call topics 1, 2, 3 … as they stand in the file (Cranfield's qrels)."),
    option("--tag", type=TEXT, default=RUN_TAG, help=f"The name of the run [{RUN_TAG}]."),
    option("-o", "output", metavar="FILE", type=output_path, help="Where the run goes [stdout]."),
    option(
        "--weighting",
        type=partial(word_choice, ("bm25", "ql")),
        default="bm25",
        help="Or ql: query likelihood, Dirichlet [bm25].",
    ),
    option("--k1", type=partial(number, 0, 100), default=K1, help=f"Of bm25 [{K1}]."),
    option("--b", type=partial(number, 0, 1), default=B, help=f"Of bm25 [{B}]."),
    option("--mu", type=partial(number, 0, 1e6), default=1000.0, help="Of ql [1000]."),
    flag("--rm3", help="Expand topics by the terms of their best documents."),
    option("--fb-docs", type=COUNT, default=10, help="Of --rm3: these documents [10]."),
    option("--fb-terms", type=COUNT, default=10, help="Of --rm3: terms added [10]."),
    option(
        "--original-weight",
        type=partial(number, 0, 1),
        default=0.5,
        help="Of --rm3: the topic's own terms [0.5].",
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
    k: int | None,
    further: tuple[str, ...],
    part: str | None,
    explain: bool,
    questions: str | None,
    topics: str | None,
    fields: tuple[str, ...],
    renumber: bool,
    tag: str,
    output: str | None,
    model_path: str | None,
    metadata: bool,
    form: str,
    **ranking: Any,
) -> None:
    """Search an index: the query's terms are scored by BM25 (k1 1.2, b 0.75), ties ordered by
    doc_id.

    Give a QUERY, --topics FILE for a TREC run, or --questions FILE; --format trec is for the last. A MODEL of `answerer train`
    (selqa, nlpcc-dbqa or nlpcc-tbqa, as the index is) reranks the 100 best hits of each question.
    """
    # Where --index names the indexes, a single argument is the query, not an address.
    if further and query is None and questions is None and topics is None:
        address, query = None, address
    addresses = [*([] if address is None else [address]), *further]
    if not addresses or (query, questions, topics).count(None) != 2:
        raise UserError("give an ADDRESS and a QUERY, --topics FILE or --questions FILE")
    if topics is not None:
        from retriever.topics import read_topics

        texts = {
            topic.query_id: topic.text for topic in read_topics(topics, fields, renumber=renumber)
        }
        run = topics_run(
            open_addresses(addresses), topics, texts, k or 1000, part, tag, metadata, ranking
        )
        write_text(output or "-", run)
        return
    k = k or 10
    if (questions is None and (model_path or form == "trec")) or (metadata and form != "trec"):
        raise UserError(
            "--model and --format trec need --questions FILE, --metadata needs --format trec"
        )
    index = open_addresses(addresses)
    if questions is not None:
        rank_questions(index, questions, k, part, model_path, form, metadata)
        return
    searcher, asked = text_part(index, part), counted_query(terms_of(index)(query or ""))
    hits = searcher.search([asked], k)[0]
    if not hits:
        info("nothing found")
    if not explain and form == "table":
        for rank, hit in enumerate(hits, 1):
            echo_row([rank], hit.score, hit.doc_id, source_of(hit.document), hit.document.text)
        return
    from retriever.explain import explain_hits

    explained = zip(hits, explain_hits(searcher, asked, hits), strict=True)
    for rank, (hit, evidence) in enumerate(explained, 1):
        if form == "jsonl":
            row = evidence._asdict()
            row["source_id"] = source_id_of(index.metadata.kind, hit.document)
            empty = {"terms"} if not explain else set()
            empty |= {name for name in ("source", "source_id") if not row[name]}
            row = {name: value for name, value in row.items() if name not in empty}
            click.echo(json.dumps({"rank": rank, **row}, ensure_ascii=False))
            continue
        echo_row([rank], evidence.score, evidence.doc_id, evidence.source, evidence.text)
        for term, score in evidence.terms.items():
            click.echo(f"\t{score:.4f}\t  {term}")


def topics_run(
    index: Index,
    path: str,
    topics: Mapping[str, str],
    k: int,
    part: str | None,
    tag: str,
    metadata: bool,
    options: Mapping[str, Any],
) -> str:
    """The TREC run of the topics of the file `path`, with `metadata` behind a header; `options` are those of weighting and
    RM3. Warns of topics without hits. Raises UserError as `rank_topics` does, for topics in another
    script than the index's, and for a tag with blanks."""
    from indexer.cli.program import command_given
    from retriever.collection import check_language, retrieval_metadata
    from retriever.provenance import header_text
    from retriever.rankings import Rankings, rank_topics
    from retriever.rm3 import Rm3
    from retriever.term_counts import Weighting

    if len(tag.split()) != 1:
        raise UserError(f"--tag {tag!r}: expected a word without blanks")
    check_language(index, list(topics.values()))
    weighting = Weighting(options["weighting"], options["k1"], options["b"], options["mu"])
    rm3 = Rm3(options["fb_docs"], options["fb_terms"], options["original_weight"])
    chosen = rm3 if options["rm3"] else None
    ranked = Rankings(rank_topics(index, topics, k, part=part, weighting=weighting, rm3=chosen))
    if unanswered := [query_id for query_id, ranking in ranked.items() if not ranking]:
        warn(f"{len(unanswered)} of {len(topics)} topics have no hits: {first_few(unanswered)}")
    if not metadata:
        return ranked.to_trec(tag)
    about = retrieval_metadata(
        index, k, part, command=command_given(), questions=[path], tag=tag, weighting=options
    )
    return header_text(about) + ranked.to_trec(tag)


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
    from retriever.collection import rank_collection, retrieval_metadata, trec_text
    from retriever.topics import read_topics

    asked = read_topics(questions)
    unanswered: list[str] = []
    for position, ranked in enumerate(rank_collection(index, asked, k, part, model_path)):
        if metadata and position == 0:
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
                row["text"] = " ".join(hit.document.text.split())
                source_id = source_id_of(index.metadata.kind, hit.document)
                row |= {"source": source} if source else {}
                row |= {"source_id": source_id} if source_id else {}
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
