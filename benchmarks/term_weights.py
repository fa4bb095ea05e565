"""Learns the weights of term candidates from sheets with gold: `python benchmarks/term_weights.py
asked|gap …`.

Each --from names a gold sheet and the index that is asked, each --of a gold sheet and an index to
be measured on. Questions are put into halves by their text, five times: weights learned on one half
answer the other. -o writes what is learned from all of --from, in the form of the weights that come
with the program.

Example: python benchmarks/term_weights.py asked --from evidence.gold.xml evidence-index --of
supported.gold.xml index
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np

from answerer.formats.answer_sheet import read_sheet
from answerer.ntcir.term.language import index_language
from answerer.ntcir.term.questions import section_question
from answerer.ntcir.term.ranking import HAND, candidates_with_features
from evaluation.measures.answer_sets import is_match
from indexer.cli.program import run_program
from indexer.engines.opening import open_index
from indexer.files.arrays import BoolArray, Float64Array
from retriever.learning.conditional_logit import fit, folds
from retriever.learning.model import Model, save_model

SPLITS = 5
# The penalty on leaving the hand weights, and how many times less a signal with a hand weight is
# worth to leave it.
PENALTIES = {"asked": (80.0, 2.0), "gap": (50.0, 1.0)}
LEARNED_FROM = {
    "asked": "a question, learned from NIILC-QA, development part (CC BY-SA 4.0)",
    "gap": "a gap, learned from names hidden in OpenStax World History (CC BY 4.0) and Japanese "
    "Wikipedia (CC BY-SA)",
}
DIGITS = 4
_LEAST_SCALE = 0.02  # a signal that few candidates have keeps the weight set by hand
COLUMNS = (
    "sheet",
    "questions",
    "accuracy@1",
    "accuracy@1: standard error",
    "MRR@5",
    "by hand weights",
    "difference",
    "difference: standard error",
)


class Asked(NamedTuple):
    """A question's candidates in the order of the hand weights: their signals (a row each), and
    which are right."""

    text: str
    rows: Float64Array
    right: BoolArray
    names: tuple[str, ...]


def read_asked(gold: str, address: str) -> list[Asked]:
    """The candidates of every term section of a gold sheet, from an index."""
    sections = read_sheet(gold).terms
    index = open_index(address, "textbook", read_sheet(gold).language)
    language = index_language(index)
    questions = [section_question(section, language.language) for section in sections]
    made = []
    for section, question, ranked in zip(
        sections, questions, candidates_with_features(questions, index, language), strict=True
    ):
        golds = [one.text for answer in section.answers for one in answer.expressions]
        names = tuple(ranked[0].features) if ranked else ()
        rows = np.array([[one.features[name] for name in names] for one in ranked], float).reshape(
            len(ranked), len(names)
        )
        right = np.array([is_match(one.text, golds) for one in ranked], bool)
        made.append(Asked(question.text, rows, right, names))
    return made


def learn(asked: Sequence[Asked], form: str) -> dict[str, float]:
    """The weights that make the right candidates likeliest, drawn to those by hand; a constant
    signal keeps its own."""
    penalty, stiffness = PENALTIES[form]
    known = [one for one in asked if one.right.any()]
    names = known[0].names
    rows = np.concatenate([one.rows for one in known])
    groups = np.repeat(np.arange(len(known)), [len(one.right) for one in known])
    scale = rows.std(axis=0)
    constant = scale < 1e-9
    scale = np.maximum(scale, _LEAST_SCALE)
    unit = scale * np.array([stiffness if name in HAND else 1.0 for name in names])
    prior = np.array([HAND.get(name, 0.0) for name in names]) * unit
    found = fit(
        (rows - rows.mean(axis=0)) / unit,
        groups,
        np.concatenate([one.right for one in known]),
        penalty=penalty,
        prior=prior,
    )
    return {
        name: float(f"{HAND.get(name, 0.0) if still else weight:.{DIGITS}g}")
        for name, weight, still in zip(names, found / unit, constant, strict=True)
    }


def reciprocal_ranks(asked: Sequence[Asked], weights: Mapping[str, float]) -> Float64Array:
    """1 / rank of the best right candidate of each question, 0 without one; of equal scores in the
    order given."""
    found = np.zeros(len(asked))
    for place, one in enumerate(asked):
        order = np.argsort(
            -(one.rows @ np.array([weights[name] for name in one.names])), kind="stable"
        )
        ranks = np.flatnonzero(one.right[order])
        found[place] = 1 / (ranks[0] + 1) if len(ranks) else 0.0
    return found


def halves(learned: Sequence[Asked], measured: Sequence[Asked], form: str) -> Float64Array:
    """The reciprocal rank of each measured question (columns) in each split (rows), by weights of
    the other half."""
    texts = [one.text for one in (*learned, *measured)]
    found = np.zeros((SPLITS, len(measured)))
    for seed in range(SPLITS):
        half = folds(texts, 2, seed)
        of_learned, of_measured = half[: len(learned)], half[len(learned) :]
        for number in range(2):
            weights = learn(
                [one for one, own in zip(learned, of_learned, strict=True) if own != number], form
            )
            mine = [one for one, own in zip(measured, of_measured, strict=True) if own == number]
            found[seed, of_measured == number] = reciprocal_ranks(mine, weights)
    return found


def figures(learned: Sequence[Asked], measured: Sequence[Asked], form: str) -> list[float]:
    """Accuracy@1 with its error, MRR@5, accuracy of the hand weights, the difference from it with
    its error."""
    ranks = halves(learned, measured, form)
    right = (ranks == 1).mean(axis=0)
    at_five = np.where(ranks >= 1 / 5, ranks, 0.0).mean()
    by_hand = {name: HAND.get(name, 0.0) for one in measured for name in one.names}
    hand = (reciprocal_ranks(measured, by_hand) == 1).astype(float)
    gain, root = right - hand, len(measured) ** 0.5
    return [
        right.mean(),
        right.std(ddof=1) / root,
        float(at_five),
        hand.mean(),
        gain.mean(),
        gain.std(ddof=1) / root,
    ]


@click.command(help=__doc__)
@click.argument("form", type=click.Choice(list(PENALTIES)))
@click.option(
    "--from",
    "sources",
    nargs=2,
    multiple=True,
    required=True,
    help="A gold sheet and its index: to learn from.",
)
@click.option(
    "--of", "measured", nargs=2, multiple=True, help="A gold sheet and its index: to measure on."
)
@click.option("-o", "output", type=click.Path(path_type=Path), help="Where the learned weights go.")
def main(
    form: str,
    sources: Sequence[tuple[str, str]],
    measured: Sequence[tuple[str, str]],
    output: Path | None,
) -> None:
    learned = [one for source in sources for one in read_asked(*source)]
    click.echo("\t".join(COLUMNS))
    for sheet, address in measured:
        asked = read_asked(sheet, address)
        values = (f"{value:.6f}" for value in figures(learned, asked, form))
        click.echo("\t".join((sheet, str(len(asked)), *values)))
    if output:
        weights = learn(learned, form)
        facts = {"settings": {"chosen": f"by benchmarks/term_weights.py for {LEARNED_FROM[form]}"}}
        zeros, ones = np.zeros(len(weights)), np.ones(len(weights))
        model = Model(
            "ntcir-term",
            "listwise",
            tuple(weights),
            np.array([*weights.values()]),
            zeros,
            ones,
            **facts,
        )
        save_model(model, output)


if __name__ == "__main__":
    run_program(main, "python benchmarks/term_weights.py")
