"""The result of answering a task: its official files, kept in memory until they are written,
warnings and notes."""

from __future__ import annotations

from typing import NamedTuple

from indexer.files.messages import info, warn


class Submission(NamedTuple):
    """The files of a run (name and content; the name is "" where a task writes one file), and
    warnings and notes."""

    files: tuple[tuple[str, str | bytes], ...]
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def one_file(
    content: str | bytes, warnings: tuple[str, ...] = (), notes: tuple[str, ...] = ()
) -> Submission:
    """The submission of a task that writes one file."""
    return Submission((("", content),), warnings, notes)


def ending(content: str | bytes) -> str:
    """The extension of a multiple-choice submission: .xml for an answer table, .tsv for other
    text."""
    return ".xml" if content[:1] in ("<", b"<") else ".tsv"


def tell(submission: Submission) -> None:
    """Logs the warnings and notes of a submission; to be called after all its files are written."""
    for warning in submission.warnings:
        warn(warning)
    for note in submission.notes:
        info(note)
