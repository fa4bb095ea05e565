"""How long a term sheet takes: `python benchmarks/term_speed.py SHEET.xml INDEX`.

Prints the time of `ntcir-term` for the whole sheet, process start included, and its ratio to
answering one section alone (what starting, opening the index and learning the glossary's kinds
cost).
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

from indexer.cli.program import run_program

_SECTION = re.compile(r"<answer_section .*?</answer_section>", re.DOTALL)
_REPEATS = 3


def timed(sheet: Path, index: str) -> float:
    """The best of three runs, in seconds."""
    command = [sys.executable, "-m", "answerer", "ntcir-term", str(sheet), "--index", index]
    times = []
    for _ in range(_REPEATS):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return min(times)


@click.command()
@click.argument("sheet", type=click.Path(exists=True, path_type=Path))
@click.argument("index")
@click.option(
    "--sections",
    type=click.IntRange(1),
    default=20,
    help="Sections of the sheet that are answered [20].",
)
def main(sheet: Path, index: str, sections: int) -> None:
    """Time a sheet's first sections against its first section alone."""
    text = sheet.read_text("utf-8")
    found = _SECTION.findall(text)[:sections]
    with tempfile.TemporaryDirectory() as folder:
        seconds = []
        for number in (1, len(found)):
            path = Path(folder) / f"{number}.xml"
            path.write_text(
                text[: text.index(found[0])] + "".join(found[:number]) + "</answer_sheet>", "utf-8"
            )
            seconds.append(timed(path, index))
    one, whole = seconds
    click.echo(
        f"1 section {one:.2f} s; {len(found)} sections {whole:.2f} s = {whole / one:.2f} times one"
    )


if __name__ == "__main__":
    run_program(main, "python benchmarks/term_speed.py")
