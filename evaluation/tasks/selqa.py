"""Scores SelQA: the MRR of a result file, which holds the gold itself, as the challenge does it (seed 004)."""

from __future__ import annotations

from pathlib import Path

import click

from evaluation.measures.ranking import reciprocal_rank
from evaluation.tasks.ranked_lists import Ranked, ranked_options, report, shown
from indexer.files.atomic import write_text
from indexer.files.errors import UserError


@click.command(epilog="Example: python -m evaluation selqa SelQA-ass-result.json")
@click.argument("result", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--mrr", metavar="FILE", help="Where the MRR goes, for the challenge [mrr.txt beside RESULT].")
@ranked_options("average")
def command(
    result: Path,
    mrr: str | None,
    ties: str | None,
    at: str,
    by_question: bool,
    interval: bool,
    seed: int,
    format: str,
) -> None:
    """Score a result file of `answerer selqa`: MRR with average ranks of ties, MAP and Accuracy@N.

    The gold is read from RESULT itself. The MRR with average ties is also written to mrr.txt.
    """
    options = shown(ties, at, by_question, interval, seed, format)
    ranked = selqa_ranked(result)
    report(ranked, options, "average")
    write_text(mrr or result.with_name("mrr.txt"), mrr_text(ranked))


def mrr_text(ranked: list[Ranked]) -> str:
    """mrr.txt: the mean reciprocal rank, ties at the mean of their ranks, as one number."""
    values = [reciprocal_rank(one.scores, one.gold, "average") for one in ranked]
    return f"{sum(values) / len(values):.6f}\n"


def selqa_ranked(result: Path) -> list[Ranked]:
    """The questions of a result file (JSON, or WikiQA and TrecQA rows with a last column of scores).

    UserError for a question without results or gold.
    """
    from answerer.formats.selqa import read_selqa, require_results
    from answerer.formats.sentence_tsv import read_tsv
    from indexer.files.encoding import open_bytes
    from retriever.ranking.features.answers import question_types, type_numbers

    with open_bytes(result) as file:
        start = file.read(4096).decode("utf-8-sig", "replace").lstrip()
    if start[:1] in ("{", "["):
        read = read_selqa(result)
        lists, results = read.lists, require_results(read, result)
    else:
        rows = read_tsv(result, scored=True)
        lists, results = rows.lists, _by_list(rows.results, [len(one.candidates) for one in rows.lists])
    if any(one.gold is None for one in lists):
        raise UserError(f"{result}: no gold; expected labels in the file")
    kinds = [question_types()[number][0] for number in type_numbers([one.question for one in lists])]
    return [
        Ranked(one.question, scores, one.gold or (), {**one.kinds, "asks for": kind})
        for one, scores, kind in zip(lists, results, kinds, strict=True)
    ]


def _by_list(values: list[float], sizes: list[int]) -> list[list[float]]:
    ends = [sum(sizes[: number + 1]) for number in range(len(sizes))]
    return [values[end - size : end] for end, size in zip(ends, sizes, strict=True)]
