"""Scores NLPCC DBQA: MRR and MAP of a score file ([NLPCC2017])."""

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
    from indexer.formats.labels import warn_of_labels
    from indexer.formats.sentence_rows import read_sentence_rows
    from retriever.question_types import chinese_type

    read = read_sentence_rows(gold, dbqa=True)
    if read.lists[0].gold is None:
        raise UserError(f"{gold}: no labels; expected a file with gold")
    warn_of_labels(read.warnings)
    given = read_scores(scores, len(read.places), gold)
    ranking, start = [], 0
    for one in read.lists:
        lines = read.places[start : start + len(one.candidates)]
        start += len(lines)
        own = [float(given[line]) for line in lines]
        ranking.append(Ranked(one.question, own, one.gold or (), {"asks for": chinese_type(one.question).name}))
    return ranking


def asked_in(path: Path, gold: bool) -> frozenset[str]:
    """The number of lines of a file, the only thing that a score file has in common with its questions."""
    from answerer.formats.ranked_results import score_lines
    from indexer.formats.sentence_rows import read_sentence_rows

    lines = len(read_sentence_rows(path, dbqa=True).places) if gold else score_lines(path)
    return frozenset([f"{lines} lines"])


def gold(path: Path, _language: Language | None) -> Iterator[GoldAnswer]:
    """Yields the right sentences of each question of a labelled file."""
    from indexer.formats.sentence_rows import read_sentence_rows

    return ranked_gold((one.question, one.gold or ()) for one in read_sentence_rows(path, dbqa=True).lists)


SCORING = ranked_scoring(
    "nlpcc-dbqa",
    read_ranked,
    asked_in,
    "file",
    "Score SCORES, one number a line, against a DBQA file with labels: MRR, MAP and Accuracy@N.",
    "samples/dbqa.dev.txt dbqa.scores.txt",
    metavar=("GOLD", "SCORES"),
)
