"""Grows a small knowledge base into a harder one: homonyms with conflicting facts, near-synonym
predicates.

    python benchmarks/harder_kb.py mini_kb_hard.kb harder.kb

Looks at no question. Every subject gets facts under predicates that share characters with its own;
every name gets homonyms (a name with another's parentheses) that contradict some of its facts.
Objects are drawn from those that the predicate has elsewhere, so that nothing but the question
tells which fact is asked for.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click

from indexer.cli.program import run_program
from indexer.sources.triples.schema import clean_predicate, split_subject

Fact = tuple[str, str, str]
NEAREST = 8
SEPARATOR = " ||| "


def read_facts(path: Path) -> list[Fact]:
    """The whole triples of a knowledge base file."""
    lines = (line.split(SEPARATOR, 2) for line in path.read_text("utf-8").splitlines())
    return [
        (fields[0], fields[1], fields[2]) for fields in lines if len(fields) == 3 and all(fields)
    ]


def near_synonyms(predicates: Sequence[str]) -> dict[str, list[str]]:
    """For each predicate the up to 8 others with the highest idf-weighted Jaccard overlap of
    characters, over .25."""
    holding: dict[str, list[int]] = defaultdict(list)
    sets = [set(clean_predicate(predicate)) for predicate in predicates]
    for number, characters in enumerate(sets):
        for character in sorted(characters):
            holding[character].append(number)
    idf = {
        character: math.log(1 + len(sets) / len(numbers)) for character, numbers in holding.items()
    }
    weight = [sum(idf[character] for character in sorted(characters)) for characters in sets]
    found = {}
    for number, characters in enumerate(sets):
        shared: dict[int, float] = defaultdict(float)
        for character in sorted(characters):
            for other in holding[character]:
                shared[other] += idf[character]
        overlap = {
            other: value / (weight[number] + weight[other] - value)
            for other, value in shared.items()
            if sets[other] != characters
        }
        best = sorted(overlap, key=lambda other: (-overlap[other], other))[:NEAREST]
        found[predicates[number]] = [predicates[other] for other in best if overlap[other] > 0.25]
    return found


class Grower:
    """Draws the new facts."""

    def __init__(self, facts: Sequence[Fact], seed: int) -> None:
        self._random = random.Random(seed)
        self._pool: dict[str, list[str]] = defaultdict(list)
        for _, predicate, value in facts:
            self._pool[predicate].append(value)
        self._predicates = sorted(self._pool)
        self._near = near_synonyms(self._predicates)
        self._details = [detail for subject, _, _ in facts if (detail := split_subject(subject)[1])]

    def grow(
        self, facts: Sequence[Fact], synonyms: float, homonyms: int, conflict: float
    ) -> Iterator[Fact]:
        """The facts themselves and all new ones."""
        by_subject: dict[str, list[Fact]] = defaultdict(list)
        for fact in facts:
            by_subject[fact[0]].append(fact)
            yield fact
            if self._random.random() < synonyms:
                yield from self._beside(fact[0], fact[1])
        by_name: dict[str, list[Fact]] = defaultdict(list)
        for subject, own in by_subject.items():
            by_name[split_subject(subject)[0]] += own
        for name, own in by_name.items():
            for _ in range(homonyms):
                yield from self._homonym(
                    f"{name}({self._random.choice(self._details)})", own, conflict
                )

    def _beside(self, subject: str, predicate: str) -> Iterator[Fact]:
        """A fact of the subject under a near synonym of the predicate, where there is one."""
        near = self._near[predicate]
        if near:
            yield self._fact(subject, self._random.choice(near))

    def _homonym(self, subject: str, own: Sequence[Fact], conflict: float) -> Iterator[Fact]:
        """A fact for each of the name's: under the same predicate (a conflict), a near synonym or
        any other."""
        for _, predicate, _ in own[:12]:
            if self._random.random() < conflict:
                yield self._fact(subject, predicate)
            elif self._near[predicate] and self._random.random() < 0.5:
                yield self._fact(subject, self._random.choice(self._near[predicate]))
            else:
                yield self._fact(subject, self._random.choice(self._predicates))

    def _fact(self, subject: str, predicate: str) -> Fact:
        return subject, predicate, self._random.choice(self._pool[predicate])


def harder(
    facts: Sequence[Fact], *, synonyms: float, homonyms: int, conflict: float, seed: int
) -> Mapping[str, list[Fact]]:
    """The grown facts by subject, subjects in the order of their first fact, none twice."""
    grown: dict[str, dict[Fact, None]] = defaultdict(dict)
    for fact in Grower(facts, seed).grow(facts, synonyms, homonyms, conflict):
        grown[fact[0]][fact] = None
    return {subject: list(found) for subject, found in grown.items()}


@click.command()
@click.argument("source", type=click.Path(exists=True, path_type=Path))
@click.argument("target", type=click.Path(path_type=Path))
@click.option(
    "--synonyms",
    default=0.8,
    help="Share of facts that get one beside them under a near synonym [.8].",
)
@click.option("--homonyms", default=2, help="New subjects of each name [2].")
@click.option(
    "--conflict",
    default=0.1,
    help="Share of a homonym's facts that contradict the name's own [.1].",
)
@click.option("--seed", default=0)
def main(
    source: Path, target: Path, synonyms: float, homonyms: int, conflict: float, seed: int
) -> None:
    """Write the harder knowledge base."""
    grown = harder(
        read_facts(source), synonyms=synonyms, homonyms=homonyms, conflict=conflict, seed=seed
    )
    with target.open("w", encoding="utf-8") as file:
        for facts in grown.values():
            file.writelines(f"{SEPARATOR.join(fact)}\n" for fact in facts)
    click.echo(f"{sum(map(len, grown.values())):,} facts of {len(grown):,} subjects", err=True)


if __name__ == "__main__":
    run_program(main, "python benchmarks/harder_kb.py")
