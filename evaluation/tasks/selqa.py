"""Scores SelQA as the challenge does ([SelQA-Challenge]): the MRR of a result file, which contains the gold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from evaluation.measures.ranking import reciprocal_rank
from evaluation.registry import GoldAnswer
from evaluation.tables import Tables
from evaluation.tasks.ranked_lists import Ranked, ranked_gold, ranked_scoring
from indexer.files.atomic import write_text
from indexer.files.errors import UserError
from indexer.files.messages import warn
from indexer.languages.language import Language
from indexer.parameters import OutputPath, option

if TYPE_CHECKING:
    from indexer.formats.labels import CandidateList


def _write_mrr(gold: Path, run: Path, tables: Tables, mrr: str | None) -> None:
    """Writes the MRR with average ties to the file of --mrr, and warns of a result whose scores are its labels."""
    if mrr:
        # The challenge's mrr.txt is one number; tied candidates have the mean of their ranks.
        values = [reciprocal_rank(one.scores, one.gold, "average") for one in tables.read]
        write_text(mrr, f"{sum(values) / len(values):.6f}\n")
    if gold != run and all(list(map(float, one.gold)) == list(one.scores) for one in tables.read):
        warn(f"{run}: its scores are the labels of {gold}; expected those of `answerer selqa`")


def read_ranked(gold: Path, result: Path) -> list[Ranked]:
    """Reads the questions of a result file (JSON, or WikiQA and TrecQA rows with a last column of scores).

    `gold` may be the result file itself, which contains the gold. Raises UserError for a question without results or
    gold, and if the two files have different questions or sentences.
    """
    from answerer.formats.ranked_results import read_results
    from indexer.formats.labels import warn_of_labels
    from indexer.formats.sentence_rows import RowFile, read_sentence_file
    from retriever.question_types import english_type

    read, results = read_results(result)
    right = read if gold == result else read_sentence_file(gold)
    if list(map(_question_texts, right.lists)) != list(map(_question_texts, read.lists)):
        raise UserError(f"{result}: other questions or sentences than in {gold}; expected a result of that file")
    if any(one.gold is None for one in right.lists):
        raise UserError(f"{gold}: no gold; expected labels in the file")
    if isinstance(right, RowFile):
        warn_of_labels(right.warnings)
    return [
        Ranked(one.question, scores, one.gold or (), {**one.kinds, "asks for": english_type(one.question).name})
        for one, scores in zip(right.lists, results, strict=True)
    ]


def _question_texts(one: CandidateList) -> list[str]:
    """A question and its sentences, with single blanks."""
    return [" ".join(text.split()) for text in (one.question, *one.candidates)]


def asked_in(path: Path, gold: bool) -> frozenset[str]:
    """The questions of a gold file or a result file, each after the number of its candidates."""
    from indexer.formats.sentence_rows import read_sentence_file

    lists = read_sentence_file(path, scored=not gold).lists
    return frozenset(f"{len(one.candidates)} {one.question}" for one in lists if not gold or one.gold is not None)


def gold(path: Path, _language: Language | None) -> Iterator[GoldAnswer]:
    """Yields the right sentences of each question."""
    from indexer.formats.sentence_rows import read_sentence_file

    return ranked_gold((one.question, one.gold or ()) for one in read_sentence_file(path).lists)


SCORING = ranked_scoring(
    "selqa",
    read_ranked,
    asked_in,
    "average",
    """Score a result file of `answerer selqa`: MRR with average ranks of ties, MAP and Accuracy@N.

    The gold is read from RESULT itself, where GOLD is not given.
    """,
    "SelQA-ass-result.json",
    metavar=("GOLD", "RESULT"),
    gold_in_run=True,
    written=(
        option("--mrr", metavar="FILE", type=OutputPath(), help="Write the MRR here too: the challenge's mrr.txt."),
        _write_mrr,
    ),
)
