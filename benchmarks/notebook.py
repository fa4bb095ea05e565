"""Writes docs/first-steps.ipynb, executed: `python benchmarks/notebook.py` (needs nbclient, pandas).

The cells stand here; the notebook is run in a passing folder beside the samples, so that its
outputs are what they say.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

import click

from indexer.cli.program import run_program
from indexer.files.atomic import write_text

ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "docs" / "first-steps.ipynb"
SECONDS = 300

CELLS: tuple[tuple[str, str], ...] = (
    (
        "markdown",
        "# First steps\n\nIndex a textbook, ask it, answer an exam, look at the evidence, score "
        "and compare. "
        "All files are the project's samples; [docs/python.md](python.md) says more.",
    ),
    (
        "code",
        "from answerer import answer, ask\nfrom evaluation import compare, score\n"
        "from indexer import build_textbook\nfrom retriever import open_index\n\n"
        'book = build_textbook("samples/textbook-en.jsonl", "out/book", '
        'terms="samples/glossary-en.csv")\nbook',
    ),
    (
        "markdown",
        "## Search\n\nA query is plain text; `explain` says what every term gave to a score.",
    ),
    ("code", 'index = open_index(book)\nindex.search("Who built the Taj Mahal?", k=3)'),
    ("code", 'index.explain("Who built the Taj Mahal?", k=1)'),
    ("markdown", "## Ask\n\nAnswers come best first, each with the sources that bear it."),
    (
        "code",
        'reply = ask("Who built the Taj Mahal?", index)\n[(one.text, one.sources[0].text) for one '
        "in reply]",
    ),
    (
        "markdown",
        "## An exam\n\nOfficial file in; the run holds the official answer table and the evidence.",
    ),
    (
        "code",
        'names = answer("ntcir-mc", "samples/sample-exam-en.xml", '
        "index=index)\nnames.to_frame().head().round(2)",
    ),
    (
        "markdown",
        "What decided a question: the score of each choice, and the passages nearest to the one "
        "chosen.",
    ),
    (
        "code",
        "def chosen(question):\n"
        "    return next(one for one in question.candidates if one.id in question.system)\n\n\n"
        "shown = next(one for one in names.questions if "
        "chosen(one).evidence)\nprint(shown.question)\n"
        'for choice in shown.candidates:\n    print(f"{choice.score:7.2f}  {choice.text}")\n'
        "[passage.text for passage in chosen(shown).evidence[:2]]",
    ),
    ("markdown", "## Figures\n\nThe official measure, by shape of question."),
    (
        "code",
        'gold = "samples/sample-exam-en.gold.xml"\nfigures = score("ntcir-mc", gold, '
        "names)\nfigures.to_frame()",
    ),
    (
        "markdown",
        "## Compare\n\nTwo methods over the same questions, with an interval and a randomisation "
        "test.",
    ),
    (
        "code",
        'slqal = answer("ntcir-mc", "samples/sample-exam-en.xml", index=index, method="slqal")\n'
        'compare("ntcir-mc", gold, slqal, names).to_frame().T',
    ),
)


def notebook() -> Any:
    """The notebook without outputs; its cells are called by their number, so that it is the same
    each time."""
    import nbformat

    made = nbformat.v4.new_notebook()
    make = {"markdown": nbformat.v4.new_markdown_cell, "code": nbformat.v4.new_code_cell}
    for number, (kind, text) in enumerate(CELLS, 1):
        cell = make[kind](text)
        cell["id"] = f"cell-{number:02d}"
        made.cells.append(cell)
    made.metadata["kernelspec"] = {
        "display_name": "Python 3",
        "language": "python",
        "name": "python3",
    }
    return made


def executed(made: Any) -> Any:
    """The notebook with its outputs, run in a folder of its own beside the samples."""
    from nbclient import NotebookClient

    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "samples", Path(folder) / "samples")
        client = NotebookClient(
            made,
            timeout=SECONDS,
            kernel_name="python3",
            resources={"metadata": {"path": folder}},
            record_timing=False,
        )
        client.execute()
    made.metadata.pop("language_info", None)
    return made


@click.command()
def main() -> None:
    """Write the notebook anew."""
    import nbformat

    write_text(NOTEBOOK, nbformat.writes(executed(notebook())) + "\n")


if __name__ == "__main__":
    run_program(main, "python benchmarks/notebook.py")
