"""One knowledge base in both engines, the same questions answered from each: times, and whether the
bytes are equal.

python -m tests.server &                     # prints its URL python benchmarks/kb_engines.py
million.kb million.kb.exact million.kb.misspelt --server http://localhost:9200
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

from indexer.cli.program import run_program


def timed(*command: str) -> float:
    """The seconds that one of the programs takes."""
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-m", *command], check=True, stderr=subprocess.DEVNULL)
    return round(time.perf_counter() - begun, 1)


@click.command()
@click.argument("kb")
@click.argument("questions", nargs=-1, required=True)
@click.option(
    "--server",
    required=True,
    help="The URL of an Elasticsearch; its index benchmark-kb is replaced.",
)
def main(kb: str, questions: tuple[str, ...], server: str) -> None:
    """Print a JSON line for the builds and one for each question file."""
    with tempfile.TemporaryDirectory() as folder:
        addresses = {
            "embedded": f"{folder}/index",
            "elasticsearch": f"{server.rstrip('/')}/benchmark-kb",
        }
        builds = {
            name: timed("indexer", "triples", kb, "--index", address)
            for name, address in addresses.items()
        }
        click.echo(json.dumps({"build seconds": builds}))
        for file in questions:
            out = {name: Path(folder) / name.upper() for name in addresses}
            seconds = {
                name: timed(
                    "answerer",
                    "nlpcc-kbqa",
                    file,
                    "--index",
                    address,
                    "--top",
                    "5",
                    "-o",
                    str(out[name]),
                )
                for name, address in addresses.items()
            }
            equal = out["embedded"].read_bytes() == out["elasticsearch"].read_bytes()
            click.echo(
                json.dumps(
                    {"file": file, "seconds": seconds, "equal bytes": equal}, ensure_ascii=False
                )
            )


if __name__ == "__main__":
    run_program(main, "python benchmarks/kb_engines.py")
