"""The answer of a dataset: derivations over all its tables, scored, and their probabilities summed by answer."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from answerer.datasearch.operations.matching import FeatureBlock, Match
from answerer.datasearch.operations.records import Derivation, list_derivations
from answerer.datasearch.operations.statistics import matrix_derivations
from answerer.datasearch.question.analysis import AnalysedQuestion, read_question
from answerer.datasearch.tables.library import LoadedDataset
from answerer.datasearch.tables.view import View
from indexer.tables.values import parse_value
from retriever.learning.model import WEIGHTS_FILE, packaged_weights

WEIGHTS_PATH = Path(__file__).with_name(WEIGHTS_FILE)
# The prefix of the names of features of lists of statistics.
PIVOTED = "crossed "

_OF_RECORDS = packaged_weights(__package__)
# Weight by feature name; a feature that is not named weighs nothing. Statistics begin with the weights of records.
DEFAULT_WEIGHTS = {
    **_OF_RECORDS,
    **{
        f"matrix {name}": weight
        for name, weight in _OF_RECORDS.items()
        if name.startswith(("uncovered", "answer ", "asks ")) and " shape " not in name
    },
    **{f"{PIVOTED}{name}": weight for name, weight in _OF_RECORDS.items() if not name.startswith("matrix ")},
}

_OF_A_TABLE = 100_000  # added to column numbers for each table before, so that places of tables differ

# Answer for a dataset without any text, for every question needs an answer.
UNANSWERABLE = "unknown"


class DerivedAnswer(NamedTuple):
    """An answer: its probability, and the best derivation of it with its score."""

    answer: str
    probability: float
    derivation: Derivation
    score: float


def derive(text: str, views: Sequence[View]) -> list[Derivation]:
    """All derivations of a question over the tables of a dataset; places are made unlike between tables."""
    question = read_question(text)
    # With one table places stay, and there is nothing to choose.
    if len(views) == 1:
        return list(_of_table(Match(question, views[0])))
    found: list[Derivation] = []
    for number, (view, block) in enumerate(zip(views, _table_blocks(question, views), strict=True)):
        for derivation in _of_table(Match(question, view)):
            row, column = derivation.place
            place = (row, column + number * _OF_A_TABLE)
            found.append(derivation._replace(place=place, blocks=(*derivation.blocks, block)))
    return found


def view_of(derivation: Derivation, views: Sequence[View]) -> tuple[View, tuple[int, int]]:
    """The table of a derivation made by `derive` over these views, and the place in that table."""
    row, column = derivation.place
    number = column // _OF_A_TABLE
    return views[number], (row, column - number * _OF_A_TABLE)


def _table_blocks(question: AnalysedQuestion, views: Sequence[View]) -> list[FeatureBlock]:
    """Features of each of several tables: the share of the question's words that the best table has and it lacks,
    and 1 for the best; titles, notes and names of files count.

    Words are weighted by their idf over the tables: a word of all tables does not distinguish them.
    """
    held = [set(filter(view.speaks_of, question.content)) for view in views]
    counts = Counter(word for words in held for word in words)
    rarity = {word: math.log((len(views) + 1) / count) for word, count in counts.items()}
    total = sum(rarity.values())
    shares = [sum(rarity[word] for word in words) / total if total else 0.0 for words in held]
    # Relative to the best table: long questions have words of no table.
    best = max(shares, default=0.0)
    return [(("table lacks", best - share), ("table best", float(share == best))) for share in shares]


def _of_table(match: Match) -> Iterator[Derivation]:
    """The derivations over one table; of lists of statistics features have separate names, since other lists teach
    nothing about them."""
    if match.view.table.matrix:
        yield from matrix_derivations(match) if match.view.size else ()
    elif not match.view.keys:
        yield from list_derivations(match)
    else:
        named: dict[int, tuple[FeatureBlock, FeatureBlock]] = {}  # by identity: blocks are shared between derivations
        for derivation in list_derivations(match):
            blocks = []
            for block in derivation.blocks:
                # The block is kept with its new one: otherwise its id could become that of another.
                if id(block) not in named:
                    named[id(block)] = (block, tuple((f"{PIVOTED}{name}", value) for name, value in block))
                blocks.append(named[id(block)][1])
            yield derivation._replace(blocks=tuple(blocks))


def score_all(derivations: Sequence[Derivation], weights: Mapping[str, float]) -> list[float]:
    """The score of each derivation: the sum of its features' values times their weights."""
    known: dict[int, float] = {}
    scores = []
    for derivation in derivations:
        total = 0.0
        for block in derivation.blocks:
            # By identity: to hash a block's features takes longer than to sum them.
            score = known.get(id(block))
            if score is None:
                score = known[id(block)] = block_score(block, weights)
            total += score
        scores.append(total)
    return scores


def block_score(block: FeatureBlock, weights: Mapping[str, float]) -> float:
    """The sum of a block's feature values times their weights."""
    return sum(weights.get(name, 0.0) * value for name, value in block)


def answer_key(derivation: Derivation) -> tuple[object, ...]:
    """Key that derivations of one answer share: its text; for a figure also its cell, for the same figure in two
    cells is chance."""
    value = parse_value(derivation.answer)
    figure = value.kind == "missing" or (value.kind == "number" and value.year is None)
    return (derivation.answer, derivation.place) if figure else (derivation.answer,)


def rank(derivations: Sequence[Derivation], scores: Sequence[float]) -> list[DerivedAnswer]:
    """The answers by falling probability, ties in the order of their first derivation; each text once."""
    if not derivations:
        return []
    # Subtracted, for exp of large scores overflows.
    highest = max(scores)
    shares: dict[tuple[object, ...], float] = {}
    best: dict[tuple[object, ...], int] = {}
    for place, (derivation, score) in enumerate(zip(derivations, scores, strict=True)):
        key = answer_key(derivation)
        shares[key] = shares.get(key, 0.0) + math.exp(score - highest)
        if key not in best or score > scores[best[key]]:
            best[key] = place
    total = math.fsum(shares.values())
    ranked: dict[str, DerivedAnswer] = {}
    # Rounded, so that equal answers stay in their order on every processor.
    for key in sorted(shares, key=lambda key: -round(shares[key] / total, 12)):
        derivation = derivations[best[key]]
        candidate = DerivedAnswer(derivation.answer, shares[key] / total, derivation, scores[best[key]])
        # A figure that two cells have is one answer to the reader: the better one.
        ranked.setdefault(derivation.answer, candidate)
    return list(ranked.values())


def fallback(dataset: LoadedDataset) -> str:
    """A text of a dataset without any derivation: the first heading, title or note, else of its metadata."""
    for view in dataset.views:
        # The lowest heading says most.
        headings = [path[-1] for path in view.table.columns if path]
        for text in (*headings, view.table.title, *view.table.notes):
            if text.strip():
                return text
    return dataset.title or dataset.description or UNANSWERABLE
