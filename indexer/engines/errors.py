"""Errors of an index on a server that may pass, or that opening it once more mends."""

from __future__ import annotations

from indexer.files.errors import UserError


class IndexGone(UserError):  # noqa: N818 - what it says, not how it is raised
    """The open index no longer exists: it was deleted, or replaced by one that may be opened in its
    place."""


class TransientError(UserError):
    """A server that is away, starting, full or busy: the same request may succeed a little
    later."""
