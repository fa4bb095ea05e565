"""Scores SelQA: the MRR of a result file, which holds the gold itself, as the challenge does it (seed 004)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from evaluation.measures.ranking import reciprocal_rank
from evaluation.tasks.ranked_lists import Ranked, ranked_options, report, shown
from indexer.files.atomic import write_text
from indexer.files.errors import UserError

if TYPE_CHECKING:
    from retriever.ranking.lists import CandidateList


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
    format: str,  # noqa: A002 (the option's own name)
) -> None:
    """Score a result file of `answerer selqa`: MRR with average ranks of ties, MAP and Accuracy@N.

    The gold is read from RESULT itself. The MRR with average ties is also written to mrr.txt.
    """
    options = shown(ties, at, by_question, interval, seed, format)
    found = ranked(result, result)
    report(found, options, "average")
    write_text(mrr or result.with_name("mrr.txt"), mrr_text(found))


def mrr_text(found: list[Ranked]) -> str:
    """mrr.txt: the mean reciprocal rank, ties at the mean of their ranks, as one number."""
    values = [reciprocal_rank(one.scores, one.gold, "average") for one in found]
    return f"{sum(values) / len(values):.6f}\n"


def ranked(gold: Path, result: Path) -> list[Ranked]:
    """The questions of a result file (JSON, or WikiQA and TrecQA rows with a last column of scores).

    `gold` may be the result file itself, which holds the gold. UserError for a question without results or gold,
    and where the two files have other questions.
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
    if gold != result:
        lists = _with_gold(lists, gold, result)
    elif any(one.gold is None for one in lists):
        raise UserError(f"{result}: no gold; expected labels in the file")
    kinds = [question_types()[number][0] for number in type_numbers([one.question for one in lists])]
    return [
        Ranked(one.question, scores, one.gold or (), {**one.kinds, "asks for": kind})
        for one, scores, kind in zip(lists, results, kinds, strict=True)
    ]


def _with_gold(lists: list[CandidateList], gold: Path, result: Path) -> list[CandidateList]:
    """The lists of a result file with the marks of a gold file of the same questions."""
    from answerer.selqa.task import read_file

    wanted = read_file(str(gold)).lists
    if [(one.question, len(one.candidates)) for one in wanted] != [(o.question, len(o.candidates)) for o in lists]:
        raise UserError(f"{result}: other questions than in {gold}; expected a result of that file")
    if any(one.gold is None for one in wanted):
        raise UserError(f"{gold}: no gold; expected labels in the file")
    return [one._replace(gold=right.gold) for one, right in zip(lists, wanted, strict=True)]


def _by_list(values: list[float], sizes: list[int]) -> list[list[float]]:
    ends = [sum(sizes[: number + 1]) for number in range(len(sizes))]
    return [values[end - size : end] for end, size in zip(ends, sizes, strict=True)]


def question_scores(gold: Path, run: Path) -> dict[str, float]:
    """The reciprocal rank of each question, by its number in the file: what `evaluation compare` compares."""
    return {
        f"{number} {one.question}": reciprocal_rank(one.scores, one.gold, "average")
        for number, one in enumerate(ranked(gold, run), 1)
    }
