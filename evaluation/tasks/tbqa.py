"""Scores NLPCC TBQA: MRR, Accuracy@N and MAP of a score file ([NLPCC2017])."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evaluation.registry import GoldAnswer
from evaluation.tasks.ranked_lists import Ranked, ranked_gold, ranked_scoring
from indexer.files.errors import UserError
from indexer.languages.language import Language


def read_ranked(gold: Path, scores: Path) -> list[Ranked]:
    """Reads a labelled file with the scores of a run. Raises UserError if the two do not fit together."""
    from answerer.formats.ranked_results import read_scores
    from indexer.formats.labels import read_label, warn_of_labels
    from indexer.formats.table_rows import read_table_rows
    from retriever.question_types import english_type

    lists: dict[str, list[tuple[int, bool]]] = {}
    warnings = []
    for row in read_table_rows(gold):
        if row.label is None:
            raise UserError(f"{gold}: no labels; expected a file with gold")
        right, warning = read_label(row.label, gold, row.line)
        lists.setdefault(row.question, []).append((row.line - 1, right))
        warnings.append(warning)
    warn_of_labels(warnings)
    given = read_scores(scores, len(warnings), gold)
    return [
        Ranked(
            question,
            [float(given[line]) for line, _ in tables],
            [right for _, right in tables],
            {"asks for": english_type(question).name},
        )
        for question, tables in lists.items()
    ]


def asked_in(path: Path, gold: bool) -> frozenset[str]:
    """The number of lines of a file, the only thing that a score file has in common with its questions."""
    from answerer.formats.ranked_results import score_lines
    from indexer.formats.table_rows import read_table_rows

    lines = sum(1 for _ in read_table_rows(path)) if gold else score_lines(path)
    return frozenset([f"{lines} lines"])


def gold(path: Path, _language: Language | None) -> Iterator[GoldAnswer]:
    """The right tables of each question of a labelled file."""
    from indexer.formats.labels import read_label
    from indexer.formats.table_rows import read_table_rows

    lists: dict[str, list[bool]] = {}
    for row in read_table_rows(path):
        lists.setdefault(row.question, []).append(row.label is not None and read_label(row.label, path, row.line)[0])
    return ranked_gold(lists.items())


SCORING = ranked_scoring(
    "nlpcc-tbqa",
    read_ranked,
    asked_in,
    "file",
    "Score SCORES, one number a line, against a TBQA file with labels: MRR, Accuracy@N and MAP.",
    "samples/tbqa.dev.txt tbqa.scores.txt",
    metavar=("GOLD", "SCORES"),
)
