"""A balanced control for TBQA: each question's gold table among gold tables of other questions,
used equally often.

A proxy whose negatives repeat can be answered without reading the question; here no table is more
often wrong than another, so that a ranker must compare. Prints the new file's size to stderr.

Example: python benchmarks/balanced_tables.py train.tbqa -o balanced.tbqa --negatives 9 --seed 0
"""

from __future__ import annotations

import random
from pathlib import Path

import click

from indexer.cli.program import run_program
from indexer.formats.table_rows import TableRow, read_table_rows


def gold_tables(path: str | Path) -> list[TableRow]:
    """The first right table of each question."""
    found: dict[str, TableRow] = {}
    for row in read_table_rows(path):
        if row.label and float(row.label) > 0:
            found.setdefault(row.question, row)
    return list(found.values())


def negatives(tables: list[str], count: int, draw: random.Random) -> list[list[str]]:
    """For each question `count` tables other than its own, drawn so that all are used about equally
    often."""
    distinct = sorted(set(tables))
    used = dict.fromkeys(distinct, 0)
    chosen = []
    for own in tables:
        order = sorted(
            (table for table in distinct if table != own),
            key=lambda table: (used[table], draw.random()),
        )
        picked = order[:count]
        for table in picked:
            used[table] += 1
        chosen.append(picked)
    return chosen


@click.command(help=__doc__)
@click.argument("source", type=click.Path(exists=True))
@click.option(
    "-o", "output", required=True, type=click.Path(path_type=Path), help="Where the control goes."
)
@click.option("--negatives", "count", default=9, help="Wrong tables a question.")
@click.option("--seed", default=0, help="Of the order.")
def main(source: str, output: Path, count: int, seed: int) -> None:
    write_control(source, output, count, seed)


def write_control(source: str | Path, output: Path, count: int = 9, seed: int = 0) -> None:
    """Write the control of a file."""
    rows = gold_tables(source)
    tables = ["\t".join((row.caption, row.attributes, row.cells)) for row in rows]
    draw = random.Random(seed)
    output.parent.mkdir(parents=True, exist_ok=True)
    with output.open("w", encoding="utf-8", newline="\n") as file:
        for row, own, others in zip(rows, tables, negatives(tables, count, draw), strict=True):
            lines = [
                f"1\t{row.question}\t{own}",
                *(f"0\t{row.question}\t{other}" for other in others),
            ]
            draw.shuffle(lines)
            file.write("".join(f"{line}\n" for line in lines))
    click.echo(f"{len(rows)} questions, {len(set(tables))} tables", err=True)


if __name__ == "__main__":
    run_program(main, "python benchmarks/balanced_tables.py")
