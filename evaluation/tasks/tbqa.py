"""Scores NLPCC TBQA: MRR, Accuracy@N and MAP of a score file (seed 000)."""

from __future__ import annotations

from pathlib import Path

import click

from evaluation.measures.ranking import reciprocal_rank
from evaluation.tasks.ranked_lists import Ranked, ranked_options, report, shown
from indexer.files.errors import UserError


@click.command(epilog="Example: python -m evaluation nlpcc-tbqa samples/tbqa.dev.txt scores.txt")
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
    """Score SCORES, one number a line, against a TBQA file with labels: MRR, Accuracy@N and MAP."""
    report(ranked(gold, scores), shown(ties, at, by_question, interval, seed, format), "file")


def ranked(gold: Path, scores: Path) -> list[Ranked]:
    """The questions of a labelled file with the scores of a run. UserError where the two do not fit together."""
    from answerer.formats.labels import read_label
    from answerer.formats.scores import read_scores
    from indexer.sources.table_rows import read_table_rows
    from retriever.ranking.features.answers import question_types, type_numbers

    lists: dict[str, list[tuple[int, bool]]] = {}
    lines = 0
    for row in read_table_rows(gold):
        if row.label is None:
            raise UserError(f"{gold}: no labels; expected a file with gold")
        right, _ = read_label(row.label, gold, row.line)
        lists.setdefault(row.question, []).append((row.line - 1, right))
        lines += 1
    given = read_scores(scores, lines, gold)
    kinds = [question_types()[number][0] for number in type_numbers(list(lists))]
    return [
        Ranked(
            question,
            [float(given[line]) for line, _ in found],
            [right for _, right in found],
            {"asks for": kind},
        )
        for (question, found), kind in zip(lists.items(), kinds, strict=True)
    ]


def question_scores(gold: Path, run: Path) -> dict[str, float]:
    """The reciprocal rank of each question, by its number in the file: what `evaluation compare` compares."""
    return {
        f"{number} {one.question}": reciprocal_rank(one.scores, one.gold, "file")
        for number, one in enumerate(ranked(gold, run), 1)
    }
