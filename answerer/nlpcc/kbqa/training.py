"""Training for NLPCC KBQA: question templates, and the weights of all features."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from os import fspath
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np

from answerer.formats.nlpcc_kbqa import KbqaQuestion, read_questions
from answerer.nlpcc.kbqa.linking import FactCandidate, Linker, candidates_of
from answerer.nlpcc.kbqa.ranker import (
    TASK,
    CharacterStatistics,
    FactFeatures,
    default_weights,
    rank,
    statistics_of,
)
from answerer.nlpcc.kbqa.relation_phrase import Templates, learn_templates, relation_phrase
from answerer.nlpcc.kbqa.task import AT_ONCE, linker_of
from answerer.options import folds_option, index_option
from answerer.training import Learned, model_output_option, write_learned
from indexer.analysis.text import truncate_question
from indexer.cli.types import Command, InputFile
from indexer.engines.contract import Index
from indexer.files.arrays import BoolArray, Float64Array, Int64Array
from indexer.files.errors import UserError
from indexer.files.hashes import fingerprints
from indexer.files.messages import counted, info
from indexer.files.validation import FileName, validate_count
from indexer.sources.triples.schema import clean_predicate, fold
from retriever.learning.conditional_logit import cross_validate
from retriever.learning.conditional_logit import train as train_listwise
from retriever.learning.model import Model
from retriever.opened import AnyIndex, using_index

# L2 penalty around the default weights; 10 and 30 gained under .6 points on folds
# (docs/figures/nlpcc-kbqa.md).
PENALTY = 3.0
MOST_CANDIDATES = 40  # candidates of a question that training looks at: more only cost time


class KbqaExample(NamedTuple):
    """A training question that the knowledge base answers, with its candidates, relation phrase and
    right predicate.

    `selection` are the positions in `candidates` that training uses, `gold` the mask over it of the
    right ones.
    """

    question: str
    candidates: tuple[FactCandidate, ...]
    selection: Int64Array
    gold: BoolArray
    phrase: str
    predicate: str


def examples_of(
    questions: Sequence[KbqaQuestion], linker: Linker, statistics: CharacterStatistics
) -> list[KbqaExample]:
    """The training examples of the questions that have a right candidate (an object equals an
    answer but for case and blanks); an example has all its candidates, and selects at most 40
    (MOST_CANDIDATES) by position, rising: the right ones before others, then the best by the
    untrained ranker.

    The right predicate is that of the question's triple, if a right candidate has it, else of the
    right candidate with the highest score. Long questions are cut, with a warning.
    """
    features = FactFeatures(statistics)
    weights = default_weights(features.names)
    examples = []
    for start in range(0, len(questions), AT_ONCE):
        some = questions[start : start + AT_ONCE]
        folded = [
            fold(truncate_question(question.text, f"question {question.question_id}"))
            for question in some
        ]
        for question, text, links in zip(some, folded, linker.link(folded), strict=True):
            candidates = candidates_of(links)
            right = set(map(fold, question.answers or ()))  # case and blanks are ignored
            gold = np.array(
                [not right.isdisjoint(candidate.answer) for candidate in candidates], bool
            )
            if not gold.any():
                continue
            # Gold first, then the best untrained: the wrong ones that are hard to tell from it
            # teach most.
            scores = features.rows(text, candidates) @ weights
            selection = np.sort(np.lexsort((-scores, ~gold))[:MOST_CANDIDATES])
            # Several predicates of a subject can have the same object: a triple says which one was
            # asked for.
            stated = clean_predicate(question.triple[1]) if question.triple else None
            rows = [row for row in map(int, selection) if gold[row]]
            best = candidates[
                max(rows, key=lambda row: (candidates[row].fact.predicate == stated, scores[row]))
            ]
            phrase = relation_phrase(text, best.mention.start, best.mention.end)
            examples.append(
                KbqaExample(
                    text, tuple(candidates), selection, gold[selection], phrase, best.fact.predicate
                )
            )
    return examples


def folds_by_predicate(predicates: Sequence[str], k: int) -> Int64Array:
    """The fold of each question, (questions,): the n-th question of a predicate, n from 0, is in
    fold n mod k.

    Training then knows as much about a held-out question's predicate as about that of a new one:
    where all predicates have equally many questions, random folds would reveal by the counts what
    is held out.
    """
    seen: Counter[str] = Counter()
    numbers = []
    for predicate in predicates:
        numbers.append(seen[predicate] % k)
        seen[predicate] += 1
    return np.array(numbers, np.int64)


def templates_of(examples: Sequence[KbqaExample]) -> Templates:
    """The templates that the phrases of these questions teach for their predicates."""
    return learn_templates(
        [example.phrase for example in examples], [example.predicate for example in examples]
    )


def held_out_rows(
    examples: Sequence[KbqaExample],
    fold_of: Int64Array,
    statistics: CharacterStatistics,
    objects: bool,
    templates: bool,
) -> list[Float64Array]:
    """Features (selected candidates, names) of each example; with `objects` also of the facts'
    objects, with `templates` also of the templates that the examples of the other folds teach."""
    # Templates that have seen a question are surer of it than they will be of any new one.
    rows: list[Float64Array] = [np.zeros((0, 0))] * len(examples)
    for number in range(int(fold_of.max(initial=0)) + 1):
        others = [
            example
            for example, fold_number in zip(examples, fold_of, strict=True)
            if fold_number != number
        ]
        features = FactFeatures(statistics, templates_of(others) if templates else None, objects)
        for position in map(int, np.flatnonzero(fold_of == number)):
            rows[position] = features.rows(
                examples[position].question, examples[position].candidates
            )[examples[position].selection]
    return rows


def train_model(
    rows: Sequence[Float64Array],
    examples: Sequence[KbqaExample],
    features: FactFeatures,
    **facts: Any,
) -> Model:
    """The model of the examples' selected candidates, with the default weights as prior; rows[i]
    are the features of examples[i], `facts` further fields of the model."""
    groups = np.repeat(np.arange(len(rows), dtype=np.int64), [len(matrix) for matrix in rows])
    gold = np.concatenate([example.gold for example in examples])
    prior = default_weights(features.names)
    return train_listwise(
        TASK, features.names, np.vstack(rows), groups, gold, penalty=PENALTY, prior=prior, **facts
    )


def cross_validated_figures(
    rows: Sequence[Float64Array],
    examples: Sequence[KbqaExample],
    fold_of: Int64Array,
    features: FactFeatures,
) -> dict[str, float | int]:
    """Accuracy@1, its standard error and MRR (to 4 decimals) among the selected candidates, and the
    number of examples, under weights fitted on the other folds."""

    def fit_weights(inside: BoolArray) -> Float64Array:
        positions = np.flatnonzero(inside).tolist()
        model = train_model(
            [rows[position] for position in positions],
            [examples[position] for position in positions],
            features,
        )
        return model.factors

    def reciprocal_rank(position: int, weights: Float64Array) -> float:
        example = examples[position]
        candidates = [example.candidates[row] for row in example.selection.tolist()]
        # An answer is right by its text: several facts may give it.
        right = {
            candidate.answer
            for candidate, gold in zip(candidates, example.gold, strict=True)
            if gold
        }
        answers = [
            candidates[ranked.row].answer for ranked in rank(candidates, rows[position] @ weights)
        ]
        return next((1.0 / at for at, answer in enumerate(answers, 1) if answer in right), 0.0)

    reciprocal = np.array(cross_validate(fold_of, fit_weights, reciprocal_rank))
    right_first = reciprocal == 1.0
    return {
        "Accuracy@1": round(float(right_first.mean()), 4),
        "standard error": round(float(right_first.std() / np.sqrt(len(right_first))), 4),
        "MRR": round(float(reciprocal.mean()), 4),
        "questions": len(examples),
    }


@click.command(
    cls=Command,
    example="answer train nlpcc-kbqa samples/kbqa-zh.train.txt -o kbqa.model.json --folds 2",
)
@click.argument("files", nargs=-1, required=True, metavar="QUESTIONS...", type=InputFile())
@index_option("triples")
@folds_option
@click.option(
    "--objects/--no-objects",
    default=True,
    help="Whether the kind of a fact's object (a person, a date) speaks too; leave out where "
    "objects are suspect.",
)
@click.option(
    "--templates/--no-templates",
    default=True,
    help="Whether to learn which words of questions go with which predicates; without, a "
    "model is numbers only.",
)
@model_output_option
def command(files: tuple[Path, ...], output: str, **options: Any) -> None:
    """Learn question templates and feature weights from questions with answers; figures are
    cross-validated."""
    write_learned(lambda: train(*files, **options), output)


def train(
    *files: FileName,
    index: AnyIndex | None = None,
    folds: int = 5,
    objects: bool = True,
    templates: bool = True,
) -> Learned:
    """The model that the answered questions of `files` teach, with figures of cross-validation by
    predicate in `folds` folds; without `objects` or `templates` these are not features. `index` is
    by default the index `triples`. Raises UserError for fewer than 2 folds, if the index answers
    fewer than 2 × folds questions, if no file has answers, if no predicate occurs twice, and for a
    file given twice."""
    validate_count(folds, "folds", 2)
    with using_index("triples" if index is None else index, "triples") as opened:
        return learn([fspath(file) for file in files], opened, folds, objects, templates)


def learn(files: Sequence[str], index: Index, k: int, objects: bool, templates: bool) -> Learned:
    """The model trained, and cross-validated in k folds, on the questions of the files that have
    answers.

    `objects` and `templates` include these features. Raises UserError if the index answers fewer
    than 2k questions, if no file has answers, if no predicate occurs twice, and for a file given
    twice.
    """
    data = fingerprints(files)
    questions = [question for file in files for question in read_questions(file)]
    answered = [question for question in questions if question.answers]
    if not answered:
        raise UserError(
            f"{', '.join(files)}: no question has an answer; training takes blocks with `<answer "
            f"id=N>` lines"
        )
    statistics = statistics_of(index)
    examples = examples_of(answered, linker_of(index, fuzzy=True), statistics)
    if len(examples) < 2 * k:
        raise UserError(
            f"{index.address} answers {len(examples)} of {len(answered)} questions: too few for "
            f"{k} folds; "
            f"index the knowledge base that the questions were made of"
        )
    info(f"{counted(len(answered), 'questions')}, {len(examples):,} of them answered by the index")
    fold_of = folds_by_predicate([example.predicate for example in examples], k)
    if not fold_of.any():
        raise UserError(
            f"{', '.join(files)}: no predicate is asked for more than once; training needs some "
            f"that are"
        )
    rows = held_out_rows(examples, fold_of, statistics, objects, templates)
    learned = templates_of(examples) if templates else None
    features = FactFeatures(statistics, learned, objects)
    model = train_model(
        rows,
        examples,
        features,
        data=data,
        figures=cross_validated_figures(rows, examples, fold_of, features),
        settings={"folds": k, "penalty": PENALTY, "objects": objects},
        learned={"templates": asdict(learned)} if learned else {},
    )
    return Learned(model, how=f"{k} folds by predicate")
