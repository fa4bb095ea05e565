"""The tasks whose files a server answers: their methods, and recognition of a file's task."""

from __future__ import annotations

from collections.abc import Sequence

from answerer.registry import first_task, tasks
from answerer.task import Beginning, Task, load
from indexer.files.errors import UserError
from indexer.parameters import OneOf


def methods_of(task: Task) -> tuple[str, ...]:
    """The choices of the task's `--method`; empty for a task without that option."""
    kinds = [one.type for one in load(task.command).parameters if "--method" in one.flags]
    return tuple(name for kind in kinds if isinstance(kind, OneOf) for name in kind.choices)


def task_of(texts: Sequence[str]) -> Task:
    """Returns the task of one file or of several together, by how they begin.

    Raises UserError if no task recognises them.
    An answer sheet is taken for one that mixes terms and essays; passages with a sheet are summarized; of several
    sheets the first is the gold that the others are judged by.
    """
    files = [Beginning.of(text) for text in texts]
    if len(files) > 1:
        task = first_task(lambda task: task.several is not None and task.several.recognises(files))
        together = " or ".join(task.name for task in tasks().values() if task.several)
        missing = f"the files do not say which task they are of together: name {together}, or give one at a time"
    else:
        task = first_task(lambda task: task.recognises(files[0])) if "\0" not in texts[0] else None
        missing = f"the file does not say which task it is of: name one of {', '.join(tasks())}"
    if task is None:
        raise UserError(missing)
    return task
