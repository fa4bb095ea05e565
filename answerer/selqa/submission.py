"""`python -m answerer submit selqa TEST.json`: all deliverables of the challenge [SelQA-Challenge] from one run."""

from __future__ import annotations

import platform
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from answerer.ranked import method_option, require_one
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
# The formulas of the untrained methods; idf and BM25 are [BM25], with Lucene's 1 inside the logarithm.
METHODS = {
    "sum": r"$s_i = \sum_f w_f\, z_f(i)$, where $z_f(i)$ is feature $f$ of sentence $i$ less its mean over the "
    "section, divided by its standard deviation there (0 where that is 0).",
    "bm25": r"$s_i = \sum_{t \in q} n_{tq}\, \mathrm{idf}(t)\, f_{ti}(k_1+1) / (f_{ti} + k_1(1-b+b\,l_i/\bar l))$ "
    r"over the stems $t$ of the question's content words, $k_1 = 1.2$, $b = 0.75$, "
    r"$\mathrm{idf}(t) = \log(1 + (N - n_t + \frac12)/(n_t + \frac12))$ over the section's $N$ sentences.",
    "rank-bm25": r"BM25Okapi of the rank-bm25 package over the section's sentences, $k_1 = 1.5$, $b = 0.75$.",
    "overlap": "$s_i$ is the number of different content stems of the question that sentence $i$ holds.",
}
# The columns are those of `copies` and `columns` of `retriever.ranking.ranker`: a change there is one here.
TRAINED = (
    "The ranker is a list-wise conditional logit: the weights maximise the likelihood of the right sentences under the "
    "softmax below, less an L2 penalty, by L-BFGS.",
    r"A feature $x$ enters as four columns, compared inside its section: $x$; \emph{z}, $(x - \mathrm{mean}) / "
    r"(\mathrm{sd} + 10^{-6})$, 0 where $x$ is constant; \emph{below best}, $x - \max x$; \emph{is best}, 1 where "
    "$x$ is the greatest and not the least, else 0. Some enter with a further \\emph{z} for each type of question, "
    "which is 0 where the question is of another type.",
    r"The score is $s_i = \sum_c w_c (x_{ci} - m_c) / \sigma_c$ over all columns $c$; every weight $w_c$ with the "
    r"mean $m_c$ and scale $\sigma_c$ of its column is listed at the end.",
)
IDF = (
    r"A word's idf is $\log(1 + (N - n + \frac12)/(n + \frac12))$: list idf over the section's sentences, file idf "
    "over all sentences of the file, question idf over the file's questions, both idf the product of the first two. "
    "Coverage is the share of the question's weight that a sentence holds."
)
# A family of the English ranking without a line here fails with KeyError: nothing that ran is left undescribed.
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
_DOCUMENT = r"""\documentclass{article}
\usepackage[utf8]{inputenc}
\usepackage{longtable}
\begin{document}
\title{SelQA answer sentence selection}\author{%s}\date{}\maketitle
\section{Method}
Each sentence $i$ of a section gets a score $s_i$; its result is $P(i) = \exp s_i / \sum_j \exp s_j$ over the section's
sentences that are not empty, and 0 for an empty one. No neural network and no pre-trained vectors are used, and nothing
keys on a sentence, an article or a question.
%s
\section{Data and results}
%s
\section{Tools}
\begin{itemize}
%s
\end{itemize}
\section{Set-up}
\begin{verbatim}
pip install -r requirements.txt
python answer.py SelQA-ass-test.json SelQA-ass-result.json
\end{verbatim}
%s\end{document}
"""


def escape(text: object) -> str:
    """A text as LaTeX prints it literally."""
    return str(text).translate(_SPECIAL)


class Facts(NamedTuple):
    """The facts of a description: the program, the file that it ran on, the result.

    `model` is None where nothing was trained; `families` are the families of features, `untrained` the weights of
    the fixed sum by family and feature, `requirements` the program's packages (`NAME==VERSION`).
    """

    team: str
    file: str
    questions: int
    sentences: int
    method: str
    model: Model | None
    families: Sequence[str]
    untrained: Mapping[str, Mapping[str, float]]
    requirements: Sequence[str]
    mrr: float | None


def latex(facts: Facts) -> str:
    """The description as a LaTeX document: method with its formula and feature families, data (by SHA-256) and results,
    tools with their versions, set-up, and a table of every weight."""
    model, families = facts.model, list(facts.families)
    tools, commands, weights = [], [], []
    results = [f"Answered: {escape(facts.file)}, {facts.questions} questions with {facts.sentences} sentences."]
    for requirement in facts.requirements:
        name, _, number = requirement.partition("==")
        tools.append(f"{escape(name)} {escape(number)}{f': {escape(TOOLS[name])}' if name in TOOLS else ''}")
    form, head = "lr", r"feature $f$ & $w_f$"
    if model is None:
        method = ["Nothing is trained.", METHODS[facts.method]]
        families = list(facts.untrained) if facts.method == "sum" else []
        of_sum = [facts.untrained[family] for family in families]
        weights = [f"{escape(name)} & {weight:g}" for family in of_sum for name, weight in family.items()]
    else:
        method = [*TRAINED]
        for data in model.data:
            digest = str(data["sha256"])[:16]
            results.append(f"Trained on {escape(data['file'])} ({data['bytes']} bytes, SHA-256 {digest}\\ldots).")
        if settings := [f"{name} {value}" for name, value in model.settings.items() if value != []]:
            results.append(f"Settings: {escape(', '.join(settings))}.")
        # A model file of anybody's may have its figures in another form than training's, or none.
        figures, measured = model.figures, model.figures.get("cross-validated")
        if isinstance(measured, Mapping):
            values = figures.get("folds"), measured.get("MRR, average ties"), measured.get("standard error")
            if all(isinstance(value, int | float) for value in values):
                how = "Cross-validated on the training data ({} folds by article): MRR {:.4f}, standard error {:.4f}."
                results.append(how.format(*values))
        tools.append("scipy: L-BFGS, for training only")
        files = " ".join(str(data["file"]) for data in model.data)  # anybody's: nothing ends \texttt early
        train = escape(f"python -m answerer train selqa {files} -o model.json")
        commands = ["The model was made by (classical-qa installed):", "", rf"\noindent\texttt{{{train}}}"]
        form, head = "lrrr", r"column $c$ & $w_c$ & $m_c$ & $\sigma_c$"
        columns = zip(model.feature_names, model.weights, model.means, model.scales, strict=True)
        weights = [f"{escape(name)} & {weight:.6g} & {mean:.6g} & {scale:.6g}" for name, weight, mean, scale in columns]
    if families:
        described = [rf"\item {escape(name)}: {escape(FAMILIES[name])}" for name in families]
        method += [IDF, "Families of features:", r"\begin{itemize}", *described, r"\end{itemize}"]
    if facts.mrr is not None:
        results.append(f"MRR of the result file, ties at the mean of their ranks: {facts.mrr:.4f}.")
    if weights:
        commands += [r"\section{Weights}", r"\footnotesize", rf"\begin{{longtable}}{{{form}}}"]
        commands += [rf"{head} \\ \hline \endhead", *(rf"{row} \\" for row in weights)]
        commands += [r"\end{longtable}", r"\normalsize"]
    items = [rf"\item {row}" for row in (f"Python {platform.python_version()}", *tools)]
    parts = ["\n".join(lines) for lines in (method, results, items)]
    return _DOCUMENT % (escape(facts.team), *parts, "".join(f"{line}\n" for line in commands))


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

    require_one(method, model_path)
    of_each = [Path(folder) / name for name in (RESULT, MRR, DESCRIPTION, PROGRAM, MODEL, REQUIREMENTS)]
    shipped = [file for package in PACKAGES for file in sorted((Path(folder) / SOURCE / package).rglob("*"))]
    old = [file for file in of_each if file.exists()] + [file for file in shipped if file.suffix in _SHIPPED]
    if old and not replace:
        raise UserError(f"{old[0]} exists: --replace overwrites it, -o chooses another place")
    read = read_selqa(file)
    model_path = None if method else model_of("selqa", model_path)
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
    needed = [f"{name}=={version(name)}" for name in used]
    if mrr is None:
        warn(f"{file} holds no gold: no {MRR}")
    facts = Facts(
        team=team,
        file=Path(file).name,
        questions=len(read.lists),
        sentences=sum(len(each.candidates) for each in read.lists),
        method=made.method if made else "sum",
        model=made.model if made else None,
        families=list(next(ranking.blocks()).features) if ranking else [],
        untrained=ranking.untrained if ranking else {},
        requirements=needed,
        mrr=mrr,
    )
    deliverables = {
        RESULT: result,
        **({} if mrr is None else {MRR: f"{mrr:.6f}\n"}),
        DESCRIPTION: latex(facts),
        REQUIREMENTS: "".join(f"{line}\n" for line in needed),
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
