"""How good a fixed sum of few features is when it is chosen inside folds, and which sum the whole
file would choose.

Greedy: the feature (compared inside its list, z) whose addition raises the MRR most is added, up to
--most features; one may be added again, which doubles its weight. Inside folds: chosen on the other
folds, measured on the fold.

Example: python benchmarks/untrained_sums.py selqa $QA_DATA/selqa/SelQA-ass-dev.json
"""

from __future__ import annotations

from collections import Counter

import click
import numpy as np

from answerer.ranked_training import Labelled, labelled_sentences, labelled_tables
from indexer.cli.program import run_program
from indexer.files.arrays import BoolArray, Float64Array
from retriever.learning.conditional_logit import folds
from retriever.ranking.ranker import concatenate_blocks, copies

TASKS = ("selqa", "nlpcc-dbqa", "nlpcc-tbqa")


def reciprocal_ranks(scores: Float64Array, made: Labelled) -> Float64Array:
    """One number a list, ties at the mean of their ranks; 0 without gold."""
    lists = made.ranking.lists
    best = np.maximum.reduceat(np.where(made.gold, scores, -np.inf), lists.starts)
    above = np.add.reduceat((scores > best[lists.list_of]).astype(float), lists.starts)
    tied = np.add.reduceat((scores == best[lists.list_of]).astype(float), lists.starts)
    return np.where(np.isfinite(best), 1 / (above + (np.maximum(tied, 1) + 1) / 2), 0.0)


def choose(
    compared: dict[str, Float64Array], made: Labelled, chosen_lists: BoolArray, most: int
) -> list[str]:
    """The features of the greedy sum, in the order in which they were added."""
    total, picked, reached = np.zeros(made.ranking.lists.rows), list[str](), 0.0
    for _ in range(most):
        values = {
            name: float(reciprocal_ranks((total + z).round(9), made)[chosen_lists].mean())
            for name, z in compared.items()
        }
        name = max(values, key=lambda one: values[one])
        if values[name] <= reached + 1e-4:
            break
        total, reached = total + compared[name], values[name]
        picked.append(name)
    return picked


@click.command(help=__doc__)
@click.argument("task", type=click.Choice(TASKS))
@click.argument("file", type=click.Path(exists=True))
@click.option("--most", default=5, help="Features of a sum at most.")
def main(task: str, file: str, most: int) -> None:
    made = labelled_tables([file])[0] if task == "nlpcc-tbqa" else labelled_sentences(file, task)
    compared = concatenate_blocks(
        {
            name: copies(values, block.lists)[1]
            for compute in block.features.values()
            for name, values in compute().items()
        }
        for block in made.ranking.blocks()
    )
    has_gold = np.add.reduceat(made.gold.astype(float), made.ranking.lists.starts) > 0
    fold = folds(made.keys, 5, 0)
    found = np.zeros(len(fold))
    for number in range(5):
        picked = choose(compared, made, has_gold & (fold != number), most)
        total = sum((compared[name] for name in picked), np.zeros(made.ranking.lists.rows))
        found[fold == number] = reciprocal_ranks(total.round(9), made)[fold == number]
        print(f"fold {number}: {' + '.join(picked)}")
    inside = found[has_gold]
    print(
        f"chosen inside folds: MRR {inside.mean():.4f} ± {inside.std() / len(inside) ** 0.5:.4f}, "
        f"average ties"
    )
    print(f"chosen on the whole file: {dict(Counter(choose(compared, made, has_gold, most)))}")


if __name__ == "__main__":
    run_program(main, "python benchmarks/untrained_sums.py")
