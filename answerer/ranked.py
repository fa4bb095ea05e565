"""What the tasks share that rank given candidates: scores by method or model, the trace, training and its report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from answerer.trace import Trace
from indexer.files.errors import UserError

if TYPE_CHECKING:
    from retriever.ranking.listwise import FloatArray
    from retriever.ranking.ranking import Ranking
    from retriever.ranking.train import Problem

Command = TypeVar("Command", bound=Callable[..., Any])

METHODS = {
    "sum": "a fixed sum of a few features, untrained",
    "bm25": "BM25 with idf from the question's own candidates",
    "rank-bm25": "the rank-bm25 package over the question's own candidates",
    "overlap": "terms of the question in the candidate",
}
RANKERS = ("listwise", "pointwise", "lambdamart")


def method_option(command: Command) -> Command:
    """--method NAME: the untrained ways to score."""
    listed = "; ".join(f"{name}: {line}" for name, line in METHODS.items())
    return click.option("--method", type=click.Choice(list(METHODS)), help=f"[sum] {listed}. Not with --model.")(
        command
    )


def training_options(command: Command) -> Command:
    """-o, --folds, --seed, --ranker, --without and --ablation."""
    for option in (
        click.option("--ablation", is_flag=True, help="Also print what the figures are without each family."),
        click.option("--without", multiple=True, metavar="FAMILY", help="Leave a family of features out."),
        click.option("--ranker", type=click.Choice(RANKERS), default="listwise", help="What learns [listwise]."),
        click.option("--seed", type=int, default=0, help="Seed of the folds [0]."),
        click.option("--folds", "k", type=click.IntRange(2), default=5, help="Folds of the cross-validation [5]."),
        click.option("-o", "output", metavar="MODEL", required=True, help="Where the model goes."),
    ):
        command = option(command)
    return command


def warn(warnings: Sequence[str]) -> None:
    """The first few warnings on stderr, and how many there are more."""
    for warning in warnings[:5]:
        click.echo(f"warning: {warning}", err=True)
    if len(warnings) > 5:
        click.echo(f"warning: {len(warnings) - 5} more labels like these", err=True)


class Scored(NamedTuple):
    """The scores of a file's candidates and how they were made."""

    scores: FloatArray
    method: str
    parameters: dict[str, Any]


def scored(ranking: Ranking, method: str | None, model_path: str | None) -> Scored:
    """Score by the model, else by the method (by default the fixed sum). UserError when both are given."""
    if model_path and method:
        raise UserError("--model and --method exclude each other: a model is a method")
    if not model_path:
        return Scored(ranking.by_method(method or "sum"), method or "sum", {})
    model = ranking.load(model_path)
    return Scored(ranking.by_model(model), model.ranker, {"model": model_path, "training data": list(model.data)})


def trace_candidates(
    trace: Trace, ranking: Ranking, scores: FloatArray, texts: Sequence[str], question_ids: Sequence[str]
) -> None:
    """One line a question: its candidates best first, each with its features (those that are not 0) and terms."""
    if not trace.wanted:
        return
    features = [(name, values) for family in ranking.families.values() for name, values in family.items()]
    matched = ranking.matched()
    for number, question in enumerate(ranking.questions):
        start, size = int(ranking.lists.starts[number]), int(ranking.lists.sizes[number])
        order = sorted(range(start, start + size), key=lambda row: (-scores[row], row))
        candidates = [
            {
                "id": row - start,
                "text": texts[row],
                "score": float(scores[row]),
                "signals": {name: float(values[row]) for name, values in features if values[row]},
                "evidence": [
                    {
                        "doc_id": f"{question_ids[number]}-{row - start}",
                        "text": texts[row],
                        "score": float(scores[row]),
                        "terms": matched[row],
                    }
                ],
            }
            for row in order
        ]
        trace.question(
            {
                "question_id": question_ids[number],
                "shape": ranking.kinds[number],
                "asks": None,
                "question": question,
                "system": order[0] - start,
                "candidates": candidates,
            }
        )


class Training(NamedTuple):
    """How a model is to be trained: the options of `answerer train`."""

    ranker: str
    folds: int
    seed: int
    without: tuple[str, ...]
    ablation: bool


def train_model(
    files: Sequence[str], rankings: Sequence[Ranking], problems: Sequence[Problem], training: Training, output: str
) -> None:
    """Cross-validate, print the figures, train on everything and write the model with its figures inside.

    UserError: no question has both a right and a wrong candidate, an unknown family, too few groups for the folds.
    """
    from retriever.ranking.model import fingerprint, save_model
    from retriever.ranking.train import cross_validate, design, joined, train

    recipe = rankings[0].recipe
    problem = joined(problems)
    if not _teaches(problem):
        raise UserError(f"{files[0]}: no question with a right and a wrong candidate: nothing to learn from")
    unknown = [name for name in training.without if name not in problem.families]
    if unknown:
        raise UserError(f"--without {unknown[0]}: unknown family; there are {', '.join(problem.families)}")
    made = design(problem, recipe)
    for family in training.without:
        made = made.silenced(family)
    options: dict[str, Any] = {"ranker": training.ranker, "k": training.folds, "seed": training.seed}
    held = cross_validate(made, problem, recipe, **options)
    untrained = [(name, _by_method(rankings, name)) for name in ("sum", "bm25", "overlap")]
    rows = [_figures(problem, f"{training.ranker}, cross-validated", held)]
    rows += [_figures(problem, f"{name}, untrained", scores) for name, scores in untrained]
    for family in problem.families if training.ablation else ():
        rows.append(
            _figures(problem, f"without {family}", cross_validate(made.silenced(family), problem, recipe, **options))
        )
    _print_figures(rows, problem, training)
    model = train(
        made,
        problem.lists.list_of,
        problem.gold,
        recipe,
        training.ranker,
        training.seed,
        data=[fingerprint(file) for file in files],
        figures={"folds": training.folds, "seed": training.seed, "cross-validated": rows[0]},
        settings={"penalty": recipe.penalty, "without": list(training.without)},
    )
    save_model(model, output)


def _teaches(problem: Problem) -> bool:
    gold = problem.gold.astype(float)
    right = problem.lists.total(gold)
    return bool(((right > 0) & (right < problem.lists.sizes)).any())


def _by_method(rankings: Sequence[Ranking], method: str) -> FloatArray:
    import numpy as np

    return np.concatenate([ranking.by_method(method) for ranking in rankings])


def _figures(problem: Problem, name: str, scores: FloatArray) -> dict[str, Any]:
    """MRR under file-order and average ties with its standard error, MAP and Accuracy@1, over questions with gold."""
    from evaluation.measures.ranking import accuracy_at, average_precision, reciprocal_rank

    values: list[tuple[float, float, float, float]] = []
    rounded = scores.round(9).tolist()
    for start, size in zip(problem.lists.starts.tolist(), problem.lists.sizes.tolist(), strict=True):
        gold = problem.gold[start : start + size].tolist()
        if any(gold):
            own = rounded[start : start + size]
            values.append(
                (
                    reciprocal_rank(own, gold, "file"),
                    reciprocal_rank(own, gold, "average"),
                    average_precision(own, gold, "file"),
                    accuracy_at(1, own, gold, "file"),
                )
            )
    means = [sum(column) / len(values) for column in zip(*values, strict=True)]
    spread = (sum((row[0] - means[0]) ** 2 for row in values) / max(1, len(values) - 1)) ** 0.5
    return {
        "ranking": name,
        "questions": len(values),
        "MRR": means[0],
        "standard error": spread / len(values) ** 0.5,
        "MRR, average ties": means[1],
        "MAP": means[2],
        "Accuracy@1": means[3],
    }


def _print_figures(rows: Sequence[dict[str, Any]], problem: Problem, training: Training) -> None:
    groups = len(set(problem.groups))
    click.echo(f"{training.folds} folds by {groups} groups, seed {training.seed}; ties in file order")
    names = [name for name in rows[0] if name != "ranking"]
    width = max(len(str(row["ranking"])) for row in rows)
    click.echo("  ".join([" " * width, *names]))
    for row in rows:
        cells = [f"{row[name]:.4f}" if isinstance(row[name], float) else str(row[name]) for name in names]
        click.echo(
            "  ".join([str(row["ranking"]).ljust(width), *(c.rjust(len(n)) for c, n in zip(cells, names, strict=True))])
        )
