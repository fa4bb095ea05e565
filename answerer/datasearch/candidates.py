"""The answer of a dataset: derivations over all its tables, scored, and their probabilities summed by answer."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from answerer.datasearch.operations.records import Derivation, list_derivations
from answerer.datasearch.operations.selection import FeatureBlock, Match
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
    """An answer text, its probability (0 to 1, summed over its derivations), and its best-scoring derivation with the
    score."""

    answer: str
    probability: float
    derivation: Derivation
    score: float


def derive(text: str, views: Sequence[View]) -> list[Derivation]:
    """All derivations of answers to the question `text` from the tables of one dataset, as `views`.

    With several tables, the column in each `place` is increased by `_OF_A_TABLE` for each preceding table (`view_of`
    undoes it), and a block of features of the table is added.
    """
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
    """The table that a derivation made by `derive(text, views)` is from, and the (row, column) of its answer in that
    table."""
    row, column = derivation.place
    number = column // _OF_A_TABLE
    return views[number], (row, column - number * _OF_A_TABLE)


def _table_blocks(question: AnalysedQuestion, views: Sequence[View]) -> list[FeatureBlock]:
    """One feature block for each of several tables, in their order.

    `table lacks`: the idf-weighted fraction of the question's words found in the best table, minus the fraction found
    in this table. `table best`: 1 for the best table and all that tie with it, else 0. Words in cells, headings,
    titles, notes and file names count; idf = ln((N + 1) / number of tables with the word) over N tables.
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
    """Yields the derivations over one table.

    For a list of statistics (one with key columns) feature names get the prefix `PIVOTED`: its weights are learned
    separately from those of other lists.
    """
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
    """The score of each derivation, in order: Σ weight × value over its features, 0 for a feature without a weight."""
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
    """The key that derivations of the same answer share: (text,), for a figure or a missing value (text, place).

    Equal figures in two cells are equal by chance, so they count as different answers.
    """
    value = parse_value(derivation.answer)
    figure = value.kind == "missing" or (value.kind == "number" and value.year is None)
    return (derivation.answer, derivation.place) if figure else (derivation.answer,)


def rank(derivations: Sequence[Derivation], scores: Sequence[float]) -> list[DerivedAnswer]:
    """The answers by falling probability, each text once; ties keep the order of their first derivations, [] without
    any.

    The probability of an answer is the softmax of `scores` (one for each derivation), summed over the derivations with
    its `answer_key`. Of two keys with the same text the more probable is kept.
    """
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
    """The answer for a dataset without any derivation: the first non-blank of a table's headings, title and notes,
    table by table, else the dataset's title or description, else `unknown`."""
    for view in dataset.views:
        # The lowest heading says most.
        headings = [path[-1] for path in view.table.columns if path]
        for text in (*headings, view.table.title, *view.table.notes):
            if text.strip():
                return text
    return dataset.title or dataset.description or UNANSWERABLE
