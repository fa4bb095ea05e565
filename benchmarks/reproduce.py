"""The published collections, indexed, ranked and scored by the commands that a user gives, one
configuration file a collection (`benchmarks/collections/*.toml`): `make reproduce`.

Data are read from `$QA_DATA`. Writes `docs/reproduction.md`; ends with status 1 where a figure
differs from the expected one by more than the tolerance, or, with `ELASTICSEARCH_URL`, where the
two engines' runs differ by a byte.
"""

from __future__ import annotations

import csv
import json
import os
import shlex
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import click
from packs import pack

from indexer.cli.program import run_program

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "reproduction.md"
TOLERANCE = 0.0005  # figures are printed with four digits
MEASURES = ("AP", "nDCG@10", "R@100", "RR@10", "R@10")


def python(*words: str, **environment: str) -> str:
    """The output of `python -m` with these words."""
    variables = {name: value for name, value in os.environ.items() if "ELASTICSEARCH" not in name}
    command = [sys.executable, "-m", *words]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=variables | environment
    )
    if done.returncode:
        sys.exit(f"{shlex.join(command)}: {done.stderr}")
    return done.stdout


def query_topics(path: Path, folder: Path) -> Path:
    """The topics file; one of questions with answers loses its third column."""
    if path.suffix != ".tsv":
        return path
    rows = list(csv.reader(path.open(encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE))
    plain = folder / "topics.tsv"
    plain.write_text("".join(f"{row[0]}\t{row[1]}\n" for row in rows), encoding="utf-8")
    return plain


def rows_of(settings: dict[str, Any], data: Path, folder: Path) -> list[str]:
    """The rows of a collection's table; prints what differs from what is expected."""
    rows = []
    addresses = [f"{folder}/index"]
    if server := os.environ.get("ELASTICSEARCH_URL"):
        addresses.append(f"{server}/reproduce-{folder.name.lower()}")
    for address in addresses:
        python("indexer", "collection", str(data / settings["documents"]), "--index", address)
    topics = query_topics(data / settings["topics"], folder)
    for run in settings["runs"]:
        options = [*shlex.split(settings.get("topic_options", "")), *shlex.split(run["options"])]
        runs = [
            python("retriever", address, "--topics", str(topics), *options) for address in addresses
        ]
        same = len(set(runs)) == 1
        path = folder / "run"
        path.write_text(runs[0], encoding="utf-8")
        measures = ("-m", " ".join(MEASURES), "--format", "jsonl")
        qrels = str(data / settings["qrels"])
        scores = json.loads(python("evaluation", "trec", qrels, str(path), *measures))
        wrong = [m for m, v in run["expected"].items() if abs(scores[m] - v) > TOLERANCE]
        if wrong or not same:
            print(f"{settings['name']} {run['options']}: not as expected: {wrong}, {same}")
            FAILED.append(settings["name"])
        cells = " | ".join(f"{scores[measure]:.4f}" for measure in MEASURES)
        what = f"`{' '.join(options)}`" if options else ""
        rows.append(f"| {settings['name']} | {what} | {cells} | {settings['published']} |")
    for address in addresses[1:]:
        python("indexer", "remove", address)
    return rows


FAILED: list[str] = []


@click.command()
def main() -> None:
    """Index, rank and score the collections of $QA_DATA, and write docs/reproduction.md."""
    data = pack()
    lines = [
        "# Collections reproduced",
        "",
        "Made by `make reproduce` from one configuration file a collection (`benchmarks/collections`), which names documents, topics,",
        "qrels and the figures expected. BM25 with k1 1.2, b 0.75 unless the options say otherwise. Published figures are those of the",
        "named programs' own pages, with their analysis; nothing here was tuned.",
        "",
        f"| collection | options | {' | '.join(MEASURES)} | published |",
        f"|---|---|{'---|' * len(MEASURES)}---|",
    ]
    for path in sorted((HERE / "collections").glob("*.toml")):
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as folder:
            lines += rows_of(settings, data, Path(folder))
        print(path.stem, flush=True)
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    sys.exit(1 if FAILED else 0)


if __name__ == "__main__":
    run_program(main, "python benchmarks/reproduce.py")
