"""WikiTableQuestions as released: the questions whose answer is a cell, and all of them, answered
as Data Search is.

    python benchmarks/wikitablequestions.py WikiTableQuestions/ --model datasearch.model.json

The release (github.com/ppasupat/WikiTableQuestions) is turned into the files of Data Search: a
question a line, its table the dataset. A question counts as a cell's where its one answer is the
text of a cell below the headings, case and blanks aside. Only these are asked; every other one,
which needs a count, a sum, a difference or several cells, counts as wrong in the second row. Exact
match of texts is stricter than the release's own evaluator, which compares numbers and dates by
value: a lower bound of what it would say.
"""

from __future__ import annotations

import bz2
import csv
import hashlib
import io
import json
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from evaluation.significance import estimate
from evaluation.tables import print_rows
from evaluation.tasks.datasearch_qa import report_questions
from evaluation.tasks.results import scores_of
from indexer.cli.program import run_program
from indexer.files.errors import UserError

HEADER = ["id", "utterance", "context", "targetValue"]
_ESCAPE = re.compile(r"\\([np\\])")
_ESCAPED = {"n": "\n", "p": "|", "\\": "\\"}


class Question(NamedTuple):
    """A question of the release: its answers, and the path of its table in the release."""

    question_id: str
    text: str
    table: str
    answers: tuple[str, ...]


def unescaped(text: str) -> str:
    r"""A field of the release's tsv: \n is a line break, \p a vertical bar, two backslashes are
    one."""
    return _ESCAPE.sub(lambda found: _ESCAPED[found[1]], text)


def read_questions(path: Path) -> list[Question]:
    """The questions of a split. UserError for another file."""
    lines = path.read_text("utf-8").split("\n")
    if lines[0].split("\t") != HEADER:
        raise UserError(f"{path}:1: expected the columns {', '.join(HEADER)}")
    questions = []
    for number, line in enumerate(lines[1:], 2):
        cells = line.split("\t")
        if line and len(cells) != len(HEADER):
            raise UserError(f"{path}:{number}: {len(cells)} columns; expected {len(HEADER)}")
        if line:
            answers = tuple(map(unescaped, cells[3].split("|")))
            questions.append(Question(cells[0], unescaped(cells[1]), cells[2], answers))
    return questions


def read_table(path: Path) -> list[list[str]]:
    """The rows of a table of the release, whose csv escapes quotes by a backslash."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, doublequote=False, escapechar="\\"))


def folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def is_of_a_cell(question: Question, rows: Sequence[Sequence[str]]) -> bool:
    """Whether the one answer is the text of a cell below the first row."""
    answer = folded(question.answers[0])
    return len(question.answers) == 1 and any(
        folded(cell) == answer for row in rows[1:] for cell in row
    )


def write_datasets(tables: dict[str, list[list[str]]], folder: Path) -> None:
    """The tables as a collection and an archive of Data Search: a dataset each, named by its
    path."""
    records = []
    with tarfile.open(folder / "data.tar.bz2", "w:bz2") as archive:
        for table, rows in sorted(tables.items()):
            text = io.StringIO()
            csv.writer(text).writerows(rows)
            name = f"{hashlib.sha256(table.encode()).hexdigest()}-{Path(table).name}"
            member = tarfile.TarInfo(name)
            member.size = len(data := text.getvalue().encode())
            archive.addfile(member, io.BytesIO(data))
            file = {
                "data_format": "csv",
                "data_organization": "",
                "data_url": table,
                "data_filename": name,
            }
            records.append(
                {"id": table, "url": table, "title": "", "description": "", "data": [file]}
            )
    with bz2.open(folder / "collection.jsonl.bz2", "wt", encoding="utf-8") as collection:
        collection.writelines(f"{json.dumps(record, ensure_ascii=False)}\n" for record in records)


def write_questions(questions: Sequence[Question], folder: Path) -> None:
    """The questions and their gold, in the files of Data Search."""
    rows = [(f"{one.question_id}", " ".join(one.text.split()), one.table) for one in questions]
    (folder / "questions.tsv").write_text("".join("\t".join(row) + "\n" for row in rows), "utf-8")
    gold = [(one.question_id, " ".join(one.answers[0].split())) for one in questions]
    (folder / "gold.tsv").write_text("".join("\t".join(row) + "\n" for row in gold), "utf-8")


def run(*words: str) -> None:
    """One of the project's commands; its last line is the error where it fails."""
    done = subprocess.run(
        [sys.executable, "-m", *words], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise UserError(
            (done.stderr.strip() or "no output").splitlines()[-1].removeprefix("error: ")
        )


def scores(folder: Path, model: str | None) -> dict[str, float]:
    """Exact match by question, as the commands answer and score them."""
    index, answers = str(folder / "index"), str(folder / "answers.tsv")
    run(
        "indexer",
        "datasets",
        str(folder / "collection.jsonl.bz2"),
        str(folder / "data.tar.bz2"),
        "--index",
        index,
    )
    chosen = ["--model", model or "none"]
    run(
        "answerer",
        "datasearch-qa",
        str(folder / "questions.tsv"),
        "--index",
        index,
        *chosen,
        "-o",
        answers,
    )
    return scores_of(report_questions(folder / "gold.tsv", Path(answers)))


def rows(by_cell: Sequence[float], questions: int) -> Iterator[dict[str, object]]:
    """The questions of a cell, and all of them, the others as wrong."""
    for name, right in (
        ("answer is a cell", by_cell),
        ("all", [*by_cell, *[0.0] * (questions - len(by_cell))]),
    ):
        share = estimate(right)
        error = "" if share.standard_error is None else f"{share.standard_error:.4f}"
        yield {
            "asked": name,
            "questions": len(right),
            "exact match": f"{share.mean:.4f}",
            "standard error": error,
        }


@click.command(help=(__doc__ or "").replace("\n\n", "\n\n\b\n", 1))
@click.argument("release", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--split", default="pristine-unseen-tables", help="A file of data/, the test by default."
)
@click.option(
    "--model", type=click.Path(exists=True), help="A model of `answerer train datasearch-qa`."
)
def main(release: Path, split: str, model: str | None) -> None:
    questions = read_questions(release / "data" / f"{split}.tsv")
    tables = {table: read_table(release / table) for table in {one.table for one in questions}}
    asked = [one for one in questions if is_of_a_cell(one, tables[one.table])]
    if not asked:
        raise UserError(f"{split}: no question's answer is a cell")
    with tempfile.TemporaryDirectory() as folder:
        write_datasets(tables, Path(folder))
        write_questions(asked, Path(folder))
        found = scores(Path(folder), model)
    print_rows(list(rows([found[one.question_id] for one in asked], len(questions))), "tsv")


if __name__ == "__main__":
    run_program(main, "python benchmarks/wikitablequestions.py")
