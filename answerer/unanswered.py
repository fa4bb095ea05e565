"""The rule on a run whose questions found nothing to be answered from: of more than half of them
it is a mistake of the command line, not a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from indexer.files.errors import UserError

# A collection that fits its questions answers most of them; the rest may well be beyond it.
MOST = 0.5
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
    if unanswered is None or len(unanswered.ids) <= MOST * unanswered.asked:
        return
    lacking, more = unanswered.ids, len(unanswered.ids) - _SHOWN
    shown = ", ".join(lacking[:_SHOWN]) + (f" and {more:,} more" if more > 0 else "")
    raise UserError(
        f"{', '.join(sources) or 'the questions'}: {unanswered.searched} has nothing on "
        f"{len(lacking):,} of {unanswered.asked:,} questions ({shown}): is it the right one for "
        f"them? --allow-unanswered writes the run all the same"
    )
