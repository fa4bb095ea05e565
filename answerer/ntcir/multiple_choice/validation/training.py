"""Learns the weights of answer validation from exams with gold: one file for every language,
readable JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import click
import numpy as np

from answerer.ntcir.multiple_choice.names.training import (
    folders_argument,
    open_folder,
    with_indexes,
)
from answerer.ntcir.multiple_choice.validation.features import (
    COLUMNS,
    SCALES,
    TASK,
    JudgedQuestion,
    judge_questions,
)
from answerer.training import Learned, folder_index_option, model_output_option, write_learned
from indexer.address import Location
from indexer.cli.types import Command
from indexer.files.arrays import Float64Array
from indexer.files.errors import UserError
from indexer.files.messages import info
from indexer.files.validation import FileName
from retriever.learning.conditional_logit import fit
from retriever.learning.model import Model
from retriever.opened import AnyIndex

PENALTY = 100.0  # 30 to 300 do as well on questions of other books
RANKER = "conditional logit"


Example: TypeAlias = tuple[Float64Array, int]
"""The evidence on a question's choices, (choices, columns), and the position of its gold choice."""


def fit_weights(examples: Sequence[Example], penalty: float = PENALTY) -> Model:
    """Learns the weights that make the gold choices most likely. Raises ValueError without
    examples."""
    rows = np.concatenate([utilities for utilities, _ in examples])
    groups = np.repeat(np.arange(len(examples)), [len(utilities) for utilities, _ in examples])
    gold = np.concatenate(
        [np.arange(len(utilities)) == position for utilities, position in examples]
    )
    weights = fit(rows, groups, gold, penalty=penalty)
    return Model(TASK, RANKER, COLUMNS, weights, np.zeros(len(COLUMNS)), SCALES)


def right(examples: Sequence[Example], model: Model) -> list[bool]:
    """For each question, true if it is answered correctly; a tie goes to the first choice."""
    return [
        int(np.argmax(np.round(utilities @ model.weights, 9))) == position
        for utilities, position in examples
    ]


class JudgedExam(NamedTuple):
    """The questions of an exam, each with the position of its gold choice; `about` is what the
    model's file says."""

    questions: Sequence[tuple[JudgedQuestion, int]]
    about: Mapping[str, Any]

    @property
    def examples(self) -> list[Example]:
        """The evidence on the choices of each question, (choices, columns), and the position of its
        gold choice."""
        return [(question.utilities, position) for question, position in self.questions]


def judge_exam(folder: Path, index: AnyIndex) -> JudgedExam:
    """The evidence on the questions of a folder's exam; left out are those of one choice only, and
    those whose gold is not exactly one of the choices."""
    with open_folder(folder, index) as opened:
        answered, places = [], []
        for question in opened.exam.questions:
            numbers = [choice.number for choice in question.choices]
            answer = opened.gold.get(question.answer_column, "")
            if answer in numbers and len(numbers) > 1:
                answered.append(question)
                places.append(numbers.index(answer))
        questions = list(zip(judge_questions(answered, opened.textbook), places, strict=True))
        return JudgedExam(questions, {**opened.about, "questions": len(questions)})


def learned_on(exams: Sequence[JudgedExam]) -> Model:
    """The model of weights learned from several exams, with its figures on them. Raises UserError
    if no question has gold."""
    examples = [example for exam in exams for example in exam.examples]
    if not examples:
        raise UserError("no question with choices and gold to learn from")
    model = fit_weights(examples)
    share = float(np.mean(right(examples, model)))
    figures = {"questions": len(examples), "right in training": round(share, 4)}
    return replace(
        model, data=[exam.about for exam in exams], figures=figures, settings={"penalty": PENALTY}
    )


@click.command(
    cls=Command,
    example="answer train ntcir-mc exam/ --index textbook-en -o exam.model.json",
)
@folders_argument
@folder_index_option
@model_output_option
def command(folders: tuple[Path, ...], index: tuple[Location, ...], output: str) -> None:
    """Learn the weights of the default method from exams with gold.

    A FOLDER holds exam.xml (or questions of one's own in a file of that name) and gold.xml; each
    needs its index. Folders may be in several languages: one file serves all.
    """
    write_learned(lambda: train(*folders, index=index), output)


def train(*folders: FileName, index: AnyIndex | Sequence[AnyIndex] = ()) -> Learned:
    """Learns the weights from folders with `exam.xml` and `gold.xml`, the first with the first
    index, and so on. Raises UserError for an incomplete folder, an exam twice, more or fewer
    indexes than folders, and if no question has gold. Logs the number of questions of each
    folder."""
    exams = []
    for folder, address in with_indexes(folders, index):
        exams.append(judge_exam(folder, address))
        info(f"{folder}: {len(exams[-1].questions)} questions")
    return Learned(learned_on(exams), ways=f"{RANKER}, in training: no forecast for others")
