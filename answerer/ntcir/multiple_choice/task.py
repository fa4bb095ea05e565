"""Multiple choice: exams of NTCIR QA Lab in, answer tables out; plain questions in, TSV out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from answerer.formats.exam.parts import Exam, ExamQuestion, answer_table_text
from answerer.formats.exam.read import read_exam
from answerer.ntcir.multiple_choice.methods import DEFAULT, METHODS, answer_all, method
from answerer.ntcir.multiple_choice.shapes import plan
from answerer.options import (
    Asked,
    allow_unanswered_option,
    indexes_options,
    metadata_command,
    metadata_option,
    model_option,
    open_asked,
    trace_option,
)
from answerer.run import Questions, Run, write_run
from answerer.unanswered import Unanswered, require_answers
from indexer.engines.contract import Index
from indexer.files.atomic import as_bytes
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
from retriever.provenance import describe
from retriever.queries import terms_of, union_query

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
    allow_unanswered_option,
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
    allow_unanswered: bool,
    **given: Any,
) -> None:
    """Answer exams, Japanese or English: NTCIR QA Lab's (Torobo XML) with an answer table, plain
    questions with TSV.

    Plain questions are numbered text with labelled choices, Aiken, GIFT, CSV, TSV or JSON; answers
    in the file are not looked at. One exam gives one run, on stdout or in -o FILE. Several exams,
    or an -o that is a folder (or ends in /), give a folder of runs named EXAM_TEAM_EN_01.xml
    (.tsv). A question of an XML exam without choices is left blank.
    """
    made_by = metadata_command(output) if metadata else None
    exams_read = _read(exams)
    names = None
    folder = output.endswith("/") or Path(output).is_dir()
    if len(exams_read) > 1 or folder:
        if output == STDOUT or (Path(output).exists() and not folder):
            raise UserError(
                f"{len(exams_read)} exams need a folder for their runs: name one with -o FOLDER/"
            )
        if not team or not all(character.isalnum() or character in ".-" for character in team):
            raise UserError(f"--team {team!r}: a team's name has letters, digits, - and . only")
        # RUN_ID of the task page: [topics file]_[Team]_[JA|EN]_[two-digit priority].
        names = [
            f"{exam.name}_{team}_{exam.language.code.upper()}_{priority:02d}"
            + (".tsv" if exam.is_plain else ".xml")
            for exam in exams_read
        ]
    run = answer(exams_read, **given, evidence=trace_path is not None)
    run = replace(run, sources=exams)
    if not allow_unanswered:
        require_answers(run.unanswered, run.sources)
    write_run(run, output, trace=trace_path, metadata=made_by, names=names, team=team)


def answer(
    sources: Sequence[str | Exam],
    asked: Asked,
    name: str,
    k: int,
    model_path: str | None,
    choice_only: bool,
    all_terms: bool,
    evidence: bool,
) -> Run:
    """Answers exams from a textbook index; plain questions give TSV, others an
    answer table. `asked` names the index, `name` the method; `model_path`, `choice_only` and
    `all_terms` are its options. A warning lists the questions left blank. Raises UserError for
    exams in different languages or of the same name."""
    exams = _read(sources)
    # All exams are asked together: one look-up in the index serves them.
    language = exams[0].language
    index = open_asked(asked, "textbook", language)
    chosen = method(name, model=model_path, choice_only=choice_only, all_terms=all_terms)
    packages = ("lxml", *language.packages, *chosen.packages)
    answered = answer_all(
        chosen, [question for exam in exams for question in exam.questions], index, k, evidence
    )
    rows = iter(answered)
    tables: dict[str, bytes] = {}
    evidence_rows = Questions()
    for exam in exams:
        own = list(islice(rows, len(exam.questions)))
        if exam.is_plain:
            # The readers of six forms load for plain questions only.
            from answerer.formats.question_file.read import answers_text

            text = answers_text((row.question, row.system) for row in own)
        else:
            text = answer_table_text(
                exam.name, [(row.question.answer_column, row.system) for row in own]
            )
        tables[exam.name] = as_bytes(text)
        if evidence:
            from answerer.ntcir.multiple_choice.printed import trace_row

            for row in own:
                evidence_rows.append(trace_row(exam.name, row))
    blank = [row.question.answer_column for row in answered if not row.system]
    warning = f"{len(blank)} of {len(answered)} questions are left blank: {', '.join(blank)}"
    return Run(
        task="ntcir-mc",
        method=name,
        parameters={"k": k, **chosen.parameters},
        index=describe(index),
        packages=packages,
        sources=[source for source in sources if isinstance(source, str)],
        files=tables,
        questions=evidence_rows,
        warnings=[warning] if blank else [],
        unanswered=without_words(
            [question for exam in exams for question in exam.questions if question.choices], index
        ),
    )


def without_words(questions: Sequence[ExamQuestion], index: Index) -> Unanswered:
    """The questions of which the index has no word of what their choices say, labels and gaps
    written out."""
    terms = terms_of(index)
    queries = [
        union_query(terms("\n".join(statement.text for statement in plan(question).statements)))
        for question in questions
    ]
    counts = index.part().count(queries)
    ids = [
        question.answer_column
        for question, count in zip(questions, counts, strict=True)
        if not count
    ]
    return Unanswered(ids, len(questions), index.address)


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
