"""`python -m answerer submit selqa TEST.json`: all deliverables of the challenge [SelQA-Challenge]
from one run."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from answerer.options import model_option
from answerer.ranked import method_option
from indexer.cli.types import Command, InputFile, OutputPath, PlainText
from indexer.files.errors import UserError
from indexer.files.messages import warn

if TYPE_CHECKING:
    from retriever.learning.model import Model

RESULT, MODEL = "SelQA-ass-result.json", "model.json"
# Modules and word lists. JSON is left out: of all models only the one that was used is handed in.
_SHIPPED = (".py", ".txt", ".tsv", ".csv")

_PROGRAM = '''\
"""Reads SelQA-ass-test.json and writes SelQA-ass-result.json: python answer.py [TEST [RESULT]].

Needs Python 3.11 or later and `pip install -r requirements.txt`; the system itself lies in the \
folder `source`.
"""

import sys
from pathlib import Path

here = Path(__file__).resolve().parent
sys.path.insert(0, str(here / "source"))

from answerer.__main__ import main
from indexer.cli.program import run_program

usual = ["SelQA-ass-test.json", "SelQA-ass-result.json"]
test, result, *more = [*sys.argv[1:], *usual[len(sys.argv) - 1 :]]
sys.argv[1:] = ["selqa", test, "-o", result, {how}, *more]
run_program(main, "python answer.py")
'''

# Outside of math mode LaTeX's default font encoding prints | < > as other characters.
_SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "×": r"$\times$",
    }
    | {character: f"\\{character}" for character in "&%$#_{}"}
    | {character: f"${character}$" for character in "|<>"}
)


def escape(text: object) -> str:
    """A text as LaTeX prints it literally."""
    return str(text).translate(_SPECIAL)


def latex(model: Model | None, untrained: Mapping[str, Mapping[str, float]], **facts: Any) -> str:
    """The description as a LaTeX document: method, data and results, tools, set-up, weights.

    `untrained` has the weights of the fixed sum by family and feature, shown if `model` is None.
    `facts` are the template's other values, which are escaped: `team`, `file`, `questions`,
    `sentences`, `method`, `requirements`, `mrr`.
    """
    import jinja2

    environment = jinja2.Environment(  # noqa: S701 - it has no HTML; `finalize` escapes for LaTeX
        loader=jinja2.PackageLoader(__package__, ""),
        block_start_string="<%",
        block_end_string="%>",
        variable_start_string="<<",
        variable_end_string=">>",
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
        finalize=escape,
    )
    weights: list[tuple[str, tuple[str, ...]]]
    weights = [
        (name, (f"{weight:g}",)) for family in untrained.values() for name, weight in family.items()
    ]
    if model:
        columns = zip(model.weights, model.means, model.scales, strict=True)
        figures = [tuple(f"{figure:.6g}" for figure in column) for column in columns]
        weights = list(zip(model.feature_names, figures, strict=True))
    return environment.get_template("description.tex").render(
        model=model, weights=weights, python=platform.python_version(), **facts
    )


@click.command(
    cls=Command,
    example="answer submit selqa samples/selqa.test.json --model selqa.model.json "
    "-o selqa.submission",
)
@click.argument("file", metavar="TEST.json", type=InputFile())
@click.option(
    "-o",
    "folder",
    metavar="FOLDER",
    type=OutputPath(inside=("**",), files=False),
    default="submission",
    help="Where the deliverables go, a new or empty folder [submission].",
)
@click.option(
    "--team",
    type=PlainText(),
    default="TEAM",
    help="The team named in the description [TEAM].",
)
@method_option
@model_option
def command(
    file: Path, folder: str, team: str, method: str | None, model: Path | str | None
) -> None:
    """Answer TEST.json and write the challenge's deliverables into FOLDER.

    SelQA-ass-result.json; mrr.txt, computed from that file alone (where it holds the gold);
    description.tex, made of what ran, with its formula and weights; and answer.py, which reads a
    test file and writes its result by itself: beside it lie requirements.txt, this system without
    its models, and the model.
    """
    from answerer.models import UNTRAINED, model_of
    from answerer.selqa.task import answer_file
    from evaluation.measures.ranking import reciprocal_rank
    from indexer.files.atomic import write_all
    from indexer.formats.selqa import read_selqa
    from retriever.ranking import english

    if Path(folder).exists() and any(Path(folder).iterdir()):
        raise UserError(f"{folder} exists and is not empty: choose another place with -o")
    model_path = model_of("selqa", model, method)
    read = read_selqa(file)
    result, _, scored = answer_file(read, method, model_path or UNTRAINED, [str(file)])
    written = {RESULT: result}
    mrr = None
    if all(entry.gold is not None for entry in read.lists):
        # `mrr.txt` is defined with average ranks of ties, by the numbers that the result file has
        # [SelQA-Challenge].
        objects = json.loads(result) if read.is_list else map(json.loads, result.splitlines())
        pairs = zip(read.lists, objects, strict=True)
        ranks = [
            reciprocal_rank(row["results"], entry.gold or (), "average") for entry, row in pairs
        ]
        mrr = sum(ranks) / len(ranks)
        written["mrr.txt"] = f"{mrr:.6f}\n"
    else:
        warn(f"{file} holds no gold: no mrr.txt")
    requirements = [
        (name, version(name))
        for name in sorted(("click", "PyStemmer", *scored.packages), key=str.lower)
    ]
    written["description.tex"] = latex(
        scored.model,
        english.UNTRAINED if scored.method == "sum" else {},
        team=team,
        file=Path(file).name,
        questions=len(read.lists),
        sentences=sum(len(entry.candidates) for entry in read.lists),
        method=scored.method,
        requirements=requirements,
        mrr=mrr,
    )
    how = f'"--method", "{scored.method}"'
    if model_path:
        written[MODEL] = Path(model_path).read_text("utf-8")
        how = f'"--model", str(here / "{MODEL}")'
    written["answer.py"] = _PROGRAM.format(how=how)
    written["requirements.txt"] = "".join(f"{name}=={number}\n" for name, number in requirements)
    for package in ("indexer", "retriever", "answerer"):
        root = Path(str(import_module(package).__file__)).parent
        for source in sorted(root.rglob("*")):
            if source.suffix in _SHIPPED:
                written[f"source/{source.relative_to(root.parent).as_posix()}"] = source.read_text(
                    "utf-8"
                )
    write_all((Path(folder) / name, text) for name, text in written.items())
