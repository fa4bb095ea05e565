"""Which run belongs to which gold file, and which row of the one to which of the other."""

from __future__ import annotations

import re
from pathlib import Path

from answerer.formats.answer_table import Answer, AnswerTable, exam_name, folded_exam, read_answers
from indexer.files.errors import UserError
from indexer.files.messages import warn
from indexer.formats.labels import whole

ALIGNMENTS = ("anscolumn_ID", "answer_column")

Pair = tuple[str, AnswerTable, AnswerTable | None]


def pairs(gold: Path, run: Path, any_name: bool = False) -> list[Pair]:
    """(exam, gold, run) for every gold file; the run is None where a folder of runs lacks the exam.

    A folder is searched for .xml files at any depth. An exam's name is its table's @filename, else its file's
    name without endings such as `-answers` or `_TEAM_EN_01`. With `any_name` what finds nothing of its name is
    paired all the same, and said: two files; in folders the one gold and run of a year, and the last of each.
    UserError: gold for another exam, a run without gold, two runs (or golds) for one exam, gold and run swapped.
    """
    paired = _files(gold, run, any_name) if not gold.is_dir() and not run.is_dir() else _folders(gold, run, any_name)
    for _, key, answers in paired:
        if answers and not _has_points(key) and _has_points(answers):
            raise UserError(f"{answers.file} has points and {key.file} does not: swapped? The gold comes first")
    return paired


def _has_points(table: AnswerTable) -> bool:
    return any(row.score is not None for row in table.answers)


def _files(gold_file: Path, run_file: Path, any_name: bool) -> list[Pair]:
    """Two files: refused where both say which exam they are for and these differ; a run of plain questions does not."""
    gold, run = read_answers(gold_file), read_answers(run_file)
    if run.is_run:
        return [("", gold, run)]
    ours, theirs = exam_name(gold), exam_name(run)
    if folded_exam(ours) == folded_exam(theirs):
        return [(theirs if run.filename else ours, gold, run)]
    if not any_name and ((gold.filename and run.filename) or _years(ours) != _years(theirs)):
        raise UserError(
            f"{gold.file}: gold for another exam ({ours}); {run.file} answers {theirs} "
            "(--any-name scores them all the same)"
        )
    _say_unlike(gold, run)
    return [(theirs, gold, run)]


def _folders(gold: Path, run: Path, any_name: bool) -> list[Pair]:
    golds, runs = _by_exam(gold), _by_exam(run)
    of_gold = {name: name for name in golds if name in runs}
    if any_name:
        of_gold |= _unlike_names(
            [name for name in golds if name not in runs], [name for name in runs if name not in golds]
        )
    for name in runs:
        if name not in of_gold.values():
            raise UserError(
                f"{runs[name].file}: no gold for exam {exam_name(runs[name])} in {gold}"
                + ("" if any_name else " (--any-name pairs by year)")
            )
    paired: list[Pair] = []
    for name, key in golds.items():
        answers = runs[of_gold[name]] if name in of_gold else None
        if answers is None:
            warn(f"{exam_name(key)}: no run in {run}: every question counts as unanswered")
        elif name != of_gold[name]:
            _say_unlike(key, answers)
        paired.append((exam_name(answers or key), key, answers))
    return paired


def _unlike_names(golds: list[str], runs: list[str]) -> dict[str, str]:
    """The run of each gold without one of its name: the only one of its year, or the last that is left."""
    run_of: dict[str, str] = {}
    for year in sorted(_years(name) for name in runs):
        one_year = [[name for name in names if _years(name) == year] for names in (golds, runs)]
        if list(map(len, one_year)) == [1, 1]:
            run_of[one_year[0][0]] = one_year[1][0]
    left = [name for name in golds if name not in run_of], [name for name in runs if name not in run_of.values()]
    if list(map(len, left)) == [1, 1]:
        run_of[left[0][0]] = left[1][0]
    return run_of


def _say_unlike(gold: AnswerTable, run: AnswerTable) -> None:
    warn(
        f"{gold.file} ({exam_name(gold)}) and {run.file} ({exam_name(run)}) do not name the same exam: "
        "scored as if they did"
    )


def _by_exam(path: Path) -> dict[str, AnswerTable]:
    files = (sorted(path.rglob("*.xml")) or _plain_files(path)) if path.is_dir() else [path]
    if not files:
        raise UserError(f"{path}: no .xml file in this folder; expected answer tables")
    tables: dict[str, AnswerTable] = {}
    for file in files:
        table = read_answers(file)
        name = folded_exam(exam_name(table))
        if name in tables:
            raise UserError(f"{file}: a second answer table for {exam_name(table)} beside {tables[name].file}")
        tables[name] = table
    return tables


def _plain_files(folder: Path) -> list[Path]:
    """The runs of plain questions in a folder, or the question files where it holds no run."""
    from answerer.formats.question_file.read import ENDINGS

    runs = sorted(folder.rglob("*.tsv"))
    return runs or sorted(file for file in folder.rglob("*") if file.suffix.lower() in ENDINGS)


def exam_keys(table: AnswerTable, any_name: bool = False) -> frozenset[str]:
    """What a table's exam is told by, whatever the case and endings of its name; with `any_name` its years too."""
    name = exam_name(table)
    return frozenset([folded_exam(name), *(f"year {year}" for year in _years(name) if any_name)])


def _years(name: str) -> list[str]:
    return re.findall(r"\d{4}", name)


Key = tuple[str, int]


def keyed(table: AnswerTable, align: str) -> dict[Key, Answer]:
    """The rows by answer column and how often the column came before (ids repeat where years are merged).

    Where `anscolumn_ID` and the printed `answer_column` of a gold file drift apart, this is said on stderr;
    `align` decides which of them counts.
    """
    _warn_of_drift(table, align)
    rows: dict[Key, Answer] = {}
    for row in table.answers:
        column = row.column
        if align == "answer_column" and row.number:
            column = (re.match(r"\D*", row.column) or [""])[0] + row.number
        occurrence = 0
        while (column, occurrence) in rows:
            occurrence += 1
        rows[column, occurrence] = row._replace(column=column)
    return rows


def _digits(column: str) -> str:
    match = re.search(r"\d+", column)
    return match[0] if match else ""


def _warn_of_drift(table: AnswerTable, align: str) -> None:
    """Say it when the two numberings of a file are not a fixed distance apart."""
    named = [(whole(_digits(row.column)), whole(row.number), row) for row in table.answers]
    drifts = [(column - number, row) for column, number, row in named if column is not None and number is not None]
    apart = [row for distance, row in drifts if distance != drifts[0][0]]
    if apart:
        other = next(name for name in ALIGNMENTS if name != align)
        warn(
            f"{table.file}:{apart[0].line}: anscolumn_ID {apart[0].column} stands beside answer_column "
            f"{apart[0].number}: {len(apart)} of {len(table.answers)} rows are misaligned. Scored by {align}; "
            f"--align {other} scores by the other"
        )
