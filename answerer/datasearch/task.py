"""NTCIR Data Search QA: questions on datasets in, a run of cells out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from answerer.datasearch.candidates import (
    DEFAULT_WEIGHTS,
    WEIGHTS_PATH,
    DerivedAnswer,
    derive,
    fallback,
    rank,
    score_all,
    view_of,
)
from answerer.datasearch.operations.records import Derivation
from answerer.datasearch.tables.library import READ_BLOCKS, datasets_of
from answerer.datasearch.tables.view import View
from answerer.excerpt import excerpt
from answerer.formats.datasearch import run_text
from answerer.models import model_of, model_parameters
from answerer.run import Asked, index_option, model_option, open_asked, task_command
from answerer.submission import Submission, one_file
from answerer.trace import TraceCandidate, TraceQuestion, TraceTable, with_rest
from answerer.trace_writer import Trace
from indexer.engines.contract import Index
from indexer.files.progress import Progress
from indexer.formats.datasearch import DatasetQuestion, given_questions, one_line, read_questions
from indexer.parameters import TEXT, InputPath, argument, option

TASK = "datasearch-qa"
DESCRIPTION = "Derivations (row filters, operators, target columns) over the dataset's tables, log-linear weights"
TRACED = 10  # candidates in the row of a trace
_IN_TABLES = 3  # answers that a trace shows in their tables


class Weights(NamedTuple):
    """Weights by feature name, and their origin as a trace states it."""

    by_name: Mapping[str, float]
    parameters: Mapping[str, Any]


def load_weights(model_path: str | None) -> Weights:
    """Reads the feature weights of a model file. None: the packaged model; `none`: the hand weights.

    A feature that the model lacks (titles and notes are seldom asked for) has its hand weight. Raises UserError for a
    model of another task.
    """
    path = model_of(TASK, model_path)
    if path is None:
        return Weights(DEFAULT_WEIGHTS, model_parameters(WEIGHTS_PATH, ()))
    from retriever.learning.model import read_model

    model = read_model(path, TASK)
    # Means do not matter: they move all derivations of a question alike.
    learned = dict(zip(model.feature_names, (model.weights / model.scales).tolist(), strict=True))
    return Weights(DEFAULT_WEIGHTS | learned, model_parameters(path, model.data))


def answer(
    source: str | Iterable[DatasetQuestion], asked: Asked, sysdesc: str, model_path: str | None, trace: Trace
) -> Submission:
    """Answers the questions of a file, or questions in memory, and returns the run to be written, with warnings.

    `sysdesc` is the run's first line, `model_path` as for `load_weights`; the evidence is added to `trace`.
    """
    questions = read_questions(source) if isinstance(source, str) else given_questions(source)
    weights, parameters = load_weights(model_path)
    index = open_asked(asked, "datasets")
    answers: dict[str, str] = {}
    rows: dict[str, TraceQuestion] = {}
    unknown: dict[str, None] = {}
    unread: dict[str, int] = {}
    without: list[str] = []
    with Progress("answered", len(questions)) as done:
        for dataset, its_questions in datasets_of(index, questions):
            if not dataset.known:
                unknown[dataset.dataset_id] = None
            if dataset.unread:
                unread[dataset.dataset_id] = dataset.unread
            for question in its_questions:
                derivations = derive(question.text, dataset.views)
                ranked = rank(derivations, score_all(derivations, weights))
                # The task takes an answer to every question, and a wrong one costs nothing.
                text = one_line(ranked[0].answer if ranked else fallback(dataset))
                if dataset.known and not ranked:
                    without.append(question.question_id)
                answers[question.question_id] = text
                if trace.active:
                    shown = [(one, dataset.views) for one in ranked[:TRACED]]
                    # The row is made at once: the dataset is dropped when the next one comes.
                    row = trace_row(question.question_id, question.text, text, shown, weights)
                    rows[question.question_id] = replace(row, unread=dataset.unread or None)
                done.add()
    # Versions of what changes words change answers.
    packages = {"numpy", "PyStemmer", *(name for one in questions for name in one.language.packages)}
    trace.run(TASK, "derivations", parameters, index, packages=packages)
    for question in questions:
        if trace.active:
            trace.question(rows[question.question_id])
    text = run_text(sysdesc, ((question.question_id, answers[question.question_id]) for question in questions))
    return one_file(text, tuple(_warnings(index, list(unknown), unread, without)))


def _warnings(index: Index, unknown: Sequence[str], unread: Mapping[str, int], without: Sequence[str]) -> Iterator[str]:
    """Yields warnings of `unknown` datasets that the index lacks, of `unread` ones (dataset id → blocks not read
    through), and of the ids of questions answered `without` a derivation."""
    if unknown:
        yield f"{len(unknown)} datasets are not in {index.address} (the first is {unknown[0]}): build it with them"
    if without:
        yield (
            f"{len(without)} questions are answered by a title or heading, for the index has no rows of their datasets "
            f"(the first is {without[0]}): the build's --rejects say why"
        )
    for name, blocks in unread.items():
        yield (
            f"dataset {name}: {blocks:,} blocks beyond the first {READ_BLOCKS:,} were searched and not read through; "
            f"what a question asks of all rows is answered of the others"
        )


def trace_row(
    question_id: str,
    text: str,
    answer: str,
    ranked: Sequence[tuple[DerivedAnswer, Sequence[View]]],
    weights: Mapping[str, float],
) -> TraceQuestion:
    """The entry of a question in a trace: its answer, and the best answers with their derivations in words,
    probabilities and features.

    `ranked` are the best answers, by falling probability, each with the views of its dataset; the first `_IN_TABLES`
    are shown in their table.
    """
    return TraceQuestion(
        question_id=question_id,
        shape="cell",
        question=text,
        system=(answer,) if answer else (),
        candidates=tuple(
            TraceCandidate(
                id=str(number),
                text=one_line(candidate.answer),
                score=candidate.probability,
                derivation=candidate.derivation.text,
                features=_contributions(candidate, weights),
                table=table_excerpt(candidate.derivation, views) if number <= _IN_TABLES else None,
            )
            for number, (candidate, views) in enumerate(ranked, 1)
        ),
    )


def table_excerpt(derivation: Derivation, views: Sequence[View]) -> TraceTable | None:
    """The part of the derivation's table around the answer, for a trace; if a dataset has several tables, one without a
    title is titled by its file's name."""
    view, place = view_of(derivation, views)
    title = view.table.title or (view.file if len(views) > 1 else "")
    paths = [column.path for column in view.columns]
    return excerpt(title, paths, view.table.rows, place, view.table.labels, derivation.used)


def _contributions(candidate: DerivedAnswer, weights: Mapping[str, float]) -> dict[str, float]:
    """The contribution of each feature to the score of a derivation: feature name → weight × value, the largest
    absolute value first, small ones summed up (`with_rest`); features without weight are left out."""
    found: dict[str, float] = {}
    for block in candidate.derivation.blocks:
        for name, value in block:
            if weights.get(name):
                found[name] = found.get(name, 0.0) + weights[name] * value
    return with_rest(dict(sorted(found.items(), key=lambda item: (-abs(item[1]), item[0]))))


command = task_command(
    answer,
    """Answer each question by a text of its dataset: QUESTION_ID TAB question TAB dataset id, or JSON lines.

    Every question gets an answer.
    """,
    'datasearch-qa samples/datasearch-questions.tsv --sysdesc "ours" -o answers.tsv',
    argument("source", metavar="QUESTIONS", type=InputPath()),
    index_option("datasets"),
    option(
        "--sysdesc",
        type=TEXT,
        default=DESCRIPTION,
        help="How the run's first line describes the system [by its method].",
    ),
    model_option,
)
