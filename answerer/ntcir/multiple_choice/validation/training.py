"""Learns the weights of answer validation from exams with gold: one file for every language, readable JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from answerer.formats.answer_table import read_answer_table
from answerer.formats.exam.parts import Question
from answerer.formats.exam.read import read_exam
from answerer.learned import Learned
from answerer.ntcir.multiple_choice.validation.method import JudgedQuestion, judge_questions
from answerer.ntcir.multiple_choice.validation.model import COLUMNS, SCALES, TASK, ChoiceExample
from answerer.run import Asked, each_index_option, open_asked, train_command
from indexer.files.errors import UserError
from indexer.files.hashes import fingerprint, fingerprints
from indexer.files.messages import info
from indexer.parameters import InputPath, argument
from retriever.learning.conditional_logit import fit
from retriever.learning.model import Model

PENALTY = 100.0  # 30 to 300 do as well on questions of other books
RANKER = "conditional logit"


def fit_weights(examples: Sequence[tuple[ChoiceExample, int]], penalty: float = PENALTY) -> Model:
    """The weights that make the gold choices, given by their positions, most likely. ValueError without examples."""
    rows = np.concatenate([example.utilities for example, _ in examples])
    groups = np.repeat(np.arange(len(examples)), [len(example.rows) for example, _ in examples])
    gold = np.concatenate([np.arange(len(example.rows)) == place for example, place in examples])
    weights = fit(rows, groups, gold, penalty=penalty)
    return Model(TASK, RANKER, COLUMNS, weights, np.zeros(len(COLUMNS)), SCALES)


def right(examples: Sequence[tuple[ChoiceExample, int]], model: Model) -> list[bool]:
    """For each question, true if it is answered correctly; a tie goes to the first choice."""
    return [int(np.argmax(np.round(one.utilities @ model.weights, 9))) == place for one, place in examples]


def with_gold(questions: Sequence[Question], gold: dict[str, str]) -> list[tuple[Question, int]]:
    """The questions whose gold is one of their choices, with its position."""
    found = []
    for question in questions:
        numbers = [choice.number for choice in question.choices]
        if (answer := gold.get(question.answer_column, "")) in numbers and len(numbers) > 1:
            found.append((question, numbers.index(answer)))
    return found


class ExamFolder(NamedTuple):
    """The questions of an exam with gold, each with its evidence and the position of its right choice.

    `about` says in a model's file what it was learned on.
    """

    questions: Sequence[tuple[JudgedQuestion, int]]
    about: Mapping[str, Any]

    @property
    def examples(self) -> list[tuple[ChoiceExample, int]]:
        return [(one.example, place) for one, place in self.questions]


def exam_folder(folder: Path, asked: Asked) -> ExamFolder:
    """The evidence on the questions of `exam.xml`, whose right answers are in `gold.xml`, in an index."""
    exam = read_exam(folder / "exam.xml")
    index = open_asked(asked, "textbook", exam.language)
    gold = {row.column: row.answer for row in read_answer_table(folder / "gold.xml").answers}
    own = with_gold(exam.questions, gold)
    found = judge_questions([question for question, _ in own], index)
    books = [Path(source).name for source, _ in index.metadata.sources]
    about = {"folder": folder.name, "exam": exam.title, "index of": books, "questions": len(own)}
    questions = [(one, place) for one, (_, place) in zip(found, own, strict=True)]
    return ExamFolder(questions, {**fingerprint(folder / "exam.xml"), **about})


def learned_on(folders: Sequence[ExamFolder]) -> Model:
    """The weights learned on exams. Raises UserError if no question has gold."""
    examples = [example for folder in folders for example in folder.examples]
    if not examples:
        raise UserError("no question with choices and gold: nothing to learn from")
    model = fit_weights(examples)
    share = float(np.mean(right(examples, model)))
    figures = {"questions": len(examples), "right in training": round(share, 4)}
    data = [folder.about for folder in folders]
    return replace(model, data=data, figures=figures, settings={"penalty": PENALTY})


def trained(folders: Sequence[str], each_asked: Sequence[Asked]) -> Learned:
    """The model of folders of exams with gold, each with its index.

    Raises UserError if they are not as many, for an exam twice, and if no question has gold.
    """
    if len(each_asked) != len(folders):
        raise UserError(f"{len(folders)} folders and {len(each_asked)} --index: expected one index a folder, in order")
    fingerprints([Path(folder) / "exam.xml" for folder in folders])  # refuses one exam given twice
    read = []
    for folder, asked in zip(folders, each_asked, strict=True):
        read.append(exam_folder(Path(folder), asked))
        info(f"{folder}: {len(read[-1].questions)} questions")
    return Learned(learned_on(read), ways=f"{RANKER}, in training: no forecast for others")


train = train_command(
    trained,
    """Learn the weights of the default method from exams with gold.

    A FOLDER holds exam.xml (or questions of one's own in a file of that name) and gold.xml; each needs its index.
    Folders may be in several languages: one file serves all.
    """,
    "ntcir-mc exam/ --index textbook-en -o exam.model.json",
    argument("folders", multiple=True, metavar="FOLDER...", type=InputPath(("exam.xml", "gold.xml"), files=False)),
    each_index_option,
)
