"""`python -m retriever ADDRESS QUERY`: the best documents of an index, with an explanation of their
scores."""

from __future__ import annotations

if __name__ == "__main__":
    from indexer.cli.console import end_on_interrupt

    end_on_interrupt()  # while the rest loads

import json
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from indexer.address import Location
from indexer.cli.program import metadata_command, run_program, running_command
from indexer.cli.types import (
    COUNT,
    Address,
    Command,
    InputFile,
    OutputPath,
    PlainText,
    version_option,
)
from indexer.engines.opening import open_index
from indexer.engines.scoring import K1, B, round_score
from indexer.files.errors import UserError
from indexer.files.messages import first_few, info, warn
from indexer.formats.trec_run import RUN_TAG
from retriever.queries import counted_query, source_id_of, terms_of, text_part

if TYPE_CHECKING:
    from indexer.engines.contract import Index, Query, ScoredDocument
    from indexer.engines.searching import Searcher

Function = Callable[..., Any]
EXAMPLE = 'retrieve textbook-en "Who built the Taj Mahal?" -k 3 --explain'


class DecimalRange(click.FloatRange):
    """click's range of numbers, whose refusal of other text shows one."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number of a text; a usage error for any other text, `nan`, and outside of the
        range."""
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if math.isnan(number):
            self.fail(f"{value!r}: expected a number such as 0.9", param, ctx)
        in_range: float = super().convert(value, param, ctx)
        return in_range


TOPICS_OPTIONS = (
    click.option(
        "--topics",
        metavar="FILE",
        type=InputFile(),
        help="Write a TREC run of a file's topics: TREC, BEIR, SMART, CACM, ID TAB query.",
    ),
    click.option(
        "--field",
        "fields",
        multiple=True,
        type=click.Choice(["title", "desc", "narr"]),
        help="Of TREC topics; may be given several times [title].",
    ),
    click.option(
        "--renumber",
        is_flag=True,
        help="Call topics 1, 2, 3 … as they stand in the file (Cranfield's qrels).",
    ),
    click.option(
        "--tag", type=PlainText(), default=RUN_TAG, help=f"The name of the run [{RUN_TAG}]."
    ),
    click.option(
        "-o", "output", metavar="FILE", type=OutputPath(), help="Where the run goes [stdout]."
    ),
    click.option(
        "--weighting",
        type=click.Choice(["bm25", "ql"]),
        default="bm25",
        help="Or ql: query likelihood, Dirichlet [bm25].",
    ),
    click.option("--k1", type=DecimalRange(0, 100), default=K1, help=f"Of bm25 [{K1}]."),
    click.option("--b", type=DecimalRange(0, 1), default=B, help=f"Of bm25 [{B}]."),
    click.option(
        "--mu", type=DecimalRange(0, 1e6, min_open=True), default=1000.0, help="Of ql [1000]."
    ),
    click.option("--rm3", is_flag=True, help="Expand topics by the terms of their best documents."),
    click.option("--fb-docs", type=COUNT, default=10, help="Of --rm3: these documents [10]."),
    click.option("--fb-terms", type=COUNT, default=10, help="Of --rm3: terms added [10]."),
    click.option(
        "--original-weight",
        type=DecimalRange(0, 1),
        default=0.5,
        help="Of --rm3: the topic's own terms [0.5].",
    ),
)


def topics_options(function: Function) -> Function:
    """Adds the options of a run of topics."""
    for option in reversed(TOPICS_OPTIONS):
        function = option(function)
    return function


@version_option
@click.command(cls=Command, example=EXAMPLE)
@click.argument("address", type=Address())
@click.argument("query", required=False, type=PlainText())
@click.option("-k", type=COUNT, help="How many documents [10; with --topics 1000].")
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
@topics_options
@click.option(
    "--model",
    metavar="MODEL",
    type=InputFile(),
    help="With --questions: put the hits in a ranker's order.",
)
@click.option(
    "--metadata",
    is_flag=True,
    help="How the run was made (ir_metadata): beside -o, with --format trec before it.",
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
    k: int | None,
    part: str | None,
    explain: bool,
    questions: Path | None,
    topics: Path | None,
    model: Path | None,
    metadata: bool,
    form: str,
    **of_topics: Any,
) -> None:
    """Search an index: the query's terms are scored by BM25 (k1 1.2, b 0.75), ties ordered by
    doc_id.

    Give a QUERY, --topics FILE for a TREC run, or --questions FILE; --format trec is for the last.
    A MODEL of `classical-qa answer train` (selqa, nlpcc-dbqa or nlpcc-tbqa, as the index
    is) reranks the 100 best hits of each question.
    """
    if (query, questions, topics).count(None) != 2:
        raise UserError("give an ADDRESS and a QUERY, --topics FILE or --questions FILE")
    refuse_without_effect(click.get_current_context())
    if topics is not None:
        write_topics_run(address, topics, k or 1000, part, metadata, **of_topics)
        return
    k = k or 10
    if (questions is None and (model or form == "trec")) or (metadata and form != "trec"):
        raise UserError(
            "--model and --format trec need --questions FILE, --metadata needs --format trec"
        )
    with closing(open_index(address)) as index:
        if questions is not None:
            print_rankings(index, questions, k, part, model, form, metadata)
        else:
            print_hits(index, query or "", k, part, form, explain)


def print_hits(
    index: Index, query: str, k: int, part: str | None, form: str, explain: bool
) -> None:
    """Prints the k best documents of a query (a text without operators), as `table` or `jsonl`;
    with `explain` also what each term gave to each score. Scores have the 5 digits that both
    engines agree on. Without hits it says so on stderr."""
    searcher, terms = text_part(index, part), counted_query(terms_of(index)(query))
    (hits,) = searcher.search([terms], k)
    if not hits:
        info("nothing found")
    explained: Sequence[Mapping[str, float] | None] = [None] * len(hits)
    if explain:
        explained = term_scores_of(searcher, terms, hits)
    hits = [hit._replace(score=round_score(hit.score)) for hit in hits]
    for rank, (hit, term_scores) in enumerate(zip(hits, explained, strict=True), 1):
        if form == "jsonl":
            print_json(index.metadata.kind, rank, hit, term_scores)
            continue
        print_row([rank], hit.score, hit.doc_id, hit.document.text)
        for term, score in (term_scores or {}).items():
            click.echo(f"\t{score:.4f}\t  {term}")


def term_scores_of(
    searcher: Searcher, query: Query, hits: Sequence[ScoredDocument]
) -> list[dict[str, float]]:
    """What each term of a query gave to the score of each hit, to 5 digits."""
    from retriever.explain import explain_hits

    return [
        {term: round_score(score) for term, score in evidence.terms.items()}
        for evidence in explain_hits(searcher, query, hits)
    ]


def print_json(
    kind: str, rank: int, hit: ScoredDocument, term_scores: Mapping[str, float] | None
) -> None:
    """Prints a document of an index of this kind as a line of JSON: rank, doc_id, text, score,
    terms (`term_scores`, left out if None), title with page, and source_id (left out if the source
    gives none)."""
    from retriever.explain import citation_of

    row: dict[str, object] = {"rank": rank, "doc_id": hit.doc_id, "text": hit.document.text}
    row["score"] = hit.score
    if term_scores is not None:
        row["terms"] = term_scores
    row["title"] = citation_of(hit.document)
    if source_id := source_id_of(kind, hit.document):
        row["source_id"] = source_id
    click.echo(json.dumps(row, ensure_ascii=False))


def write_topics_run(
    address: Location,
    path: Path,
    k: int,
    part: str | None,
    metadata: bool,
    *,
    fields: Sequence[str],
    renumber: bool,
    tag: str,
    output: str | None,
    **options: Any,
) -> None:
    """Writes the TREC run of the topics of the file `path` (see `topics_run`) to `output`, without
    one to stdout; with `metadata` also the file beside it that says how it was made (UserError
    without `output`). `options` are those of weighting and RM3."""
    from indexer.files.atomic import write_all
    from retriever.topics import read_topics

    command = metadata_command(output or "-") if metadata else ""
    with closing(open_index(address)) as index:
        language = index.metadata.language
        topics = read_topics(path, fields, renumber=renumber, language=language)
        texts = {topic.query_id: topic.text for topic in topics}
        files: list[tuple[str | Path, str]] = [
            (output or "-", topics_run(index, texts, k, part, tag, options))
        ]
        if output and metadata:
            from retriever.collection import retrieval_metadata
            from retriever.provenance import metadata_file

            about = retrieval_metadata(
                index, k, part, command=command, questions=[path], tag=tag, weighting=options
            )
            files.append(metadata_file(output, about))
    write_all(files)


def topics_run(
    index: Index,
    topics: Mapping[str, str],
    k: int,
    part: str | None,
    tag: str,
    options: Mapping[str, Any],
) -> str:
    """The TREC run of topics (id to query); `options` are those of weighting and RM3. Warns of
    topics without hits. Raises UserError as `rank_topics` and `check_language` do, and for a tag
    with blanks or an empty one."""
    from retriever.collection import check_language
    from retriever.rankings import Rankings, rank_topics
    from retriever.rm3 import Rm3
    from retriever.weighting import Weighting

    if len(tag.split()) != 1:
        raise UserError(f"--tag {tag!r}: expected a word without blanks")
    check_language(index, list(topics.values()))
    weighting = Weighting(options["weighting"], options["k1"], options["b"], options["mu"])
    rm3 = Rm3(options["fb_docs"], options["fb_terms"], options["original_weight"])
    chosen = rm3 if options["rm3"] else None
    ranked = Rankings(rank_topics(index, topics, k, part=part, weighting=weighting, rm3=chosen))
    if unanswered := [query_id for query_id, ranking in ranked.items() if not ranking]:
        warn(f"no hits for {len(unanswered)} of {len(topics)} topics: {first_few(unanswered)}")
    return ranked.to_trec(tag)


OF_RM3 = ("fb_docs", "fb_terms", "original_weight")
OF_TOPICS = ("fields", "renumber", "tag", "output", "weighting", "k1", "b", "mu", "rm3", *OF_RM3)


def refuse_without_effect(context: click.Context) -> None:
    """Raises UserError for an option on the command line (the first found of several) that has no
    effect beside the others, and names what it needs; defaults pass."""
    values = context.params
    needed = {} if values["rm3"] else dict.fromkeys(OF_RM3, "--rm3")
    if values["weighting"] == "ql":
        needed |= dict.fromkeys(("k1", "b"), "--weighting bm25")
    else:
        needed["mu"] = "--weighting ql"
    if values["topics"] is None:
        needed |= dict.fromkeys(OF_TOPICS, "--topics FILE")
    else:
        needed |= {"explain": "a QUERY", "model": "--questions FILE"}
        if values["form"] != "trec":
            needed["form"] = "a QUERY or --questions FILE"
    if values["questions"] is not None:
        needed["explain"] = "a QUERY"
    options = {param.name: param.opts[0] for param in context.command.params}
    for name, other in needed.items():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise UserError(f"{options[name]} has no effect here: it needs {other}")


def print_rankings(
    index: Index,
    path: Path,
    k: int,
    part: str | None,
    model: Path | None,
    form: str,
    metadata: bool,
) -> None:
    """Prints the k best documents of all questions of the file `path`, as `trec`, `jsonl` or
    `table`, reranked by the model file `model`, if there is one; with `metadata` the TREC run's
    header first. Warns of questions without hits."""
    from retriever.collection import rank_collection, retrieval_metadata, trec_text
    from retriever.provenance import header_text
    from retriever.topics import read_topics

    topics = read_topics(path, language=index.metadata.language)
    unanswered: list[str] = []
    for number, ranked in enumerate(rank_collection(index, topics, k, part, model, [path])):
        if metadata and number == 0:
            made_by = retrieval_metadata(index, k, part, model, running_command(), [path])
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
                source_id = source_id_of(index.metadata.kind, hit.document)
                row |= {"source_id": source_id} if source_id else {}
                click.echo(json.dumps(row, ensure_ascii=False))
            else:
                print_row([ranked.query_id, rank], score, hit.doc_id, hit.document.text)
    if unanswered:
        warn(f"no hits for {len(unanswered)} of {len(topics)} questions: {first_few(unanswered)}")


def print_row(columns: Sequence[object], score: float, doc_id: str, text: str) -> None:
    """Prints a document on one line: the columns, its score to 4 decimals, doc_id and text, parted
    by tabs; the text's line ends and tabs become blanks."""
    click.echo("\t".join([*map(str, columns), f"{score:.4f}", doc_id, " ".join(text.split())]))


if __name__ == "__main__":
    run_program(main, "python -m retriever")
