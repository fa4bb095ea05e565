"""Training for U4: associations counted on other companies' reports, weights by conditional logit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from answerer.formats.u4 import ReportQuestion, group_by_report, read_answers, read_questions
from answerer.learned import Learned
from answerer.run import folds_option, seed_option, train_command
from answerer.u4.associations import Associations, associate, encode_associations, key, question_tokens, read_question
from answerer.u4.features import answer_items
from answerer.u4.task import CELLS, TABLES, candidates_of, copy_names, load_ranker, reports_option, with_copies
from indexer.files.arrays import BoolArray
from indexer.files.errors import UserError
from indexer.files.hashes import fingerprint
from indexer.files.messages import with_progress
from indexer.parameters import CommandLine, InputPath, argument
from indexer.tables.reports import read_reports
from retriever.learning.conditional_logit import fit, folds
from retriever.learning.model import Model, column_scales

PENALTY = 30.0  # of 30, 100 and 300, on folds by company of the training reports
_HARD, _EASY = (
    9,
    5,
)  # candidates of a question beside the right one: the best by default weights, and any; bounds memory


def read_right(files: Sequence[str]) -> Iterator[tuple[ReportQuestion, str, str]]:
    """The questions of pairs of files, questions and gold, each with the ids of the right table and cell.

    The cell is "" in Table Retrieval. UserError where a file is left over.
    """
    if len(files) % 2:
        raise UserError("training takes pairs of files: QUESTIONS GOLD [QUESTIONS GOLD]...")
    for asked, gold in zip(files[::2], files[1::2], strict=True):
        right = read_answers(gold)
        cells = any(one.value for one in right.values())
        for question in read_questions(asked, table_given=cells):
            if answer := right.get(question.question_id):
                yield question, question.table_id or answer.answer_id, answer.answer_id if cells else ""


def trained(files: Sequence[str], reports: str, k: int, seed: int, *, task: str) -> Learned:
    """The model of pairs of files, questions and gold, on reports; figures of cross-validation over the companies.

    Associations of a report's features are counted without its fold, so that weights see them as a new report's.
    In Table Retrieval pairs of Table QA teach the associations alone. UserError for fewer reports than folds.
    """
    right = list(read_right(files))
    if not right:
        raise UserError(f"{files[0]}: none of its questions has gold in {files[1]}")
    by_report = group_by_report(question for question, _, _ in right)
    read = with_progress(read_reports(reports, by_report), "read", len(by_report), "reports")
    parsed = {report.doc_id: report for report in read if report.tables}
    fold = dict(zip(parsed, folds(list(parsed), k, seed).tolist(), strict=True))
    tables = {table.table_id: table for report in parsed.values() for table in report.tables}
    examples = []
    for question, table_id, cell_id in right:
        if table := tables.get(table_id):
            groups = question_tokens(read_question(question.text), parsed[question.doc_id].last_year).values()
            tokens = dict.fromkeys(token for group in groups for token in group)
            items = answer_items(table, next((cell for cell in table.cells if cell.cell_id == cell_id), None))
            held = {part: own for part, own in items.items() if part != "title" or task == TABLES}
            examples.append((fold[question.doc_id], ([key(token) for token in tokens], held)))

    def associate_without(without: int) -> Associations:
        return associate(example for number, example in examples if number != without)

    # Of each question: its rows that are learned from, the right one first; its fold; and all its candidates,
    # with the place of the right one, for the figures.
    asked = {question: ids for question, *ids in right if (task == CELLS) == bool(ids[1])}
    untrained = load_ranker(task, "none")
    rows, fold_of, whole = [], [], []
    columns: tuple[str, ...] = ()
    random = np.random.default_rng(seed)
    for number in range(k):
        learned = associate_without(number)
        names = [name for name in parsed if fold[name] == number]
        for name in with_progress(names, f"fold {number + 1}", len(names), "reports"):
            questions = [question for question in by_report[name] if question in asked]
            for question, candidates, features in candidates_of(task, parsed[name], questions, learned):
                ids = [[table.table_id, cell.cell_id if cell else ""] for table, cell in candidates]
                if asked[question] not in ids:
                    continue
                gold = ids.index(asked[question])
                columns = copy_names(features)
                values = np.stack(list(features.values()), 1)
                hard = np.argsort(-untrained.parts(features).sum(1), kind="stable")[:_HARD].tolist()
                chosen = dict.fromkeys([gold, *hard, *random.permutation(len(ids))[:_EASY].tolist()])
                rows.append(with_copies(values)[list(chosen)].astype(np.float32))  # half of the memory
                fold_of.append(number)
                whole.append((values.astype(np.float32), gold))
    if not rows:
        raise UserError(f"{reports}: no report holds the right answer of a question")
    all_rows, folds_of = np.concatenate(rows), np.array(fold_of)
    list_of = np.repeat(np.arange(len(rows)), [len(own) for own in rows])
    is_right = np.diff(list_of, prepend=-1) > 0

    def fit_weights(inside: BoolArray) -> Model:
        used = inside[list_of]
        made = all_rows[used].astype(float)
        means, scales = column_scales(made)
        standard = (made - means) / scales
        weights = fit(standard, list_of[used], is_right[used], penalty=PENALTY, objective="each")
        return Model(task, "listwise", columns, weights, means, scales)

    hits = np.zeros(len(rows))
    for number in range(k):
        model = fit_weights(folds_of != number)
        for place in np.flatnonzero(folds_of == number):
            features_of, gold = whole[place]
            hits[place] = int(np.argmax(model.score(with_copies(features_of.astype(float))))) == gold
    by_fold = [hits[folds_of == number].mean() for number in range(k) if np.any(folds_of == number)]
    figures = {
        "accuracy": round(float(hits.sum() / len(asked)), 4),
        "standard error over folds": round(float(np.std(by_fold, ddof=1) / np.sqrt(len(by_fold))), 4),
        "questions": len(asked),
        "reports": len(parsed),
    }
    model = replace(
        fit_weights(np.ones(len(rows), bool)),
        data=[fingerprint(file) for file in files],
        figures=figures,
        settings={"folds": k, "seed": seed, "penalty": PENALTY},
        learned=encode_associations(associate_without(-1)),
    )
    return Learned(model, how=f"{k} folds by report, seed {seed}")


learn_cells = partial(trained, task=CELLS)
learn_tables = partial(trained, task=TABLES)


def _train(task: str, output: str, text: str) -> CommandLine:
    """The command `train TASK`, its example on the samples."""
    files = f"samples/{task}.questions.json samples/{task}.gold.json"
    return train_command(
        partial(trained, task=task),
        text,
        f"{task} {files} --reports samples/u4-reports.tar.xz --folds 2 -o {output}",
        argument("files", multiple=True, metavar="QUESTIONS GOLD [QUESTIONS GOLD]...", type=InputPath()),
        reports_option(required=True),
        folds_option,
        seed_option,
    )


train_cells = _train(
    CELLS,
    "tqa.json",
    "Learn which cell answers, from questions with gold; the figures are cross-validated over the reports.",
)
train_tables = _train(
    TABLES,
    "tr.json",
    "Learn which table answers, from questions with gold; pairs of Table QA teach which words go together.",
)
