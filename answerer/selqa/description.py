"""The LaTeX description of a SelQA submission: method, tools and set-up, made of what ran."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

TOOLS = {
    "classical-qa": "this system",
    "numpy": "features for all pairs at once",
    "scipy": "L-BFGS",
    "PyStemmer": "English stems",
    "click": "command lines",
}
LEARNERS = {
    "listwise": "a list-wise conditional logit: the probability of a sentence is the softmax of a linear score over "
    "the sentences of its section; the weights maximise the likelihood of the right sentences, with an L2 penalty, "
    "by L-BFGS",
    "pointwise": "logistic regression over single sentences, with an L2 penalty, by L-BFGS",
    "lambdamart": "LambdaMART, boosted regression trees by LightGBM",
}
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "×": r"$\times$",
    "|": r"$|$",
    "<": r"$<$",
    ">": r"$>$",
}


def escape(text: object) -> str:
    """A text as LaTeX prints it literally."""
    return "".join(_SPECIAL.get(character, character) for character in str(text))


def latex(facts: Mapping[str, Any]) -> str:
    """The description as a LaTeX document; `facts` as `answerer.selqa.submission` gathers them."""
    parts = [
        r"\documentclass{article}",
        r"\usepackage[utf8]{inputenc}",
        r"\begin{document}",
        rf"\title{{SelQA answer sentence selection}}\author{{{escape(facts['team'])}}}\date{{}}\maketitle",
        *_method(facts),
        *_results(facts),
        *_tools(),
        *_set_up(facts),
        r"\end{document}",
    ]
    return "\n".join(parts) + "\n"


def _items(rows: list[str]) -> list[str]:
    return [r"\begin{itemize}", *(rf"\item {row}" for row in rows), r"\end{itemize}"] if rows else []


def _method(facts: Mapping[str, Any]) -> list[str]:
    learner = LEARNERS.get(facts["method"])
    if learner is None:
        how = f"No training: {escape(facts['method line'] or facts['method'])}."
    else:
        how = (
            f"The ranker is {learner}. Every feature enters as it is and compared inside its section "
            "(standardised, below the best, is the best). No neural network and no pre-trained vectors are used, "
            "and nothing keys on a sentence, an article or a question."
        )
    lines = [r"\section{Method}", how]
    if facts["families"]:
        lines += ["Families of features, with their numbers:"]
        lines += _items([f"{escape(name)}: {count}" for name, count in facts["families"].items()])
    if facts["strongest"]:
        lines += ["The columns with the largest weights (all columns standardised):"]
        lines += _items([f"{escape(name)}: {weight:+.3f}" for name, weight in facts["strongest"]])
    return lines


def _results(facts: Mapping[str, Any]) -> list[str]:
    lines = [
        r"\section{Data and results}",
        f"Answered: {escape(facts['file'])}, {facts['questions']} questions with {facts['sentences']} sentences. "
        "A result is the sentence's probability; an empty sentence has 0.",
    ]
    for data in facts["training data"]:
        digest = str(data["sha256"])[:16]
        lines.append(f"Trained on {escape(data['file'])} ({data['bytes']} bytes, SHA-256 {digest}\\ldots).")
    if facts["settings"]:
        settings = [f"{name} {value}" for name, value in facts["settings"].items() if value != []]
        lines.append(f"Settings: {escape(', '.join(settings))}.")
    figures = facts["figures"].get("cross-validated")
    if figures:
        lines.append(
            f"Cross-validated on the training data ({facts['figures']['folds']} folds by article): "
            f"MRR {figures['MRR, average ties']:.4f}, standard error {figures['standard error']:.4f}."
        )
    if facts["MRR"] is not None:
        lines.append(f"MRR of the result file, ties at the mean of their ranks: {facts['MRR']:.4f}.")
    return lines


def _tools() -> list[str]:
    rows = [f"Python {platform.python_version()}"]
    rows += [f"{escape(name)} {escape(_version(name))}: {escape(what)}" for name, what in TOOLS.items()]
    return [r"\section{Tools}", *_items(rows)]


def _version(name: str) -> str:
    from importlib.metadata import PackageNotFoundError

    try:
        return version(name)
    except PackageNotFoundError:
        return "(from its source folder)"


def _set_up(facts: Mapping[str, Any]) -> list[str]:
    commands = ["pip install ."]
    if facts["training data"]:
        files = " ".join(str(data["file"]) for data in facts["training data"])
        commands.append(f"python -m answerer train selqa {files} -o model.json --ranker {facts['method']}")
    commands.append("python answer.py SelQA-ass-test.json SelQA-ass-result.json")
    return [r"\section{Set-up}", r"\begin{verbatim}", *commands, r"\end{verbatim}"]
