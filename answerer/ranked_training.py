"""`answerer train selqa`, `nlpcc-dbqa`, `nlpcc-tbqa`: rankers of given candidates, learned from
labelled files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from answerer.nlpcc import dbqa, tbqa
from answerer.selqa import task as selqa
from answerer.training import RANKING, Learned
from evaluation.measures.ranking import accuracy_at, average_precision, reciprocal_rank
from indexer.files.arrays import BoolArray, Float64Array
from indexer.files.errors import UserError
from indexer.files.hashes import fingerprints
from indexer.files.messages import info
from indexer.files.validation import FileName, validate_count
from indexer.formats.labels import read_label, warn_of_labels
from indexer.formats.table_rows import read_table_rows
from retriever.collection import rank_sentences
from retriever.learning.conditional_logit import RANKER, cross_validate, folds, link_groups, train
from retriever.learning.model import Model
from retriever.ranking.design import design
from retriever.ranking.ranker import ListLayout, Ranking, layout, score_untrained

# Of each task: the penalty on the weights, the factors of families, and that of columns of one type
# of question.
SETTINGS: dict[str, tuple[float, dict[str, float], float]] = {
    selqa.TASK: (150.0, {}, 0.4),
    dbqa.TASK: (100.0, {"surface": 0.5}, 1.0),
    tbqa.TASK: (30.0, {}, 0.4),
}


class Labelled(NamedTuple):
    """A labelled file: its ranking, the mask of the right rows, (rows,), and the key of each list,
    for folds."""

    ranking: Ranking
    gold: BoolArray
    keys: Sequence[str]


def labelled_sentences(file: str, task: str) -> Labelled:
    """A file of selqa or nlpcc-dbqa, without questions that have no sentences; the keys are the
    `group` of its lists.

    A list without labels has no right candidate. Raises UserError for a file without labels.
    """
    read = selqa.read_file(file) if task == selqa.TASK else dbqa.read_file(file)
    lists = [entry for entry in read.lists if entry.candidates]
    if not any(entry.gold is not None for entry in lists):
        raise UserError(
            f"{file}: no labels; training needs labels, or the indices of the right sentences"
        )
    gold = np.array(
        [mark for entry in lists for mark in (entry.gold or (False,) * len(entry.candidates))], bool
    )
    return Labelled(rank_sentences(task, lists), gold, [entry.group for entry in lists])


def labelled_tables(files: Sequence[str]) -> list[Labelled]:
    """The lists of TBQA files, one item a file, with their gold and a key for each question;
    questions that share their text or a right table, also of two files, share a key. Warns of
    labels that are not certain. Raises UserError for a row without a label."""
    from retriever.ranking.tables import table_ranking

    number_of: dict[tuple[str, str, str], int] = {}  # of each table, by what it holds
    linked: list[list[str]] = []
    rankings = []
    for file in files:
        ranking, rows = table_ranking(read_table_rows(file))
        tbqa.warn_of_others(file, ranking.questions)
        group_keys = [[f"question {text}"] for text in ranking.questions]
        gold, warnings = [], []
        for row, question in zip(rows, ranking.lists.list_of.tolist(), strict=True):
            if row.label is None:
                raise UserError(f"{file}: no labels; training needs five columns, the label first")
            right, warning = read_label(row.label, file, row.line)
            gold.append(right)
            warnings.append(warning)
            number = number_of.setdefault((row.caption, row.attributes, row.cells), len(number_of))
            if right:
                group_keys[question].insert(-1, f"table {number}")
        warn_of_labels(warnings)
        linked += group_keys
        rankings.append((ranking, np.array(gold, bool)))
    keys = iter(link_groups(linked))
    return [
        Labelled(ranking, gold, [next(keys) for _ in ranking.questions])
        for ranking, gold in rankings
    ]


def learn(task: str, paths: Sequence[FileName], k: int, seed: int) -> Learned:
    """Cross-validates in k folds, then trains on all files of a task; the returned model contains
    its figures. The rows are the figures of the cross-validated model, then of `sum`, `bm25` and
    `overlap`, untrained, all over the questions with a right candidate.

    Raises UserError if no question has both a right and a wrong candidate, if there are fewer
    groups of questions (which stay in one fold) than folds, for a file without labels, and for one
    given twice.
    """
    files = [os.fspath(path) for path in paths]
    validate_count(k, "folds", 2)
    validate_count(seed, "seed", 0)
    read = (
        labelled_tables(files)
        if task == tbqa.TASK
        else [labelled_sentences(file, task) for file in files]
    )
    data = fingerprints(files)
    lists = layout([size for labelled in read for size in labelled.ranking.lists.sizes.tolist()])
    gold = np.concatenate([labelled.gold for labelled in read])
    keys = [key for labelled in read for key in labelled.keys]
    right = np.add.reduceat(gold.astype(float), lists.starts)
    if not ((right > 0) & (right < lists.sizes)).any():
        raise UserError(
            f"{', '.join(files)}: no question with a right and a wrong candidate to learn from"
        )
    if without := int((right == 0).sum()):
        info(
            f"left out of these figures, as no candidate is right (scoring counts 0): "
            f"{without:,} of {len(lists.sizes):,} questions"
        )
    penalty, damping, typed = SETTINGS[task]
    blocks = (block for labelled in read for block in labelled.ranking.blocks())
    matrix, names, factors = design(blocks, damping, typed)

    def model_of(inside: BoolArray, **facts: Any) -> Model:
        """The model of the lists in a mask, (lists,)."""
        rows = inside[lists.list_of]
        examples = matrix[rows], lists.list_of[rows], gold[rows]
        return train(
            task, names, *examples, penalty=penalty, objective="each", factors=factors, **facts
        )

    matrices = np.split(matrix, lists.starts[1:])
    held_out = cross_validate(
        folds(keys, k, seed), model_of, lambda number, model: model.score(matrices[number].T)
    )
    ways = {f"{RANKER}, cross-validated": np.concatenate(held_out)}
    for method in ("sum", "bm25", "overlap"):
        ways[f"{method}, untrained"] = np.concatenate(
            [score_untrained(labelled.ranking, method) for labelled in read]
        )
    rows = [
        {RANKING: name, **ranking_figures(lists, gold, scores)} for name, scores in ways.items()
    ]
    model = model_of(
        np.ones(len(lists.sizes), bool),
        data=data,
        figures={"folds": k, "seed": seed, "cross-validated": rows[0]},
        settings={"penalty": penalty},
    )
    return Learned(
        model, rows, how=f"{k} folds by {len(set(keys))} groups, seed {seed}; ties in file order"
    )


def ranking_figures(lists: ListLayout, gold: BoolArray, scores: Float64Array) -> dict[str, Any]:
    """Measure name → figure of the scores, (rows,), over the questions with a right candidate, of
    which there must be one: their number, MRR with ties (equal to 9 decimals) in file order and its
    standard error, MRR with average ties, MAP and Accuracy@1, these two with ties in file order."""
    values: list[tuple[float, float, float, float]] = []
    rounded = scores.round(9).tolist()  # scores that differ only by floating-point error are ties
    for start, size in zip(*lists.spans(), strict=True):
        list_scores, marks = rounded[start : start + size], gold[start : start + size].tolist()
        if any(marks):
            mrr, average = (
                reciprocal_rank(list_scores, marks, ties) for ties in ("file", "average")
            )
            values.append(
                (
                    mrr,
                    average,
                    average_precision(list_scores, marks, "file"),
                    accuracy_at(1, list_scores, marks, "file"),
                )
            )
    means = [sum(column) / len(values) for column in zip(*values, strict=True)]
    spread = (sum((row[0] - means[0]) ** 2 for row in values) / max(1, len(values) - 1)) ** 0.5
    names = "questions", "MRR", "standard error", "MRR, average ties", "MAP", "Accuracy@1"
    return dict(
        zip(names, (len(values), means[0], spread / len(values) ** 0.5, *means[1:]), strict=True)
    )
