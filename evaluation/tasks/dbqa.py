"""Scores NLPCC DBQA: MRR and MAP of a score file (seed 000)."""

from __future__ import annotations

from pathlib import Path

import click

from evaluation.measures.ranking import reciprocal_rank
from evaluation.tasks.ranked_lists import Ranked, ranked_options, report, shown
from indexer.files.errors import UserError


@click.command(epilog="Example: python -m evaluation nlpcc-dbqa samples/dbqa.dev.txt scores.txt")
@click.argument("gold", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("scores", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@ranked_options("file")
def command(
    gold: Path,
    scores: Path,
    ties: str | None,
    at: str,
    by_question: bool,
    interval: bool,
    seed: int,
    format: str,  # noqa: A002
) -> None:
    """Score SCORES, one number a line, against a DBQA file with labels: MRR, MAP and Accuracy@N."""
    report(ranked(gold, scores), shown(ties, at, by_question, interval, seed, format), "file")


def ranked(gold: Path, scores: Path) -> list[Ranked]:
    """The questions of a labelled file with the scores of a run. UserError where the two do not fit together."""
    from answerer.formats.nlpcc_sentences import read_sentences
    from answerer.formats.scores import read_scores
    from retriever.ranking.features.chinese_intents import chinese_type_numbers, chinese_types

    read = read_sentences(gold)
    if read.lists[0].gold is None:
        raise UserError(f"{gold}: no labels; expected a file with gold")
    given = read_scores(scores, len(read.lines), gold)
    types = chinese_type_numbers([one.question for one in read.lists])
    found, start = [], 0
    for one, kind in zip(read.lists, types, strict=True):
        lines = read.lines[start : start + len(one.candidates)]
        start += len(lines)
        own = [float(given[line]) for line in lines]
        found.append(Ranked(one.question, own, one.gold or (), {"asks for": chinese_types()[kind][0]}))
    return found


def question_scores(gold: Path, run: Path) -> dict[str, float]:
    """The reciprocal rank of each question, by its number in the file: what `evaluation compare` compares."""
    return {
        f"{number} {one.question}": reciprocal_rank(one.scores, one.gold, "file")
        for number, one in enumerate(ranked(gold, run), 1)
    }
