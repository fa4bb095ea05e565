"""The result of training before it is written: the model and its measured figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from retriever.learning.model import Model


RANKING = "ranking"  # the key of a row that names the way of ranking


class Learned(NamedTuple):
    """A trained model, with its measured figures inside, and what the training report prints.

    `rows` has column name → figure for each ranking that was measured, the model's own first; empty if the model's
    figures suffice, and `ways` then names the ranking that these are of. `how` opens the report (folds, seed).
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
    """Yields the lines of a text table, columns aligned: a header from the keys of the first row, then a line a row,
    led by its `RANKING`; floats have 4 decimals."""
    names = [name for name in rows[0] if name != RANKING]
    lines = [["", *names]]
    for row in rows:
        cells = [f"{row[name]:.4f}" if isinstance(row[name], float) else str(row[name]) for name in names]
        lines.append([str(row[RANKING]), *cells])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for ranking, *cells in lines:
        yield "  ".join([ranking.ljust(widths[0]), *map(str.rjust, cells, widths[1:])])
