"""`answerer train selqa`, `nlpcc-dbqa`, `nlpcc-tbqa`: rankers of given candidates, learned from labelled files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from answerer.nlpcc import dbqa, tbqa
from answerer.selqa import task as selqa
from answerer.training import RANKING, Learned, folds_option, seed_option, train_command
from evaluation.measures.ranking import accuracy_at, average_precision, reciprocal_rank
from indexer.files.arrays import Float64Array
from indexer.files.errors import UserError
from indexer.files.hashes import fingerprints
from indexer.files.messages import info
from indexer.formats.labels import read_label, warn_of_labels
from indexer.formats.table_rows import read_table_rows
from indexer.parameters import argument, flag, input_path
from retriever.learning.conditional_logit import (
    RANKER,
    LearningProblem,
    concatenate,
    cross_validate,
    design,
    learning_problem,
    link_groups,
    train,
)
from retriever.ranking.ranker import Ranking, score_untrained

Learnable = tuple[Ranking, LearningProblem]


def learnable_sentences(file: str, task: str) -> Learnable:
    """The ranking and the learning problem of a labelled file of selqa or nlpcc-dbqa, without questions that have no
    sentences; lists of one `group` stay together in cross-validation.

    A list without labels has no right candidate. Raises UserError for a file without labels.
    """
    from retriever.collection import rank_sentences

    read = selqa.read_file(file) if task == selqa.TASK else dbqa.read_file(file)
    lists = [one for one in read.lists if one.candidates]
    if not any(one.gold is not None for one in lists):
        raise UserError(f"{file}: no labels; training needs labels, or the indices of the right sentences")
    ranking = rank_sentences(task, lists)
    gold = np.array([mark for each in lists for mark in (each.gold or (False,) * len(each.candidates))], bool)
    return ranking, learning_problem(ranking, gold, [each.group for each in lists])


def learnable_tables(files: Sequence[str]) -> list[Learnable]:
    """The ranking and the learning problem of each labelled TBQA file; questions that share a right table, also of two
    files, share a group, which stays in one fold.

    Raises UserError for a file without labels.
    """
    from retriever.ranking.tables import table_ranking

    number_of: dict[bytes, int] = {}  # of each table, by what it holds
    keys: list[list[str]] = []
    problems = []
    for file in files:
        ranking, read = table_ranking(read_table_rows(file, ranked=True))
        tbqa.warn_of_others(file, ranking.questions)
        labels = []
        for label, line in zip(read.labels, read.lines, strict=True):
            if label is None:
                raise UserError(f"{file}: no labels; training needs five columns, the label first")
            labels.append(read_label(label, file, line + 1))
        warn_of_labels([warning for _, warning in labels])
        gold = np.array([right for right, _ in labels], bool)
        own = [[f"question {text}"] for text in ranking.questions]
        for table, right, question in zip(read.tables, gold.tolist(), ranking.lists.list_of.tolist(), strict=True):
            number = number_of.setdefault(table, len(number_of))
            if right:
                own[question].insert(-1, f"table {number}")
        keys += own
        problems.append((ranking, gold))
    groups = iter(link_groups(keys))
    return [
        (ranking, learning_problem(ranking, gold, [next(groups) for _ in ranking.questions]))
        for ranking, gold in problems
    ]


def learn(files: Sequence[str], k: int, seed: int, ablation: bool, *, task: str) -> Learned:
    """Cross-validates in k folds, then trains on all files of a task; the returned model contains its figures.

    `ablation` adds a row of figures for each feature family left out. Raises UserError if no question has both a right
    and a wrong candidate, if there are fewer groups than folds, for a file without labels, and for one given twice.
    """
    read = learnable_tables(files) if task == tbqa.TASK else [learnable_sentences(file, task) for file in files]
    data = fingerprints(files)
    # All files are of one task, and lists of all are learned from alike.
    recipe = read[0][0].recipe
    problem = concatenate([each for _, each in read])
    right = np.add.reduceat(problem.gold.astype(float), problem.lists.starts)
    if not ((right > 0) & (right < problem.lists.sizes)).any():
        raise UserError(f"{', '.join(files)}: no question with a right and a wrong candidate to learn from")
    without = int((right == 0).sum())
    if without:
        count = f"{without:,} of {len(problem.lists.sizes):,} questions"
        info(f"{count} have no right candidate: left out of these figures; scoring counts them as 0")
    made = design(problem, recipe)
    ways = {f"{RANKER}, cross-validated": cross_validate(made, problem, recipe, k=k, seed=seed)}
    for method in ("sum", "bm25", "overlap"):
        ways[f"{method}, untrained"] = np.concatenate([score_untrained(ranking, method) for ranking, _ in read])
    for family in problem.families if ablation else ():
        # Columns of zeros get no weight, and the design keeps its shape.
        kept = np.array([name != family for name in made.families], bool)
        left = made._replace(matrix=np.where(kept, made.matrix, 0.0))
        ways[f"without {family}"] = cross_validate(left, problem, recipe, k=k, seed=seed)
    rows = [{RANKING: name, **ranking_figures(problem, scores)} for name, scores in ways.items()]
    figures = {"folds": k, "seed": seed, "cross-validated": rows[0]}
    settings = {"penalty": recipe.penalty}
    model = train(made, problem.lists.list_of, problem.gold, recipe, data=data, figures=figures, settings=settings)
    how = f"{k} folds by {len(set(problem.groups))} groups, seed {seed}; ties in file order"
    return Learned(model, rows, how=how)


def ranking_figures(problem: LearningProblem, scores: Float64Array) -> dict[str, Any]:
    """Measure name → figure of the scores, (rows,), over the questions with a right candidate: MRR with ties in file
    order and its standard error, MRR with average ties, MAP, Accuracy@1, and the number of questions."""
    values: list[tuple[float, float, float, float]] = []
    rounded = scores.round(9).tolist()  # scores that differ only by floating-point error are ties
    for start, size in zip(problem.lists.starts.tolist(), problem.lists.sizes.tolist(), strict=True):
        own, gold = rounded[start : start + size], problem.gold[start : start + size].tolist()
        if any(gold):
            mrr, average = (reciprocal_rank(own, gold, ties) for ties in ("file", "average"))
            values.append((mrr, average, average_precision(own, gold, "file"), accuracy_at(1, own, gold, "file")))
    means = [sum(column) / len(values) for column in zip(*values, strict=True)]
    spread = (sum((row[0] - means[0]) ** 2 for row in values) / max(1, len(values) - 1)) ** 0.5
    return {
        "questions": len(values),
        "MRR": means[0],
        "standard error": spread / len(values) ** 0.5,
        "MRR, average ties": means[1],
        "MAP": means[2],
        "Accuracy@1": means[3],
    }


learn_selqa, learn_dbqa, learn_tbqa = (partial(learn, task=task) for task in (selqa.TASK, dbqa.TASK, tbqa.TASK))
train_selqa, train_dbqa, train_tbqa = (
    train_command(
        learner,
        text,
        example,
        argument("files", multiple=True, metavar=metavar, type=input_path),
        folds_option,
        seed_option,
        flag("--ablation", help="Also print what the figures are without each family."),
    )
    for learner, metavar, example, text in (
        (
            learn_selqa,
            "TRAIN.json|TRAIN.tsv...",
            "selqa samples/selqa.dev.json -o selqa.model.json --folds 3",
            "Train the ranker of SelQA, WikiQA or TrecQA; folds by article, else by question.",
        ),
        (
            learn_dbqa,
            "TRAIN.txt...",
            "nlpcc-dbqa samples/dbqa.dev.txt -o dbqa.model.json --folds 3",
            "Train the ranker of NLPCC DBQA; folds by question.",
        ),
        (
            learn_tbqa,
            "TRAIN.txt...",
            "nlpcc-tbqa samples/tbqa.dev.txt -o tbqa.model.json --folds 3",
            "Train the ranker of NLPCC TBQA; folds by the right tables.",
        ),
    )
)
