"""Answers any task from Python: official files or plain objects in, a run out that can be read,
saved and scored."""

from __future__ import annotations

import inspect
import os
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from numbers import Number
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

from answerer.registry import tasks
from answerer.run import Asked
from answerer.submission import ending, tell
from answerer.task import load
from answerer.trace import TraceQuestion, decode, trace_text
from answerer.trace_writer import Trace, headers_kept
from indexer.engines.scoring import round_score
from indexer.files.atomic import as_bytes, write_all
from indexer.files.errors import UserError
from indexer.files.paths import register_claims
from indexer.files.validation import FileName, validate_choice, validate_path
from indexer.files.xml import decode_xml
from indexer.formats.trec_run import RUN_TAG, run_lines, text_id
from indexer.frames import html_table
from indexer.parameters import Parameter, settings
from retriever.search import Address, AnyIndex, using_index

if TYPE_CHECKING:
    import pandas

INDEX = "asked"  # the parameter of a task that takes its index or indexes


@dataclass(frozen=True, repr=False)
class Run:
    """A system's answers to a task's questions.

    `files` are the official files by name (an exam's; "" if a task writes one file). `header`
    describes how the run was made: method, parameters, index, versions. `questions` are those of
    the trace: the answers (`system`), the candidates with their scores, features and evidence;
    empty without evidence.
    """

    task: str
    files: Mapping[str, bytes]
    header: Mapping[str, Any]
    questions: Sequence[TraceQuestion]

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
        self._require_rows()
        found: dict[str, str] = {}
        for row in self.questions:
            if (name := row.question_id) in found:
                raise UserError(
                    f"the id {name} occurs more than once in this run (several exams): see "
                    f"`questions`"
                )
            found[name] = row.answer
        return found

    def save(self, place: FileName, trace: FileName | None = None) -> None:
        """Writes the official file to `place`, or several under their names (.xml or .tsv) to the
        folder `place`.

        `trace` is the file for the evidence. Writes all files or none. Raises UserError if one
        cannot be written.
        """
        place = validate_path(place, "place")
        if trace is not None:
            trace = validate_path(trace, "trace")
            if Path(trace).absolute() == Path(place).absolute():
                raise UserError(f"{trace}: run and trace need two different files")
        write_all(self.contents(place, trace))

    def contents(
        self, place: FileName, trace: FileName | None = None
    ) -> list[tuple[str | Path, str | bytes]]:
        """The (path, content) pairs that `save` writes: a single file at `place`, several in the
        folder `place` under their own names plus .xml or .tsv, and last the evidence, if `trace` is
        given.

        Raises UserError for `trace` and a run without evidence.
        """
        several = len(self.files) != 1
        outputs: list[tuple[str | Path, str | bytes]] = [
            (
                Path(place) / f"{Path(name).name}{ending(content)}"
                if several
                else os.fspath(place),
                content,
            )
            for name, content in self.files.items()
        ]
        if trace is not None:
            self._require_rows()
            outputs.append((os.fspath(trace), trace_text(self.header, self.questions)))
        return outputs

    def to_frame(self) -> pandas.DataFrame:
        """A pandas data frame, one row a question, with the columns question_id, shape, question
        (its text), answer, score (of the best candidate, None without candidates) and candidates
        (their number).

        Raises UserError if pandas is not installed, and for a run without evidence.
        """
        from indexer.frames import frame

        self._require_rows()
        return frame(self._rows())

    def to_trec(self, tag: str = RUN_TAG) -> str:
        """The candidates as a run for trec_eval [TREC]: lines `query_id Q0 doc_id rank score tag`,
        best first.

        A query is the question's id (`EXAM/ID` in an exam), a candidate QUERY-ID, or QUERY-HASH of
        its text if it comes from the index, as `evaluation export` writes them. Scores are negated
        if the question asks for the false choice. Raises UserError for a run without evidence, and
        for a tag with blanks.
        """
        self._require_rows()
        if not tag or any(map(str.isspace, tag)):
            raise UserError(f"tag {tag!r}: a run's name has no blanks")
        # Ranks differ from run to run: the hash of the text names the same candidate in all runs.
        of_text = tasks()[self.task].ids_are_ranks
        lines: list[str] = []
        for row in self.questions:
            query_id = "_".join(
                (f"{row.exam}/{row.question_id}" if row.exam else row.question_id).split()
            )
            direction = -1.0 if row.asks == "F" else 1.0
            found: dict[str, float] = {}
            for one in row.candidates:
                names = map(text_id, one.text.split("\t")) if of_text else [one.id]
                for doc_id in (f"{query_id}-{name}" for name in names):
                    score = round_score(direction * one.score)
                    found[doc_id] = max(score, found.get(doc_id, score))
            lines += run_lines(query_id, sorted(found.items(), key=lambda item: -item[1]), tag)
        return "".join(lines)

    def _repr_html_(self) -> str:
        """The questions as a table, for notebooks."""
        return html_table(self._rows(), repr(self))

    def _rows(self) -> list[dict[str, object]]:
        """Column name → value of each question in the data frame of `to_frame`."""
        return [
            {name: getattr(one, name) for name in ("question_id", "shape", "question", "answer")}
            | {
                "score": max((each.score for each in one.candidates), default=None),
                "candidates": len(one.candidates),
            }
            for one in self.questions
        ]

    def _require_rows(self) -> None:
        if not self.questions:
            raise UserError("this run was answered without evidence: answer with evidence=True")

    def __repr__(self) -> str:
        held = f": {len(self.questions):,} questions" if self.questions else ", without evidence"
        return f"<Run {self.task} by {self.header.get('method')}{held}>"


class AnswerOptions(TypedDict, total=False):
    """The options of answering, named like the commands' long options; each task accepts some of
    them."""

    method: str
    model: FileName
    k: int
    choice_only: bool
    all_terms: bool
    linking: Literal["fuzzy", "exact"]
    top: int
    sysdesc: str
    language: str
    answers: Sequence[FileName]
    nuggets: FileName
    reports: FileName


def answer(
    task: str,
    *sources: object,
    index: AnyIndex | Sequence[Address] | None = None,
    evidence: bool = True,
    **options: Unpack[AnswerOptions],
) -> Run:
    """Answers a task's questions; returns the run with the evidence behind every answer.

    >>> answer("ntcir-mc", "exam.xml", index="textbook-en", method="slqal", k=3).answers["A1"]
    '2'

    `sources` are the command's arguments: paths of official files, or objects in their place
    (docs/python.md lists those of each task). `index` is an open index, an address, or several,
    which are searched as one; by default the task's own. `options` are the command's, by their long
    names: `method="slqal"`, `k=3`, `model="mine.json"`, `choice_only=True`. Without `evidence`
    answering is faster, and the run has the official files alone. Raises UserError for anything
    that the command refuses.
    """
    record = tasks()[validate_choice(task, tasks(), "task")]
    parameters, answering = load(record.command).parameters, load(record.answer)
    accepted = inspect.signature(answering).parameters
    # Rows go through the form of a trace, so that Python sees the numbers that a file would have.
    rows: list[dict[str, Any]] = []
    trace = Trace(rows.append if evidence else None)
    with (
        register_claims(),
        ExitStack() as stack,
    ):  # inputs are claimed: a model warns if it was trained on them
        inputs = inputs_of(task, parameters, sources)
        values = settings(task, options_of(parameters, accepted), options, also=["index"])
        if INDEX in accepted:
            opened = stack.enter_context(using_index(index)) if index is not None else None
            values[INDEX] = Asked(opened=opened)
        elif index is not None:
            raise UserError(f"{task} asks no index: leave it out")
        headers = stack.enter_context(headers_kept())
        submission = answering(*inputs, **values, trace=trace)
    tell(submission)
    files = {name: as_bytes(content) for name, content in submission.files}
    return Run(task, files, headers[-1] if headers else {}, list(map(decode, rows[1:])))


def options_of(parameters: Sequence[Parameter], accepted: Collection[str]) -> list[Parameter]:
    """The options that a function accepts, without those of which the command line alone makes the
    function's value."""
    return [one for one in parameters if one.flags and one.name in accepted and one.collect is None]


def inputs_of(
    task: str, parameters: Sequence[Parameter], sources: Sequence[object]
) -> list[object]:
    """The values of the command's arguments, in order, taken from `sources`: paths checked by the
    argument's type, other objects unchanged; a tuple for an argument that takes several.

    Raises UserError for too few or too many sources, None, numbers and bytes, and a path that
    cannot be read.
    """
    left = list(sources)
    inputs: list[object] = []
    arguments = [one for one in parameters if not one.flags]
    for one in arguments:
        # As click: an argument of several values takes all that are left.
        taken, left = (left, []) if one.multiple else (left[:1], left[1:])
        if one.required and not taken:
            raise UserError(f"{task}: {one.metavar} is missing")
        for place, source in enumerate(taken):
            if isinstance(source, os.PathLike | str):
                taken[place] = one.type(value=os.fspath(source), named=one.display_name)
            elif source is None or isinstance(source, Number | bytes):
                raise UserError(f"{one.display_name} is {source!r}: give a file, or questions")
        inputs.append(tuple(taken) if one.multiple else taken[0])
    if left:
        expected = " ".join(str(one.metavar) for one in arguments)
        raise UserError(f"{task} takes {expected}; {len(sources)} were given")
    return inputs
