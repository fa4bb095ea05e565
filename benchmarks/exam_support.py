"""For how many questions of an exam do the books hold the deciding fact at all, and what becomes of
the others?

    python benchmarks/exam_support.py EXAM.xml GOLD.xml INDEX RUN.xml...

The deciding fact is held where, for every statement of the gold choice, some paragraph holds all
names of the statement (all but one where the false statement is the right answer) and at least half
of the idf of its terms; of a statement without names the terms alone decide. A fact told by other
names or over two paragraphs is not found.
"""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import click

from answerer.formats.answer_table import read_answer_table
from answerer.formats.exam.parts import ExamQuestion
from answerer.formats.exam.read import read_exam
from answerer.ntcir.multiple_choice.shapes import plan
from evaluation.significance import estimate
from indexer.address import open_index
from indexer.cli.program import run_program
from indexer.languages.language import Language
from indexer.sources.textbook.schema import PARAGRAPHS
from retriever.queries import analyser_of

Paragraph = tuple[frozenset[str], frozenset[str]]  # names, terms


class Books:
    """The paragraphs of an index, each with its names and terms."""

    def __init__(self, address: str, language: Language) -> None:
        index = open_index(address, "textbook", language)
        self._terms = analyser_of(index).terms
        self._names = language.recogniser()
        texts = [document.text for document in index.part(PARAGRAPHS.name).scan()]
        self._paragraphs = [self._read(text) for text in texts]
        self._counts = Counter(term for _, terms in self._paragraphs for term in terms)

    def _read(self, text: str) -> Paragraph:
        return frozenset(mention.key for mention in self._names.mentions(text)), frozenset(
            self._terms(text)
        )

    def _idf(self, term: str) -> float:
        return math.log(1 + len(self._paragraphs) / (0.5 + self._counts[term]))

    def hold(self, statement: str, missing: int) -> bool:
        """Whether a paragraph holds all names but `missing` and half of the idf of the terms."""
        names, terms = self._read(statement)
        half = sum(map(self._idf, terms)) / 2
        return any(
            len(names - own) <= min(missing, max(0, len(names) - 1))
            and sum(self._idf(term) for term in terms & held) >= half
            for own, held in self._paragraphs
        )

    def decide(self, question: ExamQuestion, gold: str) -> bool:
        """Whether the deciding fact is held for every statement of the gold choice."""
        made = plan(question)
        number = next(
            (n for n, choice in enumerate(question.choices) if choice.number == gold), None
        )
        if number is None:
            return False
        missing = 1 if question.asks == "F" else 0
        return all(self.hold(made.statements[place].text, missing) for place in made.rows[number])


@click.command()
@click.argument("exam_file", type=click.Path(path_type=Path))
@click.argument("gold_file", type=click.Path(path_type=Path))
@click.argument("index")
@click.argument("runs", nargs=-1, type=click.Path(path_type=Path))
def main(exam_file: Path, gold_file: Path, index: str, runs: tuple[Path, ...]) -> None:
    """Print the share of questions whose fact is held, and how many of them each run answers."""
    exam = read_exam(exam_file)
    golds = {row.column: row.answer for row in read_answer_table(gold_file).answers}
    books = Books(index, exam.language)
    held = {
        q.answer_column: books.decide(q, golds.get(q.answer_column, "")) for q in exam.questions
    }
    number = sum(held.values())
    error = estimate(list(map(float, held.values())))[1]
    print(f"{exam.name}\t{number} of {len(held)} held, {number / len(held):.3f} ± {error:.3f}")
    for run in runs:
        answers = {row.column: row.answer for row in read_answer_table(run).answers}
        right = {column for column in held if answers.get(column) == golds.get(column)}
        among = len([column for column in right if held[column]])
        print(
            f"{run}\tright {among} of the {number} held, {len(right) - among} of the "
            f"{len(held) - number} others"
        )


if __name__ == "__main__":
    run_program(main, "python benchmarks/exam_support.py")
