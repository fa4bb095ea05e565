"""Scores SelQA: the MRR of a result file, which holds the gold itself, as the challenge does it (seed 004)."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evaluation.measures.ranking import reciprocal_rank
from evaluation.tasks.ranked_lists import Ranked, at_option, reported_by, tables_by, ties_option
from evaluation.tasks.scored import score_command
from indexer.cli.parameters import OutputPath, claim_output
from indexer.files.atomic import write_text
from indexer.files.errors import UserError
from indexer.files.talk import warn

if TYPE_CHECKING:
    from indexer.formats.candidate_lists import CandidateList


def _mrr_option(command: Callable[..., None]) -> Callable[..., None]:
    """--mrr FILE: once all is printed the MRR with average ties is written there, else to mrr.txt beside the result."""

    @wraps(command)
    def scored(gold: Path, run: Path, mrr: str | None, **given: Any) -> None:
        target = mrr or str(run.with_name("mrr.txt"))
        if not mrr:
            claim_output("mrr.txt beside RESULT (--mrr names another place)", target)
        command(gold=gold, run=run, **given)
        lists = ranked(gold, run)
        write_text(target, mrr_text(lists))
        if gold != run and all(list(map(float, one.gold)) == list(one.scores) for one in lists):
            warn(f"{run}: its scores are the labels of {gold}; expected those of `answerer selqa`")

    return click.option(
        "--mrr",
        metavar="FILE",
        type=OutputPath(),
        help="Where the MRR goes, for the challenge [mrr.txt beside RESULT].",
    )(scored)


def mrr_text(lists: list[Ranked]) -> str:
    """mrr.txt: the mean reciprocal rank, ties at the mean of their ranks, as one number."""
    values = [reciprocal_rank(one.scores, one.gold, "average") for one in lists]
    return f"{sum(values) / len(values):.6f}\n"


def ranked(gold: Path, result: Path) -> list[Ranked]:
    """The questions of a result file (JSON, or WikiQA and TrecQA rows with a last column of scores).

    `gold` may be the result file itself, which holds the gold. UserError for a question without results or gold,
    and where the two files have other questions.
    """
    from answerer.formats.sentence_results import read_results
    from retriever.question_types import english_type

    lists, results = read_results(result)
    if gold != result:
        lists = _with_gold(lists, gold, result)
    elif any(one.gold is None for one in lists):
        raise UserError(f"{result}: no gold; expected labels in the file")
    return [
        Ranked(one.question, scores, one.gold or (), {**one.kinds, "asks for": english_type(one.question).name})
        for one, scores in zip(lists, results, strict=True)
    ]


def _with_gold(lists: list[CandidateList], gold: Path, result: Path) -> list[CandidateList]:
    """The lists of a result file with the marks of a gold file of the same questions."""
    from indexer.formats.sentence_lists import read_sentence_file

    wanted = read_sentence_file(gold).lists
    if [(one.question, len(one.candidates)) for one in wanted] != [(o.question, len(o.candidates)) for o in lists]:
        raise UserError(f"{result}: other questions than in {gold}; expected a result of that file")
    if any(one.gold is None for one in wanted):
        raise UserError(f"{gold}: no gold; expected labels in the file")
    return [one._replace(gold=right.gold) for one, right in zip(lists, wanted, strict=True)]


def asked_in(path: Path, gold: bool) -> frozenset[str]:
    """The questions of a gold file or a result file, each with the number of its candidates."""
    from indexer.formats.sentence_lists import read_sentence_file

    lists = read_sentence_file(path, scored=not gold).lists
    return frozenset(f"{len(one.candidates)} {one.question}" for one in lists if not gold or one.gold is not None)


tables = tables_by(ranked, "average")
reported = reported_by(ranked, "average")
command = score_command(
    "selqa",
    tables,
    """Score a result file of `answerer selqa`: MRR with average ranks of ties, MAP and Accuracy@N.

    The gold is read from RESULT itself, where GOLD is not given. The MRR with average ties is also written to mrr.txt.
    """,
    "SelQA-ass-result.json",
    _mrr_option,
    ties_option("average"),
    at_option,
    metavar=("GOLD", "RESULT"),
    gold_in_run=True,
)
