"""SelQA answer sentence selection: JSON in, the same JSON with a probability for every sentence out (seed 004)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from answerer.ranked import Training, method_option, training_options, warn
from answerer.run import model_option, output_option, trace_option
from answerer.trace import open_trace

if TYPE_CHECKING:
    from answerer.formats.selqa import SelqaFile
    from answerer.formats.sentence_tsv import TsvFile
    from retriever.ranking.lists import CandidateList
    from retriever.ranking.listwise import FloatArray

TASK = "selqa"


@click.command(epilog="Example: python -m answerer selqa samples/selqa.test.json -o SelQA-ass-result.json")
@click.argument("file", metavar="TEST.json|TEST.tsv")
@output_option
@method_option
@model_option
@trace_option
def command(file: str, output: str | None, method: str | None, model_path: str | None, trace_path: str | None) -> None:
    """Add `results` to every question of a SelQA file: one probability in [0, 1] a sentence, 0 for an empty one.

    JSON lines and JSON lists come back as they came, in the challenge's names or the corpus repository's.
    WikiQA and TrecQA files (tab-separated) come back with the probability as one more column.
    """
    from answerer.ranked import scored, trace_candidates
    from indexer.files.atomic import write_text
    from retriever.ranking.english_ranking import english_ranking

    read = read_file(file)
    ranked = [one for one in read.lists if one.candidates]
    with open_trace(trace_path) as trace:
        if ranked:
            ranking = english_ranking(ranked)
            made = scored(ranking, method, model_path)
            trace.run(TASK, made.method, made.parameters, language="en")
            texts = [text for one in ranked for text in one.candidates]
            trace_candidates(trace, ranking, made.scores, texts, [str(n + 1) for n in range(len(ranked))])
            shares = sentence_probabilities(ranked, made.scores)
        else:
            shares = []
        write_text(output, read.text(shares))


def sentence_probabilities(lists: Sequence[CandidateList], scores: FloatArray) -> list[FloatArray]:
    """The softmax of each list's scores over its sentences; an empty sentence has probability 0."""
    import numpy as np

    shares = []
    start = 0
    for one in lists:
        own = scores[start : start + len(one.candidates)]
        start += len(own)
        filled = np.array([bool(text.strip()) for text in one.candidates])
        powers = np.where(filled, np.exp(own - own.max(initial=-np.inf, where=filled)), 0.0)
        shares.append(powers / max(float(powers.sum()), 1.0) if filled.any() else np.zeros(len(own)))
    return shares


class ReadFile(NamedTuple):
    """A SelQA or tab-separated file: exactly one of the two is there."""

    lists: list[CandidateList]
    json: SelqaFile | None
    tsv: TsvFile | None

    def text(self, shares: Sequence[FloatArray]) -> str:
        """The file with its results; `shares` belong to the lists that have sentences."""
        import numpy as np

        from answerer.formats.selqa import selqa_text
        from answerer.formats.sentence_tsv import tsv_text

        if self.tsv:
            return tsv_text(self.tsv, np.concatenate(shares))
        assert self.json is not None  # noqa: S101
        given = iter(shares)
        return selqa_text(self.json, [next(given) if one.candidates else np.zeros(0) for one in self.lists])


def read_file(file: str) -> ReadFile:
    """Read JSON where the file begins with { or [, else tab-separated rows."""
    from answerer.formats.selqa import read_selqa
    from answerer.formats.sentence_tsv import read_tsv
    from indexer.files.encoding import open_bytes

    with open_bytes(Path(file)) as opened:
        start = opened.read(4096).decode("utf-8-sig", "replace").lstrip()
    if start[:1] in ("{", "["):
        found = read_selqa(file)
        return ReadFile(found.lists, found, None)
    rows = read_tsv(file)
    warn(rows.warnings)
    return ReadFile(rows.lists, None, rows)


@click.command(epilog="Example: python -m answerer train selqa samples/selqa.dev.json -o selqa.model.json --folds 3")
@click.argument("files", nargs=-1, required=True, metavar="TRAIN.json|TRAIN.tsv...")
@training_options
def train(
    files: tuple[str, ...], output: str, k: int, seed: int, ranker: str, without: tuple[str, ...], ablation: bool
) -> None:
    """Train the ranker of SelQA, WikiQA or TrecQA; folds by article, else by question."""
    from answerer.ranked import train_model
    from indexer.files.errors import UserError
    from retriever.ranking.english_ranking import english_ranking
    from retriever.ranking.lists import gold_rows
    from retriever.ranking.train import Problem

    read = [[one for one in read_file(file).lists if one.candidates] for file in files]
    for file, lists in zip(files, read, strict=True):
        if not any(one.gold is not None for one in lists):
            raise UserError(f"{file}: no gold; training needs the indices or labels of the right sentences")
    rankings = [english_ranking(lists) for lists in read]
    problems = [
        Problem(ranking.lists, ranking.families, gold_rows(lists), [each.group for each in lists])
        for ranking, lists in zip(rankings, read, strict=True)
    ]
    train_model(files, rankings, problems, Training(ranker, k, seed, without, ablation), output)
