"""Questions linked each second, exactly and fuzzily, and how often the right subject is among the
links.

    python benchmarks/kb_linking.py INDEX huge.kb.exact huge.kb.misspelt

The question files are those of `huge_kb.py` (official blocks with triples). Facts are decoded and
merged, as the answerer needs them. `first` is the share whose best mention (longest, or most
similar) leads to the right subject.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence

import click

from answerer.formats.nlpcc_kbqa import KbqaQuestion, read_questions
from answerer.nlpcc.kbqa.linking import Link
from answerer.nlpcc.kbqa.task import AT_ONCE, linker_of
from indexer.cli.program import run_program
from indexer.engines.contract import Index
from indexer.engines.opening import open_index
from indexer.sources.triples.schema import fold, split_subject


def linked(
    index: Index, questions: Sequence[KbqaQuestion], fuzzy: bool
) -> tuple[list[list[Link]], float]:
    """The links of all questions, and the seconds that took."""
    linker = linker_of(index, fuzzy)
    found: list[list[Link]] = []
    begun = time.perf_counter()
    for start in range(0, len(questions), AT_ONCE):
        found += linker.link(
            [fold(question.text) for question in questions[start : start + AT_ONCE]]
        )
    return found, time.perf_counter() - begun


def figures(
    questions: Sequence[KbqaQuestion], links: Sequence[Sequence[Link]], seconds: float
) -> dict[str, float]:
    """Questions a second, links a question, and the shares found at all and first."""
    reached = first = total = 0
    for question, found in zip(questions, links, strict=True):
        total += len(found)
        right = split_subject(question.triple[0])[0] if question.triple else ""
        names = {link.mention: split_subject(link.subject.name)[0] for link in found}
        reached += right in names.values()
        if names:
            best = max(
                names,
                key=lambda mention: (
                    mention.exact,
                    mention.similarity,
                    len(mention.name),
                    mention.name,
                ),
            )
            if not any(mention.exact and len(mention.name) > 2 for mention in names):
                best = max(
                    names,
                    key=lambda mention: (mention.similarity * len(mention.name), mention.name),
                )
            first += names[best] == right
    count = len(questions)
    return {
        "questions/s": round(count / seconds, 1),
        "links": round(total / count, 1),
        "reached": round(reached / count, 3),
        "first": round(first / count, 3),
    }


@click.command()
@click.argument("address")
@click.argument("files", nargs=-1, required=True)
@click.option("--questions", "most", default=1_000, help="At most so many of each file [1,000].")
def main(address: str, files: tuple[str, ...], most: int) -> None:
    """Print a JSON line for each file and way of linking."""
    index = open_index(address, "triples")
    for file in files:
        questions = read_questions(file)[:most]
        for fuzzy in (False, True):
            links, seconds = linked(index, questions, fuzzy)
            row = {
                "file": file,
                "linking": "fuzzy" if fuzzy else "exact",
                **figures(questions, links, seconds),
            }
            click.echo(json.dumps(row, ensure_ascii=False))


if __name__ == "__main__":
    run_program(main, "python benchmarks/kb_linking.py")
