"""Learns the weights of the features from exams with gold: one file for every language, readable
JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, cast

import click
import numpy as np

from answerer.formats.answer_table import read_answer_table
from answerer.formats.exam.parts import Exam, ExamQuestion
from answerer.formats.exam.read import read_exam
from answerer.ntcir.multiple_choice.names.judgement import (
    TASK,
    pool_names,
    read_claims,
)
from answerer.ntcir.multiple_choice.names.signals import NAMES, signal_rows
from answerer.ntcir.multiple_choice.shapes import parse_shape, plan
from answerer.training import Learned, folder_index_option, model_output_option, write_learned
from indexer.address import Location
from indexer.cli.types import Command, InputFile
from indexer.engines.contract import Index
from indexer.files.arrays import BoolArray, Float64Array, Int64Array
from indexer.files.errors import UserError
from indexer.files.hashes import fingerprint, fingerprints
from indexer.files.messages import info
from indexer.files.validation import FileName
from retriever.association.features import flatten
from retriever.learning.conditional_logit import group_starts, loss
from retriever.learning.model import Model, column_scales
from retriever.opened import AnyIndex, using_index

PENALTY = 50.0  # L2, on standardised features
RANKER = "soft-min logit"


@dataclass(frozen=True, kw_only=True)
class SignalExamples:
    """Statements (choices) to learn from, as arrays. Per name: `rows` (names, features), `parts`
    the index of its statement. Per statement: `groups` the index of its question, `gold` whether it
    is to be chosen, `signs` −1 if the false one is asked for, else 1."""

    rows: Float64Array
    parts: Int64Array
    groups: Int64Array
    gold: BoolArray
    signs: Float64Array


def examples_of(questions: Sequence[tuple[ExamQuestion, str]], index: Index) -> SignalExamples:
    """Training examples from pairs (question, number of its gold choice), of questions of shape
    "sentence" alone whose gold is the number of one of their choices: signals of the names in the
    statements, a group a question, signs −1 where the false choice is asked for."""
    # Other shapes are answered from the same scores: there is nothing more to learn from them.
    used = [
        (question, gold)
        for question, gold in questions
        if gold in [choice.number for choice in question.choices]
        and parse_shape(question).shape == "sentence"
    ]
    plans = [plan(question) for question, _ in used]
    statements = [statement for question_plan in plans for statement in question_plan.statements]
    claims = read_claims(statements, index)
    flat = flatten(claims.claims)
    choices = [
        (n, question, choice.number == gold)
        for n, (question, gold) in enumerate(used)
        for choice in question.choices
    ]
    return SignalExamples(
        rows=signal_rows(flat, claims.counts),
        parts=flat.claim,
        groups=np.array([number for number, _, _ in choices], np.int64),
        gold=np.array([is_gold for _, _, is_gold in choices], bool),
        signs=np.array([1.0 if question.asks == "T" else -1.0 for _, question, _ in choices]),
    )


def join_examples(sets: Sequence[SignalExamples]) -> SignalExamples:
    """Concatenates at least one set of examples; indices of names, statements and questions are
    shifted to stay distinct."""
    joined = {
        name: np.concatenate([getattr(examples, name) for examples in sets])
        for name in SignalExamples.__annotations__
    }
    sizes = {
        "parts": [len(examples.gold) for examples in sets],
        "groups": [
            int(examples.groups[-1]) + 1 if len(examples.groups) else 0 for examples in sets
        ],
    }
    for name, counts in sizes.items():
        starts = np.cumsum([0, *counts[:-1]])
        joined[name] = joined[name] + np.repeat(
            starts, [len(getattr(examples, name)) for examples in sets]
        )
    return SignalExamples(**joined)


def fit_weights(
    examples: SignalExamples, penalty: float = PENALTY
) -> tuple[Float64Array, Float64Array, Float64Array]:
    """Learns the weights of features, and the means and scales that standardise these, by a
    conditional logit over each question's statements. L-BFGS minimises
    −Σ_q ln softmax(± statement score) of the gold + penalty / 2 |w|²."""
    from scipy.optimize import minimize

    means, scales = column_scales(examples.rows)
    rows = (examples.rows - means) / scales
    size = len(examples.gold)
    starts = group_starts(examples.groups)

    def objective(weights: Float64Array) -> tuple[float, Float64Array]:
        u = rows @ weights
        scores = pool_names(u, examples.parts, size)
        number = np.bincount(examples.parts, minlength=size)
        # The slope of the soft minimum: its share of each name.
        share = np.exp(scores[examples.parts] - u) / number[examples.parts]
        value, slope = loss(examples.signs * scores, starts, examples.gold, "each")
        gradient = rows.T @ ((slope * examples.signs)[examples.parts] * share)
        return value + penalty / 2 * float(weights @ weights), gradient + penalty * weights

    minimum = minimize(
        objective,
        np.full(rows.shape[1], 0.05),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 500},
    )
    return np.asarray(minimum.x, float), means, scales


def truth_line(scores: Float64Array, true: BoolArray) -> tuple[float, float]:
    """Fits (slope, middle) of ln odds(true) = slope · score + middle; true statements weigh as much
    in all as false ones."""
    from scipy.optimize import minimize

    # True and false statements weigh the same, however many there are of each.
    weight = np.where(true, 0.5 / max(1, true.sum()), 0.5 / max(1, (~true).sum()))
    sign = np.where(true, 1.0, -1.0)

    def objective(line: Float64Array) -> float:
        return float(weight @ np.logaddexp(0.0, -sign * (line[0] * scores + line[1])))

    minimum = minimize(objective, np.array([0.5, 0.0]))
    return float(minimum.x[0]), float(minimum.x[1])


def right(examples: SignalExamples, scores: Float64Array) -> Float64Array:
    """1.0 for each question whose best statement by `scores` is gold, else 0.0; ties: the first
    statement."""
    values, starts = np.round(examples.signs * scores, 10), group_starts(examples.groups)
    best = [
        start + int(np.argmax(group))
        for start, group in zip(starts, np.split(values, starts[1:]), strict=True)
    ]
    return np.asarray(examples.gold[best], float)


class ExamFolder(NamedTuple):
    """An exam to learn from.

    `gold` maps an answer column to its gold number; `textbook` is the exam's index; `about` is what
    a model's file says of the exam and of the books of its index.
    """

    exam: Exam
    gold: dict[str, str]
    textbook: Index
    about: dict[str, Any]


@contextmanager
def open_folder(folder: Path, index: AnyIndex) -> Iterator[ExamFolder]:
    """Context manager with the exam of a folder (`exam.xml`), its gold (`gold.xml`) and its index.
    Raises UserError for an incomplete folder, and for an index that is no textbook in the exam's
    language."""
    gold = {row.column: row.answer for row in read_answer_table(folder / "gold.xml").answers}
    exam = read_exam(folder / "exam.xml")
    with using_index(index, "textbook", exam.language) as opened:
        books = [Path(source).name for source, _ in opened.metadata.sources]
        about = {
            **fingerprint(folder / "exam.xml"),
            "folder": folder.name,
            "exam": exam.title or exam.name,
            "index of": books,
        }
        yield ExamFolder(exam, gold, opened, about)


def with_indexes(
    folders: Sequence[FileName], index: AnyIndex | Sequence[AnyIndex]
) -> list[tuple[Path, AnyIndex]]:
    """Each folder with its index, of the same position in `index` (an index alone is that of one
    folder). Raises UserError for an exam twice, and unless there is an index for each folder."""
    indexes: list[AnyIndex] = (
        [*index] if isinstance(index, list | tuple) else [cast("AnyIndex", index)]
    )
    if len(indexes) != len(folders):
        raise UserError(
            f"{len(folders)} folders and {len(indexes)} --index: expected one index a folder, "
            f"in order"
        )
    fingerprints([Path(folder) / "exam.xml" for folder in folders])
    return list(zip(map(Path, folders), indexes, strict=True))


folders_argument = click.argument(
    "folders",
    nargs=-1,
    required=True,
    metavar="FOLDER...",
    type=InputFile(
        inside=(
            "exam.xml",
            "gold.xml",
        ),
        files=False,
    ),
)


@click.command(
    cls=Command,
    example="answer train ntcir-mc-names exam/ --index textbook-en -o names.model.json",
)
@folders_argument
@folder_index_option
@model_output_option
def command(folders: tuple[Path, ...], index: tuple[Location, ...], output: str) -> None:
    """Learn the weights of the method `names` from exams with gold.

    A FOLDER holds exam.xml and gold.xml, as `python benchmarks/make_pseudo_exam.py` makes them;
    each needs an index built without its sources. Folders may be in several languages: one file
    serves all.
    """
    write_learned(lambda: train(*folders, index=index), output)


def train(*folders: FileName, index: AnyIndex | Sequence[AnyIndex] = ()) -> Learned:
    """Learns the model from folders with `exam.xml` and `gold.xml`, each with the index of its
    position in `index`. Raises UserError for an incomplete folder, an exam twice, more or fewer
    indexes than folders, and if no question can be learned from. Logs the number of questions of
    each folder."""
    sets, data = [], []
    for folder, address in with_indexes(folders, index):
        with open_folder(folder, address) as opened:
            exam = opened.exam
            questions = [
                (question, opened.gold.get(question.answer_column, ""))
                for question in exam.questions
                if question.choices
            ]
            sets.append(examples_of(questions, opened.textbook))
        data.append({**opened.about, "language": exam.language.code})
        info(f"{folder}: {len(exam.questions)} questions")
    examples = join_examples(sets)
    if not examples.gold.any():
        raise UserError("no question of plain statements with gold to learn from")
    weights, means, scales = fit_weights(examples)
    u = ((examples.rows - means) / scales) @ weights
    scores = pool_names(u, examples.parts, len(examples.gold))
    # In a question one statement differs from the others in being true or false: the gold one.
    true = np.asarray(examples.gold == (examples.signs > 0), bool)
    model = Model(
        TASK,
        RANKER,
        NAMES,
        weights,
        means,
        scales,
        data=data,
        figures={
            "questions": int(examples.groups[-1]) + 1,
            "right in training": round(float(right(examples, scores).mean()), 4),
        },
        settings={
            "penalty": PENALTY,
            "languages": sorted({source["language"] for source in data}),
            "pooling": "-log mean exp(-u) over the names of a statement",
        },
        learned={"truth": [round(value, 6) for value in truth_line(scores, true)]},
    )
    return Learned(model, ways=f"{RANKER}, in training: no forecast for others")
