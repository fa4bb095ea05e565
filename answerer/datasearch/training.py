"""Training for Data Search QA: the weights of derivations' features, from questions with answers
alone."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import chain
from os import fspath
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
from scipy.sparse import csr_array

from answerer.datasearch.operations.records import MACRO, SPOKEN, Derivation
from answerer.datasearch.tables.library import datasets_of
from answerer.datasearch.task import DEFAULT_WEIGHTS, TASK, derive, rank, score_all
from answerer.formats.datasearch import read_answers
from answerer.options import folds_option, index_option, seed_option
from answerer.training import (
    Learned,
    model_output_option,
    pair_files,
    pairs_argument,
    write_learned,
)
from indexer.cli.types import Command
from indexer.engines.contract import Index
from indexer.files.arrays import BoolArray, Float64Array, Int64Array
from indexer.files.errors import UserError
from indexer.files.hashes import fingerprint
from indexer.files.messages import counted, info
from indexer.files.progress import with_progress
from indexer.files.validation import FileName, validate_count
from indexer.formats.datasearch import DatasetQuestion, read_questions
from retriever.learning.conditional_logit import cross_validate, fit, folds
from retriever.learning.model import Model
from retriever.opened import AnyIndex, using_index

PENALTY = 3.0  # L2 penalty around the hand weights
# derivations kept for a question: those that the hand weights score best, and the best that give
# the gold
KEPT = 150
KEPT_GOLD = 40  # the best derivations that give the gold; both bound the matrix in memory
# questions that a feature of a spoken word or of a question's form needs: a rarer one says nothing
# of others
OFTEN = 5
LEAST = 0.02  # a weight nearer to 0 than this hardly moves an answer: it is 0, and not in the model


class TableExample(NamedTuple):
    """A training question and its gold answer, with the derivations kept for it: rows `first_row`
    and following of the feature matrix."""

    question: DatasetQuestion
    gold: str
    derivations: Sequence[Derivation]
    first_row: int


class Data(NamedTuple):
    """All training questions as one matrix: a row a derivation, a column a feature of `names`,
    `groups` the number in `examples` of the row's question; `gold` is True for a derivation of the
    gold answer."""

    examples: Sequence[TableExample]
    features: csr_array
    names: Sequence[str]
    groups: Int64Array
    gold: BoolArray


def collect(
    index: Index, questions: Sequence[DatasetQuestion], gold: dict[str, str], words: bool = True
) -> Data:
    """Derives answers to every question that has gold (question id → answer), in the order of
    datasets, and builds the feature matrix.

    For each question the 150 derivations with the highest default scores are kept, and the 40 best
    that give the gold. Without `words` the features of single words of questions are left out;
    features of words and question forms need at least 5 questions.
    """
    answered = [question for question in questions if question.question_id in gold]
    examples: list[TableExample] = []
    times: Counter[str] = Counter()  # questions that have a feature
    rows = 0
    for dataset, dataset_questions in with_progress(
        datasets_of(index, answered), "derived", 0, "datasets"
    ):
        for question in dataset_questions:
            right = gold[question.question_id]
            derivations = derive(question.text, dataset.views)
            # Thousands of derivations a question: those that hand weights leave far behind teach
            # little.
            scores = score_all(derivations, DEFAULT_WEIGHTS)
            order = sorted(
                range(len(derivations)), key=lambda position: (-scores[position], position)
            )
            best = [position for position in order if derivations[position].answer == right][
                :KEPT_GOLD
            ]
            selection = [derivations[position] for position in sorted({*order[:KEPT], *best})]
            examples.append(TableExample(question, right, selection, rows))
            rows += len(selection)
            blocks = {id(block): block for derivation in selection for block in derivation.blocks}
            times.update({name for block in blocks.values() for name, _ in block})
    # a word or a form that few questions have says nothing of others
    often = {
        name
        for name, count in times.items()
        if count >= OFTEN or (SPOKEN not in name and MACRO not in name)
    }
    names = {
        name: number
        for number, name in enumerate(sorted(name for name in often if words or SPOKEN not in name))
    }
    columns, values, ends = array("i"), array("d"), array("q", [0])
    for example in examples:
        for derivation in example.derivations:
            for name, value in chain(*derivation.blocks):
                if name in names:
                    columns.append(names[name])
                    values.append(value)
            ends.append(len(columns))
    shape = (len(ends) - 1, len(names))
    arrays = (
        np.frombuffer(values, float),
        np.frombuffer(columns, np.int32),
        np.frombuffer(ends, np.int64),
    )
    matrix = csr_array(arrays, shape=shape)
    # Blocks of one derivation may name the same feature.
    matrix.sum_duplicates()
    is_right = [
        derivation.answer == example.gold
        for example in examples
        for derivation in example.derivations
    ]
    groups = np.repeat(np.arange(len(examples)), [len(example.derivations) for example in examples])
    return Data(examples, matrix, list(names), groups.astype(np.int64), np.array(is_right, bool))


def train_weights(data: Data, inside: BoolArray) -> Float64Array:
    """Learns the weights of the features, one for each column, from the questions n (rows of
    `data.examples`) with `inside[n]`, with the hand weights as their prior.

    A feature without a hand weight whose learned weight is below 0.02 in absolute value gets 0.
    """
    rows = inside[data.groups] if len(data.groups) else np.zeros(0, bool)
    prior = np.array([DEFAULT_WEIGHTS.get(name, 0.0) for name in data.names])
    weights = fit(
        data.features[rows], data.groups[rows], data.gold[rows], penalty=PENALTY, prior=prior
    )
    weights[(np.abs(weights) < LEAST) & (prior == 0)] = 0.0
    return weights


def best_answer(data: Data, number: int, weights: Float64Array) -> str:
    """The best answer, under these weights, to the question of a number; "" without derivations."""
    example = data.examples[number]
    rows = data.features[example.first_row : example.first_row + len(example.derivations)]
    ranked = rank(example.derivations, np.asarray(rows @ weights, float).tolist())
    return ranked[0].answer if ranked else ""


def cross_validated_figures(data: Data, k: int, seed: int) -> dict[str, float | int]:
    """Figures of k-fold cross-validation by dataset: exact match with its standard error, exact
    match of the hand weights, and the number of questions. No question is answered by weights
    learned from its dataset."""
    # Questions on one dataset share its words: they stay together.
    fold_of = folds([example.question.dataset_id for example in data.examples], k, seed)

    def is_right(number: int, weights: Float64Array) -> bool:
        return best_answer(data, number, weights) == data.examples[number].gold

    right = np.array(cross_validate(fold_of, partial(train_weights, data), is_right), float)
    hand = np.array([DEFAULT_WEIGHTS.get(name, 0.0) for name in data.names])
    return {
        "exact match": round(float(right.mean()), 4),
        "standard error": round(float(right.std() / np.sqrt(len(right))), 4),
        "exact match by hand weights": round(
            sum(is_right(n, hand) for n in range(len(right))) / len(right), 4
        ),
        "questions": len(right),
    }


@click.command(
    cls=Command,
    example="answer train datasearch-qa samples/datasearch-questions.tsv "
    "samples/datasearch-gold.tsv -o datasearch.model.json --folds 2",
)
@pairs_argument
@index_option("datasets")
@folds_option
@seed_option
@click.option(
    "--words/--no-words",
    default=True,
    help="Whether words of the questions weigh too; without, a model names no words of the data.",
)
@model_output_option
def command(files: tuple[Path, ...], output: str, **options: Any) -> None:
    """Learn the weights of derivations from questions and their answers; the figures are
    cross-validated."""
    write_learned(lambda: train(*files, **options), output)


def train(
    *files: FileName,
    index: AnyIndex | None = None,
    folds: int = 5,
    seed: int = 0,
    words: bool = True,
) -> Learned:
    """The model that `files`, which alternate questions and gold, teach, with figures of
    cross-validation by dataset in `folds` folds, drawn by `seed`; without `words` single words of
    questions are not features. `index` is by default the index `datasets`. Raises UserError for an
    odd number of files, fewer than 2 folds, a question that comes twice, and if the answers of
    fewer than 2 × folds questions can be derived."""
    validate_count(folds, "folds", 2)
    validate_count(seed, "seed", 0)
    with using_index("datasets" if index is None else index, "datasets") as opened:
        return learn([fspath(file) for file in files], opened, folds, seed, words)


def learn(files: Sequence[str], index: Index, k: int, seed: int, words: bool) -> Learned:
    """Learns a model from `files`, which alternate questions and gold; its figures are
    cross-validated in k folds.

    Raises UserError for an odd number of files, a question that comes twice, and if the answers of
    fewer than 2k questions can be derived.
    """
    pairs = pair_files(files)
    questions = [question for file, _ in pairs for question in read_questions(file)]
    # Gold goes by ids: a file given twice would count its questions twice.
    first, times = Counter(question.question_id for question in questions).most_common(1)[0]
    if times > 1:
        raise UserError(
            f"question {first} is in {times} of the files: give each question, with its gold, once"
        )
    gold = {
        name: answer for _, file in pairs for name, answer in read_answers(file).answers.items()
    }
    data = collect(index, questions, gold, words)
    reached = len(np.unique(data.groups[data.gold])) if len(data.groups) else 0
    # Two a fold, or its figure would be that of one question.
    if reached < 2 * k:
        raise UserError(
            f"{index.address} derives the answers of {reached} of {len(questions)} questions: too "
            f"few for {k} folds; "
            f"index the datasets that the questions are about"
        )
    info(
        f"{counted(len(data.examples), 'questions')} with gold; the answers of {reached:,} can be "
        f"derived"
    )
    figures = cross_validated_figures(data, k, seed)
    weights = train_weights(data, np.ones(len(data.examples), bool))
    # Hand weights stay even at 0: without them the default would come back.
    columns = [
        number
        for number, name in enumerate(data.names)
        if weights[number] or DEFAULT_WEIGHTS.get(name)
    ]
    return Learned(
        Model(
            task=TASK,
            ranker="listwise",
            feature_names=tuple(data.names[number] for number in columns),
            weights=weights[columns],
            means=np.zeros(len(columns)),
            scales=np.ones(len(columns)),
            data=[fingerprint(file) for file in files],
            figures=figures,
            settings={"folds": k, "seed": seed, "penalty": PENALTY, "kept": KEPT},
        ),
        how=f"{k} folds by dataset, seed {seed}",
    )
