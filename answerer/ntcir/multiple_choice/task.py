"""Multiple choice: exams of NTCIR QA Lab in, answer tables out; plain questions in, TSV out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from answerer.formats.answer_table import answer_table_text
from answerer.formats.exam.parts import Choice, Exam
from answerer.formats.exam.read import read_exam
from answerer.ntcir.multiple_choice import paper
from answerer.ntcir.multiple_choice.methods import (
    DEFAULT,
    METHODS,
    Answered,
    Options,
    Unit,
    Verdict,
    answer_all,
    method,
)
from answerer.run import Asked, described, indexes_options, metadata_options, model_option, open_asked, trace_option
from answerer.submission import Submission, tell
from answerer.trace import Trace, TraceCandidate, TraceEvidence, TraceGap, TraceQuestion, open_trace
from indexer.files.atomic import write_all
from indexer.files.errors import UserError
from indexer.files.messages import info
from indexer.files.output_paths import STDOUT
from indexer.parameters import (
    COUNT,
    TEXT,
    InputPath,
    OneOf,
    OutputPath,
    WholeNumber,
    argument,
    command_line,
    flag,
    option,
)

_METHOD_HELP = "; ".join(f"{name}: {help_line}" for name, (_, help_line) in METHODS.items())


@command_line(
    "answerer ntcir-mc samples/sample-exam-en.xml -o exam.run.xml --trace exam.run.jsonl",
    argument("exams", multiple=True, metavar="EXAM...", type=InputPath()),
    indexes_options("textbook-LANGUAGE of the exam"),
    option("--method", "name", type=OneOf(tuple(METHODS)), default=DEFAULT, help=f"{_METHOD_HELP} [{DEFAULT}]."),
    option("-k", "k", type=COUNT, default=5, help="How many documents count for a choice [5]."),
    model_option,
    flag("--choice-only", help="For slqal: look for the choice's words without the problem's."),
    flag("--all-terms", help="For slqal: look for all terms, not for nouns alone."),
    option(
        "--unit", type=OneOf(["sentence", "paragraph"]), help="For slqal: a document [what the index was built for]."
    ),
    option(
        "-o",
        "output",
        metavar="OUT",
        type=OutputPath(("*_*_[A-Z][A-Z]_[0-9][0-9].xml", "*_*_[A-Z][A-Z]_[0-9][0-9].tsv")),
        default="-",
        help="Where the submission goes [stdout].",
    ),
    *metadata_options,
    trace_option,
    option("--team", type=TEXT, default="TEAM", help="The team in the names of several runs [TEAM]."),
    option("--priority", type=WholeNumber(1, 99), default=1, help="The run's priority, 1 to 99 [1]."),
)
def command(
    exams: tuple[str, ...],
    output: str,
    metadata: bool,
    about_file: str | None,
    trace_path: str | None,
    team: str,
    priority: int,
    **given: Any,
) -> None:
    """Answer exams, Japanese or English: NTCIR QA Lab's (Torobo XML) with an answer table, plain questions with TSV.

    Plain questions are numbered text with labelled choices, Aiken, GIFT, CSV, TSV or JSON; answers in the file are not
    looked at. One exam gives one run, on stdout or in -o FILE. Several exams, or an -o that is a folder (or ends in
    /), give a folder of runs named EXAM_TEAM_EN_01.xml (.tsv). A question of an XML exam without choices is left blank.
    """
    with described(output, metadata, about_file):
        read = _read(exams)
        targets = _targets(read, output, team, priority)
        with open_trace(trace_path) as trace:
            answered = answer(read, **given, trace=trace)
            tables = (table for _, table in answered.files)
            write_all(zip(targets, tables, strict=True))
        tell(answered)


def answer(
    sources: Sequence[str | Exam],
    asked: Asked,
    name: str,
    k: int,
    model_path: str | None,
    choice_only: bool,
    all_terms: bool,
    unit: Unit | None,
    trace: Trace,
) -> Submission:
    """An answer table (of plain questions TSV) for each exam, called by the exam's name.

    Raises UserError for exams in more than one language.
    """
    read = _read(sources)
    index = open_asked(asked, "textbook", read[0].language)
    questions = [question for exam in read for question in exam.questions]
    chosen = method(name, Options(model_path, choice_only, all_terms, unit))
    language = read[0].language
    packages = ("lxml", *language.packages, *chosen.packages)
    trace.run("ntcir-mc", name, {"k": k, **chosen.parameters()}, index, language, packages)
    answered = answer_all(chosen, questions, index, k, trace.wanted)
    rows = iter(answered)
    tables = []
    for exam in read:
        own = list(islice(rows, len(exam.questions)))
        text = _plain_text(own) if exam.is_plain else table_of(exam, own)
        tables.append((exam.name, text))
        for one in own:
            if trace.wanted:
                trace.question(trace_row(exam.name, one))
    return Submission(tuple(tables), _blanks(answered))


def _plain_text(answered: Sequence[Answered]) -> str:
    from answerer.formats.question_file.read import answers_text

    return answers_text((one.question, one.system) for one in answered)


def table_of(exam: Exam, answered: Sequence[Answered]) -> str:
    """The official answer table of an exam."""
    return answer_table_text(exam.name, [(one.question.answer_column, one.system) for one in answered])


def _read(sources: Sequence[str | Exam]) -> list[Exam]:
    """The exams, all in one language; what was odd in the files of some goes to stderr."""
    for one in sources:
        if not isinstance(one, str | Exam):
            raise UserError(f"EXAM: expected files, or what `read_exam` gave, not {type(one).__name__}")
    exams = [read_exam(one) if isinstance(one, str) else one for one in sources]
    for note in (note for one, exam in zip(sources, exams, strict=True) if isinstance(one, str) for note in exam.notes):
        info(note)
    files = [one if isinstance(one, str) else one.name for one in sources]
    for file, exam in zip(files, exams, strict=True):
        if exam.language != exams[0].language:
            raise UserError(
                f"{file}: is in '{exam.language}', {files[0]} in '{exams[0].language}'; answer each language by itself"
            )
    names = [exam.name for exam in exams]
    for file, exam in zip(files, exams, strict=True):
        if names.count(exam.name) > 1:
            raise UserError(f"{file}: two exams are called {exam.name}; their runs would have one name")
    return exams


def _blanks(answered: Sequence[Answered]) -> tuple[str, ...]:
    """The warning that names the questions of a run that are left blank, where some are."""
    blank = [one.question.answer_column for one in answered if not one.system]
    return (f"{len(blank)} of {len(answered)} questions are left blank: {', '.join(blank)}",) if blank else ()


def _targets(exams: Sequence[Exam], output: str, team: str, priority: int) -> list[str]:
    """The output path of each exam's table: RUN_IDs in a folder for several exams, else the output itself."""
    folder = output.endswith("/") or Path(output).is_dir()
    if len(exams) == 1 and not folder:
        return [output]
    if output == STDOUT or (Path(output).exists() and not folder):
        raise UserError(f"{len(exams)} exams need a folder for their runs: name one with -o FOLDER/")
    if not team or not all(character.isalnum() or character in ".-" for character in team):
        raise UserError(f"--team {team!r}: a team's name has letters, digits, - and . only")
    return [str(Path(output) / f"{run_id(exam, team, priority)}.{'tsv' if exam.is_plain else 'xml'}") for exam in exams]


def run_id(exam: Exam, team: str, priority: int) -> str:
    """RUN_ID of the task page: `[topics file]_[Team]_[JA|EN]_[two-digit priority]`."""
    return f"{exam.name}_{team}_{exam.language.code.upper()}_{priority:02d}"


def trace_row(exam: str, answered: Answered) -> TraceQuestion:
    """The question of a trace; `exam` is the exam's name."""
    question = answered.question
    asked = paper.problem(question)
    gaps = [(gap.label, paper.line_of(gap)) for gap in question.gaps]
    return TraceQuestion(
        question_id=question.answer_column,
        exam=exam,
        shape=question.shape,
        asks=question.asks,
        answered_as=answered.way,
        note=answered.note,
        question=asked.text,
        marks=asked.marks,
        gaps=tuple(TraceGap(label=label, text=line.text, marks=line.marks) for label, line in gaps),
        system=(answered.system,) if answered.system else (),
        candidates=tuple(
            _candidate(choice, verdict) for choice, verdict in zip(question.choices, answered.verdicts, strict=True)
        ),
    )


def _candidate(choice: Choice, verdict: Verdict) -> TraceCandidate:
    """A choice in a trace; of several indexes the share and the judgement of each."""
    printed = paper.choice(choice.text)
    one = replace(_trace_candidate(verdict), id=choice.number, text=printed.text, marks=printed.marks)
    if not verdict.sources:
        return replace(one, evidence=_evidence(verdict, ""))
    return replace(
        one,
        features={f"from {each.address}": each.share for each in verdict.sources},
        evidence=tuple(found for each in verdict.sources for found in _evidence(each.verdict, each.address)),
        sources=tuple(replace(_trace_candidate(each.verdict), index=each.address) for each in verdict.sources),
    )


def _trace_candidate(verdict: Verdict) -> TraceCandidate:
    """A verdict's score and its parts."""
    return TraceCandidate(
        score=verdict.score,
        verdict=verdict.says,
        probability=verdict.probability,
        query=tuple(verdict.query),
        **verdict.explained,
    )


def _evidence(verdict: Verdict, source: str) -> tuple[TraceEvidence, ...]:
    """The passages of a verdict, with the index that they are from if several were searched."""
    known = {"source": source} if source else {}
    return tuple(TraceEvidence(**{**one._asdict(), **known}) for one in verdict.evidence)
