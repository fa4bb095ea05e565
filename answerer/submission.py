"""What a task answers: its official files, held until they are written, and what is to be said of them then."""

from __future__ import annotations

from typing import NamedTuple

from indexer.files.atomic import write_all
from indexer.files.messages import info, warn


class Submission(NamedTuple):
    """The files of a run (name and content; the name is "" where a task writes one file), and warnings and notes."""

    files: tuple[tuple[str, str | bytes], ...]
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def one_file(content: str | bytes, warnings: tuple[str, ...] = (), notes: tuple[str, ...] = ()) -> Submission:
    """The submission of a task that writes one file."""
    return Submission((("", content),), warnings, notes)


def ending(content: str | bytes) -> str:
    """What the name of a submission file of multiple choice ends in: .xml for an answer table, .tsv for other text."""
    return ".xml" if content[:1] in ("<", b"<") else ".tsv"


def hand_in(submission: Submission, output: str) -> None:
    """Write a submission of one file."""
    write_all((output, content) for _, content in submission.files)


def tell(submission: Submission) -> None:
    """Say what is to be said of a submission, once all that belongs to it is written."""
    for warning in submission.warnings:
        warn(warning)
    for note in submission.notes:
        info(note)
