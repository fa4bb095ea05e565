"""The result of answering a task: `Run`, what is in it, and how it is written."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from indexer.files.atomic import as_bytes, write_all
from indexer.files.errors import UserError
from indexer.files.messages import counted, info, warn
from indexer.files.validation import FileName, validate_path
from indexer.formats.trec_run import RUN_TAG
from retriever.provenance import SearchedIndex, metadata_file, run_header, run_metadata

if TYPE_CHECKING:
    import pandas

    from answerer.trace import TraceQuestion
    from indexer.languages.language import Language


# A collection that fits its questions answers most of them; the rest may well be beyond it.
MOST_UNANSWERED = 0.5
_SHOWN = 3  # ids in the message


class Unanswered(NamedTuple):
    """The ids of the questions that found nothing to be answered from, of `total` questions, in
    `searched`: the address of the index, or the path of the collection."""

    ids: Sequence[str]
    total: int
    searched: str


def require_answers(unanswered: Unanswered, sources: Sequence[str]) -> None:
    """Raises UserError, which names the questions' files (`sources`) and what was searched, if
    more than half of the questions found nothing to be answered from."""
    if len(unanswered.ids) <= MOST_UNANSWERED * unanswered.total:
        return
    lacking, more = unanswered.ids, len(unanswered.ids) - _SHOWN
    shown = ", ".join(lacking[:_SHOWN]) + (f" and {more:,} more" if more > 0 else "")
    raise UserError(
        f"{', '.join(sources) or 'the questions'}: {unanswered.searched} has nothing on "
        f"{len(lacking):,} of {unanswered.total:,} questions ({shown}): is it the right one for "
        f"them? --allow-unanswered writes the run all the same"
    )


def one_file(content: str | bytes) -> dict[str, bytes]:
    """The `files` of a run that consists of one file: its content in UTF-8 under the name ""."""
    return {"": as_bytes(content)}


def paths_of(*sources: object) -> list[str]:
    """Those of a task's inputs that are paths of files, for `Run.sources`."""
    return [os.fspath(source) for source in sources if isinstance(source, str | os.PathLike)]


def ending(content: str | bytes) -> str:
    """The extension of a multiple-choice submission: .xml for an answer table, which begins with
    "<", .tsv for other text."""
    return ".xml" if content[:1] in ("<", b"<") else ".tsv"


@dataclass(frozen=True, kw_only=True, repr=False)
class Run:
    """A system's answers to a task's questions, and how they were made."""

    task: str
    method: str
    files: Mapping[str, bytes]
    """Official files by name: those of several exams by the exams' names, a single one by ""."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """All that shaped the answers besides questions and index; a model by its fingerprint."""
    index: SearchedIndex | None = None
    """The index that was searched, None if the task searches none."""
    language: Language | None = None
    """The language of a run without an index; otherwise it is the index's."""
    packages: Collection[str] = ()
    """Packages of others that the task computes with, besides the engine's, by their names on
    PyPI."""
    sources: Sequence[str] = field(default=(), compare=False)
    """Paths of the files that hold the questions; none if they were given as objects."""
    questions: Sequence[TraceQuestion] = ()
    """The answers (`system`), and the candidates with scores, features and evidence, numbers as
    they were computed; empty if the task was answered without evidence."""
    warnings: Sequence[str] = ()
    """What the user should know of the answers, such as questions left blank."""
    notes: Sequence[str] = ()
    """Further messages, of nothing amiss."""
    unanswered: Unanswered | None = None
    """The questions that found nothing to be answered from; None if the task searches nothing."""

    @property
    def header(self) -> dict[str, Any]:
        """How the run was made, as the first line of a trace has it: task, method, parameters,
        index, and the versions that are installed now."""
        from answerer.trace import rounded_values

        header: dict[str, Any] = rounded_values(
            run_header(
                self.task, self.method, self.parameters, self.index, self.language, self.packages
            )
        )
        return header

    @property
    def trace(self) -> bytes:
        """The run as the text of a trace: its header, then its questions, in UTF-8."""
        from answerer.trace import trace_text

        return trace_text(self.header, self.questions)

    @property
    def text(self) -> str:
        """The official file of a run with a single file, decoded. Raises UserError if it has
        several."""
        from answerer.views import single_text

        return single_text(self)

    @property
    def answers(self) -> dict[str, str]:
        """Question id → answer; several answers to one question (a list of terms) are joined by ` /
        `. Raises UserError for a run without evidence, and if an id repeats, as it may in a run of
        several exams."""
        from answerer.views import answers_by_id

        require_evidence(self)
        return answers_by_id(self)

    def save(self, path: FileName, trace: FileName | None = None) -> None:
        """Writes the official file to `path`, or several under their names (.xml or .tsv) to the
        folder `path`; the evidence to the file `trace`. Writes all files or none. Raises UserError
        if one cannot be written, if both are one file, and for `trace` and a run without
        evidence."""
        path = validate_path(path, "path")
        if trace is not None:
            trace = validate_path(trace, "trace")
            if Path(trace).absolute() == Path(path).absolute():
                raise UserError(f"{trace}: run and trace need two different files")
        write_all(files_of(self, path, trace))

    def to_frame(self) -> pandas.DataFrame:
        """A pandas data frame, one row a question, with the columns question_id, shape, question
        (its text), answer, score (the greatest of its candidates, None without any) and candidates
        (their number). Raises UserError if pandas is not installed, and for a run without
        evidence."""
        from answerer.views import table_rows
        from indexer.frames import frame

        require_evidence(self)
        return frame(table_rows(self))

    def to_trec(self, tag: str = RUN_TAG) -> str:
        """The candidates as a run for trec_eval [TREC], lines `query_id Q0 doc_id rank score tag`,
        question after question, best first; for the ids see `answerer.views.trec_run`. Raises
        UserError for a run without evidence, and for a tag that is empty or has blanks."""
        from answerer.views import trec_run

        require_evidence(self)
        return trec_run(self, tag)

    def _repr_html_(self) -> str:
        """The first 20 questions as an HTML table, for notebooks."""
        from answerer.views import table_rows
        from indexer.frames import html_table

        return html_table(table_rows(self), repr(self))

    def __repr__(self) -> str:
        questions = ", without evidence"
        if self.questions:
            questions = f": {counted(len(self.questions), 'questions')}"
        return f"<Run {self.task} by {self.method}{questions}>"


def require_evidence(run: Run) -> None:
    """Raises UserError for a run without evidence."""
    if not run.questions:
        raise UserError("this run was answered without evidence: answer with evidence=True")


def files_of(
    run: Run, path: FileName, trace: FileName | None = None, names: Sequence[str] | None = None
) -> list[tuple[str | Path, bytes]]:
    """The (path, content) pairs of a run's files: a single one at `path`; several, and those given
    `names`, in the folder `path`, without `names` under their own plus .xml or .tsv; last the
    evidence, if `trace` is given. Raises UserError for `trace` and a run without evidence, and
    ValueError unless there is a name for each file."""
    outputs: list[tuple[str | Path, bytes]]
    if names is None and len(run.files) == 1:
        (content,) = run.files.values()
        outputs = [(os.fspath(path), content)]
    else:
        names = names or [f"{Path(name).name}{ending(run.files[name])}" for name in run.files]
        contents = zip(names, run.files.values(), strict=True)
        outputs = [(Path(path) / name, content) for name, content in contents]
    if trace is not None:
        require_evidence(run)
        outputs.append((os.fspath(trace), run.trace))
    return outputs


def log_messages(run: Run) -> None:
    """Logs the warnings and notes of a run."""
    for warning in run.warnings:
        warn(warning)
    for note in run.notes:
        info(note)


@dataclass(frozen=True)
class Outputs:
    """Where a command writes its run, as its options say (`answerer.options.output_options`)."""

    output: str
    """The official file, or the folder of several; "-" is the standard output."""
    trace: str | None = None
    """The file of the evidence."""
    command: str | None = None
    """The command that makes the run, to be described in the form of [ir_metadata] 0.1 beside
    `output` (see `metadata_file`); None for no description."""
    allow_unanswered: bool = False
    """Whether a run is written of whose questions more than half found nothing to be answered
    from."""


def write_run(
    run: Run, outputs: Outputs, *, names: Sequence[str] | None = None, team: str | None = None
) -> None:
    """Writes a run's file, its evidence and its description; all files or none. Then logs the run's
    warnings and notes.

    With `names`, one for each file of the run, the files go under these names to the folder
    `outputs.output`; `team` is the team that the description names. Raises UserError if a file
    cannot be written, and if more than half of the questions found nothing to be answered from,
    unless that is allowed.
    """
    if run.unanswered is not None and not outputs.allow_unanswered:
        require_answers(run.unanswered, run.sources)
    files: list[tuple[str | Path, str | bytes]]
    files = [*files_of(run, outputs.output, outputs.trace, names)]
    if outputs.command is not None:
        stem = Path(outputs.output).stem
        metadata = run_metadata(stem, run.header, outputs.command, run.sources, team)
        files.append(metadata_file(outputs.output, metadata))
    write_all(files)
    log_messages(run)
