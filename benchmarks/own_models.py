"""Makes the models that come with the program: `QA_DATA=… python benchmarks/own_models.py [TASK…]`.

Each is trained on all development data of its task that may be learned from for others
(docs/models.md says which, and why), by what `answerer train` does with its defaults. Numbers have
7 digits; the same data give the same bytes.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
from balanced_tables import write_control
from packs import pack

from answerer import train
from answerer.models import MODELS
from indexer import build_datasets, build_triples
from indexer.cli.program import run_program
from indexer.files.arrays import Float64Array
from retriever.learning.model import Model, read_model, save_model

DIGITS = 7


class Source(NamedTuple):
    """A file that is learned from: its parts under $QA_DATA, whose it is, and under what
    licence."""

    parts: tuple[str, ...]
    origin: str
    licence: str


SELQA = "SelQA (Jurczyk, Zhai and Choi 2016), github emorynlp/selqa"
DUAN = "no licence stated; public research release, to be cited as Duan 2016"
OPEN_DATA = "WikiTableQuestions CC BY-SA 4.0, AIT-QA CDLA-Sharing 1.0, HiTab (StatCan) C-UDA 1.0"
SOURCES: dict[str, tuple[Source, ...]] = {
    "selqa": (Source(("selqa", "SelQA-ass-dev.json"), SELQA, "Apache-2.0"),),
    "nlpcc-dbqa": (
        Source(
            ("nlpcc", "dbqa", "nlpcc2017.dbqa.dev"), "NLPCC 2017, github msra-nlc/ChineseDBQA", DUAN
        ),
    ),
    "nlpcc-tbqa": (
        Source(
            ("nlpcc", "tbqa", "wtq_proxy.tbqa.train"),
            "WikiTableQuestions (Pasupat and Liang 2015)",
            "CC BY-SA 4.0",
        ),
    ),
    "nlpcc-kbqa": (
        Source(
            ("nlpcc", "kbqa", "nlpcc2016.kbqa.train"),
            "NLPCC-ICCPOL 2016, github msra-nlc/ChineseKBQA",
            DUAN,
        ),
    ),
    "datasearch-qa": tuple(
        Source(("datasearch", name), "WikiTableQuestions, AIT-QA, HiTab", OPEN_DATA)
        for name in ("questions.tsv", "gold.tsv")
    ),
}
U4 = (
    "NTCIR-18 U4, github nlp-for-japanese-securities-reports/ntcir18-u4",
    "EDINET terms of use, source named",
)
SOURCES |= {
    task: tuple(
        Source(("u4", f"{kind}.train.{part}.json"), *U4)
        for kind in kinds
        for part in ("questions", "gold_standard")
    )
    for task, kinds in (("u4-tqa", ("table_qa",)), ("u4-tr", ("table_retrieval", "table_qa")))
}
CONTROL = Source(
    ("nlpcc-tbqa", "balanced.tbqa"),
    "the same questions among right tables of each other, by benchmarks/balanced_tables.py",
    "CC BY-SA 4.0",
)


def learned(task: str, folder: Path) -> Model:
    """The model of a task, trained on its sources."""
    sources, files = [*SOURCES[task]], [pack(*source.parts) for source in SOURCES[task]]
    if (
        task == CONTROL.parts[0]
    ):  # without it, what tells BM25's own tables from the right one is learned
        sources, files = [*sources, CONTROL], [*files, folder / CONTROL.parts[1]]
        write_control(files[0], folder / CONTROL.parts[1])
    index = INDEXES[task](folder) if task in INDEXES else None
    options = OPTIONS.get(task, {})
    if task.startswith("u4"):
        options = {"reports": str(pack("u4", "reports.train.tar.xz"))}
    model = read_model(
        train(task, *files, index=index, output=folder / "model.json", **options).path, task
    )
    told = [
        {**one, "origin": source.origin, "licence": source.licence}
        for one, source in zip(model.data, sources, strict=True)
    ]
    weights, means, scales = (
        _rounded(numbers) for numbers in (model.weights, model.means, model.scales)
    )
    return replace(model, weights=weights, means=means, scales=scales, data=told)


def _rounded(numbers: Float64Array) -> Float64Array:
    return np.array([float(f"{number:.{DIGITS}g}") for number in numbers.tolist()])


def _triples(folder: Path) -> str:
    return build_triples(pack("nlpcc", "kbqa", "mini_kb_hard.kb"), folder / "triples").address


def _datasets(folder: Path) -> str:
    files = [pack("datasearch", f"data_search_{one}.bz2") for one in COLLECTIONS]
    return build_datasets(files, folder / "datasets").address


COLLECTIONS = ("e_collection.jsonl", "j_collection.jsonl", "e_data.tar", "j_data.tar")
OPTIONS: dict[str, dict[str, object]] = {
    "nlpcc-kbqa": {"templates": False, "folds": 2},
    "datasearch-qa": {"words": False},
}
INDEXES: dict[str, Callable[[Path], str]] = {"nlpcc-kbqa": _triples, "datasearch-qa": _datasets}


@click.command()
@click.argument("tasks", nargs=-1, type=click.Choice(list(SOURCES)))
def main(tasks: tuple[str, ...]) -> None:
    """Train the models of some tasks, by default of all, and put them into the program."""
    for task in tasks or SOURCES:
        file = MODELS / f"{task}.json"
        with tempfile.TemporaryDirectory() as folder:
            save_model(learned(task, Path(folder)), file)
        click.echo(f"{file}: {file.stat().st_size:,} bytes")


if __name__ == "__main__":
    run_program(main, "python benchmarks/own_models.py")
