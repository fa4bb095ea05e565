"""Whole-process time and memory of ranking sentences, beside the usual script over rank-bm25, as
ratios in one run.

Made-up questions and sentences (Zipf-distributed words), so that any size can be had. Each program
runs several times and its cheapest run is taken; ratios are of processor time; the last rows show
what ten times the pairs cost.

Example: python benchmarks/ranking_speed.py --pairs 19500
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

from indexer.cli.program import run_program

ROOT = Path(__file__).resolve().parents[1]

USUAL = """
import json, sys
from rank_bm25 import BM25Okapi
with open(sys.argv[1]) as source, open(sys.argv[2], "w") as out:
    for line in source:
        row = json.loads(line)
        ranker = BM25Okapi([sentence.lower().split() for sentence in row["sentences"]])
        row["results"] = list(map(float, ranker.get_scores(row["question"].lower().split())))
        out.write(json.dumps(row) + "\\n")
"""


def made_up(path: Path, pairs: int, draw: random.Random) -> None:
    """SelQA lines with so many pairs in all, twelve a question, 24 words a sentence."""
    words = [
        "".join(draw.choices("abcdefghilmnoprstu", k=draw.randint(2, 9))) for _ in range(20_000)
    ]
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    with path.open("w") as file:
        for _ in range(0, pairs, 12):
            sentences = [
                " ".join(draw.choices(words, weights, k=24)).capitalize() + "." for _ in range(12)
            ]
            gold = draw.randrange(12)
            question = "What " + " ".join(draw.sample(sentences[gold][:-1].split(), 7)) + "?"
            row = {
                "question": question,
                "sentences": sentences,
                "candidates": [gold],
                "article": question[:9],
            }
            file.write(json.dumps(row) + "\n")


def best_of(command: list[str], times: int) -> tuple[float, float, float]:
    """Processor seconds, seconds and megabytes of the cheapest of several runs."""
    found = []
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    for _ in range(times):
        begun = time.perf_counter()
        process = subprocess.Popen(command, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        assert status == 0, command
        spent = usage.ru_utime + usage.ru_stime
        found.append((spent, time.perf_counter() - begun, usage.ru_maxrss / 1024))
    return min(found)


@click.command(help=__doc__)
@click.option("--pairs", default=19_500, help="Questions with sentences, a pair each.")
@click.option("--seed", default=0, help="Of the words.")
@click.option("--times", default=3, help="Runs of each program, the cheapest of which counts.")
def main(pairs: int, seed: int, times: int) -> None:
    draw = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        small, large, train, model, out = (
            Path(folder) / name for name in ("s", "l", "t", "m", "o")
        )
        made_up(small, pairs, draw)
        made_up(large, pairs * 10, draw)
        made_up(train, 2_400, draw)
        ours = [sys.executable, "-m", "answerer", "selqa"]
        subprocess.run(
            [
                sys.executable,
                "-m",
                "answerer",
                "train",
                "selqa",
                str(train),
                "-o",
                str(model),
                "--folds",
                "2",
            ],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
            check=True,
        )
        rows = {
            "usual script, rank-bm25": best_of(
                [sys.executable, "-c", USUAL, str(small), str(out)], times
            ),
            "untrained": best_of([*ours, str(small), "-o", str(out), "--model", "none"], times),
            "trained": best_of([*ours, str(small), "-o", str(out), "--model", str(model)], times),
            "untrained, 10x pairs": best_of(
                [*ours, str(large), "-o", str(out), "--model", "none"], 1
            ),
            "trained, 10x pairs": best_of(
                [*ours, str(large), "-o", str(out), "--model", str(model)], 1
            ),
        }
    first = rows["usual script, rank-bm25"][0]
    print(f"{pairs} pairs\nprogram\tprocessor s\tratio\tseconds\tMB")
    for name, (spent, seconds, megabytes) in rows.items():
        print(f"{name}\t{spent:.2f}\t{spent / first:.2f}\t{seconds:.2f}\t{megabytes:.0f}")


if __name__ == "__main__":
    run_program(main, "python benchmarks/ranking_speed.py")
