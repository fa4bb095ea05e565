"""The published collections, indexed, ranked and scored by the commands that a user gives, one
configuration file a collection (`benchmarks/collections/*.toml`): `make reproduce`.

Data are read from `$QA_DATA`. Prints each figure beside the expected one, and with --write writes
`docs/reproduction.md`; ends with status 1 where a figure differs by more than the tolerance, or,
with `ELASTICSEARCH_URL`, where the two engines' runs differ by a byte. A file gives the source, paths
of documents, topics and qrels, measures, the expected counts, and for each run the options of
`retriever`, or a `baseline` of this file, with the expected figures.
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
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import bm25s
import click
from packs import pack

from evaluation.trec_measures import read_columns
from indexer.cli.program import run_program
from indexer.engines.scoring import K1, B
from indexer.files.errors import UserError
from indexer.files.messages import to_stderr, warn
from indexer.files.validation import validate_choice
from indexer.formats.trec_run import run_lines
from indexer.sources.collection.schema import whole_text
from retriever.search import open_index
from retriever.term_counts import term_counts_of
from retriever.topics import Topic, read_topics

HERE = Path(__file__).parent
COLLECTIONS = HERE / "collections"
PAGE = HERE.parent / "docs" / "reproduction.md"
NAMES = {"RR@10": "MRR@10"}  # of measures of ir_measures, as the field calls them
BEGINNING = """\
# Collections reproduced

`make reproduce` prints these figures beside what it gets, on both engines where `ELASTICSEARCH_URL` names a server, from one configuration
file a collection (`benchmarks/collections`): where it comes from, documents, topics and qrels in `$QA_DATA`, the counts and figures expected,
with their tolerance. `python benchmarks/reproduce.py cacm npl` does only these; `--write` writes this page. Every line is

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


class Reproduced(NamedTuple):
    """A collection's numbers of documents, terms and topics, the figures of each of its runs
    (measure → score), and what differs from what is expected."""

    counts: Mapping[str, int]
    runs: Sequence[Mapping[str, float]]
    wrong: Sequence[str] = ()


def run_name(settings: Mapping[str, Any], run: Mapping[str, Any]) -> str:
    """What the page calls a run: its options, or how its baseline cuts texts."""
    if baseline := run.get("baseline"):
        return BASELINES[baseline][0]
    options = f"{settings.get('topic_options', '')} {run['options']}".strip()
    return f"`{options}`" if options else ""


def expected_counts(settings: Mapping[str, Any]) -> dict[str, int]:
    """The numbers that a configuration file expects; all topics are judged if it does not say."""
    counts: dict[str, int] = settings["counts"]
    return {**counts, "judged": counts.get("judged", counts["topics"])}


def reproduce(settings: Mapping[str, Any], folder: Path) -> Reproduced:
    """Indexes, ranks and scores a collection in a folder, which is empty before, and with
    `ELASTICSEARCH_URL` on the server too. Raises UserError for a file that is not there."""
    documents, qrels = pack(settings["documents"]), pack(settings["qrels"])
    topics_file = query_topics(pack(settings["topics"]), folder)
    topic_options = shlex.split(settings.get("topic_options", ""))
    topics = read_topics(topics_file, renumber="--renumber" in topic_options)
    judged = read_columns(qrels, is_run=False).values
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
            "judged": sum(topic.query_id in judged for topic in topics),
        }
    wrong = [] if counts == expected_counts(settings) else [f"counts {counts}"]
    measures: list[str] = settings["measures"]
    scored = []
    for run in settings["runs"]:
        if baseline := run.get("baseline"):
            runs = [baseline_run(documents, topics, BASELINES[baseline][1])]
        else:
            options = [*topic_options, *shlex.split(run["options"])]
            runs = [
                python("retriever", address, "--topics", str(topics_file), *options)
                for address in addresses
            ]
        if len(set(runs)) > 1:
            wrong.append(f"{run_name(settings, run)}: the engines' runs differ")
        path = folder / "run"
        path.write_text(runs[0], encoding="utf-8")
        printed = python(
            *("evaluation", "trec", str(qrels), str(path)),
            *("-m", " ".join(measures), "--format", "jsonl"),
        )
        scored.append({measure: json.loads(printed)[measure] for measure in measures})
    for address in addresses[1:]:
        python("indexer", "remove", address)
    return Reproduced(counts, scored, wrong)


LINE = "{:<26} {:<38} {:<8} {:>8} {:>8}"


def print_figures(settings: Mapping[str, Any], done: Reproduced) -> bool:
    """Prints a line for each figure, expected and got; whether all are within the tolerance and
    nothing else is wrong."""
    right = not done.wrong
    for run, scores in zip(settings["runs"], done.runs, strict=True):
        for measure, score in scores.items():
            expected = run["expected"].get(measure, -1.0)
            differs = abs(score - expected) > settings["tolerance"]
            right = right and not differs
            name = run_name(settings, run).strip("`")
            cells = (settings["name"], name, NAMES.get(measure, measure))
            figures = (f"{expected:.4f}", f"{score:.4f}")
            click.echo(LINE.format(*cells, *figures) + "  differs" * differs)
    for wrong in done.wrong:
        click.echo(f"{settings['name']}: not as expected: {wrong}")
    return right


def page(collections: Sequence[tuple[Mapping[str, Any], Reproduced]]) -> str:
    """The page of all collections: a table for those of the same measures."""
    tables: dict[tuple[str, ...], list[str]] = {}
    for settings, done in collections:
        shown = dict(done.counts)
        if shown["judged"] == shown["topics"]:
            del shown["judged"]
        counts = ", ".join(f"{number:,} {what}" for what, number in shown.items())
        first = [f"{settings['name']} ({counts})", settings.get("published", "")]
        rows = tables.setdefault(tuple(settings["measures"]), [])
        for run, scores in zip(settings["runs"], done.runs, strict=True):
            name, published = first
            figures = (f"{score:.4f}" for score in scores.values())
            rows.append(f"| {' | '.join([name, run_name(settings, run), *figures, published])} |")
            first = ["", ""]
    return BEGINNING + PARAGRAPHS.join(table(names, rows) for names, rows in tables.items())


def table(measures: Sequence[str], rows: Sequence[str]) -> str:
    """A table of the page."""
    names = ["collection", "options", *(NAMES.get(each, each) for each in measures), "published"]
    return "\n".join(["", f"| {' | '.join(names)} |", "|---" * len(names) + "|", *rows, ""])


def configured() -> dict[str, dict[str, Any]]:
    """The settings of all collections by the names of their files, in this order."""
    return {
        path.stem: tomllib.loads(path.read_text(encoding="utf-8"))
        for path in sorted(COLLECTIONS.glob("*.toml"))
    }


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME...]")
@click.option("--write", is_flag=True, help="Write docs/reproduction.md: needs all collections.")
def main(names: Sequence[str], write: bool) -> None:
    """Index, rank and score the collections of $QA_DATA (NAME: only these, as cacm), and print each
    figure beside the expected one."""
    pack()  # refuses without the variable
    settings_of = configured()
    for name in names:
        validate_choice(name, settings_of, "collection")
    if write and names:
        raise UserError("--write needs all collections: leave out the names")
    done: list[tuple[Mapping[str, Any], Reproduced]] = []
    right = True
    click.echo(LINE.format("collection", "options", "measure", "expected", "got"))
    for name in names or settings_of:
        settings = settings_of[name]
        paths = [
            Path(os.environ["QA_DATA"], settings[key]) for key in ("documents", "topics", "qrels")
        ]
        if missing := [str(path) for path in paths if not path.exists()]:
            where = f"{settings['source']} ({COLLECTIONS.name}/{name}.toml)"
            warn(f"{settings['name']} is left out: {missing[0]} is not there; get it from {where}")
            continue
        with tempfile.TemporaryDirectory() as folder:
            done.append((settings, reproduce(settings, Path(folder))))
        right = print_figures(*done[-1]) and right
    if write and len(done) < len(settings_of):
        raise UserError("not written: the page needs all collections")
    if write:
        PAGE.write_text(page(done), encoding="utf-8")
    sys.exit(0 if right and done else 1)


if __name__ == "__main__":
    to_stderr()
    run_program(main, "python benchmarks/reproduce.py")
