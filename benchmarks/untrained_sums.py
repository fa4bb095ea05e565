"""How good a fixed sum of few features is when it is chosen inside folds, and which sum the whole file would choose.

Greedy: the feature (compared inside its list, z) whose addition raises the MRR most is added, up to --most features;
one may be added again, which doubles its weight. Inside folds: chosen on the other folds, measured on the fold.

Example: python benchmarks/untrained_sums.py selqa $QA_DATA/selqa/SelQA-ass-dev.json
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from answerer.formats.nlpcc_sentences import read_sentences
from answerer.nlpcc.tbqa import labelled_problem as table_problem
from answerer.selqa.task import read_file
from indexer.sources.table_rows import read_table_rows
from retriever.ranking.chinese_ranking import chinese_ranking
from retriever.ranking.columns import copies
from retriever.ranking.english_ranking import english_ranking
from retriever.ranking.folds import folds
from retriever.ranking.lists import gold_rows
from retriever.ranking.listwise import BoolArray, FloatArray
from retriever.ranking.table_ranking import table_ranking
from retriever.ranking.train import Problem


def problem(task: str, file: str) -> Problem:
    """The lists of a development file with their features."""
    if task == "nlpcc-tbqa":
        return table_problem(table_ranking(read_table_rows(file)), file)
    lists = read_sentences(file).lists if task == "nlpcc-dbqa" else [o for o in read_file(file).lists if o.candidates]
    ranking = (chinese_ranking if task == "nlpcc-dbqa" else english_ranking)(lists)
    return Problem(ranking.lists, ranking.families, gold_rows(lists), [one.group for one in lists])


def reciprocal_ranks(scores: FloatArray, made: Problem) -> FloatArray:
    """One number a list, ties at the mean of their ranks; 0 without gold."""
    lists = made.lists
    best = lists.largest(np.where(made.gold, scores, -np.inf))
    above = lists.total((scores > lists.of_rows(best)).astype(float))
    tied = lists.total((scores == lists.of_rows(best)).astype(float))
    return np.where(np.isfinite(best), 1 / (above + (np.maximum(tied, 1) + 1) / 2), 0.0)


def choose(compared: dict[str, FloatArray], made: Problem, chosen_lists: BoolArray, most: int) -> list[str]:
    """The features of the greedy sum, in the order in which they were added."""
    total, picked, reached = np.zeros(made.lists.rows), list[str](), 0.0
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=["selqa", "nlpcc-dbqa", "nlpcc-tbqa"])
    parser.add_argument("file")
    parser.add_argument("--most", type=int, default=5)
    options = parser.parse_args()
    made = problem(options.task, options.file)
    compared = {
        name: copies(values, made.lists)[1] for family in made.families.values() for name, values in family.items()
    }
    has_gold = made.lists.total(made.gold.astype(float)) > 0
    fold = folds(made.groups, 5, 0)
    found = np.zeros(len(fold))
    for number in range(5):
        picked = choose(compared, made, has_gold & (fold != number), options.most)
        total = sum((compared[name] for name in picked), np.zeros(made.lists.rows))
        found[fold == number] = reciprocal_ranks(total.round(9), made)[fold == number]
        print(f"fold {number}: {' + '.join(picked)}")
    inside = found[has_gold]
    print(f"chosen inside folds: MRR {inside.mean():.4f} ± {inside.std() / len(inside) ** 0.5:.4f}, average ties")
    print(f"chosen on the whole file: {dict(Counter(choose(compared, made, has_gold, options.most)))}")


if __name__ == "__main__":
    main()
