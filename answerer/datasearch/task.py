"""NTCIR Data Search QA: questions on datasets in, a run of cells out."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import click

from answerer.datasearch.operations.notes import note_derivations
from answerer.datasearch.operations.records import PIVOTED, Derivation, list_derivations
from answerer.datasearch.operations.selection import FeatureBlock, Match
from answerer.datasearch.operations.statistics import PivotedOperations
from answerer.datasearch.question.analysis import AnalysedQuestion, read_question
from answerer.datasearch.question.counted_years import with_counted_years
from answerer.datasearch.tables.library import datasets_of
from answerer.datasearch.tables.view import View
from answerer.excerpt import excerpt
from answerer.formats.datasearch import run_text
from answerer.models import model_of, model_parameters
from answerer.options import index_option, model_option, output_options, questions_argument
from answerer.run import Outputs, Run, Unanswered, one_file, paths_of, write_run
from answerer.trace import TraceCandidate, TraceQuestion, TraceTable, with_rest
from indexer.cli.types import Command, PlainText
from indexer.engines.contract import Index
from indexer.files.messages import counted
from indexer.files.progress import progress
from indexer.files.validation import FileName, validate_plain_text
from indexer.formats.datasearch import DatasetQuestion, one_line, read_questions, validate_questions
from indexer.tables.values import parse_value
from retriever.learning.model import WEIGHTS_FILE, packaged_weights
from retriever.opened import AnyIndex, using_index
from retriever.provenance import describe

WEIGHTS_PATH = Path(__file__).with_name(WEIGHTS_FILE)
_OF_RECORDS = packaged_weights(__package__)
# Weight by feature name; a feature that is not named weighs nothing. Statistics begin with the
# weights of records.
DEFAULT_WEIGHTS = {
    **_OF_RECORDS,
    **{
        f"matrix {name}": weight
        for name, weight in _OF_RECORDS.items()
        if name.startswith(("uncovered", "answer ", "asks ")) and " shape " not in name
    },
    **{
        f"{PIVOTED}{name}": weight
        for name, weight in _OF_RECORDS.items()
        if not name.startswith("matrix ")
    },
}

# Answer for a dataset without any text, for every question needs an answer.
UNANSWERABLE = "unknown"


class DerivedAnswer(NamedTuple):
    """An answer text, its probability (0 to 1, summed over its derivations), and its best-scoring
    derivation."""

    answer: str
    probability: float
    derivation: Derivation


def derive(text: str, views: Sequence[View]) -> list[Derivation]:
    """All derivations of answers to the question `text` from the tables of one dataset, as `views`,
    table by table; of a table without rows those of its title and notes alone.

    With several tables, a block of features of its table is added to each.
    """
    question = read_question(with_counted_years(text))
    results: list[Derivation] = []
    for number, (view, block) in enumerate(zip(views, _table_blocks(question, views), strict=True)):
        match = Match(question, view)
        derivations = (
            PivotedOperations(match).derivations() if view.table.matrix else list_derivations(match)
        )
        # One table leaves nothing to choose.
        of_table = (block,) if len(views) > 1 else ()
        results += (
            derivation._replace(blocks=(*derivation.blocks, *of_table), table=number)
            for derivation in chain(derivations if view.size else (), note_derivations(match))
        )
    return results


def _table_blocks(question: AnalysedQuestion, views: Sequence[View]) -> list[FeatureBlock]:
    """One feature block for each table, in their order.

    `table lacks`: of the question's content words that any table has, the idf-weighted fraction
    found in the best table, minus the fraction found in this table. `table best`: 1 for the best
    table and all that tie with it, else 0. Words in cells, headings, titles, notes and file names
    count; idf = ln((N + 1) / number of tables with the word) over N tables."""
    word_sets = [set(filter(view.speaks_of, question.content)) for view in views]
    counts = Counter(word for words in word_sets for word in words)
    rarity = {word: math.log((len(views) + 1) / count) for word, count in counts.items()}
    total = sum(rarity.values())
    shares = [sum(rarity[word] for word in words) / total if total else 0.0 for words in word_sets]
    # Relative to the best table: long questions have words of no table.
    best = max(shares, default=0.0)
    return [
        (("table lacks", best - share), ("table best", float(share == best))) for share in shares
    ]


def score_all(derivations: Sequence[Derivation], weights: Mapping[str, float]) -> list[float]:
    """The score of each derivation, in order: Σ weight × value over its features, 0 for a feature
    without a weight."""
    sums: dict[int, float] = {}
    for block in chain.from_iterable(derivation.blocks for derivation in derivations):
        # By identity: to hash a block's features takes longer than to sum them.
        if id(block) not in sums:
            sums[id(block)] = sum(weights.get(name, 0.0) * value for name, value in block)
    return [sum(sums[id(block)] for block in derivation.blocks) for derivation in derivations]


def rank(derivations: Sequence[Derivation], scores: Sequence[float]) -> list[DerivedAnswer]:
    """The answers by falling probability, each text once; ties keep the order of their first
    derivations, [] without any.

    The probability of an answer is the softmax of `scores` (one for each derivation), summed over
    its derivations. Figures, and marks of missing ones, in two cells are equal by chance: each
    counts alone, the more probable is kept.
    """
    if not derivations:
        return []
    # Subtracted, for exp of large scores overflows.
    highest = max(scores)
    places: defaultdict[tuple[str, object], list[int]] = defaultdict(list)
    for position, derivation in enumerate(derivations):
        value = parse_value(derivation.answer)
        figure = value.kind == "missing" or (value.kind == "number" and value.year is None)
        places[
            derivation.answer, (derivation.table, derivation.position) if figure else None
        ].append(position)
    shares = {
        key: sum(math.exp(scores[position] - highest) for position in positions)
        for key, positions in places.items()
    }
    total = math.fsum(shares.values())
    ranked: dict[str, DerivedAnswer] = {}
    # Rounded, so that equal answers stay in their order on every processor.
    for key in sorted(shares, key=lambda key: -round(shares[key] / total, 12)):
        best = derivations[max(places[key], key=scores.__getitem__)]
        # A figure that two cells have is one answer to the reader: the better one.
        ranked.setdefault(best.answer, DerivedAnswer(best.answer, shares[key] / total, best))
    return list(ranked.values())


TASK = "datasearch-qa"
DESCRIPTION = (
    "Derivations (row filters, operators, target columns) over the dataset's tables, "
    "log-linear weights"
)
TRACED = 10  # candidates in the row of a trace
_IN_TABLES = 3  # answers that a trace shows in their tables


def load_weights(
    model_file: FileName | None, sources: Sequence[str] = ()
) -> tuple[Mapping[str, float], Mapping[str, Any]]:
    """The weights by feature name of a model file, and their origin as a trace states it. None: the
    packaged model; `none`: the hand weights.

    A feature that the model lacks (titles and notes are seldom asked for) has its hand weight.
    Warns if the model was trained on one of the files `sources`. Raises UserError for a model of
    another task.
    """
    path = model_of(TASK, model_file)
    if path is None:
        return DEFAULT_WEIGHTS, model_parameters(WEIGHTS_PATH, ())
    from retriever.learning.model import read_model, warn_if_trained_on

    model = read_model(path, TASK)
    warn_if_trained_on(path, model, sources)
    # Means do not matter: they move all derivations of a question alike.
    return DEFAULT_WEIGHTS | model.factor_of, model_parameters(path, model.data)


@click.command(
    cls=Command,
    example=(
        'answer datasearch-qa samples/datasearch-questions.tsv --sysdesc "ours" -o answers.tsv'
    ),
)
@questions_argument
@index_option("datasets")
@click.option(
    "--sysdesc",
    type=PlainText(),
    default=DESCRIPTION,
    help="How the run's first line describes the system [by its method].",
)
@model_option
@output_options(searches=True)
def command(source: Path, outputs: Outputs, **options: Any) -> None:
    """Answer each question by a text of its dataset: QUESTION_ID TAB question TAB dataset id, or
    JSON lines.

    Every question gets an answer.
    """
    write_run(answer(source, evidence=outputs.trace is not None, **options), outputs)


def answer(
    source: FileName | Iterable[DatasetQuestion],
    *,
    index: AnyIndex | None = None,
    sysdesc: str = DESCRIPTION,
    model: FileName | None = None,
    evidence: bool = True,
) -> Run:
    """Answers the questions of a file, or questions in memory, and returns the run: one answer a
    question, in order. One whose data set has no rows in the index is answered by its title, else
    its description, else "unknown", with a warning; a warning names large data sets that were read
    in part.

    `index` is by default the index `datasets`, `sysdesc` the run's first line, `model` a model file
    (None: the packaged one; `none`: the hand weights). Without `evidence` the run has no trace.
    """
    validate_plain_text(sysdesc, "sysdesc")
    if isinstance(source, str | PathLike):
        questions = read_questions(Path(source))
    else:
        questions = validate_questions(source)
    weights, parameters = load_weights(model, paths_of(source))
    with using_index("datasets" if index is None else index, "datasets") as opened:
        return _answer(questions, opened, sysdesc, weights, parameters, paths_of(source), evidence)


def _answer(
    questions: Sequence[DatasetQuestion],
    index: Index,
    sysdesc: str,
    weights: Mapping[str, float],
    parameters: Mapping[str, Any],
    sources: Sequence[str],
    evidence: bool,
) -> Run:
    """The run of `answer` from an open index: derivations scored by `weights`; `parameters`, the
    model's, and `sources`, the paths of the questions, are in it unchanged. A question without a
    derivation is answered by its dataset's title, else description, else "unknown", with a
    warning."""
    answers: dict[str, str] = {}
    rows: dict[str, TraceQuestion] = {}
    unread: dict[str, int] = {}
    without: list[str] = []
    with progress("answered", len(questions)) as reach:
        for dataset, its_questions in datasets_of(index, questions):
            if dataset.unread:
                unread[dataset.dataset_id] = dataset.unread
            for question in its_questions:
                derivations = derive(question.text, dataset.views)
                ranked = rank(derivations, score_all(derivations, weights))
                # The task takes an answer to every question, and a wrong one costs nothing.
                text = one_line(
                    ranked[0].answer
                    if ranked
                    else dataset.title or dataset.description or UNANSWERABLE
                )
                if not ranked:
                    without.append(f"{question.question_id} on dataset {dataset.dataset_id}")
                answers[question.question_id] = text
                if evidence:
                    shown = [(derived, dataset.views) for derived in ranked[:TRACED]]
                    # The row is made at once: the dataset is dropped when the next one comes.
                    row = trace_row(question.question_id, question.text, text, shown, weights)
                    rows[question.question_id] = replace(row, unread=dataset.unread or None)
                reach(len(answers))
    # Versions of what changes words change answers.
    packages = {
        "numpy",
        "PyStemmer",
        *(name for question in questions for name in question.language.packages),
    }
    warnings = [
        f"answered by a title, as {index.address} has no rows of the data set: "
        f"{counted(len(without), 'questions')} (the first is {first})"
        for first in without[:1]
    ]
    warnings += [
        f"dataset {name}: {blocks:,} blocks that match its question less well were not read; "
        f"what a question asks of all rows is answered of the others"
        for name, blocks in unread.items()
    ]
    text = run_text(
        sysdesc, ((question.question_id, answers[question.question_id]) for question in questions)
    )
    return Run(
        task=TASK,
        method="derivations",
        parameters=parameters,
        index=describe(index),
        packages=packages,
        sources=sources,
        files=one_file(text),
        questions=[rows[question.question_id] for question in questions if evidence],
        warnings=warnings,
        unanswered=Unanswered(without, len(questions), index.address),
    )


def trace_row(
    question_id: str,
    text: str,
    answer: str,
    ranked: Sequence[tuple[DerivedAnswer, Sequence[View]]],
    weights: Mapping[str, float],
) -> TraceQuestion:
    """The entry of a question in a trace: its answer, and the best answers with their derivations
    in words, probabilities, and the part of each feature in the score, the largest first, small
    ones summed up.

    `ranked` are the best answers, by falling probability, each with the views of its dataset; the
    first 3 are shown in their table.
    """
    candidates = []
    for number, (derived, views) in enumerate(ranked, 1):
        parts: defaultdict[str, float] = defaultdict(float)
        for name, value in chain(*derived.derivation.blocks):
            if weights.get(name):
                parts[name] += weights[name] * value
        candidate = TraceCandidate(
            id=str(number),
            text=one_line(derived.answer),
            score=derived.probability,
            derivation=derived.derivation.text,
            features=with_rest(
                dict(sorted(parts.items(), key=lambda item: (-abs(item[1]), item[0])))
            ),
            table=table_excerpt(derived.derivation, views) if number <= _IN_TABLES else None,
        )
        candidates.append(candidate)
    system, shown = (answer,) if answer else (), tuple(candidates)
    return TraceQuestion(
        question_id=question_id, shape="cell", question=text, system=system, candidates=shown
    )


def table_excerpt(derivation: Derivation, views: Sequence[View]) -> TraceTable | None:
    """The part of the derivation's table around the answer, for a trace; None where the table has
    neither a cell nor a heading at its place. If a dataset has several tables, one without a title
    is titled by its file's name."""
    view = views[derivation.table]
    title = view.table.title or (view.file if len(views) > 1 else "")
    paths = [column.path for column in view.columns]
    return excerpt(
        title, paths, view.table.rows, derivation.position, view.table.labels, derivation.used
    )
