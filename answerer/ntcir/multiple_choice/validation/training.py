"""Learns the weights of answer validation from exams with gold: one file for every language, readable JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from answerer.formats.exam.parts import ExamQuestion
from answerer.ntcir.multiple_choice.names.training import FOLDERS, about_exam, check_folders, exam_with_gold
from answerer.ntcir.multiple_choice.validation.features import (
    COLUMNS,
    SCALES,
    TASK,
    ChoiceExample,
    JudgedQuestion,
    judge_questions,
)
from answerer.run import Asked, open_asked
from answerer.training import Learned, each_index_option, train_command
from indexer.files.errors import UserError
from indexer.files.hashes import fingerprint
from indexer.files.messages import info
from retriever.learning.conditional_logit import fit
from retriever.learning.model import Model

PENALTY = 100.0  # 30 to 300 do as well on questions of other books
RANKER = "conditional logit"


def fit_weights(examples: Sequence[tuple[ChoiceExample, int]], penalty: float = PENALTY) -> Model:
    """Learns the weights that make the gold choices most likely. Examples are pairs (evidence, position of the gold
    choice). Raises ValueError without examples."""
    rows = np.concatenate([example.utilities for example, _ in examples])
    groups = np.repeat(np.arange(len(examples)), [len(example.utilities) for example, _ in examples])
    gold = np.concatenate([np.arange(len(example.utilities)) == place for example, place in examples])
    weights = fit(rows, groups, gold, penalty=penalty)
    return Model(TASK, RANKER, COLUMNS, weights, np.zeros(len(COLUMNS)), SCALES)


def right(examples: Sequence[tuple[ChoiceExample, int]], model: Model) -> list[bool]:
    """For each question, true if it is answered correctly; a tie goes to the first choice."""
    return [int(np.argmax(np.round(example.utilities @ model.weights, 9))) == place for example, place in examples]


def with_gold(questions: Sequence[ExamQuestion], gold: dict[str, str]) -> list[tuple[ExamQuestion, int]]:
    """Pairs (question, position of its gold choice) of the questions with a gold choice and at least two choices.
    `gold` maps an answer column to the number of its choice."""
    numbers = [[choice.number for choice in question.choices] for question in questions]
    right_ones = [gold.get(question.answer_column, "") for question in questions]
    return [
        (question, own.index(answer))
        for question, own, answer in zip(questions, numbers, right_ones, strict=True)
        if answer in own and len(own) > 1
    ]


class ExamFolder(NamedTuple):
    """The questions of an exam with gold: pairs (evidence, position of the right choice). `about` describes the exam
    for the model's file."""

    questions: Sequence[tuple[JudgedQuestion, int]]
    about: Mapping[str, Any]

    @property
    def examples(self) -> list[tuple[ChoiceExample, int]]:
        return [(question.example, place) for question, place in self.questions]


def exam_folder(folder: Path, asked: Asked) -> ExamFolder:
    """Computes the evidence on the questions of `exam.xml` in a folder from an index. Right answers come from
    `gold.xml`."""
    exam, gold = exam_with_gold(folder)
    index = open_asked(asked, "textbook", exam.language)
    answered = with_gold(exam.questions, gold)
    judged = judge_questions([question for question, _ in answered], index)
    questions = [(each, place) for each, (_, place) in zip(judged, answered, strict=True)]
    about = {**fingerprint(folder / "exam.xml"), **about_exam(folder, exam, index), "questions": len(questions)}
    return ExamFolder(questions, about)


def learned_on(folders: Sequence[ExamFolder]) -> Model:
    """Learns the weights from several exams. Raises UserError if no question has gold."""
    examples = [example for folder in folders for example in folder.examples]
    if not examples:
        raise UserError("no question with choices and gold to learn from")
    model = fit_weights(examples)
    share = float(np.mean(right(examples, model)))
    figures = {"questions": len(examples), "right in training": round(share, 4)}
    data = [folder.about for folder in folders]
    return replace(model, data=data, figures=figures, settings={"penalty": PENALTY})


def train_on_exams(folders: Sequence[str], each_asked: Sequence[Asked]) -> Learned:
    """Learns the weights from folders with `exam.xml` and `gold.xml`, each with the index in `each_asked`. Raises
    UserError for an incomplete folder, and if no question has gold."""
    check_folders(folders, each_asked)
    read = []
    for folder, asked in zip(folders, each_asked, strict=True):
        read.append(exam_folder(Path(folder), asked))
        info(f"{folder}: {len(read[-1].questions)} questions")
    return Learned(learned_on(read), ways=f"{RANKER}, in training: no forecast for others")


train = train_command(
    train_on_exams,
    """Learn the weights of the default method from exams with gold.

    A FOLDER holds exam.xml (or questions of one's own in a file of that name) and gold.xml; each needs its index.
    Folders may be in several languages: one file serves all.
    """,
    "ntcir-mc exam/ --index textbook-en -o exam.model.json",
    FOLDERS,
    each_index_option,
)
