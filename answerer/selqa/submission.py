"""`python -m answerer submit selqa TEST.json`: the deliverables of the SelQA challenge (seed 004), from one run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from answerer.ranked import METHODS, method_option
from answerer.run import model_option
from answerer.selqa.description import latex

if TYPE_CHECKING:
    from answerer.formats.selqa import SelqaFile
    from retriever.ranking.model import Model
    from retriever.ranking.ranking import Ranking

RESULT, MRR, DESCRIPTION, PROGRAM, MODEL = (
    "SelQA-ass-result.json",
    "mrr.txt",
    "description.tex",
    "answer.py",
    "model.json",
)

_PROGRAM = '''"""Reads SelQA-ass-test.json and writes SelQA-ass-result.json: python answer.py [TEST [RESULT]]."""

import sys
from pathlib import Path

from answerer.__main__ import main
from indexer.files.errors import run_program

here = Path(__file__).resolve().parent
test = sys.argv[1] if len(sys.argv) > 1 else "SelQA-ass-test.json"
result = sys.argv[2] if len(sys.argv) > 2 else "SelQA-ass-result.json"
sys.argv[1:] = ["selqa", test, "-o", result, {how}]
run_program(main, "answer.py")
'''


class Run(NamedTuple):
    """What ran: the file, its ranking, the model or the method, and the results' text."""

    file: str
    questions: int
    sentences: int
    method: str
    model: Model | None
    families: Mapping[str, int]
    text: str


@click.command(
    epilog="Example: python -m answerer submit selqa samples/selqa.test.json --model selqa.model.json -o submission/"
)
@click.argument("file", metavar="TEST.json")
@click.option("-o", "folder", metavar="FOLDER", default="submission", help="Where the deliverables go [submission].")
@click.option("--team", default="TEAM", help="The team named in the description [TEAM].")
@method_option
@model_option
def command(file: str, folder: str, team: str, method: str | None, model_path: str | None) -> None:
    """Answer TEST.json and write the challenge's deliverables into FOLDER.

    SelQA-ass-result.json; mrr.txt, computed from that file alone (where it holds the gold); description.tex,
    made of what ran; and answer.py, which reads a test file and writes its result (with model.json beside it).
    """
    from indexer.files.atomic import write_text

    run = _run(file, method, model_path)
    target = Path(folder)
    how = f'"--model", str(here / "{MODEL}")' if run.model else f'"--method", "{run.method}"'
    texts = {RESULT: run.text, PROGRAM: _PROGRAM.format(how=how)}
    if model_path:
        texts[MODEL] = Path(model_path).read_text("utf-8")
    for name, text in texts.items():
        write_text(target / name, text)
    mrr = _mrr(target / RESULT)
    if mrr is None:
        click.echo(f"{file} holds no gold: no {MRR}", err=True)
    else:
        write_text(target / MRR, f"{mrr:.6f}\n")
    write_text(target / DESCRIPTION, latex(_facts(run, team, mrr)))


def _run(file: str, method: str | None, model_path: str | None) -> Run:
    """Answer the file. UserError for a damaged file or model."""
    from answerer.formats.selqa import read_selqa
    from answerer.ranked import scored
    from answerer.selqa.task import ReadFile, sentence_probabilities
    from retriever.ranking.english_ranking import english_ranking

    read: SelqaFile = read_selqa(file)
    ranked = [one for one in read.lists if one.candidates]
    sentences = sum(len(one.candidates) for one in ranked)
    if not ranked:
        return Run(file, len(read.lists), 0, method or "sum", None, {}, ReadFile(read.lists, read, None).text([]))
    ranking = english_ranking(ranked)
    made = scored(ranking, method, model_path)
    shares = sentence_probabilities(ranked, made.scores)
    return Run(
        file,
        len(read.lists),
        sentences,
        made.method,
        ranking.load(model_path) if model_path else None,
        _families(ranking, bool(model_path)),
        ReadFile(read.lists, read, None).text(shares),
    )


def _families(ranking: Ranking, trained: bool) -> dict[str, int]:
    """How many features of each family took part."""
    if trained:
        return {name: len(features) for name, features in ranking.families.items()}
    return {name: len(features) for name, features in ranking.untrained.items()}


def _mrr(result: Path) -> float | None:
    """The MRR of a result file with average ranks of ties; None where it holds no gold."""
    from answerer.formats.selqa import read_selqa, require_results
    from evaluation.measures.ranking import reciprocal_rank

    read = read_selqa(result)
    if any(one.gold is None for one in read.lists):
        return None
    results = require_results(read, result)
    values = [
        reciprocal_rank(numbers, one.gold or (), "average") for one, numbers in zip(read.lists, results, strict=True)
    ]
    return sum(values) / len(values)


def _facts(run: Run, team: str, mrr: float | None) -> dict[str, Any]:
    """What the description tells."""
    model = run.model
    strongest: Sequence[tuple[str, float]] = []
    if model is not None and not model.trees:
        pairs = zip(model.feature_names, model.weights.tolist(), strict=True)
        strongest = sorted(pairs, key=lambda pair: (-abs(pair[1]), pair[0]))[:12]
    return {
        "team": team,
        "file": Path(run.file).name,
        "questions": run.questions,
        "sentences": run.sentences,
        "method": run.method,
        "method line": METHODS.get(run.method, ""),
        "families": dict(run.families),
        "training data": list(model.data) if model else [],
        "settings": dict(model.settings) if model else {},
        "figures": dict(model.figures) if model else {},
        "strongest": list(strongest),
        "MRR": mrr,
    }
