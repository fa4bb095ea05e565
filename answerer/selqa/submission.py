"""`python -m answerer submit selqa TEST.json`: all deliverables of the challenge [SelQA-Challenge] from one run."""

from __future__ import annotations

import platform
import subprocess
import sys
from collections.abc import Iterable, Mapping
from functools import partial
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from answerer.ranked import method_option
from answerer.run import model_option
from indexer.files.atomic import temporary_folder
from indexer.files.errors import UserError
from indexer.files.messages import warn
from indexer.parameters import TEXT, argument, command_line, flag, input_path, option, output_path

if TYPE_CHECKING:
    from retriever.learning.model import Model

PACKAGES = ("indexer", "retriever", "answerer")
# Modules and word lists. JSON is left out: of all models only the one that was used is handed in, as `MODEL`.
_SHIPPED = (".py", ".txt", ".tsv", ".csv")


def sources(packages: Iterable[str]) -> dict[str, Path]:
    """Path relative to the tree's root → file, for the Python modules and word lists of packages; models and web pages
    are left out."""
    roots = [Path(str(import_module(package).__file__)).parent for package in packages]
    return {
        file.relative_to(root.parent).as_posix(): file
        for root in roots
        for file in sorted(root.rglob("*"))
        if file.suffix in _SHIPPED
    }


RESULT, MRR, DESCRIPTION, PROGRAM, MODEL, REQUIREMENTS, SOURCE = (
    "SelQA-ass-result.json",
    "mrr.txt",
    "description.tex",
    "answer.py",
    "model.json",
    "requirements.txt",
    "source",
)

_PROGRAM = '''"""Reads SelQA-ass-test.json and writes SelQA-ass-result.json: python answer.py [TEST [RESULT]].

Needs Python 3.11 or later and `pip install -r requirements.txt`; the system itself lies in the folder `source`.
"""

import sys
from pathlib import Path

here = Path(__file__).resolve().parent
sys.path.insert(0, str(here / "{source}"))

from answerer.selqa.task import answer_file
from indexer.files.atomic import write_text
from indexer.files.errors import UserError
from indexer.formats.selqa import read_selqa

if "-h" in sys.argv or "--help" in sys.argv:
    print(__doc__)
    sys.exit()
test = sys.argv[1] if len(sys.argv) > 1 else "SelQA-ass-test.json"
result = sys.argv[2] if len(sys.argv) > 2 else "SelQA-ass-result.json"
try:
    if Path(result).exists() and Path(test).exists() and Path(result).samefile(test):
        raise UserError(f"{{result}} is the file that is read: choose another place for the result")
    text, *_ = answer_file(read_selqa(test), {how})
    write_text(result, text)
except UserError as error:
    print(f"error: {{error}}", file=sys.stderr)
    sys.exit(2)
'''


# The use of a package, by its name for pip; another required package is listed with its version alone.
TOOLS = {
    "numpy": "features for all pairs at once",
    "PyStemmer": "English stems (Snowball's)",
    "rank-bm25": "the baseline of that name",
}
# A family of the English ranking without a line here is an error: nothing that ran is left undescribed.
FAMILIES = {
    "coverage": "coverage and BM25 of the question's stems",
    "characters": "the same over runs of four characters of content words",
    "terms": "coverage of kinds of question words: names, numbers, first, last, those in the article's title or not; "
    "the rarest word held, words held by few sentences",
    "pairs": "coverage of the question's pairs of neighbouring stems",
    "opening": "coverage by question idf, fading from word to word of the sentence",
    "neighbours": "what the two sentences before and after add to the sentence's own coverage",
    "position": "place in the section and length",
    "answers": "words that could answer this type of question (who: names, when: dates ...), how rare they are in the "
    "section and how near they stand to words of the question",
}
# Outside of math mode LaTeX's default font encoding prints | < > as other characters.
_SPECIAL = str.maketrans(
    {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "×": r"$\times$"}
    | {character: f"\\{character}" for character in "&%$#_{}"}
    | {character: f"${character}$" for character in "|<>"}
)


def escape(text: object) -> str:
    """A text as LaTeX prints it literally."""
    return str(text).translate(_SPECIAL)


def latex(model: Model | None, untrained: Mapping[str, Mapping[str, float]], **facts: Any) -> str:
    """The description as a LaTeX document, by the template `description.tex`: method, data and results, tools, set-up,
    weights.

    `untrained` has the weights of the fixed sum by family and feature. `facts` are the template's other values, which
    are escaped: `team`, `file`, `questions`, `sentences`, `method`, `families`, `requirements`, `mrr`.
    """
    import jinja2

    environment = jinja2.Environment(  # noqa: S701 - it has no HTML; `finalize` escapes for LaTeX
        loader=jinja2.PackageLoader("answerer.selqa", ""),
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
    weights = [(name, (f"{weight:g}",)) for family in untrained.values() for name, weight in family.items()]
    settings, cross_validated = "", None
    if model:
        columns = zip(model.weights, model.means, model.scales, strict=True)
        figures = [tuple(f"{figure:.6g}" for figure in column) for column in columns]
        weights = list(zip(model.feature_names, figures, strict=True))
        settings = ", ".join(f"{name} {value}" for name, value in model.settings.items() if value != [])
        # A model file of anybody's may have its figures in another form than training's, or none.
        measured = model.figures.get("cross-validated")
        if isinstance(measured, Mapping):
            values = [measured.get(name) for name in ("MRR, average ties", "standard error")]
            values.insert(0, model.figures.get("folds"))
            if all(isinstance(value, int | float) for value in values):
                cross_validated = values
    return environment.get_template("description.tex").render(
        model=model,
        weights=weights,
        settings=settings,
        cross_validated=cross_validated,
        python=platform.python_version(),
        FAMILIES=FAMILIES,
        TOOLS=TOOLS,
        **facts,
    )


@command_line(
    "answerer submit selqa samples/selqa.test.json --model selqa.model.json -o submission/",
    argument("file", metavar="TEST.json", type=input_path),
    option(
        "-o",
        "folder",
        metavar="FOLDER",
        type=partial(
            output_path, (RESULT, MRR, DESCRIPTION, PROGRAM, MODEL, REQUIREMENTS, f"{SOURCE}/**"), files=False
        ),
        default="submission",
        help="Where the deliverables go [submission].",
    ),
    option("--team", type=TEXT, default="TEAM", help="The team named in the description [TEAM]."),
    flag("--replace", help="Replace deliverables that stand in FOLDER already."),
    method_option,
    model_option,
)
def command(file: str, folder: str, team: str, replace: bool, method: str | None, model_path: str | None) -> None:
    """Answer TEST.json and write the challenge's deliverables into FOLDER.

    SelQA-ass-result.json; mrr.txt, computed from that file alone (where it holds the gold); description.tex,
    made of what ran, with its formula and weights; and answer.py, which reads a test file and writes its result
    by itself: beside it lie requirements.txt, this system without its models, and the model.
    """
    from answerer.models import UNTRAINED, model_of
    from answerer.selqa.task import answer_file
    from indexer.files.atomic import write_all
    from indexer.formats.selqa import read_selqa

    model_path = model_of("selqa", model_path, method)
    of_each = [Path(folder) / name for name in (RESULT, MRR, DESCRIPTION, PROGRAM, MODEL, REQUIREMENTS)]
    shipped = [file for package in PACKAGES for file in sorted((Path(folder) / SOURCE / package).rglob("*"))]
    old = [file for file in of_each if file.exists()] + [file for file in shipped if file.suffix in _SHIPPED]
    if old and not replace:
        raise UserError(f"{old[0]} exists: --replace overwrites it, -o chooses another place")
    read = read_selqa(file)
    result, ranking, made = answer_file(read, method, model_path or UNTRAINED)
    program = {f"{SOURCE}/{name}": source.read_text("utf-8") for name, source in sources(PACKAGES).items()}
    how = f'"{made.method}"' if made else "None"
    if model_path:
        program[MODEL] = Path(model_path).read_text("utf-8")
        how = f'model_path=str(here / "{MODEL}")'
    program[PROGRAM] = _PROGRAM.format(source=SOURCE, how=how)
    # What is handed in is what was run: the program answers the file itself, alone, before it is written.
    mrr = run_program(program, file, result)
    used = sorted(("PyStemmer", *made.packages) if made else (), key=str.lower)
    if mrr is None:
        warn(f"{file} holds no gold: no {MRR}")
    method = made.method if made else "sum"
    model = made.model if made else None
    untrained = ranking.untrained if ranking and method == "sum" and not model else {}
    described = latex(
        model,
        untrained,
        team=team,
        file=Path(file).name,
        questions=len(read.lists),
        sentences=sum(len(each.candidates) for each in read.lists),
        method=method,
        families=list(next(ranking.blocks()).features) if ranking and model else list(untrained),
        requirements=[(name, version(name)) for name in used],
        mrr=mrr,
    )
    deliverables = {
        RESULT: result,
        **({} if mrr is None else {MRR: f"{mrr:.6f}\n"}),
        DESCRIPTION: described,
        REQUIREMENTS: "".join(f"{name}=={version(name)}\n" for name in used),
        **program,
    }
    written = {Path(folder) / name: text for name, text in deliverables.items()}
    write_all(written.items())
    # What an earlier submission shipped, and this one does not, would be handed in with it.
    for stale in set(old) - written.keys():
        stale.unlink()


def run_program(program: Mapping[str, str], file: str, expected: str) -> float | None:
    """Runs the submitted program on a file in an empty folder; returns the MRR of the result that it writes, with
    average ranks for ties; None for a file without gold.

    `program` maps relative path to content. Raises RuntimeError, with the end of stderr, if the program fails or its
    result is not `expected`.
    """
    from answerer.formats.ranked_results import require_results
    from evaluation.measures.ranking import reciprocal_rank
    from indexer.formats.selqa import read_selqa

    with temporary_folder() as folder:
        for name, text in program.items():
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, "utf-8")
        result = folder / RESULT
        # -I: no module may come from the working folder or PYTHONPATH of this process, which the reader will not have.
        command = [sys.executable, "-I", *map(str, (folder / PROGRAM, Path(file).resolve(), result))]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{PROGRAM} does not run: {done.stderr.strip()[-500:]}")
        if result.read_text("utf-8") != expected:
            raise RuntimeError(f"{PROGRAM} run alone gives another result")
        read = read_selqa(result)
        if any(each.gold is None for each in read.lists):
            return None
        scored = zip(read.lists, require_results(read, result), strict=True)
        # `mrr.txt` is defined with average ranks of ties [SelQA-Challenge].
        ranks = [reciprocal_rank(numbers, each.gold or (), "average") for each, numbers in scored]
        return sum(ranks) / len(ranks)
