"""Makes a knowledge base of any size, with questions about it whose answers are known.

    python benchmarks/huge_kb.py mini_kb.kb huge.kb --subjects 8700000 --questions 2000

Names are pieced together from those of a real knowledge base, so that they share characters as real
ones do; one in eight has a detail in parentheses, one subject in thirty comes back later. Beside
the knowledge base stand `huge.kb.exact` and `huge.kb.misspelt`: questions in the official blocks,
the second with one character of each name changed.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TextIO

import click
from harder_kb import SEPARATOR, Fact, read_facts

from indexer.cli.program import run_program
from indexer.sources.triples.schema import split_subject

AT_ONCE = 10_000
WAITING = 5_000
TEMPLATES = (
    "{}的{}是什么？",
    "请问{}的{}是什么？",
    "你知道{}的{}吗？",
    "我想知道{}的{}是多少？",
    "{}的{}是谁？",
)


class Material(NamedTuple):
    """What names and facts are made of; repeats keep the frequencies of the source."""

    pieces: Sequence[str]
    details: Sequence[str]
    predicates: Sequence[str]
    objects: Sequence[str]


def material_of(facts: Sequence[Fact]) -> Material:
    """Names cut into pieces of two and three characters; details, predicates and objects as they
    are."""
    pieces, details = [], []
    for subject in dict.fromkeys(subject for subject, _, _ in facts):
        name, detail = split_subject(subject)
        start = 0
        while start < len(name):
            step = 2 + (len(name) + start) % 2
            pieces.append(name[start : start + step])
            start += step
        if detail:
            details.append(detail)
    return Material(pieces, details, [fact[1] for fact in facts], [fact[2] for fact in facts])


def subjects(material: Material, count: int, draw: random.Random) -> Iterator[str]:
    """Names of two or three pieces, one in eight with a detail."""
    for start in range(0, count, AT_ONCE):
        some = min(AT_ONCE, count - start)
        drawn = [draw.choices(material.pieces, k=some) for _ in range(3)]
        for one, two, three in zip(*drawn, strict=True):
            chance = draw.random()
            name = one + two if chance < 0.6 else one + two + three
            yield f"{name}({draw.choice(material.details)})" if chance % 0.125 < 0.0156 else name


def runs(material: Material, count: int, draw: random.Random) -> Iterator[list[Fact]]:
    """The facts of each subject, about five; one subject in thirty comes back some thousand
    subjects later."""
    waiting: deque[list[Fact]] = deque()
    for subject in subjects(material, count, draw):
        size = draw.randrange(1, 10)
        drawn = zip(
            draw.choices(material.predicates, k=size),
            draw.choices(material.objects, k=size),
            strict=True,
        )
        facts = [(subject, predicate, value) for predicate, value in drawn]
        if size > 1 and draw.random() < 0.033:
            waiting.append(facts[size // 2 :])
            facts = facts[: size // 2]
        yield facts
        if len(waiting) > WAITING:
            yield waiting.popleft()
    yield from waiting


def misspelt(name: str, draw: random.Random) -> str:
    """The name with one character inside it exchanged for another of the same script's range."""
    place = draw.randrange(1, len(name) - 1)
    other = (
        chr(draw.randrange(0x4E00, 0x9FA5))
        if ord(name[place]) > 0x2E80
        else draw.choice("abcdefghijkl0123456789")
    )
    return name[:place] + other + name[place + 1 :]


def write_question(file: TextIO, number: int, fact: Fact, name: str, draw: random.Random) -> None:
    """An official block with question, triple and answer."""
    text = draw.choice(TEMPLATES).format(name, fact[1])
    triple = SEPARATOR.join(fact)
    file.write(
        f"<question id={number}>\t{text}\n<triple id={number}>\t{triple}\n<answer "
        f"id={number}>\t{fact[2]}\n"
    )
    file.write("=" * 50 + "\n")


@click.command()
@click.argument("source", type=click.Path(exists=True, path_type=Path))
@click.argument("target", type=click.Path(path_type=Path))
@click.option(
    "--subjects",
    "count",
    default=8_700_000,
    help="How many subjects, five facts each [8.7 million].",
)
@click.option("--questions", default=2_000, help="How many questions of each sort [2,000].")
@click.option("--seed", default=0)
def main(source: Path, target: Path, count: int, questions: int, seed: int) -> None:
    """Write the knowledge base and its questions."""
    material = material_of(read_facts(source))
    draw, asking = random.Random(seed), random.Random(seed + 1)
    every, asked, facts_written = max(1, count // questions), 0, 0
    names = [Path(f"{target}{ending}") for ending in ("", ".exact", ".misspelt")]
    with (
        names[0].open("w", encoding="utf-8") as kb,
        names[1].open("w") as exact,
        names[2].open("w") as wrong,
    ):
        for number, facts in enumerate(runs(material, count, draw)):
            kb.writelines(
                f"{subject} ||| {predicate} ||| {value}\n" for subject, predicate, value in facts
            )
            facts_written += len(facts)
            name = split_subject(facts[0][0])[0] if number % every == 0 else ""
            if asked < questions and len(name) > 3:
                asked += 1
                write_question(exact, asked, facts[0], name, asking)
                write_question(wrong, asked, facts[0], misspelt(name, asking), asking)
    click.echo(
        f"{facts_written:,} facts of {count:,} subjects, {asked:,} questions of each sort", err=True
    )


if __name__ == "__main__":
    run_program(main, "python benchmarks/huge_kb.py")
