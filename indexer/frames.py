"""Rows of figures or answers as a table of pandas, where pandas is installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from indexer.files.errors import UserError

if TYPE_CHECKING:
    import pandas


def frame(rows: Sequence[Mapping[str, object]], columns: Sequence[str] = ()) -> pandas.DataFrame:
    """A DataFrame of the rows, with the `columns` first, also without rows, others as they first
    appear. Raises UserError if pandas is not installed."""
    try:
        import pandas
    except ImportError:
        raise UserError(
            "to_frame needs pandas, which is not installed: pip install pandas"
        ) from None
    names = dict.fromkeys((*columns, *(name for row in rows for name in row)))
    return pandas.DataFrame(list(map(dict, rows)), columns=list(names))


def html_table(rows: Sequence[Mapping[str, object]], caption: str) -> str:
    """HTML table of the first 20 rows, for notebooks (`_repr_html_`): columns in order of first
    appearance in all rows, floats with 4 significant digits, None and absent keys empty, texts
    escaped. The caption has the number of rows if there are more."""

    def cell(value: object) -> str:
        if value is None:
            return ""
        return escape(f"{value:.4g}" if isinstance(value, float) else str(value))

    columns = list(dict.fromkeys(name for row in rows for name in row))
    shown = [[cell(row.get(name)) for name in columns] for row in rows[:20]]
    more = f" (the first 20 of {len(rows):,})" if len(rows) > 20 else ""
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join(f"<tr>{''.join(f'<td>{text}</td>' for text in row)}</tr>" for row in shown)
    above = f"<caption>{escape(caption)}{more}</caption><thead><tr>{head}</tr></thead>"
    return f"<table>{above}<tbody>{body}</tbody></table>"
