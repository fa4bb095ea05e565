"""NTCIR QA Lab multiple choice: exams in, answer tables out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from answerer.formats.answer_table import answer_table_text
from answerer.formats.exam import read_exam
from answerer.formats.exam_parts import Exam, Question
from answerer.ntcir.multiple_choice.methods import DEFAULT, METHODS, Answered, method, parameters_of
from answerer.run import index_option, model_option, open_task_index, output_option, trace_option
from answerer.trace import Trace, open_trace
from indexer.files.atomic import write_text
from indexer.files.errors import UserError

_METHOD_HELP = "; ".join(f"{name}: {help_line}" for name, (_, help_line) in METHODS.items())


@click.command(epilog="Example: python -m answerer ntcir-mc samples/sample-exam-en.xml -o run.xml --trace trace.jsonl")
@click.argument("exams", nargs=-1, required=True, metavar="EXAM.xml...")
@index_option("textbook-LANGUAGE of the exam")
@click.option(
    "--method", "name", type=click.Choice(list(METHODS)), default=DEFAULT, help=f"[{DEFAULT}] {_METHOD_HELP}."
)
@click.option("-k", "k", type=click.IntRange(1), default=5, help="How many documents count for a choice [5].")
@model_option
@click.option("--background", metavar="ADDRESS", help="Another index, asked for names that the textbook knows less.")
@output_option
@trace_option
@click.option("--team", default="TEAM", help="The team in the names of several runs [TEAM].")
@click.option("--priority", type=click.IntRange(1, 99), default=1, help="The run's priority, 1 to 99 [1].")
def command(
    exams: tuple[str, ...],
    address: str | None,
    name: str,
    k: int,
    model_path: str | None,
    background: str | None,
    output: str | None,
    trace_path: str | None,
    team: str,
    priority: int,
) -> None:
    """Answer NTCIR QA Lab exams (Torobo XML, Japanese or English) with an answer table.

    One exam gives one table, on stdout or in -o FILE. Several exams, or an -o that is a folder (or ends in /),
    give a folder of tables named EXAM_TEAM_EN_01.xml.
    """
    read = _read(exams)
    targets = _targets(read, output, team, priority)
    index = open_task_index(address, "textbook", read[0].language)
    questions = [question for exam in read for question in exam.questions]
    with open_trace(trace_path) as trace:
        chosen = method(name, model_path, background)
        trace.run("ntcir-mc", name, {"k": k, **parameters_of(chosen)}, index, read[0].language)
        answered = chosen.answer(questions, index, k, trace.wanted)
        start = 0
        for exam, target in zip(read, targets, strict=True):
            rows = answered[start : start + len(exam.questions)]
            start += len(exam.questions)
            _write(exam, rows, target, trace)


def _read(files: Sequence[str]) -> list[Exam]:
    """The exams, all in one language; what was odd in them goes to stderr."""
    exams = [read_exam(file) for file in files]
    for note in (note for exam in exams for note in exam.notes):
        click.echo(note, err=True)
    for file, exam in zip(files, exams, strict=True):
        if exam.language != exams[0].language:
            raise UserError(
                f"{file}: is in {exam.language!r}, {files[0]} in {exams[0].language!r}; answer each language by itself"
            )
    names = [exam.name for exam in exams]
    for file, exam in zip(files, exams, strict=True):
        if names.count(exam.name) > 1:
            raise UserError(f"{file}: two exams are called {exam.name}; their runs would have one name")
    return exams


def _targets(exams: Sequence[Exam], output: str | None, team: str, priority: int) -> list[str | None]:
    """Where each exam's table goes: RUN_IDs in a folder for several exams, else the output itself."""
    folder = output is not None and (output.endswith("/") or Path(output).is_dir())
    if len(exams) == 1 and not folder:
        return [output]
    if output is None or output == "-" or (Path(output).exists() and not Path(output).is_dir()):
        raise UserError(f"{len(exams)} exams need a folder for their runs: name one with -o FOLDER/")
    if not team or not all(character.isalnum() or character in ".-" for character in team):
        raise UserError(f"--team {team!r}: a team's name has letters, digits, - and . only")
    return [str(Path(output) / f"{run_id(exam, team, priority)}.xml") for exam in exams]


def run_id(exam: Exam, team: str, priority: int) -> str:
    """RUN_ID of the task page: `[topics file]_[Team]_[JA|EN]_[two-digit priority]`."""
    return f"{exam.name}_{team}_{exam.language.upper()}_{priority:02d}"


def _write(exam: Exam, answered: Sequence[Answered], target: str | None, trace: Trace) -> None:
    rows = [(one.question.answer_column, one.system) for one in answered]
    write_text(target, answer_table_text(exam.name, rows))
    for one in answered:
        trace.question(_trace_row(exam, one))


def _trace_row(exam: Exam, answered: Answered) -> dict[str, Any]:
    question = answered.question
    return {
        "question_id": question.answer_column,
        "exam": exam.name,
        "shape": question.shape,
        "asks": question.asks,
        **({"answered_as": answered.way} if answered.way else {}),
        **({"note": answered.note} if answered.note else {}),
        "question": _problem(question),
        "system": answered.system,
        "candidates": [
            {
                "id": choice.number,
                "text": choice.text.plain,
                "score": verdict.score,
                "signals": dict(verdict.signals),
                "evidence": list(verdict.evidence),
            }
            for choice, verdict in zip(question.choices, answered.verdicts, strict=True)
        ],
    }


def _problem(question: Question) -> str:
    """The problem statement as a person reads it, underlined phrases written out."""
    return "\n".join(text.replaced("underline") for text in question.problem)
