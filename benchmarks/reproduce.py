"""The published collections, indexed, ranked and scored by the commands that a user gives, one
configuration file a collection (`benchmarks/collections/*.toml`): `make reproduce`.

Data are read from `$QA_DATA`. Writes `docs/reproduction.md`; ends with status 1 where a figure
differs from the expected one by more than the tolerance, or, with `ELASTICSEARCH_URL`, where the
two engines' runs differ by a byte. A file gives paths of documents, topics and qrels, measures, the
expected counts, and for each run the options of `retriever`, or a `baseline` of this file, with the
expected figures.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import bm25s
import click
from packs import pack

from indexer.cli.program import run_program
from indexer.engines.scoring import K1, B
from indexer.formats.trec_run import run_lines
from indexer.sources.collection.schema import whole_text
from retriever.search import open_index
from retriever.term_counts import term_counts_of
from retriever.topics import Topic, read_topics

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "reproduction.md"
NAMES = {"RR@10": "MRR@10"}  # of measures of ir_measures, as the field calls them
BEGINNING = """\
# Collections reproduced

Made by `make reproduce`, on both engines where `ELASTICSEARCH_URL` names a server, from one configuration file a collection
(`benchmarks/collections`): documents, topics and qrels in `$QA_DATA`, the counts and figures expected, with their tolerance. Every line is

```
classical-qa index collection DOCUMENTS --index NAME
classical-qa retrieve NAME --topics TOPICS OPTIONS -o RUN
classical-qa evaluate trec QRELS RUN -m "MEASURES"
```

BM25 with k1 1.2, b 0.75 unless the options say otherwise; nothing was tuned. Published figures are those of the programs' own pages,
with their own analysis.
"""
PARAGRAPHS = """\

## The paragraph for a question

Questions of readers, and all paragraphs of their book: XQuAD, JSQuAD, DRCD. Beside our terms, BM25 of the same k1 and b (bm25s, in
the same run) over what most tools cut Japanese and Chinese into: words between blanks and signs, and all pairs of neighbouring characters.
"""


def words(text: str) -> list[str]:
    """What stands between blanks and signs."""
    return re.findall(r"\w+", text.lower())


def bigrams(text: str) -> list[str]:
    """The pairs of neighbouring characters of each word; a word of one character as it is."""
    return [
        word[start : start + 2] for word in words(text) for start in range(max(1, len(word) - 1))
    ]


BASELINES: dict[str, tuple[str, Callable[[str], list[str]]]] = {
    "blanks": ("cut at blanks and signs", words),
    "bigrams": ("character bigrams", bigrams),
}


def baseline_run(documents: Path, topics: Sequence[Topic], cut: Callable[[str], list[str]]) -> str:
    """A TREC run of bm25s over the terms into which a function cuts documents (JSON lines) and
    topics."""
    rows = [json.loads(line) for line in documents.open(encoding="utf-8")]
    model = bm25s.BM25(method="lucene", k1=K1, b=B, backend="numpy")
    model.index([cut(whole_text(row["title"], row["text"])) for row in rows], show_progress=False)
    lines: list[str] = []
    for topic in topics:
        known = [term for term in cut(topic.text) if term in model.vocab_dict]
        if not known:
            continue
        numbers, scores = model.retrieve([known], k=min(100, len(rows)), show_progress=False)
        ranked = [
            (rows[number]["id"], score)
            for number, score in zip(numbers[0].tolist(), scores[0].tolist(), strict=True)
            if score > 0
        ]
        lines += run_lines(topic.query_id, ranked, "bm25s")
    return "".join(lines)


def python(*arguments: str) -> str:
    """The output of `python -m` with these words, without a server of the environment."""
    variables = {name: value for name, value in os.environ.items() if "ELASTICSEARCH" not in name}
    command = [sys.executable, "-m", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=variables)
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


def reproduce(settings: dict[str, Any], folder: Path) -> tuple[list[str], list[str]]:
    """The rows of a collection's table, and what differs from what is expected."""
    documents, qrels = pack(settings["documents"]), pack(settings["qrels"])
    topics_file = query_topics(pack(settings["topics"]), folder)
    topic_options = shlex.split(settings.get("topic_options", ""))
    topics = read_topics(topics_file, renumber="--renumber" in topic_options)
    addresses = [f"{folder}/index"]
    if server := os.environ.get("ELASTICSEARCH_URL"):
        addresses.append(f"{server}/reproduce-{folder.name.lower().replace('_', '-')}")
    for address in addresses:
        python("indexer", "collection", str(documents), "--index", address)
    with open_index(addresses[0]) as index:
        counts = {
            "documents": sum(index.metadata.documents.values()),
            "terms": int(term_counts_of(index.engine_index).lengths.sum()),
            "topics": len(topics),
        }
    wrong = [] if counts == settings["counts"] else [f"counts {counts}"]
    measures: list[str] = settings["measures"]
    rows = []
    for run in settings["runs"]:
        if baseline := run.get("baseline"):
            name, cut = BASELINES[baseline]
            runs = [baseline_run(documents, topics, cut)]
        else:
            options = [*topic_options, *shlex.split(run["options"])]
            name = f"`{' '.join(options)}`" if options else ""
            runs = [
                python("retriever", address, "--topics", str(topics_file), *options)
                for address in addresses
            ]
        if len(set(runs)) > 1:
            wrong.append(f"{name}: the engines' runs differ")
        path = folder / "run"
        path.write_text(runs[0], encoding="utf-8")
        printed = python(
            *("evaluation", "trec", str(qrels), str(path)),
            *("-m", " ".join(measures), "--format", "jsonl"),
        )
        scores = {measure: json.loads(printed)[measure] for measure in measures}
        expected = [run["expected"].get(measure, -1.0) for measure in measures]
        if any(
            abs(score - value) > settings["tolerance"]
            for score, value in zip(scores.values(), expected, strict=True)
        ):
            wrong.append(f"{name}: {scores}")
        first = (
            ""
            if rows
            else f"{settings['name']} ({', '.join(f'{n:,} {what}' for what, n in counts.items())})"
        )
        published = "" if rows else settings.get("published", "")
        cells = [first, name, *(f"{score:.4f}" for score in scores.values()), published]
        rows.append(f"| {' | '.join(cells)} |")
    for address in addresses[1:]:
        python("indexer", "remove", address)
    return rows, wrong


def table(measures: Sequence[str], rows: Sequence[str]) -> str:
    """A table of the page."""
    names = ["collection", "options", *(NAMES.get(each, each) for each in measures), "published"]
    return "\n".join(["", f"| {' | '.join(names)} |", "|---" * len(names) + "|", *rows, ""])


@click.command()
def main() -> None:
    """Index, rank and score the collections of $QA_DATA, and write docs/reproduction.md."""
    tables: dict[tuple[str, ...], list[str]] = {}
    failed = False
    for path in sorted((HERE / "collections").glob("*.toml")):
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as folder:
            rows, wrong = reproduce(settings, Path(folder))
        tables.setdefault(tuple(settings["measures"]), []).extend(rows)
        failed = failed or bool(wrong)
        print("\n".join([path.stem, *(f"  not as expected: {each}" for each in wrong)]), flush=True)
    texts = [table(measures, rows) for measures, rows in tables.items()]
    PAGE.write_text(BEGINNING + PARAGRAPHS.join(texts), encoding="utf-8")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    run_program(main, "python benchmarks/reproduce.py")
