"""Training for U4: associations counted on other companies' reports, weights by conditional logit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from answerer.formats.u4 import ReportQuestion, group_by_report, read_answers, read_questions
from answerer.learned import Learned
from answerer.run import folds_option, seed_option, train_command
from answerer.u4.associations import Associations, Example, associate, encode_associations, key, read_question, tokens
from answerer.u4.features import IndexedReport, answer_items
from answerer.u4.task import CELLS, TABLES, by_hand, copies_of, copy_names, reports_option, score_report, with_copies
from indexer.files.arrays import BoolArray, Float64Array
from indexer.files.errors import UserError
from indexer.files.hashes import fingerprint
from indexer.files.messages import with_progress
from indexer.parameters import CommandLine, InputPath, argument
from indexer.tables.reports import Report, read_reports
from retriever.learning.conditional_logit import fit, folds
from retriever.learning.model import Model, column_scales

PENALTY = 30.0  # of 30, 100 and 300, on folds by company of the training reports
_HARD, _EASY = 14, 8  # candidates of a question beside the right one: the best by hand weights, and any


class Right(NamedTuple):
    """A training question with its table and, in Table QA, its cell ("" else)."""

    question: ReportQuestion
    table_id: str
    cell_id: str


def read_right(files: Sequence[str]) -> list[Right]:
    """The questions of pairs of files, questions and gold. UserError where a file is left over, or gold."""
    if len(files) % 2:
        raise UserError("training takes pairs of files: QUESTIONS GOLD [QUESTIONS GOLD]...")
    found: list[Right] = []
    for asked, gold in zip(files[::2], files[1::2], strict=True):
        right = read_answers(gold)
        cells = any(one.value for one in right.values())
        found += [
            Right(one, one.table_id or answer.answer_id, answer.answer_id if cells else "")
            for one in read_questions(asked, table_given=cells)
            if (answer := right.get(one.question_id))
        ]
    if not found:
        raise UserError(f"{files[0]}: none of its questions has gold in {files[1]}")
    return found


def examples_of(task: str, report: Report, right: Sequence[Right]) -> Iterator[Example]:
    """What is counted of a report's questions: of Table QA the headings of the right cell too."""
    indexed = IndexedReport(report._replace(tables=()), associate([]))
    tables = {table.table_id: table for table in report.tables}
    for one in right:
        if (table := tables.get(one.table_id)) is None:
            continue
        place = next((place for place, cell in enumerate(table.cells) if cell.cell_id == one.cell_id), None)
        asked = read_question(one.question.text)
        said = tokens(asked, indexed.last_year - asked.year if asked.year else 0)
        keys = [key(token) for token in dict.fromkeys(token for own in said.values() for token in own)]
        held = answer_items(table, None if place is None else table.headed[place])
        yield keys, {part: own for part, own in held.items() if part != "title" or task == TABLES}


def trained(files: Sequence[str], reports: str, k: int, seed: int, *, task: str) -> Learned:
    """The model of pairs of files, questions and gold, on reports; figures of cross-validation over the companies.

    Associations of a report's features are counted without its fold, so that weights see them as a new report's.
    In Table Retrieval pairs of Table QA teach the associations alone. UserError for fewer reports than folds.
    """
    right = read_right(files)
    by_report: dict[str, list[Right]] = {name: [] for name in group_by_report(one.question for one in right)}
    for one in right:
        by_report[one.question.doc_id].append(one)
    parsed = {
        one.doc_id: one for one in with_progress(read_reports(reports, by_report), "read", len(by_report), "reports")
    }
    names = sorted(name for name, one in parsed.items() if one.tables)
    fold = dict(zip(names, folds(names, k, seed).tolist(), strict=True))
    examples = {name: list(examples_of(task, parsed[name], by_report[name])) for name in names}

    def count_without(without: int) -> Associations:
        return associate(one for name in names if fold[name] != without for one in examples[name])

    values: list[Float64Array] = []
    of_fold: list[int] = []
    whole: list[tuple[Float64Array, int]] = []
    columns: tuple[str, ...] = ()
    random = np.random.default_rng(seed)
    for number in range(k):
        found = count_without(number)
        for name in with_progress([name for name in names if fold[name] == number], f"fold {number + 1}", 0, "reports"):
            own = [one for one in by_report[name] if (task == CELLS) == bool(one.cell_id)]
            lists = score_report(task, parsed[name], [one.question for one in own], found)
            for one, scored in zip(own, lists, strict=True):
                ids = [(table.table_id, table.cells[n].cell_id if n >= 0 else "") for table, n in scored.candidates]
                if (one.table_id, one.cell_id) not in ids:
                    continue
                gold = ids.index((one.table_id, one.cell_id))
                columns = copy_names(scored.features)
                hard = np.argsort(-by_hand(task, scored.features), kind="stable")[:_HARD]
                easy = random.permutation(len(ids))[:_EASY]
                places = list(dict.fromkeys([gold, *hard.tolist(), *easy.tolist()]))
                values.append(with_copies(scored.features)[places].astype(np.float32))  # half of the memory
                of_fold.append(number)
                whole.append((np.stack(list(scored.features.values()), 1).astype(np.float32), gold))
    if not values:
        raise UserError(f"{reports}: no report holds the right answer of a question")
    sizes = [len(rows) for rows in values]
    all_rows, groups = np.concatenate(values), np.repeat(np.arange(len(values)), sizes)
    gold_rows = np.concatenate([np.arange(size) == 0 for size in sizes])

    def fit_weights(inside: BoolArray) -> Model:
        rows = inside[groups]
        own = all_rows[rows].astype(float)
        means, scales = column_scales(own)
        weights = fit((own - means) / scales, groups[rows], gold_rows[rows], penalty=PENALTY, objective="each")
        return Model(task, "listwise", columns, weights, means, scales)

    folds_of = np.array(of_fold)
    hits = np.zeros(len(values))
    for number in range(k):
        model = fit_weights(folds_of != number)
        for place in np.flatnonzero(folds_of == number):
            features, gold = whole[place]
            hits[place] = int(np.argmax(model.score(copies_of(features.astype(float))))) == gold
    asked = sum((task == CELLS) == bool(one.cell_id) for one in right)
    by_fold = [hits[folds_of == number].mean() for number in range(k) if np.any(folds_of == number)]
    figures = {
        "accuracy": round(float(hits.sum() / asked), 4),
        "standard error over folds": round(float(np.std(by_fold, ddof=1) / np.sqrt(len(by_fold))), 4),
        "questions": asked,
        "reports": len(names),
    }
    kept = replace(
        fit_weights(np.ones(len(values), bool)),
        data=[fingerprint(file) for file in files],
        figures=figures,
        settings={"folds": k, "seed": seed, "penalty": PENALTY},
        learned=encode_associations(count_without(-1)),
    )
    return Learned(kept, how=f"{k} folds by report, seed {seed}")


learn_cells = partial(trained, task=CELLS)
learn_tables = partial(trained, task=TABLES)


def _train(task: str, example: str, text: str) -> CommandLine:
    return train_command(
        partial(trained, task=task),
        text,
        example,
        argument("files", multiple=True, metavar="QUESTIONS GOLD [QUESTIONS GOLD]...", type=InputPath()),
        reports_option(required=True),
        folds_option,
        seed_option,
    )


train_cells = _train(
    CELLS,
    "u4-tqa samples/u4-tqa.questions.json samples/u4-tqa.gold.json --reports samples/u4-reports.tar.xz "
    "--folds 2 -o tqa.json",
    "Learn which cell answers, from questions with gold; the figures are cross-validated over the reports.",
)
train_tables = _train(
    TABLES,
    "u4-tr samples/u4-tr.questions.json samples/u4-tr.gold.json --reports samples/u4-reports.tar.xz "
    "--folds 2 -o tr.json",
    "Learn which table answers, from questions with gold; pairs of Table QA teach which words go together.",
)
