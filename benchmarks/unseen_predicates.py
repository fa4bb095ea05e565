"""KBQA of predicates that training never saw: all questions of a predicate are held out together.

    QA_DATA=… python benchmarks/unseen_predicates.py INDEX --share 4 --seed 0 --seed 1

Accuracy@1 on the 2016 training questions over all candidates that the index gives, a line a seed
and ranker: hand weights, weights learned without templates (as the program's own model), and with
them. Templates of a question come from all questions of other predicates; weights are fitted as
`answerer train` fits them, on the other predicates of the share (beside templates of `train`'s own
folds). Questions without a right candidate are left out. `above` is the paired difference to the
line above.

Right predicates are new here and others are not, so that a ranker that likes what is new would look
good: weights may not be fitted on these folds.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence

import click
import numpy as np
from packs import pack

from answerer.formats.nlpcc_kbqa import KbqaQuestion, read_questions
from answerer.nlpcc.kbqa.ranker import (
    CharacterStatistics,
    FactFeatures,
    FactRanker,
    fact_ranker,
    rank,
    statistics_of,
)
from answerer.nlpcc.kbqa.relation_phrase import relation_phrase
from answerer.nlpcc.kbqa.task import linker_of
from answerer.nlpcc.kbqa.training import (
    KbqaExample,
    examples_of,
    folds_by_predicate,
    held_out_rows,
    templates_of,
    train_model,
)
from indexer.cli.program import run_program
from indexer.engines.contract import Index
from indexer.engines.opening import open_index
from indexer.files.arrays import Float64Array, Int64Array
from indexer.sources.triples.schema import aliases, clean_predicate, fold
from retriever.learning.conditional_logit import folds

FOLDS = 5
LINES = ("hand", "own", "trained")


def read(index: Index, questions: Sequence[KbqaQuestion], share: int) -> list[KbqaExample]:
    """One predicate of `share` with candidates, where the index answers; the other questions, which
    only teach."""
    linker, statistics = linker_of(index, fuzzy=True), statistics_of(index)
    asked, others = [], []
    for one in questions:
        (asked if zlib.crc32(_predicate(one).encode()) % share == 0 else others).append(one)
    return [*examples_of(asked, linker, statistics), *map(_teaching, others)]


def _predicate(question: KbqaQuestion) -> str:
    return clean_predicate(question.triple[1]) if question.triple else ""


def _teaching(question: KbqaQuestion) -> KbqaExample:
    """A question that only teaches: what it asks beside its subject's name, and by which
    predicate."""
    text, nobody = fold(question.text), np.zeros(0, np.int64)
    name = max(
        aliases(question.triple[0] if question.triple else ""),
        key=lambda one: len(one) * (one in text),
    )
    start = max(text.find(name), 0)
    request = relation_phrase(text, start, start + len(name) * (name in text))
    return KbqaExample(text, (), nobody, nobody.astype(bool), request, _predicate(question))


def right(example: KbqaExample, ranker: FactRanker) -> float:
    """1 where a ranker's first answer is one of the right ones, else 0."""
    candidates = example.candidates
    scores, _ = ranker.score(example.question, candidates)
    answers = {
        candidates[row].answer
        for row, gold in zip(example.selection, example.gold, strict=True)
        if gold
    }
    return float(candidates[rank(candidates, scores)[0].row].answer in answers)


def held_out(
    examples: Sequence[KbqaExample],
    fold_of: Int64Array,
    statistics: CharacterStatistics,
    templates: bool,
) -> Float64Array:
    """For each example with candidates whether it is answered rightly by what other predicates
    teach, (asked,)."""
    inner = folds_by_predicate([one.predicate for one in examples], FOLDS)
    rows = held_out_rows(examples, inner, statistics, True, templates)
    asked = np.array([bool(one.candidates) for one in examples])
    found = np.zeros(len(examples))
    for number in range(FOLDS):
        taught = templates_of(
            [one for one, fold in zip(examples, fold_of, strict=True) if fold != number]
        )
        signals = FactFeatures(statistics, taught if templates else None)
        inside = np.flatnonzero(asked & (fold_of != number)).tolist()
        model = train_model(
            [rows[place] for place in inside], [examples[place] for place in inside], signals
        )
        ranker = FactRanker(signals, model.weights / model.scales)
        for place in np.flatnonzero(asked & (fold_of == number)).tolist():
            found[place] = right(examples[place], ranker)
    return found[asked]


def measured(
    examples: Sequence[KbqaExample], statistics: CharacterStatistics, seed: int
) -> Iterator[Float64Array]:
    """What each of LINES answers rightly."""
    yield np.array(
        [right(one, fact_ranker(None, statistics)) for one in examples if one.candidates]
    )
    fold_of = folds([one.predicate for one in examples], FOLDS, seed)
    for templates in (False, True):
        yield held_out(examples, fold_of, statistics, templates)


@click.command()
@click.argument("address", required=False, default="triples")
@click.option(
    "--share", default=4, help="One predicate of so many is asked for; all teach templates [4]."
)
@click.option("--seed", "seeds", type=int, multiple=True, default=(0,), help="Of the folds [0].")
def main(address: str, share: int, seeds: Sequence[int]) -> None:
    """Print a JSON line for each seed and ranker."""
    read_file = read_questions(pack("nlpcc", "kbqa", "nlpcc2016.kbqa.train"))
    questions = [one for one in read_file if one.answers and one.triple and fold(one.triple[0])]
    index = open_index(address, "triples")
    examples = read(index, questions, share)
    for seed in seeds:
        above: Float64Array | None = None
        for name, found in zip(LINES, measured(examples, statistics_of(index), seed), strict=True):
            row = {"seed": seed, "ranker": name, "questions": len(found), **_mean(found, "")}
            click.echo(json.dumps(row if above is None else row | _mean(found - above, " above")))
            above = found


def _mean(values: Float64Array, name: str) -> dict[str, float]:
    error = float(values.std() / np.sqrt(len(values)))
    return {
        f"Accuracy@1{name}": round(float(values.mean()), 4),
        f"standard error{name}": round(error, 4),
    }


if __name__ == "__main__":
    run_program(main, "python benchmarks/unseen_predicates.py")
