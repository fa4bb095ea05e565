"""Definitions told by sentences: the questions of WikiQA files that ask what or who something is,
asked of all their sentences as one book, each question's candidates a paragraph.

    QA_DATA=… python benchmarks/telling.py

A sentence is right where the file's sentence of that text is, whole or in part; the paragraphs are
cut anew by the index. The second row lets no sign count: BM25 and the share of the matter alone.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import click
from packs import pack

from answerer.asking import textbook as telling
from answerer.ntcir.term.candidates import retrieve
from answerer.ntcir.term.language import index_language
from answerer.ntcir.term.questions import read_question
from evaluation.significance import estimate
from evaluation.tables import print_rows
from indexer import build_textbook
from indexer.cli.program import run_program
from indexer.engines.contract import Index
from indexer.engines.opening import open_index
from indexer.formats.labels import CandidateList
from indexer.formats.sentence_rows import read_sentence_file

FILES = ("WikiQA-dev.tsv", "WikiQASent-train.txt")
SHORTEST = 20
"""Characters of a piece of a right sentence that counts as it."""


def reciprocal_rank(texts: Sequence[str], right: Sequence[str]) -> float:
    """One by the rank of the first sentence that is a right one; 0 where none is."""
    ranks = (
        rank
        for rank, text in enumerate(texts, 1)
        if any(one in text or (len(text) > SHORTEST and text in one) for one in right)
    )
    return next((1 / rank for rank in ranks), 0.0)


def row(name: str, lists: Sequence[CandidateList], index: Index) -> dict[str, object]:
    """Accuracy and mean reciprocal rank, with standard errors, of the questions that name what they
    ask of."""
    language = index_language(index)
    values = []
    for one in lists:
        matter = telling.matter_of(one.question)
        if matter is None or matter.asked != "what":
            continue
        (found,) = retrieve(
            [read_question(matter.text, language.language)], index, language.analyser
        )
        told = telling.definition_sentences(matter, found, language)
        right = [text for text, gold in zip(one.candidates, one.gold or (), strict=True) if gold]
        if told:
            values.append(reciprocal_rank([each.text.strip() for each in told], right))
    first, mean = estimate([float(value == 1) for value in values]), estimate(values)
    errors = [f"{one.standard_error or 0:.4f}" for one in (first, mean)]
    return {
        "signs": name,
        "questions": len(values),
        "first right": f"{first.mean:.4f}",
        "standard error": errors[0],
        "MRR": f"{mean.mean:.4f}",
        "standard error of MRR": errors[1],
    }


@click.command(help=(__doc__ or "").replace("\n\n", "\n\n\b\n", 1))
def main() -> None:
    """Build the book, ask it with the signs and without."""
    lists = [one for file in FILES for one in read_sentence_file(pack("wikiqa", file)).lists]
    texts = dict.fromkeys(" ".join(one.candidates) for one in lists)
    with tempfile.TemporaryDirectory() as folder:
        book = [{"id": str(number), "text": text} for number, text in enumerate(texts)]
        index = open_index(build_textbook(book, Path(folder, "book"), language="en").address)
        answered = [one for one in lists if one.gold and any(one.gold)]
        rows = [row("all", answered, index)]
        telling.GAIN = 0.0
        print_rows([*rows, row("none", answered, index)], "tsv")


if __name__ == "__main__":
    run_program(main, "python benchmarks/telling.py")
