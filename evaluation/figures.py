"""Official figures of a run or of several, as Python has them: rows, a table, a data frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaluation.tables import align_columns
from indexer.files.messages import counted
from indexer.frames import html_table

if TYPE_CHECKING:
    import pandas

Row = Mapping[str, object]


@dataclass(frozen=True, repr=False)
class Figures:
    """Official figures: `rows` are those of all questions, by group; `by_question` has a row for
    each question.

    `str` gives the table that the command prints with --by of every group.
    """

    task: str
    rows: Sequence[Row]
    by_question: Sequence[Row] = ()

    def to_frame(self, by_question: bool = False) -> pandas.DataFrame:
        """The rows, or those by question, as a data frame of pandas. Raises UserError if pandas is
        not installed."""
        from indexer.frames import frame

        return frame(self.by_question if by_question else self.rows)

    def __str__(self) -> str:
        return align_columns(self.rows)

    def _repr_html_(self) -> str:
        """The rows as a table, for notebooks."""
        return html_table(self.rows, self.task)

    def __repr__(self) -> str:
        questions = f", {counted(len(self.by_question), 'questions')}" if self.by_question else ""
        return f"<Figures {self.task}: {counted(len(self.rows), 'rows')}{questions}>"
