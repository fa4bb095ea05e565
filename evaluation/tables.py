"""Prints rows of figures: an aligned table for people, tab-separated values or JSON lines for programs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

from indexer.cli.screen import columns as columns_of
from indexer.cli.screen import pad
from indexer.files.errors import visible
from indexer.parameters import option, word_choice

FORMATS = ("table", "tsv", "jsonl")
TREC_EVAL = "trec-eval"
NAMES = ("id", "query", "section", "topic")
"""Columns that name the question of a row."""

_FORMULA = re.compile(r"[=@]|[+-](?![\d.]+$)")  # +1 and -0.5 are numbers

Row = TypeVar("Row")
Rows = Sequence[Mapping[str, object]]


class Tables(NamedTuple):
    """The figures of a run, computed when called: over all questions, by group, and a row for each question.

    `trec_eval` gives the rows of that format, by question or over all, if they differ.
    """

    summary: Callable[[], Rows]
    by_question: Callable[[], Rows]
    trec_eval: Callable[[bool], Rows] | None = None


def whole_points(points: float) -> float | int:
    """Points as an int if they are a whole number, but for errors of rounding."""
    exact = round(points, 9)
    return int(exact) if exact == int(exact) else points


format_option = option(
    "--format", "format", type=partial(word_choice, FORMATS), default="table", help="Form of output [table]."
)
"""The option that every evaluation command has; its value goes to `print_rows`."""

measures_format_option = option(
    "--format",
    "format",
    type=partial(word_choice, [*FORMATS, TREC_EVAL]),
    default="table",
    help="Form of output; trec-eval: `measure id value` a line [table].",
)
"""The same where rows are measures: `trec-eval` too."""


def print_rows(rows: Rows, format: str) -> None:  # noqa: A002 (the option's own name)
    """Prints rows to stdout as `table`, `tsv` (both with a header line) or `jsonl`; without rows nothing is printed.

    For `trec-eval` see `trec_eval_lines`. Columns are in the order in which the rows first name them; a column that a
    row lacks is empty, as is None, which a table shows as –. A table shows two decimals if these are exact, else four;
    the other formats have full precision. Control characters are printed as their codes; in `tsv` a text that a
    spreadsheet would take for a formula begins with an apostrophe.
    """
    if not rows:
        return
    if format == TREC_EVAL:
        print("\n".join(trec_eval_lines(rows)))
        return
    if format == "jsonl":
        print("\n".join(json.dumps(dict(row), ensure_ascii=False) for row in rows))
        return
    if format == "table":
        print(align_columns(rows))
        return
    columns = dict.fromkeys(column for row in rows for column in row)
    print("\t".join(columns))
    for row in rows:
        cells = []
        for value in map(row.get, columns):
            cell = "" if value is None else visible(" ".join(str(value).split()))
            cells.append(f"'{cell}" if isinstance(value, str) and _FORMULA.match(cell) else cell)
        print("\t".join(cells))


def align_columns(rows: Rows) -> str:
    """The rows as a table with a header line, columns aligned; "" without rows."""
    columns = []
    for name in dict.fromkeys(column for row in rows for column in row):
        values = [row.get(name, "") for row in rows]
        # Points are mostly whole numbers, and 3.0000 reads badly.
        form = ".2f" if all(round(value, 2) == value for value in values if isinstance(value, float)) else ".4f"
        cells = [name]
        for value in values:
            text = format(value, form) if isinstance(value, float) else "–" if value is None else str(value)
            cells.append(visible(" ".join(text.split())))
        numeric = all(isinstance(row.get(name), int | float | None) for row in rows)
        width = max(map(columns_of, cells))
        columns.append([pad(cell, width, numeric) for cell in cells])
    return "\n".join("  ".join(line).rstrip() for line in zip(*columns, strict=True))


def trec_eval_lines(rows: Rows) -> Iterator[str]:
    """Yields `measure id value` for each number of each row in the format of [TREC]; blanks in names become `_`.

    The id is the row's question, after its exam if it has one, with `'` appended if it is repeated; `all` for a row of
    all questions. Rows of a part of the questions are left out.
    """
    seen: set[str] = set()
    for row in rows:
        if any(row.get(part, "all") != "all" for part in ("group", "essays")):
            continue
        named = next((str(row[name]) for name in NAMES if name in row), None)
        question = "all" if named is None else _join_words(f"{row['exam']}/{named}" if "exam" in row else named)
        # trec_eval keeps one value for an id: the last would replace the others.
        while named is not None and question in seen:
            question += "'"
        seen.add(question)
        numbers = {row["measure"]: row["value"]} if "measure" in row else row
        for measure, value in numbers.items():
            if isinstance(value, int | float) and measure not in NAMES:
                shown = f"{value:.4f}" if isinstance(value, float) else str(value)
                yield f"{_join_words(measure):<22}\t{question}\t{shown}"


def _join_words(name: object) -> str:
    return "_".join(visible(str(name)).split())
