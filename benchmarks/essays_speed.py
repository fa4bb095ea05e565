"""The time of a sheet of long essays and of a thousand answers judged, beside a Python that only
starts.

    python benchmarks/essays_speed.py essay-en.gold.xml indexes/textbook-en --sections 20 --repeat 3

One run, in turns, medians: `answerer ntcir-essay` on the first sections of the sheet (process start
included), and `answerer ntcir-evaluation-method` on so many copies of the gold sheet that its
sections make a thousand answers.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import click

from evaluation.tables import print_rows
from indexer.cli.program import run_program

BARE = "import click, tantivy"
ANSWERS = 1000
_SECTION = re.compile(r"<answer_section\b.*?</answer_section>", re.DOTALL)


def sheet_of(text: str, sections: int) -> str:
    """A sheet of the first sections of another."""
    return f'<answer_sheet ver="0.1">{"".join(_SECTION.findall(text)[:sections])}</answer_sheet>'


def judged_command(gold: Path, folder: Path) -> list[str]:
    """A run of the evaluation method over `ANSWERS` answers: copies of the gold sheet under other
    names."""
    text = gold.read_text("utf-8")
    copies = -(-ANSWERS // len(_SECTION.findall(text)))
    files = []
    for number in range(copies):
        files.append(folder / f"run{number}.xml")
        files[-1].write_text(text, "utf-8")
    named = ["--answers", *map(str, files)]
    return ["-m", "answerer", "ntcir-evaluation-method", str(gold), *named, "-o", os.devnull]


def timed(command: Sequence[str]) -> tuple[float, float]:
    """Seconds on the clock and of the processor."""
    before = os.times()
    start = time.perf_counter()
    subprocess.run([sys.executable, *command], check=True, stderr=subprocess.DEVNULL)
    wall = time.perf_counter() - start
    after = os.times()
    return (
        wall,
        after.children_user + after.children_system - before.children_user - before.children_system,
    )


@click.command()
@click.argument("gold", type=click.Path(exists=True, path_type=Path))
@click.argument("address")
@click.option("--sections", default=20, help="Essays of the sheet [20].")
@click.option("--repeat", default=3, help="Turns [3].")
def main(gold: Path, address: str, sections: int, repeat: int) -> None:
    """Medians of the turns, and each as a multiple of a Python that only starts."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "sheet.xml").write_text(sheet_of(gold.read_text("utf-8"), sections), "utf-8")
        essay = [
            "-m",
            "answerer",
            "ntcir-essay",
            str(folder / "sheet.xml"),
            "--index",
            address,
            "-o",
            os.devnull,
        ]
        commands = {
            "python that only starts": ["-c", BARE],
            f"answerer ntcir-essay, {sections} sections": essay,
            "the same, --method keywords-first": [*essay, "--method", "keywords-first"],
            f"answerer ntcir-evaluation-method, {ANSWERS} answers": judged_command(gold, folder),
        }
        times: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
        for _ in range(repeat):
            for name, command in commands.items():
                times[name].append(timed(command))
    walls = {name: statistics.median(wall for wall, _ in found) for name, found in times.items()}
    first = next(iter(walls.values()))
    print_rows(
        [
            {
                "what": name,
                "wall_s": wall,
                "cpu_s": statistics.median(cpu for _, cpu in times[name]),
                "ratio": wall / first,
            }
            for name, wall in walls.items()
        ],
        "table",
    )


if __name__ == "__main__":
    run_program(main, "python benchmarks/essays_speed.py")
