"""Multiple choice: exams of NTCIR QA Lab in, answer tables out; plain questions in, TSV out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from answerer.formats.answer_table import answer_table_text
from answerer.formats.exam.parts import Exam, ExamQuestion, Gap, MarkedText, TextSpan, expand
from answerer.formats.exam.read import read_exam
from answerer.ntcir.multiple_choice.methods import (
    DEFAULT,
    METHODS,
    AnsweredQuestion,
    Options,
    Unit,
    Verdict,
    answer_all,
    method,
)
from answerer.run import (
    Asked,
    indexes_options,
    metadata_options,
    metadata_sidecar,
    model_option,
    open_asked,
    trace_option,
)
from answerer.submission import Submission, tell
from answerer.trace import Trace, TraceCandidate, TraceEvidence, TraceGap, TraceMark, TraceQuestion, open_trace
from indexer.files.atomic import write_all
from indexer.files.errors import UserError
from indexer.files.messages import info
from indexer.files.paths import STDOUT
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

_METHOD_HELP = "; ".join(f"{name}: {help_line}" for name, (_, _, help_line) in METHODS.items())


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
    with metadata_sidecar(output, metadata, about_file):
        exams_read = _read(exams)
        targets = [output]
        folder = output.endswith("/") or Path(output).is_dir()
        if len(exams_read) > 1 or folder:
            if output == STDOUT or (Path(output).exists() and not folder):
                raise UserError(f"{len(exams_read)} exams need a folder for their runs: name one with -o FOLDER/")
            if not team or not all(character.isalnum() or character in ".-" for character in team):
                raise UserError(f"--team {team!r}: a team's name has letters, digits, - and . only")
            # RUN_ID of the task page: [topics file]_[Team]_[JA|EN]_[two-digit priority].
            ids = [f"{exam.name}_{team}_{exam.language.code.upper()}_{priority:02d}" for exam in exams_read]
            endings = ["tsv" if exam.is_plain else "xml" for exam in exams_read]
            targets = [str(Path(output) / f"{run}.{ending}") for run, ending in zip(ids, endings, strict=True)]
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
    unit: Unit | None,
    trace: Trace,
) -> Submission:
    """Answers exams from a textbook index and writes the trace; plain questions give TSV, others an answer table.

    `asked` names the index, `name` the method; `model_path`, `choice_only`, `all_terms` and `unit` are its options. A
    warning lists the questions left blank. Raises UserError for exams in different languages or of the same name.
    """
    exams = _read(sources)
    # All exams are asked together: one look-up in the index serves them.
    language = exams[0].language
    index = open_asked(asked, "textbook", language)
    chosen = method(name, Options(model_path, choice_only, all_terms, unit))
    packages = ("lxml", *language.packages, *chosen.packages)
    trace.run("ntcir-mc", name, {"k": k, **chosen.parameters()}, index, language, packages)
    answered = answer_all(chosen, [question for exam in exams for question in exam.questions], index, k, trace.active)
    rows = iter(answered)
    tables = []
    for exam in exams:
        own = list(islice(rows, len(exam.questions)))
        if exam.is_plain:
            # The readers of six forms load for plain questions only.
            from answerer.formats.question_file.read import answers_text

            tables.append((exam.name, answers_text((row.question, row.system) for row in own)))
        else:
            tables.append(
                (exam.name, answer_table_text(exam.name, [(r.question.answer_column, r.system) for r in own]))
            )
        for row in own if trace.active else ():
            trace.question(trace_row(exam.name, row))
    blank = [row.question.answer_column for row in answered if not row.system]
    warning = f"{len(blank)} of {len(answered)} questions are left blank: {', '.join(blank)}"
    return Submission(tuple(tables), (warning,) if blank else ())


def _read(sources: Sequence[str | Exam]) -> list[Exam]:
    """Reads exams from files, or takes `Exam` objects; prints the notes of files on stderr.

    Raises UserError for anything else, for exams in different languages, and for two exams of one name.
    """
    for source in sources:
        if not isinstance(source, str | Exam):
            raise UserError(f"EXAM: expected files, or what `read_exam` gave, not {type(source).__name__}")
    exams = [read_exam(source) if isinstance(source, str) else source for source in sources]
    files = [source if isinstance(source, str) else source.name for source in sources]
    for source, exam in zip(sources, exams, strict=True):
        for note in exam.notes if isinstance(source, str) else ():
            info(note)
    for file, exam in zip(files, exams, strict=True):
        if exam.language != exams[0].language:
            raise UserError(
                f"{file}: is in '{exam.language}', {files[0]} in '{exams[0].language}'; answer each language separately"
            )
    names = [exam.name for exam in exams]
    for file, name in zip(files, names, strict=True):
        if names.count(name) > 1:
            raise UserError(f"{file}: two exams are called {name}; their runs would have one name")
    return exams


def trace_row(exam: str, answered: AnsweredQuestion) -> TraceQuestion:
    """The trace record of an answered question; `exam` is the exam's name.

    With several indexes each candidate has the contribution and the verdict of each.
    """
    question = answered.question
    text, marks = printed_problem(question)
    gaps = [(gap.label, *printed_line(gap)) for gap in question.gaps]
    candidates = []
    for choice, verdict in zip(question.choices, answered.verdicts, strict=True):
        choice_text, choice_marks = _join_texts([choice.text])
        features, evidence = verdict.explained.get("features", {}), _evidence(verdict, "")
        if verdict.sources:
            features = {f"from {each.address}": each.share for each in verdict.sources}
            evidence = tuple(one for each in verdict.sources for one in _evidence(each.verdict, each.address))
        candidates.append(
            replace(
                _trace_candidate(verdict),
                id=choice.number,
                text=choice_text,
                marks=choice_marks,
                features=features,
                evidence=evidence,
                sources=tuple(replace(_trace_candidate(each.verdict), index=each.address) for each in verdict.sources),
            )
        )
    return TraceQuestion(
        question_id=question.answer_column,
        exam=exam,
        shape=question.shape,
        asks=question.asks,
        answered_as=answered.way,
        note=answered.note,
        question=text,
        marks=marks,
        gaps=tuple(TraceGap(label=label, text=line, marks=line_marks) for label, line, line_marks in gaps),
        system=(answered.system,) if answered.system else (),
        candidates=tuple(candidates),
    )


def _trace_candidate(verdict: Verdict) -> TraceCandidate:
    """A verdict as a trace candidate: score, verdict in words, probability, query terms, and parts of the score."""
    return TraceCandidate(
        score=verdict.score,
        verdict=verdict.says,
        probability=verdict.probability,
        query=tuple(verdict.query),
        **verdict.explained,
    )


def _evidence(verdict: Verdict, source: str) -> tuple[TraceEvidence, ...]:
    """The passages of a verdict as trace evidence.

    `source` is the address of their index, "" if a single index was searched.
    """
    passages = [
        passage if isinstance(passage, TraceEvidence) else TraceEvidence(**passage._asdict())
        for passage in verdict.evidence
    ]
    return tuple(replace(passage, source=source) if source else passage for passage in passages)


def printed_problem(question: ExamQuestion) -> tuple[str, tuple[TraceMark, ...]]:
    """The problem statement as a person reads it, underlined phrases written out, and its marks."""
    return _join_texts([expand(text, "underline") for text in question.problem])


def printed_line(gap: Gap) -> tuple[str, tuple[TraceMark, ...]]:
    """The line of text that contains a gap, and its printed marks (underlines, gaps, labels), offsets in the line."""
    plain = gap.text.plain
    start, end = plain.rfind("\n", 0, gap.start) + 1, plain.find("\n", gap.end)
    end = end if end >= 0 else len(plain)
    inside = [span for span in gap.text.spans if start <= span.start and span.end <= end]
    return plain[start:end], tuple(_marks(plain, inside, -start))


def _join_texts(texts: Sequence[MarkedText]) -> tuple[str, tuple[TraceMark, ...]]:
    """Joins texts with line breaks; returns the result and the printed marks of all, with offsets in it."""
    marks: list[TraceMark] = []
    length = 0
    for text in texts:
        marks += _marks(text.plain, text.spans, length)
        length += len(text.plain) + 1
    return "\n".join(text.plain for text in texts), tuple(marks)


def _marks(plain: str, spans: Sequence[TextSpan], moved: int) -> Iterator[TraceMark]:
    """Yields the printed marks (underlines, gaps, labels) of a text, their offsets shifted by `moved` characters.

    A mark of kind "label" is empty: the paper prints the label before the character at its offset.
    """
    for span in spans:
        label = span.label if span.kind in ("statement", "underline") else ""
        if span.kind == "picture":
            label = span.label or "picture"
            if span.start == span.end:
                label = f"picture {span.label} (not in the file)".replace("  ", " ")
        if label:
            yield TraceMark(kind="label", start=span.start + moved, end=span.start + moved, label=label)
        kind = {"gap": "gap", "picture": "letter"}.get(span.target or "", "")
        if span.kind in ("wavy", "underline", "gap"):
            kind = span.kind
        elif span.target == "underline" and span.phrase == plain[span.start : span.end]:
            kind = "underline"
        if kind:
            yield TraceMark(kind=kind, start=span.start + moved, end=span.end + moved)
