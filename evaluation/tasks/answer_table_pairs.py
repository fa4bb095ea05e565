"""Which run belongs to which gold file, and which row of the one to which of the other."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import click

from answerer.formats.answer_table import Answer, AnswerTable, read_answer_table
from indexer.files.errors import UserError

ALIGNMENTS = ("anscolumn_ID", "answer_column")

_RUN_ENDING = re.compile(r"_[^_]+_(?:JA|EN|ZH)_\d+$", re.IGNORECASE)
_GOLD_ENDING = re.compile(r"(?:[-_. ]*(?:answers?|gold|goldstandard|key|正解|解答))+$", re.IGNORECASE)

Pair = tuple[str, AnswerTable, AnswerTable | None]


def pairs(gold: Path, run: Path) -> list[Pair]:
    """(exam, gold, run) for every gold file; the run is None where a folder of runs has none for an exam.

    A folder is searched for .xml files at any depth. An exam's name is its table's @filename, else its file's
    name without endings such as `-answers` or `_TEAM_EN_01`. UserError: gold for another exam, a
    run without gold, two runs (or golds) for one exam.
    """
    if not gold.is_dir() and not run.is_dir():
        return [_single(read_answer_table(gold), read_answer_table(run))]
    golds = _by_exam(gold)
    runs = _by_exam(run)
    for name, table in runs.items():
        if name not in golds:
            raise UserError(f"{table.file}: no gold for exam {exam_name(table)} in {gold}")
    for name, table in golds.items():
        if name not in runs:
            click.echo(f"{exam_name(table)}: no run in {run}: every question counts as unanswered", err=True)
    return [(exam_name(table), table, runs.get(name)) for name, table in golds.items()]


def _single(gold: AnswerTable, run: AnswerTable) -> Pair:
    """Two files: refused where both say which exam they are for and these differ."""
    ours, theirs = exam_name(gold), exam_name(run)
    if _same(ours, theirs):
        return theirs if run.filename else ours, gold, run
    if (gold.filename and run.filename) or _years(ours) != _years(theirs):
        raise UserError(f"{gold.file}: gold for another exam ({ours}); {run.file} answers {theirs}")
    click.echo(f"{gold.file} and {run.file} do not name the same exam: paired as given", err=True)
    return theirs, gold, run


def _by_exam(path: Path) -> dict[str, AnswerTable]:
    files = sorted(path.rglob("*.xml")) if path.is_dir() else [path]
    if not files:
        raise UserError(f"{path}: no .xml file in this folder; expected answer tables")
    tables: dict[str, AnswerTable] = {}
    for file in files:
        table = read_answer_table(file)
        name = _folded(exam_name(table))
        if name in tables:
            raise UserError(f"{file}: a second answer table for {exam_name(table)} beside {tables[name].file}")
        tables[name] = table
    return tables


def exam_name(table: AnswerTable) -> str:
    """The exam that a table is for: its @filename, else what its file's name says."""
    if table.filename:
        return table.filename.removesuffix(".xml")
    stem = Path(table.file).name.removesuffix(".xml")
    return _GOLD_ENDING.sub("", _RUN_ENDING.sub("", stem)) or stem


def _folded(name: str) -> str:
    folded = unicodedata.normalize("NFKC", name).lower()
    return "".join(c for c in _GOLD_ENDING.sub("", folded) if c.isalnum())


def _same(one: str, other: str) -> bool:
    return _folded(one) == _folded(other)


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


def _warn_of_drift(table: AnswerTable, align: str) -> None:
    """Say it when the two numberings of a file are not a fixed distance apart."""
    drifts = [
        (int(digits[0]) - int(row.number), row)
        for row in table.answers
        if row.number and (digits := re.search(r"\d+", row.column))
    ]
    apart = [row for distance, row in drifts if distance != drifts[0][0]]
    if apart:
        other = next(name for name in ALIGNMENTS if name != align)
        click.echo(
            f"WARNING: {table.file}:{apart[0].line}: anscolumn_ID {apart[0].column} stands beside answer_column "
            f"{apart[0].number}: {len(apart)} of {len(table.answers)} rows are misaligned. Scored by {align}; "
            f"--align {other} scores by the other",
            err=True,
        )
