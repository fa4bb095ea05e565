"""Limits of a server for all its clients together: sizes, times, and how much is under way at once."""

from __future__ import annotations

from typing import NamedTuple

KIB = 1024  # bytes
MIB = 1024 * KIB


class ServerLimits(NamedTuple):
    """`jobs` processes answer; of these one is kept for questions, so that files do not hold them up.

    `waiting` requests may wait for a process, and `large` bodies over `small_body` bytes be in memory, before more are
    sent away. Bodies are at most `body` bytes and come within `body_seconds` and the time that `body_rate` bytes a
    second give; requests come within `idle_seconds` of a connection or of the answer before. A question may take
    `question_seconds` of work, a file `file_seconds`; waiting does not count. Uploaded textbooks become indexes until
    there are `indexes` of them.
    """

    jobs: int = 2
    waiting: int = 64
    large: int = 4
    small_body: int = 64 * KIB
    body: int = 32 * MIB
    body_seconds: float = 5.0
    body_rate: int = 256 * KIB
    idle_seconds: float = 10.0
    question_seconds: float = 60.0
    file_seconds: float = 900.0
    connections: int = 256
    indexes: int = 50
