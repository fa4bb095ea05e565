"""Multiple choice: exams of NTCIR QA Lab in, answer tables out; plain questions in, TSV out."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from answerer.formats.exam.parts import Exam, answer_table_text
from answerer.formats.exam.read import read_exam
from answerer.ntcir.multiple_choice.methods import DEFAULT, METHODS, answer_all, method
from answerer.run import (
    Asked,
    indexes_options,
    metadata_option,
    metadata_sidecar,
    model_option,
    open_asked,
    trace_option,
)
from answerer.submission import Submission, tell
from answerer.trace_writer import open_trace
from indexer.files.atomic import write_all
from indexer.files.errors import UserError
from indexer.files.messages import info
from indexer.files.paths import STDOUT
from indexer.parameters import (
    COUNT,
    TEXT,
    argument,
    command_line,
    flag,
    input_path,
    integer,
    option,
    output_path,
    word_choice,
)

if TYPE_CHECKING:
    from answerer.trace_writer import Trace

_METHOD_HELP = "; ".join(f"{name}: {help_line}" for name, (_, _, help_line) in METHODS.items())


@command_line(
    "answerer ntcir-mc samples/sample-exam-en.xml -o exam.run.xml --trace exam.run.jsonl",
    argument("exams", multiple=True, metavar="EXAM...", type=input_path),
    indexes_options("textbook-LANGUAGE of the exam"),
    option(
        "--method",
        "name",
        type=partial(word_choice, tuple(METHODS)),
        default=DEFAULT,
        help=f"{_METHOD_HELP} [{DEFAULT}].",
    ),
    option("-k", "k", type=COUNT, default=5, help="How many documents count for a choice [5]."),
    model_option,
    flag("--choice-only", help="For slqal: look for the choice's words without the problem's."),
    flag("--all-terms", help="For slqal: look for all terms, not for nouns alone."),
    option(
        "-o",
        "output",
        metavar="OUT",
        type=partial(
            output_path, ("*_*_[A-Z][A-Z]_[0-9][0-9].xml", "*_*_[A-Z][A-Z]_[0-9][0-9].tsv")
        ),
        default="-",
        help="Where the submission goes [stdout].",
    ),
    metadata_option,
    trace_option,
    option(
        "--team", type=TEXT, default="TEAM", help="The team in the names of several runs [TEAM]."
    ),
    option(
        "--priority",
        type=partial(integer, 1, 99),
        default=1,
        help="The run's priority, 1 to 99 [1].",
    ),
)
def command(
    exams: tuple[str, ...],
    output: str,
    metadata: bool,
    trace_path: str | None,
    team: str,
    priority: int,
    **given: Any,
) -> None:
    """Answer exams, Japanese or English: NTCIR QA Lab's (Torobo XML) with an answer table, plain
    questions with TSV.

    Plain questions are numbered text with labelled choices, Aiken, GIFT, CSV, TSV or JSON; answers
    in the file are not looked at. One exam gives one run, on stdout or in -o FILE. Several exams,
    or an -o that is a folder (or ends in /), give a folder of runs named EXAM_TEAM_EN_01.xml
    (.tsv). A question of an XML exam without choices is left blank.
    """
    with metadata_sidecar(output) if metadata else nullcontext():
        exams_read = _read(exams)
        targets = [output]
        folder = output.endswith("/") or Path(output).is_dir()
        if len(exams_read) > 1 or folder:
            if output == STDOUT or (Path(output).exists() and not folder):
                raise UserError(
                    f"{len(exams_read)} exams need a folder for their runs: name one with -o "
                    f"FOLDER/"
                )
            if not team or not all(character.isalnum() or character in ".-" for character in team):
                raise UserError(f"--team {team!r}: a team's name has letters, digits, - and . only")
            # RUN_ID of the task page: [topics file]_[Team]_[JA|EN]_[two-digit priority].
            targets = [
                str(
                    Path(output) / f"{exam.name}_{team}_{exam.language.code.upper()}_{priority:02d}"
                )
                + (".tsv" if exam.is_plain else ".xml")
                for exam in exams_read
            ]
        with open_trace(trace_path) as trace:
            submission = answer(exams_read, **given, trace=trace)
            write_all(zip(targets, (table for _, table in submission.files), strict=True))
        tell(submission)


def answer(
    sources: Sequence[str | Exam],
    asked: Asked,
    name: str,
    k: int,
    model_path: str | None,
    choice_only: bool,
    all_terms: bool,
    trace: Trace,
) -> Submission:
    """Answers exams from a textbook index and writes the trace; plain questions give TSV, others an
    answer table. `asked` names the index, `name` the method; `model_path`, `choice_only` and
    `all_terms` are its options. A warning lists the questions left blank. Raises UserError for
    exams in different languages or of the same name."""
    exams = _read(sources)
    # All exams are asked together: one look-up in the index serves them.
    language = exams[0].language
    index = open_asked(asked, "textbook", language)
    chosen = method(name, model=model_path, choice_only=choice_only, all_terms=all_terms)
    packages = ("lxml", *language.packages, *chosen.packages)
    trace.run("ntcir-mc", name, {"k": k, **chosen.parameters}, index, language, packages)
    answered = answer_all(
        chosen, [question for exam in exams for question in exam.questions], index, k, trace.active
    )
    rows = iter(answered)
    tables = []
    for exam in exams:
        own = list(islice(rows, len(exam.questions)))
        if exam.is_plain:
            # The readers of six forms load for plain questions only.
            from answerer.formats.question_file.read import answers_text

            tables.append((exam.name, answers_text((row.question, row.system) for row in own)))
        else:
            table = answer_table_text(
                exam.name, [(row.question.answer_column, row.system) for row in own]
            )
            tables.append((exam.name, table))
        if trace.active:
            from answerer.ntcir.multiple_choice.printed import trace_row

            for row in own:
                trace.question(trace_row(exam.name, row))
    blank = [row.question.answer_column for row in answered if not row.system]
    warning = f"{len(blank)} of {len(answered)} questions are left blank: {', '.join(blank)}"
    return Submission(tuple(tables), (warning,) if blank else ())


def _read(sources: Sequence[str | Exam]) -> list[Exam]:
    """Reads exams from files, or takes `Exam` objects; prints the notes of files on stderr. Raises
    UserError for anything else, for exams in different languages, and for two exams of one name."""
    for source in sources:
        if not isinstance(source, str | Exam):
            raise UserError(
                f"EXAM: expected files, or what `read_exam` gave, not {type(source).__name__}"
            )
    exams = [read_exam(source) if isinstance(source, str) else source for source in sources]
    for source, exam in zip(sources, exams, strict=True):
        for note in exam.notes if isinstance(source, str) else ():
            info(note)
    files = [source if isinstance(source, str) else source.name for source in sources]
    names, language = [exam.name for exam in exams], exams[0].language
    for file, exam in zip(files, exams, strict=True):
        if exam.language != language:
            other = f"{files[0]} in '{language}'; answer each language separately"
            raise UserError(f"{file}: is in '{exam.language}', {other}")
        if names.count(exam.name) > 1:
            raise UserError(
                f"{file}: two exams are called {exam.name}; their runs would have one name"
            )
    return exams
