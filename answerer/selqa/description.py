"""The LaTeX description of a SelQA submission: method, tools and set-up, made of what ran."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from retriever.learning.model import Model

TOOLS = {
    "numpy": "features for all pairs at once",
    "scipy": "L-BFGS, for training only",
    "PyStemmer": "English stems (Snowball's)",
    "rank-bm25": "the baseline of that name",
}
LEARNERS = {
    "listwise": "a list-wise conditional logit: the weights maximise the likelihood of the right sentences under the "
    "softmax below, less an L2 penalty, by L-BFGS",
}
METHODS = {
    "sum": r"$s_i = \sum_f w_f\, z_f(i)$, where $z_f(i)$ is feature $f$ of sentence $i$ less its mean over the "
    "section, divided by its standard deviation there (0 where that is 0).",
    "bm25": r"$s_i = \sum_{t \in q} n_{tq}\, \mathrm{idf}(t)\, f_{ti}(k_1+1) / (f_{ti} + k_1(1-b+b\,l_i/\bar l))$ "
    r"over the stems $t$ of the question's content words, $k_1 = 1.2$, $b = 0.75$, "
    r"$\mathrm{idf}(t) = \log(1 + (N - n_t + \frac12)/(n_t + \frac12))$ over the section's $N$ sentences.",
    "rank-bm25": r"BM25Okapi of the rank-bm25 package over the section's sentences, $k_1 = 1.5$, $b = 0.75$.",
    "overlap": "$s_i$ is the number of different content stems of the question that sentence $i$ holds.",
}
IDF = (
    r"A word's idf is $\log(1 + (N - n + \frac12)/(n + \frac12))$: list idf over the section's sentences, file idf "
    "over all sentences of the file, question idf over the file's questions, both idf the product of the first two. "
    "Coverage is the share of the question's weight that a sentence holds."
)
COLUMNS = (
    r"A feature $x$ enters as four columns, compared inside its section: $x$; \emph{z}, $(x - \mathrm{mean}) / "
    r"(\mathrm{sd} + 10^{-6})$, 0 where $x$ is constant; \emph{below best}, $x - \max x$; \emph{is best}, 1 where "
    "$x$ is the greatest and not the least, else 0. Some enter with a further \\emph{z} for each type of question, "
    "which is 0 where the question is of another type."
)
LINEAR_SCORE = (
    r"The score is $s_i = \sum_c w_c (x_{ci} - m_c) / \sigma_c$ over all columns $c$; every weight $w_c$ with the "
    r"mean $m_c$ and scale $\sigma_c$ of its column is listed at the end."
)
FAMILIES = {
    "coverage": "coverage and BM25 of the question's stems, with and without stop words",
    "characters": "the same over runs of four characters of content words",
    "terms": "coverage of kinds of question words: names, numbers, first, last, those in the article's title or not; "
    "the rarest word held, words held by few sentences",
    "pairs": "coverage of the question's pairs of neighbouring stems",
    "opening": "coverage by the sentence's first words, by question idf, fading from word to word",
    "neighbours": "coverage by the two sentences before and after, and what they add to the sentence's own",
    "position": "place in the section and length",
    "answers": "words that could answer this type of question (who: names, when: dates ...), how rare they are in the "
    "section and how near they stand to words of the question",
}
_SPECIAL = str.maketrans(
    {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "×": r"$\times$"}
    | {character: f"\\{character}" for character in "&%$#_{}"}
    | {character: f"${character}$" for character in "|<>"}
)


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
    """The description as a LaTeX document: method, data and results, tools, set-up, weights."""
    return "\n".join(
        [
            r"\documentclass{article}",
            r"\usepackage[utf8]{inputenc}",
            r"\usepackage{longtable}",
            r"\begin{document}",
            rf"\title{{SelQA answer sentence selection}}\author{{{escape(facts.team)}}}\date{{}}\maketitle",
            *method_section(facts),
            *results_section(facts),
            *tools_sections(facts),
            *weights_section(facts),
            r"\end{document}",
            "",
        ]
    )


def itemize(rows: Sequence[str]) -> list[str]:
    """The lines of a bulleted list; none without rows."""
    return [r"\begin{itemize}", *(rf"\item {row}" for row in rows), r"\end{itemize}"] if rows else []


def method_section(facts: Facts) -> list[str]:
    """LaTeX lines of the section Method: the ranker, its formula and its feature families."""
    lines = [
        r"\section{Method}",
        r"Each sentence $i$ of a section gets a score $s_i$; its result is $P(i) = \exp s_i / \sum_j \exp s_j$ over "
        "the section's sentences that are not empty, and 0 for an empty one. No neural network and no pre-trained "
        "vectors are used, and nothing keys on a sentence, an article or a question.",
    ]
    if facts.model is None:
        lines += ["Nothing is trained.", METHODS[facts.method]]
        families = list(facts.untrained) if facts.method == "sum" else []
    else:
        learner = LEARNERS.get(facts.method, escape(facts.method))
        lines += [f"The ranker is {learner}.", COLUMNS, LINEAR_SCORE]
        families = list(facts.families)
    if families:
        described = [f"{escape(name)}: {escape(FAMILIES[name])}" for name in families]
        lines += [IDF, "Families of features:", *itemize(described)]
    return lines


def results_section(facts: Facts) -> list[str]:
    """LaTeX lines of the section Data and results: the answered file, the model's training data (by SHA-256), settings
    and cross-validated MRR, and the MRR of the result file where it has gold."""
    lines = [
        r"\section{Data and results}",
        f"Answered: {escape(facts.file)}, {facts.questions} questions with {facts.sentences} sentences.",
    ]
    if facts.model:
        for data in facts.model.data:
            digest = str(data["sha256"])[:16]
            lines.append(f"Trained on {escape(data['file'])} ({data['bytes']} bytes, SHA-256 {digest}\\ldots).")
        settings = [f"{name} {value}" for name, value in facts.model.settings.items() if value != []]
        lines += [f"Settings: {escape(', '.join(settings))}."] if settings else []
        # A model file of anybody's may have its figures in another form than training's, or none.
        figures, measured = facts.model.figures, facts.model.figures.get("cross-validated")
        if isinstance(measured, Mapping):
            values = figures.get("folds"), measured.get("MRR, average ties"), measured.get("standard error")
            if all(isinstance(value, int | float) for value in values):
                folds, mrr, error = values
                how = f"Cross-validated on the training data ({folds} folds by article)"
                lines.append(f"{how}: MRR {mrr:.4f}, standard error {error:.4f}.")
    if facts.mrr is not None:
        lines.append(f"MRR of the result file, ties at the mean of their ranks: {facts.mrr:.4f}.")
    return lines


def tools_sections(facts: Facts) -> list[str]:
    """LaTeX lines of the sections Tools (Python and required packages with versions) and Set-up (the commands that run
    the program and train its model)."""
    rows = [f"Python {platform.python_version()}"]
    for requirement in facts.requirements:
        name, _, version = requirement.partition("==")
        what = f": {escape(TOOLS[name])}" if name in TOOLS else ""
        rows.append(f"{escape(name)} {escape(version)}{what}")
    if facts.model and not any(row.startswith("scipy ") for row in rows):
        rows.append(f"scipy: {TOOLS['scipy']}")
    commands = ["pip install -r requirements.txt", "python answer.py SelQA-ass-test.json SelQA-ass-result.json"]
    lines = [r"\section{Tools}", *itemize(rows)]
    lines += [r"\section{Set-up}", r"\begin{verbatim}", *commands, r"\end{verbatim}"]
    if facts.model:
        files = " ".join(str(data["file"]) for data in facts.model.data)  # anybody's: nothing ends \texttt early
        train = escape(f"python -m answerer train selqa {files} -o model.json")
        lines += ["The model was made by (classical-qa installed):", "", rf"\noindent\texttt{{{train}}}"]
    return lines


def weights_section(facts: Facts) -> list[str]:
    """LaTeX lines of the section Weights, a table of every weight; [] for a method without weights."""
    model = facts.model
    if model:
        columns = zip(model.feature_names, model.weights, model.means, model.scales, strict=True)
        rows = [f"{escape(name)} & {weight:.6g} & {mean:.6g} & {scale:.6g}" for name, weight, mean, scale in columns]
        form, head = "lrrr", r"column $c$ & $w_c$ & $m_c$ & $\sigma_c$"
    elif facts.method == "sum":
        weights = [item for family in facts.untrained.values() for item in family.items()]
        rows = [f"{escape(name)} & {weight:g}" for name, weight in weights]
        form, head = "lr", r"feature $f$ & $w_f$"
    else:
        return []
    table = [rf"\begin{{longtable}}{{{form}}}", rf"{head} \\ \hline \endhead", *(rf"{row} \\" for row in rows)]
    return [r"\section{Weights}", r"\footnotesize", *table, r"\end{longtable}", r"\normalsize"]
