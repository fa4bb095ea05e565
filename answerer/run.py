"""The result of answering a task: `Run`, what is in it, and how it is written."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from indexer.files.atomic import as_bytes, write_all
from indexer.files.errors import UserError
from indexer.files.messages import counted, info, warn
from indexer.files.validation import FileName, validate_path
from indexer.files.xml import decode_xml
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
    """The ids of the questions that found nothing to be answered from, of `asked` questions, in
    `searched`: the address of the index, or the path of the collection."""

    ids: Sequence[str]
    asked: int
    searched: str


def require_answers(unanswered: Unanswered | None, sources: Sequence[str]) -> None:
    """Raises UserError, which names the questions' files (`sources`) and what was searched, if
    more than half of the questions found nothing to be answered from."""
    if unanswered is None or len(unanswered.ids) <= MOST_UNANSWERED * unanswered.asked:
        return
    lacking, more = unanswered.ids, len(unanswered.ids) - _SHOWN
    shown = ", ".join(lacking[:_SHOWN]) + (f" and {more:,} more" if more > 0 else "")
    raise UserError(
        f"{', '.join(sources) or 'the questions'}: {unanswered.searched} has nothing on "
        f"{len(lacking):,} of {unanswered.asked:,} questions ({shown}): is it the right one for "
        f"them? --allow-unanswered writes the run all the same"
    )


class Questions(Sequence["TraceQuestion"]):
    """Answered questions with their evidence, in the order in which they were added.

    Each is stored as its line of a trace and decoded when it is read: 20,000 sentences take 23 MB
    so, and 48 MB as objects. Numbers are those of the trace: 7 significant digits.
    """

    def __init__(self, questions: Iterable[TraceQuestion] = ()) -> None:
        self._lines: list[bytes] = []
        for question in questions:
            self.append(question)

    def append(self, question: TraceQuestion) -> None:
        """Adds a question as the last one."""
        from answerer.trace import encode

        self._lines.append(_json_line(encode(question)))

    def lines(self) -> Sequence[bytes]:
        """The questions as lines of a trace, in UTF-8, each with its line feed."""
        return self._lines

    @overload
    def __getitem__(self, position: int) -> TraceQuestion: ...

    @overload
    def __getitem__(self, position: slice) -> list[TraceQuestion]: ...

    def __getitem__(self, position: int | slice) -> TraceQuestion | list[TraceQuestion]:
        from answerer.trace import decode

        if isinstance(position, slice):
            return [decode(json.loads(line)) for line in self._lines[position]]
        return decode(json.loads(self._lines[position]))

    def __iter__(self) -> Iterator[TraceQuestion]:
        return (self[position] for position in range(len(self)))

    def __len__(self) -> int:
        return len(self._lines)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # it can grow


def _json_line(value: Mapping[str, Any]) -> bytes:
    return as_bytes(json.dumps(value, ensure_ascii=False) + "\n")


def one_file(content: str | bytes) -> dict[str, bytes]:
    """The `files` of a run that consists of one file."""
    return {"": as_bytes(content)}


def paths_of(*sources: object) -> list[str]:
    """Those of a task's inputs that are paths of files, for `Run.sources`."""
    return [os.fspath(source) for source in sources if isinstance(source, str | os.PathLike)]


def ending(content: str | bytes) -> str:
    """The extension of a multiple-choice submission: .xml for an answer table, .tsv for other
    text."""
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
    """The answers (`system`), and the candidates with scores, features and evidence; empty if the
    task was answered without evidence."""
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
        from answerer.trace import VERSION

        first = _json_line({"run": self.header, "version": VERSION})
        rows = self.questions
        lines = rows.lines() if isinstance(rows, Questions) else Questions(rows).lines()
        return b"".join([first, *lines])

    @property
    def text(self) -> str:
        """The official file of a run with a single file, decoded. Raises UserError if it has
        several."""
        if len(self.files) != 1:
            raise UserError(
                f"this run of {self.task} has {len(self.files)} files: {', '.join(self.files)}; "
                f"see `files`"
            )
        (content,) = self.files.values()
        try:
            return decode_xml(content, self.task)[1]
        except UserError:  # neither XML nor in a known encoding
            return content.decode("utf-8", "surrogateescape")

    @property
    def answers(self) -> dict[str, str]:
        """Question id → answer; several answers to one question (a list of terms) are joined by ` /
        `.

        Raises UserError for a run without evidence, and if an id repeats, as it may in a run of
        several exams.
        """
        self._require_questions()
        answers: dict[str, str] = {}
        for question in self.questions:
            if (question_id := question.question_id) in answers:
                raise UserError(
                    f"the id {question_id} occurs more than once in this run (several exams): see "
                    f"`questions`"
                )
            answers[question_id] = question.answer
        return answers

    def save(self, path: FileName, trace: FileName | None = None) -> None:
        """Writes the official file to `path`, or several under their names (.xml or .tsv) to the
        folder `path`.

        `trace` is the file for the evidence. Writes all files or none. Raises UserError if one
        cannot be written.
        """
        path = validate_path(path, "path")
        if trace is not None:
            trace = validate_path(trace, "trace")
            if Path(trace).absolute() == Path(path).absolute():
                raise UserError(f"{trace}: run and trace need two different files")
        write_all(self.contents(path, trace))

    def contents(
        self, path: FileName, trace: FileName | None = None
    ) -> list[tuple[str | Path, bytes]]:
        """The (path, content) pairs that `save` writes: a single file at `path`, several in the
        folder `path` under their own names plus .xml or .tsv, and last the evidence, if `trace` is
        given.

        Raises UserError for `trace` and a run without evidence.
        """
        outputs: list[tuple[str | Path, bytes]] = []
        if len(self.files) == 1:
            (content,) = self.files.values()
            outputs.append((os.fspath(path), content))
        else:
            for name, content in self.files.items():
                outputs.append((Path(path) / f"{Path(name).name}{ending(content)}", content))
        if trace is not None:
            self._require_questions()
            outputs.append((os.fspath(trace), self.trace))
        return outputs

    def log(self) -> None:
        """Logs the warnings and notes."""
        for warning in self.warnings:
            warn(warning)
        for note in self.notes:
            info(note)

    def to_frame(self) -> pandas.DataFrame:
        """A pandas data frame, one row a question, with the columns question_id, shape, question
        (its text), answer, score (of the best candidate, None without candidates) and candidates
        (their number).

        Raises UserError if pandas is not installed, and for a run without evidence.
        """
        from answerer.views import table_rows
        from indexer.frames import frame

        self._require_questions()
        return frame(table_rows(self))

    def to_trec(self, tag: str = RUN_TAG) -> str:
        """The candidates as a run for trec_eval [TREC]: lines `query_id Q0 doc_id rank score tag`,
        best first.

        A query is the question's id (`EXAM/ID` in an exam), a candidate QUERY-ID, or QUERY-HASH of
        its text if it comes from the index, as `evaluation export` writes them. Scores are negated
        if the question asks for the false choice. Raises UserError for a run without evidence, and
        for a tag with blanks.
        """
        from answerer.views import trec_run

        self._require_questions()
        return trec_run(self, tag)

    def _repr_html_(self) -> str:
        """The questions as a table, for notebooks."""
        from answerer.views import table_rows
        from indexer.frames import html_table

        return html_table(table_rows(self), repr(self))

    def _require_questions(self) -> None:
        """Raises UserError for a run without evidence."""
        if not self.questions:
            raise UserError("this run was answered without evidence: answer with evidence=True")

    def __repr__(self) -> str:
        questions = ", without evidence"
        if self.questions:
            questions = f": {counted(len(self.questions), 'questions')}"
        return f"<Run {self.task} by {self.method}{questions}>"


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

    @property
    def evidence(self) -> bool:
        """Whether the evidence of the answers is written."""
        return self.trace is not None


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
    if not outputs.allow_unanswered:
        require_answers(run.unanswered, run.sources)
    files: list[tuple[str | Path, str | bytes]] = [*run.contents(outputs.output, outputs.trace)]
    if names is not None:
        contents = zip(names, run.files.values(), strict=True)
        files = [(Path(outputs.output) / name, content) for name, content in contents]
        files += [(outputs.trace, run.trace)] if outputs.trace is not None else []
    if outputs.command is not None:
        stem = Path(outputs.output).stem
        metadata = run_metadata(stem, run.header, outputs.command, run.sources, team)
        files.append(metadata_file(outputs.output, metadata))
    write_all(files)
    run.log()
