"""Refusals by what stays when the wording changes: the error's class, and the file and line it
names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from indexer.files.errors import UserError


def names(message: str, file: object, line: int | None = None) -> bool:
    """Whether a message begins with `FILE:LINE: `, or without a line with `FILE: `; a file may be
    given by its name."""
    place = f"{file}:{line}: " if line else f"{file}: "
    head = message.removeprefix("error: ")
    return head.startswith(place) or f"/{place}" in head.partition(": ")[0] + ": "


@contextmanager
def raises_at(file: object, line: int | None = None) -> Iterator[pytest.ExceptionInfo[UserError]]:
    """Expect a UserError that names this file, and this line of it."""
    with pytest.raises(UserError) as error:
        yield error
    assert names(str(error.value), file, line), str(error.value)
