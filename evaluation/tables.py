"""Figures as rows: printed as an aligned table for people, tab-separated values or JSON lines for
programs; from Python with a table and a data frame."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from indexer.cli.screen import columns as columns_of
from indexer.cli.screen import pad
from indexer.files.errors import UserError, visible

FORMATS = ("table", "tsv", "jsonl")

_FORMULA = re.compile(r"[=@]|[+-](?![\d.]+$)")  # +1 and -0.5 are numbers

ALL = "all"  # the group of the total

Rows = Sequence[Mapping[str, object]]


def whole_points(points: float) -> float | int:
    """Points as an int if they are a whole number when rounded to 9 decimals, else unchanged."""
    exact = round(points, 9)
    return int(exact) if exact == int(exact) else points


def print_rows(rows: Rows, form: str) -> None:
    """Prints rows to stdout as `table`, `tsv` (both with a header line) or `jsonl`; without rows
    nothing is printed.

    In `table` and `tsv` columns are in the order in which the rows first name them; a column that a
    row lacks is empty, as is None, which a table shows as –; control characters are printed as
    their codes and white space runs as one blank. A table shows two decimals if these are exact in
    the whole column, else four; the other formats have full precision. In `tsv` a text that a
    spreadsheet would take for a formula begins with an apostrophe. In `jsonl` every row is as it
    is, None as null.
    """
    if not rows:
        return
    if form == "jsonl":
        print("\n".join(json.dumps(dict(row), ensure_ascii=False) for row in rows))
    elif form == "tsv":
        print("\n".join(_tab_separated(rows)))
    else:
        print(align_columns(rows))


def _tab_separated(rows: Rows) -> Iterator[str]:
    """Yields the lines of `tsv`: the header, then each row."""
    columns = dict.fromkeys(column for row in rows for column in row)
    yield "\t".join(columns)
    for row in rows:
        cells = []
        for value in map(row.get, columns):
            cell = "" if value is None else visible(" ".join(str(value).split()))
            cells.append(f"'{cell}" if isinstance(value, str) and _FORMULA.match(cell) else cell)
        yield "\t".join(cells)


def rows_of_groups(
    rows: Sequence[tuple[str, Mapping[str, object]]], groups: Sequence[str], form: str
) -> list[Mapping[str, object]]:
    """Of rows with the name of their group, those of the total (`all`) and of the `groups` asked
    for. Without `groups` a table has the total alone, other forms have all rows. Case and the
    kind of signs and blanks in a name do not matter. Raises UserError for a group that no row is
    of, and for `all`."""
    names = list(dict.fromkeys(name for name, _ in rows if name != ALL))
    if not groups and form == "table":
        return [row for name, row in rows if name == ALL]
    keys = {_group_key(name): name for name in names}
    for group in groups:
        if _group_key(group) not in keys:
            raise UserError(f"--by {group}: no such group; there are {', '.join(keys) or 'none'}")
    chosen = {keys[_group_key(group)] for group in groups} or set(names)
    return [row for name, row in rows if name == ALL or name in chosen]


def _group_key(name: str) -> str:
    """A group's name as `--by` takes it: `asks-for`, `answer-knowledge-type`."""
    return "-".join(re.findall(r"\w+", name.lower().replace("_", " ")))


def align_columns(rows: Rows) -> str:
    """The rows as a table with a header line, columns aligned, those of numbers to the right; ""
    without rows. None is –, a lacking cell blank; floats have two decimals if all of the column's
    are exact so, else four."""
    columns = []
    for name in dict.fromkeys(column for row in rows for column in row):
        values = [row.get(name, "") for row in rows]
        # Points are mostly whole numbers, and 3.0000 reads badly.
        form = (
            ".2f"
            if all(round(value, 2) == value for value in values if isinstance(value, float))
            else ".4f"
        )
        cells = [name]
        for value in values:
            text = "–" if value is None else str(value)
            if isinstance(value, float):
                text = format(value, form)
            cells.append(visible(" ".join(text.split())))
        numeric = all(isinstance(row.get(name), int | float | None) for row in rows)
        width = max(map(columns_of, cells))
        columns.append([pad(cell, width, numeric) for cell in cells])
    return "\n".join("  ".join(line).rstrip() for line in zip(*columns, strict=True))
