"""The result of training before it is written: the model and its measured figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from retriever.learning.model import Model


RANKING = "ranking"  # the key of a row that names the way of ranking


class Learned(NamedTuple):
    """A model with its figures inside.

    `rows` has a row for each way that was measured beside it, the model's own first, or is empty where the model's
    figures say all; `ways` says what those figures are of. `how` is what the report says first.
    """

    model: Model
    rows: Sequence[Mapping[str, Any]] = ()
    ways: str = "listwise, cross-validated"
    how: str = ""

    @property
    def report(self) -> str:
        """The text that the command prints: how it was measured, and a table of figures with a row for each way."""
        rows = self.rows or [{RANKING: self.ways, **self.model.figures}]
        return "\n".join([*([self.how] if self.how else []), *_table(rows)])


def _table(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yields the lines of an aligned table; the columns are those of the first row, floats have 4 decimals."""
    names = [name for name in rows[0] if name != RANKING]
    lines = [["", *names]]
    for row in rows:
        cells = [f"{row[name]:.4f}" if isinstance(row[name], float) else str(row[name]) for name in names]
        lines.append([str(row[RANKING]), *cells])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for ranking, *cells in lines:
        yield "  ".join([ranking.ljust(widths[0]), *map(str.rjust, cells, widths[1:])])
