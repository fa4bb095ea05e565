"""`python -m tests.fuzz.run --count 200000`: changed inputs for every reader and every command,
what fails named.

A finding is seen again with `--only TARGET --number N`.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

import click

from indexer.cli.program import run_program
from tests.fuzz.corpus import make_corpus
from tests.fuzz.pieces import fuzz, shared_out


@click.command()
@click.option("--count", default=200_000, help="Inputs.")
@click.option("--seed", default=0, help="Another seed makes other inputs.")
@click.option("--only", default="", help="Only targets that hold this text.")
@click.option("--number", type=int, help="Only the input of this number.")
def main(count: int, seed: int, only: str, number: int | None) -> None:
    """Fuzz every reader and every command; exit status 1 where something is found."""
    targets = shared_out(count, only)
    if number is not None:
        targets = dict.fromkeys(targets, 1)
    found = Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        make_corpus(Path(folder) / "corpus")
        for one in fuzz(Path(folder) / "corpus", targets, seed, number or 0):
            found[one.target] += 1
            print(f"== {one.target} --number {one.number} --seed {seed}\n{one.what}", flush=True)
    print(
        f"{sum(targets.values()):,} inputs of {len(targets)} targets: {found.total():,} findings "
        f"{dict(found)}"
    )
    raise SystemExit(bool(found))


if __name__ == "__main__":
    run_program(main, "python -m tests.fuzz.run")
