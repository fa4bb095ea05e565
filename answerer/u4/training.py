"""Training for U4: associations counted on other companies' reports, weights by conditional
logit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np

from answerer.formats.u4 import ReportQuestion, group_by_report, read_answers, read_questions
from answerer.options import folds_option, seed_option
from answerer.training import (
    Learned,
    model_output_option,
    pair_files,
    pairs_argument,
    write_learned,
)
from answerer.u4.features import (
    Associations,
    answer_items,
    associate,
    encode_associations,
    key,
    question_tokens,
    read_question,
)
from answerer.u4.task import (
    CELLS,
    TABLES,
    candidates_of,
    copy_names,
    load_ranker,
    reports_option,
    reports_path,
    with_copies,
)
from indexer.cli.types import Command
from indexer.files.arrays import BoolArray, Float32Array, Float64Array, Int64Array
from indexer.files.errors import UserError
from indexer.files.hashes import fingerprint
from indexer.files.progress import with_progress
from indexer.files.validation import FileName, validate_count
from indexer.tables.reports import Report, read_reports
from retriever.learning.conditional_logit import cross_validate, folds, train
from retriever.learning.model import Model

PENALTY = 30.0  # of 30, 100 and 300, on folds by company of the training reports
# Candidates of a question beside the right one: the best by default weights, and any; bounds
# memory.
_HARD, _EASY = 9, 5


class _Example(NamedTuple):
    """A question with its candidates.

    `fold` is its report's fold. `learned_from` are the rows to learn from, the right candidate's
    first, (candidates chosen, columns); `features` those of all candidates, (candidates, features),
    for the figures, with the right one at `right`.
    """

    fold: int
    learned_from: Float32Array
    features: Float32Array
    right: int


class _GoldQuestion(NamedTuple):
    """A question with the ids of the right table and cell ("" for tables)."""

    question: ReportQuestion
    table_id: str
    cell_id: str


def _read_gold(files: Sequence[FileName]) -> list[_GoldQuestion]:
    """The questions of pairs of files, questions and gold, that have gold; others are left out.
    UserError if none has."""
    right = list[_GoldQuestion]()
    for source, gold_file in pair_files(files):
        answers = read_answers(gold_file)
        cells = any(answer.value for answer in answers.values())
        for question in read_questions(source, table_given=cells):
            answer = answers.get(question.question_id)
            if answer:
                table_id = question.table_id or answer.answer_id
                right.append(_GoldQuestion(question, table_id, answer.answer_id if cells else ""))
    if not right:
        raise UserError(f"no question of {', '.join(map(str, files))} has gold")
    return right


def _association_examples(
    task: str, right: Sequence[_GoldQuestion], parsed: Mapping[str, Report], fold: Mapping[str, int]
) -> list[tuple[int, tuple[list[int], dict[str, list[int]]]]]:
    """Of each question whose right table is in the reports: its fold, and the keys of the
    question's tokens with those of the parts of the right answer, what is above the table in Table
    Retrieval only."""
    tables = {table.table_id: table for report in parsed.values() for table in report.tables}
    examples = []
    for question, table_id, cell_id in right:
        if table := tables.get(table_id):
            groups = question_tokens(
                read_question(question.text), parsed[question.doc_id].last_year
            ).values()
            tokens = dict.fromkeys(token for group in groups for token in group)
            items = answer_items(
                table, next((cell for cell in table.cells if cell.cell_id == cell_id), None)
            )
            # Where the table is given, what is above it is the same for all cells.
            parts = {
                part: keys for part, keys in items.items() if part != "title" or task == TABLES
            }
            examples.append((fold[question.doc_id], ([key(token) for token in tokens], parts)))
    return examples


def _figures(
    hits: Float64Array, fold_of: Int64Array, questions: int, reports: int
) -> dict[str, float]:
    """The figures of cross-validation, from whether each question with a right candidate was
    answered right (others count as wrong): accuracy of `questions` and its standard error over
    folds, to four places, and the two numbers."""
    by_fold = [hits[fold_of == number].mean() for number in np.unique(fold_of)]
    return {
        # A question whose right answer is not among the candidates counts as wrong.
        "accuracy": round(float(hits.sum() / questions), 4),
        "standard error over folds": round(
            float(np.std(by_fold, ddof=1) / np.sqrt(len(by_fold))), 4
        ),
        "questions": questions,
        "reports": reports,
    }


def learn(task: str, files: Sequence[FileName], reports: FileName, k: int, seed: int) -> Learned:
    """The model of pairs of files, questions and gold, on reports; figures of cross-validation over
    the reports.

    Associations of a report's features are counted without its fold, so that weights see them as a
    new report's. In Table Retrieval pairs of Table QA teach the associations alone. A question
    teaches by its right candidate, the 9 best by hand weights and 5 drawn by `seed`, each once.
    UserError for fewer reports than folds, and if the reports of fewer than two folds have a right
    answer.
    """
    validate_count(k, "folds", 2)
    validate_count(seed, "seed", 0)
    right = _read_gold(files)
    by_report = group_by_report(question for question, _, _ in right)
    read = with_progress(
        read_reports(reports_path(reports), by_report), "read", len(by_report), "reports"
    )
    parsed = {report.doc_id: report for report in read if report.tables}
    fold = dict(zip(parsed, folds(list(parsed), k, seed).tolist(), strict=True))
    examples = _association_examples(task, right, parsed, fold)

    def associate_without(without: int) -> Associations:
        return associate(example for number, example in examples if number != without)

    right_ids = {question: ids for question, *ids in right if (task == CELLS) == bool(ids[1])}
    untrained = load_ranker(task, "none")
    lists = list[_Example]()
    columns: tuple[str, ...] = ()
    random = np.random.default_rng(seed)
    for number in range(k):
        learned = associate_without(number)
        names = [name for name in parsed if fold[name] == number]
        for name in with_progress(names, f"fold {number + 1}", len(names), "reports"):
            questions = [question for question in by_report[name] if question in right_ids]
            for question, candidates, features in candidates_of(
                task, parsed[name], questions, learned
            ):
                ids = [[table.table_id, cell.cell_id if cell else ""] for table, cell in candidates]
                if right_ids[question] not in ids:
                    continue
                gold = ids.index(right_ids[question])
                columns = copy_names(features)
                values = np.stack(list(features.values()), 1)
                hard = np.argsort(-untrained.parts(features).sum(1), kind="stable")[:_HARD].tolist()
                chosen = dict.fromkeys(
                    [gold, *hard, *random.permutation(len(ids))[:_EASY].tolist()]
                )
                # Half of the memory: Table Retrieval has hundreds of candidates a question.
                learned_from = with_copies(values)[list(chosen)].astype(np.float32)
                lists.append(_Example(number, learned_from, values.astype(np.float32), gold))
    if not lists:
        raise UserError(f"{reports}: no report holds the right answer of a question")
    fold_of = np.array([example.fold for example in lists])
    if len(np.unique(fold_of)) < 2:  # nothing is left to learn from, or to measure
        raise UserError(
            f"{reports}: all reports that hold the right answer of a question are in one fold of "
            f"{k}: give more reports, or another --seed"
        )
    all_rows = np.concatenate([example.learned_from for example in lists])
    list_of = np.repeat(np.arange(len(lists)), [len(example.learned_from) for example in lists])
    is_right = np.diff(list_of, prepend=-1) > 0

    def model_of(inside: BoolArray, **facts: Any) -> Model:
        used = inside[list_of]
        rows = all_rows[used].astype(float), list_of[used], is_right[used]
        return train(task, columns, *rows, penalty=PENALTY, objective="each", **facts)

    def is_hit(number: int, model: Model) -> bool:
        example = lists[number]
        scores = model.score(with_copies(example.features.astype(float)).T)
        return bool(np.argmax(scores) == example.right)

    hits = np.array(cross_validate(fold_of, model_of, is_hit), float)
    figures = _figures(hits, fold_of, len(right_ids), len(parsed))
    model = model_of(
        np.ones(len(lists), bool),
        data=[fingerprint(Path(file)) for file in files],
        figures=figures,
        settings={"folds": k, "seed": seed, "penalty": PENALTY},
        learned=encode_associations(associate_without(-1)),
    )
    return Learned(model, how=f"{k} folds by report, seed {seed}")


def train_on_reports(
    task: str, *files: FileName, reports: FileName, folds: int = 5, seed: int = 0
) -> Learned:
    """`learn` with the names that the options have in Python."""
    return learn(task, files, reports, folds, seed)


def training_command(task: str, description: str, example: str) -> click.Command:
    """The command that trains one of the tasks; `description` is the text of its help."""

    @click.command(cls=Command, help=description, example=example)
    @pairs_argument
    @reports_option(required=True)
    @folds_option
    @seed_option
    @model_output_option
    def command(files: tuple[Path, ...], output: str, **options: Any) -> None:
        write_learned(lambda: train_on_reports(task, *files, **options), output)

    return command
