"""Time and peak memory of indexing archives of growing size.

    python benchmarks/datasets_archive.py FOLDER --files 2000 --files 8000

Writes for each size two .tar.bz2 archives of csv files (three of four small, one in four of a
thousand rows) and a collection of them, and indexes these in a process of its own. Memory is the
process's own, without mapped files.
"""

from __future__ import annotations

import bz2
import io
import json
import random
import sys
import tarfile
from pathlib import Path

import click
from kb_build import measured

from indexer.cli.program import run_program

REGIONS = ("North", "South", "East", "West", "Coast", "Hills", "Lakes", "Plains")


def csv_file(draw: random.Random, rows: int) -> bytes:
    """A table of figures by region and year."""
    lines = ["Region,Year,Households,Income,Expenditure,Share (%)"]
    for _ in range(rows):
        figures = f'"{draw.randrange(10**6):,}",{draw.randrange(10**5)},{draw.randrange(10**5)},{draw.random() * 100:.1f}'
        lines.append(
            f"{draw.choice(REGIONS)} {draw.randrange(900)},{draw.randrange(1950, 2022)},{figures}"
        )
    return "\r\n".join(lines).encode()


def write_collection(folder: Path, count: int) -> tuple[list[str], int]:
    """A collection of `count` datasets and its two archives: their paths, and the bytes of all
    files unpacked."""
    draw, size = random.Random(count), 0
    names = [f"{number:064x}-table{number}.csv" for number in range(count)]
    lines = [
        json.dumps(
            {"id": f"d{number}", "title": f"Regions {number}", "data": [{"data_filename": name}]}
        )
        for number, name in enumerate(names)
    ]
    paths = [
        folder / f"{count}.jsonl.bz2",
        folder / f"{count}-a.tar.bz2",
        folder / f"{count}-b.tar.bz2",
    ]
    paths[0].write_bytes(bz2.compress("\n".join(lines).encode()))
    for path, part in zip(paths[1:], (names[: count // 2], names[count // 2 :]), strict=True):
        with tarfile.open(path, "w:bz2", compresslevel=1) as archive:
            for name in part:
                data = csv_file(draw, 1_000 if draw.random() < 0.25 else 30)
                info = tarfile.TarInfo(name)
                info.size = len(data)
                size += len(data)
                archive.addfile(info, io.BytesIO(data))
    return [str(path) for path in paths], size


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--files",
    "counts",
    type=int,
    multiple=True,
    default=(2_000, 8_000),
    help="Files of a collection.",
)
def main(folder: Path, counts: tuple[int, ...]) -> None:
    """Print a JSON line for each size."""
    folder.mkdir(parents=True, exist_ok=True)
    for count in counts:
        files, size = write_collection(folder, count)
        command = [sys.executable, "-m", "indexer", "datasets", *files, "--index"]
        whole = measured([*command, str(folder / f"{count}-index")])
        row = {
            "files": count,
            "MB unpacked": round(size / 1e6),
            "seconds": round(whole.clock, 1),
            "own MB": round(whole.own_memory),
        }
        click.echo(json.dumps(row))


if __name__ == "__main__":
    run_program(main, "python benchmarks/datasets_archive.py")
