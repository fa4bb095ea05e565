"""Multiple choice: exams of NTCIR QA Lab in, answer tables out; plain questions in, TSV out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from answerer.formats.exam.parts import Exam, answer_table_text
from answerer.formats.exam.read import read_exam
from answerer.ntcir.multiple_choice.marks import NOT_IN_BOOK, with_marks
from answerer.ntcir.multiple_choice.methods import (
    DEFAULT,
    ENTRY_POINTS,
    METHODS,
    AnsweredQuestion,
    AnswerExam,
    Method,
    answer_all,
    exam_methods,
    method_options,
    with_checks,
)
from answerer.ntcir.multiple_choice.methods import method as make_method
from answerer.options import index_option, output_options
from answerer.run import Outputs, Run, paths_of, write_run
from indexer.cli.types import COUNT, Command, InputFile, PlainText
from indexer.files.atomic import as_bytes
from indexer.files.errors import UserError
from indexer.files.messages import info
from indexer.files.paths import STDOUT
from indexer.files.validation import FileName, validate_count
from indexer.plug_ins import distribution_of
from retriever.opened import AnyIndex, using_index
from retriever.provenance import describe

if TYPE_CHECKING:
    from answerer.trace import TraceQuestion

_METHOD_HELP = "; ".join(f"{name}: {line}" for name, (_, line) in exam_methods().items())


@click.command(
    cls=Command,
    example="answer ntcir-mc samples/sample-exam-en.xml -o exam.run.xml --trace exam.run.jsonl",
)
@click.argument("exams", nargs=-1, required=True, metavar="EXAM...", type=InputFile())
@index_option("textbook-LANGUAGE of the exam")
@click.option(
    "--method",
    type=click.Choice([*exam_methods()]),
    default=DEFAULT,
    help=f"{_METHOD_HELP} [{DEFAULT}].",
)
@click.option("-k", type=COUNT, default=5, help="How many documents count for a choice [5].")
@method_options
@output_options("*_*_[A-Z][A-Z]_[0-9][0-9].xml", "*_*_[A-Z][A-Z]_[0-9][0-9].tsv", searches=True)
@click.option(
    "--team",
    type=PlainText(),
    default="TEAM",
    help="The team in the names of several runs [TEAM].",
)
@click.option(
    "--priority",
    type=click.IntRange(1, 99),
    default=1,
    help="The run's priority, 1 to 99 [1].",
)
def command(
    exams: tuple[Path, ...],
    outputs: Outputs,
    team: str,
    priority: int,
    **options: Any,
) -> None:
    """Answer exams, Japanese or English: NTCIR QA Lab's (Torobo XML) with an answer table, plain
    questions with TSV.

    Plain questions are numbered text with labelled choices, Aiken, GIFT, CSV, TSV or JSON; answers
    in the file are not looked at. One exam gives one run, on stdout or in -o FILE. Several exams,
    or an -o that is a folder (or ends in /), give a folder of runs named EXAM_TEAM_EN_01.xml
    (.tsv). A question of an XML exam without choices is left blank.
    """
    exams_read = _read(exams)
    names = None
    is_folder = outputs.output.endswith("/") or Path(outputs.output).is_dir()
    if len(exams_read) > 1 or is_folder:
        names = _run_names(exams_read, outputs.output, team, priority)
    run, _ = answer_exams(
        exams_read, evidence=outputs.trace is not None, sources=paths_of(*exams), **options
    )
    write_run(run, outputs, names=names, team=team)


def _run_names(exams: Sequence[Exam], folder: str, team: str, priority: int) -> list[str]:
    """The names of the exams' runs in a folder, by RUN_ID of the task page: [topics
    file]_[Team]_[JA|EN]_[two-digit priority], with .tsv for plain questions, else .xml. Raises
    UserError if `folder` is stdout or a file, and for a team's name that is empty or has other
    characters than letters, digits, - and `.`."""
    if folder == STDOUT or (Path(folder).exists() and not Path(folder).is_dir()):
        raise UserError(
            f"{len(exams)} exams need a folder for their runs: name one with -o FOLDER/"
        )
    if not team or not all(character.isalnum() or character in ".-" for character in team):
        raise UserError(f"--team {team!r}: a team's name has letters, digits, - and . only")
    return [
        f"{exam.name}_{team}_{exam.language.code.upper()}_{priority:02d}"
        + (".tsv" if exam.is_plain else ".xml")
        for exam in exams
    ]


def answer(
    *exams: FileName | Exam,
    index: AnyIndex | None = None,
    method: str | Method | AnswerExam = DEFAULT,
    k: int = 5,
    evidence: bool = True,
    **options: object,
) -> Run:
    """Answers exams from a textbook index, by default `textbook-LANGUAGE` of the exams; plain
    questions give TSV, others an answer table.

    `method` is a name of `exam_methods`, whose own options are `options` (`model`, `choice_only`,
    `all_terms`; None is not given), a `Method`, or a function of questions, index, k and evidence
    that gives their answers (`Method.answer`). `k` documents count for a choice. Warnings list the
    questions left blank, and those that are guesses, as the book has no word of the choices or does
    not say. Raises UserError for no exam, for exams in different languages or of the same name, for
    `k` below 1, for an unknown method, and for an option that the method does not take, a function
    or a `Method` any.
    """
    if not exams:
        raise UserError("EXAM... is missing: give one exam or more")
    run, _ = answer_exams(
        _read(exams),
        index=index,
        method=method,
        k=k,
        evidence=evidence,
        sources=paths_of(*exams),
        **options,
    )
    return run


def answer_exams(
    exams: Sequence[Exam],
    *,
    index: AnyIndex | None,
    method: str | Method | AnswerExam = DEFAULT,
    k: int = 5,
    evidence: bool,
    sources: Sequence[str],
    **options: object,
) -> tuple[Run, list[AnsweredQuestion]]:
    """The run of `answer` for exams (at least one, all in one language) that were read from the
    files `sources`, and the answered questions that it was made of, in order. Raises UserError for
    `k` below 1, and for an unknown method or an option that it does not take."""
    validate_count(k, "k")
    if isinstance(method, Method) or callable(method):
        if options := {key: value for key, value in options.items() if value is not None}:
            raise UserError(f"a function as the method takes no option: {', '.join(options)}")
        unchecked = method if isinstance(method, Method) else Method(method)
        name = getattr(unchecked.answer, "__name__", type(unchecked.answer).__name__)
        chosen = with_checks(unchecked)
    else:
        chosen, name = make_method(method, **options), method
    if chosen.model is not None:
        from retriever.learning.model import warn_if_trained_on

        model, file = chosen.model
        warn_if_trained_on(file, model, sources)
    # One request for all exams: one look-up in the index serves them.
    language = exams[0].language
    questions = [question for exam in exams for question in exam.questions]
    address = f"textbook-{language}" if index is None else index
    with using_index(address, "textbook", language) as opened:
        answers = answer_all(chosen, questions, opened, k, evidence)
        answered, unanswered = with_marks(answers, opened)
    rows = iter(answered)
    tables: dict[str, bytes] = {}
    evidence_rows: list[TraceQuestion] = []
    for exam in exams:
        exam_rows = list(islice(rows, len(exam.questions)))
        if exam.is_plain:
            # The readers of six forms load for plain questions only.
            from answerer.formats.question_file.read import answers_text

            text = answers_text((row.question, row.system, row.note) for row in exam_rows)
        else:
            text = answer_table_text(
                exam.name, [(row.question.answer_column, row.system) for row in exam_rows]
            )
        tables[exam.name] = as_bytes(text)
        if evidence:
            from answerer.ntcir.multiple_choice.printed import trace_row

            evidence_rows += [trace_row(exam.name, row) for row in exam_rows]
    plug_in = distribution_of(ENTRY_POINTS, name) if name not in METHODS else None
    doubtful = [row for row in answered if not row.system or NOT_IN_BOOK in row.note]
    run = Run(
        task="ntcir-mc",
        method=name,
        parameters={
            "k": k,
            **chosen.parameters,
            **({"distribution": " ".join(plug_in)} if plug_in else {}),
        },
        index=describe(opened),
        packages=("lxml", *language.packages, *chosen.packages, *(plug_in or ())[:1]),
        sources=sources,
        files=tables,
        questions=evidence_rows,
        warnings=_warnings(doubtful, len(answered)) if doubtful else (),
        unanswered=unanswered,
    )
    return run, answered


def _warnings(doubtful: Sequence[AnsweredQuestion], questions: int) -> list[str]:
    """The warnings of guesses and of blanks among `doubtful`, at most three, by answer columns;
    `questions` is the number of all."""
    columns = {
        "guesses, as the book has no word of any choice": [
            row.question.answer_column
            for row in doubtful
            if NOT_IN_BOOK in row.note and row.way != "truth"
        ],
        "guesses, as the book does not say": [
            row.question.answer_column
            for row in doubtful
            if NOT_IN_BOOK in row.note and row.way == "truth"
        ],
        "left blank": [row.question.answer_column for row in doubtful if not row.system],
    }
    return [
        f"{what}: {len(names)} of {questions} questions: {', '.join(names)}"
        for what, names in columns.items()
        if names
    ]


def _read(sources: Sequence[FileName | Exam]) -> list[Exam]:
    """Reads exams from files, or takes `Exam` objects; prints the notes of files on stderr. Raises
    UserError for anything else, for exams in different languages, and for two exams of one name."""
    exams, files = [], []
    for source in sources:
        if isinstance(source, Exam):
            exams.append(source)
            files.append(source.name)
        elif isinstance(source, str | PathLike):
            exams.append(read_exam(fspath(source)))
            files.append(fspath(source))
            for note in exams[-1].notes:
                info(note)
        else:
            raise UserError(
                f"EXAM: expected files, or what `read_exam` gave, not {type(source).__name__}"
            )
    if len(exams) > 1:
        _require_alike(exams, files)
    return exams


def _require_alike(exams: Sequence[Exam], files: Sequence[str]) -> None:
    """Raises UserError, which names a file, for exams in different languages, and for two of one
    name."""
    names, language = [exam.name for exam in exams], exams[0].language
    for file, exam in zip(files, exams, strict=True):
        if exam.language != language:
            other = f"{files[0]} in '{language}'; answer each language separately"
            raise UserError(f"{file}: is in '{exam.language}', {other}")
        if names.count(exam.name) > 1:
            raise UserError(
                f"{file}: two exams are called {exam.name}; their runs would have one name"
            )
